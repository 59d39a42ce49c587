"""One file that an auditor takes away and verifies offline.

JSON lines, in this order; a name that ends in `.gz` is compressed:

    {"croupier":"audit export","format":3,"version":"…","made":"…"}
    {"row":{"place":"…","position":1,"command_id":"…","who":"…","rank":"…","at":"…",
            "digest":"<hex>","event":{…}}}     stored before orders were, by place and position
    {"order":{"number":0,"command_id":"…","place":"…","who":"…","rank":"…","at":"…",
              "authority":{…},"software":"…","also":[…],"command":{…},"events":2}}
    {"row":{…,"digest":"<hex>","order":"<hex>","event":{…}}}   what came of it, and so on
    {"entry":{"place":"…","position":7,"account":"…","amount":-500}}
    {"balance":{"account":"…","balance":1200}}
    {"opening":{"shuffle":"…","place":"…","seed":"<hex>"}}
    {"refused":{"number":1,"command_id":"…",…,"command":{…},"says":"…","cites":"…",…}}
    {"seal":{"body":"…","signature":"<hex>"}}                  as the House signed it
    {"witness":{"seal":1,"digest":"<hex>","witness":"…","at":"…","key":"…","signature":"…"}}
    {"end":{"lines":12345,"sha256":"<hex>"}}                   over all lines before it

Orders stand as they were given, over all logs: each has the number of the one before it and as many
more as that one had events. The event of a shuffle for a round that has not begun is `null`, its
order has no command, and its opening is left out (`croupier.house.audit.withheld`). Hashes of
passwords are not in the file: the log has their digests. To verify it with croupier, it is read
into a database of its own and audited like any other; `croupier.house.audit.alone` is one file that
needs nothing but Python.
"""

from __future__ import annotations

import gzip
import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, cast

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, structs

from croupier import __version__
from croupier.house.audit.withheld import unplayed
from croupier.house.errors import CorruptDatabase, HouseError, StorageError, WrongSchema
from croupier.house.group import NO_ORDER, ORDER
from croupier.house.private import make_private
from croupier.house.records import WITHHELD, OrderLine, Row
from croupier.house.rows import REFUSED, ROW
from croupier.house.seals.kept import marks_of, stored_seals
from croupier.house.seals.records import SignedSeal, WitnessMark
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store

FORMAT = 3
READS = (1, 2, 3)
"""In format 1 nothing was withheld; before format 3 there were no orders."""
KIND = "audit export"
AT_ONCE = 1_000
Progress = Callable[[int], None]


class OpenRounds(HouseError):
    """Tables whose cards are still to be played: an export would tell them."""


class Header(Struct, kw_only=True):
    """The first line."""

    croupier: str
    format: int
    version: str
    made: str


class RowLine(Struct, kw_only=True):
    """One row of the log."""

    place: str
    position: int
    command_id: str
    who: str
    rank: str
    at: str
    digest: str
    order: str | UnsetType = UNSET
    event: Raw

    @classmethod
    def of(cls, row: Row, event: bytes | None = None) -> RowLine:
        """The line of a row as it is stored, its deck hidden; `event` stands in for its own."""
        return cls(
            place=row.stream,
            position=row.position,
            command_id=row.command_id,
            who=row.who,
            rank=row.rank,
            at=row.at,
            digest=row.digest.hex(),
            order=row.order.hex() or UNSET,
            event=Raw(event or row.stored or row.event),
        )


class RefusedLine(Struct, kw_only=True):
    """What was refused."""

    number: int
    command_id: str
    place: str
    who: str
    rank: str
    at: str
    authority: str
    software: str
    command: Raw
    says: str
    cites: str
    written: int
    follows: str
    digest: str


class EntryLine(Struct, kw_only=True):
    """One entry of the ledger."""

    place: str
    position: int
    account: str
    amount: int


class BalanceLine(Struct, kw_only=True):
    """What an account holds."""

    account: str
    balance: int


class OpeningLine(Struct, kw_only=True):
    """The seed of a shuffle."""

    shuffle: str
    place: str
    seed: str


class EndLine(Struct, kw_only=True):
    """The last line: how many came before it, and their digest."""

    lines: int
    sha256: str


