"""The cage: cash in and out, transfers, the House's bank, and corrections by two people.

That an account holds enough is checked by whoever keeps the ledger: `House` before, the store in
the transaction itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.house.ledger import BANK, CASH, player_account
from croupier.house.office.authority import CAGE, HOUSE, a_player, refuse, staff
from croupier.house.office.commands import (
    ApproveCorrection,
    CashIn,
    CashOut,
    FundBank,
    PayUnclaimed,
    ProposeCorrection,
    Transfer,
)
from croupier.house.office.events import (
    BankFunded,
    CashedIn,
    CashedOut,
    Corrected,
    CorrectionProposed,
    Transferred,
)
from croupier.house.office.standards import (
    COMPLAINTS,
    DISABLED,
    NO_NEGATIVE_BALANCE,
    TWO_PEOPLE,
    WHO_CHANGED_WHAT,
)
from croupier.house.office.state import OfficeState, Proposal
from croupier.table import BadCommand, Command, Order, Room

if TYPE_CHECKING:
    from croupier.house.office.office import Office

cage = Room("cage")


def _at_the_cage(office: Office, order: Order[Command], what: str) -> None:
    """A cashier, or the House itself where it is play money."""
    if order.rank is HOUSE and not office.state.real_money:
        return
    staff(office, order, what, CAGE)


def _more_than_nothing(amount: int) -> None:
    if amount <= 0:
        raise BadCommand("an amount that is moved is more than nothing")


@cage.decides(CashIn)
def cash_in(office: Office, order: Order[CashIn]) -> None:
    command = order.command
    _at_the_cage(office, order, "take money in")
    a_player(office, command.player)
    _more_than_nothing(command.amount)
    disabled = office.state.people[command.player].disabled
    if disabled:
        refuse(DISABLED, f"{command.player} is disabled: {disabled}.")
    office.emit(
        CashedIn(
            player=command.player,
            amount=command.amount,
            note=command.note,
            cites=(WHO_CHANGED_WHAT,),
        )
    )


@cage.decides(CashOut)
def cash_out(office: Office, order: Order[CashOut]) -> None:
    command = order.command
    _at_the_cage(office, order, "pay money out")
    a_player(office, command.player)
    _more_than_nothing(command.amount)
    office.emit(
        CashedOut(
            player=command.player,
            amount=command.amount,
            note=command.note,
            cites=(NO_NEGATIVE_BALANCE, WHO_CHANGED_WHAT),
        )
    )


@cage.decides(Transfer)
def transfer(office: Office, order: Order[Transfer]) -> None:
    command = order.command
    a_player(office, command.payer)
    a_player(office, command.payee)
    _more_than_nothing(command.amount)
    for name in (command.payer, command.payee):
        disabled = office.state.people[name].disabled
        if disabled:
            refuse(DISABLED, f"{name} is disabled: {disabled}.")
    if command.payer == command.payee:
        raise BadCommand("a transfer is from one player to another")
    office.emit(
        Transferred(
            payer=command.payer,
            payee=command.payee,
            amount=command.amount,
            reason=command.reason,
            cites=(NO_NEGATIVE_BALANCE, WHO_CHANGED_WHAT),
        )
    )


@cage.decides(FundBank)
def fund_bank(office: Office, order: Order[FundBank]) -> None:
    command = order.command
    _at_the_cage(office, order, "move the House's money")
    if not command.amount:
        raise BadCommand("an amount that is moved is not nothing")
    office.emit(BankFunded(amount=command.amount, reason=command.reason, cites=(WHO_CHANGED_WHAT,)))


# -- corrections ----------------------------------------------------------------------------------


@cage.decides(ProposeCorrection)
def propose_correction(office: Office, order: Order[ProposeCorrection]) -> None:
    """Only accounts that no table or link speaks for: those say themselves where their money is."""
    command = order.command
    moves: dict[str, int] = {a: amount for a, amount in command.moves.items() if amount}
    if not moves or sum(moves.values()) != 0:
        raise BadCommand("a correction moves money from account to account and sums to nothing")
    for account in moves:
        if account.startswith("player/"):
            a_player(office, account.removeprefix("player/"))
        elif account not in ("house/bank", "cash"):
            raise BadCommand(
                f"{account} cannot be corrected here; name {player_account('<name>')}, "
                "house/bank or cash"
            )
    office.emit(
        CorrectionProposed(
            proposal=office.state.proposed + 1,
            changes=moves,
            reason=command.reason,
            who=order.who,
            cites=(TWO_PEOPLE, COMPLAINTS),
        )
    )


@cage.applies(CorrectionProposed)
def correction_proposed(office: Office, event: CorrectionProposed) -> None:
    state = office.state
    state.proposed = event.proposal
    state.proposals[event.proposal] = Proposal(
        moves=dict(event.changes), reason=event.reason, who=event.who
    )


@cage.decides(ApproveCorrection)
def approve_correction(office: Office, order: Order[ApproveCorrection]) -> None:
    number = order.command.proposal
    proposal = office.state.proposals.get(number)
    if proposal is None:
        raise BadCommand(f"no correction {number} waits for approval")
    if proposal.who == order.who:
        refuse(TWO_PEOPLE, "A second person approves what the first one proposed.")
    office.emit(
        Corrected(
            proposal=number,
            changes=proposal.moves,
            reason=proposal.reason,
            proposed_by=proposal.who,
            approved_by=order.who,
            cites=(TWO_PEOPLE, COMPLAINTS, WHO_CHANGED_WHAT),
        )
    )


@cage.applies(Corrected)
def corrected(office: Office, event: Corrected) -> None:
    office.state.proposals.pop(event.proposal, None)


@cage.applies(CashedIn, CashedOut, Transferred, BankFunded)
def moved(office: Office, event: object) -> None:
    """The money is in the ledger; the office itself remembers nothing of it."""


def drawn_on(command: Command) -> str | None:
    """The account from which a command of the office pays out, if it is one that does."""
    match command:
        case CashOut(player=player) | Transfer(payer=player):
            return player_account(player)
        case PayUnclaimed(table=table, player=player):
            return f"table/{table}/safekeeping/{player}"
        case _:
            return None


def short_of(order: Order[Command]) -> tuple[str, int] | None:
    """The account that a command of the cage draws on, and how much."""
    match order.command:
        case CashOut(player=player, amount=amount) | Transfer(payer=player, amount=amount):
            return player_account(player), amount
        case _:
            return None


def moved_by(state: OfficeState, command: Command) -> dict[str, int]:
    """What a command of the cage would add to which accounts; nothing where it moves no money."""
    match command:
        case CashIn(player=player, amount=amount):
            return {player_account(player): amount, CASH: -amount}
        case CashOut(player=player, amount=amount):
            return {player_account(player): -amount, CASH: amount}
        case Transfer(payee=player, amount=amount):
            return {player_account(player): amount}
        case FundBank(amount=amount):
            return {BANK: amount, CASH: -amount}
        case ApproveCorrection(proposal=number) if number in state.proposals:
            return dict(state.proposals[number].moves)
        case _:
            return {}
