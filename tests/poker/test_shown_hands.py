"""Cards of a hand that has gone, which everybody has a right to see."""

from __future__ import annotations

from croupier.cards import Card
from croupier.poker.commands import Fold
from croupier.poker.irregularities.commands import ReportShown
from croupier.table import PUBLIC
from tests.poker.conftest import Felt


def test_a_hand_shown_to_all_and_folded_can_still_be_seen() -> None:
    """v8 5.15: one card of it was shown; the other goes unseen."""
    felt = Felt().sit(s1=500, s2=500, s3=500).start(button=1).call()
    card, _ = felt.state.round.players[1].cards
    felt.must(ReportShown(seat=1, cards=(card,)))
    assert seen(felt) == (card, Card.UNKNOWN)
    felt.must(Fold(seat=1))
    assert seen(felt) == (card,)


def seen(felt: Felt) -> tuple[Card, ...]:
    return felt.table.view(PUBLIC).seats[1].cards
