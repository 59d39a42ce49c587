"""What a round pays, worked out once from the rulebook: the kernel then only looks it up.

What becomes of one box in one round is one *outcome*, of three parts:

* *main*: folded; or, by which of Turn and River were bet, lost, Stand Off, or won with a hand of
  each category;
* *bonus*: which line of the Bonus table, or none;
* *jackpot*: which lines of the progressive table the stake holds, as one of the sets of lines that
  can occur together.

Outcomes are counted, not added up in money, so that every figure of a simulation is exact whatever
the stakes. A set that has a share of the meter on it is *major*: it is settled afterwards, in the
order of play, because its worth depends on the meter (``croupier.lab.floor``).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from itertools import product
from typing import NamedTuple, TypeAlias, get_args

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.cards import DECK, Category
from croupier.cards.value import all_values
from croupier.lab.bonus_bet import BONUS_CAP
from croupier.lab.errors import BadAmount, UnsolvableGame, on_the_table
from croupier.lab.game import SIZES
from croupier.lab.hands import NAMES, hand_number
from croupier.lab.hands import hand_of as number_of_hand
from croupier.rulebooks import (
    BetWins,
    Fixed,
    ForOne,
    HoleCards,
    JackpotHand,
    Made,
    PayLine,
    Rulebook,
    ShareOfMeter,
    ToOne,
)
from croupier.rulebooks.paytable import Bet, Street

Bytes: TypeAlias = npt.NDArray[np.uint8]
Ints: TypeAlias = npt.NDArray[np.int64]

CATEGORIES = tuple(Category)
STREETS: tuple[Street, ...] = get_args(Street)
BETS: tuple[Bet, ...] = get_args(Bet)

# Results of a box that stayed in: lost, Stand Off, then won with each category.
LOST, TIED, WON = 0, 1, 2
RESULTS = WON + len(CATEGORIES)
FOLDED = 0
"""The main part of a folded box; then come the results by which bets were made."""
MAINS = 1 + 4 * RESULTS
TURN_BIT, RIVER_BIT = 1, 2


class Stakes(msgspec.Struct, frozen=True, kw_only=True):
    """What each box stakes before the cards, in cents. A Bonus or jackpot stake of 0 is no bet."""

    ante: int
    bonus: int = 0
    progressive: int = 0

    def check(self) -> None:
        """Raise ``BadAmount`` for an amount that cannot be staked."""
        if self.ante < 1:
            raise BadAmount(f"ante: {on_the_table(self.ante)}; no box plays without an Ante (3.6)")
        for name in ("bonus", "progressive"):
            if getattr(self, name) < 0:
                raise BadAmount(f"{name}: {on_the_table(getattr(self, name))}; 0 means no such bet")


class Award(NamedTuple):
    """One line that a jackpot stake holds: a share of the meter in percent, or a sum in cents."""

    line: str
    percent: int
    cents: int


class Lookup(NamedTuple):
    """What the settling kernel looks up."""

    hand_of: Bytes
    """By two card indices: the starting hand, as in ``hands.NAMES``."""
    category_of: Bytes
    """By value of a hand, 1 to 7462: its category."""
    bonus: Bytes
    """By the player's and the dealer's starting hand: 0, or 1 + the line."""
    jackpot: Bytes
    """By the three categories, the street, Hole Card or not, folded or not: the set of lines."""
    lowest: np.uint8
    """No line of the progressive table is held with a best five of seven below this category."""
    asks_street: Bytes
    """By category of the best five of seven: whether a line asks when it was first complete."""
    asks_hole_card: Bytes
    money: Ints
    """By outcome: what the box has won or lost, in cents, without any share of the meter."""
    main_money: Ints
    """The same by main part, by bonus part and by set of lines, each bet for itself."""
    bonus_money: Ints
    jackpot_money: Ints
    major: Bytes
    """By set of lines: 1 if the meter decides what it is worth."""


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """A rulebook's pay tables for given stakes and policies."""

    book: str
    stakes: Stakes
    policies: dict[str, str]
    bonus_lines: tuple[str, ...]
    """Bonus part 1 is the first of these lines."""
    sets: tuple[tuple[Award, ...], ...]
    """By jackpot part: the lines held together, in the order of the book; the first is none."""
    best_single: bool
    """Whether only the best of the lines held is paid (B-15)."""
    main_bets: tuple[int, ...]
    """By main part: everything staked on Ante, Flop, Turn and River, in cents."""
    main_money: tuple[int, ...]
    """By main part: won or lost on them."""
    bonus_money: tuple[int, ...]
    """By bonus part: won or lost on the Bonus."""
    set_money: tuple[int, ...]
    """By set of lines: what fixed awards hand over; 0 for a major set."""
    lookup: Lookup

    @property
    def outcomes(self) -> tuple[int, int, int]:
        """How many main parts, bonus parts and jackpot parts there are."""
        return MAINS, 1 + len(self.bonus_lines), len(self.sets)


