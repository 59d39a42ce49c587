"""The ruling desk in a browser: by touch on a phone, by typing, by keyboard alone."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from croupier.pit.incidents import catalogue_of
from croupier.rulebooks import load
from tests.web.desk import TOUCH, Asker
from tests.web.test_pages import violations

AT_MOST = 6
"""Touches from opening the page to the ruling, the book included."""
POKER, BANKED, LINKED = (
    "no-limit-holdem-v8",
    "progressive-texas-holdem-v6",
    "multi-link-progressive-v3",
)


def common(book: str, family: str) -> list[tuple[str, str]]:
    """The commonest incidents of a book."""
    found = catalogue_of(family).incident
    return [(book, one.name) for one in found if one.common and one.fits(load(book))]


COMMON = [*common(POKER, "poker"), *common(LINKED, "banked")]


@contextmanager
def a_desk(log: Path, *options: str) -> Iterator[str]:
    """A desk that stands alone, started as its user starts it."""
    command = [sys.executable, "-m", "croupier", "desk", "--port", "0", "--no-browser"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [*command, "--log", str(log), *options],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as running:
        assert running.stdout is not None
        told = (line.strip() for line in running.stdout)
        yield next(line for line in told if line.startswith("http://")).removesuffix("/ask")
        running.terminate()
        running.wait(30)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The desk that most tests ask."""
    with a_desk(tmp_path_factory.mktemp("desk") / "log.sqlite3") as address:
        yield address


@pytest.fixture
def asker(browser: Any, address: str) -> Iterator[Callable[..., Asker]]:
    """Makes people with a phone; at the end none of their pages may have failed."""
    made: list[Asker] = []

    def make(**options: Any) -> Asker:
        made.append(Asker(browser.new_context(**(TOUCH | options)), address))
        return made[-1]

    yield make
    for one in made:
        one.context.close()
    assert [fault for one in made for fault in one.faults] == []


def entries(one: Asker) -> list[dict[str, Any]]:
    """The log of the desk, the newest first."""
    found: list[dict[str, Any]] = one.page.request.get(f"{one.address}/api/ask/log").json()[
        "entries"
    ]
    return found


# -- by touch -------------------------------------------------------------------------------------


def ask_by_touch(one: Asker, book: str, incident: str, which: str) -> None:
    """From opening the page on a new phone to the ruling."""
    one.open()
    one.touches = 0
    one.touch(f'[data-book="{book}"]')
    one.touch(f'.common [data-incident="{incident}"]')
    one.answer_all(which)
    assert one.touches <= AT_MOST, f"{incident}: {one.touches} touches"
    assert len(one.headline) > 10
    assert one.page.locator(".headline .cite").count() == 1, f"{incident}: no paragraph"


@pytest.mark.parametrize(("book", "incident"), COMMON[:1])
def test_a_common_situation_takes_six_touches(
    asker: Callable[..., Asker], book: str, incident: str
):
    ask_by_touch(asker(), book, incident, "first")


@pytest.mark.slow
@pytest.mark.parametrize("which", ["first", "last"])
@pytest.mark.parametrize(("book", "incident"), COMMON)
def test_every_common_situation_takes_six_touches(
    asker: Callable[..., Asker], book: str, incident: str, which: str
):
    ask_by_touch(asker(), book, incident, which)


def test_twenty_common_situations_are_known():
    assert len(COMMON) >= 20


def test_an_open_fact_shows_what_is_ruled_either_way(asker: Callable[..., Asker]):
    one = asker()
    one.open(f"/ask#book={POKER}&what=exposed-in-the-deal")
    branches = one.page.locator(".branch")
    assert branches.count() >= 2
    for branch in branches.all():
        assert branch.inner_text().startswith("If")
        assert branch.locator(".cite").count() >= 1, "each branch has its paragraph"
    assert "Misdeal" in " ".join(branches.all_inner_texts())
    assert not one.ruled
    one.answer_all()
    assert one.page.locator(".chips .chip").count() >= 2, "what was said stands above"


@pytest.mark.slow
def test_what_was_said_can_be_changed(asker: Callable[..., Asker]):
    one = asker()
    one.open(f"/ask#book={POKER}&what=exposed-in-the-deal")
    question = one.headline
    one.touch(".pick.value")
    one.touch(".chips li:nth-child(2) .chip")
    assert one.headline == question
    one.page.go_back()
    one.page.locator(".chips li:nth-child(2) .chip").wait_for()
    one.page.reload()
    one.page.locator(".chips li:nth-child(2) .chip").wait_for()
    assert one.headline != question


