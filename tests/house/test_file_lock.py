"""The lock on a database file goes by the file, whatever it is called."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.house.errors import OwnedElsewhere
from croupier.house.ownership import FileOwnership

TAKES = """
import sys
from croupier.house.ownership import FileOwnership
from croupier.house.errors import OwnedElsewhere
try:
    FileOwnership(sys.argv[1]).take("office")
except OwnedElsewhere as error:
    print(error)
"""


def taken_by_another(file: Path) -> str:
    """What another process is told that wants it."""
    done = subprocess.run(
        [sys.executable, "-c", TAKES, str(file)], capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize("how", ["moved", "hard link", "symbolic link", "the same"])
def test_a_file_under_another_name_is_the_same_file(tmp_path: Path, how: str):
    file, other = tmp_path / "house.db", tmp_path / "elsewhere" / "other.db"
    other.parent.mkdir()
    file.write_bytes(b"")
    own = FileOwnership(file)
    own.take("office")
    match how:
        case "moved":
            file.rename(other)
        case "hard link":
            os.link(file, other)
        case "symbolic link":
            other.symlink_to(file)
        case _:
            other = file
    assert "in use by another croupier" in taken_by_another(other)
    own.close()
    assert taken_by_another(other) == ""


def test_a_file_that_was_put_in_its_place_is_another_one(tmp_path: Path):
    file = tmp_path / "house.db"
    file.write_bytes(b"")
    own = FileOwnership(file)
    own.take("office")
    file.rename(tmp_path / "old.db")
    file.write_bytes(b"")
    assert "in use" in taken_by_another(file), "its lock has the name too"
    own.close()


def test_it_can_be_taken_again_in_the_same_process(tmp_path: Path):
    file = tmp_path / "house.db"
    file.write_bytes(b"")
    for _ in range(3):
        own = FileOwnership(file)
        own.take("office")
        with pytest.raises(OwnedElsewhere):
            FileOwnership(file).take("office")
        own.close()
