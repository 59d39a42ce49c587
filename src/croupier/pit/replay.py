"""A round to be played again: what the table looked like after each order, as one viewer saw it.

There is one such record, whether the round comes from the log of a House, from a case file or from
a hand history, and one page that shows it. It is made by a real table that goes through the round
once more. What the viewer may see is decided where it always is: by the view of the table and by
the events themselves. As at a live table, the view is taken when an order is carried out whole.

Of each step stands only what it changed, so that a long round is a small record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from croupier.jackpot import JackpotLink
from croupier.pit.registry import GAMES
from croupier.pit.telling import shown_to, told_by, told_to_auditor
from croupier.rulebooks.called import names_in
from croupier.table import AUDITOR_AFTERWARDS, Conversation, Event, Refused, Table, Viewer
from croupier.table.event import Namer

EVERYTHING = "*"
"""Seen as the auditor sees it: every card."""
GONE = "-"
"""Under this key of a change stand the keys that are there no more."""

Kind = Literal["round", "case", "hand"]


class ReplayEvent(Struct, frozen=True, kw_only=True):
    """An event as the viewer saw it, in words, with its paragraphs."""

    event: dict[str, Any]
    told: str
    cites: tuple[str, ...] = ()
    place: str = ""
    """Where it was said, if not at this table: at its jackpot link, or at another table."""


class ReplayJackpot(Struct, frozen=True, kw_only=True):
    """The meter of the table's link after a step."""

    link: str
    meter: int
    status: str


class ReplayStep(Struct, frozen=True, kw_only=True):
    """One order, what came of it, and what it changed on the table."""

    events: tuple[ReplayEvent, ...]
    changes: dict[str, Any] = {}
    """What is otherwise in the view: by key, down to single values; what has gone stands under
    `-`."""
    at: str = ""
    who: str = ""
    """Who gave the order, where the viewer may know: the auditor, and the reader of a case."""
    note: str = ""
    """What a case says of the step, or who gave the order, where its events do not tell it."""
    refused: bool = False
    jackpot: ReplayJackpot | None = None


class Replay(Struct, frozen=True, kw_only=True):
    """A whole round, as one viewer saw it."""

    kind: Kind
    title: str
    game: str
    rulebook: str
    book: str
    """The book as people call it."""
    place: str
    round: int
    seen_as: str
    """A player by name, nobody in particular, or `*` for everything."""
    sign: dict[str, Any]
    start: dict[str, Any]
    """The view before the first step."""
    steps: tuple[ReplayStep, ...]
    titles: dict[str, str]
    """The titles of the paragraphs that are cited."""
    about: str = ""
    paragraphs: dict[str, str] = {}
    """What a case is about: its paragraphs with their titles, the first one first."""
    players: tuple[str, ...] = ()
    """Who was there."""
    jackpot: ReplayJackpot | None = None
    final: bool = True
    """Whether nothing can change it any more: a ruling may be taken back until the next round."""


def viewer_named(seen_as: str) -> Viewer:
    """The viewer of a finished round by the word that stands for him."""
    if seen_as == EVERYTHING:
        return AUDITOR_AFTERWARDS
    return Viewer(who=seen_as or None)


_NOT_SHOWN = ("pays", "jackpot_rules")
"""What the sign of a table says at length, and no page of a replay shows."""


