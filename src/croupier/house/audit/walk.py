"""One place as an audit walks it: its chain, its entries, its kept state, its shuffles.

Its events are applied as they are stored (`apply`), or the place has made them again itself and
they are the stored ones (`decided`). After what cannot be trusted only the chain is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from croupier.house.audit.conversations import Instead, conversation_of
from croupier.house.audit.entries import ByPosition, entry_difference, read_all
from croupier.house.audit.findings import Damaged, Difference, contrast, reading, shown
from croupier.house.audit.mixed import Secrets
from croupier.house.audit.replay import Replay
from croupier.house.chain import digest
from croupier.house.commitment import SEED_BYTES, commit
from croupier.house.errors import CorruptDatabase
from croupier.house.hidden import NO_SECRET, SHUFFLES
from croupier.house.office import OFFICE, Office
from croupier.house.records import UNREADABLE, WITHHELD, Entry, Head, Row, Snapshot
from croupier.house.shuffle_book import Committed, book_of
from croupier.house.store import Store
from croupier.pit.registry import GAMES
from croupier.table import ActorRank, Conversation, Event, ShuffleGiven, Table

RANKS = frozenset(rank.value for rank in ActorRank)

READ_AT_ONCE = 2_000
"""Rows that are read together where a walk begins in the middle of a log."""


class Standing(Struct, frozen=True, kw_only=True):
    """How a place stands after an event: all that the walk of what follows goes by."""

    position: int
    digest: bytes
    at: str
    state: bytes
    """The SHA-256 of its state, as it is written."""
    chance: tuple[int, str]
    """The commitment and the shuffle that what follows is held to."""


class Piece(Struct, frozen=True, kw_only=True):
    """Some rows of a log, where its walk is divided."""

    after: int = 0
    """It begins after this position."""
    until: int | None = None
    """It ends there; None at the end of the log."""


class Walked(Struct, kw_only=True):
    """What was walked so far, and what it adds up to."""

    places: int = 0
    events: int = 0
    entries: int = 0
    decided: int = 0
    """Orders that were given to the engine again."""
    orderly: bool = True
    """Whether every order that was looked at had as many events as it should, and every event an
    order: then nothing of that is looked at again."""
    numbered: bool = True
    """Whether the numbers of all orders follow each other without a gap."""
    numbers: list[tuple[int, int]] = []
    """Of a share, of which alone nobody can say that: each number, and how many events it has."""
    timely: bool = True
    """Whether no time was earlier than the one before it, as far as their texts tell."""
    withheld: int = 0
    heads: dict[str, str] = {}
    balances: dict[str, int] = {}
    paid_from_outside: int = 0
    """What came to tables from jackpots that no link of the House runs, as their entries say it."""
    people: dict[str, str] = {}
    """Everybody with the digest of his password, by the office."""
    pins: dict[str, str] = {}
    """Everybody with the digest of his PIN."""
    factors: dict[str, str] = {}
    """Everybody with the digest of the key of his second factor."""
    untold: bool = False
    """Whether the office's log cannot be trusted to say who there is."""
    passed_over: int = 0
    """Kept states of another version of croupier, which no start would use."""
    since: dict[str, int] = {}
    """The first event with an order at each place where there were events before."""
    began: dict[str, Standing] = {}
    """How each place stood when the walk of a piece began, by its stored events alone."""
    ended: dict[str, Standing] = {}
    """The same at the end of a piece, after all of it was decided again."""


class Setting(Struct, frozen=True, kw_only=True):
    """How an audit walks."""

    exported: bool = False
    instead: tuple[str, ...] = ()
    """Another rulebook or policies, as they were said."""
    ours: frozenset[str] = frozenset()
    """The software that decides and writes as this croupier does."""


