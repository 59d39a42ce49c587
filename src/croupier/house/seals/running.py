"""The parts of a seal that run from one to the next: over orders, entries, balances, refusals.

Each digest goes on from that of the seal before, over what has come since, so that a seal costs no
more after a year than on the first day. `LF` ends each line; names are in the order of their code
points.

    orders(k)   = SHA-256( orders(k-1) || for each order that came to nothing, in the order of
                  number and command id: number LF command id LF digest LF )
    entries(k)  = SHA-256( entries(k-1) || for each log by name, and its entries by position and
                  account: place LF position LF account LF amount LF )
    balances(k) = SHA-256( for each account: account LF balance LF )
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from croupier.house.records import Entry
from croupier.house.seals.records import FIRST, Counted, Moved
from croupier.house.store import Store
from croupier.house.store_reader import READ_AT_ONCE

Positions = Mapping[str, int]

NO_ORDERS = Counted(count=0, digest=FIRST)
NO_ENTRIES = Moved(count=0, sum=0, digest=FIRST)
NONE_REFUSED = Counted(count=0, digest=FIRST)


def orders_since(store: Store, before: Counted, after: int, until: int) -> Counted:
    """The orders that came to nothing with numbers from `after` on, below `until`."""
    found = store.database.execute(
        "SELECT number, command_id, digest FROM orders "
        "WHERE number >= ? AND number < ? AND digest IS NOT NULL",
        (after, until),
    )
    found += _archived_to_nothing(store, after, until)
    lines = [f"{number}\n{name}\n{bytes(digest).hex()}\n" for number, name, digest in sorted(found)]
    return Counted(count=before.count + len(lines), digest=_chained(before.digest, lines))


def _archived_to_nothing(store: Store, after: int, until: int) -> list[tuple[int, str, bytes]]:
    """The same in archives."""
    return [
        (values[0], values[1], values[-1])
        for some in store.past.orders(until, after)
        for values in some
        if after <= values[0] < until and values[-1] is not None
    ]


def entries_since(
    store: Store, before: Moved, after: Positions, until: Positions, sums: dict[str, int]
) -> Moved:
    """The entries of all logs from after one position up to another; `sums`, what each account
    holds, goes on with them."""
    total = hashlib.sha256(bytes.fromhex(before.digest))
    count, moved = before.count, before.sum
    for place in sorted(until):
        for entry in _entries(store, place, after.get(place, 0), until[place]):
            account, amount = entry.account, entry.amount
            total.update(f"{place}\n{entry.position}\n{account}\n{amount}\n".encode())
            count += 1
            moved += max(amount, 0)
            sums[account] = sums.get(account, 0) + amount
    return Moved(count=count, sum=moved, digest=total.hexdigest())


def _entries(store: Store, place: str, after: int, until: int) -> Iterator[Entry]:
    """The entries of one log, by position and account."""
    while after < until:
        upto = min(after + READ_AT_ONCE, until)
        yield from store.entries_between(place, after, upto)
        after = upto


def balances_digest(balances: Mapping[str, int]) -> Counted:
    """What every account holds."""
    text = "".join(f"{account}\n{amount}\n" for account, amount in sorted(balances.items()))
    return Counted(count=len(balances), digest=hashlib.sha256(text.encode()).hexdigest())


def newest_refused(store: Store) -> Counted:
    """How far the log of what was refused goes, and the digest of its last."""
    found = store.database.execute(
        "SELECT number, digest FROM refused ORDER BY number DESC LIMIT 1"
    )
    for number, digest in found:
        return Counted(count=number, digest=bytes(digest).hex())
    return NONE_REFUSED


def newest_school(store: Store) -> Counted | None:
    """How far the entries of the school go, and the digest of the last."""
    found = store.database.execute("SELECT number, digest FROM school ORDER BY number DESC LIMIT 1")
    for number, digest in found:
        return Counted(count=number, digest=bytes(digest).hex())
    return None


def _chained(before: str, lines: Iterable[str]) -> str:
    return hashlib.sha256(bytes.fromhex(before) + "".join(lines).encode()).hexdigest()
