"""`croupier lab raked`: who paid the Rake of real hand histories."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from croupier.formats.errors import FormatError
from croupier.formats.hand import Hand
from croupier.formats.rake_paid import RakePaid
from croupier.formats.reading import hands_in, read_any
from croupier.formats.sources import Opener, find_sources

SHOWN = 50


@click.command(epilog="Example: croupier lab raked hands/2024 --json")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--top",
    type=click.IntRange(1),
    default=SHOWN,
    show_default=True,
    help="Seats to list, by what they paid.",
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON, every seat.")
def raked(paths: tuple[Path, ...], top: int, as_json: bool) -> None:
    """The Rake that each seat paid in the hand histories of PATHS: files, archives or folders.

    Paid: out of what it won. Contributed: by what it put into the pots. Hands whose record does not
    say what was won, or misses more than a room keeps, are counted, not guessed at.
    """
    total, unreadable = RakePaid(), 0
    for found in _hands(paths):
        if found is None:
            unreadable += 1
        else:
            total.add(found)
    if not total.hands and not total.without_result:
        raise click.UsageError(f"There is no hand to read in {', '.join(map(str, paths))}.")
    from croupier.lab.answer_types import stamped

    answer = stamped("raked", _answer(total, unreadable))
    if as_json:
        click.echo(json.dumps(answer, indent=2, ensure_ascii=False))
        return
    _show(answer, top)


def _hands(paths: tuple[Path, ...]) -> Iterator[Hand | None]:
    """Every hand; None for one that cannot be read or is another game."""
    opener = Opener()
    try:
        for source in find_sources(paths):
            if isinstance(source, FormatError):
                yield None
                continue
            try:
                with opener.open(source) as opened:
                    for raw in hands_in(opened, str(source)):
                        try:
                            yield read_any(raw)
                        except FormatError:
                            yield None
            except FormatError:
                yield None
    finally:
        opener.close()


def _answer(total: RakePaid, unreadable: int) -> dict[str, Any]:
    seats = sorted(total.seats.values(), key=lambda seat: (-seat.paid, seat.name))
    return {
        "hands": total.hands,
        "raked_hands": total.raked,
        "without_result": total.without_result,
        "unreadable": unreadable,
        "rake": total.rake / 100,
        "seats": [
            {
                "seat": seat.name,
                "hands": seat.hands,
                "put_in": seat.put_in / 100,
                "won": seat.won / 100,
                "paid": float(seat.paid / 100),
                "contributed": float(seat.contributed / 100),
                "paid_per_hundred_hands": float(seat.paid / seat.hands),
                "big_blinds_per_hundred_hands": float(100 * seat.big_blinds / seat.hands),
            }
            for seat in seats
        ],
    }


def _show(answer: dict[str, Any], top: int) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    heads = ("Seat", "Hands", "Put in", "Won", "Rake paid", "contributed", "a 100 hands", "in BB")
    for place, heading in enumerate(heads):
        table.add_column(heading, justify="right" if place else "left", overflow="fold")
    for seat in answer["seats"][:top]:
        table.add_row(
            seat["seat"],
            f"{seat['hands']:,}",
            f"{seat['put_in']:,.2f}",
            f"{seat['won']:,.2f}",
            f"{seat['paid']:,.2f}",
            f"{seat['contributed']:,.2f}",
            f"{seat['paid_per_hundred_hands']:,.2f}",
            f"{seat['big_blinds_per_hundred_hands']:,.2f}",
        )
    console.print(table)
    more = len(answer["seats"]) - top
    if more > 0:
        console.print(f"… and {more:,} seats more: --top or --json shows them.")
    console.print(
        f"{answer['hands']:,} hands, {answer['raked_hands']:,} with a Rake of "
        f"{answer['rake']:,.2f} in all; {answer['without_result']:,} without a result that adds "
        f"up, {answer['unreadable']:,} that cannot be read."
    )


COMMANDS: dict[str, click.Command] = {"raked": raked}
"""What `croupier lab` finds here."""
