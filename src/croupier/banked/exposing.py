"""Cards that the dealer has exposed (5.8.2, 5.12).

Two or more unseen, void; one unseen, a choice for whom it affects; once somebody has looked, play
goes on (B-49), and it is noted also of a card that has been turned up since. Cards exposed one at a
time in a deal are counted together (B-68); one that nobody could name, and that is named later, is
counted once. A burnt card is a card like any other, but it affects nobody's hand: alone it changes
nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.betting import is_gone
from croupier.banked.choices import AFTER_A_DEALING_ERROR, affected_boxes, ask_choices, can_choose
from croupier.banked.findings import CardsExposed, RoundGoesOn
from croupier.banked.reporting import cards_out, known_to_be_untrue, of_this_round, report
from croupier.banked.reports import ReportExposed
from croupier.banked.state import SOMEWHERE, BankedState
from croupier.banked.voiding import void
from croupier.cards import Card
from croupier.rulebooks import Topic, Ways, number_of
from croupier.table import BadCommand, DecisionNeeded, Order, Room

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

exposing = Room("exposing")

EXPOSED_CARDS_LIMIT = number_of("exposed-cards-limit")
CHOICE_IS_GIVEN_BY = Ways(
    "one-exposed-unseen",
    {
        "affected-player-chooses": Topic.ONE_CARD_EXPOSED,
        "general-dealing-error": Topic.DEALING_ERROR_CHOICES,
    },
)


@exposing.decides(ReportExposed, while_waiting=True)
def report_exposed(table: BankedTable, order: Order[ReportExposed]) -> None:
    command, state = order.command, table.state
    count = sum(map(len, command.boxes.values()))
    count += len(command.community) + len(command.dealer) + len(command.burns)
    boxes = tuple(sorted(command.boxes))
    if not count:
        raise BadCommand("say which cards were exposed, by where they lie")
    kind = "one card exposed" if count == 1 else f"{count} cards exposed"
    if not of_this_round(table, order, kind, boxes=boxes):
        return
    _only_choices_wait(table)
    cards_out(table)
    known_to_be_untrue(table, "this table deals its cards face down and has exposed none")
    _each_at_one_place(command)
    new = count - sum(_named_now(state, _by_place(command)).values())
    too_many = new + state.exposed_count >= table.by_book[EXPOSED_CARDS_LIMIT]
    if state.looked():
        cites = table.cite(Topic.ONE_CARD_EXPOSED)
        exposed = _exposed(table, command, cites)
        report(table, order, kind, "the round continues", cites, boxes=boxes)
        if exposed.boxes or exposed.community or exposed.dealer or exposed.burns:
            table.emit(exposed)
        table.emit(RoundGoesOn(why=f"{kind} after a player has looked", cites=cites))
    elif not new:
        cites = table.cite(table.by_book[CHOICE_IS_GIVEN_BY])
        exposed = _exposed(table, command, cites)
        report(table, order, kind, "it was reported before", cites, boxes=boxes)
        table.emit(exposed)
    elif too_many:
        cites = table.cite(Topic.TWO_OR_MORE_EXPOSED)
        exposed = _exposed(table, command, cites)
        report(table, order, kind, "the round is void", cites, boxes=boxes)
        table.emit(exposed)
        why = f"{state.exposed_count} cards exposed in the deal"
        void(table, cites, why, reporter=order.who)
    else:
        _choose(table, order, boxes)


def _each_at_one_place(command: ReportExposed) -> None:
    """No card at two places, and no box without a card: whom it affects goes by the boxes."""
    for number, cards in command.boxes.items():
        if not cards:
            raise BadCommand(f"say which cards of box {number} were exposed")
    places = (*command.boxes.values(), command.community, command.dealer, command.burns)
    named = [card for cards in places for card in cards if card is not Card.UNKNOWN]
    for card in named:
        if named.count(card) > 1:
            raise BadCommand(f"{card.pretty} is named twice")


def _only_choices_wait(table: BankedTable) -> None:
    """B-68: a card may be reported while a player thinks about the one before it, and while nothing
    else holds the table: how the rounds to come are run does not (5.17.2)."""
    for need in table.state.waiting:
        thinks = isinstance(need, DecisionNeeded) and need.question == AFTER_A_DEALING_ERROR
        if not thinks and getattr(need, "holds", True):
            table.refuse_while_waiting()


def _choose(table: BankedTable, order: Order[ReportExposed], boxes: tuple[int, ...]) -> None:
    """One card, and nobody has looked: whose hand it affects may choose (B-54)."""
    topics = (table.by_book[CHOICE_IS_GIVEN_BY],)
    cites = table.cite(*topics, Topic.DEALING_ERROR_CHOICES)
    exposed = _exposed(table, order.command, cites)
    hit: list[int] = []
    if exposed.burns:
        pass  # No hand has it, or will have it.
    elif boxes:
        hit = affected_boxes(table, boxes)
    else:
        hit = can_choose(table)
    here = [n for n in hit if not is_gone(table.state, table.state.boxes[n].player)]
    effect = "the affected player chooses" if boxes else "the affected players choose"
    if not here:
        effect = "nobody is there to choose" if hit else "nobody is affected"
    report(table, order, "one card exposed", effect, cites, boxes=boxes)
    table.emit(exposed)
    if here:
        ask_choices(table, here, restored=False, topics=topics)
        return
    why = "nobody whom it affects is there" if hit else "the exposed card is of no hand in play"
    table.emit(RoundGoesOn(why=why, cites=cites))


def _by_place(exposed: ReportExposed | CardsExposed) -> dict[str, tuple[Card, ...]]:
    """The exposed cards by where they lie."""
    return {
        **{f"box {number}": cards for number, cards in exposed.boxes.items()},
        "board": exposed.community,
        "dealer": exposed.dealer,
        "burns": exposed.burns,
    }


def _named_now(state: BankedState, places: dict[str, tuple[Card, ...]]) -> dict[str, int]:
    """How many of these cards were reported before without a name, by where they lay then."""
    left, found = dict(state.exposed_unnamed), dict.fromkeys(state.exposed_unnamed, 0)
    for place, cards in places.items():
        named = sum(card is not Card.UNKNOWN for card in cards)
        for was in (place, SOMEWHERE):
            now = min(left.get(was, 0), named)
            if now:
                left[was] -= now
                found[was] += now
                named -= now
    return found


def _exposed(table: BankedTable, command: ReportExposed, cites: tuple[str, ...]) -> CardsExposed:
    """The exposed cards, found where they lie face down; a card that is not there is an error.

    Once somebody has looked it is no error that a card has been turned up since (5.12): it is left
    out here, as it lies open anyway.
    """
    state = table.state
    hidden, looked = state.hidden(), state.looked()
    boxes: dict[int, tuple[Card, ...]] = {}
    for number, cards in command.boxes.items():
        box = state.boxes.get(number)
        lying = box.cards if box is not None else state.stray.get(number, [])
        if len(cards) > len(lying):
            raise BadCommand(f"box {number} has not so many cards that could be exposed")
        face_up = box.face_up if box is not None else state.exposed_stray
        shown = box.face_up if box is not None and (box.tabled or box.claimed or box.hand) else []
        down = _but_turned_up(cards, shown, [c for c in lying if c not in face_up], looked)
        where = f"face down before box {number}"
        _must_lie(down, [c for c in lying if c not in face_up], hidden, where)
        if down:
            boxes[number] = down
    lie = [c for c in state.board[state.shown :] if c not in state.exposed_board]
    turned_up = [c for c in state.board[: state.shown] if c not in state.exposed_board]
    community = _but_turned_up(command.community, turned_up, lie, looked)
    _must_lie(community, lie, hidden, "on the board, face down")
    held = [c for c in state.dealer if c not in state.exposed_dealer]
    lie, turned_up = ([], held) if state.dealer_shown else (held, [])
    dealer = _but_turned_up(command.dealer, turned_up, lie, looked)
    _must_lie(dealer, lie, hidden, "before the dealer, face down")
    burnt = [c for c in state.burns if c not in state.exposed_burns]
    _must_lie(command.burns, burnt, hidden, "among the burnt cards, face down")
    return CardsExposed(
        boxes=boxes, community=community, dealer=dealer, burns=command.burns, cites=cites
    )


def _but_turned_up(
    cards: tuple[Card, ...], turned_up: list[Card], down: list[Card], looked: bool
) -> tuple[Card, ...]:
    """The cards that lie face down still, without those that have been turned up since; a card that
    nobody names is one of these only where no other lies there."""
    if not looked:
        return cards
    known = {card for card in turned_up if card is not Card.UNKNOWN}
    left = [card for card in cards if card not in known]
    others = len(turned_up) - (len(cards) - len(left))
    while len(left) > len(down) and others > 0 and Card.UNKNOWN in left:
        left.remove(Card.UNKNOWN)
        others -= 1
    return tuple(left)


def _must_lie(cards: tuple[Card, ...], lying: list[Card], hidden: set[Card], where: str) -> None:
    if len(cards) > len(lying):
        told = "a card" if len(cards) == 1 else f"{len(cards)} cards"
        raise BadCommand(f"{told} cannot have been exposed {where}")
    for card in cards:
        fits = card in lying or (Card.UNKNOWN in lying and card in hidden)
        if card is not Card.UNKNOWN and not fits:
            raise BadCommand(f"{card.pretty} does not lie {where}")


@exposing.applies(CardsExposed)
def cards_exposed(table: BankedTable, event: CardsExposed) -> None:
    state = table.state
    for number, cards in event.boxes.items():
        box = state.boxes.get(number)
        lies_open = box.face_up if box is not None else state.exposed_stray
        lies_open += [c for c in cards if c.is_known]
    state.exposed_board += [c for c in event.community if c.is_known]
    state.exposed_dealer += [c for c in event.dealer if c.is_known]
    state.exposed_burns += [c for c in event.burns if c.is_known]
    places = _by_place(event)
    for place, count in _named_now(state, places).items():
        state.exposed_unnamed[place] -= count
        state.exposed_count -= count
    for place, cards in places.items():
        state.exposed_count += len(cards)
        if unnamed := cards.count(Card.UNKNOWN):
            state.exposed_unnamed[place] = state.exposed_unnamed.get(place, 0) + unnamed
