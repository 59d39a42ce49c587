"""Who is there and does not act holds up nobody: sat out after two rounds, in a real browser, whose
page looks at the cards by itself."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tests.live.conftest import QUICK, Running, running
from tests.web.conftest import SECONDS, WIDE, Visitor

CLOCKS = structs.replace(QUICK, to_act=3, time_bank=0, between_rounds=0.5, showdown=1, pace=0)


def came(browser: Any, house: Running, name: str) -> Visitor:
    """A guest of that house who sits at Raffles."""
    one = Visitor(browser.new_context(viewport=WIDE, reduced_motion="reduce"), house.url)
    one.enter(name)
    one.sit("Raffles")
    return one


@pytest.mark.slow
def test_who_does_not_act_is_sat_out_after_two_rounds_and_told(browser: Any, tmp_path: Path):
    with running(tmp_path, tables=("Raffles",), clocks=CLOCKS) as house:
        ann, ben = came(browser, house, "Ann"), came(browser, house, "Ben")
        ben.plays("c")
        told = ann.page.get_by_text("You did not act for two rounds and sit out.")
        told.wait_for(timeout=3 * SECONDS)
        back = ann.page.get_by_role("button", name="I am back")
        back.wait_for()
        back.click()
        back.wait_for(state="hidden")
        assert ann.faults == ben.faults == []
        ann.context.close()
        ben.context.close()