@pytest.mark.slow
def test_discretion_says_whose_and_what_was_decided_before(asker: Callable[..., Asker]):
    one = asker()
    one.open(f"/ask#book={POKER}&what=dealer-took-hand")
    assert one.headline == "The book leaves this to the Shift Manager or above."
    one.touch('[data-option="void"]')
    assert "void" in one.headline
    one.page.get_by_role("button", name="Decided as ruled").tap()
    one.page.get_by_text("Noted: decided as ruled").wait_for()
    again = asker()
    again.open(f"/ask#book={POKER}&what=dealer-took-hand")
    again.page.locator(".before li", has_text="void").wait_for()


@pytest.mark.slow
def test_decided_otherwise_wants_to_know_what_and_why(asker: Callable[..., Asker]):
    one = asker()
    one.open(f"/ask#book={POKER}&what=exposed-in-the-deal")
    one.answer_all()
    one.page.get_by_role("button", name="Decided otherwise").tap()
    dialog = one.page.get_by_role("dialog")
    dialog.get_by_label("What was decided").fill("Everything goes back")
    dialog.get_by_role("button", name="Write it down").tap()
    dialog.get_by_text("Say why").wait_for()
    dialog.get_by_label("Why").fill("two players had seen the card")
    dialog.get_by_role("button", name="Write it down").tap()
    one.page.get_by_text("Noted: Everything goes back").wait_for()
    assert entries(one)[0]["as_ruled"] is False
    one.page.reload()
    one.page.get_by_text("Noted: Everything goes back").wait_for()


@pytest.mark.slow
def test_what_cannot_be_is_said_with_a_way_back(asker: Callable[..., Asker]):
    one = asker()
    one.open(f"/ask#book={POKER}&what=silent-chips&is.bet=1")
    assert one.headline == "That cannot be"
    assert "bet to 1 is not possible" in one.page.locator(".calm .says").inner_text()
    one.touch(".calm .row .button.main")
    assert one.page.locator("section.fact").count() == 1


@pytest.mark.slow
def test_where_nothing_is_to_be_ruled_the_desk_says_so(asker: Callable[..., Asker]):
    one = asker()
    one.open(f"/ask#book={POKER}&what=interruption")
    one.page.get_by_text("The hand is paid, no new one has begun").first.tap()
    one.page.get_by_text("There is nothing to rule").first.wait_for()


@pytest.mark.slow
def test_a_place_is_touched_on_the_table(asker: Callable[..., Asker]):
    """The place that is asked is put into a real answer on its way."""
    values = [{"is": str(n), "says": str(n), "impossible": ""} for n in (1, 2, 3)]
    values[1]["impossible"] = "box 2 has no bet"
    fact = {"name": "box", "ask": "Which box?", "kind": "place", "values": values}
    one = asker()
    sent: list[Any] = []

    def put_in(route: Any) -> None:
        sent.append(json.loads(route.request.post_data)["question"]["facts"])
        reply = route.fetch().json()
        route.fulfill(json=reply | {"answer": reply["answer"] | {"open": [fact]}})

    one.page.route("**/api/ask", put_in)
    one.open(f"/ask#book={POKER}&what=exposed-in-the-deal")
    seats = one.page.locator(".small-felt button.seat")
    assert seats.count() == 3, "only what can be named is to be touched"
    assert one.page.get_by_text("Not seat 2: Box 2 has no bet").count() == 1
    one.page.unroute("**/api/ask")
    one.page.route("**/api/ask", lambda route: route.abort())
    with one.page.expect_request("**/api/ask") as asked:
        seats.nth(2).tap()
    assert json.loads(asked.value.post_data)["question"]["facts"] == {"box": "3"}


# -- by typing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "words", "title"),
    [
        (POKER, "raise out of turn", "out of turn"),
        *(
            pytest.param(*typed, marks=pytest.mark.slow)
            for typed in (
                (POKER, "flashed card", "flashed"),
                (POKER, "string bet", "string bet"),
                (POKER, "three cards", "one card, or three"),
                (BANKED, "card exposed", "exposed"),
            )
        ),
    ],
)
def test_a_few_words_find_it(asker: Callable[..., Asker], book: str, words: str, title: str):
    one = asker()
    one.open(f"/ask#book={book}")
    best = one.type(words).first
    assert title in best.inner_text().lower()
    turn = one.turn
    best.tap()
    one.page.locator(f'#desk:not([data-turn="{turn}"])').wait_for()
    assert one.page.locator("section.fact, article.ruling").count() == 1


