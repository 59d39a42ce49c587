"""Defects that are put in are found, each within two thousand seeds."""

from __future__ import annotations

import pytest

from croupier.simulator.floor import FLOORS, furnished
from croupier.simulator.plan import plan_of
from croupier.simulator.simulation import Simulation
from tests.simulator.mutants import MUTANTS, OF_SEVERAL_SERVERS

WITHIN = 2_000
FOUND_BY = {
    "answer before sync": ("was acknowledged", "was told"),
    "double effect of an id": ("has sent no such command", "was acknowledged", "was told that"),
    "forgotten disablement": ("was dismissed by order",),
    "no expected version": ("was acknowledged", "was told", "the audit finds"),
    "given up and still writing": ("which",),
    "moved and still run": ("which",),
    "links by heart": ("the audit finds", "was told that the meter"),
}


def has_several_servers(seed: int) -> bool:
    return len(FLOORS[plan_of(seed).floor].servers) > 1


@pytest.mark.slow
@pytest.mark.parametrize("mutant", [*MUTANTS, *OF_SEVERAL_SERVERS])
def test_a_defect_is_found(mutant, monkeypatch):
    seeds = range(WITHIN)
    if mutant in OF_SEVERAL_SERVERS:
        seeds = [seed for seed in seeds if has_several_servers(seed)]
    for seed in seeds:
        with monkeypatch.context() as patch:
            simulation = Simulation(seed)  # its floor was set up without the defect
            (MUTANTS | OF_SEVERAL_SERVERS)[mutant](patch)
            failure = simulation.run().failure
        if failure:
            assert any(words in failure for words in FOUND_BY[mutant]), failure
            return
    pytest.fail(f"{mutant} was not found by {WITHIN} seeds")


def test_floors_are_set_up_before_anything_is_put_back():
    assert furnished("hold'em") is furnished("hold'em")
