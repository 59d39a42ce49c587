"""The parts of a report in a terminal (headings, facts, tables and notes; charts are left out), and
what is written into a folder beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.cli.outputs import write_text
from croupier.lab.report import Facts, Grid, Heading, Note, Part

_SHORT = 30


def write_data(folder: Path, name: str, answer: dict[str, Any]) -> None:
    """The JSON of an answer in a folder, which is made if it is not there."""
    text = json.dumps(answer, indent=1, ensure_ascii=False) + "\n"
    write_text(folder, f"{name}.json", text)


def print_parts(title: str, parts: Iterable[Part]) -> None:
    """Print them from top to bottom."""
    console = Console(highlight=False)
    console.print(Text(title, style="bold"))
    for part in parts:
        match part:
            case Heading(text=text):
                console.print()
                console.print(Text(text, style="bold underline"))
            case Note(text=text):
                console.print(Text(text))
            case Facts(rows=rows):
                for name, value, what in rows:
                    console.print(Text(f"{name}: {value} {what}".rstrip()))
            case Grid():
                console.print()
                console.print(Text(part.title, style="bold"))
                console.print(_table(part))
                if part.caption:
                    console.print(Text(part.caption, style="dim"))
            case _:
                pass  # a chart is for a page


def _table(grid: Grid) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for place, heading in enumerate(grid.headings):
        # Short names stay on one line; whatever is longer is folded, never cut.
        names = place == 0 and all(len(row[0]) <= _SHORT for row in grid.rows)
        table.add_column(
            heading.rstrip(">"),
            justify="right" if heading.endswith(">") else "left",
            overflow="fold",
            no_wrap=names,
        )
    for row in grid.rows:
        table.add_row(*row)
    return table
