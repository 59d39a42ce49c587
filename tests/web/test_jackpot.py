"""A share of the Progressive Jackpot is celebrated where everybody looks, and takes no click."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tests.house.jackpots import STRAIGHT_FLUSH, stacked
from tests.house.stacking import all_stacked
from tests.live.conftest import QUICK, running
from tests.web.conftest import PHONE, WIDE, Visitor
from tests.web.test_banked import bet
from tests.web.test_pages import violations

TABLE = "Marina-1"
PATIENT = structs.replace(QUICK, bets=60, to_act=60)
HEARD = """window.heard = [];
document.addEventListener("sound", (event) => window.heard.push(event.detail));"""


def wins(one: Visitor) -> None:
    """Play a round with a bet on the jackpot, to its end."""
    bet(one, "ante", "progressive")
    one.button("Deal").click()
    one.button("Flop bet").click()
    for _ in range(2):
        one.button("Check").click()


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_jackpot_is_celebrated_for_its_winner_and_for_who_watches(
    browser: Any, tmp_path: Path, size: dict[str, int]
):
    lucky = all_stacked(lambda cards: stacked(cards, STRAIGHT_FLUSH))
    with lucky, running(tmp_path, tables=(TABLE,), clocks=PATIENT) as house:
        ann, watcher = (Visitor(browser.new_context(viewport=size), house.url) for _ in range(2))
        ann.page.add_init_script(HEARD)
        ann.enter("Ann")
        ann.sit(TABLE)
        watcher.go(TABLE)
        wins(ann)
        won = ann.page.locator(".jackpot-won")
        won.get_by_text("You win!").wait_for()
        watcher.page.locator(".jackpot-won", has_text=f"{ann.name} wins!").wait_for()
        at = won.bounding_box()
        assert at["x"] >= 0
        assert at["x"] + at["width"] <= size["width"]
        through = ann.page.evaluate(
            """() => {
              const at = document.querySelector(".jackpot-won").getBoundingClientRect();
              const under = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
              return !under.closest(".jackpot-won");
            }"""
        )
        assert through, "it takes no click"
        whole = ann.page.locator(".settled-bets li.all strong").inner_text()
        assert ann.page.locator(".rack").inner_text().endswith(f"up {whole.lstrip('+')}")
        assert "jackpot" in ann.page.evaluate("window.heard")
        assert violations(ann.page) == []
        won.wait_for(state="detached")
        assert ann.faults == watcher.faults == []
        for one in (ann, watcher):
            one.context.close()
