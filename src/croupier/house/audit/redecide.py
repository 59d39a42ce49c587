"""The night decided again: every stored order is given to the engine, in the order of all logs.

What it comes to must be what is stored, byte for byte, at the place to which it was given, at its
jackpot link and at the tables of that link, and whatever other places had to hear with it. Chance
is in the orders themselves: a shuffle is an order of the House.

Events that were stored before orders were are applied as they are stored. Where an order comes to
something else, that is said, and the places go on from what is stored.

Several walks may share the work: places that hang on no common link know nothing of each other, and
what one had to hear with an order of another is in that order.

Orders with which everything is well are decided many at a time (`croupier.house.audit.together`).
Here each is decided by itself, and whatever is wrong with it is said.
"""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from heapq import merge
from itertools import accumulate, islice
from typing import Any

import msgspec
from msgspec import Struct

from croupier.house.audit.conversations import Instead
from croupier.house.audit.findings import Difference, contrast, shown
from croupier.house.audit.orders import bound, is_bound
from croupier.house.audit.reading import Decisions, Values, decisions_of, read_decision
from croupier.house.audit.together import RANKS, Together
from croupier.house.audit.walk import Piece, PlaceWalk, Progress, Setting, Walked
from croupier.house.audit.withheld import stand_in
from croupier.house.audit.written import is_same
from croupier.house.hidden import NO_SECRET, is_hidden
from croupier.house.records import WITHHELD, Decided, Head, OrderRecord, Row, read_also
from croupier.house.software import HOUSE
from croupier.house.store import Store
from croupier.house.store_reader import RawDecision
from croupier.jackpot.commands import JoinTable, OpenLink
from croupier.pit import Pit
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    Event,
    GiveShuffle,
    OpenTable,
    Order,
    Refused,
    Table,
)
from croupier.table.conversation import write
from croupier.table.link import ToLink, ToTables

_encode = msgspec.json.Encoder().encode
AT_ONCE = 4_000
"""Orders that are decided together; then whoever waits is told how far it is."""
YOUNG = 1
"""Of the collector: what was made since it was asked last (`collected_by_batches`)."""

CITES = frozenset({"cites", "policies", "superseded"})
NAMES_THE_BOOK = CITES | {"rulebook", "version", "approved_by", "knowingly"}
"""What an event says of the book itself and its policies: under another one it says another."""


class Share(Struct, frozen=True, kw_only=True):
    """The places that one walk decides again, and what belongs to them."""

    heads: dict[str, Head]
    linked: dict[str, str]
    """The link of each table."""
    ends: dict[str, int] | None = None
    """Where the logs end for this audit, where a House may go on meanwhile."""
    until: int | None = None
    """The same for the numbers of orders."""
    since: int = -1
    """The first number, where the walk begins in the middle of these logs."""
    pieces: dict[str, Piece] = {}
    """Which rows of each log, where its walk is divided (`croupier.house.audit.shares`)."""
    crossing: tuple[str, ...] = ()
    """Orders of places elsewhere that some of these places had to hear."""
    must_hear: frozenset[str] = frozenset()
    """Tables that were run whenever their link was: they hear whatever it says."""


class NotDecided(Exception):
    """Why the engine makes nothing of an order that was accepted."""


def _rank(name: str) -> ActorRank:
    rank = RANKS.get(name)
    if rank is None:
        raise NotDecided(f"there is no rank {name!r}")
    return rank


class _Pit(Pit):
    """Tables and links as they are decided again.

    A table that was not run at the time, as one that was closed before, did not hear its link. The
    log says who did.
    """

    hearing: Collection[str] = ()

    def carried(
        self, place: str, order: Order[Command], events: tuple[Event, ...], hearing: Collection[str]
    ) -> dict[str, Sequence[Event]]:
        """What is said everywhere to an order that a place has answered so."""
        self.hearing = {place, *hearing}
        said: dict[str, Sequence[Event]] = {}
        for each in self._carry(place, order, events):
            said[each.place] = [*said.get(each.place, ()), each.event]
        return said

    def _addressed(self, source: str, event: ToLink | ToTables) -> dict[str, Command]:
        heard = super()._addressed(source, event)
        if isinstance(event, ToTables):
            return {table: command for table, command in heard.items() if table in self.hearing}
        return heard


@contextmanager
def collected_by_batches() -> Iterator[None]:
    """Keep Python's collector from looking for cycles by itself. It would go through a batch again
    and again while that is alive; the walk has it look after each batch, when little is left.

    What was there before (all code, for one) is set aside meanwhile: else the collector would go
    through all of it when it is switched on again, for so much was made since it last did."""
    collects = gc.isenabled()
    gc.disable()
    sets_aside = not gc.get_freeze_count()  # what somebody else has set aside stays there
    if sets_aside:
        gc.freeze()
    try:
        yield
    finally:
        gc.collect()
        if sets_aside:
            gc.unfreeze()
        if collects:
            gc.enable()


