"""Watching a table in a real browser: behind the players, with nothing to press."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.live.conftest import running
from tests.live.crowd import play
from tests.live.test_watchers import delayed
from tests.web.conftest import SECONDS
from tests.web.test_pages import A_PAGE, violations

WIDE = {"width": 1280, "height": 800}


def test_a_watcher_sees_the_table_later_and_is_told_so(browser: Any, tmp_path: Path):
    with running(tmp_path, delayed(2), tables=("Raffles",)) as house:
        context = browser.new_context(viewport=WIDE, reduced_motion="reduce")
        page = context.new_page()
        page.set_default_timeout(SECONDS)
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"{house.url}/table/Raffles")
        page.get_by_role("link", name="Page for watching").wait_for()
        page.goto(house.url)
        loaded: list[Any] = []
        page.on("response", lambda response: loaded.extend([response]))
        page.get_by_role("link", name="Watch Raffles").click()
        page.get_by_text("2 s behind").wait_for()
        play(house, ["Raffles"], rounds=2, players=2)
        page.locator("#body-log .log li").nth(3).wait_for(state="attached")
        assert page.locator(".actions .button:visible, .seat .empty:enabled").count() == 0
        assert not page.locator(".bar .me").is_visible()
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        sizes = (each.request.sizes()["responseBodySize"] for each in loaded if each.status == 200)
        assert sum(sizes) < A_PAGE
        assert faults == []
        context.close()


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 390, 820, 1920])
def test_it_fits_every_width(browser: Any, tmp_path: Path, width: int):
    with running(tmp_path, delayed(120), tables=("Marina-1", "Raffles")) as house:
        context = browser.new_context(viewport={"width": width, "height": 800})
        page = context.new_page()
        for path in ("/watch/Marina-1", "/table/Raffles"):
            page.goto(f"{house.url}{path}")
            page.get_by_text("120 s behind").wait_for()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        context.close()
