"""The pictures of the wall, of watching and of one's hands: `python -m tests.web.wall_pictures`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from msgspec import structs
from playwright.sync_api import sync_playwright

from croupier.live.config import WatchersConfig
from croupier.live.demonstration import demonstration
from tests.live.accounts import claims, log_in, money_house
from tests.live.conftest import QUICK, running
from tests.live.crowd import play
from tests.live.test_links import at_link
from tests.web.conftest import installed_browser, started_browser
from tests.web.replay_pictures import PICTURES

SCREEN = {"width": 1280, "height": 720}


def shot(browser: Any, url: str, state: str, name: str) -> None:
    """One picture of a wall, once its first jackpot stands so."""
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    page = context.new_page()
    page.goto(url)
    page.locator(f'.jackpot[data-state="{state}"]').first.wait_for()
    page.wait_for_timeout(400)
    page.screenshot(path=PICTURES / f"{name}.png")
    context.close()


def watched(browser: Any) -> None:
    """A poker table as its watchers see it."""
    made = structs.replace(demonstration(), watchers=WatchersConfig(delay=20))
    clocks = structs.replace(QUICK, pace=0.15)
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), made, tables=("Raffles",), clocks=clocks) as house,
    ):
        context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
        page = context.new_page()
        page.goto(f"{house.url}/watch/Raffles")
        play(house, ["Raffles"], rounds=2, players=4, seconds=200)
        page.locator(".board playing-card.up").nth(2).wait_for()
        page.wait_for_timeout(600)
        page.screenshot(path=PICTURES / "watch.png")
        context.close()


def hands(browser: Any) -> None:
    """The rounds of somebody who has played for a while, at two games."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), tables=("Raffles", "Clarke")) as house,
    ):
        evening = play(house, ["Raffles"], rounds=40, players=3, seconds=300)
        jar = evening.crowds["Raffles"][0].client.jar
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.add_cookies([{"name": c.name, "value": c.value, "url": house.url} for c in jar])
        page = context.new_page()
        page.goto(f"{house.url}/hands")
        page.locator("ul.rounds li").first.wait_for()
        page.screenshot(path=PICTURES / "my-hands.png")
        context.close()


def main() -> None:
    program = installed_browser()
    assert program is not None
    with sync_playwright() as playwright, started_browser(playwright, program) as browser:
        with tempfile.TemporaryDirectory() as folder, money_house(Path(folder)) as house:
            claims(log_in(house, "Ann"))
            at_link(log_in(house, "Max").at("M2"), do="pay claims")
            shot(browser, f"{house.url}/wall/Marina", "won", "wall-won")
        shown = demonstration()
        tables = {name: structs.replace(table, bots=0) for name, table in shown.tables.items()}
        made = structs.replace(shown, tables=tables)
        with tempfile.TemporaryDirectory() as folder, running(Path(folder), made) as house:
            shot(browser, f"{house.url}/wall", "open", "wall-three")
        watched(browser)
        hands(browser)


if __name__ == "__main__":
    main()