class Redecision:
    """One walk through some places, order by order."""

    def __init__(
        self,
        store: Store,
        share: Share,
        setting: Setting,
        walked: Walked,
        progress: Progress = lambda events: None,
    ) -> None:
        self.store = store
        self.progress = progress
        self.share = share
        self.setting = setting
        self.walked = walked
        self.instead = Instead(setting.instead) if setting.instead else None
        self.pit = _Pit()
        self.walks: dict[str, PlaceWalk] = {}
        self.links = set(share.linked.values())
        self.hanging = self.links | share.linked.keys()
        """Links, and the tables that hang on them."""
        self.groups: dict[str, list[PlaceWalk]] = {}
        self.as_stored = self.instead is None and not setting.exported
        """Whether everything is there, and under the book by which it was decided."""
        self.differs = False
        """Whether anything was not as it should be so far."""
        self._together_with = Together(self, store)

    def differences(self) -> Iterator[Difference]:
        """Everything that is not as it was decided."""
        for difference in self._walk():
            self.differs = True
            yield difference

    def _walk(self) -> Iterator[Difference]:
        pieces = self.share.pieces
        for place in self.share.heads:
            yield from self._begin(place)
            if place in pieces and pieces[place].after:
                self.walked.began[place] = self.walks[place].standing()
        walked, walks, share, number = self.walked, self.walks, self.share, 0
        decisions = self._decisions()
        while some := list(islice(decisions, AT_ONCE)):
            said = [values[-2] for values, _ in some]
            *due, number = accumulate(said, initial=number)
            if share.until is None:
                walked.numbered &= [values[0] for values, _ in some] == due
            else:
                walked.numbers += [
                    (values[0], values[-2]) for values, _ in some if values[2] in walks
                ]
            walked.orderly &= [len(rows) for _, rows in some] == said
            yield from self._decide(some)
            self.progress(walked.events)
            some.clear()
            gc.collect(YOUNG)
        self.progress(walked.events)
        for walk in self.walks.values():
            yield from self._unexplained(walk, None)
            if walk.place in pieces and walk.conversation is not None:
                walked.ended[walk.place] = walk.standing()
            yield from walk.finish()

    def _begin(self, place: str) -> Iterator[Difference]:
        """Apply what was stored at a place before orders were."""
        share = self.share
        walk = self.walks[place] = PlaceWalk(
            self.store,
            share.heads[place],
            self.setting,
            self.walked,
            until=share.ends.get(place, 0) if share.ends is not None else None,
            instead=self.instead,
            pieces=share.pieces,
        )
        first = self.store.ordered_from(place)
        if (first is None or first > 1) and not share.pieces:
            if first is not None:
                self.walked.since[place] = first
            for row in walk.rows(until=first - 1 if first is not None else None):
                self.walked.orderly = False
                yield from walk.apply(row)
            if not walk.replay.broken:
                yield from walk.check_entries()
        self._put(walk)

    def _put(self, walk: PlaceWalk) -> None:
        """Put the conversation of a place into the pit, as it stands."""
        conversation = walk.conversation
        if conversation is None:
            return
        walk.altered = self.instead is not None and self.instead.concerns(conversation)
        if isinstance(conversation, Table):
            self.pit.tables[walk.place] = conversation
            link = self.share.linked.get(walk.place, "")
            if link:
                self.pit.linked[walk.place] = link
        else:
            self.pit.links[walk.place] = conversation

    def _decisions(self) -> Iterator[RawDecision]:
        """The orders that concern these places, as they were given."""
        share = self.share
        read = {place: walk.replay.position for place, walk in self.walks.items()}
        together = {place: self._together({place}) for place in self.hanging & read.keys()}
        mine = iter(Decisions(self.store, read, together, share.until, share.since))
        if not share.crossing:
            return mine
        crossing = decisions_of(self.store, share.crossing)
        return merge(mine, crossing, key=lambda each: (each[0][0], len(each[1]) > 0))

    # -- one order ---------------------------------------------------------------------------

    def _decide(self, some: list[RawDecision]) -> Iterator[Difference]:
        """Decide some orders again: together as far as nothing is wrong, else one by one."""
        start = 0
        while start < len(some):
            end, by_place = self._together_with.fitting(some, start)
            found = None
            if end > start:
                found = self._together_with.decide(some[start:end], by_place)
            if found is None:
                end = max(end, start + 1)
                for values, rows in some[start:end]:
                    self._look_at_times(rows)
                    yield from self._decide_everywhere(read_decision(self.store, values, rows))
            else:
                yield from found
            start = end

    def _look_at_times(self, rows: list[Values]) -> None:
        """Note whether a time is earlier than the one before it, as far as their texts tell."""
        for row in rows:
            walk, at = self.walks.get(row[0]), row[5]
            if walk is not None:
                self.walked.timely &= type(at) is str and at >= walk.at and at[-1:] == "Z"
                walk.at = at

    def is_spoiled(self, place: str) -> bool:
        """Whether a place, or what hangs on the same link, cannot be trusted any more: asked of
        every order, and nothing can be as long as there was no difference."""
        return self.differs and any(walk.replay.broken for walk in self._group(place))

    def carried(
        self, place: str, order: Order[Command], events: tuple[Event, ...]
    ) -> Sequence[Event]:
        """What is said at a place that has told its link something, or a link its tables, and they
        had nothing to say to it; nothing if they had."""
        said = self.pit.carried(place, order, events, self.share.must_hear)
        return said[place] if len(said) == 1 else ()

    def make_again(self, places: Iterable[str]) -> None:
        """Make places, and what hangs on the same links, again as they stood before their next
        rows."""
        for place in self._together(places):
            walk = self.walks[place]
            if not walk.replay.broken and walk.conversation is not None:
                self._rebuild(walk)

    def _decide_everywhere(self, decided: Decided) -> Sequence[Difference]:
        """Decide an order with what other places had to hear, or of which something is wrong."""
        order, walks = decided.order, self.walks
        stored: dict[str, list[Row]] = {}
        for row in decided.rows:
            if row.stream in walks:
                stored.setdefault(row.stream, []).append(row)
        found: list[Difference] = []
        mine = order.place in walks
        if mine:
            self.walked.decided += 1
            if not is_bound(decided):
                found += bound(decided, exported=self.setting.exported)
        if not self._is_ready(order.place, stored):
            found += self._make_ready(order, stored)
            if self._is_broken(order.place, stored) or self._is_opening(order, stored):
                found += self._apply(stored)
                return found
        try:
            said = self.said(order, stored)
        except NotDecided as why:
            if mine and NO_SECRET in str(why):
                found += walks[order.place].secrets_amiss()
            found.append(self._otherwise(order, stored, None, str(why)))
            found += self._go_on(order, stored)
            return found
        if self._same(said, stored):
            for place, rows in stored.items():
                found += walks[place].take(rows, said[place], decided.rows)
        else:
            found.append(self._otherwise(order, stored, said, ""))
            found += self._go_on(order, stored)
        return found

    def _is_ready(self, place: str, stored: Mapping[str, list[Row]]) -> bool:
        """Whether nothing is to be seen to before an order is given again."""
        if self.instead is not None or self.setting.exported:
            return False
        if place not in stored and place in self.walks:
            return False
        for each, rows in stored.items():
            walk = self.walks[each]
            replay = walk.replay
            if replay.conversation is None or rows[0].position != replay.position + 1:
                return False
            for other in self.groups.get(each) or self._group(each):
                if other.replay.broken:
                    return False
        return True

    def _make_ready(
        self, order: OrderRecord, stored: Mapping[str, list[Row]]
    ) -> Iterator[Difference]:
        """See to what comes before an order: events that no order explains, a log that begins."""
        for place, rows in stored.items():
            walk = self.walks[place]
            if rows[0].position != walk.replay.position + 1:
                yield from self._unexplained(walk, rows[0].position)
            if walk.conversation is None and not walk.replay.broken:
                yield from self._first(walk, rows[0])
        yield from self._not_to_be_withheld(order, stored)

    def _not_to_be_withheld(
        self, order: OrderRecord, stored: Mapping[str, list[Row]]
    ) -> Iterator[Difference]:
        """An event is withheld with the command that caused it, or not at all; and it must be the
        shuffle that the table waits for."""
        if not self.setting.exported:
            return
        for place, rows in stored.items():
            walk = self.walks[place]
            for row in rows:
                if row.event == WITHHELD and not walk.replay.broken:
                    fits = row is rows[0] and place == order.place and not order.command
                    waits = stand_in(walk.conversation) is not None
                    if not fits or not waits or walk.replay.withheld:
                        yield walk.replay.not_to_be_withheld(row)

    def _first(self, walk: PlaceWalk, row: Row) -> Iterator[Difference]:
        """The log of a place begins: make it, empty."""
        try:
            walk.replay.begin(row.event)
        except Exception as error:
            walk.replay.broken = True
            where = f"{row.stream} at {row.position}"
            yield Difference(table="log", where=where, column="event", says=str(error))
            return
        self._put(walk)

    def said(self, order: OrderRecord, stored: Mapping[str, list[Row]]) -> dict[str, list[Event]]:
        """What the places say to an order now: to itself, then to what others had to hear."""
        pit = self.pit
        pit.hearing = stored.keys() | self.share.must_hear if pit.linked else ()
        by_place: dict[str, list[Event]] = {}
        try:
            when = datetime.fromisoformat(order.at)
            if order.place in self.walks:
                given = Order(
                    command=self._command(order, stored),
                    who=order.who,
                    rank=_rank(order.rank),
                    when=when,
                )
                self._give(order.place, given, by_place)
            for heard in read_also(order.also) if order.also else ():
                if heard.place in self.walks:
                    command = pit.at(heard.place).read_command(bytes(heard.command))
                    told = Order(command=command, who=HOUSE, rank=ActorRank.HOUSE, when=when)
                    self._give(heard.place, told, by_place)
        except NotDecided:
            raise
        except BadCommand as error:
            raise NotDecided(f"makes no sense here: {error}") from error
        except Exception as error:
            raise NotDecided(f"cannot be carried out: {error!r}") from error
        return by_place

    def _give(self, place: str, order: Order[Command], said: dict[str, list[Event]]) -> None:
        alone = place not in self.pit.linked and place not in self.links
        if alone:  # nobody else hears what is said there
            events = self.pit.at(place).handle(order)
            if isinstance(events, Refused):
                raise NotDecided(f"refused: {events}")
            if events:
                said.setdefault(place, []).extend(events)
            return
        answer = self.pit.give(place, order)
        if isinstance(answer, Refused):
            raise NotDecided(f"refused: {answer}")
        for each in answer:
            if each.place in said:
                said[each.place].append(each.event)
            else:
                said[each.place] = [each.event]

    def _command(self, order: OrderRecord, stored: Mapping[str, list[Row]]) -> Command:
        """The command of an order; of a shuffle that is withheld, the cards as they were named."""
        conversation = self.pit.at(order.place)
        if order.command or not self.setting.exported:
            if order.stored and is_hidden(order.command):
                raise NotDecided(f"cannot be given again: {NO_SECRET}")
            return conversation.read_command(order.command)
        given = stand_in(conversation)
        rows = stored.get(order.place, [])
        if given is None or not rows or rows[0].event != WITHHELD:
            raise NotDecided("is not in this file, although its events are")
        return GiveShuffle(need=given.need, cards=given.cards)

    def _same(self, said: Mapping[str, Sequence[Event]], stored: Mapping[str, list[Row]]) -> bool:
        """Whether what was said is what is stored, byte for byte."""
        if len(said) != len(stored):
            return False
        for place, rows in stored.items():
            events = said.get(place, ())
            if len(events) != len(rows):
                return False
            for event, row in zip(events, rows, strict=True):
                if _encode(event) != row.event and not self._as_good(place, event, row):
                    return False
        return True

    def _as_good(self, place: str, event: Event, row: Row) -> bool:
        """Whether an event that is written otherwise is still the stored one: it was withheld, it
        lacks what a later release has added, or under another book only its paragraphs have other
        numbers."""
        if self.setting.exported and row.event == WITHHELD:
            return True
        if not self.walks[place].altered:
            conversation = self.walks[place].conversation
            return conversation is not None and is_same(row.event, event, conversation.read_event)
        return bool(_without_book(write(event)) == _without_book(row.event))

    # -- where it does not agree -------------------------------------------------------------

    def _is_broken(self, place: str, stored: Collection[str]) -> bool:
        """Whether a place that this order concerns cannot be trusted any more, or its link, or
        another table of that link."""
        for each in stored if place in stored or place not in self.walks else (*stored, place):
            if self.walks[each].conversation is None:
                return True
            if any(walk.replay.broken for walk in self._group(each)):
                return True
        return False

    def _group(self, place: str) -> list[PlaceWalk]:
        """A place, with whatever hangs on the same link."""
        group = self.groups.get(place)
        if group is None:
            together = sorted(self._together({place}))
            group = self.groups[place] = [self.walks[each] for each in together]
        return group

    def _together(self, places: Iterable[str]) -> set[str]:
        """These places, with whatever hangs on the same links."""
        linked, found = self.share.linked, set(places)
        links = {link for place in found if (link := linked.get(place))}
        links |= found & self.links
        found |= links
        found |= {table for table, link in linked.items() if link in links}
        return found & self.walks.keys()

    def _is_opening(self, order: OrderRecord, stored: Mapping[str, list[Row]]) -> bool:
        """Whether an order opens a place under a book that is another one now."""
        if self.instead is None or not any(self.walks[place].altered for place in stored):
            return False
        try:
            command = self.pit.at(order.place).read_command(order.command)
        except BadCommand:
            return False
        return isinstance(command, OpenTable | OpenLink | JoinTable)

    def _apply(self, stored: Mapping[str, list[Row]]) -> Iterator[Difference]:
        """Take the events of an order as they are stored."""
        for place, rows in stored.items():
            walk = self.walks[place]
            for row in rows:
                yield from walk.apply(row)
            if not walk.replay.broken:
                yield from walk.check_entries()

    def _go_on(self, order: OrderRecord, stored: Mapping[str, list[Row]]) -> Iterator[Difference]:
        """Go on from what is stored: the places stand as they stood, and apply it."""
        self.make_again({*stored, *({order.place} & self.walks.keys())})
        yield from self._apply(stored)

    def _rebuild(self, walk: PlaceWalk) -> None:
        """Make a place again from its stored events, up to where the walk is."""
        replay = walk.replay
        again = walk.replayed()
        if again is None:
            replay.broken = True
            return
        replay.set(again)
        self._put(walk)

    def _unexplained(self, walk: PlaceWalk, before: int | None) -> Iterator[Difference]:
        """Events that no order has caused: they are taken as they are stored."""
        until = before - 1 if before is not None else None
        if until is not None and until <= walk.replay.position:
            return  # one of its events was passed already: the chain says so
        if until is None and walk.until is not None and walk.until <= walk.replay.position:
            return  # it has come to its end
        for row in walk.rows(after=walk.replay.position, until=until):
            self.walked.orderly = False
            if not walk.replay.broken:
                where = f"{row.stream} at {row.position}"
                says = "no order that is stored, and was given by then, has caused this event"
                yield Difference(table="orders", where=where, column="command_id", says=says)
            yield from walk.apply(row)
            if walk.conversation is not None:
                self._put(walk)
        if not walk.replay.broken:
            yield from walk.check_entries()

    def _otherwise(
        self,
        order: OrderRecord,
        stored: Mapping[str, list[Row]],
        said: Mapping[str, Sequence[Event]] | None,
        why: str,
    ) -> Difference:
        """An order that comes to something else than what is stored."""
        told = f"{shown(order.who)} ({order.rank}) at {order.at[:19]}: {shown(order.command)}"
        kind: Any = "with" if self.instead is not None else "decided"
        common = {"table": "orders", "kind": kind, "number": order.number}
        common |= {"software": order.software, "column": "events"}
        places = list(stored) or [order.place]
        if said is None:
            rows = stored.get(order.place) or next(iter(stored.values()), [])
            where = f"{order.place} at {rows[0].position if rows else '…'}"
            return Difference(
                **common,
                where=f"{where} (order {order.number})",
                found=shown(rows[0].event) if rows else "",
                expected="nothing",
                says=f"{told} {why}",
            )
        for place in dict.fromkeys([*places, *said]):
            rows, events = stored.get(place, []), said.get(place, [])
            for index in range(max(len(rows), len(events))):
                row = rows[index] if index < len(rows) else None
                made = write(events[index]) if index < len(events) else None
                if row is not None and made is not None:
                    if row.event == made or self._as_good(place, events[index], row):
                        continue
                    both = contrast(row.event, made)
                elif row is not None:
                    both = {"found": shown(row.event), "expected": ""}
                else:
                    both = {"found": "", "expected": shown(made)}
                at = row.position if row is not None else self._next(place, rows, index)
                return Difference(
                    **common,
                    where=f"{place} at {at} (order {order.number})",
                    says=told,
                    **both,
                )
        raise AssertionError("what was said is what is stored")

    def _next(self, place: str, rows: list[Row], index: int) -> int:
        """Where an event would stand that is not stored."""
        walk = self.walks.get(place)
        before = rows[0].position - 1 if rows else walk.replay.position if walk is not None else 0
        return before + index + 1


def _without_book(event: bytes) -> Any:
    """An event without what names the book and its paragraphs."""
    return _plain(msgspec.json.decode(event))


def _plain(value: Any) -> Any:
    match value:
        case dict():
            left_out = NAMES_THE_BOOK if "rulebook" in value else CITES
            return {key: _plain(each) for key, each in value.items() if key not in left_out}
        case list():
            return [_plain(each) for each in value]
        case _:
            return value
