"""Somebody at the ruling desk, by touch."""

from typing import Any

from tests.web.conftest import PHONE, SECONDS

TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}


class Asker:
    """A page of the desk, and how often it was touched."""

    def __init__(self, context: Any, address: str) -> None:
        self.context = context
        self.address = address
        self.page = context.new_page()
        self.page.set_default_timeout(SECONDS)
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.touches = 0

    def open(self, path: str = "/ask") -> None:
        """Open the desk, or one of its addresses."""
        self.page.goto("about:blank")  # another hash alone would load nothing
        self.page.goto(f"{self.address}{path}")
        self.page.locator("#desk[data-turn], #entries").first.wait_for()

    @property
    def turn(self) -> int:
        return int(self.page.locator("#desk").get_attribute("data-turn"))

    def touch(self, what: str) -> None:
        """Touch something, and wait for what comes of it."""
        turn = self.turn
        self.page.locator(what).first.tap()
        self.touches += 1
        self.page.locator(f'#desk:not([data-turn="{turn}"])').wait_for()

    def type(self, words: str) -> Any:
        """Type a few words; what is found, best first."""
        self.page.locator("#words").fill(words)
        found = self.page.locator(".results:visible .pick, .results:visible .nothing")
        found.first.wait_for()
        return found

    @property
    def ruled(self) -> bool:
        return bool(self.page.locator("article.ruling").count())

    @property
    def headline(self) -> str:
        text: str = self.page.locator("h1").inner_text()
        return text

    def answer_all(self, which: str = "first") -> None:
        """Touch the first, or last, value that can be of every fact that is asked."""
        while not self.ruled:
            can_be = ".pick.value:not([aria-disabled]), button.seat:not([aria-disabled])"
            values = self.page.locator(can_be)
            assert values.count(), f"nothing to touch: {self.headline}"
            value = (values.first if which == "first" else values.last).get_attribute("data-value")
            self.touch(f'[data-value="{value}"]')
