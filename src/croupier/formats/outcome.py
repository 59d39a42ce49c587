"""What came of a replay, and how what the record says is compared with what the table says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from croupier.formats.staging import ReplayTable
from croupier.poker.events import UncalledReturned
from croupier.poker.pots import UNCALLED_RAISE_IS_CHARGED
from croupier.poker.state import RoundState
from croupier.table.money import write_money

Verdict = Literal["agrees", "legal", "differs", "refused", "skipped", "unreadable"]

ANTES = "antes"
NEGATIVE = "negative posts"
VOID = "void"
INCOMPLETE = "incomplete showdown"
REASONS = (ANTES, NEGATIVE, VOID, INCOMPLETE)
"""The only reasons for which a hand is not replayed."""


ENDS_EARLY = "actions are missing at its end"
MORE_PAID = "it pays more than it says was put in"
CONTRADICTION = "its finishing stacks and its winnings contradict each other"
LESS_PAID = "it pays less than it says was put in, by more than any rake"
NEITHER = "it pays neither the pot nor the pot with the bet that went back"


class Outcome(Struct, frozen=True):
    """The verdict on one hand."""

    verdict: Verdict
    says: str = ""
    """The first difference, the refusal, the reason, or what is wrong with the text."""
    place: str = ""
    """Where in the hand."""
    cites: tuple[str, ...] = ()
    """The paragraphs of a refusal."""
    rake: int = 0
    """What the record paid less than the pots held."""
    saw_flop: bool = False
    cause: str = ""
    """Where the record differs and contradicts itself as well: how."""


AGREES = Outcome("agrees")
LEGAL = Outcome("legal", "every action is allowed; the record states no result to compare")
AGREES_AFTER_FLOP = Outcome("agrees", saw_flop=True)
SKIPPED = {reason: Outcome("skipped", reason) for reason in REASONS}


class Tolerance(Struct, frozen=True):
    """How much of a pot a room may have kept.

    Records of rooms rarely state their rake: it is what the pots held and nobody got.
    """

    percent: int = 10
    """The most of what a player won."""
    chip: int = 1
    """A pot that is shared may be shared otherwise by one chip for each who shares it."""
    rake: int | None = None
    """What the room has kept, where the record says so; then it must be that."""


class Settled(Struct, frozen=True, kw_only=True):
    """How a table has settled a round."""

    payouts: dict[int, int]
    """What each has taken out of the pots."""
    uncalled: dict[int, int]
    """What has gone back to each uncalled."""
    stayed: dict[int, int] = {}
    """What nobody called and stays in the pot for the charge (v5 4.3): most records have it go back
    first."""
    saw_flop: bool


def settled_by(table: ReplayTable) -> Settled:
    """How this table has settled the round that it has just played."""
    round_ = table.state.round
    assert round_ is not None
    uncalled: dict[int, int] = {}
    for event in table.happened:
        if type(event) is UncalledReturned:
            uncalled[event.seat] = uncalled.get(event.seat, 0) + event.amount
    charged = round_.won_by_folds and table.by_book[UNCALLED_RAISE_IS_CHARGED](table)
    return Settled(
        payouts=round_.payouts,
        uncalled=uncalled,
        stayed=_stayed(round_) if charged else {},
        saw_flop=bool(round_.flop),
    )


def _stayed(round_: RoundState) -> dict[int, int]:
    """What the only one left has put in more than anybody else, and has not got back."""
    put = {seat: each.total - each.posted_dead for seat, each in round_.players.items()}
    [winner] = [seat for seat, each in round_.players.items() if each.active]
    over = put.pop(winner) - max(put.values())
    return {winner: over} if over > 0 else {}


class Stated(Protocol):
    """What a record says came out, in cents."""

    @property
    def finishing(self) -> Sequence[int | None] | None: ...
    @property
    def winnings(self) -> Sequence[int | None] | None: ...


def compare(stated: Stated, ends: list[int], settled: Settled, tolerance: Tolerance) -> Outcome:
    """Compare finishing stacks and winnings on record with what the table has paid."""
    payouts = settled.payouts
    rake = -1
    finishing, winnings = stated.finishing, stated.winnings
    if finishing is not None:
        rake = 0 if finishing == ends else _kept(ends, finishing, payouts, tolerance)
        if rake < 0:
            return _differs("finishing stacks", ends, finishing, payouts, tolerance)
    if winnings is not None and any(winnings):
        won = [0] * len(ends)
        for seat, amount in payouts.items():
            won[seat - 1] = amount
        kept = 0 if won == winnings else _kept(won, winnings, payouts, tolerance)
        if kept < 0 and settled.uncalled:
            # Some rooms count an uncalled bet that went back among the winnings.
            wider = won.copy()
            for seat, amount in settled.uncalled.items():
                wider[seat - 1] += amount
            kept = 0 if wider == winnings else _kept(wider, winnings, payouts, tolerance)
        if settled.stayed and kept != tolerance.rake:
            less = [amount - settled.stayed.get(seat, 0) for seat, amount in enumerate(won, 1)]
            other = 0 if less == winnings else _kept(less, winnings, payouts, tolerance)
            if other >= 0 and tolerance.rake in (None, other):
                kept = other
        if kept < 0:
            return _differs("winnings", won, winnings, payouts, tolerance)
        if rake < 0:
            rake = kept
        elif rake != kept:
            return Outcome(
                "differs",
                f"the finishing stacks leave a rake of {write_money(rake)}, "
                f"the winnings one of {write_money(kept)}",
            )
    if tolerance.rake is not None and rake != tolerance.rake:
        says = f"the record keeps {write_money(rake)}, and says {write_money(tolerance.rake)}"
        return Outcome("differs", f"rake: {says}")
    if rake <= 0:
        return AGREES_AFTER_FLOP if settled.saw_flop else AGREES
    return Outcome("agrees", rake=rake, saw_flop=settled.saw_flop)


def _kept(
    ours: list[int], theirs: Sequence[int | None], payouts: dict[int, int], tolerance: Tolerance
) -> int:
    """What the record leaves out for a rake; -1 if no rake explains what it says."""
    slack = tolerance.chip * (len(payouts) - 1)
    total = 0
    seat = 0
    for our, their in zip(ours, theirs, strict=True):
        seat += 1
        if our == their or their is None:
            continue
        missing = our - their
        won = payouts.get(seat, 0)
        if not won or missing < -slack:
            return -1
        if missing * 100 > won * tolerance.percent + slack * 100 and tolerance.rake is None:
            return -1
        total += missing
    return total if total >= 0 else -1


def _differs(
    what: str,
    ours: list[int],
    theirs: Sequence[int | None],
    payouts: dict[int, int],
    tolerance: Tolerance,
) -> Outcome:
    """The first difference that no rake explains, in words."""
    for seat, (our, their) in enumerate(zip(ours, theirs, strict=True), 1):
        if their is None or _kept([our], [their], {1: payouts.get(seat, 0)}, tolerance) >= 0:
            continue
        says = f"player {seat} has {write_money(our)} by the book, {write_money(their)} on record"
        return Outcome("differs", f"{what}: {says}")
    paid = sum(their or 0 for their in theirs) - sum(ours)
    return Outcome("differs", f"{what}: {write_money(paid)} more on record than by the book")


def cause_of(
    stated: Stated, stacks: Sequence[int], put: Sequence[int], settled: Settled, percent: int
) -> str:
    """What is wrong with a record by its own figures; nothing where they add up.

    `put` is what each has put in and not got back uncalled.
    """
    pot = sum(put)
    rake = pot * percent // 100
    finishing, winnings = stated.finishing, stated.winnings
    if winnings is not None and any(winnings):
        paid = sum(won or 0 for won in winnings)
        back = sum(settled.uncalled.values())
        if paid > pot + back:
            return MORE_PAID
        # Where somebody's winnings are just what he got back, they are counted with it.
        wider = any(winnings[seat - 1] == amount for seat, amount in settled.uncalled.items())
        if pot < paid < pot + back - rake:
            return NEITHER
        if paid < pot + back * wider - rake:
            return LESS_PAID
    if finishing is None or None in finishing:
        return ""
    gone = sum(stacks) - sum(end or 0 for end in finishing)
    if gone < 0:
        return MORE_PAID
    if gone > rake:
        return LESS_PAID
    if winnings is None:
        return ""
    # An uncalled bet that went back is part of the winnings in some rooms, in others not.
    ends = [
        stack - spent + (won or 0) for stack, spent, won in zip(stacks, put, winnings, strict=True)
    ]
    if list(finishing) == ends:
        return ""
    for seat, back in settled.uncalled.items():
        ends[seat - 1] -= back
    return "" if list(finishing) == ends else CONTRADICTION
