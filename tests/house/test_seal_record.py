"""Seals that hold by themselves, and that the record does not bear out: other keys, earlier times,
witnesses whom nobody knows; what was refused, deleted from its beginning; a school cut off."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from croupier.house.audit import alone, verify
from croupier.house.audit.export import export, read_into
from croupier.house.casino import Casino
from croupier.house.office import commands as orders
from croupier.house.office.record_commands import NoteClockSetBack
from croupier.house.school import SchoolBook
from croupier.house.seals.kept import keep_mark
from croupier.house.seals.keys import SigningKey
from croupier.house.seals.making import seal_now
from croupier.house.seals.records import SignedSeal, signed_back
from croupier.house.sqlite import SqliteDatabase
from tests.house.evening import open_casino
from tests.school.entries import some_entries

KEY, OTHER, THIRD = (SigningKey(bytes([n]) * 32) for n in (1, 2, 3))
BEGUN = datetime(2026, 11, 16, 20, tzinfo=UTC)


@pytest.fixture
def casino(sqlite_url: str):
    made = open_casino(sqlite_url)
    made.hire("Sam", "shift manager", "a long password", who="administrator", reason="opening")
    yield made
    made.close()


def seal(casino: Casino, key: SigningKey = KEY, minutes: int = 0, next_key: str = "") -> SignedSeal:
    casino.open_account(f"Guest {len(casino.office.state.people)}")
    now = BEGUN + timedelta(minutes=minutes)
    made = seal_now(casino.house.store, key, "time", now, next_key=next_key)
    assert made is not None
    return made


def told(casino: Casino) -> list[str]:
    return [str(each) for each in verify(casino.house.store).differences]


def approve(casino: Casino, key: SigningKey) -> None:
    number = casino.office.state.approvals_proposed + 1
    wish = orders.ProposeApproval(what="seal key", digest=key.public, reason="each year")
    assert casino.tell(wish, who="Sam").refused is None
    given = casino.tell(orders.GiveApproval(proposal=number), who="administrator")
    assert given.refused is None


def test_a_key_that_two_people_have_approved_may_follow(casino: Casino):
    seal(casino)
    approve(casino, OTHER)
    seal(casino, minutes=10, next_key=OTHER.public)
    seal(casino, OTHER, minutes=20)
    assert told(casino) == []


def test_a_key_that_nobody_has_approved_is_found(casino: Casino):
    """Whoever has the old key alone names one of his own."""
    seal(casino)
    seal(casino, minutes=10, next_key=OTHER.public)
    seal(casino, OTHER, minutes=20)
    [found] = told(casino)
    assert f"key {OTHER.public} is to follow, and no two people have approved it" in found
    assert "seal 2 of" in found


def test_a_key_that_was_approved_once_and_is_another_by_now_is_found(casino: Casino):
    approve(casino, OTHER)
    approve(casino, THIRD)
    seal(casino, next_key=OTHER.public)
    assert any("no two people have approved it" in each for each in told(casino))


def test_a_seal_before_the_one_before_it_is_found_unless_the_clock_was_set_back(casino: Casino):
    seal(casino, minutes=20)
    seal(casino, minutes=10)
    [found] = told(casino)
    assert "it was made before seal 1 of 2026-11-16T20:20:00Z" in found
    noted = NoteClockSetBack(before=BEGUN + timedelta(minutes=20), now=BEGUN)
    assert casino.tell(noted).refused is None
    assert told(casino) == []


def test_a_witness_whom_no_record_names_vouches_for_nothing(casino: Casino):
    given = seal(casino)
    keep_mark(casino.house.store, signed_back(given, 1, "Ruth", "2026-11-16T21:00:00Z", OTHER))
    found = verify(casino.house.store)
    assert (found.differences, found.sealed.witnessed, found.sealed.strangers) == ([], 0, 1)
    known = orders.ChangeSetting(
        setting="seals.witnesses.Ruth", before="", after=f'"{OTHER.public}"', reason="a witness"
    )
    assert casino.note_settings([known]) is None
    found = verify(casino.house.store)
    assert (found.sealed.witnessed, found.sealed.strangers) == (1, 0)


def test_what_was_refused_is_not_deleted_from_its_beginning(casino: Casino):
    casino.open_account("Ann")
    for _ in range(3):
        assert casino.tell(orders.CashOut(player="Ann", amount=100), who="Ann").refused is not None
    casino.house.writer.refused.write()
    assert told(casino) == []
    casino.house.store.database.execute("DELETE FROM refused WHERE number < 3")
    [found] = told(casino)
    assert "what was refused before it is gone, and there was room for it" in found


@pytest.mark.parametrize("left", [0, 3])
def test_a_tail_that_is_cut_off_the_school_is_found(casino: Casino, left: int):
    SchoolBook(casino.house.store).append(some_entries("Ann"))
    seal(casino)
    assert told(casino) == []
    casino.house.store.database.execute("DELETE FROM school WHERE number > ?", (left,))
    [found] = told(casino)
    assert "entry 5 of the school" in found
    assert "they were cut off" in found


def test_a_school_that_was_written_anew_is_found(casino: Casino):
    book = SchoolBook(casino.house.store)
    book.append(some_entries("Ann"))
    seal(casino)
    casino.house.store.database.execute("DELETE FROM school")
    book.append(some_entries("Eve"))
    [found] = told(casino)
    assert "the entries of the school up to here were changed" in found


def test_what_is_learnt_is_sealed_though_nothing_else_happens(casino: Casino):
    seal(casino)
    store, later = casino.house.store, BEGUN + timedelta(minutes=10)
    assert seal_now(store, KEY, "time", later) is None
    SchoolBook(store).append(some_entries("Ann"))
    made = seal_now(store, KEY, "time", later)
    assert made is not None
    assert made.read().school is not None
    assert seal_now(store, KEY, "time", later) is None


def test_an_export_does_not_hold_the_school_and_is_verified_without_it(
    casino: Casino, tmp_path: Path
):
    SchoolBook(casino.house.store).append(some_entries("Ann"))
    seal(casino)
    export(casino.house.store, tmp_path / "night.jsonl")
    with closing(read_into(tmp_path / "night.jsonl", SqliteDatabase(tmp_path / "read.db"))) as read:
        done = verify(read, exported=True)
    assert (done.difference, done.sealed.seals) == (None, 1)
    told_alone = alone.Night(tmp_path / "night.jsonl")
    told_alone.check_seals(told_alone.kept["seal"], KEY.public)
