"""`croupier desk`: the ruling desk alone, in the browser."""

from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from croupier import __version__


@click.command(epilog="Example: croupier desk --host 192.168.1.20 --pin 907315 --log desk.sqlite3")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on, such as that of this machine; 0.0.0.0 is all of them.",
)
@click.option(
    "--port",
    default=8018,
    show_default=True,
    type=click.IntRange(0, 65_535),
    help="The port; 0 takes any free one.",
)
@click.option(
    "--log",
    "log_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the log is kept; otherwise in your home folder.",
)
@click.option(
    "--pin",
    default="",
    envvar="CROUPIER_DESK_PIN",
    help="What a browser must give once, at least 6 digits or letters; needed where others can "
    "reach the desk. Other people on "
    "this machine may see a command line: CROUPIER_DESK_PIN in the environment does as well.",
)
@click.option(
    "--approved",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Approved texts (BOOK.txt), shown beside our words.",
)
@click.option("--house", default="", metavar="NAME/AREA", help="What is written on every slip.")
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="A further address of the pages, such as https://desk.example behind a proxy.",
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
def desk(
    host: str,
    port: int,
    log_file: Path | None,
    pin: str,
    approved: Path | None,
    house: str,
    origins: tuple[str, ...],
    no_browser: bool,
) -> None:
    """Open the ruling desk alone in the browser.

    It needs no House and no table: ask the book what is ruled, and it keeps a log of what was
    asked and decided. For a tablet on the floor give --host an address of this machine, and a
    --pin. It runs until you stop it with Ctrl-C.
    """
    from croupier.desk import Desk, DeskLog
    from croupier.desk.approved import NONE_LOADED, load_approved
    from croupier.live.desk_server import DeskAddress, check_address, serve_desk
    from croupier.live.keys import own_folder

    address = DeskAddress(host=host, port=port, pin=pin.strip(), origins=origins)
    check_address(address)
    name, _, area = house.partition("/")
    texts = load_approved(approved) if approved is not None else NONE_LOADED
    out = Console(highlight=False, soft_wrap=True, stderr=True)
    for told in texts.notes:
        out.print(f"[dim]{escape(told)}[/]")
    log = DeskLog(log_file or own_folder("--log FILE") / "desk.sqlite3")
    opened = Desk(log, approved=texts, house=name.strip(), area=area.strip())
    serve_desk(
        opened,
        address,
        announce=lambda found: _show(found, log, bool(address.pin)),
        browser=not no_browser,
    )


def _show(addresses: list[str], log: object, pin: bool) -> None:
    """Say where the desk is."""
    out = Console(highlight=False, soft_wrap=True)
    first, *others = addresses
    out.print(f"[bold]croupier {escape(__version__)}[/]: the ruling desk is at")
    out.print(f"  [bold]{escape(first)}[/]")
    for other in others:
        out.print(f"  {escape(other)}")
    asked = "It asks for the PIN once. " if pin else ""
    out.print(
        f"[dim]{asked}Its log is {escape(str(getattr(log, 'name', '')))}. Ctrl-C stops it.[/]"
    )
