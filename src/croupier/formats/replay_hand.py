"""A hand on record to be seen again in the replayer: the same record as of a round of the House.

The table that checks the hand is watched while it does. Where the book does not let the hand be
played on, the record ends there, and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.formats.hand import Hand
from croupier.formats.outcome import Outcome
from croupier.formats.replay import BOOK, Replayer
from croupier.formats.script import WHEN, script_of
from croupier.formats.staging import ReplayTable, Stage
from croupier.formats.story import title_of
from croupier.pit.replay import EVERYTHING, Recorder, Replay
from croupier.poker import PokerTable
from croupier.rulebooks import Rulebook, load
from croupier.table import Command, Order, Refused


class WatchedTable(ReplayTable):
    """A table that lets somebody look before and after every order."""

    watching: Watching

    def give(self, order: Order[Any]) -> None:
        self.watching.before(self)
        super().give(order)
        self.watching.after(self)

    def decider(self, kind: type[Command]) -> Callable[[PokerTable, Any], None]:
        decide = super().decider(kind)

        def watched(table: PokerTable, order: Order[Any]) -> None:
            self.watching.before(self)
            decide(table, order)
            self.watching.after(self)

        return watched


class Watching:
    """Records a hand while a table plays it."""

    def __init__(self, hand: Hand) -> None:
        self._names = {place: p.name or f"Seat {p.seat}" for place, p in enumerate(hand.players, 1)}
        self.recorder: Recorder | None = None
        self._seen = 0

    def before(self, table: WatchedTable) -> None:
        """An order is about to be given; before the first of a hand everybody sits there."""
        self._seen = len(table.happened)
        if self.recorder is None:
            self.recorder = Recorder(table, EVERYTHING, names=self._names)

    def after(self, table: WatchedTable) -> None:
        """It was carried out."""
        assert self.recorder is not None
        self.recorder.step([(event, "") for event in table.happened[self._seen :]])


class WatchedStage(Stage):
    """Tables that are watched; a hand that is played anew is recorded anew."""

    table_type = WatchedTable

    def __init__(
        self, book: Rulebook, policies: dict[str, str], chip: int, watching: Watching
    ) -> None:
        super().__init__(book, policies, chip)
        self.watching = watching
        watching.recorder = None

    def with_chip(self, chip: int) -> WatchedStage:
        return WatchedStage(self.book, self.policies, chip, self.watching)

    def table(self, small: int, big: int, straddle: bool = False) -> ReplayTable | Refused:
        table = super().table(small, big, straddle)
        if isinstance(table, WatchedTable):
            table.watching = self.watching
        return table


def replay_hand(hand: Hand, rulebook: str = BOOK) -> Replay:
    """A hand as it is on record, step by step, under a book. Raises NotPlayed where the book does
    not let it begin, and FormatError where no hold'em hand can be as it is written."""
    replayer = Replayer(rulebook, courses=0)
    watching = Watching(hand)
    replayer.stage = WatchedStage(load(rulebook), {}, 1, watching)
    _, outcome = replayer.play(script_of(hand))
    recorder = watching.recorder
    if recorder is None:
        raise NotPlayed(_said(outcome))
    if outcome.verdict == "refused":
        recorder.step([], refused=Refused(outcome.cites, outcome.says))
    return recorder.replay(
        "hand", title_of(hand), WHEN, place=hand.table or "", round=0, about=_said(outcome)
    )


class NotPlayed(ValueError):
    """The book does not let the hand begin; says why."""


def _said(outcome: Outcome) -> str:
    """What came of the check, in a sentence."""
    where = f" at {outcome.place}" if outcome.place else ""
    match outcome.verdict:
        case "agrees":
            return "Played again by the book, the hand comes out as it is on record."
        case "legal":
            return "The book allows every action; the record states no result to compare."
        case "refused":
            return f"The book does not allow it{where}: {outcome.says}"
        case "differs":
            return f"Played again by the book, it comes out otherwise{where}: {outcome.says}"
        case _:
            return f"It was not compared{where}: {outcome.says}"
