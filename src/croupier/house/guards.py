"""What the House objects to before a place hears it: money that is not there (27) or that no entry
accounts for (26), whoever or whatever was disabled or closed (29), and whoever acts where he is not
assigned, without a licence, or for a player who acts for himself (34, 41).

A round that is under way is always finished: nothing new begins, and no new money comes.
"""

from __future__ import annotations

from typing import Any

from croupier.house.group import GREATEST
from croupier.house.house import House
from croupier.house.moved import MovedLately
from croupier.house.office.cage import drawn_on, moved_by, short_of
from croupier.house.office.commands import CloseTable
from croupier.house.office.last_rounds import is_over
from croupier.house.office.office import OFFICE, Office
from croupier.house.office.standards import (
    DISABLED,
    HELD_FUNDS,
    NO_NEGATIVE_BALANCE,
    TABLE_CLOSES,
    WHO_CHANGED_WHAT,
)
from croupier.house.office.waiting import NoteSeated
from croupier.house.own_limits import at_a_table, at_the_cage, over_session, stays_away
from croupier.house.permissions import acts_here, for_a_player, held_by_another, whose_act
from croupier.house.software import HOUSE
from croupier.pit.registry import GAMES
from croupier.table import ActorRank, Command, Order, Refused, Table
from croupier.table.money import write_money

VAST = 10**15
"""Cents that nobody moves at once, but who mistypes or means harm: only then are accounts looked up
that could hold too much."""


