"""A witness: collects the seals of a House, sees that each follows from the one before, keeps them
where the House cannot reach, and signs them back.

He needs no account and nothing of the House but its seals. What he keeps is what makes a seal worth
anything: the House's own key could sign another history, but not into his folder.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from croupier.house.errors import HouseError
from croupier.house.records import written_time
from croupier.house.seals.folder import SealFolder
from croupier.house.seals.keys import SigningKey
from croupier.house.seals.records import (
    BadSeal,
    Followed,
    Forked,
    Seal,
    SignedSeal,
    WitnessMark,
    signed_back,
)

SECONDS = 30
MOST_BYTES = 64 * 2**20
TRIES = 10
TOO_FAST = 429
AT_ONCE = 100
"""Seals that a House hands over with one answer."""


class SealsTold(Struct, kw_only=True):
    """Seals as a House tells them over HTTP."""

    newest: int
    """The number of its newest seal."""
    seals: list[SignedSeal]


class CannotCollect(HouseError):
    """Seals could not be collected, or not be handed back."""


class Source(ABC):
    """Where the seals of a House are collected."""

    @abstractmethod
    def seals(self, after: int) -> Iterator[SignedSeal]:
        """The seals after a number, in their order."""

    @abstractmethod
    def hand_back(self, mark: WitnessMark) -> None:
        """Give the House what was signed back."""


class FolderSource(Source):
    """A folder that the House writes, or that somebody has carried here."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise CannotCollect(f"there is no folder {folder} with seals")
        self._folder = SealFolder(folder)

    def seals(self, after: int) -> Iterator[SignedSeal]:
        return self._folder.seals(after)

    def hand_back(self, mark: WitnessMark) -> None:
        self._folder.keep_mark(mark)


class HttpSource(Source):
    """The address of a House that serves its seals."""

    def __init__(self, address: str) -> None:
        self._address = address.rstrip("/")

    def seals(self, after: int) -> Iterator[SignedSeal]:
        while True:
            told = self._ask(f"/api/seals?after={after}")
            yield from told.seals
            if not told.seals or after + len(told.seals) >= told.newest:
                return
            after += len(told.seals)

    def hand_back(self, mark: WitnessMark) -> None:
        self._open(f"/api/seals/{mark.seal}/witnesses", msgspec.json.encode(mark))

    def _ask(self, path: str) -> SealsTold:
        answer = self._open(path)
        try:
            return msgspec.json.decode(answer, type=SealsTold)
        except msgspec.MsgspecError as error:
            raise CannotCollect(f"{self._address}{path} answers with no seals: {error}") from error

    def _open(self, path: str, body: bytes | None = None) -> bytes:
        # Late: whoever only serves seals, or has them as files, need not load it.
        import urllib.error
        import urllib.request

        headers = {"accept": "application/json", "content-type": "application/json"}
        request = urllib.request.Request(f"{self._address}{path}", data=body, headers=headers)
        for _ in range(TRIES):
            try:
                with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                    told: bytes = answer.read(MOST_BYTES)
                    return told
            except urllib.error.HTTPError as error:
                with error:
                    told = error.read(10_000)
                if error.code != TOO_FAST:
                    says = f"{self._address}{path}: {error.code} {_says(told)}"
                    raise CannotCollect(says) from error
                time.sleep(1)
            except (OSError, ValueError) as error:
                why = getattr(error, "reason", error)
                raise CannotCollect(f"{self._address} cannot be reached: {why}") from error
        raise CannotCollect(f"{self._address} has too much to do; try again later")


def _says(body: bytes) -> str:
    try:
        told: Any = msgspec.json.decode(body)
        return str(told["says"])
    except (msgspec.MsgspecError, KeyError, TypeError):
        return body[:200].decode(errors="replace")


def source_of(told: str) -> Source:
    """The source that somebody names: an address, or a folder."""
    if told.startswith(("http://", "https://")):
        return HttpSource(told)
    return FolderSource(Path(told))


class Collected(Struct, kw_only=True):
    """What a witness has got."""

    new: int = 0
    number: int = 0
    """The newest seal that he keeps."""
    key: str = ""
    """The House's public key by now."""
    first_key: str = ""
    """The key of seal 1, where this is the first time and nobody had said which it is."""
    changed_keys: list[tuple[int, str]] = []
    """Seals that named another key as the one that follows."""
    not_handed_back: str = ""
    """Why the House has not got the signature, if so."""


class Witness:
    """Somebody with a folder and a key of his own."""

    def __init__(
        self, folder: Path, key: SigningKey, name: str, *, house_keys: tuple[str, ...] = ()
    ) -> None:
        self.folder = SealFolder(folder)
        self._key = key
        self._name = name
        self._house_keys = house_keys

    def collect(self, source: Source, now: datetime) -> Collected:
        """Fetch what is new, check it, keep it, and sign the newest back: that vouches for all
        before it.

        A seal that does not follow is not kept and not signed; of a fork both seals are kept.
        """
        followed = Followed(self._house_keys)
        for kept in self.folder.seals():
            followed.take(kept)  # what he has himself must hold too
        found = Collected(number=followed.number)
        first = not followed.number and not self._house_keys
        coming = source.seals(max(followed.number - 1, 0))
        if followed.last is not None:
            self._compare(followed, next(coming, None))
        for seal in coming:
            read = self._take(followed, seal)
            self.folder.keep(read.number, seal)
            found.new += 1
            if read.next_key:
                found.changed_keys.append((read.number, read.next_key))
            if first:
                found.first_key, first = read.key, False
        found.number = followed.number
        if followed.seal is not None and followed.last is not None:
            found.key = followed.seal.next_key or followed.seal.key
            at = written_time(now)
            mark = signed_back(followed.last, followed.number, self._name, at, self._key)
            self.folder.keep_mark(mark)
            try:
                source.hand_back(mark)
            except HouseError as error:
                found.not_handed_back = str(error)
        return found

    def _compare(self, followed: Followed, again: SignedSeal | None) -> None:
        """The newest seal that he keeps is still the House's."""
        assert followed.last is not None
        number = followed.number
        if again is None:
            raise BadSeal(
                f"the House has lost seals: its newest comes before seal {number}, which is kept "
                f"in {self.folder.folder}"
            )
        if again.digest != followed.last.digest:
            if not followed.is_another(number, again):
                raise BadSeal(
                    f"what is told as seal {number} is not the one that is kept in "
                    f"{self.folder.folder}, nor another one that was signed with a key of the "
                    "House's: somebody has changed it. It is not kept"
                )
            file = self.folder.keep_fork(number, again)
            raise Forked(
                f"FORK: the House now tells another seal {number} than the one that is kept in "
                f"{self.folder.folder}; it has told two histories. The other one is kept as {file}"
            )

    def _take(self, followed: Followed, seal: SignedSeal) -> Seal:
        try:
            return followed.take(seal)
        except Forked as error:
            file = self.folder.keep_fork(followed.number + 1, seal)
            raise Forked(f"{error}. It is kept as {file}") from error
