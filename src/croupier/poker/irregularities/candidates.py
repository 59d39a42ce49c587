"""What each report may say at all: the values of its fields, as the table stands.

Whether it can be true now is for the report's own handler; it is found by trying
(`croupier.table.reports`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from croupier.cards import DECK, Card
from croupier.poker.commands import STREETS
from croupier.poker.irregularities.commands import (
    ReportDeck,
    ReportEarlyCards,
    ReportExposed,
    ReportExposedInCut,
    ReportForeignCard,
    ReportInterruption,
    ReportIrregularity,
    ReportMissingBurn,
    ReportMissingCards,
    ReportShoe,
    ReportShown,
    ReportSkipped,
    ReportSurplusCards,
    ReportUnprepared,
    ReportWrongCount,
    ReportWrongDeal,
)
from croupier.poker.irregularities.wrong_count import held_by
from croupier.rulebooks import Topic
from croupier.table import Room
from croupier.table.reports import DECK_AT_MOST, BySeat, Fields, OneOf, SomeOf, Words

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

candidates = Room("candidates")


@candidates.report(ReportInterruption, Topic.TECHNICAL_INTERRUPTION, Topic.VOID)
@candidates.report(ReportEarlyCards, Topic.EARLY_COMMUNITY_CARD, Topic.COMMUNITY_CARDS)
def nothing_else(table: PokerTable) -> Iterator[Fields]:
    yield {}


@candidates.report(ReportForeignCard, Topic.FOREIGN_CARD)
def foreign_card(table: PokerTable) -> Iterator[Fields]:
    yield {"card": Words(needed=False)}


@candidates.report(ReportDeck, Topic.DECK_SHORT_OR_OVER)
def deck(table: PokerTable) -> Iterator[Fields]:
    yield {"count": OneOf(tuple(range(DECK_AT_MOST + 1)))}
    yield {"twice": OneOf(DECK)}


@candidates.report(ReportShoe, Topic.NOT_ENOUGH_CARDS, Topic.DECK_SHORT_OR_OVER)
def shoe(table: PokerTable) -> Iterator[Fields]:
    yield {"left": OneOf((None, *range(len(DECK) + 1)))}


@candidates.report(ReportExposedInCut, Topic.CARD_EXPOSED_IN_CUT, Topic.VOID)
def exposed_in_cut(table: PokerTable) -> Iterator[Fields]:
    yield {"cards": SomeOf(DECK), "stopped": _stopped(table)}


@candidates.report(ReportMissingBurn, Topic.MISSING_BURN, Topic.BURNT_CARD)
@candidates.report(ReportSurplusCards, Topic.SURPLUS_FLOP, Topic.COMMUNITY_CARDS)
def of_a_street(table: PokerTable) -> Iterator[Fields]:
    yield {"stopped": _stopped(table), "street": OneOf((None, *STREETS))}


@candidates.report(ReportMissingCards, Topic.COMMUNITY_CARDS)
def missing_cards(table: PokerTable) -> Iterator[Fields]:
    yield {"stopped": _stopped(table)}


@candidates.report(ReportUnprepared, Topic.CARDS_NOT_SHUFFLED, Topic.VOID)
def unprepared(table: PokerTable) -> Iterator[Fields]:
    yield {"lacking": OneOf(("shuffle", "cut")), "stopped": _stopped(table)}


@candidates.report(ReportExposed, Topic.TWO_OR_MORE_EXPOSED)
def exposed(table: PokerTable) -> Iterator[Fields]:
    hands, unseen = _hands(table), _unseen(table)
    yield {"cards": BySeat(hands, unseen=unseen), "stopped": _stopped(table)}
    yield {"cards": BySeat(hands, least=1, unseen=unseen), "stopped": _stopped(table)}


@candidates.report(ReportWrongDeal, Topic.MISDEAL, Topic.HAND_LEFT_OUT_OR_ADDED)
def wrong_deal(table: PokerTable) -> Iterator[Fields]:
    yield {
        "what": OneOf(("wrong seats", "hand left out", "extra hand")),
        "seen": OneOf((None, False, True)),
        "stopped": _stopped(table),
    }


@candidates.report(ReportWrongCount, Topic.WRONG_COUNT)
def wrong_count(table: PokerTable) -> Iterator[Fields]:
    yield {
        "seat": _seats(table),
        "count": OneOf((None, *_counts(table))),
        "seen": OneOf((None, False, True)),
        "stopped": _stopped(table),
    }


def _counts(table: PokerTable) -> Iterable[int]:
    """How many cards somebody may have: where the House knows it, no other number is true."""
    if table.state.settings.shoe != "virtual":
        return range(len(DECK) + 1)
    round_ = table.state.round
    if round_ is None:
        return ()
    return sorted({held_by(table, round_, seat) for seat in round_.players})


@candidates.report(ReportSkipped, Topic.SKIPPED_PLAYER, Topic.BETTING_ROUND)
def skipped(table: PokerTable) -> Iterator[Fields]:
    yield {"seat": _seats(table), "stopped": _stopped(table)}


@candidates.report(ReportShown, Topic.SHOW_ONE_SHOW_ALL, Topic.SHOW_ONLY_AT_SHOWDOWN)
def shown(table: PokerTable) -> Iterator[Fields]:
    # Where nobody has cards there is one to refuse.
    hands = _hands(table, given_up=True) or {1: DECK[:1]}
    for seat, cards in hands.items():
        others = tuple(other for other in table.taken_seats() if other != seat)
        shown = SomeOf(cards, least=1, unseen=_unseen(table))
        yield {"seat": OneOf((seat,)), "cards": shown, "to": SomeOf(others)}


@candidates.report(ReportIrregularity, Topic.DISCRETION, Topic.VOID)
def irregularity(table: PokerTable) -> Iterator[Fields]:
    yield {"says": Words(), "kind": OneOf(("uncovered", "interpretation"))}


def _seats(table: PokerTable) -> OneOf:
    """The seats that are taken; if there is none, the first, so that there is one to refuse."""
    return OneOf(tuple(table.taken_seats()) or (1,))


def _stopped(table: PokerTable) -> OneOf:
    """Of the Actions of the round, how many of the last ones somebody tried to stop."""
    round_ = table.state.round
    return OneOf(tuple(range(len(round_.actions()) + 1 if round_ is not None else 1)))


def _hands(table: PokerTable, *, given_up: bool = False) -> dict[int, tuple[Card, ...]]:
    """The hands that lie there, with those that were given up where they count as well."""
    round_ = table.state.round
    if round_ is None:
        return {}
    hands = {s: p.cards or (p.gave_up if given_up else []) for s, p in round_.players.items()}
    return {seat: tuple(cards) for seat, cards in hands.items() if cards}


def _unseen(table: PokerTable) -> Card | None:
    """A card that nobody has seen yet: of a real shoe, since a virtual one has none."""
    shoe = table.state.shoe
    return next(iter(shoe.unseen), None) if shoe is not None else None
