"""`croupier hands export`: stored rounds of the House in any of the formats."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path

import click

from croupier.cli.audit_store import opened_store
from croupier.cli.hands import hands
from croupier.formats.errors import FormatError
from croupier.formats.export import FORMATS, Format, export_rounds, formats_for, read_log
from croupier.house.audit.conversations import conversation_of
from croupier.house.store import Store
from croupier.table import AUDITOR, PUBLIC, Table, Viewer, player


@hands.command(
    "export", epilog="Example: croupier hands export sqlite:///house.db Raffles -o night.ohh"
)
@click.argument("url")
@click.argument("table")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(FORMATS)),
    help="The format; by default by the end of the file's name.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The file, or for phh the folder; standard output if not said.",
)
@click.option("--rounds", metavar="A-B", help="Only these rounds, such as 12 or 12-40.")
@click.option(
    "--for",
    "reader",
    metavar="WHO",
    default="auditor",
    show_default=True,
    help="Who reads it: auditor (every card), public, or the name of a player.",
)
@click.option("--room", default="croupier", show_default=True, help="The name of the place.")
@click.option("--currency", default="", help="The currency, such as AUD, for poker formats.")
def export(
    url: str,
    table: str,
    format_name: str | None,
    output: Path | None,
    rounds: str | None,
    reader: str,
    room: str,
    currency: str,
) -> None:
    """Write the finished rounds of a TABLE as hand histories.

    URL is the database of the House, or the file of an export.
    """
    with opened_store(url) as (store, _):
        wanted = _rounds(rounds)
        if not _is_table(store, table):
            known = ", ".join(p for p in store.streams() if _is_table(store, p))
            raise click.UsageError(f"there is no table {table!r}; there is {known or 'none'}")
        book, log = read_log((row.position, row.event) for row in store.rows(table))
        name = format_name or _by_name(output, [kind.name for kind in formats_for(book)])
        left: list[tuple[int, FormatError]] = []
        pieces = export_rounds(
            log,
            book,
            name,
            viewer=_viewer(reader),
            rounds=wanted,
            left_out=lambda number, why: left.append((number, why)),
            room=room,
            currency=currency,
        )
        count = _write(pieces, output, table, FORMATS[name])
    for number, why in left:
        click.echo(f"round {number} is left out: {why}", err=True)
    where = f" in {output}" if output is not None else ""
    what = "round" if count == 1 else "rounds"
    click.echo(f"{count:,} {what} of {table} as {name}{where}", err=True)


def _write(pieces: Iterable[bytes], output: Path | None, table: str, format: Format) -> int:
    """Write the rounds to a file, a folder or standard output; how many there were."""
    count = 0
    if output is not None and not format.joins:
        output.mkdir(parents=True, exist_ok=True)
        for count, piece in enumerate(pieces, start=1):
            (output / f"{table}-{count:06d}{format.suffix}").write_bytes(piece)
        return count
    with nullcontext(sys.stdout.buffer) if output is None else output.open("wb") as stream:
        for piece in pieces:
            stream.write(piece)
            count += 1
    return count


def _is_table(store: Store, place: str) -> bool:
    first = store.row(place, 1)
    return first is not None and isinstance(conversation_of(place, first.event), Table)


def _viewer(reader: str) -> Viewer:
    if reader == "auditor":
        return AUDITOR
    return PUBLIC if reader == "public" else player(reader)


def _rounds(text: str | None) -> range | None:
    if text is None:
        return None
    first, dash, last = text.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()):
        raise click.UsageError(f"--rounds is a number or two, such as 12 or 12-40, not {text!r}")
    end = int(last) if dash else int(first)
    if end < int(first):
        raise click.UsageError(f"--rounds {text}: the last comes before the first")
    return range(int(first), end + 1)


def _by_name(output: Path | None, fitting: list[str]) -> str:
    """The format that the name of a file asks for."""
    if output is not None:
        for name in fitting:
            if output.name.endswith(FORMATS[name].suffix) and FORMATS[name].joins:
                return name
        if output.suffix == "" and "phh" in fitting:
            return "phh"
        raise click.UsageError(
            f"{output.name} names no format of this table; say --format {' or '.join(fitting)}"
        )
    return fitting[0] if len(fitting) == 1 else "phhs"