def main_part(*, turn: bool, river: bool, result: int) -> int:
    """The main part of a box that stayed in."""
    return 1 + (turn * TURN_BIT + river * RIVER_BIT) * RESULTS + result


def read_main(part: int) -> tuple[bool, bool, int]:
    """Whether Turn and River were bet, and the result, of a main part that is no fold."""
    bets, result = divmod(part - 1, RESULTS)
    return bool(bets & TURN_BIT), bool(bets & RIVER_BIT), result


def schedule(book: Rulebook, stakes: Stakes, policies: Mapping[str, str] | None = None) -> Schedule:
    """Work out what every outcome pays under this book.

    Raises ``UnsolvableGame`` for a book or a line that is not of the banked games.
    """
    stakes.check()
    if book.family != "banked":
        raise UnsolvableGame(book.id, "main", f"a {book.family} book; the banked games have one")
    chosen = book.policies_with(policies or {})
    main_bets, main_money = _main(book, stakes.ante)
    bonus_lines, bonus_money, bonus = _bonus(book, stakes.bonus)
    sets, jackpot = _jackpot(book, playing=stakes.progressive > 0, stake=stakes.progressive)
    # Several lines at once are the subject of a policy in one book; in the others they cannot be
    # held together, unless a change to the pay table makes it so, and then one is paid as well.
    best_single = chosen.get("v6-lines", "best-single") == "best-single"
    major = [any(award.percent for award in held) for held in sets]
    set_money = [
        0 if meter else _fixed(held, best_single) for held, meter in zip(sets, major, strict=True)
    ]
    money = np.zeros((MAINS, 1 + len(bonus_lines), len(sets)), np.int64)
    money += np.array(main_money, np.int64)[:, None, None]
    money += np.array(bonus_money, np.int64)[None, :, None]
    money += np.array(set_money, np.int64)[None, None, :] - stakes.progressive
    lines = [line for line in book.pay("progressive").lines if isinstance(line.when, JackpotHand)]
    return Schedule(
        book=book.id,
        stakes=stakes,
        policies=chosen,
        bonus_lines=bonus_lines,
        sets=sets,
        best_single=best_single,
        main_bets=main_bets,
        main_money=main_money,
        bonus_money=bonus_money,
        set_money=tuple(set_money),
        lookup=Lookup(
            hand_of=hand_of(),
            category_of=category_of(),
            bonus=bonus,
            jackpot=jackpot,
            lowest=_lowest(lines if stakes.progressive else []),
            asks_street=_asked(lines, "first_complete"),
            asks_hole_card=_asked(lines, "hole_card"),
            money=money.reshape(-1),
            main_money=np.array(main_money, np.int64),
            bonus_money=np.array(bonus_money, np.int64),
            jackpot_money=np.array(set_money, np.int64) - stakes.progressive,
            major=np.array(major, np.uint8),
        ),
    )


