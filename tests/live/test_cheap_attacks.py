"""Attacks that cost an attacker next to nothing: other players notice none of them."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tests.live.attacks import HALF_BODY, HALF_HEAD, Pings, attacked, comes_in, patient, records

log = logging.getLogger(__name__)

pytestmark = pytest.mark.slow

AT_MOST = 0.5
"""Seconds that a ping may take at most meanwhile, on a machine that others use too."""


@pytest.mark.parametrize("sources", [1, 200])
@pytest.mark.parametrize("says", ["nothing", "half a head", "half a body"])
def test_a_thousand_connections_that_say_nothing_more(tmp_path: Path, says: str, sources: int):
    """From one address, and from so many that no limit on one of them helps."""
    with attacked(tmp_path) as house:
        body = HALF_BODY % f"{house.host}:{house.port}".encode()
        said = {"nothing": b"", "half a head": HALF_HEAD, "half a body": body}[says]
        pings = Pings(house.enter("Ann").at("Raffles"))
        before = sorted(pings.send(30))
        patient(house, said, 1_030, sources)
        during = sorted(pings.send(60))
        took = comes_in(house, "Bob")
        told = f"before {before[15]:.4f} s, during {during[30]:.4f} s, at most {during[-1]:.4f} s"
        log.info("ping %s; a new player is in after %.3f s", told, took)
        assert during[-1] < AT_MOST
        assert took < 5
        assert len(records(house.log)) < 50
        assert house.log.stat().st_size < 100_000
