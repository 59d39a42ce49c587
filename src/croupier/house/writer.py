"""The one writer: a thread that stores whatever has gathered, in one transaction at a time.

While one group is being synced the next one gathers, so the more tables there are, the more share
a sync. Nobody is told that a command was carried out before its group is durable; before anybody
is told, its rows go to the copy of the log.

The same thread then tells the answers, in order. Whoever is told may want the House's lock, and
whoever holds that lock may wait for what was given to be stored (`flush`): he stores it himself
while the thread is telling, and leaves the telling to it. So nobody waits for an answer to be told.

Whoever has nothing to do but wait for his answer stores and tells it himself where the thread has
nothing to do either (`settle`): to wake a thread and be woken by it takes as long as the sync.

Where another process stores, it is not to wait for the copy, nor for the last group to be told: it
is given the next one as soon as it has answered. Only then the last group goes to the copy, and a
second thread tells it. What gathers meanwhile is sent behind the group that is being stored, so
that the other process need not even wait until its answer is heard. Where nothing was, the thread
waits until the last group is told before it stores more.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from croupier.house import copies
from croupier.house.alarm_log import ALARM
from croupier.house.copy import LogCopy
from croupier.house.errors import HouseError, StorageError
from croupier.house.records import Bundle, RefusedRecord
from croupier.house.refused import RefusedLog
from croupier.house.store import Store
from croupier.house.world import REAL, Turns, Worker, World

AHEAD_AT_LEAST = 8
AHEAD_SHARE = 0.75
"""So many bundles are sent behind a group that is being stored, and this share of what that has:
those that come after them wait for both groups, and one of few takes nearly as long as of many."""

AHEAD_AT_MOST = 64
"""Groups that are sent so, one after the other, before others may write; fewer where the copy is to
be synced by then, or what was refused is to be kept."""

NEVER = sys.maxsize
"""As many as never gather."""

GROUP_AT_MOST = 512
"""Bundles in one transaction at most, so that none takes long however much has gathered."""

TRY_AGAIN_SECONDS = 1.0
"""Between two attempts to mend a copy of the log that could not be written."""

LOOK_SECONDS = 10.0
"""So often the files of the copy are looked at where nothing is written to them."""

Tell = Callable[[HouseError | None], None]
"""Hears that a bundle is durable (None), or why it was turned away."""
Task = tuple[Bundle, Tell]
Stored = tuple[Task, HouseError | None]
"""A bundle with its answer."""


class Group(NamedTuple):
    """What is stored in one transaction."""

    tasks: list[Task]
    bundles: list[Bundle]

    @classmethod
    def of(cls, tasks: list[Task]) -> Group:
        """The bundles of some tasks."""
        return cls(tasks, [bundle for bundle, _ in tasks])


logger = logging.getLogger("croupier.house")


class Writer:
    """Stores bundles in groups; each future is done when its bundle is durable or turned away.

    `boundary` is called with the name of each step that a crash could fall before or after:
    `before the group`, `before the copy`, `after the copy`, `after the answers`.
    """

    def __init__(
        self,
        store: Store,
        copy: LogCopy | None = None,
        *,
        boundary: Callable[[str], None] = lambda name: None,
        world: World = REAL,
    ) -> None:
        self._store = store
        self._copy = copy
        self._world = world
        self.refused = RefusedLog(store, clock=world.monotonic)
        self._boundary = boundary
        self._tasks: deque[Task] = deque()
        self._answers: deque[tuple[Tell, HouseError | None]] = deque()
        self._gathering = threading.Lock()
        """Held while a bundle is added, so that none is added after the end."""
        self._storing = threading.RLock()
        """Held by whoever stores: a group is taken from the tasks and stored as one."""
        self._telling = threading.Lock()
        """Held by whoever tells, so that answers are told in order."""
        self._all_told = threading.Event()
        """Set while nobody waits for an answer."""
        self._without_clock = False
        """Whether the thread waits without looking at the clock: there is nothing to sync, and
        nothing that was refused waits to be kept."""
        self._at_rest = threading.Event()
        """Set while the writer's threads have nothing to do: what has gathered is with another
        process, or nothing has, and what is stored is told."""
        self._closed = False
        self.groups = 0
        """Transactions so far."""
        self.seconds = 0.0
        """The time that they took."""
        self._began: float | None = None
        """When the group that is being stored now was begun."""
        self.trouble: StorageError | None = None
        """Why the copy of the log is behind, if it is. The log itself is whole: the House goes on
        and tries again, at most once in `TRY_AGAIN_SECONDS`."""
        self.on_alarm: Callable[[str], None] = lambda alarm: None
        """Told, in the writer's thread, that the copy of the log was deleted or shortened: its
        alarm (`LogCopy.alarm`) stands until somebody has it made anew."""
        self._behind_since = 0.0
        self._tried = 0.0
        self._next: Group | None = None
        """What was sent to another process while it stores the group before."""
        self._ahead_left = 0
        """How many groups more may be sent so."""
        self._wanted = 0
        """How many others wait for their turn to store."""
        self._under_way = Group([], [])
        """The group that was begun last."""
        self._enough = NEVER
        """With how many bundles that have gathered the next group is sent ahead."""
        self._unsure = False
        """Whether a group may be in the log that was not told to be, and is not in the copy."""
        self._stored: list[Stored] = []
        """What is stored and not yet in the copy: nobody is told of it before it is."""
        self._ended = False
        """Whether the writer's thread has told its last answer."""
        self._teller: Worker | None = None
        """Tells answers while the writer's thread waits for another process to store."""
        if copy is not None:
            copy.catch_up(store)
        self._thread = world.start("house-writer", self._turns())
        self._wake = self._thread.wake
        if store.is_apart:
            store.meanwhile = self._finish_the_last
            self._teller = world.start("house-teller", self._telling_turns())

    def store(self, bundle: Bundle) -> Future[None]:
        """Ask for a bundle to be stored; the future is done when it is, or was turned away."""
        future: Future[None] = Future()
        self.put(bundle, partial(_resolve, future))
        return future

    def put(self, bundle: Bundle, tell: Tell, *, wake: bool = True) -> None:
        """Ask for a bundle to be stored; `tell` is called, in the order of the bundles, then.

        Whoever wakes nobody must `settle`.
        """
        with self._gathering:
            if not self._closed:
                self._tasks.append((bundle, tell))
                if self._began is None:
                    self._at_rest.clear()
                if self._all_told.is_set():
                    self._all_told.clear()
                if wake:
                    self._wake()
                if len(self._tasks) >= self._enough and not self._wanted:
                    self._send_ahead()
                return
        tell(StorageError("the House is closed; nothing more is stored"))

    def put_refused(self, refused: RefusedRecord) -> None:
        """Ask for what was refused to be kept; nobody waits for it."""
        self.refused.add(refused)
        if self._without_clock:
            self._wake()

    def flush(self) -> None:
        """See that everything asked for so far is durable or turned away (told or not)."""
        try:
            with self._turn_wanted():
                self._write()  # after a group that is under way
                while self._tasks:
                    self._write()
                with self._storing:  # what somebody else has taken of it is stored as well
                    pass
        finally:  # also after an error: the thread tells the answers of what was stored
            self._wake()

    def settle(self) -> None:
        """Store what has gathered and tell the answers, by somebody who would only wait for his
        own and holds no lock; where somebody else is at it already, the thread does it."""
        try:
            if self._storing.acquire(blocking=False):
                try:
                    self._write(here=True)
                finally:
                    self._storing.release()
                if self._telling.acquire(blocking=False):
                    try:
                        self._tell()
                    finally:
                        self._telling.release()
                    self._note_all_told()
        finally:  # the copy may have to be synced from now on, and the thread may not know it
            if self._tasks or self._stored or self._answers or self._without_clock:
                self._wake()

    def wait(self, at_most: float) -> None:
        """Wait until everything is stored and told, for so many seconds at most.

        For a busy thread, which would slow the writer down: storing is many small steps of Python,
        and for each of them the writer would have to wait for the interpreter.
        """
        self._world.wait(self._all_told, at_most)

    def give_way(self, at_most: float) -> None:
        """Leave the interpreter to the writer's threads until another process has what gathered and
        its answers are told, for so many seconds at most.

        For a busy thread whose bundles another process stores. Between a bundle and its answer the
        writer must have the interpreter several times, and each time Python would let it wait.
        """
        if self._store.has_answered():
            self._at_rest.clear()
        if not self._at_rest.is_set():
            self._world.wait(self._at_rest, at_most)

    def _note_rest(self) -> None:
        if not self._answers and (self._began is not None or not self._tasks):
            self._at_rest.set()

    @property
    def waiting(self) -> int:
        """How many bundles have gathered and are not being stored yet."""
        return len(self._tasks)

    def storing(self) -> float:
        """For how many seconds the group under way has been stored; 0 if there is none."""
        began = self._began
        return 0.0 if began is None else self._world.monotonic() - began

    def behind(self) -> float:
        """For how many seconds the copy of the log could not be written; 0 if it can."""
        return 0.0 if self.trouble is None else self._world.monotonic() - self._behind_since

    @property
    def copy(self) -> LogCopy | None:
        """The copy of the log that is written here, if there is one."""
        return self._copy

    def renew_copy(self) -> int:
        """Have everything that the copy lacks written to it, and end its alarm; return how many
        events that were."""
        if self._copy is None:
            raise StorageError("no copy of the log is kept here")
        with self._turn_wanted(), self._storing:
            self._finish()
            return self._copy.renew(self._store)

    @contextmanager
    def _turn_wanted(self) -> Iterator[None]:
        """Somebody waits for whoever is storing: groups follow each other no longer than needed."""
        with self._gathering:
            self._wanted += 1
        try:
            yield
        finally:
            with self._gathering:
                self._wanted -= 1

    def close(self) -> None:
        """Store what has gathered, tell the answers, then stop."""
        with self._gathering:
            self._closed = True
        self._wake()
        self._thread.join()
        if self._teller is not None:
            self._teller.join()

    def _turns(self) -> Turns:
        last = False
        while not last:
            yield self._pause()
            self._without_clock = False
            last = self._closed
            self._write(ahead=AHEAD_AT_MOST)
            while self._answers or self._stored:
                yield 0  # what is stored is not told yet: others may act meanwhile
                if self._answers:
                    with self._telling:
                        self._tell()
                self._write(ahead=AHEAD_AT_MOST)
                self._sync(last=False, idle=False)
                self._keep_refused(last=False)
            self._note_all_told()
            self._sync(last)
            self._keep_refused(last)
        self._ended = True
        if self._teller is not None:
            self._teller.wake()

    def _telling_turns(self) -> Turns:
        while not self._ended:
            yield None
            if self._answers:
                with self._telling:
                    self._tell()
                self._note_rest()

    def _pause(self) -> float | None:
        """How long to wait to be woken: until the copy is to be synced, or what was refused to be
        kept."""
        self._without_clock = True  # before it is looked: whoever is refused now must wake it
        due = self.refused.due()
        if self._copy is not None:
            with self._storing:  # whoever flushes writes the copy too
                synced = self._copy.due()
            due = min((each for each in (due, synced) if each is not None), default=None)
        self._without_clock = due is None
        if self._copy is not None:
            due = min(due, LOOK_SECONDS) if due is not None else LOOK_SECONDS
        return due

    def _write(self, *, here: bool = False, ahead: int = 0) -> None:
        """Store all that has gathered, as one group, after whoever else is storing; a bundle that
        is alone in this process, where that is asked for (`here`). Up to so many groups that gather
        meanwhile may follow it (`ahead`)."""
        with self._storing:
            group: Group | None = self._take()
            if group is None:
                self._finish()
                return
            self._ahead_left = ahead
            try:
                while group is not None:
                    self._write_group(group, here=here)
                    group = self._following()
            except BaseException:  # what was sent ahead is not appended any more
                group = self._following()
                if group is not None:
                    self._note_stored(group, None)
                self._store.forget_ahead()
                raise
            finally:
                self._ahead_left = 0
                if not (self._tasks and self._may_follow()):
                    self._finish()

    def _take(self) -> Group | None:
        """What has gathered, as much of it as goes into one transaction."""
        count = min(len(self._tasks), GROUP_AT_MOST)
        return Group.of([self._tasks.popleft() for _ in range(count)]) if count else None

    def _following(self) -> Group | None:
        """What was sent behind the last group; nothing more is."""
        with self._gathering:
            self._enough = NEVER
            group, self._next = self._next, None
        return group

    def _write_group(self, group: Group, *, here: bool) -> None:
        answers: list[HouseError | None] | None = None
        self._began = self._world.monotonic()
        self._under_way = group
        try:
            self._boundary("before the group")
            answers = self._store_group(group.bundles, here=here and len(group.tasks) == 1)
            self.groups += 1
            self.seconds += self.storing()
        finally:  # a thread that flushes may be interrupted: every bundle gets an answer still
            self._began = None
            self._at_rest.clear()
            self._note_stored(group, answers)

    def _note_stored(self, group: Group, answers: list[HouseError | None] | None) -> None:
        """A group has its answers; None if nobody knows them."""
        if answers is None:
            self._unsure = True
            answers = [_interrupted()] * len(group.tasks)
        self._stored += zip(group.tasks, answers, strict=True)

    def _may_follow(self) -> bool:
        """Whether the next group may be stored before the last one is in the copy: not where the
        copy is to be completed from the log, which would have the next one as well."""
        if self._teller is None:
            return False
        return self._copy is None or (self.trouble is None and not self._unsure)

    def _finish_the_last(self) -> None:
        """Another process has begun to store a group: finish the one before it meanwhile."""
        if self._may_follow():
            self._finish()
        if self._answers and self._teller is not None:
            self._teller.wake()
        self._let_follow()
        self._note_rest()

    def _let_follow(self) -> None:
        """Have the next group sent behind this one, as soon as enough has gathered, unless others
        are to have their turn first."""
        if not self._ahead_left or self._next is not None or self._wanted:
            return
        if self._may_follow() and not self._else_is_due():
            with self._gathering:
                self._ahead_left -= 1
                self._enough = max(AHEAD_AT_LEAST, int(len(self._under_way.tasks) * AHEAD_SHARE))
                if len(self._tasks) >= self._enough:
                    self._send_ahead()

    def _else_is_due(self) -> bool:
        """Whether the writer's thread has something else to do, as soon as it can."""
        return self.refused.due() == 0 or (self._copy is not None and self._copy.due() == 0)

    def _send_ahead(self) -> None:
        """Send what has gathered behind the group that another process is storing. Whoever gives
        the bundle with which it is enough does it: to wake the writer's thread takes too long."""
        self._enough = NEVER
        self._next = following = self._take()
        behind = self._under_way.bundles
        if following and not self._store.send_ahead(following.bundles, behind=behind):
            self._tasks.extendleft(reversed(following.tasks))
            self._next = None

    def _finish(self) -> None:
        """Write what is stored to the copy; then it may be told. Whoever is interrupted in it
        leaves it to the next one, who completes the copy from the log."""
        if not self._stored:
            return
        if self._copy is not None:
            try:
                self._boundary("before the copy")
                self._write_copy(self._copy, self._stored)
                self._boundary("after the copy")
            except BaseException:
                self._unsure = True
                raise
        stored, self._stored = self._stored, []
        self._answers.extend((tell, answer) for (_, tell), answer in stored)

    def _tell(self) -> None:
        while self._answers:
            tell, answer = self._answers[0]  # it stays until it is told, whoever is interrupted
            try:
                tell(answer)
            except Exception:  # the others must hear theirs
                logger.exception("somebody could not be told that their command was stored")
            self._answers.popleft()
        self._boundary("after the answers")

    def _note_all_told(self) -> None:
        with self._gathering:
            if not self._tasks and not self._answers:
                self._all_told.set()
        self._note_rest()

    def _store_group(self, bundles: list[Bundle], *, here: bool = False) -> list[HouseError | None]:
        try:
            return self._store.append_here(bundles) if here else self._store.append(bundles)
        except HouseError as error:
            self._unsure = True
            return [error] * len(bundles)
        except Exception as error:
            self._unsure = True
            # Whatever it is, nobody may be left waiting, and no one bundle may stop the others.
            logger.exception("a group could not be stored")
            if len(bundles) == 1:
                return [StorageError(f"storing failed: {error!r}")]
            return [answer for bundle in bundles for answer in self._store_group([bundle])]

    # -- the copy of the log -----------------------------------------------------------------

    def _write_copy(self, copy: LogCopy, stored: list[Stored]) -> None:
        """The rows are durable whatever happens here: they are acknowledged in any case."""
        if self.trouble is not None and self._world.monotonic() < self._tried + TRY_AGAIN_SECONDS:
            return
        try:
            is_any_stored = any(answer is None for _, answer in stored)
            if self.trouble is not None or (self._unsure and is_any_stored):
                copy.catch_up(self._store)
                self._unsure = False
            else:
                copy.write_bundles(bundle for (bundle, _), answer in stored if answer is None)
            self.trouble = None
        except StorageError as error:
            self._report(error)
        except Exception as error:  # those who wait for their answers must not wait for a copy
            logger.exception("the copy of the log could not be written")
            self._report(StorageError(f"the copy of the log cannot be written: {error!r}"))

    def _sync(self, last: bool, *, idle: bool = True) -> None:
        """Bring the copy to the disk where that is due, and look after it where nothing else is to
        be done (`idle`)."""
        if self._copy is None:
            return
        try:
            with self._storing:
                if last:
                    self._copy.close()
                    self._note_copied(self._copy)
                elif self._copy.due() == 0:
                    self._copy.sync()
                    if self._copy.id and not self._copy.alarm:
                        self._store.copied = self._copy.mark()
                    self._look(self._copy)
                elif idle and self._copy.due() is None:
                    self._look(self._copy)
        except StorageError as error:
            self._report(error)

    def _note_copied(self, copy: LogCopy) -> None:
        """Note how far the copy goes at the end: from now on it may not hold less."""
        if copy.id and not copy.alarm and self.trouble is None:
            copies.note(self._store, copy.mark())

    def _look(self, copy: LogCopy) -> None:
        """Look whether the copy is still there."""
        if not copy.id:
            return
        if copy.alarm:
            if not copies.known_copies(self._store)[copy.id].alarm:
                copy.end_alarm()  # somebody has had it made anew, in another process
            return
        alarm = copy.look()
        if alarm:
            logger.error("%s", alarm, extra=ALARM)
            copy.raise_alarm(self._store, alarm)
            self.on_alarm(alarm)

    def _keep_refused(self, last: bool) -> None:
        """Store what was refused, apart from everything else: no command waits for it."""
        if not last and self.refused.due() != 0:
            return
        try:
            with self._storing:
                self.refused.write()
        except Exception as error:  # it is tried again; nobody's command hangs on it
            logger.error("what was refused could not be kept: %r", error)

    def _report(self, error: StorageError) -> None:
        if self.trouble is None:
            logger.error("%s", error, extra=ALARM)
            self._behind_since = self._world.monotonic()
        self.trouble = error
        self._tried = self._world.monotonic()


def _interrupted() -> StorageError:
    return StorageError(
        "storing was interrupted, and only the log tells how far it went: send the command again "
        "under the same id"
    )


def _resolve(future: Future[None], answer: HouseError | None) -> None:
    if not future.set_running_or_notify_cancel():
        return  # nobody waits for it any longer; what was stored stays stored
    if answer is None:
        future.set_result(None)
    else:
        future.set_exception(answer)
