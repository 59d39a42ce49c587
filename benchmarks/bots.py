"""How well the bots play, on the real engine, with no House in between.

Poker: the best temperament heads-up against an opponent who acts at random and against one who
always calls, both with 100 Big Blinds before every hand, under Poker v5 with a Rake of 5 percent,
at most 3 Big Blinds. Results are Big Blinds won in a hundred hands after Rake, with their standard
error; a hand is one observation.

Banked: the average result of a round in Antes, Ante and Flop, Turn and River bets together, against
the value of the base game under optimal play that the lab computes exactly.

Batches have their own seeds and are played in as many processes as there are cores.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from random import Random
from typing import Any

from msgspec import structs

from benchmarks import Row, Target
from croupier.live.bots import BEST, BankedBot, BotPlayer, PokerBot, Thought, terms_of
from croupier.live.bots.poker_seat import PokerSeat
from croupier.live.bots.practice import Practice
from croupier.poker import PokerTable
from croupier.poker import commands as do
from croupier.poker.view import PokerView
from croupier.rulebooks import load
from croupier.table import Look, Offer

HANDS = 20_000
ROUNDS = 12_000
BATCH = 1_000
STACK = 100_000
BIG_BLIND = 1_000
OPTIMAL = Fraction(-578107733, 28381438800)
"""Antes a round: `croupier lab edge multi-link-progressive-v3` computes it."""
POKER: dict[str, Any] = {
    "layout": "A",
    "sign": True,
    "seats": 6,
    "blinds": [BIG_BLIND // 2, BIG_BLIND],
    "minimum_stake": 20_000,
    "chips": [100, 500, 2_500, 10_000],
    "rake": {"percent": 5, "cap": 3_000},
    "opened_knowingly": True,
}
BANKED: dict[str, Any] = {
    "layout": "A",
    "layout_boxes": 7,
    "ante_minimum": 500,
    "ante_maximum": 50_000,
    "bonus_minimum": 500,
    "bonus_maximum": 50_000,
    "progressive": 500,
}


def measure() -> list[Row]:
    """Poker against both opponents, the time of a decision, and a banked game."""
    rows = []
    for name in OPPONENTS:
        results, seconds = in_batches(poker_batch, HANDS, name)
        mean, error = mean_and_error(results)
        what = f"{BEST.name} bot against one who {name}, {len(results):,} hands"
        note = f"{100 * mean:.1f} ± {100 * error:.1f} Big Blinds in a hundred hands, after Rake"
        rows += [
            Row(benchmark="bots", what=what, value=100 * mean, unit="bb/100", note=note),
            Row(
                benchmark="bots",
                what=f"{what}: ahead by",
                value=mean / error,
                unit="standard errors",
                target=Target(at="least", limit=2),
            ),
            Row(
                benchmark="bots",
                what=f"a decision of the {BEST.name} bot against one who {name}, 99th of 100",
                value=1000 * sorted(seconds)[len(seconds) * 99 // 100],
                unit="ms",
            ),
        ]
    results, seconds = in_batches(banked_batch, ROUNDS, "multi-link-progressive-v3")
    mean, error = mean_and_error(results)
    rows.append(
        Row(
            benchmark="bots",
            what=f"banked bot, {len(results):,} rounds: away from the optimal result by",
            value=abs(mean - float(OPTIMAL)) / error,
            unit="standard errors",
            target=Target(at="most", limit=2),
            note=f"{mean:.4f} ± {error:.4f} Antes a round; optimal is {float(OPTIMAL):.4f}",
        )
    )
    rows.append(
        Row(
            benchmark="bots",
            what="a decision of the banked bot, 99th of 100",
            value=1000 * sorted(seconds)[len(seconds) * 99 // 100],
            unit="ms",
            note="every deal that may follow is counted",
        )
    )
    return rows


Batch = Callable[[str, int, int], tuple[list[float], list[float]]]


def in_batches(play: Batch, count: int, what: str) -> tuple[list[float], list[float]]:
    """Play so many in batches, each with its own seed; results and seconds, put together."""
    seeds = range(math.ceil(count / BATCH))
    sizes = [min(BATCH, count - BATCH * seed) for seed in seeds]
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        parts = list(workers.map(play, [what] * len(sizes), sizes, seeds))
    return [r for part, _ in parts for r in part], [s for _, part in parts for s in part]


def mean_and_error(results: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    mean = sum(results) / len(results)
    variance = sum((result - mean) ** 2 for result in results) / (len(results) - 1)
    return mean, math.sqrt(variance / len(results))


# -- poker ----------------------------------------------------------------------------------------


class RandomPlayer(PokerSeat):
    """Does any of the things that are offered, a bet of any size."""

    def think(self, view: PokerView, offers: Sequence[Offer], chance: Random) -> Thought | None:
        seat = view.yours[0]
        if view.seats[seat].active and not view.seats[seat].looked:
            return Thought(command=Look(seat=seat))
        if not offers:
            return None
        offer = chance.choice(offers)
        match offer.do:
            case "bet" | "raise":
                assert offer.least is not None
                assert offer.most is not None
                to = chance.randrange(offer.least, offer.most + 1) // offer.step * offer.step
                to = max(to, offer.least)
                bet = do.Bet(seat=seat, to=to) if offer.do == "bet" else do.Raise(seat=seat, to=to)
                return Thought(command=bet)
            case "check":
                return Thought(command=do.Check(seat=seat))
            case "call":
                return Thought(command=do.Call(seat=seat))
            case "all in":
                return Thought(command=do.AllIn(seat=seat))
            case "fold":
                return Thought(command=do.Fold(seat=seat))
            case _:
                return None


class CallingPlayer(PokerSeat):
    """Checks or calls, whatever comes."""

    def think(self, view: PokerView, offers: Sequence[Offer], chance: Random) -> Thought | None:
        names = {offer.do for offer in offers}
        if "check" in names:
            return Thought(command=do.Check(seat=view.yours[0]))
        return Thought(command=do.Call(seat=view.yours[0])) if "call" in names else None


OPPONENTS: dict[str, type[PokerSeat]] = {
    "acts at random": RandomPlayer,
    "always calls": CallingPlayer,
}


def poker_batch(opponent: str, hands: int, seed: int) -> tuple[list[float], list[float]]:
    """What the best temperament wins in each hand, in Big Blinds, and its seconds to decide."""
    chance = Random(f"{opponent}/{seed}")
    practice = Practice("poker-v5", POKER, chance)
    table = practice.table
    assert isinstance(table, PokerTable)
    bots = (PokerBot("Best", BEST, BIG_BLIND), OPPONENTS[opponent]("Other", BEST))
    practice.players = [
        BotPlayer(bot, seat, terms_of(table), Random(chance.random()))
        for seat, bot in enumerate(bots, 1)
    ]
    practice.between()
    results, seconds = [], []
    for _ in range(hands):
        even_out(practice, table)
        practice.seconds.clear()
        practice.round()
        results.append((table.state.seats[1].stake - STACK) / BIG_BLIND)
        seconds += practice.of("Best")
    return results, seconds


def even_out(practice: Practice, table: PokerTable) -> None:
    """Everybody has the same again before the next hand; Poker v5 lets chips be taken off too."""
    for number, seat in list(table.state.seats.items()):
        if seat.stake < STACK:
            practice.give(do.TopUp(seat=number, amount=STACK - seat.stake))
        elif seat.stake > STACK:
            practice.give(do.ReduceStake(seat=number, amount=seat.stake - STACK))


# -- the banked games -----------------------------------------------------------------------------


def banked_batch(rulebook: str, rounds: int, seed: int) -> tuple[list[float], list[float]]:
    """The result of each round in Antes, and the seconds of each decision."""
    chance = Random(f"{rulebook}/{seed}")
    practice = Practice(rulebook, BANKED, chance)
    table = practice.table
    plain = structs.replace(BEST, antes=(1,), bonus=0.0, progressive=0.0, buys=20 * rounds)
    bot = BankedBot("Best", plain, load(rulebook))
    player = BotPlayer(bot, 1, terms_of(table), Random(chance.random()))
    player.stays = rounds + 1
    practice.players = [player]
    results, before = [], 0
    for _ in range(rounds):
        practice.play(1)
        won = table.state.net["Best"]  # type: ignore[union-attr]
        results.append((won - before) / BANKED["ante_minimum"])
        before = won
    return results, practice.of("Best")
