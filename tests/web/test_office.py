"""The office in a real browser: the emergency stop, the cage, corrections by two, trays, waiting
lists; by staff of each rank, by touch and by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from croupier.live.config import Config
from tests.house.quick import make_quick
from tests.house.staff import employ
from tests.live.accounts import for_money, log_in, people
from tests.live.conftest import PASSWORD, Running, found_for_money, running
from tests.web.conftest import PHONE, WIDE, Visitor
from tests.web.test_pages import violations

TABLET = {"width": 820, "height": 1180}
VIEWS = ("", "people", "duty", "cage", "tables", "links", "setup", "trays", "waiting", "reports")
Comes = Callable[..., Visitor]


def with_areas() -> Config:
    config = for_money()
    raffles = structs.replace(config.tables["Raffles"], area="poker room")
    return structs.replace(config, tables={**config.tables, "Raffles": raffles, "Clarke": raffles})


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A House of real money, with somebody in every role."""
    folder = tmp_path_factory.mktemp("office")
    with pytest.MonkeyPatch.context() as patch:
        make_quick(patch)
        found_for_money(folder)
        with running(folder, with_areas()) as opened:
            office = opened.casino.casino
            people(office)
            office.set_password("administrator", PASSWORD, who="administrator")
            employ(office, "Sam", "shift manager", password=PASSWORD)
            yield opened


@pytest.fixture
def comes(house: Running, browser: Any) -> Iterator[Comes]:
    """Somebody who has logged in opens a view of the office."""
    made: list[Visitor] = []

    def opens(name: str, view: str = "", size: dict[str, int] = WIDE, **more: Any) -> Visitor:
        one = Visitor(
            browser.new_context(viewport=size, reduced_motion="reduce", **more), house.url
        )
        jar = log_in(house, name).jar
        one.context.add_cookies([{"name": c.name, "value": c.value, "url": house.url} for c in jar])
        made.append(one)
        one.page.goto(f"{house.url}/office#{view}")
        one.page.locator("main h1").wait_for()
        return one

    yield opens
    for one in made:
        one.context.close()
    assert [fault for one in made for fault in one.faults] == []


def form(one: Visitor, title: str) -> Any:
    return one.page.get_by_role("form", name=title, exact=True)


def says(one: Visitor, sentence: str) -> None:
    """What came of the last order."""
    one.page.locator(".told.note", has_text=sentence).wait_for()


def test_one_person_stops_everything_in_two_touches_and_another_opens_again(
    comes: Comes, house: Running
):
    max_ = comes("Max", size=PHONE)
    max_.page.get_by_role("button", name="Emergency stop").click()
    assert house.casino.why_closed("Raffles") == "", "one touch stops nothing"
    assert violations(max_.page) == []
    max_.page.get_by_role("button", name="Stop everything now").click()
    stopped = max_.page.locator(".is-stopped")
    stopped.wait_for()
    assert house.casino.why_closed("M1") == "The casino is disabled: Emergency stop."
    assert "A shift manager or administrator opens again" in stopped.inner_text()
    assert violations(max_.page) == []
    sam = comes("Sam", size=TABLET)
    again = form(sam, "Open again")
    again.get_by_role("button").click()
    again.get_by_text("Say why it may go on.").wait_for()
    again.get_by_label("Why it may go on").fill("a false alarm")
    again.get_by_role("button").click()
    sam.page.get_by_role("button", name="Emergency stop").wait_for()
    assert house.casino.why_closed("M1") == ""


def test_who_goes_off_duty_is_said_to_be_at_the_top(comes: Comes):
    sam = comes("Sam", "duty")
    top = sam.page.locator(".bar .rank")
    assert top.inner_text() == "Shift manager"
    for button, said, rank in (
        ("Go off duty", "Sam goes off duty", "Shift manager, off duty"),
        ("Go on duty", "Sam is on duty", "Shift manager"),
    ):
        form(sam, "On and off duty").get_by_role("button", name=button).click()
        says(sam, said)
        assert top.inner_text() == rank


def test_a_rank_that_is_too_low_is_refused_by_the_server(comes: Comes, house: Running):
    dan = comes("Dan", "cage")
    assert dan.page.get_by_text("takes a cashier or shift manager").first.is_visible()
    assert dan.page.get_by_role("button", name="Emergency stop").count() == 0
    token = dan.page.request.get(f"{house.url}/api/me").json()["token"]
    for command in (
        {"do": "cash in", "player": "Ann", "amount": 100},
        {"do": "disable", "reason": "x"},
        {"do": "close day", "day": "2026-11-16"},
    ):
        answer = dan.page.request.post(
            f"{house.url}/api/office/commands",
            data={"id": f"too-low-{command['do'].replace(' ', '-')}", "command": command},
            headers={"X-Croupier-Token": token, "Origin": house.url},
        )
        assert answer.status == 409, answer.text()
        assert "Dan is dealer" in answer.json()["says"]


