"""`croupier office servers` and `croupier office table move`: the servers that share a House."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from croupier.cli.office_session import (
    OfficeSession,
    as_json,
    at,
    by,
    draw,
    in_database,
    order,
    write_json,
)
from croupier.house.office.server_moves import MovePlace
from croupier.house.servers import ServerRecord, Servers
from croupier.house.shared_database import SharedDatabase
from croupier.house.urls import POSTGRES

MOVES_WITHIN = 20.0
"""Seconds within which a table is run by the server that it was moved to."""
ANY = "any"
"""In place of a server: wherever there is room."""


@contextmanager
def _at_servers(url: str, who: str, as_json: bool) -> Iterator[tuple[OfficeSession, Servers]]:
    """The office of a House that several servers share, and their table."""
    if not url.startswith(POSTGRES):
        raise click.UsageError(
            "several servers share a House on PostgreSQL alone; name its database"
        )
    with in_database(url, who, as_json=as_json) as here:
        database = here.casino.house.store.database
        assert isinstance(database, SharedDatabase)
        servers = Servers(database.again(), "")
        try:
            yield here, servers
        finally:
            servers.close()


@click.command("servers")
@at
@by
@as_json
def list_servers(url: str, who: str, as_json: bool) -> None:
    """List the servers that share a House, and what each of them runs. URL is the database.

    \b
    Example:
      croupier office servers postgresql://house@db/house --as Sam
    """
    with _at_servers(url, who, as_json) as (here, servers):
        here.only_staff()
        running = servers.places()
        found = servers.all()
    runs = {
        each.name: sorted(place for place, server in running.items() if server == each.name)
        for each in found
    }
    if as_json:
        write_json([{"server": each, "runs": runs[each.name]} for each in found])
        return
    rows = [
        (each.name, each.address, each.version, each.heard, each.ended, ", ".join(runs[each.name]))
        for each in found
    ]
    draw("Servers", ("name", "address", "version", "last heard", "ended", "runs"), rows, set())


@click.command("move")
@order
@click.argument("name")
@click.argument("server")
def move(url: str, name: str, server: str, who: str, reason: str, as_json: bool) -> None:
    """Have the table or link NAME run by SERVER from now on; `any` leaves it to the servers.

    A round that is under way is saved and goes on there. Who sits at the table is connected again.
    URL is the database.

    \b
    Example:
      croupier office table move postgresql://house@db/house Raffles left --as Sam \\
        --reason 'left has room'
    """
    with _at_servers(url, who, as_json) as (here, servers):
        if server != ANY:
            _check(servers.all(), name, server)
        wanted = "" if server == ANY else server
        here.give(MovePlace(place=name, server=wanted, reason=reason))
        if not as_json:
            click.echo(f"{name} is run by {_moved(servers, name, server)}.")


def _check(found: list[ServerRecord], name: str, server: str) -> None:
    """Whether a server is there that may run a place."""
    living = {each.name: each for each in found if not each.ended and each.connected}
    if server not in living:
        there = ", ".join(living) or "none"
        raise click.ClickException(f"there is no server {server!r}; there is {there}")
    if not living[server].may(name):
        named = ", ".join(living[server].may_run)
        raise click.ClickException(f"{server} may not run {name}: its configuration names {named}")


def _moved(servers: Servers, name: str, server: str) -> str:
    """Wait until a place is where it was moved to; where it is."""
    deadline = time.monotonic() + MOVES_WITHIN
    while time.monotonic() < deadline:
        run_by = servers.places().get(name, "")
        if run_by and server in (run_by, ANY):
            return run_by
        time.sleep(0.1)
    raise click.ClickException(
        f"{server} does not run {name} yet; it is noted that it should, and `croupier office "
        "servers` says where it is"
    )
