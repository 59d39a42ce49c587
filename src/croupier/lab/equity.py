"""Poker odds: hands and ranges against each other, with a board and dead cards.

    >>> odds = equity("AhAd", "KsKc")
    >>> odds.exact, round(float(odds.players[0].equity), 4)
    (True, 0.8126)

Exact where it is feasible: every board is enumerated, and the answer is a fraction. Where that
would take more than ``EXACT_STEPS`` steps (hands ranked and compared; ten to twenty seconds on one
core), deals are drawn at random from a seed, and each figure comes with a 95% interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.cards import DECK, Card, read_cards, write_cards
from croupier.lab.compiled import cores, spread
from croupier.lab.equity_kernel import compare_tuples, draw_tuples, duel, list_boards
from croupier.lab.errors import BadAmount, LabError, StateError
from croupier.lab.kernel import card_masks, tables
from croupier.lab.ranges import SCALE, Combo, Range, read_range
from croupier.lab.tabular import Tabular
from croupier.rulebooks import hole_class

Ints: TypeAlias = npt.NDArray[np.int64]
Masks: TypeAlias = npt.NDArray[np.uint64]
Share: TypeAlias = Fraction | float

EXACT_STEPS = 2_000_000_000
MAX_TUPLES = 200_000
"""More ways than this to hold hands together are not listed."""
MAX_PLAYERS = 22
SAMPLES = 2_000_000
_CHUNK = 1 << 16
_Z = 1.959963984540054
_ROOM = 1 << 62


class EquityError(LabError):
    """These hands cannot be compared: they cannot be dealt together, or there are too many."""


class Odds(msgspec.Struct, frozen=True, kw_only=True):
    """One player's share of the pot, as a fraction where exact."""

    range: Range
    remaining: Fraction
    """Pairs of cards of the range, weighted, that board and dead cards leave."""
    equity: Share
    """The share of the pot: what is won, and the part of what is split."""
    win: Share
    """Won alone."""
    tie: Share
    """Split with somebody."""
    interval: tuple[float, float] | None = None
    """Of the equity, 95%; None where it is exact."""
    by_hand: dict[str, tuple[Share, Share]] = {}
    """Two players, exact: by starting hand its equity, and how often it is held."""


