"""Makes `starting.toml`, the order of the 169 starting hands, and `flop-bets.toml`, what each is
worth with the Flop bet in the banked games, with the lab.

    python -m croupier.live.bots.generate

Against one other hand the order is exact: it comes from the solver, which deals the base game's
hand against the dealer's in every way. Against several it is drawn, always the same way.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

STARTING = Path(__file__).with_name("starting.toml")
FLOP_BETS = Path(__file__).with_name("flop-bets.toml")
MADE_BY = "# Made by python -m croupier.live.bots.generate"
RIVALS = 5
DEALS = 60_000
SEED = 169
BOOK = "multi-link-progressive-v3"
"""Any banked book serves: which hand wins does not depend on what is paid for it."""


def heads_up() -> list[str]:
    """Best first, by the exact share of the pot against one hand that may be any."""
    from croupier.lab import solve
    from croupier.rulebooks import load

    solution = solve(load(BOOK))
    share = {h.name: h.wins + h.ties * Fraction(1, 2) for h in solution.hands}
    return sorted(share, key=lambda name: (-share[name], name))


def in_company(rivals: int = RIVALS, deals: int = DEALS) -> list[str]:
    """Best first, by the share of the pot against several hands that may be any, drawn."""
    import numpy as np

    from croupier.cards import DECK
    from croupier.lab.hands import NAMES, hand_of
    from croupier.lab.kernel import rank_rows

    chance = np.random.default_rng(SEED)
    share: dict[str, float] = {}
    hands = {NAMES[hand_of(a, b)]: (a, b) for a in DECK for b in DECK if a.index < b.index}
    for name in NAMES:
        own = [card.index for card in hands[name]]
        rest = np.array([card.index for card in DECK if card.index not in own])
        order = chance.random((deals, 50)).argpartition(5 + 2 * rivals, axis=1)
        drawn = rest[order[:, : 5 + 2 * rivals]].astype(np.uint8)
        board = drawn[:, :5]
        mine = rank_rows(np.hstack([board, np.tile(np.array(own, np.uint8), (deals, 1))]))
        theirs = [
            rank_rows(np.hstack([board, drawn[:, 5 + 2 * r : 7 + 2 * r]])) for r in range(rivals)
        ]
        best = np.maximum.reduce(theirs)
        tied = sum((t == mine).astype(int) for t in theirs)
        share[name] = float(np.where(mine >= best, 1 / (1 + tied), 0).mean())
    return sorted(share, key=lambda name: (-share[name], name))


def flop_bets() -> str:
    """The whole file of the Flop bets: the value of the round in Antes, as an exact fraction."""
    from croupier.lab import solve
    from croupier.rulebooks import load

    # The main bets of the three banked books are the same; `banked_strategy` checks that.
    hands = [f'{hand.name} = "{hand.play}"' for hand in solve(load(BOOK)).hands]
    return "\n".join([f"{MADE_BY}: results in Antes.", "", *hands]) + "\n"


def starting() -> str:
    """The whole file of the orders."""
    lines = [f"{MADE_BY}: best first.", ""]
    for title, names in (("heads_up", heads_up()), ("in_company", in_company())):
        rows = [" ".join(names[start : start + 13]) for start in range(0, 169, 13)]
        lines += [f'{title} = """', *rows, '"""']
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for file, text in ((STARTING, starting()), (FLOP_BETS, flop_bets())):
        file.write_text(text, "utf-8")
        sys.stderr.write(f"{file.name} is written\n")
