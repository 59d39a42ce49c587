"""The shuffle book of a table: the log of its commitments, kept like the log of the table.

Every table has a book of its own, `shuffles/<table>`, and whoever runs the table writes it: two
processes never wait for each other to shuffle.

A secret is committed to in the transaction of the command that begins a round or first asks for a
shuffle, so no bet can come before it; with it stand the hashes of the players' seeds. What is made
of it (a shuffle, a draw) is written in the transaction that gives it to the table, with the seeds
that were opened by then and the names of those who had not opened theirs. A secret that was never
used is declared spent when the next one is committed to. Nothing in this log is secret; the secrets
lie in the table `openings`.

`Committed` is how releases up to 0.9 wrote it, one for each shuffle with a leaf for every card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from croupier.house.commitment import Commitment
from croupier.house.mixing import seed_hash
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


Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes in hexadecimal."""

SILENCE = 10
"""Who has left a seed unopened takes no part in so many of the next commitments: whoever would let
the House choose between two decks can do so seldom, and a table waits for him seldom."""


class SeedHash(Struct, frozen=True, kw_only=True):
    """The hash of a seed that a player has chosen and not told."""

    player: str
    hash: Hex32


class OpenedSeed(Struct, frozen=True, kw_only=True):
    """A seed that a player has told."""

    player: str
    seed: Hex32


class CommitSecret(Command, frozen=True, kw_only=True):
    """The House binds itself to its part of the coming shuffle."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    table: str
    number: int
    round: int
    secret: str
    digest: Hex32
    root: Hex32
    cards: int
    seeds: tuple[SeedHash, ...] = ()


class SecretCommitted(Event, frozen=True, kw_only=True):
    """The House has bound itself to its part of a round's shuffles, before anybody could bet."""

    table: str
    number: int
    """Counts the commitments of this table."""
    round: int
    """The round that it is for."""
    secret: str
    """Under which id the secret is kept."""
    digest: str
    """Of the secret, in hexadecimal."""
    root: str
    """Of the House's order of the whole deck: what the first shuffle is held to."""
    cards: int
    """How many cards the deck has."""
    seeds: tuple[SeedHash, ...]
    """The hashes that players had sent before it."""

    def tell(self, name: Namer) -> str:
        seeds = f", with the seeds of {len(self.seeds)}" if self.seeds else ""
        return f"The House commits to its part of the shuffle for round {self.round}{seeds}."


class SecretSpent(Event, frozen=True, kw_only=True):
    """A secret that was committed to was not used and never will be."""

    table: str
    number: int

    def tell(self, name: Namer) -> str:
        return f"Commitment {self.number} was not used: nothing was shuffled after it."


class MixShuffle(Command, frozen=True, kw_only=True):
    """A shuffle is made of the House's secret and the players' seeds."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    shuffle: str
    table: str
    need: int
    purpose: str
    root: Hex32
    cards: int
    seeds: tuple[OpenedSeed, ...] = ()
    unopened: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


class ShuffleMixed(Event, frozen=True, kw_only=True):
    """What a shuffle was made of; the cards themselves are the table's."""

    shuffle: str
    """The id of the command that gave the shuffle."""
    table: str
    number: int
    """Of the commitment."""
    committed: int
    """Where in this log the commitment stands."""
    counter: int
    """Which use of its secret this is, from 0; 0 is the whole deck that it was committed to."""
    need: int
    """Which need of the table it answers."""
    purpose: str
    root: str
    """Of the House's order of these cards; of the first shuffle, the one that was told before."""
    cards: int
    seeds: tuple[OpenedSeed, ...]
    unopened: tuple[str, ...]
    """Who was listed and dealt in, and did not open his seed in time."""
    absent: tuple[str, ...]
    """Who was listed and is not dealt in: his seed is not asked for."""

    def tell(self, name: Namer) -> str:
        of = f" and the seeds of {len(self.seeds)}" if self.seeds else ""
        without = f", without {', '.join(self.unopened)}" if self.unopened else ""
        return f"{self.cards} cards are mixed of the House's secret{of}{without} ({self.purpose})."


