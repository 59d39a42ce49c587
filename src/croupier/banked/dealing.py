"""Dealing from a Card Shoe (3.11) and from an Electronic Card Shuffler (3.12).

The dealer's acts are commands. At a hand-dealt table a person gives them and may err: no burn, a
card too many, a box out of order. The table notes what became of the cards and goes on until
somebody reports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.banked.authority import check_box, staff_only
from croupier.banked.claims import hand_waits
from croupier.banked.commands import (
    CollectCards,
    DealCommunity,
    DealDealer,
    DealFlop,
    DealHoleCards,
    DealRiver,
    DealTurn,
    RecordClaim,
    RevealDealer,
    RevealFlop,
    RevealRiver,
    RevealTurn,
    Settle,
)
from croupier.banked.decisions import fold_topic
from croupier.banked.events import (
    CardsCollected,
    CommunityDealt,
    DealerDealt,
    DealerRevealed,
    FaceDown,
    FlopDealt,
    FlopRevealed,
    HoleCardsDealt,
    Revealed,
    RiverDealt,
    RiverRevealed,
    TurnDealt,
    TurnRevealed,
)
from croupier.banked.figures import COMMUNITY_CARDS, DEALER_CARDS, FLOP_CARDS, HOLE_CARDS
from croupier.banked.lines import ANY_LINE_AFTER_FOLD
from croupier.banked.phases import jackpot_alive, may_still_establish, onward
from croupier.banked.settlement import countable, countable_board, jackpot_held
from croupier.banked.state import BankedState, BoxState
from croupier.cards import Card
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Command, Order, Room
from croupier.table.words import counted

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

dealing = Room("dealing")

_STREETS = ("flop", "turn", "river")


def next_act(table: BankedTable) -> Command | None:
    """What the dealer does next, where that needs no judgement."""
    state = table.state
    shoe = state.settings.device == "shoe"
    match state.phase:
        case "dealing":
            if state.shoe is None:
                return None
            if not shoe and not state.laid:
                return DealCommunity()
            return DealDealer() if state.holes_out() else DealHoleCards()
        case "flop" | "turn" | "river":
            street = _STREETS.index(state.phase)
            if shoe and len(state.laid) <= street:
                return (DealFlop(), DealTurn(), DealRiver())[street]
            return (RevealFlop(), RevealTurn(), RevealRiver())[street]
        case "dealer":
            return RevealDealer() if state.dealer else DealDealer()
        case "settling":
            return Settle()
        case "jackpot":
            for number, box in sorted(state.boxes.items()):
                if box.due and not box.claimed:
                    return RecordClaim(box=number)
            return None
        case _:
            return None


# -- taking cards out of the device ---------------------------------------------------------------


def _may_err(table: BankedTable, as_it_should_be: bool) -> None:
    if not as_it_should_be and table.state.settings.dealing != "by-hand":
        raise BadCommand("an automatic table deals without error; only a hand-dealt one may err")


def _draw(
    table: BankedTable, burn: bool, count: int
) -> tuple[Card | None, tuple[Card, ...]] | None:
    """The next cards, without taking them; None where the device has not that many (5.8.4)."""
    shoe = table.state.shoe
    assert shoe is not None
    total = count + burn
    if shoe.left < total:
        return None
    if shoe.real:
        cards = tuple(shoe.order[:total])
    else:
        cards = shoe.peek(total)
    return (cards[0], cards[1:]) if burn else (None, cards)


def _too_few(table: BankedTable) -> None:
    from croupier.banked.voiding import void  # a void needs the settlement, which needs the cards

    void(table, table.cite(Topic.NOT_ENOUGH_CARDS), "the device has not enough cards")


def _take(table: BankedTable, event: FaceDown) -> None:
    state = table.state
    assert state.shoe is not None
    if event.burn is not None:
        state.burns.append(state.shoe.burn(event.burn))
        state.sequence.append(event.burn)
    state.shoe.take(event.cards)
    state.sequence.extend(event.cards)


# -- the deals ------------------------------------------------------------------------------------


@dealing.decides(DealCommunity)
def deal_community(table: BankedTable, order: Order[DealCommunity]) -> None:
    command, state = order.command, table.state
    staff_only(table, order, "deals")
    if state.settings.device != "shuffler":
        table.refuse(Topic.SHOE_PROCEDURE, "With a Card Shoe the board is dealt street by street.")
    if state.phase != "dealing" or state.laid:
        table.refuse(Topic.SHUFFLER_COMMUNITY_SET, "The Community Cards are not due.")
    _may_err(table, command.count == table.by_book[COMMUNITY_CARDS])
    drawn = _draw(table, False, command.count)
    assert drawn is not None, "the set comes first, out of a whole deck"
    cites = table.cite(
        Topic.SHUFFLER_COMMUNITY_SET, Topic.SHUFFLER_PROCEDURE, Topic.COMMUNITY_CARDS
    )
    table.emit(CommunityDealt(cards=drawn[1], cites=cites))


@dealing.decides(DealHoleCards)
def deal_hole_cards(table: BankedTable, order: Order[DealHoleCards]) -> None:
    command, state = order.command, table.state
    staff_only(table, order, "deals")
    shoe = state.settings.device == "shoe"
    topic = Topic.SHOE_HOLE_CARDS if shoe else Topic.SHUFFLER_PACKETS
    if state.phase != "dealing" or state.holes_out() or not (shoe or state.laid):
        table.refuse(topic, "The Hole Cards are not due.")
    each = table.by_book[HOLE_CARDS]
    boxes = [n for n, box in sorted(state.boxes.items()) if box.ante]
    if shoe:
        burn, right = command.burn, tuple(boxes * each)
        falls = command.order or right
    else:
        burn, right = False, tuple(n for n in boxes for _ in range(each))
        falls = tuple(n for n in command.order for _ in range(each)) or right
    _may_err(table, falls == right and (burn or not shoe))
    for number in falls:
        check_box(table, number)
    strangers = command.times.keys() - set(boxes)
    if strangers:
        raise BadCommand(f"times are for boxes that are dealt in, not {sorted(strangers)}")
    drawn = _draw(table, burn, len(falls))
    if drawn is None:
        _too_few(table)
        return
    table.emit(
        HoleCardsDealt(
            burn=drawn[0],
            cards=drawn[1],
            order=falls,
            dealt={n: command.times.get(n, order.when) for n in boxes},
            cites=table.cite(topic, Topic.HOLE_CARDS, Topic.HAND, *_first_decision(shoe)),
        )
    )


def _first_decision(shoe: bool) -> tuple[str, ...]:
    return (
        (Topic.SHOE_PROCEDURE, Topic.SHOE_FIRST_DECISION, Topic.FLOP_WINDOW)
        if shoe
        else (Topic.SHUFFLER_PROCEDURE,)
    )


@dealing.applies(CommunityDealt)
def community_dealt(table: BankedTable, event: CommunityDealt) -> None:
    _take(table, event)
    state = table.state
    state.board = list(event.cards)
    flop = table.by_book[FLOP_CARDS]
    count = len(event.cards)
    state.laid = [min(count, flop), min(max(count - flop, 0), 1), max(count - flop - 1, 0)]


@dealing.applies(HoleCardsDealt)
def hole_cards_dealt(table: BankedTable, event: HoleCardsDealt) -> None:
    _take(table, event)
    state = table.state
    boxes = state.boxes
    state.falls = list(event.order)
    for number, card in zip(event.order, event.cards, strict=True):
        if number in boxes:
            boxes[number].cards.append(card)
        else:  # A box without a bet: the dealer has erred, and it is for somebody to report.
            state.stray.setdefault(number, []).append(card)
    for number, when in event.dealt.items():
        boxes[number].dealt = when
    if state.settings.device == "shoe":
        if event.burn is None:
            state.missed.append("hole cards")
        state.phase = "first decision"
        onward(table)


@dealing.decides(DealFlop, DealTurn, DealRiver)
def deal_street(table: BankedTable, order: Order[DealFlop | DealTurn | DealRiver]) -> None:
    command, state = order.command, table.state
    staff_only(table, order, "deals")
    street = _STREET_OF[type(command)]
    if state.settings.device == "shuffler":
        table.refuse(Topic.SHUFFLER_PROCEDURE, "With a shuffler the board lies there already.")
    if state.phase != _STREETS[street] or len(state.laid) > street:
        table.refuse(_SHOE_STREET[street], f"The {_STREETS[street]} is not due.")
    right = table.by_book[FLOP_CARDS] if street == 0 else 1
    _may_err(table, command.burn and command.count == right)
    drawn = _draw(table, command.burn, command.count)
    if drawn is None:
        _too_few(table)
        return
    cites = table.cite(_SHOE_STREET[street], Topic.BURNT_CARD, _CARD_TOPIC[street])
    table.emit(_DEALT[street](burn=drawn[0], cards=drawn[1], cites=cites))


_STREET_OF: dict[type, int] = {
    DealFlop: 0,
    DealTurn: 1,
    DealRiver: 2,
    FlopDealt: 0,
    TurnDealt: 1,
    RiverDealt: 2,
    RevealFlop: 0,
    RevealTurn: 1,
    RevealRiver: 2,
    FlopRevealed: 0,
    TurnRevealed: 1,
    RiverRevealed: 2,
}
_DEALT: tuple[type[FaceDown], ...] = (FlopDealt, TurnDealt, RiverDealt)
_SHOWN: tuple[type[Revealed], ...] = (FlopRevealed, TurnRevealed, RiverRevealed)
_CARD_TOPIC = (Topic.FLOP_CARDS, Topic.TURN_CARD, Topic.RIVER_CARD)
_SHOE_STREET = (Topic.SHOE_FLOP, Topic.SHOE_TURN, Topic.SHOE_RIVER)
_SHUFFLER_STREET = (
    Topic.SHUFFLER_FLOP,
    Topic.SHUFFLER_TURN,
    Topic.SHUFFLER_RIVER_AND_DEALER,
)
_WINDOWS = (
    (Topic.BETTING_WINDOWS, Topic.FLOP_WINDOW, Topic.TURN_WINDOW),
    (Topic.TURN_WINDOW, Topic.RIVER_WINDOW),
    (Topic.RIVER_WINDOW,),
)


@dealing.applies(FlopDealt, TurnDealt, RiverDealt)
def street_dealt(table: BankedTable, event: FaceDown) -> None:
    _take(table, event)
    state = table.state
    if event.burn is None:
        state.missed.append(_STREETS[_STREET_OF[type(event)]])
    state.board.extend(event.cards)
    state.laid.append(len(event.cards))


@dealing.decides(DealDealer)
def deal_dealer(table: BankedTable, order: Order[DealDealer]) -> None:
    command, state = order.command, table.state
    staff_only(table, order, "deals")
    shoe = state.settings.device == "shoe"
    topic = Topic.SHOE_DEALER_HAND if shoe else Topic.SHUFFLER_PACKETS
    due = state.phase == "dealer" if shoe else state.phase == "dealing" and state.holes_out()
    if state.phase == "dealer" and not shoe and not state.dealer:
        says = "The dealer has no cards; this must be reported."
        table.refuse(Topic.WRONG_COMMUNITY_OR_DEALER_COUNT, says)
    if not due or state.dealer:
        table.refuse(topic, "The dealer's own cards are not due.")
    _may_err(table, command.count == table.by_book[DEALER_CARDS])
    drawn = _draw(table, False, command.count)
    if drawn is None:
        _too_few(table)
        return
    topics: tuple[str, ...] = (topic,)
    if not shoe:
        topics = (topic, Topic.SHUFFLER_FIRST_DECISION, Topic.FLOP_WINDOW)
    table.emit(DealerDealt(cards=drawn[1], cites=table.cite(*topics)))


@dealing.applies(DealerDealt)
def dealer_dealt(table: BankedTable, event: DealerDealt) -> None:
    _take(table, event)
    state = table.state
    state.dealer = list(event.cards)
    state.dealer_dealt = True
    if state.phase == "dealing":
        state.phase = "first decision"
        onward(table)


# -- turning cards up -----------------------------------------------------------------------------


@dealing.decides(RevealFlop, RevealTurn, RevealRiver)
def reveal_street(table: BankedTable, order: Order[RevealFlop | RevealTurn | RevealRiver]) -> None:
    command, state = order.command, table.state
    staff_only(table, order, "turns cards up")
    street = _STREET_OF[type(command)]
    shoe = state.settings.device == "shoe"
    topic = _SHOE_STREET[street] if shoe else _SHUFFLER_STREET[street]
    window = state.window()
    if window is not None and window == _STREETS[street]:
        table.refuse_citing(
            (_WINDOWS[street][-1] if street else Topic.FLOP_WINDOW, topic),
            "Not every box has decided yet.",
        )
    lying = tuple(state.street_cards(street))
    due = state.phase == _STREETS[street] and len(state.laid) > street
    if not due and not (street < state.street and to_be_named(state, lying)):
        table.refuse(topic, f"The {_STREETS[street]} is not due to be shown.")
    cards = _identified(table, lying, command.cards, state.exposed_board)
    _names_what_lies_open(table, cards, lying, state.board, state.exposed_board)
    cites = table.cite(topic, _CARD_TOPIC[street], Topic.COMMUNITY_CARDS, *_WINDOWS[street])
    table.emit(_SHOWN[street](cards=cards, cites=cites))


def to_be_named(state: BankedState, lying: Sequence[Card]) -> bool:
    """Whether cards that were turned up are others now, of a real shoe: put into their order
    (1.22, 5.14). They are shown once more to say which."""
    return Card.UNKNOWN in lying and not state.is_settled()


def _identified(
    table: BankedTable, lying: tuple[Card, ...], said: tuple[Card, ...], exposed: Sequence[Card]
) -> tuple[Card, ...]:
    """Which cards are turned up: those of the shoe, or what is said of a real one; some of them
    may have been exposed."""
    if Card.UNKNOWN not in lying:
        if said and said != lying:
            raise BadCommand("these are not the cards that lie there")
        return lying
    check_said(table, lying, said, exposed)
    return said


def check_said(
    table: BankedTable, lying: tuple[Card, ...], said: tuple[Card, ...], exposed: Sequence[Card]
) -> None:
    """Cards that turn up at a real table must be possible: known, as many, and not out already,
    though some may have been `exposed` where they lie."""
    shoe = table.state.shoe
    assert shoe is not None
    if len(said) != len(lying) or Card.UNKNOWN in said:
        raise BadCommand(
            f"the shoe is real: say which {counted(len(lying), 'card is', 'cards are')} turned up"
        )
    unseen = {*table.state.hidden(), *(card for card in exposed if card in shoe.unseen)}
    for card, known in zip(said, lying, strict=True):
        possible = card in unseen if known is Card.UNKNOWN else card is known
        if not possible or said.count(card) > 1:
            raise BadCommand(f"{card.pretty} cannot be turned up here: it is out already")


def _names_what_lies_open(
    table: BankedTable,
    said: tuple[Card, ...],
    lying: tuple[Card, ...],
    place: list[Card],
    exposed: list[Card],
) -> None:
    """A real card that was exposed is one of those that lie there: it is named among them, unless
    it can be one that is still face down, or a ruling has replaced cards since."""
    left = [card for card in exposed if card not in said and card not in place]
    covered = place.count(Card.UNKNOWN) - lying.count(Card.UNKNOWN)
    if len(left) > covered and not table.state.thrown:
        raise BadCommand(f"{left[0].pretty} lies open there; name it too")


def identify(
    table: BankedTable, lying: list[Card], said: tuple[Card, ...], fell: int | None = None
) -> None:
    """Write down which cards the unknown ones have turned out to be.

    `fell` is where the first of them stands in the order in which the cards left the device; it is
    not known of Hole Cards, which may have been dealt to the wrong boxes.
    """
    state = table.state
    assert state.shoe is not None
    for place, (card, known) in enumerate(zip(said, list(lying), strict=True)):
        if known is Card.UNKNOWN and card is not Card.UNKNOWN:
            state.shoe.identify(card)
            lying[place] = card
            if fell is not None and not state.thrown:
                state.sequence[fell + place] = card


def _fell(state: BankedState, street: int) -> int:
    """Where the first Community Card of a street stands in the order of the deal."""
    before = sum(state.laid[:street])
    if state.settings.device == "shuffler":
        return before
    hole_cards = sum(len(box.cards) for box in state.boxes.values())
    hole_cards += sum(map(len, state.stray.values()))
    burnt = sum(deal not in state.missed for deal in ("hole cards", *_STREETS[: street + 1]))
    return hole_cards + burnt + before


@dealing.applies(FlopRevealed, TurnRevealed, RiverRevealed)
def street_revealed(table: BankedTable, event: Revealed) -> None:
    state = table.state
    street = _STREET_OF[type(event)]
    first = sum(state.laid[:street])
    lying = state.board[first : first + len(event.cards)]
    if Card.UNKNOWN in lying:
        identify(table, lying, event.cards, _fell(state, street))
        state.board[first : first + len(event.cards)] = lying
    # A street that is shown once more has not gone back.
    state.street = max(state.street, street + 1)
    state.shown = max(state.shown, first + len(event.cards))
    onward(table)


@dealing.decides(RevealDealer)
def reveal_dealer(table: BankedTable, order: Order[RevealDealer]) -> None:
    state = table.state
    staff_only(table, order, "turns cards up")
    shoe = state.settings.device == "shoe"
    topic = Topic.SHOE_DEALER_HAND if shoe else Topic.SHUFFLER_RIVER_AND_DEALER
    due = state.phase == "dealer" and bool(state.dealer)
    if not due and not (state.dealer_shown and to_be_named(state, state.dealer)):
        table.refuse(topic, "The dealer's cards are not due to be shown.")
    lying = tuple(state.dealer)
    cards = _identified(table, lying, order.command.cards, state.exposed_dealer)
    _names_what_lies_open(table, cards, lying, state.dealer, state.exposed_dealer)
    table.emit(DealerRevealed(cards=cards, cites=table.cite(topic, Topic.OUTRANK_THE_DEALER)))


@dealing.applies(DealerRevealed)
def dealer_revealed(table: BankedTable, event: DealerRevealed) -> None:
    state = table.state
    identify(table, state.dealer, event.cards, len(state.sequence) - len(state.dealer))
    state.dealer_shown = True
    onward(table)


# -- folded cards ---------------------------------------------------------------------------------


@dealing.decides(CollectCards)
def collect_cards(table: BankedTable, order: Order[CollectCards]) -> None:
    """B-25: folded cards with a jackpot bet stay at their box until the flop is shown, and after it
    where they hold a line, until that is paid (4.4), or where nobody can tell yet; so do cards that
    were not shown and may still be (4.3)."""
    number = order.command.box
    staff_only(table, order, "collects cards")
    box = table.state.boxes.get(number)
    if box is None or box.standing != "folded" or not box.cards or box.collected:
        raise BadCommand(f"there are no folded cards at box {number}")
    topic = fold_topic(table)
    needs_hole_cards = table.by_book[ANY_LINE_AFTER_FOLD]
    undecided = not _line_is_known(table, box) or bool(jackpot_held(table, box))
    unsettled = jackpot_alive(box) and not table.state.is_settled()
    if needs_hole_cards and unsettled and undecided:
        table.refuse(
            topic, f"The cards of box {number} are needed for its Progressive Jackpot bet."
        )
    if may_still_establish(table, box):
        says = f"The cards of box {number} may still be laid open for its other bets."
        table.refuse(Topic.NOT_SHOWING, says)
    if hand_waits(table, box):
        table.refuse(Topic.JACKPOT_CLAIM, f"The jackpot hand of box {number} is not paid yet.")
    table.emit(CardsCollected(box=number, cites=table.cite(topic)))


def _line_is_known(table: BankedTable, box: BoxState) -> bool:
    """Whether the flop lies there as it should and real cards have been named."""
    if box.gone:
        return True
    return table.state.street > 0 and countable_board(table) and countable(table, box.cards_known())


@dealing.applies(CardsCollected)
def cards_collected(table: BankedTable, event: CardsCollected) -> None:
    table.state.boxes[event.box].collected = True
