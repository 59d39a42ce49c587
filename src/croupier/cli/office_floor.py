"""`croupier office table`: what stands on the floor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli.groups import CommandGroup
from croupier.cli.office_new import new_table
from croupier.cli.office_roster import clocks
from croupier.cli.office_servers import move
from croupier.cli.office_session import (
    as_json,
    at,
    because,
    by,
    draw,
    office_session,
    order,
    write_json,
)
from croupier.house.config import adding_table
from croupier.house.office import PlaceRecord
from croupier.house.office import commands as orders
from croupier.house.office.last_rounds import AnnounceLastRound

if TYPE_CHECKING:
    from croupier.house.office_lists import PlaceLine

name_of = click.argument("name")
config_of = click.argument("config", type=click.Path(exists=True, dir_okay=False, path_type=Path))


@click.group(cls=CommandGroup)
def table() -> None:
    """Set up, close, disable and list tables.

    \b
    Example:
      croupier office table list sqlite:///house.db --as Sam
    """


@table.command("add")
@at
@name_of
@config_of
@because
@by
@as_json
def add_table(url: str, name: str, config: Path, reason: str, who: str, as_json: bool) -> None:
    """Set up the table NAME as the file CONFIG has it under [tables]. URL is the database.

    \b
    Example:
      croupier office table add sqlite:///house.db Raffles casino.toml --as Sam
    """
    from croupier.live.config import read_config

    found = read_config(config).tables.get(name)
    if found is None:
        raise click.UsageError(f"{config} has no table {name!r}")
    links = (found.link,) if found.link else ()
    with office_session(url, who, as_json, links, setting_up=True) as here:
        here.give(adding_table(name, found, reason))


table.add_command(new_table)


@table.command("close")
@order
@name_of
def close_table(url: str, name: str, who: str, reason: str, as_json: bool) -> None:
    """Close the table NAME for good: nobody may sit there any more. URL is the database.

    \b
    Example:
      croupier office table close sqlite:///house.db Raffles --as Sam --reason 'moved away'
    """
    with office_session(url, who, as_json) as here:
        here.give(orders.CloseTable(table=name, reason=reason))


@table.command("last-round")
@order
@name_of
def last_round(url: str, name: str, who: str, reason: str, as_json: bool) -> None:
    """Tell players at table NAME that its next round is the last. URL is the database or server.

    One round more is played, and then nothing new begins there until it is enabled again.

    \b
    Example:
      croupier office table last-round http://127.0.0.1:8017 Raffles --as Max --reason 'end of day'
    """
    with office_session(url, who, as_json, (name,)) as here:
        here.give(AnnounceLastRound(table=name, reason=reason))


@table.command("disable")
@order
@name_of
def disable(url: str, name: str, who: str, reason: str, as_json: bool) -> None:
    """No new round at the table or link NAME; one under way is finished. URL is the database.

    \b
    Example:
      croupier office table disable sqlite:///house.db Raffles --as Max --reason 'a torn layout'
    """
    with office_session(url, who, as_json) as here:
        here.give(orders.Disable(place=name, reason=reason))


@table.command("enable")
@order
@name_of
def enable(url: str, name: str, who: str, reason: str, as_json: bool) -> None:
    """New rounds again at the table or link NAME. URL is the database.

    \b
    Example:
      croupier office table enable sqlite:///house.db Raffles --as Sam --reason 'a new layout'
    """
    with office_session(url, who, as_json) as here:
        here.give(orders.Enable(place=name, reason=reason))


@table.command("list")
@at
@by
@as_json
def list_tables(url: str, who: str, as_json: bool) -> None:
    """List the tables with their rulebook, link and area. URL is the database.

    \b
    Example:
      croupier office table list sqlite:///house.db --as Sam
    """
    with office_session(url, who, as_json) as here:
        list_places(here.listed("tables"), "table", as_json)


def list_places(lines: list[PlaceLine], kind: str, as_json: bool) -> None:
    """List the tables, or the links, of the House."""
    if as_json:
        write_json(lines)
        return
    found = {line.name: line.record for line in lines}
    rows = [
        (
            name,
            record.rulebook,
            record.link,
            record.area,
            _status(record),
        )
        for name, record in found.items()
    ]
    draw(f"{kind.capitalize()}s", ("name", "rulebook", "link", "area", "status"), rows, set())


def _status(record: PlaceRecord) -> str:
    if record.closed:
        return "closed"
    return f"disabled: {record.disabled}" if record.disabled else ""


table.add_command(clocks)
table.add_command(move)
