"""The record of one round of a banked game: what it holds, its sums, how it is read and written.

The banked games have no hand history that others know, so this is our own, in JSON, with a version.
Money is whole cents. `docs/banked-record.md` describes every field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from croupier.banked import BankedSettings
from croupier.banked.commands import BetName
from croupier.banked.events import Result, When, Window
from croupier.banked.state import BETS
from croupier.cards import Card
from croupier.formats.errors import FormatError
from croupier.table import Box

FORMAT: Literal["croupier banked round"] = "croupier banked round"
VERSION: Literal[1] = 1
LONGEST = 4_000_000
"""A limit on everything: a record of more bytes than this is not read."""

Cents = Annotated[int, Meta(ge=0, description="whole cents")]
Signed = Annotated[int, Meta(description="whole cents; negative: paid by the player")]
Cites = tuple[str, ...]


class RecordError(FormatError):
    """A record cannot be read, or what it says does not add up; says what and where."""


class _Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the record: a field that version 1 does not have is an error."""


class BetSettled(_Part, frozen=True, kw_only=True):
    """One bet: `staked` = `returned` + `lost`, and `paid` = `won` + `returned`."""

    staked: Cents
    won: Cents
    returned: Cents
    lost: Cents
    paid: Cents


class Decision(_Part, frozen=True, kw_only=True):
    """What the player of a box decided in one window."""

    window: Window
    choice: Literal["flop bet", "turn bet", "river bet", "check", "fold"]
    position: int
    cites: Cites


class PaidLine(_Part, frozen=True, kw_only=True):
    """A jackpot line that was paid, by the House or from the meter of a link.

    `replaces` is the share of the meter in whose place a fixed line was paid. A line was
    `taken_back` where the hand was cancelled or the round void afterwards.
    """

    line: str
    paid: Cents
    source: Literal["house", "meter"]
    position: int
    cites: Cites
    link: str | None = None
    meter_before: Cents | None = None
    meter_after: Cents | None = None
    replaces: str | None = None
    taken_back: bool = False


class BoxPlayed(_Part, frozen=True, kw_only=True):
    """One box of the round: its bets, its cards, what was decided and how it was settled."""

    box: Box
    player: str
    bets: dict[BetName, BetSettled]
    cards: tuple[Card, ...]
    shown: tuple[Card, ...]
    """Those of them that lay open for everybody."""
    looked: bool
    decisions: tuple[Decision, ...]
    deemed: str
    """Why it counts as folded although its player did not say so."""
    result: Result
    hand: str
    bonus_line: str
    lines: tuple[PaidLine, ...]
    registered: bool
    """Whether its jackpot stake counts at the link."""
    dealt: When | None
    cites: Cites
    """The paragraphs on which it was settled, cancelled or handed back."""


class Reported(_Part, frozen=True, kw_only=True):
    """An irregularity, and what the book makes of it. `round` is the one it happened in."""

    position: int
    kind: str
    effect: str
    round: int
    boxes: tuple[Box, ...]
    says: str
    by: str
    cites: Cites
    undone: bool = False


class Ruled(_Part, frozen=True, kw_only=True):
    """A ruling: what was asked, what was ordered, by whom and why."""

    position: int
    question: str
    remedy: str
    reason: str
    who: str
    box: Box | None
    cites: Cites
    undone: bool = False


class Corrected(_Part, frozen=True, kw_only=True):
    """By ruling, the House paid a player, or collected from him (negative)."""

    position: int
    player: str
    amount: Signed
    cites: Cites


class Voided(_Part, frozen=True, kw_only=True):
    """The round has no result, and why."""

    cause: str
    position: int
    cites: Cites


class Told(_Part, frozen=True, kw_only=True):
    """One event of the round, as a sentence."""

    position: int
    event: str
    says: str
    cites: Cites


class Totals(_Part, frozen=True, kw_only=True):
    """The sums over all boxes, and what the House made of the round.

    `house` = `lost` - `won` + `from_meter` - `corrected`.
    """

    staked: Cents
    won: Cents
    returned: Cents
    lost: Cents
    paid: Cents
    from_meter: Cents
    corrected: Signed
    house: Signed


