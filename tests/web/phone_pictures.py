"""The pictures of lobby and tables on a phone: `python -m tests.web.phone_pictures`.

Bots play with whoever is photographed, so no two are alike.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.live.attacks import attacked
from tests.web.conftest import PHONE, Visitor, installed_browser, started_browser
from tests.web.replay_pictures import PICTURES
from tests.web.test_banked import bet

ON_ITS_SIDE = {"width": PHONE["height"], "height": PHONE["width"]}
PATIENCE = 60_000


@contextmanager
def browser_and_casino() -> Iterator[tuple[Any, str]]:
    """A browser, and the address of a casino in which bots play."""
    program = installed_browser()
    assert program is not None, "there is no browser"
    with (
        tempfile.TemporaryDirectory() as folder,
        attacked(Path(folder), bots=True) as house,
        sync_playwright() as playwright,
        started_browser(playwright, program) as browser,
    ):
        yield browser, house.url


def phone(browser: Any, address: str, viewport: dict[str, int]) -> Visitor:
    """Somebody new with a phone."""
    context = browser.new_context(
        viewport=viewport, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    made = Visitor(context, address)
    made.page.set_default_timeout(PATIENCE)
    made.enter("Ann")
    return made


def shot(one: Visitor, name: str) -> None:
    """A picture as it stands now, once nothing moves."""
    one.page.wait_for_timeout(500)
    one.page.screenshot(path=PICTURES / f"{name}.png")


def poker(browser: Any, address: str, table: str, viewport: dict[str, int], name: str) -> None:
    """On the flop, with cards of one's own."""
    one = phone(browser, address, viewport)
    one.sit(table)
    one.plays("c")
    one.page.locator(".seats playing-card.up").first.wait_for()
    one.page.locator(".board playing-card.up").nth(2).wait_for()
    shot(one, name)
    one.context.close()


def banked(browser: Any, address: str) -> None:
    """On the flop, at the second decision."""
    one = phone(browser, address, PHONE)
    one.sit("Marina-1")
    bet(one, "ante", "bonus", "progressive")
    one.button("Flop bet").click()
    one.page.locator(".stage .centre playing-card.up").nth(2).wait_for()
    shot(one, "banked-phone")
    one.context.close()


def main() -> None:
    """Take them all."""
    with browser_and_casino() as (browser, address):
        lobby = phone(browser, address, PHONE)
        shot(lobby, "lobby-phone")
        lobby.context.close()
        poker(browser, address, "Raffles", PHONE, "poker-phone")
        poker(browser, address, "Clarke", ON_ITS_SIDE, "phone-landscape")
        banked(browser, address)


if __name__ == "__main__":
    main()
