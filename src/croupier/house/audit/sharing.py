"""Places walked by one process or several.

Places that hang on no common link are independent, so they can be walked at the same time. Each
process reads the database by itself, up to where the logs ended when the audit began. Whoever asked
for the audit looks at the pages while the others walk, and then walks a share too.
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from croupier.house.audit.findings import Damaged, Difference
from croupier.house.audit.floor import Floor
from croupier.house.audit.redecide import Redecision, Share, collected_by_batches
from croupier.house.audit.walk import PlaceWalk, Progress, Setting, Walked
from croupier.house.errors import HouseError
from croupier.house.records import Head
from croupier.house.shuffle_book import SHUFFLES
from croupier.house.store import Store
from croupier.house.urls import open_database

if TYPE_CHECKING:
    from croupier.house.audit.verify import How

LOOK_SECONDS = 0.2
"""How often the progress of other processes is looked at."""
START_EVENTS = 20_000
"""As many events are walked in about the time in which a process starts from nothing."""
PAGES = 12
"""The pages are checked in about the time in which one event of so many is walked."""


class Helpers:
    """The other processes of an audit. They are started before anything else is looked at, so that
    they are ready when the walk begins.

    Where nothing is open yet they are copies of this process (fork), which have read all code:
    there is nothing to wait for. One that has opened a database must not be copied: SQLite
    remembers which locks on the file it has, and the copy would believe that they are its own. Nor
    one with several threads, of which the copy has only one. Then they start from nothing (spawn).
    """

    def __init__(self, workers: int, *, nothing_open: bool = False) -> None:
        self.workers = workers
        self.copied = nothing_open and self.can_be_copied()
        self._pool: ProcessPoolExecutor | None = None
        if workers > 1:
            context = multiprocessing.get_context("fork" if self.copied else "spawn")
            self._walked = context.Value("q", 0)
            self._pool = ProcessPoolExecutor(
                workers - 1,
                mp_context=context,
                initializer=_counters.append,
                initargs=(self._walked,),
            )
            for _ in range(workers - 1):
                self._pool.submit(_be_ready)  # with the first of them, all copies are made

    @staticmethod
    def can_be_copied() -> bool:
        """Whether this process, if nothing is open, can be copied."""
        return sys.platform == "linux" and threading.active_count() == 1

    def __enter__(self) -> Helpers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def walk(self, task: _Task) -> Future[_Done]:
        """Have a share walked."""
        assert self._pool is not None
        return self._pool.submit(_walk_share, task)

    def events(self) -> int:
        """How many events they have walked."""
        return int(self._walked.value)


def walk_all(
    store: Store,
    heads: dict[str, Head],
    floor: Floor,
    setting: Setting,
    how: How,
    walked: Walked,
    progress: Progress,
    begun: Begun | None,
) -> Iterator[Difference]:
    """Walk all places, or what others have not begun to; what all come to is added to `walked`."""
    if how.apply_only:
        yield from _apply_all(store, heads, setting, walked, progress)
    elif begun is not None:
        yield from _walk_together(store, begun, setting, how.limit, walked, progress)
    else:
        whole = _whole(heads, floor)
        yield from Redecision(store, whole, setting, walked, progress).differences()


def _whole(heads: dict[str, Head], floor: Floor) -> Share:
    """Everything in one share."""
    return Share(
        heads=dict(sorted(heads.items())),
        linked=floor.linked,
        must_hear=frozenset(floor.must_hear),
    )


def _apply_all(
    store: Store, heads: dict[str, Head], setting: Setting, walked: Walked, progress: Progress
) -> Iterator[Difference]:
    """Apply what is stored, place by place."""
    for place in sorted(heads):
        walk = PlaceWalk(store, heads[place], setting, walked)
        first = store.ordered_from(place)
        if first is not None and first > 1:
            walked.since[place] = first
        for row in walk.rows():
            yield from walk.apply(row)
            progress(walked.events)
        yield from walk.finish()


# -- several processes ----------------------------------------------------------------------------


class Begun(Struct, frozen=True, kw_only=True):
    """What several processes do: the others have begun."""

    mine: Share
    others: list[Future[_Done]]
    helpers: Helpers


def begin_sharing(
    store: Store,
    heads: dict[str, Head],
    floor: Floor,
    setting: Setting,
    limit: int,
    helpers: Helpers,
) -> Begun | None:
    """Have other processes walk their shares; None if one must do it alone."""
    ends = _ends(store) if helpers.workers > 1 else None
    if ends is None:
        return None
    workers, starting = helpers.workers, not helpers.copied
    mine, *others = shared_out(store, _whole(heads, floor), ends, workers, starting=starting)
    url = store.database.url
    tasks = [
        helpers.walk(_Task(url=url, share=share, setting=setting, limit=limit)) for share in others
    ]
    return Begun(mine=mine, others=tasks, helpers=helpers)


def _ends(store: Store) -> dict[str, int] | None:
    """How far each log goes now; None if that cannot be told."""
    found = store.database.execute("SELECT place, MAX(position) FROM log GROUP BY place")
    if any(type(end) is not int for _, end in found):
        return None
    return store.past.ends() | dict(found)


def shared_out(
    store: Store, whole: Share, ends: dict[str, int], workers: int, *, starting: bool = False
) -> list[Share]:
    """The places in so many shares, what hangs together in one of them. Whoever walks the first has
    the pages to look at, and the others may still be starting; else they are of one size."""
    groups: dict[str, list[str]] = {}
    for place in whole.heads:
        table = place.removeprefix(f"{SHUFFLES}/")
        groups.setdefault(whole.linked.get(table) or table, []).append(place)
    sizes = {name: sum(ends.get(p, 0) for p in places) for name, places in groups.items()}
    parts: list[list[str]] = [[] for _ in range(min(workers, len(groups)))]
    total = sum(sizes.values())
    start = min(START_EVENTS, total // (workers + 1)) if starting else 0
    filled = [total // PAGES] + [start] * (len(parts) - 1)
    for name in sorted(groups, key=lambda name: -sizes[name]):
        least = filled.index(min(filled))
        parts[least] += groups[name]
        filled[least] += sizes[name]
    of = {place: index for index, places in enumerate(parts) for place in places}
    crossing: list[list[str]] = [[] for _ in parts]
    for command_id, place, heard in store.heard_elsewhere():
        for index in {of[each] for each in heard if each in of} - {of.get(place)}:
            if index is not None:
                crossing[index].append(command_id)
    return [
        Share(
            heads={place: whole.heads[place] for place in sorted(places)},
            linked={t: link for t, link in whole.linked.items() if t in places},
            ends={place: ends.get(place, 0) for place in places},
            until=sum(ends.values()),
            crossing=tuple(crossing[index]),
            must_hear=whole.must_hear & set(places),
        )
        for index, places in enumerate(parts)
    ]


class _Task(Struct, frozen=True, kw_only=True):
    """What one process is to do."""

    url: str
    share: Share
    setting: Setting
    limit: int


class _Done(Struct, kw_only=True):
    """What came of it."""

    walked: Walked
    differences: list[Difference]


_counters: list[Any] = []
"""In a process that walks a share: the events that all of them have walked."""


def _be_ready() -> None:
    """Nothing: whoever is asked has started by then, and read the code of this module."""


def _walk_share(task: _Task) -> _Done:
    """Walk one share, in a process of its own."""
    told = 0

    def tell(events: int) -> None:
        nonlocal told
        if events - told >= 500:
            for counter in _counters:
                with counter.get_lock():
                    counter.value += events - told
            told = events

    database = open_database(task.url, create=False)
    try:
        store = Store(database, migrated=True)
        store.exported = task.setting.exported
        database.begin_reading()
        with collected_by_batches():
            return _walked(store, task.share, task.setting, task.limit, tell)
    finally:
        database.close()


def _walked(store: Store, share: Share, setting: Setting, limit: int, progress: Progress) -> _Done:
    """Walk one share."""
    walked = Walked()
    differences: list[Difference] = []
    try:
        walk = Redecision(store, share, setting, walked, progress)
        differences += islice(walk.differences(), limit + 1)
    except Damaged as damaged:
        differences.append(damaged.difference)
    return _Done(walked=walked, differences=differences)


def _walk_together(
    store: Store,
    begun: Begun,
    setting: Setting,
    limit: int,
    walked: Walked,
    progress: Progress,
) -> Iterator[Difference]:
    elsewhere = begun.helpers.events
    mine = _walked(store, begun.mine, setting, limit, lambda events: progress(events + elsewhere()))
    while wait(begun.others, LOOK_SECONDS).not_done:
        progress(mine.walked.events + elsewhere())
    yield from _added([mine, *map(_result, begun.others)], walked)
    progress(walked.events)


def _result(task: Future[_Done]) -> _Done:
    """What a process has found."""
    try:
        return task.result()
    except BrokenProcessPool as error:
        raise HouseError(
            "a process of the audit ended before its work was done (no memory left?); try it "
            "with fewer: --workers 1"
        ) from error


def _added(shares: list[_Done], walked: Walked) -> Iterator[Difference]:
    """What all processes found, and what it adds up to."""
    for done in shares:
        for name in ("places", "events", "entries", "decided", "withheld", "passed_over"):
            setattr(walked, name, getattr(walked, name) + getattr(done.walked, name))
        walked.heads |= done.walked.heads
        walked.since |= done.walked.since
        walked.people |= done.walked.people
        walked.pins |= done.walked.pins
        walked.factors |= done.walked.factors
        walked.untold = walked.untold or done.walked.untold
        walked.orderly &= done.walked.orderly
        walked.timely &= done.walked.timely
        for account, amount in done.walked.balances.items():
            walked.balances[account] = walked.balances.get(account, 0) + amount
    walked.numbered = False
    # Whoever lists some of them lists the first: what was changed, then decisions as they were.
    everywhere = [each for done in shares for each in done.differences]
    yield from sorted(everywhere, key=lambda each: each.number or 0)
