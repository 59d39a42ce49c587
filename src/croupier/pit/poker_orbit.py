"""How a poker table comes into the middle of an Orbit: missed Blinds, newcomers, who waits.

Rounds of play are played before the described one, in which everybody folds to the Big Blind. Who
is said to have missed a Blind leaves his seat before it would be his and is away from then on.
Which seat had the first button, and how many Rounds it takes, is found by trying on a table of its
own; the table of the case is then given the orders that were found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from croupier.pit.situation import Contradiction, give_all, usual_time
from croupier.poker.button import FIRST_BUTTON, at_the_dealers_left
from croupier.poker.commands import (
    CallForBlinds,
    DeclineStraddle,
    Fold,
    Relocate,
    ReturnToSeat,
    Sit,
    SitOut,
)
from croupier.poker.positions import Plan
from croupier.table import Command, Decide, DecisionNeeded

if TYPE_CHECKING:
    from croupier.pit.poker import PokerStage

Missed = Literal["small", "big", "both"]
Joins = Literal["new", "relocated"]

LAPS_AT_MOST = 3
"""How often the button goes round while a way is looked for."""


class Before(Struct, frozen=True, kw_only=True):
    """What was played before the described Round of play."""

    first_button: int | None
    rounds: int = 0
    gains: dict[int, int] = {}
    """What each seat has won or lost in it."""


def is_mid_orbit(stage: PokerStage) -> bool:
    """Whether anything of the set-up needs Rounds of play, or people coming, before it."""
    table = stage.setup.table
    return table.orbit is not None or somebody_comes(stage) or _button_has_moved(stage)


def somebody_comes(stage: PokerStage) -> bool:
    """Whether somebody has missed a Blind or joins, so that the next call is what matters."""
    return any(seat.missed or seat.joins or seat.waits for seat in stage.setup.seats.values())


def _button_has_moved(stage: PokerStage) -> bool:
    """Whether the button is where no game begins: the first one is at the dealer's left (v5)."""
    button, seats = stage.setup.table.button, stage.setup.seats
    if button is None or not seats:
        return False
    if stage.table.by_book[FIRST_BUTTON] is not at_the_dealers_left:
        return False
    return button in seats and button != min(seats)


def find(stage: PokerStage) -> Before:
    """Where the game must have begun, and how many Rounds of play it took."""
    setup = stage.setup
    if setup.table.button is None:
        raise Contradiction("table", "say who has the button, for there was a game before this")
    sitting = [n for n, seat in sorted(setup.seats.items()) if not joined(seat)]
    if len(sitting) < 2:
        raise Contradiction("seats", "at least two players must have been there before others came")
    for first in [n for n in sitting if n == setup.table.button] + sitting:
        found = _tried(stage, first, LAPS_AT_MOST * len(sitting))
        if found is not None:
            return found
    missed = {n: seat.missed for n, seat in setup.seats.items() if seat.missed}
    told = ", ".join(f"seat {n} {blind}" for n, blind in missed.items()) or "nobody any"
    orbit = f", in Orbit {setup.table.orbit}" if setup.table.orbit is not None else ""
    raise Contradiction(
        "seats",
        "no game of these players leads there: the button at seat "
        f"{setup.table.button}{orbit}, Blinds missed by {told}",
    )


def _tried(stage: PokerStage, first: int, rounds: int) -> Before | None:
    """Play from a first button on until the table stands as described, if it ever does."""
    again = stage.rehearsal(first)
    when = usual_time(again.table.book)
    brought = dict(again.brought)
    try:
        _give(again, again.seated_with_a_button(), when)
        for played in range(rounds + 1):
            if _is_there(again):
                seats = again.table.state.seats
                gains = {n: seat.stake - brought[n] for n, seat in seats.items()}
                return Before(first_button=first, rounds=played, gains=gains)
            _give(again, one_round(again), when)
    except Contradiction:
        return None  # from here it does not go on
    return None


def _give(stage: PokerStage, commands: Iterator[Command], when: object) -> None:
    for _ in give_all(stage, commands, when):  # type: ignore[arg-type]
        pass


def _is_there(stage: PokerStage) -> bool:
    setup, state = stage.setup, stage.table.state
    if state.button != setup.table.button:
        return False
    if setup.table.orbit is not None and max(state.orbit, 1) != setup.table.orbit:
        return False
    for number, seat in state.seats.items():
        wanted = setup.seats[number].missed
        if seat.missed_small != (wanted in ("small", "both")):
            return False
        if seat.missed_big != (wanted in ("big", "both")):
            return False
    return True


def one_round(stage: PokerStage) -> Iterator[Command]:
    """A Round of play in which everybody folds to the Big Blind."""
    table = stage.table
    yield from _leaving(stage)
    yield CallForBlinds()
    if table.is_held():
        raise Contradiction("seats", "the table would ask something first")
    yield from stage.until(lambda: table.state.phase not in ("blinds",))
    yield from no_straddle(stage)
    yield from stage.until(lambda: table.state.phase not in ("dealing",))
    while (seat := table.turn()) is not None and table.state.phase == "betting":
        yield Fold(seat=seat)
    yield from stage.until(lambda: table.state.phase == "ready")


def no_straddle(stage: PokerStage) -> Iterator[Command]:
    """Nobody straddles."""
    table = stage.table
    while table.may_straddle():
        asked = [n for n in table.taken_seats() if any(o.do == "straddle" for o in table.offers(n))]
        if not asked:
            return
        yield DeclineStraddle(seat=asked[0])


def _leaving(stage: PokerStage) -> Iterator[Command]:
    """Who is to miss a Blind that would be his now leaves his seat."""
    table, seats = stage.table, stage.setup.seats
    for _ in seats:
        plan = table.plan()
        if not isinstance(plan, Plan):
            return
        wants = [(plan.big_blind, ("big", "both")), (plan.small_blind, ("small",))]
        due = [n for n, blinds in wants if n is not None and seats[n].missed in blinds]
        if not due:
            return
        yield SitOut(seat=due[0])


def played_before(stage: PokerStage, before: Before) -> Iterator[Command]:
    """The Rounds of play that were found; then who is back is back, and who joins sits down."""
    for _ in range(before.rounds):
        yield from one_round(stage)
    for number, seat in sorted(stage.setup.seats.items()):
        if seat.missed and not seat.absent:
            yield ReturnToSeat(seat=number)
        elif joined(seat) and seat.joins == "relocated":
            yield Relocate(seat=number, player=seat.player, stake=stage.brought[number])
        elif joined(seat):
            yield Sit(seat=number, player=seat.player, stake=stage.brought[number])


def told_to_wait(stage: PokerStage) -> Iterator[Command]:
    """After the call: who is said to wait chooses to, and must then be waiting."""
    table, seats = stage.table, stage.setup.seats
    wanted = [n for n, seat in sorted(seats.items()) if seat.waits]
    for need in list(table.state.waiting):
        if isinstance(need, DecisionNeeded) and need.of in wanted:
            yield Decide(decision=need.decision, option="wait")
    waiting = table.facts().waiting
    for number in wanted:
        if number not in waiting:
            where = (
                "the button is not before this seat" if table.playing() else "no Blinds are called"
            )
            raise Contradiction(
                f"seats.{number}.waits", f"seat {number} is not told to wait: {where}"
            )


def joined(seat: object) -> bool:
    """Whether he sat down after the game had begun."""
    joins, waits = getattr(seat, "joins", None), getattr(seat, "waits", False)
    return bool(joins) or (waits and not getattr(seat, "missed", None))
