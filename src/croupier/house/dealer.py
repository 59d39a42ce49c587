"""The House as dealer: at an automatic table it gives the dealer's acts, and chance everywhere.

Every shuffle goes into the shuffle book of its table with it: the House is bound to each card
before any of them leaves the shoe (`croupier.house.commitment`).

Kinds of acts, so that whoever paces a table can pace each as it should be:

* chance: the shuffle or the draw that a table waits for. Nothing goes on before it.
* what a player is owed who has left: it is paid to his account.
* what is due: the dealer's next act where that needs no judgement (`Table.due`).
* a call: the opening of a game, the call for Blinds or bets, the closing call. When it comes is
  not the rulebook's to say but the House's, so nobody gives it but by `call`.

At a table that is dealt by hand the House still shuffles a virtual shoe; it deals nothing, and it
picks cards only in the name of somebody who may (`pick`).
"""

from __future__ import annotations

import uuid
from concurrent.futures import Future
from typing import Any

from msgspec import Struct

from croupier.house.answers import Answer
from croupier.house.commitment import SEED_BYTES, Commitment, commit
from croupier.house.errors import HouseError, UnknownPlace
from croupier.house.house import House
from croupier.house.office.office import OFFICE, Office
from croupier.house.records import Opening
from croupier.house.shuffle_book import ShuffleBook, book_of, commit_to
from croupier.house.shuffling import SYSTEM, Shuffler, Source
from croupier.pit.registry import GAMES
from croupier.table import (
    ActorRank,
    Command,
    DrawNeeded,
    GiveDraw,
    GiveShuffle,
    ShuffleNeeded,
    Table,
)

DEALS_AT_MOST = 1_000
"""Acts at one table in a row at most: one that asks for more is broken, and would never end."""

WHO = "house"
"""In whose name the House's own acts stand in the log."""


class OutOfStep(HouseError):
    """A table refuses what it says is due, or is never done: the table and its dealer disagree."""


class _Drawn(Struct, frozen=True, kw_only=True):
    """An outcome that was drawn for a table and waits to be stored."""

    need: ShuffleNeeded | DrawNeeded
    answer: GiveShuffle | GiveDraw
    seed: bytes = b""
    """Of a shuffle: what its salts are made of."""
    bound: Commitment | None = None


