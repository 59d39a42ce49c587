"""Debian's PostgreSQL server, for what the one in the wheel has not: amcheck; and its files."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
PAGE = 8192


class Server:
    """A server of its own, which can be stopped while somebody damages its files."""

    def __init__(self, *, checksums: bool) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-debian-"))
        self.data = self.folder / "data"
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        sums = ["--data-checksums"] if checksums else []
        self._run("initdb", "-D", str(self.data), "-U", "postgres", "-A", "trust", "-N", *sums)
        self.start()

    def _run(self, program: str, *words: str) -> None:
        command = [str(PROGRAMS[-1] / program), *words]
        if os.geteuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, check=False)
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        how = f"-k {self.folder} -c listen_addresses= -c fsync=off -c autovacuum=off"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.data), "-w", "-l", log, "-o", how, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.data), "-w", "-m", "fast", "stop")

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}"


class Item(NamedTuple):
    """A stored row, or an entry of an index: where its bytes lie in the file."""

    start: int
    end: int


def rows(data: bytes, *, header: bool) -> Iterator[Item]:
    """The rows in the file of a table; with what PostgreSQL writes before each, or without."""
    for page, offset, length in _items(data):
        at = page + offset
        before = 0 if header else data[at + 22]
        yield Item(at + before, at + length)


def entries(data: bytes) -> Iterator[Item]:
    """The entries on the leaves of a B-tree; the first of a page that has one to its right is none,
    but says where that one begins."""
    for page, items in _pages(data):
        special = page + int.from_bytes(data[page + 16 : page + 18], "little")
        right = int.from_bytes(data[special + 4 : special + 8], "little")
        leaf = data[special + 12] & 1
        if page and leaf:
            for _, offset, length in items[1 if right else 0 :]:
                yield Item(page + offset, page + offset + length)


def _items(data: bytes) -> Iterator[tuple[int, int, int]]:
    for _, items in _pages(data):
        yield from items


def _pages(data: bytes) -> Iterator[tuple[int, list[tuple[int, int, int]]]]:
    for page in range(0, len(data), PAGE):
        lower = int.from_bytes(data[page + 12 : page + 14], "little")
        items = []
        for at in range(page + 24, page + lower, 4):
            word = int.from_bytes(data[at : at + 4], "little")
            offset, used, length = word & 0x7FFF, word >> 15 & 3, word >> 17
            if used == 1 and length:
                items.append((page, offset, length))
        yield page, items
