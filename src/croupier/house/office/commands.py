"""The commands of the office: people, duty, sessions, cash, tables and links, starts and stops."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from croupier.house.office.state import Approvable, Digest, PersonName, PlaceName, Reason, Role
from croupier.table import ActorRank, Command, Money, Seat

# -- people ---------------------------------------------------------------------------------------


class FoundHouse(Command, frozen=True, kw_only=True):
    """The first command of all: the first administrator, and whether it is real money."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    administrator: PersonName
    digest: Digest | None = None
    real_money: bool = False


class HireStaff(Command, frozen=True, kw_only=True):
    """Take somebody on in a role."""

    players_may: ClassVar[bool] = False

    name: PersonName
    role: Role
    reason: Reason
    digest: Digest | None = None


class ChangeRole(Command, frozen=True, kw_only=True):
    """Give a member of staff another role."""

    players_may: ClassVar[bool] = False

    name: PersonName
    role: Role
    reason: Reason


class OpenAccount(Command, frozen=True, kw_only=True):
    """Open a player's account: by himself, by a cashier, or by the House for a guest or bot."""

    players_may: ClassVar[bool] = False

    player: PersonName
    digest: Digest | None = None
    bot: bool = False
    cash: bool = False
    """He bought in with cash at a table, and the House opens it for him."""


class SetPassword(Command, frozen=True, kw_only=True):
    """Somebody has another password; what proves it is among the secrets."""

    players_may: ClassVar[bool] = False

    name: PersonName
    digest: Digest
    reason: str = ""
    """Why, where it is not his own act."""


class DisablePerson(Command, frozen=True, kw_only=True):
    """A player or member of staff may do nothing from now on but finish his round and leave."""

    players_may: ClassVar[bool] = False

    name: PersonName
    reason: Reason


class EnablePerson(Command, frozen=True, kw_only=True):
    """He may again."""

    players_may: ClassVar[bool] = False

    name: PersonName
    reason: Reason


# -- duty and sessions ----------------------------------------------------------------------------


class GoOnDuty(Command, frozen=True, kw_only=True):
    """A member of staff takes up his post, or, with a reason, an acting one that is given him."""

    players_may: ClassVar[bool] = False

    name: PersonName
    post: Role
    area: str = ""
    reason: str = ""


class GoOffDuty(Command, frozen=True, kw_only=True):
    """A member of staff leaves his post, or, with a reason, is taken off it."""

    players_may: ClassVar[bool] = False

    name: PersonName
    reason: str = ""


class OpenSession(Command, frozen=True, kw_only=True):
    """The House has checked a password: he is in, until then."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    name: PersonName
    token: Digest
    until: Annotated[datetime, Meta(tz=True)]
    origin: str = ""
    """From where, as a digest; nothing for the House's own machine."""
    code_step: int = 0
    """The half minute whose code was used, where somebody has a second factor."""


class NoteFailedLogin(Command, frozen=True, kw_only=True):
    """The House has checked a password, and it was wrong."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    name: PersonName
    origin: str = ""
    """From where, as a digest; nothing for the House's own machine."""


class CloseSession(Command, frozen=True, kw_only=True):
    """Somebody logs out, or is logged out."""

    players_may: ClassVar[bool] = False

    token: Digest


class Unlock(Command, frozen=True, kw_only=True):
    """Let somebody try again before the time is over."""

    players_may: ClassVar[bool] = False

    name: PersonName
    reason: Reason


# -- the cage -------------------------------------------------------------------------------------


class CashIn(Command, frozen=True, kw_only=True):
    """A player pays money in at the cage."""

    players_may: ClassVar[bool] = False

    player: PersonName
    amount: Money
    note: str = ""


class CashOut(Command, frozen=True, kw_only=True):
    """A player takes money out at the cage."""

    players_may: ClassVar[bool] = False

    player: PersonName
    amount: Money
    note: str = ""


class Transfer(Command, frozen=True, kw_only=True):
    """Move money from one player's account to another's."""

    players_may: ClassVar[bool] = False

    payer: PersonName
    payee: PersonName
    amount: Money
    reason: Reason


class FundBank(Command, frozen=True, kw_only=True):
    """Put cash into the House's bank, or take it out (negative)."""

    players_may: ClassVar[bool] = False

    amount: Money
    reason: Reason


