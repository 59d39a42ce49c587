"""Responsible play where money is real: limits that a player sets, a break, and the statement, in
the browser of the player."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.live.accounts import log_in, money_house
from tests.live.conftest import Running
from tests.web.conftest import PHONE, WIDE, Visitor
from tests.web.test_pages import violations


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    with money_house(tmp_path) as made:
        yield made


def opened(browser: Any, house: Running, size: dict[str, int]) -> Visitor:
    """Ann, logged in, with the dialog of her limits open."""
    one = Visitor(browser.new_context(viewport=size, reduced_motion="reduce"), house.url)
    jar = log_in(house, "Ann").jar
    one.context.add_cookies([{"name": c.name, "value": c.value, "url": house.url} for c in jar])
    one.page.goto(house.url)
    one.page.get_by_role("button", name="Limits and statement").click()
    one.page.get_by_role("dialog", name="Limits and statement").wait_for()
    return one


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_a_limit_is_lower_at_once_and_higher_after_a_day(
    browser: Any, house: Running, size: dict[str, int]
):
    ann = opened(browser, house, size)
    page = ann.page
    loss = page.locator("form.field", has_text="Most to lose in a day")
    loss.get_by_text("no limit").wait_for()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    def put(amount: str) -> None:
        loss.get_by_label("Most to lose in a day").fill(amount)
        loss.get_by_role("button", name="Set").click()

    put("2oo")
    page.get_by_text("“2oo” is no amount.").wait_for()
    loss.get_by_text("no limit").wait_for()
    put("500")
    loss.get_by_text("Most to lose in a day: 500").wait_for()
    put("200")
    loss.get_by_text("Most to lose in a day: 200").wait_for()
    put("900")
    loss.get_by_text("900 from").wait_for()
    loss.get_by_text("Most to lose in a day: 200").wait_for()
    loss.get_by_role("button", name="Take away").click()
    loss.get_by_text("no limit from").wait_for()
    loss.get_by_text("Most to lose in a day: 200").wait_for()
    page.get_by_text("The last 30 days").wait_for()
    assert ann.faults == []
    ann.context.close()


@pytest.mark.slow
def test_a_break_is_asked_for_once_and_then_it_is_so(browser: Any, house: Running):
    ann = opened(browser, house, WIDE)
    page = ann.page
    page.get_by_role("button", name="Break for a day").click()
    page.get_by_role("dialog", name="Take a break?").get_by_role("button", name="Back").click()
    page.get_by_text("A break or exclusion is never shortened.").wait_for()
    page.get_by_role("button", name="Break for a day").click()
    asked = page.get_by_role("dialog", name="Take a break?")
    asked.get_by_text("Nobody can make that shorter.").wait_for()
    asked.get_by_role("button", name="Break for a day").click()
    page.get_by_text("You take a break until").wait_for()
    assert ann.faults == []
    ann.context.close()


def tries_to_sit(ann: Visitor) -> str:
    """She tries to sit down at a poker table; what the page says to it."""
    page = ann.page
    page.goto(f"{ann.address}/table/Raffles")
    page.locator(".invite .button").click()
    page.get_by_role("button", name="Sit down with").click()
    wrong = page.locator("dialog .wrong:not(:empty)")
    wrong.wait_for()
    said: str = wrong.inner_text()
    return said


@pytest.mark.slow
def test_who_is_excluded_plays_nowhere_and_hears_until_when(browser: Any, house: Running):
    ann = opened(browser, house, WIDE)
    page = ann.page
    page.get_by_role("button", name="Exclude me for half a year").click()
    asked = page.get_by_role("dialog", name="Be excluded?")
    asked.get_by_text("For 180 days you can bring no money").wait_for()
    assert violations(page) == []
    asked.get_by_role("button", name="Exclude me for half a year").click()
    page.get_by_text("You are excluded until").wait_for()
    said = tries_to_sit(ann)
    assert re.fullmatch(r"You are excluded until .* UTC, by your own wish\.", said), said
    page.goto(ann.address)
    page.get_by_role("button", name="Limits and statement").click()
    page.get_by_text("You are excluded until").wait_for()
    page.get_by_text("The last 30 days").wait_for()
    assert ann.faults == []
    ann.context.close()


@pytest.mark.slow
def test_nobody_brings_more_to_a_table_than_he_may_lose(browser: Any, house: Running):
    ann = opened(browser, house, PHONE)
    page = ann.page
    loss = page.locator("form.field", has_text="Most to lose in a day")
    loss.get_by_label("Most to lose in a day").fill("100")
    loss.get_by_role("button", name="Set").click()
    loss.get_by_text("Most to lose in a day: 100").wait_for()
    assert tries_to_sit(ann) == "Your loss limit is 100 a day; 100 of it is left now."
    assert ann.faults == []
    ann.context.close()