class Recorder:
    """Watches a table go through a round, for one viewer."""

    def __init__(
        self,
        table: Table[Any],
        seen_as: str,
        link: Conversation[Any] | None = None,
        link_name: str = "",
        names: Mapping[int, str] | None = None,
    ) -> None:
        """`names` are those of a record whose table knows its seats by numbers alone."""
        self.table = table
        self.seen_as = seen_as
        self._viewer = viewer_named(seen_as)
        self._link, self._link_name = link, link_name
        self._names = names or {}
        self._port = GAMES.port_of(table)
        self._roster = self._seated()
        self.players: dict[str, None] = dict.fromkeys(self._roster.values())
        self.steps: list[ReplayStep] = []
        self.titles: dict[str, str] = {}
        self.start = self._last = self._view()
        self.first_jackpot = self._last_jackpot = self._jackpot()

    def step(
        self,
        events: Sequence[tuple[Event, str]],
        *,
        at: str = "",
        who: str = "",
        note: str = "",
        refused: Refused | None = None,
    ) -> None:
        """An order was carried out, or refused: the table stands as it left it. Each event comes
        with the place that said it, if that was not the table."""
        after = self._seated()
        during = {**self._roster, **after}
        self._roster = after
        self.players |= dict.fromkeys(after.values())
        told = [one for event, place in events if (one := self._event(event, place, during))]
        if refused is not None:
            told.append(ReplayEvent(event={}, told=f"Refused: {refused.says}", cites=refused.cites))
        view, jackpot = self._view(), self._jackpot()
        changes = changed(self._last, view)
        moved = jackpot if jackpot != self._last_jackpot else None
        self._last, self._last_jackpot = view, jackpot
        if not told and not changes and moved is None:
            return  # nothing of it is for this viewer
        for cite in (cite for one in told for cite in one.cites):
            if cite in self.table.book.paragraphs:
                self.titles[cite] = self.table.book.paragraphs[cite].title
        knows_who = self._viewer.auditor
        self.steps.append(
            ReplayStep(
                events=tuple(told),
                changes=changes,
                at=at,
                who=who if knows_who else "",
                note=note,
                refused=refused is not None,
                jackpot=moved,
            )
        )

    def replay(
        self, kind: Kind, title: str, when: Any, *, steps: int | None = None, **more: Any
    ) -> Replay:
        """The record; with `steps` only so many of them."""
        table = self.table
        link = self._link if isinstance(self._link, JackpotLink) else None
        sign = _plain(self._port.table_info(table, link, when)) if table.state.opened else {}
        for long in _NOT_SHOWN:
            sign.pop(long, None)
        return Replay(
            kind=kind,
            title=title,
            game=GAMES.game_of(table).name,
            rulebook=table.book.id,
            book=table.book.short,
            seen_as=self.seen_as,
            sign=sign,
            start=self.start,
            steps=tuple(self.steps[:steps]),
            titles=self.titles,
            players=tuple(self.players),
            jackpot=self.first_jackpot,
            **more,
        )

    def _event(self, event: Event, place: str, roster: Mapping[int, str]) -> ReplayEvent | None:
        shown = event.public() if place else shown_to(event, self._viewer, roster)
        if shown is None:
            return None
        name = self._namer({} if place else roster)  # who sits here sits nowhere else
        if self._viewer.auditor and not place:
            told = told_to_auditor(self._port, event, name)
        else:
            told = told_by(shown, name)
        told = names_in(f"{told[:1].upper()}{told[1:]}")
        return ReplayEvent(event=_plain(shown), told=told, cites=shown.cites, place=place)

    def _namer(self, roster: Mapping[int, str]) -> Namer:
        word = GAMES.game_of(self.table).seat_word
        return lambda seat: roster.get(seat, f"{word.capitalize()} {seat}")

    def _seated(self) -> dict[int, str]:
        if not self.table.state.opened:
            return {}
        found = ((seat, self.table.player_at(seat)) for seat in self.table.taken_seats())
        return {seat: self._names.get(seat, who) for seat, who in found if who is not None}

    def _view(self) -> dict[str, Any]:
        if not self.table.state.opened:
            return {}
        view = _plain(self.table.view(self._viewer))
        for seat, name in self._names.items():
            if str(seat) in view.get("seats", {}):
                view["seats"][str(seat)]["player"] = name
        return view

    def _jackpot(self) -> ReplayJackpot | None:
        link = self._link
        if not isinstance(link, JackpotLink) or not link.state.opened:
            return None
        return ReplayJackpot(link=self._link_name, meter=link.state.meter, status=link.status())


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What is otherwise afterwards: values by their keys, records inside as far as they differ.

    >>> changed({"a": {"b": 1, "c": 2}, "d": 3}, {"a": {"b": 1, "c": 5}})
    {'a': {'c': 5}, '-': ['d']}
    """
    found: dict[str, Any] = {}
    for key, value in after.items():
        old = before.get(key)
        if key in before and old == value:
            continue
        nested = isinstance(old, dict) and isinstance(value, dict)
        found[key] = changed(old, value) if nested else value  # type: ignore[arg-type]
    gone = [key for key in before if key not in after]
    return found | ({GONE: gone} if gone else {})


def with_changes(before: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A view with what changed: the way back from `changed`.

    >>> with_changes({"a": {"b": 1, "c": 2}, "d": 3}, {"a": {"c": 5}, "-": ["d"]})
    {'a': {'b': 1, 'c': 5}}
    """
    found = {key: value for key, value in before.items() if key not in changes.get(GONE, ())}
    for key, value in changes.items():
        if key == GONE:
            continue
        old = found.get(key)
        nested = isinstance(old, dict) and isinstance(value, dict)
        found[key] = with_changes(old, value) if nested else value  # type: ignore[arg-type]
    return found


def views_of(replay: Replay) -> Iterable[dict[str, Any]]:
    """The table after each step."""
    view = replay.start
    for step in replay.steps:
        view = with_changes(view, step.changes)
        yield view


def _plain(record: Any) -> dict[str, Any]:
    """A record as it goes over the wire: keys are texts."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(record))
    return plain
