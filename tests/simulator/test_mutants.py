"""Old defects that are put back are found, each within two thousand seeds."""

from __future__ import annotations

import pytest

from croupier.simulator.floor import furnished
from croupier.simulator.simulation import Simulation
from tests.simulator.mutants import MUTANTS

WITHIN = 2_000
FOUND_BY = {
    "answer before sync": ("was acknowledged", "was told"),
    "double effect of an id": ("has sent no such command", "was acknowledged", "was told that"),
    "forgotten disablement": ("was dismissed by order",),
}


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS)
def test_an_old_defect_is_found(mutant, monkeypatch):
    for seed in range(WITHIN):
        with monkeypatch.context() as patch:
            simulation = Simulation(seed)  # its floor was set up without the defect
            MUTANTS[mutant](patch)
            failure = simulation.run().failure
        if failure:
            assert any(words in failure for words in FOUND_BY[mutant]), failure
            return
    pytest.fail(f"{mutant} was not found by {WITHIN} seeds")


def test_floors_are_set_up_before_anything_is_put_back():
    assert furnished("hold'em") is furnished("hold'em")
