"""The lab's answers as plain data: what the commands print as JSON, and what reports draw.

Exact values are written as fractions (`-578107733/28381438800`); beside them, numbers as decimals
with all the digits of a double. Amounts of money are written as on the table, in whole units. What
each field means is said by ``answer_types``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from croupier.cards import Card
from croupier.lab.answer_types import stamped
from croupier.lab.base import Solution, ante_thresholds, solve
from croupier.lab.best_play import (
    ante_lines,
    best_folds,
    best_play,
    check_ante,
    joint_break_even,
)
from croupier.lab.bonus_bet import bonus
from croupier.lab.decisions import Decision, decide
from croupier.lab.errors import BadAmount, on_the_table
from croupier.lab.game import base_game
from croupier.lab.hands import LISTED
from croupier.lab.jackpot_bet import Progressive, amount, fold_from, progressive
from croupier.lab.meter import long_run, others_ahead
from croupier.lab.solver import Progress
from croupier.rulebooks import Rulebook

Answer = dict[str, Any]
DEFAULT_STAKE = 500
"""B-01: no book fixes the jackpot stake; 5 fits the pay tables."""
DEFAULT_ANTE = 1000


def edge(
    book: Rulebook,
    *,
    stake: int = DEFAULT_STAKE,
    meter: int | None = None,
    bonus_stake: int | None = None,
    ante: int = DEFAULT_ANTE,
    policies: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Every bet of a book: `lab edge`. Money in cents."""
    # The cheap ones first: whatever is wrong with the question is said before anything is swept.
    check_ante(ante)
    game = base_game(book)
    side = bonus_answer(book, stake=bonus_stake)
    progressive_side = jackpot_answer(book, stake=stake, meter=meter, policies=policies)
    solution = solve(game, progress=progress)
    progressive_side["break_even"] = break_evens(
        progressive(book, policies=policies), solution, stake=stake, ante=ante
    )
    return stamped(
        "edge",
        {
            "book": book.id,
            "base": base(solution),
            "bonus": side,
            "progressive": progressive_side,
        },
    )


def break_evens(bet: Progressive, solution: Solution, *, stake: int, ante: int) -> list[Answer]:
    """The break-even meter of a jackpot stake, for each way to fold that changes it."""

    def entry(folds: str, meaning: str, hands: Sequence[str], meter: Fraction | None) -> Answer:
        return {
            "folds": folds,
            "meaning": meaning,
            "hands": list(hands),
            "meter": None if meter is None else float(meter / 100),
            "exact": None if meter is None else str(meter / 100),
        }

    nobody = bet.break_even(stake=stake)
    if not bet.by_street:
        return [entry("none", "whatever is folded: a fold keeps every line", (), nobody)]
    base_folds = [n for n, hand in enumerate(solution.hands) if hand.folded]
    best = joint_break_even(bet, solution, ante=ante, stake=stake)
    hands: Sequence[str] = ()
    if best is not None:
        hands = best_folds(bet, solution, ante=ante, stake=stake, meter=best)
    return [
        entry("none", "if every hand is played", (), nobody),
        entry(
            "base",
            "if hands are folded as in the base game",
            solution.fold_hands,
            bet.break_even(stake=stake, folded=base_folds),
        ),
        entry("best", f"if hands are folded best for an Ante of {on_the_table(ante)}", hands, best)
        | {"ante": ante / 100},
    ]


def base(solution: Solution) -> Answer:
    """The base game, in Antes."""
    paid_from = solution.game.ante_pays_from
    return {
        "ev": str(solution.ev),
        "house_edge": float(solution.house_edge),
        "element_of_risk": float(solution.element_of_risk),
        "average_bet": float(solution.average_bet),
        "standard_deviation": float(solution.standard_deviation),
        "variance": str(solution.variance),
        "fold_hands": list(solution.fold_hands),
        "fold_frequency": float(solution.fold_frequency),
        "turn_bet_frequency": float(solution.turn_bet_frequency),
        "river_bet_frequency": float(solution.river_bet_frequency),
        "deals": solution.deals,
        "ante_pays_from": None if paid_from is None else paid_from.value,
        "indifferent": {"turn": solution.turn_even, "river": solution.river_even},
        "blind": {
            "ev": str(solution.blind.value),
            "value": float(solution.blind.value),
            "decision": "fold" if solution.blind.folded else "bet",
        },
    }


