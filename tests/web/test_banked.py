"""A person plays a whole round of each banked game in a browser."""

from collections.abc import Callable

import pytest

from tests.web.conftest import PHONE, Visitor, first_of

TABLES = {
    "progressive-texas-holdem-v6": "Orchard",
    "multi-link-progressive-v2": "Sentosa-1",
    "multi-link-progressive-v3": "Marina-1",
}


def bet(player: Visitor, *spots: str) -> None:
    """Put the chip in hand on these spots."""
    for spot in spots:
        button = player.page.locator(f".spot.{spot}.offered")
        button.click()
        player.page.locator(f".spot.{spot}.lies").wait_for()


@pytest.mark.parametrize("book", first_of(reversed(TABLES)))
def test_a_whole_round_of_each_banked_game(
    visitor: Callable[..., Visitor], like: Callable[[str], str], book: str
):
    ann = visitor("Ann")
    ann.sit(like(TABLES[book]))
    page = ann.page
    bet(ann, "ante", "bonus", "progressive")
    ann.button("Deal").click()

    page.locator(".my-cards playing-card.up").nth(1).wait_for()
    assert page.locator(".my-words .hand").inner_text() != "", "the hand stands in words"
    ann.button("Flop bet 10").click()
    page.locator(".stage .centre playing-card.up").nth(2).wait_for()
    page.locator(".spot.turn.offered").click()  # one tap on the layout is a Turn bet
    ann.button("Check").click()
    page.locator(".settled-bets li.all").wait_for()

    settled = page.locator(".settled-bets").inner_text()
    for spot in ("Ante", "Bonus", "Progressive Jackpot", "Flop", "Turn", "In all"):
        assert spot in settled
    assert "River" not in page.locator(".settled-bets li b").all_inner_texts()
    assert any("The dealer's hand is shown" in line for line in ann.log())
    assert page.locator(".pays tr").count() > 10, "the pay tables are in view"
    assert page.locator(".jackpot-meter").inner_text().count(".") == 1


