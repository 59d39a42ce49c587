"""The numbered SQL files of the package, and how a database is brought to the newest of them."""

from __future__ import annotations

import functools
from importlib.resources import files

from croupier.house.database import Database
from croupier.house.errors import WrongSchema

VERSIONS = "croupier_schema"
"""The table with one row: the number of the last file that was carried out."""


@functools.cache
def migrations() -> tuple[tuple[int, str], ...]:
    """The numbered SQL files of the package, in order; read once."""
    folder = files("croupier.house") / "sql"
    found = [(file.name, file.read_text(encoding="utf-8")) for file in folder.iterdir()]
    return tuple(sorted((int(name[:4]), sql) for name, sql in found if name.endswith(".sql")))


def migrate(database: Database) -> None:
    """Bring a database to the newest schema; one of the future, or of others, is refused.

    A database that is there already is not written: whoever only reads needs no right to write.
    """
    known = migrations()
    newest = known[-1][0]
    if _version(database, newest) == newest:
        return
    with database.transaction():
        version = _version(database, newest)  # another process may have been quicker
        if version is None:
            create(database)
            return
        _check_alone(database, newest)
        for number, sql in known:
            if number > version:
                database.script(sql.format(**database.words))
        database.execute(f"UPDATE {VERSIONS} SET version = ?", (newest,))


def _check_alone(database: Database, newest: int) -> None:
    """No schema is changed under a server that knows the older one alone."""
    beside = database.servers_beside()
    if beside:
        raise WrongSchema(
            f"{database.name} is in use by {', '.join(beside)}, and this croupier would bring it "
            f"to schema {newest}, which they do not know; stop them first, then start this one"
        )


def create(database: Database) -> None:
    """Make all tables in an empty database, inside the open transaction."""
    database.script(f"CREATE TABLE {VERSIONS} (version BIGINT NOT NULL)")
    known = migrations()
    for _, sql in known:
        database.script(sql.format(**database.words))
    database.execute(f"INSERT INTO {VERSIONS} (version) VALUES (?)", (known[-1][0],))


def _version(database: Database, newest: int) -> int | None:
    """The schema that a database has, None if it is empty."""
    tables = database.tables()
    if VERSIONS not in tables:
        if tables:
            raise WrongSchema(
                f"{database.name} has tables of somebody else's ({', '.join(sorted(tables)[:5])}); "
                f"give croupier a database of its own"
            )
        return None
    found = database.execute(f"SELECT version FROM {VERSIONS}")
    if len(found) != 1 or not isinstance(found[0][0], int):
        raise WrongSchema(f"{database.name} does not say which schema it has: {found}")
    version = found[0][0]
    if version > newest:
        raise WrongSchema(
            f"{database.name} has schema {version}, newer than this croupier knows ({newest}); "
            f"use the newer croupier"
        )
    return version


def can_be_walked(database: Database) -> bool:
    """Whether an audit may walk a database as it stands, without bringing it to the newest schema.

    It must be croupier's, and of neither a newer nor an older one; whatever else is wrong with it,
    the audit names.
    """
    tables = database.tables()
    if VERSIONS not in tables:
        return {"log", "heads"} <= tables
    if "commands" in tables and "orders" not in tables:
        return False  # of an older release: it is brought up first
    found = database.execute(f"SELECT version FROM {VERSIONS}")
    newest = migrations()[-1][0]
    return not any(isinstance(version, int) and version > newest for (version,) in found)
