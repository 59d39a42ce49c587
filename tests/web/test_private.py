"""A private table among friends, and one's own hands, in a real browser."""

from collections.abc import Callable

import pytest

from croupier.live import private_tables
from croupier.table.money import write_money
from tests.web.conftest import PHONE, Visitor
from tests.web.test_pages import violations

SIZE = "node => parseFloat(getComputedStyle(node).fontSize)"


def made(ann: Visitor) -> str:
    """Ann makes a private table; its address."""
    page = ann.page
    page.get_by_role("button", name="Make a private table").click()
    most = write_money(private_tables.BLIND_AT_MOST)
    wrong = page.get_by_text(f"A Small Blind is a whole amount from 1 to {most}.")
    make = page.get_by_role("button", name="Make the table")
    for refused in ("0", "2.50", "501", "999999999", "3o", "-5", ""):
        page.get_by_label("Small Blind").fill(refused)
        wrong.wait_for()
        assert page.get_by_text("to sit down.").count() == 0
        assert make.is_disabled()
        page.get_by_label("Small Blind").fill(most)
        wrong.wait_for(state="hidden")
        assert make.is_enabled()
    page.get_by_label("Small Blind").fill("2")
    page.get_by_text("Blinds 2 and 4, from 80 to sit down.").wait_for()
    assert violations(page) == []
    page.get_by_role("button", name="Make the table").click()
    page.get_by_text("This server answers on this machine only").wait_for()
    link = page.get_by_role("link", name="To the table", exact=True)
    address: str = link.get_attribute("href") or ""
    link.click()
    return address


def sits(one: Visitor, address: str) -> None:
    one.page.goto(address)
    one.page.locator(".invite .button").click()
    one.page.get_by_role("button", name="Sit down with").click()
    one.page.get_by_role("button", name="Leave").wait_for()


def test_friends_meet_by_a_link_talk_and_mute(visitor: Callable[..., Visitor]):
    ann, bob = visitor(), visitor("Bob", viewport=PHONE)
    ann.enter("Ann")
    address = made(ann)
    sits(ann, address)
    sits(bob, address)
    bob.page.get_by_role("button", name="Log").click()
    bob.page.get_by_role("tab", name="Chat").click()
    bob.page.get_by_label("Say something").fill("<img src=x onerror=alert(1)> hello")
    bob.page.get_by_role("button", name="Say", exact=True).click()
    line = ann.page.locator(".chat-lines li", has_text="hello")
    line.wait_for()
    assert line.locator("img").count() == 0, "words are words"
    assert violations(ann.page) == []
    line.get_by_role("button", name="Mute").click()
    ann.page.locator(".chat-lines li.muted").wait_for()
    assert ann.page.locator(".chat-lines", has_text="hello").count() == 0
    ann.page.get_by_role("tab", name="Sign").click()
    ann.page.get_by_role("button", name="Report a player").click()
    ann.page.get_by_label("What happened").fill("He shouts")
    ann.page.get_by_role("button", name="Report to the pit").click()
    ann.page.get_by_text("Somebody of the pit looks at it.").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, PHONE])
def test_my_hands_are_drawn_listed_and_downloaded(
    visitor: Callable[..., Visitor], like: Callable[[str], str], size: dict[str, int]
):
    ann, bob = visitor("Ann", viewport=size), visitor("Bob")
    table = like("Raffles")
    for one in (ann, bob):
        one.sit(table)
        one.plays("f", "c")
    ann.paid()
    ann.page.goto(f"{ann.address}/hands")
    ann.page.locator("ul.rounds li").first.wait_for()
    assert ann.page.locator(".over-time polyline").count() == 1
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(ann.page) == []
    with ann.page.expect_download() as download:
        ann.page.get_by_role("link", name="PHH collection").click()
    assert download.value.suggested_filename == "my-hands-phhs.zip"
    ann.page.locator("ul.rounds a").first.click()
    ann.page.locator("#controls").wait_for()


@pytest.mark.slow
def test_text_is_as_large_as_one_likes_and_nothing_is_cut_off(visitor: Callable[..., Visitor]):
    one = visitor(viewport=PHONE)
    one.page.goto(f"{one.address}/")
    one.page.get_by_role("button", name="Settings").click()
    words = one.page.locator(".welcome p").first
    before = words.evaluate(SIZE)
    one.page.get_by_label("Text size").select_option("150")
    one.page.wait_for_timeout(100)  # where nothing moves, a style takes a frame
    assert words.evaluate(SIZE) == pytest.approx(1.5 * before)
    for path in ("/", "/table/Raffles", "/table/Marina-1", "/hands"):
        one.page.goto(f"{one.address}{path}")
        one.page.locator("h1").first.wait_for()
        assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
