"""The board on the slip of a jackpot award is the one that lay there in the end."""

from __future__ import annotations

import pytest

from croupier.banked.events import ClaimRecorded, FlopRevealed, RiverRevealed, TurnRevealed
from croupier.banked.findings import (
    CardReplaced,
    CardsExchanged,
    CardsRestored,
    IrregularityReported,
    RulingUndone,
    StreetDealtAgain,
)
from croupier.cards import Card, read_cards
from croupier.pit.ports.banked_claimed import claimed_in
from croupier.table import Event


def cards(text: str) -> tuple[Card, ...]:
    return tuple(read_cards(text))


SHOWN: tuple[Event, ...] = (
    FlopRevealed(cards=cards("Qh Jh Th")),
    TurnRevealed(cards=cards("2c")),
)
REPORT = IrregularityReported(kind="x", effect="x", round=1, by="Dan")
AGAIN = StreetDealtAgain(old=cards("2c"), new=cards("9d"), shown=True)


def restored(board: str, *laid: int) -> CardsRestored:
    return CardsRestored(hands={}, board=cards(board), dealer=(), burns=(), laid=laid)


@pytest.mark.parametrize(
    ("events", "board"),
    [
        (SHOWN, "Qh Jh Th 2c"),
        ((*SHOWN, AGAIN), "Qh Jh Th 9d"),
        ((*SHOWN, REPORT, AGAIN, RulingUndone(reason="x", who="Sam")), "Qh Jh Th 2c"),
        # What lies face down is not on the slip.
        ((*SHOWN, StreetDealtAgain(old=cards("7s"), new=cards("8s"), shown=False)), "Qh Jh Th 2c"),
        (
            (*SHOWN, CardReplaced(where="community", position=3, old=Card("Th"), new=Card("3d"))),
            "Qh Jh 3d 2c",
        ),
        (
            (*SHOWN, CardReplaced(where="community", position=5, old=Card("Kd"), new=Card("3d"))),
            "Qh Jh Th 2c",
        ),
        # A flop of four, of which the last goes back (5.8.7).
        ((FlopRevealed(cards=cards("Qh Jh Th 9h")), restored("Qh Jh Th", 3)), "Qh Jh Th"),
        ((*SHOWN, RiverRevealed(cards=cards("As")), restored("Qh Jh Th 2c 5d")), "Qh Jh Th 2c 5d"),
        ((*SHOWN, CardsExchanged(community=(3, 4), order=(2, 1))), "Qh Jh 2c Th"),
        ((*SHOWN, CardsExchanged(boxes=(1,), community=(3, 4), order=(1, 3, 2))), "Qh Jh 2c Th"),
        ((*SHOWN, TurnRevealed(cards=cards("4c"))), "Qh Jh Th 4c"),
    ],
)
def test_the_board_is_followed(events: tuple[Event, ...], board: str) -> None:
    claim = ClaimRecorded(box=1, lines=("4.2.major.royal-flush",), cards=cards("Ah Kh"))
    found = claimed_in((*events, claim), 1)
    assert (found.hand, found.board) == (cards("Ah Kh"), cards(board))