@pytest.mark.slow
def test_words_find_paragraphs_and_cases_too(asker: Callable[..., Asker]):
    one = asker()
    one.open(f"/ask#book={POKER}")
    one.type("misdeal")
    one.page.locator(".hits.paragraph .pick").first.tap()
    one.page.get_by_role("dialog", name=re.compile("Paragraph")).wait_for()
    one.page.keyboard.press("Escape")
    one.touch(".hits.case .pick:has-text('exposed in the cut')")
    assert one.page.locator("article.ruling").count() == 1
    assert "Misdeal" in one.headline
    one.open(f"/ask#book={POKER}")
    one.type("zzzz qqqq")
    one.page.get_by_text("Nothing is found").wait_for()


# -- what is taken along --------------------------------------------------------------------------


def test_a_slip_and_a_case_file(asker: Callable[..., Asker]):
    one = asker()
    one.open(f"/ask#book={POKER}&what=exposed-in-the-deal")
    one.answer_all("last")
    ruled = one.headline
    file = one.page.get_by_role("link", name="Save as case file").get_attribute("href")
    assert "rulebook" in one.page.request.get(f"{one.address}{file}").text()
    one.page.get_by_role("link", name="Slip").tap()
    one.page.locator(".slip").wait_for()
    assert one.headline == ruled
    assert one.page.locator(".slip-ground .number").inner_text().startswith("§ ")
    assert violations(one.page) == []
    one.page.emulate_media(media="print")
    assert one.page.locator(".slip .sign").is_visible()
    assert not one.page.get_by_role("button", name="Print").is_visible()
    one.page.emulate_media(media="screen")
    one.page.get_by_role("link", name="Back to the ruling").tap()
    one.page.locator("article.ruling").wait_for()
    assert one.headline == ruled


@pytest.mark.slow
def test_the_log_shows_what_was_asked(asker: Callable[..., Asker]):
    one = asker()
    one.open(f"/ask#book={POKER}&what=exposed-in-the-deal")
    one.answer_all()
    one.open("/ask/log")
    one.page.locator(".entries tbody tr").first.wait_for()
    first = one.page.locator(".entries tbody tr").first.inner_text()
    assert one.page.locator(".figure").count() == 6
    assert "§ " in first
    one.page.get_by_label("Game").select_option("poker-v5")
    one.page.get_by_text("Nothing was asked").wait_for()
    assert "book=poker-v5" in one.page.url
    assert "poker-v5" in one.page.get_by_role("link", name="As CSV").get_attribute("href")
    assert violations(one.page) == []


@pytest.mark.slow
def test_a_question_that_is_left_is_told_to_the_server(asker: Callable[..., Asker]):
    one = asker()
    one.open(f"/ask#book={POKER}&what=exposed-in-the-deal")
    assert entries(one)[0]["status"] == "open"
    with one.page.expect_response("**/abandoned"):
        one.touch(".chips .chip")
    assert entries(one)[0]["status"] == "abandoned"


@pytest.mark.slow
def test_a_question_is_left_when_the_browser_is_closed(asker: Callable[..., Asker]):
    one, other = asker(), asker()
    one.open(f"/ask#book={POKER}&what=exposed-in-the-deal")
    id = entries(one)[0]["id"]
    one.page.close(run_before_unload=True)
    other.open("/ask/log")
    for _ in range(100):
        [entry] = [entry for entry in entries(other) if entry["id"] == id]
        if entry["status"] == "abandoned":
            return
        other.page.wait_for_timeout(50)
    pytest.fail("the log does not know that it was left")


@pytest.mark.slow
def test_a_note_stands_with_the_question(asker: Callable[..., Asker]):
    one = asker()
    one.open(f"/ask#book={POKER}&what=exposed-in-the-deal")
    one.answer_all()
    one.page.get_by_role("button", name="Leave a note").tap()
    dialog = one.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Keep the note").tap()
    dialog.get_by_text("Write what is to be noted").wait_for()
    dialog.get_by_label("Note").fill("seats 2 and 5 saw it")
    dialog.get_by_role("button", name="Keep the note").tap()
    one.page.locator(".notes-part li", has_text="seats 2 and 5 saw it").wait_for()
    one.page.reload()
    one.page.locator(".notes-part li", has_text="seats 2 and 5 saw it").wait_for()
    assert entries(one)[0]["status"] == "ruled"


