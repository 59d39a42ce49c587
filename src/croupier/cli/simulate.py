"""`croupier simulate`: a whole floor from one seed, and the shortest story of what fails."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

if TYPE_CHECKING:
    from croupier.simulator.simulation import Outcome

EXIT_FAILED = 1
EXIT_INTERRUPTED = 130


class Seeds(click.ParamType[range]):
    """A range of seeds: `0..99`."""

    name = "A..B"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> range:
        """Both ends belong to it."""
        if isinstance(value, range):
            return value
        found = re.fullmatch(r"(\d{1,12})\.\.(\d{1,12})", str(value))
        if found is None or int(found[1]) > int(found[2]):
            self.fail(f"{value!r} is no range of seeds: give for example 0..99", param, ctx)
        return range(int(found[1]), int(found[2]) + 1)


@click.command(epilog="Example: croupier simulate --seeds 0..99 --shrink")
@click.option("--seed", type=click.IntRange(0, 10**12), help="One seed.")
@click.option("--seeds", type=Seeds(), help="Several, one after the other: 0..99.")
@click.option("--shrink", is_flag=True, help="Leave out what a failure does not need.")
@click.option("--story", is_flag=True, help="Tell what happened even if nothing failed.")
def simulate(seed: int | None, seeds: range | None, shrink: bool, story: bool) -> None:
    """Run a whole floor from a seed, with its faults.

    House, office, links, tables and those who play there run in one thread on a virtual clock.
    Chance, time, disk, database, connections and the end of processes all come from the seed: what
    fails with a number fails again with the same number. Ends with status 1 if anything failed.
    """
    from croupier.simulator.shrink import shrunk
    from croupier.simulator.simulation import outcomes

    if (seed is None) == (seeds is None):
        raise click.UsageError("Give one of --seed N and --seeds A..B.")
    wanted = seeds if seeds is not None else range(seed or 0, (seed or 0) + 1)
    done = failed = events = 0
    stopped, began = False, time.perf_counter()
    try:
        with _progress(len(wanted)) as progress:
            for outcome in outcomes(wanted):
                done += 1
                events += outcome.events
                failed += bool(outcome.failure)
                if outcome.failure or story:
                    _tell(shrunk(outcome) if outcome.failure and shrink else outcome)
                progress.update(progress.task_ids[0], completed=done)
    except KeyboardInterrupt:
        stopped = True
    took = time.perf_counter() - began
    click.echo(
        f"{done:,} {'seed' if done == 1 else 'seeds'}, {events:,} events, "
        f"{took:.1f} s: {f'{failed:,} failed' if failed else 'everything held'}"
    )
    if stopped:
        click.echo(f"Stopped. To go on: croupier simulate --seeds {wanted[done]}..{wanted[-1]}")
        raise SystemExit(EXIT_INTERRUPTED)
    if failed:
        raise SystemExit(EXIT_FAILED)


def _progress(seeds: int) -> Progress:
    """A bar on standard error, where somebody looks at it and there is more than one seed."""
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    shown = Progress(*columns, console=console, transient=True, disable=seeds == 1)
    shown.add_task("seeds", total=seeds)
    return shown


def _tell(outcome: Outcome) -> None:
    click.echo(f"seed {outcome.seed}, floor {outcome.plan.floor}")
    for happening in outcome.plan.happenings:
        click.echo(f"  planned at {happening.at:.3f}: {happening.told()}")
    for line in outcome.story:
        click.echo(f"  {line}")
    click.echo(f"seed {outcome.seed}: {outcome.failure or 'everything held'}")
