"""The replayer in a browser: a poker hand with side pots and a ruling, a banked round with a
jackpot; from the log, from an audit file, from a hand history that is dropped."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from croupier.cli.main import croupier
from croupier.pit.replay import Replay, views_of
from tests.live.accounts import claims, log_in, money_house
from tests.live.conftest import PASSWORD, Running
from tests.live.side_pots import side_pots
from tests.live.test_replay import HAND
from tests.web.conftest import PHONE, WIDE, Visitor
from tests.web.test_pages import A_PAGE, violations

MakeVisitor = Callable[..., Visitor]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Round 1 of Raffles has side pots and a ruling; in round 1 of M1 Ann won the jackpot."""
    with money_house(tmp_path_factory.mktemp("replays")) as made:
        office = made.casino.casino
        office.hire("Aud", "auditor", PASSWORD, who="administrator", reason="audit")
        claims(log_in(made, "Ann"))
        pay = {"id": uuid.uuid4().hex, "command": {"do": "pay claims"}}
        log_in(made, "Max").post("/api/links/Marina/commands", pay)
        side_pots(made)
        watching = made.enter()
        while not any(r["ended"] for r in watching.get("/api/tables/M1/rounds")["rounds"]):
            time.sleep(0.02)
        yield made


@pytest.fixture
def seen_by(browser: Any, house: Running) -> Iterator[MakeVisitor]:
    """Makes visitors who are logged in; none of their pages may fail."""
    made: list[Visitor] = []

    def make(name: str | None = None, **options: Any) -> Visitor:
        options = {"viewport": WIDE, "reduced_motion": "reduce"} | options
        one = Visitor(browser.new_context(**options), house.url)
        if name is not None:
            jar = log_in(house, name).jar
            cookies = [{"name": c.name, "value": c.value, "url": house.url} for c in jar]
            one.context.add_cookies(cookies)
        made.append(one)
        return one

    yield make
    for one in made:
        one.context.close()
    assert [fault for one in made for fault in one.faults] == []


def opened(one: Visitor, path: str) -> Any:
    one.page.goto(f"{one.address}{path}")
    one.page.locator(".words li").first.wait_for()
    return one.page


def to(page: Any, words: str) -> None:
    """Go to the step that is told with these words."""
    page.locator(".words li", has_text=words).first.locator(".number").click()


def faces(page: Any) -> int:
    """How many Hole Cards lie open on the table."""
    found: int = page.locator(".seat .hole playing-card.up, .box .hole playing-card.up").count()
    return found


def pots(page: Any) -> dict[str, str]:
    """What lies in the middle."""
    names = page.locator(".pots .pot-name").all_inner_texts()
    return dict(zip(names, page.locator(".pots strong").all_inner_texts(), strict=True))


def test_a_newcomer_follows_a_round_to_its_paragraph_and_plays_its_case(seen_by: MakeVisitor):
    ann = seen_by("Ann")
    page = ann.page
    ann.go("Raffles")
    page.get_by_role("tab", name="Rounds").click()
    page.locator(".past summary", has_text="Round 1").click()
    page.get_by_role("link", name="Play it again").click()
    page.locator(".words li").first.wait_for()
    page.keyboard.press("ArrowRight")
    page.locator(".count", has_text="1 /").wait_for()
    to(page, "Side Pot 1 400")
    assert pots(page) == {"Main pot": "600", "Side pot 1": "400"}
    assert faces(page) == 2, "her own, and nothing of the others"
    ruling = page.locator(".words li", has_text="Ann has shown a card to everybody")
    ruling.locator("a.cite", has_text="5.15").first.click()
    page.get_by_role("heading", name="5.15").wait_for()
    page.locator(".cases a").first.click()
    page.locator(".words li").first.wait_for()
    page.get_by_label("Speed").select_option("8")
    page.get_by_role("button", name="Play").click()
    count = page.locator(".words li").count()
    page.locator(".count", has_text=f"{count} / {count}").wait_for()
    assert page.get_by_role("button", name="Play").is_visible(), "it has stopped by itself"
    page.locator(".shows a.cite", has_text="5.15").first.click()
    page.get_by_role("heading", name="5.15").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_a_case_is_a_story_with_a_way_back_and_on_to_the_school(seen_by: MakeVisitor, width: int):
    page = seen_by().page
    page.set_viewport_size({"width": width, "height": 844})
    source = "no-limit-holdem-v8/5.3.3-two-cards-exposed.toml"
    page.goto(f"{seen_by().address}/round/case/no-limit-holdem-v8/{source}")
    page.locator(".words li").nth(5).wait_for()
    page.get_by_role("button", name="To the end").click()
    page.locator(".count", has_text="6 / 6").wait_for()
    assert page.locator(".words li").count() == 6, "as many as the count says"
    assert page.locator(".seat", has_text="Straddle").count() == 0, "the Misdeal took it back"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
    page.locator(".shows a.cite").first.click()
    page.get_by_role("heading", name="5.3.3").wait_for()
    page.go_back()
    page.get_by_role("link", name="Dealer school").click()
    page.wait_for_url("**/school")


