"""A table that waits costs next to nothing: it is drawn a few times a second while a clock runs,
and not at all while none does."""

from collections.abc import Callable

import pytest

from tests.web.conftest import Visitor
from tests.web.test_banked import bet

WATCHED = 3_000
"""How long a page is watched, in milliseconds."""
SOMETHING_MOVES = 20
"""A movement draws each frame, 60 a second; a clock four times, and once a second its number."""


def styled(player: Visitor) -> float:
    """How many times a second the page looks at its style anew, which each drawing begins with."""
    session = player.context.new_cdp_session(player.page)
    session.send("Performance.enable")

    def count() -> tuple[float, float]:
        found = session.send("Performance.getMetrics")["metrics"]
        known = {each["name"]: each["value"] for each in found}
        return known["RecalcStyleCount"], known["Timestamp"]

    before, since = count()
    player.page.wait_for_timeout(WATCHED)
    now, until = count()
    session.detach()
    return (now - before) / (until - since)


@pytest.mark.slow
def test_a_clock_is_drawn_a_few_times_a_second(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann", reduced_motion="no-preference")
    ann.sit(like("Marina-1"))
    ann.page.wait_for_timeout(1_000)  # what has come is moving to its place
    assert styled(ann) < 2, "nobody is waited for"
    bet(ann, "ante")
    ann.button("Deal").click()
    ann.button("Flop bet").wait_for()
    ann.page.wait_for_timeout(1_000)
    left = """() => [...document.querySelectorAll(".runs")].map(
      (clock) => Number(getComputedStyle(clock).getPropertyValue("--left")))"""
    before = ann.page.evaluate(left)
    assert 2 < styled(ann) < SOMETHING_MOVES
    now = ann.page.evaluate(left)
    assert len(before) == len(now) == 2, "a ring around the plate, and a bar"
    for one, other in zip(before, now, strict=True):
        gone = (one - other) * 60_000
        assert WATCHED - 500 < gone < 3 * WATCHED, "the time that went by, of sixty seconds"
    ann.button("Fold").click()
