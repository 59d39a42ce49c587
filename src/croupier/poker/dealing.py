"""The cards: the Initial Deal, the burns, flop, turn and river; and looking at one's hand.

v8 1.9, 1.13, 1.20, 1.23, 1.25, 1.40, 1.50, 3.11, 3.13, 3.15, 3.16; v5 3.6, 3.8 to 3.11.

At a by-hand table the dealer may err. The table then does what he did, notes the deviation and goes
on until somebody reports it (`RoundState.deviations`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from croupier.cards import Card
from croupier.poker.betting import open_betting, reopen_after_street
from croupier.poker.commands import (
    STREETS,
    Burn,
    DealFlop,
    DealHoleCards,
    DealRiver,
    DealTurn,
    Street,
    TurnUp,
)
from croupier.poker.events import (
    CardBurnt,
    CommunityDealt,
    CommunityTurnedUp,
    FlopDealt,
    HoleCardsDealt,
    RiverDealt,
    TurnDealt,
)
from croupier.poker.figures import HOLE_CARDS
from croupier.poker.final_round import betting_goes_on
from croupier.poker.in_round import in_round
from croupier.poker.pots import one_left
from croupier.poker.state import DUE, Burnt, Phase, RoundState
from croupier.poker.wording import said_to
from croupier.rulebooks import Cites, Topic
from croupier.table import ActorRank, BadCommand, Look, Looked, Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

dealing = Room("dealing")

PLAYER = ActorRank.PLAYER

CARDS_DUE = {"flop": 3, "turn": 1, "river": 1}
BURNT = Cites(Topic.BURNT_CARD)
STREET_DEALT = {
    "flop": Cites(
        Topic.FLOP_DEALT,
        Topic.SECOND_BETTING_ROUND,
        Topic.FIRST_TO_ACT_AFTER_FLOP,
        Topic.FLOP_CARDS,
        Topic.COMMUNITY_CARDS,
        Topic.BURNT_CARD,
    ),
    "turn": Cites(
        Topic.TURN_DEALT,
        Topic.THIRD_BETTING_ROUND,
        Topic.LATER_ROUNDS,
        Topic.TURN_CARD,
        Topic.COMMUNITY_CARDS,
        Topic.BURNT_CARD,
    ),
    "river": Cites(
        Topic.RIVER_DEALT,
        Topic.FOURTH_BETTING_ROUND,
        Topic.LATER_ROUNDS,
        Topic.RIVER_CARD,
        Topic.COMMUNITY_CARDS,
        Topic.BURNT_CARD,
    ),
}
"""A street that opens a Betting Round."""
RUN_OUT = {
    "flop": Cites(Topic.FLOP_DEALT, Topic.FLOP_CARDS, Topic.COMMUNITY_CARDS, Topic.BURNT_CARD),
    "turn": Cites(Topic.TURN_DEALT, Topic.TURN_CARD, Topic.COMMUNITY_CARDS, Topic.BURNT_CARD),
    "river": Cites(Topic.RIVER_DEALT, Topic.RIVER_CARD, Topic.COMMUNITY_CARDS, Topic.BURNT_CARD),
}
"""A street after which nobody can bet."""


class _Street(Struct, frozen=True, kw_only=True):
    """One street: when it is due, of how many cards, by which record, and what is cited for it."""

    name: Street
    due: Phase
    cards: int
    event: type[CommunityDealt]
    betting_round: int
    """The Betting Round that it opens."""
    topic: Topic
    opens: Cites
    run_out: Cites


def _street(name: Street, number: int, event: type[CommunityDealt], topic: Topic) -> _Street:
    return _Street(
        name=name,
        due=DUE[name],
        cards=CARDS_DUE[name],
        event=event,
        betting_round=number,
        topic=topic,
        opens=STREET_DEALT[name],
        run_out=RUN_OUT[name],
    )


_FLOP = _street("flop", 2, FlopDealt, Topic.FLOP_DEALT)
_TURN = _street("turn", 3, TurnDealt, Topic.TURN_DEALT)
_RIVER = _street("river", 4, RiverDealt, Topic.RIVER_DEALT)
_STREET_OF: dict[type, _Street] = {DealFlop: _FLOP, DealTurn: _TURN, DealRiver: _RIVER}
_STREET_AT: dict[type, _Street] = {street.event: street for street in _STREET_OF.values()}


# -- the Initial Deal --------------------------------------------------------------------------


INITIAL_DEAL = Cites(
    Topic.INITIAL_DEAL,
    Topic.FIRST_ROUND_OPENS_AFTER_DEAL,
    Topic.FIRST_TO_ACT_BEFORE_FLOP,
    Topic.HOLE_CARDS,
    Topic.HAND,
    Topic.FIRST_BETTING_ROUND,
)


@dealing.decides(DealHoleCards)
def deal_hole_cards(table: PokerTable, order: Order[DealHoleCards]) -> None:
    command, state = order.command, table.state
    if order.rank is PLAYER:
        table.only_the_dealer("deals", Topic.INITIAL_DEAL)
    round_ = state.round
    if state.phase != "dealing" or round_ is None:
        if state.phase == "blinds":
            table.refuse(Topic.BLIND, "The Blinds are placed before the first card is dealt.")
        table.refuse(Topic.INITIAL_DEAL, "There is no Initial Deal to be made now.")
    shoe = state.shoe
    assert shoe is not None
    due = round_.order * table.by_book[HOLE_CARDS]
    to = command.to or due
    as_due = to == due
    if table.automatic and (not as_due or command.exposed):
        raise BadCommand("an automatic table deals rightly; an error is for a by-hand table")
    if command.to:
        for seat in to:
            if seat > state.settings.seats:
                raise BadCommand(f"there is no seat {seat}; the table has {state.settings.seats}")
    for place in command.exposed:
        if not 1 <= place <= len(to):
            raise BadCommand(f"{len(to)} cards are dealt; there is no card {place} to expose")
    cards = table.next_cards(len(to), command.cards)
    table.emit(
        HoleCardsDealt(
            to=to,
            cards=cards,
            exposed=command.exposed,
            as_due=as_due,
            cites=table.by_book[INITIAL_DEAL],
        )
    )
    if len(round_.order) == 1:
        one_left(table, round_, round_.order[0])  # the others have left since the Misdeal (5.3.6)
    elif len(round_.betting.to_act) < 2:
        table.move_on(round_)


@in_round(dealing, HoleCardsDealt)
def hole_cards_dealt(table: PokerTable, round_: RoundState, event: HoleCardsDealt) -> None:
    table.take(event.cards)
    players = round_.players
    for seat, card in zip(event.to, event.cards, strict=True):
        if seat in players:
            players[seat].cards.append(card)
        else:
            # A hand dealt to a seat that has no Player: it lies there until somebody reports it.
            round_.stray.setdefault(seat, []).append(card)
    for place in event.exposed:
        seat = event.to[place - 1]
        card = event.cards[place - 1]
        if seat in players:
            players[seat].exposed.append(card)
        else:
            round_.stray_exposed.append((seat, card))
    if not event.as_due:
        round_.dealt = list(zip(event.to, event.cards, strict=True))
        round_.dealt_exposed = [place - 1 for place in event.exposed]
        round_.deviations.append("hole cards dealt wrongly")
    if event.exposed:
        round_.deviations.append("cards exposed in the deal")
    round_.straddle_open = False
    open_betting(table, round_, 1)


# -- looking -----------------------------------------------------------------------------------


LOOKED = Cites(Topic.HOLE_CARDS, Topic.HAND)


@dealing.decides(Look, while_waiting=True)
def look(table: PokerTable, order: Order[Look]) -> None:
    number = order.command.seat
    table.own_seat(order, number)
    round_ = table.state.round
    player = round_.players.get(number) if round_ is not None else None
    if round_ is None or not round_.open or player is None:
        table.refuse(Topic.HOLE_CARDS, f"Seat {number} has no cards.")
    if player.folded:
        table.refuse(Topic.FOLD, said_to(order, number, "{You} {have} given up {your} cards."))
    if not player.cards:
        table.refuse(Topic.HOLE_CARDS, f"Seat {number} has no cards.")
    if player.looked:
        return
    table.emit(Looked(seat=number, cards=tuple(player.cards), cites=table.by_book[LOOKED]))


@in_round(dealing, Looked)
def looked(table: PokerTable, round_: RoundState, event: Looked) -> None:
    round_.players[event.seat].looked = True


# -- the streets -------------------------------------------------------------------------------


@dealing.decides(Burn)
def burn(table: PokerTable, order: Order[Burn]) -> None:
    if order.rank is PLAYER:
        table.only_the_dealer("burns a card", Topic.BURNT_CARD)
    round_ = table.open_round(Topic.BURNT_CARD)
    if table.automatic:
        raise BadCommand("an automatic table burns by itself; dealing flop, turn or river does it")
    street = next_street(round_)
    if street is None or not table.cards_are_out():
        table.refuse(Topic.BURNT_CARD, "A card is burnt before flop, turn or river only.")
    given = () if order.command.card is None else (order.command.card,)
    card = table.burn_for(round_, street)
    if card is None:
        [card] = table.next_cards(1, given, unseen=True)
    elif given and card.is_known and given != (card,):
        raise BadCommand(f"{card.pretty} was set aside to be the burn, not {given[0].pretty}")
    table.emit(CardBurnt(card=card, street=street, cites=table.by_book[BURNT]))


@in_round(dealing, CardBurnt)
def card_burnt(table: PokerTable, round_: RoundState, event: CardBurnt) -> None:
    burn_card(table, round_, event.card, event.street)


def burn_card(table: PokerTable, round_: RoundState, card: Card, street: Street) -> None:
    """The next card of the shoe is burnt, or one that a ruling has set aside for it."""
    set_aside = True
    if card is round_.stored_burn:
        round_.stored_burn = None
    elif street == "flop" and card is round_.first_burn:
        round_.first_burn = None
    else:
        set_aside = False
        table.burn(card)
    round_.burns.append(Burnt(card=card, street=street, set_aside=set_aside))


@dealing.decides(DealFlop, DealTurn, DealRiver)
def deal_street(
    table: PokerTable, order: Order[DealFlop] | Order[DealTurn] | Order[DealRiver]
) -> None:
    command, state = order.command, table.state
    street = _STREET_OF[type(command)]
    if order.rank is PLAYER:
        table.only_the_dealer(f"deals the {street.name}", street.topic)
    round_ = table.open_round(street.topic)
    again = _comes_early_again(table, round_, street.name)
    if not again and round_.irregular is not None and round_.irregular.waits_for(street.name):
        says = "What was dealt before comes first; then 'deal again' completes it."
        table.refuse(street.topic, says)
    due = state.phase == street.due
    count, turn_up = command.count, command.turn_up
    if not (due and turn_up and command.burn and count == street.cards):
        _check_deviation(table, round_, street, due)
    burnt: Card | None = None
    from_shoe = False
    has_burn = again and any(was.street == street.name for was in round_.burns)
    if not has_burn and (command.burn or _is_burnt_anyway(round_, street.name, count)):
        burnt = table.burn_for(round_, street.name)
        from_shoe = burnt is None
    cards = table.next_cards(count, command.faces, after=int(from_shoe), unseen=not turn_up)
    if from_shoe:
        assert state.shoe is not None
        burnt = state.shoe.order[0]
    betting = due and turn_up and betting_goes_on(table, round_)
    table.emit(
        street.event(
            cards=cards,
            burnt=burnt,
            up=turn_up,
            cites=table.by_book[street.opens if betting else street.run_out],
        )
    )
    if len(round_.betting.to_act) < 2:
        table.move_on(round_)


def _is_burnt_anyway(round_: RoundState, street: Street, count: int) -> bool:
    """A-70: a card that is set aside to be the burn is the Burnt Card, whether or not the dealer
    thinks of it. Where he deals too many cards as well, 5.12.4 and 5.12.5 make the burn anew."""
    if street == "flop":
        return round_.first_burn is not None
    return round_.stored_burn is not None and count <= CARDS_DUE[street]


def _comes_early_again(table: PokerTable, round_: RoundState, street: Street) -> bool:
    """Whether a street that went back because it came early is about to come early once more. What
    was burnt before it stays burnt (v8 5.11.2); the report of it is judged anew (A-71)."""
    if table.automatic or table.state.phase != "betting":
        return False
    return round_.irregular is not None and street in round_.irregular.deal_again


def _check_deviation(table: PokerTable, round_: RoundState, street: _Street, due: bool) -> None:
    """What a dealer may get wrong by hand, and nobody else."""
    says = f"The {street.name} is not due."
    if table.automatic:
        if not due:
            table.refuse(street.topic, says)
        raise BadCommand("an automatic table deals rightly; an error is for a by-hand table")
    if next_street(round_) != street.name or not (due or table.state.phase == "betting"):
        table.refuse(street.topic, says)


def next_street(round_: RoundState) -> Street | None:
    """The next street without any card on the table."""
    if not round_.flop:
        return "flop"
    if not round_.turn:
        return "turn"
    return "river" if not round_.river else None


@in_round(dealing, FlopDealt, TurnDealt, RiverDealt)
def street_dealt(table: PokerTable, round_: RoundState, event: CommunityDealt) -> None:
    state = table.state
    street = _STREET_AT[type(event)]
    due = state.phase == street.due
    burnt, cards = event.burnt, event.cards
    if burnt is None:
        if not any(was.street == street.name for was in round_.burns):
            round_.deviations.append(f"no burn before the {street.name}")
        table.take(cards)
    elif burnt is round_.stored_burn or burnt is round_.first_burn:
        burn_card(table, round_, burnt, street.name)
        table.take(cards)
    else:
        assert state.shoe is not None
        state.shoe.deal_street(burnt, cards)
        round_.burns.append(Burnt(card=burnt, street=street.name))
    laid = round_.flop if street is _FLOP else round_.turn if street is _TURN else round_.river
    laid += cards
    if event.up and street is _FLOP:
        round_.flop_exposed = True
    if len(cards) != street.cards:
        round_.deviations.append(f"{len(cards)} cards on the {street.name}")
    if not due:
        round_.deviations.append(f"{street.name} dealt early")
        if round_.irregular is not None:
            round_.irregular.deal_again.pop(street.name, None)
    if not event.up:
        round_.down += cards
        if due:
            state.phase = "face down"
    elif due:
        reopen_after_street(table, round_, street.betting_round)


@dealing.decides(TurnUp)
def turn_up(table: PokerTable, order: Order[TurnUp]) -> None:
    command, state = order.command, table.state
    if order.rank is PLAYER:
        table.only_the_dealer("turns cards up", Topic.COMMUNITY_CARDS)
    round_ = table.open_round(Topic.COMMUNITY_CARDS)
    if not round_.down:
        table.refuse(Topic.COMMUNITY_CARDS, "No Community Card lies face down.")
    street, down = street_face_down(round_)
    count = command.count or down
    if count > down:
        raise BadCommand(f"{down} cards of the {street} lie face down, not {count}")
    cards = tuple(round_.down[:count])
    if command.faces:
        cards = table.identified(cards, command.faces)
    elif Card.UNKNOWN in cards:  # nobody could say later which they are
        raise BadCommand("report which cards they are")
    all_up = count == down
    opens = all_up and state.phase == "face down"
    betting = opens and betting_goes_on(table, round_)
    table.emit(
        CommunityTurnedUp(
            street=street,
            cards=cards,
            all_up=all_up,
            cites=table.by_book[(STREET_DEALT if betting else RUN_OUT)[street]],
        )
    )
    if opens:
        table.move_on(round_)


def street_face_down(round_: RoundState) -> tuple[Street, int]:
    """The first street with cards face down, and how many: a later one may lie there early."""
    for street, laid in (("flop", round_.flop), ("turn", round_.turn)):
        found = sum(1 for card in laid if card in round_.down)
        if found:
            return street, found  # type: ignore[return-value]
    return "river", len(round_.down)


@in_round(dealing, CommunityTurnedUp)
def community_turned_up(table: PokerTable, round_: RoundState, event: CommunityTurnedUp) -> None:
    state = table.state
    street = {"flop": round_.flop, "turn": round_.turn, "river": round_.river}[event.street]
    for card in event.cards:
        was = round_.down.pop(0)
        if was is not card:
            # A card of a real shoe that nobody had seen is known now.
            street[street.index(was)] = card
            table.identify(card)
    if event.street == "flop":
        round_.flop_exposed = True
    if event.all_up and state.phase == "face down":
        reopen_after_street(table, round_, STREETS.index(event.street) + 2)
