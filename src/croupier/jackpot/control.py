"""Working the controller: opening, tables, closing, changes by two people, reconciliation.

Parameters change only while the link is closed, and only with the approval of a second person.
None of this is in a rulebook; it is what casino practice asks of a controller, so what is wrong
here is an error and not a refusal, except where the book speaks (1.20, 3.3).
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from croupier.jackpot.authority import manager
from croupier.jackpot.commands import (
    Approve,
    CloseLink,
    JoinTable,
    OpenLink,
    ProposeCorrection,
    ProposeParameters,
    ProposeRulebook,
    ProposeTermination,
    Reconcile,
    RemoveTable,
    ReopenLink,
    RepairLink,
    ReportLinkFault,
    ShowDisplay,
)
from croupier.jackpot.display import after_fall, shown_at
from croupier.jackpot.events import (
    ChangeProposed,
    DisplayShown,
    LinkOpened,
    LinkTerminated,
    MeterCorrected,
    MeterMismatch,
    ParametersChanged,
    Reconciled,
    RulebookChanged,
    TableJoined,
    TableRemoved,
)
from croupier.jackpot.later import release
from croupier.jackpot.meter import parts_per_million
from croupier.jackpot.registered import register_for_all
from croupier.jackpot.settings import LinkSettings
from croupier.jackpot.state import Proposal
from croupier.rulebooks import RulebookError, Topic, load
from croupier.table import (
    ActorRank,
    BadCommand,
    LinkClosed,
    LinkFailed,
    LinkReopened,
    LinkRepaired,
    Order,
    Room,
)
from croupier.table.actor import check_house_rank

if TYPE_CHECKING:
    from croupier.jackpot.link import JackpotLink

control = Room("control")


# -- opening --------------------------------------------------------------------------------------


@control.decides(OpenLink)
def open_link(link: JackpotLink, order: Order[OpenLink]) -> None:
    command = order.command
    if link.state.opened:
        raise BadCommand(f"link {link.state.name!r} is open already")
    if not order.rank.is_at_least(ActorRank.DEALER):
        raise BadCommand("a player cannot open a link")
    settings = _read_settings(link, command.settings)
    policies = link.book.policies_with(command.policies)
    start = settings.start if settings.start is not None else settings.reset_value
    link.emit(
        LinkOpened(
            link=command.link,
            rulebook=link.book.id,
            settings=msgspec.to_builtins(settings),
            tables=command.tables,
            policies=dict(policies),
            meter=start,
            at=order.when,
            cites=link.cite(Topic.JACKPOT_GROWTH),
        )
    )


def _read_settings(link: JackpotLink, raw: dict[str, Any]) -> LinkSettings:
    """The reset value and what a bet adds must be stated, and make sense (1.20, B-01)."""
    try:
        settings = msgspec.convert(raw, LinkSettings)
    except msgspec.ValidationError as error:
        raise BadCommand(f"settings of the link: {error}") from error
    if (settings.contribution is None) == (settings.contribution_rate is None):
        link.refuse(
            Topic.JACKPOT_GROWTH, "Say what each bet adds: a contribution or a contribution rate."
        )
    start = settings.start if settings.start is not None else settings.reset_value
    if settings.reset_value <= 0 or start < 0:
        link.refuse(Topic.JACKPOT_RESET, "The reset value must be more than nothing.")
    adds = settings.contribution
    if adds is None:
        adds = parts_per_million(settings.contribution_rate or "0")
    if adds <= 0:
        link.refuse(Topic.JACKPOT_GROWTH, "Each bet must add something to the meter.")
    for name in ("contribution_rate", "reserve_rate"):
        rate = getattr(settings, name)
        if rate is not None and float(rate) > 100:
            raise BadCommand(f"the {name.replace('_', ' ')} is at most 100 percent, not {rate}")
    if settings.ceiling is not None and settings.ceiling < max(settings.reset_value, start):
        raise BadCommand("the ceiling is below the value that the meter starts from")
    for name in ("unreasonable", "display_pace"):
        amount = getattr(settings, name)
        if amount is not None and amount <= 0:
            raise BadCommand(f"{name.replace('_', ' ')} must be more than nothing, or left out")
    check_house_rank(settings.house_rank)
    return settings


@control.applies(LinkOpened)
def link_opened(link: JackpotLink, event: LinkOpened) -> None:
    state = link.state
    state.opened = True
    state.name = event.link
    state.rulebook = event.rulebook
    state.policies = dict(event.policies)
    state.settings = msgspec.convert(event.settings, LinkSettings)
    state.tables = list(event.tables)
    state.meter = state.at_last_reset = state.display = state.put_in = event.meter
    state.display_at = event.at


# -- tables ---------------------------------------------------------------------------------------


@control.decides(JoinTable, while_waiting=True)
def join_table(link: JackpotLink, order: Order[JoinTable]) -> None:
    """Also while the order of payment is asked for, which is about the claims there are."""
    command, state = order.command, link.state
    manager(link, order, "hangs a table on the link")
    if command.table in state.tables:
        raise BadCommand(f"table {command.table!r} hangs on the link already")
    if state.failed:
        raise BadCommand("the link has failed; repair it before a table joins")
    if command.rulebook != state.rulebook:
        link.refuse(
            Topic.JACKPOT_GROWTH,
            f"This jackpot is for tables of {state.rulebook}; {command.rulebook} cannot share it.",
        )
    table = command.table
    cites = link.cite(Topic.JACKPOT_GROWTH)
    open_ = not state.closed
    link.emit(TableJoined(link=state.name, table=table, takes_stakes=open_, cites=cites))
    if not open_:
        # A table that has never hung here does not know it.
        link.emit(LinkClosed(link=state.name, tables=(table,), cites=cites))


@control.applies(TableJoined)
def table_joined(link: JackpotLink, event: TableJoined) -> None:
    state = link.state
    state.tables.append(event.table)
    last = state.rounds.get(event.table)
    if last is not None and last.earlier_book:
        del state.rounds[event.table]  # A table of this name under the new book is another one.


@control.decides(RemoveTable)
def remove_table(link: JackpotLink, order: Order[RemoveTable]) -> None:
    table, state = order.command.table, link.state
    manager(link, order, "takes a table off the link")
    if table not in state.tables:
        raise BadCommand(f"table {table!r} does not hang on the link")
    _no_open_round(link, [table])
    cites = link.cite(Topic.JACKPOT_GROWTH)
    link.emit(TableRemoved(link=state.name, table=table, cites=cites))


def _no_open_round(link: JackpotLink, tables: list[str]) -> None:
    state = link.state
    for table in tables:
        last = state.rounds.get(table)
        open_round = last is not None and last.boxes and not last.over
        if open_round or any(claim.table == table for claim in state.claims):
            raise BadCommand(f"table {table!r} has a round with jackpot stakes under way")


@control.applies(TableRemoved)
def table_removed(link: JackpotLink, event: TableRemoved) -> None:
    state = link.state
    state.tables.remove(event.table)
    if state.failed:
        state.off_while_failed.append(event.table)


# -- closing --------------------------------------------------------------------------------------


@control.decides(CloseLink)
def close_link(link: JackpotLink, order: Order[CloseLink]) -> None:
    state = link.state
    manager(link, order, "closes the link")
    if state.closed:
        raise BadCommand("the link is closed already")
    if state.claims:
        raise BadCommand("claims are open; pay them first")
    _no_open_round(link, state.tables)
    link.emit(
        LinkClosed(
            link=state.name, tables=tuple(state.tables), cites=link.cite(Topic.JACKPOT_GROWTH)
        )
    )


@control.applies(LinkClosed)
def link_closed(link: JackpotLink, event: LinkClosed) -> None:
    link.state.closed = True


@control.decides(ReopenLink)
def reopen_link(link: JackpotLink, order: Order[ReopenLink]) -> None:
    state = link.state
    manager(link, order, "opens the link again")
    if not state.closed:
        raise BadCommand("the link is not closed")
    link.emit(
        LinkReopened(
            link=state.name, tables=tuple(state.tables), cites=link.cite(Topic.JACKPOT_GROWTH)
        )
    )


@control.applies(LinkReopened)
def link_reopened(link: JackpotLink, event: LinkReopened) -> None:
    link.state.closed = False


# -- faults ---------------------------------------------------------------------------------------


@control.decides(ReportLinkFault, while_waiting=True)
def report_link_fault(link: JackpotLink, order: Order[ReportLinkFault]) -> None:
    manager(link, order, "declares the jackpot system not functional")
    if link.state.failed:
        raise BadCommand("the link has failed already")
    link.emit(_fault(link))


def _fault(link: JackpotLink) -> LinkFailed:
    return LinkFailed(
        link=link.state.name,
        tables=tuple(link.state.tables),
        registered=link.state.meter,
        cites=link.cite(Topic.JACKPOT_FAULT_LATER, Topic.JACKPOT_FAULT_SEEN),
    )


@control.applies(LinkFailed)
def link_failed(link: JackpotLink, event: LinkFailed) -> None:
    link.state.failed = True
    register_for_all(link.state, event.registered)


@control.decides(RepairLink)
def repair_link(link: JackpotLink, order: Order[RepairLink]) -> None:
    """The accounts are checked before the link goes live again; they stand as before the fault."""
    state = link.state
    manager(link, order, "declares the jackpot system functional again")
    if not state.failed:
        raise BadCommand("the link has not failed")
    if state.doubtful:
        raise BadCommand(
            "contributions are set aside as beyond reason; have their stakes returned, "
            "or correct the meter, before the link goes live"
        )
    link.check()
    link.emit(
        LinkRepaired(
            link=state.name,
            tables=(*state.tables, *state.off_while_failed),
            cites=link.cite(Topic.JACKPOT_FAULT_LATER),
        )
    )


@control.applies(LinkRepaired)
def link_repaired(link: JackpotLink, event: LinkRepaired) -> None:
    """What was registered for a round that goes on stays registered for it (B-64)."""
    state = link.state
    state.failed = False
    state.off_while_failed = []
    state.registered = state.register = None


# -- changes by two people ------------------------------------------------------------------------


def _propose(link: JackpotLink, order: Order[Any], kind: str, change: dict[str, Any]) -> None:
    link.emit(
        ChangeProposed(
            proposal=link.state.proposed + 1,
            kind=kind,
            change=change,
            reason=order.command.reason,
            who=order.who,
            cites=link.cite(Topic.JACKPOT_GROWTH),
        )
    )


_PARAMETERS = (
    "reset_value",
    "contribution",
    "contribution_rate",
    "reserve_rate",
    "ceiling",
    "unreasonable",
    "display_pace",
)


@control.decides(ProposeParameters)
def propose_parameters(link: JackpotLink, order: Order[ProposeParameters]) -> None:
    command = order.command
    manager(link, order, "proposes other parameters")
    _must_be_closed(link)
    change: dict[str, Any] = {
        name: value for name in _PARAMETERS if (value := getattr(command, name)) is not None
    }
    for name in command.clear:
        if name not in _PARAMETERS or name == "reset_value" or name in change:
            raise BadCommand(f"{name!r} is no parameter that can be without a value")
        change[name] = "0" if name == "reserve_rate" else None
    if not change:
        raise BadCommand("the proposal changes nothing")
    _changed_settings(link, change)
    _propose(link, order, "parameters", change)


def _must_be_closed(link: JackpotLink) -> None:
    if not link.state.closed:
        raise BadCommand("parameters change only while the link is closed; close it first")


def _changed_settings(link: JackpotLink, change: dict[str, Any]) -> LinkSettings:
    raw = msgspec.to_builtins(link.state.settings)
    # A fixed contribution and a rate exclude each other; the new one takes the old one's place.
    if change.get("contribution") is not None:
        raw["contribution_rate"] = None
    if change.get("contribution_rate") is not None:
        raw["contribution"] = None
    # Where the meter once started says nothing of what it is now.
    settings = _read_settings(link, {**raw, **change, "start": None})
    settings = structs.replace(settings, start=link.state.settings.start)
    if settings.ceiling is not None and settings.ceiling < link.state.meter:
        raise BadCommand("the ceiling would be below the meter")
    return settings


@control.decides(ProposeCorrection)
def propose_correction(link: JackpotLink, order: Order[ProposeCorrection]) -> None:
    by, state = order.command.by, link.state
    manager(link, order, "proposes a correction of the meter")
    if not (state.closed or state.failed):
        raise BadCommand("the meter is corrected only while the link is closed or has failed")
    if by == 0 or _corrected(link, by) < 0:
        raise BadCommand("a correction changes the meter and leaves it at nothing or above")
    _below_the_ceiling(link, by)
    _propose(link, order, "correction", {"by": by})


def _corrected(link: JackpotLink, by: int) -> int:
    """What a correction would leave, of the meter or of what was registered before a fault."""
    meter, registered = link.state.meter, link.state.registered
    return by + (meter if registered is None else min(meter, registered))


def _below_the_ceiling(link: JackpotLink, by: int) -> None:
    ceiling = link.state.settings.ceiling
    if ceiling is not None and by > 0 and link.state.meter + by > ceiling:
        raise BadCommand("the meter would stand above its ceiling; have that raised first")


@control.decides(ProposeRulebook)
def propose_rulebook(link: JackpotLink, order: Order[ProposeRulebook]) -> None:
    name = order.command.rulebook
    manager(link, order, "proposes another rulebook")
    _may_go_under(link, name)
    _propose(link, order, "rulebook", {"rulebook": name})


def _may_go_under(link: JackpotLink, name: str) -> None:
    """A link holds tables of one rulebook (B-13): those of the old one are taken off before."""
    _must_be_closed(link)
    _other_book(link, name)
    if link.state.tables:
        raise BadCommand(f"take the tables of {link.state.rulebook} off the link first")


def _other_book(link: JackpotLink, name: str) -> None:
    try:
        book = load(name)
    except RulebookError as error:
        raise BadCommand(str(error)) from error
    if book.family != "banked" or book.id == link.state.rulebook:
        raise BadCommand(f"{name!r} is not another book with a progressive jackpot")


@control.decides(ProposeTermination)
def propose_termination(link: JackpotLink, order: Order[ProposeTermination]) -> None:
    manager(link, order, "proposes to end the jackpot")
    _may_end(link)
    _propose(link, order, "termination", {"destination": order.command.destination})


def _may_end(link: JackpotLink) -> None:
    _must_be_closed(link)
    if link.state.failed:
        raise BadCommand("the link has failed; repair it first, so that its accounts are checked")


@control.applies(ChangeProposed)
def change_proposed(link: JackpotLink, event: ChangeProposed) -> None:
    state = link.state
    state.proposed = event.proposal
    state.proposals[event.proposal] = Proposal(
        kind=event.kind, change=event.change, reason=event.reason, who=event.who
    )


@control.decides(Approve)
def approve(link: JackpotLink, order: Order[Approve]) -> None:
    number, state = order.command.proposal, link.state
    manager(link, order, "approves a change")
    proposal = state.proposals.get(number)
    if proposal is None:
        raise BadCommand(f"there is no open proposal {number}")
    if proposal.who == order.who:
        raise BadCommand(f"{order.who} proposed it; a second person must approve")
    common: dict[str, Any] = {
        "proposal": number,
        "proposed_by": proposal.who,
        "approved_by": order.who,
        "cites": link.cite(Topic.JACKPOT_GROWTH),
    }
    match proposal.kind:
        case "parameters":
            _must_be_closed(link)
            settings = _changed_settings(link, proposal.change)
            _shown_so_far(link, order.when)
            link.emit(ParametersChanged(settings=msgspec.to_builtins(settings), **common))
        case "correction":
            by = proposal.change["by"]
            if not (state.closed or state.failed) or _corrected(link, by) < 0:
                raise BadCommand("the meter cannot be corrected now")
            _below_the_ceiling(link, by)
            _shown_so_far(link, order.when)
            link.emit(MeterCorrected(by=by, reason=proposal.reason, **common))
        case "termination":
            _may_end(link)
            link.emit(
                LinkTerminated(
                    destination=proposal.change["destination"],
                    amount=state.held(),
                    reason=proposal.reason,
                    **common,
                )
            )
        case _:
            name = proposal.change["rulebook"]
            _may_go_under(link, name)
            link.emit(RulebookChanged(rulebook=name, meter=state.meter, **common))
    if not state.claims:
        release(link, order.when)  # The overflow pool may have room in the meter now.


@control.applies(ParametersChanged)
def parameters_changed(link: JackpotLink, event: ParametersChanged) -> None:
    state = link.state
    del state.proposals[event.proposal]
    state.settings = msgspec.convert(event.settings, LinkSettings)
    if state.settings.display_pace is None:
        state.display = state.meter


@control.applies(MeterCorrected)
def meter_corrected(link: JackpotLink, event: MeterCorrected) -> None:
    state = link.state
    del state.proposals[event.proposal]
    state.meter += event.by
    state.corrections += event.by
    if state.registered is not None:
        state.run_down(state.register, -event.by)
    state.put_in += event.by
    after_fall(state, None)


@control.applies(RulebookChanged)
def rulebook_changed(link: JackpotLink, event: RulebookChanged) -> None:
    state = link.state
    del state.proposals[event.proposal]
    state.rulebook = event.rulebook
    for last in state.rounds.values():
        last.earlier_book = True
    link.go_under(load(event.rulebook))
    kept = {name: v for name, v in state.policies.items() if name in link.book.policies}
    state.policies = dict(link.book.policies_with(kept))


@control.applies(LinkTerminated)
def link_terminated(link: JackpotLink, event: LinkTerminated) -> None:
    state = link.state
    state.proposals = {}
    state.terminated = True
    state.put_in -= event.amount
    state.meter = state.parked = state.reserve = state.overflow = state.doubtful = 0
    state.at_last_reset = state.contributions = state.partial_awards = state.reversals = 0
    state.corrections = state.topped_up = state.taken_back = 0
    state.resets += 1  # a stake that goes back later is borne by the House
    state.revived = []
    state.display, state.display_at = 0, None


# -- reconciliation and display -------------------------------------------------------------------


@control.decides(Reconcile)
def reconcile(link: JackpotLink, order: Order[Reconcile]) -> None:
    state, counts = link.state, order.command.counts
    manager(link, order, "reconciles the tables with the controller")
    unknown = counts.keys() - set(state.tables) - state.counts.keys()
    if unknown:
        raise BadCommand(f"table {sorted(unknown)[0]!r} does not hang on the link")
    wrong = tuple(sorted(t for t, n in counts.items() if state.counts.get(t, 0) != n))
    cites = link.cite(Topic.JACKPOT_GROWTH)
    if not wrong:
        link.emit(Reconciled(counts=counts, cites=cites))
        return
    link.emit(MeterMismatch(tables=wrong, cites=cites))
    if not state.failed:
        link.emit(_fault(link))


@control.applies(Reconciled)
def reconciled(link: JackpotLink, event: Reconciled) -> None:
    """Nothing changes: table and controller agree."""


@control.applies(MeterMismatch)
def meter_mismatch(link: JackpotLink, event: MeterMismatch) -> None:
    """The fault that follows is an event of its own."""


@control.decides(ShowDisplay, while_waiting=True)
def show_display(link: JackpotLink, order: Order[ShowDisplay]) -> None:
    _show(link, order.when)


def _shown_so_far(link: JackpotLink, when: datetime) -> None:
    """A paced display goes on from where it stands: another pace does not hold for the time before
    it, and a correction is climbed to as growth is."""
    if link.state.settings.display_pace is not None:
        _show(link, when)


def _show(link: JackpotLink, when: datetime) -> None:
    value, cites = shown_at(link.state, when), link.cite(Topic.JACKPOT_GROWTH)
    link.emit(DisplayShown(value=value, at=when, cites=cites))


@control.applies(DisplayShown)
def display_shown(link: JackpotLink, event: DisplayShown) -> None:
    link.state.display = event.value
    link.state.display_at = event.at