class BankedRecord(_Part, frozen=True, kw_only=True):
    """One round of a banked game, whole."""

    format: Literal["croupier banked round"] = FORMAT
    version: Literal[1] = VERSION
    table: str
    round: Annotated[int, Meta(ge=1)]
    rulebook: str
    book_version: int
    approved_by: str
    knowingly: bool
    """Whether it was played under this book although the book was not in force."""
    policies: dict[str, str]
    settings: BankedSettings
    at: When
    """When the dealer called for bets."""
    dealer_name: str
    first: int
    last: int
    """Where in the table's log it begins and ends."""
    status: Literal["concluded", "void"]
    void: Voided | None
    boxes: tuple[BoxPlayed, ...]
    community: tuple[Card, ...]
    community_shown: Annotated[int, Meta(ge=0)]
    """How many of them, from the first, lay face up."""
    dealer: tuple[Card, ...]
    dealer_shown: bool
    dealer_hand: str
    burns: tuple[Card, ...]
    thrown: tuple[Card, ...]
    """Cards that a ruling took out of the round."""
    irregularities: tuple[Reported, ...]
    rulings: tuple[Ruled, ...]
    corrections: tuple[Corrected, ...]
    players: dict[str, Signed]
    """What each player won or lost."""
    totals: Totals
    history: tuple[Told, ...]


# -- the sums -------------------------------------------------------------------------------------


def totals_of(
    boxes: Iterable[BoxPlayed], corrections: Iterable[Corrected], from_meter: int
) -> Totals:
    """The sums over the boxes of a round."""
    bets = [bet for box in boxes for bet in box.bets.values()]
    won, lost = sum(bet.won for bet in bets), sum(bet.lost for bet in bets)
    corrected = sum(each.amount for each in corrections)
    return Totals(
        staked=sum(bet.staked for bet in bets),
        won=won,
        returned=sum(bet.returned for bet in bets),
        lost=lost,
        paid=sum(bet.paid for bet in bets),
        from_meter=from_meter,
        corrected=corrected,
        house=lost - won + from_meter - corrected,
    )


def players_of(boxes: Iterable[BoxPlayed], corrections: Iterable[Corrected]) -> dict[str, int]:
    """What each player won or lost, by his bets and by corrections."""
    found: dict[str, int] = {}
    for box in boxes:
        won = sum(bet.paid - bet.staked for bet in box.bets.values())
        found[box.player] = found.get(box.player, 0) + won
    for each in corrections:
        found[each.player] = found.get(each.player, 0) + each.amount
    return dict(sorted(found.items()))


def _from_meter(record: BankedRecord) -> int:
    """What links have paid and not got back.

    In records of logs in which a line that was taken back did not go back to its meter, it stays
    counted.
    """
    lines = [line for box in record.boxes for line in box.lines if line.source == "meter"]
    whole = sum(line.paid for line in lines)
    if record.totals.from_meter == whole:
        return whole
    return sum(line.paid for line in lines if not line.taken_back)


def check_record(record: BankedRecord) -> None:
    """Raise `RecordError` where the record contradicts itself."""
    numbers = [box.box for box in record.boxes]
    if numbers != sorted(set(numbers)):
        raise RecordError(f"{numbers} is not a list of different boxes in order", place="boxes")
    for place, box in enumerate(record.boxes):
        _check_box(record, f"boxes[{place}]", box)
    _check_cards(record)
    _check_status(record)
    meter = _from_meter(record)
    _same("totals", record.totals, totals_of(record.boxes, record.corrections, meter))
    _same("players", record.players, players_of(record.boxes, record.corrections))
    if record.last < record.first:
        raise RecordError(f"the round ends at {record.last}, before it begins", place="last")


