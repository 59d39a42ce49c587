"""The pit console in a real browser, as staff of each rank: by touch, and by keyboard alone."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import PHONE, SECONDS, Visitor
from tests.web.test_pages import violations

NUMBERS = itertools.count(1)
TABLET = {"width": 820, "height": 1180}


@pytest.fixture
def staff(visitor: Callable[..., Visitor]) -> Callable[..., Visitor]:
    """Makes staff, who come in by the staff door."""

    def comes(name: str, post: str, **options: Any) -> Visitor:
        one = visitor(**({"viewport": TABLET} | options))
        one.name = f"{name} {next(NUMBERS)}"
        one.page.goto(f"{one.address}/")
        one.page.get_by_label("Name on duty").fill(one.name)
        one.page.locator(f'[data-post="{post}"]').click()
        one.page.locator(".tile").first.wait_for()
        return one

    return comes


@pytest.fixture
def table(visitor: Callable[..., Visitor], like: Callable[[str], str]) -> str:
    """A poker table at which two players are in a Betting Round."""
    name = like("Raffles")
    for player in ("Ann", "Bob"):
        visitor(player).sit(name)
    return name


REPORTS_AT = """(table) => {
  const now = document.activeElement;
  return now.textContent === "Report" && now.closest(".tile")?.dataset.place === table;
}"""
"""Whether the focus is on *Report* of this table."""


def tile(one: Visitor, table: str) -> Any:
    return one.page.locator(f'.tile[data-place="{table}"]')


def opens(one: Visitor, table: str) -> None:
    """Touch *Report* at a table, once somebody is to act there."""
    tile(one, table).get_by_text("to act").wait_for()
    tile(one, table).get_by_role("link", name="Report").click()
    one.page.locator(".pick.report").first.wait_for()


def report(one: Visitor, do: str) -> None:
    """Touch what happened; the ruling is shown."""
    one.page.locator(f'[data-report="{do}"]').first.click()
    one.page.locator(".before .headline").wait_for()


def rules(one: Visitor, option: str) -> None:
    """Answer a question: touch why, the answer, and that one is sure where that is asked."""
    why = one.page.locator(".why-so .choice")
    one.page.locator(".answer-card").first.wait_for()
    assert one.page.locator('.why-so .choice[aria-pressed="true"]').count() == 0
    if why.count():
        why.first.click()
    one.page.locator(f'[data-option="{option}"]').click()
    one.page.locator(".sure, .done, .asked-of-me .wrong:not(:empty)").first.wait_for()
    if one.page.locator(".sure").count():
        said = one.page.locator(f'[data-option="{option}"]').inner_text().split("\n")[0]
        assert one.page.locator(".sure").inner_text() == f"Decide: {said}"  # *Yes: No* says nothing
        one.page.locator(".sure").click()


def confirm(one: Visitor) -> str:
    """Confirm what is held, and read what came of it."""
    one.page.locator(".confirm").click()
    one.page.locator(".done").wait_for()
    said: str = one.page.locator(".done").inner_text()
    return said


def test_the_console_is_for_staff(visitor: Callable[..., Visitor]):
    one = visitor("Ann")
    one.page.goto(f"{one.address}/pit")
    one.page.get_by_role("heading", name="For staff on duty").wait_for()
    assert one.page.locator(".tile").count() == 0
    assert violations(one.page) == []


def test_a_misdeal_is_ruled_in_three_touches(staff: Callable[..., Visitor], table: str):
    """v8 5.3.1: what the supervisor confirms is what he saw before; in the dark of a floor."""
    sue = staff("Sue", "pit supervisor", color_scheme="dark")
    assert violations(sue.page) == []
    opens(sue, table)
    assert violations(sue.page) == []
    report(sue, "report exposed in cut")
    assert "Misdeal" in sue.page.locator(".headline h1").inner_text()
    assert violations(sue.page) == []
    said = confirm(sue)
    assert "Misdeal" in said
    assert violations(sue.page) == []


@pytest.mark.slow
def test_the_table_is_held_and_somebody_else_takes_it_over(
    staff: Callable[..., Visitor], table: str
):
    sue, max_ = staff("Sue", "pit supervisor"), staff("Max", "pit manager")
    opens(sue, table)
    report(sue, "report interruption")
    held = tile(max_, table).locator(".hold")
    held.wait_for()
    assert sue.name in held.inner_text()
    assert re.search(r"[01]:\d\d\s+left", held.inner_text())
    tile(max_, table).get_by_role("heading").get_by_role("link").click()
    max_.page.get_by_role("link", name=f"See what {sue.name} rules").click()
    max_.page.locator(".take").click()
    max_.page.locator(".confirm").wait_for()
    taken = sue.page.locator(".hold-line", has_text=max_.name)
    taken.wait_for()
    assert sue.page.locator(".confirm").count() == 0
    assert "void" in confirm(max_)
    sue.page.locator(".wrong", has_text="over").wait_for()


@pytest.mark.slow
def test_a_flop_of_four_cards(staff: Callable[..., Visitor], visitor: Callable[..., Visitor]):
    """v8 5.12: the dealer deals by hand and errs, reports it, and a manager has it put right."""
    players = [visitor("Ann"), visitor("Bob")]
    for one in players:
        one.sit("By hand 1")
    dan, max_ = staff("Dan", "dealer"), staff("Max", "pit manager")
    tile(dan, "By hand 1").get_by_role("link", name="Deal at").click()
    deal = dan.page.locator(".next-step")
    flop = dan.page.locator(".next-step", has_text="deal the flop")
    for _ in range(40):
        if flop.count():
            break
        for one in players:
            for act in ("Post blind", "Call", "Check"):
                if one.button(act).count():
                    one.button(act).first.click()
        if deal.count() and not flop.count():
            deal.click()
        dan.page.wait_for_timeout(500)
    dan.page.get_by_role("button", name="Make a mistake").click()
    dan.page.get_by_role("button", name="Four cards are dealt").click()
    dan.page.locator(".told", has_text="flop is dealt").wait_for()
    dan.page.get_by_role("link", name="Report", exact=True).click()
    report(dan, "report surplus cards")
    assert "5.12" in dan.page.locator(".headline .cite").inner_text()
    assert violations(dan.page) == []
    assert "Now waits for" in confirm(dan)
    need = max_.page.locator(".need", has_text="By hand 1")
    need.get_by_role("link", name="Decide").click()
    rules(max_, "no")
    max_.page.locator(".done").get_by_role("link", name="Go on").click()
    max_.page.get_by_role("button", name="Have the cards picked").click()
    max_.page.locator(".done").wait_for()
    players[0].page.wait_for_function(
        "() => document.querySelectorAll('.board playing-card.up').length === 3", timeout=SECONDS
    )


@pytest.mark.slow
def test_another_fact_is_another_ruling(staff: Callable[..., Visitor], table: str):
    sue = staff("Sue", "pit supervisor")
    opens(sue, table)
    report(sue, "report deck")
    headline = sue.page.locator(".headline h1")
    assert "51 cards" in headline.inner_text()
    sue.page.get_by_role("button", name="One fewer").click()
    sue.page.locator(".headline h1", has_text="50 cards").wait_for()
    sue.page.get_by_role("button", name="Give it up").click()
    sue.page.locator(".pick.report").first.wait_for()


@pytest.mark.slow
def test_a_decision_taken_by_two_at_once(staff: Callable[..., Visitor], table: str):
    """One wins; the other is told who was first."""
    dan = staff("Dan", "dealer")
    sam, sid = staff("Sam", "shift manager"), staff("Sid", "shift manager")
    opens(dan, table)
    report(dan, "report irregularity")
    assert "Now waits for a Shift Manager or above" in confirm(dan)
    for one in (sam, sid):
        need = one.page.locator(".need", has_text=table.replace("-", " "))
        need.get_by_role("link", name="Decide").first.click()
        one.page.locator(".answer-card").first.wait_for()
    assert violations(sam.page) == []
    assert "All bets go back" in sam.page.locator(".answer-card", has_text="Void").inner_text()
    # both have touched it before either page has looked again
    sid.page.route("**/api/pit", lambda route: route.abort())
    rules(sam, "continue")
    sam.page.locator(".done", has_text="continue").wait_for()
    rules(sid, "void")
    first = sid.page.locator(".wrong", has_text=f"{sam.name} (shift manager) has decided that")
    first.wait_for()
    assert "continue" in first.inner_text()


@pytest.mark.slow
def test_a_ruling_is_undone(staff: Callable[..., Visitor], table: str):
    sam = staff("Sam", "shift manager")
    opens(sam, table)
    report(sam, "report irregularity")
    confirm(sam)
    sam.page.get_by_role("link", name="Decide").click()
    rules(sam, "continue")
    sam.page.locator(".done", has_text="continue").wait_for()
    sam.page.get_by_role("link", name="Back to").click()
    sam.page.get_by_role("button", name="Undo the last ruling").click()
    sam.page.get_by_role("button", name="It rested on a wrong fact").click()
    sam.page.locator(".before .headline").wait_for()
    assert "takes the ruling back" in confirm(sam)


@pytest.mark.slow
def test_a_ruling_is_undone_before_the_table_goes_on(staff: Callable[..., Visitor], table: str):
    """On the page that says what was ruled; the table is held from *Report* until it is left."""
    sam, max_ = staff("Sam", "shift manager"), staff("Max", "pit manager")
    opens(sam, table)
    tile(max_, table).locator(".hold", has_text="looking for what to report").wait_for()
    report(sam, "report irregularity")
    confirm(sam)
    sam.page.get_by_role("link", name="Decide").click()
    why = sam.page.locator(".why-so")
    why.wait_for()
    assert "The book says so" not in why.inner_text()
    sam.page.locator('[data-option="void"]').click()
    sam.page.locator(".wrong", has_text="Say why first").wait_for()
    rules(sam, "void")
    sam.page.locator(".ruled-by", has_text="(shift manager) rules: void").wait_for()
    assert sam.page.locator(".ruled-by .cite").count() > 0
    assert violations(sam.page) == []
    sam.page.get_by_role("button", name="Undo this ruling").click()
    sam.page.get_by_role("button", name="It rested on a wrong fact").click()
    sam.page.locator(".before .headline", has_text="takes the ruling back").wait_for()
    assert "takes the ruling back" in confirm(sam)
    sam.page.locator(".done h1", has_text="Still open").wait_for()  # its question stands again
    sam.page.get_by_role("link", name="Decide").click()
    rules(sam, "continue")
    sam.page.locator(".done h1", has_text="Done at").wait_for()
    sam.page.locator("#pit").get_by_role("link", name="To the floor").click()
    opens(sam, table)
    sam.page.get_by_role("link", name="Let it go on").click()
    tile(max_, table).locator(".hold").wait_for(state="detached")


def test_by_keyboard_alone(staff: Callable[..., Visitor], table: str):
    """From the floor to the ruling: the link, the number of the report, C; Escape goes back."""
    sue = staff("Sue", "pit supervisor")
    tile(sue, table).get_by_text("to act").wait_for()
    sue.page.locator("h1").first.focus()
    for _ in range(sue.page.locator("a, button, select, input, summary").count()):
        sue.page.keyboard.press("Tab")
        if sue.page.evaluate(REPORTS_AT, table):
            break
    tile(sue, table).get_by_text("to act").wait_for()  # the table is held as it stands then
    sue.page.keyboard.press("Enter")
    first = sue.page.locator(".pick.report", has_text="Technical interruption")
    first.wait_for()
    sue.page.keyboard.press(str(first.get_attribute("data-shortcut")))
    sue.page.locator(".before .headline").wait_for()
    sue.page.keyboard.press("c")
    sue.page.locator(".done", has_text="void").wait_for()
    sue.page.keyboard.press("Escape")
    sue.page.locator(".tile").first.wait_for()


@pytest.mark.slow
def test_a_telephone_is_a_pager(staff: Callable[..., Visitor], table: str):
    """What needs him stands first, and the badge counts it, once he wants one."""
    sam = staff("Sam", "shift manager", viewport=PHONE)
    sam.page.get_by_role("button", name=sam.name).click()
    sam.page.get_by_label("Badge").check()
    assert violations(sam.page) == []
    sam.page.keyboard.press("Escape")
    dan = staff("Dan", "dealer")
    opens(dan, table)
    report(dan, "report irregularity")
    confirm(dan)
    need = sam.page.locator(".need", has_text=table.replace("-", " "))
    need.wait_for()
    sam.page.wait_for_function("() => /^\\(\\d+\\) /.test(document.title)", timeout=SECONDS)
    assert sam.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(sam.page) == []
    need.get_by_role("link", name="Decide").click()
    rules(sam, "continue")
    sam.page.locator(".done").wait_for()


@pytest.mark.slow
def test_a_jackpot_fails_and_is_repaired_by_who_may(staff: Callable[..., Visitor]):
    """A dealer is refused by the link itself; a manager's order is carried out."""
    dan, max_ = staff("Dan", "dealer"), staff("Max", "pit manager")
    for one in (dan, max_):
        one.page.get_by_role("link", name="Details: Orchard jackpot").click()
        one.page.get_by_role("button", name="Report a fault").click()
        one.page.get_by_role("button", name="The display has failed").click()
        answered = ".at-link .wrong:not(:empty)" if one is dan else ".at-link .told li"
        one.page.locator(answered).first.wait_for()
    assert "Pit Manager" in dan.page.locator(".at-link .wrong").inner_text()
    assert violations(max_.page) == []
    max_.page.get_by_role("button", name="It works again").click()
    max_.page.get_by_role("button", name="Tested, it counts again").click()
    max_.page.get_by_role("button", name="Report a fault").wait_for()


def test_who_has_a_name_takes_a_post_at_the_staff_door(visitor: Callable[..., Visitor]):
    """Staff do not play: the name is given up, and nobody has to find out how."""
    one = visitor("Ann")
    one.page.goto(one.address)
    one.page.locator(".staff-door [data-post='pit supervisor']").click()
    one.page.wait_for_url("**/pit")
    one.page.locator(".tile").first.wait_for()
