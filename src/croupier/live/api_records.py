"""The records of the HTTP API. OpenAPI is made from them, so each field says what it is."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from croupier.house.reports.jackpot import Asked, OpenClaim, Waiting
from croupier.live.wire import JackpotMessage, SentHash, ToldSeed
from croupier.table import Money


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is wrong, as a word and as a sentence."""

    error: str
    says: str
    path: str = ""
    """Where it is wrong, in what was sent."""


class SeatAt(Struct, frozen=True, kw_only=True):
    """A seat or box that somebody has at a table."""

    place: str
    seat: int


class Me(Struct, frozen=True, kw_only=True):
    """Who you are here. `token` goes with every change as the header X-Croupier-Token."""

    name: str | None
    rank: str
    post: str | None = None
    """What staff are employed as, or stand in for; null for players."""
    on_duty: bool = False
    bot: bool
    token: str
    play_money: Money | None
    seats: tuple[SeatAt, ...]
    mode: str


class EnterBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name under which a guest enters."""

    name: Annotated[str, Meta(min_length=1, max_length=24)]
    bot: bool = False


class LoginBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Name and password of an account."""

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    password: Annotated[str, Meta(min_length=1, max_length=256)]
    code: Annotated[str, Meta(max_length=16)] = ""
    """Of the second factor, where somebody has one."""
    note: Annotated[str, Meta(max_length=500)] = ""
    """Of the key that is set up now, as it came with the key."""


class SecondFactorNeeded(Struct, frozen=True, kw_only=True):
    """The password is right, and a second factor is to be set up: the key for it."""

    error: str
    says: str
    key: str
    """In groups of four, to be typed into an authenticator app."""
    address: str
    """The same as an address that such an app opens."""
    note: str
    """Comes back with the first code."""


class SeatedPlayer(Struct, frozen=True, kw_only=True):
    """Somebody who sits at a table."""

    seat: int
    player: str
    stake: Money | None
    bot: bool
    away: bool


class AwaitedStaff(Struct, frozen=True, kw_only=True):
    """Somebody of the House's staff whom a table waits for."""

    rank: str
    whom: str
    """The rank in words, such as `a Pit Manager or above`."""
    says: str
    """For whom and for what, in a sentence."""


class TableSummary(Struct, frozen=True, kw_only=True):
    """A table as the lobby shows it."""

    place: str
    game: str
    rulebook: str
    title: str
    short: str
    version: int
    marked: str
    """A sentence that must be shown: the book is superseded, or not in force."""
    limits: dict[str, Money]
    seats: int
    players: tuple[SeatedPlayer, ...]
    status: str
    round: int
    link: str | None
    meter: Money | None
    watching: int
    """Connections of those who do not sit there."""
    delay: float = 0
    """Seconds by which those are told later than players; `status` and `round` too, and they are
    not told what players have before them."""
    private: bool = False
    """Whether it stands in no list but those of who made it or sits there."""
    closed: str = ""
    """Why nothing new begins there, in a sentence; empty where it is open."""
    notice: str = ""
    """That it closes after its next round, or after this one."""
    waits: AwaitedStaff | None = None
    """Whom of the House's staff it waits for, if nothing goes on there without him."""
    by_hand: bool = False
    """Whether a person deals there."""


class OwnPlace(Struct, frozen=True, kw_only=True):
    """Your own place on a waiting list."""

    list_of: str
    number: int
    """1 is next."""
    called_to: str
    """The table that you are called to; nothing while you wait."""


class Lobby(Struct, frozen=True, kw_only=True):
    """All tables and links, and where you wait for a seat."""

    mode: str
    tables: tuple[TableSummary, ...]
    links: tuple[JackpotMessage, ...]
    waiting: tuple[OwnPlace, ...] = ()


class TableDetails(Struct, frozen=True, kw_only=True):
    """One table with the information on it."""

    table: TableSummary
    sign: dict[str, Any]


class RoundsRecalled(Struct, frozen=True, kw_only=True):
    """The last rounds of a table, the newest first. It is a recall, not the table as it stands."""

    recall: bool
    place: str
    rounds: tuple[dict[str, Any], ...]


class RoundRecalled(Struct, frozen=True, kw_only=True):
    """One round as you were allowed to see it. It is a recall, not the table as it stands."""

    recall: bool
    place: str
    round: int
    events: tuple[dict[str, Any], ...]


class OpenedCard(Struct, frozen=True, kw_only=True):
    """One card of a shuffle, opened."""

    index: int
    """Its place in the shuffle, from the top."""
    place: int
    """Its place in the House's own order, to which the House had bound itself."""
    card: str
    salt: str
    path: tuple[str, ...]
    """What leads from its leaf to the root."""