def shown_at_the_end(house: Running) -> set[str]:
    """Whose hands everybody saw by the end of round 1: that is for the cards to say."""
    found = house.enter().get("/api/tables/Raffles/rounds/1/replay")["replay"]
    *_, last = views_of(msgspec.convert(found, Replay))
    seats = last["seats"].values()
    return {seat["player"] for seat in seats if seat["cards"] and "??" not in seat["cards"]}


@pytest.mark.slow
def test_each_sees_the_round_as_it_was_for_them(house: Running, seen_by: MakeVisitor):
    anybody = opened(seen_by(), "/round/Raffles/1")
    to(anybody, "Side Pot 1 400")
    assert faces(anybody) == 1, "the card that Ann has shown to everybody"
    assert anybody.get_by_label("Seen by").count() == 0
    to(anybody, "Round 1 is over")
    assert faces(anybody) == 2 * len(shown_at_the_end(house))
    auditor = opened(seen_by("Aud"), "/round/Raffles/1")
    to(auditor, "Two cards are dealt")
    assert faces(auditor) == 6
    auditor.get_by_label("Seen by").select_option("Bob")
    auditor.locator(".words li", has_text="Bob looks at their cards:").wait_for()
    to(auditor, "Side Pot 1 400")
    assert faces(auditor) == 3
    auditor.get_by_label("Seen by").select_option("")
    auditor.locator(".words li", has_text="looks at their cards:").wait_for(state="detached")
    assert auditor.locator(".count").inner_text() == anybody_at(auditor), "it stays where it was"


def anybody_at(page: Any) -> str:
    current = page.locator(".words li[aria-current] .number").inner_text()
    return f"{current} / {page.locator('.words li').count()}"


@pytest.mark.slow
def test_a_jackpot_is_won_again(seen_by: MakeVisitor):
    page = opened(seen_by("Ann"), "/round/M1/1")
    page.keyboard.press("End")
    meters = page.locator(".jackpot-line strong")
    after = meters.inner_text()
    page.keyboard.press("Home")
    before = meters.inner_text()
    assert before != after
    page.locator(".words .elsewhere", has_text="Marina").first.wait_for()
    told = page.locator(".words").inner_text()
    assert "Straight Flush" in told
    to(page, "Ann looks at their cards")
    assert faces(page) == 2


@pytest.mark.slow
def test_what_each_hand_is_worth_is_told_on_request(house: Running, seen_by: MakeVisitor):
    page = opened(seen_by("Aud"), "/round/Raffles/1")
    to(page, "The flop is dealt")
    assert page.locator(".equities li").count() == 0
    page.get_by_role("button", name="Equities").click()
    page.locator(".equities", has_text="Every board was counted").wait_for()
    shares = [float(t.strip("%")) for t in page.locator(".equities strong").all_inner_texts()]
    assert len(shares) == 3
    assert 99 < sum(shares) < 101
    watching = opened(seen_by(), "/round/Raffles/1")
    to(watching, "The flop is dealt")
    watching.get_by_role("button", name="Equities").click()
    unseen = {"Ann", "Bob", "Cyn"} - shown_at_the_end(house)
    says = "You did not see the cards of" if unseen else "Every board was counted"
    watching.locator(".equities", has_text=says).wait_for()