class ExportLine(Struct, kw_only=True, omit_defaults=True):
    """Any line but the first; exactly one of these."""

    row: RowLine | None = None
    order: OrderLine | None = None
    entry: EntryLine | None = None
    balance: BalanceLine | None = None
    opening: OpeningLine | None = None
    refused: RefusedLine | None = None
    seal: SignedSeal | None = None
    witness: WitnessMark | None = None
    end: EndLine | None = None


_read = msgspec.json.Decoder(ExportLine)
_KINDS = ExportLine.__struct_fields__


# -- writing --------------------------------------------------------------------------------------


def export(
    store: Store,
    file: Path,
    *,
    with_open_rounds: bool = False,
    progress: Progress = lambda events: None,
) -> int:
    """Write everything into one file, whole or not at all; return how many lines it has.

    Cards that are shuffled and not yet played are in the log. Unless it is said that they may be
    told, a shuffle for a round that has not begun is withheld, and a House with a round under way
    is not exported.
    """
    with store.as_it_stands() as now:
        return _export(now, file, with_open_rounds, progress)


def _export(store: Store, file: Path, with_open_rounds: bool, progress: Progress) -> int:
    withheld: dict[str, int] = {}
    secrets: set[str] = set()
    if not with_open_rounds:
        found = unplayed(store)
        if found.begun:
            raise OpenRounds(
                f"cards are being played at {', '.join(found.begun)}; wait until those rounds "
                f"are over, or say that the file may tell them (--with-open-rounds) and keep it "
                f"closed until then"
            )
        withheld, secrets = found.closed, found.secrets
    beside = file.with_name(f"{file.name}.part")
    try:
        beside.unlink(missing_ok=True)
        make_private(beside)  # it has every card of the House, and who holds how much
        with _stream(beside, file.name, "wb") as stream:
            lines = _write(store, stream, withheld, secrets, progress)
        beside.replace(file)
    except OSError as error:
        raise StorageError(f"{file} cannot be written: {error}") from error
    finally:
        beside.unlink(missing_ok=True)
    return lines


def _stream(file: Path, name: str, mode: str) -> IO[bytes]:
    if name.endswith(".gz"):
        return cast(IO[bytes], gzip.open(file, mode))
    return cast(IO[bytes], file.open(mode))


def _write(
    store: Store,
    stream: IO[bytes],
    withheld: dict[str, int],
    secrets: set[str],
    progress: Progress,
) -> int:
    total = hashlib.sha256()
    lines = 0
    now = datetime.now(UTC).isoformat()
    header = Header(croupier=KIND, format=FORMAT, version=__version__, made=now)
    for line in _lines(store, header, withheld, secrets, progress):
        text = msgspec.json.encode(line) + b"\n"
        total.update(text)
        stream.write(text)
        lines += 1
    end = ExportLine(end=EndLine(lines=lines, sha256=total.hexdigest()))
    stream.write(msgspec.json.encode(end) + b"\n")
    return lines + 1


def _lines(
    store: Store, header: Header, withheld: dict[str, int], secrets: set[str], progress: Progress
) -> Iterator[Header | ExportLine]:
    yield header
    written = 0
    closed = set(secrets)
    places = store.streams()
    for place in places:
        first = store.ordered_from(place)
        for row in store.rows(place, until=first - 1 if first is not None else None):
            yield _row_line(row, withheld, closed)
            written += 1
            progress(written)
    for decided in store.decisions():
        order = decided.order
        if any(row.position == withheld.get(row.stream) for row in decided.rows):
            order = structs.replace(order, command=b"")  # unless its deck is hidden
        yield ExportLine(order=OrderLine.of(order, decided.events, decided.digest))
        for row in decided.rows:
            yield _row_line(row, withheld, closed)
            written += 1
        progress(written)
    stored = store.count_rows()
    if written != stored:
        raise CorruptDatabase(
            f"{stored - written} events belong to no order; `croupier audit verify` says which"
        )
    for place in places:
        for e in store.entries(place):
            yield ExportLine(
                entry=EntryLine(
                    place=e.stream, position=e.position, account=e.account, amount=e.amount
                )
            )
    for account, balance in store.balances().items():
        yield ExportLine(balance=BalanceLine(account=account, balance=balance))
    for o in store.openings():
        if o.shuffle in closed:
            continue
        yield ExportLine(opening=OpeningLine(shuffle=o.shuffle, place=o.stream, seed=o.seed.hex()))
    for refused in store.refused():
        values = structs.asdict(refused)
        values |= {"follows": refused.follows.hex(), "digest": refused.digest.hex()}
        yield ExportLine(refused=RefusedLine(**{**values, "command": Raw(refused.command)}))
    for seal in stored_seals(store):
        yield ExportLine(seal=seal)
    for mark in marks_of(store):
        yield ExportLine(witness=mark)


