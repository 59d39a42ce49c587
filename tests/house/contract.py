"""What every database must do for the House: one suite, which each kind of database runs.

A class that inherits `StoreContract` gives a fixture `url` with a fresh database. Some helpers are
here too: rows, bundles and entries as the House makes them, and a database that fails on demand.
"""

import multiprocessing
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise

import pytest

from croupier.house import store_reader
from croupier.house.chain import START, digest, order_digest, refused_digest
from croupier.house.database import Database
from croupier.house.errors import (
    Conflict,
    DiskFull,
    HouseError,
    LostConnection,
    Malformed,
    StorageError,
    Unbalanced,
    WrongSchema,
)
from croupier.house.migrations import migrations
from croupier.house.records import (
    Bundle,
    Entry,
    Opening,
    OrderRecord,
    RefusedRecord,
    Row,
    Secret,
    Snapshot,
)
from croupier.house.store import Store
from croupier.house.urls import open_database

AT = "2024-08-01T20:00:00+08:00"


def row(place: str, position: int, command_id: str, event: bytes = b'{"event":"x"}') -> Row:
    return Row(
        stream=place,
        position=position,
        command_id=command_id,
        who="Ann",
        rank="player",
        at=AT,
        event=event,
    )


def bundle(command_id: str, *rows: Row, entries: tuple[Entry, ...] = (), **more) -> Bundle:
    expected: dict[str, int] = {}
    for each in rows:
        expected.setdefault(each.stream, each.position - 1)
    return Bundle(
        command_id=command_id, expected=expected, rows=list(rows), entries=list(entries), **more
    )


def one(command_id: str, place: str = "A", position: int = 1, **more) -> Bundle:
    """A bundle of one row."""
    return bundle(command_id, row(place, position, command_id), **more)


def order(command_id: str, place: str = "A", **more) -> OrderRecord:
    fields = {"who": "Ann", "rank": "player", "at": AT, "software": "abc"} | more
    return OrderRecord(command_id=command_id, place=place, **{"command": b'{"do":"x"}', **fields})


def ordered(command_id: str, *rows: Row, **more) -> Bundle:
    """A bundle with its order, given at the place of its first row."""
    made = bundle(command_id, *rows)
    made.order = order(command_id, rows[0].stream if rows else "A", **more)
    return made


def refused(command_id: str, **more) -> RefusedRecord:
    fields = {"place": "A", "who": "Ann", "rank": "player", "at": AT, "says": "It is not her turn."}
    return RefusedRecord(command_id=command_id, **{"command": b"{}", **fields, **more})


def entry(account: str, amount: int, position: int = 1, place: str = "A") -> Entry:
    return Entry(stream=place, position=position, account=account, amount=amount)


def moving(
    command_id: str, position: int, giver: str, taker: str, amount: int, place: str = "A"
) -> Bundle:
    """A bundle that moves money from one account to another."""
    entries = (entry(giver, -amount, position, place), entry(taker, amount, position, place))
    return one(command_id, place, position, entries=entries)


def chain_is_whole(store: Store, place: str) -> bool:
    """Whether the positions have no gap and every digest follows from the one before."""
    last, position = START, 0
    for each in store.rows(place):
        last, position = digest(last, each), position + 1
        if (each.position, each.digest) != (position, last):
            return False
    head = store.head(place)
    return (head.position, head.digest) == (position, last)


def everything(store: Store) -> dict[str, list]:
    """All that is stored, to see that something changed nothing."""
    tables = ["log", "heads", "length", "orders", "entries", "balances"]
    tables += ["secrets", "openings", "snapshots", "refused"]
    return {
        table: sorted(store.database.execute(f"SELECT * FROM {table}"), key=repr)
        for table in tables
    }


STEPS = ("begin", "execute", "insert_all", "insert_if", "commit")
"""What the store asks of a database while it appends."""