@pytest.mark.slow
def test_a_player_is_not_let_in(comes: Comes):
    ann = comes("Ann")
    ann.page.get_by_role("heading", name="For the staff of the House").wait_for()
    assert violations(ann.page) == []


@pytest.mark.slow
def test_what_is_wrong_in_a_form_stands_beside_the_field(comes: Comes):
    cal = comes("Cal", "cage")
    cash = form(cal, "Cash in and out")
    cash.get_by_role("button", name="Take in").click()
    cash.get_by_text("Fill in “Player”.").wait_for()
    cash.get_by_label("Player").fill("Zoe")
    cash.get_by_label("Amount").fill("ten")
    cash.get_by_role("button", name="Take in").click()
    wrong = cash.locator(".field", has_text="Amount").locator(".wrong")
    assert wrong.inner_text() == "Write an amount, such as 500 or 2.50."
    assert cash.get_by_label("Amount").get_attribute("aria-invalid") == "true"
    cash.get_by_label("Amount").fill("10")
    cash.get_by_role("button", name="Take in").click()
    nobody = cash.locator(".field", has_text="Player").locator(".wrong")
    nobody.get_by_text("Nobody here is called Zoe.").wait_for()
    assert violations(cal.page) == []
    cash.get_by_label("Player").fill("Ann")
    cash.get_by_role("button", name="Take in").click()
    says(cal, "Ann")
    ada = comes("administrator", "people")
    hire = form(ada, "Take somebody on")
    hire.get_by_label("Name").fill("Kim")
    hire.get_by_label("First password").fill("short")
    hire.get_by_label("Why").fill("busy")
    hire.get_by_role("button").click()
    hire.get_by_text("A password has 8 to 200 characters.").wait_for()
    hire.get_by_label("First password").fill("long enough")
    hire.get_by_role("button").click()
    says(ada, "Kim")


@pytest.mark.slow
def test_two_people_put_an_account_right(comes: Comes, house: Running):
    cal = comes("Cal", "cage")
    propose = form(cal, "Propose a correction")
    propose.get_by_label("From account").fill("house/bank")
    propose.get_by_label("To account").fill("player/Bob")
    propose.get_by_label("Amount").fill("2.50")
    propose.get_by_label("Why").fill("a miscount")
    propose.get_by_role("button").click()
    says(cal, "Cal proposes correction 1")
    waits = cal.page.get_by_role("table", name="Corrections that wait")
    assert "a second person approves" in waits.inner_text()
    before = house.casino.identity.funds("Bob") or 0
    sam = comes("Sam", "cage")
    sam.page.get_by_role("button", name="Approve correction 1").click()
    says(sam, "Sam")
    assert house.casino.identity.funds("Bob") == before + 250


@pytest.mark.slow
def test_a_tray_from_its_opening_to_the_day_that_is_closed(comes: Comes):
    """By keyboard alone where it is counted."""
    dan = comes("Dan", "trays", TABLET)
    count = form(dan, "Count a tray")
    count.get_by_label("Table").select_option("Raffles")
    count.get_by_role("button", name="Put the count on record").click()
    count.get_by_text("Write how many chips there are of each value").wait_for()
    count.get_by_label("of 5", exact=True).focus()
    dan.page.keyboard.type("40")
    dan.page.keyboard.press("Tab")
    dan.page.keyboard.type("20")
    assert count.locator(".sum").inner_text() == "700"
    dan.page.keyboard.press("Enter")
    says(dan, "Dan counts 700 in the tray of table Raffles (opening).")
    sue = comes("Sue", "trays")
    fill = form(sue, "Fill or credit")
    fill.get_by_label("Table").select_option("Raffles")
    fill.get_by_label("of 5", exact=True).fill("20")
    fill.get_by_label("Why").fill("low on fives")
    fill.get_by_role("button", name="Order a fill").click()
    says(sue, "orders a fill of 100")
    assert sue.page.get_by_role("button", name="Sign slip 1").count() == 0, "her own"
    cal = comes("Cal", "trays")
    cal.page.get_by_role("button", name="Sign slip 1").click()
    says(cal, "signed by Sue and Cal")
    dan.page.reload()
    count = form(dan, "Count a tray")
    count.get_by_label("Table").select_option("Raffles")
    count.get_by_label("At the").select_option("closing")
    count.get_by_label("of 5", exact=True).fill("59")
    count.get_by_label("of 25", exact=True).fill("20")
    count.get_by_role("button").click()
    says(dan, "795")
    assert dan.page.locator(".differs").inner_text() == "\u22125"
    sam = comes("Sam", "trays")
    close = form(sam, "Close the gaming day")
    assert "These differ: Raffles \u22125" in close.inner_text()
    close.get_by_label("What differs and why").fill("5 short, counted twice")
    close.get_by_role("button").click()
    says(sam, "Sam closes the gaming day")
    sam.page.goto(f"{sam.address}/office/day")
    assert sam.page.get_by_role("heading", name="Gaming day").is_visible()
    assert "795" in sam.page.inner_text("body")


