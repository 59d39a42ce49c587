"""How the records of the House lie in the database: their columns, and how a row is read.

SQLite takes a value of any kind in any column, so whatever is read is looked at first; what is not
stored as it must be is a `CorruptDatabase` with its name.
"""

from __future__ import annotations

from typing import Any

from msgspec import ValidationError, convert
from msgspec.structs import fields, replace

from croupier.house.errors import CorruptDatabase
from croupier.house.group import ORDER
from croupier.house.records import Entry, Head, Opening, OrderRecord, RefusedRecord, Row, Secret
from croupier.house.vault import MARK, TEXT_MARK, Vault

ROW = ("place", "position", "command_id", "who", "rank", "at", "event", "digest", "order_digest")
ORDER_TYPES = (int, *[str] * 7, bytes, bytes)
"""Of the columns of an order, as they are read."""
RAW_ORDER_TYPES = (*ORDER_TYPES, int, type(None))
UNBOUND_ORDER_TYPES = (*ORDER_TYPES, int, bytes)
"""The same with how many events it had, and its digest where no row is bound to it."""
ORDER_COLUMNS = (*ORDER, "events", "digest")
REFUSED = tuple(field.name for field in fields(RefusedRecord))


def is_order(values: tuple[Any, ...]) -> bool:
    """Whether this is stored as an order is, with how many events it had and its digest."""
    kinds = tuple(map(type, values))
    return kinds in (RAW_ORDER_TYPES, UNBOUND_ORDER_TYPES)


def is_row(values: tuple[Any, ...]) -> bool:
    """Whether this is stored as a row is: SQLite takes a value of any kind in any column."""
    _, position, _, _, _, _, event, last, order = values
    return (
        type(position) is int
        and type(event) is bytes
        and type(last) is bytes
        and (order is None or type(order) is bytes)
    )


def read_row(values: tuple[Any, ...]) -> Row:
    stream, position, command_id, who, rank, at, event, last, order = values
    if not is_row(values):
        raise CorruptDatabase(f"event {position} of {stream} is not stored as an event is")
    return Row(
        stream=stream,
        position=position,
        command_id=command_id,
        who=who,
        rank=rank,
        at=at,
        event=event,
        digest=last,
        order=order or b"",
    )


def read_order(values: tuple[Any, ...]) -> OrderRecord:
    number, command_id, place, who, rank, at, authority, software, also, command = values
    if tuple(map(type, values)) != ORDER_TYPES:
        raise CorruptDatabase(f"order {command_id!r} is not stored as an order is")
    return OrderRecord(
        number=number,
        command_id=command_id,
        place=place,
        who=who,
        rank=rank,
        at=at,
        authority=authority,
        software=software,
        also=also,
        command=command,
    )


def read_refused(values: tuple[Any, ...]) -> RefusedRecord:
    named = dict(zip(REFUSED, values, strict=True))
    try:
        return convert(named, RefusedRecord)
    except ValidationError as error:
        raise CorruptDatabase(
            f"refused order {values[0]!r} is not stored as such: {error}"
        ) from error


def read_head(stream: str, position: int, last: bytes) -> Head:
    if type(stream) is not str or type(position) is not int or type(last) is not bytes:
        raise CorruptDatabase(f"the head of {stream!r} is not stored as a head is")
    return Head(stream=stream, position=position, digest=last)


def read_entry(values: tuple[Any, ...]) -> Entry:
    stream, position, account, amount = values
    return Entry(stream=stream, position=position, account=account, amount=amount)


def is_writable(text: str) -> bool:
    """Whether every database can look for this text."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def sealed_secret(vault: Vault, secret: Secret) -> Secret:
    if secret.secret.startswith(TEXT_MARK):
        return secret
    about = about_secret(secret.name, secret.kind)
    return replace(secret, secret=vault.seal_text(secret.secret, about))


def sealed_opening(vault: Vault, opening: Opening) -> Opening:
    if opening.seed.startswith(MARK):
        return opening
    about = about_opening(opening.shuffle, opening.stream)
    return replace(opening, seed=vault.seal(opening.seed, about))


def about_secret(name: str, kind: str) -> str:
    return f"the {kind} of {name}"


def about_state(stream: str, position: int) -> str:
    return f"the state of {stream} after event {position}"


def about_opening(shuffle: str, stream: str) -> str:
    return f"the secret {shuffle} of {stream}"