def fail_at(
    monkeypatch, database: Database, step: int, error: HouseError, *, after: bool = False
) -> list[str]:
    """Let the database fail before (or after) the step of this number; return the steps' names."""
    done: list[str] = []
    within = False  # a step may be made of others

    def watched(name: str, real: Callable) -> Callable:
        def call(*args, **kwargs):
            nonlocal within
            if within:
                return real(*args, **kwargs)
            done.append(name)
            failing = len(done) == step
            if failing and not after:
                raise error
            within = True
            try:
                result = real(*args, **kwargs)
            finally:
                within = False
            if failing:
                raise error
            return result

        return call

    for name in STEPS:
        monkeypatch.setattr(database, name, watched(name, getattr(database, name)))
    return done


def full_bundle(command_id: str, position: int) -> Bundle:
    """A bundle with everything that a bundle can have."""
    made = moving(command_id, position, "cash", "player/Ann", 100)
    made.order = order(command_id)
    made.secrets = [Secret(name="Ann", kind="password", secret=command_id)]
    made.openings = [Opening(shuffle=f"s-{command_id}", stream="A", seed=b"\0\1")]
    made.snapshots = [Snapshot(stream="A", position=position, state=b"{}")]
    return made


def race(url: str, writer: str, times: int) -> list[str]:
    """One of several writers at the same log: each command until it is stored, or lost to others.

    Returns the ids of the commands that this writer was told are stored.
    """
    store = Store(open_database(url))
    won = []
    for number in range(times):
        while True:
            command_id = f"{writer}-{number}"
            [answer] = store.append([one(command_id, "A", store.head("A").position + 1)])
            if answer is None:
                won.append(command_id)
                break
            assert isinstance(answer, Conflict)
    store.close()
    return won


def send_same(url: str, times: int) -> int:
    """One of several writers that send the same commands; how many of them it was that stored."""
    store = Store(open_database(url))
    won = 0
    for number in range(times):
        while True:
            [answer] = store.append([one(f"same-{number}", "A", store.head("A").position + 1)])
            won += answer is None
            if answer is None or "stored already" in str(answer):
                break
    store.close()
    return won


def fresh(store: Store) -> Store:
    """A store that remembers nothing, and so takes every step."""
    return Store(store.database, migrated=True)


MALFORMED = [
    bundle("bad", row("B", 1, "bad"), row("B", 3, "bad")),
    bundle("bad", row("B", 1, "bad"), row("B", 1, "bad")),
    bundle("bad", row("B", 1, "other")),
    Bundle(command_id="bad", expected={}, rows=[row("B", 1, "bad")]),
    one("bad\0", "B"),
    one("bad\nbad", "B"),
    one("bad\ud800", "B"),
    bundle("bad", row("B\0", 1, "bad")),
    bundle("bad", row("B\ud800", 1, "bad")),
    bundle("bad", row("B", 1, "bad", b'{"a":\n1}')),
    bundle("bad", row("B", 1, "bad", b"")),
    one("bad", "B", entries=(entry("cash", -1), entry("x", 1))),
    one("bad", "B", entries=(entry("cash\0", -1, 1, "B"), entry("x", 1, 1, "B"))),
    one("bad", "B", entries=(entry("cash\ud800", -1, 1, "B"), entry("x", 1, 1, "B"))),
    one("bad", "B", entries=(entry("cash", -1.0, 1, "B"), entry("x", 1, 1, "B"))),
    bundle(
        "bad",
        row("B", 1, "bad"),
        row("B", 2, "bad"),
        entries=tuple(
            entry(account, sign * 2**64, position, "B")
            for position, sign in ((1, 1), (2, -1))
            for account, sign in (("cash", -sign), ("x", sign))
        ),
    ),
    one("bad", "B", secrets=[Secret(name="a\0", kind="b", secret="c")]),
    one("bad", "B", openings=[Opening(shuffle="a\ud800", stream="b", seed=b"")]),
    one("bad", "B", snapshots=[Snapshot(stream="B", position=2, state=b"{}")]),
    one("bad", "B", snapshots=[Snapshot(stream="C", position=1, state=b"{}")]),
    one("bad", "B", order=order("other", "B")),
    one("bad", "B", order=order("bad", "B\n")),
    one("bad", "B", order=order("bad", "B", who="Ann\0")),
    one("bad", "B", order=order("bad", "B", authority="\ud800")),
    one("bad", "B", order=order("bad", "B", software="a\nb")),
    one("bad", "B", order=order("bad", "B", command=b"")),
    one("bad", "B", order=order("bad", "B", command=b'{"do":\n"x"}')),
    one("bad", "B", order=order("bad", "B", also=b"[\n]")),
]
"""Bundles that no database can hold, or that contradict themselves."""


