"""What a dispute file holds."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from croupier.house.audit.export import RefusedLine, RowLine
from croupier.house.audit.rounds import Told
from croupier.house.audit.shuffles import ShuffleReport
from croupier.house.records import OrderLine


class HeadLine(Struct, frozen=True, kw_only=True):
    """How far a log went when the file was made. Whoever signs heads vouches for the file too."""

    place: str
    position: int
    digest: str


class RulingLine(Struct, frozen=True, kw_only=True):
    """One order by which something was ruled, reported, decided, or taken back."""

    at: str
    clock: str
    """On the House's clock, for the cameras."""
    position: int
    who: str
    rank: str
    duty: str
    kinds: tuple[str, ...]
    order: str
    says: str
    cites: tuple[str, ...]


class StaffAct(Struct, frozen=True, kw_only=True):
    """What a member of staff did, and when, for the cameras."""

    at: str
    clock: str
    seconds: float
    """Since the round began."""
    order: str
    says: str


class StaffLine(Struct, frozen=True, kw_only=True):
    """A member of staff who was on duty, or acted."""

    name: str
    post: str
    area: str
    acting: bool
    since: str
    until: str
    acts: tuple[StaffAct, ...]


class MoneyLine(Struct, frozen=True, kw_only=True):
    """One account. Amounts are cents."""

    account: str
    player: str
    """Whose it is, where it is somebody's."""
    held_before: int
    amount: int
    held_after: int


class Paragraph(Struct, frozen=True, kw_only=True):
    """A paragraph that was cited, in our own words."""

    paragraph: str
    title: str
    says: str


class SeenLine(Struct, frozen=True, kw_only=True):
    """One event as the patron was allowed to see it."""

    at: str
    clock: str
    says: str
    cites: tuple[str, ...]


class DisputeLine(Struct, frozen=True, kw_only=True):
    """The dispute itself, as the office's log has it."""

    dispute: int
    patron: str
    claim: str
    by: str
    at: str
    deadline: str
    settled: dict[str, Any] | None = None


class Content(Struct, kw_only=True):
    """Everything that is known of a round or ruling."""

    made: str
    made_by: str
    version: str
    about: str
    place: str
    round: int | None
    position: int | None
    rulebook: str
    book: str
    settings: dict[str, Any]
    policies: dict[str, str]
    zone: str
    begun: str
    ended: str
    dispute: DisputeLine | None
    rulings: list[RulingLine]
    replay: list[Told]
    """Every event in words, with every card of the round."""
    after: list[Told]
    """What people did there until the next round began."""
    players: dict[int, str]
    """Who sat where."""
    staff: list[StaffLine]
    money: list[MoneyLine]
    paragraphs: list[Paragraph]
    orders: list[OrderLine]
    before: str
    """The digest of the event before the first one here."""
    rows: list[RowLine]
    """The events of the round as they are stored, each with its digest."""
    elsewhere: list[RowLine]
    """What the same orders caused at other places, and what people did after the round."""
    refused: list[RefusedLine]
    shuffles: list[ShuffleReport]
    shuffles_say: str
    """Why they could not be looked at, if so."""
    heads: list[HeadLine]
