"""The lab's equities of some hands, in a process of its own: hands, then board and dead cards."""

from __future__ import annotations

import sys

import msgspec

from croupier.cards import read_cards
from croupier.lab.equity import equity
from croupier.live.bots.true_equity import LabAnswer

DUEL = 2
"""Of more hands than these the boards are drawn, not counted: that is exact enough to read."""
SAMPLES = 400_000


def main(*texts: str) -> None:
    """Print what each hand is worth."""
    *hands, board, dead = texts
    found = equity(
        *hands,
        board=read_cards(board),
        dead=read_cards(dead),
        exact=len(hands) <= DUEL,
        samples=SAMPLES,
    )
    shares = [float(player.equity) for player in found.players]
    sys.stdout.buffer.write(msgspec.json.encode(LabAnswer(exact=found.exact, shares=shares)))


if __name__ == "__main__":
    main(*sys.argv[1:])
