"""What the office remembers: people and their sessions, who is on duty, which places there are."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from croupier.table import Money
from croupier.table.conversation import State

Role = Literal[
    "dealer",
    "pit supervisor",
    "pit manager",
    "shift manager",
    "cashier",
    "administrator",
    "auditor",
]
"""What somebody is employed as. The first four are the ranks of the pit, lowest first."""

PIT: tuple[Role, ...] = ("dealer", "pit supervisor", "pit manager", "shift manager")

Kind = Literal["staff", "player"]

Approvable = Literal["seal key", "software"]
"""What two people approve by its digest: the key that signs the seals, and software that no
manifest of the regulator's names."""

PersonName = Annotated[
    str,
    Meta(
        pattern=r"^[^\s/\x00-\x1f](?:[^/\x00-\x1f]{0,38}[^\s/\x00-\x1f])?$",
        description="a name of 1 to 40 characters without a slash",
    ),
]
PlaceName = Annotated[
    str,
    Meta(
        pattern=r"^[^\s/\x00-\x1f](?:[^/\x00-\x1f]{0,58}[^\s/\x00-\x1f])?$",
        description="a name of 1 to 60 characters without a slash",
    ),
]
Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", description="SHA-256 in hexadecimal")]
Reason = Annotated[str, Meta(min_length=1, max_length=500)]


class OwnLimit(Struct, kw_only=True):
    """A limit that a player has set for himself, and from when on it counts."""

    limit: str
    to: int | None
    since: datetime


class Tried(Struct, kw_only=True):
    """Log-ins of one person that failed at one place."""

    failures: int
    locked_until: datetime | None


class ProposedDrop(Struct, kw_only=True):
    """Who has proposed to drop a second factor, and when."""

    by: str
    at: datetime


class NamePast(Struct, kw_only=True):
    """How far the tables were when a guest's name became somebody else's, and whose it is."""

    holder: str
    rounds: dict[str, int]
    positions: dict[str, int]
    all_tables: bool = False
    """Whether a table that is missing was set up later. In older records it may have been closed by
    then: nothing of it is taken to be of who has the name now."""


class Person(Struct, kw_only=True):
    """A member of staff or a player; never both under one name."""

    kind: Kind
    role: Role | None = None
    digest: str = ""
    """SHA-256 of the argon2 hash that is kept among the secrets; none: he cannot log in."""
    since: datetime
    disabled: str = ""
    """Why he may do nothing here, if so."""
    failures: int = 0
    """Log-ins that failed since the last one that did not."""
    locked_until: datetime | None = None
    """Until when nobody is let in from the House's own machine; `tried` has the other places."""
    tried: dict[str, Tried] = {}
    """Where else it failed, by the digest of the place, the last ones."""
    second_factor: str = ""
    """SHA-256 of the key in a member of staff's authenticator app; none: there is none."""
    dropped_factor: str = ""
    """The same of one that was dropped, and is among the secrets still."""
    code_step: int = 0
    """The half minute whose code was used last: no code counts twice."""
    drop: ProposedDrop | None = None
    past: NamePast | None = None
    """What under this name was somebody else's, in a House of play money."""
    bot: bool = False
    """A player that is software, and marked so wherever it sits."""
    cash: bool = False
    """A player who has never been to the cage: he bought in with cash at a table."""
    licence: str = ""
    """The number of a member of staff's licence."""
    licence_until: date | None = None
    """The last day on which it is good."""
    pin: str = ""
    """SHA-256 of the argon2 hash of a player's PIN, by which he gives his word at a table."""
    pin_failures: int = 0
    pin_locked_until: datetime | None = None
    own_limits: list[OwnLimit] = []
    """Of each kind what counts, and what will."""
    played_from: datetime | None = None
    """When the session of a player began, with those before it that no rest lies between."""
    rests_from: datetime | None = None
    """When the last session was closed."""
    away_until: datetime | None = None
    """Until when a player does not play, by his own wish."""
    excluded: bool = False


