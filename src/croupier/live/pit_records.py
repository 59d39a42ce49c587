"""The records of the pit console: the floor, decisions that wait, reports, rulings, holds.

The page's own records are made from these (`tests/web/records.py`), so each field says what it is.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import Meta, Raw, Struct

from croupier.live.pit_told import PitTold
from croupier.live.wire import Cited, CommandId
from croupier.pit.ruling import Change, Paragraph, Ruling, Sentence, Way
from croupier.table import Money
from croupier.table.reports import Values

PlaceKind = Literal["table", "link"]


# -- the floor ------------------------------------------------------------------------------------


class PitWait(Struct, frozen=True, kw_only=True):
    """Something that a table or link waits for."""

    kind: Literal["decision", "pick", "payment", "witness", "approval", "turn"]
    whom: str
    """For whom, in words: `a Pit Supervisor or above`, or a player by his name."""
    says: str
    since: datetime
    mine: bool = False
    """Whether whoever asks may do it now."""
    decision: int | None = None
    """Its number, where it is a question."""
    award: int | None = None
    """Its number, where a payment is to be witnessed."""
    holds: bool = True
    """Whether nothing goes on before it."""


class PitHold(Struct, frozen=True, kw_only=True):
    """A table that somebody holds for a ruling."""

    hold: int
    by: str
    post: str
    says: str
    """What is reported, in words."""
    since: datetime
    until: datetime
    mine: bool
    """Whether whoever asks holds it."""
    command: dict[str, Any]
    """What is to be confirmed; nothing while it is sought, or while a ruling is read out."""


class PitAnnouncement(Struct, frozen=True, kw_only=True):
    """Something to read out: a call, a warning, a notice."""

    call: str
    says: str
    seat: int | None
    """To whom; null where it is for the whole table."""
    at: datetime
    cites: tuple[str, ...]


class PitTile(Struct, frozen=True, kw_only=True):
    """One table at a glance."""

    place: str
    area: str
    game: str
    rulebook: str
    short: str
    stage: str
    round: int
    turn: int | None
    """The seat or box whose turn it is."""
    player: str
    """Who sits there."""
    since: datetime
    """Since when it stands so: the last thing that happened there."""
    money: Money
    """Players' money on the table: chips, bets, and what is kept safe."""
    seated: int
    seats: int
    dealt_by: Literal["house", "hand"]
    acting: Literal["device", "seen"]
    dealer: str
    """Who deals by hand; nobody where it is not known yet."""
    due: str
    """What the dealer does next at a table that is dealt by hand; nothing where he waits."""
    link: str | None
    waits: tuple[PitWait, ...]
    faults: tuple[str, ...]
    """What is wrong there, in sentences: it is disabled, its jackpot has failed."""
    hold: PitHold | None
    announced: tuple[PitAnnouncement, ...]
    """The last that was to be read out since the server began, the newest first."""
    assigned: str
    """By which assignment whoever asks acts there; nothing if he may not."""
    mine: bool
    """Whether something there waits for whoever asks."""


class PitLink(Struct, frozen=True, kw_only=True):
    """One jackpot link at a glance."""

    link: str
    rulebook: str
    status: str
    meter: Money
    tables: tuple[str, ...]
    claims: int
    waits: tuple[PitWait, ...]
    faults: tuple[str, ...]
    mine: bool


class PitFloor(Struct, frozen=True, kw_only=True):
    """Everything on the floor; what needs whoever asks stands first."""

    you: str
    rank: str
    now: datetime
    tables: tuple[PitTile, ...]
    links: tuple[PitLink, ...]
    areas: tuple[str, ...]
    mine: int
    """How many tables and links wait for whoever asks: a badge."""


# -- decisions ------------------------------------------------------------------------------------


class PitOption(Struct, frozen=True, kw_only=True):
    """One answer, and what follows from it."""

    name: str
    says: str
    asks: dict[str, str]
    """What must be said with it, by kind; what follows is then foretold by a preview of the whole
    answer."""
    follows: str = ""
    """In one sentence."""
    sentences: tuple[Sentence, ...] = ()
    cards: tuple[Way, ...] = ()
    money: tuple[Change, ...] = ()
    paragraphs: tuple[Paragraph, ...] = ()


