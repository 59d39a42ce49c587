"""No account of a player is ever overdrawn, in the one order of all logs (standard 27).

Guards of the House see to it before a table hears a command, and the store once more. Neither is
asked again when a night is decided again: whoever put a deposit behind what was staked of it would
else leave no trace, for in the end every balance is right.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from croupier.house.audit.findings import Difference, reading
from croupier.house.store import Store
from croupier.table.money import write_money

PLAYERS = "player/"
OVERDRAWN = (
    "SELECT place, position, account, held FROM (SELECT e.place, e.position, e.account, "
    "COALESCE(o.number, -1) AS number, CAST(COALESCE(c.amount, 0) + SUM(e.amount) OVER "
    "(PARTITION BY e.account ORDER BY COALESCE(o.number, -1)) AS BIGINT) AS held "
    "FROM entries e JOIN log l ON l.place = e.place AND l.position = e.position "
    "JOIN orders o ON o.command_id = l.command_id LEFT JOIN carried c ON c.account = e.account "
    f"WHERE e.account LIKE '{PLAYERS}%') AS t WHERE held < 0 AND number >= 0 "
    "ORDER BY number, account"
)
"""What each account holds after each command: what one command moves counts together. What was
stored before orders were has no order over all logs, and is not judged. What lies at a table or
link is never negative: the engine asserts it after every event."""


def check_overdrawn(store: Store) -> Iterator[Difference]:
    """The first command after which an account held less than nothing, of each account."""
    told: set[str] = set()
    with reading("entries", "every account"):
        found = [*_archived(store), *store.database.execute(OVERDRAWN)]
    for place, position, account, held in found:
        if account in told:
            continue
        told.add(account)
        where = f"{place} at {position}, {account}"
        says = f"the account is overdrawn: it would hold {write_money(held)} after this"
        yield Difference(table="entries", where=where, column="amount", says=says)


def _archived(store: Store) -> Iterator[tuple[str, int, str, int]]:
    """The same of what lies in archives."""
    held: dict[str, int] = {}
    for number, moves in groupby(store.past.moves(), key=lambda move: move[0]):
        last = {}
        for _, place, position, account, amount in moves:
            if account.startswith(PLAYERS):
                held[account] = held.get(account, 0) + amount
                last[account] = place, position
        for account, (place, position) in last.items():
            if held[account] < 0 <= number:
                yield place, position, account, held[account]
