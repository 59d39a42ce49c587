"""`croupier serve`: open the casino on this machine, in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
from msgspec import structs
from rich.console import Console
from rich.markup import escape

from croupier import __version__
from croupier.house.urls import shown

if TYPE_CHECKING:
    from croupier.live.config import ServersConfig


@click.command(epilog="Example: croupier serve --port 8080 --no-browser")
@click.option(
    "--config",
    "config_file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A TOML file for real operation; without it, the demonstration.",
)
@click.option(
    "--database",
    metavar="URL",
    help="sqlite:///FILE or postgresql://…; the demonstration keeps its own in your home folder.",
)
@click.option("--port", type=click.IntRange(0, 65_535), help="The port; 0 takes any free one.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option("--no-bots", is_flag=True, help="Leave every seat of the demonstration empty.")
@click.option("--name", help="What this server is called among several on one PostgreSQL database.")
@click.option(
    "--tables",
    metavar="PATTERN",
    multiple=True,
    help="Tables that this server may run, such as 'Marina-*'; all unless it says so. Repeatable.",
)
@click.option(
    "--loop",
    type=click.Choice(["auto", "asyncio", "uvloop"]),
    help="The event loop: uvloop where it is installed (auto), or one of them.",
)
@click.option("--quiet", is_flag=True, help="No log on standard error.")
def serve(
    config_file: Path | None,
    database: str | None,
    port: int | None,
    no_browser: bool,
    no_bots: bool,
    name: str | None,
    tables: tuple[str, ...],
    loop: str | None,
    quiet: bool,
) -> None:
    """Open the casino in the browser.

    It runs until you stop it with Ctrl-C. Without --config it is the demonstration: eight tables of
    the five games with play money, for this machine alone. A stop saves every round; the next
    start goes on where it stood.
    """
    from croupier.live import logs
    from croupier.live.bots.runner import seat_bots
    from croupier.live.config import read_config
    from croupier.live.demonstration import demonstration, own_database
    from croupier.live.server import serve as run

    if config_file is not None:
        config = read_config(config_file)
    else:
        config = demonstration()
        database = database or own_database()
    changed = {"database": database, "port": port, "loop": loop}
    server = structs.replace(
        config.server, **{name: value for name, value in changed.items() if value is not None}
    )
    config = structs.replace(config, server=server, servers=_among(config.servers, name, tables))
    if no_bots:
        without = {place: structs.replace(t, bots=0) for place, t in config.tables.items()}
        config = structs.replace(config, tables=without)
    if not quiet and config.server.log == "json":
        logs.set_up()

    def announce(addresses: list[str]) -> None:
        show_addresses(addresses, config.server.database)

    run(config, announce=announce, browser=not no_browser, joined=seat_bots)


def _among(servers: ServersConfig, name: str | None, tables: tuple[str, ...]) -> ServersConfig:
    """This server among several, with what the command line says of it."""
    from croupier.live.config import ServersConfig

    told = structs.asdict(servers) | ({"name": name} if name else {})
    try:
        return msgspec.convert(told | ({"tables": tables} if tables else {}), ServersConfig)
    except msgspec.ValidationError as error:
        raise click.BadParameter(
            f"{name!r}: take up to 40 letters, digits, dots and hyphens", param_hint="--name"
        ) from error


def show_addresses(addresses: list[str], database: str) -> None:
    """Say where the casino is, and where it is kept."""
    out = Console(highlight=False, soft_wrap=True)
    lobby, *tables = addresses
    out.print(f"[bold]croupier {escape(__version__)}[/] is open at [bold]{escape(lobby)}[/]")
    for table in tables:
        out.print(f"  {escape(table)}")
    out.print(
        f"It is kept in {escape(shown(database))}, for `croupier audit`, `office` and `lab actual`."
    )
    out.print("[dim]Ctrl-C stops it; every round is saved.[/]")