class StoreContract:
    """The contract. `url` is a fresh database."""

    @pytest.fixture
    def store(self, url: str) -> Iterator[Store]:
        made = Store(open_database(url))
        yield made
        with suppress(StorageError):
            made.close()

    # -- the log -----------------------------------------------------------------------------

    def test_rows_come_back_as_they_were_given_and_chained(self, store):
        given = bundle("c1", row("A", 1, "c1"), row("A", 2, "c1", b'{"\xc3\xa9":1}'))
        assert store.append([given]) == [None]
        assert list(store.rows("A")) == given.rows
        assert given.rows[1].digest == digest(given.rows[0].digest, given.rows[1])
        assert chain_is_whole(store, "A")
        assert store.row("A", 2) == given.rows[1]
        assert store.row("A", 3) is None

    def test_a_log_is_read_by_cursor_from_any_position_to_any(self, store, monkeypatch):
        monkeypatch.setattr(store_reader, "READ_AT_ONCE", 4)
        store.append([bundle("c1", *(row("A", n, "c1") for n in range(1, 10)))])
        for after in range(11):
            assert [r.position for r in store.rows("A", after)] == list(range(after + 1, 10))
            for until in range(11):
                found = [r.position for r in store.rows("A", after, until)]
                assert found == list(range(after + 1, min(until, 9) + 1))

    def test_entries_are_read_by_cursor_however_far_apart(self, store, monkeypatch):
        monkeypatch.setattr(store_reader, "READ_AT_ONCE", 4)
        rows = [row("A", n, "c1") for n in range(1, 31)]
        entries = [e for n in (1, 4, 5, 29) for e in (entry("cash", -n, n), entry("x", n, n))]
        assert store.append([bundle("c1", *rows, entries=tuple(entries))]) == [None]
        assert sorted(store.entries("A"), key=repr) == sorted(entries, key=repr)
        assert [e.position for e in store.entries("A", after=4)] == [5, 5, 29, 29]
        assert [e.amount for e in store.entries_of("x")] == [1, 4, 5, 29]

    def test_of_two_writers_only_the_first_wins(self, store):
        assert store.append([one("c1")]) == [None]
        [late] = store.append([one("c2")])
        assert isinstance(late, Conflict)
        assert [r.command_id for r in store.rows("A")] == ["c1"]

    def test_a_bundle_that_comes_too_late_does_not_stop_the_others(self, store):
        store.append([one("c1")])
        late, fine = store.append(
            [bundle("c2", row("A", 1, "c2"), row("L", 1, "c2")), one("c3", "B")]
        )
        assert isinstance(late, Conflict)
        assert fine is None
        assert store.streams() == ["A", "B"]
        assert not store.recall("c2")[0]

    def test_a_place_that_a_command_only_looked_at_must_not_have_moved(self, store):
        store.append([one("c1", "L")])
        looked = one("c2", "A")
        looked.expected["L"] = 0
        assert isinstance(store.append([looked])[0], Conflict)
        looked.expected["L"] = 1
        assert store.append([looked]) == [None]

    def test_two_commands_of_one_group_follow_each_other_in_one_log(self, store):
        assert store.append([one("c1"), one("c2", "A", 2)]) == [None, None]
        assert chain_is_whole(store, "A")

    def test_whoever_follows_one_that_was_turned_away_is_turned_away(self, store):
        poor = moving("c1", 1, "player/Ann", "player/Bob", 1)
        first, second = store.append([poor, one("c2", "A", 2)])
        assert isinstance(first, Unbalanced)
        assert isinstance(second, Conflict)
        assert store.streams() == []

    def test_an_empty_group_is_no_trouble(self, store):
        assert store.append([]) == []

    def test_a_command_without_events_is_remembered(self, store):
        assert store.append([Bundle(command_id="c1", expected={}, rows=[])]) == [None]
        assert store.recall("c1")[0]
        assert store.answer_of("c1") == []

    def test_heads_say_how_far_every_log_goes(self, store):
        store.append([one("c1"), one("c2", "A", 2), one("c3", "B")])
        heads = store.heads()
        assert {place: head.position for place, head in heads.items()} == {"A": 2, "B": 1}
        assert heads["A"] == store.head("A")

    # -- at most once ------------------------------------------------------------------------

    def test_a_command_is_stored_once(self, store):
        store.append([one("c1")])
        [again] = store.append([one("c1", "A", 2)])
        assert isinstance(again, Conflict)
        assert "stored already" in str(again)
        assert store.recall("c1")[0]
        assert not store.recall("c2")[0]
        assert [r.position for r in store.answer_of("c1")] == [1]

    def test_a_command_that_comes_twice_in_a_group_is_stored_once(self, store):
        group = [one("c1"), one("c1", "A", 2), one("c2", "A", 2)]
        first, again, other = store.append(group)
        assert (first, other) == (None, None)
        assert isinstance(again, Conflict)
        assert chain_is_whole(store, "A")

    def test_a_known_command_among_new_ones_is_turned_away_alone(self, store):
        store.append([one("c1")])
        group = [one("c2", "A", 2), one("c1", "B"), one("c3", "A", 3), one("c4", "B")]
        assert [type(answer) for answer in store.append(group)] == [
            type(None),
            Conflict,
            type(None),
            type(None),
        ]
        assert [r.command_id for r in store.rows("A")] == ["c1", "c2", "c3"]
        assert [r.command_id for r in store.rows("B")] == ["c4"]
        assert chain_is_whole(store, "A")
        assert chain_is_whole(store, "B")

    # -- orders ------------------------------------------------------------------------------

    def test_an_order_is_stored_with_its_events_and_binds_the_first_of_them(self, store):
        given = ordered("c1", row("A", 1, "c1"), row("A", 2, "c1"), row("L", 1, "c1"))
        given.order.authority = '{"session":"e3b0"}'
        given.order.also = b'[{"place":"L","command":{"do":"y"}}]'
        assert store.append([given]) == [None]
        assert store.recall("c1") == (True, given.order)
        made = order_digest(given.order)
        assert [(r.stream, r.order) for r in store.answer_of("c1")] == [
            ("A", made),
            ("A", b""),
            ("L", b""),
        ]
        first = next(store.rows("A"))
        assert first.digest == digest(START, first)
        first.order = order_digest(order("c1", who="Ben"))
        assert first.digest != digest(START, first)
        assert chain_is_whole(store, "A")

    def test_orders_are_numbered_by_the_events_before_them_over_all_logs(self, store):
        store.append([one("before", "Z"), one("early", "Z", 2)])
        first = ordered("c1", row("A", 1, "c1"), row("L", 1, "c1"))
        nothing = ordered("c2")
        group = [first, nothing, ordered("late", row("A", 1, "late"))]
        group.append(ordered("c3", row("B", 1, "c3")))
        assert [type(answer) for answer in store.append(group)] == [
            type(None),
            type(None),
            Conflict,
            type(None),
        ]
        other = Store(store.database.again())
        assert other.append([ordered("c4", row("A", 2, "c4"))]) == [None]
        other.close()
        assert store.append([ordered("c5", row("B", 2, "c5"))]) == [None]
        found = {o.command_id: o.number for o in store.orders()}
        assert found == {"c1": 2, "c2": 4, "c3": 4, "c4": 5, "c5": 6}
        assert list(found) == ["c1", "c2", "c3", "c4", "c5"]
        assert store.recall("early") == (True, None)
        assert store.recall("late") == (False, None)
        [(beside,)] = store.database.execute("SELECT digest FROM orders WHERE command_id = 'c2'")
        assert bytes(beside) == order_digest(nothing.order)

    def test_orders_are_read_by_cursor_and_by_place(self, store, monkeypatch):
        monkeypatch.setattr(store_reader, "READ_AT_ONCE", 3)
        for n in range(1, 9):
            place = "AB"[n % 2]
            store.append([ordered(f"c{n}", row(place, (n + 1) // 2, f"c{n}"))])
            store.append([ordered(f"nothing {n}")])
        assert [o.number for o in store.orders()] == [n for m in range(8) for n in (m, m + 1)]
        for places in ({"A"}, {"B"}, {"A", "B"}):
            found = [o.command_id for o in store.orders(places) if "nothing" not in o.command_id]
            assert found == [f"c{n}" for n in range(1, 9) if "AB"[n % 2] in places]
        for after in range(9):
            found = {o.number for o in store.orders(until=after)}
            assert found == {*range(after)}

    # -- what was refused --------------------------------------------------------------------

    def test_what_was_refused_is_chained_and_the_oldest_are_dropped(self, store):
        for n in range(0, 20, 2):
            some = [refused(f"r{n}"), refused(f"r{n + 1}", command=b"{}" * 100)]
            store.append_refused(some, lost=0, most=7, most_bytes=10**6)
        kept = list(store.refused())
        assert [r.number for r in kept] == [14, 15, 16, 17, 18, 19, 20]
        for before, after in pairwise(kept):
            assert after.follows == before.digest
        assert all(r.digest == refused_digest(r) for r in kept)
        room = kept[-1].written - kept[-4].written
        store.append_refused([refused("last")], lost=5, most=70, most_bytes=room)
        assert [r.number for r in store.refused()] == [18, 19, 20, 26]
        store.append_refused([refused("huge", command=b"x" * room)], lost=0, most=7, most_bytes=9)
        assert [r.command_id for r in store.refused()] == ["huge"]

    # -- writers against each other ----------------------------------------------------------

    def test_two_writers_never_both_win_in_threads(self, url, store):
        won: list[list[str]] = []
        threads = [
            threading.Thread(target=lambda name=name: won.append(race(url, name, 12)))
            for name in ("x", "y", "z")
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        stored = [r.command_id for r in store.rows("A")]
        assert sorted(stored) == sorted(each for ids in won for each in ids)
        assert len(stored) == 36
        assert chain_is_whole(store, "A")

    def test_two_writers_never_both_win_in_processes(self, url, store):
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            won = pool.starmap(race, [(url, "x", 25), (url, "y", 25)])
            same = pool.starmap(send_same, [(url, 20), (url, 20)])
        stored = [r.command_id for r in store.rows("A")]
        assert sorted(stored[:50]) == sorted(won[0] + won[1])
        assert sum(same) == 20
        assert sorted(stored[50:]) == sorted(f"same-{n}" for n in range(20))
        assert chain_is_whole(store, "A")

    def test_one_store_serves_many_threads(self, store):
        troubles: list[BaseException] = []

        def use(place: str) -> None:
            try:
                for position in range(1, 11):
                    assert store.append([one(f"{place}-{position}", place, position)]) == [None]
                    assert store.head(place).position == position
                    store.save_snapshot(Snapshot(stream=place, position=position, state=b"{}"))
                    assert len(list(store.rows(place))) == position
            except BaseException as error:
                troubles.append(error)

        threads = [threading.Thread(target=use, args=(place,)) for place in "ABC"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert troubles == []

    def test_another_connection_reads_what_was_stored(self, store):
        store.append([one("c1")])
        other = Store(store.database.again())
        assert [r.command_id for r in other.rows("A")] == ["c1"]
        other.close()

    # -- money -------------------------------------------------------------------------------

    def test_entries_balance_and_move_the_balances(self, store):
        assert store.append([moving("c1", 1, "cash", "player/Ann", 500)]) == [None]
        assert store.balances() == {"cash": -500, "player/Ann": 500}
        wrong = one("c2", "A", 2, entries=(entry("player/Ann", 1, 2),))
        [refused] = store.append([wrong])
        assert isinstance(refused, Unbalanced)
        assert "sum to 1" in str(refused)
        assert store.balances() == {"cash": -500, "player/Ann": 500}
        assert (store.balance("cash"), store.balance("nobody")) == (-500, 0)

    def test_a_balance_stands_beside_the_sum_of_its_entries(self, store):
        store.append([moving("c1", 1, "cash", "player/Ann", 500)])
        store.append([moving("c2", 2, "player/Ann", "cash", 80)])
        assert store.balance_and_sum("player/Ann") == (420, 420)
        assert store.balance_and_sum("nobody") == (0, 0)
        store.database.execute("UPDATE balances SET balance = 7 WHERE account = 'cash'")
        assert store.balance_and_sum("cash") == (7, -420)

    @pytest.mark.parametrize(
        ("amount", "fits"), [(499, True), (500, True), (501, False)], ids=["below", "at", "above"]
    )
    def test_no_more_can_be_taken_than_is_there(self, store, amount, fits):
        store.append([moving("c1", 1, "cash", "player/Ann", 500)])
        [answer] = store.append([moving("c2", 2, "player/Ann", "table/A/chips/Ann", amount)])
        if fits:
            assert answer is None
        else:
            assert isinstance(answer, Unbalanced)
            assert str(answer) == "command c2 takes 501 from player/Ann, which holds 500"
        assert store.balance("player/Ann") == (500 - amount if fits else 500)

    def test_a_bundle_is_judged_after_those_before_it_in_its_group(self, store):
        answers = store.append(
            [
                moving("c1", 1, "cash", "player/Ann", 100),
                moving("c2", 2, "player/Ann", "player/Bob", 60),
                moving("c3", 1, "player/Ann", "player/Bob", 41, place="B"),
                moving("c4", 3, "player/Ann", "player/Bob", 40),
            ]
        )
        assert [type(answer) for answer in answers] == [
            type(None),
            type(None),
            Unbalanced,
            type(None),
        ]
        assert store.balances() == {"cash": -100, "player/Ann": 0, "player/Bob": 100}
        assert store.streams() == ["A"]

    def test_within_one_command_only_the_end_counts(self, store):
        rows = [row("A", 1, "c1"), row("A", 2, "c1")]
        entries = [
            entry("player/Ann", -50, 1),
            entry("table/A/pot", 50, 1),
            entry("cash", -80, 2),
            entry("player/Ann", 80, 2),
        ]
        assert store.append([bundle("c1", *rows, entries=tuple(entries))]) == [None]
        assert store.balance("player/Ann") == 30

    @pytest.mark.parametrize("account", ["cash", "house/bank", "table/A/bank", "outside/A"])
    def test_some_accounts_may_owe(self, store, account):
        assert store.append([moving("c1", 1, account, "player/Ann", 7)]) == [None]
        assert store.balance(account) == -7

    def test_two_entries_of_one_account_at_one_event_are_summed(self, store):
        entries = (entry("cash", -3), entry("cash", -4), entry("player/Ann", 7))
        assert store.append([one("c1", entries=entries)]) == [None]
        assert [e.amount for e in store.entries_of("cash")] == [-7]

    def test_the_greatest_amount_is_stored_and_one_more_is_not(self, store):
        most = 2**63 - 1
        assert store.append([moving("c1", 1, "cash", "player/Ann", most)]) == [None]
        [answer] = store.append([moving("c2", 2, "cash", "player/Ann", 1)])
        assert isinstance(answer, Unbalanced)
        assert store.balance("player/Ann") == most

    # -- what cannot be stored at all --------------------------------------------------------

    def test_what_no_database_can_hold_is_turned_away_alone(self, store):
        for number, wrong in enumerate(MALFORMED):
            head = store.head("A").position
            before, refused, after = store.append(
                [one(f"b{number}", "A", head + 1), wrong, one(f"a{number}", "A", head + 2)]
            )
            assert (before, after) == (None, None), wrong
            assert isinstance(refused, Malformed), wrong
            assert not store.recall(wrong.command_id)[0]
            assert store.answer_of(wrong.command_id) == []
        assert store.streams() == ["A"]

    # -- secrets, openings, snapshots --------------------------------------------------------

    def test_the_newest_secret_of_a_name_and_kind_is_kept(self, store):
        def secret(kind: str, text: str) -> Secret:
            return Secret(name="Ann", kind=kind, secret=text)

        store.append([one("c1", secrets=[secret("password", "a"), secret("session", "b")])])
        store.append(
            [
                one("c2", "A", 2, secrets=[secret("password", "c")]),
                one("c3", "A", 3, secrets=[secret("password", "d")]),
            ]
        )
        assert store.secret("Ann", "password") == "d"
        assert store.secret("Bob", "password") is None
        assert store.secret("Ann\0", "password") is None
        assert store.secrets() == [secret("password", "d"), secret("session", "b")]

    def test_an_opening_is_stored_once(self, store):
        def opening(shuffle: str, seed: bytes = b"\0\xff", place: str = "A") -> Opening:
            return Opening(shuffle=shuffle, stream=place, seed=seed)

        assert store.append([one("c1", openings=[opening("s1")])]) == [None]
        again, twice, fine = store.append(
            [
                one("c2", "A", 2, openings=[opening("s1", b"other")]),
                one("c3", "A", 2, openings=[opening("s2"), opening("s2")]),
                one("c4", "A", 2, openings=[opening("s3", place="B")]),
            ]
        )
        assert isinstance(again, Conflict)
        assert isinstance(twice, Conflict)
        assert fine is None
        assert store.opening("s1") == opening("s1")
        assert store.opening("s2") is None
        assert store.openings() == [opening("s1"), opening("s3", place="B")]
        assert store.openings("B") == [opening("s3", place="B")]

    def test_the_newest_snapshot_is_kept(self, store):
        assert store.snapshot("A") is None
        for position in (5, 9):
            store.save_snapshot(Snapshot(stream="A", position=position, state=b"\0{}"))
        assert store.snapshot("A") == Snapshot(stream="A", position=9, state=b"\0{}")
        store.save_snapshots(Snapshot(stream=p, position=11, state=b"{}") for p in ("A", "B", "A"))
        assert [store.snapshot(place).position for place in ("A", "B")] == [11, 11]
        store.save_snapshots([])

    def test_snapshots_are_stored_with_their_command(self, store):
        def state(position: int) -> Snapshot:
            return Snapshot(stream="A", position=position, state=b"%d" % position)

        store.append([one("c1", snapshots=[state(1)])])
        group = [
            one("c2", "A", 2, snapshots=[state(2)]),
            one("c3", "A", 3, snapshots=[state(3)]),
            one("c4", "A", 3, snapshots=[state(3)]),
        ]
        assert isinstance(store.append(group)[2], Conflict)
        assert store.snapshot("A") == state(3)
        assert store.database.execute("SELECT count(*) FROM snapshots") == [(1,)]

    # -- schemas -----------------------------------------------------------------------------

    def test_a_database_of_the_first_release_is_brought_up(self, url):
        database = open_database(url)
        number, sql = migrations()[0]
        assert number == 1
        with database.transaction():
            database.script("CREATE TABLE croupier_schema (version BIGINT NOT NULL)")
            database.execute("INSERT INTO croupier_schema (version) VALUES (1)")
            database.script(sql.format(**database.words))
            first = row("A", 1, "c1")
            made = digest(START, first)
            database.execute("INSERT INTO commands VALUES ('c1', 1)")
            database.execute(
                "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                ("A", 1, "c1", "Ann", "player", AT, first.event, made),
            )
            database.execute("INSERT INTO heads VALUES (?, ?, ?)", ("A", 1, made))
        store = Store(database)
        [(version,)] = database.execute("SELECT version FROM croupier_schema")
        assert version == migrations()[-1][0] > 1
        assert store.append([full_bundle("c2", 2)]) == [None]
        assert chain_is_whole(store, "A")
        assert store.recall("c1")[0]
        store.close()

    def test_a_database_of_the_future_is_refused(self, url):
        store = Store(open_database(url))
        store.database.execute("UPDATE croupier_schema SET version = 999")
        with pytest.raises(WrongSchema, match="schema 999, newer than this croupier knows"):
            Store(store.database)
        store.close()

    def test_a_database_that_does_not_say_its_schema_is_refused(self, url):
        store = Store(open_database(url))
        store.database.execute("DELETE FROM croupier_schema")
        with pytest.raises(WrongSchema, match="does not say which schema"):
            Store(store.database)
        store.close()

    @pytest.mark.parametrize("table", ["log", "customers"])
    def test_a_database_of_somebody_else_is_refused_and_left_alone(self, url, table):
        database = open_database(url)
        database.script(f"CREATE TABLE {table} (line TEXT)")
        with pytest.raises(WrongSchema, match=rf"somebody else's \({table}\)"):
            Store(database)
        assert database.tables() == {table}
        database.close()

    def test_many_may_start_on_an_empty_database_at_once(self, url):
        stores: list[Store] = []
        threads = [
            threading.Thread(target=lambda: stores.append(Store(open_database(url))))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(stores) == 4
        assert stores[3].append([one("c1")]) == [None]
        for store in stores:
            store.close()

    # -- when the database fails -------------------------------------------------------------

    def test_whatever_fails_nothing_is_half_stored_and_the_next_group_is(self, store, monkeypatch):
        assert store.append([full_bundle("c1", 1)]) == [None]
        before = everything(store)
        with monkeypatch.context() as patch:
            steps = fail_at(patch, store.database, 10**6, DiskFull("full"))
            fresh(store).append([full_bundle("c2", 2)])
        assert steps[0] == "begin"
        assert steps[-1] == "commit"
        assert len(steps) >= 5
        position = 2
        # Before each step and after each, but not after the last: then it is stored.
        points = [(step, after) for step in range(1, len(steps) + 1) for after in (False, True)]
        for step, after in points[:-1]:
            before = everything(store)
            with monkeypatch.context() as patch:
                fail_at(patch, store.database, step, DiskFull("no room left"), after=after)
                with pytest.raises(DiskFull):
                    fresh(store).append([full_bundle(f"f{step}{after}", position + 1)])
            with suppress(StorageError):
                store.database.roll_back()  # a `begin` that fails after it began
            assert everything(store) == before
            position += 1
            assert fresh(store).append([full_bundle(f"g{step}{after}", position)]) == [None]
        assert chain_is_whole(store, "A")
        assert sum(store.balances().values()) == 0

    def test_a_commit_that_went_through_although_the_connection_was_lost_counts(
        self, store, monkeypatch
    ):
        with monkeypatch.context() as patch:
            steps = fail_at(patch, store.database, 10**6, LostConnection("lost"))
            store.append([full_bundle("c1", 1)])
        with monkeypatch.context() as patch:
            fail_at(patch, store.database, len(steps), LostConnection("lost"), after=True)
            assert store.append([full_bundle("c2", 2)]) == [None]
        assert store.recall("c2")[0]
        assert chain_is_whole(store, "A")

    def test_a_commit_that_was_lost_with_the_connection_never_happened(self, store, monkeypatch):
        assert store.append([full_bundle("c1", 1)]) == [None]
        before = everything(store)

        real, times = store.database.commit, iter([1])

        def lost_once() -> None:
            if next(times, None) is None:
                return real()
            store.database.roll_back()  # as the server does when a connection ends
            raise LostConnection("lost")

        with monkeypatch.context() as patch:
            patch.setattr(store.database, "commit", lost_once)
            with pytest.raises(LostConnection):
                store.append([full_bundle("c2", 2)])
        assert everything(store) == before
        assert store.append([full_bundle("c2", 2)]) == [None]
