"""The House as dealer: at an automatic table it gives the dealer's acts, and chance everywhere.

What is shuffled or drawn is made of the House's secret, to which it bound itself before the first
bet, and the players' seeds (`croupier.house.binding`); so is the cut. The shuffle book of the table
says of what.

Kinds of acts, so that whoever paces a table can pace each as it should be:

* chance: the shuffle or the draw that a table waits for. Nothing goes on before it.
* what a player is owed who has left: it is paid to his account.
* what is due: the dealer's next act where that needs no judgement (`Table.due`).
* a call: the opening of a game, the call for Blinds or bets, the closing call. When it comes is
  not the rulebook's to say but the House's, so nobody gives it but by `call`.

At a table that is dealt by hand the House still shuffles a virtual shoe, and posts the Blinds of
players who act by their own devices; it deals nothing, and it picks cards only in the name of
somebody who may (`pick`). The demonstration has it stand in for a dealer who is not there
(`stands_in`).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from msgspec import structs

from croupier.house.answers import Answer
from croupier.house.binding import Binding, Outcome
from croupier.house.errors import HouseError, UnknownPlace
from croupier.house.house import House
from croupier.house.office.office import OFFICE, Office
from croupier.house.permissions import act_by_device, is_a_players
from croupier.house.relief import Also, relief
from croupier.house.seeds import SeedRefused
from croupier.house.shuffle_book import MixShuffle, book_of
from croupier.house.shuffling import SYSTEM, Shuffler, Source
from croupier.house.software import HOUSE
from croupier.pit.registry import GAMES
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    DrawNeeded,
    GiveDraw,
    GiveShuffle,
    Order,
    ShuffleNeeded,
    Table,
)

DEALS_AT_MOST = 1_000
"""Acts at one table in a row at most: one that asks for more is broken, and would never end."""


class OutOfStep(HouseError):
    """A table refuses what it says is due, or is never done: the table and its dealer disagree."""


class Dealer:
    """Gives what the House gives at tables; safe to use from several threads."""

    def __init__(self, house: House, source: Source = SYSTEM) -> None:
        self.house = house
        self.shuffler = Shuffler(source)
        self.binding = Binding(house, self.shuffler)
        self.stands_in: Callable[[str], bool] = lambda place: False
        """Whether the House deals at a hand-dealt table, for want of a dealer."""
        self.picks: Callable[[str, DrawNeeded], bool] = lambda place, need: False
        """Whether it picks cards there, for want of somebody who may."""

    # -- what comes next ---------------------------------------------------------------------

    def next_act(self, place: str) -> Command | None:
        """What the House gives next at a table: chance that it waits for, else what is due."""
        with self.house.lock:
            table = self._table(place)
            return self._chance(place, table) or self._owed(table) or self._due(place, table)

    def next_call(self, place: str) -> Command | None:
        """The call that the House may make now, if it thinks that it is time."""
        with self.house.lock:
            table = self._table(place)
            deals = is_automatic(table) or self._stands_in(place, table)
            if not deals or _is_held(table) or self._due(place, table) is not None:
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
                    return self.binding.outcome(place, table, need).answer
                case DrawNeeded() if is_automatic(table) or self.picks(place, need):
                    return self.binding.outcome(place, table, need).answer
                case _:
                    continue
        return None

    def _due(self, place: str, table: Table[Any]) -> Command | None:
        due = table.due() if is_automatic(table) else self._due_for_another(place, table)
        if due is not None and isinstance(due, GAMES.port_of(table).cuts):
            return structs.replace(due, cards=self.binding.cut(place))
        return due

    def _stands_in(self, place: str, table: Table[Any]) -> bool:
        return table.state.opened and self.stands_in(place)

    def _due_for_another(self, place: str, table: Table[Any]) -> Command | None:
        """At a hand-dealt table: what players do together where they act by device, such as to post
        the Blinds; and everything for a dealer who is not there. Nothing that the table would
        refuse, as it may after an error that nobody has reported."""
        due = GAMES.port_of(table).next_step(table) if table.state.opened else None
        if due is None:
            return None
        theirs = act_by_device(table) and is_a_players(table, due)
        if not theirs and not self._stands_in(place, table):
            return None
        rank, when = ActorRank.HOUSE, self.house.clock()
        try:
            refused = table.objection(Order(command=due, who=HOUSE, rank=rank, when=when))
        except BadCommand:
            return None
        return due if refused is None else None

    def _owed(self, table: Table[Any]) -> Command | None:
        """What fell due to a player after he had left goes to his account, where he has one."""
        owed = GAMES.port_of(table).owed(table, self._has_account)
        return None if owed is None or _is_held(table) else owed

    def _has_account(self, player: str) -> bool:
        office = self._office()
        return office is not None and player in office.state.people

    def _relief(self, place: str, command: Command, who: str, rank: ActorRank) -> Also:
        """Where the House deals on for a dealer who has gone, the office is told so."""
        office = self._office()
        if office is None:
            return []
        return relief(office.state, place, self._table(place), command, who, rank)

    def _office(self) -> Office | None:
        office = self.house.pit.links.get(OFFICE)
        return office if isinstance(office, Office) else None

    # -- the players' part of a shuffle ------------------------------------------------------

    def offer_seed(self, place: str, player: str, number: int, hash: str) -> None:
        """Take the hash of a player's seed for the next commitment; `SeedRefused` if it is not for
        that one."""
        with self.house.lock:
            self._table(place)
            coming = self.binding.book(place).state.number + 1
            self.binding.seeds.offer(place, player, number, coming, hash)

    def open_seed(self, place: str, player: str, number: int, seed: str) -> None:
        """Take a player's seed, once the table waits for the shuffle; `SeedRefused` if it is not
        the one whose hash stands with the commitment, or it is too early or too late."""
        with self.house.lock:
            table = self._table(place)
            bound = self.binding.book(place).state.bound
            waits = any(isinstance(n, ShuffleNeeded | DrawNeeded) for n in table.state.waiting)
            if bound is not None and bound.number == number and not bound.uses and not waits:
                raise SeedRefused("Seeds are not yet opened: the table does not shuffle now.")
            self.binding.seeds.open(place, player, number, bound, seed)

    def awaited_seeds(self, place: str) -> tuple[str, ...]:
        """Whose seeds the shuffle that a table waits for would be made without."""
        with self.house.lock:
            return self.binding.awaited(place, self._table(place))

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

    def pick(
        self, place: str, *, who: str, rank: ActorRank, session: str = ""
    ) -> Future[Answer] | None:
        """Make the random pick that a table waits for in the name of whoever asked for it.

        A pit manager who picks a card at random picks it by the House's own source, and the log
        says who had it picked (v8 5.10, 5.12).
        """
        with self.house.lock:
            table = self._table(place)
            for need in table.state.waiting:
                if isinstance(need, DrawNeeded):
                    outcome = self.binding.outcome(place, table, need)
                    return self._given(place, outcome.answer, who=who, rank=rank, session=session)
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
        who: str = HOUSE,
        rank: ActorRank = ActorRank.HOUSE,
        session: str = "",
    ) -> Future[Answer]:
        outcome = self.binding.made(place, command)
        if outcome is None:
            also = self._relief(place, command, who, rank)
            return self.house.give(place, command, who=who, rank=rank, also=also)
        promise = self._give_outcome(place, outcome, who, rank, session)
        promise.add_done_callback(lambda done: self._used(place, outcome, done))
        return promise

    def _give_outcome(
        self, place: str, outcome: Outcome, who: str, rank: ActorRank, session: str
    ) -> Future[Answer]:
        """Give a shuffle or a draw, and let the shuffle book hear what it was made of."""
        id = self.house.world.unique()
        book = book_of(place)
        mix = outcome.mix
        named = {"shuffle": id} if isinstance(mix, MixShuffle) else {"draw": id}
        first = [(book, outcome.first)] if outcome.first is not None else []
        return self.house.give(
            place,
            outcome.answer,
            who=who,
            rank=rank,
            command_id=id,
            new_id=True,
            session=session,
            also=[*first, (book, structs.replace(mix, **named))],
            openings=outcome.openings,
            hidden_by=outcome.hidden_by,
        )

    def _used(self, place: str, outcome: Outcome, done: Future[Answer]) -> None:
        """An outcome that is stored is forgotten: nobody ever gets it twice."""
        if done.exception() is None and done.result().refused is None:
            with self.house.lock:
                self.binding.used(place, outcome)


def is_automatic(table: Table[Any]) -> bool:
    """Whether the House deals at this table, and not a person."""
    return table.state.opened and GAMES.port_of(table).deals_itself(table)


def _is_held(table: Table[Any]) -> bool:
    """Whether the table waits for chance, or for a decision before anything else."""
    return any(getattr(need, "holds", True) for need in table.state.waiting)
