"""A Community Card exposed before the Betting Round was over: v8 5.11 (A-36, A-37, A-71).

Those who have yet to act are told that it will go back and be shuffled in. If all of them fold it
stays; otherwise it goes back at once, and what is missing is dealt again when the round is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import Card
from croupier.poker.commands import STREETS, Street
from croupier.poker.events import CardsTakenBack
from croupier.poker.in_round import in_round
from croupier.poker.irregularities.commands import ReportEarlyCards
from croupier.poker.irregularities.community import shuffle_in
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.events import EarlyCardsHeld, EarlyCardsKept
from croupier.poker.irregularities.memory import irregular_of
from croupier.poker.irregularities.reporting import note, under_way
from croupier.poker.irregularities.skipped import rule_on_skipped
from croupier.poker.irregularities.state import Early
from croupier.poker.irregularities.streets import (
    EARLY_TOPIC,
    IS_WON,
    is_early,
    is_won,
    later_book_on,
)
from croupier.poker.remedies import street_of
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic
from croupier.table import Announced, BadCommand, Call, Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

early_community = Room("early community")


@early_community.decides(ReportEarlyCards)
def dealt_early(table: PokerTable, order: Order[ReportEarlyCards]) -> None:
    covered = table.book.has(Topic.EARLY_COMMUNITY_CARD)
    topic = Topic.EARLY_COMMUNITY_CARD if covered else Topic.COMMUNITY_CARDS
    round_ = under_way(table, order, topic)
    streets = early_streets(table, round_)
    if not streets:
        _found_late(table, round_, covered)
        return
    what = _dealt_early(streets)
    up = {street: _face_up(round_, street) for street in streets}
    if not covered:
        says = "5.11: it goes back, unless all yet to act fold"
        if not any(up.values()):
            says = "5.11: it lies face down, and is turned up when the round is finished"
        ask_ruling(table, what, later_book=says)
        return
    if not any(up.values()):
        says = "It lies face down: the round is finished, then it is turned up."
        note(table, what, says, table.paragraphs(Topic.EARLY_COMMUNITY_CARD))
        return
    rule_on_skipped(table, round_)
    up = {street: _face_up(round_, street) for street in early_streets(table, round_)}
    if not any(up.values()):
        return  # the round was open only because of players who had been passed over
    judged = _judged(round_)
    affected = tuple(
        seat
        for seat in round_.betting.to_act
        if not round_.players[seat].acted and not round_.players[seat].all_in
    )
    found = [
        Early(street=street, cards=new, affected=affected)
        for street, cards in up.items()
        if (new := tuple(card for card in cards if card not in judged))
    ]
    if not found:
        says = "It was reported before, and nothing has been exposed since."
        note(table, what, says, table.paragraphs(Topic.EARLY_CARD_CHOICE))
    elif affected:
        _hold(table, found)
    else:
        take_back(table, found)


def _hold(table: PokerTable, found: list[Early]) -> None:
    """Tell those who have yet to act, and wait for what they do (5.11.1)."""
    cites = table.paragraphs(Topic.EARLY_CARD_CHOICE)
    for early in found:
        table.emit(
            EarlyCardsHeld(
                street=early.street, cards=early.cards, affected=early.affected, cites=cites
            )
        )
    many = sum(len(early.cards) for early in found) > 1
    for seat in found[0].affected:
        table.emit(
            Announced(
                call=Call.NOTICE,
                says=f"The exposed card{'s' if many else ''} will be taken back and shuffled in, "
                "unless all who have yet to act fold.",
                seat=seat,
                cites=cites,
            )
        )


def _found_late(table: PokerTable, round_: RoundState, covered: bool) -> None:
    """The Betting Round that it came before is over: 5.11 does not say what then."""
    late = [street for street in STREETS if f"{street} dealt early" in round_.deviations]
    if not late:
        raise BadCommand("no Community Card lies there before its time")
    what = f"{_dealt_early(late)}, and found after it"
    if covered and is_won(round_):
        topics = (Topic.LONE_SURVIVOR, Topic.EARLY_COMMUNITY_CARD)
        note(table, what, IS_WON, table.paragraphs(*topics))
    elif covered:
        ask_ruling(table, what)
    else:
        says = later_book_on(table, round_, late[0]) or "nothing either; a ruling (5.16)"
        ask_ruling(table, what, later_book=says)


def early_streets(table: PokerTable, round_: RoundState) -> list[Street]:
    """Streets that lie on the table too early; after the turn the river may follow it."""
    return [
        street
        for street in STREETS
        if street_of(round_, street) and is_early(table, round_, street)
    ]


def _face_up(round_: RoundState, street: Street) -> list[Card]:
    return [card for card in street_of(round_, street) if card not in round_.down]


def _judged(round_: RoundState) -> set[Card]:
    """Early cards that are decided over, or have been."""
    irregular = round_.irregular
    if irregular is None:
        return set()
    return {*irregular.kept_early, *(c for early in irregular.held_early for c in early.cards)}


def _dealt_early(streets: list[Street]) -> str:
    were = "was" if len(streets) == 1 else "were"
    return f"the {' and the '.join(streets)} {were} dealt before the Betting Round was over"


@early_community.applies(EarlyCardsHeld)
def early_cards_held(table: PokerTable, event: EarlyCardsHeld) -> None:
    irregular_of(table).held_early.append(
        Early(street=event.street, cards=event.cards, affected=event.affected)
    )


def after_a_choice(table: PokerTable, round_: RoundState) -> bool:
    """Once affected players have acted: take back, keep, or wait. True if something happened."""
    back, kept = [], []
    won = round_.won_by_folds  # then the card is no matter
    over = table.state.phase != "betting" and not won
    for early in irregular_of(table).held_early:
        asked = [seat for seat in early.affected if not _has_no_choice(round_, seat)]
        # Whoever was passed over has not folded: when the round is over the card goes back.
        chosen = [seat for seat in asked if over or round_.players[seat].acted]
        nobody = not asked and not won
        if nobody or any(round_.players[seat].active for seat in chosen):
            back.append(early)
        elif len(chosen) == len(asked):
            kept.append(early)
    if back:
        take_back(table, back)
    elif kept:
        cites = table.paragraphs(Topic.EARLY_CARD_CHOICE)
        for early in kept:
            table.emit(EarlyCardsKept(street=early.street, cites=cites))
        table.move_on(round_)
    return bool(back or kept)


def _has_no_choice(round_: RoundState, seat: int) -> bool:
    """Whether his hand was declared dead before he had acted: he has not chosen to fold, and is
    no Player any more whom it affects. If none is left it goes back (A-36)."""
    player = round_.players[seat]
    return not player.active and not player.acted


def take_back(table: PokerTable, found: list[Early]) -> None:
    """Only exposed cards go back, the last street first (A-71); those face down stay and count
    (A-37). Then all of them are shuffled in together."""
    cites = table.paragraphs(*(EARLY_TOPIC[early.street] for early in found))
    for early in reversed(found):
        own = table.paragraphs(EARLY_TOPIC[early.street])
        table.emit(CardsTakenBack(street=early.street, cards=early.cards, reopens=False, cites=own))
        table.emit(EarlyCardsKept(street=early.street, kept=False, cites=own))
    shuffle_in(table, tuple(early.street for early in found), cites)


@in_round(early_community, EarlyCardsKept)
def early_cards_kept(table: PokerTable, round_: RoundState, event: EarlyCardsKept) -> None:
    """The Betting Round may have closed with the last choice: then the street opens the next."""
    irregular = irregular_of(table)
    if event.kept:
        irregular.kept_early += [
            card
            for early in irregular.held_early
            if early.street == event.street
            for card in early.cards
        ]
    irregular.held_early = [early for early in irregular.held_early if early.street != event.street]
    round_.deviations = [
        what for what in round_.deviations if what != f"{event.street} dealt early"
    ]
    if event.kept and table.state.phase == table.due_phase(event.street):
        table.state.phase = table.phase_after(round_, round_.betting.number)
