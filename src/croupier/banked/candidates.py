"""What each report may say at all: the values of its fields, as the table stands.

Whether it can be true now is for the report's own handler; it is found by trying
(`croupier.table.reports`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from croupier.banked.reconstruction import possible_moves
from croupier.banked.reports import (
    Report,
    ReportCardsGone,
    ReportDealingError,
    ReportDeckCount,
    ReportDrawnTogether,
    ReportExposed,
    ReportExtraLook,
    ReportFaceUpCard,
    ReportForeignCard,
    ReportInterruption,
    ReportJackpotFault,
    ReportJackpotRepaired,
    ReportMissedBurn,
    ReportNotEnoughCards,
    ReportNotShuffled,
    ReportWalkAway,
    ReportWrongCount,
    ReportWrongDeal,
)
from croupier.cards import DECK, Card
from croupier.rulebooks import Topic
from croupier.table import Command, Room
from croupier.table.reports import (
    DECK_AT_MOST,
    Anything,
    BySeat,
    Fields,
    From,
    OneOf,
    SomeOf,
    Values,
    Words,
)

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

candidates = Room("candidates")

DEALS = ("hole cards", "flop", "turn", "river")

Alternatives = Callable[["BankedTable"], Iterator[Fields]]


LATE: dict[type[Report], dict[str, Values]] = {
    ReportExposed: {
        "boxes": Anything({1: (Card.UNKNOWN,)}),
        "community": Anything(()),
        "dealer": Anything(()),
        "burns": Anything(()),
    },
    ReportWrongDeal: {
        "affected": Anything((1,)),
        "moves": Anything({}),
        "dealer_gets": Anything(None),
        "dealer_gives": Anything(None),
    },
    ReportWrongCount: {
        "box": Anything(1),
        "cards": Anything(1),
        "community": Anything(None),
        "dealer": Anything(None),
        "affected": Anything(()),
    },
    ReportDealingError: {"says": Words(), "affected": Anything((1,))},
    ReportFaceUpCard: {"card": Anything(Card.UNKNOWN)},
    ReportDrawnTogether: {
        name: Anything(()) for name in ("boxes", "community", "first_cards", "burns", "dealer")
    },
    ReportExtraLook: {"box": Anything(1)},
    ReportJackpotFault: {
        "boxes": Anything(()),
        "unregistered": Anything(()),
        "before_looking": Anything(False),
    },
}
"""What is said of a round that is over is only noted, and nobody can tell any more whether it was
so (5.8.effect, 5.19). A wrong count is judged until the next call, unless the round was void."""


def _report(kind: type[Command], topic: str) -> Callable[[Alternatives], Alternatives]:
    """Register a report: of the round that is under way, and of those before it."""

    def register(function: Alternatives) -> Alternatives:
        def of_any_round(table: BankedTable) -> Iterator[Fields]:
            if issubclass(kind, Report):
                yield from _by_round(table, kind, list(function(table)))
            else:
                yield from function(table)

        candidates.report(kind, topic)(of_any_round)
        return function

    return register


def _by_round(
    table: BankedTable, kind: type[Report], alternatives: list[Fields]
) -> Iterator[Fields]:
    last = table.state.round
    late = not table.playing() and (table.state.void or kind is not ReportWrongCount)
    rounds: tuple[int | None, ...] = (None, last) if last else (None,)
    over = rounds if last and late and kind in LATE else ()
    if kind is ReportJackpotFault:
        over = over[1:]  # Between rounds it may fail as well, and then it is of none.
    if over:
        yield {**LATE[kind], "round": OneOf(over)}
    under_way = tuple(number for number in rounds if number not in over)
    for fields in alternatives if under_way else ():
        yield {**fields, "round": OneOf(under_way)}
    if last > 1:
        yield {**LATE.get(kind, alternatives[0]), "round": From(1, last - 1)}


@_report(ReportNotEnoughCards, Topic.NOT_ENOUGH_CARDS)
@_report(ReportNotShuffled, Topic.CARDS_NOT_SHUFFLED)
@_report(ReportJackpotRepaired, Topic.JACKPOT_FAULT_NEXT_ROUNDS)
def nothing_else(table: BankedTable) -> Iterator[Fields]:
    yield {}


@_report(ReportForeignCard, Topic.FOREIGN_CARD)
def foreign_card(table: BankedTable) -> Iterator[Fields]:
    yield {"says": Words(needed=False)}


@_report(ReportInterruption, Topic.TECHNICAL_INTERRUPTION)
def interruption(table: BankedTable) -> Iterator[Fields]:
    yield {"says": Words()}


@_report(ReportDeckCount, Topic.DECK_SHORT_OR_OVER)
def deck_count(table: BankedTable) -> Iterator[Fields]:
    yield {"count": OneOf(tuple(range(DECK_AT_MOST + 1)))}


@_report(ReportExposed, Topic.ONE_CARD_EXPOSED)
def exposed(table: BankedTable) -> Iterator[Fields]:
    """By where they lie; one of the four places at least has a card."""
    state = table.state
    hands = {n: tuple(box.cards) for n, box in state.boxes.items() if box.cards}
    hands.update({n: tuple(cards) for n, cards in state.stray.items()})
    # What was turned up lies open as it should, also a real card that is still to be named; that it
    # had been exposed before is noted once somebody has looked.
    board, burns = tuple(state.board[0 if state.looked() else state.shown :]), tuple(state.burns)
    dealer = () if state.dealer_shown and not state.looked() else tuple(state.dealer)
    some = partial(SomeOf, unnamed=True)
    yield {
        "boxes": BySeat(hands, least=1, unnamed=True),
        "community": some(board),
        "dealer": some(dealer),
        "burns": some(burns),
    }
    yield {"community": some(board, least=1), "dealer": some(dealer), "burns": some(burns)}
    yield {"dealer": some(dealer, least=1), "burns": some(burns)}
    yield {"burns": some(burns, least=1)}


@_report(ReportWrongDeal, Topic.WRONG_DEAL_UNSEEN)
def wrong_deal(table: BankedTable) -> Iterator[Fields]:
    boxes = _boxes(table)
    affected = SomeOf(boxes, least=1)
    yield {"affected": affected, "moves": possible_moves(table)}
    if table.state.dealer:
        yield {
            "affected": affected,
            "dealer_gets": OneOf((None, *boxes)),
            "dealer_gives": OneOf((None, *boxes)),
        }


@_report(ReportWrongCount, Topic.WRONG_COUNT)
def wrong_count(table: BankedTable) -> Iterator[Fields]:
    counts = OneOf(tuple(range(len(DECK) + 1)))
    boxes = _boxes(table)
    yield {"box": OneOf(boxes), "cards": counts, "affected": SomeOf(boxes)}
    yield {"community": counts}
    yield {"dealer": counts}


@_report(ReportMissedBurn, Topic.MISSING_BURN)
def missed_burn(table: BankedTable) -> Iterator[Fields]:
    yield {"before": OneOf(DEALS)}


@_report(ReportDealingError, Topic.DEALING_ERROR_CHOICES)
def dealing_error(table: BankedTable) -> Iterator[Fields]:
    yield {"says": Words(), "affected": SomeOf(_boxes(table))}


@_report(ReportFaceUpCard, Topic.FACE_UP_CARD_IN_DEVICE)
def face_up_card(table: BankedTable) -> Iterator[Fields]:
    """The next card of the device: of a virtual one there is only one that it can be."""
    shoe = table.state.shoe
    if shoe is None or shoe.real:
        yield {"card": OneOf((*DECK, Card.UNKNOWN))}
    else:
        yield {"card": OneOf((*shoe.order[:1], Card.UNKNOWN))}


@_report(ReportDrawnTogether, Topic.CARDS_DRAWN_TOGETHER)
def drawn_together(table: BankedTable) -> Iterator[Fields]:
    """Two places or more: two of one kind and any of the others, or one of each of two kinds."""
    state = table.state
    hands = {n: box.cards for n, box in sorted(state.boxes.items())}
    places: dict[str, tuple[object, ...]] = {
        "boxes": tuple(number for number, cards in hands.items() if len(cards) > 1),
        "community": tuple(range(1, len(state.board) + 1)),
        "first_cards": tuple(number for number, cards in hands.items() if cards),
        "burns": tuple(d for d in DEALS[: len(state.laid) + 1] if d not in state.missed),
        "dealer": tuple(range(1, len(state.dealer) + 1)),
    }
    names = list(places)
    for first, name in enumerate(names):
        later = {other: SomeOf(places[other]) for other in names[first + 1 :]}
        yield {name: SomeOf(places[name], least=2), **later}
        for second, other in enumerate(names[first + 1 :], start=first + 1):
            rest = {n: SomeOf(places[n]) for n in names[second + 1 :]}
            for one in places[name]:
                yield {name: OneOf(((one,),)), other: SomeOf(places[other], least=1), **rest}


@_report(ReportExtraLook, Topic.EXTRA_HAND_EXAMINED)
@_report(ReportCardsGone, Topic.JACKPOT_CLAIM)
def one_box(table: BankedTable) -> Iterator[Fields]:
    yield {"box": OneOf(_boxes(table))}


@_report(ReportWalkAway, Topic.WALK_AWAY_WITH_DECISIONS_LEFT)
def walk_away(table: BankedTable) -> Iterator[Fields]:
    players = {box.player for box in table.state.boxes.values()} or {"nobody"}
    yield {"player": OneOf(tuple(sorted(players)))}


@_report(ReportJackpotFault, Topic.JACKPOT_FAULT_LATER)
def jackpot_fault(table: BankedTable) -> Iterator[Fields]:
    drawn = tuple(range(1, table.state.settings.boxes_in_use + 1))
    had_failed = (False, True) if table.playing() and table.state.looked() else (False,)
    yield {
        "boxes": SomeOf(drawn),
        "unregistered": SomeOf(drawn),
        "before_looking": OneOf(had_failed),
    }


def _boxes(table: BankedTable) -> tuple[int, ...]:
    """Boxes with a bet in the round, and those that got cards without one; if there is none, the
    first, so that there is something to refuse."""
    return tuple(sorted({*table.state.boxes, *table.state.stray})) or (1,)
