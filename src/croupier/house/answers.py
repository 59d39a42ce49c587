"""Answers of the House, who hears them, and which command was answered before.

A command has one effect however often it is sent: `AnsweredCommands` keeps who waits for
an answer, and the last answers that were given. Older ones are read from the log.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol

from msgspec import Struct

from croupier.house.errors import IdTaken
from croupier.pit import Said
from croupier.table import Command, Order, Refused

REMEMBERED = 10_000
"""Answers kept in memory for commands that are sent twice."""


# Records of the House hold plain values and each other, never in a circle: the collector need not
# walk them (`gc=False`). It would, for thousands of them, all the time.
class Answer(Struct, frozen=True, kw_only=True, gc=False):
    """What came of a command: a refusal, or what was said, at the positions of their logs."""

    command_id: str
    refused: Refused | None = None
    said: tuple[Said, ...] = ()
    positions: tuple[int, ...] = ()
    again: bool = False
    """True if the command had been carried out before and this is the same answer again."""


class Given(Struct, frozen=True, kw_only=True):
    """A command as it was given, and whoever waits for its answer.

    That is no plain value: what waits may lead back to the House, so the collector walks it."""

    place: str
    order: Order[Command]
    promise: Future[Answer]
    again: Callable[[], Future[Answer]] | None = None
    """Gives it once more, where another process may be first through no fault of its own."""


class Done(Struct, frozen=True, gc=False):
    """A command that was answered: enough to know it again."""

    place: str
    order: Order[Command]
    answer: Answer


class Watcher(Protocol):
    """Whoever must see each table exactly as it stood after a command, such as live viewers.

    What it makes of an answer it keeps back until the answer is stored, and throws away if it is
    lost: nobody hears of what is not durable.
    """

    def made(self, answer: Answer, order: Order[Command]) -> None:
        """A command was answered and is not durable yet; the tables stand as it left them."""

    def stored(self, answer: Answer) -> None:
        """The answer is durable. Called in the order of the answers, by the writer's thread or by
        whoever waits for his own (`House.carry_out`), never by two at once."""

    def lost(self, answer: Answer) -> None:
        """The answer could not be stored; its tables and links were read from their logs again."""


class AnsweredCommands:
    """Which commands wait for their answer, and which were answered lately.

    Whoever gives commands holds the House's lock; whoever tells answers moves a command from the
    one to the other without it. So a command is put where it goes before it is taken from where it
    was: it may be found twice, never not at all.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, Given] = {}
        self._done: OrderedDict[str, Done] = OrderedDict()

    def wait(self, command_id: str, given: Given) -> None:
        """A command waits to be stored."""
        self._waiting[command_id] = given

    def done(self, command_id: str, given: Given, answer: Answer) -> None:
        """It is stored."""
        self._done[command_id] = Done(given.place, given.order, answer)
        self._waiting.pop(command_id, None)
        if len(self._done) > REMEMBERED:
            self._done.popitem(last=False)

    def forget(self, command_id: str) -> None:
        """It was not stored, and may be given again."""
        self._waiting.pop(command_id, None)

    def command_of(self, command_id: str) -> Command | None:
        """The command that waits or was answered lately under an id."""
        before = self._waiting.get(command_id) or self._done.get(command_id)
        return before.order.command if before is not None else None

    def again(self, command_id: str, given: Given) -> Future[Answer] | None:
        """The answer to a command that was given before, if it was this one."""
        before = self._waiting.get(command_id) or self._done.get(command_id)
        if before is None:
            return None
        was, order = before.order, given.order
        if (before.place, was.who, was.command) != (given.place, order.who, order.command):
            raise taken(command_id)
        if isinstance(before, Given):
            return before.promise
        given.promise.set_result(before.answer)
        return given.promise


def taken(command_id: str) -> IdTaken:
    """Another command was carried out under this id."""
    return IdTaken(
        f"command id {command_id!r} belongs to another command; give this one an id of its own"
    )
