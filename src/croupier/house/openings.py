"""Openings: after a round everybody gets the openings of the cards that he was allowed to see.

Which cards those are is not decided here. The log of the table is replayed, and after every command
each player is given what `view` and `show` give him: his own cards once he has looked, what lay
face up, the board. What he saw of a card that had left the shoe, he may open; where a card went
that was shuffled in again, he may not. The auditor may open all.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, Protocol

from msgspec import Struct

from croupier.cards import Card
from croupier.house.commitment import (
    CardOpening,
    open_card,
    verify_opening,
    verify_seed,
)
from croupier.house.errors import HouseError, UnknownPlace
from croupier.house.proof import Mixed, wrong_with_shuffle
from croupier.house.records import Row
from croupier.house.replaying import apply_event, held_rows, read_event
from croupier.house.shuffle_book import (
    Committed,
    SecretCommitted,
    ShuffleBook,
    ShuffleMixed,
    is_shuffle_book,
)
from croupier.house.store import Store
from croupier.pit.registry import GAMES
from croupier.pit.telling import cards_in
from croupier.table import PUBLIC, Event, ShuffleGiven, Table, Viewer, player

ROUNDS_KEPT = 100
"""Finished rounds of each table that are kept ready to be opened; others are replayed."""

EVERYBODY = ""
"""Under this name stands what lay face up."""


Told = Committed | Mixed
"""What was told of a shuffle: as releases up to 0.9 did, or by a secret and seeds."""


class NotOver(HouseError):
    """A round is still under way: nothing of it is opened."""


class UnknownRound(HouseError):
    """There is no such round in the log of a table."""


class BrokenCommitment(HouseError):
    """A shuffle and its commitment do not belong together: the log or a seed was changed."""


class Shuffled(Struct, frozen=True, kw_only=True):
    """One shuffle of a round, as the table was given it."""

    shuffle: str
    need: int
    purpose: str
    cards: tuple[Card, ...]


class RoundCards(Struct, kw_only=True):
    """The shuffles of one round, and which of their cards were seen, by whom."""

    shuffles: list[Shuffled] = []
    seen: dict[str, set[tuple[str, int]]] = {}
    """For each player, and for everybody, the places that were seen: shuffle and index."""

    def seen_by(self, viewer: Viewer) -> set[tuple[str, int]]:
        """The places that a viewer may open."""
        if viewer.auditor:
            return {(s.shuffle, index) for s in self.shuffles for index in range(len(s.cards))}
        open_ones = self.seen.get(EVERYBODY, set())
        return open_ones if viewer.who is None else open_ones | self.seen.get(viewer.who, set())


class Pit(Protocol):
    """The tables that there are."""

    @property
    def tables(self) -> Mapping[str, Table[Any]]: ...


class Reading(Protocol):
    """As much of a House as opening cards needs: its logs, and which tables there are."""

    @property
    def reader(self) -> Store: ...
    @property
    def pit(self) -> Pit: ...


class Openings:
    """Opens the cards of finished rounds. One of it serves a whole House; it is not for threads."""

    def __init__(self, house: Reading) -> None:
        self.house = house
        self._replays: dict[str, _Replay] = {}

    def openings_for(self, place: str, round_number: int, viewer: Viewer) -> list[CardOpening]:
        """The openings of what a viewer was allowed to see in a finished round, in order."""
        cards = self.cards_of(place, round_number)
        mine = cards.seen_by(viewer)
        opened: list[CardOpening] = []
        for shuffled in cards.shuffles:
            wanted = sorted(index for shuffle, index in mine if shuffle == shuffled.shuffle)
            if wanted:
                told = self.committed(shuffled.shuffle)
                opened += open_cards(told, shuffled, self._seed(told, shuffled), wanted)
        return opened

    def commitments_of(self, place: str, round_number: int) -> list[Told]:
        """What the House had bound itself to in a round, shuffle by shuffle."""
        return [self.committed(s.shuffle) for s in self.cards_of(place, round_number).shuffles]

    def committed(self, shuffle: str) -> Told:
        """What was told of a shuffle before the deal."""
        return told_of(self.house.reader, shuffle)

    def verify_round(self, place: str, round_number: int) -> list[Told]:
        """Check that every shuffle of a round was committed to as it was dealt; name what is not.

        Returns the commitments, so that somebody can compare the roots with those he was told.
        """
        made = []
        for shuffled in self.cards_of(place, round_number).shuffles:
            told = self.committed(shuffled.shuffle)
            book = told.mixed if isinstance(told, Mixed) else told
            if (book.table, book.need) != (place, shuffled.need):
                raise BrokenCommitment(
                    f"shuffle {shuffled.shuffle} was given to {place} for need {shuffled.need}, "
                    f"but the book has it for {book.table}, need {book.need}"
                )
            wrong = wrong_with(told, shuffled.cards, self._seed(told, shuffled))
            if wrong:
                raise BrokenCommitment(
                    f"shuffle {shuffled.shuffle} of {place} ({shuffled.purpose}) does not open: "
                    f"{wrong}"
                )
            made.append(told)
        return made

    def cards_of(self, place: str, round_number: int) -> RoundCards:
        """The shuffles of a finished round, and who saw what."""
        table = self.house.pit.tables.get(place)
        if table is None:
            raise UnknownPlace(f"there is no table {place!r}")
        replay = self._replays.get(place)
        if replay is None or replay.has_passed(round_number):
            replay = self._replays[place] = self._begin(table, place, round_number)
        replay.read(held_rows(self.house.reader, place, after=replay.position))
        found = replay.finished.get(round_number)
        if found is not None:
            return found
        if round_number == replay.going_on:
            raise NotOver(f"round {round_number} of {place} is not over; its cards stay closed")
        raise UnknownRound(
            f"{place} has no round {round_number}; its last one is {round_of(replay.table)}"
        )

    def _begin(self, table: Table[Any], place: str, round_number: int) -> _Replay:
        """From the kept state if it lies in an earlier round, else from the first event."""
        kept = self.house.reader.snapshot(place)
        if kept is not None:
            restored = type(table).restore(table.book, kept.state)
            assert isinstance(restored, Table)
            if restored.playing() and round_of(restored) < round_number:
                return _Replay(restored, kept.position, round_number)
        return _Replay(type(table)(table.book), 0, round_number)

    def _seed(self, told: Told, shuffled: Shuffled) -> bytes:
        """What opens a shuffle: the House's secret; in a log of 0.9 the seed of its salts."""
        mixed = isinstance(told, Mixed)
        opening = self.house.reader.opening(
            told.committed.secret if isinstance(told, Mixed) else shuffled.shuffle
        )
        if opening is None:
            what = "secret" if mixed else "seed"
            raise BrokenCommitment(f"the {what} of shuffle {shuffled.shuffle} is gone")
        return opening.seed


