"""Hole Cards dealt wrongly: to the wrong seats, a hand left out, a hand too many.

v8 5.3.4, 5.3.5 and 5.3.7, where a hand left out is a wrong number of cards too (5.6); v5 5.1.5
(P-20).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from croupier.poker.figures import HOLE_CARDS
from croupier.poker.irregularities.commands import ReportWrongCount, ReportWrongDeal
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.memory import substantial_action
from croupier.poker.irregularities.misdeal import (
    RECONSTRUCTIBLE,
    UNLESS,
    judge_wrong_deal,
    order_is_lost,
    reconstruct,
    seen_since,
)
from croupier.poker.irregularities.reporting import note, under_way
from croupier.poker.irregularities.wrong_count import acted_in_time, rule_on_count
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic, Ways
from croupier.table import BadCommand, DecisionNeeded, DecisionTaken, Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

wrong_deal = Room("wrong deal")


@wrong_deal.decides(ReportWrongDeal)
def dealt_wrongly(table: PokerTable, order: Order[ReportWrongDeal]) -> None:
    command = order.command
    rule = table.by_book[HAND_LEFT_OUT]
    topic = rule.topic
    round_ = under_way(table, order, topic)
    if not table.cards_are_out():
        table.refuse_with((topic,), "The Hole Cards have not been dealt.")
    if table.state.settings.shoe == "virtual":
        _check_known(round_, command)
    rule.judge(table, round_, command)


def _check_known(round_: RoundState, command: ReportWrongDeal) -> None:
    """Where the table knows who got which card, it knows whether a hand is missing or too many:
    somebody with one card or three has a wrong number of them, which is another paragraph."""
    if "hole cards dealt wrongly" not in round_.deviations:
        raise BadCommand("the table knows that the Hole Cards went where they should")
    got = {seat for seat, _ in round_.dealt}
    if command.what == "hand left out" and got.issuperset(round_.order):
        raise BadCommand("the table knows that everybody got cards; report a wrong number of them")
    if command.what == "extra hand" and got.issubset(round_.order):
        raise BadCommand("the table knows that no seat without a player got cards")


def _void_if_seen_or_lost(table: PokerTable, round_: RoundState, command: ReportWrongDeal) -> None:
    reason = _REASONS[command.what]
    if command.what == "wrong seats":
        says = f"Misdeal if seen or not reconstructible (5.3.4, 5.3.5){UNLESS}"
        ask_ruling(table, reason, later_book=says)
        return
    judge_wrong_deal(table, round_, reason, command.seen, "wrong deal")


def _wrong_deal(table: PokerTable, round_: RoundState, command: ReportWrongDeal) -> None:
    reason = _REASONS[command.what]
    if limb := substantial_action(table, command.stopped):
        late = table.paragraphs(Topic.NO_MISDEAL_AFTER_SUBSTANTIAL_ACTION)
        says = "There was Substantial Action: no Misdeal can be declared and play goes on."
        note(table, reason, says, tuple(dict.fromkeys((*late, *limb))))
        if command.what == "hand left out":
            _rule_on_those_without_cards(table, round_, command)
        return
    if command.what == "hand left out" and _have_acted(round_, command.stopped):
        _rule_on_those_without_cards(table, round_, command)
        return
    judge_wrong_deal(table, round_, reason, command.seen, "wrong deal", command.stopped)


def _without_cards(round_: RoundState) -> list[int]:
    return [seat for seat, player in round_.players.items() if player.active and not player.cards]


def _have_acted(round_: RoundState, stopped: int) -> bool:
    """A-27: a wrong number of cards of somebody who has acted is no matter for a Misdeal, also
    before Substantial Action."""
    seats = _without_cards(round_)
    return bool(seats) and all(acted_in_time(round_, seat, stopped) for seat in seats)


def _rule_on_those_without_cards(
    table: PokerTable, round_: RoundState, command: ReportWrongDeal
) -> None:
    """Whoever was left out has the wrong number of cards (5.6), whatever is too late for a Misdeal.
    With a real shoe that was not recorded card by card only staff know who that is."""
    for seat in _without_cards(round_):
        if table.is_held():
            return  # one question at a time: what is left is reported again
        counted = ReportWrongCount(seat=seat, count=0, seen=command.seen, stopped=command.stopped)
        rule_on_count(table, round_, counted)


class HandLeftOut(Struct, frozen=True, kw_only=True):
    """What a wrong deal is ruled by, a hand left out or dealt too many among it."""

    topic: Topic
    judge: Callable[[PokerTable, RoundState, ReportWrongDeal], None]


HAND_LEFT_OUT = Ways(
    "hand-left-out",
    {
        "wrong-deal": HandLeftOut(topic=Topic.MISDEAL, judge=_wrong_deal),
        "void-if-seen-or-lost": HandLeftOut(
            topic=Topic.HAND_LEFT_OUT_OR_ADDED, judge=_void_if_seen_or_lost
        ),
    },
)

_REASONS = {
    "wrong seats": "the cards were dealt to the wrong seats",
    "hand left out": "a hand was left out",
    "extra hand": "a hand too many was dealt",
}


# -- put right ---------------------------------------------------------------------------------


@wrong_deal.answered(RECONSTRUCTIBLE)
def reconstructible_or_not(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    round_, about = table.current_round(), asked.about
    if seen_since(table, round_, about["reason"], about["kind"]):
        return
    if taken.option == "no":
        order_is_lost(table, about["reason"], about["kind"])
        return
    _rule_on_those_who_acted(table, round_, about.get("stopped", 0))
    if not (table.is_held() or table.alone(round_)):
        reconstruct(table, round_, about["kind"])


def _rule_on_those_who_acted(table: PokerTable, round_: RoundState, stopped: int) -> None:
    """A-27: what is put right is too late for whoever has acted with a wrong number of cards. If
    one hand is left then, it is ruled on as well (5.6.3)."""
    if not table.book.has(Topic.WRONG_COUNT_ACTED):
        return
    wrong = {
        seat: len(player.cards)
        for seat, player in round_.players.items()
        if player.active and len(player.cards) != table.by_book[HOLE_CARDS]
    }

    def rule_on(seat: int | None) -> None:
        if seat in wrong and not table.is_held():
            counted = ReportWrongCount(seat=seat, count=wrong[seat], seen=False, stopped=stopped)
            rule_on_count(table, round_, counted)

    for seat in wrong:
        if acted_in_time(round_, seat, stopped):
            rule_on(seat)
    rule_on(table.alone(round_))