class PitDecision(Struct, frozen=True, kw_only=True):
    """A question that a table or link waits for."""

    place: str
    at: PlaceKind
    decision: int
    question: str
    says: str
    whom: str
    of: str
    """The rank that it takes at least; `player` where it is a player's own."""
    since: datetime
    holds: bool
    cites: tuple[Cited, ...]
    options: tuple[PitOption, ...]
    mine: bool
    barred: str = ""
    """Why whoever asks may not answer it, if so."""
    reasons: tuple[str, ...] = ()
    """Reasons to choose from; any other may be written."""


class PitDecisions(Struct, frozen=True, kw_only=True):
    """Every question that waits, those of whoever asks first, then the oldest."""

    decisions: tuple[PitDecision, ...]


class DecideBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer to a question."""

    id: CommandId
    option: str
    details: dict[str, Any] = {}
    reason: Annotated[str, Meta(max_length=500)] = ""
    pause: bool = False
    """Hold the table for a moment if it can be undone: `hold` of the answer."""


class PitUndo(Struct, frozen=True, kw_only=True):
    """Whether the last ruling can be undone."""

    may: bool = False
    """By whoever asks, now."""
    says: str = ""
    """Else why not: who may, or what stands against it. Nothing where nothing was ruled."""


class PitAnswer(Struct, frozen=True, kw_only=True):
    """What came of an order, in sentences that everybody may hear."""

    id: str
    told: tuple[str, ...]
    happened: tuple[PitTold, ...] = ()
    """The same, each with its paragraphs."""
    signed: tuple[str, ...] = ()
    """Questions that were answered with it, in the same name."""
    ruled: tuple[PitTold, ...] = ()
    """What was decided with it, by whose authority: a person, or a standing order by its name."""
    waits: tuple[PitWait, ...] = ()
    """What the table waits for now."""
    undo: PitUndo = PitUndo()
    hold: PitHold | None = None
    """For a moment, so that it can be undone before the table goes on."""


# -- reports and rulings --------------------------------------------------------------------------


class PitField(Struct, frozen=True, kw_only=True):
    """Something that a report asks for."""

    name: str
    ask: str
    values: Values
    usual: Any
    """What stands there already."""


class PitReport(Struct, frozen=True, kw_only=True):
    """A report that can be true now."""

    do: str
    title: str
    says: str
    fields: tuple[PitField, ...]
    command: dict[str, Any]
    """The report with what is usual in every field: ready to be held."""


class PitCall(Struct, frozen=True, kw_only=True):
    """Something that staff read out at such a table, in our words."""

    call: str
    says: str
    cites: tuple[Cited, ...]
    due: bool
    """Whether it goes with what the dealer does next."""


class PitReports(Struct, frozen=True, kw_only=True):
    """What can be reported at a table at this moment, and what is read out there."""

    place: str
    position: int
    reports: tuple[PitReport, ...]
    undo: bool
    """Whether the last ruling can be undone by whoever asks."""
    undo_says: str
    """Else who may, or why nobody can; nothing where nothing was ruled."""
    calls: tuple[PitCall, ...]
    """What is due first."""


class PitLooked(Struct, frozen=True, kw_only=True):
    """A table that is held while somebody looks for what to report."""

    hold: PitHold
    reports: PitReports


class LookBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody wants to report something, or to undo a ruling: the table is held from now on."""

    id: CommandId


class PreviewBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A report, an answer, or the undoing of a ruling, that is to be looked at first."""

    command: Raw


class HoldBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A report that is to be confirmed: the table is held until then."""

    id: CommandId
    command: Raw


class PitRuling(Struct, frozen=True, kw_only=True):
    """A ruling before it is confirmed, computed on a copy of the table."""

    place: str
    position: int
    """How far the log of the table went when it was computed."""
    ruling: Ruling
    signs: tuple[str, ...]
    """Ranks that must sign it."""
    yours: bool
    """Whether whoever asks may sign all of it; else it waits for somebody who may."""


class PitHeld(Struct, frozen=True, kw_only=True):
    """A table that is held, with the ruling that waits to be confirmed."""

    hold: PitHold
    preview: PitRuling | None
    """Nothing while it is not said yet what is reported."""


class HoldOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which hold is meant."""

    id: CommandId
    hold: int


class ConfirmBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ruling is to be carried out."""

    id: CommandId
    hold: int
    reason: Annotated[str, Meta(max_length=500)] = ""
    """Why, where something is signed with it."""
    pause: bool = False
    """Hold the table for a moment if it can be undone: `hold` of the answer."""


class PickBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The House's source picks, in the name of whoever asks for it."""

    id: CommandId