@pytest.mark.slow
def test_it_is_written_in_every_format(seen_by: MakeVisitor):
    page = opened(seen_by("Ann"), "/round/Raffles/1")
    page.locator(".folded summary").click()
    forms = page.locator(".folded .button:not(summary)").all_inner_texts()
    assert forms == ["phh", "phhs", "ohh", "pokerstars"]
    with page.expect_download() as kept:
        page.get_by_role("button", name="pokerstars").click()
    assert kept.value.suggested_filename == "Raffles-1.txt"
    assert Path(kept.value.path()).read_text(encoding="utf-8").startswith("PokerStars Hand #")


@pytest.mark.slow
def test_an_audit_file_is_played_from_a_page_of_its_own(
    house: Running, seen_by: MakeVisitor, tmp_path: Path
):
    url = house.casino.house.store.url if hasattr(house.casino.house.store, "url") else ""
    url = url or house.casino.config.server.database
    file, page_file = tmp_path / "night.jsonl", tmp_path / "round.html"
    for words in (
        ["audit", "export", url, str(file), "--with-open-rounds"],  # the next one may be under way
        ["audit", "round", str(file), "Raffles#1", "--replay", str(page_file)],
    ):
        done = CliRunner().invoke(croupier, words)
        assert done.exit_code == 0, done.output
    one = seen_by()
    page = one.page
    page.goto(page_file.as_uri())
    page.locator(".words li").first.wait_for()
    to(page, "Two cards are dealt")
    assert faces(page) == 6, "the auditor's page has every card"
    page.get_by_label("Seen by").select_option("")
    to(page, "Side Pot 1 400")
    assert faces(page) == 1
    assert page.locator("a.cite").count() == 0, "no server to lead to"


def test_a_hand_history_is_dropped_onto_the_page(seen_by: MakeVisitor):
    one = seen_by()
    page = one.page
    page.goto(f"{one.address}/round")
    page.get_by_text("Drop a hand history here").wait_for()
    dropped = page.evaluate_handle(
        """(text) => {
          const data = new DataTransfer();
          data.items.add(new File([text], "hands.phh"));
          return data;
        }""",
        HAND,
    )
    page.dispatch_event("body", "drop", {"dataTransfer": dropped})
    page.locator(".side .about", has_text="comes out as it is on record").wait_for()
    to(page, "Side Pot 1 200")
    assert pots(page) == {"Main pot": "300", "Side pot 1": "200"}
    page.locator("input[type=file]").last.set_input_files(
        {"name": "x.phh", "mimeType": "text/plain", "buffer": b"nothing"}
    )
    page.get_by_role("alert").filter(has_text="cannot be read").wait_for()


@pytest.mark.slow
def test_it_goes_by_touch_on_a_phone_and_everybody_can_use_it(seen_by: MakeVisitor):
    one = seen_by("Ann", viewport=PHONE, has_touch=True)
    loaded: list[Any] = []
    one.page.on("response", lambda response: loaded.extend([response]))
    page = opened(one, "/round/Raffles/1")
    page.locator(".shuffle p").first.wait_for()
    weight = sum(r.request.sizes()["responseBodySize"] for r in loaded if r.status == 200)
    assert 10_000 < weight < A_PAGE, f"{weight} bytes"
    for _ in range(2):
        swipe(page, 300, 120)
    page.locator(".count", has_text="2 /").wait_for()
    swipe(page, 120, 300)
    page.locator(".count", has_text="1 /").wait_for()
    assert violations(page) == []
    wide: int = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"], "nothing has to be pushed sideways"


def swipe(page: Any, start: int, end: int) -> None:
    touch = {"pointerType": "touch", "bubbles": True, "clientY": 200}
    page.dispatch_event(".stage", "pointerdown", {**touch, "clientX": start})
    page.dispatch_event(".stage", "pointerup", {**touch, "clientX": end})


def test_a_round_that_is_not_there_says_so(seen_by: MakeVisitor):
    one = seen_by()
    one.page.goto(f"{one.address}/round/Raffles/77")
    one.page.get_by_role("alert").filter(has_text="Raffles has no round 77").wait_for()
