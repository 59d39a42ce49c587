"""`croupier rules outcomes`: the same hands under two versions of a poker book."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.cli.outputs import write_text
from croupier.cli.versions_case import case_files
from croupier.rulebooks import Rulebook
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.lab.batch_rules import Amounts
    from croupier.lab.versions import Versions

VERSION = 1


def show_outcomes(
    old: Rulebook,
    new: Rulebook,
    *,
    hands: int,
    players: int,
    stakes: tuple[int, int],
    blind: int,
    percent: str,
    cap: int,
    straddle: bool,
    seed: int,
    examples: int,
    into: Path | None,
    as_json: bool,
) -> None:
    """Play them, tell what differs, and write the first examples as case files."""
    from croupier.lab import LabError
    from croupier.lab.batch_rules import Amounts

    if into is not None:
        into.mkdir(parents=True, exist_ok=True)  # before anything is played for it
    try:
        amounts = Amounts(blinds=(blind // 2, blind), percent=percent, cap=cap, straddle=straddle)
        found = _played(old, new, hands, players, amounts, stakes, seed, examples)
    except LabError as error:
        raise click.UsageError(str(error)) from error
    files = {} if into is None else case_files(found, (old, new), amounts)
    if into is not None:
        for name, text in files.items():
            write_text(into, name, text)
    if as_json:
        click.echo(json.dumps(answer(found, sorted(files)), indent=2))
        return
    _show(found, Console(highlight=False))
    if into is not None:
        click.echo(f"{len(files)} case files are in {into}; `croupier case explain` tells them.")


def _played(
    old: Rulebook,
    new: Rulebook,
    hands: int,
    players: int,
    amounts: Amounts,
    stakes: tuple[int, int],
    seed: int,
    examples: int,
) -> Versions:
    from croupier.lab.versions import compare_versions

    with Console(stderr=True).status(
        "hands are played (the first time kernels are compiled)"
    ) as at:

        def progress(done: int, of: int) -> None:
            at.update(f"{done:,} of {of:,} hands are played")

        return compare_versions(
            old,
            new,
            hands=hands,
            players=players,
            amounts=amounts,
            big_blinds=stakes,
            seed=seed,
            examples=examples,
            progress=progress,
        )


def answer(found: Versions, files: list[str]) -> dict[str, Any]:
    """For --json. Money is cents."""
    return {
        "version": VERSION,
        "old": found.old,
        "new": found.new,
        "hands": found.hands,
        "players": found.players,
        "differently": found.differently,
        "share": found.differently / found.hands,
        "same_acts": found.same_acts,
        "moved": found.moved,
        "largest": found.largest,
        "rake": {"old": found.rake[0], "new": found.rake[1]},
        "acts": {"old": found.acts[0], "new": found.acts[1]},
        "adjusted": {"old": found.adjusted[0], "new": found.adjusted[1]},
        "filled": found.filled,
        "positions": found.rows(),
        "examples": [example.hand for example in found.examples],
        "files": files,
    }


def _show(found: Versions, console: Console) -> None:
    share = found.differently / found.hands
    console.print(
        Text.assemble(
            (f"{found.differently:,}", "bold"),
            f" of {found.hands:,} hands ({share:.2%}) are paid differently under {found.new} than "
            f"under {found.old}.",
        )
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Position")
    for heading in ("hands", "share", "gets more", "gets less", "in all"):
        table.add_column(heading, justify="right")
    for row in found.rows():
        net = row["more"] - row["less"]
        table.add_row(
            position_name(row["position"], found.players),
            f"{row['hands']:,}",
            f"{row['share']:.2%}",
            write_money(row["more"]),
            write_money(row["less"]),
            write_money(net) if net >= 0 else f"-{write_money(-net)}",
        )
    console.print(table)
    old, new = found.rake
    lines = [
        f"In {found.same_acts:,} of them everybody did the same: only Rake, pots and payment "
        "differ.",
        f"The largest difference for one player in one hand: {write_money(found.largest)}.",
        f"Rake of all hands: {write_money(old)} under {found.old}, {write_money(new)} under "
        f"{found.new}.",
        f"What a player wanted was not open as wanted, and the nearest was done: "
        f"{found.adjusted[0]:,} of {found.acts[0]:,} Actions under {found.old}, "
        f"{found.adjusted[1]:,} of {found.acts[1]:,} under {found.new}; there "
        f"{found.filled:,} more were asked of players who had wanted nothing more: they checked or "
        "called.",
    ]
    for line in lines:
        console.print(Text(line))
    if found.examples:
        numbers = ", ".join(str(example.hand) for example in found.examples)
        console.print(Text(f"The first are hands {numbers}.", style="dim"))


def position_name(position: int, players: int) -> str:
    """How a position is called: by its Blind, or by how far it is from the button."""
    if players == 2:
        return "Big Blind" if position == 0 else "button, Small Blind"
    names = {0: "Small Blind", 1: "Big Blind", players - 1: "button"}
    return names.get(position, f"{players - 1 - position} before the button")
