"""The PAR sheet of a banked book: probability and accounting, as a testing laboratory signs it.

Everything is counted, nothing sampled: every bet and the round as a whole with the exact
distribution of results, every pay line with its count, the jackpot over the meter, and beside the
best play some others that people really play.

Amounts of the main bets are in Antes, those of a side bet in its own stake, those of the whole
round in cents. What no book says (Ante, stakes, reset value, contribution; B-01) are the terms of a
sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from croupier.lab.base import Solution, solve
from croupier.lab.bonus_bet import Bonus, bonus
from croupier.lab.classes import FLOP_ENTRIES, TURN_ENTRIES
from croupier.lab.distribution import Distribution
from croupier.lab.errors import BadAmount
from croupier.lab.floor import Link
from croupier.lab.game import BaseGame, Odds, base_game
from croupier.lab.hands import LISTED, NAMES
from croupier.lab.jackpot_bet import Progressive, amount, progressive
from croupier.lab.joint import Decisions, joint_counts, main_counts
from croupier.lab.simulate_pay import (
    CATEGORIES,
    FOLDED,
    LOST,
    MAINS,
    TIED,
    WON,
    Schedule,
    Stakes,
    read_main,
    schedule,
)
from croupier.lab.simulate_strategy import PUBLISHED_FOLDS, Flags, made_hands
from croupier.lab.solver import DEALS, Progress, Sweeps, sweep
from croupier.lab.tabular import Tabular
from croupier.lab.tabulate import tabulate
from croupier.rulebooks import Rulebook, ShareOfMeter

Ints: TypeAlias = npt.NDArray[np.int64]
MAIN_BETS = ("ante", "flop", "turn", "river")


class Terms(Struct, frozen=True, kw_only=True):
    """What a sheet takes for granted and no book says, in cents."""

    ante: int = 1000
    bonus: int = 500
    stake: int = 500
    reset: int = 5_000_000
    contribution: int = 100
    meter: int | None = None
    """The meter at which the jackpot bet and the whole round are worked out; None: the reset."""
    stakes_per_round: int = 1
    rounds_per_hour: int = 40

    @property
    def at(self) -> int:
        """The meter of the sheet."""
        return self.reset if self.meter is None else self.meter

    def check(self) -> None:
        """Raise ``BadAmount`` for terms that cannot be."""
        Stakes(ante=self.ante, bonus=self.bonus, progressive=self.stake).check()
        for name, cents in (("bonus", self.bonus), ("stake", self.stake)):
            if cents < 1:
                raise BadAmount(f"{name}: a sheet tells of every bet; give more than nothing")
        Link(reset=self.reset, contribution=self.contribution, meter=self.meter).check(self.stake)
        if self.stakes_per_round < 1 or self.rounds_per_hour < 1:
            raise BadAmount("stakes a round and rounds an hour: there is at least 1 of each")


class Played(Struct, frozen=True, kw_only=True):
    """The main bets under one strategy, in Antes."""

    name: str
    meaning: str
    fold_hands: tuple[str, ...]
    bets: dict[str, Distribution]
    """By bet, and all of them as ``main``."""
    lines: dict[str, int]
    """By pay line: in how many of all deals it is paid."""
    counts: Ints
    """By main part (``simulate_pay``): deals."""

    @property
    def main(self) -> Distribution:
        """Ante, Flop, Turn and River together."""
        return self.bets["main"]


class JackpotLine(Struct, frozen=True, kw_only=True):
    """One line of the jackpot bet."""

    id: str
    pays: str
    played: int
    """In how many deals of the universe it is paid to a box that is played to the end."""
    folded: int
    """The same with the folds of the best play of the base game."""
    amount: Fraction
    """What it hands over at the meter of the sheet, in cents."""
    percent: int
    """Of the meter; 0 for a fixed sum."""


class Par(Tabular, Struct, frozen=True, kw_only=True):
    """One book's sheet."""

    book: Rulebook
    terms: Terms
    game: BaseGame
    solution: Solution
    strategies: tuple[Played, ...]
    """The best play first."""
    bonus: Bonus
    bonus_bet: Distribution
    """In Bonus stakes, with the folds of the best play."""
    progressive: Progressive
    jackpot_lines: tuple[JackpotLine, ...]
    jackpot_bet: Distribution
    """In jackpot stakes at the meter of the sheet, with the folds of the best play."""
    whole: Distribution
    """All bets of a round together, in cents, under the best play."""
    counts: Ints
    """By main part, bonus part and jackpot part: deals under the best play."""

    def rows(self) -> list[dict[str, Any]]:
        """Every bet under the best play."""
        bets = {**self.best.bets, "bonus": self.bonus_bet, "progressive": self.jackpot_bet}
        bets["round"] = self.whole.times(Fraction(1, 100))
        return [
            {
                "bet": bet,
                "staked": found.staked,
                "return": found.returned,
                "hold": found.hold,
                "hit": found.hit_frequency,
                "standard deviation": float(found.standard_deviation),
                "volatility index": found.volatility_index,
            }
            for bet, found in bets.items()
        ]

    def heading(self) -> str:
        """The book and the terms that matter."""
        return f"PAR sheet of {self.book.id}, meter {self.terms.at / 100:,.2f}"

    @property
    def best(self) -> Played:
        """The best play of the base game."""
        return self.strategies[0]

    def jackpot_at(self, meter: int | Fraction) -> Fraction:
        """What a jackpot stake returns at a meter, with the folds of the best play."""
        folded = [n for n, hand in enumerate(self.solution.hands) if hand.folded]
        paid = self.progressive.expected_with_folds(folded, stake=self.terms.stake, meter=meter)
        return paid / self.terms.stake