class Duty(Struct, kw_only=True):
    """Somebody at his post. An acting post is above his own, given by somebody who holds it."""

    post: Role
    area: str = ""
    since: datetime
    acting: bool = False


class Assignment(Struct, kw_only=True):
    """Where somebody is to work, and when: at a table, in an area, or with neither on the floor."""

    name: str
    table: str = ""
    area: str = ""
    since: datetime
    until: datetime | None = None
    """Not any more at this moment; with none, until it is ended."""
    by: str


class Hold(Struct, kw_only=True):
    """A table that somebody holds, from a report to its confirmation."""

    number: int
    by: str
    post: Role
    report: str
    """The command that is to be confirmed, as JSON."""
    says: str
    position: int
    """How far the log of the table went when it was reported."""
    since: datetime
    until: datetime


class Witness(Struct, frozen=True, kw_only=True):
    """Who has seen the payment of a jackpot award, and when he said so."""

    by: str
    post: Role
    at: datetime


class Session(Struct, kw_only=True):
    """Somebody who is logged in; the token itself is nowhere but with him."""

    name: str
    until: datetime


class PlaceRecord(Struct, kw_only=True):
    """A table or link as the operator set it up."""

    kind: Literal["table", "link"]
    rulebook: str
    settings: dict[str, Any] = {}
    policies: dict[str, str] = {}
    link: str = ""
    area: str = ""
    closed: bool = False
    disabled: str = ""
    """Why no new round begins there, if so."""
    follows: str = ""
    """The table that this one continues under another rulebook."""
    clocks: dict[str, float] = {}
    """The players' clocks of a table, where they are not as everywhere else."""
    last_round: int = 0
    """The number of the last round of a table that closes; 0 while none is announced."""
    closing: str = ""
    """Why it closes."""
    server: str = ""
    """The server that somebody has ordered to run it, where several share the House."""
    bots: int = 0
    """How many bots are to sit at a table that is in no configuration."""


class Proposal(Struct, kw_only=True):
    """A correction of accounts that waits for a second person."""

    moves: dict[str, Money]
    reason: str
    who: str


class CopyRecord(Struct, kw_only=True):
    """A copy of the log."""

    folder: str
    alarm: str = ""
    """What is wrong with it, until somebody has it made anew."""


class ArchiveRecord(Struct, kw_only=True):
    """Closed days that were moved to a file."""

    folder: str
    file: str
    digest: str
    until: int
    """How many events all logs had at its end."""
    day: date
    """The last gaming day in it."""


class WaitingApproval(Struct, kw_only=True):
    """What waits for a second person, and is no money."""

    what: Approvable
    digest: str
    reason: str
    who: str


class TableInventory(Struct, kw_only=True):
    """The chips in the tray of a table, since it was last counted at an opening. In cents."""

    opening: int
    chips: dict[int, int]
    """How many of each value, as they were counted last."""
    opened_by: str
    opened_at: datetime
    fills: int = 0
    credits: int = 0
    closing: int | None = None
    """Nothing until it is counted at the closing."""
    closed_by: str = ""
    closed_at: datetime | None = None
    drop: int | None = None
    """What the drop box held; nothing until it is counted."""


class DropBox(Struct, frozen=True, kw_only=True):
    """The drop box of a tray that was closed, and that nobody has counted yet."""

    table: str
    opened_at: datetime
    """When its tray was opened."""
    closed_at: datetime | None
    closed_by: str


class Slip(Struct, kw_only=True):
    """A fill or credit that waits for a second signature."""

    kind: Literal["fill", "credit"]
    table: str
    chips: dict[int, int]
    amount: int
    reason: str
    by: str
    at: datetime


class WaitingPlayer(Struct, kw_only=True):
    """A name on a waiting list."""

    player: str
    since: datetime
    called: datetime | None = None
    """When he was called, if he was."""
    called_to: str = ""
    note: str = ""


For = Literal["patron", "house", "neither"]


