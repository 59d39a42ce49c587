"""Cards exposed in the Initial Deal: one becomes the burn, two or more are a Misdeal or a void.

v8 5.3.3 and 5.5 (A-26), v5 5.1.3 (one card: P-21). Cards that a player exposes himself do not
count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import Card
from croupier.poker.irregularities.commands import ReportExposed
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.events import ExposedCardReplaced
from croupier.poker.irregularities.memory import (
    exchange_dealt,
    irregular_of,
    to_be_looked_at_again,
)
from croupier.poker.irregularities.misdeal import misdeal_or_too_late
from croupier.poker.irregularities.reporting import note, propose_void, under_way
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

exposed = Room("exposed")


@exposed.on(ReportExposed)
def cards_exposed(table: PokerTable, order: Order[ReportExposed]) -> None:
    command = order.command
    topic = Topic.TWO_OR_MORE_EXPOSED
    played = under_way(table, order, topic)
    if not table.cards_are_out():
        table.refuse(topic, "The Hole Cards have not been dealt.")
    if command.stopped > len(played.acts):
        raise BadCommand(f"{command.stopped} Actions cannot have been stopped")
    found = _exposed(table, played, command.cards)
    limit = table.book.number("exposed-cards-limit")
    if len(found) >= limit:
        reason = f"{len(found)} cards were exposed in the deal"
        if table.book.procedure("two-exposed-in-deal") == "void":
            propose_void(table, reason, table.paragraphs(topic))
        else:
            misdeal_or_too_late(table, reason, topic, command.stopped)
        return
    [(seat, card)] = found
    if seat not in played.players:
        raise BadCommand(f"seat {seat} has no player; report that a hand too many was dealt")
    if not card.is_known:
        raise BadCommand(f"say which card of seat {seat} was exposed")
    what = f"{card.pretty} was exposed in the deal"
    if table.book.procedure("one-exposed-in-deal") == "house-decision":
        says = "the card becomes the burn before the flop and the player gets another (5.5)"
        ask_ruling(table, what, version_8=says)
    elif not played.players[seat].active:
        says = "The hand is given up; there is nothing to replace."
        note(table, what, says, table.paragraphs(Topic.ONE_CARD_EXPOSED))
    elif len(played.acts) > command.stopped or played.flop:
        # 5.5 is a rule of the Initial Deal.
        ask_ruling(table, f"{what} and found after it")
    else:
        [new] = table.next_cards(1, (), unseen=True)
        table.emit(
            ExposedCardReplaced(
                seat=seat, card=card, new=new, cites=table.paragraphs(Topic.ONE_CARD_EXPOSED)
            )
        )


def _exposed(
    table: PokerTable, played: RoundState, reported: dict[int, tuple[Card, ...]]
) -> list[tuple[int, Card]]:
    """The cards that the dealer exposed, by seat: those that the table knows of and those that are
    reported now."""
    irregular = played.irregular
    shown = irregular.shown if irregular is not None else {}
    found = [
        (seat, card)
        for seat, player in played.players.items()
        for card in player.exposed
        if card not in shown.get(seat, ())
    ]
    found += played.stray_exposed
    for seat, cards in reported.items():
        player = played.players.get(seat)
        for card in cards:
            if player is None or (card not in player.cards and Card.UNKNOWN not in player.cards):
                raise BadCommand(f"{card.pretty} is no card of seat {seat}")
            if (seat, Card.UNKNOWN) in found:
                found.remove((seat, Card.UNKNOWN))  # of a real shoe: now it is said which it was
            if (seat, card) not in found:
                found.append((seat, card))
    if not found:
        raise BadCommand("no card was exposed in the deal; say which ones, by seat")
    if irregular is not None and irregular.replaced:
        raise BadCommand("the exposed card was replaced already")
    return found


@exposed.when(ExposedCardReplaced)
def exposed_card_replaced(table: PokerTable, event: ExposedCardReplaced) -> None:
    played = table.state.round
    assert played is not None
    player = played.players[event.seat]
    old = event.card
    if old not in player.cards:
        # A card of a real shoe that nobody had seen turns out to be this one.
        player.cards[player.cards.index(Card.UNKNOWN)] = old
        table.identify(old)
    table.take((event.new,))
    player.cards[player.cards.index(old)] = event.new
    player.exposed = [card for card in player.exposed if card is not old]
    played.first_burn = old
    exchange_dealt(played, old, event.new)
    irregular_of(table).replaced = True
    to_be_looked_at_again(table, event.seat)
    table.cards_moved = True
