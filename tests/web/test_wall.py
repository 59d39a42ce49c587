"""The jackpot display in a real browser: through a claim, a win, a fault and a lost connection."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.live.accounts import claims, log_in, money_house
from tests.live.conftest import Running
from tests.live.test_links import at_link
from tests.web.conftest import SECONDS
from tests.web.test_pages import A_PAGE, violations

SCREEN = {"width": 1920, "height": 1080}
NOTED = """() => {
  window.shown = [];
  const amount = document.querySelector(".amount");
  new MutationObserver(() => {
    const state = amount.closest(".jackpot").dataset.state;
    window.shown.push([state, amount.textContent]);
  }).observe(amount, { childList: true, characterData: true, subtree: true });
}"""
"""Notes in the page every amount that it shows, and in which state."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    with money_house(tmp_path) as opened:
        yield opened


@pytest.fixture
def wall(browser: Any, house: Running) -> Iterator[Any]:
    context = browser.new_context(viewport=SCREEN)
    page = context.new_page()
    page.set_default_timeout(SECONDS)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{house.url}/wall/Marina")
    yield page
    context.close()
    assert faults == []


def panel(page: Any, state: str) -> Any:
    found = page.locator(f'.jackpot[data-state="{state}"]')
    found.wait_for()
    return found


def test_a_jackpot_is_claimed_and_won_on_the_wall_and_fails(wall: Any, house: Running):
    link = house.casino.house.pit.links["Marina"]
    page = wall
    assert "20,000.00" in panel(page, "open").locator(".amount").inner_text()
    page.evaluate(NOTED)
    ann = log_in(house, "Ann")
    claims(ann)
    pending = panel(page, "claim pending")
    assert pending.locator(".says").inner_text() == "Table M1: the claim is being verified."
    page.wait_for_function("() => document.querySelector('.amount').textContent === '20,001.00'")
    for state, shown in page.evaluate("window.shown"):
        if state in ("open", "claim pending"):
            assert float(shown.replace(",", "")) <= link.facts().meter / 100, (
                "never more than it is"
            )

    max_ = log_in(house, "Max").at("M2")
    assert at_link(max_, do="pay claims")["is"] == "answer"
    won = panel(page, "won")
    assert won.locator(".amount").inner_text() == "2,000.10"
    assert won.locator(".says").inner_text() == "Table M1 · Straight Flush"
    assert "Ann" not in page.content(), "nobody's name without leave"
    high = won.locator(".amount").evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert high * 0.7 > 0.2 * SCREEN["height"], "digits of a fifth of the screen are read at 20 m"
    assert violations(page) == []

    assert at_link(max_, do="report link fault", reason="the display")["is"] == "answer"
    out = panel(page, "out of service")
    assert not out.locator(".amount").is_visible(), "no amount is told that does not count"
    assert out.locator(".says").inner_text().startswith("No bets on this jackpot")
    assert out.locator(".more").inner_text() == "Rulebook 5.17.2"
    assert at_link(max_, do="repair link", reason="tested")["is"] == "answer"
    panel(page, "won")


@pytest.mark.slow
def test_a_lost_connection_is_said_and_no_amount_is_shown(wall: Any):
    panel(wall, "open")
    wall.context.set_offline(True)
    lost = panel(wall, "lost")
    assert not lost.locator(".amount").is_visible(), "it may have been won meanwhile"
    assert "it stood at 20,000.00" in lost.locator(".more").inner_text()
    wall.context.set_offline(False)
    assert panel(wall, "open").locator(".amount").inner_text() == "20,000.00"


@pytest.mark.slow
@pytest.mark.parametrize("size", [(390, 844), (820, 1180), (1280, 720), (1920, 1080), (3840, 800)])
def test_everything_fits_on_every_screen(visitor: Any, size: tuple[int, int]):
    """Three links of the demonstration on one wall, for anybody, and light."""
    one = visitor(viewport={"width": size[0], "height": size[1]})
    loaded: list[Any] = []
    one.page.on("response", lambda response: loaded.extend([response]))
    one.page.goto(f"{one.address}/wall")
    one.page.locator(".jackpot .amount", has_text=".").nth(2).wait_for()
    assert one.page.locator(".jackpot").count() == 3
    for node in one.page.locator(".jackpot .amount").all():
        box, outer = node.bounding_box(), node.locator("xpath=../..").bounding_box()
        assert outer["x"] <= box["x"]
        assert box["x"] + box["width"] <= outer["x"] + outer["width"]
    page = "document.documentElement"
    assert one.page.evaluate(
        f"{page}.scrollWidth <= innerWidth && {page}.scrollHeight <= innerHeight"
    )
    assert violations(one.page) == []
    sizes = (each.request.sizes()["responseBodySize"] for each in loaded if each.status == 200)
    assert sum(sizes) < A_PAGE