@pytest.mark.slow
def test_a_waiting_list_and_the_own_place_in_the_lobby(comes: Comes):
    dan = comes("Dan", "waiting", PHONE)
    for name in ("Ann", "Walter"):
        add = form(dan, "Put a name on a list")
        add.get_by_label("List of").select_option("poker room")
        add.get_by_label("Name").fill(name)
        add.get_by_role("button").click()
        dan.page.locator("tr", has_text=f". {name}").wait_for()
    dan.page.get_by_role("button", name="Call Walter").click()
    dan.page.get_by_text("Ann has waited longer").wait_for()
    dan.page.get_by_label("Why Walter is called out of turn").fill("only wants Clarke")
    dan.page.get_by_role("button", name="Call Walter").click()
    says(dan, "out of turn: only wants Clarke")
    ann = comes("Ann")
    ann.page.goto(f"{ann.address}/")
    ann.page.get_by_text("You are number 1 on the list of poker room.").wait_for()
    dan.page.get_by_label("Table for Ann").select_option("Raffles")
    dan.page.get_by_role("button", name="Call Ann").click()
    says(dan, "Ann is called to table Raffles")
    ann.page.get_by_text("A seat is free for you: go to Raffles.").wait_for()
    assert violations(dan.page) == []


STICKS_OUT = """() => [...document.querySelectorAll("form.order")].flatMap((form) => {
  const end = form.getBoundingClientRect().right - parseFloat(getComputedStyle(form).paddingRight);
  return [...form.querySelectorAll("input, select, button")]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > end + 1)
    .map((each) => each.textContent || each.name);
})"""
"""What reaches over the inner edge of a form."""


def test_what_a_form_asks_stays_in_it_on_the_smallest_telephone(comes: Comes):
    sam = comes("Sam", size={"width": 320, "height": 640})
    for view in VIEWS:
        sam.page.goto(f"{sam.address}/office#{view}")
        sam.page.locator(".views [aria-current]").wait_for()
        sam.page.wait_for_timeout(200)
        assert sam.page.evaluate(STICKS_OUT) == [], view


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("size", [WIDE, TABLET, PHONE], ids=["wide", "tablet", "phone"])
def test_every_view_is_free_of_faults_that_axe_knows(
    comes: Comes, size: dict[str, int], scheme: str, tmp_path: Path
):
    sam = comes("Sam", size=size, color_scheme=scheme)
    for view in VIEWS:
        sam.page.goto(f"{sam.address}/office#{view}")
        sam.page.locator(".views [aria-current]").wait_for()
        sam.page.wait_for_timeout(300)
        assert violations(sam.page) == [], view
        wide = sam.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size["width"], view


@pytest.mark.slow
def test_a_table_that_nobody_approved_is_not_set_up_and_one_closes_after_its_last_round(
    comes: Comes, house: Running
):
    """For money only what the approved manifest names is opened; that is said in the form."""
    sam = comes("Sam", "setup")
    poker = form(sam, "A poker table")
    poker.get_by_label("Name").fill("Raffles-2")
    poker.get_by_label("Like table").select_option("Raffles")
    poker.get_by_label("Small Blind").fill("10")
    poker.get_by_label("Big Blind").fill("20")
    poker.get_by_label("Why").fill("a third game")
    poker.get_by_role("button", name="Set it up").click()
    poker.get_by_text("The approved manifest does not name it").wait_for()
    assert "Raffles-2" not in house.casino.casino.office.state.places
    sam.page.goto(f"{sam.address}/office#tables")
    last = form(sam, "Announce the last round")
    last.get_by_label("Table").select_option("Clarke")
    last.get_by_label("Why").fill("end of day")
    last.get_by_role("button", name="Announce it").click()
    says(sam, "Table Clarke closes after round 1, its last one: end of day.")
    ann = comes("Ann")
    ann.page.goto(f"{ann.address}/table/Clarke")
    ann.page.get_by_text("This table closes: the next round is its last one").wait_for()
