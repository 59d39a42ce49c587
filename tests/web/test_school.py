"""The dealer school in a browser: a lesson of each kind, right and wrong; the first lesson of a
newcomer; the certificate, the supervisor's table, by keyboard, on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from croupier.live.school import School
from croupier.school import SECONDS
from croupier.school.lesson import exercise_of
from croupier.school.record import lessons_of
from tests.live.conftest import Running, running
from tests.web.conftest import PHONE, WIDE, Visitor
from tests.web.test_pages import A_PAGE, violations

MakeVisitor = Callable[..., Visitor]
V8, V3 = "no-limit-holdem-v8", "multi-link-progressive-v3"
EACH_KIND = (
    (V8, "Something goes wrong"),
    (V8, "Read the wager"),
    (V8, "Name the hand"),
    (V8, "Make the side pots"),
    (V8, "Count the odd chip"),
    (V3, "Something goes wrong"),
    (V3, "Pay the round"),
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("school"), tables=("Raffles",)) as made:
        yield made


@pytest.fixture
def trainee(browser: Any, house: Running) -> Iterator[MakeVisitor]:
    """Makes trainees with a name; none of their pages may fail."""
    made: list[Visitor] = []

    def make(**options: Any) -> Visitor:
        options = {"viewport": WIDE, "reduced_motion": "reduce"} | options
        one = Visitor(browser.new_context(**options), house.url)
        made.append(one)
        one.enter("Mei")
        return one

    yield make
    for one in made:
        one.context.close()
    assert [fault for one in made for fault in one.faults] == []


def begin(one: Visitor, book: str, kind: str = "", *, clock: bool = False) -> Any:
    page = one.page
    page.goto(f"{one.address}/school")
    card = page.locator(f"[data-book={book}]")
    if kind or clock:
        card.locator("summary").click()
    if kind:
        card.get_by_label(kind).check()
    if clock:
        card.get_by_label("Against the clock").check()
    card.get_by_role("button", name="Lesson").click()
    page.locator("form.exercise").wait_for()
    return page


def right_choices(house: Running, page: Any) -> list[int]:
    """What is right in the exercise on the page: the server knows, the page does not."""
    lesson = page.url.rsplit("/", 1)[1]
    found = lessons_of(School(house.casino.house)._book.of_lesson(lesson))[lesson]
    assert found.pending is not None
    return [part.right for part in exercise_of(found, found.pending).parts]


def answer(house: Running, page: Any, *, right: bool) -> None:
    chosen = right_choices(house, page)
    parts = page.locator("fieldset.ask").all()
    if not right:
        chosen[0] = (chosen[0] + 1) % parts[0].locator("label").count()
    for part, number in zip(parts, chosen, strict=True):
        part.locator("label").nth(number).click()
    page.get_by_role("button", name="Answer").click()
    page.locator(".marked").wait_for()


def go_on(page: Any) -> None:
    page.locator(".go-on").click()
    page.locator(".marked").wait_for(state="detached")


def test_a_newcomer_passes_the_first_lesson_by_reading_what_the_page_says(
    house: Running, trainee: MakeVisitor
):
    mei = trainee()
    page = mei.page
    page.goto(f"{mei.address}/")
    page.get_by_role("link", name="Dealer school").click()
    page.get_by_role("button", name="Begin the first lesson").click()
    page.locator("form.exercise").wait_for()
    page.get_by_text("Look it up").click()
    assert page.locator(".passage").count() > 0, "everything can be read"
    sent = page.evaluate("() => document.documentElement.outerHTML")
    assert "data-right" not in sent
    answer(house, page, right=False)
    assert page.get_by_role("heading", name="Wrong").is_visible()
    assert page.locator(".is-right .says").inner_text()
    assert page.locator(".is-wrong").count() == 1
    go_on(page)
    for _ in range(4):
        answer(house, page, right=True)
        assert page.get_by_role("heading", name="Right").is_visible()
        go_on(page)
    page.get_by_text("once more").wait_for()
    answer(house, page, right=True)
    page.locator(".go-on", has_text="End of the lesson").click()
    page.get_by_role("heading", name="Lesson passed").wait_for()
    page.get_by_role("link", name="Certificate").click()
    page.locator(".certificate tbody tr").first.wait_for()
    assert page.locator(".certificate tbody tr").count() == 5
    assert mei.name in page.locator(".certificate").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize(("book", "kind"), EACH_KIND)
def test_a_lesson_of_each_kind_right_and_wrong(
    house: Running, trainee: MakeVisitor, book: str, kind: str
):
    page = begin(trainee(), book, kind)
    assert page.locator(".stage, .cards-only").count() == 1
    answer(house, page, right=True)
    assert page.get_by_role("heading", name="Right").is_visible()
    assert page.locator(".is-wrong").count() == 0
    assert page.locator(".marked .cite").count() > 0, "the paragraph stands with it"
    go_on(page)
    answer(house, page, right=False)
    assert page.get_by_role("heading", name="Wrong").is_visible()
    assert page.locator(".is-wrong").count() == 1
    assert page.get_by_text("It comes again in this lesson.").is_visible()


@pytest.mark.slow
def test_a_paragraph_opens_from_what_was_marked(house: Running, trainee: MakeVisitor):
    page = begin(trainee(), V8, "Make the side pots")
    answer(house, page, right=False)
    page.locator(".under-which .cite").first.click()
    page.locator("dialog[open] .paragraph").wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")


@pytest.mark.slow
def test_it_goes_by_keyboard_alone(house: Running, trainee: MakeVisitor):
    page = begin(trainee(), V8, "Name the hand")
    for _ in range(2):
        [right] = right_choices(house, page)
        page.keyboard.press(str(right + 1))
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Right").wait_for()
        page.keyboard.press("Enter")
        page.locator("form.exercise").wait_for()
    assert page.locator(".progress .done").count() == 2


@pytest.mark.slow
def test_against_the_clock_the_time_runs_out(trainee: MakeVisitor, monkeypatch):
    monkeypatch.setitem(SECONDS, "hand", 1)
    page = begin(trainee(), V8, "Name the hand", clock=True)
    page.locator(".clock span", has_text="s").wait_for()
    page.get_by_role("heading", name="Wrong").wait_for()
    assert page.get_by_text("You gave no answer.").is_visible()


@pytest.mark.slow
def test_a_lesson_is_gone_on_with_where_it_was_left(house: Running, trainee: MakeVisitor):
    mei = trainee()
    page = begin(mei, V8, "Make the side pots")
    asked = page.locator(".told").inner_text()
    page.reload()
    page.locator("form.exercise").wait_for()
    assert page.locator(".told").inner_text() == asked
    page.goto(f"{mei.address}/school")
    page.get_by_role("link", name="Go on").click()
    page.locator("form.exercise").wait_for()
    assert page.locator(".told").inner_text() == asked


@pytest.mark.slow
def test_a_supervisor_sees_who_knows_what_and_a_trainee_does_not(
    house: Running, trainee: MakeVisitor
):
    mei = trainee()
    page = begin(mei, V8, "Name the hand")
    answer(house, page, right=True)
    page.goto(f"{mei.address}/school/trainees")
    page.locator(".problem", has_text="for a Pit Supervisor or above").wait_for()
    mei.context.clear_cookies()
    page.goto(f"{mei.address}/")
    page.get_by_label("Name on duty").fill(f"Suri {mei.name}")
    page.locator("[data-post='pit supervisor']").click()
    page.wait_for_url("**/pit")
    page.goto(f"{mei.address}/school")
    page.get_by_role("link", name="Who knows what").click()
    section = page.locator("section", has=page.get_by_role("heading", name=mei.name, exact=True))
    section.wait_for()
    assert "1 of 1" in section.inner_text()


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_every_view_is_free_of_faults_that_axe_knows(
    house: Running, trainee: MakeVisitor, size: dict[str, int]
):
    mei = trainee(viewport=size)
    page = mei.page
    page.goto(f"{mei.address}/school")
    page.get_by_role("heading", name="The rulebooks").wait_for()
    assert violations(page) == []
    pushed_off = "() => document.documentElement.scrollWidth - innerWidth"
    assert page.evaluate(pushed_off) <= 0, "at home too"
    begin(mei, V8, "Something goes wrong")
    assert violations(page) == []
    answer(house, page, right=False)
    assert violations(page) == []
    begin(mei, V8, "Name the hand")
    assert violations(page) == []
    assert page.evaluate(pushed_off) <= 0, "nothing is pushed off the page"
    while not page.locator(".over").count():
        answer(house, page, right=True)
        go_on(page)
        page.locator("form.exercise, .over").first.wait_for()
    assert violations(page) == []
    page.get_by_role("link", name="Certificate").click()
    page.locator(".certificate").wait_for()
    assert violations(page) == []


@pytest.mark.slow
def test_the_page_weighs_no_more_than_a_page_may(trainee: MakeVisitor):
    mei = trainee()
    page = mei.page
    loaded: list[Any] = []
    page.on("response", lambda response: loaded.append(response) if response.ok else None)
    begin(mei, V3, "Something goes wrong")
    page.locator(".stage").wait_for()
    weight = sum(r.request.sizes()["responseBodySize"] for r in loaded)
    assert 10_000 < weight < A_PAGE, f"{weight} bytes"
