"""A player's statement: his account line by line, and what he did with his money at each table.

What was brought forward and all amounts of the lines give what is carried forward; what he brought
to the tables and won, less what he lost and took away, is what lies there for him.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct

from croupier.house.ledger import player_account
from croupier.house.queries.account import (
    AccountLine,
    Moved,
    Telling,
    account_lines,
    moved_in_log,
)
from croupier.house.queries.people import office_of, person_named
from croupier.house.queries.walk import Progress, quiet
from croupier.house.store import Store


class TableLine(Struct, kw_only=True):
    """One table: what he brought, staked, got and took away. Amounts are cents."""

    table: str
    rounds: int = 0
    """In which he had a stake."""
    brought_forward: int = 0
    """His chips there before."""
    buy_in: int = 0
    wagered: int = 0
    won: int = 0
    """What came back from pots and bets, stakes included."""
    cash_out: int = 0
    chips: int = 0
    """What he has there at the end."""
    unclaimed: int = 0
    """What the table keeps safe for him now."""

    @property
    def net(self) -> int:
        """What he won there, or lost if negative."""
        return self.won - self.wagered


class RoundLine(Struct, kw_only=True):
    """One round in which he had a stake. Amounts are cents."""

    at: str
    table: str
    round: int
    wagered: int = 0
    won: int = 0
    net: int = 0


class Statement(Struct, frozen=True, kw_only=True):
    """A statement; its lines are read as they are asked for, once."""

    player: str
    since: datetime | None
    until: datetime | None
    tables: list[TableLine]
    lines: Iterator[AccountLine]

    @property
    def net(self) -> int:
        """What he won at all tables, or lost if negative."""
        return sum(table.net for table in self.tables)


def make_statement(
    store: Store,
    player: str,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    progress: Progress = quiet,
) -> Statement:
    """The statement of a player."""
    person_named(office_of(store), player, "player")
    tables = [
        _table(store, table, player, since, until, progress) for table in tables_of(store, player)
    ]
    lines = account_lines(
        store, player_account(player), since=since, until=until, progress=progress
    )
    return Statement(
        player=player,
        since=since,
        until=until,
        tables=[each for each in tables if _has_anything(each)],
        lines=lines,
    )


def round_lines(
    store: Store,
    player: str,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    progress: Progress = quiet,
) -> Iterator[RoundLine]:
    """Every round of a player, table by table."""
    for table in tables_of(store, player):
        last: RoundLine | None = None
        for moved, number, gained, _ in _play(store, table, player, progress):
            if _is_outside(moved, since, until) or not gained:
                continue
            if last is None or last.round != number:
                if last is not None:
                    yield last
                last = RoundLine(at=moved.at, table=table, round=number)
            if gained < 0:
                last.wagered -= gained
            else:
                last.won += gained
            last.net = last.won - last.wagered
        if last is not None:
            yield last


def _table(
    store: Store,
    table: str,
    player: str,
    since: datetime | None,
    until: datetime | None,
    progress: Progress,
) -> TableLine:
    line = TableLine(table=table)
    rounds = 0
    for moved, number, gained, crossed in _play(store, table, player, progress):
        if until is not None and moved.when >= until:
            break
        if since is not None and moved.when < since:
            line.brought_forward += gained + crossed
            continue
        if gained and number != rounds:
            line.rounds += 1
            rounds = number
        if gained < 0:
            line.wagered -= gained
        else:
            line.won += gained
        if crossed > 0:
            line.buy_in += crossed
        else:
            line.cash_out -= crossed
    line.chips = line.brought_forward + line.buy_in + line.won - line.wagered - line.cash_out
    line.unclaimed = store.balance(f"table/{table}/safekeeping/{player}")
    return line


def _play(
    store: Store, table: str, player: str, progress: Progress
) -> Iterator[tuple[Moved, int, int, int]]:
    """Every movement of a player's money at a table: in which round, what his chips gained by play,
    and what crossed from his account to them, or back (negative)."""
    tell = Telling(store)
    chips = moved_in_log(store, f"table/{table}/chips/{player}", table)
    account = moved_in_log(store, player_account(player), table)
    one, other = next(chips, None), next(account, None)
    read = 0
    while one is not None or other is not None:
        positions = [each.position for each in (one, other) if each is not None]
        position = min(positions)
        held = crossed = 0
        moved = None
        if one is not None and one.position == position:
            moved, held, one = one, one.amount, next(chips, None)
        if other is not None and other.position == position:
            # What left his account came to the table.
            moved, crossed, other = moved or other, -other.amount, next(account, None)
        assert moved is not None
        read += 1
        progress(read)
        yield moved, tell.round(table, position) or 0, held - crossed, crossed


def tables_of(store: Store, player: str) -> list[str]:
    """The tables at which a player ever had chips, or money kept safe."""
    escaped = player.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    found = store.database.execute(
        "SELECT account FROM balances WHERE account LIKE ? ESCAPE ? ORDER BY account",
        (f"table/%/{escaped}", "\\"),
    )
    tables = {account.split("/")[1] for (account,) in found if account.endswith(f"/{player}")}
    return sorted(tables)


def _is_outside(moved: Moved, since: datetime | None, until: datetime | None) -> bool:
    return (since is not None and moved.when < since) or (until is not None and moved.when >= until)


def _has_anything(line: TableLine) -> bool:
    return any(getattr(line, field) for field in line.__struct_fields__ if field != "table")
