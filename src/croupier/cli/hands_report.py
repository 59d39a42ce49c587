"""What the commands on hand histories show alike: a bar while they work, and what they found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from croupier.formats.check import Finding, size_of

SHOWN = 20
"""How many hands of a kind are named for people; --json names up to a thousand."""


@contextmanager
def progress_of(paths: tuple[Path, ...]) -> Iterator[Any]:
    """A bar on standard error, where that is a terminal: told the bytes done and the report."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("Hands", total=size_of(paths) or None)

        def tell(done: int, report: Any) -> None:
            bar.update(task, completed=done, description=f"{report.hands:,} hands")

        yield tell


def print_findings(
    console: Console, heading: str, findings: Sequence[Finding], count: int, colour: str
) -> None:
    """The first findings of a kind, and how many more there are."""
    if not findings:
        return
    console.print(f"[bold {colour}]{heading}[/]")
    for finding in findings[:SHOWN]:
        console.print(f"  {escape(_told(finding))}")
    if count > SHOWN:
        console.print(f"  and {count - SHOWN:,} more")


def _told(finding: Finding) -> str:
    hand = f"hand {finding.hand}" if finding.hand else ""
    where = ", ".join(part for part in (finding.file, hand, finding.place) if part)
    cites = f" ({', '.join(finding.cites)})" if finding.cites else ""
    cause = f" [{finding.cause}]" if finding.cause else ""
    return f"{where}: {finding.says}{cites}{cause}"
