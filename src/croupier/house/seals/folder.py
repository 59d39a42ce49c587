"""Seals as files: a folder that can be carried to another machine, or to the regulator.

    seal-00000012.json              the seal, as the House signed it
    seal-00000012.NAME.witness      the same, signed back by a witness
    fork-00000012-<digest>.json     another seal with that number: kept as evidence by a witness

A file is written whole or not at all, and never changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from croupier.house.errors import StorageError
from croupier.house.private import FOLDER, make_private
from croupier.house.seals.records import BadSeal, SignedSeal, WitnessMark

DIGITS = 8
T = TypeVar("T")
MOST_BYTES = 64 * 2**20
"""A file that is longer is no seal: a limit on everything."""


def seals_folder(database: Path) -> Path:
    """Where the seals of a file of SQLite lie, unless somebody says otherwise."""
    return database.with_name(f"{database.name}.seals")


class SealFolder:
    """The seals in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def numbers(self) -> list[int]:
        """Which seals are there, in order."""
        found = self.folder.glob("seal-*.json") if self.folder.is_dir() else ()
        digits = (file.name.removeprefix("seal-").removesuffix(".json") for file in found)
        return sorted(int(each) for each in digits if each.isascii() and each.isdigit())

    def seals(self, after: int = 0) -> Iterator[SignedSeal]:
        """The seals after a number, in their order."""
        for number in self.numbers():
            if number > after:
                yield self.seal(number)

    def seal(self, number: int) -> SignedSeal:
        """One seal; a file that holds another one, or none, is an error."""
        file = self._file(number)
        seal = self._read(file, SignedSeal)
        if seal.read().number != number:
            raise BadSeal(f"{file} holds seal {seal.read().number}")
        return seal

    def has(self, number: int) -> bool:
        """Whether a seal is there."""
        return self._file(number).is_file()

    def marks(self) -> Iterator[WitnessMark]:
        """What witnesses have signed back."""
        for file in sorted(self.folder.glob("seal-*.witness")) if self.folder.is_dir() else ():
            yield self._read(file, WitnessMark)

    def keep(self, number: int, seal: SignedSeal) -> Path:
        """Write a seal."""
        return self._write(self._file(number), seal)

    def keep_mark(self, mark: WitnessMark) -> Path:
        """Write what a witness signs back; once signed it stays as it is."""
        name = mark.witness.replace(" ", "_")
        file = self.folder / f"seal-{mark.seal:0{DIGITS}}.{name}.witness"
        return file if file.exists() else self._write(file, mark)

    def keep_fork(self, number: int, seal: SignedSeal) -> Path:
        """Write a seal that is not the one that is kept here, as evidence."""
        file = self.folder / f"fork-{number:0{DIGITS}}-{seal.digest[:16]}.json"
        return file if file.exists() else self._write(file, seal)

    def _file(self, number: int) -> Path:
        return self.folder / f"seal-{number:0{DIGITS}}.json"

    def _read(self, file: Path, kind: type[T]) -> T:
        try:
            if file.stat().st_size > MOST_BYTES:
                raise BadSeal(f"{file} is too long to be a seal")
            return msgspec.json.decode(file.read_bytes(), type=kind)
        except OSError as error:
            raise StorageError(f"{file} cannot be read: {error.strerror}") from error
        except msgspec.MsgspecError as error:
            raise BadSeal(f"{file} is damaged: {error}") from error

    def _write(self, file: Path, record: SignedSeal | WitnessMark) -> Path:
        beside = file.with_name(f"{file.name}.part-{os.getpid()}")
        try:
            self.folder.mkdir(mode=FOLDER, parents=True, exist_ok=True)
            beside.unlink(missing_ok=True)
            make_private(beside, msgspec.json.encode(record) + b"\n")
            with beside.open("rb") as written:
                os.fsync(written.fileno())
            beside.replace(file)
        except OSError as error:
            raise StorageError(f"{file} cannot be written: {error.strerror}") from error
        return file
