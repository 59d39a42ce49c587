"""Whether what is stored is what was sealed: every head, order, entry, balance and refusal, and the
school.

Whoever can write a database can make every digest in it again; he cannot make the seals again that
others keep. The seals of a folder come before those of the database: where the two differ, the
folder's are the ones that the record is held to.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from croupier.house.audit.findings import Difference, contrast, reading
from croupier.house.audit.sealed_record import SealRecord
from croupier.house.errors import StorageError
from croupier.house.office import OFFICE
from croupier.house.refused import AT_MOST, BYTES_AT_MOST
from croupier.house.seals.folder import SealFolder
from croupier.house.seals.kept import marks_of, newest_number, stored_numbers, stored_seal
from croupier.house.seals.records import BadSeal, Followed, Seal
from croupier.house.seals.running import (
    NO_ENTRIES,
    NO_ORDERS,
    balances_digest,
    entries_since,
    orders_since,
)
from croupier.house.store import REFUSED_BYTES, Store


class Sealed(Struct, kw_only=True):
    """What seals there are, and how far they go."""

    seals: int = 0
    witnessed: int = 0
    """The newest that a witness has signed back: he vouches for those before it too."""
    strangers: int = 0
    """Signatures in the database by keys that were never on record as a witness's: they vouch for
    nothing."""
    until: str = ""
    """When the newest was made."""
    events: int = 0
    """Events that are sealed."""
    key: str = ""
    """The public key of the first."""


def check_seals(
    store: Store, folder: Path | None, keys: tuple[str, ...], found: Sealed
) -> Iterator[Difference]:
    """Take the seals of a folder and of the database, and hold the record to each in turn.

    `keys` are the House's public keys, where they are known.
    """
    with reading("seals", "every seal"):
        seals = _Seals(store, folder, keys)
        for seal in seals.follow(found):
            if isinstance(seal, Difference):
                yield seal
            else:
                yield from seals.held.differences(seal)
        yield from _marks(store, seals, found)


class _Seals:
    """The seals of a folder, gone on with by those of the database."""

    def __init__(self, store: Store, folder: Path | None, keys: tuple[str, ...]) -> None:
        self._store = store
        self.folder = SealFolder(folder) if folder is not None else None
        self._followed = Followed(keys)
        self.held = _Held(store)
        self.digests: dict[int, str] = {}

    def follow(self, found: Sealed) -> Iterator[Seal | Difference]:
        """Every seal that follows from the one before; what does not is a difference."""
        store, folder = self._store, self.folder
        outside = set(folder.numbers()) if folder is not None else set()
        if folder is not None and not outside:
            yield Difference(
                table="seals", where=str(folder.folder), says="there are no seals in this folder"
            )
        newest = newest_number(store)
        lacked = False
        for expected, number in enumerate(sorted(outside | stored_numbers(store)), start=1):
            if number != expected:
                yield _missing(expected)
                return
            kept = stored_seal(store, number)
            try:
                given = folder.seal(number) if folder and number in outside else kept
                assert given is not None
                seal = self._followed.take(given)
            except (BadSeal, StorageError) as error:
                yield Difference(table="seals", where=f"seal {number}", says=str(error))
                return
            self.digests[number] = given.digest
            found.seals, found.until, found.events = number, seal.at, seal.events
            found.key = found.key or seal.key
            yield seal
            if kept is None and not lacked:
                lacked = True
                yield _lacks(number, newest)
            elif folder is not None and kept is not None and kept != given:
                forked = kept.digest != given.digest and self._followed.is_another(number, kept)
                yield _another(number, folder.folder, forked=forked)


def _missing(number: int) -> Difference:
    says = "the seal is missing, and later ones are there"
    return Difference(table="seals", where=f"seal {number}", says=says)


def _lacks(number: int, newest: int) -> Difference:
    says = f"it was sealed, and the database ends at seal {newest}: its tail was cut off"
    return Difference(table="seals", where=f"seal {number}", says=says)


def _another(number: int, folder: Path, *, forked: bool) -> Difference:
    """Only what the House has signed too shows that it has told two histories."""
    says = f"the database has another seal of this number than {folder}"
    says += ": FORK" if forked else ", none that the House has signed as such: it was changed"
    return Difference(table="seals", where=f"seal {number}", says=says)


class _Held:
    """Holds the record to one seal after another."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._before: dict[str, int] = {}
        """How far each log was sealed by the seals so far, as far as they hold."""
        self._fell: set[str] = set()
        """Logs that do not hold: each is named once."""
        self._events = 0
        self._orders, self._entries = NO_ORDERS, NO_ENTRIES
        self._sums: dict[str, int] = {}
        self.record = SealRecord(store)
        self._last: Seal | None = None
        self._ledger_fell = self._refused_fell = self._house_told = False
        self._school_fell = False

    def differences(self, seal: Seal) -> Iterator[Difference]:
        """What is not as this seal has it."""
        yield from self._house(seal)
        office = seal.heads.get(OFFICE, (self._before.get(OFFICE, 0), ""))[0]
        yield from self.record.wrong_with(seal, self._last, office)
        self._last = seal
        yield from self._heads(seal)
        if (
            not self._fell and not self._ledger_fell
        ):  # what hangs on a log that was changed is changed with it
            yield from self._parts(seal)
        self._before |= {place: position for place, (position, _) in seal.heads.items()}
        self._events = seal.events
        yield from self._refused(seal)
        yield from self._school(seal)

    def _house(self, seal: Seal) -> Iterator[Difference]:
        founded = self._store.row(OFFICE, 1)
        found = founded.digest.hex() if founded is not None else ""
        if found != seal.house and not self._house_told:
            self._house_told = True
            says = "it is of another House: its founding is not the one that is stored"
            both = contrast(found, seal.house)
            yield Difference(table="seals", where=_name(seal), column="house", **both, says=says)

    def _heads(self, seal: Seal) -> Iterator[Difference]:
        for place, (position, digest) in seal.heads.items():
            if place in self._fell:
                continue
            found = (self._store.digest_at(place, position) or b"").hex()
            if found == digest:
                continue
            self._fell.add(place)
            since = self._before.get(place, 0) + 1
            says = f"this sealed head does not hold: events {since} to {position} were changed"
            if not found:
                says = f"this sealed head is not there: the log of {place} was cut off"
            yield Difference(
                table="seals",
                where=f"{_name(seal)}, {place} at {position}",
                column="heads",
                **contrast(found, digest),
                says=says,
            )

    def _parts(self, seal: Seal) -> Iterator[Difference]:
        """Orders that came to nothing, entries and balances; after one that does not hold, what
        runs on from it is no news."""
        store = self._store
        until = {place: position for place, (position, _) in seal.heads.items()}
        grown = {place: n for place, n in until.items() if n != self._before.get(place)}
        self._orders = orders_since(store, self._orders, self._events, seal.events)
        self._entries = entries_since(store, self._entries, self._before, grown, self._sums)
        balances = balances_digest(self._sums)
        pairs = (
            ("orders", self._orders, seal.orders, "an order that came to nothing"),
            ("entries", self._entries, seal.entries, "an entry of the ledger"),
            ("balances", balances, seal.balances, "what an account held then"),
        )
        for column, found, expected, what in pairs:
            if found != expected:
                self._ledger_fell = True
                says = f"{what} was changed, added or taken away since the seal before"
                where = f"{_name(seal)}, events {self._events + 1} to {seal.events} of all"
                both = contrast(found, expected)
                yield Difference(table="seals", where=where, column=column, **both, says=says)

    def _refused(self, seal: Seal) -> Iterator[Difference]:
        number, digest = seal.refused.count, seal.refused.digest
        if not number or self._refused_fell:
            return
        execute = self._store.database.execute
        rows = execute("SELECT digest FROM refused WHERE number = ?", (number,))
        if rows and bytes(rows[0][0]).hex() == digest:
            return
        if not rows and was_dropped(self._store, number):
            return
        self._refused_fell = True
        found = bytes(rows[0][0]).hex() if rows else ""
        says = "what was refused up to here was changed" if rows else "what was refused is gone"
        where = f"{_name(seal)}, refused order {number}"
        both = contrast(found, digest)
        yield Difference(table="seals", where=where, column="refused", **both, says=says)

    def _school(self, seal: Seal) -> Iterator[Difference]:
        """The entries of the school, which an export does not hold."""
        if seal.school is None or self._school_fell or self._store.exported:
            return
        number, digest = seal.school.count, seal.school.digest
        execute = self._store.database.execute
        rows = execute("SELECT digest FROM school WHERE number = ?", (number,))
        found = bytes(rows[0][0]).hex() if rows else ""
        if found == digest:
            return
        self._school_fell = True
        says = "the entries of the school up to here were changed"
        if not rows:
            says = "this entry of the school was sealed and is gone: they were cut off"
        where = f"{_name(seal)}, entry {number} of the school"
        both = contrast(found, digest)
        yield Difference(table="seals", where=where, column="school", **both, says=says)


