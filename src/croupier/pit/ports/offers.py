"""Ready-made offers: what a player may do at a table now, each with the command that does it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from croupier.table import Money, Offer
from croupier.table.view import QuestionView

USUAL = 100
"""Big Blinds, or least Antes, with which one sits down unless he says otherwise."""
READY = "ready"
"""What a player says who has bet and need not be waited for: no command of the table."""


class ReadyMade(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that would be accepted now, and the command that does it."""

    do: str
    command: dict[str, Any]
    least: Money | None = None
    """Where an amount may be chosen: the least, the most, and in between whole numbers of `step`.
    The command says one of them already."""
    most: Money | None = None
    step: Money | None = None
    says: str = ""
    """The answer to a question, in words."""


def answers(decisions: tuple[QuestionView, ...]) -> Iterator[ReadyMade]:
    """The answers to what the table asks him; those that need more than a word he gives himself."""
    for asked in decisions:
        for option in asked.options if asked.yours else ():
            if not option.asks:
                command = {"do": "decide", "decision": asked.decision, "option": option.name}
                yield ReadyMade(do="decide", command=command, says=option.says)


def with_amount(offer: Offer, word: str, command: dict[str, Any]) -> ReadyMade:
    """An offer of which the amount may be chosen; the command says the least."""
    return ReadyMade(
        do=offer.do,
        command={**command, word: offer.least},
        least=offer.least,
        most=offer.most,
        step=offer.step,
    )
