"""A floor from a seed: the same seed is the same story, and what must hold holds."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref

import pytest
from click.testing import CliRunner
from msgspec import structs

from croupier.cli.main import croupier
from croupier.live.meters import Meters
from croupier.simulator.plan import Happening, Plan
from croupier.simulator.simulation import Simulation, outcomes

SEEDS = 100
SLOW_SEEDS = 20_000
AT_ONCE = 25


def failures(seeds: range) -> list[str]:
    return [f"seed {each.seed}: {each.failure}" for each in outcomes(seeds) if each.failure]


@pytest.mark.parametrize("start", range(0, SEEDS, AT_ONCE))
def test_whatever_fails_what_must_hold_holds(start):
    assert failures(range(start, start + AT_ONCE)) == []


@pytest.mark.slow
@pytest.mark.parametrize("start", range(SEEDS, SLOW_SEEDS, 500))
def test_so_it_does_for_many_more_seeds(start):
    assert failures(range(start, min(start + 500, SLOW_SEEDS))) == []


def test_a_floor_that_is_over_leaves_nothing_in_memory():
    """Also where a process died with commands that were never answered."""

    def run(seed):
        simulation = Simulation(seed)
        simulation.run()
        return weakref.ref(simulation)

    over = [run(seed) for seed in (300, 301)]
    gc.collect()
    assert [left() for left in over] == [None, None]


def test_the_same_seed_is_the_same_story():
    """Also in another process, where strings have other hashes. With 15 there are several people to
    be taken back when everything is mended."""
    told = (
        "from croupier.simulator.simulation import Simulation as S; "
        "print([S(seed).run().story for seed in (3, 15)])"
    )
    stories = {
        subprocess.run(
            [sys.executable, "-c", told],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert stories == {f"{[Simulation(seed).run().story for seed in (3, 15)]}\n"}


def test_a_commitment_that_was_lost_leaves_no_table_waiting():
    """The database goes away as the game is opened: what was made of the commitment that was lost
    with it must not be given for its successor."""
    away = Happening(at=3.764, kind="no database", seconds=8)
    assert Simulation(10, Plan(floor="hold'em far", happenings=(away,))).run().failure == ""


def test_a_shuffle_that_is_stored_too_late_is_not_given_once_more():
    """The draw for the button is stored after the table was read again, and somebody who sits down
    is the first to notice. The shuffle book must notice with the table: what was shuffled for the
    draw, and shown to all, must not be the deck of the round."""
    happenings = (
        Happening(at=4.823, kind="commit is late", seconds=8),
        Happening(at=6.268, kind="commit is late", seconds=0.2),
        Happening(at=8.64, kind="commit is lost", seconds=3),
    )
    assert Simulation(14421, Plan(floor="hold'em far", happenings=happenings)).run().failure == ""


def test_whoever_could_not_be_shown_a_table_is_away_still():
    """The database goes away as players come back to a table that was moved: they come once more,
    and the table goes on."""
    happenings = (
        Happening(at=5.488, kind="cut off", server="left", seconds=0.2),
        Happening(at=8.254, kind="kill at a step", server="right", step="commit", seconds=3),
        Happening(at=12.257, kind="commit is late", server="left", seconds=0.2),
    )
    assert Simulation(931, Plan(floor="two servers", happenings=happenings)).run().failure == ""


def test_tables_that_could_not_be_taken_over_together_are_all_let_go_of():
    """The database goes away as a server takes two tables over from one that is cut off: it must
    not keep one of them in its memory, as if it were its own, without the lock."""
    happenings = (
        Happening(at=3.379, kind="disable player", who="Dev", server="left", seconds=8),
        Happening(at=4.362, kind="sleep", server="left", seconds=8),
        Happening(at=12.3, kind="cut off", server="right", seconds=6),
        Happening(at=15.457, kind="commit is late", server="left", seconds=3),
    )
    assert Simulation(4033, Plan(floor="two servers", happenings=happenings)).run().failure == ""


def test_what_a_late_commit_brings_is_shown_to_those_who_watch():
    """A player sits down by a commit that arrives when nobody expects it any more. The table is
    read again after the next command; whoever watches must see it then, or both players are
    offered the same seat for ever."""
    happenings = (
        Happening(at=7.4, kind="no database", seconds=3),
        Happening(at=7.554, kind="commit is late", seconds=1),
        Happening(at=8.451, kind="dismiss", who="Max", seconds=8),
    )
    assert Simulation(14509, Plan(floor="one of each", happenings=happenings)).run().failure == ""


def test_a_server_does_not_take_its_own_locks_for_those_of_another():
    """The connection that holds its locks is lost, and the database does not know for a while. What
    the server cannot lock meanwhile nobody else has: it must not give its table up for ever."""
    happenings = (
        Happening(at=5.576, kind="sleep at a step", server="middle", step="begin", seconds=1),
        Happening(at=6.595, kind="commit is late", server="middle", seconds=3),
        Happening(at=11.214, kind="commit is lost", server="left", seconds=8),
        Happening(at=11.333, kind="sleep at a step", server="right", step="begin", seconds=8),
        Happening(at=12.647, kind="move table", who="Marina-1", server="left", seconds=3),
        Happening(
            at=15.582, kind="power cut at a step", server="middle", step="committed", seconds=8
        ),
        Happening(at=15.924, kind="commit is unknown", server="middle", seconds=3),
    )
    plan = Plan(floor="three servers", happenings=happenings)
    assert Simulation(14527, plan).run().failure == ""


def test_a_table_at_which_its_server_takes_no_commands_is_taken_again():
    """As one that was to go to another server, and stayed when that could not be noted."""
    simulation = Simulation(1, Plan(floor="two servers", happenings=()))

    def stop_running() -> None:
        server = simulation.servers.runner("Marina-1")
        assert server is not None
        server.casino.house.stop_running(["Marina-1"])

    simulation.timeline.at(6.0, stop_running)
    assert simulation.run().failure == ""


def test_the_command_tells_a_seed():
    ran = CliRunner().invoke(croupier, ["simulate", "--seed", "3", "--story"])
    assert ran.exit_code == 0
    assert "the House is open" in ran.output
    assert "1 seed" in ran.output
    assert "everything held" in ran.output


def test_whoever_interrupts_the_command_is_told_how_to_go_on(monkeypatch):
    real, ran_so_far = Simulation.run, []

    def run(self):
        if len(ran_so_far) == 2:
            raise KeyboardInterrupt
        ran_so_far.append(self.seed)
        return real(self)

    monkeypatch.setattr(Simulation, "run", run)
    ran = CliRunner().invoke(croupier, ["simulate", "--seeds", "7..30"])
    assert ran.exit_code == 130
    assert "2 seeds" in ran.output
    assert "croupier simulate --seeds 9..30" in ran.output


def test_floors_that_are_over_do_not_pile_up(monkeypatch):
    """The audit at the end of each keeps the collector from coming by itself."""
    monkeypatch.setattr("croupier.simulator.simulation.FLOORS_IN_MEMORY", 2)
    over = []

    def simulation(seed):
        made = Simulation(seed)
        over.append(weakref.ref(made))
        return made

    monkeypatch.setattr("croupier.simulator.simulation.Simulation", simulation)
    assert [each.seed for each in outcomes((300, 301))] == [300, 301]
    assert [left() for left in over] == [None, None]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([], "one of --seed N and --seeds A..B"),
        (["--seed", "1", "--seeds", "1..2"], "one of --seed N and --seeds A..B"),
        (["--seeds", "9..2"], "give for example 0..99"),
        (["--seeds", "x"], "give for example 0..99"),
        (["--seed", "-1"], "is not in the range"),
    ],
)
def test_what_is_no_seed_is_said(given, says):
    ran = CliRunner().invoke(croupier, ["simulate", *given])
    assert ran.exit_code == 2
    assert says in ran.output


@pytest.mark.parametrize("seed", range(4))
def test_while_the_database_is_out_of_reach_nobody_is_shown_what_never_happened(seed):
    """What was lost cannot be read back yet; whoever comes meanwhile must not see it. Once the
    database is back the table goes on by itself."""
    happenings = (
        Happening(at=6.0, kind="no database", seconds=6),
        Happening(at=6.5, kind="cut", who="Ann", seconds=0.1),
        Happening(at=7.5, kind="cut", who="Ben", seconds=0.1),
        Happening(at=8.0, kind="cut", who="Max", seconds=0.1),
    )
    assert Simulation(seed, Plan(floor="hold'em far", happenings=happenings)).run().failure == ""


def test_what_was_lost_and_given_again_is_told_to_nobody_before_it_is_stored():
    """The database goes away with Ann's command, and Ben has come meanwhile. She sends it again
    under the same id, and it is carried out before the table's viewers could be told of the loss:
    what Ben is shown then waits for it."""
    happenings = (
        Happening(at=5.117, kind="kill at a step", step="commit", seconds=0.2),
        Happening(at=6.514, kind="kill at a step", step="begin", seconds=3),
        Happening(at=10.748, kind="disable player", who="Cho", seconds=1),
        Happening(at=11.172, kind="slow disk", seconds=8),
        Happening(at=12.104, kind="commit is lost", seconds=3),
    )
    assert Simulation(12794, Plan(floor="one of each", happenings=happenings)).run().failure == ""


def test_a_meter_that_was_lost_is_not_told_with_what_comes_after_it():
    """A clock has begun a round and the meter has risen by it, and the database is gone. When it is
    back the table is read again for Cho's command, a moment before its viewers hear of the loss."""
    away = Happening(at=9.349, kind="no database", seconds=3)
    assert Simulation(6784, Plan(floor="one of each", happenings=(away,))).run().failure == ""