def told_of(store: Store, shuffle: str) -> Told:
    """What the shuffle book has of a shuffle."""
    for row in store.answer_of(shuffle):
        if not is_shuffle_book(row.stream):
            continue
        event = ShuffleBook.read_event(row.event)
        if isinstance(event, Committed):
            return event
        if isinstance(event, ShuffleMixed):
            at = store.row(row.stream, event.committed)
            committed = ShuffleBook.read_event(at.event) if at is not None else None
            if isinstance(committed, SecretCommitted):
                return Mixed(committed=committed, mixed=event)
    raise BrokenCommitment(f"shuffle {shuffle} has no commitment in the shuffle book")


def open_cards(
    told: Told, shuffled: Shuffled, seed: bytes, wanted: Iterable[int]
) -> list[CardOpening]:
    """The openings of some cards of a shuffle."""
    if isinstance(told, Mixed):
        return told.open_cards(shuffled.cards, seed, wanted)
    return [open_card(shuffled.shuffle, shuffled.cards, seed, index) for index in wanted]


def wrong_with(told: Told, cards: tuple[Card, ...], seed: bytes) -> str:
    """What is wrong with a shuffle, in a sentence; nothing if it is as it was told."""
    if isinstance(told, Mixed):
        return wrong_with_shuffle(told, seed, cards)
    if verify_seed(told.commitment, seed, cards):
        return ""
    return "its cards, its seed or its commitment was changed"


