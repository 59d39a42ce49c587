"""`croupier doctor`: look at an installation, and say what to do."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec
from msgspec import structs


@click.command(epilog="Example: croupier doctor --config casino.toml")
@click.option(
    "--config",
    "config_file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The TOML file of the casino; without it, the demonstration.",
)
@click.option("--database", metavar="URL", help="Another database than the file's.")
@click.option("--json", "as_json", is_flag=True, help="One object of JSON for each finding.")
def doctor(config_file: Path | None, database: str | None, as_json: bool) -> None:
    """Look at an installation and say what to do.

    Permissions, keys, the copy of the log, seals, the clock, descriptors, the proxy, people,
    whether a server would open, the settings of the database and its standby. Nothing is changed.
    The exit status is 0 without a fault, else 1.
    """
    from croupier.live.config import read_config
    from croupier.live.demonstration import demonstration, own_database
    from croupier.live.doctor import examine

    if config_file is not None:
        config = read_config(config_file)
    else:
        config = demonstration()
        database = database or own_database()
    if database is not None:
        config = structs.replace(config, server=structs.replace(config.server, database=database))
    found = examine(config)
    for each in found:
        if as_json:
            click.echo(msgspec.json.encode(each).decode())
        else:
            click.echo(f"{each.level:5}  {each.about}: {each.says}")
            if each.do:
                click.echo(f"       do: {each.do}")
    if any(each.level == "fault" for each in found):
        sys.exit(1)
