"""The floor: which tables and links there are, and where nothing new may begin (21, 29, 32)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from croupier.house.office.authority import (
    HOUSE,
    check_name,
    refuse,
    staff,
    why,
)
from croupier.house.office.commands import (
    AddLink,
    AddTable,
    CloseTable,
    Disable,
    Enable,
    NoteRulebook,
)
from croupier.house.office.events import (
    LinkAdded,
    PlaceDisabled,
    PlaceEnabled,
    RulebookNoted,
    TableAdded,
    TableClosed,
)
from croupier.house.office.standards import DISABLED, RULES_BY_VERSION, WHO_CHANGED_WHAT
from croupier.house.office.state import PlaceRecord
from croupier.jackpot.settings import LinkSettings
from croupier.pit.registry import GAMES
from croupier.table import BadCommand, Command, Order, Room

if TYPE_CHECKING:
    from croupier.house.office.office import Office

floor = Room("floor")

RESERVED = ("office", "shuffles", "house", "cash", "awards")
"""Names that no table or link may have."""


def _may(office: Office, order: Order[Command], what: str) -> None:
    """An administrator or shift manager; the House itself, from its configuration at a start."""
    if order.rank is not HOUSE:
        staff(office, order, what, ("shift manager", "administrator"))


def _why(order: Order[AddTable] | Order[AddLink], what: str) -> None:
    """A person says why; the House sets up what its configuration has."""
    if order.rank is not HOUSE:
        why(order.command.reason, what)


def _free(office: Office, name: str) -> None:
    """A new name hides nothing, and is not one that is taken, nor looks like one."""
    check_name(office.names_of_places, name, office.state.places, WHO_CHANGED_WHAT)


def _book(name: str) -> Any:
    if name not in GAMES.games:
        known = ", ".join(GAMES.games)
        raise BadCommand(f"there is no rulebook {name!r}; there is {known}")
    return GAMES.load(name)


@floor.decides(AddTable)
def add_table(office: Office, order: Order[AddTable]) -> None:
    command, state = order.command, office.state
    _may(office, order, "set up a table")
    _why(order, "set up a table")
    _free(office, command.table)
    book = _book(command.rulebook)
    game = GAMES.games[command.rulebook]
    kind = game.table_type.settings_type
    try:
        settings = msgspec.convert(command.settings, kind)
    except msgspec.ValidationError as error:
        raise BadCommand(f"settings of table {command.table!r}: {error}") from error
    if game.port.acting(settings) == "seen" and not game.port.dealt_by_hand(settings):
        raise BadCommand(
            f"nobody could act at table {command.table!r}: players' acts are entered only "
            'where a person deals; write dealing = "by-hand", or acting = "device"'
        )
    policies = book.policies_with(command.policies)
    needs_link = game.port.needs_link(settings)
    if needs_link and not command.link:
        raise BadCommand(f"table {command.table!r} needs a jackpot link; name it")
    if command.link:
        link = state.places.get(command.link)
        if link is None or link.kind != "link":
            raise BadCommand(f"there is no link {command.link!r}; set it up first")
        if not needs_link:
            raise BadCommand(f"table {command.table!r} has no jackpot that could hang on a link")
        if link.rulebook != command.rulebook:
            refuse(
                RULES_BY_VERSION,
                f"Link {command.link} runs under {link.rulebook}, not under {command.rulebook}.",
            )
    if command.follows and command.follows not in state.places:
        raise BadCommand(f"there is no table {command.follows!r} that it could continue")
    if command.bots and state.real_money:
        raise BadCommand("a House of real money has no bots; leave `bots` out")
    office.emit(
        TableAdded(
            table=command.table,
            rulebook=command.rulebook,
            settings=msgspec.to_builtins(settings),
            policies=dict(policies),
            link=command.link,
            area=command.area,
            follows=command.follows,
            reason=command.reason,
            bots=command.bots,
            cites=(RULES_BY_VERSION, WHO_CHANGED_WHAT),
        )
    )


@floor.applies(TableAdded)
def table_added(office: Office, event: TableAdded) -> None:
    office.state.places[event.table] = PlaceRecord(
        kind="table",
        rulebook=event.rulebook,
        settings=event.settings,
        policies=event.policies,
        link=event.link,
        area=event.area,
        follows=event.follows,
        bots=event.bots,
    )
    office.state.running = sorted({*office.state.running, event.table})


@floor.decides(AddLink)
def add_link(office: Office, order: Order[AddLink]) -> None:
    command = order.command
    _may(office, order, "set up a jackpot link")
    _why(order, "set up a jackpot link")
    _free(office, command.link)
    book = _book(command.rulebook)
    try:
        settings = msgspec.convert(command.settings, LinkSettings)
    except msgspec.ValidationError as error:
        raise BadCommand(f"settings of link {command.link!r}: {error}") from error
    policies = book.policies_with(command.policies)
    office.emit(
        LinkAdded(
            link=command.link,
            rulebook=command.rulebook,
            settings=msgspec.to_builtins(settings),
            policies=dict(policies),
            reason=command.reason,
            cites=(RULES_BY_VERSION, WHO_CHANGED_WHAT),
        )
    )


@floor.applies(LinkAdded)
def link_added(office: Office, event: LinkAdded) -> None:
    office.state.places[event.link] = PlaceRecord(
        kind="link", rulebook=event.rulebook, settings=event.settings, policies=event.policies
    )
    office.state.running = sorted({*office.state.running, event.link})


@floor.decides(NoteRulebook)
def note_rulebook(office: Office, order: Order[NoteRulebook]) -> None:
    command = order.command
    record = office.state.places.get(command.link)
    if record is None or record.kind != "link":
        raise BadCommand(f"there is no link {command.link!r}")
    _book(command.rulebook)
    if record.rulebook == command.rulebook:
        refuse(RULES_BY_VERSION, f"Link {command.link} runs under {command.rulebook} already.")
    office.emit(
        RulebookNoted(
            link=command.link,
            before=record.rulebook,
            rulebook=command.rulebook,
            cites=(RULES_BY_VERSION, WHO_CHANGED_WHAT),
        )
    )


@floor.applies(RulebookNoted)
def rulebook_noted(office: Office, event: RulebookNoted) -> None:
    office.state.places[event.link].rulebook = event.rulebook


@floor.decides(CloseTable)
def close_table(office: Office, order: Order[CloseTable]) -> None:
    command = order.command
    _may(office, order, "close a table")
    record = office.state.places.get(command.table)
    if record is None or record.kind != "table":
        raise BadCommand(f"there is no table {command.table!r}")
    if record.closed:
        refuse(WHO_CHANGED_WHAT, f"Table {command.table} is closed already.")
    office.emit(TableClosed(table=command.table, reason=command.reason, cites=(WHO_CHANGED_WHAT,)))


@floor.applies(TableClosed)
def table_closed(office: Office, event: TableClosed) -> None:
    office.state.places[event.table].closed = True


@floor.decides(Disable)
def disable(office: Office, order: Order[Disable]) -> None:
    command, state = order.command, office.state
    record = state.places.get(command.place)
    if command.place and record is None:
        raise BadCommand(f"there is no table or link {command.place!r}")
    if record.disabled if record is not None else state.disabled:
        refuse(DISABLED, f"{command.place or 'Everything'} is disabled already.")
    office.emit(PlaceDisabled(place=command.place, reason=command.reason, cites=(DISABLED,)))


@floor.applies(PlaceDisabled)
def place_disabled(office: Office, event: PlaceDisabled) -> None:
    if event.place:
        office.state.places[event.place].disabled = event.reason
    else:
        office.state.disabled = event.reason


@floor.decides(Enable)
def enable(office: Office, order: Order[Enable]) -> None:
    command, state = order.command, office.state
    record = state.places.get(command.place)
    if command.place and record is None:
        raise BadCommand(f"there is no table or link {command.place!r}")
    if not (record.disabled or record.last_round if record is not None else state.disabled):
        refuse(DISABLED, f"{command.place or 'Everything'} is not disabled.")
    office.emit(PlaceEnabled(place=command.place, reason=command.reason, cites=(DISABLED,)))


@floor.applies(PlaceEnabled)
def place_enabled(office: Office, event: PlaceEnabled) -> None:
    if event.place:
        record = office.state.places[event.place]
        record.disabled, record.last_round, record.closing = "", 0, ""
    else:
        office.state.disabled = ""