class MixDraw(Command, frozen=True, kw_only=True):
    """A random pick is made of the House's secret and the players' seeds."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    draw: str
    table: str
    need: int
    purpose: str
    among: int
    seeds: tuple[OpenedSeed, ...] = ()
    unopened: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


class DrawMixed(Event, frozen=True, kw_only=True):
    """What a random pick was made of."""

    draw: str
    """The id of the command that gave the pick."""
    table: str
    number: int
    committed: int
    counter: int
    need: int
    purpose: str
    among: int
    """Among how many was picked."""
    seeds: tuple[OpenedSeed, ...]
    unopened: tuple[str, ...]
    absent: tuple[str, ...]

    def tell(self, name: Namer) -> str:
        return f"A pick is made of the House's secret ({self.purpose})."


class Bound(Struct, kw_only=True):
    """The newest commitment of a table, and what became of it."""

    number: int
    round: int
    secret: str
    digest: str
    root: str
    cards: int
    seeds: tuple[SeedHash, ...]
    position: int
    """Where in the log it stands."""
    uses: int = 0
    opened: tuple[OpenedSeed, ...] = ()
    """With its first use: the seeds that are part of it from then on."""
    unopened: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


class BookState(State, kw_only=True):
    """How many shuffles were committed to, and the newest commitment."""

    shuffles: int = 0
    events: int = 0
    number: int = 0
    bound: Bound | None = None
    silent: dict[str, int] = {}
    """Who has left a seed unopened, and the last commitment in which he takes no part for it."""


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
    book.state.events += 1


@room.decides(CommitSecret)
def commit_secret(book: ShuffleBook, order: Order[CommitSecret]) -> None:
    """Only the House commits; what was left unused is spent."""
    command, state = order.command, book.state
    _only_the_house(order)
    if command.number != state.number + 1:
        raise BadCommand(f"the next commitment is number {state.number + 1}, not {command.number}")
    names = [each.player for each in command.seeds]
    if len(set(names)) != len(names):
        raise BadCommand("each player has one seed")
    for name in names:
        if not takes_part(state.silent, name, command.number):
            raise BadCommand(f"{name} has left a seed unopened, and takes no part for a while")
    if state.bound is not None and not state.bound.uses:
        book.emit(SecretSpent(table=command.table, number=state.bound.number))
    book.emit(
        SecretCommitted(
            table=command.table,
            number=command.number,
            round=command.round,
            secret=command.secret,
            digest=command.digest,
            root=command.root,
            cards=command.cards,
            seeds=command.seeds,
        )
    )


def takes_part(silent: Mapping[str, int], player: str, number: int) -> bool:
    """Whether the seed of a player can be listed with a commitment: not soon after one that was
    left unopened."""
    return silent.get(player, 0) < number


@room.applies(SecretSpent)
def secret_spent(book: ShuffleBook, event: SecretSpent) -> None:
    book.state.events += 1
    book.state.bound = None


@room.applies(SecretCommitted)
def secret_committed(book: ShuffleBook, event: SecretCommitted) -> None:
    state = book.state
    state.events += 1
    state.number = event.number
    state.silent = {who: until for who, until in state.silent.items() if until > event.number}
    state.bound = Bound(
        number=event.number,
        round=event.round,
        secret=event.secret,
        digest=event.digest,
        root=event.root,
        cards=event.cards,
        seeds=event.seeds,
        position=state.events,
    )


@room.decides(MixShuffle)
def mix_shuffle(book: ShuffleBook, order: Order[MixShuffle]) -> None:
    """Of the newest commitment, with seeds that belong to the hashes that stand there."""
    command = order.command
    bound = _bound(book, order)
    counter = bound.uses
    if not counter and command.cards != bound.cards:
        counter = 1  # only the whole deck was committed to card by card
    if not counter and command.root != bound.root:
        raise BadCommand(f"the first shuffle of commitment {bound.number} is of another order")
    if counter and command.root == bound.root:
        raise BadCommand(f"the first order of commitment {bound.number} is not for this shuffle")
    book.emit(
        ShuffleMixed(
            shuffle=command.shuffle,
            table=command.table,
            number=bound.number,
            committed=bound.position,
            counter=counter,
            need=command.need,
            purpose=command.purpose,
            root=command.root,
            cards=command.cards,
            seeds=command.seeds,
            unopened=command.unopened,
            absent=command.absent,
        )
    )


@room.decides(MixDraw)
def mix_draw(book: ShuffleBook, order: Order[MixDraw]) -> None:
    """Of the newest commitment too."""
    command = order.command
    bound = _bound(book, order)
    book.emit(
        DrawMixed(
            draw=command.draw,
            table=command.table,
            number=bound.number,
            committed=bound.position,
            counter=bound.uses,
            need=command.need,
            purpose=command.purpose,
            among=command.among,
            seeds=command.seeds,
            unopened=command.unopened,
            absent=command.absent,
        )
    )


def _only_the_house(order: Order[Any]) -> None:
    if order.rank is not ActorRank.HOUSE:
        raise BadCommand("only the House commits to a shuffle")


def _bound(book: ShuffleBook, order: Order[Any]) -> Bound:
    """The commitment that something is made of; a `BadCommand` if it cannot be made so."""
    command, bound = order.command, book.state.bound
    _only_the_house(order)
    if bound is None:
        raise BadCommand("nothing was committed to")
    if bound.uses:
        before = (bound.opened, bound.unopened, bound.absent)
        if (command.seeds, command.unopened, command.absent) != before:
            raise BadCommand(f"the seeds of commitment {bound.number} were other ones before")
        return bound
    listed = {each.player: each.hash for each in bound.seeds}
    for each in command.seeds:
        made = seed_hash(command.table, bound.number, each.player, bytes.fromhex(each.seed))
        if listed.get(each.player) != made.hex():
            raise BadCommand(f"the seed of {each.player} is not the one whose hash is listed")
    named = [each.player for each in command.seeds] + [*command.unopened, *command.absent]
    if sorted(named) != sorted(listed):
        raise BadCommand("a seed that is listed is opened, unopened, or of somebody absent")
    if not in_their_order(command.seeds, bound.seeds):
        raise BadCommand("opened seeds stand in the order of the list, or there were many decks")
    return bound


def in_their_order(opened: Iterable[OpenedSeed], listed: Iterable[SeedHash]) -> bool:
    """Whether opened seeds stand in the order of the hashes that were listed before: another order
    gives another deck, which somebody could have chosen."""
    names = iter(each.player for each in listed)
    return all(each.player in names for each in opened)


@room.applies(ShuffleMixed)
def shuffle_mixed(book: ShuffleBook, event: ShuffleMixed) -> None:
    book.state.shuffles += 1
    _used(book, event)


@room.applies(DrawMixed)
def draw_mixed(book: ShuffleBook, event: DrawMixed) -> None:
    _used(book, event)


def _used(book: ShuffleBook, event: ShuffleMixed | DrawMixed) -> None:
    state = book.state
    state.events += 1
    bound = state.bound
    if bound is None:
        return  # only in a log that somebody has changed; the audit says so
    if not bound.uses:
        until = event.number + SILENCE
        state.silent |= dict.fromkeys(event.unopened, until)
    bound.uses = event.counter + 1
    bound.opened, bound.unopened, bound.absent = event.seeds, event.unopened, event.absent


class ShuffleBook(Conversation[BookState]):
    """The book of the commitments of one table."""

    rooms: ClassVar[tuple[Room, ...]] = (room,)
    state_type: ClassVar[type[State]] = BookState

    def __init__(self, book: Rulebook | None = None) -> None:
        super().__init__(book or NO_GAME)


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