class ProposeCorrection(Command, frozen=True, kw_only=True):
    """Propose to put accounts right by new entries; a second person must approve."""

    players_may: ClassVar[bool] = False

    moves: dict[str, Money]
    reason: Reason


class ApproveCorrection(Command, frozen=True, kw_only=True):
    """A second person approves a correction, and it is carried out."""

    players_may: ClassVar[bool] = False

    proposal: int


# -- players' money at tables ---------------------------------------------------------------------


class RelocatePlayer(Command, frozen=True, kw_only=True):
    """A Pit Employee takes a player with all his chips from one poker table to another (v8 5.7.2).

    One act: he leaves the one and sits at the other, or nothing happens at all.
    """

    players_may: ClassVar[bool] = False

    player: PersonName
    table: PlaceName
    """Where he sits."""
    to: PlaceName
    seat: Seat
    """Where he is to sit there."""
    reason: Reason


class PayUnclaimed(Command, frozen=True, kw_only=True):
    """Give a player what a banked table has kept safe for him since he walked away: all of it."""

    players_may: ClassVar[bool] = False

    player: PersonName
    table: PlaceName
    amount: Money
    reason: Reason


# -- tables and links -----------------------------------------------------------------------------


class AddTable(Command, frozen=True, kw_only=True):
    """Set up a table under a rulebook; it opens with these settings. A person says why."""

    players_may: ClassVar[bool] = False

    table: PlaceName
    rulebook: str
    settings: dict[str, Any]
    policies: dict[str, str] = {}
    link: str = ""
    area: str = ""
    follows: str = ""
    """The table that this one continues under another rulebook."""
    reason: str = ""
    bots: Annotated[int, Meta(ge=0)] = 0
    """How many bots are to sit there, where the configuration does not say so; for play money."""


class AddLink(Command, frozen=True, kw_only=True):
    """Set up a jackpot link. A person says why."""

    players_may: ClassVar[bool] = False

    link: PlaceName
    rulebook: str
    settings: dict[str, Any]
    policies: dict[str, str] = {}
    reason: str = ""


class NoteRulebook(Command, frozen=True, kw_only=True):
    """A link goes on under another rulebook, as two people have decided at the link itself."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    link: PlaceName
    rulebook: str


class CloseTable(Command, frozen=True, kw_only=True):
    """Close a table for good; nobody may sit there any more."""

    players_may: ClassVar[bool] = False

    table: PlaceName
    reason: Reason


class Disable(Command, frozen=True, kw_only=True):
    """No new round at a table or on a link; or, without a place, nowhere."""

    players_may: ClassVar[bool] = False

    reason: Reason
    place: str = ""


class Enable(Command, frozen=True, kw_only=True):
    """New rounds again, at that place or everywhere."""

    players_may: ClassVar[bool] = False

    reason: Reason
    place: str = ""


# -- starts and stops -----------------------------------------------------------------------------


class NoteStart(Command, frozen=True, kw_only=True):
    """A process starts: its version, the digests of its critical files, and what it runs."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    version: str
    places: tuple[str, ...] = ()
    digests: dict[str, Digest] = {}


class NoteStop(Command, frozen=True, kw_only=True):
    """A planned stop of a process: how far the log of each place went that it ran."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    positions: dict[str, int]


class NoteFilesChecked(Command, frozen=True, kw_only=True):
    """The critical files were checked by their digests, on demand or as every day."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    changed: tuple[str, ...] = ()
    asked_by: str = ""
    """Who wanted it; nobody, where it is done every day."""


class ChangeSetting(Command, frozen=True, kw_only=True):
    """A setting of the House was changed outside its tables, such as in its configuration.

    A value that is empty is the default.
    """

    players_may: ClassVar[bool] = False

    setting: str
    before: str
    after: str
    reason: Reason


# -- what takes two people ------------------------------------------------------------------------


class ProposeApproval(Command, frozen=True, kw_only=True):
    """Propose another key for the seals, by its public key, or software that is to run although no
    manifest of the regulator's names it, by its digest; a second person must approve."""

    players_may: ClassVar[bool] = False

    what: Approvable
    digest: Digest
    reason: Reason


class GiveApproval(Command, frozen=True, kw_only=True):
    """A second person approves."""

    players_may: ClassVar[bool] = False

    proposal: int
