"""What each pay line is worth to the House: the edge if that line alone paid so much more.

Main bets are solved anew with each change, because another pay may be played otherwise; side bets
are counted. The edge of a main line is of the Ante, that of a side bet of its own stake.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec
from msgspec import Struct

from croupier.lab.base import solve
from croupier.lab.bonus_bet import bonus
from croupier.lab.errors import BadAmount
from croupier.lab.jackpot_bet import amount, progressive
from croupier.lab.solver import Progress
from croupier.rulebooks import Fixed, ForOne, PayLine, Pays, Rulebook, ShareOfMeter, ToOne


class Effect(Struct, frozen=True, kw_only=True):
    """One line, and what it does if it pays more."""

    id: str
    bet: str
    pays: str
    instead: str
    edge: Fraction
    edge_then: Fraction

    @property
    def change(self) -> Fraction:
        """What the House wins more, or less, for each unit of the bet."""
        return self.edge_then - self.edge


def effects(
    book: Rulebook,
    *,
    by: Fraction = Fraction(1, 10),
    bonus_stake: int,
    stake: int,
    meter: int,
    progress: Progress | None = None,
) -> list[Effect]:
    """Every line of a book, if it alone paid ``by`` more (0.1 is 10%)."""
    if not -1 < by <= 10 or by == 0:
        raise BadAmount(f"by: {float(by):.0%}; a line can pay between 99% less and ten times more")
    found = []
    tell = progress or (lambda _: None)
    base = solve(book).house_edge
    for line in book.pay("main").lines:
        tell(f"line {line.id}")
        changed = _with(book, "main", line, by)
        found.append(_effect(line, "main", by, base, solve(changed).house_edge))
    side = bonus(book, stake=bonus_stake).house_edge
    for line in book.pay("bonus").lines:
        then = bonus(_with(book, "bonus", line, by), stake=bonus_stake).house_edge
        found.append(_effect(line, "bonus", by, side, then))
    bet = progressive(book)
    jackpot = -bet.ev(stake=stake, meter=meter)
    for line in bet.lines:
        # Another line may then be the one worth most (B-15), so the bet is worked out anew.
        pays = ForOne(amount(line, stake=stake, meter=meter) * (1 + by) / stake)
        changed_bet = msgspec.structs.replace(bet, lines=_changed(bet.lines, line, pays))
        edge = -changed_bet.ev(stake=stake, meter=meter)
        found.append(_effect(line, "progressive", by, jackpot, edge))
    return found


def _changed(lines: tuple[PayLine, ...], line: PayLine, pays: Pays) -> tuple[PayLine, ...]:
    return tuple(
        msgspec.structs.replace(one, pays=pays) if one.id == line.id else one for one in lines
    )


def _effect(line: PayLine, bet: str, by: Fraction, edge: Fraction, then: Fraction) -> Effect:
    return Effect(
        id=line.id,
        bet=bet,
        pays=str(line.pays),
        instead=_written(line, 1 + by),
        edge=edge,
        edge_then=then,
    )


def _written(line: PayLine, times: Fraction) -> str:
    match line.pays:
        case ToOne(times=odds):
            return f"{float(odds * times):g} to 1"
        case ForOne(times=odds):
            return f"{float(odds * times):g} for 1"
        case Fixed(cents=cents):
            return f"${float(cents * times / 100):,.2f}"
        case ShareOfMeter(percent=percent):
            return f"{float(percent * times):g}%"


def _with(book: Rulebook, table: str, line: PayLine, by: Fraction) -> Rulebook:
    assert isinstance(line.pays, ToOne), "checked by the solver and the Bonus"
    times = Fraction(line.pays.times) * (1 + by)
    pays = ToOne(times.numerator if times.denominator == 1 else times)
    lines = _changed(book.pay(table).lines, line, pays)
    changed = msgspec.structs.replace(book.pay(table), lines=lines)
    return msgspec.structs.replace(book, pays={**book.pays, table: changed})