class OfficeGuard:
    """Speaks for the office at every place."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._moved = MovedLately(house)

    def __call__(self, place: str, order: Order[Command]) -> Refused | None:
        if place == OFFICE:
            return (
                self._nothing_left_on_the_table(order)
                or self._what_its_entries_say(order)
                or self._enough_in_the_account(order)
                or self._no_more_than_can_be_written(order)
                or at_the_cage(self._moved, self._office.state, order)
                or self._sits_there(order)
            )
        pit = self._house.pit
        table = pit.tables.get(place) or pit.guests.get(place)
        if table is None:
            return None
        return (
            acts_here(self._office.state, place, order)
            or held_by_another(self._office.state, place, order)
            or for_a_player(table, order, self._house.behalf)
            or self._table(place, table, order)
            or at_a_table(self._house, self._moved, self._office.state, table, order)
        )

    @property
    def _office(self) -> Office:
        office = self._house.pit.links[OFFICE]
        assert isinstance(office, Office)
        return office

    def _nothing_left_on_the_table(self, order: Order[Command]) -> Refused | None:
        """A table is closed for good: nobody could fetch chips from it any more."""
        if not isinstance(order.command, CloseTable):
            return None
        name = order.command.table
        self._house.writer.flush()
        for account, held in self._house.reader.balances().items():
            match account.split("/"):
                case ["table", table, "chips" | "pot" | "layout" | "safekeeping", *_] if held:
                    if table == name:
                        says = f"{write_money(held)} of players' money is still on table {name}."
                        return Refused((HELD_FUNDS,), says)
        return None

    def _sits_there(self, order: Order[Command]) -> Refused | None:
        """Nobody is off a waiting list for a seat that he does not have."""
        command = order.command
        if not isinstance(command, NoteSeated):
            return None
        table = self._house.pit.tables.get(command.table)
        if table is None or command.player in map(table.player_at, table.taken_seats()):
            return None  # or another process runs it, and would have to be asked
        says = f"{command.player} does not sit at table {command.table} yet."
        return Refused((WHO_CHANGED_WHAT,), says)

    def _enough_in_the_account(self, order: Order[Command]) -> Refused | None:
        """Nobody takes out or passes on more than he has."""
        drawn = short_of(order)
        if drawn is None:
            return None
        account, amount = drawn
        name = account.removeprefix("player/")
        person = self._office.state.people.get(name)
        if person is None or person.kind != "player":
            return None  # the office says so
        held = self._house.balance(account, at_least=amount)
        if amount <= held:
            return None
        says = f"The account of {name} holds {write_money(held)}."
        return Refused((NO_NEGATIVE_BALANCE,), says)

    def _no_more_than_can_be_written(self, order: Order[Command]) -> Refused | None:
        """An amount that an account could not hold is refused, and so on record. It would be lost
        on its way to the database otherwise, and everybody at the office would wait for that."""
        for account, amount in moved_by(self._office.state, order.command).items():
            if abs(amount) > VAST and abs(self._house.balance(account) + amount) > GREATEST:
                says = f"No account holds as much as {account} would with {write_money(amount)}."
                return Refused((NO_NEGATIVE_BALANCE,), says)
        return None

    def _what_its_entries_say(self, order: Order[Command]) -> Refused | None:
        """Nothing is paid out from a balance that is not the sum of its entries: it was changed by
        somebody who is not the House. Tables do not ask; their money comes back to the cage."""
        account = drawn_on(order.command)
        if account is None:
            return None
        self._house.writer.flush()
        balance, summed = self._house.reader.balance_and_sum(account)
        if balance == summed:
            return None
        says = (
            f"The balance of {account} is {write_money(balance)}, but its entries come to "
            f"{write_money(summed)}: nothing is paid from it; `croupier audit verify` says more."
        )
        return Refused((HELD_FUNDS,), says)

    def _table(self, place: str, table: Table[Any], order: Order[Command]) -> Refused | None:
        command, port = order.command, GAMES.port_of(table)
        begins = isinstance(command, port.begins)
        buying = table.buying(command)
        if begins or buying is not None:
            why = self._why_not(place)
            if why:
                return Refused((DISABLED,), why)
            if over := self._last_round_was(place, table):
                return Refused((TABLE_CLOSES,), over)
        if begins:
            self._nobody_disabled_is_dealt_in(place, table)
        people = self._office.state.people
        enters = isinstance(command, port.enters)
        new = enters or (
            order.rank is ActorRank.PLAYER
            and not isinstance(command, port.leaves)
            and (buying is not None or not table.playing())
        )
        for name in whose_act(table, order) if new else ():
            person = people.get(name)
            if person is not None and person.disabled:
                return Refused((DISABLED,), f"{name} is disabled: {person.disabled}.")
        if buying is not None and (person := people.get(buying[0])) and person.disabled:
            return Refused((DISABLED,), f"{buying[0]} is disabled: {person.disabled}.")
        return None

    def _last_round_was(self, place: str, table: Table[Any]) -> str:
        """That a table has closed after the round that was announced as its last one, if so."""
        record = self._office.state.places.get(place)
        if record is None or not is_over(record, GAMES.port_of(table).round_number(table)):
            return ""
        return f"Table {place} has played its last round: {record.closing}."

    def _nobody_disabled_is_dealt_in(self, place: str, table: Table[Any]) -> None:
        """Before a round, whoever is disabled is away where he would be dealt in."""
        for away in list(GAMES.port_of(table).sits_out(table, self._is_disabled)):
            self._house.give(place, away, who=HOUSE, rank=ActorRank.DEALER)

    def _is_disabled(self, name: str) -> bool:
        state, now = self._office.state, self._house.clock()
        person = state.people.get(name)
        own = stays_away(state, name, now) or over_session(state, name, now)
        return person is not None and bool(person.disabled or own)

    def _why_not(self, place: str) -> str:
        """Why nothing new may begin at a table, if so."""
        state = self._office.state
        if state.disabled:
            return f"Everything is disabled: {state.disabled}."
        record = state.places.get(place)
        if record is None:
            return ""
        if record.closed:
            return f"Table {place} is closed."
        if record.disabled:
            return f"Table {place} is disabled: {record.disabled}."
        link = state.places.get(record.link)
        return (
            f"Jackpot {record.link} is disabled: {link.disabled}." if link and link.disabled else ""
        )
