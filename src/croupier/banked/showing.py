"""Showing cards at settlement, or not (4.3, 4.4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from croupier.banked.authority import own_box, people_only
from croupier.banked.commands import RefuseToShow, TableCards
from croupier.banked.dealing import check_said, identify
from croupier.banked.events import NOT_SHOWN, CardsGone, CardsTabled, Folded, ShowingRefused
from croupier.banked.figures import BETTING_WINDOWS
from croupier.banked.phases import bonus_if_tabled, bonus_turns_on_the_dealer, onward
from croupier.banked.questions import ask_not_shown
from croupier.banked.reporting import known_to_be_untrue
from croupier.banked.reports import ReportCardsGone
from croupier.banked.state import BoxState
from croupier.cards import Card
from croupier.rulebooks import Topic, Ways
from croupier.table import BadCommand, Order, Room

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

showing = Room("showing")


def may_show(table: BankedTable, box: BoxState) -> bool:
    """Whether the hand of a box may be laid open: all its decisions made, not yet settled."""
    if not box.cards or box.result is not None or table.state.is_settled():
        return False
    if (box.tabled or box.collected) and Card.UNKNOWN not in box.cards:
        return False  # Of a real shoe a card that has replaced another is to be named.
    if box.standing == "in for the finish":
        return box.window == table.by_book[BETTING_WINDOWS]
    return box.standing == "folded" and table.state.phase == "settling"


def may_refuse(table: BankedTable, box: BoxState) -> bool:
    """Whether a player may still refuse to show: he is In For The Finish and has decided all, and
    his cards do not lie open already (5.12)."""
    if box.refused or len(box.face_up) == len(box.cards):
        return False
    return may_show(table, box) and box.standing == "in for the finish"


@showing.decides(RefuseToShow)
def refuse_to_show(table: BankedTable, order: Order[RefuseToShow]) -> None:
    number = order.command.box
    box = own_box(table, order, number)
    if not may_refuse(table, box):
        table.refuse(Topic.NOT_SHOWING, f"Box {number} has nothing to show now.")
    table.emit(ShowingRefused(box=number, cites=table.cite(Topic.NOT_SHOWING)))
    table.by_book[NOT_SHOWING].carry_out(table, number)


def _fold(table: BankedTable, number: int) -> None:
    cites = table.cite(Topic.NOT_SHOWING)
    table.emit(Folded(box=number, deemed=NOT_SHOWN, cites=cites))


class NotShowing(NamedTuple):
    """What becomes of the main bets of a hand that is not shown, and what a player who thinks of it
    is told."""

    carry_out: Callable[[BankedTable, int], None]
    says: str
    bonus_lost: str = ""
    """What is said instead where by policy the Bonus is lost as well (B-29)."""


_COUNTS_AS_FOLDED = (
    "A hand that is not shown counts as folded: your Ante and your Flop, Turn and River bets are "
    "lost, whatever the cards are"
)

NOT_SHOWING = Ways(
    "not-showing",
    {
        "deemed-fold": NotShowing(
            _fold,
            f"{_COUNTS_AS_FOLDED}. Bonus and Progressive Jackpot are then for you to prove.",
            f"{_COUNTS_AS_FOLDED}, and your Bonus with them. The Progressive Jackpot is then for "
            "you to prove.",
        ),
        "own-risk": NotShowing(
            ask_not_shown,
            "A hand that is not shown is paid nothing that rests on it, and the House rules on "
            "your other bets: you may lose them all, whatever the cards are.",
        ),
    },
)
"""What becomes of the main bets (4.3)."""


def told_of_not_showing(table: BankedTable) -> str:
    """What a player who thinks of not showing is told."""
    way = table.by_book[NOT_SHOWING]
    return way.says if bonus_if_tabled(table) else way.bonus_lost


@showing.applies(ShowingRefused)
def showing_refused(table: BankedTable, event: ShowingRefused) -> None:
    table.state.boxes[event.box].refused = True


@showing.decides(TableCards)
def table_cards(table: BankedTable, order: Order[TableCards]) -> None:
    command = order.command
    box = own_box(table, order, command.box)
    if not may_show(table, box):
        table.refuse(Topic.HAND, f"The cards of box {command.box} are not to be laid open now.")
    cards = tuple(box.cards)
    if Card.UNKNOWN in cards:
        check_said(table, cards, command.cards, box.face_up)
        _with_those_that_lie_open(table, command, box)
        cards = command.cards
    elif command.cards and set(command.cards) != set(cards):
        raise BadCommand(f"these are not the cards of box {command.box}")
    topic = Topic.NOT_SHOWING if box.refused else Topic.HAND
    table.emit(CardsTabled(box=command.box, cards=cards, cites=table.cite(topic)))


def _with_those_that_lie_open(table: BankedTable, command: TableCards, box: BoxState) -> None:
    """A card that was exposed is one of the hand, unless a ruling has replaced cards since."""
    missing = [card for card in box.face_up if card not in command.cards]
    if missing and not table.state.thrown:
        raise BadCommand(f"{missing[0].pretty} lies open before box {command.box}; name it too")


@showing.applies(CardsTabled)
def cards_tabled(table: BankedTable, event: CardsTabled) -> None:
    box = table.state.boxes[event.box]
    identify(table, box.cards, event.cards)
    box.tabled = True
    box.face_up = list(event.cards)
    if box.refused:
        bonus_turns_on_the_dealer(table, box)
        onward(table)


@showing.decides(ReportCardsGone)
def report_cards_gone(table: BankedTable, order: Order[ReportCardsGone]) -> None:
    """B-26: nothing is paid for cards that cannot be identified, unless it is ruled so."""
    number = order.command.box
    people_only(table, order, "reports that cards are gone")
    known_to_be_untrue(table, "this table knows its cards; none of them is gone")
    box = table.state.boxes.get(number)
    if box is None or not box.cards or not box.progressive or box.result is not None:
        raise BadCommand(f"there is no jackpot hand at box {number} that could be gone")
    if box.standing != "folded":
        raise BadCommand(f"box {number} is still in play; report it as a dealing error")
    if box.gone:
        raise BadCommand(f"the cards of box {number} are reported gone already")
    if box.lies_open():
        raise BadCommand(f"the cards of box {number} lie open, so everybody knows them")
    table.emit(CardsGone(box=number, cites=table.cite(Topic.JACKPOT_CLAIM)))


@showing.applies(CardsGone)
def cards_are_gone(table: BankedTable, event: CardsGone) -> None:
    box = table.state.boxes[event.box]
    box.gone = True
    if box.bonus_by_dealer:  # It is established no more.
        box.bonus_by_dealer = False
        onward(table)
