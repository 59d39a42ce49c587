"""Misdeals: a card exposed in the cut, a deck not made ready, Hole Cards dealt wrongly.

v8 5.3 to 5.3.8 (A-25, A-27). Once there was Substantial Action a Misdeal cannot be declared, and
the round goes on (5.3.7). What a wrong deal is told by is in `wrong_deal` and `wrong_count`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from croupier.cards import Card, Shoe, pretty_cards
from croupier.poker.figures import HOLE_CARDS
from croupier.poker.in_round import in_round
from croupier.poker.irregularities.commands import ReportExposedInCut, ReportUnprepared
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.events import ExposedInDeal, HandsReconstructed
from croupier.poker.irregularities.memory import (
    not_yet_counted,
    substantial_action,
    to_be_looked_at_again,
)
from croupier.poker.irregularities.reporting import (
    anybody_has_seen,
    ask_reconstructible,
    ask_whether_seen,
    note,
    propose_misdeal,
    propose_void,
    staff_report,
    under_way,
)
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic
from croupier.table import BadCommand, DecisionNeeded, DecisionTaken, Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

misdeal = Room("misdeal")

SEEN = "cards seen"
RECONSTRUCTIBLE = "deal reconstructible"

UNLESS = ", unless there was Substantial Action (5.3.7)"
"""What version 8 adds to every Misdeal, where its answer is shown as information."""


def misdeal_or_too_late(
    table: PokerTable, reason: str, topic: Topic, stopped: int, more: tuple[Topic, ...] = ()
) -> None:
    """A Misdeal before Substantial Action; after it the round goes on (5.3.7)."""
    if table.playing() and (limb := substantial_action(table, stopped)):
        late = table.paragraphs(Topic.NO_MISDEAL_AFTER_SUBSTANTIAL_ACTION)
        says = "There was Substantial Action: no Misdeal can be declared and play goes on."
        note(table, reason, says, tuple(dict.fromkeys((*late, *limb))))
        return
    propose_misdeal(table, reason, table.paragraphs(topic, *more, Topic.SUBSTANTIAL_ACTION))


# -- the deck ----------------------------------------------------------------------------------


@misdeal.decides(ReportExposedInCut)
def exposed_in_cut(table: PokerTable, order: Order[ReportExposedInCut]) -> None:
    topic = Topic.CARD_EXPOSED_IN_CUT
    if not table.book.has(topic):
        under_way(table, order, Topic.VOID)
        ask_ruling(
            table, _exposed_in_cut(order.command.cards), later_book=f"Misdeal (5.3.1){UNLESS}"
        )
        return
    staff_report(table, order, topic)
    if not table.playing() and table.state.phase not in ("cutting", "ready"):
        table.refuse(topic, "No deck is being made ready.")
    what = _exposed_in_cut(order.command.cards)
    misdeal_or_too_late(table, what, topic, order.command.stopped)


def _exposed_in_cut(cards: tuple[Card, ...]) -> str:
    """What was exposed, as far as anybody can say."""
    if Card.UNKNOWN in cards or len(set(cards)) != len(cards):
        raise BadCommand("name each card that was exposed once, or none if nobody knows")
    if not cards:
        return "a card was exposed in the cut"
    return f"{pretty_cards(cards)} {'was' if len(cards) == 1 else 'were'} exposed in the cut"


@misdeal.decides(ReportUnprepared)
def unprepared(table: PokerTable, order: Order[ReportUnprepared]) -> None:
    topic = Topic.CARDS_NOT_SHUFFLED
    what = "shuffled" if order.command.lacking == "shuffle" else "cut"
    if not table.book.has(topic):
        round_ = under_way(table, order, Topic.VOID)
        _check_unprepared(table, round_, what)
        ask_ruling(table, f"the deck was not {what}", later_book=f"Misdeal (5.3.2){UNLESS}")
        return
    round_ = under_way(table, order, topic)
    _check_unprepared(table, round_, what)
    misdeal_or_too_late(table, f"the deck was not {what}", topic, order.command.stopped)


def _check_unprepared(table: PokerTable, round_: RoundState, what: str) -> None:
    if table.state.settings.shoe == "virtual" and f"deck not {what}" not in round_.deviations:
        raise BadCommand(f"the table knows that the deck was {what}")


# -- the Hole Cards ----------------------------------------------------------------------------


def judge_wrong_deal(
    table: PokerTable,
    round_: RoundState,
    reason: str,
    said: bool | None,
    kind: str,
    stopped: int = 0,
) -> None:
    """Seen by any player: Misdeal (v8), void (v5). Unseen: the House says whether it can be put
    right."""
    about = {"reason": reason, "kind": kind} | ({"stopped": stopped} if stopped else {})
    seen = anybody_has_seen(table, round_, said)
    if seen is None:
        what = "any card" if _any_card_counts(table, kind) else "their cards"
        ask_whether_seen(table, SEEN, what, _cites_if_seen(table, kind), about)
    elif seen:
        _was_seen(table, reason, kind)
    else:
        topics = (Topic.WRONG_DEAL_NOT_RECONSTRUCTIBLE, Topic.HAND_LEFT_OUT_UNSEEN)
        if kind == "wrong count":
            topics = (Topic.WRONG_DEAL_NOT_RECONSTRUCTIBLE, Topic.WRONG_COUNT)
        ask_reconstructible(table, RECONSTRUCTIBLE, reason.capitalize(), topics, about)


@misdeal.answered(SEEN)
def seen_or_not(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    round_ = table.current_round()
    about = asked.about
    seen, stopped = taken.option == "yes", about.get("stopped", 0)
    judge_wrong_deal(table, round_, about["reason"], seen, about["kind"], stopped)


def _any_card_counts(table: PokerTable, kind: str) -> bool:
    """Whether it is enough that any card was seen, a Community Card as well (v5 5.1.4), or some
    player must have seen his own (v8 5.3.5; v5 5.1.5)."""
    return kind == "wrong count" and not table.book.has(Topic.WRONG_DEAL_CARDS_SEEN)


def _counts_whenever_seen(table: PokerTable, kind: str) -> bool:
    """Whether it makes no difference when a card was seen (v8 5.3.5, v5 5.1.4). v5 5.1.5 asks what
    had been looked at when it was noticed."""
    return kind == "wrong count" or table.book.has(Topic.WRONG_DEAL_CARDS_SEEN)


def _cites_if_seen(table: PokerTable, kind: str) -> tuple[str, ...]:
    if table.book.has(Topic.WRONG_DEAL_CARDS_SEEN):
        return table.paragraphs(Topic.WRONG_DEAL_CARDS_SEEN)
    return table.paragraphs(
        Topic.WRONG_COUNT if kind == "wrong count" else Topic.HAND_LEFT_OUT_SEEN
    )


def seen_since(table: PokerTable, round_: RoundState, reason: str, kind: str) -> bool:
    """A card was seen while the House was asked whether the deal can be put right: whether that is
    ruled now, and nothing is put right."""
    if _counts_whenever_seen(table, kind) and anybody_has_seen(table, round_, False):
        _was_seen(table, reason, kind)
        return True
    return False


def _was_seen(table: PokerTable, reason: str, kind: str) -> None:
    cites = _cites_if_seen(table, kind)
    seen = "a card was seen" if _any_card_counts(table, kind) else "a player has seen their cards"
    reason = f"{reason} and {seen}"
    if table.book.has(Topic.MISDEAL):
        propose_misdeal(table, reason, cites)
    else:
        propose_void(table, reason, cites)


def order_is_lost(table: PokerTable, reason: str, kind: str) -> None:
    """Nobody has seen a card, but the deal cannot be put right."""
    reason = f"{reason} and the order is lost"
    if table.book.has(Topic.MISDEAL):
        propose_misdeal(table, reason, table.paragraphs(Topic.WRONG_DEAL_NOT_RECONSTRUCTIBLE))
    elif kind == "wrong count":
        # P-19: the text does not say; the default is void.
        ask_ruling(table, reason, later_book=f"Misdeal (5.3.4){UNLESS}", first="void")
    else:
        propose_void(table, reason, table.paragraphs(Topic.HAND_LEFT_OUT_UNSEEN))


# -- putting it right --------------------------------------------------------------------------


def reconstruct(table: PokerTable, round_: RoundState, kind: str = "") -> None:
    """1.39: each card to the seat that was due it; surplus ones back in front of the shoe, missing
    ones from it. Where a real deal was not recorded card by card, staff have put it right."""
    shoe = table.state.shoe
    assert shoe is not None
    due = round_.order * table.by_book[HOLE_CARDS]
    fallen = [card for _, card in round_.dealt]
    drawn: tuple[Card, ...] = ()
    if len(fallen) < len(due):
        drawn = tuple(shoe.order[: len(due) - len(fallen)])
    if not fallen:
        hands = {seat: tuple(round_.players[seat].cards) for seat in round_.order}
        drawn = ()
    else:
        cards = [*fallen, *drawn]
        hands = {
            seat: tuple(card for to, card in zip(due, cards, strict=False) if to == seat)
            for seat in round_.order
        }
    back = tuple(fallen[len(due) :])
    _exposed_and_back(table, round_, back)
    cites = _cites_if_put_right(table, kind)
    table.emit(HandsReconstructed(hands=hands, drawn=drawn, back=back, cites=cites))


def _exposed_and_back(table: PokerTable, round_: RoundState, back: tuple[Card, ...]) -> None:
    """A card that was exposed in the deal counts with the next one, also when it goes back (v8
    5.3.3, v5 5.1.3; A-69)."""
    cites = table.paragraphs(Topic.ONE_CARD_EXPOSED, Topic.TWO_OR_MORE_EXPOSED)
    gone = [(seat, card) for seat, card in not_yet_counted(round_) if card in back]
    first = len(round_.dealt) - len(back)
    fell = [round_.dealt[place] for place in round_.dealt_exposed if place >= first]
    gone += [(seat, card) for seat, card in fell if not card.is_known]  # of a real shoe
    for seat, card in gone:
        table.emit(ExposedInDeal(seat=seat, card=card, cites=cites))


def _cites_if_put_right(table: PokerTable, kind: str) -> tuple[str, ...]:
    """Where the book has no paragraph on putting right, the one on what went wrong."""
    wrong = Topic.WRONG_COUNT if kind == "wrong count" else Topic.HAND_LEFT_OUT_OR_ADDED
    return table.paragraphs(Topic.RECONSTRUCTION) or table.paragraphs(wrong)


@in_round(misdeal, HandsReconstructed)
def hands_reconstructed(table: PokerTable, round_: RoundState, event: HandsReconstructed) -> None:
    state = table.state
    assert state.shoe is not None
    if state.shoe.real:
        _nobody_can_tell(state.shoe, round_, {*event.back}.union(*event.hands.values()))
    state.shoe.take(event.drawn)
    state.shoe.put_back(event.back)
    strays = list(round_.stray.values())
    unseen = _exposed_unseen(table, round_)
    round_.stray = {}
    round_.dealt, round_.dealt_exposed = [], []
    round_.deviations = [d for d in round_.deviations if d != "hole cards dealt wrongly"]
    # Folded hands are among the discards. Several cards may be unknown, so they are counted.
    held = Counter(card for player in round_.players.values() for card in player.cards)
    held.update(card for cards in strays for card in cards)
    moved = Counter(card for cards in event.hands.values() for card in cards)
    moved.update(event.back)
    moved.subtract(event.drawn)
    for card in (moved - held).elements():
        if card in round_.discards:
            round_.discards.remove(card)
    # What was exposed is so wherever it goes (5.3.3 counts it still).
    exposed = {card for player in round_.players.values() for card in player.exposed}
    exposed.update(card for _, card in round_.stray_exposed)
    exposed.discard(Card.UNKNOWN)
    round_.stray_exposed = []
    for seat, cards in event.hands.items():
        player = round_.players[seat]
        player.exposed = [card for card in cards if card in exposed]
        player.exposed += [Card.UNKNOWN] * unseen[seat]
        if player.active or player.cards:
            if player.cards != list(cards):
                to_be_looked_at_again(table, seat)
            player.cards = list(cards)
        else:
            round_.discards += cards
            player.gave_up = list(cards)
    _to_be_ruled_on_anew(round_, event.hands)
    table.cards_moved = True


def _nobody_can_tell(shoe: Shoe, round_: RoundState, told: set[Card]) -> None:
    """Staff have moved real cards. Where one lies now that had been named since the deal, and that
    `told` does not tell, the table does not know: it is named again when it is shown."""
    for player in round_.players.values():
        for card in [c for c in (*player.cards, *player.gave_up) if c.is_known and c not in told]:
            for pile in (player.cards, player.gave_up, round_.discards):
                if card in pile:
                    pile[pile.index(card)] = Card.UNKNOWN
            shoe.forget((card,))


def _to_be_ruled_on_anew(round_: RoundState, hands: Mapping[int, tuple[Card, ...]]) -> None:
    """A card that was exposed in a hand that is given up, of which there was nothing to rule, and
    has come to another hand is one card still: what it is now, that hand decides (v8 5.5)."""
    irregular = round_.irregular
    if irregular is None:
        return
    lies_at = {card: seat for seat, cards in hands.items() for card in cards if card.is_known}
    given_up = {seat for seat, player in round_.players.items() if not player.active}
    irregular.exposed = [
        (seat, card)
        for seat, card in irregular.exposed
        if seat not in given_up or lies_at.get(card, seat) == seat
    ]


def _exposed_unseen(table: PokerTable, round_: RoundState) -> Counter[int]:
    """Cards of a real shoe that were exposed in the deal, of which nobody has said which they are:
    the hands to which they go, by the places at which they fell."""
    if not round_.dealt:
        return Counter(
            seat
            for seat, player in round_.players.items()
            for card in player.exposed
            if not card.is_known
        )
    due = round_.order * table.by_book[HOLE_CARDS]
    there = (place for place in round_.dealt_exposed if not round_.dealt[place][1].is_known)
    return Counter(due[place] for place in there if place < len(due))