class Equity(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The odds of all players, and how they were found."""

    players: tuple[Odds, ...]
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    exact: bool
    deals: Fraction | int
    """Deals counted, each times the weights of its hands; or deals drawn."""
    boards: int
    """Boards that may come."""
    seed: int | None
    """None where exact."""

    def rows(self) -> list[dict[str, Any]]:
        """Each player's odds."""
        return [
            {
                "range": odds.range.text,
                "hands": odds.remaining,
                "equity": odds.equity,
                "win": odds.win,
                "tie": odds.tie,
            }
            for odds in self.players
        ]

    def heading(self) -> str:
        """The board, and how the odds were found."""
        board = write_cards(self.board) or "before the flop"
        return f"{board}, {'exact' if self.exact else f'sampled with seed {self.seed}'}"


def equity(
    *ranges: str | Range,
    board: str | Sequence[Card] = (),
    dead: str | Sequence[Card] = (),
    exact: bool | None = None,
    samples: int = SAMPLES,
    seed: int = 1,
    threads: int | None = None,
) -> Equity:
    """The odds of these hands or ranges. ``exact`` of None: exact where it is feasible.

    Raises ``RangeError``, ``StateError`` for cards that cannot lie there, and ``EquityError``.
    """
    read = tuple(r if isinstance(r, Range) else read_range(r) for r in ranges)
    on_board, gone = _cards("board", board), _cards("dead", dead)
    _check(read, on_board, gone)
    if samples < 1:
        raise BadAmount(f"samples: {samples}; draw at least 1")
    if not 0 <= seed < 1 << 64:
        raise BadAmount(f"seed: {seed}; it is a whole number from 0 to 2**64 - 1")
    live = [_live(n, r, on_board, gone) for n, r in enumerate(read, 1)]
    boards = math.comb(52 - len(on_board) - len(gone) - 2 * len(read), 5 - len(on_board))
    case = _Case(read, live, on_board, gone, boards)
    if exact is not False:
        found = case.exactly(threads, forced=exact is True)
        if found is not None:
            return found
    return case.sampled(samples, seed, threads)


class _Case:
    """One question, with the hands that are possible."""

    def __init__(
        self,
        ranges: tuple[Range, ...],
        live: list[dict[Combo, int]],
        board: tuple[Card, ...],
        dead: tuple[Card, ...],
        boards: int,
    ) -> None:
        self.ranges, self.live, self.board, self.dead = ranges, live, board, dead
        self.boards = boards
        self.remaining = [
            Fraction(sum(range_.combos[combo] for combo in held), SCALE)
            for range_, held in zip(ranges, live, strict=True)
        ]
        self.begun = _mask(board)
        self.gone = _mask(dead)

    # -- exactly -----------------------------------------------------------------------------

    def exactly(self, threads: int | None, *, forced: bool) -> Equity | None:
        """The exact odds; None if that takes too long."""
        tuples = None
        if len(self.live) > 2:
            tuples = self._tuples()
            if tuples is None:
                return self._too_much(forced, "more ways to hold hands together than are listed")
        group = self._group()
        boards, times = self._boards(group)
        hands = sorted({combo for held in self.live for combo in held}, key=str)
        per_board = len(hands) * 6 if tuples is None else len(hands) + 2 * len(tuples)
        if per_board * len(boards) > EXACT_STEPS:
            return self._too_much(forced, f"{per_board * len(boards):,} steps")
        masks = np.array([_mask(combo) for combo in hands], np.uint64)
        if tuples is None:
            return self._duel(hands, masks, boards, times, threads)
        return self._compare(hands, masks, boards, times, tuples, threads)

    def _too_much(self, forced: bool, why: str) -> Equity | None:
        if forced:
            raise EquityError(
                f"exact: {why}, above the limit of {EXACT_STEPS:,} steps; name fewer hands, give "
                "a board, or have it sampled"
            )
        return None

    def _group(self) -> list[tuple[int, ...]]:
        """The exchanges of suits that change nothing."""
        return [suits for suits in permutations(range(4)) if self._unchanged(suits)]

    def _unchanged(self, suits: tuple[int, ...]) -> bool:
        def moved(card: Card) -> int:
            return 13 * suits[card.suit.order] + card.index % 13

        for cards in (self.board, self.dead):
            if {moved(card) for card in cards} != {card.index for card in cards}:
                return False
        for held in self.live:
            plain = {frozenset(card.index for card in combo): w for combo, w in held.items()}
            if {frozenset(map(moved, combo)): w for combo, w in held.items()} != plain:
                return False
        return True

    def _boards(self, group: list[tuple[int, ...]]) -> tuple[Masks, Ints]:
        used = {*self.board, *self.dead}
        cards = np.array([card.mask for card in DECK if card not in used], np.uint64)
        size = 5 - len(self.board)
        room = math.comb(len(cards), size)
        masks, times = np.zeros(room, np.uint64), np.zeros(room, np.int64)
        found = list_boards(
            cards, size, np.uint64(self.begun), np.array(group, np.uint64), masks, times
        )
        return masks[:found], times[:found]

    def _duel(
        self, hands: list[Combo], masks: Masks, boards: Masks, times: Ints, threads: int | None
    ) -> Equity:
        weights = np.array(
            [[held.get(combo, 0) for held in self.live] for combo in hands], np.int64
        )
        first, second = (np.array([c[i].index for c in hands], np.int64) for i in range(2))
        parts: list[Ints] = []

        def work(start: int, stop: int) -> None:
            part = np.zeros((len(hands), 2, 3), np.int64)
            duel(start, stop, boards, times, masks, first, second, weights, part, tables(7))
            parts.append(part)

        spread(work, len(boards), threads=threads)
        total: Ints = np.array(parts).sum(axis=0)
        whole = int(total[:, 0, 2].sum())
        if whole == 0:
            raise self._impossible()
        players = []
        for player in range(2):
            wins, ties = (int(total[:, player, i].sum()) for i in range(2))
            players.append(
                Odds(
                    range=self.ranges[player],
                    remaining=self.remaining[player],
                    equity=Fraction(2 * wins + ties, 2 * whole),
                    win=Fraction(wins, whole),
                    tie=Fraction(ties, whole),
                    by_hand=_by_hand(hands, total[:, player], whole),
                )
            )
        return self._exact(players, whole)

    def _tuples(self) -> list[tuple[int, tuple[Combo, ...]]] | None:
        """Every way to hold the hands together, with its weight; None if there are too many."""
        found: list[tuple[int, int, tuple[Combo, ...]]] = [(0, 1, ())]
        for held in self.live:
            each = [(_mask(combo), weight, combo) for combo, weight in held.items()]
            if len(found) * len(each) > 4 * MAX_TUPLES:
                return None
            found = [
                (used | mask, weight * w, (*combos, combo))
                for used, weight, combos in found
                for mask, w, combo in each
                if not used & mask
            ]
            if len(found) > MAX_TUPLES:
                return None
        if not found:
            raise self._impossible()
        return [(weight, combos) for _, weight, combos in found]

    def _compare(
        self,
        hands: list[Combo],
        masks: Masks,
        boards: Masks,
        times: Ints,
        tuples: list[tuple[int, tuple[Combo, ...]]],
        threads: int | None,
    ) -> Equity | None:
        number = {combo: i for i, combo in enumerate(hands)}
        common = math.gcd(*(weight for weight, _ in tuples))
        weights = [weight // common for weight, _ in tuples]
        if sum(weights) * int(times.sum()) >= _ROOM:
            return None  # the sums would not fit
        places = np.array([[number[c] for c in combos] for _, combos in tuples], np.int64)
        unions = np.array([sum(_mask(c) for c in combos) for _, combos in tuples], np.uint64)
        count = len(self.live)
        parts: list[Ints] = []

        def work(start: int, stop: int) -> None:
            part = np.zeros((count, count + 1), np.int64)
            given = np.array(weights, np.int64)
            compare_tuples(
                start, stop, boards, times, masks, places, unions, given, part, tables(7)
            )
            parts.append(part)

        spread(work, len(boards), threads=threads)
        total: Ints = np.array(parts).sum(axis=0)
        whole = int(total[0, 0])
        if whole == 0:
            raise self._impossible()
        players = [
            Odds(
                range=self.ranges[p],
                remaining=self.remaining[p],
                equity=sum(
                    (Fraction(int(total[p, n]), n * whole) for n in range(1, count + 1)),
                    Fraction(0),
                ),
                win=Fraction(int(total[p, 1]), whole),
                tie=Fraction(int(total[p, 2:].sum()), whole),
            )
            for p in range(count)
        ]
        return self._exact(players, whole)

    def _exact(self, players: list[Odds], whole: int) -> Equity:
        return self._found(players, whole, seed=None)

    def _found(self, players: list[Odds], deals: int, seed: int | None) -> Equity:
        """Exact where nothing was drawn."""
        return Equity(
            players=tuple(players),
            board=self.board,
            dead=self.dead,
            exact=seed is None,
            deals=deals,
            boards=self.boards,
            seed=seed,
        )

    def _impossible(self) -> EquityError:
        named = " and ".join(repr(r.text) for r in self.ranges)
        return EquityError(f"{named} cannot be dealt together: every way needs a card twice")

    # -- at random ---------------------------------------------------------------------------

    def sampled(self, samples: int, seed: int, threads: int | None) -> Equity:
        """Odds from deals drawn at random."""
        count = len(self.live)
        hands = np.array([_mask(c) for held in self.live for c in held], np.uint64)
        sizes = [len(held) for held in self.live]
        begins = np.array([sum(sizes[:p]) for p in range(count + 1)], np.int64)
        chances = np.concatenate([np.cumsum(list(held.values())) for held in self.live])
        chances = chances.astype(np.int64)
        left = 52 - len(self.board) - len(self.dead)
        any_two = np.array(
            [len(held) == math.comb(left, 2) and set(held.values()) == {1} for held in self.live]
        )
        begun, gone = np.uint64(self.begun), np.uint64(self.gone)
        missing = 5 - len(self.board)
        bits = card_masks()
        parts: list[Ints] = []

        def work(start: int, stop: int) -> None:
            part = np.zeros((count, count + 1), np.int64)
            first, last = start * _CHUNK, min(stop * _CHUNK, samples)
            fine = draw_tuples(
                first,
                last,
                np.uint64(seed),
                begun,
                gone,
                missing,
                hands,
                begins,
                chances,
                any_two,
                part,
                bits,
                tables(7),
            )
            if not fine:
                raise EquityError(
                    "these ranges hardly fit together: no deal was found in which nobody holds a "
                    "card twice; widen them or name fewer players"
                )
            parts.append(part)

        spread(work, -(-samples // _CHUNK), threads=cores() if threads is None else threads)
        total: Ints = np.array(parts).sum(axis=0)
        players = []
        for p in range(count):
            share = math.fsum(int(total[p, n]) / n for n in range(1, count + 1)) / samples
            players.append(
                Odds(
                    range=self.ranges[p],
                    remaining=self.remaining[p],
                    equity=share,
                    win=int(total[p, 1]) / samples,
                    tie=int(total[p, 2:].sum()) / samples,
                    interval=wilson(share, samples),
                )
            )
        return self._found(players, samples, seed)


def wilson(share: float, samples: int) -> tuple[float, float]:
    """The 95% interval of a mean between 0 and 1, which no such mean makes too narrow.

    What a player gets of a pot lies between 0 and 1, and its variance is at most that of a mere
    win or loss with the same mean, for which this is Wilson's interval.
    """
    spread_ = _Z * _Z / samples
    centre = share + spread_ / 2
    half = _Z * math.sqrt(share * (1 - share) / samples + spread_ / (4 * samples))
    low, high = (centre - half) / (1 + spread_), (centre + half) / (1 + spread_)
    # At the ends themselves, without the rounding of the terms that cancel.
    return (0.0 if share <= 0 else low), (1.0 if share >= 1 else high)


def _by_hand(hands: list[Combo], tally: Ints, whole: int) -> dict[str, tuple[Share, Share]]:
    sums: dict[str, list[int]] = {}
    for combo, (wins, ties, met) in zip(hands, tally.tolist(), strict=True):
        if met:
            into = sums.setdefault(hole_class(*combo), [0, 0])
            into[0] += 2 * wins + ties
            into[1] += met
    return {
        name: (Fraction(halves, 2 * met), Fraction(met, whole))
        for name, (halves, met) in sums.items()
    }


def _mask(cards: Sequence[Card]) -> int:
    return sum(card.mask for card in cards)


def _cards(name: str, given: str | Sequence[Card]) -> tuple[Card, ...]:
    cards = read_cards(given) if isinstance(given, str) else tuple(given)
    if Card.UNKNOWN in cards:
        raise StateError(f"{name}: ?? is no known card; leave it out")
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise StateError(f"{name}: {card} twice in {write_cards(cards)}")
    return cards


def _check(ranges: tuple[Range, ...], board: tuple[Card, ...], dead: tuple[Card, ...]) -> None:
    if not 2 <= len(ranges) <= MAX_PLAYERS:
        raise EquityError(f"{len(ranges)} ranges; odds are between 2 to {MAX_PLAYERS} players")
    if len(board) not in (0, 3, 4, 5):
        raise StateError(f"board: {len(board)} cards; it has none, or the 3, 4 or 5 that are open")
    for card in dead:
        if card in board:
            raise StateError(f"dead: {card} lies on the board")
    left = 52 - len(dead) - 2 * len(ranges)
    if left < 5:
        raise StateError(f"dead: {len(dead)} cards leave too few to deal")


def _live(
    number: int, range_: Range, board: tuple[Card, ...], dead: tuple[Card, ...]
) -> dict[Combo, int]:
    gone = {*board, *dead}
    live = {combo: weight for combo, weight in range_.combos.items() if not gone & set(combo)}
    if not live:
        shown = write_cards((*board, *dead))
        raise EquityError(
            f"player {number}, {range_.text!r}: every hand needs one of {shown}, which are gone"
        )
    common = math.gcd(*live.values())
    return {combo: weight // common for combo, weight in live.items()}
