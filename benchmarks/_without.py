"""Each speed trick can be left out: what stands in its place, by the trick's name.

    python -m benchmarks._without TRICK serve …      any croupier command without that trick

Nothing here is part of croupier: a switch puts the plain way where the trick is, for a measurement.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

import croupier.formats.check
import croupier.formats.replay
import croupier.house.house
import croupier.house.known_ids
import croupier.house.storage_process
import croupier.house.world
import croupier.house.writer
import croupier.live.casino
import croupier.live.cluster.handover
import croupier.live.house_acts
import croupier.live.sending
import croupier.live.server
import croupier.pit.ports.poker
import croupier.poker.positions
from croupier.banked import BankedTable
from croupier.banked.state import BETS
from croupier.house.records import Bundle
from croupier.poker import PokerTable
from croupier.poker.view import view_of
from croupier.table import PUBLIC, Viewer
from croupier.table.views import told_apart

Patch = tuple[Any, str, Any]
"""Where, which name, and what stands there instead."""


# -- the plain ways -------------------------------------------------------------------------------


def poker_check(self: PokerTable) -> None:
    """The check of a poker table, its chips summed and not written out."""
    state, played = self.state, self.state.round
    assert all(seat.stake >= 0 for seat in state.seats.values())
    chips = state.house + sum(seat.stake for seat in state.seats.values())
    if played is not None and played.open:
        chips += sum(player.bet + player.dead for player in played.players.values())
        chips += sum(pot.amount for pot in played.pots) - played.paid
    assert chips == state.brought
    if self.cards_moved:
        self.check_cards()


def banked_check(self: BankedTable) -> None:
    """The check of a banked table, its chips summed and not written out."""
    state = self.state
    stakes = [getattr(box, bet) for box in state.boxes.values() for bet in BETS]
    assert all(stake >= 0 for stake in stakes)
    kept = sum(state.safekeeping.values())
    mine = sum(state.net.values()) + state.gone + sum(stakes) + state.house - state.from_meter
    assert mine + kept == 0
    if state.shoe is not None:
        held = sum(len(box.cards) for box in state.boxes.values())
        held += len(state.board) + len(state.dealer) + len(state.thrown)
        held += sum(map(len, state.stray.values()))
        assert len(state.shoe.drawn) == held
        assert len(state.shoe.burnt) == len(state.burns)


class Replayer(croupier.formats.replay.Replayer):
    """Plays every hand, also one whose course it has played before."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs, courses=0)


def put(self: Any, act: Callable[[], None]) -> None:
    """Act at once, whoever waits."""
    act()


def settle(self: Any) -> None:
    """Leave it to the writer's thread."""
    self._wake()


STORE_GROUP = croupier.house.writer.Writer._store_group


def stored_elsewhere(self: Any, bundles: list[Bundle], *, here: bool = False) -> Any:
    """What is alone goes to the other process as well."""
    return STORE_GROUP(self, bundles)


def told_first(self: Any) -> bool:
    """The last group is told before the next one is stored."""
    return False


def as_if_nothing_were_enough(self: Any) -> None:
    """Leave what has gathered until the group that is being stored is done."""
    self._enough = croupier.house.writer.NEVER


async def as_python_does(stored: Callable[[], int]) -> None:
    """Leave the collector to itself."""


IN_ONE_PROCESS: Patch = (croupier.live.server, "stores_apart", lambda config: False)

SWITCHES: dict[str, list[Patch]] = {
    "chip sums written out, poker": [(PokerTable, "check", poker_check)],
    "chip sums written out, banked": [(BankedTable, "check", banked_check)],
    "the Blinds of a plain round planned in one step": [
        (croupier.poker.positions, "_plain", lambda *_: None)
    ],
    "quick hand reader": [(croupier.formats.check, "read_quick", lambda *_: None)],
    "courses of hands remembered": [(croupier.formats.check, "Replayer", Replayer)],
    "views of one table made together": [
        (
            croupier.pit.ports.poker,
            "views_of",
            lambda table, names: told_apart(
                view_of(table, PUBLIC), {name: view_of(table, Viewer(who=name)) for name in names}
            ),
        )
    ],
    "a promise of our own": [(croupier.house.world.World, "promise", Future)],
    "whoever waits stores his command himself": [(croupier.house.writer.Writer, "settle", settle)],
    "what is stored alone stored where it is given": [
        (croupier.house.writer.Writer, "_store_group", stored_elsewhere)
    ],
    "the next group before the last is told": [
        (croupier.house.writer.Writer, "_may_follow", told_first)
    ],
    "the next group while one is stored": [
        (croupier.house.writer.Writer, "_send_ahead", as_if_nothing_were_enough)
    ],
    "the loop gives way to the writer": [
        (croupier.house.writer.Writer, "give_way", lambda self, at_most: None),
        (croupier.house.storage_process.StorageProcess, "has_answered", lambda self: False),
    ],
    "a new id known without the database": [
        (croupier.house.known_ids.KnownIds, "is_new", lambda self, command_id: False)
    ],
    "the collector out of the way": [(croupier.live.server, "collect_seldom", as_python_does)],
    "the direct socket past ASGI": [(croupier.live.sending, "DIRECT_SOCKET", None)],
    "storage in a process of its own": [IN_ONE_PROCESS],
    "sockets handed over on one machine": [(croupier.live.cluster.handover, "AVAILABLE", False)],
    "the loop steps aside for the writer": [  # which it does where storage is a thread
        IN_ONE_PROCESS,
        (croupier.live.casino, "STEPS_ASIDE", 0),
    ],
    "acts of the House a few at a time, players first": [
        (croupier.live.house_acts.HouseActs, "put", put)
    ],
}


@contextmanager
def without(trick: str) -> Iterator[None]:
    """Leave a trick out for a while."""
    missing = object()
    before: list[tuple[Any, str, Any]] = []
    try:
        for where, name, instead in SWITCHES[trick]:
            own = vars(where).get(name, missing)
            if own is missing and getattr(where, name, missing) is missing:
                raise AttributeError(f"{trick!r} is not where its switch looks: {where} {name}")
            before.append((where, name, own))
            setattr(where, name, instead)
        yield
    finally:
        for where, name, own in reversed(before):
            if own is missing:
                delattr(where, name)  # it was inherited
            else:
                setattr(where, name, own)


def main() -> None:
    """Run a croupier command without a trick."""
    from croupier.cli.main import main as croupier_main

    trick, *words = sys.argv[1:]
    with without(trick):
        croupier_main(words)


if __name__ == "__main__":
    main()
