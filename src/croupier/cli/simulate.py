"""`croupier simulate`: a whole floor from one seed, and the shortest story of what fails."""

from __future__ import annotations

import re
import time

import click

EXIT_FAILED = 1


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
    from croupier.simulator.simulation import Simulation

    if (seed is None) == (seeds is None):
        raise click.UsageError("Give one of --seed N and --seeds A..B.")
    wanted = seeds if seeds is not None else range(seed or 0, (seed or 0) + 1)
    failed, events, began = 0, 0, time.perf_counter()
    for number in wanted:
        outcome = Simulation(number).run()
        events += outcome.events
        if outcome.failure:
            failed += 1
            _tell(shrunk(outcome) if shrink else outcome)
        elif story:
            _tell(outcome)
    took = time.perf_counter() - began
    click.echo(
        f"{len(wanted):,} {'seed' if len(wanted) == 1 else 'seeds'}, {events:,} events, "
        f"{took:.1f} s: {f'{failed:,} failed' if failed else 'everything held'}"
    )
    if failed:
        raise SystemExit(EXIT_FAILED)


def _tell(outcome: object) -> None:
    from croupier.simulator.simulation import Outcome

    assert isinstance(outcome, Outcome)
    click.echo(f"seed {outcome.seed}, floor {outcome.plan.floor}")
    for happening in outcome.plan.happenings:
        click.echo(f"  planned at {happening.at:.3f}: {happening.told()}")
    for line in outcome.story:
        click.echo(f"  {line}")
    click.echo(f"seed {outcome.seed}: {outcome.failure or 'everything held'}")
