"""Orders of staff at tables: who deals there is noted with the first of them, and a player's money
moves on his own word only.

The word is his PIN, typed at the table and checked here, or cash that the dealer takes: then what
he paid, his account if he had none, and his chips are stored in one transaction. A player with a
device of his own needs none of this: he gives his orders himself.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

import msgspec
from msgspec import structs

from croupier.house import passwords
from croupier.house.answers import Answer
from croupier.house.behalf import Behalf
from croupier.house.casino import TRIES, Casino, NotAllowedIn
from croupier.house.errors import Conflict, UnknownPlace
from croupier.house.office import OFFICE, PersonName
from croupier.house.office.commands import OpenAccount
from croupier.house.office.roster_commands import NotePin, TakeCash
from croupier.house.office.state import Person
from croupier.house.permissions import acts_here, for_whom, is_seen
from croupier.house.relief import Also, relief
from croupier.house.software import HOUSE
from croupier.table import ActorRank, BadCommand, Command, Order, Table


def order_at_table(
    casino: Casino,
    place: str,
    command: Command,
    *,
    who: str,
    rank: ActorRank,
    command_id: str | None = None,
    session: str = "",
    behalf: Behalf | None = None,
    also: Sequence[tuple[str, Command]] = (),
) -> Future[Answer]:
    """Give an order of a member of staff at a table; if he deals there and did not before, that he
    relieves whoever did is stored with it, and so is what else others must hear (`also`)."""
    house = casino.house
    with house.lock:
        house.reread_stale()
        table = _table(casino, place)
        heard = [*also, *relief(casino.office.state, place, table, command, who, rank)]
        if behalf is not None:
            heard += _brought(casino, place, table, command, who, behalf)
        return house.give(
            place,
            command,
            who=who,
            rank=rank,
            command_id=command_id,
            session=session,
            behalf=behalf,
            also=heard,
        )


def carry_out_for_player(
    casino: Casino,
    place: str,
    command: Command,
    *,
    who: str,
    rank: ActorRank,
    behalf: Behalf,
    pin: str = "",
    command_id: str | None = None,
    session: str = "",
) -> Answer:
    """Give an order for a player, on his word, and wait for its answer: not in a thread that must
    not wait. `NotAllowedIn` where his PIN is wrong.

    If another process has written to the office meanwhile, that is read and it is tried again.
    """
    if behalf.word == "pin":
        if _may_ask(casino, place, command, who, rank):
            check_pin(casino, behalf.player, pin, table=place, asked_by=who)
        else:  # nobody's PIN is tried from here; the table says why it will not have the order
            behalf = structs.replace(behalf, word="seen")
    for _ in range(TRIES):
        try:
            return order_at_table(
                casino,
                place,
                command,
                who=who,
                rank=rank,
                command_id=command_id,
                session=session,
                behalf=behalf,
            ).result()
        except Conflict:
            casino.refresh_office()
    raise Conflict(f"the office is too busy for {command.tell()!r}; try again")


def _may_ask(casino: Casino, place: str, command: Command, who: str, rank: ActorRank) -> bool:
    """Whether somebody deals where a player gives his word: elsewhere he types no PIN."""
    casino.refresh_office()
    order = Order(command=command, who=who, rank=rank, when=casino.house.clock())
    with casino.house.lock:
        table = _table(casino, place)
        return is_seen(table) and acts_here(casino.office.state, place, order) is None


def check_pin(casino: Casino, player: str, pin: str, *, table: str, asked_by: str) -> None:
    """See that a player has typed his PIN; on record either way. After several wrong ones nobody
    may try for a while."""
    casino.refresh_office()
    person = casino.office.state.people.get(player)
    if person is None or person.kind != "player":
        raise NotAllowedIn(f"nobody who plays here is called {player}")
    if not person.pin:
        raise NotAllowedIn(f"{player} has no PIN; the cage sets one while the player is there")
    if person.pin_locked_until is not None and casino.house.clock() < person.pin_locked_until:
        raise _locked(player, person)
    kept = casino.house.reader.secret(player, passwords.PIN)
    if kept is not None and passwords.digest_of(kept) != person.pin:
        kept = None  # the office has not filed it: somebody changed the database
    right = passwords.is_right(pin, kept)
    noted = casino.tell(NotePin(player=player, table=table, asked_by=asked_by, right=right))
    if noted.refused is not None:  # others were tried at the same time, and it is locked by now
        raise _locked(player, casino.office.state.people[player])
    if not right:
        raise NotAllowedIn(f"this is not the PIN of {player}")


def _locked(player: str, person: Person) -> NotAllowedIn:
    free = f"{person.pin_locked_until:%H:%M:%S} UTC"
    return NotAllowedIn(f"too many wrong PINs of {player}; try again after {free}")


def _table(casino: Casino, place: str) -> Table[Any]:
    table = casino.house.pit.tables.get(place)
    if table is None:
        raise UnknownPlace(f"there is no table {place!r} here")
    return table


def _brought(
    casino: Casino,
    place: str,
    table: Table[Any],
    command: Command,
    who: str,
    behalf: Behalf,
) -> Also:
    """What the office must hear of a player's cash, and of himself if nobody knows him."""
    state, player = casino.office.state, behalf.player
    if not is_seen(table):
        return []  # it will be refused
    if for_whom(table, command) != (player,):
        raise BadCommand(f"{command.tell()!r} is not done for {player}")
    if behalf.word != "cash":
        return []
    buying = table.buying(command)
    if buying is None:
        raise BadCommand(f"{command.tell()!r} brings no money to the table; no cash is taken")
    also: Also = []
    if player not in state.people:
        opening = OpenAccount(player=player, cash=True)
        _check_new(casino, opening)
        also.append((OFFICE, opening))
    elif state.people[player].kind != "player":
        raise BadCommand(f"{player} is staff here; call the cash player otherwise")
    taken = TakeCash(player=player, table=place, amount=buying[1], taken_by=who)
    return [*also, (OFFICE, taken)]


def _check_new(casino: Casino, opening: OpenAccount) -> None:
    """The name of a cash player is one that he could have at the cage."""
    name = opening.player
    try:
        msgspec.convert(name, PersonName)
    except msgspec.ValidationError as error:
        raise BadCommand(f"{name!r} is no name for a cash player: {error}") from error
    when = casino.house.clock()
    order = Order(command=opening, who=HOUSE, rank=ActorRank.HOUSE, when=when)
    refused = casino.office.objection(order)
    if refused is not None:
        raise BadCommand(f"call the cash player otherwise: {refused.says}")
