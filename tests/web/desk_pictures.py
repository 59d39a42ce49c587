"""The pictures of the ruling desk in `docs/pictures`: `python -m tests.web.desk_pictures`.

Look at them before you keep them: they are what a reader of `docs/desk.md` sees first.
"""

import random
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from croupier.desk import book_pages
from croupier.desk.desk import Desk, Question
from croupier.desk.log import DeskLog
from croupier.rulebooks import BOOKS, load
from tests.web.conftest import PHONE, installed_browser, started_browser
from tests.web.desk import Asker
from tests.web.test_desk import BANKED, POKER, a_desk

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
TABLET = {"width": 820, "height": 1060}
WIDE = {"width": 1280, "height": 1000}
AREAS = ("Pit 1", "Pit 2", "Pit 3")
SEED = 7


def a_month(log: Path) -> None:
    """Questions as a floor of three pits asks them in a month."""
    chance = random.Random(SEED)
    zone = timezone(timedelta(hours=8))
    now = datetime.now(zone) - timedelta(days=27)
    for number in range(90):
        book = load(chance.choices(BOOKS, (8, 4, 3, 1, 3))[0])
        common = [one for one in book_pages.incidents(book) if one.common]
        weights = [len(common) - place for place in range(len(common))]
        incident = chance.choices(common, weights)[0]
        now += timedelta(hours=chance.choice((1, 3, 5, 9, 12)), minutes=chance.randrange(60))
        facts = {fact.name: fact.taken() for fact in book_pages.facts_of(book, incident.name)}
        desk = Desk(DeskLog(log), house="Perth", area=AREAS[number % 3], clock=lambda at=now: at)
        kept = desk.ask(Question(rulebook=book.id, incident=incident.name, facts=facts))
        if kept.answer.ruling is not None and chance.random() < 0.8:
            desk.decide(kept.id, "", "", as_ruled=True)


def main() -> None:
    """Take all pictures, or those whose names are given."""
    wanted = set(sys.argv[1:])
    from playwright.sync_api import sync_playwright

    program = installed_browser()
    if program is None:
        sys.exit("there is no Chromium: see CONTRIBUTING")
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        started_browser(playwright, program) as browser,
    ):
        log = Path(folder) / "log.sqlite3"
        a_month(log)
        with a_desk(log, "--house", "Perth/Pit 3") as address:
            for name, (size, scale, touch, show) in PICTURES.items():
                if wanted and name not in wanted:
                    continue
                context = browser.new_context(
                    viewport=size,
                    device_scale_factor=scale,
                    has_touch=touch,
                    is_mobile=touch,
                    reduced_motion="reduce",
                    color_scheme="dark",
                )
                one = Asker(context, address)
                show(one)
                one.page.wait_for_timeout(300)
                one.page.screenshot(path=FOLDER / f"desk-{name}.png")
                context.close()
                sys.stdout.write(f"desk-{name}.png\n")


def begin(one: Asker) -> None:
    one.open(f"/ask#book={POKER}")


def question(one: Asker) -> None:
    one.open(f"/ask#book={POKER}&what=wrong-count")


def ruling(one: Asker) -> None:
    one.open(f"/ask#book={POKER}&what=exposed-in-the-deal")
    one.answer_all()


def discretion(one: Asker) -> None:
    one.open(f"/ask#book={POKER}&what=dealer-took-hand")


def slip(one: Asker) -> None:
    one.open(f"/ask#book={BANKED}&what=wrong-count")
    one.answer_all()
    one.page.get_by_role("link", name="Slip").click()
    one.page.locator(".slip").wait_for()


def log_page(one: Asker) -> None:
    one.open("/ask/log")
    one.page.locator(".entries tbody tr").first.wait_for()


PICTURES: dict[str, tuple[Any, float, bool, Any]] = {
    "phone": (PHONE, 2, True, begin),
    "question": (TABLET, 1.25, True, question),
    "ruling-phone": (PHONE, 2, True, ruling),
    "discretion": (TABLET, 1.25, True, discretion),
    "slip": (TABLET, 1.25, True, slip),
    "log": (WIDE, 1, False, log_page),
}

if __name__ == "__main__":
    main()