def _check_box(record: BankedRecord, where: str, box: BoxPlayed) -> None:
    for name, bet in box.bets.items():
        if bet.staked != bet.returned + bet.lost:
            raise RecordError(
                f"staked {bet.staked} is not returned {bet.returned} + lost {bet.lost}",
                place=f"{where}.bets.{name}",
            )
        if bet.paid != bet.won + bet.returned:
            raise RecordError(
                f"paid {bet.paid} is not won {bet.won} + returned {bet.returned}",
                place=f"{where}.bets.{name}",
            )
    known = Counter(card for card in box.cards if card.is_known)
    if Card.UNKNOWN not in box.cards and Counter(box.shown) - known:
        raise RecordError("not all of them are cards of the box", place=f"{where}.shown")
    paid = sum(line.paid for line in box.lines if not line.taken_back)
    jackpot = box.bets.get("progressive")
    won = jackpot.won if jackpot is not None else 0
    if paid != won:
        raise RecordError(
            f"jackpot lines paid {paid}, but the jackpot bet won {won}", place=f"{where}.lines"
        )
    for number, line in enumerate(box.lines):
        told = (line.link, line.meter_before, line.meter_after)
        if (line.source == "meter") != all(value is not None for value in told):
            raise RecordError(
                "link, meter_before and meter_after belong to a line that the meter pays, "
                "and to no other",
                place=f"{where}.lines[{number}]",
            )


def _check_cards(record: BankedRecord) -> None:
    places = [("community", record.community), ("dealer", record.dealer)]
    places += [("burns", record.burns), ("thrown", record.thrown)]
    places += [(f"boxes[{i}].cards", box.cards) for i, box in enumerate(record.boxes)]
    seen: dict[Card, str] = {}
    for where, cards in places:
        for card in cards:
            if card.is_known and card in seen:
                raise RecordError(f"{card} is in {seen[card]} already", place=where)
            seen[card] = where
    if record.community_shown > len(record.community):
        raise RecordError(
            f"{record.community_shown} of {len(record.community)} cards", place="community_shown"
        )


def _check_status(record: BankedRecord) -> None:
    if (record.status == "void") != (record.void is not None):
        raise RecordError(
            f"it is given for a void round and for no other ({record.status})", place="void"
        )
    if record.status != "void":
        return
    for place, box in enumerate(record.boxes):
        if box.result not in ("void", "cancelled"):
            raise RecordError(f"{box.result!r} in a void round", place=f"boxes[{place}].result")


def _same(where: str, said: Any, found: Any) -> None:
    if said == found:
        return
    said, found = msgspec.to_builtins(said), msgspec.to_builtins(found)
    for key in {**found, **said}:
        if said.get(key) != found.get(key):
            raise RecordError(
                f"the record says {said.get(key)}, its bets add up to {found.get(key)}",
                place=f"{where}.{key}",
            )


# -- in and out -----------------------------------------------------------------------------------


def write_record(record: BankedRecord) -> bytes:
    """The record as one line of JSON, its sums checked."""
    check_record(record)
    if record.settings.acting is not None:
        return msgspec.json.encode(record)
    # Of a table that does not say how its players act, a record says nothing of it either: so it
    # was before tables had the setting, and records of that time stay what they were.
    plain = msgspec.to_builtins(record)
    del plain["settings"]["acting"]
    return msgspec.json.encode(plain)


_decoder = msgspec.json.Decoder(BankedRecord)


class _Heading(Struct):
    """What says whether the rest can be read at all."""

    format: Any = None
    version: Any = None


_heading = msgspec.json.Decoder(_Heading)


def read_record(text: bytes | str) -> BankedRecord:
    """Read a record and check it; `RecordError` says what is wrong, and where."""
    if len(text) > LONGEST:
        raise RecordError(f"a record has at most {LONGEST:,} bytes, not {len(text):,}")
    try:
        heading = _heading.decode(text)
        if heading.format != FORMAT:
            raise RecordError(f"{heading.format!r} is not {FORMAT!r}", place="format")
        if heading.version != VERSION:
            raise RecordError(
                f"{heading.version!r} is unknown; this reader knows version {VERSION}",
                place="version",
            )
        record = _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(f"unreadable record: {error}") from error
    check_record(record)
    return record


def read_records(lines: Iterable[bytes | str]) -> Iterator[BankedRecord | RecordError]:
    """Read records line by line; for a line that cannot be read, its error, and on it goes."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield read_record(line)
        except RecordError as error:
            error.at(source=f"line {number}")
            yield error


def record_schema() -> dict[str, Any]:
    """The JSON Schema of a record, made from the same structs that read it."""
    schema = msgspec.json.schema(BankedRecord)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{FORMAT}, version {VERSION}",
        **schema,
    }


def in_order(bets: dict[BetName, BetSettled]) -> dict[BetName, BetSettled]:
    """The bets of a box in the order in which they are placed."""
    return {name: bets[name] for name in BETS if name in bets}
