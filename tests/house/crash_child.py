"""A House under load that gets killed, and a nursery that starts one after another quickly.

`python -m tests.house.crash_child` imports everything once, then makes one child for each job that
it reads (a line of JSON), lets it be killed, and says how it ended. A child plays all its tables at
once, each in a thread of its own, and writes down what it is about to give, what was acknowledged,
and what went wrong; a line that was written stays written when the process is killed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from croupier.house.answers import Answer
from croupier.house.copy import LogCopy
from croupier.house.dealer import Dealer
from croupier.house.house import House
from croupier.house.recovery import recover
from croupier.house.sqlite import SqliteDatabase
from croupier.house.storage_process import StorageProcess
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.table import ActorRank, Command
from tests.house.casino import TABLES, Guests, add_places, open_places


class Job(Struct, kw_only=True):
    """One life of a House: where its data lies, how it plays, and when it dies."""

    url: str
    folder: str
    """Where the copy of the log and the notes of the child lie."""
    life: int
    """Which life it is: makes its guests and its ids differ from those of other lives."""
    tables: tuple[str, ...] = tuple(TABLES)
    boundary: str = ""
    """Die at this boundary…"""
    times: int = 1
    """…when it is reached for this time."""
    seconds: float = 0.0
    """Or die so long after play has begun."""
    early: bool = False
    """Or so long after the process was made: while it reads its logs, or recovers."""
    too_early: bool = False
    """Acknowledge before it is durable: a House that lies, to show that it is found out."""
    acts: int = 0
    """Or end well after so many acts of each table."""
    apart: bool = False
    """Whether storage is a process of its own."""


class Intent(Struct, kw_only=True):
    """What a guest is about to say."""

    id: str
    place: str
    who: str
    rank: ActorRank
    command: dict[str, Any]


class Acknowledged(Struct, kw_only=True):
    """An answer that was told: which rows it had."""

    id: str
    rows: list[tuple[str, int]]


class Notes:
    """Lines in a file; one that was written is there whatever happens to the process."""

    def __init__(self, file: Path) -> None:
        self._file = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, record: object) -> None:
        os.write(self._file, msgspec.json.encode(record) + b"\n")


class TooEarly:
    """Tells answers as soon as they are made."""

    def __init__(self, told: Callable[[Answer], None]) -> None:
        self.told = told

    def made(self, answer: Answer, order: Any) -> None:
        self.told(answer)

    def stored(self, answer: Answer) -> None:
        pass

    def lost(self, answer: Answer) -> None:
        pass


class Boundaries:
    """Counts the steps between which a crash can fall, and dies at the chosen one."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.counts: Counter[str] = Counter()
        self.on = False

    def __call__(self, name: str) -> None:
        if not self.on:
            return
        self.counts[name] += 1
        if name == self.job.boundary and self.counts[name] == self.job.times:
            os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(60)  # the signal comes to another thread first

    def around(self, database: Any) -> None:
        """Put a boundary before and after everything that a transaction asks of a database."""

        def watched(what: str, asked: Callable[..., Any]) -> Callable[..., Any]:
            def ask(*arguments: Any, **named: Any) -> Any:
                self(f"before {what}")
                answer = asked(*arguments, **named)
                self(f"after {what}")
                return answer

            return ask

        def one_by_one(insertions: list[Any], *, quiet: bool = False) -> list[int]:
            """As SQLite does it: a statement for each table."""
            return [
                count
                for each in insertions
                for count in watched(f"insert {each.table}", insert_all)([each], quiet=quiet)
            ]

        insert_all = database.insert_all
        embedded = isinstance(database, SqliteDatabase)
        database.insert_all = one_by_one if embedded else watched("insert", insert_all)
        database.insert_if = watched("one step", database.insert_if)
        for name in ("begin", "commit"):
            setattr(database, name, watched(name, getattr(database, name)))


def open_house(job: Job) -> tuple[House, Boundaries]:
    """The House of a job, as its logs have it."""
    database = open_database(job.url)
    reader = open_database(job.url)
    boundaries = Boundaries(job)
    boundaries.around(database)
    store = StorageProcess(database) if job.apart else Store(database)
    house = House(store, reader=Store(reader), copy=LogCopy(Path(job.folder, "copy")))
    house.writer._boundary = boundaries
    add_places(house, job.tables)
    return house, boundaries


def live(job: Job, begun: Callable[[], None]) -> None:
    """Play until killed, or for so many acts."""
    folder = Path(job.folder)
    intents, acknowledged = Notes(folder / "intents"), Notes(folder / "acknowledged")
    house, boundaries = open_house(job)
    dealer = Dealer(house)

    def told(answer: Answer) -> None:
        rows = [(said.place, at) for said, at in zip(answer.said, answer.positions, strict=True)]
        acknowledged.write(Acknowledged(id=answer.command_id, rows=rows))

    if job.too_early:
        house.watch(TooEarly(told))
    else:
        house.listen(told)
    open_places(house, job.tables)
    recover(house, planned=False, dealer=dealer)
    boundaries.on = True
    begun()
    threads = [
        threading.Thread(target=play, args=(house, dealer, place, job, intents, folder))
        for place in job.tables
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    house.close()
    (folder / "boundaries").write_bytes(msgspec.json.encode(boundaries.counts))


def play(house: House, dealer: Dealer, place: str, job: Job, intents: Notes, folder: Path) -> None:
    """One table, act after act."""
    guests = Guests(house, dealer, place, seed=job.life)
    given = 0

    def said(place: str, command: Command, who: str, rank: ActorRank) -> str:
        nonlocal given
        given += 1
        intent = Intent(
            id=f"{job.life}/{place}/{given}",
            place=place,
            who=who,
            rank=rank,
            command=msgspec.to_builtins(command, str_keys=True),
        )
        intents.write(intent)
        return intent.id

    guests.said = said
    try:
        for _ in range(job.acts or sys.maxsize):
            assert guests.step() is not None, f"{place} stands still: {guests.table.facts()}"
    except BaseException:
        Notes(folder / "errors").write(traceback.format_exc())
        os.kill(os.getpid(), signal.SIGKILL)


def child(job: Job, to: int) -> None:
    """The life of a child, up to its end; it says when play begins."""
    try:
        live(job, lambda: os.close(to))
        os._exit(0)
    except BaseException:
        Notes(Path(job.folder) / "errors").write(traceback.format_exc())
        os._exit(1)


def nursery() -> None:
    """One child for each job that is read; says how it ended."""
    for line in sys.stdin.buffer:
        job = msgspec.json.decode(line, type=Job)
        begun, to = os.pipe()
        pid = os.fork()
        if pid == 0:
            child(job, to)
        os.close(to)
        if job.seconds:
            if not job.early:
                os.read(begun, 1)  # closed when play begins, or when it cannot
            time.sleep(job.seconds)
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        os.close(begun)
        ended = {"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0}
        sys.stdout.write(json.dumps(ended) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    nursery()
