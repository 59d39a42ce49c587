"""The PAR sheet as plain data: what `lab par --json` prints, and what its tables and page show."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from fractions import Fraction
from importlib.resources import files
from typing import Any

import msgspec

from croupier.lab.answer_types import stamped
from croupier.lab.answers import break_evens
from croupier.lab.distribution import Distribution
from croupier.lab.meter import long_run
from croupier.lab.par import MAIN_BETS, Par, Played
from croupier.lab.solver import DEALS
from croupier.rulebooks import Rulebook

Answer = dict[str, Any]
_METERS = 12
"""Meters of the table of returns, beside the reset value, the sheet's own and the break-even."""


def par_answer(sheet: Par, *, software: Mapping[str, str] | None = None) -> Answer:
    """The whole sheet. ``software``: digests of what computed it, by floor of the package."""
    terms = sheet.terms
    answer: Answer = {
        "book": sheet.book.id,
        "title": f"{sheet.book.title}, Version {sheet.book.version}",
        "rulebook_sha256": rulebook_digest(sheet.book),
        "software_sha256": dict(software or {}),
        "terms": {
            "ante": terms.ante / 100,
            "bonus": terms.bonus / 100,
            "stake": terms.stake / 100,
            "meter": terms.at / 100,
            "reset": terms.reset / 100,
            "contribution": terms.contribution / 100,
            "stakes_per_round": terms.stakes_per_round,
            "rounds_per_hour": terms.rounds_per_hour,
        },
        "deals": DEALS,
        "bets": [
            *(
                bet_answer(bet, "Ante", sheet.best.bets[bet], "the best play of the main bets")
                for bet in MAIN_BETS
            ),
            bet_answer("main", "Ante", sheet.best.main, "Ante, Flop, Turn and River together"),
            bet_answer("bonus", "Bonus stake", sheet.bonus_bet, f"at {terms.bonus / 100:,.2f}"),
            bet_answer(
                "progressive",
                "jackpot stake",
                sheet.jackpot_bet,
                f"at {terms.stake / 100:,.2f} and a meter of {terms.at / 100:,.2f}",
            ),
            bet_answer("round", "money", sheet.whole.times(Fraction(1, 100)), "all bets together"),
        ],
        "lines": _lines(sheet),
        "jackpot": _jackpot(sheet),
        "strategies": [_strategy(sheet, played) for played in sheet.strategies],
    }
    return stamped("par", answer)


def rulebook_digest(book: Rulebook) -> str:
    """The SHA-256 of the book's data file as it is shipped; of another, of all that it says."""
    file = files("croupier.rulebooks").joinpath(f"{book.id}.toml")
    if file.is_file():
        text = file.read_bytes()
    else:
        text = msgspec.json.encode(book, enc_hook=str, order="deterministic")
    return hashlib.sha256(text).hexdigest()


def bet_answer(bet: str, unit: str, found: Distribution, meaning: str) -> Answer:
    """One bet, or several together: its figures and its exact distribution."""
    return {
        "bet": bet,
        "unit": unit,
        "meaning": meaning,
        "deals": found.universe,
        "placed": float(found.placed),
        "staked": float(found.staked),
        "staked_exact": str(found.staked),
        "ev": str(found.mean),
        "mean_result": float(found.mean),
        "return": float(found.returned),
        "return_exact": str(found.returned),
        "hold": float(found.hold),
        "hit_frequency": float(found.hit_frequency),
        "hit_frequency_exact": str(found.hit_frequency),
        "push_frequency": float(found.push_frequency),
        "variance": str(found.variance),
        "standard_deviation": float(found.standard_deviation),
        "standard_deviation_of_return": float(found.return_deviation),
        "volatility_index": found.volatility_index,
        "skewness": found.skewness,
        "normal_from_rounds": found.enough_rounds(),
        "distribution": [
            {
                "result": float(result),
                "exact": str(result),
                "count": count,
                "probability": count / found.universe,
            }
            for result, count in found.results.items()
        ],
        "bands": [msgspec.structs.asdict(band) for band in found.bands()],
    }


def _lines(sheet: Par) -> list[Answer]:
    rows: list[Answer] = []
    for line in sheet.book.pay("main").lines:
        count = sheet.best.lines[line.id]
        rows.append(_line(line.id, "main", str(line.pays), count, DEALS))
    for one in sheet.bonus.lines:
        row = _line(one.id, "bonus", str(one.pays), one.count, sheet.bonus.universe)
        won = 1 + one.winnings  # the stake comes back as well
        row["return"] = float(one.probability * won)
        row["return_exact"] = str(one.probability * won)
        row["capped"] = one.capped
        rows.append(row)
    universe = sheet.progressive.universe
    for award in sheet.jackpot_lines:
        row = _line(award.id, "progressive", award.pays, award.played, universe)
        share = Fraction(award.played, universe) * award.amount / sheet.terms.stake
        row |= {
            "amount": float(award.amount / 100),
            "return": float(share),
            "return_exact": str(share),
            "count_with_folds": award.folded,
        }
        rows.append(row)
    return rows