def _row_line(row: Row, withheld: dict[str, int], closed: set[str]) -> ExportLine:
    """A row of the log; the event of a shuffle that is still to be played is withheld."""
    event = None
    if row.position == withheld.get(row.stream) and not row.stored:
        closed.add(row.command_id)
        event = WITHHELD
    return ExportLine(row=RowLine.of(row, event))


# -- reading --------------------------------------------------------------------------------------


UNREADABLE = (OSError, EOFError, zlib.error)
"""How a compressed file says that it is not whole."""


def is_export(file: Path) -> bool:
    """Whether a file begins as an export does; one that cannot be unpacked may have been one."""
    try:
        with _stream(file, file.name, "rb") as stream:
            return stream.readline(10_000).startswith(b'{"croupier":"audit export"')
    except UNREADABLE:
        return file.name.endswith(".gz") and file.read_bytes()[:2] == b"\x1f\x8b"


def read_into(file: Path, database: SqliteDatabase) -> Store:
    """Read an export into an empty database, to be audited there.

    A file that is not as it was written is a `CorruptDatabase`: that is looked at before any line
    is read, for a changed line could say anything.
    """
    check_whole(file)
    store = Store(database)
    store.exported = True
    try:
        with database.transaction():
            _fill(file, store)
    except CorruptDatabase as error:
        if not isinstance(error.__cause__, sqlite3.IntegrityError):
            raise
        raise CorruptDatabase(f"{file} says something twice: {error.__cause__}") from error
    except OverflowError as error:
        raise CorruptDatabase(f"{file} has a number that no House can have: {error}") from error
    return store


def check_whole(file: Path) -> None:
    """Whether the file is as it was written: its last line has the digest of all before it."""
    total = hashlib.sha256()
    end: EndLine | None = None
    number = 0
    with _stream(file, file.name, "rb") as stream:
        for number, text in enumerate(_texts(file, stream), start=1):
            if end is not None:
                raise CorruptDatabase(
                    f"{file} was changed: line {number}, there is more after the end"
                )
            if number == 1:
                _check_header(file, text)
            elif text.startswith(b'{"end":'):
                try:
                    end = _read.decode(text).end
                except msgspec.MsgspecError as error:
                    raise CorruptDatabase(
                        f"{file} was cut off or changed: line {number}: {error}"
                    ) from error
                if end is None:  # what it says beside that would have no digest
                    raise CorruptDatabase(f"{file} was changed: line {number} is no end")
                continue
            total.update(text)
    if end is None:
        raise CorruptDatabase(f"{file} is not whole: it was cut off after line {number}")
    if end.sha256 != total.hexdigest():
        raise CorruptDatabase(f"{file} was changed: its lines do not have the digest it ends with")
    if end.lines != number - 1:
        raise CorruptDatabase(
            f"{file} was changed: it has {number - 1} lines and says {end.lines} at its end"
        )


def _fill(file: Path, store: Store) -> None:
    database = store.database
    pending: dict[str, list[tuple[Any, ...]]] = {}
    heads: dict[str, tuple[int, bytes]] = {}
    commands: dict[str, int] = {}
    """How many events each command has whose order is not in the file."""
    ordered: set[str] = set()
    seals: dict[int, str] = {}
    """The digest of each seal, which witnesses have signed."""
    with _stream(file, file.name, "rb") as stream:
        for number, text in enumerate(_texts(file, stream), start=1):
            if number == 1:
                continue
            try:
                line = _read.decode(text)
            except msgspec.MsgspecError as error:
                raise CorruptDatabase(f"{file}, line {number}: {error}") from error
            where = f"{file}, line {number}"
            if sum(getattr(line, kind) is not None for kind in _KINDS) > 1:
                raise CorruptDatabase(f"{where} says two things at once")
            if line.end is not None:
                continue
            _take(line, pending, heads, commands, ordered, where)
            if line.seal is not None:
                seals[line.seal.read().number] = line.seal.digest
            elif line.witness is not None and seals.get(line.witness.seal) != line.witness.digest:
                if not line.witness.holds():
                    raise CorruptDatabase(f"{where}: the witness has not signed this")
                raise CorruptDatabase(f"{where}: the witness has signed another seal: FORK")
            for table in [t for t, rows in pending.items() if len(rows) >= AT_ONCE]:
                database.insert(table, _COLUMNS[table], pending.pop(table))
    pending.setdefault("heads", []).extend((p, n, d) for p, (n, d) in heads.items())
    pending.setdefault("orders", []).extend(
        (None, command_id, *NO_ORDER, events, None) for command_id, events in commands.items()
    )
    for table, rows in pending.items():
        if rows:
            database.insert(table, _COLUMNS[table], rows)
    database.execute("UPDATE length SET events = (SELECT COUNT(*) FROM log)")


