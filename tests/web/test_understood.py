"""One understands what happened: why a bet lost, who won and with what, and what was said of me."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from msgspec import structs

from croupier.house.software import STANDING_ORDERS
from croupier.poker.events import BlindsCalled, RoundEnded
from croupier.table import ActorRank, DecisionNeeded, DecisionTaken
from tests.web.conftest import Visitor, first_of
from tests.web.test_banked import bet
from tests.web.test_poker import cards_of, next_to_act, pair

__all__ = ["pair"]

SENTENCES = {
    "Ann 3 raises to 60.": "You raise to 60.",
    "Ann 3 has the highest card, K♥, and gets the button.": (
        "You have the highest card, K♥, and get the button."
    ),
    "Ann 3 does not show the hand.": "You do not show the hand.",
    "Ann 3 passes.": "You pass.",
    "Ann 3 is away and misses the Big Blind; a missed Blind button is put there.": (
        "You are away and miss the Big Blind; a missed Blind button is put there."
    ),
    "Ann 3 looks at their cards: K♥ 2♦.": "You look at your cards: K♥ 2♦.",
    "Main Pot: 29 to Ann 3 (One Pair, Nines).": "Main Pot: 29 to you (One Pair, Nines).",
    "To show, in order: Ben, Ann 3 and Cid.": "To show, in order: Ben, you and Cid.",
    "The hand of Ann 3 is dead.": "Your hand is dead.",
    "The cards of Ann 3 lie face up: A♠ K♠.": "Your cards lie face up: A♠ K♠.",
    "The folded cards of Ann 3 are collected.": "Your folded cards are collected.",
    "The jackpot hand of Ann 3 is recorded: Flush.": "Your jackpot hand is recorded: Flush.",
    "The seat of Ann 3 is kept.": "Your seat is kept.",
    "A card of Ann 3 is replaced.": "A card of yours is replaced.",
    "Ann 3 (pit supervisor) confirms the Misdeal.": "You (pit supervisor) confirm the Misdeal.",
    "Ben gets two cards, Ann 3 gets two cards.": "Ben gets two cards, you get two cards.",
    "Everybody else is out: Ann 3 wins and need not show.": (
        "Everybody else is out: you win and need not show."
    ),
    "Ann 3's hand is dead.": "Your hand is dead.",
    "Ann 33 folds.": "Ann 33 folds.",
    "Ann 3, at the dealer's left, gets the button.": "You, at the dealer's left, get the button.",
    "Ann 3, Ben and Cid get two cards each.": "You, Ben and Cid get two cards each.",
    "Ann 3 is excluded until Friday, by their own wish.": (
        "You are excluded until Friday, by your own wish."
    ),
    "What does Ann 3 (seat 1) post to come in?": "What do you (seat 1) post to come in?",
    "Round 1 begins. The button is at seat 1, the Small Blind is Ben, the Big Blind Ann 3.": (
        "Round 1 begins. The button is at seat 1, the Small Blind is Ben, the Big Blind you."
    ),
}


LIFTED = """() => {
  window.lifted = 0;
  setInterval(() => {
    const now = document.querySelectorAll("playing-card.best").length;
    window.lifted = Math.max(window.lifted, now);
  }, 30);
}"""
"""Notes how many cards were lifted at once: they are for a moment only."""


def test_what_is_said_of_me_is_said_to_me(visitor: Callable[..., Visitor]):
    one = visitor()
    one.page.goto(f"{one.address}/")
    told = one.page.evaluate(
        """async (said) => {
          const { toYou } = await import("/static/app/addressed.js");
          return said.map((each) => toYou(each, "Ann 3"));
        }""",
        list(SENTENCES),
    )
    assert dict(zip(SENTENCES, told, strict=True)) == SENTENCES


PROPOSED = [
    ({"by": -1_050}, "by \u221210.50"),
    ({"reset_value": 5_000_000, "ceiling": None}, "reset value 50,000, ceiling none"),
    ({"contribution_rate": "12.5"}, "contribution rate 12.5%"),
    ({"destination": "the other jackpot"}, "destination the other jackpot"),
]


def test_what_is_proposed_for_a_jackpot_is_told_in_money(visitor: Callable[..., Visitor]):
    one = visitor()
    one.page.goto(f"{one.address}/")
    told = one.page.evaluate(
        """async (proposed) => {
          const { changeWords } = await import("/static/app/link-words.js");
          return proposed.map(([change]) => changeWords(change));
        }""",
        PROPOSED,
    )
    assert told == [says for _, says in PROPOSED]


@pytest.mark.parametrize("table", first_of(["Marina-1", "Orchard"]))
def test_every_bet_says_at_its_spot_why_it_won_or_lost(
    visitor: Callable[..., Visitor], like: Callable[[str], str], table: str
):
    ann = visitor("Ann")
    ann.sit(like(table))
    page = ann.page
    bet(ann, "ante", "bonus", "progressive")
    ann.button("Deal").click()
    page.evaluate(LIFTED)
    ann.button("Flop bet").click()
    for _ in range(2):
        ann.button("Check").click()
    rows = page.locator(".settled-bets li")
    page.locator(".settled-bets li.all").wait_for()
    for row in rows.all()[:-1]:
        why = row.locator(".why").inner_text()
        assert re.match(r"(Won|Lost|Back)\b.*\.", why), why
        assert row.locator(".cite").count() >= 1, "by its paragraph"
    whole = page.locator(".settled-bets").inner_text()
    assert "Hole Cards count here" in whole, "the Bonus is about two cards"
    all_of_it = page.locator(".settled-bets li.all strong")
    if all_of_it.inner_text().startswith("\N{MINUS SIGN}"):
        assert all_of_it.evaluate("(node) => getComputedStyle(node).color") != "rgb(245, 221, 157)"
    if "Lost: you folded" not in whole:
        assert page.evaluate("window.lifted") >= 5
    page.locator(
        ".about-cards", has_text="Your two Hole Cards, whatever lies on the board"
    ).wait_for()


def test_a_hand_is_told_in_ten_lines_and_survives_a_reload(
    visitor: Callable[..., Visitor], like: Callable[[str], str], pair: Callable[..., list[Visitor]]
):
    players = pair("Raffles")
    for player in players:
        player.plays("c")
    ann = players[0]
    ann.paid()
    page = ann.page
    page.locator("#body-log li", has_text="Round 1 is over").wait_for(state="attached")
    shown = page.locator("#body-log .log li:visible").all_inner_texts()
    first = next(i for i, line in enumerate(shown) if "Round 1 begins" in line)
    hand = shown[first:]
    assert 5 <= len(hand) <= 10, hand
    assert any("You " in line for line in hand)
    assert not any("does not straddle" in line for line in hand)
    page.get_by_role("button", name="Every step").click()
    assert page.locator("#body-log .log li:visible").count() >= len(shown)
    page.reload()
    page.locator("#body-log li", has_text="Round 1 begins").wait_for(state="attached")
    again = " ".join(page.locator("#body-log .log li").all_inner_texts())
    assert again.count("Round 1 begins") == 1


@pytest.mark.slow
def test_my_folded_cards_stay_visible_to_me(pair: Callable[..., list[Visitor]]):
    players = pair("Raffles")
    first = next_to_act(players)
    first.page.locator(".seat.mine playing-card.up").nth(1).wait_for(state="attached")
    cards = cards_of(first)
    first.button("Fold").click()
    first.page.locator(".seat.mine.gone").wait_for(state="attached")
    assert cards_of(first) == cards


@pytest.mark.slow
def test_who_won_stands_on_the_board_with_the_five_cards_lifted(
    pair: Callable[..., list[Visitor]],
):
    players = pair("Clarke")
    for player in players:
        player.plays("c")
    page = players[0].page
    page.locator(".stage .settled li").first.wait_for()
    said = page.locator(".stage .settled li").first.inner_text()
    assert re.search(r"(You win|wins|share) the pot of", said), said
    lifted: Any = page.locator(".stage playing-card.best").count()
    assert lifted >= 3


def test_what_staff_are_asked_is_a_step_and_what_a_player_is_asked_is_not(
    visitor: Callable[..., Visitor],
):
    """By whom it is to be answered, not by how it is worded."""
    asked = DecisionNeeded(decision=1, question="q", says="Is it so?", options=(), of=3)
    of_staff = structs.replace(asked, of=ActorRank.PIT_MANAGER)
    taken = DecisionTaken(
        decision=1, question="q", option="yes", who="Mia", rank=ActorRank.PIT_MANAGER
    )
    events = [asked, of_staff, taken, structs.replace(taken, who=STANDING_ORDERS)]
    one = visitor()
    one.page.goto(f"{one.address}/")
    steps = one.page.evaluate(
        """async (events) => {
          const { Log } = await import("/static/app/log.js");
          const log = new Log();
          const told = (event, position) => ({ position, event, told: "Told.", cites: [] });
          log.tell(events.map(told), null);
          const steps = [...log.lines.querySelectorAll(".step")];
          return steps.map((node) => node.classList.contains("small-step"));
        }""",
        json.loads(msgspec.json.encode(events)),
    )
    assert steps == [False, True, False, True]


def test_a_button_that_passes_whoever_is_away_is_said_to_pass(visitor: Callable[..., Visitor]):
    """When a round ends it comes to the next place, and with the next call on to one who plays."""
    at = datetime(2026, 11, 18, 12, tzinfo=UTC)

    def called(number: int, button: int) -> BlindsCalled:
        return BlindsCalled(
            round=number,
            at=at,
            button=button,
            small_blind=button,
            big_blind=5,
            players=(5, button),
            posts={},
        )

    events = [
        called(1, 2),
        RoundEnded(round=1, button=3),
        called(2, 4),
        RoundEnded(round=2, button=5),
        called(3, 5),
    ]
    told = [{"event": event, "told": event.tell(str)} for event in events]
    one = visitor()
    one.page.goto(f"{one.address}/")
    lines = one.page.evaluate(
        """async (told) => {
          const { Log } = await import("/static/app/log.js");
          const log = new Log();
          log.tell(told.map((each, position) => ({ ...each, position, cites: [] })), null);
          return [...log.lines.children].map((line) => line.textContent);
        }""",
        json.loads(msgspec.json.encode(told)),
    )
    assert "The button is at seat 2," in lines[0]
    assert "the button goes to seat 3." in lines[0]
    assert "The button passes seat 3 and is at seat 4," in lines[1]
    assert "The button is at seat 5," in lines[2]


def test_who_sits_out_is_told_what_it_costs_to_come_back(visitor: Callable[..., Visitor]):
    """At most: whoever comes back to the Big Blind pays only that."""
    one = visitor()
    one.page.goto(f"{one.address}/")
    said = one.page.evaluate(
        """async (missed) => {
          const { sitsOut } = await import("/static/app/coming-in.js");
          return missed.map((each) => sitsOut(each, [500, 1000]));
        }""",
        ["", "small", "big", "both"],
    )
    both = "You sit out. Coming back costs up to 15: 10 as your bet and 5 dead."
    assert said == [
        "You sit out: no cards are dealt to you.",
        "You sit out. Coming back costs 5 dead, or the Blind that comes to you.",
        both,
        both,
    ]


def test_after_a_reload_a_round_that_was_void_is_in_the_log_however_long_ago(
    visitor: Callable[..., Visitor],
):
    """Of five rounds the last three are told whole, and of those before only what was void."""
    one = visitor()
    one.page.goto(f"{one.address}/")

    def answer(route: Any) -> None:
        last = route.request.url.rsplit("/", 1)[1]
        if last == "rounds":
            rounds = [{"round": n, "voided": n == 1} for n in (5, 4, 3, 2, 1)]
            return route.fulfill(json={"rounds": rounds})
        ended = "round voided" if last == "1" else "round ended"
        events = [
            {
                "position": 10 * int(last) + at,
                "event": {"event": what},
                "told": f"{what} {last}.",
                "cites": [],
            }
            for at, what in enumerate(("blinds called", "checked", ended))
        ]
        return route.fulfill(json={"events": events})

    one.page.route("**/api/tables/Here/**", answer)
    said = one.page.evaluate(
        """async () => {
          const { Panel } = await import("/static/app/panel.js");
          const panel = new Panel("Here", null);
          await panel.recall(100, null);
          return [...panel.log.lines.querySelectorAll(".step")].map((n) => n.textContent.trim());
        }"""
    )
    assert said[:2] == ["blinds called 1.", "round voided 1."]
    assert said[2:5] == ["blinds called 3.", "checked 3.", "round ended 3."]
    assert len(said) == 2 + 3 * 3
