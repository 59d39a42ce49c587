"""Seals in the database, and what witnesses have signed back."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.house.errors import CorruptDatabase
from croupier.house.seals.records import SignedSeal, WitnessMark
from croupier.house.store import Store

READ_AT_ONCE = 500


def stored_seals(store: Store, after: int = 0) -> Iterator[SignedSeal]:
    """The seals after a number, in their order, read by cursor."""
    while True:
        found = _seals(store, "WHERE number > ? ORDER BY number", (after,), READ_AT_ONCE)
        yield from (seal for _, seal in found)
        if len(found) < READ_AT_ONCE:
            return
        after = found[-1][0]


def stored_seal(store: Store, number: int) -> SignedSeal | None:
    """One seal."""
    found = _seals(store, "WHERE number = ?", (number,), 1)
    return found[0][1] if found else None


def newest_seals(store: Store, at_most: int) -> list[SignedSeal]:
    """The newest seals, the newest first."""
    return [seal for _, seal in _seals(store, "ORDER BY number DESC", (), at_most)]


def newest_number(store: Store) -> int:
    """The number of the newest seal; 0 where there is none."""
    [(number,)] = store.database.execute("SELECT COALESCE(MAX(number), 0) FROM seals")
    return int(number)


def stored_numbers(store: Store) -> set[int]:
    """The numbers of all seals."""
    return {number for (number,) in store.database.execute("SELECT number FROM seals")}


def _seals(
    store: Store, where: str, values: tuple[int, ...], at_most: int
) -> list[tuple[int, SignedSeal]]:
    sql = f"SELECT number, body, signature FROM seals {where} LIMIT {at_most}"
    made = []
    for number, body, signature in store.database.execute(sql, values):
        try:
            made.append((number, SignedSeal(body=body.decode(), signature=signature.hex())))
        except (AttributeError, ValueError) as error:
            raise CorruptDatabase(f"seal {number!r} is not stored as a seal is") from error
    return made


def keep_seal(store: Store, number: int, seal: SignedSeal) -> bool:
    """Store the next seal; whether it is still the next: another process may have been quicker."""
    database = store.database
    with database.transaction():
        if newest_number(store) != number - 1:
            return False
        row = (number, seal.body.encode(), bytes.fromhex(seal.signature))
        database.insert("seals", ("number", "body", "signature"), [row])
    return True


EVERY_NUMBER = -(2**63)
"""Below every number that a column can hold, those that no seal has too."""


def marks_of(store: Store, after: int = EVERY_NUMBER) -> list[WitnessMark]:
    """What witnesses have signed back of the seals after a number."""
    found = store.database.execute(
        "SELECT w.number, w.key, w.witness, w.at, w.signature, s.body FROM seal_witnesses w "
        "LEFT JOIN seals s ON s.number = w.number WHERE w.number > ? ORDER BY w.number, w.key",
        (after,),
    )
    made = []
    for number, key, witness, at, signature, body in found:
        seal = SignedSeal(body=bytes(body or b"").decode(errors="replace"), signature="")
        made.append(
            WitnessMark(
                seal=number,
                digest=seal.digest,
                witness=witness,
                at=at,
                key=key,
                signature=bytes(signature).hex(),
            )
        )
    return made


def keep_mark(store: Store, mark: WitnessMark) -> bool:
    """Store what a witness has signed back; whether it is news. It must be of a seal that is here,
    and hold: whoever calls this has asked."""
    database = store.database
    with database.transaction():
        row = (mark.seal, mark.key, mark.witness, mark.at, bytes.fromhex(mark.signature))
        columns = ("number", "key", "witness", "at", "signature")
        return database.insert("seal_witnesses", columns, [row], "ON CONFLICT DO NOTHING") > 0
