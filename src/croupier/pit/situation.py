"""A table in the middle of things, reached as a table reaches it: by orders that it accepts.

Whoever describes a situation (a case file, a supervisor who asks for a ruling) says what lies on
the table and who did what. A `Stage` gives the orders that lead there; a description to which no
orders lead is a `Contradiction`, which says what contradicts what. Nothing is put into a table's
state by hand, so its log, its citations and its memory are those of a table that was played.

    reached = reach(game, book, setup)      # the table as described, and the orders that led there
    reached.table.handle(…)                 # ask it what comes next
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

from msgspec import Struct

from croupier.cards import CardError
from croupier.pit.game import Game, Stage
from croupier.rulebooks import Rulebook
from croupier.table import (
    ActorRank,
    Command,
    Conversation,
    Decide,
    DecisionNeeded,
    DrawNeeded,
    Event,
    GiveDraw,
    GiveShuffle,
    Order,
    Refused,
    ShuffleNeeded,
    TableError,
)

ORDERS_AT_MOST = 10_000
"""A limit on everything: a situation that takes more orders than this is no situation."""

_SINGAPORE = timezone(timedelta(hours=8))
_SOME_EVENING = datetime(2024, 8, 1, 20, tzinfo=_SINGAPORE)


class Contradiction(Exception):
    """A description of a table that no table could have reached; `path` is what is wrong in it."""

    def __init__(self, path: str, says: str) -> None:
        super().__init__(f"{path}: {says}" if path else says)
        self.path = path
        self.says = says


class Reached(Struct, kw_only=True):
    """A table as it was described, and the orders that led there with what each caused."""

    table: Any
    stage: Stage[Any]
    log: list[tuple[Order[Any], tuple[Event, ...]]]


def usual_time(book: Rulebook) -> datetime:
    """When things happen, where nobody says: the day after the book came into force."""
    return book.effective + timedelta(days=1) if book.effective else _SOME_EVENING


def reach(
    game: Game,
    book: Rulebook,
    setup: Any,
    *,
    name: str = "table",
    policies: dict[str, str] | None = None,
    when: datetime | None = None,
) -> Reached:
    """The table of a description, with no case file; a `Contradiction` if there can be none."""
    table = game.table_type(book)
    stage = game.stage_type(table, name, setup, seed=name)
    log = list(give_all(stage, stage.opening(policies or {}), when or usual_time(book)))
    return Reached(table=table, stage=stage, log=log)


def give_all(
    stage: Stage[Any], commands: Iterable[Command], when: datetime
) -> Iterator[tuple[Order[Any], tuple[Event, ...]]]:
    """Give commands to a stage's table one by one, and answer what it asks of chance."""
    given = 0
    for command in commands:
        rank: ActorRank | None = None
        now: Command | None = command
        while now is not None:
            given += 1
            if given > ORDERS_AT_MOST:
                raise Contradiction("", "there is no end to what would have to happen before")
            order = _order(stage.table, now, when + timedelta(milliseconds=10 * given), rank)
            yield order, _accepted(stage, order)
            now, rank = _chance(stage), ActorRank.HOUSE


def _chance(stage: Stage[Any]) -> Command | None:
    try:
        return chance(stage)
    except CardError as error:
        raise Contradiction("", str(error)) from error


def _accepted(stage: Stage[Any], order: Order[Any]) -> tuple[Event, ...]:
    try:
        answer = stage.table.handle(order)
    except (TableError, CardError) as error:
        raise Contradiction("", f"{order.command.tell()}: {error}") from error
    if isinstance(answer, Refused):
        raise Contradiction("", f"{order.command.tell()} is refused: {answer}")
    return answer


def chance(stage: Stage[Any], by_hand: str = "") -> Command | None:
    """The answer to what a table asks of chance, unless it is about to be given by hand."""
    for need in stage.table.state.waiting:
        if isinstance(need, ShuffleNeeded):
            stage.asked(need)
            if by_hand != "give shuffle":
                return GiveShuffle(need=need.need, cards=stage.shuffle(need))
        if isinstance(need, DrawNeeded) and by_hand != "give draw":
            return GiveDraw(need=need.need, picks=stage.draw(need))
    return None


_STAFF = {rank: f"the {rank.value}" for rank in ActorRank}


def speaker(here: Conversation[Any], command: Command) -> tuple[str, ActorRank]:
    """Who says a thing where nobody says who: the player of the seat, else the staff."""
    rank = command.usually_by
    if type(command) in here.entered_by_dealer:
        rank = ActorRank.DEALER
    if isinstance(command, Decide):
        of = _asked(here, command)
        rank = of if isinstance(of, ActorRank) else ActorRank.PLAYER if of else rank
    if rank is not ActorRank.PLAYER:
        return _STAFF[rank], rank
    return player_of(here, command), rank


def player_of(here: Conversation[Any], command: Command) -> str:
    """The player whom a command is about."""
    seat = getattr(command, "seat", None) or getattr(command, "box", None)
    if isinstance(command, Decide):
        seat = _asked(here, command)
    named = getattr(command, "player", None)
    found = here.player_at(seat) if isinstance(seat, int) else None
    return named or found or f"somebody at {seat}"


def _asked(here: Conversation[Any], command: Decide) -> int | ActorRank | None:
    """Whom a decision is for that is answered."""
    for need in here.state.waiting:
        if isinstance(need, DecisionNeeded) and need.decision == command.decision:
            return need.of
    return None


def _order(
    table: Conversation[Any], command: Command, when: datetime, rank: ActorRank | None
) -> Order[Command]:
    who, usual = speaker(table, command)
    if rank is ActorRank.HOUSE:
        who = "house"
    return Order(command=command, who=who, rank=rank or usual, when=when)
