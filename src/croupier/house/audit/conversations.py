"""What stands behind a log: known from its name or its first event, never from anywhere else.

An audit may make it again under another rulebook, or with other policies (`Instead`).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from croupier.house.errors import CorruptDatabase, HouseError
from croupier.house.office import OFFICE, Office
from croupier.house.records import UNREADABLE
from croupier.house.shuffle_book import ShuffleBook, is_shuffle_book
from croupier.jackpot import JackpotLink
from croupier.jackpot.events import LinkOpened
from croupier.pit.registry import GAMES
from croupier.rulebooks import Rulebook, RulebookError, load_file
from croupier.table import Conversation, Event, Table
from croupier.table.event import TableOpened


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
    except UNREADABLE as error:
        raise CorruptDatabase(f"the first event of {stream} cannot be read: {error}") from error
    if first.rulebook not in GAMES.games:
        raise CorruptDatabase(
            f"the log of {stream} begins with {first.event!r}, not with an opening"
        )
    book = GAMES.load(first.rulebook)
    if first.event == "link opened":
        return JackpotLink(book)
    return GAMES.games[first.rulebook].table_type(book)


class NoSuchInstead(HouseError):
    """Neither a rulebook nor a policy with one of its values."""


class Instead:
    """Other rulebooks and policies, under which a night is decided again."""

    def __init__(self, words: Iterable[str]) -> None:
        """Each word is a rulebook (an id, a part of one, or a file), `OLD=NEW` for the tables of
        one book alone, or `POLICY=VALUE`."""
        self.words = tuple(words)
        self.books: dict[str, Rulebook] = {}
        """The book that takes the place of each."""
        self.policies: dict[str, str] = {}
        for word in self.words:
            self._read(word)

    def _read(self, word: str) -> None:
        name, _, value = word.partition("=")
        known = {n: p for b in GAMES.games for n, p in GAMES.load(b).policies.items()}
        if value and name in known:
            values = {
                v
                for b in GAMES.games
                if name in GAMES.load(b).policies
                for v in GAMES.load(b).policies[name].values
            }
            if value not in values:
                raise NoSuchInstead(f"policy {name} is one of {', '.join(sorted(values))}")
            self.policies[name] = value
            return
        try:
            book = _book(value or name)
            for old in [GAMES.resolve(name)] if value else list(GAMES.games):
                if GAMES.load(old).family == book.family and GAMES.load(old) is not book:
                    self.books[old] = book
        except RulebookError as error:
            raise NoSuchInstead(f"{word!r} is no policy, and no rulebook: {error}") from error

    def concerns(self, conversation: Conversation[Any]) -> bool:
        """Whether anything is otherwise at such a table or link."""
        if not isinstance(conversation, Table | JackpotLink):
            return False
        book = conversation.book
        replaced = any(book is each for each in self.books.values())
        return replaced or any(name in book.policies for name in self.policies)

    def conversation(self, made: Conversation[Any]) -> Conversation[Any]:
        """The same table or link under its other book, where it has one."""
        book = self.books.get(made.book.id)
        if book is None or not isinstance(made, Table | JackpotLink):
            return made
        game = GAMES.games.get(book.id)
        kind = game.table_type if game is not None and isinstance(made, Table) else type(made)
        return kind(book)

    def event(self, conversation: Conversation[Any], event: Event) -> Event:
        """An opening as it would have been under the other book and policies."""
        if not isinstance(event, TableOpened | LinkOpened) or not self.concerns(conversation):
            return event
        book = conversation.book
        wanted = {**event.policies, **self.policies}
        fitting = {
            name: value
            for name, value in wanted.items()
            if name in book.policies and value in book.policies[name].values
        }
        policies = dict(book.policies_with(fitting))
        return msgspec.structs.replace(event, rulebook=book.id, policies=policies)


def _book(word: str) -> Rulebook:
    if word.endswith(".toml"):
        return load_file(Path(word))
    return GAMES.load(GAMES.resolve(word))
