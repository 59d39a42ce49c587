"""Places walked by one process or several.

Places that hang on no common link are independent, so they can be walked at the same time. Each
process reads the database by itself, up to where the logs ended when the audit began. Whoever asked
for the audit looks at the pages while the others walk, and then walks a share too.

Long logs are divided, so that all have as much to do (`croupier.house.audit.shares`).

Nearly every night is as it should be. Several processes say no more than that it is, or which
orders come to something else. Where anything else is wrong, one walks everything again and says
what is wrong: in the same words and in the same order, however many processes there were.
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct

from croupier.house.audit.findings import Difference
from croupier.house.audit.floor import Floor
from croupier.house.audit.redecide import Redecision, Share, collected_by_batches
from croupier.house.audit.shares import shared_out
from croupier.house.audit.walk import PlaceWalk, Progress, Setting, Standing, Walked
from croupier.house.errors import DiskFull, HouseError, LostConnection
from croupier.house.office import Office
from croupier.house.records import Head
from croupier.house.shuffle_book import ShuffleBook
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.jackpot import JackpotLink
from croupier.pit.registry import GAMES
from croupier.table import Conversation

if TYPE_CHECKING:
    from croupier.house.audit.verify import How

LOOK_SECONDS = 0.2
"""How often the progress of other processes is looked at."""


class Helpers:
    """The other processes of an audit. They are started before anything else is looked at, so that
    they are ready when the walk begins.

    Where nothing is open yet they are copies of this process (fork), which have read all code and
    all rulebooks: there is nothing to wait for, and none of it is read twice. One that has opened a
    database must not be copied: SQLite remembers which locks on the file it has, and the copy would
    believe that they are its own. Nor one with several threads, of which the copy has only one.
    Then they start from nothing (spawn).
    """

    def __init__(self, workers: int, *, nothing_open: bool = False) -> None:
        self.workers = workers
        self.copied = nothing_open and self.can_be_copied()
        self._pool: ProcessPoolExecutor | None = None
        if workers > 1:
            if self.copied:
                _read_ahead()
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def walk(self, task: _Task) -> Future[list[_Done]]:
        """Have shares walked."""
        assert self._pool is not None
        return self._pool.submit(_walk_shares, task)

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

    mine: list[Share]
    others: list[Future[list[_Done]]]
    helpers: Helpers
    whole: Share
    floor: Floor


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
    whole, divided = _whole(heads, floor), not setting.exported and not setting.instead
    mine, *others = shared_out(store, whole, ends, workers, starting=starting, divided=divided)
    url = store.database.url
    tasks = [
        helpers.walk(_Task(url=url, shares=some, setting=setting, limit=limit)) for some in others
    ]
    return Begun(mine=mine, others=tasks, helpers=helpers, whole=whole, floor=floor)


def _ends(store: Store) -> dict[str, int] | None:
    """How far each log goes now; None if that cannot be told."""
    found = store.database.execute("SELECT place, MAX(position) FROM log GROUP BY place")
    if any(type(end) is not int for _, end in found):
        return None
    return store.past.ends() | dict(found)


class _Task(Struct, frozen=True, kw_only=True):
    """What one process is to do."""

    url: str
    shares: list[Share]
    setting: Setting
    limit: int


class _Done(Struct, kw_only=True):
    """What came of a share."""

    share: Share
    walked: Walked
    differences: list[Difference]
    is_wrong: bool = False
    """Whether anything is not as it should be, besides what orders come to."""


_counters: list[Any] = []
"""In a process that walks a share: the events that all of them have walked."""


def _read_ahead() -> None:
    """Have everything in memory that every walk needs, whatever House it is: the rulebooks, what
    reads commands and events, and what decrypts."""
    import cryptography.hazmat.primitives.ciphers.aead  # noqa: F401

    for book in GAMES.games:
        GAMES.load(book)
    kinds: set[type[Conversation[Any]]] = {JackpotLink, Office, ShuffleBook}
    for kind in kinds.union(game.table_type for game in GAMES.games.values()):
        kind.make_readers()


def _be_ready() -> None:
    """Nothing: whoever is asked has started by then, and read the code of this module."""


def _walk_shares(task: _Task) -> list[_Done]:
    """Walk some shares, in a process of its own."""
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
            return _walked(store, task.shares, task.setting, task.limit, tell)
    finally:
        database.close()


def _walked(
    store: Store, shares: list[Share], setting: Setting, limit: int, progress: Progress
) -> list[_Done]:
    """Walk some shares."""
    done: list[_Done] = []
    for share in shares:
        before = sum(each.walked.events for each in done)
        done.append(_walk_share(store, share, setting, limit, _after(before, progress)))
    return done


def _after(before: int, progress: Progress) -> Progress:
    """Who hears how many events were walked, where so many were walked before."""
    return lambda events: progress(before + events)


def _walk_share(
    store: Store, share: Share, setting: Setting, limit: int, progress: Progress
) -> _Done:
    """Walk one share."""
    done = _Done(share=share, walked=Walked(), differences=[])
    try:
        walk = Redecision(store, share, setting, done.walked, progress)
        done.differences += islice(walk.differences(), limit + 1)
    except (LostConnection, DiskFull):
        raise  # that is no damage: nothing is known of what is stored
    except Exception:  # whatever it is, it comes up again
        done.is_wrong = True
    mine = {number for number, _ in done.walked.numbers}
    if any(each.kind == "stored" or each.number not in mine for each in done.differences):
        done.is_wrong = True  # of an order that was given elsewhere, nobody here can tell it whole
    return done


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
    events = sum(done.walked.events for done in mine)
    while wait(begun.others, LOOK_SECONDS).not_done:
        progress(events + elsewhere())
    done = [*mine, *(each for task in begun.others for each in _result(task))]
    if _fit_together(done):
        yield from _added(done, walked)
    else:
        yield from Redecision(store, begun.whole, setting, walked, progress).differences()
    progress(walked.events)


def _fit_together(shares: list[_Done]) -> bool:
    """Whether nothing is wrong with any share but what orders come to, and each piece of a log ends
    where the next one began: with the same row, the same digest and the same state, byte for byte,
    at every place."""
    if any(done.is_wrong for done in shares):
        return False
    ended: dict[str, Standing] = {}
    for done in sorted(shares, key=lambda done: done.share.since):
        for place, began in done.walked.began.items():
            if ended.get(place) != began:
                return False
        ended |= done.walked.ended
    return True


def _result(task: Future[list[_Done]]) -> list[_Done]:
    """What a process has found."""
    try:
        return task.result()
    except BrokenProcessPool as error:
        raise HouseError(
            "a process of the audit ended before its work was done (no memory left?); try it "
            "with fewer: --workers 1"
        ) from error


_SUMS = "places events entries decided withheld passed_over paid_from_outside".split()


def _added(shares: list[_Done], walked: Walked) -> Iterator[Difference]:
    """What all processes found, and what it adds up to."""
    for done in sorted(shares, key=lambda each: each.share.since):
        for name in _SUMS:
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
    numbers = sorted(number for done in shares for number in done.walked.numbers)
    due = accumulate((events for _, events in numbers), initial=0)
    walked.numbered = all(number == next(due) for number, _ in numbers)
    # Whoever lists some of them lists the first: what was changed, then decisions as they were.
    everywhere = [each for done in shares for each in done.differences]
    yield from sorted(everywhere, key=lambda each: each.number or 0)
