"""What went wrong, as reported, and what section 5 makes of it.

Void at once: 5.8.1 and 5.8.3 to 5.8.5. Depending on whether anybody has looked: exposed cards
(5.8.2, 5.12) and a wrong deal (5.8.6, 5.10). Depending on whether the House finds that the cards
can be reconstructed: counts (5.8.7, 5.15), burns (5.9) and everything else (5.10). An error that is
found after the next round has begun changes nothing (5.19).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.choices import affected_boxes, ask_choices, can_choose
from croupier.banked.findings import CardsExposed, RoundGoesOn
from croupier.banked.reconstruction import (
    check_moves,
    find_moves,
    possible,
    restored,
    whole_hands_moved,
)
from croupier.banked.reporting import cards_out, of_this_round, report
from croupier.banked.reports import (
    Report,
    ReportDealingError,
    ReportDeckCount,
    ReportExposed,
    ReportForeignCard,
    ReportMissedBurn,
    ReportNotEnoughCards,
    ReportNotShuffled,
    ReportWrongCount,
    ReportWrongDeal,
)
from croupier.banked.voiding import cancel, void
from croupier.cards import Card
from croupier.rulebooks import Topic
from croupier.table import BadCommand, DecisionNeeded, DecisionTaken, Order, Room

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

irregularities = Room("irregularities")

CAN_IT_BE_RECONSTRUCTED = "can it be reconstructed"
BY_MOVING_WHOLE_HANDS = "by moving whole hands"


# -- void at once ---------------------------------------------------------------------------------


@irregularities.on(ReportForeignCard, while_waiting=True)
def report_foreign_card(table: BankedTable, order: Order[ReportForeignCard]) -> None:
    says = order.command.says
    _void_at_once(table, order, "foreign card", Topic.FOREIGN_CARD, says)


@irregularities.on(ReportDeckCount, while_waiting=True)
def report_deck_count(table: BankedTable, order: Order[ReportDeckCount]) -> None:
    count, right = order.command.count, table.book.number("deck-cards")
    if count == right:
        raise BadCommand(f"a deck of {right} cards is neither short nor over")
    _void_at_once(table, order, f"deck of {count} cards", Topic.DECK_SHORT_OR_OVER)


@irregularities.on(ReportNotEnoughCards, while_waiting=True)
def report_not_enough_cards(table: BankedTable, order: Order[ReportNotEnoughCards]) -> None:
    _void_at_once(table, order, "not enough cards", Topic.NOT_ENOUGH_CARDS)


@irregularities.on(ReportNotShuffled, while_waiting=True)
def report_not_shuffled(table: BankedTable, order: Order[ReportNotShuffled]) -> None:
    _void_at_once(table, order, "cards not shuffled", Topic.CARDS_NOT_SHUFFLED)


def _void_at_once(
    table: BankedTable, order: Order[Report], kind: str, topic: str, says: str = ""
) -> None:
    if of_this_round(table, order, kind, says=says):
        cites = table.cite(topic, Topic.VOID_EVENTS)
        report(table, order, kind, "the round is void", cites, says=says)
        void(table, cites, kind)


# -- exposed cards --------------------------------------------------------------------------------


@irregularities.on(ReportExposed)
def report_exposed(table: BankedTable, order: Order[ReportExposed]) -> None:
    """B-49: two or more unseen, void; one unseen, a choice; once somebody has looked, play on."""
    command, state = order.command, table.state
    count = sum(map(len, command.boxes.values())) + len(command.community) + len(command.dealer)
    boxes = tuple(sorted(command.boxes))
    if not count:
        raise BadCommand("say which cards were exposed, by where they lie")
    kind = "one card exposed" if count == 1 else f"{count} cards exposed"
    if not of_this_round(table, order, kind, boxes=boxes):
        return
    cards_out(table)
    exposed = _exposed(table, command)
    if state.looked():
        cites = table.cite(Topic.ONE_CARD_EXPOSED)
        report(table, order, kind, "the round continues", cites, boxes=boxes)
        table.emit(exposed)
        table.emit(RoundGoesOn(why=f"{kind} after a player has looked", cites=cites))
    elif count + state.exposed() >= table.book.number("exposed-cards-limit"):
        # 5.8.2 counts every card exposed in the deal, whether reported together or one by one.
        cites = table.cite(Topic.TWO_OR_MORE_EXPOSED)
        report(table, order, kind, "the round is void", cites, boxes=boxes)
        table.emit(exposed)
        void(table, cites, kind)
    else:
        own = table.book.procedure("one-exposed-unseen") == "affected-player-chooses"
        topics: tuple[str, ...] = (Topic.ONE_CARD_EXPOSED,) if own else ()
        cites = table.cite(*topics, Topic.DEALING_ERROR_CHOICES)
        report(table, order, kind, "the affected player chooses", cites, boxes=boxes)
        table.emit(exposed)
        hit = affected_boxes(table, boxes) if boxes else can_choose(table)
        ask_choices(table, hit, restored=False, topics=topics)


def _exposed(table: BankedTable, command: ReportExposed) -> CardsExposed:
    """The exposed cards, found where they lie; a card that is not there is an error."""
    state = table.state
    for number, cards in command.boxes.items():
        box = state.boxes.get(number)
        if box is None or len(cards) > len(box.cards):
            raise BadCommand(f"box {number} has not {len(cards)} cards to be exposed")
        _must_lie(cards, [c for c in box.cards if c not in box.face_up], f"before box {number}")
    down = [c for c in state.board[state.shown :] if c not in state.exposed_board]
    _must_lie(command.community, down, "on the board, face down")
    held = [] if state.dealer_shown else state.dealer
    held = [c for c in held if c not in state.exposed_dealer]
    _must_lie(command.dealer, held, "before the dealer, face down")
    return CardsExposed(
        boxes=command.boxes,
        community=command.community,
        dealer=command.dealer,
        cites=table.cite(Topic.ONE_CARD_EXPOSED),
    )


def _must_lie(cards: tuple[Card, ...], lying: list[Card], where: str) -> None:
    if len(cards) > len(lying):
        raise BadCommand(f"{len(cards)} cards cannot have been exposed {where}")
    for card in cards:
        if card is not Card.UNKNOWN and cards.count(card) > 1:
            raise BadCommand(f"{card.pretty} is named twice")
        if card is not Card.UNKNOWN and card not in lying and Card.UNKNOWN not in lying:
            raise BadCommand(f"{card.pretty} does not lie {where}")


@irregularities.when(CardsExposed)
def cards_exposed(table: BankedTable, event: CardsExposed) -> None:
    state = table.state
    for number, cards in event.boxes.items():
        state.boxes[number].face_up += [c for c in cards if c.is_known]
    state.exposed_board += [c for c in event.community if c.is_known]
    state.exposed_dealer += [c for c in event.dealer if c.is_known]


# -- cards in wrong places ------------------------------------------------------------------------


@irregularities.on(ReportWrongDeal)
def report_wrong_deal(table: BankedTable, order: Order[ReportWrongDeal]) -> None:
    """5.8.6 while nobody has looked; otherwise an ordinary dealing error (5.10)."""
    command, state = order.command, table.state
    boxes = tuple(sorted(set(command.affected)))
    if not of_this_round(table, order, "wrong deal", boxes=boxes):
        return
    cards_out(table)
    hit = affected_boxes(table, boxes)
    check_moves(table, command.moves)
    if state.looked():
        cites = table.cite(Topic.DEALING_ERROR_CHOICES)
        report(table, order, "wrong deal", "the affected players choose", cites, boxes=boxes)
        _ask_if_restorable(table, "dealing error", (Topic.DEALING_ERROR_CHOICES,), hit)
        return
    cites = table.cite(Topic.WRONG_DEAL_UNSEEN)
    moves = command.moves or find_moves(table)
    if not moves:
        report(table, order, "wrong deal", "the round is void", cites, boxes=boxes)
        void(table, cites, "cards dealt incorrectly")
        return
    report(table, order, "wrong deal", "the House judges", cites, boxes=boxes)
    table.ask(
        BY_MOVING_WHOLE_HANDS,
        "Can the deal be put right by moving complete hands from one box to another?",
        ("yes", "no"),
        state.settings.house_rank,
        table.cite(Topic.WRONG_DEAL_UNSEEN, Topic.HOUSE_JUDGES_RECONSTRUCTION),
        about={"moves": {str(a): b for a, b in moves.items()}, "boxes": hit},
    )


@irregularities.answered(BY_MOVING_WHOLE_HANDS)
def whole_hands(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    cites = table.cite(Topic.WRONG_DEAL_UNSEEN, Topic.RECONSTRUCTION)
    if taken.option == "no":
        void(table, cites, "cards dealt incorrectly")
        return
    moves = {int(a): b for a, b in asked.about["moves"].items()}
    table.emit(whole_hands_moved(table, moves, cites))
    topics = (Topic.WRONG_DEAL_UNSEEN,)
    ask_choices(table, asked.about["boxes"], restored=True, topics=topics)


# -- wrong counts, burns and other dealing errors --------------------------------------------------


def _ask_if_restorable(
    table: BankedTable,
    error: str,
    topics: tuple[str, ...],
    boxes: list[int],
    number: int | None = None,
) -> None:
    """Whether cards can be reconstructed is for the House to say."""
    options = ("yes", "no") if possible(table) else ("no",)
    table.ask(
        CAN_IT_BE_RECONSTRUCTED,
        f"After this {error}: can the cards be put back into their intended order?",
        options,
        table.state.settings.house_rank,
        table.cite(*topics, Topic.HOUSE_JUDGES_RECONSTRUCTION),
        about={"error": error, "boxes": boxes, "box": number},
    )


@irregularities.on(ReportWrongCount)
def report_wrong_count(table: BankedTable, order: Order[ReportWrongCount]) -> None:
    """5.15 for a box; 5.8.7 for the board or the dealer. Both until the next opening call."""
    command = order.command
    given = [x for x in (command.box, command.community, command.dealer) if x is not None]
    if len(given) != 1 or (command.box is None) != (command.cards is None):
        raise BadCommand("name a box with its cards, or community, or dealer, and one of them only")
    if command.box is not None:
        _wrong_hand(table, order, command.box)
        return
    if command.affected:
        raise BadCommand("a wrong board or dealer's hand affects everybody; name no boxes")
    kind = "wrong number of Community Cards"
    right, got = table.book.number("community-cards"), command.community
    if command.community is None:
        kind = "wrong number of dealer's cards"
        right, got = table.book.number("dealer-cards"), command.dealer
    if got == right and table.state.street == 3:
        raise BadCommand(f"{right} cards are as many as there should be")
    if not of_this_round(table, order, kind, until_next=True):
        return
    cards_out(table)
    if not (table.state.board if command.dealer is None else table.state.dealer):
        raise BadCommand("those cards have not been dealt yet")
    topic = Topic.WRONG_COMMUNITY_OR_DEALER_COUNT
    if not table.playing() or table.state.is_settled():
        cites = table.cite(topic)
        report(table, order, kind, "the round is void", cites)
        void(table, cites, kind)
        return
    report(table, order, kind, "the House judges", table.cite(topic))
    _ask_if_restorable(table, kind, (topic,), can_choose(table))


def _wrong_hand(table: BankedTable, order: Order[ReportWrongCount], number: int) -> None:
    command, state = order.command, table.state
    kind = "wrong number of cards"
    if command.cards == table.book.number("hole-cards"):
        raise BadCommand(f"{command.cards} cards are as many as box {number} should have")
    if not of_this_round(table, order, kind, until_next=True, boxes=(number,)):
        return
    cards_out(table)
    box = state.boxes.get(number)
    if box is None or box.standing in ("cancelled", "no hand"):
        raise BadCommand(f"box {number} has no hand in this round")
    if not any(each.cards for each in state.boxes.values()):
        raise BadCommand("the Hole Cards have not been dealt yet")
    others = [n for n in affected_boxes(table, command.affected) if n != number]
    if not state.looked() and state.policies["wrong-count-unseen"] == "void-round":
        cites = table.cite(Topic.WRONG_DEAL_UNSEEN, Topic.WRONG_COUNT)
        report(table, order, kind, "the round is void", cites, boxes=(number,))
        void(table, cites, kind)
    elif state.is_settled():
        cites = table.cite(Topic.WRONG_COUNT)
        report(table, order, kind, "the hand is cancelled", cites, boxes=(number,))
        cancel(table, number, cites, kind)
    else:
        report(
            table, order, kind, "the House judges", table.cite(Topic.WRONG_COUNT), boxes=(number,)
        )
        _ask_if_restorable(table, kind, (Topic.WRONG_COUNT,), others, number)


@irregularities.on(ReportMissedBurn)
def report_missed_burn(table: BankedTable, order: Order[ReportMissedBurn]) -> None:
    """5.9, by the letter: once anybody has looked the round is void (B-52)."""
    kind = f"no burn before {order.command.before}"
    state = table.state
    if state.settings.device == "shuffler":
        table.refuse(Topic.SHUFFLER_PROCEDURE, "A table with a shuffler burns no cards.")
    if not of_this_round(table, order, kind):
        return
    cards_out(table)
    cites = table.cite(Topic.MISSING_BURN)
    if state.looked():
        report(table, order, kind, "the round is void", cites)
        void(table, cites, kind)
    else:
        report(table, order, kind, "the House judges", cites)
        _ask_if_restorable(table, "missed burn", (Topic.MISSING_BURN,), can_choose(table))


@irregularities.on(ReportDealingError)
def report_dealing_error(table: BankedTable, order: Order[ReportDealingError]) -> None:
    command = order.command
    boxes = tuple(sorted(set(command.affected)))
    if not of_this_round(table, order, "dealing error", boxes=boxes, says=command.says):
        return
    cards_out(table)
    hit = affected_boxes(table, boxes) if boxes else can_choose(table)
    cites = table.cite(Topic.DEALING_ERROR_CHOICES)
    effect = "the affected players choose"
    report(table, order, "dealing error", effect, cites, boxes=boxes, says=command.says)
    _ask_if_restorable(table, "dealing error", (Topic.DEALING_ERROR_CHOICES,), hit)


@irregularities.answered(CAN_IT_BE_RECONSTRUCTED)
def reconstructed_or_not(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    error, boxes = asked.about["error"], list(asked.about["boxes"])
    number: int | None = asked.about["box"]
    yes = taken.option == "yes"
    if yes:
        table.emit(restored(table, table.cite(Topic.RECONSTRUCTION)))
    if number is not None:  # 5.15
        if yes:  # B-51
            ask_choices(table, [number, *boxes], restored=True, topics=(Topic.WRONG_COUNT,))
            return
        cancel(table, number, table.cite(Topic.WRONG_COUNT), error)
        if table.book.procedure("wrong-count-others") == "affected-choose":
            ask_choices(table, boxes, restored=False, topics=(Topic.WRONG_COUNT,))
    elif error == "dealing error":
        ask_choices(table, boxes, restored=yes, topics=())
    elif error == "missed burn":
        if yes:
            ask_choices(table, boxes, restored=True, topics=(Topic.MISSING_BURN,))
        else:
            void(table, table.cite(Topic.MISSING_BURN), error)
    elif yes:  # 5.8.7
        topics = (Topic.WRONG_COMMUNITY_OR_DEALER_COUNT,)
        ask_choices(table, boxes, restored=True, topics=topics)
    else:
        void(table, table.cite(Topic.WRONG_COMMUNITY_OR_DEALER_COUNT), error)
