"""Whether cards can be put back into their order, and what follows from the answer.

5.9 and 1.22: the House says whether it can be done. What it finds decides between a restored deal
with the choices of 5.10 and a void round (5.8.7, 5.9) or a cancelled hand (5.15). Of a settled
round it is asked as well, until the next opening call (B-70); a report that may take money back is
first confirmed by somebody other than its reporter (B-69).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from croupier.banked.came_to_lie import lying, other_beside, other_hands
from croupier.banked.choices import ask_choices, can_choose
from croupier.banked.fell import DEALER
from croupier.banked.findings import RoundGoesOn
from croupier.banked.reconstruction import (
    check_moves,
    possible,
    restored,
    same_as_lies,
    whole_hands_moved,
)
from croupier.banked.reports import Report
from croupier.banked.voiding import cancel, void
from croupier.rulebooks import Topic, Ways
from croupier.table import ActorRank, BadCommand, DecisionNeeded, DecisionTaken, Order, Room

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

restoring = Room("restoring")

CAN_IT_BE_RECONSTRUCTED = "can it be reconstructed"
CONFIRM_REPORT = "confirm report"

DEALING_ERROR = "dealing error"
MISSED_BURN = "missed burn"
WRONG_HAND = "wrong number of cards"
WRONG_COMMUNITY = "wrong number of Community Cards"
WRONG_DEALER = "wrong number of dealer's cards"
DRAWN_TOGETHER = "draw of several cards at once"

_TOPIC: dict[str, Topic] = {
    DEALING_ERROR: Topic.DEALING_ERROR_CHOICES,
    MISSED_BURN: Topic.MISSING_BURN,
    WRONG_HAND: Topic.WRONG_COUNT,
    WRONG_COMMUNITY: Topic.WRONG_COMMUNITY_OR_DEALER_COUNT,
    WRONG_DEALER: Topic.WRONG_COMMUNITY_OR_DEALER_COUNT,
    DRAWN_TOGETHER: Topic.CARDS_DRAWN_TOGETHER,
}
"""The paragraph that rules on each error; everything that follows from it cites it first."""


def judge(
    table: BankedTable,
    order: Order[Report],
    error: str,
    boxes: list[int],
    *,
    number: int | None = None,
    moves: dict[int, int] | None = None,
) -> None:
    """Have the House judge; of a settled round once the report is confirmed.

    `boxes` are those that may choose, `number` the box with the wrong count, `moves` the whole
    hands that would put the deal right.
    """
    about = {
        "error": error,
        "boxes": boxes,
        "box": number,
        "moves": {str(a): b for a, b in (moves or {}).items()},
        "reporter": order.who,
    }
    if table.state.is_settled():
        table.ask(
            CONFIRM_REPORT,
            f"{order.who} reports a {error} in a round that is settled. Is it so?",
            ("confirm", "not so"),
            ActorRank.PIT_SUPERVISOR,
            table.cite(_TOPIC[error], Topic.PIT_EMPLOYEE),
            about=about,
            not_by=order.who,
        )
    else:
        _ask_the_house(table, about)


@restoring.answered(CONFIRM_REPORT)
def report_confirmed(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    error = asked.about["error"]
    if taken.option != "confirm":
        why = f"the {error} is not confirmed, and the settlement stands"
        table.emit(RoundGoesOn(why=why, cites=asked.cites))
    elif error == WRONG_HAND and voids_unseen(table):
        void(table, table.cite(Topic.WRONG_DEAL_UNSEEN, Topic.WRONG_COUNT), error)
    elif error == DRAWN_TOGETHER:
        # Hands that are settled keep their cards; 5.14.1 gives the choice all the same.
        topics = (Topic.DRAWN_TOGETHER_CHOICES,)
        ask_choices(table, asked.about["boxes"], restored=False, topics=topics)
    else:
        _ask_the_house(table, asked.about)


def voids_unseen(table: BankedTable) -> bool:
    """B-50: by policy a wrong count to a box voids the round while nobody has looked."""
    state = table.state
    return not state.looked() and state.policies["wrong-count-unseen"] == "void-round"


def _ask_the_house(table: BankedTable, about: dict[str, Any]) -> None:
    error = about["error"]
    judges = Topic.HOUSE_JUDGES_RECONSTRUCTION if error == MISSED_BURN else Topic.RECONSTRUCTION
    table.ask(
        CAN_IT_BE_RECONSTRUCTED,
        f"After this {error}: can the cards be put back into their intended order?",
        ("yes", "no") if _can_be_done(table, about) else ("no",),
        table.state.settings.house_rank,
        table.cite(_TOPIC[error], judges, Topic.HOUSE),
        about=about,
    )


def check_reconstruction(table: BankedTable, about: dict[str, Any]) -> None:
    """A "yes" must still be possible: a ruling may have replaced cards since it was asked."""
    moves = {int(place): home for place, home in about["moves"].items()}
    if moves and not table.state.is_settled():
        check_moves(table, moves)
    elif not _can_be_done(table, about):
        raise BadCommand("the cards cannot be put back into their intended order any more")


def _can_be_done(table: BankedTable, about: dict[str, Any]) -> bool:
    """Whether a "yes" can be carried out: after settlement only if it would change no result."""
    if table.state.is_settled():
        return not about["moves"] and same_as_lies(table)
    return bool(about["moves"]) or possible(table)


@restoring.answered(CAN_IT_BE_RECONSTRUCTED)
def reconstructed_or_not(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    about = asked.about
    error, boxes = about["error"], list(about["boxes"])
    number: int | None = about["box"]
    topic = _TOPIC[error]
    if taken.option == "yes":
        # B-51: the hand itself may go on too.
        asks = [number, *boxes] if number is not None else boxes
        if not table.state.is_settled():
            asks += _restore(table, topic, {int(a): b for a, b in about["moves"].items()})
        ask_choices(table, sorted({*asks}), restored=True, topics=(topic,))
    elif number is not None:
        if table.state.boxes[number].standing != "cancelled":
            cancel(table, number, table.cite(topic), error)
        _ask_the_others(table, boxes)
    elif error == DEALING_ERROR:
        ask_choices(table, boxes, restored=False, topics=(topic,))
    else:
        void(table, table.cite(topic), error, reporter=about["reporter"])


def _restore(table: BankedTable, topic: Topic, moves: dict[int, int]) -> list[int]:
    """Put the cards right. Whom that gives other cards it affects, named or not; another board or
    dealer's hand affects everybody (B-54)."""
    cites = table.cite(topic, Topic.RECONSTRUCTION)
    before = lying(table)
    if moves:
        table.emit(whole_hands_moved(table, moves, cites))
        moved = {*moves, *moves.values()}
        return can_choose(table) if DEALER in moved else sorted(moved & table.state.boxes.keys())
    table.emit(restored(table, cites))
    now = lying(table)
    return can_choose(table) if other_beside(before, now) else other_hands(before, now)


def _ask_the_others(table: BankedTable, boxes: list[int]) -> None:
    """B-67: where 5.15 says nothing of other affected players, 5.10 does, unless by policy not."""
    topic = table.by_book[OTHERS_CHOOSE](table)
    if topic is not None:
        ask_choices(table, boxes, restored=False, topics=(topic,))


def _by_policy(table: BankedTable) -> Topic | None:
    asked = table.state.policies["others-after-wrong-count"] == "asked"
    return Topic.DEALING_ERROR_CHOICES if asked else None


OTHERS_CHOOSE: Ways[Callable[[BankedTable], Topic | None]] = Ways(
    "wrong-count-others",
    {"affected-choose": lambda table: Topic.WRONG_COUNT, "by-policy": _by_policy},
)
"""By what the other affected players choose, if they do."""
