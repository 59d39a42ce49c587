"""The hub of one table: who watches it, and what each of them is told, when, and in which order.

What a command caused is masked and encoded when it is answered, while the table stands exactly as
it left it; it is kept back until it is durable, and only then sent. Whoever joins is
put into the same queue, so that he misses nothing and gets nothing twice.

Who takes patches is sent what has changed since the view before (`croupier.live.patches`): every
view goes to everybody, so the one before is the last that he was sent. Where it may not be, because
somebody sat down, left or has just come, or the table was read again, he gets the whole view.

What waits is known by the answer itself and not by the id of its command: whoever was not answered
sends it again under the same id, and it may be carried out before the hub hears that it was lost
the first time.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from msgspec import Raw, Struct, structs

from croupier.house.answers import Answer
from croupier.live import wire
from croupier.live.audience import (
    Audience,
    Entry,
    Roster,
    encode_entries,
    encode_view,
    encode_views,
    roster_of,
    views_for,
)
from croupier.live.patches import Moment, patches
from croupier.live.ready_made import Standing, standing_of
from croupier.table import Table

STOPPING = 1001
"""The code with which sockets are closed when the server stops."""


class Viewing(Protocol):
    """Somebody who watches a table: a connection, or a test."""

    who: str | None
    wants_offers: bool
    """Whether he is told what he may do, ready-made."""

    def offer(self, standing: Standing) -> None:
        """Take how he stands at the table now, for offers."""

    def push(self, message: bytes) -> None:
        """Take a message for sending. Never blocks; whoever is too slow is dropped."""

    def close(self, code: int) -> None:
        """Close once everything before has been sent."""


def takes_patches(viewing: Viewing) -> bool:
    """Whether somebody keeps the view that was sent last; who does not say so does not."""
    return bool(getattr(viewing, "wants_patches", False))


class _Joining(Struct, kw_only=True):
    viewing: Viewing
    after: int | None
    hello: bool = True
    """Whether he comes; else he is here and wants to be sent the whole view."""


class _Hearers(Struct, frozen=True, kw_only=True):
    """Everybody who watches or is about to, by whom they see as; found out once for many commands,
    as long as nobody comes, goes, sits down or leaves."""

    names: frozenset[str]
    """Who sits at the table."""
    audiences: frozenset[Audience]
    patched: dict[Audience, list[Viewing]]
    """Those who take patches."""
    whole: dict[Audience, list[Viewing]]
    everybody: list[Viewing]


class _Waiting(Struct, kw_only=True):
    """What waits to be sent: the outcome of a command until it is durable, a newcomer's turn, or
    the clock as it stands after the commands before it."""

    answer: Answer | None = None
    entries: list[Entry] = []
    messages: list[tuple[Viewing, bytes]] = []
    """What each of those who watch is told."""
    standings: list[tuple[Viewing, Standing]] = []
    joining: _Joining | None = None
    stored: bool = False
    first: bytes | None = None
    """The same for everybody, and before the rest."""
    clock: bytes | None = None
    shown: int | None = None
    """Everybody has been shown the table as it stood then."""

    @property
    def may_go(self) -> bool:
        return self.stored or self.answer is None


class Hub:
    """One table and those who watch it. Commands are answered under the House's lock; what is here
    is guarded by a lock of its own, taken after that one."""

    def __init__(
        self,
        place: str,
        table: Callable[[], Table[Any]],
        position: Callable[[], int],
        around: Callable[[], wire.Around],
        hello: Callable[[str | None, int], wire.HelloMessage],
        keep: int,
    ) -> None:
        self.place = place
        self.viewings: dict[Viewing, None] = {}
        self.told = position()
        """How far those who watch have been told."""
        self.recent: deque[Entry] = deque(maxlen=keep)
        self._table, self._position = table, position
        self._around, self._hello = around, hello
        self._waiting: deque[_Waiting] = deque()
        self._roster: Roster = roster_of(table(), {})
        self._hearers: _Hearers | None = None
        """None where that has to be found out."""
        self._moment: Moment | None = None
        """What was told last, where somebody takes patches."""
        self._lock = threading.RLock()

    @property
    def roster(self) -> Roster:
        """Who sits where, as of the last command; another object once somebody has come or gone."""
        return self._roster

    # -- a command was answered --------------------------------------------------------------

    def entries(
        self, events: list[tuple[int, Any]], at: str, *, timed_out: bool = False
    ) -> list[Entry]:
        """The events of one command at this table, with who sat where as they happened."""
        after = roster_of(self._table(), self._roster)
        if after is not self._roster:
            self._hearers = None
        during = after if after is self._roster else {**self._roster, **after}
        self._roster = after
        return [
            Entry(
                position=position,
                at=at,
                event=event,
                roster=during,
                timed_out=timed_out and (position, event) == events[0],
            )
            for position, event in events
        ]

    def made(self, answer: Answer, entries: list[Entry], first: bytes | None = None) -> None:
        """Mask and encode what a command caused, for everybody who watches, and keep it back.

        `first` is what all of them are told before it.
        """
        with self._lock:
            hearers = self._who_hears()
            messages = self._messages(hearers, entries) if hearers.everybody else []
            if not hearers.patched:
                self._moment = None
            self._waiting.append(
                _Waiting(
                    answer=answer,
                    entries=entries,
                    messages=messages,
                    standings=self._standings(hearers.everybody),
                    first=first,
                )
            )

    def _messages(self, hearers: _Hearers, entries: list[Entry]) -> list[tuple[Viewing, bytes]]:
        """What each of those who watch is told of these events."""
        table, position = self._table(), self._position()
        views = views_for(table, hearers.audiences)
        encoded = encode_entries(entries, hearers.audiences)
        for_all = wire.EventsForAll(position, self._around())
        before = self._moment
        now = Moment(table=table, position=position, names=hearers.names, views=views)
        self._moment = now
        changed: dict[Audience, Raw] = {}
        if before is not None and now.follows(before, entries[0].position):
            changed = patches(before, now, hearers.patched)
        found: list[tuple[Viewing, bytes]] = []
        whole = hearers.whole
        for audience, viewings in hearers.patched.items():
            patch = changed.get(audience)
            if patch is None or before is None:
                whole = {**whole, audience: [*whole.get(audience, ()), *viewings]}
                continue
            told = for_all.write_patch(encoded[audience], patch, before.position)
            found += [(viewing, told) for viewing in viewings]
        for audience, viewings in whole.items():
            told = for_all.write(encoded[audience], encode_view(views[audience]))
            found += [(viewing, told) for viewing in viewings]
        return found

    def _who_hears(self) -> _Hearers:
        """Everybody who watches or is about to, and as whom."""
        if self._hearers is None:
            names = frozenset(self._roster.values())
            hearers = _Hearers(
                names=names, audiences=frozenset(), patched={}, whole={}, everybody=[]
            )
            # Whoever wants to be sent the whole view is there twice.
            for each in dict.fromkeys(self._everybody()):
                ways = hearers.patched if takes_patches(each) else hearers.whole
                ways.setdefault(self._audience(each, names), []).append(each)
                hearers.everybody.append(each)
            audiences = frozenset(hearers.patched) | frozenset(hearers.whole)
            self._hearers = structs.replace(hearers, audiences=audiences)
        return self._hearers

    def _standings(self, viewings: Iterable[Viewing]) -> list[tuple[Viewing, Standing]]:
        """How those stand at the table who want to be told what they may do."""
        asking = [(viewing, viewing.who) for viewing in viewings if viewing.wants_offers]
        if not asking:
            return []
        table, position, ready = self._table(), self._position(), self._around().ready
        return [
            (viewing, standing_of(table, who, position, ready))
            for viewing, who in asking
            if who is not None
        ]

    def _everybody(self) -> Iterator[Viewing]:
        yield from self.viewings
        for waiting in self._waiting:
            if waiting.joining is not None:
                yield waiting.joining.viewing

    @staticmethod
    def _audience(viewing: Viewing, names: frozenset[str]) -> Audience:
        return viewing.who if viewing.who in names else None

    # -- it is durable, or lost --------------------------------------------------------------

    def stored(self, answer: Answer) -> None:
        """What a command caused is durable: send it, and let in who joined after it."""
        with self._lock:
            for waiting in self._waiting:
                if waiting.answer is answer:
                    waiting.stored = True
                    break
            self._send_what_may_go()

    def lost(self, answer: Answer) -> bool:
        """It could not be stored and never happened; newcomers see the table as it is now. So does
        everybody where its log has more than was told, as after a commit that was carried out and
        of which nobody heard; whether it has. Called under the House's lock."""
        with self._lock:
            self._moment = self._hearers = None
            kept = [w for w in self._waiting if w.answer is not answer]
            commands = [w for w in kept if w.answer is not None]  # the clock is told anew
            joining = [w.joining for w in kept if w.joining is not None]
            self._waiting = deque(commands)
            self._roster = roster_of(self._table(), {})
            is_behind = self._is_behind()
            for each in joining:
                if each.hello or not is_behind:
                    self._enqueue(each.viewing, each.after, hello=each.hello)
            if is_behind:
                self._show_everybody()
            self._send_what_may_go()
            return is_behind

    def _is_behind(self) -> bool:
        """Whether the table was read from its log and has more than everybody has been told, or
        will be by what waits."""
        coming = [w.entries[-1].position for w in self._waiting if w.answer is not None]
        return self._position() > (coming[-1] if coming else self.told)

    def _show_everybody(self) -> None:
        for viewing in tuple(self.viewings):
            self._enqueue(viewing, None, hello=False)
        self._waiting.append(_Waiting(shown=self._position()))

    def _send_what_may_go(self) -> None:
        while self._waiting and self._waiting[0].may_go:
            waiting = self._waiting.popleft()
            if waiting.clock is not None:
                self.tell_all(waiting.clock)
                continue
            if waiting.shown is not None:
                self.told = waiting.shown
                continue
            if waiting.joining is not None:
                viewing = waiting.joining.viewing
                self.viewings[viewing] = None
                for _, message in waiting.messages:
                    viewing.push(message)
                self._offer(waiting)
                continue
            self.recent.extend(waiting.entries)
            self.told = waiting.entries[-1].position
            for viewing, message in waiting.messages:
                if viewing in self.viewings:
                    if waiting.first is not None:
                        viewing.push(waiting.first)
                    viewing.push(message)
            self._offer(waiting)

    def _offer(self, waiting: _Waiting) -> None:
        for viewing, standing in waiting.standings:
            if viewing in self.viewings:
                viewing.offer(standing)

    def tell_all(self, message: bytes) -> None:
        """Send everybody the same, at once: a meter, a farewell."""
        with self._lock:
            for viewing in tuple(self.viewings):
                viewing.push(message)

    def tell_clock(self, message: bytes) -> None:
        """Tell everybody whom the table waits for: behind the commands that made it so."""
        with self._lock:
            if self._waiting and self._waiting[-1].clock is not None:
                self._waiting.pop()
            self._waiting.append(_Waiting(clock=message))
            self._send_what_may_go()

    def read_again(self) -> None:
        """Another server has written at this table: everybody sees it as it stands now. Called
        under the House's lock."""
        with self._lock:
            self._moment = self._hearers = None
            self._roster = roster_of(self._table(), {})
            self._show_everybody()
            self._send_what_may_go()

    def dismiss(self, farewell: bytes) -> None:
        """The casino stops: say so to everybody, and let them go."""
        with self._lock:
            for viewing in tuple(self._everybody()):
                viewing.push(farewell)
                viewing.close(STOPPING)

    # -- coming and going --------------------------------------------------------------------

    def join(self, viewing: Viewing, after: int | None) -> None:
        """Let somebody watch: he gets `hello`, then the table, or all since the last he saw.

        Called under the House's lock, so that the table stands still meanwhile.
        """
        with self._lock:
            self._enqueue(viewing, after)
            self._send_what_may_go()

    def show(self, viewing: Viewing) -> None:
        """Send somebody who watches the whole view. Called under the House's lock."""
        with self._lock:
            self._enqueue(viewing, None, hello=False)
            self._send_what_may_go()

    def leave(self, viewing: Viewing) -> None:
        """He watches no more."""
        with self._lock:
            self.viewings.pop(viewing, None)
            self._hearers = None
            self._waiting = deque(
                w for w in self._waiting if w.joining is None or w.joining.viewing is not viewing
            )

    def _enqueue(self, viewing: Viewing, after: int | None, *, hello: bool = True) -> None:
        position = self._position()
        audience = self._audience(viewing, frozenset(self._roster.values()))
        messages = [(viewing, wire.write(self.state(audience, after)))]
        if hello:
            messages.insert(0, (viewing, wire.write(self._hello(viewing.who, position))))
        self._hearers = None
        self._waiting.append(
            _Waiting(
                joining=_Joining(viewing=viewing, after=after, hello=hello),
                messages=messages,
                standings=self._standings((viewing,)),
            )
        )

    def state(self, audience: Audience, after: int | None) -> wire.ViewMessage | wire.EventsMessage:
        """The table now; for who has seen it up to a position, with all that happened since."""
        position, around = self._position(), self._around()
        view = encode_views(self._table(), (audience,))[audience]
        if after is not None and 0 <= after < position:
            known = [*self.recent, *(e for w in self._waiting for e in w.entries)]
            since = [entry for entry in known if entry.position > after]
            if len(since) == position - after:
                raws = encode_entries(since, {audience})[audience]
                return wire.EventsMessage(
                    position=position,
                    caught_up=True,
                    events=raws,
                    view=view,
                    **structs.asdict(around),
                )
        missed = position - after if after is not None and 0 <= after < position else 0
        return wire.ViewMessage(
            position=position, view=view, missed=missed, **structs.asdict(around)
        )
