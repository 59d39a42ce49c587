"""The log and the ledger in a database: appended in groups, read by cursor, never changed.

One writer appends many bundles in one transaction, so that many tables share one sync. Each bundle
says how far its logs went when its command was answered; a bundle that comes too late is turned
away alone, the others are stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files

from croupier.house.chain import START, digest
from croupier.house.database import Database
from croupier.house.errors import Conflict, HouseError, Unbalanced, WrongSchema
from croupier.house.records import Bundle, Entry, Head, Row, Snapshot

READ_AT_ONCE = 2_000


class Store:
    """The House's memory."""

    def __init__(self, database: Database) -> None:
        self.database = database
        migrate(database)

    # -- appending ---------------------------------------------------------------------------

    def append(self, bundles: Sequence[Bundle]) -> list[HouseError | None]:
        """Store bundles in one transaction; for each, None or why it was turned away."""
        with self.database.transaction():
            places = sorted({place for bundle in bundles for place in bundle.expected})
            heads = {place: self.head(place) for place in places}
            taken: list[Bundle] = []
            answers: list[HouseError | None] = []
            for bundle in bundles:
                problem = self._problem(bundle, heads)
                answers.append(problem)
                if problem is None:
                    _link(bundle, heads)
                    taken.append(bundle)
            if taken:
                self._write(taken, heads)
        return answers

    def _problem(self, bundle: Bundle, heads: dict[str, Head]) -> HouseError | None:
        for place, expected in bundle.expected.items():
            found = heads[place].position
            if found != expected:
                return Conflict(f"{place} is at event {found}, not at {expected}")
        if self.remembers(bundle.command_id):
            return Conflict(f"command {bundle.command_id} is stored already")
        if sum(entry.amount for entry in bundle.entries) != 0:
            return Unbalanced(f"the entries of command {bundle.command_id} do not balance")
        return None

    def _write(self, bundles: list[Bundle], heads: dict[str, Head]) -> None:
        database = self.database
        grown = {row.place for bundle in bundles for row in bundle.rows}
        database.execute_many(
            "INSERT INTO commands (command_id, events) VALUES (?, ?)",
            [(bundle.command_id, len(bundle.rows)) for bundle in bundles],
        )
        database.execute_many(
            "INSERT INTO log (place, position, command_id, who, rank, at, event, digest) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (r.place, r.position, r.command_id, r.who, r.rank, r.at, r.event, r.digest)
                for bundle in bundles
                for r in bundle.rows
            ],
        )
        database.execute_many(
            "INSERT INTO heads (place, position, digest) VALUES (?, ?, ?) ON CONFLICT (place) "
            "DO UPDATE SET position = excluded.position, digest = excluded.digest",
            [(heads[p].place, heads[p].position, heads[p].digest) for p in sorted(grown)],
        )
        entries = [entry for bundle in bundles for entry in bundle.entries]
        if entries:
            self._post(entries)

    def _post(self, entries: list[Entry]) -> None:
        self.database.execute_many(
            "INSERT INTO entries (place, position, account, amount) VALUES (?, ?, ?, ?)",
            [(e.place, e.position, e.account, e.amount) for e in entries],
        )
        moved: dict[str, int] = {}
        for entry in entries:
            moved[entry.account] = moved.get(entry.account, 0) + entry.amount
        self.database.execute_many(
            "INSERT INTO balances (account, balance) VALUES (?, ?) ON CONFLICT (account) "
            "DO UPDATE SET balance = balances.balance + excluded.balance",
            sorted(moved.items()),
        )

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep a state to start from; older ones of the same place are let go."""
        with self.database.transaction():
            self.database.execute("DELETE FROM snapshots WHERE place = ?", (snapshot.place,))
            self.database.execute(
                "INSERT INTO snapshots (place, position, state) VALUES (?, ?, ?)",
                (snapshot.place, snapshot.position, snapshot.state),
            )

    # -- reading -----------------------------------------------------------------------------

    def head(self, place: str) -> Head:
        """How far the log of a place goes."""
        rows = self.database.execute("SELECT position, digest FROM heads WHERE place = ?", (place,))
        position, last = rows[0] if rows else (0, START)
        return Head(place=place, position=position, digest=bytes(last))

    def places(self) -> list[str]:
        """Every place that has a log."""
        return [
            place for (place,) in self.database.execute("SELECT place FROM heads ORDER BY place")
        ]

    def rows(self, place: str, after: int = 0) -> Iterator[Row]:
        """The log of a place from a position on, read by cursor."""
        while True:
            found = self.database.execute(
                "SELECT place, position, command_id, who, rank, at, event, digest FROM log "
                "WHERE place = ? AND position > ? ORDER BY position LIMIT ?",
                (place, after, READ_AT_ONCE),
            )
            for row in found:
                yield _row(row)
            if len(found) < READ_AT_ONCE:
                return
            after = found[-1][1]

    def remembers(self, command_id: str) -> bool:
        """Whether a command of this id was carried out."""
        found = "SELECT 1 FROM commands WHERE command_id = ?"
        return bool(self.database.execute(found, (command_id,)))

    def answer_of(self, command_id: str) -> list[Row]:
        """What a command caused, in the order of its places and positions."""
        found = self.database.execute(
            "SELECT place, position, command_id, who, rank, at, event, digest FROM log "
            "WHERE command_id = ? ORDER BY place, position",
            (command_id,),
        )
        return [_row(row) for row in found]

    def snapshot(self, place: str) -> Snapshot | None:
        """The newest snapshot of a place."""
        found = self.database.execute(
            "SELECT place, position, state FROM snapshots WHERE place = ? "
            "ORDER BY position DESC LIMIT 1",
            (place,),
        )
        if not found:
            return None
        name, position, state = found[0]
        return Snapshot(place=name, position=position, state=bytes(state))

    def balances(self) -> dict[str, int]:
        """Every account with its balance."""
        found = self.database.execute("SELECT account, balance FROM balances ORDER BY account")
        return dict(found)

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()


def _row(values: tuple[object, ...]) -> Row:
    place, position, command_id, who, rank, at, event, last = values
    return Row(
        place=str(place),
        position=int(position),  # type: ignore[call-overload]
        command_id=str(command_id),
        who=str(who),
        rank=str(rank),
        at=str(at),
        event=bytes(event),  # type: ignore[call-overload]
        digest=bytes(last),  # type: ignore[call-overload]
    )


def _link(bundle: Bundle, heads: dict[str, Head]) -> None:
    """Chain the rows of a bundle to the heads of their logs and move the heads on."""
    for i, row in enumerate(bundle.rows):
        head = heads[row.place]
        made = digest(head.digest, row)
        bundle.rows[i] = Row(
            place=row.place,
            position=row.position,
            command_id=row.command_id,
            who=row.who,
            rank=row.rank,
            at=row.at,
            event=row.event,
            digest=made,
        )
        heads[row.place] = Head(place=row.place, position=row.position, digest=made)


# -- numbered migrations ------------------------------------------------------------------------


def migrations() -> list[tuple[int, str]]:
    """The numbered SQL files of the package, in order."""
    folder = files("croupier.house") / "sql"
    found = [(file.name, file.read_text(encoding="utf-8")) for file in folder.iterdir()]
    return sorted((int(name[:4]), sql) for name, sql in found if name.endswith(".sql"))


def migrate(database: Database) -> None:
    """Bring a database to the newest schema; one of the future, or of others, is refused."""
    with database.transaction():
        if not database.has_table("croupier_schema"):
            if database.has_table("log"):
                raise WrongSchema("this database has tables of somebody else's; give another one")
            database.script("CREATE TABLE croupier_schema (version BIGINT NOT NULL)")
            database.execute("INSERT INTO croupier_schema (version) VALUES (0)")
        [(version,)] = database.execute("SELECT version FROM croupier_schema")
        known = migrations()
        newest = known[-1][0]
        if version > newest:
            raise WrongSchema(
                f"this database has schema {version}, newer than this croupier knows ({newest}); "
                f"use the newer croupier"
            )
        for number, sql in known:
            if number > version:
                database.script(sql.format(**database.words))
        database.execute("UPDATE croupier_schema SET version = ?", (newest,))
