"""`croupier office servers` and `croupier office table move`: the servers that share a House."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from croupier.cli.office_session import as_json, at, by, draw, in_database, write_json
from croupier.house.servers import ServerRecord, Servers
from croupier.house.urls import POSTGRES

MOVES_WITHIN = 20.0
"""Seconds within which a table is run by the server that it was moved to."""
ANY = "any"
"""In place of a server: wherever there is room."""
MAY = ("administrator", "shift manager", "pit manager")


@contextmanager
def _servers(url: str, who: str) -> Iterator[tuple[Servers, set[str]]]:
    """The servers of a House, for those who may move its tables; with the tables there are."""
    if not url.startswith(POSTGRES):
        raise click.UsageError(
            "several servers share a House on PostgreSQL alone; name its database"
        )
    with in_database(url, who, as_json=False) as here:
        state = here.casino.office.state
        if state.people[who].role not in MAY:
            raise click.ClickException(
                f"{who} may not move tables between servers; that is for {', '.join(MAY)}"
            )
        servers = Servers(here.casino.house.store.database.again(), "")
        try:
            yield servers, {name for name, at in state.places.items() if not at.closed}
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
    with _servers(url, who) as (servers, _):
        running = servers.places()
        found = servers.all()
    runs = {
        each.name: sorted(p for p, (server, _) in running.items() if server == each.name)
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
@at
@click.argument("name")
@click.argument("server")
@by
@as_json
def move(url: str, name: str, server: str, who: str, as_json: bool) -> None:
    """Have the table or link NAME run by SERVER from now on; `any` leaves it to the servers.

    A round that is under way is saved and goes on there. Who sits at the table is connected again.
    URL is the database.

    \b
    Example:
      croupier office table move postgresql://house@db/house Raffles left --as Sam
    """
    with _servers(url, who) as (servers, places):
        if name not in places:
            there = ", ".join(sorted(places)) or "none"
            raise click.ClickException(f"there is no table or link {name!r}; there is {there}")
        if server != ANY:
            _check(servers.all(), name, server)
        servers.want(name, "" if server == ANY else server)
        run_by = _moved(servers, name, server)
    if as_json:
        write_json({"place": name, "server": run_by, "wanted": "" if server == ANY else server})
        return
    click.echo(f"{name} is run by {run_by}.")


def _check(found: list[ServerRecord], name: str, server: str) -> None:
    """Whether a server is there that may run a place."""
    from croupier.live.cluster.spread import Candidate

    living = {each.name: each for each in found if not each.ended and each.connected}
    if server not in living:
        there = ", ".join(living) or "none"
        raise click.ClickException(f"there is no server {server!r}; there is {there}")
    may_run = living[server].may_run
    if not Candidate(name=server, may_run=may_run).may(name):
        raise click.ClickException(
            f"{server} may not run {name}: its configuration names {', '.join(may_run)}"
        )


def _moved(servers: Servers, name: str, server: str) -> str:
    """Wait until a place is where it was moved to; where it is."""
    deadline = time.monotonic() + MOVES_WITHIN
    while time.monotonic() < deadline:
        run_by = servers.places()[name][0]
        if run_by and server in (run_by, ANY):
            return run_by
        time.sleep(0.1)
    raise click.ClickException(
        f"{server} does not run {name} yet; it is noted that it should, and `croupier office "
        "servers` says where it is"
    )
