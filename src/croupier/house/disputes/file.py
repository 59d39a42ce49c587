"""The dispute file: one JSON object that says what it holds, and its digest.

    {"croupier":"dispute file","format":1,"sha256":"<hex>","content":{…},"signatures":[]}

`sha256` is over the bytes of `content` as they stand in the file. The content has the rows of the
log with their digests, the orders they are bound to, and the head of every log when it was made:
so it is held to the log, and to every seal over a head that is at least as far. Whoever signs it
signs the 64 digits of `sha256`; a signature is added beside the others and changes nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec
from msgspec import UNSET, Raw, Struct

from croupier.house.audit.export import RowLine
from croupier.house.chain import digest, order_digest
from croupier.house.disputes.against import check_against
from croupier.house.disputes.records import Content
from croupier.house.errors import CorruptDatabase, WrongSchema
from croupier.house.records import Row
from croupier.house.store import Store

KIND = "dispute file"
FORMAT = 1


class Signature(Struct, frozen=True, kw_only=True):
    """Somebody vouches for the digest."""

    by: str
    key: str
    """The public key, or its name."""
    signature: str


class DisputeFile(Struct, kw_only=True):
    """The file."""

    croupier: str
    format: int
    sha256: str
    content: Raw
    signatures: list[Signature] = []

    def read(self) -> Content:
        """What it holds."""
        return msgspec.json.decode(self.content, type=Content)


def sealed(content: Content) -> tuple[bytes, str]:
    """The bytes of the file, and the digest of what it holds."""
    inner = msgspec.json.encode(content)
    sha256 = hashlib.sha256(inner).hexdigest()
    made = DisputeFile(croupier=KIND, format=FORMAT, sha256=sha256, content=Raw(inner))
    return msgspec.json.encode(made) + b"\n", sha256


def read_dispute_file(text: bytes, name: str = "the file") -> DisputeFile:
    """Read a file; what is none, or cannot be read, is an error."""
    try:
        found = msgspec.json.decode(text, type=DisputeFile)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CorruptDatabase(f"{name} is no dispute file: {error}") from error
    if found.croupier != KIND or found.format != FORMAT:
        raise WrongSchema(f"{name} is no dispute file of format {FORMAT}")
    return found


def check_dispute_file(file: DisputeFile, store: Store | None = None) -> list[str]:
    """What is wrong with a file, in sentences; held to the log itself, if there is one."""
    if hashlib.sha256(bytes(file.content)).hexdigest() != file.sha256:
        return ["the file was changed: what it holds does not have the digest that it says"]
    try:
        content = file.read()
    except msgspec.MsgspecError as error:
        return [f"the file cannot be read: {error}"]
    try:
        found = [*_chain(content), *_orders(content), *_sums(content)]
        return found if store is None else [*found, *_against(content, file.sha256, store)]
    except ValueError as error:  # a digest that is none
        return [f"the file cannot be read: {error}"]


def _row(line: RowLine) -> Row:
    return Row(
        stream=line.place,
        position=line.position,
        command_id=line.command_id,
        who=line.who,
        rank=line.rank,
        at=line.at,
        event=bytes(line.event),
        digest=bytes.fromhex(line.digest),
        order=bytes.fromhex(line.order) if line.order is not UNSET else b"",
    )


def _chain(content: Content) -> Iterator[str]:
    last = bytes.fromhex(content.before)
    position = content.rows[0].position - 1 if content.rows else 0
    for line in content.rows:
        row = _row(line)
        position += 1
        if row.position != position or digest(last, row) != row.digest:
            yield f"event {line.position} of {line.place} does not follow from the one before it"
        last = row.digest


def _orders(content: Content) -> Iterator[str]:
    bound = {
        (line.command_id, line.place): line.order
        for line in (*content.elsewhere, *content.rows)
        if line.order is not UNSET
    }
    for order in content.orders:
        made = order_digest(order.record()).hex()
        if bound.get((order.command_id, order.place)) != made:
            yield f"order {order.number} ({order.command_id}) is not the one its event is bound to"


def _sums(content: Content) -> Iterator[str]:
    for line in content.money:
        if line.held_before + line.amount != line.held_after:
            yield f"{line.account}: {line.held_before} and {line.amount} is not {line.held_after}"
    if sum(line.amount for line in content.money):
        yield "money came from nowhere: what the accounts gained and gave is not nothing"


def _against(content: Content, sha256: str, store: Store) -> Iterator[str]:
    for line in (*content.rows, *content.elsewhere):
        row = store.row(line.place, line.position)
        if row is None or row.as_stored() != _row(line):
            yield f"event {line.position} of {line.place} is not the one that is stored"
    for head in content.heads:
        row = store.row(head.place, head.position)
        if row is None or row.digest.hex() != head.digest:
            yield f"the log of {head.place} has another event {head.position} than when it was made"
    heads = {head.place: head.position for head in content.heads}
    if content.rows and heads.get(content.place, 0) < content.rows[-1].position:
        yield f"it says less of how far the log of {content.place} went than it holds of it"
    yield from check_against(content, sha256, store)
