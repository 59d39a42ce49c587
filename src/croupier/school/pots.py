"""Make the side pots: some players are All-in for different amounts, and the betting is over.

The pots are those that the table has made. The wrong ones are what a dealer makes who does not cap
the Main Pot, forgets the chips of somebody who has folded, lets an All-in player win what that
player never matched, or leaves in what nobody has called.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from croupier.rulebooks import Rulebook, Topic
from croupier.school.choices import part_of
from croupier.school.errors import NotMade
from croupier.school.exercise import AnswerChoice, Exercise, Scene
from croupier.school.scene import outcome_of
from croupier.table import write_money

ASK = "Which pots are there?"
TITLE = "Side pots"

Pots = Sequence[tuple[int, Sequence[int]]]
"""Each pot: its amount, and who may win it."""


def side_pots_exercise(book: Rulebook, all_in: int, level: int, rng: Random) -> Exercise:
    """So many players All-in; from the second level on somebody may have folded."""
    raw, told = _drawn(book, all_in, level, rng)
    came = outcome_of(raw, TITLE)
    facts, ruling = came.facts, came.ruling
    pots = [(pot.amount, tuple(sorted(pot.seats))) for pot in facts.pots]
    if len(pots) < 2:
        raise NotMade(TITLE)
    cites = _cites(book, ruling.cites)
    right = AnswerChoice(says=pots_told(pots), cites=cites, would=tuple(_adds_up(pots)))
    put_in = {seat: amount for seat, amount in facts.put_in.items() if amount}
    uncalled = sum(max(0, was - put_in.get(seat, 0)) for seat, was in came.before.put_in.items())
    wrong = _wrong(book, pots, put_in, uncalled)
    steps = raw["step"]
    return Exercise(
        kind="side pots",
        rulebook=book.id,
        item=f"side pots/{all_in}",
        level=level,
        title=TITLE,
        told=tuple(told),
        parts=(part_of(ASK, right, wrong, rng, most=3 if level == 1 else 4),),
        scene=Scene(raw={**raw, "step": steps[:-1]}, title=TITLE),
        ruling=ruling,
        cites=cites,
    )


def _cites(book: Rulebook, cited: tuple[str, ...]) -> tuple[str, ...]:
    topics = [topic for topic in (Topic.SIDE_POT, Topic.MAIN_POT) if book.has(topic)]
    return tuple(dict.fromkeys((*(id for topic in topics for id in book.cite(topic)), *cited)))


def _drawn(
    book: Rulebook, all_in: int, level: int, rng: Random
) -> tuple[dict[str, Any], list[str]]:
    """A betting round on the flop: seat 2 bets, and everybody answers once."""
    count = all_in + 2 + (rng.randint(0, 1) if level > 1 else 0)
    bet = 5 * rng.randint(16, 60)
    shorts = rng.sample(range(3, count + 1), all_in)
    amounts = rng.sample(range(4, bet // 5), len(shorts))
    stakes = dict.fromkeys(range(1, count + 1), 1000)
    stakes |= {seat: 5 * amount for seat, amount in zip(shorts, amounts, strict=True)}
    pot = count * 5 * rng.randint(2, 8)
    folds = {1} if level > 1 and rng.random() < 0.4 else set()
    steps: list[dict[str, Any]] = [{"do": "bet", "seat": 2, "to": bet}]
    told = [f"{pot} lie in the Pot from before the flop.", f"Seat 2 bets {bet}."]
    for seat in (*range(3, count + 1), 1):
        if seat in shorts:
            steps.append({"do": "all in", "seat": seat})
            told.append(f"Seat {seat} is All-in for {stakes[seat]}.")
        else:
            do = "fold" if seat in folds else "call"
            steps.append({"do": do, "seat": seat})
            told.append(f"Seat {seat} {do}s.")
    raw = {
        "rulebook": book.id,
        "table": {"dealing": "by-hand", "acting": "seen", "button": 1},
        "seats": {str(n): {"player": f"seat {n}", "stake": s} for n, s in stakes.items()},
        "now": {"stage": "flop", "pot": pot},
        "step": steps,
    }
    return raw, told


# -- in words --------------------------------------------------------------------------------------


def pots_told(pots: Pots) -> str:
    """Pots as one calls them."""
    return "; ".join(
        f"{pot_name(n)} {write_money(amount)} for seats {', '.join(map(str, seats))}"
        for n, (amount, seats) in enumerate(pots)
    )


def pot_name(number: int) -> str:
    return f"Side Pot {number}" if number else "Main Pot"


def _adds_up(pots: Pots) -> Iterator[str]:
    yield f"In all {write_money(sum(amount for amount, _ in pots))}."


# -- what is made wrong ----------------------------------------------------------------------------


def _wrong(
    book: Rulebook, pots: Pots, put_in: Mapping[int, int], uncalled: int
) -> Iterator[AnswerChoice]:
    cites = book.cite(Topic.SIDE_POT) if book.has(Topic.SIDE_POT) else ()
    for other, because in _mistakes(pots, put_in, uncalled):
        if all(amount > 0 for amount, _ in other):
            would = tuple(_would_win(other, pots))
            yield AnswerChoice(says=pots_told(other), would=would, because=because, cites=cites)


def _would_win(other: Pots, pots: Pots) -> Iterator[str]:
    """Who could win otherwise than by the right pots."""
    for seat in pots[0][1]:
        right, wrong = (sum(a for a, seats in each if seat in seats) for each in (pots, other))
        if right != wrong:
            yield f"Seat {seat} could win {write_money(wrong)} instead of {write_money(right)}."


def _mistakes(pots: Pots, put_in: Mapping[int, int], uncalled: int) -> Iterator[tuple[Pots, str]]:
    everybody = pots[0][1]
    total = sum(amount for amount, _ in pots)
    if uncalled:
        amount, seats = pots[-1]
        kept = [*pots[:-1], (amount + uncalled, seats)]
        yield kept, f"{write_money(uncalled)} that nobody has called go back first."
    yield (
        [(total, everybody)],
        "The Main Pot is not capped: whoever is All-in would win more of each than they put in.",
    )
    yield (
        [(amount, everybody) for amount, _ in pots],
        "Whoever is All-in would win a Side Pot that they have not put a chip into.",
    )
    short = min(put_in[seat] for seat in everybody)
    fewer = short * len(everybody)
    if fewer != pots[0][0]:
        rest = total - fewer
        yield (
            [(fewer, everybody), (rest, pots[-1][1])],
            "The chips of those who have folded belong to the pot that they were put into.",
        )
    last = [put_in[seat] for seat in pots[-1][1]]
    if len(pots) == 2:
        moved = min(last) - short
        yield (
            [(pots[0][0] + moved, everybody), (pots[1][0] - moved, pots[1][1])],
            "Only what matches the All-in of each goes into the Main Pot.",
        )
    else:
        merged = [*pots[:-2], (pots[-2][0] + pots[-1][0], pots[-2][1])]
        yield merged, "Each All-in makes a pot of its own: the last two are not one."
    swapped = [(pots[1][0], pots[0][1]), (pots[0][0], pots[1][1]), *pots[2:]]
    yield swapped, "The amounts of the Main Pot and the first Side Pot are changed round."
