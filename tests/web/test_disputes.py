"""Disputes in a browser: staff open one, read its papers, and record what was settled."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.house.disputes.file import check_dispute_file, read_dispute_file
from tests.live.accounts import claims, log_in, money_house
from tests.web.conftest import PHONE, WIDE, Visitor
from tests.web.test_pages import violations


@pytest.fixture(scope="module")
def staff(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """Max, pit manager; Ann has won the jackpot in round 1 at M1."""
    with money_house(tmp_path_factory.mktemp("disputes")) as house:
        claims(log_in(house, "Ann"))
        max_ = log_in(house, "Max")
        pay = {"id": uuid.uuid4().hex, "command": {"do": "pay claims"}}
        max_.post("/api/links/Marina/commands", pay)
        while not any(r["ended"] for r in max_.get("/api/tables/M1/rounds")["rounds"]):
            time.sleep(0.02)
        one = Visitor(browser.new_context(viewport=WIDE, reduced_motion="reduce"), house.url)
        cookies = [{"name": c.name, "value": c.value, "url": house.url} for c in max_.jar]
        one.context.add_cookies(cookies)
        yield one
        one.context.close()
    assert one.faults == []


@pytest.fixture(scope="module")
def opened(staff: Visitor) -> Visitor:
    """He opens a dispute, from the round it is about."""
    page = staff.page
    page.goto(f"{staff.address}/table/M1")
    page.get_by_role("tab", name="Rounds").click()
    page.locator(".past summary", has_text="Round").first.click()
    page.get_by_role("link", name="Open a dispute").first.click()
    assert page.get_by_label("Round or ruling").input_value() == "M1#1"
    page.get_by_label("Patron", exact=True).fill("Ann")
    page.get_by_label("What the patron says").fill("I was not asked to show.")
    page.get_by_role("button", name="Open and seal the file").click()
    page.get_by_role("heading", name="No. 1 · M1, round 1").wait_for()
    return staff


def test_from_a_past_round_to_what_the_inspector_said(opened: Visitor, tmp_path: Path):
    page = opened.page
    with page.expect_download() as kept:
        page.get_by_role("button", name="Sealed file").click()
    file = tmp_path / kept.value.suggested_filename
    kept.value.save_as(file)
    assert file.name == "dispute-1.json"
    assert check_dispute_file(read_dispute_file(file.read_bytes())) == []
    sha256 = json.loads(file.read_bytes())["sha256"]
    page.get_by_text(f"sha256 {sha256}").wait_for()
    assert violations(page) == []
    page.get_by_text("Settle it").click()
    page.get_by_label("What was decided").fill("the award stands")
    page.get_by_label("Inspector").fill("Lim Wei")
    page.get_by_role("button", name="Record it").click()
    page.get_by_text("Inspector Lim Wei; recorded by Max").wait_for()
    assert page.get_by_text("Settle it").count() == 0
    page.get_by_role("link", name="Patron's notice").click()
    page.get_by_role("heading", name="Notice of a dispute").wait_for()
    assert page.get_by_text(sha256).is_visible()


def test_whoever_may_open_no_dispute_is_not_asked_for_one(opened: Visitor, browser: Any):
    stranger = browser.new_context(viewport=PHONE).new_page()
    stranger.goto(f"{opened.address}/disputes")
    stranger.get_by_role("alert").filter(has_text="for the staff of the House").wait_for()
    assert stranger.get_by_role("button").count() == 0
    stranger.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_papers_are_free_of_faults_that_axe_knows(opened: Visitor, size: dict[str, int]):
    page = opened.page
    page.set_viewport_size(size)
    for path in ("/disputes", "/disputes/1", "/disputes/1/notice"):
        page.goto(f"{opened.address}{path}")
        page.locator("h1").wait_for()
        assert violations(page) == [], path
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size["width"], path
