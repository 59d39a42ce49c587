"""`croupier audit dispute`: open, list, show and settle disputes; the sealed file, the notice."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from croupier.cli.audit_record import Asked, print_document
from croupier.cli.audit_store import opened_store
from croupier.cli.groups import CommandGroup
from croupier.cli.office_server import logged_in
from croupier.cli.office_session import (
    OfficeSession,
    as_json,
    by,
    draw,
    in_database,
    write_json,
)
from croupier.house.answers import Answer
from croupier.house.disputes.about import find, read_about
from croupier.house.disputes.file import check_dispute_file, read_dispute_file, sealed
from croupier.house.disputes.gathering import gather
from croupier.house.disputes.notice import notice_page
from croupier.house.disputes.page import file_document
from croupier.house.disputes.papers import (
    dispute_of,
    file_name,
    make_papers,
    notice_name,
    open_dispute,
)
from croupier.house.disputes.settings import settings_on_record
from croupier.house.errors import StorageError
from croupier.house.names import visible
from croupier.house.office.disputes import SettleDispute
from croupier.house.office.state import Dispute, OfficeState
from croupier.house.openings import UnknownRound
from croupier.house.private import make_private
from croupier.house.queries.people import office_of
from croupier.house.serving import server_of
from croupier.house.store import Store
from croupier.table import Refused

about_argument = click.argument("about", metavar="ABOUT")
number_argument = click.argument("number", type=click.IntRange(min=1))
folder_option = click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    show_default="the current one",
    help="Where the file and the notice are written.",
)


@click.group(cls=CommandGroup)
def dispute() -> None:
    """Open, show and settle disputes: the sealed file, and the patron's notice.

    What is in dispute is not put away until it is settled. While a server runs on a file of SQLite,
    its address (http://…) stands in the place of the database.

    \b
    Example:
      croupier audit dispute open sqlite:///house.db 'Raffles#12' --patron Ann \\
        --claim 'I had raised before the flop' --as Sam
    """


@dispute.command("open")
@click.argument("url")
@about_argument
@click.option("--patron", default="", help="Who disputes it; nobody: the House wants it looked at.")
@click.option("--claim", required=True, help="What the patron says; it is recorded.")
@click.option(
    "--days",
    type=click.IntRange(1, 3_650),
    help="How long there is to take it further; what the House's settings say if not said.",
)
@folder_option
@by
@as_json
def open_command(
    url: str,
    about: str,
    patron: str,
    claim: str,
    days: int | None,
    folder: Path,
    who: str,
    as_json: bool,
) -> None:
    """Open a dispute of a round or ruling, and write its sealed file and the patron's notice.

    URL is the database, or the address of a running server. ABOUT is TABLE#ROUND for a round, or
    PLACE@EVENT for a ruling by its event in the log. It takes a pit supervisor or above.

    \b
    Example:
      croupier audit dispute open sqlite:///house.db 'Raffles#12' --patron Ann \\
        --claim 'I had raised before the flop' --as Sam
    """
    read_about(about)
    address = server_of(url)
    if address is not None:
        with logged_in(address, who) as server:
            body = {"about": about, "patron": patron, "claim": claim, "days": days}
            opened = server.ask("/api/disputes", body)
            number = int(opened["dispute"])
            files = [
                (file_name(number), server.fetch(f"/api/disputes/{number}/file", made=True)),
                (notice_name(number), server.fetch(f"/disputes/{number}/notice?whole=1")),
            ]
            _written(folder, files)
        _tell_opened(number, [folder / name for name, _ in files], as_json)
        return
    with in_database(url, who, as_json) as here:
        made = open_dispute(here.casino, about, who=who, claim=claim, patron=patron, days=days)
        if isinstance(made, Refused):
            here.show(Answer(command_id="", refused=made))
            return
        number = made
        try:
            paths = _filed(here, number, folder)
        except UnknownRound as error:
            paths = []
            click.echo(f"{error}. When it is: croupier audit dispute file", err=True)
        _tell_opened(number, paths, as_json)


def _filed(here: OfficeSession, number: int, folder: Path) -> list[Path]:
    """Make the sealed file of a dispute, put its digest on record, and write both papers."""
    made = make_papers(here.casino, number, here.who)
    return _written(folder, [(file_name(number), made.file), (notice_name(number), made.notice)])


def _tell_opened(number: int, paths: list[Path], as_json: bool) -> None:
    if as_json:
        write_json({"dispute": number, "files": [str(path) for path in paths]})
        return
    click.echo(f"Dispute {number} is open; nothing of it is put away until it is settled.")
    for path in paths:
        click.echo(f"  {path}")


def _written(folder: Path, files: list[tuple[str, bytes]]) -> list[Path]:
    """Files for their owner alone; one that is there is not written over."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files:
            make_private(folder / name, content)
    except FileExistsError as error:
        raise StorageError(f"{error.filename} is there already; name another --folder") from error
    except OSError as error:
        raise StorageError(f"{folder} cannot be written: {error}") from error
    return [folder / name for name, _ in files]


@dispute.command("list")
@click.argument("url")
@click.option("--open", "only_open", is_flag=True, help="Only those that are not settled.")
@as_json
def list_command(url: str, only_open: bool, as_json: bool) -> None:
    """List the disputes, and what each came to. URL is the database, or the file of an export.

    \b
    Example:
      croupier audit dispute list sqlite:///house.db --open
    """
    with opened_store(url) as (store, _):
        state = office_of(store)
    found = {n: d for n, d in state.disputes.items() if not only_open or d.settled is None}
    if as_json:
        write_json([{"dispute": n, "about": d.about, **_plain(d)} for n, d in found.items()])
        return
    rows = [
        (
            *(str(number), each.about, each.patron, f"{each.at:%Y-%m-%d %H:%M}"),
            *(f"{each.deadline:%Y-%m-%d}", each.claim, _outcome(each)),
        )
        for number, each in found.items()
    ]
    columns = ("number", "about", "patron", "opened", "deadline", "claim", "settled")
    if rows:
        draw("Disputes", columns, rows, {"number"})
    else:
        click.echo("No dispute is open." if only_open else "There was no dispute yet.")


def _plain(found: Dispute) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(found)
    return plain


def _outcome(found: Dispute) -> str:
    settled = found.settled
    if settled is None:
        return "open"
    who = ", ".join(filter(None, (settled.inspector, settled.inspector_rank))) or "agreed"
    return f"{settled.outcome} (for {settled.in_favour_of}; {who})"


@dispute.command("show")
@click.argument("url")
@number_argument
@click.option("--csv", "form", flag_value="csv", help="Write CSV; amounts are cents.")
@click.option("--json", "form", flag_value="json", help="Write JSON; amounts are cents.")
@click.option("--page", "form", flag_value="page", help="Write a page (HTML) to print.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="The file to write it to."
)
def show_command(url: str, number: int, form: str | None, out: Path | None) -> None:
    """Show everything about dispute NUMBER: for staff and inspectors, with every card of the round.

    URL is the database, or the file of an export.

    \b
    Example:
      croupier audit dispute show sqlite:///house.db 7 --page --out dispute.html
    """
    with _reading(url) as (store, state):
        found, settings = dispute_of(state, number), settings_on_record(state)
        about = find(store, read_about(found.about))
        gathered = gather(store, about, state=state, number=number, zone=settings.clock)
    zone: Any = settings.clock
    asked = Asked(since=None, until=None, zone=zone, form=form or "table", out=out)
    print_document(file_document(gathered.content, settings, found.sha256), asked)


@dispute.command("file")
@click.argument("url")
@click.argument("which", metavar="WHICH")
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write; one that is there is not written over.",
)
@click.option("--as", "who", metavar="NAME", help="Put its digest on record, in this name.")
def file_command(url: str, which: str, out: Path, who: str | None) -> None:
    """Write the sealed file of a dispute, or of any round or ruling.

    URL is the database, or the file of an export. WHICH is the number of a dispute, TABLE#ROUND for
    a round, or PLACE@EVENT for a ruling. With --as the digest of a dispute's file is put on record.

    \b
    Example:
      croupier audit dispute file sqlite:///house.db 'Raffles#12' --out raffles-12.json
    """
    number = int(which) if which.isdecimal() else None
    if who is not None:
        if number is None:
            raise click.UsageError("--as is for the file of a dispute: name it by its number")
        with in_database(url, who, False) as here:
            made = make_papers(here.casino, number, who)
        _written(out.parent, [(out.name, made.file)])
        click.echo(f"{out}: {len(made.file):,} bytes, sha256 {made.sha256}, on record")
        return
    with _reading(url) as (store, state):
        about = read_about(dispute_of(state, number).about if number is not None else which)
        zone = settings_on_record(state).clock
        found = find(store, about)
        gathered = gather(store, found, state=state, number=number, zone=zone)
    file, sha256 = sealed(gathered.content)
    _written(out.parent, [(out.name, file)])
    click.echo(f"{out}: {len(file):,} bytes, sha256 {sha256}")


