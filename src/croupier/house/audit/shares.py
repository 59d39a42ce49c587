"""Who walks what: the logs of a House in shares of one size, one for each process.

Places that hang on no common link know nothing of each other: what hangs together, with the shuffle
books of its tables, is a group. Groups are dealt out, the largest first, each to whoever has least.

Five tables for two processes are three and two. So whoever has most gives the beginning of his
largest group to whoever has least, until all have the same: the logs of that group are divided, all
of them at one order, in pieces. Whoever walks the later piece begins with the places as the stored
events make them. That takes a fraction of the time of deciding, and nothing is proven by it.
Whoever walks the earlier piece decides those events again, and must come to the same row, the same
digest and the same state, byte for byte (`Standing`). Then both together have done what one walk
would have done.

Where two pieces do not meet, or anything else is wrong, everything is walked again by one process
as if nothing had been divided (`croupier.house.audit.sharing`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from croupier.house.audit.redecide import Share
from croupier.house.audit.walk import Piece
from croupier.house.errors import CorruptDatabase
from croupier.house.office import OFFICE
from croupier.house.records import Head
from croupier.house.shuffle_book import SHUFFLES
from croupier.house.store import Store

START_EVENTS = 20_000
"""As many events are walked in about the time in which a process starts from nothing."""
PAGES = 5
"""The pages, and what else is looked at besides the logs, take about the time in which one event of
so many is walked."""
APPLIED = 6
"""As many events are applied in about the time in which one is walked."""
LEAST = 200
"""Events that a piece has at least: it is not worth while for fewer."""
WORTH = 10
"""Logs are divided if whoever has most has at least one event of so many less to walk by that."""


class Group(Struct, kw_only=True):
    """Places that hang together."""

    name: str
    places: list[str]
    size: int
    """Events of all its logs."""
    may_be_cut: bool = False


class Part(Struct, frozen=True, kw_only=True):
    """A group, or a piece of it, by its events."""

    group: Group
    begin: int
    end: int

    @property
    def size(self) -> int:
        """In events that are walked: to begin in the middle takes time too."""
        return self.end - self.begin + self.begin // APPLIED


class Cut(Struct, frozen=True, kw_only=True):
    """Where the logs of a group are divided."""

    number: int
    """The first order after it."""
    positions: dict[str, int]
    """The last event of each log before it."""


def shared_out(
    store: Store,
    whole: Share,
    ends: dict[str, int],
    workers: int,
    *,
    starting: bool = False,
    divided: bool = False,
) -> list[list[Share]]:
    """What each of so many processes walks. Whoever walks the first has the pages to look at, and
    the others may still be starting; else they have the same."""
    groups = _groups(whole, ends)
    total = sum(group.size for group in groups)
    start = min(START_EVENTS, total // (workers + 1)) if starting else 0
    before = [total // PAGES] + [start] * (workers - 1)
    cuts: dict[str, dict[int, Cut]] = {}
    if divided:
        for group in groups:
            group.may_be_cut = _may_be_cut(store, group)
    while True:
        parts = _dealt_out(groups, before)
        lost = _find_cuts(store, parts, ends, cuts)
        if lost is None:
            break
        lost.may_be_cut = False
    shares = [list(_shares(store, whole, ends, some, cuts)) for some in parts]
    return _with_crossing(store, [some for some in shares if some] or [[whole]])


def _groups(whole: Share, ends: dict[str, int]) -> list[Group]:
    """What hangs together, the largest first."""
    names: dict[str, list[str]] = {}
    for place in whole.heads:
        table = place.removeprefix(f"{SHUFFLES}/")
        names.setdefault(whole.linked.get(table) or table, []).append(place)
    groups = [
        Group(name=name, places=places, size=sum(ends.get(place, 0) for place in places))
        for name, places in names.items()
    ]
    return sorted(groups, key=lambda group: -group.size)


def _dealt_out(groups: Sequence[Group], before: Sequence[int]) -> list[list[Part]]:
    """What each process has; `before` is what it has to do besides, in events."""
    dealt: list[list[Part]] = [[] for _ in before]
    filled = list(before)
    for group in groups:
        least = filled.index(min(filled))
        dealt[least].append(Part(group=group, begin=0, end=group.size))
        filled[least] += group.size
    low, high = sum(filled) // len(filled), max(filled) - max(filled) // WORTH
    parts = _divided(dealt, before, high)
    if parts is None:
        return dealt
    while high - low > LEAST:  # as little as possible for whoever has most
        most = (low + high) // 2
        fewer = _divided(dealt, before, most)
        if fewer is None:
            low = most
        else:
            parts, high = fewer, most
    return parts


def _divided(
    dealt: Sequence[Sequence[Part]], before: Sequence[int], most: int
) -> list[list[Part]] | None:
    """The same, where nobody has more than so much: whoever has, gives the beginning of his largest
    group to whoever has least. None if that cannot be."""
    parts = [list(some) for some in dealt]
    filled = [n + sum(part.size for part in some) for n, some in zip(before, parts, strict=True)]
    for giver in range(len(parts)):
        while filled[giver] - most >= LEAST:
            taker = filled.index(min(filled))
            mine = [part for part in parts[giver] if part.group.may_be_cut]
            largest = max(mine, key=lambda part: part.size, default=None)
            if largest is None:
                return None
            begin, end = largest.begin, largest.end
            too_much = (filled[giver] - most) * APPLIED // (APPLIED - 1)
            room = most - filled[taker] - begin // APPLIED
            given = min(too_much, room, end - begin - LEAST)
            if given < LEAST:
                return None
            piece = Part(group=largest.group, begin=begin, end=begin + given)
            rest = Part(group=largest.group, begin=begin + given, end=end)
            parts[giver] = [part for part in parts[giver] if part is not largest] + [rest]
            parts[taker].append(piece)
            filled[giver] += rest.size - largest.size
            filled[taker] += piece.size
    return parts


# -- where a group is divided ---------------------------------------------------------------------


def _may_be_cut(store: Store, group: Group) -> bool:
    """Whether every event of a group came of an order that is stored. The office is not divided: it
    is short, and others go by it."""
    if OFFICE in group.places or group.size < 2 * LEAST:
        return False
    return all(store.ordered_from(place) == 1 for place in group.places)


def _find_cuts(
    store: Store,
    parts: Sequence[Sequence[Part]],
    ends: dict[str, int],
    cuts: dict[str, dict[int, Cut]],
) -> Group | None:
    """Find where the groups of these parts are cut; a group of which that cannot be told."""
    for part in (part for some in parts for part in some if part.begin):
        known = cuts.setdefault(part.group.name, {})
        if part.begin not in known:
            cut = _cut(store, part.group, ends, part.begin)
            if cut is None:
                return part.group
            known[part.begin] = cut
    return None


def _cut(store: Store, group: Group, ends: dict[str, int], events: int) -> Cut | None:
    """Where a group is divided so that about so many of its events come before; None if that
    cannot be told."""
    longest = max(group.places, key=lambda place: ends.get(place, 0))
    number = _number_at(store, longest, max(1, ends[longest] * events // group.size))
    if number is None:
        return None
    positions: dict[str, int] = {}
    for place in group.places:
        low, high = 0, ends.get(place, 0)
        while low < high:  # the last event that came of an order before this one
            middle = (low + high + 1) // 2
            at = _number_at(store, place, middle)
            if at is None:
                return None
            low, high = (middle, high) if at < number else (low, middle - 1)
        if not low:
            return None
        positions[place] = low
    return Cut(number=number, positions=positions)


def _number_at(store: Store, place: str, position: int) -> int | None:
    """The number of the order that an event came of; None if that cannot be read."""
    try:
        row = store.row(place, position)
        _, order = store.recall(row.command_id) if row is not None else (False, None)
    except CorruptDatabase:
        return None
    return order.number if order is not None else None


# -- the shares -----------------------------------------------------------------------------------


def _shares(
    store: Store,
    whole: Share,
    ends: dict[str, int],
    parts: Sequence[Part],
    cuts: dict[str, dict[int, Cut]],
) -> Iterator[Share]:
    """The shares of one process: all groups that are whole in one of them, each piece by itself."""
    undivided: list[str] = []
    for part in parts:
        group = part.group
        if not part.begin and part.end == group.size:
            undivided += group.places
        else:
            begin, end = (cuts[group.name].get(at) for at in (part.begin, part.end))
            yield _piece(store, _share_of(whole, ends, group.places), begin, end)
    if undivided:
        yield _share_of(whole, ends, undivided)


def _share_of(whole: Share, ends: dict[str, int], places: Sequence[str]) -> Share:
    """A share of these places."""
    return Share(
        heads={place: whole.heads[place] for place in sorted(places)},
        linked={table: link for table, link in whole.linked.items() if table in places},
        ends={place: ends.get(place, 0) for place in places},
        until=sum(ends.values()),
        must_hear=whole.must_hear & set(places),
    )


def _piece(store: Store, share: Share, begin: Cut | None, end: Cut | None) -> Share:
    """A piece of the logs of a share, from one cut to another."""
    after = begin.positions if begin is not None else {}
    pieces = {place: Piece(after=after.get(place, 0)) for place in share.heads}
    since = begin.number if begin is not None else -1
    if end is None:
        return structs.replace(share, since=since, pieces=pieces)
    until = end.positions
    return structs.replace(
        share,
        heads={place: _head_at(store, place, until[place]) for place in share.heads},
        ends=until,
        until=end.number,
        since=since,
        pieces={
            place: structs.replace(piece, until=until[place]) for place, piece in pieces.items()
        },
    )


def _head_at(store: Store, place: str, position: int) -> Head:
    """Where a piece must end: its last row, as it is stored."""
    return Head(stream=place, position=position, digest=store.digest_at(place, position) or b"")


def _with_crossing(store: Store, shares: list[list[Share]]) -> list[list[Share]]:
    """The same, with the orders of other shares that some of these places had to hear."""
    everyone = [(at, n) for at, some in enumerate(shares) for n in range(len(some))]
    of: dict[str, list[tuple[int, int]]] = {}
    for at, n in everyone:
        for place in shares[at][n].heads:
            of.setdefault(place, []).append((at, n))
    crossing: dict[tuple[int, int], list[str]] = {key: [] for key in everyone}
    for number, command_id, place, heard in store.heard_elsewhere():
        hearing = {key for each in heard for key in of.get(each, ())}
        for key in hearing.difference(of.get(place, ())):
            share = shares[key[0]][key[1]]
            if share.since <= number and (share.until is None or number < share.until):
                crossing[key].append(command_id)
    return [
        [structs.replace(share, crossing=tuple(crossing[at, n])) for n, share in enumerate(some)]
        for at, some in enumerate(shares)
    ]
