"""The entries of the school in the database: kept, in order, and never changed unnoticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.house.audit.school import check_school
from croupier.house.errors import CorruptDatabase
from croupier.house.school import SchoolBook
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from tests.school.entries import some_entries


@pytest.fixture
def store(tmp_path: Path):
    store = Store(SqliteDatabase(tmp_path / "house.db"))
    yield store
    store.close()


def test_entries_come_back_as_they_were_and_each_trainee_has_their_own(store: Store, tmp_path):
    book = SchoolBook(store)
    book.append(some_entries("Ann"))
    book.append(some_entries("Ben", "lesson-2"))
    assert book.of_trainee("Ann") == some_entries("Ann")
    assert book.of_lesson("lesson-2") == some_entries("Ben", "lesson-2")
    assert list(book.everybody()) == [*some_entries("Ann"), *some_entries("Ben", "lesson-2")]
    again = Store(SqliteDatabase(tmp_path / "house.db"))
    try:
        assert SchoolBook(again).of_trainee("Ann") == some_entries("Ann")
    finally:
        again.close()


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        ("UPDATE school SET trainee = 'Ben' WHERE number = 3", "it was changed"),
        ("UPDATE school SET number = 9 WHERE number = 5", "entry 5 is gone"),
        ("DELETE FROM school WHERE number = 2", "entry 2 is gone"),
    ],
)
def test_an_audit_names_what_was_changed_or_taken_out(store: Store, spoil: str, says: str):
    SchoolBook(store).append(some_entries("Ann"))
    assert list(check_school(store)) == []
    store.database.execute(spoil)
    found = list(check_school(store))
    assert found
    assert says in found[0].says


def test_an_entry_that_was_changed_is_not_believed(store: Store):
    book = SchoolBook(store)
    book.append(some_entries("Ann"))
    store.database.execute("UPDATE school SET trainee = 'Ben' WHERE number = 3")
    with pytest.raises(CorruptDatabase, match="entry 3 of the school"):
        book.of_trainee("Ben")
