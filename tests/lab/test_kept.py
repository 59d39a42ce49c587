"""What is kept on disk is read again, and never believed when anything about it is wrong."""

import numpy as np
import pytest

from croupier.lab import kept as module
from croupier.lab.kept import forget_kept, kept


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


def made(times=1):
    made.calls += 1
    return np.arange(6, dtype=np.int64).reshape(2, 3) * times


@pytest.fixture(autouse=True)
def _count():
    made.calls = 0


def test_it_is_made_once(folder):
    first, second = kept("a b", (2, 3), made), kept("a b", (2, 3), made)
    assert (first == second).all()
    assert made.calls == 1
    assert len(list(folder.iterdir())) == 1
    forget_kept()
    kept("a b", (2, 3), made)
    assert made.calls == 2


def test_a_change_of_the_code_makes_it_anew(monkeypatch):
    kept("x", (2, 3), made)
    monkeypatch.setattr(module, "_code", lambda: 1)
    kept("x", (2, 3), made)
    assert made.calls == 2


@pytest.mark.parametrize("spoil", ["cut", "numbers", "shape", "empty"])
def test_a_damaged_file_is_not_believed(folder, spoil):
    kept("x", (2, 3), made)
    [path] = folder.iterdir()
    with path.open("rb") as file, np.load(file) as held:
        numbers, stamp = held["numbers"].copy(), held["stamp"].copy()
    if spoil == "cut":
        path.write_bytes(path.read_bytes()[:100])
    elif spoil == "empty":
        path.write_bytes(b"")
    else:
        numbers = numbers + 1 if spoil == "numbers" else numbers.reshape(3, 2)
        with path.open("wb") as file:
            np.savez(file, numbers=numbers, stamp=stamp)
    found = kept("x", (2, 3), made)
    assert (found == made()).all()
    assert made.calls == 3


def test_where_nothing_can_be_written_nothing_is_kept(monkeypatch, tmp_path):
    file = tmp_path / "file"
    file.write_text("no folder")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(file))
    assert (kept("x", (2, 3), made) == made()).all()
