"""The commands of a jackpot link; those of its tables are in `croupier.table.link`."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta

from croupier.table import ActorRank, Command, Money

Name = Annotated[str, Meta(min_length=1)]


class ManagersCommand(Command, frozen=True, kw_only=True):
    """What a Pit Manager or above does at the controller."""

    usually_by: ClassVar[ActorRank] = ActorRank.PIT_MANAGER
    players_may: ClassVar[bool] = False


class OpenLink(ManagersCommand, frozen=True, kw_only=True):
    """Open the link with its parameters, the tables that hang on it, and the policies that the
    operator sets otherwise than the book's default."""

    players_may: ClassVar[bool] = False

    link: Name
    settings: dict[str, Any]
    tables: tuple[Name, ...] = ()
    policies: dict[str, str] = {}


class JoinTable(ManagersCommand, frozen=True, kw_only=True):
    """Hang a table on the link; only tables of the link's own rulebook may share it (B-13)."""

    players_may: ClassVar[bool] = False

    table: Name
    rulebook: Name


class RemoveTable(ManagersCommand, frozen=True, kw_only=True):
    """Take a table off the link once its rounds are over."""

    players_may: ClassVar[bool] = False

    table: Name


class PayClaims(ManagersCommand, frozen=True, kw_only=True):
    """Pay the claims in their order (4.5). Claims of several tables wait for the House to
    confirm the order first."""

    players_may: ClassVar[bool] = False


class ReportLinkFault(ManagersCommand, frozen=True, kw_only=True):
    """The shared jackpot system is not fully functional; all its tables hear of it (5.16, 5.17)."""

    players_may: ClassVar[bool] = False

    reason: Name


class RepairLink(ManagersCommand, frozen=True, kw_only=True):
    """The system works again: it checks itself and stands where it stood before the fault."""

    players_may: ClassVar[bool] = False

    reason: Name


class CloseLink(ManagersCommand, frozen=True, kw_only=True):
    """Take no stakes for the time being, as is needed to change parameters."""

    players_may: ClassVar[bool] = False


class ReopenLink(ManagersCommand, frozen=True, kw_only=True):
    """Take stakes again."""

    players_may: ClassVar[bool] = False


class ProposeParameters(ManagersCommand, frozen=True, kw_only=True):
    """Propose other parameters; a second person must approve. Only while the link is closed."""

    players_may: ClassVar[bool] = False

    reason: Name
    reset_value: Money | None = None
    contribution: Money | None = None
    contribution_rate: str | None = None
    reserve_rate: str | None = None
    ceiling: Money | None = None
    unreasonable: Money | None = None
    display_pace: Money | None = None
    clear: tuple[str, ...] = ()
    """Parameters that are to be without a value again, such as `ceiling`."""


class ProposeCorrection(ManagersCommand, frozen=True, kw_only=True):
    """Propose to correct the meter by an amount, up or down; a second person must approve."""

    players_may: ClassVar[bool] = False

    by: Money
    reason: Name


class ProposeRulebook(ManagersCommand, frozen=True, kw_only=True):
    """Propose to go on under another version; the meter is carried over (B-14)."""

    players_may: ClassVar[bool] = False

    rulebook: Name
    reason: Name


class ProposeTermination(ManagersCommand, frozen=True, kw_only=True):
    """Propose to end the link for good; a second person must approve. Only while it is closed.

    `destination` is what becomes of its money, as settled with the authority beforehand: it goes
    back to the House's bank, and from there to where this says.
    """

    players_may: ClassVar[bool] = False

    destination: Name
    reason: Name


class Approve(ManagersCommand, frozen=True, kw_only=True):
    """A second person approves a proposal, and it is carried out."""

    players_may: ClassVar[bool] = False

    proposal: int


class Reconcile(ManagersCommand, frozen=True, kw_only=True):
    """Compare the tables' own count of jackpot stakes with the controller's; a difference is a
    fault."""

    players_may: ClassVar[bool] = False

    counts: dict[str, int]


class ShowDisplay(Command, frozen=True, kw_only=True):
    """The display is refreshed: it moves towards the meter at its pace."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False