def _line(id: str, bet: str, pays: str, count: int, universe: int) -> Answer:
    return {
        "id": id,
        "bet": bet,
        "pays": pays,
        "count": count,
        "universe": universe,
        "probability": count / universe,
        "one_in": universe / count if count else None,
    }


def _jackpot(sheet: Par) -> Answer:
    terms, bet = sheet.terms, sheet.progressive
    fixed = sheet.jackpot_at(0)
    evens = break_evens(bet, sheet.solution, stake=terms.stake, ante=terms.ante)
    steady = long_run(
        bet,
        contribution=terms.contribution,
        reset=terms.reset,
        players=terms.stakes_per_round,
        stake=terms.stake,
    )
    without = fixed_return(sheet)
    played = [line for line in sheet.jackpot_lines if line.percent]
    return {
        "reset": terms.reset / 100,
        "contribution": terms.contribution / 100,
        "increment": terms.contribution / terms.stake,
        "return_without_meter": float(without),
        "return_without_meter_exact": str(without),
        "return_at_nothing": float(fixed),
        "long_run_return": float(without + steady.paid / terms.stake),
        "long_run_meter_at_award": float(steady.at_award / 100),
        "long_run_meter_displayed": float(steady.displayed / 100),
        "returns": [
            {
                "meter": meter / 100,
                "return": float(sheet.jackpot_at(meter)),
                "exact": str(sheet.jackpot_at(meter)),
                "from_meter": float(_from_meter(sheet, meter)),
            }
            for meter in _meters(sheet, evens)
        ],
        "break_even": evens,
        "awards": [_award(sheet, line.id, line.pays, line.folded) for line in played],
    }


def fixed_return(sheet: Par) -> Fraction:
    """What the lines return that no meter pays, of a jackpot stake, at the meter of the sheet."""
    universe = sheet.progressive.universe
    paid = sum((line.folded * line.amount for line in sheet.jackpot_lines if not line.percent), 0)
    return Fraction(paid) / universe / sheet.terms.stake


def _from_meter(sheet: Par, meter: int) -> Fraction:
    """What the shares of the meter return of a jackpot stake; no folded hand has one."""
    bet, stake = sheet.progressive, sheet.terms.stake
    percents = {line.id: line.percent for line in sheet.jackpot_lines}
    counted = bet.counted(stake=stake, meter=meter)
    paid = sum(line.count * percents[line.id] * meter for line in counted)
    return Fraction(paid, 100 * bet.universe * stake)


def _meters(sheet: Par, evens: list[Answer]) -> list[int]:
    """Round meters from nothing to beyond the break-even, with those that matter among them."""
    even = max((one["meter"] for one in evens if one["meter"] is not None), default=0.0)
    top = max(1.25 * even * 100, 1.5 * sheet.terms.at, 100_000_00)
    power = 10 ** math.floor(math.log10(top / _METERS))
    step = next(times * power for times in (1, 2, 5, 10) if times * power * _METERS >= top)
    every = {round(step) * n for n in range(int(top // step) + 1)}
    return sorted({*every, sheet.terms.reset, sheet.terms.at})


def _award(sheet: Par, id: str, pays: str, count: int) -> Answer:
    """How long it takes from one award of a line to the next, by chance alone."""
    terms, universe = sheet.terms, sheet.progressive.universe
    chance = Fraction(count, universe)
    stakes = 1 / chance if chance else None
    answer: Answer = {"id": id, "pays": pays, "count": count, "universe": universe}
    if stakes is None:
        return answer | {"stakes": None, "rounds": None, "hours": None, "median_stakes": None}
    rounds = stakes / terms.stakes_per_round
    return answer | {
        "stakes": float(stakes),
        "rounds": float(rounds),
        "hours": float(rounds / terms.rounds_per_hour),
        "median_stakes": math.log(2) / -math.log1p(-float(chance)),
    }


def _strategy(sheet: Par, played: Played) -> Answer:
    best = sheet.best.main
    found = bet_answer("main", "Ante", played.main, played.meaning)
    del found["bands"]
    return {
        "name": played.name,
        "meaning": played.meaning,
        "fold_hands": list(played.fold_hands),
        "fold_frequency": float(1 - played.bets["flop"].placed),
        "turn_bet_frequency": float(played.bets["turn"].placed),
        "river_bet_frequency": float(played.bets["river"].placed),
        "house_edge": float(-played.main.mean),
        "costs": float(best.mean - played.main.mean),
        "main": found,
    }
