"""`croupier school`: exercises of the dealer school at the terminal. Nothing is kept of them."""

from __future__ import annotations

import secrets
import sys
import time
from datetime import UTC, datetime

import click
from rich.console import Console
from rich.markup import escape

from croupier.cards import pretty_cards, read_cards
from croupier.cli.books import open_book
from croupier.pit.replay import Replay
from croupier.rulebooks.called import paragraph_name
from croupier.school import (
    KINDS,
    LEVELS,
    SECONDS,
    Exercise,
    Kind,
    Marked,
    NotMade,
    SchoolError,
    ask_of,
    draw_item,
    item_named,
    items_of,
    kind_named,
    make_exercise,
    mark,
    replay_of,
)

EXAMPLES = """\b
Examples:
  croupier school
  croupier school --book v3 --kind payout --level 2
  croupier school --kind "side pots" --clock --count 10
  croupier school --list --book v8
  croupier school --item ruling/exposed-in-the-deal --seed 7 --show"""

BOOK = "no-limit-holdem-v8"
STEPS_TOLD = 4
"""Of what led to the question, so much is told."""
WRONG = 1
"""The exit status where something was answered wrong."""


@click.command(epilog=EXAMPLES)
@click.option("--book", default=BOOK, show_default=True, help="The rulebook, or a part of its id.")
@click.option("--kind", help=f"One kind alone: {', '.join(KINDS)}.")
@click.option("--item", help="One item alone, by its name as --list has it.")
@click.option(
    "--level", type=click.IntRange(LEVELS[0], LEVELS[-1]), default=1, show_default=True,
    help="How difficult.",
)  # fmt: skip
@click.option(
    "--count",
    type=click.IntRange(1, 100),
    default=5,
    show_default=True,
    help="How many are asked.",
)
@click.option("--seed", help="The same seed asks the same; drawn unless given.")
@click.option("--clock", is_flag=True, help="Against the clock: what is late is wrong.")
@click.option("--show", is_flag=True, help="Print exercises with their answers, and ask nothing.")
@click.option("--list", "listed", is_flag=True, help="What can be learned under the book.")
def school(
    book: str,
    kind: str | None,
    item: str | None,
    level: int,
    count: int,
    seed: str | None,
    clock: bool,
    show: bool,
    listed: bool,
) -> None:
    """Rule on tables that err on purpose, in a terminal.

    The engine makes the exercises and marks them; each wrong answer says where it would be right.
    A record of what you know is kept at /school of `croupier serve`. The exit status is 1 if
    something was wrong.
    """
    console = Console()
    try:
        chosen = open_book(book).id
        if listed:
            _list(console, chosen, kind)
            return
        kinds = (kind_named(chosen, kind),) if kind else ()
        if item is not None:
            level = max(level, item_named(chosen, item).level)
        seed = seed or secrets.token_hex(4)
        right = 0
        for number in range(1, count + 1):
            exercise = _drawn(chosen, level, f"{seed}/{number}", kinds, item)
            right += _one(console, exercise, f"{number} of {count}", clock=clock, show=show)
    except SchoolError as error:
        raise click.UsageError(f"{error}") from error
    if show:
        return
    console.print(f"\n[bold]{right} of {count} right.[/bold] The same again: --seed {seed}")
    if right < count:
        sys.exit(WRONG)


def _list(console: Console, book: str, kind: str | None) -> None:
    wanted = kind_named(book, kind) if kind else None
    for item in items_of(book):
        if wanted in (None, item.kind):
            console.print(
                f"{item.name}  [dim]from level {item.level}: {escape(item.title)}[/dim]",
                highlight=False,
            )


def _drawn(book: str, level: int, seed: str, kinds: tuple[Kind, ...], item: str | None) -> Exercise:
    if item is not None:
        return make_exercise(book, item, level, seed)
    now = datetime(2000, 1, 1, tzinfo=UTC)  # nothing is due where nothing is kept
    for draw in range(20):
        drawn = draw_item(book, level, {}, now, f"{seed}/{draw}", kinds=kinds)
        try:
            return make_exercise(book, drawn.name, level, seed)
        except NotMade:
            continue
    raise NotMade("nothing can be asked of this kind at this level")


def _one(console: Console, exercise: Exercise, number: str, *, clock: bool, show: bool) -> bool:
    """Put one exercise; whether it was answered right."""
    asked = ask_of(exercise)
    console.print(f"\n[dim]{number} · {asked.called} · level {asked.level}[/dim]")
    console.print(f"[bold]{escape(asked.title)}[/bold]")
    for says in _table_told(replay_of(exercise)) if exercise.kind == "ruling" else ():
        console.print(f"  [dim]{escape(says)}[/dim]", highlight=False)
    for shown in asked.cards:
        console.print(f"  {shown.label}: {pretty_cards(read_cards(' '.join(shown.cards)))}")
    for says in asked.told:
        console.print(f"  {escape(says)}", highlight=False)
    if show:
        chosen: list[int | None] = [part.right for part in exercise.parts]
        _print_choices(console, exercise)
        _tell(console, exercise, mark(exercise, chosen), quiet=True)
        return True
    since = time.monotonic()
    chosen = [_prompt(console, exercise, number) for number in range(len(exercise.parts))]
    late = clock and time.monotonic() - since > SECONDS[exercise.kind]
    marked = mark(exercise, chosen, late=late)
    _tell(console, exercise, marked)
    return marked.right


def _table_told(replay: Replay | None) -> list[str]:
    """What happened last at the table, in words."""
    if replay is None:
        return []
    told = [event.told for step in replay.steps for event in step.events if event.told]
    return told[-STEPS_TOLD:]


def _prompt(console: Console, exercise: Exercise, number: int) -> int:
    part = exercise.parts[number]
    console.print(f"\n  [bold]{escape(part.ask)}[/bold]")
    for place, one in enumerate(part.choices, 1):
        console.print(f"    {place}  {escape(one.says)}", highlight=False)
    typed: int = click.prompt("  Your answer", type=click.IntRange(1, len(part.choices)))
    return typed - 1


def _print_choices(console: Console, exercise: Exercise) -> None:
    for part in exercise.parts:
        console.print(f"\n  [bold]{escape(part.ask)}[/bold]")
        for place, one in enumerate(part.choices):
            sign = "✓" if place == part.right else " "
            console.print(f"   {sign} {escape(one.says)}", highlight=False)
            if one.because:
                console.print(f"     [dim]{escape(one.because)}[/dim]", highlight=False)


def _tell(console: Console, exercise: Exercise, marked: Marked, *, quiet: bool = False) -> None:
    """What was right, and what the answer would have done."""
    if not quiet:
        word = "[green]Right.[/green]" if marked.right else "[red]Wrong.[/red]"
        console.print("\n  " + ("[red]Too late.[/red]" if marked.late else word))
        for part in marked.parts:
            mine = part.choices[part.chosen] if part.chosen is not None else None
            best = part.choices[part.right]
            if mine is not best:
                console.print(f"  Right is: {escape(best.says)}", highlight=False)
            if mine is not None and mine is not best:
                for says in (mine.because, *mine.would):
                    if says:
                        console.print(f"    Yours: {escape(says)}", highlight=False)
    cites = ", ".join(paragraph_name(id) for id in marked.cites[:4])
    if cites:
        console.print(f"  [dim]By {cites} of {exercise.rulebook}[/dim]", highlight=False)