def _texts(file: Path, stream: IO[bytes]) -> Iterator[bytes]:
    try:
        yield from stream
    except UNREADABLE as error:
        raise CorruptDatabase(
            f"{file} was cut off or changed: it cannot be read to its end ({error})"
        ) from error


_COLUMNS: dict[str, tuple[str, ...]] = {
    "log": ROW,
    "entries": ("place", "position", "account", "amount"),
    "balances": ("account", "balance"),
    "openings": ("shuffle", "place", "seed"),
    "heads": ("place", "position", "digest"),
    "orders": (*ORDER, "events", "digest"),
    "refused": REFUSED,
    "seals": ("number", "body", "signature"),
    "seal_witnesses": ("number", "key", "witness", "at", "signature"),
}


def _check_header(file: Path, text: bytes) -> None:
    try:
        header = msgspec.json.decode(text, type=Header)
    except msgspec.MsgspecError as error:
        raise CorruptDatabase(f"{file} is no audit export: {error}") from error
    if header.croupier != KIND or header.format not in READS:
        raise WrongSchema(
            f"{file} is an export of format {header.format}; this croupier reads "
            f"{' and '.join(map(str, READS))}"
        )


def _take(
    line: ExportLine,
    pending: dict[str, list[tuple[Any, ...]]],
    heads: dict[str, tuple[int, bytes]],
    commands: dict[str, int],
    ordered: set[str],
    where: str,
) -> None:
    try:
        if line.row is not None:
            r = line.row
            digest = bytes.fromhex(r.digest)
            heads[r.place] = (r.position, digest)
            if r.command_id not in ordered:
                commands[r.command_id] = commands.get(r.command_id, 0) + 1
            order = bytes.fromhex(r.order) if r.order is not UNSET else b""
            row = (r.place, r.position, r.command_id, r.who, r.rank, r.at, bytes(r.event))
            pending.setdefault("log", []).append((*row, digest, order))
        elif line.order is not None:
            o = line.order
            ordered.add(o.command_id)
            beside = bytes.fromhex(o.digest) or None
            record = structs.asdict(o.record())
            order_row = (*(record[key] for key in ORDER), o.events, beside)
            pending.setdefault("orders", []).append(order_row)
        elif line.refused is not None:
            values = structs.asdict(line.refused)
            values |= {key: bytes.fromhex(values[key]) for key in ("follows", "digest")}
            values["command"] = bytes(line.refused.command)
            pending.setdefault("refused", []).append(tuple(values[key] for key in REFUSED))
        elif line.entry is not None:
            pending.setdefault("entries", []).append(msgspec.structs.astuple(line.entry))
        elif line.balance is not None:
            pending.setdefault("balances", []).append(msgspec.structs.astuple(line.balance))
        elif line.opening is not None:
            told = line.opening
            seed = bytes.fromhex(told.seed)
            pending.setdefault("openings", []).append((told.shuffle, told.place, seed))
        elif line.seal is not None:
            seal = (line.seal.body.encode(), bytes.fromhex(line.seal.signature))
            pending.setdefault("seals", []).append((line.seal.read().number, *seal))
        elif line.witness is not None:
            w = line.witness
            mark = (w.seal, w.key, w.witness, w.at, bytes.fromhex(w.signature))
            pending.setdefault("seal_witnesses", []).append(mark)
        else:
            raise CorruptDatabase(f"{where} says nothing")
    except ValueError as error:
        raise CorruptDatabase(f"{where}: {error}") from error
