"""`python3 run.py bench [NAMES]`: run the benchmarks and print one table.

The exit status is 1 where a target is not met or its peer is missing, so that a script can tell.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import platform
import re
import sys
from pathlib import Path
from typing import Literal

import click
import msgspec
from rich.console import Console
from rich.table import Table

import benchmarks
from benchmarks import Row

PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"
BEGIN = "<!-- measured: begin -->"
END = "<!-- measured: end -->"
HEADINGS = ("what", "who", "value", "ratio", "target", "")


def names() -> list[str]:
    """Name the benchmarks: the modules of this package with a function `measure`."""
    found = sorted(info.name for info in pkgutil.iter_modules(benchmarks.__path__))
    return [name for name in found if not name.startswith("_")]


def machine() -> dict[str, str]:
    """Say what it ran on: enough to judge the figures, not whose it is."""
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "cores": str(os.cpu_count()),
    }


def number(value: float) -> str:
    """Write a number with three figures, thousands apart."""
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.3g}"


def cells(row: Row) -> tuple[str, ...]:
    """Write a row for people."""
    value = "missing" if row.value is None else f"{number(row.value)} {row.unit}".strip()
    ratio = "" if row.ratio is None else f"{number(row.ratio)} ×"
    target = ""
    if row.target is not None:
        sign = {"least": "≥", "most": "≤"}[row.target.at]
        unit = "×" if row.who != "croupier" else row.unit
        target = f"{sign} {number(row.target.limit)} {unit}".strip()
    return row.what, row.who, value, ratio, target, row.outcome


def notes(rows: list[Row]) -> list[str]:
    """Write the rows' notes, each with the row that it belongs to."""
    return [f"{row.what}, {row.who}: {row.note}" for row in rows if row.note]


def markdown(rows: list[Row], on: dict[str, str]) -> str:
    """Write a table as Markdown."""
    lines = [f"On {on['python']}, {on['system']}, {on['cores']} cores:", ""]
    lines += [f"| {' | '.join(HEADINGS)} |", "|---|---|--:|--:|--:|---|"]
    lines += [f"| {' | '.join(cells(row))} |" for row in rows]
    lines += ["", *(f"* {note}" for note in notes(rows))] if notes(rows) else []
    return "\n".join(lines)


def put_into(page: str, table: str) -> str:
    """Replace what stands between the page's markers."""
    if BEGIN not in page or END not in page:
        raise click.ClickException(f"{PAGE.name} lacks its markers {BEGIN} and {END}")
    pattern = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)
    return pattern.sub(lambda _: f"{BEGIN}\n{table}\n{END}", page)


def sections(page: str) -> dict[str, str]:
    """What the page holds of each benchmark, by its name."""
    measured = page.partition(BEGIN)[2].partition(END)[0]
    parts = re.split(r"^### `(\w+)`$", measured, flags=re.MULTILINE)[1:]
    return {name: text.strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}


def renewed(page: str, made: dict[str, str]) -> str:
    """The page with these benchmarks measured anew; the others stand, unless they are gone."""
    kept = sections(page) | made
    wanted = [name for name in names() if name in kept]
    return put_into(page, "\n\n".join(f"### `{name}`\n\n{kept[name]}" for name in wanted))


def show(rows: list[Row], on: dict[str, str], console: Console) -> None:
    """Print the table for people."""
    colours = {"pass": "green", "short": "bold red", "missing": "yellow", "": ""}
    table = Table(box=None, pad_edge=False)
    for heading in HEADINGS:
        numeric = heading in ("value", "ratio", "target")
        justify: Literal["left", "right"] = "right" if numeric else "left"
        table.add_column(heading, justify=justify, no_wrap=heading != "what", overflow="fold")
    before = ""
    for row in rows:
        what, *others = cells(row)
        table.add_row("" if what == before else what, *others, style=colours[row.outcome])
        before = what
    console.print(table)
    for note in notes(rows):
        console.print(f"* {note}", style="dim", markup=False)
    console.print(f"{on['python']}, {on['system']}, {on['cores']} cores", style="dim")


@click.command(epilog="Example: python3 run.py bench ranking --markdown")
@click.argument("chosen", metavar="[NAMES]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print a Markdown table.")
@click.option("--write", is_flag=True, help="Put what was measured into docs/benchmarks.md.")
@click.option("--list", "only_list", is_flag=True, help="Name the benchmarks and exit.")
def bench(
    chosen: tuple[str, ...], as_json: bool, as_markdown: bool, write: bool, only_list: bool
) -> None:
    """Run the benchmarks, or the NAMES given, and compare with their targets."""
    known = names()
    if only_list:
        click.echo("\n".join(known))
        return
    if wrong := sorted(set(chosen) - set(known)):
        raise click.UsageError(f"No benchmark {', '.join(wrong)}; there are: {', '.join(known)}.")
    rows: list[Row] = []
    made: dict[str, str] = {}
    on = machine()
    for name in chosen or known:
        click.echo(f"bench: {name}", err=True)
        found = importlib.import_module(f"benchmarks.{name}").measure()
        made[name] = markdown(found, on)
        rows += found
    if write:
        PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), made), "utf-8")
        click.echo(f"bench: wrote {PAGE.name}", err=True)
    if as_json:
        result = [{**msgspec.to_builtins(row), "outcome": row.outcome} for row in rows]
        click.echo(msgspec.json.format(msgspec.json.encode({"machine": on, "rows": result})))
    elif as_markdown:
        click.echo(markdown(rows, on))
    else:
        show(rows, on, Console(highlight=False))
    sys.exit(any(row.target is not None and row.outcome != "pass" for row in rows))


if __name__ == "__main__":
    bench(prog_name="python3 run.py bench")