class Dealer:
    """Gives what the House gives at tables; safe to use from several threads."""

    def __init__(self, house: House, source: Source = SYSTEM) -> None:
        self.house = house
        self.shuffler = Shuffler(source)
        self._drawn: dict[str, _Drawn] = {}

    # -- what comes next ---------------------------------------------------------------------

    def next_act(self, place: str) -> Command | None:
        """What the House gives next at a table: chance that it waits for, else what is due."""
        with self.house.lock:
            table = self._table(place)
            return self._chance(place, table) or self._owed(table) or self._due(table)

    def next_call(self, place: str) -> Command | None:
        """The call that the House may make now, if it thinks that it is time."""
        with self.house.lock:
            table = self._table(place)
            if not is_automatic(table) or _is_held(table) or self._due(table) is not None:
                return None
            return table.next_call()

    def _table(self, place: str) -> Table[Any]:
        self.house.reread_stale()
        table = self.house.pit.tables.get(place)
        if table is None:
            raise UnknownPlace(f"there is no table {place!r} to be dealt at")
        return table

    def _chance(self, place: str, table: Table[Any]) -> GiveShuffle | GiveDraw | None:
        for need in table.state.waiting:
            match need:
                case ShuffleNeeded():
                    return self._outcome(place, need).answer
                case DrawNeeded() if is_automatic(table):
                    return self._outcome(place, need).answer
                case _:
                    continue
        return None

    def _due(self, table: Table[Any]) -> Command | None:
        return table.due() if is_automatic(table) else None

    def _owed(self, table: Table[Any]) -> Command | None:
        """What fell due to a player after he had left goes to his account, where he has one."""
        owed = GAMES.port_of(table).owed(table, self._has_account)
        return None if owed is None or _is_held(table) else owed

    def _has_account(self, player: str) -> bool:
        office = self.house.pit.links.get(OFFICE)
        return isinstance(office, Office) and player in office.state.people

    def _outcome(self, place: str, need: ShuffleNeeded | DrawNeeded) -> _Drawn:
        """The outcome for a need: drawn once, and the same until it is stored.

        An answer that could not be stored (a full disk, a lost connection) is given again when the
        table asks again: chance is asked once for each need, and no outcome is discarded.
        """
        kept = self._drawn.get(place)
        if kept is None or kept.need != need:
            kept = self._drawn[place] = self._draw(need)
        return kept

    def _draw(self, need: ShuffleNeeded | DrawNeeded) -> _Drawn:
        if isinstance(need, DrawNeeded):
            picks = self.shuffler.draw(need.pick, need.among)
            return _Drawn(need=need, answer=GiveDraw(need=need.need, picks=picks))
        cards = self.shuffler.shuffle(need.cards)
        seed = self.shuffler.source.take(SEED_BYTES)
        answer = GiveShuffle(need=need.need, cards=cards)
        return _Drawn(need=need, answer=answer, seed=seed, bound=commit(cards, seed))

    # -- giving it ---------------------------------------------------------------------------

    def act(self, place: str) -> Future[Answer] | None:
        """Give one act that is due; None if the table waits for somebody else."""
        with self.house.lock:
            command = self.next_act(place)
            return None if command is None else self._give(place, command)

    def call(self, place: str) -> Future[Answer] | None:
        """Make the call that may be made now; None if there is none.

        A call may be refused, as when there are too few players: the answer says so.
        """
        with self.house.lock:
            command = self.next_call(place)
            return None if command is None else self._given(place, command)

    def deal(self, place: str) -> list[Future[Answer]]:
        """Give what is due until nothing is; each future is done when its act is durable."""
        given: list[Future[Answer]] = []
        while (promise := self.act(place)) is not None:
            given.append(promise)
            if len(given) > DEALS_AT_MOST:
                raise OutOfStep(f"{place} is dealt without end: {given[-1].result().said}")
        return given

    def pick(self, place: str, *, who: str, rank: ActorRank) -> Future[Answer] | None:
        """Make the random pick that a table waits for in the name of whoever asked for it.

        A pit manager who picks a card at random picks it by the House's own source, and the log
        says who had it picked (v8 5.10, 5.12).
        """
        with self.house.lock:
            for need in self._table(place).state.waiting:
                if isinstance(need, DrawNeeded):
                    command = self._outcome(place, need).answer
                    return self._given(place, command, who=who, rank=rank)
        return None

    def _give(self, place: str, command: Command) -> Future[Answer]:
        promise = self._given(place, command)
        if promise.done() and promise.exception() is None:
            refused = promise.result().refused
            if refused is not None:
                raise OutOfStep(f"{place} refuses {command.tell()}, which is due: {refused}")
        return promise

    def _given(
        self,
        place: str,
        command: Command,
        *,
        who: str = WHO,
        rank: ActorRank = ActorRank.HOUSE,
    ) -> Future[Answer]:
        drawn = self._drawn.get(place)
        if drawn is None or drawn.answer is not command:
            return self.house.give(place, command, who=who, rank=rank)
        promise = self._give_outcome(place, drawn, who, rank)
        promise.add_done_callback(lambda done: self._used(place, drawn, done))
        return promise

    def _give_outcome(self, place: str, drawn: _Drawn, who: str, rank: ActorRank) -> Future[Answer]:
        """Give a draw; or give a shuffle, and with it what binds the House to its cards."""
        if drawn.bound is None:
            return self.house.give(place, drawn.answer, who=who, rank=rank)
        shuffle = uuid.uuid4().hex
        need = drawn.need
        bound = commit_to(shuffle, place, need.need, need.purpose, drawn.bound)
        return self.house.give(
            place,
            drawn.answer,
            who=who,
            rank=rank,
            command_id=shuffle,
            new_id=True,
            also=[(self._book(place), bound)],
            openings=[Opening(shuffle=shuffle, stream=place, seed=drawn.seed)],
        )

    def _used(self, place: str, drawn: _Drawn, done: Future[Answer]) -> None:
        """An outcome that is stored is forgotten: nobody ever gets it twice."""
        if done.exception() is None and done.result().refused is None:
            with self.house.lock:
                if self._drawn.get(place) is drawn:
                    del self._drawn[place]

    def _book(self, place: str) -> str:
        """The shuffle book of a table, opened with its first shuffle in this process."""
        book = book_of(place)
        if book not in self.house.pit.links:
            self.house.add_link(book, ShuffleBook)
        return book


def is_automatic(table: Table[Any]) -> bool:
    """Whether the House deals at this table, and not a person."""
    return table.state.opened and GAMES.port_of(table).deals_itself(table)


def _is_held(table: Table[Any]) -> bool:
    """Whether the table waits for chance, or for a decision before anything else."""
    return any(getattr(need, "holds", True) for need in table.state.waiting)