def test_who_may_not_decide_is_told_so_and_may_leave_a_note(asker: Callable[..., Asker]):
    one = asker()
    says = "What was decided here is written down by a Pit Supervisor."

    def bar(route: Any) -> None:
        route.fulfill(json=route.fetch().json() | {"barred": says})

    one.page.route("**/api/ask", bar)
    one.open(f"/ask#book={POKER}&what=exposed-in-the-deal&is.exposed=two&is.acted=none")
    one.page.get_by_text(says).wait_for()
    assert one.page.get_by_role("button", name="Decided").count() == 0
    assert one.page.get_by_role("button", name="Leave a note").count() == 1
    assert violations(one.page) == []


@pytest.mark.slow
def test_a_log_in_trouble_is_told_and_the_desk_goes_on(browser: Any, tmp_path: Path):
    kept, away = tmp_path / "log.sqlite3", tmp_path / "away.sqlite3"
    with a_desk(kept) as address:
        one = Asker(browser.new_context(**TOUCH), address)
        one.open(f"/ask#book={POKER}&what=exposed-in-the-deal&is.exposed=two&is.acted=none")
        ruled = one.headline
        damage = sqlite3.connect(kept)
        damage.execute("UPDATE entries SET told = '{', title = 'x'")
        damage.commit()
        damage.close()
        one.page.locator("a.desk-name").tap()
        one.open("/ask/log")
        one.page.get_by_text("Row 1 of the log is damaged").wait_for()
        assert violations(one.page) == []
        kept.rename(away)
        one.open(f"/ask#book={POKER}&what=exposed-in-the-deal&is.exposed=two&is.acted=none")
        assert one.headline == "The log is in trouble"
        assert "moved or deleted" in one.page.locator(".calm .says").inner_text()
        away.rename(kept)
        one.touch("button:has-text('Try again')")
        assert one.headline == ruled
        one.context.close()
        assert one.faults == []


# -- without touch, without a server --------------------------------------------------------------


def test_the_keyboard_alone_is_enough(asker: Callable[..., Asker]):
    one = asker(viewport={"width": 1280, "height": 800}, has_touch=False, is_mobile=False)
    one.open()
    keys = one.page.keyboard
    keys.press("1")
    one.page.locator("#words").wait_for()
    keys.press("/")
    keys.type("flashed")
    one.page.locator(".hits.incident .pick").first.wait_for()
    keys.press("Enter")
    one.page.locator("section.fact").wait_for()
    while not one.ruled:
        turn = one.turn
        keys.press("1")
        one.page.locator(f'#desk:not([data-turn="{turn}"])').wait_for()
    assert one.page.evaluate("document.activeElement.tagName") == "H1"
    spoken = one.page.locator("[role=status][aria-live=assertive]")
    one.page.wait_for_timeout(100)
    assert one.headline in spoken.inner_text()
    for _ in range(8):
        if one.page.locator("#words").count():
            break
        turn = one.turn
        keys.press("Escape")
        one.page.locator(f'#desk:not([data-turn="{turn}"])').wait_for()
    assert one.headline == "What happened?"


@pytest.mark.slow
def test_a_desk_that_loses_its_server_goes_on_where_it_was(asker: Callable[..., Asker]):
    one = asker()
    one.open(f"/ask#book={POKER}&what=exposed-in-the-deal")
    question = one.headline
    one.context.set_offline(True)
    one.page.locator(".pick.value").first.tap()
    one.page.get_by_text("The desk has lost its server").wait_for()
    assert one.headline == question
    one.context.set_offline(False)
    one.page.locator(".chips li:nth-child(2)").wait_for()
    one.page.locator(".wire").wait_for(state="hidden")
    one.answer_all()


@pytest.mark.slow
def test_what_cannot_be_asked_is_said(asker: Callable[..., Asker]):
    one = asker()
    one.open(f"/ask#book={POKER}&what=no-such-thing")
    assert one.headline == "This could not be asked"
    assert "no-such-thing" in one.page.locator(".calm .says").inner_text()


