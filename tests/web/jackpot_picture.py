"""The picture of a jackpot that is won at a table: `python -m tests.web.jackpot_picture`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.house.jackpots import STRAIGHT_FLUSH, stacked
from tests.house.stacking import all_stacked
from tests.live.conftest import running
from tests.web.conftest import installed_browser, started_browser
from tests.web.phone_pictures import shot
from tests.web.table_pictures import guest
from tests.web.test_jackpot import PATIENT, TABLE, wins


def main() -> None:
    """A Straight Flush with a bet on it, dealt from a stacked deck."""
    program = installed_browser()
    assert program is not None, "there is no browser"
    lucky = all_stacked(lambda cards: stacked(cards, STRAIGHT_FLUSH))
    with (
        tempfile.TemporaryDirectory() as folder,
        lucky,
        running(Path(folder), tables=(TABLE,), clocks=PATIENT) as house,
        sync_playwright() as playwright,
        started_browser(playwright, program) as browser,
    ):
        ann = guest(browser, house.url)
        ann.sit(TABLE)
        wins(ann)
        ann.page.locator(".jackpot-won").wait_for()
        shot(ann, "banked-jackpot")


if __name__ == "__main__":
    main()
