"""The address of a database, and what it opens.

sqlite:///house.db                 a file, from the folder where croupier was started
sqlite:////var/lib/house.db        a file, by its whole path
postgresql://user@host/database    a PostgreSQL server (needs the extra `postgres`)
"""

from __future__ import annotations

import os
from pathlib import Path

from croupier.house.database import Database
from croupier.house.errors import BadUrl
from croupier.house.sqlite import SqliteDatabase

SQLITE = "sqlite:///"
POSTGRES = ("postgresql://", "postgres://")


def open_database(url: str, *, create: bool = True) -> Database:
    """Open the database of this address.

    A file that is not there yet is made, unless `create` is false; a server's database must exist.
    """
    if url.startswith(SQLITE):
        return SqliteDatabase(sqlite_file(url), create=create)
    if url.startswith(POSTGRES):
        try:
            from croupier.house.postgres import PostgresDatabase
        except ModuleNotFoundError as error:
            raise BadUrl(
                "PostgreSQL needs a package more: python3 -m pip install 'croupier[postgres]'"
            ) from error
        return PostgresDatabase(url)
    hint = ""
    if url.startswith("sqlite:"):
        hint = f" (three slashes before the file: {SQLITE}{url.removeprefix('sqlite:').strip('/')})"
    raise BadUrl(
        f"{shown(url)!r} is no database: give sqlite:///FILE or "
        f"postgresql://USER@HOST/DATABASE{hint}"
    )


def sqlite_file(url: str) -> Path:
    """The file that an address of SQLite names, taken as it is written."""
    file = url.removeprefix(SQLITE)
    if not file or file.endswith("/"):
        raise BadUrl(f"{url!r} names no file: give for example sqlite:///house.db")
    if file == ":memory:":
        raise BadUrl("a House in memory would forget everything: give a file, sqlite:///house.db")
    if "?" in file or "\0" in file:
        raise BadUrl(
            f"{url!r}: an address of SQLite takes no options, and '?' is in no file's name"
        )
    return Path(file)


def copy_folder(url: str) -> Path | None:
    """Where the copy of the log lies unless somebody says otherwise: where CROUPIER_COPY says, or
    beside the file of SQLite.

    A server's machine is elsewhere: there the folder must be named.
    """
    named = os.environ.get("CROUPIER_COPY")
    if named:
        return Path(named)
    if not url.startswith(SQLITE):
        return None
    file = sqlite_file(url)
    return file.with_name(f"{file.name}.copy")


def archive_folder(url: str) -> Path | None:
    """Where archives lie unless the database has another folder on record: where CROUPIER_ARCHIVE
    says, or beside the file of SQLite."""
    named = os.environ.get("CROUPIER_ARCHIVE")
    if named:
        return Path(named)
    if not url.startswith(SQLITE):
        return None
    file = sqlite_file(url)
    return file.with_name(f"{file.name}.archive")


def shown(url: str) -> str:
    """An address as it may be shown: without its password."""
    scheme, mark, rest = url.partition("://")
    if not mark or scheme == "sqlite":
        return url
    before, question, options = rest.partition("?")
    person, at, place = before.rpartition("@")
    user, colon, _ = person.partition(":")
    if "pass" in options:  # password=, sslpassword=, passfile=
        question, options = "?", "…"
    return f"{scheme}://{user}{':…' if colon else ''}{at}{place}{question}{options}"
