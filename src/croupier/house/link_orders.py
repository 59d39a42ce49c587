"""Orders at a jackpot link: what people of the pit give there, over the socket or from the office.

The link itself asks for the rank, and for a second person where one is needed; the House vouches
for who it is and looks up his rank as he speaks. What one order causes at the link and at its
tables is stored in one transaction: also at tables that another process runs, where several share
a server (`croupier.house.shared_links`).
"""

from __future__ import annotations

from concurrent.futures import Future

from croupier.house.answers import Answer
from croupier.house.casino import Casino
from croupier.house.errors import OwnedElsewhere, UnknownPlace
from croupier.house.office.authority import says_something
from croupier.jackpot import JackpotLink
from croupier.jackpot.claims import ORDER_OF_PAYMENT
from croupier.jackpot.commands import (
    Approve,
    CloseLink,
    JoinTable,
    PayClaims,
    ProposeCorrection,
    ProposeParameters,
    ProposeTermination,
    Reconcile,
    RemoveTable,
    ReopenLink,
    RepairLink,
    ReportLinkFault,
)
from croupier.table import BadCommand, Command, Decide, DecisionNeeded

ORDERS: tuple[type[Command], ...] = (
    PayClaims,
    Decide,
    ReportLinkFault,
    RepairLink,
    CloseLink,
    ReopenLink,
    Reconcile,
    ProposeParameters,
    ProposeCorrection,
    ProposeTermination,
    Approve,
    JoinTable,
    RemoveTable,
)
"""What a person gives at a link. The rest is carried by the House, or belongs to an act of the
office that is more than the link's: to set one up, and to change its rulebook."""


def link_of(casino: Casino, name: str) -> JackpotLink:
    """The link of this name, if this process runs it."""
    found = casino.house.pit.links.get(name)
    if not isinstance(found, JackpotLink):
        raise UnknownPlace(f"there is no jackpot link {name!r} here")
    return found


def order_at(
    casino: Casino,
    link: str,
    command: Command,
    *,
    who: str,
    command_id: str | None = None,
    session: str = "",
) -> Future[Answer]:
    """Give a link an order in somebody's name, in the rank that he has at this moment."""
    house = casino.house
    with house.lock:
        house.reread_stale()
        found = link_of(casino, link)
        found.check_written(command)
        _check(casino, link, found, command)
        rank = casino.rank_of(who)
        return house.give(link, command, who=who, rank=rank, command_id=command_id, session=session)


def order_of_payment(link: JackpotLink, *names: str) -> Decide:
    """The answer to the question in which order claims are paid: as dealt, or as named."""
    for need in link.state.waiting:
        if isinstance(need, DecisionNeeded) and need.question == ORDER_OF_PAYMENT:
            return answer_order(need.decision, *names)
    raise BadCommand("the link asks for no order of payment now; `pay` asks for it where it must")


def answer_order(decision: int, *names: str) -> Decide:
    """As dealt where nothing is named, else in the order of these, each as `table/box`."""
    if not names:
        return Decide(decision=decision, option="as dealt")
    details = {"order": ", ".join(names)}
    return Decide(decision=decision, option="other order", details=details)


def _check(casino: Casino, name: str, link: JackpotLink, command: Command) -> None:
    """What the link cannot know: what belongs to the office, and which tables are run here."""
    if not isinstance(command, ORDERS):
        raise BadCommand(f"{command.tell()!r} is not given at a link by hand")
    if not isinstance(command, Decide) and not says_something(getattr(command, "reason", "none")):
        raise BadCommand(f"to {command.tell()}, say why: it is recorded")
    shared = name in casino.house.shared_links.names
    if not shared:
        _all_here(casino, link)
    match command:
        case Approve():
            proposal = link.state.proposals.get(command.proposal)
            if proposal is not None and proposal.kind == "rulebook":
                raise BadCommand("another rulebook is approved by `croupier office rulebook`")
        case JoinTable():
            record = casino.office.state.places.get(command.table)
            if (
                record is None
                or record.link != name
                or not (shared or command.table in casino.house.pit.tables)
            ):
                raise BadCommand(f"the office knows no table {command.table!r} of link {name!r}")
            if record.rulebook != command.rulebook:
                raise BadCommand(f"table {command.table!r} is of {record.rulebook}")
        case _:
            return


def _all_here(casino: Casino, link: JackpotLink) -> None:
    """A table that is not here could not be told what its link has done, and would be short of an
    award that was paid."""
    claiming = {claim.table for claim in link.state.claims}
    places = casino.office.state.places
    for table in link.state.tables:
        record = places.get(table)
        closed = record is None or record.closed
        if table not in casino.house.pit.tables and (table in claiming or not closed):
            raise OwnedElsewhere(
                f"table {table!r} of link {link.state.name!r} is not run here: give the order "
                "where the link is run with all its tables"
            )
