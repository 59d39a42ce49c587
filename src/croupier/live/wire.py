"""The messages of the socket, in and out, as records. The page is docs/protocol.md.

Commands inside a message stay raw until it is known at which table they are read. Views and
events that many get alike are encoded once and put in whole.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct, structs

from croupier.table import Money

PROTOCOL = 1
UNREADABLE = "unreadable"

CommandId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{8,64}$")]


# -- in -------------------------------------------------------------------------------------------


Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class SeedGiven(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's part of a shuffle: the hash of his seed, or later the seed itself."""

    number: Annotated[int, Meta(ge=1, lt=1 << 32)]
    """Of the commitment that it is for."""
    hash: Hex32 | None = None
    open: Hex32 | None = None


class Incoming(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a client may send: a command with its id and place, `ready`, a seed, the wish to be sent
    the whole view, or a ping."""

    id: CommandId | None = None
    place: str | None = None
    command: Raw = Raw(b"")
    warned: bool = False
    """With `sit`: he knows that the table waits for staff."""
    ready: Literal[True] | None = None
    seed: SeedGiven | None = None
    view: Literal[True] | None = None
    ping: Annotated[int, Meta(ge=0, lt=1 << 53)] | None = None


class GivenCommand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command over HTTP; the table stands in the path."""

    id: CommandId
    command: Raw
    warned: bool = False
    """With `sit`: he knows that the table waits for staff."""


class Unreadable(ValueError):
    """A message that is not of this protocol; `id` is its id where that could be read."""

    def __init__(self, says: str, id: str | None = None) -> None:
        super().__init__(says)
        self.id = id


_incoming = msgspec.json.Decoder(Incoming)
_id_only = msgspec.json.Decoder(dict[str, Any])


def read(text: str | bytes) -> Incoming:
    """Read one message, strictly."""
    try:
        message = _incoming.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(f"unreadable message: {error}", _id_of(text)) from None
    given = bool(bytes(message.command))
    seed = message.seed
    others = (message.ready, seed, message.view, message.ping)
    if given + sum(other is not None for other in others) != 1:
        says = "a message is one of: a command, ready, a seed, view, a ping"
        raise Unreadable(says, message.id)
    if seed is not None and (seed.hash is None) == (seed.open is None):
        raise Unreadable("of a seed comes its hash, or the seed itself as `open`", message.id)
    if given and (message.id is None or message.place is None):
        raise Unreadable("a command comes with an id and the place of its table", message.id)
    return message


def _id_of(text: str | bytes) -> str | None:
    """The id of a message that is wrong elsewhere, so that its sender knows which one it was."""
    try:
        found = _id_only.decode(text).get("id")
        return msgspec.convert(found, CommandId) if found is not None else None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


# -- out ------------------------------------------------------------------------------------------


class Cited(Struct, frozen=True, kw_only=True):
    """A paragraph that stands behind an answer, in our words."""

    rulebook: str
    paragraph: str
    title: str
    says: str


class JackpotMessage(Struct, frozen=True, kw_only=True, tag_field="is", tag="jackpot"):
    """The meter of the table's link."""

    link: str
    meter: int
    display: int
    status: str


class SentHash(Struct, frozen=True, kw_only=True):
    """The hash of a seed that a player had sent before the House committed."""

    player: str
    hash: str


class ToldSeed(Struct, frozen=True, kw_only=True):
    """A seed that a player has opened."""

    player: str
    seed: str


class MixedMessage(Struct, frozen=True, kw_only=True):
    """What the last shuffle or pick was made of."""

    seeds: tuple[ToldSeed, ...]
    unopened: tuple[str, ...]
    """Who was dealt in and did not open his seed in time."""
    absent: tuple[str, ...]
    """Who was not dealt in: his seed is not asked for."""


class ShuffleMessage(Struct, frozen=True, kw_only=True, tag_field="is", tag="shuffle"):
    """What the House has bound itself to, and how far the shuffle is."""

    stage: Literal["nothing", "committed", "opening", "mixed"]
    """`opening`: whoever has sent a hash opens his seed now."""
    next: int
    """The number of the next commitment: a hash that is sent now is for that one."""
    number: int = 0
    for_round: int = 0
    digest: str = ""
    root: str = ""
    cards: int = 0
    seeds: tuple[SentHash, ...] = ()
    mixed: MixedMessage | None = None


class Clock(Struct, frozen=True, kw_only=True, rename={"for_": "for"}):
    """Who is waited for, and how long still."""

    for_: tuple[int, ...]
    why: Literal["action", "straddle", "decision", "showdown", "bets", "next round"]
    left: int
    """Milliseconds from the moment of sending."""
    of: int
    bank: int = 0
    on_bank: bool = False


class Around(Struct, frozen=True, kw_only=True):
    """What stands around a view and is the same for everybody."""

    clock: Clock | None = None
    jackpot: JackpotMessage | None = None
    bots: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    ready: tuple[str, ...] = ()
    held: bool = False
    """Whether a ruling is being made: nobody acts and no clock runs until it is confirmed."""


class HelloMessage(Struct, frozen=True, kw_only=True, tag_field="is", tag="hello"):
    """The first message: which table this is, and who you are there."""

    protocol: int
    place: str
    game: str
    rulebook: str
    you: str | None
    position: int
    sign: Raw
    link: str | None
    mode: str
    closed: str = ""
    """Why nothing new begins at the table, in a sentence; empty where it is open."""
    notice: str = ""
    """That the table closes after its next round, or after this one."""
    shuffle: ShuffleMessage | None = None
    private: bool = False
    """Whether it is a private table, at which players may say something."""
    delay: float = 0
    """Seconds by which you are told later than players, because you only watch."""


class ViewMessage(Struct, frozen=True, kw_only=True, tag_field="is", tag="view"):
    """The table as the receiver may see it."""

    position: int
    view: Raw
    clock: Clock | None
    jackpot: JackpotMessage | None
    bots: tuple[str, ...]
    away: tuple[str, ...]
    ready: tuple[str, ...]
    held: bool = False
    """Whether a ruling is being made: nobody acts and no clock runs until it is confirmed."""
    missed: int = 0
    """Events that were not kept for one who came back; the history has them."""


class FirstMessages(Struct, frozen=True, kw_only=True):
    """What a socket says first, for a page that asks before it has one."""

    hello: HelloMessage
    view: ViewMessage


class _EventsBegun(Struct, frozen=True, kw_only=True, tag_field="is", tag="events"):
    """As much of a message of events as is the same for everybody."""

    position: int
    clock: Clock | None
    jackpot: JackpotMessage | None
    bots: tuple[str, ...]
    away: tuple[str, ...]
    ready: tuple[str, ...]
    held: bool = False
    caught_up: bool = False


class EventsMessage(_EventsBegun, frozen=True, kw_only=True, tag_field="is", tag="events"):
    """What has happened, and the table after it."""

    events: list[Raw]
    view: Raw


class PatchedMessage(
    _EventsBegun, frozen=True, kw_only=True, tag_field="is", tag="events", rename={"from_": "from"}
):
    """What has happened, and what it has changed of the view, for who takes patches."""

    events: list[Raw]
    patch: Raw
    from_: int
    """The position of the view that the patch is for: the last one that was sent."""


class ClockMessage(Struct, frozen=True, kw_only=True, tag_field="is", tag="clock"):
    """The clock alone has changed, who is away or ready, or whether a ruling is being made."""

    clock: Clock | None
    away: tuple[str, ...]
    ready: tuple[str, ...]
    held: bool = False
    notice: str = ""
    """That the table closes after its next round, or after this one."""


class Offered(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that the receiver may do now; `send` is the message that does it, as it is."""

    do: str
    send: dict[str, Any]
    least: Money | None = None
    """Where an amount may be chosen; `send` says one already."""
    most: Money | None = None
    step: Money | None = None
    says: str = ""


class OffersMessage(Struct, frozen=True, kw_only=True, tag_field="is", tag="offers"):
    """What the receiver may do now, ready-made, for who has asked to be told so."""

    position: int
    round: int
    chips: Money | None
    """What lies before him at this table; null while he does not sit there."""
    offers: tuple[Offered, ...]


class AnswerMessage(Struct, frozen=True, kw_only=True, tag_field="is", tag="answer"):
    """The command was carried out and is stored."""

    id: str
    positions: tuple[int, ...]
    again: bool = False


class LinkAnswerMessage(AnswerMessage, frozen=True, kw_only=True, tag_field="is", tag="answer"):
    """An order at a jackpot link was carried out and is stored."""

    told: tuple[str, ...] = ()
    """What came of it at the link, in sentences."""


class RefusedMessage(Struct, frozen=True, kw_only=True, tag_field="is", tag="refused"):
    """The book does not allow it."""

    id: str
    says: str
    cites: tuple[Cited, ...]


class ErrorMessage(
    Struct, frozen=True, kw_only=True, tag_field="is", tag="error", omit_defaults=True
):
    """What no paragraph speaks of."""

    id: str | None
    code: str
    says: str
    wait: int = 0
    """Milliseconds after which it may be tried again."""


class ChatMessage(Struct, frozen=True, kw_only=True, tag_field="is", tag="chat"):
    """A few words that a player said at a private table."""

    player: str
    words: str
    at: str


class PongMessage(Struct, frozen=True, kw_only=True, tag_field="is", tag="pong"):
    """The answer to a ping."""

    ping: int


class ByeMessage(Struct, frozen=True, kw_only=True, tag_field="is", tag="bye"):
    """The server is about to close the connection."""

    code: str
    says: str


Reply = AnswerMessage | RefusedMessage | ErrorMessage

_encoder = msgspec.json.Encoder()


def write(message: Struct) -> bytes:
    """One message as it goes over the wire: JSON in UTF-8."""
    return _encoder.encode(message)


class EventsForAll:
    """Messages of events that tell many audiences of one moment: each as `write` would write its
    `EventsMessage` or `PatchedMessage`, what they have in common written once."""

    def __init__(self, position: int, around: Around) -> None:
        begun = _EventsBegun(position=position, **structs.asdict(around))
        self._begun = _encoder.encode(begun)[:-1] + b',"events":'
        self._with_events: dict[int, bytes] = {}
        """By the identity of a list of events: audiences share theirs."""
        self._patched: dict[tuple[int, int], bytes] = {}
        """Whole messages, by the identity of their events and of their patch."""

    def write(self, events: list[Raw], view: Raw) -> bytes:
        """The message for one audience."""
        return self._events(events) + b',"view":' + bytes(view) + b"}"

    def write_patch(self, events: list[Raw], patch: Raw, since: int) -> bytes:
        """The message for one audience that has the view of a position."""
        key = (id(events), id(patch))
        made = self._patched.get(key)
        if made is None:
            told = self._events(events)
            made = self._patched[key] = b'%b,"patch":%b,"from":%d}' % (told, bytes(patch), since)
        return made

    def _events(self, events: list[Raw]) -> bytes:
        begun = self._with_events.get(id(events))
        if begun is None:
            begun = self._with_events[id(events)] = self._begun + _encoder.encode(events)
        return begun
