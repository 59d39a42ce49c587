"""Show One Show All, and a hand shown before the Showdown: v8 5.15, 3.18.2.b (A-22, A-58, A-74).

Cards that one player has seen everybody may see: at once if one who saw them has yet to act in this
Betting Round; else before one of them acts again or at its end; shown to somebody who is not
Active, at the end of the Round of play; after the pot is won, at once. It makes no difference
whether the hand was folded. Both cards shown of a live hand: it stays valid, but BET and Raise are
gone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from croupier.cards import Card, pretty_cards
from croupier.poker.figures import HOLE_CARDS
from croupier.poker.in_round import in_round
from croupier.poker.irregularities.commands import ReportShown
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.events import BY_THE_HOUSE, CardsShown, ShownToAll
from croupier.poker.irregularities.memory import irregular_of, name_in_hand
from croupier.poker.irregularities.reporting import staff_report
from croupier.poker.irregularities.state import Right
from croupier.poker.irregularities.turns import bar_raise
from croupier.poker.state import RoundPlayer, RoundState
from croupier.rulebooks import Topic, Ways
from croupier.table import BadCommand, Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

shown_cards = Room("shown cards")

NOW = "everybody sees it at once"
BEFORE = "everybody sees it before one of them acts again"
END_OF_BETTING = "everybody sees it at the end of this Betting Round"
END_OF_ROUND = "everybody sees it at the end of the Round of play"


@shown_cards.decides(ReportShown)
def shown(table: PokerTable, order: Order[ReportShown]) -> None:
    command = order.command
    rule = table.by_book[SHOWN_EARLY]
    staff_report(table, order, rule.topic)
    round_ = _round_of_the_hand(table, rule.topic)
    _check(table, round_, command)
    rule.judge(table, round_, command)


def _house_decides(table: PokerTable, round_: RoundState, command: ReportShown) -> None:
    if _is_won(table, round_):
        when = "after the Pot was won"
    elif table.state.phase == "showdown":
        when = "at the showdown"
    else:
        when = "before the showdown"
    says = "all may see it (5.15)"
    if when == "before the showdown" and round_.players[command.seat].active:
        says = "all may see it; both cards cost bet and raise (5.15, 3.18.2.b)"
    cites = table.paragraphs(Topic.SHOW_ONLY_AT_SHOWDOWN)
    table.emit(
        CardsShown(
            seat=command.seat, cards=command.cards, to=command.to, due=BY_THE_HOUSE, cites=cites
        )
    )
    # What some have seen is not told to all: whether they may see it is for the House.
    many = "a card" if len(command.cards) == 1 else f"{len(command.cards)} cards"
    what = f"seat {command.seat} has shown {many} {when}"
    ask_ruling(table, what, later_book=says, seen=True)


def _seen_by_all(table: PokerTable, round_: RoundState, command: ReportShown) -> None:
    """v8 5.15 and 3.18.2.b: everybody may see it; the hand stays, but bets and raises no more."""
    due, topics = _when(table, round_, command.to)
    active = round_.players[command.seat].active and not _is_won(table, round_)
    topics = (*topics, Topic.SHOWN_CARD_SEEN_BY_ALL)
    if active:
        topics = (*topics, Topic.SHOW_ONLY_AT_SHOWDOWN)
    cites = table.paragraphs(*topics)
    table.emit(
        CardsShown(seat=command.seat, cards=command.cards, to=command.to, due=due, cites=cites)
    )
    if due == NOW:
        table.emit(ShownToAll(seat=command.seat, cards=command.cards, cites=cites))
    irregular = irregular_of(table)
    hand = _hand(round_.players[command.seat])
    whole = [card for card in irregular.shown[command.seat] if card in hand]
    before_showdown = active and table.state.phase != "showdown"
    if before_showdown and len(whole) >= table.by_book[HOLE_CARDS]:
        bars = irregular.bars.get(command.seat, [])
        bar = table.paragraphs(Topic.EARLY_EXPOSURE)
        if not any(b.cites == bar for b in bars):
            bar_raise(table, command.seat, "round", bar)


class ShownEarly(Struct, frozen=True, kw_only=True):
    """What showing a hand too early is ruled by."""

    topic: Topic
    judge: Callable[[PokerTable, RoundState, ReportShown], None]


SHOWN_EARLY = Ways(
    "shown-before-showdown",
    {
        "keeps-hand-loses-raise": ShownEarly(topic=Topic.SHOW_ONE_SHOW_ALL, judge=_seen_by_all),
        "not-provided": ShownEarly(topic=Topic.SHOW_ONLY_AT_SHOWDOWN, judge=_house_decides),
    },
)


def _round_of_the_hand(table: PokerTable, topic: Topic) -> RoundState:
    """The Round of play that the cards are of: after the pot is won, the last one, until the next
    begins (A-74)."""
    round_ = table.state.round
    if round_ is None:
        return table.open_round(topic)
    return round_


def _is_won(table: PokerTable, round_: RoundState) -> bool:
    """Whether it is settled who wins, paid or not."""
    return not round_.open or table.state.phase == "settling"


def _hand(player: RoundPlayer) -> list[Card]:
    """His cards: those that he holds, or the hand that he gave up."""
    return player.cards or player.gave_up


def _check(table: PokerTable, round_: RoundState, command: ReportShown) -> None:
    player = round_.players.get(command.seat)
    if player is None or player.left or not _hand(player):
        raise BadCommand(f"seat {command.seat} has no cards to show")
    cards = _hand(player)
    if not command.cards or Card.UNKNOWN in command.cards:
        raise BadCommand("say which cards were shown")
    if len(set(command.cards)) != len(command.cards) or len(command.cards) > len(cards):
        raise BadCommand(f"seat {command.seat} has {len(cards)} cards; these cannot all be of it")
    unknown = cards.count(Card.UNKNOWN)
    new = tuple(card for card in command.cards if card not in cards)
    if len(new) > unknown:
        raise BadCommand(f"{pretty_cards(new)} is not in the hand of seat {command.seat}")
    if round_.open:
        table.check_unseen(new)
    for seat in command.to:
        if seat not in table.state.seats or seat == command.seat:
            raise BadCommand(f"seat {seat} cannot have been shown it")


def _when(
    table: PokerTable, round_: RoundState, to: tuple[int, ...]
) -> tuple[str, tuple[Topic, ...]]:
    """5.15.2 and 5.15.3, A-58: the earliest of the moments that apply."""
    players = round_.players
    active = [seat for seat in to if seat in players and players[seat].active]
    if _is_won(table, round_) or not to or (active and table.state.phase != "betting"):
        return NOW, (Topic.SHOW_ONE_SHOW_ALL,)
    if not active:
        return END_OF_ROUND, (Topic.SHOWN_TO_NON_ACTIVE_PLAYER,)
    if any(not players[seat].acted for seat in active):
        return NOW, (Topic.SHOWN_TO_PLAYER_YET_TO_ACT,)
    if any(seat in round_.betting.to_act for seat in active):
        return BEFORE, (Topic.SHOWN_TO_PLAYER_TO_ACT_AGAIN,)
    return END_OF_BETTING, (Topic.SHOWN_TO_PLAYERS_DONE,)


@in_round(shown_cards, CardsShown)
def cards_shown(table: PokerTable, round_: RoundState, event: CardsShown) -> None:
    player = round_.players[event.seat]
    hand = _hand(player)
    for card in event.cards:
        if card in hand:
            continue
        # A card of a real shoe that nobody had seen is known now, wherever it lies.
        if round_.open:
            name_in_hand(table, round_, event.seat, card)
        else:
            hand[hand.index(Card.UNKNOWN)] = card
    irregular = irregular_of(table)
    known = irregular.shown.setdefault(event.seat, [])
    new = [card for card in event.cards if card not in known]
    irregular.shown_after += [(event.seat, card) for card in new if card in player.exposed]
    known += new
    if event.due not in (NOW, BY_THE_HOUSE):
        active = tuple(
            seat for seat in event.to if seat in round_.players and round_.players[seat].active
        )
        irregular.rights.append(
            Right(
                seat=event.seat,
                cards=event.cards,
                to=active,
                at="round" if event.due == END_OF_ROUND else "betting round",
                betting_round=round_.betting.number,
            )
        )


def show_what_is_due(table: PokerTable, round_: RoundState) -> bool:
    """Show everybody what he has a right to see now. True if something was shown."""
    for right in irregular_of(table).rights:
        topic = _due(table, round_, right)
        if topic is not None:
            cites = table.paragraphs(topic, Topic.SHOWN_CARD_SEEN_BY_ALL)
            table.emit(ShownToAll(seat=right.seat, cards=right.cards, cites=cites))
            return True
    return False


def _due(table: PokerTable, round_: RoundState, right: Right) -> Topic | None:
    if right.at == "round":
        return None if round_.open else Topic.SHOWN_TO_NON_ACTIVE_PLAYER
    same = table.state.phase == "betting" and round_.betting.number == right.betting_round
    if not same:
        return Topic.SHOWN_TO_PLAYERS_DONE
    if round_.betting.to_act[0] in right.to:
        return Topic.SHOWN_TO_PLAYER_TO_ACT_AGAIN
    return None


@in_round(shown_cards, ShownToAll)
def shown_to_all(table: PokerTable, round_: RoundState, event: ShownToAll) -> None:
    irregular = irregular_of(table)
    irregular.rights = [
        right
        for right in irregular.rights
        if right.seat != event.seat or right.cards != event.cards
    ]
    player = round_.players[event.seat]
    player.exposed += [card for card in event.cards if card not in player.exposed]
