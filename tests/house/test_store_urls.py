"""A database is opened by its address; what is none gets a clear error. A file has one owner."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.house.errors import BadUrl, OwnedElsewhere, StorageError
from croupier.house.ownership import FileOwnership, ownership_of
from croupier.house.sqlite import SqliteDatabase
from croupier.house.urls import open_database, shown, sqlite_file

ROOT = Path(__file__).parents[2]


def test_three_slashes_are_a_file_from_here_and_four_from_the_root(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "below").mkdir()
    for url in ("sqlite:///house.db", "sqlite:///below/house.db", f"sqlite:///{tmp_path}/x.db"):
        database = open_database(url)
        assert isinstance(database, SqliteDatabase)
        database.close()
    assert (tmp_path / "house.db").is_file()
    assert (tmp_path / "below" / "house.db").is_file()
    assert (tmp_path / "x.db").is_file()
    assert sqlite_file("sqlite:////var/lib/house.db") == Path("/var/lib/house.db")
    assert sqlite_file("sqlite:///a b%20c.db") == Path("a b%20c.db")


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("house.db", "'house.db' is no database: give sqlite:///FILE or postgresql://"),
        ("", "is no database"),
        ("mysql://host/x", "is no database"),
        ("sqlite://house.db", r"three slashes before the file: sqlite:///house\.db"),
        ("sqlite:house.db", r"three slashes before the file: sqlite:///house\.db"),
        ("sqlite:///", "names no file"),
        ("sqlite:///folder/", "names no file"),
        ("sqlite:///:memory:", "would forget everything"),
        ("sqlite:///house.db?mode=ro", "takes no options"),
    ],
)
def test_what_is_no_address_is_told_with_what_to_give(url, says):
    with pytest.raises(BadUrl, match=says):
        open_database(url)


def test_a_missing_folder_and_a_missing_file_are_named(tmp_path):
    with pytest.raises(StorageError, match=r"there is no folder .*nowhere to keep house\.db in"):
        open_database(f"sqlite:///{tmp_path}/nowhere/house.db")
    with pytest.raises(StorageError, match=r"no database .*house\.db: .*croupier office init"):
        open_database(f"sqlite:///{tmp_path}/house.db", create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(StorageError, match="unable to open"):
        open_database(f"sqlite:///{tmp_path}")


def test_without_the_extra_postgresql_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "croupier.house.postgres", None)
    with pytest.raises(BadUrl, match=r"pip install 'croupier\[postgres\]'"):
        open_database("postgresql://localhost/house")


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("postgresql://ann:geheim@host:5432/house", "postgresql://ann:…@host:5432/house"),
        ("postgresql://ann:ge@heim@host/house", "postgresql://ann:…@host/house"),
        ("postgresql://ann@host/house", "postgresql://ann@host/house"),
        ("postgresql:///house?user=ann&password=geheim", "postgresql:///house?…"),
        ("postgresql:///house?host=/run", "postgresql:///house?host=/run"),
        ("sqlite:///house.db", "sqlite:///house.db"),
        ("postgresql://ann:geheim@[host/house", "postgresql://ann:…@[host/house"),
        ("postgresql://ann:ge/heim@host/house", "postgresql://ann:…@host/house"),
    ],
)
def test_an_address_is_shown_without_its_password(url, safe):
    assert shown(url) == safe


# -- one process at a time writes a file --------------------------------------------------------


def test_a_file_has_one_owner_as_long_as_he_has_a_place(tmp_path):
    database = SqliteDatabase(tmp_path / "house.db")
    ours, theirs = ownership_of(database), ownership_of(database)
    ours.take("A")
    ours.take("B")
    ours.give_up("A")
    says = rf"in use by another croupier \(process {os.getpid()}\); stop that one, use another file"
    with pytest.raises(OwnedElsewhere, match=says):
        theirs.take("C")
    assert ours.check() == []
    ours.give_up("B")
    theirs.take("C")
    with pytest.raises(OwnedElsewhere):
        ours.take("A")
    theirs.close()
    theirs.close()
    ours.take("A")
    ours.close()
    database.close()


HOLDER = """
import sys
from croupier.house.ownership import FileOwnership
FileOwnership(sys.argv[1]).take("A")
print("ready", flush=True)
sys.stdin.read()
"""


def test_a_killed_owner_leaves_the_file_to_the_next(tmp_path):
    file = tmp_path / "house.db"
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    )
    with child:
        assert child.stdout.readline() == b"ready\n"
        ours = FileOwnership(file)
        with pytest.raises(OwnedElsewhere, match=f"process {child.pid}"):
            ours.take("A")
        child.kill()
    ours.take("A")
    ours.close()