def was_dropped(store: Store, number: int) -> bool:
    """Whether there was no room any more for an order that was refused: only then it may be
    gone."""
    columns = "SELECT number, written, LENGTH(command) + LENGTH(says) FROM refused ORDER BY"
    oldest = store.database.execute(f"{columns} number LIMIT 1")
    newest = store.database.execute(f"{columns} number DESC LIMIT 1")
    if not oldest or oldest[0][0] <= number:
        return False
    [(_, written, size)], [(_, all_written, _)] = oldest, newest
    if written - size - REFUSED_BYTES <= all_written - BYTES_AT_MOST:
        return True
    [(count,)] = store.database.execute("SELECT COUNT(*) FROM refused")
    return bool(count >= AT_MOST)


def _name(seal: Seal) -> str:
    return f"seal {seal.number} of {seal.at}"


def _marks(store: Store, seals: _Seals, found: Sealed) -> Iterator[Difference]:
    """What witnesses have signed back is of these seals, and signed."""
    stored = marks_of(store)
    brought = list(seals.folder.marks()) if seals.folder is not None else []
    known = seals.held.record.witnesses | {(mark.witness, mark.key) for mark in brought}
    for mark in (*stored, *brought):
        where = f"seal {mark.seal}, signed back by {mark.witness}"
        if not mark.holds():
            says = "the witness's signature does not hold: it was changed, or is of another seal"
            yield Difference(table="seal_witnesses", where=where, column="signature", says=says)
        elif seals.digests.get(mark.seal, mark.digest) != mark.digest:
            says = "the witness has signed another seal of this number: FORK"
            yield Difference(table="seal_witnesses", where=where, column="number", says=says)
        elif (mark.witness, mark.key) not in known:
            found.strangers += 1
        else:
            found.witnessed = max(found.witnessed, mark.seal)