@pytest.mark.slow
def test_a_desk_with_a_pin_opens_to_who_knows_it(browser: Any, tmp_path: Path):
    with a_desk(tmp_path / "log.sqlite3", "--pin", "907315") as address:
        one = Asker(browser.new_context(**TOUCH), address)
        one.page.goto(f"{address}/ask")
        for pin, then in (("123456", "not the PIN"), ("907315", "Which game?")):
            one.page.get_by_label("PIN").fill(pin)
            one.page.get_by_role("button", name="Open the desk").tap()
            one.page.get_by_text(then).first.wait_for()
        one.touch(f'[data-book="{POKER}"]')
        one.touch('[data-incident="exposed-in-the-deal"]')
        assert one.page.locator("section.fact").count() == 1
        one.context.close()


SMALL = """() => {
  const found = [];
  for (const each of document.querySelectorAll("button, a, summary, select, input")) {
    if (!each.offsetParent || each.classList.contains("skip")) continue;
    const box = each.getBoundingClientRect();
    const more = getComputedStyle(each, "::after");
    const grows = more.position === "absolute" && more.content !== "none";
    const by = (name) => (grows ? -parseFloat(more[name]) || 0 : 0);
    const wide = box.width + by("left") + by("right");
    const high = box.height + by("top") + by("bottom");
    if (wide < 44 || high < 44) found.push(`${each.textContent}: ${wide} x ${high}`);
  }
  return found;
}"""
"""What is smaller than a fingertip."""


@pytest.mark.parametrize(
    "view", ["exposed-in-the-deal", pytest.param("dealer-took-hand", marks=pytest.mark.slow)]
)
def test_everything_is_large_enough_to_touch(asker: Callable[..., Asker], view: str):
    one = asker()
    one.open(f"/ask#book={POKER}")
    assert one.page.evaluate(SMALL) == []
    one.open(f"/ask#book={POKER}&what={view}")
    assert one.page.evaluate(SMALL) == []
    one.answer_all()
    assert one.page.evaluate(SMALL) == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 390])
def test_the_log_fits_a_phone_whatever_is_written_in_it(asker: Callable[..., Asker], width: int):
    one = asker(viewport={"width": width, "height": 800}, is_mobile=False)
    endless = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch"
    asked = one.page.request.post(
        f"{one.address}/api/ask",
        data={
            "question": {"rulebook": POKER, "incident": "exposed-in-the-deal"},
            "who": endless,
            "area": endless,
        },
    ).json()
    decided = {"decided": endless * 2, "why": endless * 2, "as_ruled": False}
    one.page.request.post(f"{one.address}/api/ask/{asked['id']}/decided", data=decided)
    one.open("/ask/log")
    one.page.locator(".entries tbody tr").first.wait_for()
    assert one.page.evaluate("document.documentElement.scrollWidth") <= width
    assert one.page.evaluate(SMALL) == []


# -- for everybody --------------------------------------------------------------------------------

VIEWS = ["", "&what=exposed-in-the-deal", "&what=dealer-took-hand", "&what=one-big-chip"]


def test_a_phone_is_free_of_faults_that_axe_knows(asker: Callable[..., Asker]):
    one = asker(viewport={"width": 320, "height": 700})
    one.open(f"/ask#book={POKER}&what=exposed-in-the-deal")
    assert violations(one.page) == []
    one.answer_all()
    assert violations(one.page) == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("width", [320, 820, 1440])
def test_the_desk_is_free_of_faults_that_axe_knows(
    asker: Callable[..., Asker], width: int, scheme: str
):
    one = asker(viewport={"width": width, "height": 800}, color_scheme=scheme)
    one.open()
    assert violations(one.page) == []
    for view in VIEWS:
        one.open(f"/ask#book={POKER}{view}")
        assert violations(one.page) == [], view
        across = one.page.evaluate("document.documentElement.scrollWidth")
        assert across <= width, f"{view}: {across} pixels wide"


@pytest.mark.slow
def test_the_desk_is_small_and_loads_from_nowhere_else(asker: Callable[..., Asker]):
    one = asker()
    loaded: list[Any] = []
    one.page.on("response", lambda response: loaded.extend([response]))
    one.open(f"/ask#book={POKER}&what=exposed-in-the-deal")
    one.answer_all()
    weight = sum(each.request.sizes()["responseBodySize"] for each in loaded)
    assert 10_000 < weight < 150_000, f"{weight} bytes"
    assert all(each.url.startswith(f"{one.address}/") for each in loaded)