def _main(book: Rulebook, ante: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    table = book.pay("main")
    for line in table.lines:
        if not isinstance(line.when, BetWins) or not isinstance(line.pays, ToOne):
            raise UnsolvableGame(book.id, line.id, f"{line.pays} on a won bet; only 'X to 1' is")
    times: dict[Bet, int] = {"ante": 1, **{bet: size.of(book) for bet, size in SIZES.items()}}

    def won(bet: Bet, category: Category) -> int:
        line = table.bet_line(bet, category)
        return 0 if line is None else _to_one(line, times[bet] * ante)

    bets, money = [ante], [-ante]  # 3.11.2: a fold costs the Ante
    for part in range(1, MAINS):
        turn, river, result = read_main(part)
        made: list[Bet] = ["ante", "flop", *["turn"] * turn, *["river"] * river]  # type: ignore[list-item]
        staked = sum(times[bet] * ante for bet in made)
        bets.append(staked)
        if result == LOST:
            money.append(-staked)
        elif result == TIED:
            money.append(0)  # 3.15: a Stand Off gives every bet back
        else:
            money.append(sum(won(bet, CATEGORIES[result - WON]) for bet in made))
    return tuple(bets), tuple(money)


def _to_one(line: PayLine, stake: int) -> int:
    assert isinstance(line.pays, ToOne)
    return _in_cents(line, lambda: line.pays.winnings(stake))  # type: ignore[union-attr]


def _in_cents(line: PayLine, paid: Callable[[], int]) -> int:
    """An amount that must come out in whole cents, or the line that does not."""
    try:
        return paid()
    except ValueError as error:
        raise BadAmount(f"{line.id}: {error}") from error


def _bonus(book: Rulebook, stake: int) -> tuple[tuple[str, ...], tuple[int, ...], Bytes]:
    table = book.pay("bonus")
    for line in table.lines:
        if not isinstance(line.when, HoleCards) or not isinstance(line.pays, ToOne):
            raise UnsolvableGame(book.id, line.id, f"{line.pays} on Hole Cards; only 'X to 1' is")
    ids = tuple(line.id for line in table.lines)
    cap = BONUS_CAP.of(book)  # 4.1.1: on the winnings of a box in a round (B-32)
    money = [-stake, *(min(cap, _to_one(line, stake)) for line in table.lines)]
    lines: Bytes = np.zeros((len(NAMES), len(NAMES)), np.uint8)
    named = {
        d for line in table.lines if isinstance(line.when, HoleCards) for d in line.when.dealer
    }
    for i, player in enumerate(NAMES):
        other = table.hole_line(player, None)
        lines[i] = 0 if other is None else 1 + ids.index(other.id)
        for dealer in named:
            found = table.hole_line(player, dealer)
            lines[i, hand_number(dealer)] = 0 if found is None else 1 + ids.index(found.id)
    return ids, tuple(money), lines


def _jackpot(
    book: Rulebook, *, playing: bool, stake: int
) -> tuple[tuple[tuple[Award, ...], ...], Bytes]:
    size = len(CATEGORIES)
    found: Bytes = np.zeros((2, 2, len(STREETS), size, size, size), np.uint8)
    sets: dict[tuple[Award, ...], int] = {(): 0}
    if not playing:
        return tuple(sets), found.reshape(-1)
    table = book.pay("progressive")
    lines = table.lines
    if not all(isinstance(line.when, JackpotHand) for line in lines):
        raise UnsolvableGame(book.id, "progressive", "a line that is no jackpot hand")
    awards = {line.id: _award(book, line, stake) for line in lines}
    places = product((0, 1), (0, 1), range(len(STREETS)), range(size), range(size), range(size))
    for place in places:
        folded, hole_card, street, flop, seven, board = place
        made = Made(
            hole_and_flop=CATEGORIES[flop],
            best_of_seven=CATEGORIES[seven],
            board=CATEGORIES[board],
            first_complete=STREETS[street],
            hole_card=bool(hole_card),
            folded=bool(folded),
        )
        held = tuple(awards[line.id] for line in table.jackpot_lines(made))
        found[place] = sets.setdefault(held, len(sets))
    return tuple(sets), found.reshape(-1)


def _award(book: Rulebook, line: PayLine, stake: int) -> Award:
    match line.pays:
        case ShareOfMeter(percent=percent):
            return Award(line.id, percent, 0)
        case Fixed(cents=cents):
            return Award(line.id, 0, cents)
        case ForOne() as pays:
            return Award(line.id, 0, _in_cents(line, lambda: pays.handed_over(stake)))
        case ToOne():
            raise UnsolvableGame(
                book.id, line.id, f"{line.pays}: a jackpot stake is kept (B-22), so write 'for 1'"
            )


def _fixed(held: tuple[Award, ...], best_single: bool) -> int:
    amounts = [award.cents for award in held]
    return max(amounts, default=0) if best_single else sum(amounts)


def _lowest(lines: list[PayLine]) -> np.uint8:
    orders = [line.when.category.order for line in lines if isinstance(line.when, JackpotHand)]
    return np.uint8(min(orders, default=len(CATEGORIES)))


def _asked(lines: list[PayLine], part: str) -> Bytes:
    asked: Bytes = np.zeros(len(CATEGORIES), np.uint8)
    for line in lines:
        when = line.when
        assert isinstance(when, JackpotHand)
        if getattr(when, part):
            asked[CATEGORIES.index(when.category)] = 1
    return asked


@functools.cache
def hand_of() -> Bytes:
    """By two card indices: which of the 169 starting hands they are."""
    table: Bytes = np.zeros((52, 52), np.uint8)
    for one in DECK:
        for other in DECK:
            if one is not other:
                table[one.index, other.index] = number_of_hand(one, other)
    return table


@functools.cache
def category_of() -> Bytes:
    """By value of a hand: the order of its category."""
    return np.array([0, *(value.category.order for value in all_values())], np.uint8)