class PlaceWalk:
    """A walk through the log of one place."""

    def __init__(
        self,
        store: Store,
        head: Head,
        setting: Setting,
        walked: Walked,
        *,
        until: int | None = None,
        instead: Instead | None = None,
        pieces: Mapping[str, Piece] | None = None,
    ) -> None:
        """`pieces`: of each log, which of its rows are walked, where it is not all of them."""
        self.store = store
        self.place = place = head.stream
        self.head = head
        self.until = until
        """Where the walk ends; what a House that runs stored after that is left alone."""
        pieces = pieces or {}
        self.piece = pieces.get(place, Piece())
        self.setting = setting
        self.walked = walked
        self.replay = Replay(place, instead)
        self.altered = False
        """Whether it is made again under another book: then its states are not those that are
        kept, nor its entries those that are stored."""
        self.entries = ByPosition(
            lambda after: read_all("entries", place, store.entries(place, after))
        )
        with reading("snapshots", place):
            self.snapshot = store.snapshot(place)
        with reading("openings", place):
            self.opened = {o.shuffle: o for o in store.openings(place)}
            store.keep_ready(self.opened.values())
        book = pieces.get(book_of(place), Piece())
        self.secrets = Secrets(
            store, place, exported=setting.exported, after=book.after, until=book.until
        )
        self.at = ""
        """The time of the last row."""
        self._amiss = list(self.secrets.differences(self.opened))
        """What is wrong with the book of its shuffles, told with the rest at the end."""
        if self.piece.after:
            self._begin_after(self.piece.after)
        else:
            walked.places += 1

    @property
    def conversation(self) -> Conversation[Any] | None:
        return self.replay.conversation

    def rows(self, after: int = 0, until: int | None = None) -> Iterator[Row]:
        """Stored rows of this place."""
        until = self.until if until is None else until
        return read_all("log", self.place, self.store.rows(self.place, after=after, until=until))

    def _begin_after(self, position: int) -> None:
        """Begin in the middle of a log: the place is made by the stored events up to there, without
        a look at them. Whoever walks what comes before decides them again, and must come to the
        same (`Standing`)."""
        conversation: Conversation[Any] | None = None
        event, row = None, None
        for row in self._raw_rows_until(position):
            text = row[6]
            if text.startswith(SHUFFLES):
                text = self.store.read_row(row).event
            if conversation is None:
                conversation = conversation_of(self.place, text)
            event = conversation.read_event(text)
            conversation.apply(event)
            self.secrets.passed(event, row[2])
        if conversation is None or row is None or event is None or row[1] != position:
            raise CorruptDatabase(f"the log of {self.place} has no event {position}")
        self.replay.set(conversation)
        self.replay.go_on_after(row, event)
        self.at = row[5]
        self.entries.go_on_after(position)
        if self.snapshot is not None and self.snapshot.position <= position:
            self.snapshot = None

    def _raw_rows_until(self, position: int) -> Iterator[tuple[Any, ...]]:
        read = 0
        while read < position:
            found = self.store.raw_rows(self.place, read, min(READ_AT_ONCE, position - read))
            if not found:
                return
            yield from found
            read = found[-1][1]

    def standing(self) -> Standing:
        """How the place stands now."""
        replay = self.replay
        assert replay.conversation is not None
        return Standing(
            position=replay.position,
            digest=replay.last,
            at=self.at,
            state=sha256(replay.conversation.snapshot()).digest(),
            chance=self.secrets.stands(),
        )

    # -- the rows ----------------------------------------------------------------------------

    def apply(self, row: Row) -> Iterator[Difference]:
        """Take the next row as it is stored."""
        replay = self.replay
        if replay.broken:
            yield from self._chain(row)
            replay.skip(row)
            self._count()
            return
        if replay.ends_before(row):
            yield from self.check_entries()
        yield from self._chain(row)
        if replay.broken:
            replay.skip(row)
            self._count()
            return
        withheld = self._is_withheld(row)
        difference = replay.withhold(row) if withheld else replay.take(row)
        if difference is not None:
            if difference.says == NO_SECRET:  # what is wrong with the secret comes first
                yield from self.secrets_amiss()
            yield difference
        if not replay.broken:
            yield from self._after(row, replay.event, withheld)
        self._count()

    def take(
        self, rows: Sequence[Row], events: Sequence[Event], everywhere: Sequence[Row]
    ) -> list[Difference]:
        """Take the rows of one order, whose events the place has made again byte for byte;
        `everywhere` are its rows at all places."""
        replay = self.replay
        found: list[Difference] = []
        last, position, exported = replay.last, replay.position, self.setting.exported
        secrets = self.secrets
        secrets.heard(rows[0].command_id)
        looked_at = secrets.looked_at
        for row, event in zip(rows, events, strict=True):
            position += 1
            if digest(last, row) != row.digest or row.position != position:
                found += self._chain(row)
                # The place itself made this event: its state can be trusted, whatever the row.
                replay.broken = row.position != position
            last = row.digest
            if exported:
                found += self._take_exported(row, event)
            by_chance = looked_at.get(type(event))
            if by_chance is None:
                by_chance = secrets.concerned(self.conversation, type(event))
            if by_chance and not (exported and row.event == WITHHELD):
                found += self._chance(event, row, False, everywhere)
        last_row = rows[-1]
        replay.made(last_row.position, last_row.digest, last_row.command_id, events)
        found += self._made(len(rows))
        return found

    def take_many(
        self, rows: Sequence[tuple[Any, ...]], event: Event, moved: Collection[Moved]
    ) -> None:
        """Take rows as they are stored, of many orders that were decided again. Everything of them
        was looked at, their entries too: `moved`; `event` is the last of them."""
        last = rows[-1]
        self.replay.go_on_after(last, event)
        self.at = last[5]
        self.entries.go_on_after(last[1])
        self.walked.events += len(rows)
        self.walked.entries += len(moved)
        balances = self.walked.balances
        for _, _, account, amount in moved:
            balances[account] = balances.get(account, 0) + amount

    def is_by_chance(self, command_id: str, events: Sequence[Event]) -> bool:
        """Whether chance has a part in what came of an order, or a commitment came with it."""
        secrets = self.secrets
        looked_at = secrets.looked_at
        for event in events:
            found = looked_at.get(type(event))
            if found or (found is None and secrets.concerned(self.conversation, type(event))):
                return True
        return command_id in secrets.committed_with

    def by_chance(
        self, rows: Sequence[Row], events: Sequence[Event], everywhere: Sequence[Row]
    ) -> Iterator[Difference]:
        """What is wrong with events that chance has a part in."""
        secrets = self.secrets
        secrets.heard(rows[0].command_id)
        for event, row in zip(events, rows, strict=True):
            looked_at = secrets.looked_at.get(type(event))
            if looked_at is None:
                looked_at = secrets.concerned(self.conversation, type(event))
            if looked_at:
                yield from self._chance(event, row, False, everywhere)

    def check_kept_state(self) -> Iterator[Difference]:
        """Compare the state that is kept, once the walk has come to it."""
        kept = self.snapshot
        if kept is not None and kept.position <= self.replay.position:
            yield from self._kept_state(kept)

    def _made(self, rows: int) -> list[Difference]:
        """So many rows were taken: what they moved, and the state that is kept after them."""
        self.walked.events += rows
        return [*self.check_entries(), *self.check_kept_state()]

    def _take_exported(self, row: Row, event: Event) -> Iterator[Difference]:
        """Of a row in an export: whether it is withheld, or comes after one that is."""
        replay = self.replay
        if row.event == WITHHELD:
            replay.withheld, replay.unproven = 1, not row.stored
            yield from self._after(row, event, withheld=True)
        else:
            says = replay.played_with_withheld(event)
            if says:
                where = f"{row.stream} at {row.position}"
                yield Difference(table="log", where=where, column="event", says=says)

    def secrets_amiss(self) -> list[Difference]:
        """What is wrong with the secrets of this place; it is told once."""
        told = [each for each in self._amiss if each.table == "openings"]
        self._amiss = [each for each in self._amiss if each.table != "openings"]
        return told

    def _is_withheld(self, row: Row) -> bool:
        return self.setting.exported and row.event == WITHHELD

    def _after(self, row: Row, event: Event | None, withheld: bool) -> Iterator[Difference]:
        """What else belongs to an event."""
        if event is not None:
            yield from self._chance(event, row, withheld)
        kept = self.snapshot
        if kept is not None and kept.position == row.position:
            yield from self._kept_state(kept)

    def _count(self) -> None:
        self.walked.events += 1

    def _chain(self, row: Row) -> Iterator[Difference]:
        """What is wrong with a row: its position, its digest, or what its other columns hold."""
        replay = self.replay
        told = row.stored or not self._is_withheld(row)
        made = digest(replay.last, row) if told else row.digest
        where = f"{row.stream} at {row.position}"
        if row.position != replay.position + 1:
            replay.broken = True
            missing = replay.position + 1
            which = f"event {missing} is missing"
            if row.position > missing + 1:
                which = f"events {missing} to {row.position - 1} are missing"
            yield Difference(table="log", where=where, column="position", says=which)
            return
        if made != row.digest:
            replay.broken = True
            says = "the row does not belong to its digest: one of its columns was changed"
            yield Difference(
                table="log",
                where=where,
                column="digest",
                **contrast(row.digest, made),
                says=says,
            )
        elif row.rank not in RANKS:
            yield Difference(table="log", where=where, column="rank", found=shown(row.rank))

    def replayed(self) -> Conversation[Any] | None:
        """The place made again from what is stored up to here; None if that cannot be."""
        again = Replay(self.place, self.replay.instead)
        for row in self.store.rows(self.place, until=self.replay.position):
            difference = again.withhold(row) if self._is_withheld(row) else again.take(row)
            if again.broken or difference is not None:
                return None
        return again.conversation

    # -- money -------------------------------------------------------------------------------

    def check_entries(self) -> Iterator[Difference]:
        """Compare what a command moved here with what is stored."""
        yield from self._compare_entries(self._moved())

    def _moved(self) -> dict[str, int]:
        """What the command that was just taken has moved here, by account."""
        try:
            return self.replay.moved()
        except Exception as error:  # an event that no table makes may move what is not there
            where = f"{self.place} at {self.replay.position}"
            says = f"the event cannot have happened here: {error!r}"
            raise Damaged(
                Difference(table="log", where=where, column="event", says=says)
            ) from error

    def _compare_entries(self, moved: dict[str, int]) -> Sequence[Difference]:
        """What is not the same, of what a command moved and of what is stored of it."""
        position = self.replay.position
        kept = self.entries.until(position)
        self.walked.entries += len(moved)
        balances = self.walked.balances
        for account, amount in moved.items():
            balances[account] = balances.get(account, 0) + amount
        if self.altered:
            return ()
        same = len(kept) == len(moved)
        for entry in kept:
            if entry.position != position or moved.get(entry.account) != entry.amount:
                same = False
        if same and not sum(moved.values()):
            return ()
        return list(self._wrong_entries(moved, kept))

    def _wrong_entries(self, moved: dict[str, int], kept: list[Entry]) -> Iterator[Difference]:
        place, position = self.place, self.replay.position
        expected = {
            (position, account): Entry(
                stream=place, position=position, account=account, amount=amount
            )
            for account, amount in moved.items()
        }
        actual = {(e.position, e.account): e for e in kept}
        for key in sorted(expected.keys() | actual.keys(), key=str):
            if expected.get(key) != actual.get(key):
                yield entry_difference(actual.get(key), expected.get(key))
        if sum(moved.values()):
            where = f"{place} at {position}"
            says = "what this command moved does not sum to nothing"
            yield Difference(table="entries", where=where, column="amount", says=says)

    # -- states and shuffles -----------------------------------------------------------------

    def _kept_state(self, kept: Snapshot) -> Iterator[Difference]:
        """The stored state must be the replayed one, and be written as croupier writes it.

        One that this croupier would write otherwise is of another version, and no start goes by it
        (`croupier.house.replaying.restored`): it is passed over, unless our own has kept it.
        """
        self.snapshot = None
        conversation = self.conversation
        if self.altered or conversation is None:
            return
        where = f"{kept.stream} at {kept.position}"
        if kept.position != self.replay.position:
            says = "no command ends at this event"
            yield Difference(table="snapshots", where=where, column="position", says=says)
            return
        says = ""
        try:
            again = type(conversation).restore(conversation.book, kept.state)
        except UNREADABLE as error:
            says = str(error)
            if not _is_json(kept.state):  # every version writes a state so
                yield Difference(table="snapshots", where=where, column="state", says=says)
                return
        else:
            if again.snapshot() == kept.state:
                if conversation.snapshot() == kept.state:
                    return
                says = "the state is not the one that the events lead to"
                yield Difference(table="snapshots", where=where, column="state", says=says)
                return
            says = "the state is not written as croupier writes it"
        if self._is_ours(self.replay.command_id):
            yield Difference(table="snapshots", where=where, column="state", says=says)
        else:
            self.walked.passed_over += 1

    def _is_ours(self, command_id: str) -> bool:
        """Whether software that writes states as we do has decided this command."""
        _, order = self.store.recall(command_id)
        return order is not None and order.software in self.setting.ours

    def _chance(
        self, event: Event, row: Row, withheld: bool, everywhere: Sequence[Row] = ()
    ) -> Iterator[Difference]:
        """What chance has brought must follow from what was committed to."""
        if isinstance(event, ShuffleGiven) and not self.secrets.has(row.command_id):
            yield from self._shuffle(event, row, withheld, everywhere)
        else:
            yield from self.secrets.given(self.conversation, event, row, withheld=withheld)

    def _shuffle(
        self, event: ShuffleGiven, row: Row, withheld: bool, everywhere: Sequence[Row] = ()
    ) -> Iterator[Difference]:
        """A shuffle must have its seed, and the seed must give the leaves that were told; one that
        was withheld must have been committed to."""
        told = None
        with reading("log", f"the shuffle {row.command_id}"):
            for other in everywhere or self.store.answer_of(row.command_id):
                if other.stream != row.stream:
                    made = conversation_of(other.stream, other.event).read_event(other.event)
                    told = made if isinstance(made, Committed) else told
        opening = self.opened.pop(row.command_id, None)
        where = f"{row.command_id} (a shuffle at {row.stream}, event {row.position})"
        if told is None and opening is None and row.rank != ActorRank.HOUSE.value and not withheld:
            return  # shuffled by hand
        if told is None:
            says = "the shuffle has no commitment"
            yield Difference(table="log", where=where, says=says)
        elif row.order or self.secrets.is_bound():
            # Only what a release up to 0.9 has stored stands in the log without its order.
            says = "the House bound itself to these cards only as it gave them"
            yield Difference(table="log", where=where, says=says)
        elif withheld:
            if opening is not None or (told.table, told.need) != (row.stream, event.need):
                says = "what is told of the shuffle that was withheld does not belong to it"
                yield Difference(table="openings", where=where, says=says)
        elif opening is None:
            yield Difference(table="openings", where=where, says="the seed is missing")
        elif (
            len(opening.seed) != SEED_BYTES
            or commit(event.cards, opening.seed).leaves != told.leaves
        ):
            says = "the seed does not open the cards that were committed to"
            yield Difference(table="openings", where=where, column="seed", says=says)

    # -- the end -----------------------------------------------------------------------------

    def finish(self) -> Iterator[Difference]:
        """What is left when every row was taken: entries, the head, a state, seeds."""
        replay, walked = self.replay, self.walked
        if not replay.broken:
            yield from self.check_entries()
        for entry in self.entries.rest():
            if self.until is not None and entry.position > self.until:
                break
            if replay.broken:  # what they should be nobody knows; they are in the balances
                balance = walked.balances.get(entry.account, 0)
                walked.balances[entry.account] = balance + entry.amount
            elif not self.altered:
                yield entry_difference(entry, None)
        walked.heads[self.place] = replay.proven.hex()
        walked.withheld += replay.withheld
        yield from self._check_head()
        yield from self._amiss
        if replay.broken:
            walked.untold = walked.untold or self.place == OFFICE
            return
        if self.snapshot is not None and not self._is_elsewhere(self.snapshot.position):
            where = f"{self.place} at {self.snapshot.position}"
            says = f"the log has no event {self.snapshot.position}"
            yield Difference(table="snapshots", where=where, column="position", says=says)
        for command_id, difference in self.secrets.rest():
            if not self._came_elsewhere(command_id):
                yield difference
        for opening in self.opened.values():
            if self._came_elsewhere(opening.shuffle):
                continue
            says = "no shuffle of this id was given at this place"
            yield Difference(table="openings", where=opening.shuffle, column="place", says=says)
        if replay.position == self.head.position:
            walked.paid_from_outside += _paid_from_outside(self.conversation)
        if isinstance(self.conversation, Office):
            people = self.conversation.state.people
            walked.people = {name: person.digest for name, person in people.items()}
            walked.pins = {name: person.pin for name, person in people.items()}
            walked.factors = {
                name: person.second_factor or person.dropped_factor
                for name, person in people.items()
            }

    def _came_elsewhere(self, command_id: str) -> bool:
        """Whether this command was stored while the audit walked, or belongs to another piece."""
        rows = self.store.answer_of(command_id)
        return any(row.stream == self.place and self._is_elsewhere(row.position) for row in rows)

    def _is_elsewhere(self, position: int) -> bool:
        """Whether this was stored while the audit walked, or belongs to another piece."""
        after, until = self.piece.after, self.until
        return position <= after or (until is not None and position > until)

    def _check_head(self) -> Iterator[Difference]:
        replay, head = self.replay, self.head
        if head.position > replay.position and head.digest != replay.last:
            yield Difference(
                table="log",
                where=f"{replay.place} at {replay.position + 1}",
                says=f"the log was cut off: it went to event {head.position}",
            )
        elif head.position != replay.position:
            yield Difference(
                table="heads",
                where=replay.place,
                column="position",
                **contrast(head.position, replay.position),
            )
        elif head.digest != replay.last:
            yield Difference(
                table="heads",
                where=replay.place,
                column="digest",
                **contrast(head.digest, replay.last),
            )


def _paid_from_outside(conversation: Conversation[Any] | None) -> int:
    """The awards of another maker's controller, which are entered at its tables; no link knows of
    them."""
    if not isinstance(conversation, Table):
        return 0
    if GAMES.port_of(conversation).needs_link(conversation.state.settings):
        return 0
    return conversation.holdings().get("awards", 0)


def _is_json(text: bytes) -> bool:
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
    except UNREADABLE:
        return False
    return True


Moved = tuple[str, int, str, int]
"""An entry as it is stored: place, position, account, amount."""
Progress = Callable[[int], None]
"""Hears how many events were walked."""