def bonus_answer(book: Rulebook, *, stake: int | None = None) -> Answer:
    """The Bonus bet, for each unit staked."""
    bet = bonus(book, stake=stake)
    return {
        "ev": str(bet.ev),
        "house_edge": float(bet.house_edge),
        "universe": bet.universe,
        "stake": None if stake is None else stake / 100,
        "cap": bet.cap / 100,
        "lines": [
            {
                "id": line.id,
                "pays": str(line.pays),
                "count": line.count,
                "probability": float(line.probability),
                "winnings": float(line.winnings),
                "capped": line.capped,
            }
            for line in bet.lines
        ],
    }


def jackpot_answer(
    book: Rulebook,
    *,
    stake: int = DEFAULT_STAKE,
    meter: int | None = None,
    policies: Mapping[str, str] | None = None,
) -> Answer:
    """The Progressive Jackpot bet, for each unit staked."""
    bet = progressive(book, policies=policies)
    even = bet.break_even(stake=stake)
    lines = []
    for line, counted in zip(bet.lines, bet.counted(stake=stake, meter=meter), strict=True):
        entry: Answer = {
            "id": counted.id,
            "pays": counted.pays,
            "count": counted.count,
            "held": counted.held,
            "probability": float(Fraction(counted.count, bet.universe)),
        }
        if meter is not None:
            paid = amount(line, stake=stake, meter=meter)
            entry["amount"] = float(paid / 100)
            entry["return"] = float(counted.count * paid / bet.universe / stake)
        lines.append(entry)
    answer: Answer = {
        "universe": bet.universe,
        "stake": stake / 100,
        "lines": lines,
        "break_even_meter": None if even is None else float(even / 100),
        "break_even_meter_exact": None if even is None else str(even / 100),
        "break_even": [],
    }
    if meter is not None:
        value = bet.ev(stake=stake, meter=meter)
        answer |= {"meter": meter / 100, "ev": str(value), "house_edge": float(-value)}
    return answer


def hand(
    book: Rulebook,
    cards: Sequence[Card],
    *,
    dead: Sequence[Card] = (),
    dealer: Sequence[Card] = (),
    progress: Progress | None = None,
) -> Answer:
    """What to do with these cards at each decision that they lead through: `lab hand`.

    ``dead`` cards are known to be gone, ``dealer`` are known to be the dealer's.
    """
    if dead or dealer:
        from croupier.lab.known import decide_known

        decided = decide_known(book, cards, dead=dead, dealer=dealer)
    else:
        decided = decide(book, cards, progress=progress)
    answer = {
        "book": book.id,
        "dead": [str(card) for card in dead],
        "dealer": [str(card) for card in dealer],
        "decisions": [
            {
                "window": decision.window,
                "hole": [str(card) for card in decision.hole],
                "board": [str(card) for card in decision.board],
                "best": decision.best,
                "indifferent": decision.even,
                "values": {
                    decision.without: float(decision.value_without),
                    "bet": float(decision.value_with),
                },
                "exact": {
                    decision.without: str(decision.value_without),
                    "bet": str(decision.value_with),
                },
                "mistake_costs": float(decision.cost),
                "wins": float(decision.wins),
                "ties": float(decision.ties),
                "loses": float(decision.loses),
                **_after(decision),
            }
            for decision in decided
        ],
    }
    return stamped("hand", answer)


def _after(decision: Decision) -> Answer:
    """What a River decision takes the Turn to have been, and its values had it not been so."""
    if decision.turn_bet is None:
        return {}
    return {
        "after": "turn bet" if decision.turn_bet else "turn check",
        "otherwise": {
            decision.without: float(decision.value_without + decision.turn_otherwise),
            "bet": float(decision.value_with + decision.turn_otherwise),
        },
    }


def strategy(book: Rulebook, *, progress: Progress | None = None) -> Answer:
    """The 169 starting hands, and how the Ante's threshold moves the game: `lab strategy`."""
    game = base_game(book)
    solution = solve(game, progress=progress)
    hands = []
    for number in LISTED:
        one = solution.hands[number]
        hands.append(
            {
                "hand": one.name,
                "combinations": one.combinations,
                "decision": "fold" if one.folded else "bet",
                "value": float(one.value),
                "play": float(one.play),
                "exact": str(one.play),
                "mistake_costs": float(abs(one.play + 1)),
                "wins": float(one.wins),
                "ties": float(one.ties),
                "loses": float(one.loses),
                "turn_bet_frequency": float(one.turn_bet_frequency),
                "river_bet_frequency": float(one.river_bet_frequency),
            }
        )
    answer = {
        "book": book.id,
        "fold_hands": list(solution.fold_hands),
        "tie_rule": "where two choices are worth exactly the same, the one that puts down less",
        "indifferent": {"turn": solution.turn_even, "river": solution.river_even},
        "blind": base(solution)["blind"],
        "hands": hands,
        "ante_pays_from": [
            {
                "category": category.value,
                "ev": str(other.ev),
                "house_edge": float(other.house_edge),
                "fold_hands": list(other.fold_hands),
            }
            for category, other in (
                (category, solve(changed)) for category, changed in ante_thresholds(game).items()
            )
        ],
    }
    return stamped("strategy", answer)


