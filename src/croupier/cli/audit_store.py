"""What `croupier audit` and others read: the store of an address or of an export, and a bar while
they read it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from croupier.cli.office_session import told_broken
from croupier.house.audit.export import is_export, read_into
from croupier.house.errors import BrokenLog, WrongSchema
from croupier.house.migrations import can_be_walked
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.urls import open_database

URL_HELP = "sqlite:///FILE, postgresql://USER@HOST/DATABASE, or the file of an export."


@contextmanager
def opened_store(url: str, *, damaged: bool = False) -> Iterator[tuple[Store, bool]]:
    """The store of an address, or of an export; and whether it is an export.

    `damaged`: it may be, and is opened to be walked as it stands.
    """
    file = Path(url)
    if names_a_file(url):
        if not is_export(file):
            raise click.UsageError(f"{url} is no audit export; a database is named sqlite:///{url}")
        with tempfile.TemporaryDirectory(prefix="croupier-audit-") as folder:
            store = read_into(file, SqliteDatabase(Path(folder) / "export.db"))
            try:
                yield store, True
            except BrokenLog as error:
                told_broken(error)
            finally:
                store.close()
        return
    if "://" not in url:
        raise click.UsageError(f"{url!r} is neither a file nor an address. Give {URL_HELP}")
    database = open_database(url, create=False)
    try:
        if not database.tables():  # whoever only reads does not found a House either
            raise WrongSchema(f"{database.name} is empty: no House was ever founded there")
        store = Store(database, migrated=damaged and can_be_walked(database))
    except BaseException:
        database.close()
        raise
    try:
        yield store, False
    except BrokenLog as error:
        told_broken(error)
    finally:
        store.close()


def names_a_file(url: str) -> bool:
    """Whether a file is named and no database: an export then."""
    return "://" not in url and Path(url).exists()


@contextmanager
def progress_shown(what: str, quiet: bool, *, bar: bool = False) -> Iterator[Progress]:
    """A bar or a spinner on standard error; it says `what` until it is told otherwise."""
    columns = [SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()]
    if bar:
        columns.insert(1, BarColumn())
    shown = Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet)
    with shown:
        shown.add_task(what)
        yield shown
