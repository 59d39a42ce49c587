"""Walks through the logs of all tables that a visitor asks for: one at a time, few wait for it, and
one that nobody waits for any more ends.

To read every log takes seconds and a core. Whoever asks again and again, and does not even wait for
the answer, must not keep others from theirs.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import IO, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from croupier.live.errors import NotAllowed
from croupier.live.limits import Slots
from croupier.live.senders import sender

T = TypeVar("T")
GoOn = Callable[[], None]
"""Called at every step of a walk; it raises Gone once nobody waits for it."""

IN_ALL = 8
"""Walks at most, with those that wait."""
OF_ONE = 2
"""Of one person: a page that is loaded again asks before the first is seen to have gone."""
OF_ONE_SENDER = 4
LOOKS = 0.25
"""Seconds between two looks whether somebody waits still."""
CHUNK = 65_536
IN_MEMORY = 1_000_000
"""Bytes of a file that are kept in memory; what is longer is written to the disk."""
ALL = "all"


class Busy(NotAllowed):
    """Somebody waits already, or too many do."""

    def __init__(self, says: str) -> None:
        super().__init__("busy", says)


class Gone(NotAllowed):
    """Whoever asked has gone."""

    def __init__(self) -> None:
        super().__init__("gone", "Nobody waits for this any more.")


class Walks:
    """Used in one event loop."""

    def __init__(self) -> None:
        self._one_at_a_time = asyncio.Lock()
        self._slots = Slots()

    async def walk(self, request: Request, who: str, does: Callable[[GoOn], T]) -> T:
        """Walk in a thread for somebody; raises Busy, Gone."""
        return await self._walk(request, who, does)

    async def walk_to_file(
        self,
        request: Request,
        who: str,
        does: Callable[[IO[bytes], GoOn], None],
        headers: Mapping[str, str],
    ) -> Response:
        """The same for a file, which is sent; until then whoever asked gets no other one."""
        writes = ("file", who)
        self._take((writes, 1))
        with ExitStack() as at_the_end:
            at_the_end.callback(self._slots.give_back, writes)
            file = at_the_end.enter_context(SpooledTemporaryFile(IN_MEMORY))
            await self._walk(request, who, lambda go_on: does(file, go_on))
            return SentFile(file, at_the_end.pop_all(), headers)

    def _take(self, *wanted: tuple[object, int]) -> None:
        if not self._slots.take(*wanted):
            raise Busy("You have asked for your hands already; wait until they are there.")

    async def _walk(self, request: Request, who: str, does: Callable[[GoOn], T]) -> T:
        self._take((("who", who), OF_ONE), (("sender", sender(request)), OF_ONE_SENDER))
        try:
            if not self._slots.take((ALL, IN_ALL)):
                raise Busy("Many people ask for their hands; try again in a moment.")
            try:
                async with self._one_at_a_time:
                    return await _watched(request, does)
            finally:
                self._slots.give_back(ALL)
        finally:
            self._slots.give_back(("who", who), ("sender", sender(request)))


async def _watched(request: Request, does: Callable[[GoOn], T]) -> T:
    """Do it in a thread; whoever asked is looked for meanwhile."""
    gone = threading.Event()

    def go_on() -> None:
        if gone.is_set():
            raise Gone

    if await request.is_disconnected():
        raise Gone
    walking = asyncio.ensure_future(asyncio.to_thread(does, go_on))
    try:
        while not (await asyncio.wait({walking}, timeout=LOOKS))[0]:
            if await request.is_disconnected():
                gone.set()
        return await walking
    finally:
        gone.set()


class SentFile(Response):
    """A file that is sent piece by piece, and closed whatever becomes of it."""

    def __init__(self, file: IO[bytes], at_the_end: ExitStack, headers: Mapping[str, str]) -> None:
        length = file.seek(0, 2)
        file.seek(0)
        super().__init__(headers={**headers, "content-length": str(length)})
        self._file, self._at_the_end = file, at_the_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._at_the_end:
            start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
            await send(start)
            last = await self._read()
            while piece := await self._read():
                await send({"type": "http.response.body", "body": last, "more_body": True})
                last = piece
        # By the time that the last piece arrives, the next file may be asked for.
        await send({"type": "http.response.body", "body": last})

    async def _read(self) -> bytes:
        return await asyncio.to_thread(self._file.read, CHUNK)
