"""Read the wager: what was said and which chips were put in, and what the book makes of it.

The wrong answers are what the same book makes of the words alone or the chips alone, of the same
in another order, or of several motions as if they were one; and what the other book makes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from croupier.pit import GAMES
from croupier.pit.ruling import Ruling
from croupier.pit.situation import Contradiction
from croupier.rulebooks import BOOKS, Rulebook, load
from croupier.school.choices import part_of
from croupier.school.errors import NotMade
from croupier.school.exercise import AnswerChoice, Exercise, Scene
from croupier.school.scene import heard_and_ruled

ASK = "What is it?"
TITLE = "A wager"
CHIPS = (1, 5, 25, 100, 500)
BIG = (100, 500)
STAKE = 1500
"""What each had before the flop; who has bet has that much less."""
READ = "wager read"

Wager = dict[str, Any]
"""The report as a step of a case file."""

PATTERNS = (
    "one chip",
    "declared with one chip",
    "declared with chips",
    "two motions",
    "chips alone",
    "figure alone",
    "call with too much",
)
"""What a player may be seen to do; each is an item of its own."""


def wager_exercise(book: Rulebook, pattern: str, level: int, rng: Random) -> Exercise:
    """A wager of this pattern on the flop, where seat 2 has bet."""
    bet = rng.choice((10, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100))
    raised = bet + rng.choice((bet, 2 * bet, bet + 5 * rng.randint(1, 6))) if level > 1 else 0
    raw = _table(book, bet, raised)
    seat, price = (4, raised) if raised else (3, bet)
    wager = {"do": "report wager", "seat": seat, **_seen(pattern, price, raised or bet, rng)}
    right = _read(book, raw, wager)
    if right is None:
        raise NotMade(pattern)
    ruling, event = right
    best = AnswerChoice(says=_called(event), would=(ruling.headline,), cites=ruling.cites[:2])
    return Exercise(
        kind="wager",
        rulebook=book.id,
        item=f"wager/{pattern}",
        level=level,
        title=TITLE,
        told=(_before(bet, raised), wager_told(wager)),
        parts=(part_of(ASK, best, _wrong(book, raw, wager), rng, most=3 if level == 1 else 4),),
        scene=Scene(raw={**raw, "step": []}, title=TITLE),
        ruling=ruling,
        cites=ruling.cites,
    )


def _table(book: Rulebook, bet: int, raised: int) -> dict[str, Any]:
    acted = [f"2 bet to {bet}", *([f"3 raise to {raised}"] if raised else [])]
    behind = dict.fromkeys(range(1, 6), STAKE) | {2: STAKE - bet, 3: STAKE - raised}
    return {
        "rulebook": book.id,
        "table": {"dealing": "by-hand", "acting": "seen", "button": 1, "chips": list(CHIPS)},
        "seats": {str(n): {"player": f"seat {n}", "stake": left} for n, left in behind.items()},
        "now": {"stage": "flop", "acted": acted},
    }


def _before(bet: int, raised: int) -> str:
    told = f"On the flop seat 2 has bet {bet}"
    return f"{told}, and seat 3 has raised to {raised}." if raised else f"{told}."


def _seen(pattern: str, price: int, last: int, rng: Random) -> Wager:
    """What is seen: words, figure, chips."""
    big = rng.choice([chip for chip in BIG if chip > price] or [BIG[-1]])
    low, high = price + rng.choice((5, 10)), price + last
    figure = rng.choice((2 * price, price + last + 5 * rng.randint(0, 8), 3 * price))
    match pattern:
        case "one chip":
            return {"chips": [big]}
        case "declared with one chip":
            said = {"words": "raise", "chips": [big], "first": rng.choice(("words", "chips"))}
            return said | ({"figure": figure} if rng.random() < 0.6 else {})
        case "declared with chips":
            chips = _made_of(rng.choice((low, high, figure)))
            return {"words": rng.choice(("raise", "call")), "chips": chips, "first": "words"}
        case "two motions":
            more = _made_of(rng.choice((price, last, 2 * last)))
            said = {"chips": _made_of(price), "later": more}
            return said | ({"words": "raise"} if rng.random() < 0.4 else {})
        case "chips alone":
            halfway = price + 5 * round(last * rng.choice((0.2, 0.4, 0.5, 0.6, 0.8, 1)) / 5)
            return {"chips": _made_of(max(halfway, price + 5))}
        case "figure alone":
            return {"figure": rng.choice((price, figure, high)), "chips": []}
        case _:
            return {"words": "call", "chips": [big], "first": rng.choice(("words", "chips"))}


def _made_of(amount: int) -> list[int]:
    """An amount in the fewest chips."""
    found: list[int] = []
    for chip in reversed(CHIPS):
        count, amount = divmod(amount, chip)
        found += [chip] * count
    return found


def wager_told(wager: Wager) -> str:
    """What was seen, as a dealer would tell it."""
    said = " to ".join(str(wager[key]) for key in ("words", "figure") if wager.get(key))
    words = f"says “{said}”" if said else "says nothing"
    chips = wager.get("chips") or []
    puts = f"puts in {_chips_told(chips)}" if chips else "puts in no chips"
    if said and chips and wager.get("first") == "chips":
        told = f"Seat {wager['seat']} {puts}, and then {words}"
    else:
        told = f"Seat {wager['seat']} {words} and {puts}"
    if wager.get("later"):
        told += f"; then, in a second motion, {_chips_told(wager['later'])}"
    return f"{told}."


def _chips_told(chips: list[int]) -> str:
    counted = {chip: chips.count(chip) for chip in dict.fromkeys(chips)}
    told = [
        f"one chip of {chip}" if count == 1 else f"{count} chips of {chip}"
        for chip, count in counted.items()
    ]
    return " and ".join((", ".join(told[:-1]), told[-1])) if len(told) > 1 else told[0]


# -- what it is ------------------------------------------------------------------------------------


def _read(book: Rulebook, raw: dict[str, Any], wager: Wager) -> tuple[Ruling, Any] | None:
    """What a book makes of a wager: the ruling, and how it was read."""
    whole = {**raw, "rulebook": book.id, "step": [wager]}
    try:
        heard, ruling = heard_and_ruled(whole, TITLE)
    except Contradiction:
        return None
    found = next((e for e in heard.events() if e.__struct_config__.tag == READ), None)
    return (ruling, found) if found is not None else None


def _called(event: Any) -> str:
    """A reading in a few words: `Raise to 300, 200 back`."""
    told: str = event.tell(lambda seat: "").removeprefix(": ").partition(". ")[0]
    return f"{told[:1].upper()}{told[1:]}"


def _wrong(book: Rulebook, raw: dict[str, Any], wager: Wager) -> Iterator[AnswerChoice]:
    for other, because in _otherwise(wager):
        if (found := _read(book, raw, other)) is not None:
            ruling, event = found
            yield AnswerChoice(
                says=_called(event),
                would=(ruling.headline,),
                because=because,
                cites=ruling.cites[:1],
            )
    for name in BOOKS:
        if name != book.id and GAMES.games[name] is GAMES.games[book.id]:
            other_book = load(name)
            if (found := _read(other_book, raw, wager)) is not None:
                because = f"So {other_book.short} reads it; this is {book.short}."
                yield AnswerChoice(
                    says=_called(found[1]), would=(found[0].headline,), because=because
                )


def _otherwise(wager: Wager) -> Iterator[tuple[Wager, str]]:
    """The same wager, seen wrongly."""
    bare: Mapping[str, Any] = {"do": wager["do"], "seat": wager["seat"]}
    chips, later = wager.get("chips") or [], wager.get("later") or []
    said = {key: wager[key] for key in ("words", "figure") if wager.get(key)}
    if later:
        joined = {**wager, "chips": [*chips, *later], "later": []}
        yield joined, "So it would be if the chips had gone in with one motion."
    if said and chips:
        yield {**bare, "chips": chips}, "So it would be if only the chips counted."
        yield {**bare, **said}, "So it would be if only the words counted."
        first = "words" if wager.get("first") == "chips" else "chips"
        yield {**wager, "first": first}, f"So it would be if the {first} had come first."
    if chips and not said:
        total = sum(chips)
        yield (
            {**bare, "words": "raise", "figure": total, "chips": chips},
            f"So it would be if “raise to {total}” had been said with it.",
        )
        yield {**bare, "words": "call", "chips": chips}, "So it would be if “call” had been said."
    if said.get("figure"):
        yield (
            {**bare, "words": "raise", "figure": said["figure"], "chips": chips},
            "So it would be if “raise” had been said with the amount.",
        )
        yield {**bare, "chips": _made_of(said["figure"])}, "So it would be if the chips lay there."
    yield {**bare, "words": "call"}, "So it would be if “call” had been said, and nothing else."
    yield {**bare, "words": "raise"}, "So it would be if “raise” had been said, and nothing else."
