"""Pay the round: a box against the dealer, with everything that it has staked.

What is handed over is what the table has settled, bet by bet. The wrong sums are those of a dealer
who pays a bet that is handed back, hands back one that wins, forgets a stake or takes one too many.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Literal

from croupier.cards import DECK, Card, pretty_cards, rank_hand, read_cards, write_cards
from croupier.rulebooks import Rulebook
from croupier.school.choices import part_of
from croupier.school.errors import NotMade
from croupier.school.exercise import AnswerChoice, Exercise, Part, Scene
from croupier.school.scene import outcome_of
from croupier.table import write_money
from croupier.table.words import listed

BOX = 1
ASK = f"How much is handed to box {BOX} in all, stakes included?"
RESULT = f"How does box {BOX} fare?"
EFFECTIVE = "2020-01-01T00:00:00+08:00"
"""A day by which a book is in force that leaves it to the operator."""
TITLE = "Pay the round"
BETS = {
    "ante": "Ante",
    "flop": "Flop bet",
    "turn": "Turn bet",
    "river": "River bet",
    "bonus": "Bonus",
    "progressive": "jackpot bet",
}
RESULTS = {"won": "It wins", "lost": "It loses", "stand off": "Stand Off: it is a tie"}
MAIN = ("ante", "flop", "turn", "river")


Wanted = Literal["win", "loss", "tie", "bonus"]
WANTED: tuple[Wanted, ...] = ("win", "loss", "tie", "bonus")
"""How it may come out; each is an item of its own."""
DRAWS = 400


def payout_exercise(book: Rulebook, wanted: Wanted, level: int, rng: Random) -> Exercise:
    """One box; with later bets from the second level on, with a jackpot bet on the third."""
    raw = _drawn(book, wanted, level, rng)
    came = outcome_of(raw, TITLE)
    facts, ruling = came.facts, came.ruling
    held = BOX in facts.jackpot  # a jackpot line is paid by the link, after a claim
    if facts.results.get(BOX) not in RESULTS or held:
        raise NotMade(TITLE)
    return Exercise(
        kind="payout",
        rulebook=book.id,
        item=f"payout/{wanted}",
        level=level,
        title=TITLE,
        told=tuple(_told(raw)),
        parts=tuple(_parts(facts, ruling.cites, rng)),
        scene=Scene(raw={**raw, "step": raw["step"][:-1]}, title=TITLE),
        ruling=ruling,
        cites=ruling.cites,
    )


Hands = tuple[list[Card], list[Card], list[Card]]
"""The cards of the box, of the board and of the dealer."""


def _dealt(wanted: Wanted, rng: Random) -> Hands:
    """Cards that come out as wanted: two for the box, two for the dealer, and the board."""
    for _ in range(DRAWS):
        cards = rng.sample(DECK, 9)
        hole, board, dealer = cards[:2], cards[2:7], cards[7:]
        box, against = rank_hand((*hole, *board)), rank_hand((*dealer, *board))
        pays = hole[0].rank == hole[1].rank  # every pair is on the Bonus table
        came = "bonus" if pays else "win" if box > against else "tie" if box == against else "loss"
        if came == wanted:
            return hole, board, dealer
    raise NotMade(wanted)


def _drawn(book: Rulebook, wanted: Wanted, level: int, rng: Random) -> dict[str, Any]:
    hole, board, dealer = _dealt(wanted, rng)
    stakes: dict[str, Any] = {"ante": 5 * rng.randint(5, 40)}
    if wanted == "bonus" or (level > 1 and rng.random() < 0.6):
        stakes["bonus"] = 5 * rng.randint(1, 10)
    if level > 2 and rng.random() < 0.5:
        stakes["progressive"] = True
    later = [rng.choice((bet, "check")) for bet in ("turn bet", "river bet")]
    return {
        "rulebook": book.id,
        "table": _settings(book),
        "boxes": {str(BOX): {"player": "Ann", **stakes, "cards": write_cards(hole)}},
        "board": {
            "flop": write_cards(board[:3]),
            "turn": str(board[3]),
            "river": str(board[4]),
        },
        "dealer": {"cards": write_cards(dealer)},
        "now": {
            "stage": "dealer",
            "chosen": {str(BOX): ["flop bet", *(later if level > 1 else ["check", "check"])]},
            "looked": [BOX],
        },
        "step": [
            {"do": "deal dealer"},
            {"do": "reveal dealer"},
            {"do": "table cards", "box": BOX},
            {"do": "settle"},
        ],
    }


def _settings(book: Rulebook) -> dict[str, Any]:
    settings = {
        "layout": "A",
        "dealing": "by-hand",
        "acting": "seen",
        "ante_minimum": 25,
        "ante_maximum": 500,
        "bonus_minimum": 5,
        "bonus_maximum": 500,
        "progressive": 5,
    }
    return settings if book.effective else settings | {"effective": EFFECTIVE}


def _told(raw: dict[str, Any]) -> Iterator[str]:
    one, chosen = raw["boxes"][str(BOX)], raw["now"]["chosen"][str(BOX)]
    ante = one["ante"]
    bets = [f"an Ante of {ante}", f"a Flop bet of {2 * ante}"]
    bets += [f"a {bet.capitalize()} of {ante}" for bet in chosen[1:] if bet != "check"]
    if "bonus" in one:
        bets.append(f"a Bonus bet of {one['bonus']}")
    if "progressive" in one:
        bets.append("a jackpot bet of 5")
    yield f"Box {BOX} has {listed(bets)}."
    board = " ".join(raw["board"].values())
    yield f"Box {BOX}: {_pretty(one['cards'])}. Board: {_pretty(board)}."
    yield f"Dealer: {_pretty(raw['dealer']['cards'])}."


def _pretty(cards: str) -> str:
    return pretty_cards(read_cards(cards))


def _parts(facts: Any, cites: tuple[str, ...], rng: Random) -> Iterator[Part]:
    fares, bets = facts.results[BOX], facts.payouts[BOX]
    others = [AnswerChoice(says=says) for result, says in RESULTS.items() if result != fares]
    hands = (f"Box {BOX}: {facts.hands.get(BOX, '')}.", f"Dealer: {facts.dealer_hand}.")
    right = AnswerChoice(says=RESULTS[fares], would=hands, cites=cites[:1])
    yield part_of(RESULT, right, others, rng)
    paid = facts.paid[BOX]
    told = tuple(bet_told(name, bet) for name, bet in bets.items())
    sum_ = AnswerChoice(says=write_money(paid), would=told, cites=cites[:2])
    yield part_of(ASK, sum_, _wrong(bets, paid, cites), rng)


def bet_told(name: str, bet: Any) -> str:
    """What became of a bet, in a sentence."""
    called, staked = BETS[name][:1].upper() + BETS[name][1:], write_money(bet.staked)
    if bet.won:
        return f"{called} of {staked} wins {write_money(bet.won)}: {write_money(bet.paid)}."
    return f"{called} of {staked} is {'handed back' if bet.returned else 'lost'}."


def _wrong(bets: Mapping[str, Any], paid: int, cites: tuple[str, ...]) -> Iterator[AnswerChoice]:
    for sum_, because in _mistakes(bets, paid):
        if sum_ >= 0 and sum_ != paid:
            much = "too much" if sum_ > paid else "too little"
            would = (f"Box {BOX} would get {write_money(abs(sum_ - paid))} {much}.",)
            yield AnswerChoice(
                says=write_money(sum_), would=would, because=because, cites=cites[:1]
            )


def _mistakes(bets: Mapping[str, Any], paid: int) -> Iterator[tuple[int, str]]:
    won = {name: bet for name, bet in bets.items() if bet.won}
    back = {name: bet for name, bet in bets.items() if bet.returned and not bet.won}
    lost = {name: bet for name, bet in bets.items() if bet.lost}
    for name, bet in back.items():
        yield paid + bet.staked, f"The {BETS[name]} is handed back here and wins nothing."
        yield paid - bet.staked, f"The {BETS[name]} is handed back here, not taken."
    if "ante" in won:
        yield paid - won["ante"].won, "The Ante wins here, and is not only handed back."
    if "bonus" in won:
        yield paid - won["bonus"].paid, "The Bonus has a table of its own, and wins here."
        yield paid - won["bonus"].won + won["bonus"].staked, "The Bonus pays more than even money."
    if won:
        stakes = sum(bet.returned for bet in bets.values())
        yield paid - stakes, "What is won comes on top of the stakes; they go back with it."
    if "flop" in won:
        yield paid - won["flop"].staked // 2, "The Flop bet is twice the Ante, and is paid as such."
    for name in MAIN:
        if name in lost:
            yield paid + lost[name].staked, f"The {BETS[name]} is lost and not handed back."
    main = sum(bets[name].staked for name in MAIN if name in bets)
    if lost:
        yield paid + main, "The bets are lost; nothing of them goes back."
        yield paid + 2 * main, "The dealer's hand is better: nothing is paid."
