"""Lives and deaths of a House: starts children that are killed, and looks at what they leave.

After every death: nothing that was acknowledged is lost, nothing is half done, no id has two
effects, money is conserved and lies where the tables say, every chain is whole, and the copy of the
log agrees.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from croupier.house.audit.mixed import Secrets
from croupier.house.chain import START, digest
from croupier.house.copy import LogCopy
from croupier.house.copy_reading import rows_of_copy
from croupier.house.house import House
from croupier.house.ledger import holdings
from croupier.house.records import Row
from croupier.house.shuffle_book import SecretCommitted, ShuffleBook, ShuffleMixed, book_of
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.table import BadCommand
from tests.house.casino import TABLES, add_places
from tests.house.crash_child import Acknowledged, Intent, Job

ROOT = Path(__file__).parents[2]
Log = dict[str, list[Row]]


class Nursery:
    """Makes children quickly: everything is imported once."""

    def __init__(self) -> None:
        path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.house.crash_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path},
            cwd=ROOT,
        )

    def live(self, job: Job) -> int:
        """One life; returns the signal that ended it, 0 if it ended well."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(msgspec.json.encode(job) + b"\n")
        self.process.stdin.flush()
        ended = json.loads(self.process.stdout.readline())
        return int(ended["signal"])

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def lines(file: Path, kind: type[Any]) -> list[Any]:
    if not file.exists():
        return []
    return [msgspec.json.decode(line, type=kind) for line in file.read_bytes().splitlines()]


def the_dead_are_gone(store: Store, within: float = 30.0) -> None:
    """Wait until the server has ended the sessions of a House that was killed: what it had sent
    before its death may be carried out at any moment until then."""
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    end = time.monotonic() + within
    while store.database.execute(others) != [(0,)]:
        assert time.monotonic() < end, "a session of the dead House does not end"
        time.sleep(0.02)


