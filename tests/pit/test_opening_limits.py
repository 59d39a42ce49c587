"""What a table or a link may state when it opens: below, at and above each limit."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from croupier.banked import BankedTable
from croupier.banked.commands import AddChips
from croupier.banked.commands import Sit as SitAtBox
from croupier.jackpot import JackpotLink
from croupier.jackpot.commands import Approve, CloseLink, OpenLink, ProposeCorrection
from croupier.jackpot.commands import ProposeParameters as Propose
from croupier.poker import PokerTable
from croupier.rulebooks import load
from croupier.table import ActorRank, BadCommand, Command, Conversation, OpenTable, Order, Refused

EVENING = datetime(2024, 9, 1, 20, tzinfo=timezone(timedelta(hours=8)))
V8, V5 = "no-limit-holdem-v8", "poker-v5"
POKER: dict[str, Any] = {
    "layout": "A",
    "sign": True,
    "rake": {"percent": 5, "cap": 5000},
    "minimum_stake": 1000,
    "opened_knowingly": True,
}
BANKED: dict[str, Any] = {
    "layout": "A",
    "layout_boxes": 6,
    "ante_minimum": 2500,
    "ante_maximum": 50000,
    "bonus_minimum": 500,
    "bonus_maximum": 500000,
    "progressive": 500,
}
LINK: dict[str, Any] = {"reset_value": 5_000_000, "contribution": 100}


def give(
    here: Conversation[Any],
    command: Command,
    rank: ActorRank = ActorRank.PIT_MANAGER,
    who: str = "Omar",
) -> str:
    """`accepted`, the first paragraph of a refusal, or `error`."""
    try:
        answer = here.handle(Order(command=command, who=who, rank=rank, when=EVENING))
    except BadCommand:
        return "error"
    return answer.cites[0] if isinstance(answer, Refused) else "accepted"


def poker_opens(book: str, **stated: Any) -> str:
    settings = {**POKER, **({"maximum_stake": 1_000_000} if book == V8 else {}), **stated}
    return give(PokerTable(load(book)), OpenTable(table="T", settings=settings))


def banked_opens(**stated: Any) -> str:
    table = BankedTable(load("multi-link-progressive-v3"))
    return give(table, OpenTable(table="T", settings={**BANKED, **stated}))


def link_opens(**stated: Any) -> str:
    link = JackpotLink(load("multi-link-progressive-v3"))
    settings = {name: value for name, value in {**LINK, **stated}.items() if value is not None}
    return give(link, OpenLink(link="main", settings=settings, tables=("A",)))


CENT = {"chips": (1, 500), "minimum_stake": 1}


@pytest.mark.parametrize(
    ("stated", "comes"),
    [
        ({}, "accepted"),
        ({"blinds": (500, 999)}, "error"),
        ({"blinds": (500, 1100)}, "1.8"),
        ({**CENT, "blinds": (1, 2)}, "accepted"),
        ({**CENT, "blinds": (0, 0)}, "error"),
        ({"blinds": (550, 1100)}, "error"),
        ({"chips": (0, 100)}, "error"),
        ({"chips": (100, 250)}, "error"),
        ({"minimum_stake": 100}, "accepted"),
        ({**CENT, "blinds": (1, 2), "minimum_stake": 0}, "error"),
        ({"minimum_stake": -100}, "error"),
        ({"minimum_stake": 150}, "error"),
        ({"maximum_stake": None}, "3.7"),
        ({"maximum_stake": 900}, "error"),
        ({"maximum_stake": 1000}, "accepted"),
        ({"maximum_stake": 1050}, "error"),
        ({"layout": "D"}, "2.1.1"),
        ({"layout": ""}, "2.1.1"),
        ({"betting_limit": 100}, "3.4"),
        ({"sign": False}, "4.1"),
        ({"house_rank": "player"}, "error"),
        ({"house_rank": "dealer"}, "error"),
        ({"house_rank": "house"}, "error"),
        ({"house_rank": "pit supervisor"}, "accepted"),
        ({"rake": None}, "4.1"),
        ({"rake": {}}, "4.1"),
        ({"rake": {"percent": 5, "cap": 500, "timed": 100}}, "4.1"),
        ({"rake": {"timed": 100}}, "accepted"),
        ({"rake": {"timed": 0}}, "error"),
        ({"rake": {"timed": 150}}, "error"),
        ({**CENT, "rake": {"timed": 1}}, "accepted"),
        ({"rake": {"percent": "five", "cap": 500}}, "error"),
        ({"rake": {"percent": "-1", "cap": 500}}, "error"),
        ({"rake": {"percent": 0, "cap": 0}}, "accepted"),
        ({"rake": {"percent": 100, "cap": 500}}, "accepted"),
        ({"rake": {"percent": "100.5", "cap": 500}}, "error"),
        ({"rake": {"percent": 5}}, "4.1.1"),
        ({"rake": {"percent": 5, "cap": 0}}, "accepted"),
        ({"rake": {"percent": 5, "cap": -100}}, "error"),
        ({"rake": {"percent": 5, "cap": 550}}, "error"),
        ({"rake": {"percent": 5, "cap": 500, "chip": 0}}, "error"),
        ({"rake": {"percent": 5, "cap": 500, "chip": 50}}, "error"),
        ({"rake": {"percent": 0, "cap": 500, "chip": 50}}, "accepted"),
        ({**CENT, "rake": {"percent": 5, "cap": 500, "chip": 1}}, "accepted"),
    ],
)
def test_a_poker_table_opens_with_what_version_8_allows(stated: dict[str, Any], comes: str) -> None:
    assert poker_opens(V8, **stated) == comes


@pytest.mark.parametrize(
    ("stated", "comes"),
    [
        ({}, "accepted"),
        ({"sign": False}, "accepted"),
        ({"straddle": True}, "error"),
        ({"maximum_stake": 100_000}, "error"),
        ({"rake": {"timed": 100}}, "4.1"),
        ({"rake": {"percent": "5.1", "cap": 500}}, "4.1"),
        ({"rake": {"percent": "4.9", "cap": 500}}, "accepted"),
        ({"layout": "B"}, "2.1.1"),
        ({"opened_knowingly": False}, "3.1"),
    ],
)
def test_a_poker_table_opens_with_what_version_5_allows(stated: dict[str, Any], comes: str) -> None:
    assert poker_opens(V5, **stated) == comes


@pytest.mark.parametrize(
    ("stated", "comes"),
    [
        ({}, "accepted"),
        ({"layout": None}, "2.1.1"),
        ({"layout": "Z"}, "2.1.1"),
        ({"boxes": 6}, "accepted"),
        ({"boxes": 7}, "2.1.1.a"),
        *[({name: None}, "3.3") for name in BANKED if "_m" in name or name == "progressive"],
        *[({name: 0}, "3.3") for name in BANKED if "_m" in name or name == "progressive"],
        ({"progressive": 1}, "accepted"),
        ({"ante_minimum": 1}, "accepted"),
        ({"ante_minimum": 50000}, "accepted"),
        ({"ante_minimum": 50001}, "3.3"),
        ({"bonus_minimum": 500000}, "accepted"),
        ({"bonus_minimum": 500001}, "3.3"),
        ({"house_rank": "player"}, "error"),
        ({"house_rank": "dealer"}, "error"),
        ({"house_rank": "house"}, "error"),
        ({"house_rank": "pit supervisor"}, "accepted"),
    ],
)
def test_a_banked_table_opens_with_its_limits_on_display(
    stated: dict[str, Any], comes: str
) -> None:
    assert banked_opens(**stated) == comes


@pytest.mark.parametrize(
    ("stated", "comes"),
    [
        ({}, "accepted"),
        ({"reset_value": 0}, "1.20"),
        ({"reset_value": 1}, "accepted"),
        ({"start": -1}, "1.20"),
        ({"start": 0}, "accepted"),
        ({"contribution": 0}, "1.20"),
        ({"contribution": 1}, "accepted"),
        ({"contribution": None}, "1.20"),
        ({"contribution_rate": "1"}, "1.20"),
        ({"contribution": None, "contribution_rate": "100"}, "accepted"),
        ({"contribution": None, "contribution_rate": "100.1"}, "error"),
        ({"reserve_rate": "100"}, "accepted"),
        ({"reserve_rate": "101"}, "error"),
        ({"ceiling": 5_000_000}, "accepted"),
        ({"ceiling": 4_999_999}, "error"),
        ({"start": 5_000_001, "ceiling": 5_000_000}, "error"),
        ({"unreasonable": 0}, "error"),
        ({"unreasonable": 1}, "accepted"),
        ({"display_pace": 0}, "error"),
        ({"display_pace": 1}, "accepted"),
        ({"house_rank": "player"}, "error"),
        ({"house_rank": "dealer"}, "error"),
        ({"house_rank": "house"}, "error"),
        ({"house_rank": "pit supervisor"}, "accepted"),
    ],
)
def test_a_link_opens_with_a_reset_value_and_a_growth(stated: dict[str, Any], comes: str) -> None:
    assert link_opens(**stated) == comes


def test_nobody_but_staff_opens_and_nothing_opens_twice() -> None:
    link, opening = JackpotLink(load("multi-link-progressive-v3")), None
    opening = OpenLink(link="main", settings=LINK, tables=("A",))
    assert give(link, opening, ActorRank.PLAYER) == "error"
    assert give(link, opening, ActorRank.DEALER) == "accepted"
    assert give(link, opening) == "error"


@pytest.fixture
def link() -> JackpotLink:
    """A link with its meter at 60,000, closed."""
    link = JackpotLink(load("multi-link-progressive-v3"))
    settings = {**LINK, "start": 6_000_000, "ceiling": 7_000_000, "display_pace": 50}
    give(link, OpenLink(link="main", settings=settings, tables=("A",)))
    give(link, CloseLink())
    return link


@pytest.mark.parametrize(
    ("change", "comes"),
    [
        ({}, "error"),
        ({"contribution": 150}, "accepted"),
        ({"contribution_rate": "2"}, "accepted"),
        ({"contribution": 150, "contribution_rate": "2"}, "1.20"),
        ({"reset_value": 0}, "1.20"),
        ({"ceiling": 5_999_999}, "error"),
        ({"ceiling": 6_000_000}, "accepted"),
        ({"clear": ("ceiling",)}, "accepted"),
        ({"clear": ("ceiling",), "ceiling": 8_000_000}, "error"),
        ({"clear": ("reset_value",)}, "error"),
        ({"clear": ("payment",)}, "error"),
        ({"clear": ("reserve_rate", "display_pace")}, "accepted"),
    ],
)
def test_parameters_are_proposed_that_the_link_could_have_opened_with(
    link: JackpotLink, change: dict[str, Any], comes: str
) -> None:
    assert give(link, Propose(reason="new", **change)) == comes


def test_a_change_is_for_managers_two_of_them_and_a_closed_link() -> None:
    link = JackpotLink(load("multi-link-progressive-v3"))
    give(link, OpenLink(link="main", settings=LINK, tables=("A",)))
    change = Propose(reason="new", contribution=150)
    assert give(link, change) == "error"
    give(link, CloseLink())
    assert give(link, change, ActorRank.PIT_SUPERVISOR) not in ("accepted", "error")
    assert give(link, change) == "accepted"
    assert give(link, Approve(proposal=2), who="Pia") == "error"
    assert give(link, Approve(proposal=1), who="Omar") == "error"
    assert give(link, Approve(proposal=1), ActorRank.DEALER, who="Pia") != "accepted"
    assert give(link, Approve(proposal=1), who="Pia") == "accepted"
    assert link.state.settings.contribution == 150
    assert give(link, Approve(proposal=1), who="Pia") == "error"


@pytest.mark.parametrize(
    ("by", "comes"),
    [(0, "error"), (-6_000_000, "accepted"), (-6_000_001, "error"), (1, "accepted")],
)
def test_a_correction_changes_the_meter_and_leaves_it_at_nothing_or_above(
    link: JackpotLink, by: int, comes: str
) -> None:
    assert give(link, ProposeCorrection(by=by, reason="counted")) == comes
    if comes == "accepted":
        assert give(link, Approve(proposal=1), who="Pia") == "accepted"
        assert link.state.meter == 6_000_000 + by


def test_a_paced_display_that_is_paced_no_more_shows_the_meter(link: JackpotLink) -> None:
    link.state.display = 5_900_000
    assert give(link, Propose(reason="new", display_pace=70)) == "accepted"
    assert give(link, Approve(proposal=1), who="Pia") == "accepted"
    assert link.state.display == 5_900_000
    assert give(link, Propose(reason="new", clear=("display_pace",))) == "accepted"
    assert give(link, Approve(proposal=2), who="Pia") == "accepted"
    assert link.state.display == 6_000_000


@pytest.mark.parametrize(("chips", "comes"), [(-1, "error"), (0, "error"), (1, "accepted")])
def test_a_counted_rack_is_more_than_nothing(chips: int, comes: str) -> None:
    table = BankedTable(load("multi-link-progressive-v3"))
    give(table, OpenTable(table="T", settings=BANKED))
    sit = SitAtBox(box=1, player="Ann", chips=chips)
    assert give(table, sit, ActorRank.PLAYER, "Ann") == comes
    give(table, SitAtBox(box=2, player="Ben", chips=500), ActorRank.PLAYER, "Ben")
    more = AddChips(player="Ben", chips=chips)
    assert give(table, more, ActorRank.PLAYER, "Ben") == comes