class Settlement(Struct, kw_only=True):
    """What a dispute came to."""

    outcome: str
    in_favour_of: For
    inspector: str
    inspector_rank: str
    by: str
    at: datetime

    @property
    def is_last_word(self) -> bool:
        """Whether an inspector has decided."""
        return bool(self.inspector or self.inspector_rank)


class Dispute(Struct, kw_only=True):
    """A round or ruling that somebody does not accept."""

    place: str
    round: int | None
    position: int | None
    began: datetime | None
    patron: str
    claim: str
    by: str
    at: datetime
    deadline: datetime
    sha256: str = ""
    """The digest of the sealed file that was made of it."""
    settled: Settlement | None = None

    @property
    def about(self) -> str:
        """What it is about: `Raffles#12`, or `Marina@40` for an event of a log."""
        return named_dispute(self.place, self.round, self.position)


class PlayerReport(Struct, kw_only=True):
    """A player whom another one has reported to the pit."""

    table: str
    round: int
    player: str
    by: str
    says: str
    at: datetime


def named_dispute(place: str, number: int | None, position: int | None) -> str:
    """A round or ruling by its short name."""
    return f"{place}#{number}" if position is None else f"{place}@{position}"


class OfficeState(State, kw_only=True):
    """The office."""

    founded: bool = False
    real_money: bool = False
    """Whether it is real money; then no bots."""
    people: dict[str, Person] = {}
    duty: dict[str, Duty] = {}
    roster: dict[int, Assignment] = {}
    """By their numbers; of those that are over, the last."""
    assigned: int = 0
    """The number of the last assignment."""
    dealers: dict[str, str] = {}
    """Who deals at each table that is dealt by hand."""
    holds: dict[str, Hold] = {}
    witnesses: dict[str, dict[int, Witness]] = {}
    """Of awards, by link and position in its log."""
    """By the table that is held."""
    held: int = 0
    """The number of the last hold."""
    sessions: dict[str, Session] = {}
    """By the SHA-256 of the token."""
    places: dict[str, PlaceRecord] = {}
    disabled: str = ""
    """Why nothing new begins anywhere, if so."""
    proposals: dict[int, Proposal] = {}
    proposed: int = 0
    running: list[str] = []
    """Places that some process runs, or ran when it ended without a planned stop."""
    version: str = ""
    digests: dict[str, str] = {}
    """Critical files and their SHA-256 as of the last start or approval."""
    stopped_at: dict[str, int] = {}
    """How far the log of each place went at its last planned stop."""
    settings: dict[str, str] = {}
    """Settings of the House outside its tables, as they were last noted; others have defaults."""
    copies: dict[str, CopyRecord] = {}
    """The copies of the log, by their ids."""
    archives: dict[int, ArchiveRecord] = {}
    """By their numbers; none after a restore, which has everything in the database again."""
    approvals: dict[int, WaitingApproval] = {}
    approvals_proposed: int = 0
    seal_key: str = ""
    """The public key that two people have approved for the seals; none: the first stays."""
    software: str = ""
    """The digest of software and settings that two people let run without a manifest."""
    disputes: dict[int, Dispute] = {}
    disputed: int = 0
    """The number of the last dispute."""
    player_reports: dict[int, PlayerReport] = {}
    """Those that nobody has looked at yet."""
    reported: int = 0
    """The number of the last of them."""
    inventory: dict[str, TableInventory] = {}
    """By table: the trays that were counted since the last gaming day was closed."""
    drop_boxes: dict[int, DropBox] = {}
    """Of trays whose day is closed, or after which another tray was opened: still to be counted."""
    boxed: int = 0
    """The number of the last of them."""
    slips: dict[int, Slip] = {}
    slipped: int = 0
    """The number of the last slip."""
    day_closed: date | None = None
    """The last gaming day that somebody has closed."""
    waiting_lists: dict[str, list[WaitingPlayer]] = {}
    """Who waits for a seat in each area or at each table, in order."""
