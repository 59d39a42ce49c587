"""The public stream of one table, held back: what watchers are told, so many seconds later.

It watches the table as any visitor without a seat does, so it is sent what lies face up and nothing
else, keeps every message for the delay, and only then passes it on. Whoever comes later gets the
table as it stood at that time. Nothing newer leaves the server: no page could show it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

import msgspec
from msgspec import Raw, Struct, structs

from croupier.live import wire
from croupier.live.hub import Viewing
from croupier.live.ready_made import Standing

STOPS = ("bye",)
"""What is passed on at once: that the server stops."""


class Clock(Protocol):
    """The event loop, as far as it is needed here."""

    def time(self) -> float:
        """Seconds, which never go back."""

    def call_later(self, delay: float, callback: Callable[[], None]) -> Any:
        """Call something so many seconds later."""


class _Kind(Struct, tag_field=None):
    """What a message is, and how far it tells."""

    is_: str = msgspec.field(name="is")
    position: int | None = None


class _State(Struct, kw_only=True):
    """A message with a view in it, without its events."""

    position: int
    view: Raw
    clock: wire.Clock | None = None
    jackpot: wire.JackpotMessage | None = None
    bots: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    ready: tuple[str, ...] = ()
    held: bool = False


class _Figures(Struct):
    """What every view has, of whatever game."""

    round: int
    status: str


_kind = msgspec.json.Decoder(_Kind)
_state = msgspec.json.Decoder(_State)
_figures = msgspec.json.Decoder(_Figures)
_clock = msgspec.json.Decoder(wire.ClockMessage)
_jackpot = msgspec.json.Decoder(wire.JackpotMessage)
_shuffle = msgspec.json.Decoder(wire.ShuffleMessage)


class Delayed:
    """The watchers of one table, who are told everything later. Used in the event loop."""

    who: str | None = None
    wants_offers = False

    def __init__(
        self,
        delay: float,
        loop: Clock,
        hello: Callable[[str | None, int], wire.HelloMessage],
        standing: Callable[[str], Standing],
        first: float,
    ) -> None:
        """`first` is for how many seconds the table is held back as it stands at the start."""
        self.delay = delay
        self._first: float | None = first
        self.viewings: dict[Viewing, int] = {}
        """Each with the position that it has seen already."""
        self._loop, self._hello, self._standing = loop, hello, standing
        self._queue: deque[tuple[float, str, int | None, bytes]] = deque()
        self._state: _State | None = None
        self._stood = 0.0
        """When that was released."""
        self._shuffle: wire.ShuffleMessage | None = None
        self._closed = False

    # -- what the table tells (Viewing) --------------------------------------------------------

    def push(self, message: bytes) -> None:
        """Keep a message back."""
        found = _kind.decode(message)
        if found.is_ in STOPS:
            for viewing in tuple(self.viewings):
                viewing.push(message)
        elif found.is_ != "hello":
            held = self.delay if self._first is None else self._first
            self._first = None
            was_empty = not self._queue
            due = self._loop.time() + held
            self._queue.append((due, found.is_, found.position, message))
            if held == 0:
                self._release()
            elif was_empty:
                self._loop.call_later(held, self._release)

    def offer(self, standing: Standing) -> None:
        """It asks for none."""

    def close(self, code: int) -> None:
        """The casino stops."""
        self._closed = True
        for viewing in tuple(self.viewings):
            viewing.close(code)

    # -- what is due ---------------------------------------------------------------------------

    def _release(self) -> None:
        """Pass on what is due, and come back for the rest."""
        if self._closed:
            return
        now = self._loop.time()
        try:
            while self._queue and self._queue[0][0] <= now:
                _, kind, position, message = self._queue.popleft()
                self._note(kind, message)
                for viewing in tuple(self.viewings):
                    self._pass_on(viewing, position, message)
        finally:  # whatever happens to one message, the others are told
            if self._queue:
                self._loop.call_later(max(0.0, self._queue[0][0] - now), self._release)

    def _note(self, kind: str, message: bytes) -> None:
        """Keep the table as it stands for watchers now."""
        if kind in ("view", "events"):
            self._state, self._stood = _state.decode(message), self._loop.time()
        elif kind == "shuffle":
            self._shuffle = _shuffle.decode(message)
        elif self._state is not None and kind == "clock":
            told = _clock.decode(message)
            self._stood = self._loop.time()
            self._state = structs.replace(
                self._state, clock=told.clock, away=told.away, ready=told.ready, held=told.held
            )
        elif self._state is not None and kind == "jackpot":
            self._state = structs.replace(self._state, jackpot=_jackpot.decode(message))

    def _pass_on(self, viewing: Viewing, position: int | None, message: bytes) -> None:
        """Who has seen more already, because he has just left the table, waits until then."""
        seen = self.viewings[viewing]
        if position is None:
            if seen <= self.position:
                viewing.push(message)
        elif position > seen:
            self.viewings[viewing] = position
            viewing.push(message)
            self._offer(viewing)

    def _offer(self, viewing: Viewing) -> None:
        """What somebody without a seat may do now, with no more of the table than he is shown."""
        if viewing.wants_offers and viewing.who is not None and self._state is not None:
            stands = self._standing(viewing.who)
            viewing.offer(structs.replace(stands, position=self.position, round=self.round))

    # -- coming and going ----------------------------------------------------------------------

    def join(self, viewing: Viewing, after: int | None) -> None:
        """Let somebody watch: he gets `hello`, then the table as it stood."""
        hello = structs.replace(
            self._hello(viewing.who, self.position), shuffle=self._shuffle, delay=self.delay
        )
        viewing.push(wire.write(hello))
        self.viewings[viewing] = -1 if after is None else after
        if self._state is not None and (after is None or after < self.position):
            self.viewings[viewing] = self.position
            missed = self.position - after if after is not None and after >= 0 else 0
            viewing.push(wire.write(self._view(self._state, missed)))
        self._offer(viewing)

    def show(self, viewing: Viewing) -> None:
        """Send somebody who watches the table as it stood; not who has seen more already."""
        if self._state is not None and self.viewings[viewing] <= self.position:
            viewing.push(wire.write(self._view(self._state, 0)))

    def leave(self, viewing: Viewing) -> int | None:
        """He watches no more; the position that he has seen, if he was here."""
        return self.viewings.pop(viewing, None)

    def _view(self, state: _State, missed: int) -> wire.ViewMessage:
        clock = state.clock
        if clock is not None:
            gone = int((self._loop.time() - self._stood) * 1000)
            clock = structs.replace(clock, left=max(0, clock.left - gone))
        return wire.ViewMessage(
            position=state.position,
            view=state.view,
            clock=clock,
            jackpot=state.jackpot,
            bots=state.bots,
            away=state.away,
            ready=state.ready,
            held=state.held,
            missed=missed,
        )

    # -- what is asked -------------------------------------------------------------------------

    @property
    def position(self) -> int:
        """How far watchers have been told; 0 before the first delay is over."""
        return self._state.position if self._state is not None else 0

    @property
    def knows(self) -> bool:
        """Whether there is anything to be shown yet."""
        return self._state is not None

    @property
    def round(self) -> int:
        """The round that watchers see."""
        return _figures.decode(self._state.view).round if self._state is not None else 0

    @property
    def status(self) -> str:
        """How the table stands for watchers."""
        return _figures.decode(self._state.view).status if self._state is not None else ""

    @property
    def shuffle(self) -> wire.ShuffleMessage | None:
        """What watchers know of the shuffle."""
        return self._shuffle
