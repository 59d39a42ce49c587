"""A real browser, a real casino, and players who sit in it.

Without Chromium these tests skip and say so; where `CI` is set, that is a failure.
"""

import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.web.casino import FEW, FURTHER

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WIDE = {"width": 1360, "height": 820}
PHONE = {"width": 390, "height": 844}
NOT_SHOWN = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
"""Two pages that Chromium makes for the address bar of each window: nobody sees them here, and they
are a third of what a visitor costs."""
OFF_ANYHOW = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)
"""What Playwright turns off: Chromium heeds the last such list only."""
NUMBERS = itertools.count(1)
SECONDS = 15_000
"""How long a test waits for anything to appear, in milliseconds."""


def first_of(values: Iterable[Any]) -> list[Any]:
    """Values of a test in the browser: the first is always tried, the others in the slow set."""
    first, *others = values
    return [first, *(pytest.param(value, marks=pytest.mark.slow) for value in others)]


def lacking(what: str) -> None:
    """Skip where a browser is missing; in CI it must not be."""
    if os.environ.get("CI"):
        pytest.fail(f"{what}: the browser tests must run in CI")
    pytest.skip(f"{what}: see CONTRIBUTING")


def installed_browser() -> str | None:
    """The program of a browser, if there is one."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium, or whatever of its kind is installed."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        lacking("Playwright is not installed")
    found = installed_browser()
    if found is None:
        lacking("there is no Chromium")
    with sync_playwright() as playwright, started_browser(playwright, found) as started:
        yield started


@contextmanager
def started_browser(playwright: Any, program: str) -> Iterator[Any]:
    """That browser, until it is no longer needed."""
    started = playwright.chromium.launch(
        executable_path=program,
        args=["--no-sandbox", f"--disable-features={','.join((*NOT_SHOWN, *OFF_ANYHOW))}"],
    )
    yield started
    started.close()


def runs_slow_ones(request: pytest.FixtureRequest) -> bool:
    """Whether any of the slow tests is run."""
    return any(item.get_closest_marker("slow") for item in request.session.items)


@pytest.fixture(scope="session")
def casino(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of a casino in a process of its own, with a table for each test."""
    folder = tmp_path_factory.mktemp("casino")
    program = Path(__file__).with_name("casino.py")
    few = () if runs_slow_ones(request) else ("few",)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, str(program), str(folder), *few],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as running:
        assert running.stdout is not None
        address = running.stdout.readline().strip()
        assert address.startswith("http://"), "the casino did not start"
        yield address.rstrip("/")
        running.terminate()
        assert running.wait(30) == 0, "the casino did not stop as planned"


NOTES = """
window.paidRounds = [];
new MutationObserver(() => {
  const lines = [...document.querySelectorAll(".settled:not([hidden]) li")];
  const pots = lines.map((line) => line.textContent);
  const board = document.querySelectorAll(".board playing-card.up").length;
  const last = window.paidRounds.at(-1);
  if (!pots.length || (last && last.pots.join() === pots.join())) return;
  window.paidRounds.push({ pots, board });
}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
"""
"""Notes in the page how each round was paid: it is shown for a moment only."""
PLAYS = """(keys) => setInterval(() => {
  for (const key of keys) {
    const button = document.querySelector(`.big .button[data-shortcut="${key}"]:enabled`);
    if (button?.offsetParent) return button.click();
  }
}, 60)"""
"""Presses whichever of these buttons is offered, as soon as it is."""
PAID = """(wait) => new Promise((done, fail) => {
  const looks = setInterval(() => {
    if (!window.paidRounds.length) return;
    clearInterval(looks);
    done(window.paidRounds[0]);
  }, 50);
  setTimeout(() => fail(new Error("no round was paid")), wait);
})"""
"""Waits in the page for the first round that was paid; its policy forbids a test to eval there."""


class Visitor:
    """Somebody with a browser of his own."""

    def __init__(self, context: Any, address: str) -> None:
        self.context = context
        self.address = address
        self.office: Any = None
        """The office of his casino, where a test has one."""
        context.add_init_script(NOTES)
        self.page = context.new_page()
        self.page.set_default_timeout(SECONDS)
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def come(self, name: str) -> None:
        """Have a name, as no guest before him, for names stay taken; no page is shown yet. To show
        the lobby with all the tables of the tests takes longer than to show a table."""
        self.name = f"{name} {next(NUMBERS)}"
        ask, root = self.context.request, f"{self.address}/api"
        token = ask.get(f"{root}/me").json()["token"]
        body, headers = {"name": self.name}, {"X-Croupier-Token": token}
        assert ask.post(f"{root}/enter", data=body, headers=headers).ok

    def enter(self, name: str) -> None:
        """Name himself in the lobby, which is shown then."""
        self.name = name = f"{name} {next(NUMBERS)}"
        self.page.goto(f"{self.address}/")
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Enter").click()
        self.page.locator(".bar .me strong", has_text=name).wait_for()

    def go(self, table: str) -> None:
        """Open the page of a table."""
        self.page.goto(f"{self.address}/table/{table}")
        self.page.locator(".stage").wait_for()

    def sit(self, table: str) -> None:
        """Sit down with what the page proposes."""
        self.go(table)
        self.page.locator(".invite .button").click()
        self.page.get_by_role("button", name="Sit down with").click()
        self.page.get_by_role("button", name="Leave").wait_for()

    def plays(self, *shortcuts: str) -> None:
        """From now on press what is offered with these shortcuts, by himself."""
        self.page.evaluate(PLAYS, list(shortcuts))

    def paid(self) -> dict[str, Any]:
        """Wait until a round was paid at his poker table: its pots, and the cards on the board."""
        found: dict[str, Any] = self.page.evaluate(PAID, 2 * SECONDS)
        return found

    def button(self, word: str) -> Any:
        """A button among his actions that begins with this word and can be pressed now."""
        now = ".actions .button:not(.pre-action .button):visible:enabled:not([aria-disabled=true])"
        return self.page.locator(f"{now}:has-text('{word}')")

    def log(self) -> list[str]:
        """What the log says, line by line."""
        return [line.strip() for line in self.page.locator("#body-log .log li").all_text_contents()]


@pytest.fixture
def visitor(browser: Any, casino: str) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors; at the end of the test none of their pages may have failed."""
    made: list[Visitor] = []

    def make(name: str | None = None, **options: Any) -> Visitor:
        options = {"viewport": WIDE, "reduced_motion": "reduce"} | options
        one = Visitor(browser.new_context(**options), casino)
        made.append(one)
        if name is not None:
            one.come(name)
        return one

    yield make
    for one in made:
        one.context.close()
    assert [fault for one in made for fault in one.faults] == []


@pytest.fixture(scope="session")
def like(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """Names a table like this one at which no test has played."""
    taken: dict[str, int] = {}
    further = FURTHER if runs_slow_ones(request) else FEW

    def fresh(table: str) -> str:
        taken[table] = number = taken.get(table, 0) + 1
        assert number <= 1 + further.get(table, 0), f"tests/web/casino.py has too few like {table}"
        return table if number == 1 else f"{table} {number}"

    return fresh
