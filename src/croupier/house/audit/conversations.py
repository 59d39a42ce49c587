"""What stands behind a log: known from its name or its first event, never from anywhere else."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.house.errors import CorruptDatabase
from croupier.house.office import OFFICE, Office
from croupier.house.shuffle_book import ShuffleBook, is_shuffle_book
from croupier.jackpot import JackpotLink
from croupier.pit.registry import GAMES
from croupier.table import Conversation


class _First(msgspec.Struct, kw_only=True):
    """What the first event of a table or link says of itself."""

    event: str
    rulebook: str = ""


def conversation_of(stream: str, first_event: bytes) -> Conversation[Any]:
    """The empty table, link, office or shuffle book that this log begins."""
    if stream == OFFICE:
        return Office()
    if is_shuffle_book(stream):
        return ShuffleBook()
    try:
        first = msgspec.json.decode(first_event, type=_First)
    except msgspec.MsgspecError as error:
        raise CorruptDatabase(f"the first event of {stream} cannot be read: {error}") from error
    if first.rulebook not in GAMES.games:
        raise CorruptDatabase(
            f"the log of {stream} begins with {first.event!r}, not with an opening"
        )
    book = GAMES.load(first.rulebook)
    if first.event == "link opened":
        return JackpotLink(book)
    return GAMES.games[first.rulebook].table_type(book)