def test_a_house_opens_whose_clock_is_behind_what_a_private_table_was_told():
    """Its clock was ahead by an hour, and was right again after a restart. What it is to say first
    concerns a table whose log it has not read yet, and that ends an hour from now."""
    happenings = (
        Happening(at=4.39, kind="kill at a step", step="begin", seconds=1),
        Happening(at=5.92, kind="clock set", seconds=4000),
        Happening(at=7.177, kind="kill at a step", step="write", seconds=1),
        Happening(at=12.049, kind="power cut at a step", step="write", seconds=8),
    )
    assert Simulation(16981, Plan(floor="guests", happenings=happenings)).run().failure == ""


def test_what_is_late_arrives_before_everything_counts_as_mended():
    """Ben was disabled by a commit that was on its way while he was to be enabled again."""
    happenings = (
        Happening(at=3.075, kind="commit is late", seconds=8),
        Happening(at=6.024, kind="kill at a step", step="begin", seconds=8),
        Happening(at=10.99, kind="power cut", seconds=3),
        Happening(at=11.899, kind="commit is late", seconds=3),
        Happening(at=12.745, kind="disable player", who="Ben", seconds=3),
        Happening(at=16.147, kind="commit is late", seconds=1),
    )
    assert Simulation(18635, Plan(floor="one of each", happenings=happenings)).run().failure == ""


def test_where_the_clocks_of_two_servers_differ_no_time_at_a_link_runs_backwards_unsaid():
    """What one server has written at a link the other follows event by event, with its time."""
    ahead = Happening(at=10.422, kind="clock set", server="left", seconds=90)
    assert Simulation(4676, Plan(floor="two servers", happenings=(ahead,))).run().failure == ""


def test_a_meter_that_never_stood_as_it_was_told_is_found(monkeypatch):
    """One that is told a cent too high; what a table says of it is right all the same."""
    told = Meters.told

    def a_cent_more(self, name, place=""):
        found = told(self, name, place)
        return structs.replace(found, meter=found.meter + 1) if found is not None else None

    monkeypatch.setattr(Meters, "told", a_cent_more)
    failure = Simulation(1, Plan(floor="a link", happenings=())).run().failure
    assert "was told that the meter of Marina link is at" in failure
