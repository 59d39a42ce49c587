"""A table that waits for staff, in a browser: it is marked, and nobody sits down there unwarned."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.live.conftest import Running, running
from tests.live.standstill import stand_still, unordered
from tests.web.conftest import PHONE, WIDE, Visitor, first_of
from tests.web.test_pages import violations


@pytest.fixture(scope="module")
def standing_still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A casino in which Raffles waits for a Pit Supervisor."""
    folder = tmp_path_factory.mktemp("waits")
    with running(folder, unordered(), tables=("Raffles", "Clarke")) as casino:
        stand_still(casino, "Raffles")
        yield casino


@pytest.fixture(params=first_of([WIDE, PHONE]), ids=["wide", "phone"])
def cid(request: Any, browser: Any, standing_still: Running) -> Iterator[Visitor]:
    """Somebody who has entered there."""
    context = browser.new_context(viewport=request.param, reduced_motion="reduce")
    one = Visitor(context, standing_still.url)
    one.enter("Cid")
    yield one
    context.close()
    assert one.faults == []


def test_the_lobby_marks_the_table_and_says_for_whom_it_waits(cid: Visitor):
    cards = cid.page.locator(".table-card")
    waits = cards.filter(has_text="Raffles")
    waits.locator(".tag.waits", has_text="waits for staff").wait_for()
    assert waits.locator(".awaited").inner_text() == (
        "Stands still until a Pit Supervisor or above acts"
    )
    other = cards.filter(has_text="Clarke")
    assert other.locator(".tag.waits:visible, .awaited:visible").count() == 0
    assert violations(cid.page) == []


@pytest.mark.slow
def test_nobody_sits_down_there_unwarned(cid: Visitor):
    page = cid.page
    cid.go("Raffles")
    page.locator(".invite .button").click()
    page.get_by_role("button", name="Sit down with").click()
    warning = page.get_by_role("dialog", name="This table stands still")
    warning.get_by_text("waits for a Pit Supervisor or above to decide").wait_for()
    assert violations(page) == []
    warning.get_by_role("button", name="Rather not").click()
    page.get_by_text("You did not sit down.").wait_for()
    assert page.get_by_role("button", name="Leave").count() == 0

    page.get_by_role("button", name="Sit down with").click()
    page.get_by_role("button", name="Sit down nonetheless").click()
    page.get_by_role("button", name="Leave").wait_for()
    assert page.get_by_role("dialog").count() == 0