class Remains:
    """What a dead House has left, and what must hold of it."""

    def __init__(self, url: str, folder: Path, tables: tuple[str, ...] = tuple(TABLES)) -> None:
        self.url = url
        self.folder = folder
        self.tables = tables

    def check(self) -> None:
        """Everything that must hold after any death."""
        errors = lines(self.folder / "errors", str)
        assert not errors, errors[0]
        store = Store(open_database(self.url))
        if self.url.startswith("postgres"):
            the_dead_are_gone(store)
        house = House(store, reader=Store(open_database(self.url)))
        try:
            log = {place: list(store.rows(place)) for place in store.streams()}
            add_places(house, self.tables)
            self.chains(store, log)
            self.acknowledged(log)
            self.commands(store, log)
            self.money(house, store)
            self.shuffles(house, store, log)
            self.copy(store, log)
            self.sent_again(house)
        finally:
            house.close()
            house.reader.close()
            store.close()

    # -- the log -----------------------------------------------------------------------------

    def chains(self, store: Store, log: Log) -> None:
        """Every log is whole: positions without a gap, each digest of the one before."""
        heads = store.heads()
        assert heads.keys() == log.keys()
        for place, rows in log.items():
            last = START
            for position, row in enumerate(rows, start=1):
                last = digest(last, row)
                assert row.position == position
                assert row.digest == last, f"event {position} of {place}"
            assert (heads[place].position, heads[place].digest) == (len(rows), last)

    def acknowledged(self, log: Log) -> None:
        """What was acknowledged is there, row by row."""
        stored: dict[str, set[tuple[str, int]]] = {}
        for place, rows in log.items():
            for row in rows:
                stored.setdefault(row.command_id, set()).add((place, row.position))
        for answer in lines(self.folder / "acknowledged", Acknowledged):
            assert stored.get(answer.id) == set(answer.rows), f"{answer.id} was acknowledged"

    def commands(self, store: Store, log: Log) -> None:
        """A command is stored with all its rows, once, or not at all."""
        counted = dict(store.database.execute("SELECT command_id, events FROM orders"))
        assert Counter(row.command_id for rows in log.values() for row in rows) == counted
        for place, rows in log.items():
            runs = [command for command, _ in groupby(rows, lambda row: row.command_id)]
            assert len(runs) == len(set(runs)), f"a command has two effects at {place}"

    # -- the ledger --------------------------------------------------------------------------

    def money(self, house: House, store: Store) -> None:
        """Money is conserved, and lies where the tables and links say that it lies."""
        balances = store.balances()
        assert sum(balances.values()) == 0
        summed = store.database.execute("SELECT account, sum(amount) FROM entries GROUP BY account")
        assert {account: int(total) for account, total in summed} == balances
        held: Counter[str] = Counter()
        for name, conversation in {**house.pit.tables, **house.pit.links}.items():
            held.update(holdings(name, conversation))
        elsewhere = ("cash", "player/", "outside/")
        lying = {k: v for k, v in balances.items() if v and not k.startswith(elsewhere)}
        assert lying == {account: amount for account, amount in held.items() if amount}
        assert all(v >= 0 for k, v in balances.items() if k.startswith("player/"))

    # -- shuffles ----------------------------------------------------------------------------

    def shuffles(self, house: House, store: Store, log: Log) -> None:
        """Every shuffle has its commitment and its secret, and none is without its shuffle."""
        for table in self.tables:
            rows = log.get(table, [])
            given = {
                row.command_id: (row, house.pit.tables[table].read_event(row.event))
                for row in rows
                if b'"shuffle given"' in row.event[:40]
            }
            booked = [
                (row, ShuffleBook.read_event(row.event)) for row in log.get(book_of(table), [])
            ]
            mixed = {row.command_id for row, event in booked if isinstance(event, ShuffleMixed)}
            secrets = {event.secret for _, event in booked if isinstance(event, SecretCommitted)}
            opened = {each.shuffle: each for each in store.openings(table)}
            assert given.keys() == mixed
            assert opened.keys() == secrets
            check = Secrets(store, table, exported=False)
            assert list(check.differences(opened)) == []
            as_it_stood = type(house.pit.tables[table])(house.pit.tables[table].book)
            for row in rows:  # what a shuffle is held to is the table as it stood then
                event = as_it_stood.read_event(row.event)
                as_it_stood.apply(event)
                if row.command_id in given:
                    assert list(check.given(as_it_stood, event, row, withheld=False)) == []

    # -- the copy ----------------------------------------------------------------------------

    def copy(self, store: Store, log: Log) -> None:
        """The copy lacks at most what came last, and can be caught up to the same rows."""
        folder = self.folder / "copy"
        copy = LogCopy(folder)
        copy.catch_up(store)
        copy.close()
        copied = {(row.stream, row.position): row for row in rows_of_copy(folder)}
        stored = [row.as_stored() for rows in log.values() for row in rows]
        assert copied == {(row.stream, row.position): row for row in stored}

    # -- at most once ------------------------------------------------------------------------

    def sent_again(self, house: House) -> None:
        """Whatever nobody heard of is sent again under its id, and has one effect in all."""
        told = {answer.id for answer in lines(self.folder / "acknowledged", Acknowledged)}
        intents = lines(self.folder / "intents", Intent)
        unheard = [each for each in intents if each.id not in told]
        heard = [each for each in intents if each.id in told][-3:]
        for intent in (*heard, *unheard):
            known = house.reader.recall(intent.id)[0]
            assert known or intent in unheard
            before = house.reader.answer_of(intent.id)
            first, second = self.send(house, intent), self.send(house, intent)
            after = house.reader.answer_of(intent.id)
            if known:
                assert after == before
                assert first == second == [(row.stream, row.position) for row in before]
            elif first is None:
                assert after == [], "refused, but something of it was stored"
            else:
                assert first == second
                assert sorted(first) == sorted((row.stream, row.position) for row in after)
        (self.folder / "intents").unlink(missing_ok=True)

    def send(self, house: House, intent: Intent) -> list[tuple[str, int]] | None:
        """Send it; the rows of the answer, or None if it cannot be done any more."""
        command = house.pit.at(intent.place).read_command(msgspec.json.encode(intent.command))
        try:
            answer = house.give(
                intent.place, command, who=intent.who, rank=intent.rank, command_id=intent.id
            ).result()
        except BadCommand:
            return None
        if answer.refused is not None:
            return None
        pairs = zip(answer.said, answer.positions, strict=True)
        return sorted((said.place, position) for said, position in pairs)
