"""What each report may say at all, as the table stands; which of it is accepted is tried later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.cards import DECK, Shoe
from croupier.poker.commands import Call
from croupier.poker.irregularities.commands import (
    ReportDeck,
    ReportExposed,
    ReportForeignCard,
    ReportIrregularity,
    ReportShoe,
    ReportShown,
    ReportSkipped,
    ReportWrongCount,
    ReportWrongDeal,
)
from croupier.table import Command
from croupier.table.reports import BySeat, OneOf, SomeOf, Words
from tests.poker.conftest import Felt

EVEN_NOT_SAID = OneOf((None, False, True))


def candidates(felt: Felt, kind: type[Command]) -> list[Mapping[str, Any]]:
    return [*felt.table.whole.reports[kind].candidates(felt.table)]


def three(**settings: Any) -> Felt:
    return Felt(**settings).sit(s1=500, s2=500, s4=500)


def test_before_the_first_deal_there_is_one_seat_and_one_card_to_refuse() -> None:
    empty = Felt()
    nothing = OneOf((0,))
    assert candidates(empty, ReportSkipped) == [{"seat": OneOf((1,)), "stopped": nothing}]
    [shown] = candidates(empty, ReportShown)
    assert shown["seat"] == OneOf((1,))
    assert shown["cards"] == SomeOf(DECK[:1], least=1)
    assert [said["cards"] for said in candidates(empty, ReportExposed)] == [
        BySeat({}),
        BySeat({}, least=1),
    ]


def test_where_the_house_knows_the_hands_a_wrong_number_is_one_that_somebody_holds() -> None:
    felt = three().start(button=1).call()
    felt.must(Call(seat=1))
    assert candidates(felt, ReportWrongCount) == [
        {
            "seat": OneOf((1, 2, 4)),
            "count": OneOf((None, 2)),
            "seen": EVEN_NOT_SAID,
            "stopped": OneOf((0, 1)),
        }
    ]
    assert candidates(felt, ReportWrongDeal)[0]["seen"] == EVEN_NOT_SAID
    assert candidates(felt, ReportShoe) == [{"left": OneOf((None, *range(53)))}]
    counted, twice = candidates(felt, ReportDeck)
    assert counted == {"count": OneOf(tuple(range(105)))}
    assert twice == {"twice": OneOf(DECK)}


def test_a_foreign_card_need_not_be_named_but_an_irregularity_is_told_in_words() -> None:
    assert candidates(three(), ReportForeignCard) == [{"card": Words(needed=False)}]
    assert candidates(three(), ReportIrregularity)[0]["says"] == Words()


def test_cards_are_shown_by_their_seat_to_others() -> None:
    felt = three().start(button=1).call()
    hands = {seat: tuple(p.cards) for seat, p in felt.state.round.players.items()}
    assert [said["seat"] for said in candidates(felt, ReportShown)] == [
        OneOf((seat,)) for seat in hands
    ]
    for said, (seat, cards) in zip(candidates(felt, ReportShown), hands.items(), strict=True):
        assert said["cards"] == SomeOf(cards, least=1), "nothing is unseen where the House deals"
        assert said["to"] == SomeOf(tuple(other for other in (1, 2, 4) if other != seat))


def test_of_a_real_shoe_a_card_that_nobody_has_seen_is_tried() -> None:
    felt = three().start(button=1).call()
    felt.state.shoe = Shoe.reported()
    felt.state.shoe.take(DECK[:2])
    for kind in (ReportExposed, ReportShown):
        assert candidates(felt, kind)[0]["cards"].unseen is DECK[2]
