"""From the log of a table to any format: the finished rounds, one piece for each.

The House gives stored rows as (position, event); whoever writes a file joins the pieces, or gives
each its own file where the format holds one hand (`joins`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Literal

import msgspec
from msgspec import Struct

from croupier.formats.banked_record import write_record
from croupier.formats.banked_record_log import banked_records
from croupier.formats.errors import FormatError
from croupier.formats.export_poker import poker_hands
from croupier.formats.hand import Hand
from croupier.formats.ohh import read_ohh
from croupier.formats.ohh_write import write_ohh
from croupier.formats.phh_write import write_phh
from croupier.formats.pokerstars import write_pokerstars
from croupier.formats.pokerstars_read import read_pokerstars
from croupier.pit import GAMES
from croupier.rulebooks import Rulebook
from croupier.table import AUDITOR, BrokenTable, Event, TableOpened, Viewer

Log = Iterable[tuple[int, Event]]
Writer = Callable[[Hand, Viewer, int], bytes]
"""Writes a hand for somebody, so many hands being written before it."""


class Format(Struct, frozen=True, kw_only=True):
    """A format that rounds can be written in."""

    name: str
    suffix: str
    """How its files end."""
    games: Literal["poker", "banked"]
    says: str
    joins: bool = True
    """Whether all pieces make one file; otherwise each is a file of its own."""


FORMATS: dict[str, Format] = {
    kind.name: kind
    for kind in (
        Format(
            name="phh",
            suffix=".phh",
            games="poker",
            says="Poker Hand History, one hand in each file",
            joins=False,
        ),
        Format(name="phhs", suffix=".phhs", games="poker", says="Poker Hand History, a collection"),
        Format(
            name="ohh",
            suffix=".ohh",
            games="poker",
            says="Open Hand History, for hand trackers",
        ),
        Format(
            name="pokerstars",
            suffix=".txt",
            games="poker",
            says="PokerStars-style text, for hand trackers that know nothing else",
        ),
        Format(
            name="banked-json",
            suffix=".jsonl",
            games="banked",
            says="the record of a banked round, one on each line",
        ),
    )
}
"""The formats by their names."""


def read_log(rows: Iterable[tuple[int, bytes]]) -> tuple[Rulebook, Iterator[tuple[int, Event]]]:
    """A stored log, position and JSON of each event, as its rulebook and its events.

    The first event says under which book the table was opened; the others are read as they are
    asked for.
    """
    stored = iter(rows)
    first = next(stored, None)
    if first is None:
        raise FormatError("the log is empty: the table was never opened")
    position, text = first
    try:
        opened = _opening.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        says = "a log begins with the opening of its table; give it from its first event"
        raise FormatError(says, place=f"position {position}") from error
    if opened.rulebook not in GAMES.games:
        raise FormatError(f"{opened.rulebook!r} is no rulebook", place=f"position {position}")
    kind = GAMES.games[opened.rulebook].table_type

    def events() -> Iterator[tuple[int, Event]]:
        yield position, opened
        for place, told in stored:
            try:
                event = kind.read_event(told)
            except (msgspec.DecodeError, RecursionError) as error:
                says = f"no event of {opened.rulebook}: {error}"
                raise FormatError(says, place=f"position {place}") from error
            yield place, event

    return GAMES.load(opened.rulebook), events()


_opening = msgspec.json.Decoder(TableOpened)


def formats_for(book: Rulebook) -> list[Format]:
    """The formats in which rounds under this book can be written."""
    family = GAMES.games[book.id].name
    return [kind for kind in FORMATS.values() if kind.games == family]


def export_rounds(
    log: Log,
    book: Rulebook,
    format: str,
    *,
    viewer: Viewer = AUDITOR,
    rounds: Container[int] | None = None,
    left_out: Callable[[int, FormatError], None] | None = None,
    room: str = "",
    currency: str = "",
    symbol: str = "",
) -> Iterator[bytes]:
    """The finished rounds of a log in a format, one piece of text for each.

    `log` holds every event of one table from its opening. The auditor sees every card; for
    `player("Ann")` the rounds are written as hers, with what she may know. `rounds` picks some of
    them by number; `room`, `currency` and `symbol` are what poker formats say of the place.

    A round that the format cannot tell, such as a void one in the format of a tracker, is left out;
    `left_out` hears of each by its number, with the reason.
    """
    kind = _format(format, book)
    told = _Checked(log, book)
    try:
        write = WRITERS.get(kind.name)
        if write is None:  # a record, not a hand
            for record in banked_records(told, book, viewer):
                if rounds is None or record.round in rounds:
                    yield write_record(record) + b"\n"
            return
        pieces = 0
        for hand in poker_hands(told, book, viewer, room=room, currency=currency, symbol=symbol):
            number = int(hand.number)
            if rounds is not None and number not in rounds:
                continue
            try:
                piece = write(hand, viewer, pieces)
            except FormatError as error:
                if left_out is not None:
                    left_out(number, error)
                continue
            yield piece
            pieces += 1
    except BrokenTable as error:
        raise FormatError(f"the log does not replay: {error}", place=told.place) from error


def _format(name: str, book: Rulebook) -> Format:
    fitting = [kind.name for kind in formats_for(book)]
    if name in fitting:
        return FORMATS[name]
    known = f"is for {FORMATS[name].games} tables" if name in FORMATS else "is no format"
    can = f"can be: {', '.join(fitting)}" if fitting else "can be in none"
    raise FormatError(f"{name!r} {known}; rounds of {book.short} {can}")


class _Checked:
    """A log that must begin with its opening, under this book, and go forward."""

    def __init__(self, log: Log, book: Rulebook) -> None:
        self.log = log
        self.book = book
        self.position: int | None = None

    @property
    def place(self) -> str:
        return f"position {self.position}"

    def __iter__(self) -> Iterator[tuple[int, Event]]:
        for position, event in self.log:
            before, self.position = self.position, position
            if before is None:
                self._check_opening(event)
            elif position <= before:
                raise FormatError(f"it comes after position {before}", place=self.place)
            yield position, event

    def _check_opening(self, event: Event) -> None:
        if not isinstance(event, TableOpened):
            says = "a log begins with the opening of its table; give it from its first event"
            raise FormatError(says, place=self.place)
        if event.rulebook != self.book.id:
            raise FormatError(
                f"the table was opened under {event.rulebook}, not {self.book.id}",
                place=self.place,
            )


# -- the writers -----------------------------------------------------------------------------------


def _hero(hand: Hand, viewer: Viewer) -> int | None:
    """The seat of the player for whom the hand is written, if he was dealt in."""
    if viewer.who is None:
        return None
    return next((player.seat for player in hand.players if player.name == viewer.who), None)


def _phh(hand: Hand, viewer: Viewer, before: int) -> bytes:
    return write_phh(hand).encode()


def _phhs(hand: Hand, viewer: Viewer, before: int) -> bytes:
    """One hand of a collection, under its number in it."""
    return f"{chr(10) if before else ''}[{before + 1}]\n{write_phh(hand)}".encode()


def _ohh(hand: Hand, viewer: Viewer, before: int) -> bytes:
    return _can_be_read(hand, write_ohh(hand, _hero(hand, viewer)), read_ohh) + b"\n\n"


def _pokerstars(hand: Hand, viewer: Viewer, before: int) -> bytes:
    piece = write_pokerstars(hand, _hero(hand, viewer)).encode()
    return _can_be_read(hand, piece, read_pokerstars) + b"\n\n"


def _can_be_read(hand: Hand, piece: bytes, read: Callable[[bytes], Hand]) -> bytes:
    """What is written for a tracker, if one can read it: chips that were moved or handed back in
    the course of a round may leave wagers that nobody can have made. Such a round is left out."""
    remarks = (act for street in hand.streets for act in street.acts if act.do == "note")
    if hand.rulings or next(remarks, None) is not None:
        try:
            read(piece)
        except FormatError as error:
            says = f"what was put right in it cannot be told: {error.says}"
            raise FormatError(says, place=error.place) from error
    return piece


WRITERS: dict[str, Writer] = {
    "phh": _phh,
    "phhs": _phhs,
    "ohh": _ohh,
    "pokerstars": _pokerstars,
}
