"""The pictures of the replayer and the rulebooks: `python -m tests.web.replay_pictures`.

A poker hand with side pots and a ruling, a banked round with a jackpot, and pages of a book, taken
with the browser that the tests use.
"""

from __future__ import annotations

import tempfile
import time
import uuid
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.house import stacking
from tests.live.accounts import claims, log_in, money_house
from tests.live.conftest import PASSWORD, Running
from tests.live.side_pots import side_pots
from tests.web.conftest import installed_browser, started_browser

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
V8 = "/rules/no-limit-holdem-v8"


def shot(browser: Any, house: Running, name: str, path: str, **how: Any) -> None:
    """One picture: `who` looks, `width` and `height`, `scheme`; `does` is done before it."""
    context = browser.new_context(
        viewport={"width": how.get("width", 1280), "height": how.get("height", 800)},
        color_scheme=how.get("scheme", "dark"),
        reduced_motion="reduce",
    )
    if who := how.get("who"):
        jar = log_in(house, who).jar
        context.add_cookies([{"name": c.name, "value": c.value, "url": house.url} for c in jar])
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{house.url}{path}")
    page.locator(how.get("until", "h1")).first.wait_for()
    if does := how.get("does"):
        does(page)
    page.evaluate("scrollTo(0, 0)")
    if "M1" in path:  # its deck was stacked, and the page would say so
        page.locator(".shuffle").evaluate("node => node.remove()")
    page.wait_for_timeout(700)
    page.screenshot(path=PICTURES / f"{name}.png")
    context.close()


def at(words: str, *press: str) -> Any:
    """Go to the step with these words, and press these buttons."""

    def does(page: Any) -> None:
        page.locator(".words li", has_text=words).first.locator(".number").click()
        for name in press:
            page.get_by_role("button", name=name).click()
        if press:
            page.locator(".equities li").first.wait_for()

    return does


def types(words: str) -> Any:
    """Search for these words."""

    def does(page: Any) -> None:
        page.locator("#words").press_sequentially(words)
        page.locator("#found a").first.wait_for()

    return does


def main() -> None:
    """Take all of them."""
    program = installed_browser()
    assert program is not None
    with (
        money_house(Path(tempfile.mkdtemp())) as house,
        sync_playwright() as playwright,
        started_browser(playwright, program) as browser,
    ):
        office = house.casino.casino
        office.hire("Aud", "auditor", PASSWORD, who="administrator", reason="audit")
        claims(log_in(house, "Ann"))
        pay = {"id": uuid.uuid4().hex, "command": {"do": "pay claims"}}
        log_in(house, "Max").post("/api/links/Marina/commands", pay)
        stacked, stacking._now[:] = stacking._now[:], []  # poker is dealt as chance has it
        side_pots(house)
        stacking._now[:] = stacked
        while not any(r["ended"] for r in house.enter().get("/api/tables/M1/rounds")["rounds"]):
            time.sleep(0.05)
        told = ".words li"
        flop = at("The flop is dealt", "Equities")
        shot(browser, house, "replay", "/round/Raffles/1", who="Aud", until=told, does=flop)
        phone = {"width": 390, "height": 844, "who": "Ann", "until": told}
        shot(browser, house, "replay-phone", "/round/Raffles/1", does=at("Side Pot 1 400"), **phone)
        jackpot = at("Straight Flush")
        shot(browser, house, "replay-jackpot", "/round/M1/1", who="Ann", until=told, does=jackpot)
        shot(browser, house, "rules-paragraph", f"{V8}/5.5", scheme="light", height=900)
        shot(browser, house, "rules-search", f"{V8}/5.12", width=820, does=types("exposed bur"))
        shot(browser, house, "rules-phone", V8, width=390, height=844)
        pair = "/rules/diff/multi-link-progressive-v2/multi-link-progressive-v3"
        shot(browser, house, "rules-versions", pair, scheme="light", does=to_paragraphs)


def to_paragraphs(page: Any) -> None:
    """Where the numbers and pays stand side by side."""
    page.locator("h2", has_text="Pays").first.evaluate("node => node.scrollIntoView()")


if __name__ == "__main__":
    main()
