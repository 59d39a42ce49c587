"""The replayer checks the shuffle of a past round: here no deck is stacked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.live.conftest import running
from tests.live.test_recall import playing
from tests.web.conftest import WIDE, Visitor
from tests.web.test_replay import opened


def test_the_shuffle_is_checked_in_the_page_and_said_in_a_sentence(browser: Any, tmp_path: Path):
    with running(tmp_path, tables=("Raffles",)) as honest:
        (ann, _), _ = playing(honest, "Raffles", "Ann", "Ben")
        one = Visitor(browser.new_context(viewport=WIDE, reduced_motion="reduce"), honest.url)
        cookies = [{"name": c.name, "value": c.value, "url": honest.url} for c in ann.jar]
        one.context.add_cookies(cookies)
        check_shuffle(one)
        one.context.close()
    assert one.faults == []


def check_shuffle(one: Visitor) -> None:
    page = opened(one, "/round/Raffles/1")
    said = page.locator(".shuffle p.holds")
    said.wait_for()
    assert "the House had fixed its part of the deck" in said.inner_text()
    assert "cards that you saw lay where both had put it" in said.inner_text()

    def spoiled(route: Any) -> None:
        answer = route.fetch()
        proofs = answer.json()
        card = proofs["shuffles"][-1]["openings"][0]
        card["card"] = "2c" if card["card"] != "2c" else "3c"
        route.fulfill(response=answer, json=proofs)

    page.route("**/proofs*", spoiled)
    page.reload()
    page.locator(".shuffle p.wrong", has_text="The shuffle does not hold").wait_for()
