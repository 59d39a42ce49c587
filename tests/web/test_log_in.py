"""A casino that plays for money, in a browser: log in, log out, and no word of play money."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import structs

from croupier.house.office import commands as orders
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
        one.office = office
        yield one
        one.context.close()
    assert one.faults == []


def give(visitor: Visitor, password: str, name: str = "Ann") -> None:
    """Fill in the form to log in."""
    visitor.page.get_by_label("Your name").fill(name)
    visitor.page.get_by_label("Password").fill(password)
    visitor.page.get_by_role("button", name="Log in").click()


def test_a_player_logs_in_and_out_in_the_lobby(ann: Visitor):
    page = ann.page
    page.goto(f"{ann.address}/")
    give(ann, "wrong")
    page.get_by_role("alert").filter(has_text=re.compile("^Wrong name or password")).wait_for()
    give(ann, PASSWORD)
    page.locator(".bar .me", has_text="Account 1,500").wait_for()
    page.locator(".table-card").wait_for()
    assert "play money" not in page.locator("body").inner_text().lower()

    page.get_by_role("button", name="Log out").click()
    page.get_by_label("Password").wait_for()
    page.reload()
    page.get_by_label("Password").wait_for()
    assert page.locator(".bar .me strong").count() == 0, "the session is over"


@pytest.mark.slow
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


def log_in(visitor: Visitor, name: str) -> None:
    """Log in in the lobby."""
    visitor.page.goto(f"{visitor.address}/")
    give(visitor, PASSWORD, name)
    visitor.page.locator(".bar .me strong", has_text=name).wait_for()


def test_staff_are_named_by_their_post_and_offered_no_seat(ann: Visitor):
    log_in(ann, "Cass")
    assert ann.page.locator(".bar .purse").inner_text() == "cashier, off duty"
    ann.go("Raffles")
    ann.page.get_by_text("Free").first.wait_for()
    assert ann.page.locator(".invite").is_hidden()
    assert ann.page.locator(".seat .empty:enabled").count() == 0


@pytest.mark.slow
def test_a_disabled_table_is_marked_and_nobody_can_sit_down(ann: Visitor):
    log_in(ann, "Ann")
    ann.go("Raffles")
    ann.page.locator(".invite .button").wait_for()
    office = ann.office
    hired = office.hire("Max", "shift manager", PASSWORD, who="administrator", reason="the pit")
    disable = orders.Disable(place="Raffles", reason="a chair is broken")
    done = [hired, office.tell(disable, who="Max")]
    assert [answer.refused for answer in done] == [None, None]
    ann.go("Raffles")
    ann.page.get_by_text("This table is disabled: a chair is broken.").wait_for()
    assert ann.page.locator(".invite").is_hidden()
    assert ann.page.locator(".seat .empty:enabled").count() == 0
    ann.page.goto(f"{ann.address}/")
    ann.page.get_by_text("This table is disabled: a chair is broken.").wait_for()
    assert ann.page.locator(".table-card .tag.shut").is_visible()
