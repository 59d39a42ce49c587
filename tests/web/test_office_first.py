"""The first tables and the first jackpot of a House that has none, from the page of the office."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from croupier.live.demonstration import demonstration
from tests.house.quick import make_quick
from tests.house.staff import employ
from tests.live.accounts import log_in
from tests.live.conftest import PASSWORD, Running, running
from tests.web.conftest import Visitor
from tests.web.test_office import form, says
from tests.web.test_pages import violations


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A House of play money with a shift manager, and nothing on its floor."""
    make_quick(monkeypatch)
    with running(tmp_path, structs.replace(demonstration(), tables={}, links={})) as opened:
        employ(opened.casino.casino, "Sam", "shift manager", password=PASSWORD)
        yield opened


def fills(one: Visitor, title: str, **said: str) -> None:
    """Fill in a form and set it up."""
    here = form(one, title)
    for label, value in said.items():
        field = here.get_by_label(label.replace("_", " "), exact=False).first
        if field.evaluate("(node) => node.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    here.get_by_label("Why").fill("opening")
    here.get_by_role("button", name="Set it up").click()


@pytest.mark.slow
def test_the_first_of_each_kind_is_set_up_from_the_page(browser: Any, empty: Running):
    address = empty.url.rstrip("/")
    sam = Visitor(browser.new_context(viewport={"width": 820, "height": 1180}), address)
    jar = log_in(empty, "Sam").jar
    sam.context.add_cookies([{"name": c.name, "value": c.value, "url": address} for c in jar])
    sam.page.goto(f"{address}/office#setup")
    form(sam, "A first jackpot").wait_for()
    assert violations(sam.page) == []
    fills(
        sam,
        "A first jackpot",
        Name="Marina",
        Rulebook="multi-link-progressive-v3",
        Reset_value="10000",
        What_each_stake_adds="1",
    )
    says(sam, "Marina")
    form(sam, "A first banked table").wait_for()
    fills(
        sam,
        "A first banked table",
        Name="Marina-1",
        Rulebook="multi-link-progressive-v3",
        Ante_from="25",
        Ante_to="500",
        Bonus_from="5",
        Bonus_to="500",
        Progressive_Jackpot_bet="5",
    )
    says(sam, "Marina-1")
    poker = {"Small_Blind": "5", "Big_Blind": "10", "Stake_from": "200", "Chips": "1, 5, 25, 100"}
    more = {"Rake_in_percent": "5", "Cap_of_the_Rake": "30", "The_sign_shows": "yes"}
    fills(
        sam, "A first poker table", Name="Raffles", Rulebook="no-limit-holdem-v8", **poker, **more
    )
    sam.page.get_by_text("State the most that a Player may bring").wait_for()  # by v8 3.7
    fills(sam, "A first poker table", Stake_to="1000")
    says(sam, "Raffles")
    places = empty.casino.casino.office.state.places
    assert {"Marina", "Marina-1", "Raffles"} <= set(places)
    assert tuple(places["Raffles"].settings["blinds"]) == (500, 1000)
    assert {"Marina-1", "Raffles"} <= set(empty.casino.hubs), "they are open"
    assert sam.faults == []
    sam.context.close()