class ShuffleProof(Struct, frozen=True, kw_only=True):
    """One shuffle of a round: what was told before it, and the cards of it that you were allowed
    to see. `leaves` is how releases up to 0.9 bound themselves."""

    made: Literal["mixed", "leaves"]
    purpose: str
    root: str
    cards: int
    openings: tuple[OpenedCard, ...]
    table: str = ""
    number: int = 0
    """Of the commitment."""
    digest: str = ""
    committed_root: str = ""
    hashes: tuple[SentHash, ...] = ()
    seeds: tuple[ToldSeed, ...] = ()
    unopened: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    counter: int = 0
    leaves: str = ""


class RoundShuffles(Struct, frozen=True, kw_only=True):
    """The shuffles of a round that is over."""

    place: str
    round: int
    shuffles: tuple[ShuffleProof, ...]


class AwardSummary(Struct, frozen=True, kw_only=True):
    """One award of a jackpot link."""

    table: str
    round: int
    box: int
    line: str
    paid: Money
    meter_before: Money
    meter_after: Money


class LinkPending(Struct, frozen=True, kw_only=True):
    """What waits at a jackpot link, for the staff of the House."""

    claims: tuple[OpenClaim, ...]
    """In the order of payment."""
    questions: tuple[Asked, ...]
    changes: tuple[Waiting, ...]
    """What was proposed and waits for a second person."""


class LinkDetails(Struct, frozen=True, kw_only=True):
    """A jackpot link as players may see it."""

    link: str
    rulebook: str
    status: str
    meter: Money
    display: Money
    reset_value: Money
    ceiling: Money | None
    overflow: Money
    hits: int
    awarded: Money
    contributed: Money
    tables: tuple[str, ...]
    awards: tuple[AwardSummary, ...]
    """The last 25, the newest last."""
    rules: tuple[str, ...]
    pending: LinkPending | None = None
    """For staff alone."""


class Links(Struct, frozen=True, kw_only=True):
    """All jackpot links."""

    links: tuple[LinkDetails, ...]


class BookSummary(Struct, frozen=True, kw_only=True):
    """One of the rulebooks."""

    rulebook: str
    title: str
    short: str
    version: int
    family: str
    regulator: str
    effective: str | None
    superseded_by: str | None
    paragraphs: int


class Books(Struct, frozen=True, kw_only=True):
    """The rulebooks."""

    rulebooks: tuple[BookSummary, ...]


class ParagraphSummary(Struct, frozen=True, kw_only=True):
    """A paragraph in our own words."""

    paragraph: str
    title: str
    section: str
    says: str


class Reading(Struct, frozen=True, kw_only=True):
    """How an open point of the text is read."""

    reading: str
    question: str
    answer: str


class PolicyDetails(Struct, frozen=True, kw_only=True):
    """A point that the operator may choose."""

    policy: str
    reading: str
    question: str
    values: dict[str, str]
    default: str


class ParagraphDetails(Struct, frozen=True, kw_only=True):
    """A paragraph with the readings that bite there."""

    rulebook: str
    paragraph: str
    title: str
    section: str
    says: str
    notes: tuple[Reading, ...]
    policies: tuple[PolicyDetails, ...]


class BookDetails(Struct, frozen=True, kw_only=True):
    """A rulebook: its paragraphs, pay tables and policies."""

    book: BookSummary
    sections: dict[str, str]
    paragraphs: tuple[ParagraphSummary, ...]
    pays: tuple[dict[str, Any], ...]
    policies: tuple[PolicyDetails, ...]


class TableReport(Struct, frozen=True, kw_only=True):
    """What a table has done since it was first opened."""

    place: str
    rulebook: str
    rounds: int
    events: int
    house: Money
    """The rake of a poker table; what the House has won or lost at a banked one."""
    from_meter: Money
    seated: int
    watching: int


class TableReports(Struct, frozen=True, kw_only=True):
    """All tables."""

    tables: tuple[TableReport, ...]


class Health(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whether the server can do its work. Everybody is told the first two."""

    status: str
    """`ok` or `down`."""
    code: str = ""
    """Why it is down: `stopping`; `tables`: it shows none, others may run them; `database`: it does
    not answer; `storing`: it does not store."""
    version: str = ""
    mode: str = ""
    tables: int | None = None
    viewers: int | None = None
    up: float | None = None
    alarms: tuple[str, ...] | None = None
    """What is wrong with the record: its copies, its archives, its seals. The House works all the
    same."""
    server: str = ""
    """What this server is called, where several share a House."""
    servers: tuple[str, ...] | None = None
    """The others that it knows of."""
    runs: tuple[str, ...] | None = None
    """The tables that it runs."""
    lost: tuple[str, ...] | None = None
    """Tables of which the others have relieved it, and that it has not got back."""
