"""The shuffle book of a table: the log of its commitments, kept like the log of the table.

Every table has a book of its own, `shuffles/<table>`, and whoever runs the table writes it: two
processes never wait for each other to shuffle. Each shuffle that the House gives to a table is
written here in the same transaction, so a shuffle without its commitment, or a commitment without
its shuffle, cannot be. The seeds that open the cards are not in the log; they lie in the table
`openings` until a round is over.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, ClassVar

from croupier.house.commitment import Commitment
from croupier.rulebooks import Rulebook
from croupier.table import ActorRank, BadCommand, Command, Conversation, Event, Order, Room
from croupier.table.conversation import State
from croupier.table.event import Namer

SHUFFLES = "shuffles"
"""The books of all tables lie under this name; no table may bear it."""


def book_of(table: str) -> str:
    """The place of the shuffle book of a table."""
    return f"{SHUFFLES}/{table}"


def is_shuffle_book(place: str) -> bool:
    """Whether this is the place of a shuffle book."""
    return place.startswith(f"{SHUFFLES}/")


class Commit(Command, frozen=True, kw_only=True):
    """The House binds itself to the cards of a shuffle that it gives to a table."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    shuffle: str
    table: str
    need: int
    purpose: str
    root: str
    """In hexadecimal."""
    leaves: bytes


class Committed(Event, frozen=True, kw_only=True):
    """The House has bound itself to every card of a shuffle; nothing of it is secret."""

    shuffle: str
    """The id of the command that gave the shuffle."""
    table: str
    need: int
    """Which need of the table the shuffle answers."""
    purpose: str
    root: str
    leaves: bytes

    @property
    def commitment(self) -> Commitment:
        """What openings are checked against."""
        return Commitment(leaves=self.leaves, root=bytes.fromhex(self.root))

    def tell(self, name: Namer) -> str:
        return (
            f"The House commits to {self.commitment.count} cards at {self.table} "
            f"({self.purpose}): {self.root}."
        )


class BookState(State, kw_only=True):
    """How many shuffles were committed to."""

    shuffles: int = 0


room = Room("commitments")


@room.decides(Commit)
def commit(book: ShuffleBook, order: Order[Commit]) -> None:
    """Only the House commits, and to leaves that belong to their root."""
    command = order.command
    if order.rank is not ActorRank.HOUSE:
        raise BadCommand("only the House commits to a shuffle")
    event = Committed(
        shuffle=command.shuffle,
        table=command.table,
        need=command.need,
        purpose=command.purpose,
        root=command.root,
        leaves=command.leaves,
    )
    if not event.commitment.is_whole:
        raise BadCommand(f"the root of shuffle {command.shuffle} is not that of its leaves")
    book.emit(event)


@room.applies(Committed)
def committed(book: ShuffleBook, event: Committed) -> None:
    book.state.shuffles += 1


class ShuffleBook(Conversation[BookState]):
    """The book of the commitments of one table."""

    rooms: ClassVar[tuple[Room, ...]] = (room,)
    state_type: ClassVar[type[State]] = BookState

    def __init__(self, book: Rulebook | None = None) -> None:
        super().__init__(book or NO_GAME)


def commit_to(shuffle: str, table: str, need: int, purpose: str, made: Commitment) -> Commit:
    """The command that writes a commitment into the book."""
    return Commit(
        shuffle=shuffle,
        table=table,
        need=need,
        purpose=purpose,
        root=made.root.hex(),
        leaves=made.leaves,
    )


_NONE: Any = MappingProxyType({})

NO_GAME = Rulebook(
    id="shuffles",
    title="The shuffle book",
    short="The shuffle book",
    version=1,
    family="test",
    operator="",
    regulator="",
    sections=_NONE,
    paragraphs=_NONE,
    topics=_NONE,
    lacks=frozenset(),
    procedures=_NONE,
    parameters=_NONE,
    policies=_NONE,
    notes=(),
    pays=_NONE,
    unchanged=_NONE,
)
"""A conversation has a rulebook; this one plays no game and cites nothing."""
