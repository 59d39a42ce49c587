"""The lists of the office: people, roster, tables and links, what waits for a second person.

Each is a record, so that whoever asks gets the same wherever the House is: the command line of a
database, the command line through a running server, or a page. They are for staff alone (S-34).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, Literal

from msgspec import Struct, structs

from croupier.house.casino import Casino
from croupier.house.ledger import player_account
from croupier.house.link_orders import link_of
from croupier.house.office.roster import assignments_of
from croupier.house.office.state import (
    Assignment,
    DropBox,
    Duty,
    OfficeState,
    Person,
    PlaceRecord,
    PlayerReport,
    Proposal,
    Slip,
    WaitingApproval,
)
from croupier.house.reports.inventory import InventoryDay, report_inventory
from croupier.house.waiting_rooms import WaitingRooms, waiting_rooms

SOON = timedelta(minutes=1)
"""So that what happened this moment is within a report up to now."""


class StaffLine(Struct, frozen=True, kw_only=True):
    """A member of staff."""

    name: str
    role: str | None
    duty: Duty | None
    disabled: str


class PlayerLine(Struct, frozen=True, kw_only=True):
    """A player, with what the account holds in cents."""

    name: str
    account: int
    bot: bool
    cash: bool
    disabled: str


class RosterEntry(Struct, frozen=True, kw_only=True):
    """A member of staff with post, licence, and where he is to work."""

    name: str
    role: str | None
    duty: Duty | None
    licence: str
    licence_until: date | None
    assignments: dict[int, Assignment]


class PlaceLine(Struct, frozen=True, kw_only=True):
    """A table or link as it was set up."""

    name: str
    record: PlaceRecord


class ApprovalList(Struct, frozen=True, kw_only=True):
    """What waits for a second person and is no money, and what is approved."""

    waiting: dict[int, WaitingApproval]
    approved: dict[str, str]


class LinkBookProposal(Struct, frozen=True, kw_only=True):
    """Another rulebook of a link, which waits for a second person."""

    kind: str
    change: dict[str, Any]
    reason: str
    who: str


class LinkBook(Struct, frozen=True, kw_only=True):
    """A link with its rulebook, and what is proposed for it."""

    link: str
    rulebook: str
    proposals: dict[int, LinkBookProposal]


def _people(state: OfficeState, kind: str) -> dict[str, Person]:
    return {n: p for n, p in sorted(state.people.items()) if p.kind == kind}


def staff(casino: Casino) -> list[StaffLine]:
    """The staff with their roles and posts."""
    state = casino.office.state
    return [
        StaffLine(name=n, role=p.role, duty=state.duty.get(n), disabled=p.disabled)
        for n, p in _people(state, "staff").items()
    ]


def players(casino: Casino) -> list[PlayerLine]:
    """The players with what is in their accounts."""
    casino.house.writer.flush()
    balances = casino.house.reader.balances()
    return [
        PlayerLine(
            name=n,
            account=balances.get(player_account(n), 0),
            bot=p.bot,
            cash=p.cash,
            disabled=p.disabled,
        )
        for n, p in _people(casino.office.state, "player").items()
    ]


def roster(casino: Casino) -> list[RosterEntry]:
    """Who is assigned where and until when, with posts and licences."""
    state, now = casino.office.state, casino.house.clock()
    return [
        RosterEntry(
            name=name,
            role=person.role,
            duty=state.duty.get(name),
            licence=person.licence,
            licence_until=person.licence_until,
            assignments=assignments_of(state, name, now),
        )
        for name, person in _people(state, "staff").items()
    ]


def _places(casino: Casino, kind: str) -> list[PlaceLine]:
    places = sorted(casino.office.state.places.items())
    return [PlaceLine(name=name, record=record) for name, record in places if record.kind == kind]


def tables(casino: Casino) -> list[PlaceLine]:
    """The tables of the House."""
    return _places(casino, "table")


def links(casino: Casino) -> list[PlaceLine]:
    """The jackpot links of the House."""
    return _places(casino, "link")


def corrections(casino: Casino) -> dict[int, Proposal]:
    """The corrections that wait for a second person."""
    return dict(sorted(casino.office.state.proposals.items()))


def approvals(casino: Casino) -> ApprovalList:
    """What waits for a second person and is no money, and what is approved."""
    state = casino.office.state
    approved = {"seal key": state.seal_key, "software": state.software}
    return ApprovalList(waiting=state.approvals, approved=approved)


def rulebooks(casino: Casino) -> list[LinkBook]:
    """The links with their rulebook, and what is proposed for each."""
    found = []
    for line in links(casino):
        state = link_of(casino, line.name).state
        waiting = {
            number: LinkBookProposal(kind=p.kind, change=p.change, reason=p.reason, who=p.who)
            for number, p in sorted(state.proposals.items())
            if p.kind == "rulebook"
        }
        found.append(LinkBook(link=line.name, rulebook=state.rulebook, proposals=waiting))
    return found


class SlipLine(Struct, frozen=True, kw_only=True):
    """A fill or credit that waits for a second signature."""

    slip: int
    record: Slip


class BoxLine(Struct, frozen=True, kw_only=True):
    """A drop box of an earlier tray that nobody has counted yet."""

    box: int
    record: DropBox


class Trays(Struct, frozen=True, kw_only=True):
    """The trays of tables since the last gaming day was closed, and the slips that wait."""

    trays: list[InventoryDay]
    slips: list[SlipLine]
    boxes: list[BoxLine]
    """Drops of earlier trays that are still to be counted."""
    day_closed: date | None
    """The last gaming day that somebody has closed."""
    chips: dict[str, list[int]]
    """Of each open table, the values of its chips in cents."""


def inventory(casino: Casino) -> Trays:
    """The trays of tables: counted, by the book, and the difference; slips that wait."""
    casino.house.writer.flush()
    now = casino.house.clock()
    with casino.house.lock:
        listed = _from_the_office(casino.office.state)
        current = {(name, t.opened_at) for name, t in casino.office.state.inventory.items()}
    if not current:
        return listed
    since = min(opened for _, opened in current)
    with casino.house.reader.as_it_stands() as store:
        found = report_inventory(store, since, now + SOON)
    trays = [tray for tray in found if (tray.table, tray.opened_at) in current]
    return structs.replace(listed, trays=trays)


def _from_the_office(state: OfficeState) -> Trays:
    """What is known without the books of the tables."""
    slips = sorted(state.slips.items())
    return Trays(
        trays=[],
        slips=[SlipLine(slip=n, record=structs.replace(slip)) for n, slip in slips],
        boxes=[BoxLine(box=n, record=box) for n, box in sorted(state.drop_boxes.items())],
        day_closed=state.day_closed,
        chips={
            name: sorted(record.settings.get("chips", ()))
            for name, record in sorted(state.places.items())
            if record.kind == "table" and not record.closed
        },
    )


def player_reports(casino: Casino) -> dict[int, PlayerReport]:
    """Players who were reported to the pit, and whom nobody has looked at yet."""
    return dict(sorted(casino.office.state.player_reports.items()))


class OfficeList(Struct, frozen=True, kw_only=True):
    """How a list is made, and of what kind it is."""

    made: Callable[[Casino], Any]
    kind: Any
    places: Literal["", "tables", "links"] = ""
    """Which places it asks themselves: whoever makes it runs them."""
    reads_logs: bool = False
    """Whether it reads whole logs: then it takes the House's lock itself, for as short as it can;
    else whoever makes it holds the lock, until the list is written."""


LISTS: dict[str, OfficeList] = {
    "staff": OfficeList(made=staff, kind=list[StaffLine]),
    "players": OfficeList(made=players, kind=list[PlayerLine]),
    "roster": OfficeList(made=roster, kind=list[RosterEntry]),
    "tables": OfficeList(made=tables, kind=list[PlaceLine]),
    "links": OfficeList(made=links, kind=list[PlaceLine]),
    "corrections": OfficeList(made=corrections, kind=dict[int, Proposal]),
    "approvals": OfficeList(made=approvals, kind=ApprovalList),
    "inventory": OfficeList(made=inventory, kind=Trays, reads_logs=True),
    "waiting": OfficeList(made=waiting_rooms, kind=WaitingRooms, places="tables"),
    "player_reports": OfficeList(made=player_reports, kind=dict[int, PlayerReport]),
    "rulebooks": OfficeList(made=rulebooks, kind=list[LinkBook], places="links"),
}
"""Every list by its name."""
