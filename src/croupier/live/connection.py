"""One socket: reads commands, sends what the hub of its table pushes, and keeps to the limits.

What is to be sent is written at once; while the client does not read it waits in a bounded queue. A
client that does not read in time is dropped; it can come back and catch up from the last position
that it saw.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket, WebSocketDisconnect

from croupier.house.answers import Answer
from croupier.house.errors import HouseError, IdTaken, LostConnection, OwnedElsewhere
from croupier.live import wire
from croupier.live.authority import LOGGED_OUT
from croupier.live.citing import cited
from croupier.live.errors import NotAllowed
from croupier.live.hub import STOPPING
from croupier.live.identity import Visitor
from croupier.live.limits import Bucket
from croupier.live.offering import Offering
from croupier.live.ready_made import Standing
from croupier.live.sending import sending_to
from croupier.table import BadCommand

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

TOO_SLOW, UNREADABLE, TOO_MANY = 4408, 4400, 4429
DISMISSED = 4401
"""The code of a connection whose visitor has lost what he had: his session, or his post."""
FAULT = 1011
"""The code of a connection that is closed for a fault of the server."""
FLOODED = 40
"""Messages in a row that come too fast before the connection is closed."""
OFFERED_AGAIN = 1.0
"""Seconds after which what was refused is offered again, if nothing has happened meanwhile."""
LINGER = 0.5
"""Seconds that a farewell may take to be sent."""


class Connection:
    """One client at one table."""

    def __init__(
        self,
        casino: LiveCasino,
        place: str,
        visitor: Visitor,
        socket: WebSocket,
        *,
        wants_offers: bool = False,
        wants_patches: bool = False,
    ) -> None:
        limits = casino.config.limits
        self.casino = casino
        self.place = place
        self.visitor = visitor
        self.who = visitor.name
        self.wants_offers = wants_offers
        self.wants_patches = wants_patches
        """Whether the client keeps its view, and is sent what has changed of it."""
        self._offering = Offering(place, casino.house.world.unique())
        self._socket = socket
        self._line = sending_to(socket)
        self._queue: deque[bytes] = deque()
        """What waits while the socket is congested."""
        self._most = limits.queue
        self._messages, self._sent_bytes = casino.metrics.messages, casino.metrics.sent_bytes
        self._closing: int | None = None
        self._over: asyncio.Future[None] = casino.loop.create_future()
        """Done once nothing more will be sent."""
        self._bucket = Bucket(
            limits.messages_per_second, limits.messages_at_once, casino.house.world.monotonic
        )
        self._unreadable = 0
        self._flooded = 0

    # -- sending -----------------------------------------------------------------------------

    def push(self, message: bytes) -> None:
        """Send a message, or keep it while the socket is congested; drop who does not read."""
        if self._closing is not None:
            return
        if not self._line.is_congested:
            self._write(message)
        elif len(self._queue) < self._most:
            self._queue.append(message)
        else:
            self.casino.metrics.dropped.add(1, "too slow")
            self._queue.clear()
            self.close(TOO_SLOW)

    def _write(self, message: bytes) -> None:
        self._line.write(message)
        self._messages.amount += 1
        self._sent_bytes.amount += len(message)

    def _write_what_waits(self) -> None:
        """The client reads again."""
        while self._queue and not self._line.is_congested:
            self._write(self._queue.popleft())
        self._end_if_sent()

    def offer(self, standing: Standing) -> None:
        """He stands so at the table now: tell him what he may do, if that is new."""
        self._tell_offers(self._offering.stands(standing))

    def _tell_offers(self, message: wire.OffersMessage | None) -> None:
        if message is not None:
            self.push(wire.write(message))

    def close(self, code: int) -> None:
        """Close once everything before has been sent."""
        if self._closing is None:
            self._closing = code
            self._end_if_sent()

    def dismiss(self, code: str, says: str) -> None:
        """He has no authority here any more: say so, send nothing else, and close."""
        if self._closing is None:
            self._queue.clear()
            self._bye(DISMISSED, code, says)

    def _end_if_sent(self) -> None:
        if self._closing is not None and not self._queue and not self._over.done():
            self._over.set_result(None)

    # -- the whole connection ----------------------------------------------------------------

    async def run(self, after: int | None) -> None:
        """Serve the client until one of both sides closes."""
        self._line.take(self._take, self._write_what_waits)
        try:
            self.casino.join(self.place, self, after)
        except HouseError as error:  # the table cannot be read now: he may come back
            self._failed(error)
            await self._socket.close(FAULT)
            return
        self.casino.authority.join(self)
        reader = asyncio.create_task(self._read())
        try:
            await asyncio.wait((reader, self._over), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.casino.authority.leave(self)
            self.casino.leave(self.place, self)
            await self._end(reader)

    async def _end(self, reader: asyncio.Task[None]) -> None:
        reader.cancel()
        [result] = await asyncio.gather(reader, return_exceptions=True)
        if isinstance(result, Exception) and not isinstance(
            result, WebSocketDisconnect | RuntimeError
        ):
            self._failed(result)
        with suppress(Exception):
            async with asyncio.timeout(LINGER):
                await self._line.end()
                await self._socket.close(self._closing or 1000)

    def _failed(self, error: Exception) -> None:
        self.casino.metrics.faults.add(1)
        told = {"place": self.place}
        self.casino.log.error("a connection failed", exc_info=error, extra=told)

    # -- reading -----------------------------------------------------------------------------

    async def _read(self) -> None:
        """Wait for the end. Texts come by `heard`; what is here is no text, or came too early."""
        while self._closing is None:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            if text is None:
                self._bye(UNREADABLE, wire.UNREADABLE, "Messages are text.")
            else:
                self._take(text)

    def _take(self, text: str) -> None:
        """A text has come in. Whatever is wrong with it, no other connection is harmed."""
        if self._closing is not None:
            return
        try:
            if wait := self._bucket.take():
                self._too_fast(wait)
            else:
                self._flooded = 0
                self._heard(text)
        except Exception as error:
            self._failed(error)
            self.close(FAULT)

    def _too_fast(self, wait: float) -> None:
        self.casino.metrics.turned_away.add(1, "too fast")
        self._flooded += 1
        if self._flooded > FLOODED:
            self._bye(TOO_MANY, "too fast", "Too many messages.")
            return
        self._error(None, "too fast", "Slower, please.", wait=max(1, round(wait * 1000)))

    def _heard(self, text: str) -> None:
        try:
            message = wire.read(text)
        except wire.Unreadable as error:
            self._cannot_read(error.id, str(error))
            return
        if message.ping is not None:
            self._unreadable = 0
            self.push(wire.write(wire.PongMessage(ping=message.ping)))
        elif message.ready is not None:
            self._unreadable = 0
            self._given(self.casino.set_ready)
        elif message.view is not None:
            self._unreadable = 0
            self.casino.show(self.place, self)
        elif message.seed is not None:
            self._unreadable = 0
            seed = message.seed
            self._given(lambda who, place: self.casino.shuffles.take(who, place, seed))
        else:
            assert message.id is not None
            link = self.casino.house.pit.linked.get(self.place)
            if message.place is None or message.place not in (self.place, link):
                self._error(message.id, "wrong place", f"This socket is {self.place}'s.")
            else:
                self._command(
                    message.id, message.place, bytes(message.command), warned=message.warned
                )

    def _given(self, take: Callable[[Visitor, str], None]) -> None:
        """Something that is no command; only what is wrong with it is answered."""
        try:
            take(self.visitor, self.place)
        except NotAllowed as error:
            self._error(None, error.code, error.says)
            if error.code == LOGGED_OUT:
                self.dismiss(error.code, error.says)

    def _command(self, id: str, place: str, raw: bytes, *, warned: bool) -> None:
        """A command for this table, or for the jackpot link that it hangs on."""
        casino = self.casino
        try:
            command = casino.conversation(place).read_given(raw)
        except (BadCommand, UnicodeDecodeError, RecursionError) as error:
            self._cannot_read(id, str(error))
            return
        self._unreadable = 0
        if self.wants_offers and not self._offering.asks(id):
            self._error(id, "too late", "That offer does not stand any more.")
            return
        try:
            future = casino.give(self.visitor, place, command, id, warned=warned)
        except (NotAllowed, BadCommand, HouseError) as error:
            self.push(wire.write(failed(casino, id, error)))
            self._offer_after(done=False)
            match getattr(error, "code", ""):
                case "stopping":
                    self.close(STOPPING)
                case code if code == LOGGED_OUT:
                    self.dismiss(code, str(error))
            return
        again = not casino.is_under_way(self.visitor, id)
        # Posted also where the answer is there already: what it caused was posted before, and
        # viewers are to get that first.
        future.add_done_callback(
            lambda done: casino.post(lambda: self._answered(id, place, done, again=again))
        )

    def _answered(self, id: str, place: str, future: Future[Answer], *, again: bool) -> None:
        answer = reply(self.casino, place, id, future, again=again)
        self.push(wire.write(answer))
        self._offer_after(done=isinstance(answer, wire.AnswerMessage))

    def _offer_after(self, *, done: bool) -> None:
        """A command is answered. What was refused is offered again, but not at once: nobody is to
        run in a circle."""
        if self.wants_offers:
            self._tell_offers(self._offering.answered(done=done))
            if not done:
                again = self._offering.again
                self.casino.loop.call_later(OFFERED_AGAIN, lambda: self._tell_offers(again()))

    def _cannot_read(self, id: str | None, says: str) -> None:
        self.casino.metrics.turned_away.add(1, "unreadable")
        self._unreadable += 1
        if self._unreadable >= self.casino.config.limits.unreadable:
            self._bye(UNREADABLE, wire.UNREADABLE, says)
        else:
            self._error(id, wire.UNREADABLE, says)

    def _error(self, id: str | None, code: str, says: str, wait: int = 0) -> None:
        self.push(wire.write(wire.ErrorMessage(id=id, code=code, says=says, wait=wait)))

    def _bye(self, close: int, code: str, says: str) -> None:
        self.casino.metrics.dropped.add(1, code)
        self.push(wire.write(wire.ByeMessage(code=code, says=says)))
        self.close(close)


def reply(
    casino: LiveCasino, place: str, id: str, future: Future[Answer], *, again: bool
) -> wire.Reply:
    """What a client is told of its command: carried out, refused, or not stored."""
    error = future.exception()
    if error is not None:
        return failed(casino, id, error)
    answer = future.result()
    if answer.refused is not None:
        casino.metrics.commands.add(1, "refused")
        book = casino.conversation(place).book
        return wire.RefusedMessage(
            id=id, says=answer.refused.says, cites=cited(book, answer.refused.cites)
        )
    casino.metrics.commands.add(1, "done")
    positions = tuple(
        position
        for said, position in zip(answer.said, answer.positions, strict=True)
        if said.place == place
    )
    again = answer.again or again
    if casino.is_link(place):
        told = tuple(said.event.tell(str) for said in answer.said if said.place == place)
        return wire.LinkAnswerMessage(id=id, positions=positions, again=again, told=told)
    return wire.AnswerMessage(id=id, positions=positions, again=again)


def failed(casino: LiveCasino, id: str, error: BaseException) -> wire.ErrorMessage:
    """An error as a client is told of it; what should not be is logged whole."""
    match error:
        case NotAllowed():
            casino.metrics.commands.add(1, error.code)
            return wire.ErrorMessage(id=id, code=error.code, says=error.says)
        case BadCommand():
            casino.metrics.commands.add(1, "bad command")
            return wire.ErrorMessage(id=id, code="bad command", says=str(error))
        case IdTaken():  # a client's mistake, and no fault of the server
            casino.metrics.commands.add(1, "id taken")
            says = "You have given another command under this id; give this one an id of its own."
            return wire.ErrorMessage(id=id, code="id taken", says=says)
        case _:
            casino.metrics.commands.add(1, "not stored")
            if not isinstance(error, OwnedElsewhere):  # its table is being moved: no fault
                casino.metrics.faults.add(1)
                casino.log.error("a command could not be carried out", exc_info=error)
            says = "It could not be stored; nothing has happened. Try again."
            if isinstance(error, LostConnection):
                says = (
                    "The database is out of reach. The table shows what happened as soon as it is "
                    "back; then try again."
                )
            return wire.ErrorMessage(id=id, code="not stored", says=says)
