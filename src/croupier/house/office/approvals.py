"""What takes two people and is neither money nor a table: the key that signs the seals, and
software that runs although the regulator's manifest does not name it (20, 33)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.house.office.authority import refuse
from croupier.house.office.commands import GiveApproval, ProposeApproval
from croupier.house.office.events import ApprovalGiven, ApprovalProposed
from croupier.house.office.standards import CRITICAL_FILES, TWO_PEOPLE, WHO_CHANGED_WHAT
from croupier.house.office.state import WaitingApproval
from croupier.table import BadCommand, Order, Room

if TYPE_CHECKING:
    from croupier.house.office.office import Office

approvals = Room("approvals")


@approvals.decides(ProposeApproval)
def propose_approval(office: Office, order: Order[ProposeApproval]) -> None:
    command, state = order.command, office.state
    if command.what == "seal key" and command.digest == state.seal_key:
        raise BadCommand("this key is approved already")
    office.emit(
        ApprovalProposed(
            proposal=state.approvals_proposed + 1,
            what=command.what,
            digest=command.digest,
            reason=command.reason,
            who=order.who,
            cites=(TWO_PEOPLE, CRITICAL_FILES),
        )
    )


@approvals.applies(ApprovalProposed)
def approval_proposed(office: Office, event: ApprovalProposed) -> None:
    state = office.state
    state.approvals_proposed = event.proposal
    state.approvals[event.proposal] = WaitingApproval(
        what=event.what, digest=event.digest, reason=event.reason, who=event.who
    )


@approvals.decides(GiveApproval)
def give_approval(office: Office, order: Order[GiveApproval]) -> None:
    number = order.command.proposal
    waiting = office.state.approvals.get(number)
    if waiting is None:
        raise BadCommand(f"no approval {number} is asked for")
    if waiting.who == order.who:
        refuse(TWO_PEOPLE, "A second person approves what the first one proposed.")
    office.emit(
        ApprovalGiven(
            proposal=number,
            what=waiting.what,
            digest=waiting.digest,
            reason=waiting.reason,
            proposed_by=waiting.who,
            approved_by=order.who,
            cites=(TWO_PEOPLE, CRITICAL_FILES, WHO_CHANGED_WHAT),
        )
    )


@approvals.applies(ApprovalGiven)
def approval_given(office: Office, event: ApprovalGiven) -> None:
    state = office.state
    state.approvals.pop(event.proposal, None)
    match event.what:
        case "seal key":
            state.seal_key = event.digest
        case "software":
            state.software = event.digest
