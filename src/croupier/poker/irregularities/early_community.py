"""A Community Card exposed before the Betting Round was over: v8 5.11 (A-36, A-37).

Those who have yet to act are told that it will go back and be shuffled in. If all of them fold it
stays; otherwise it goes back at once, and what is missing is dealt again when the round is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.poker.events import CardsTakenBack
from croupier.poker.irregularities.commands import ReportEarlyCards
from croupier.poker.irregularities.community import EARLY_TOPIC, is_early, last_street, shuffle_in
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.events import EarlyCardsHeld, EarlyCardsKept
from croupier.poker.irregularities.memory import irregular_of
from croupier.poker.irregularities.reporting import note, under_way
from croupier.poker.irregularities.skipped import rule_on_skipped
from croupier.poker.irregularities.state import Early
from croupier.poker.remedies import street_of
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic
from croupier.table import Announced, BadCommand, Call, Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

early_community = Room("early community")


@early_community.on(ReportEarlyCards)
def dealt_early(table: PokerTable, order: Order[ReportEarlyCards]) -> None:
    covered = table.book.has(Topic.EARLY_COMMUNITY_CARD)
    topic = Topic.EARLY_COMMUNITY_CARD if covered else Topic.COMMUNITY_CARDS
    played = under_way(table, order, topic)
    street = last_street(played)
    if street is None or not is_early(table, played, street):
        raise BadCommand("no Community Card lies there before its time")
    if played.irregular is not None and played.irregular.early is not None:
        raise BadCommand("it was reported already")
    up, down = [], list(played.down)
    for card in street_of(played, street):
        if card in down:
            down.remove(card)
        else:
            up.append(card)
    what = f"the {street} was dealt before the Betting Round was over"
    if not covered:
        ask_ruling(table, what, version_8="5.11: it goes back, unless all yet to act fold")
        return
    if not up:
        says = "It lies face down: the round is finished, then it is turned up."
        note(table, what, says, table.paragraphs(Topic.EARLY_COMMUNITY_CARD))
        return
    rule_on_skipped(table, played)
    if not is_early(table, played, street):
        return  # it was open only because of players who had been passed over
    affected = tuple(
        seat
        for seat in played.betting.to_act
        if not played.players[seat].acted and not played.players[seat].all_in
    )
    early = Early(street=street, cards=tuple(up), affected=affected)
    if not affected:
        take_back(table, early)
        return
    cites = table.paragraphs(Topic.EARLY_CARD_CHOICE)
    table.emit(EarlyCardsHeld(street=street, cards=early.cards, affected=affected, cites=cites))
    for seat in affected:
        table.emit(
            Announced(
                call=Call.NOTICE,
                says="The exposed card will be taken back and shuffled in, unless all who have yet "
                "to act fold.",
                seat=seat,
                cites=cites,
            )
        )


@early_community.when(EarlyCardsHeld)
def early_cards_held(table: PokerTable, event: EarlyCardsHeld) -> None:
    irregular_of(table).early = Early(
        street=event.street, cards=event.cards, affected=event.affected
    )


def after_a_choice(table: PokerTable, played: RoundState) -> bool:
    """Once an affected player has acted: take back, keep, or wait. True if something happened."""
    irregular = played.irregular
    early = irregular.early if irregular is not None else None
    if early is None:
        return False
    chosen = [seat for seat in early.affected if _has_chosen(played, seat)]
    if any(played.players[seat].active for seat in chosen):
        take_back(table, early)
        return True
    if len(chosen) == len(early.affected):
        cites = table.paragraphs(Topic.EARLY_CARD_CHOICE)
        table.emit(EarlyCardsKept(street=early.street, cites=cites))
        table.move_on()
        return True
    return False


def _has_chosen(played: RoundState, seat: int) -> bool:
    player = played.players[seat]
    return player.acted or not player.active


def take_back(table: PokerTable, early: Early) -> None:
    """Only exposed cards go back; those face down stay and count (A-37)."""
    cites = table.paragraphs(EARLY_TOPIC[early.street])
    table.emit(CardsTakenBack(street=early.street, cards=early.cards, reopens=False, cites=cites))
    table.emit(EarlyCardsKept(street=early.street, kept=False, cites=cites))
    shuffle_in(table, early.street, cites)


@early_community.when(EarlyCardsKept)
def early_cards_kept(table: PokerTable, event: EarlyCardsKept) -> None:
    """The Betting Round may have closed with the last choice: then the street opens the next."""
    irregular_of(table).early = None
    played = table.state.round
    assert played is not None
    if event.kept and table.state.phase == table.due_phase(event.street):
        table.state.phase = table.phase_after(played, played.betting.number)
