"""How the meters of the jackpot links stand, as viewers are told: never more than is durable.

Tables of one link write to it at the same time. What one of them has caused there is in memory
before it is stored, and whoever watches another table must not be told of it yet. Whoever watches
the table that caused it is told with what happened there, which is kept back until it is durable.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from copy import copy

from msgspec import Struct

from croupier.house.answers import Answer
from croupier.house.house import House
from croupier.jackpot import JackpotLink, shown_at
from croupier.jackpot.state import LinkState
from croupier.live.wire import JackpotMessage


class _Meter(Struct, frozen=True, kw_only=True):
    """A link as one command has left it."""

    position: int
    state: LinkState
    """Its numbers; the lists in it belong to the link and are not read here."""
    status: str


class _UnderWay(Struct, frozen=True, kw_only=True):
    """A command that has touched links and is not durable yet."""

    answer: Answer
    left: dict[str, _Meter]


class _Ahead(Struct, frozen=True, kw_only=True):
    """How a link stands for a table that waits to be told of its own command there."""

    answer: Answer
    meter: _Meter
    generations: dict[str, int]
    """Of table and link, as the command was given: where one of them was read from its log since,
    the command was lost, or is in the log."""


class Meters:
    """The meters of one House."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._stored: dict[str, _Meter] = {}
        """Each as it stands by what is durable."""
        self._under_way: dict[int, _UnderWay] = {}
        """By the identity of the answer: what was lost may be given again under the same id."""
        self._ahead: dict[str, _Ahead] = {}
        """By table."""
        self._lock = threading.Lock()
        """Taken after the House's: a command is answered in any thread."""
        with house.lock:
            self.look(house.pit.links)

    # -- what the House says -----------------------------------------------------------------

    def made(self, answer: Answer) -> None:
        """A command was answered; the links stand as it left them. Called under the lock."""
        pit = self._house.pit
        places = {said.place for said in answer.said}
        left = {name: meter for name in places & pit.links.keys() if (meter := self._now(name))}
        if not left:
            return
        with self._lock:
            self._under_way[id(answer)] = _UnderWay(answer=answer, left=left)
            for place in places:
                link = pit.linked.get(place, "")
                if link in left:
                    generations = self._house.generations_of((place, link))
                    self._ahead[place] = _Ahead(
                        answer=answer, meter=left[link], generations=generations
                    )

    def stored(self, answer: Answer) -> None:
        """It is durable."""
        done = self._over(answer)
        for link, meter in done.left.items() if done is not None else ():
            self._keep(link, meter)

    def lost(self, answer: Answer) -> None:
        """It never happened, and the links were read from their logs again. Called under the
        lock."""
        done = self._over(answer)
        if done is not None:
            self.look(done.left)

    def look(self, links: Iterable[str]) -> None:
        """Links may have been opened or read again. Called under the lock."""
        touched = {link for each in tuple(self._under_way.values()) for link in each.left}
        self.read_again(link for link in links if link not in touched)

    def read_again(self, links: Iterable[str]) -> None:
        """These links stand as their logs have them: whatever was given there is stored, or is
        forgotten. Called under the lock."""
        for link in links:
            meter = self._now(link)
            if meter is not None:
                self._keep(link, meter)

    def _over(self, answer: Answer) -> _UnderWay | None:
        if id(answer) not in self._under_way:
            return None
        with self._lock:
            for place in [p for p, ahead in self._ahead.items() if ahead.answer is answer]:
                del self._ahead[place]
            return self._under_way.pop(id(answer))

    def _keep(self, link: str, meter: _Meter) -> None:
        """What is read may be further than what is heard of later."""
        known = self._stored.get(link)
        if known is None or known.position < meter.position:
            self._stored[link] = meter

    def _now(self, name: str) -> _Meter | None:
        """A link as it stands in memory."""
        link = self._house.pit.links.get(name)
        if not isinstance(link, JackpotLink):
            return None
        position = self._house.positions[name]
        return _Meter(position=position, state=copy(link.state), status=link.status())

    # -- what is told ------------------------------------------------------------------------

    def told(self, name: str | None, place: str = "") -> JackpotMessage | None:
        """The meter of a link as its display shows it; at a table, behind what waits to be told
        there."""
        if name is None or not isinstance(self._house.pit.links.get(name), JackpotLink):
            return None
        ahead = self._ahead.get(place)
        if ahead is not None and ahead.generations == self._house.generations_of((place, name)):
            meter: _Meter | None = ahead.meter
        else:
            meter = self._stored.get(name)
        if meter is None:  # it was opened a moment ago
            with self._house.lock:
                self.look((name,))
            meter = self._stored.get(name)
        if meter is None:
            return None
        return JackpotMessage(
            link=name,
            meter=meter.state.meter,
            display=shown_at(meter.state, self._house.clock()),
            status=meter.status,
        )
