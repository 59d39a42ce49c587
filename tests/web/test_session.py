"""A whole session of random but legal play at each game, without an error in the console."""

import os
import random
import re
import time
from collections.abc import Callable

import pytest

from tests.web.casino import PACE
from tests.web.conftest import Visitor
from tests.web.test_misclicks import pair

__all__ = ["pair"]

TABLES = ("Raffles", "Clarke", "Orchard", "Marina-1", "Sentosa-1")
SECONDS = float(os.environ.get("CROUPIER_SESSION_SECONDS", 3600 * PACE))
"""Of a test's time: an hour at the table, for the dealer takes a twentieth of a person's time."""
A_CLICK = 2_000
"""Milliseconds: on a busy machine it is known late that something was pressed."""
PRESSED = (
    ".big .button:visible:enabled:not([aria-disabled=true])",
    ".presets .button:visible:enabled",
    ".pre-action .button:visible:enabled:not([aria-disabled=true])",
    ".spot.offered:visible:enabled",
    ".betting .button:visible:enabled:not([aria-disabled=true])",
    ".pick:visible:enabled",
    "dialog[open] .row .button:visible:enabled",
    ".choice .button:visible:enabled",
)
"""What is pressed at random: what acts, what sets amounts, chips and ticks, and the questions."""


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_a_session_of_random_but_legal_play(
    visitor: Callable[..., Visitor], like: Callable[[str], str], table: str
):
    chance = random.Random(21)
    place = like(table)
    players = [visitor("Ann"), visitor("Ben")]
    wrong: list[str] = []
    for player in players:
        player.page.on(
            "console",
            lambda message: wrong.append(message.text) if message.type == "error" else None,
        )
        player.sit(place)
    end = time.monotonic() + SECONDS
    presses = 0
    while time.monotonic() < end:
        for player in players:
            presses += press(player, chance)
        if presses % 50 == 49:
            chance.choice(players).page.reload()
            presses += 1
    assert presses > SECONDS / 2
    assert wrong == []
    # A page that was loaded a moment ago asks for what went before it.
    players[0].page.locator("#body-log .log li", has_text=re.compile(r"Round \d+ ")).first.wait_for(
        state="attached"
    )


def press(player: Visitor, chance: random.Random) -> int:
    """Press something that is offered; what has gone meanwhile is not pressed."""
    page = player.page
    offered = page.locator(", ".join(PRESSED))
    many = offered.count()
    if not many:
        for again in ("Buy in again", "I am back"):
            button = page.get_by_role("button", name=again)
            if button.count() and button.first.is_visible():
                button.first.click()
                confirm = page.get_by_role("button", name=re.compile("^Buy in with"))
                if confirm.count():
                    confirm.first.click()
                return 1
        page.wait_for_timeout(40)
        return 0
    try:
        offered.nth(chance.randrange(many)).click(timeout=A_CLICK)
    except Exception as error:
        if "Timeout" not in str(error):
            raise
        return 0
    return 1