def jackpot(
    book: Rulebook,
    *,
    meter: int,
    stake: int = DEFAULT_STAKE,
    policies: Mapping[str, str] | None = None,
    players: int | None = None,
    contribution: int | None = None,
    reset: int | None = None,
    ante: int = DEFAULT_ANTE,
    progress: Progress | None = None,
) -> Answer:
    """The jackpot bet at one meter, and what it does to folding: `lab progressive`."""
    check_ante(ante)
    bet = progressive(book, policies=policies)
    answer: Answer = {
        "book": book.id,
        "progressive": jackpot_answer(book, stake=stake, meter=meter, policies=policies),
    }
    if players is None and (contribution is not None or reset is not None):
        raise BadAmount("players: contribution and reset value move a meter only with --players")
    if players is not None:
        answer["players"] = _players(
            bet, stake, meter, players, contribution=contribution, reset=reset
        )
    solution = solve(book, progress=progress)
    if bet.by_street:
        folded = [n for n, one in enumerate(solution.hands) if one.folded]
        paid = bet.expected_with_folds(folded, stake=stake, meter=meter)
        answer["progressive"]["ev_with_base_folds"] = str((paid - stake) / stake)
        answer["fold_from"] = [
            {
                "hand": one.hand,
                "ante": float(one.ante / 100),
                "exact": str(one.ante / 100),
                "jackpot": float(one.jackpot / 100),
            }
            for one in fold_from(bet, solution, stake=stake, meter=meter)
        ]
    answer["progressive"]["break_even"] = break_evens(bet, solution, stake=stake, ante=ante)
    answer["best_play"] = _best_play(bet, solution, ante=ante, stake=stake, meter=meter)
    return stamped("progressive", answer)


def _best_play(
    bet: Progressive, solution: Solution, *, ante: int, stake: int, meter: int
) -> Answer:
    """What to fold with the jackpot stake down, and what it makes of a round; with its lines."""
    best = best_play(bet, solution, ante=ante, stake=stake, meter=meter)
    top = max(2 * meter, 1_000_000_00)
    meters = [top * step // 8 for step in range(9)]
    lines = ante_lines(bet, solution, stake=stake, meters=meters) if bet.by_street else {}
    return {
        "ante": ante / 100,
        "stake": stake / 100,
        "meter": meter / 100,
        "fold_hands": list(best.fold_hands),
        "base_fold_hands": list(best.base_fold_hands),
        "value": float(best.value / 100),
        "value_exact": str(best.value / 100),
        "value_with_base_folds": float(best.value_with_base_folds / 100),
        "value_without_stake": float(best.value_without_stake / 100),
        "stake_is_worth": float(best.stake_is_worth / 100),
        "lines": [
            {
                "hand": hand,
                "meters": [cents / 100 for cents in meters],
                "antes": [float(a / 100) for a in antes],
            }
            for hand, antes in lines.items()
        ],
    }


def _players(
    bet: Progressive,
    stake: int,
    meter: int,
    players: int,
    *,
    contribution: int | None,
    reset: int | None,
) -> Answer:
    if players < 1:
        raise BadAmount(f"players: {players} players move no meter; give 1 or more")
    if reset is None:
        raise BadAmount("reset value: it is needed to say what several players do to a meter")
    found: Answer = {"players": players}
    lost = others_ahead(bet, ahead=players - 1, meter=meter, reset=reset)
    found["last_box_loses"] = float(lost / 100)
    found["last_box_ev"] = str(bet.ev(stake=stake, meter=meter) - lost / stake)
    if contribution is not None:
        steady = long_run(bet, contribution=contribution, reset=reset, players=players, stake=stake)
        found |= {
            "displayed_on_average": float(steady.displayed / 100),
            "meter_at_award": float(steady.at_award / 100),
            "paid_from_meter": float(steady.paid / 100),
            "rounds_between_jackpots": float(steady.rounds_between),
        }
    return found
