"""The pictures of lobby and tables on a wide screen: `python -m tests.web.table_pictures [NAME …]`.

Bots play with whoever is photographed, so no two are alike.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from tests.web.conftest import Visitor
from tests.web.phone_pictures import PATIENCE, browser_and_casino, shot
from tests.web.test_banked import bet
from tests.web.test_private import made

SCREEN = {"width": 1280, "height": 800}
OWN = """localStorage.setItem("croupier-settings", '{"confirm": false}');
localStorage.setItem("croupier-blinds", '{"straddle": "never", "pays": true}');"""
"""Nothing is asked in a picture."""


def guest(browser: Any, address: str, name: str = "Ann") -> Visitor:
    """Somebody new with a wide screen."""
    one = Visitor(browser.new_context(viewport=SCREEN, reduced_motion="reduce"), address)
    one.page.set_default_timeout(PATIENCE)
    one.enter(name)
    one.page.evaluate(OWN)
    return one


def lobby(one: Visitor) -> None:
    """All tables, before a name is given."""
    one.context.clear_cookies()
    one.page.goto(f"{one.address}/")
    one.page.locator(".table-card").nth(7).wait_for()
    shot(one, "lobby")


def preflop(one: Visitor) -> None:
    """A turn before the flop."""
    one.sit("Raffles")
    one.page.locator(".seat.mine playing-card.up").first.wait_for()
    one.button("Fold").wait_for()
    shot(one, "poker-preflop")


def paid(one: Visitor) -> None:
    """A pot that others won: the player's own folded hand stays visible."""
    one.sit("Clarke")
    one.button("Fold").wait_for()
    one.plays("f")
    one.page.locator(".seat.mine.gone").wait_for()
    one.page.locator(".stage .settled li").first.wait_for()
    shot(one, "poker-paid")


def showdown(one: Visitor) -> None:
    """Several pots, and the five cards that won."""
    one.sit("Raffles")
    one.plays("a", "c")
    for _ in range(30):
        one.page.locator(".stage .settled li").first.wait_for()
        several = one.page.locator(".stage .settled li").count() > 1
        if several and one.page.locator(".stage playing-card.best").count():
            shot(one, "poker-showdown")
            return
        one.page.locator(".stage .settled li").first.wait_for(state="detached")
        again = one.page.get_by_role("button", name="Buy in again")
        if again.is_visible():
            again.click()
            one.page.locator("dialog .button.main").click()


def banked(one: Visitor) -> None:
    """Bets, a decision, and why each bet won or lost."""
    one.sit("Marina-1")
    bet(one, "ante", "bonus", "progressive")
    shot(one, "banked-bets")
    one.button("Flop bet").click()
    one.button("Turn bet").wait_for()
    shot(one, "banked-decision")
    one.button("Turn bet").click()
    one.button("River bet").click()
    one.page.locator(".settled-bets:not(.past) li.all").wait_for()
    shot(one, "banked-settlement")


def private(one: Visitor) -> None:
    """Two friends who talk."""
    other = Visitor(one.context.browser.new_context(viewport=SCREEN), one.address)
    other.enter("Bob")
    address = made(one)
    for each, words in ((one, "Welcome"), (other, "Hello, nice felt")):
        each.page.goto(f"{one.address}{address}" if address.startswith("/") else address)
        each.page.locator(".invite .button").click()
        each.page.get_by_role("button", name="Sit down with").click()
        each.page.get_by_label("Say something").fill(words)
        each.page.get_by_role("button", name="Say", exact=True).click()
    one.page.locator(".seat.mine playing-card.up").first.wait_for()
    shot(one, "private-table")
    other.context.close()


PICTURES: dict[str, Callable[[Visitor], None]] = {
    each.__name__: each for each in (lobby, preflop, paid, banked, private, showdown)
}


def main(names: list[str]) -> None:
    """Take all, or those that are named."""
    with browser_and_casino() as (browser, address):
        for name in names or PICTURES:
            one = guest(browser, address)
            try:
                PICTURES[name](one)
            finally:
                one.context.close()


if __name__ == "__main__":
    main(sys.argv[1:])
