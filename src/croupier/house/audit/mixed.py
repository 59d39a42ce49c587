"""Whether what was shuffled, drawn and cut at a table follows from secrets and seeds.

For each table: the House had bound itself before each round began, every secret is the one that was
committed to and no other's, the book counts its commitments and their uses without a gap, and each
shuffle, draw and cut of the House is what they make.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.cards import DECK, Card
from croupier.house.audit.findings import Difference, reading
from croupier.house.binding import coming_round
from croupier.house.mixing import cut_of
from croupier.house.proof import (
    Mixed,
    committed_order,
    wrong_with_draw,
    wrong_with_mix,
)
from croupier.house.records import Opening, Row
from croupier.house.shuffle_book import (
    Committed,
    DrawMixed,
    SecretCommitted,
    SecretSpent,
    ShuffleBook,
    ShuffleMixed,
    book_of,
)
from croupier.house.store import Store
from croupier.pit.registry import GAMES
from croupier.table import ActorRank, Conversation, DrawGiven, Event, ShuffleGiven, Table

HOUSE = ActorRank.HOUSE.value


class Secrets:
    """The secrets of one table, and what its book says was made of them."""

    def __init__(
        self,
        store: Store,
        place: str,
        *,
        exported: bool,
        after: int = 0,
        until: int | None = None,
    ) -> None:
        """`after` and `until` are positions in the book, where only a piece of the logs is walked:
        what it holds before and after them is opened by whoever walks the other pieces."""
        self.store = store
        self.place = place
        self.exported = exported
        self._after = after
        self._until = until
        self._made: dict[str, ShuffleMixed | DrawMixed] = {}
        """By the id of the command that gave it."""
        self._passed: dict[str, ShuffleMixed | DrawMixed] = {}
        """The same of what stands in the book before the piece that is walked."""
        self._committed: dict[int, SecretCommitted] = {}
        """By position in the book."""
        self.committed_with: dict[str, SecretCommitted] = {}
        """By the command that it came with."""
        self._bound: SecretCommitted | None = None
        """The newest one as far as the log of the table was walked."""
        self._known: dict[str, tuple[bytes, tuple[Card, ...]]] = {}
        """Each secret that was opened, with the House's order of the whole deck."""
        self._unopened: dict[str, bytes] = {}
        """Secrets that are opened with another piece, and here only where one is needed."""
        self.looked_at: dict[type[Event], bool] = {}
        """Kinds of events that there have been, and whether they are looked at."""
        self._last: Mixed | None = None
        """The shuffle that a cut would be of."""
        self._first_uses: set[str] = set()
        """The commands that gave what was made of a commitment first."""
        self._stood: dict[str, tuple[int, frozenset[str]]] = {}
        """By the command that gave a shuffle: which round it was for, and who was dealt in."""

    def heard(self, command_id: str) -> None:
        """A command comes next: the commitment that it came with, if any, is the newest."""
        self._bound = self.committed_with.get(command_id, self._bound)

    def decided(self, conversation: Conversation[Any] | None, command_id: str) -> None:
        """A command was just decided again, and others will be before its shuffle is looked at."""
        if command_id in self._made and isinstance(conversation, Table):
            dealt_in = GAMES.port_of(conversation).dealt_in(conversation)
            self._stood[command_id] = coming_round(conversation), dealt_in

    def passed(self, event: Event, command_id: str) -> None:
        """An event of the table was passed without a look at it: somebody else looks at it."""
        self.heard(command_id)
        mixed = self._passed.get(command_id)
        if mixed is not None and isinstance(event, ShuffleGiven | DrawGiven):
            self._last = None
            committed = self._committed.get(mixed.committed)
            if committed is not None and isinstance(mixed, ShuffleMixed):
                self._last = Mixed(committed=committed, mixed=mixed)

    def stands(self) -> tuple[int, str]:
        """The number of the newest commitment so far, and the shuffle that a cut would be of."""
        bound, last = self._bound, self._last
        return bound.number if bound is not None else 0, last.shuffle if last is not None else ""

    def concerned(self, conversation: Conversation[Any] | None, kind: type[Event]) -> bool:
        """Whether events of this kind are to be looked at: what began a round, and chance."""
        kinds: tuple[type[Event], ...] = (ShuffleGiven,)
        if self._committed and isinstance(conversation, Table):
            port = GAMES.port_of(conversation)
            kinds = (ShuffleGiven, DrawGiven, *port.round_begins, *port.cut_made)
        found = self.looked_at[kind] = issubclass(kind, kinds)
        return found

    def differences(self, opened: dict[str, Opening]) -> Iterator[Difference]:
        """Look at the book, and take from the openings what belongs to it."""
        last: SecretCommitted | None = None
        digests: set[str] = set()
        first: ShuffleMixed | DrawMixed | None = None
        spent = False
        book = book_of(self.place)
        with reading("log", book):
            rows = [(r, ShuffleBook.read_event(r.event)) for r in self.store.rows(book)]
        for row, event in rows:
            says = ""
            match event:
                case SecretCommitted():
                    if event.number != (last.number if last is not None else 0) + 1:
                        says = f"commitment {event.number} does not follow the one before it"
                    elif last is not None and first is None and not spent:
                        says = f"commitment {last.number} was neither used nor declared spent"
                    elif last is not None and spent and event.round <= last.round:
                        says = (
                            f"commitment {last.number} was for round {last.round}, and was spent "
                            "for another one: the House could choose between two"
                        )
                    elif event.table != self.place:
                        says = f"it is of table {event.table}"
                    elif event.digest in digests:
                        says = "its secret was committed to before"
                    last, first, spent = event, None, False
                    digests.add(event.digest)
                    self.committed_with[row.command_id] = event
                    self._committed[row.position] = event
                case SecretSpent():
                    if last is None or first is not None or event.number != last.number:
                        says = "what was used, or never committed to, cannot be spent"
                    spent = True
                case ShuffleMixed() | DrawMixed():
                    says = _follows(event, row, last, first, self._committed)
                    if spent:
                        says = "it is made of a secret that was spent"
                    made = event.shuffle if isinstance(event, ShuffleMixed) else event.draw
                    if first is None:
                        self._first_uses.add(made)
                    first = event
                    if made != row.command_id:
                        says = says or "it was not given by this command"
                    if row.position <= self._after:
                        self._passed[made] = event
                    elif self._until is None or row.position <= self._until:
                        self._made[made] = event
                case _:
                    assert isinstance(event, Committed)
            if says:
                where = f"{row.stream} at {row.position}"
                yield Difference(table="log", where=where, column="event", says=says)
        for position, committed in self._committed.items():
            opening = opened.pop(committed.secret, None)
            if self._after < position and (self._until is None or position <= self._until):
                yield from self._secret(committed, opening, last)
            elif opening is not None:
                self._unopened[committed.secret] = opening.seed

    def _secret(
        self, committed: SecretCommitted, opening: Opening | None, last: SecretCommitted | None
    ) -> Iterator[Difference]:
        where = f"{committed.secret} (commitment {committed.number} of {self.place})"
        if opening is None:
            if not (self.exported and committed is last):  # one that is still to be played
                yield Difference(table="openings", where=where, says="the secret is missing")
            return
        order = committed_order(committed, opening.seed)
        if isinstance(order, str):
            yield Difference(table="openings", where=where, column="seed", says=order)
        else:
            self._known[committed.secret] = opening.seed, order

    def has(self, command_id: str) -> bool:
        """Whether the book says of what this command's shuffle or draw was made."""
        return command_id in self._made

    def given(
        self, conversation: Conversation[Any] | None, event: Event, row: Row, *, withheld: bool
    ) -> Iterator[Difference]:
        """Look at an event of the table: the beginning of a round, a shuffle or draw that the book
        knows, or a cut."""
        self.heard(row.command_id)
        if self._bound is not None and isinstance(conversation, Table):
            began = isinstance(event, GAMES.port_of(conversation).round_begins)
            if began and self._bound.round != getattr(event, "round", self._bound.round):
                where = f"{row.stream} at {row.position}"
                says = "the round began before the House had committed to its shuffle"
                yield Difference(table="log", where=where, column="event", says=says)
        if isinstance(event, ShuffleGiven | DrawGiven):
            if row.command_id not in self._stood:
                self.decided(conversation, row.command_id)
            mixed = self._made.pop(row.command_id, None)
            if mixed is not None:
                says = self._wrong_with(mixed, event, withheld=withheld)
                says = says or self._wrong_with_use(mixed, row.command_id)
                if not says and withheld and not row.stored:  # its digest would prove nothing
                    says = "the deck of a shuffle that was withheld stands hidden in an export"
                if says:
                    where = f"{row.command_id} (event {row.position} of {row.stream})"
                    yield Difference(table="openings", where=where, column="seed", says=says)
            elif isinstance(event, DrawGiven) and self._is_bound_to_draw(conversation, row):
                where = f"{row.stream} at {row.position}"
                says = "these cards were picked, and not made of what the House had committed to"
                yield Difference(table="log", where=where, column="event", says=says)
        elif (
            self._last is not None
            and isinstance(conversation, Table)
            and isinstance(event, GAMES.port_of(conversation).cut_made)
            and (row.rank == HOUSE or GAMES.port_of(conversation).deals_itself(conversation))
        ):
            told = self._last
            made = cut_of(told.key(), told.mixed.counter, told.committed.cards)
            if getattr(event, "cards", made) != made:
                where = f"{row.stream} at {row.position}"
                says = f"the deck was not cut where the mix cuts it, after {made} cards"
                yield Difference(table="log", where=where, column="event", says=says)

    def is_bound(self) -> bool:
        """Whether the House had committed to a secret here, so far as the log was walked."""
        return self._bound is not None

    def _is_bound_to_draw(self, conversation: Conversation[Any] | None, row: Row) -> bool:
        """Whether a pick is held to the House's source: with a real shoe a person may pick."""
        if not self.is_bound() or not isinstance(conversation, Table):
            return False
        by_house = GAMES.port_of(conversation).shuffled_by_house(conversation)
        return row.rank == HOUSE or by_house

    def _wrong_with(
        self, mixed: ShuffleMixed | DrawMixed, event: ShuffleGiven | DrawGiven, *, withheld: bool
    ) -> str:
        committed = self._committed.get(mixed.committed)
        self._last = None
        if committed is None:
            return "it is made of a secret that nobody had committed to"
        if (mixed.table, mixed.need) != (self.place, event.need):
            return "the book has it for another table or need"
        known = self._known.get(committed.secret) or self._opened_elsewhere(committed)
        if withheld:
            return "" if known is None else "the secret of a shuffle that was withheld is told"
        if known is None:
            return ""  # that it is missing, or another one, is said
        secret, order = known
        if isinstance(mixed, ShuffleMixed) and isinstance(event, ShuffleGiven):
            self._last = Mixed(committed=committed, mixed=mixed)
            return wrong_with_mix(self._last, secret, event.cards, order)
        if isinstance(mixed, DrawMixed) and isinstance(event, DrawGiven):
            return wrong_with_draw(committed, mixed, secret, event.picks)
        return "the book has a draw for a shuffle, or a shuffle for a draw"

    def _wrong_with_use(self, mixed: ShuffleMixed | DrawMixed, command_id: str) -> str:
        """A commitment is used for its round alone, and the seeds that are part of it are of those
        who are dealt in, all of them: whoever could leave one out, or put in one of nobody's, could
        choose among decks without a word on record."""
        coming, dealt_in = self._stood.pop(command_id, (0, frozenset[str]()))
        committed = self._committed.get(mixed.committed)
        if committed is None or not coming:
            return ""
        first = command_id in self._first_uses
        # In some games a round that was called for is under way only with the first bet.
        if not coming - first <= committed.round <= coming:
            return f"it is for round {coming}, and made of what was for round {committed.round}"
        if not first:
            return ""
        left_out = [name for name in mixed.absent if name in dealt_in]
        if left_out:
            return f"{left_out[0]} was dealt in, and is called absent: that seed was left out"
        put_in = [each.player for each in mixed.seeds if each.player not in dealt_in]
        if put_in:
            return f"{put_in[0]} was not dealt in, and a seed under that name is part of it"
        return ""

    def _opened_elsewhere(
        self, committed: SecretCommitted
    ) -> tuple[bytes, tuple[Card, ...]] | None:
        """A secret that was committed to before this piece and used in it: opened once more."""
        secret = self._unopened.pop(committed.secret, None)
        order = committed_order(committed, secret) if secret is not None else ""
        if secret is None or isinstance(order, str):
            return None
        self._known[committed.secret] = secret, order
        return secret, order

    def rest(self) -> Iterator[tuple[str, Difference]]:
        """What the book says was made and no table was given, by the command that made it."""
        for command_id in self._made:
            says = "nothing that was made of this was given to the table"
            where = f"{command_id} ({self.place})"
            yield command_id, Difference(table="log", where=where, says=says)


def _follows(
    event: ShuffleMixed | DrawMixed,
    row: Row,
    last: SecretCommitted | None,
    first: ShuffleMixed | DrawMixed | None,
    committed: dict[int, SecretCommitted],
) -> str:
    """What is wrong with how one use of a secret follows another; nothing if it does."""
    if last is None or event.number != last.number or committed.get(event.committed) is not last:
        return "it is not made of the newest commitment"
    if first is None:
        whole = isinstance(event, DrawMixed) or event.cards == len(DECK)
        expected = 0 if whole else 1
    else:
        expected = first.counter + 1
        before = (first.seeds, first.unopened, first.absent)
        if (event.seeds, event.unopened, event.absent) != before:
            return "its seeds are not those of the use before it"
    if event.counter != expected:
        return f"it is use {event.counter} of its secret, and use {expected} is due"
    if isinstance(event, ShuffleMixed) and not event.counter and event.root != last.root:
        return "it is not of the order that was told before the bets"
    return ""
