"""Cards in the device: face up, or drawn together (5.13, 5.14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.banked.choices import ask_choices, can_choose
from croupier.banked.drawn_together import Places, check_places, exchange
from croupier.banked.findings import RoundGoesOn
from croupier.banked.reporting import cards_out, known_to_be_untrue, of_this_round, report
from croupier.banked.reports import ReportDrawnTogether, ReportFaceUpCard
from croupier.banked.restoring import DRAWN_TOGETHER, judge
from croupier.cards import Card
from croupier.rulebooks import Topic
from croupier.table import ActorRank, BadCommand, Choice, DecisionNeeded, DecisionTaken, Order, Room
from croupier.table.decision import Ask
from croupier.table.words import listed

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

device = Room("device")

ORDER_OF_THE_CARDS = "order of the cards"


@device.decides(ReportFaceUpCard)
def report_face_up_card(table: BankedTable, order: Order[ReportFaceUpCard]) -> None:
    """5.13: it is played as the next card, and nobody gets a choice (B-61)."""
    card, state = order.command.card, table.state
    kind = f"{card.pretty} face up in the device"
    if not of_this_round(table, order, kind):
        return
    shoe = state.shoe
    if shoe is None or not shoe.left:
        raise BadCommand("no cards lie in the device")
    known_to_be_untrue(table, "this table knows that its cards lie face down in the device")
    if card is Card.UNKNOWN:
        raise BadCommand("a card that lies face up can be named")
    if (shoe.real and card not in state.hidden()) or (not shoe.real and card is not shoe.order[0]):
        raise BadCommand(f"{card.pretty} cannot be the next card of the device")
    cites = table.cite(Topic.FACE_UP_CARD_IN_DEVICE)
    report(table, order, kind, "it is played as the next card", cites)
    table.emit(RoundGoesOn(why=f"{card.pretty} is the next card", cites=cites))


@device.decides(ReportDrawnTogether)
def report_drawn_together(table: BankedTable, order: Order[ReportDrawnTogether]) -> None:
    """5.14: the Pit Supervisor or above says which card comes first; then all choose.

    Once the bets are settled, and only a jackpot claim waits, no card changes its hand any more:
    somebody else confirms the report (B-69), and all choose.
    """
    command, state = order.command, table.state
    if state.settings.device == "shuffler":
        table.refuse(Topic.CARDS_DRAWN_TOGETHER, "The rule speaks of a Card Shoe only.")
    boxes = tuple(dict.fromkeys((*command.first_cards, *command.boxes)))
    if not of_this_round(table, order, "cards drawn together", boxes=boxes):
        return
    cards_out(table)
    known_to_be_untrue(table, "this table draws its cards one by one")
    places = Places(
        boxes=command.boxes,
        community=command.community,
        first_cards=command.first_cards,
        burns=command.burns,
        dealer=command.dealer,
    )
    check_places(state, places)
    cites = table.cite(Topic.CARDS_DRAWN_TOGETHER)
    if state.is_settled():
        effect = "the players choose"
        report(table, order, "cards drawn together", effect, cites, boxes=boxes)
        judge(table, order, DRAWN_TOGETHER, can_choose(table))
        return
    effect = "the Pit Supervisor fixes the order"
    report(table, order, "cards drawn together", effect, cites, boxes=boxes)
    asks: dict[str, Ask] = {"order": "text"}
    table.ask(
        ORDER_OF_THE_CARDS,
        f"The cards at {listed(places.told())}, in this order as they lie: which is received "
        "first? Is it their true order?",
        (Choice(name="true order", asks=asks), Choice(name="fixed order", asks=asks)),
        ActorRank.PIT_SUPERVISOR,
        cites,
        about=msgspec.to_builtins(places),
    )


def places_of(asked: DecisionNeeded) -> Places:
    """The places that a question about the order of cards is about."""
    return msgspec.convert(asked.about, Places)


@device.answered(ORDER_OF_THE_CARDS)
def order_fixed(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    places = places_of(asked)
    order = read_order(str(taken.details["order"]), places.count())
    exchange(table, places, order)
    # B-55: the true order restores the deal; an order that was only fixed is played as dealt.
    restored_order = taken.option == "true order"
    topics = (Topic.DRAWN_TOGETHER_CHOICES,)
    ask_choices(table, can_choose(table), restored=restored_order, topics=topics)


def read_order(text: str, count: int) -> tuple[int, ...]:
    """An order such as `2 1`: which of the cards, as they lie, comes first, second and so on."""
    words = text.replace(",", " ").split()
    order = tuple(int(word) for word in words if word.isdigit())
    if len(order) != len(words) or sorted(order) != list(range(1, count + 1)):
        raise BadCommand(f"{text!r} is no order of {count} cards; write for example '2 1'")
    return order