def par(
    book: Rulebook,
    terms: Terms | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Par:
    """Work out the sheet of a book."""
    terms = terms or Terms()
    terms.check()
    game = base_game(book)
    stakes = Stakes(ante=terms.ante, bonus=terms.bonus, progressive=terms.stake)
    paid = schedule(book, stakes)
    tell = progress or (lambda _: None)
    swept = sweep(game.turn_odds, game.river_odds, threads=threads, progress=progress)
    solution = solve(game, progress=progress)
    played = []
    best, meaning = _optimal(swept, solution)
    mains = main_counts(swept, best, threads=threads)
    played.append(_played(book, game, best, meaning, mains.sum(axis=0)))
    for make in OTHERS:
        decisions, meaning = make(swept, solution)
        tell(f"strategy {decisions.name}")
        by_hand = main_counts(swept, decisions, threads=threads)
        played.append(_played(book, game, decisions, meaning, by_hand.sum(axis=0)))
    counts = joint_counts(book, paid, swept, best, mains=mains, threads=threads, progress=progress)
    bet = progressive(book)
    return Par(
        book=book,
        terms=terms,
        game=game,
        solution=solution,
        strategies=tuple(played),
        bonus=bonus(book, stake=terms.bonus),
        bonus_bet=_bonus(paid, counts),
        progressive=bet,
        jackpot_lines=_jackpot_lines(bet, paid, counts, terms),
        jackpot_bet=_jackpot(paid, counts, terms),
        whole=_whole(paid, counts, terms),
        counts=counts,
    )


# ---- strategies ------------------------------------------------------------------------------

Make: TypeAlias = Callable[[Sweeps, Solution], tuple[Decisions, str]]


def _optimal(swept: Sweeps, solution: Solution) -> tuple[Decisions, str]:
    made = Decisions("optimal", solution.fold_hands, swept.bets_turn, swept.bets_river)
    return made, "the best play of the main bets"


def _every_flop(swept: Sweeps, solution: Solution) -> tuple[Decisions, str]:
    made = Decisions("always Flop bet", (), swept.bets_turn, swept.bets_river)
    return made, "never folds; Turn and River as in the best play"


def _made_hands(swept: Sweeps, solution: Solution) -> tuple[Decisions, str]:
    made = Decisions("made hands only", PUBLISHED_FOLDS, *tabulate(made_hands(fold=())))
    folds = " ".join(PUBLISHED_FOLDS)
    return made, f"folds {folds}; bets Turn and River when a Hole Card makes a pair or better"


def _blind(swept: Sweeps, solution: Solution) -> tuple[Decisions, str]:
    """3.7: of several hands one may be looked at; the others are played without."""
    unseen = solution.blind
    turn: Flags = np.full(FLOP_ENTRIES, unseen.turn_bet)
    river: Flags = np.full(TURN_ENTRIES, unseen.river_bet)
    fold = [NAMES[number] for number in LISTED] if unseen.folded else []
    return Decisions("blind", fold, turn, river), (
        "a hand that may not be looked at: "
        + ("folds" if unseen.folded else "never folds")
        + f", {'bets' if unseen.turn_bet else 'checks'} the Turn, "
        + f"{'bets' if unseen.river_bet else 'checks'} the River"
    )


def _all_bets(swept: Sweeps, solution: Solution) -> tuple[Decisions, str]:
    turn: Flags = np.full(FLOP_ENTRIES, True)
    river: Flags = np.full(TURN_ENTRIES, True)
    return Decisions("all bets always", (), turn, river), "never folds, bets Turn and River always"


OTHERS: tuple[Make, ...] = (_every_flop, _made_hands, _blind, _all_bets)


def _played(
    book: Rulebook, game: BaseGame, decisions: Decisions, meaning: str, parts: Ints
) -> Played:
    return Played(
        name=decisions.name,
        meaning=meaning,
        fold_hands=decisions.fold,
        bets=main_bets(game, parts),
        lines=_main_lines(book, parts),
        counts=parts,
    )


# ---- distributions ---------------------------------------------------------------------------


def main_bets(game: BaseGame, parts: Ints) -> dict[str, Distribution]:
    """By main bet, and all together: the distribution of results in Antes."""
    sizes = {"ante": 1, "flop": game.flop, "turn": game.turn, "river": game.river}
    found: dict[str, list[tuple[Odds, Odds, int]]] = {bet: [] for bet in (*MAIN_BETS, "main")}
    for part in range(MAINS):
        deals = int(parts[part])
        results = _bet_results(game, sizes, part)
        for bet in MAIN_BETS:
            won, staked = results.get(bet, (0, 0))
            found[bet].append((won, staked, deals))
        whole = sum(won for won, _ in results.values()), sum(s for _, s in results.values())
        found["main"].append((*whole, deals))
    return {bet: Distribution.of_results(results) for bet, results in found.items()}


def _bet_results(
    game: BaseGame, sizes: Mapping[str, int], part: int
) -> dict[str, tuple[Odds, Odds]]:
    """By bet that was made: what it came to, and what was staked on it, in Antes."""
    if part == FOLDED:
        return {"ante": (-1, 1)}
    turn, river, result = read_main(part)
    odds: dict[str, Odds] = {
        "flop": game.flop_odds,
        "turn": game.turn_odds,
        "river": game.river_odds,
    }
    if result >= WON:
        odds["ante"] = game.ante_odds[result - WON]
    made = ["ante", "flop", *["turn"] * turn, *["river"] * river]
    if result == LOST:
        return {bet: (-sizes[bet], sizes[bet]) for bet in made}
    if result == TIED:
        return {bet: (0, sizes[bet]) for bet in made}
    return {bet: (sizes[bet] * odds[bet], sizes[bet]) for bet in made}


def _main_lines(book: Rulebook, parts: Ints) -> dict[str, int]:
    """By line of the main bets: the deals in which it is paid."""
    table = book.pay("main")
    paid = {line.id: 0 for line in table.lines}
    for part in range(1, MAINS):
        turn, river, result = read_main(part)
        if result < WON:
            continue
        made = ["ante", "flop", *["turn"] * turn, *["river"] * river]
        for bet in made:
            line = table.bet_line(bet, CATEGORIES[result - WON])  # type: ignore[arg-type]
            if line is not None:
                paid[line.id] += int(parts[part])
    return paid


def _bonus(paid: Schedule, counts: Ints) -> Distribution:
    stake = paid.stakes.bonus
    parts = counts.sum(axis=(0, 2))
    return Distribution.of_results(
        (Fraction(cents, stake), 1, int(deals))
        for cents, deals in zip(paid.bonus_money, parts, strict=True)
    )


def _set_worth(paid: Schedule, meter: int) -> list[Fraction]:
    """By set of lines: what it hands over at this meter, in cents, before any rounding."""
    found = []
    for held in paid.sets:
        worth = [Fraction(a.percent * meter, 100) if a.percent else Fraction(a.cents) for a in held]
        found.append(max(worth, default=Fraction(0)) if paid.best_single else Fraction(sum(worth)))
    return found


def _jackpot(paid: Schedule, counts: Ints, terms: Terms) -> Distribution:
    parts = counts.sum(axis=(0, 1))
    return Distribution.of_results(
        ((worth - terms.stake) / terms.stake, 1, int(deals))
        for worth, deals in zip(_set_worth(paid, terms.at), parts, strict=True)
    )


def _whole(paid: Schedule, counts: Ints, terms: Terms) -> Distribution:
    worths = _set_worth(paid, terms.at)
    side = paid.stakes.bonus + terms.stake

    def results() -> Iterable[tuple[Fraction, int, int]]:
        for main, line, held in zip(*np.nonzero(counts), strict=True):
            won = paid.main_money[main] + paid.bonus_money[line] - terms.stake
            staked = paid.main_bets[main] + side
            yield worths[held] + won, staked, int(counts[main, line, held])

    return Distribution.of_results(results())


def _jackpot_lines(
    bet: Progressive, paid: Schedule, counts: Ints, terms: Terms
) -> tuple[JackpotLine, ...]:
    """Each line with its deals: of a box that is played, and with the best play's folds."""
    with_folds = dict.fromkeys((line.id for line in bet.lines), 0)
    parts = counts.sum(axis=(0, 1))
    for held, deals in zip(paid.sets, parts, strict=True):
        best = held
        if paid.best_single and len(held) > 1:
            best = (max(held, key=lambda a: a.percent * terms.at if a.percent else 100 * a.cents),)
        for award in best:
            with_folds[award.line] += int(deals)
    counted = bet.counted(stake=terms.stake, meter=terms.at)
    return tuple(
        JackpotLine(
            id=line.id,
            pays=str(line.pays),
            played=one.count,
            folded=with_folds[line.id] * bet.universe // DEALS,
            amount=amount(line, stake=terms.stake, meter=terms.at),
            percent=line.pays.percent if isinstance(line.pays, ShareOfMeter) else 0,
        )
        for line, one in zip(bet.lines, counted, strict=True)
    )
