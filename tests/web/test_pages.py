"""What holds of every page: its size, where it loads from, and that everybody can use it."""

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.web.conftest import PHONE, Visitor, first_of
from tests.web.test_banked import bet

A_PAGE = 150_000
"""Bytes that a page may weigh in all, as they come over the wire."""


def violations(page: Any) -> list[str]:
    """What axe finds wrong with a page as it stands."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {rule['help']}: {node['target']} {node.get('failureSummary', '')}"
        for rule in found
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize(
    ("path", "shows"),
    [
        ("/", ".table-card"),
        ("/table/Raffles", ".seat .empty:visible"),
        ("/table/Marina-1", ".box .empty:visible"),
    ],
)
def test_pages_are_small_and_load_from_nowhere_else(
    visitor: Callable[..., Visitor], path: str, shows: str
):
    one = visitor()
    loaded: list[Any] = []
    one.page.on("response", lambda response: loaded.extend([response]))
    one.page.goto(f"{one.address}{path}")
    one.page.locator(shows).first.wait_for()
    one.page.wait_for_load_state("networkidle")
    whole = [response for response in loaded if response.status == 200]
    weight = sum(response.request.sizes()["responseBodySize"] for response in whole)
    assert 10_000 < weight < A_PAGE, f"{weight} bytes"
    assert {urlsplit(response.url).netloc for response in loaded} == {urlsplit(one.address).netloc}


def test_the_lobby_shows_every_table_and_who_sits_there(visitor: Callable[..., Visitor]):
    ann = visitor("Ann")
    ann.sit("Sentosa-2")
    other = visitor()
    other.page.goto(f"{other.address}/")
    cards = other.page.locator(".table-card")
    cards.first.wait_for()
    shown = set(cards.locator(".place").all_inner_texts())
    tables = "Raffles, Clarke, Orchard, Marina 1, Marina 2, Sentosa 1, Sentosa 2"
    assert set(tables.split(", ")) <= shown
    sentosa = cards.filter(has_text="Sentosa 2")
    assert ann.name in sentosa.locator(".people").inner_text()
    assert re.search(r"27,3\d\d\.00", sentosa.locator(".meter").inner_text())
    assert sentosa.locator(".tag.old:visible").count() == 1, "a superseded book is marked"
    assert cards.filter(has_text="Marina 1").locator(".tag.old:visible").count() == 0
    assert violations(other.page) == []


@pytest.mark.slow
def test_the_lobby_leads_to_the_ruling_desk(visitor: Callable[..., Visitor]):
    one = visitor()
    one.page.goto(f"{one.address}/")
    one.page.get_by_role("link", name="Ruling desk").click()
    one.page.locator('[data-book="poker-v5"]').click()
    one.page.locator('[data-incident="exposed-in-the-deal"]').first.click()
    one.page.locator(".branch .cite").first.wait_for()


def test_a_watcher_sees_no_hand_and_may_take_a_seat(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    table = like("Marina-1")
    ann = visitor("Ann")
    ann.sit(table)
    watcher = visitor()
    watcher.go(table)
    bet(ann, "ante")
    ann.button("Deal").click()
    ann.page.locator(".my-cards playing-card.up").nth(1).wait_for()
    watcher.page.locator(".box .hole playing-card").nth(1).wait_for()
    assert watcher.page.locator(".box .hole playing-card.up").count() == 0
    watcher.page.get_by_role("button", name="Take a box").click()
    watcher.page.get_by_role("dialog", name="Your name").get_by_role("textbox").fill("Cho")
    watcher.page.get_by_role("button", name="Enter").click()
    watcher.page.get_by_role("button", name="Sit down with").click()
    watcher.page.get_by_role("button", name="Leave").wait_for()
    ann.button("Fold").click()


@pytest.mark.parametrize("everywhere", first_of([False, True]))
def test_tables_are_free_of_faults_that_axe_knows(
    visitor: Callable[..., Visitor], like: Callable[[str], str], everywhere: bool
):
    """In the slow set also at a phone, before a bet is decided, and behind every tab."""
    table = like("Raffles")
    ann, ben = visitor("Ann"), visitor("Ben", viewport=PHONE)
    ann.sit(table)
    ben.sit(table)
    for player in (ann, ben):
        player.page.locator(".seat.mine playing-card.up").nth(1).wait_for(state="attached")
    for player in (ann, ben) if everywhere else (ann,):
        assert violations(player.page) == []
        player.page.get_by_role("button", name="Settings").click()
        assert violations(player.page) == []
        player.page.keyboard.press("Escape")

    banker = visitor("Cho")
    banker.sit(like("Marina-1"))
    bet(banker, "ante", "bonus", "progressive")
    assert not everywhere or violations(banker.page) == []
    banker.button("Deal").click()
    banker.button("Flop bet").click()
    banker.button("Check").click()
    assert not everywhere or violations(banker.page) == []
    banker.button("Check").click()
    banker.page.locator(".settled-bets li.all").wait_for()
    assert violations(banker.page) == []
    for tab in ("Log", "Rounds", "Sign") if everywhere else ("Log",):
        banker.page.get_by_role("tab", name=tab).click()
        banker.page.wait_for_timeout(150)
        assert violations(banker.page) == []


@pytest.mark.slow
def test_the_check_with_axe_can_fail(visitor: Callable[..., Visitor]):
    one = visitor()
    one.go("Raffles")
    one.page.evaluate("""document.querySelector("main").append(document.createElement("button"))""")
    assert [fault.split(":")[0] for fault in violations(one.page)] == ["button-name"]


@pytest.mark.slow
def test_what_the_table_asks_is_offered_as_buttons(visitor: Callable[..., Visitor]):
    """The question is put into a real view on its way; the answer goes the usual way."""
    one = visitor("Ann")
    sent: list[str] = []
    asked = {
        "decision": 4,
        "question": "join",
        "says": "Wait, or pay now?",
        "of": 1,
        "yours": True,
        "options": [{"name": "wait", "says": "", "asks": {}}, {"name": "pay", "asks": {}}],
        "holds": True,
        "cites": ["5.7.1"],
    }

    def between(socket: Any) -> None:
        server = socket.connect_to_server()

        def back(message: str) -> None:
            told = json.loads(message)
            if "view" in told:
                told["view"]["decisions"] = [asked]
            socket.send(json.dumps(told))

        def forward(message: str) -> None:
            sent.append(message)
            server.send(message)

        server.on_message(back)
        socket.on_message(forward)

    one.page.route_web_socket("**/ws?*", between)
    one.go("Raffles")
    group = one.page.get_by_role("group", name="Wait, or pay now?")
    assert group.locator(".cite").inner_text() == "5.7.1"
    group.get_by_role("button", name="Wait").click()
    one.page.get_by_role("alert").wait_for()  # nothing was asked in truth
    given = json.loads(sent[-1])["command"]
    assert given == {"do": "decide", "decision": 4, "option": "wait"}


@pytest.mark.slow
def test_past_rounds_are_marked_as_recall(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    table = like("Marina-1")
    ann = visitor("Ann")
    ann.sit(table)
    bet(ann, "ante")
    ann.button("Deal").click()
    ann.button("Fold").click()
    ann.page.locator(".settled-bets li.all").wait_for()
    ann.page.wait_for_timeout(300)
    ann.page.get_by_role("tab", name="Rounds").click()
    ann.page.locator(".recall").wait_for()
    past = ann.page.locator("details.past").first
    assert "Recall" in past.inner_text()
    past.locator("summary").click()
    past.locator("li", has_text="You fold").first.wait_for()


@pytest.mark.slow
def test_the_four_colour_deck_and_no_movement(visitor: Callable[..., Visitor]):
    one = visitor()
    one.go("Raffles")
    one.page.get_by_role("button", name="Settings").click()
    one.page.get_by_label("Four-colour deck").check()
    colours = one.page.evaluate(
        """() => ["s", "c", "h", "d"].map((suit) => {
          const card = document.createElement("playing-card");
          card.setAttribute("card", `A${suit}`);
          document.body.append(card);
          return getComputedStyle(card.querySelector(".face")).fill;
        })"""
    )
    assert len(set(colours)) == 4


def test_the_lobby_fits_a_phone(visitor: Callable[..., Visitor]):
    ann = visitor(viewport=PHONE)
    ann.enter("Annabella of Sentosa")
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    gear = ann.page.get_by_role("button", name="Settings").bounding_box()
    assert gear["x"] + gear["width"] <= PHONE["width"]


@pytest.mark.slow
def test_the_jackpot_has_one_name(visitor: Callable[..., Visitor]):
    """The rulebooks call it the Progressive Jackpot, and so do the pages."""
    ann = visitor()
    ann.enter("Ann")
    ann.page.locator(".meter small:visible").first.wait_for()
    shown = ann.page.locator("body").inner_text()
    ann.go("Orchard")
    ann.page.locator(".jackpot-meter").wait_for()
    shown += ann.page.locator(".bar").inner_text() + ann.page.locator(".spots").inner_text()
    shown = shown.replace("\u00a0", " ")
    assert "Progressive Jackpot" in shown
    assert not re.search(r"(?<!Progressive )[Jj]ackpot(?! link)", shown)
