"""A casino that plays for money, in a browser: log in, log out, and no word of play money."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import structs

from croupier.live.config import Config
from croupier.live.demonstration import demonstration
from tests.live.conftest import PASSWORD, found_for_money, running
from tests.web.conftest import WIDE, Visitor


def for_money() -> Config:
    """One poker table, played for money."""
    shown = demonstration()
    tables = {"Raffles": structs.replace(shown.tables["Raffles"], bots=0)}
    return structs.replace(shown, mode="money", links={}, tables=tables, standing_orders={})


@pytest.fixture
def ann(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A visitor of a casino in which Ann has an account with 1,500."""
    folder = tmp_path_factory.mktemp("money")
    found_for_money(folder)
    with running(folder, for_money()) as house:
        office = house.casino.casino
        done = [
            office.hire("Cass", "cashier", PASSWORD, who="administrator", reason="the cage"),
            office.open_account("Ann", PASSWORD, who="Cass"),
            office.cash_in("Ann", 150_000, who="Cass"),
        ]
        assert [answer.refused for answer in done] == [None, None, None]
        one = Visitor(browser.new_context(viewport=WIDE, reduced_motion="reduce"), house.url)
        yield one
        one.context.close()
    assert one.faults == []


def give(visitor: Visitor, password: str) -> None:
    """Fill in the door's form."""
    visitor.page.get_by_label("Your name").fill("Ann")
    visitor.page.get_by_label("Password").fill(password)
    visitor.page.get_by_role("button", name="Log in").click()


def test_a_player_logs_in_and_out_in_the_lobby(ann: Visitor):
    page = ann.page
    page.goto(f"{ann.address}/")
    give(ann, "wrong")
    page.get_by_role("alert").filter(has_text="password").wait_for()
    give(ann, PASSWORD)
    page.locator(".bar .me", has_text="Account 1,500").wait_for()
    page.locator(".table-card").wait_for()
    assert "play money" not in page.locator("body").inner_text().lower()

    page.get_by_role("button", name="Log out").click()
    page.get_by_label("Password").wait_for()
    page.reload()
    page.get_by_label("Password").wait_for()
    assert page.locator(".bar .me strong").count() == 0, "the session is over"


def test_a_watcher_logs_in_at_the_table_and_sits_down(ann: Visitor):
    page = ann.page
    ann.go("Raffles")
    page.get_by_role("button", name="Take a seat").click()
    page.get_by_role("dialog", name="Log in").wait_for()
    give(ann, PASSWORD)
    page.get_by_role("button", name="Sit down with 500").click()
    page.get_by_role("button", name="Leave").wait_for()
    page.locator(".bar .purse", has_text="Account 1,000").wait_for()
    assert "play money" not in page.content().lower()

    page.goto(f"{ann.address}/")
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("alert").filter(has_text="You still sit at Raffles").wait_for()
