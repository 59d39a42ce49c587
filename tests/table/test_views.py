"""No card in a view that may not have it."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK
from croupier.table import AUDITOR, PUBLIC, ActorRank, GiveShuffle, Look, OpenTable, player
from croupier.table.conversation import write
from tests.pit.high_card import (
    BOOK,
    CloseBetting,
    Deal,
    HighCard,
    PlaceStake,
    Settle,
    Stay,
    order,
)


def cards_in(text: bytes) -> set[str]:
    """The cards that stand anywhere in a message."""
    return {card.value for card in DECK if f'"{card.value}"'.encode() in text}


def seen(table: HighCard, log: list, viewer) -> set[str]:
    """Every card that this viewer is told of, in events and in the view."""
    shown = (table.show(event, viewer) for event in log)
    told = b"".join(write(event) for event in shown if event is not None)
    return cards_in(told + msgspec.json.encode(table.view(viewer)))


@given(st.permutations(DECK), st.sets(st.sampled_from([1, 2, 3])))
def test_each_sees_what_lies_face_up_and_his_own_card_after_looking(deck, lookers):
    table, log = HighCard(BOOK), []
    names = {1: "Ann", 2: "Ben", 3: "Cho"}
    log += table.handle(order(OpenTable(table="T", settings={}), "Dee", ActorRank.DEALER))
    for box, who in names.items():
        log += table.handle(order(PlaceStake(box=box, player=who, stake=1000), who))
    log += table.handle(order(CloseBetting(), "Dee", ActorRank.DEALER))
    shuffle = GiveShuffle(need=1, cards=tuple(deck))
    log += table.handle(order(shuffle, "house", ActorRank.HOUSE))
    log += table.handle(order(Deal(), "Dee", ActorRank.DEALER))
    for box in sorted(lookers):
        log += table.handle(order(Look(seat=box), names[box]))
    face_up = {deck[3].value}
    assert seen(table, log, PUBLIC) == face_up
    assert seen(table, log, AUDITOR) == face_up
    for box, who in names.items():
        own = {deck[box - 1].value} if box in lookers else set()
        assert seen(table, log, player(who)) == face_up | own
    for box, who in names.items():
        log += table.handle(order(Stay(box=box), who))
    log += table.handle(order(Settle(), "Dee", ActorRank.DEALER))
    assert seen(table, log, PUBLIC) == face_up
    assert seen(table, log, AUDITOR) == {card.value for card in DECK}
