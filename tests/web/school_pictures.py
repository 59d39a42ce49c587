"""The pictures of the dealer school: `python -m tests.web.school_pictures [FOLDER]`.

A ruling before and after its answer, a hand to be named, the first page, the certificate and the
supervisor's table, taken with the browser that the tests use, from a real server.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.web.conftest import installed_browser, started_browser

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
CASINO = Path(__file__).with_name("casino.py")


def enter(page: Page, address: str, name: str) -> None:
    """Come to the school as a newcomer."""
    page.goto(f"{address}/school")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Enter").click()
    page.get_by_role("button", name="Begin the first lesson").wait_for()


def begin(
    page: Page, address: str, book: str, kind: str = "", *, examination: bool = False
) -> None:
    """Begin a lesson of one kind."""
    page.goto(f"{address}/school")
    card = page.locator(f"[data-book={book}]")
    if kind:
        card.locator("summary").click()
        card.get_by_label(kind).check()
    card.get_by_role("button", name="Lesson").click()
    page.locator("form.exercise").wait_for()


def answer(page: Page) -> None:
    """Answer with the first choice of each question, and wait for what came of it."""
    for part in page.locator("fieldset.ask").all():
        part.locator("label").first.click()
    page.get_by_role("button", name="Answer").click()
    page.locator(".marked").wait_for()


def to_the_end(page: Page) -> None:
    """Go through the rest of a lesson, by trying until it is right."""
    while True:
        page.locator(".marked .go-on, form.exercise, .over").first.wait_for()
        if page.locator(".over").count():
            return
        if page.locator("form.exercise").count():
            answer(page)
        page.locator(".go-on").click()
        page.locator(".marked").wait_for(state="detached")


def shot(page: Page, folder: Path, name: str, *, whole: bool = False) -> None:
    page.wait_for_timeout(600)
    page.screenshot(path=folder / f"{name}.png", full_page=whole)


def take(browser: Any, address: str, folder: Path) -> None:
    """All of them, by one trainee and one supervisor."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, reduced_motion="reduce", color_scheme="dark"
    )
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.on("pageerror", lambda error: sys.stderr.write(f"{error}\n"))
    enter(page, address, "Mei")
    shot(page, folder, "school-first")
    begin(page, address, "no-limit-holdem-v8", "Something goes wrong")
    shot(page, folder, "school")
    answer(page)
    shot(page, folder, "school-marked")
    for size, name in ((820, "school-tablet"), (390, "school-phone")):
        page.set_viewport_size({"width": size, "height": 844})
        page.reload()
        page.locator("form.exercise").wait_for()
        shot(page, folder, name, whole=True)
        answer(page)
        shot(page, folder, f"{name}-marked", whole=True)
    page.set_viewport_size({"width": 1280, "height": 800})
    for book, kind, name in (
        ("no-limit-holdem-v8", "Name the hand", "school-hand"),
        ("no-limit-holdem-v8", "Read the wager", "school-wager"),
        ("no-limit-holdem-v8", "Make the side pots", "school-pots"),
        ("no-limit-holdem-v8", "Count the odd chip", "school-odd-chip"),
        ("multi-link-progressive-v3", "Pay the round", "school-payout"),
        ("multi-link-progressive-v3", "Something goes wrong", "school-banked"),
    ):
        begin(page, address, book, kind)
        shot(page, folder, name)
        answer(page)
        shot(page, folder, f"{name}-marked")
    begin(page, address, "no-limit-holdem-v8", "Name the hand")
    to_the_end(page)
    shot(page, folder, "school-over")
    page.get_by_role("link", name="Certificate").click()
    page.locator(".certificate").wait_for()
    shot(page, folder, "school-certificate", whole=True)
    page.goto(f"{address}/school")
    page.locator(".lessons").wait_for()
    shot(page, folder, "school-home", whole=True)
    page.set_viewport_size({"width": 390, "height": 844})
    shot(page, folder, "school-home-phone", whole=True)
    context.close()
    supervisor(browser, address, folder)


def supervisor(browser: Any, address: str, folder: Path) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="dark")
    page = context.new_page()
    page.goto(f"{address}/")
    page.locator("#staff-door").wait_for()
    page.get_by_label("Name on duty").fill("Suri")
    page.locator("[data-post='pit supervisor']").click()
    page.wait_for_url("**/pit")
    page.goto(f"{address}/school/trainees")
    page.locator("table").first.wait_for()
    shot(page, folder, "school-trainees")
    context.close()


def main() -> None:
    """Take all of them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES
    folder.mkdir(exist_ok=True)
    program = installed_browser()
    assert program is not None
    command = [sys.executable, str(CASINO), tempfile.mkdtemp()]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as casino,
        sync_playwright() as playwright,
        started_browser(playwright, program) as browser,
    ):
        assert casino.stdout is not None
        address = casino.stdout.readline().strip().rstrip("/")
        try:
            take(browser, address, folder)
        finally:
            casino.terminate()


if __name__ == "__main__":
    main()
