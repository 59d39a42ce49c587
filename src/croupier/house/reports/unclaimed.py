"""What tables keep safe for players who walked away, and since when (standard 26).

Read from the ledger, which follows from the logs: an account of its own for each player and table.
"""

from __future__ import annotations

from msgspec import Struct

from croupier.house.errors import CorruptDatabase
from croupier.house.store import Store


class Unclaimed(Struct, frozen=True, kw_only=True):
    """What one table keeps safe for one player. The amount is cents."""

    table: str
    player: str
    amount: int
    since: str
    """When the first of it was put aside."""


def report_unclaimed(store: Store) -> list[Unclaimed]:
    """Everything that is unclaimed, by table and player."""
    found = []
    for account, amount in sorted(store.balances().items()):
        match account.split("/"):
            case ["table", table, "safekeeping", player] if amount:
                since = _since(store, account)
                found.append(Unclaimed(table=table, player=player, amount=amount, since=since))
            case _:
                continue
    return found


def _since(store: Store, account: str) -> str:
    """When the account last began to hold anything."""
    held, began = 0, None
    for entry in store.entries_of(account):
        if not held:
            began = entry
        held += entry.amount
    row = store.row(began.stream, began.position) if began is not None else None
    if row is None:
        raise CorruptDatabase(
            f"{account} holds money that no event put there; `croupier audit verify` says more"
        )
    return row.at
