"""Rounds of a House whose true answer is known: dealt by the simulation, decided by the best play
or another, paid by the schedule of the book."""

from __future__ import annotations

import numpy as np

from croupier.lab.actual import Box, Rounds
from croupier.lab.simulate import outcomes
from croupier.lab.simulate_deal import deal
from croupier.lab.simulate_pay import FOLDED, Stakes, read_main, schedule
from croupier.rulebooks import load

V3 = load("multi-link-progressive-v3")
STAKES = Stakes(ante=1000, bonus=500, progressive=500)
DEALERS = ("Dan", "Eve", "Fay")


def house(strategy, *, seed, rounds, boxes, book=V3, stakes=STAKES, table="T1", steals=None):
    """So many rounds at one table. `steals` says of a dealer how many cents vanish in each of
    that dealer's rounds."""
    paid = schedule(book, stakes)
    cards = np.empty((rounds, 7 + 2 * boxes), np.uint8)
    deal(np.uint64(seed), np.uint64(0), 0, rounds, boxes, cards)
    codes = outcomes(paid, cards, strategy.decide(cards, boxes))
    found = []
    for number in range(rounds):
        dealer = DEALERS[number % len(DEALERS)]
        played = tuple(box_of(paid, int(code)) for code in codes[number])
        won = sum(box.main_won + box.bonus_won + box.stake_won for box in played)
        found.append(
            Rounds(
                table=table,
                book=book.id,
                dealer=dealer,
                day=f"2026-11-{1 + number * 5 // rounds:02}",
                number=number + 1,
                boxes=played,
                house=won - (steals or {}).get(dealer, 0),
            )
        )
    return found


def box_of(paid, code):
    """A box of the round from what became of it."""
    main, line, held = np.unravel_index(code, paid.outcomes)
    folded = main == FOLDED
    turn, river = (False, False) if folded else read_main(int(main))[:2]
    return Box(
        ante=paid.stakes.ante,
        bonus=paid.stakes.bonus,
        stake=paid.stakes.progressive,
        main_won=-paid.main_money[main],
        bonus_won=-paid.bonus_money[line],
        stake_won=paid.stakes.progressive - paid.set_money[held],
        folded=bool(folded),
        turn=turn,
        river=river,
        main_staked=paid.main_bets[main],
    )