@dispute.command("notice")
@click.argument("url")
@number_argument
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The page to write; one that is there is not written over.",
)
def notice_command(url: str, number: int, out: Path) -> None:
    """Write the patron's notice of dispute NUMBER, a page to print.

    It has no card that the patron may not see. URL is the database, or the file of an export.

    \b
    Example:
      croupier audit dispute notice sqlite:///house.db 7 --out notice.html
    """
    with _reading(url) as (store, state):
        found, settings = dispute_of(state, number), settings_on_record(state)
        about = find(store, read_about(found.about))
        gathered = gather(store, about, state=state, number=number, zone=settings.clock)
    page = notice_page(number, found, gathered, settings)
    _written(out.parent, [(out.name, page.encode())])
    click.echo(f"{out} is written.")


@dispute.command("settle")
@click.argument("url")
@number_argument
@click.option("--outcome", required=True, help="What was decided, and what was put right.")
@click.option(
    "--for",
    "in_favour_of",
    type=click.Choice(["patron", "house", "neither"]),
    required=True,
    help="In whose favour.",
)
@click.option("--inspector", default="", metavar="NAME", help="The inspector who decided it.")
@click.option("--rank", default="", help="The rank or office of the inspector.")
@by
@as_json
def settle_command(
    url: str,
    number: int,
    outcome: str,
    in_favour_of: str,
    inspector: str,
    rank: str,
    who: str,
    as_json: bool,
) -> None:
    """Record what dispute NUMBER came to: as it was agreed, or as an inspector decided it.

    URL is the database, or the address of a running server. What an inspector has decided stands.
    It takes a pit manager or above.

    \b
    Example:
      croupier audit dispute settle sqlite:///house.db 7 --outcome 'the bet of 60 is paid' \\
        --for patron --inspector 'Lim Wei' --rank 'Senior Inspector' --as Sam
    """
    command = SettleDispute(
        dispute=number,
        outcome=outcome,
        in_favour_of=in_favour_of,  # type: ignore[arg-type]
        inspector=inspector,
        inspector_rank=rank,
    )
    address = server_of(url)
    if address is not None:
        with logged_in(address, who) as server:
            body = {k: v for k, v in msgspec.to_builtins(command).items() if k != "do"}
            body.pop("dispute")
            said = server.ask(f"/api/disputes/{number}/settle", body)
        if as_json:
            write_json(said)
        else:
            click.echo(f"Dispute {number} is settled: {visible(outcome)}.")
        return
    with in_database(url, who, as_json) as here:
        here.give(command)


@dispute.command("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--against", metavar="URL", help="Hold it to this database or export, too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check_command(file: Path, against: str | None, as_json: bool) -> None:
    """Check a dispute FILE: its digest, its chain, its orders and sums.

    The exit status is 1 if it was changed.

    \b
    Example:
      croupier audit dispute check dispute-7.json --against sqlite:///house.db
    """
    read = read_dispute_file(file.read_bytes(), str(file))
    if against is None:
        wrong = check_dispute_file(read)
    else:
        with opened_store(against) as (store, _):
            wrong = check_dispute_file(read, store)
    if as_json:
        write_json({"sha256": read.sha256, "wrong": wrong})
    elif not wrong:
        how = "and is what the log has" if against else "as it was written"
        click.echo(f"{file} is whole {how}. sha256 {read.sha256}")
    for each in wrong if not as_json else []:
        click.echo(visible(each), err=True)
    if wrong:
        sys.exit(1)


@contextmanager
def _reading(url: str) -> Iterator[tuple[Store, OfficeState]]:
    with opened_store(url) as (opened, _), opened.as_it_stands() as store:
        yield store, office_of(store)