@pytest.mark.slow
def test_the_next_round_repeats_the_bet_and_folds(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann")
    ann.sit(like("Marina-1"))
    bet(ann, "ante", "bonus")
    ann.button("Deal").click()
    ann.button("Fold").click()
    ann.button("Repeat last bet 10").click()
    ann.page.locator(".spot.bonus.lies").wait_for()
    assert ann.page.locator(".spot.ante.lies strong").inner_text() == "5"
    ann.button("Take back").click()
    ann.page.locator(".spot.ante:not(.lies)").wait_for()


@pytest.mark.slow
def test_of_several_boxes_one_may_be_looked_at(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann")
    ann.sit(like("Marina-2"))
    page = ann.page
    bet(ann, "ante")
    page.locator(".box .empty:enabled").first.click()
    bet(ann, "ante")
    boxes = page.get_by_role("group", name="My boxes").get_by_role("button")
    assert boxes.count() == 2
    ann.button("Deal").click()
    ann.button("Flop bet").wait_for()
    assert page.locator(".my-cards playing-card.up").count() == 0, "which hand is his choice"
    ann.button("Look").click()
    page.locator(".my-cards playing-card.up").nth(1).wait_for()
    ann.button("Flop bet").click()
    page.locator(".my-cards playing-card:not(.up)").nth(1).wait_for()
    assert ann.button("Look").count() == 0, "the other one stays face down"
    ann.button("Fold").click()
    ann.button("Check").click()
    ann.button("Check").click()
    page.locator(".settled-bets li.all").wait_for()


@pytest.mark.slow
def test_whoever_has_too_little_for_the_next_bet_is_told_how_to_make_it(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann")
    ann.sit(like("Marina-1"))
    page = ann.page
    page.get_by_role("radio", name="Chip of 100").click()
    for _ in range(3):
        page.locator(".spot.ante.offered").click()
    short = "The Flop bet takes 600, your rack has 200: add chips to make it."
    says = page.locator(".my-words .says", has_text=short)
    says.wait_for()
    ann.button("Deal").click()
    ann.button("Fold").wait_for()
    assert says.is_visible()
    assert ann.button("Flop bet").count() == 0
    ann.button("Fold").click()
    ann.button("Repeat last bet 300").click()
    page.locator(".ruling", has_text="You have 200 in chips, 300 is needed.").wait_for()
    page.get_by_role("button", name="Add chips").click()
    page.get_by_label("Amount").first.fill("1000")
    page.get_by_role("button", name="Add 1,000").click()
    page.get_by_text("Your rack 1,200").wait_for()
    ann.button("Repeat last bet 300").click()
    page.get_by_text("You are in. Bets close when the time is over.").wait_for()


@pytest.mark.slow
def test_a_round_by_keyboard_alone(visitor: Callable[..., Visitor], like: Callable[[str], str]):
    ann = visitor("Ann")
    ann.go(like("Marina-1"))
    page, keys = ann.page, ann.page.keyboard
    for key in ("Tab", "Enter", "Tab", "Enter"):  # to the actions, take a box
        keys.press(key)
    page.get_by_role("dialog").wait_for()
    page.wait_for_timeout(400)  # what has just come takes no press at once
    keys.press("Enter")
    page.locator(".spot.ante.offered").wait_for()
    keys.press("1")
    keys.press("2")
    keys.press("a")
    page.locator(".spot.ante.lies").wait_for()
    keys.press("o")
    page.locator(".spot.bonus.lies").wait_for()
    ann.button("Deal").wait_for()
    keys.press("d")
    page.locator(".my-cards playing-card.up").nth(1).wait_for()
    called = page.locator("[aria-live=assertive]", has_text="Your decision. You have ")
    called.wait_for(state="attached")
    for key, window in (("b", "turn"), ("c", "river"), ("b", "")):
        offered = f".big .button:enabled:not([aria-disabled=true])[data-shortcut={key}]"
        page.locator(offered).wait_for()
        keys.press(key)
        if window:
            page.locator(f".spot.{window}.offered").wait_for()
    page.locator(".settled-bets li.all").wait_for()
    told = page.get_by_role("log", name="What happens at the table").inner_text()
    assert "The flop is shown" in told


def test_a_round_on_a_phone(visitor: Callable[..., Visitor], like: Callable[[str], str]):
    ann = visitor("Ann", viewport=PHONE, has_touch=True, is_mobile=True)
    ann.sit(like("Sentosa-2"))
    page = ann.page
    bet(ann, "ante", "bonus", "progressive")
    ann.button("Deal").click()
    ann.button("Flop bet").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for button in page.locator(".actions button:visible").all():
        box = button.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        assert box["y"] + box["height"] <= PHONE["height"]
    ann.button("Flop bet").click()
    ann.button("Check").click()
    ann.button("River bet").click()
    page.locator(".settled-bets li.all").wait_for()
    page.get_by_role("button", name="Log, past rounds and sign").click()
    page.get_by_role("tab", name="Sign").click()
    assert "Version 2" in page.locator(".sign").inner_text()
    assert "Superseded: " in page.locator(".sign").inner_text()


@pytest.mark.slow
def test_what_a_press_does_and_where_the_chips_are_is_said_as_it_is(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann")
    ann.sit(like("Marina-1"))
    page = ann.page
    page.locator(".spot.ante.offered").wait_for()
    page.keyboard.press("1")
    ante = page.locator(".spot.ante")
    assert ante.get_attribute("aria-label") == "Ante: nothing, add 5", "the least, not the chip"
    rack = page.locator(".seat-menu .rack")
    assert rack.inner_text() == "Your rack 500"
    ante.click()
    page.locator(".spot.ante.lies").wait_for()
    page.get_by_text("Your rack 495 · 5 on the table", exact=True).wait_for()
    assert ante.get_attribute("aria-label") == "Ante: 5, add 1"
    assert "1,000 to 1" in page.locator(".pays").nth(1).inner_text()