def is_open(told: Told, opening: CardOpening) -> bool:
    """Whether an opening belongs to what was told."""
    if isinstance(told, Mixed):
        return told.opens(opening)
    return verify_opening(told.commitment, opening)


class _Replay:
    """A table that is rebuilt from its log, and what each player sees meanwhile."""

    def __init__(self, table: Table[Any], position: int, first: int) -> None:
        self.table = table
        self.position = position
        self.first = first
        """The first round that anybody wants to know of; before it nobody looks."""
        self.going_on = round_of(table) + (not table.state.opened or not table.playing())
        """The round that is under way, or the next one."""
        self.finished: OrderedDict[int, RoundCards] = OrderedDict()
        self._now = RoundCards()
        self._where: dict[Card, tuple[str, int]] = {}

    def has_passed(self, round_number: int) -> bool:
        """Whether a round lies behind and is not kept."""
        return round_number < self.going_on and round_number not in self.finished

    def read(self, rows: Iterable[Row]) -> None:
        """Go on with what is new in the log, command by command."""
        for command_id, group in groupby(rows, key=lambda row: row.command_id):
            self._command(command_id, list(group))

    def _command(self, command_id: str, rows: list[Row]) -> None:
        table = self.table
        was_playing = table.playing() if table.state.opened else False
        there = self._players()
        events = [read_event(table, row) for row in rows]
        for row, event in zip(rows, events, strict=True):
            apply_event(table, row, event)
            if isinstance(event, ShuffleGiven):
                self._shuffled(command_id, event)
        self.position = rows[-1].position
        if not was_playing and table.playing() and round_of(table) < self.going_on:
            self._go_on(round_of(table))
        if self.going_on >= self.first:
            self._look(events, there | self._players())
        if was_playing and not table.playing():
            self._finish(round_of(table))

    def _go_on(self, number: int) -> None:
        """The ruling that ended a round was taken back: it is closed again until it is over."""
        self._now = self.finished.pop(number, self._now)
        self.going_on = number

    def _finish(self, number: int) -> None:
        if number >= self.first:
            self.finished[number] = self._now
        self.going_on = number + 1
        self._now = RoundCards()
        if len(self.finished) > ROUNDS_KEPT:
            self.finished.popitem(last=False)

    def _players(self) -> set[str]:
        found = {self.table.player_at(number) for number in self.table.taken_seats()}
        return {name for name in found if name is not None}

    def _shuffled(self, shuffle: str, event: ShuffleGiven) -> None:
        self._now.shuffles.append(
            Shuffled(shuffle=shuffle, need=event.need, purpose=event.purpose, cards=event.cards)
        )
        self._where |= {card: (shuffle, index) for index, card in enumerate(event.cards)}

    def _look(self, events: list[Event], players: set[str]) -> None:
        """Note what everybody sees after a command, of the cards that have left the shoe."""
        if not self._where:
            return
        shoe = getattr(self.table.state, "shoe", None)
        inside = frozenset(shoe.order) if shoe is not None else frozenset()
        for viewer in (PUBLIC, *map(player, sorted(players))):
            shown = (self.table.show(event, viewer) for event in events)
            visible = {card for record in shown for card in cards_in(record)}
            visible.update(cards_in(self.table.view(viewer)))
            seen = self._now.seen.setdefault(viewer.who or EVERYBODY, set())
            seen.update(
                self._where[card] for card in visible if card in self._where and card not in inside
            )


def round_of(table: Table[Any]) -> int:
    """The number of the round that is under way, or of the last one."""
    return GAMES.port_of(table).round_number(table)


def check_openings(told: Told, openings: Iterable[CardOpening]) -> list[CardOpening]:
    """The openings that are not true: none, if the House has dealt what it had bound itself to."""
    return [opening for opening in openings if not is_open(told, opening)]
