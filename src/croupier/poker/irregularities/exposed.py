"""Cards exposed in the Initial Deal: one becomes the burn, two or more are a Misdeal or a void.

v8 5.3.3 and 5.5 (A-26, A-69), v5 5.1.3 (one card: P-21). Cards that a player exposes himself do not
count. 5.5 asks when the card was exposed, not when somebody said so: it is carried out until there
was Substantial Action, and offered to whoever rules after it as long as no flop is dealt and no
card burnt for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import Card, pretty_cards
from croupier.poker.in_round import in_round
from croupier.poker.irregularities.commands import ReportExposed
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.events import ExposedCardReplaced, ExposedInDeal
from croupier.poker.irregularities.memory import (
    counted_as_exposed,
    exchange_dealt,
    exposed_by_dealer,
    irregular_of,
    name_in_hand,
    substantial_action,
    to_be_looked_at_again,
)
from croupier.poker.irregularities.misdeal import misdeal_or_too_late
from croupier.poker.irregularities.ordered import AS_THE_BURN, has_its_burn, replace_exposed
from croupier.poker.irregularities.reporting import note, propose_void, under_way
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic, Ways, number_of
from croupier.table import BadCommand, Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

exposed = Room("exposed")


@exposed.decides(ReportExposed)
def cards_exposed(table: PokerTable, order: Order[ReportExposed]) -> None:
    command = order.command
    topic = Topic.TWO_OR_MORE_EXPOSED
    round_ = under_way(table, order, topic)
    if not table.cards_are_out():
        table.refuse(topic, "The Hole Cards have not been dealt.")
    before = counted_as_exposed(round_)
    found = [
        (seat, card)
        for seat, card in _exposed(table, round_, command.cards)
        if not card.is_known or card not in before
    ]
    if not found:
        raise BadCommand(
            "the exposed card was ruled on already"
            if before
            else "no card was exposed in the deal; say which ones, by seat"
        )
    count = len(before) + len(found)
    if count >= table.by_book[EXPOSED_CARDS_LIMIT]:
        # all cards exposed in one Initial Deal count together, a replacement included.
        reason = f"{count} cards were exposed in the deal"
        table.by_book[TWO_EXPOSED](table, reason, command.stopped)
        return
    [(seat, card)] = found
    _one(table, round_, seat, card, command.stopped)


def _misdeal(table: PokerTable, reason: str, stopped: int) -> None:
    misdeal_or_too_late(table, reason, Topic.TWO_OR_MORE_EXPOSED, stopped)


def _void(table: PokerTable, reason: str, stopped: int) -> None:
    propose_void(table, reason, table.paragraphs(Topic.TWO_OR_MORE_EXPOSED))


TWO_EXPOSED = Ways("two-exposed-in-deal", {"misdeal": _misdeal, "void": _void})
EXPOSED_CARDS_LIMIT = number_of("exposed-cards-limit")


def _one(table: PokerTable, round_: RoundState, seat: int, card: Card, stopped: int) -> None:
    """One card alone: v8 5.5 in the Initial Deal; otherwise nothing is said of it."""
    if seat not in round_.players:
        raise BadCommand(f"seat {seat} has no player; report that a hand too many was dealt")
    if not card.is_known:
        raise BadCommand(f"say which card of seat {seat} was exposed")
    what = f"{card.pretty} was exposed in the deal"
    topics = (Topic.ONE_CARD_EXPOSED, Topic.TWO_OR_MORE_EXPOSED)
    recorded = ExposedInDeal(seat=seat, card=card, cites=table.paragraphs(*topics))
    table.by_book[ONE_EXPOSED](table, round_, recorded, what, stopped)


def _house_decides(
    table: PokerTable, round_: RoundState, recorded: ExposedInDeal, what: str, stopped: int
) -> None:
    says = "the card becomes the burn before the flop and the player gets another (5.5)"
    if not round_.players[recorded.seat].active:
        says = "the hand is given up, and there is nothing to replace (5.5)"
    elif table.alone(round_) is not None:
        says = "nothing either, once one hand has won the Pot; a ruling (5.16)"
    elif has_its_burn(round_):
        says = "nothing either, once the flop is dealt; a ruling (5.16)"
    elif round_.acts:
        says += ", unless there was Substantial Action; then a ruling (5.16)"
    table.emit(recorded)
    ask_ruling(table, what, later_book=says)


def _becomes_burn(
    table: PokerTable, round_: RoundState, recorded: ExposedInDeal, what: str, stopped: int
) -> None:
    seat, card = recorded.seat, recorded.card
    if not round_.players[seat].active:
        says = "The hand is given up; there is nothing to replace."
        table.emit(recorded)
        note(table, what, says, table.paragraphs(Topic.ONE_CARD_EXPOSED))
    elif has_its_burn(round_) or table.alone(round_) is not None:
        # The burn that it should have been is gone, or there is nothing left to play for.
        table.emit(recorded)
        ask_ruling(table, f"{what} and found too late to be the burn")
    elif substantial_action(table, stopped):
        # 5.5 sets no limit, but Substantial Action ends every other mending of the deal.
        table.emit(recorded)
        late = f"{what} and found after Substantial Action"
        ask_ruling(table, late, kind="interpretation", first=AS_THE_BURN)
    else:
        replace_exposed(table, seat, card)


ONE_EXPOSED = Ways(
    "one-exposed-in-deal", {"becomes-burn": _becomes_burn, "house-decision": _house_decides}
)


def _exposed(
    table: PokerTable, round_: RoundState, reported: dict[int, tuple[Card, ...]]
) -> list[tuple[int, Card]]:
    """The cards that the dealer exposed, by seat: those that the table knows of and those that are
    reported now."""
    found = exposed_by_dealer(round_)
    named = [card for cards in reported.values() for card in cards if card.is_known]
    if len(set(named)) < len(named):
        raise BadCommand("each card is named once")
    new = [card for seat, cards in reported.items() for card in _new(round_, seat, cards)]
    table.check_unseen(tuple(new))
    for seat, cards in reported.items():
        unnamed = found.count((seat, Card.UNKNOWN))
        for card in cards:
            if card.is_known and (seat, card) in found:
                continue
            if unnamed:  # of a real shoe: now it is said which it was
                unnamed -= 1
                found.remove((seat, Card.UNKNOWN))
            found.append((seat, card))
    return found


def _new(round_: RoundState, seat: int, cards: tuple[Card, ...]) -> list[Card]:
    """The cards that nobody had seen and that are named now. Each lies there, lay there before it
    was replaced, or is one of these."""
    if not cards:
        raise BadCommand(f"say which card of seat {seat} was exposed, or leave the seat out")
    there = _cards_of(round_, seat)
    before = round_.irregular.exposed if round_.irregular is not None else []
    named = [card for card in cards if card.is_known]
    new = [card for card in named if card not in there and (seat, card) not in before]
    if len(new) > there.count(Card.UNKNOWN):
        raise BadCommand(f"{pretty_cards(new)} is no card of seat {seat}")
    if len(cards) - len(named) > len(there):
        raise BadCommand(f"seat {seat} has not so many cards")
    return new


def _cards_of(round_: RoundState, seat: int) -> list[Card]:
    """The cards that somebody got, also at a seat without a Player, or gave up since."""
    player = round_.players.get(seat)
    if player is None:
        return round_.stray.get(seat, [])
    return player.cards or player.gave_up


@in_round(exposed, ExposedCardReplaced)
def exposed_card_replaced(
    table: PokerTable, round_: RoundState, event: ExposedCardReplaced
) -> None:
    player = round_.players[event.seat]
    old = event.card
    _is_known_now(table, round_, event.seat, old)
    table.take((event.new,))
    player.cards[player.cards.index(old)] = event.new
    if old in player.exposed:
        player.exposed.remove(old)
    round_.first_burn = old
    exchange_dealt(round_, old, event.new)
    if old not in counted_as_exposed(round_):  # else it was found before, and replaced by a ruling
        irregular_of(table).exposed.append((event.seat, old))
    to_be_looked_at_again(table, event.seat)
    table.cards_moved = True


@in_round(exposed, ExposedInDeal)
def exposed_in_deal(table: PokerTable, round_: RoundState, event: ExposedInDeal) -> None:
    if event.seat in round_.players:
        _is_known_now(table, round_, event.seat, event.card)
    irregular_of(table).exposed.append((event.seat, event.card))


def _is_known_now(table: PokerTable, round_: RoundState, seat: int, card: Card) -> None:
    """A card of a real shoe that nobody had seen turns out to be this one, wherever it lies, and is
    the one that the dealer had exposed there."""
    player = round_.players[seat]
    if Card.UNKNOWN in player.exposed and (seat, card) not in exposed_by_dealer(round_):
        player.exposed.remove(Card.UNKNOWN)
        if card not in player.exposed:  # its player may have shown it
            player.exposed.append(card)
    shoe = table.state.shoe
    assert shoe is not None
    if Card.UNKNOWN in _cards_of(round_, seat) and card in shoe.unseen:
        name_in_hand(table, round_, seat, card)
