"""The commands of the roster: who is assigned where, who deals where, licences, players' PINs."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, ClassVar

from msgspec import Meta

from croupier.house.office.state import Digest, PersonName, PlaceName, Reason
from croupier.table import ActorRank, Command, Money

Licence = Annotated[str, Meta(min_length=1, max_length=60)]


class AssignStaff(Command, frozen=True, kw_only=True):
    """Assign a member of staff to a table, to an area, or with neither to the whole floor."""

    players_may: ClassVar[bool] = False

    name: PersonName
    table: str = ""
    area: str = ""
    since: Annotated[datetime, Meta(tz=True)] | None = None
    """From now on, if nothing is said."""
    until: Annotated[datetime, Meta(tz=True)] | None = None
    """Until it is ended, if nothing is said."""
    reason: str = ""


class EndAssignment(Command, frozen=True, kw_only=True):
    """He is not assigned there any more."""

    players_may: ClassVar[bool] = False

    assignment: int
    reason: Reason


class NoteDealer(Command, frozen=True, kw_only=True):
    """Somebody else deals at a table from now on: noted with the first order that he gives."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    table: PlaceName
    dealer: PersonName


class SetLicence(Command, frozen=True, kw_only=True):
    """Put on record by which licence somebody works, and until when it is good."""

    players_may: ClassVar[bool] = False

    name: PersonName
    licence: Licence
    until: date
    """The last day."""
    reason: Reason


class SetPin(Command, frozen=True, kw_only=True):
    """A player has a PIN; what proves it is among the secrets."""

    players_may: ClassVar[bool] = False

    player: PersonName
    digest: Digest
    reason: str = ""
    """Why, where it is not his own act."""


class NotePin(Command, frozen=True, kw_only=True):
    """The House has checked a PIN that was typed at a table: his word, or not."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    player: PersonName
    table: PlaceName
    asked_by: PersonName
    right: bool


class TakeCash(Command, frozen=True, kw_only=True):
    """A dealer has taken a player's cash for chips at a table that is dealt by hand."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    player: PersonName
    table: PlaceName
    amount: Money
    taken_by: PersonName


class SetClocks(Command, frozen=True, kw_only=True):
    """Give a table players' clocks of its own; what is not named is as everywhere."""

    players_may: ClassVar[bool] = False

    table: PlaceName
    clocks: dict[str, float]
    reason: Reason
