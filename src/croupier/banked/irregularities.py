"""What went wrong, as reported, and what section 5 makes of it.

Void at once: 5.8.1 and 5.8.3 to 5.8.5. Depending on whether anybody has looked: exposed cards
(5.8.2, 5.12) and a wrong deal (5.8.6, 5.10). Depending on whether the House finds that the cards
can be reconstructed: counts (5.8.7, 5.15), burns (5.9) and everything else (5.10). An error that is
found after the next round has begun changes nothing (5.19).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.authority import people_only, staff_only
from croupier.banked.choices import affected_boxes, ask_choices, can_choose
from croupier.banked.decisions import hand_seen
from croupier.banked.events import (
    CardsExposed,
    ExtraLookFound,
    Folded,
    IrregularityReported,
    RoundGoesOn,
    WalkedAway,
)
from croupier.banked.outcome import established
from croupier.banked.reconstruction import (
    check_moves,
    exchange,
    find_moves,
    possible,
    restored,
    whole_hands_moved,
)
from croupier.banked.reports import (
    Report,
    ReportDealingError,
    ReportDeckCount,
    ReportDrawnTogether,
    ReportExposed,
    ReportExtraLook,
    ReportFaceUpCard,
    ReportForeignCard,
    ReportInterruption,
    ReportMissedBurn,
    ReportNotEnoughCards,
    ReportNotShuffled,
    ReportWalkAway,
    ReportWrongCount,
    ReportWrongDeal,
)
from croupier.banked.voiding import cancel, void
from croupier.cards import Card
from croupier.rulebooks import Topic
from croupier.table import (
    BadCommand,
    Choice,
    DecisionNeeded,
    DecisionTaken,
    Order,
    Room,
    StaffRank,
)

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

irregularities = Room("irregularities")

CAN_IT_BE_RECONSTRUCTED = "can it be reconstructed"
BY_MOVING_WHOLE_HANDS = "by moving whole hands"
ORDER_OF_THE_CARDS = "order of the cards"
LOOKED_ON_PURPOSE = "looked on purpose"


# -- reporting ------------------------------------------------------------------------------------


def report(
    table: BankedTable,
    order: Order[Report],
    kind: str,
    effect: str,
    cites: tuple[str, ...],
    *,
    boxes: tuple[int, ...] = (),
    says: str = "",
) -> None:
    """Put on record what is reported and what the book makes of it."""
    table.emit(
        IrregularityReported(
            kind=kind,
            effect=effect,
            round=_round_of(table, order.command),
            boxes=boxes,
            says=says,
            by=order.who,
            cites=cites,
        )
    )


def _round_of(table: BankedTable, command: Report) -> int:
    return table.state.round if command.round is None else command.round


def of_this_round(
    table: BankedTable,
    order: Order[Report],
    kind: str,
    *,
    until_next: bool = False,
    boxes: tuple[int, ...] = (),
    says: str = "",
) -> bool:
    """Whether the report is in time; if not, it is recorded without effect.

    An error of an earlier round does not touch a later one (5.19). Once a round is settled it is
    no longer the current one and stands (5.8.effect); a wrong count alone still counts until the
    next opening call (`until_next`: 5.8.7, 5.15).
    """
    state = table.state
    people_only(table, order, "reports an irregularity")
    if state.round == 0:
        table.refuse(Topic.ROUND_OF_PLAY, "No round has been played yet.")
    named = _round_of(table, order.command)
    if not 1 <= named <= state.round:
        raise BadCommand(f"there was no round {named}; the last is {state.round}")
    if named < state.round:
        cites = table.cite(Topic.LATE_FOUND_ERROR)
        report(table, order, kind, "no effect on later rounds", cites, boxes=boxes, says=says)
        return False
    if not table.playing() and (state.void or not until_next):
        cites = table.cite(Topic.EARLIER_ROUNDS_STAND, Topic.LATE_FOUND_ERROR)
        report(table, order, kind, "the settled round stands", cites, boxes=boxes, says=says)
        return False
    return True


@irregularities.when(IrregularityReported)
def irregularity_reported(table: BankedTable, event: IrregularityReported) -> None:
    table.state.irregularities.append(f"{event.kind}: {event.effect}")


@irregularities.when(RoundGoesOn)
def round_goes_on(table: BankedTable, event: RoundGoesOn) -> None:
    table.state.goes_on.append(event.why)


def cards_out(table: BankedTable) -> None:
    """An error of the deal needs a deal."""
    if not any(box.cards for box in table.state.boxes.values()) and not table.state.board:
        raise BadCommand("no cards have been dealt in this round")


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


# -- cards in the device --------------------------------------------------------------------------


@irregularities.on(ReportFaceUpCard)
def report_face_up_card(table: BankedTable, order: Order[ReportFaceUpCard]) -> None:
    """5.13: it is played as the next card, and nobody gets a choice (B-61)."""
    card, state = order.command.card, table.state
    kind = f"{card.pretty} face up in the device"
    if not of_this_round(table, order, kind):
        return
    shoe = state.shoe
    if shoe is None or not shoe.left:
        raise BadCommand("no cards lie in the device")
    if card is Card.UNKNOWN:
        raise BadCommand("a card that lies face up can be named")
    if (shoe.real and card not in shoe.unseen) or (not shoe.real and card is not shoe.order[0]):
        raise BadCommand(f"{card.pretty} cannot be the next card of the device")
    cites = table.cite(Topic.FACE_UP_CARD_IN_DEVICE)
    report(table, order, kind, "it is played as the next card", cites)
    table.emit(RoundGoesOn(why=f"{card.pretty} is the next card", cites=cites))


@irregularities.on(ReportDrawnTogether)
def report_drawn_together(table: BankedTable, order: Order[ReportDrawnTogether]) -> None:
    """5.14: the Pit Supervisor or above says which card comes first; then all choose."""
    command, state = order.command, table.state
    if state.settings.device == "shuffler":
        table.refuse(Topic.CARDS_DRAWN_TOGETHER, "The rule speaks of a Card Shoe only.")
    if not of_this_round(table, order, "cards drawn together", boxes=command.boxes):
        return
    cards_out(table)
    places = command.boxes or command.community
    if bool(command.boxes) == bool(command.community) or len(places) < 2:
        raise BadCommand("name two or more boxes, or two or more places on the board")
    if len(set(places)) < len(places):
        raise BadCommand("each place can be named once")
    for number in command.boxes:
        box = state.boxes.get(number)
        if box is None or not box.cards or box.standing == "cancelled":
            raise BadCommand(f"no card lies at box {number}")
    if any(position > len(state.board) for position in command.community):
        raise BadCommand(f"{len(state.board)} cards lie on the board")
    cites = table.cite(Topic.CARDS_DRAWN_TOGETHER)
    effect = "the Pit Supervisor fixes the order"
    report(table, order, "cards drawn together", effect, cites, boxes=command.boxes)
    asks = {"order": "text"}
    table.ask(
        ORDER_OF_THE_CARDS,
        "Which of the cards, as they lie, is received first? Is it their true order?",
        (Choice(name="true order", asks=asks), Choice(name="fixed order", asks=asks)),  # type: ignore[arg-type]
        StaffRank.PIT_SUPERVISOR,
        cites,
        about={"boxes": list(command.boxes), "community": list(command.community)},
    )


@irregularities.answered(ORDER_OF_THE_CARDS)
def order_fixed(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    boxes, community = tuple(asked.about["boxes"]), tuple(asked.about["community"])
    count = len(boxes or community)
    order = read_order(str(taken.details["order"]), count)
    exchange(table, boxes, community, order)
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


# -- players --------------------------------------------------------------------------------------


@irregularities.on(ReportExtraLook)
def report_extra_look(table: BankedTable, order: Order[ReportExtraLook]) -> None:
    """5.18: whether it was on purpose is for the Pit Supervisor or above."""
    number = order.command.box
    if not of_this_round(table, order, "second hand examined", boxes=(number,)):
        return
    box = table.state.boxes.get(number)
    if box is None or not box.cards or box.standing == "cancelled" or box.result is not None:
        raise BadCommand(f"box {number} has no hand that could be looked at")
    first = hand_seen(table, box.player)
    if first is None or box.examined:
        raise BadCommand(f"{box.player} has not looked at another hand before; enter it as a look")
    cites = table.cite(Topic.EXTRA_HAND_EXAMINED)
    report(
        table, order, "second hand examined", "the Pit Supervisor judges", cites, boxes=(number,)
    )
    table.ask(
        LOOKED_ON_PURPOSE,
        f"Did {box.player} look at box {number} on purpose?",
        ("on purpose", "not on purpose"),
        StaffRank.PIT_SUPERVISOR,
        cites,
        about={"box": number},
    )


@irregularities.answered(LOOKED_ON_PURPOSE)
def looked_on_purpose(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    number: int = asked.about["box"]
    intentional = taken.option == "on purpose"
    cards = tuple(table.state.boxes[number].cards)
    table.emit(ExtraLookFound(box=number, intentional=intentional, cards=cards, cites=asked.cites))
    if intentional:
        cancel(table, number, asked.cites, "a second hand was examined on purpose")


@irregularities.when(ExtraLookFound)
def extra_look_found(table: BankedTable, event: ExtraLookFound) -> None:
    state = table.state
    state.boxes[event.box].examined = True
    found = "on purpose" if event.intentional else "not on purpose"
    state.rulings.append(f"{LOOKED_ON_PURPOSE}: {found}")


@irregularities.on(ReportWalkAway, while_waiting=True)
def report_walk_away(table: BankedTable, order: Order[ReportWalkAway]) -> None:
    """5.5 and 5.6. The House may report it as well: a player whose line has dropped."""
    player, state = order.command.player, table.state
    staff_only(table, order, "reports that a player has left")
    if state.is_settled():
        table.refuse(Topic.ROUND_OF_PLAY, "No round is under way.")
    his = {n: box for n, box in sorted(state.boxes.items()) if box.player == player}
    if not his:
        raise BadCommand(f"{player} has no bet in this round")
    if player in state.away:
        raise BadCommand(f"{player} is reported away already")
    left = tuple(n for n, box in his.items() if decisions_left(table, n))
    none = tuple(n for n in his if n not in left)
    topics = (Topic.WALK_AWAY_WITH_DECISIONS_LEFT,) if left else (Topic.WALK_AWAY_WITH_NONE_LEFT,)
    cites = table.cite(*topics)
    table.emit(WalkedAway(player=player, decisions_left=left, none_left=none, cites=cites))
    for number in left:
        table.emit(Folded(box=number, deemed="its player walked away", cites=cites))


def decisions_left(table: BankedTable, number: int) -> bool:
    """Whether a box has a game decision still to make: fold or Flop, Turn or River."""
    box = table.state.boxes[number]
    if not box.ante:
        return False
    return box.standing == "in" or (box.standing == "in for the finish" and box.window < 3)


@irregularities.when(WalkedAway)
def walked_away(table: BankedTable, event: WalkedAway) -> None:
    table.state.away.append(event.player)


# -- interruptions --------------------------------------------------------------------------------


@irregularities.on(ReportInterruption, while_waiting=True)
def report_interruption(table: BankedTable, order: Order[ReportInterruption]) -> None:
    """5.7: one bet that is decided keeps the whole round alive (B-48)."""
    says = order.command.says
    if not of_this_round(table, order, "technical interruption", says=says):
        return
    decided = established(table)
    if decided:
        cites = table.cite(Topic.INTERRUPTION_CONCLUDED, Topic.TECHNICAL_INTERRUPTION)
        report(table, order, "technical interruption", "the round is concluded", cites, says=says)
        table.emit(RoundGoesOn(why=decided, cites=cites))
    else:
        cites = table.cite(Topic.INTERRUPTION_VOID, Topic.TECHNICAL_INTERRUPTION)
        report(table, order, "technical interruption", "the round is void", cites, says=says)
        void(table, cites, "technical interruption")
