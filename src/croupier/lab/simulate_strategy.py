"""Strategies: who folds, who bets the Turn, who bets the River, batch by batch.

A strategy sees what the player sees and nothing more: his Hole Cards, then the Flop Cards, then the
Turn Card. Ready made:

* ``tabled``: compact tables over the solver's classes, which is how the optimal strategy plays;
* ``always`` and ``check``: play every hand, and bet Turn and River always, or never;
* ``made_hands``: a rule of thumb, to bet whenever a Hole Card makes a pair or better;
* ``batches``: any Python function on arrays of card indices.

Each may fold any set of the 169 starting hands.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable
from math import comb
from typing import Any, NamedTuple, Protocol, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.lab.classes import (
    FLOP_ENTRIES,
    PAIRS_26,
    PAIRS_39,
    PAIRS_52,
    TURN_ENTRIES,
    pair_number,
    rainbow_turn,
    shapes,
    suited_turn,
    turn_row,
    two_suited_turn,
)
from croupier.lab.compiled import inlined, kernel
from croupier.lab.errors import LabError
from croupier.lab.hands import NAMES, hand_number
from croupier.lab.kernel import card_masks, tables
from croupier.lab.simulate_deal import Cards
from croupier.lab.simulate_kernel import BETS_RIVER, BETS_TURN, PLAYS, value_of
from croupier.lab.simulate_pay import Bytes, category_of, hand_of

Flags: TypeAlias = npt.NDArray[np.bool_]
PlayRule: TypeAlias = Callable[[Cards], Flags]
TurnRule: TypeAlias = Callable[[Cards, Cards], Flags]
RiverRule: TypeAlias = Callable[[Cards, Cards, Cards], Flags]

PUBLISHED_FOLDS = ("32o", "42o", "52o", "62o", "72o")
"""What every published strategy of the game folds where the Ante pays from a Straight."""

_MIXED = comb(13, 3)
_RAINBOW = _MIXED + comb(13, 2) * 13
_MIXED_ROW = _MIXED * PAIRS_26
_RAINBOW_ROW = _MIXED_ROW + (_RAINBOW - _MIXED) * PAIRS_39

NEVER, ALWAYS, BY_TABLE = 0, 1, 2
SUIT_AND_RANK = (
    np.array([2 * (card // 13) for card in range(52)], np.int32),
    np.array([card % 13 for card in range(52)], np.int64),
)
"""By card index: where the two bits of its suit stand in a position, and its rank."""
_0, _1, _2, _3, _52 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(52)
_7 = np.uint64(7)


class StrategyError(LabError):
    """A strategy gave something that is no decision; the message says which and where."""


class Strategy(Protocol):
    """Decides for whole batches."""

    @property
    def name(self) -> str:
        """As reports and checkpoints call it."""

    @property
    def fingerprint(self) -> str:
        """Equal exactly for strategies that decide alike."""

    def decide(self, cards: Cards, boxes: int) -> Bytes:
        """By round and box: the bits PLAYS, BETS_TURN and BETS_RIVER.

        The rows of ``cards`` are those of ``simulate_deal``: board, dealer, boxes. Whoever
        implements this looks at the boxes' cards and the first four of the board alone.
        """


class Tabled(msgspec.Struct, frozen=True, kw_only=True):
    """Decisions looked up: by starting hand, and by the solver's classes of flops and boards."""

    name: str
    plays: Bytes
    """By starting hand: 1 to play."""
    turn_way: int
    """NEVER, ALWAYS or BY_TABLE."""
    turn: Bytes
    """A bit for each of FLOP_ENTRIES, lowest bit first."""
    river_way: int
    river: Bytes
    """A bit for each of the solver's TURN_ENTRIES."""

    @property
    def fingerprint(self) -> str:
        whole = hashlib.sha256(self.plays.tobytes())
        for way, table in ((self.turn_way, self.turn), (self.river_way, self.river)):
            whole.update(str(way).encode() + (table.tobytes() if way == BY_TABLE else b""))
        return f"tabled {whole.hexdigest()[:16]}"

    def decide(self, cards: Cards, boxes: int) -> Bytes:
        out: Bytes = np.empty((len(cards), boxes), np.uint8)
        _decide_by_tables(
            cards,
            out,
            hand_of(),
            self.plays,
            self.turn_way,
            self.turn,
            self.river_way,
            self.river,
            positions(),
            *SUIT_AND_RANK,
        )
        return out


class MadeHands(msgspec.Struct, frozen=True, kw_only=True):
    """Bets whenever a Hole Card lifts the hand over what the board holds by itself.

    That is: the category of Hole Cards and board together is a pair or better, and higher than the
    category of the board's own cards.
    """

    plays: Bytes
    name: str = "made-hands"

    @property
    def fingerprint(self) -> str:
        return f"made-hands {hashlib.sha256(self.plays.tobytes()).hexdigest()[:16]}"

    def decide(self, cards: Cards, boxes: int) -> Bytes:
        out: Bytes = np.empty((len(cards), boxes), np.uint8)
        lookup = category_of()
        _decide_made(cards, out, hand_of(), self.plays, lookup, card_masks(), tables(5), tables(6))
        return out


class Batches(msgspec.Struct, frozen=True, kw_only=True):
    """Any Python functions on batches of card indices (``Card.index``).

    ``play(hole)``, ``turn(hole, flop)`` and ``river(hole, flop, turn)`` get arrays of uint8 with a
    row for each hand (``turn`` of the last has one dimension) and give one bool for each. The
    same cards must get the same answer, else the same seed no longer gives the same numbers.
    """

    name: str
    play: PlayRule
    turn: TurnRule
    river: RiverRule

    @property
    def fingerprint(self) -> str:
        rules = (self.play, self.turn, self.river)
        named = (getattr(rule, "__qualname__", type(rule).__qualname__) for rule in rules)
        return " ".join([f"batches {self.name}", *named])

    def decide(self, cards: Cards, boxes: int) -> Bytes:
        out: Bytes = np.zeros((len(cards), boxes), np.uint8)
        flop, turn = cards[:, :3].copy(), cards[:, 3].copy()
        for box in range(boxes):
            hole = cards[:, 7 + 2 * box : 9 + 2 * box].copy()
            plays = self._asked("play", self.play(hole.copy()), len(cards))
            bets = self._asked("turn", self.turn(hole.copy(), flop.copy()), len(cards))
            last = self._asked(
                "river", self.river(hole.copy(), flop.copy(), turn.copy()), len(cards)
            )
            out[:, box] = plays * (PLAYS + bets * np.uint8(BETS_TURN) + last * np.uint8(BETS_RIVER))
        return out

    def _asked(self, which: str, answer: Any, rows: int) -> Bytes:
        flags = np.asarray(answer)
        if flags.dtype != np.bool_ or flags.shape != (rows,):
            raise StrategyError(
                f"strategy {self.name}, {which}: {rows} hands were asked about and the answer has "
                f"shape {flags.shape} of {flags.dtype}; give one bool for each hand"
            )
        return flags.astype(np.uint8)


def tabled(
    name: str,
    *,
    fold: Iterable[str] = (),
    turn: bool | Flags = False,
    river: bool | Flags = False,
) -> Tabled:
    """A strategy of tables: what to fold, and Turn and River always, never or by class."""
    turn_way, turn_bits = _packed("turn", turn, FLOP_ENTRIES)
    river_way, river_bits = _packed("river", river, TURN_ENTRIES)
    return Tabled(
        name=name,
        plays=_plays(fold),
        turn_way=turn_way,
        turn=turn_bits,
        river_way=river_way,
        river=river_bits,
    )


def always(*, fold: Iterable[str] = ()) -> Tabled:
    """Play every hand but those, and bet both Turn and River."""
    return tabled("always", fold=fold, turn=True, river=True)


def check(*, fold: Iterable[str] = ()) -> Tabled:
    """Play every hand but those, and never bet again."""
    return tabled("check", fold=fold)


def made_hands(*, fold: Iterable[str] = PUBLISHED_FOLDS) -> MadeHands:
    """Fold those, and bet whenever a Hole Card makes a pair or better."""
    return MadeHands(plays=_plays(fold))


def batches(name: str, *, play: PlayRule, turn: TurnRule, river: RiverRule) -> Batches:
    """A strategy of Python functions on batches of cards."""
    return Batches(name=name, play=play, turn=turn, river=river)


def with_folds(strategy: Strategy, fold: Iterable[str]) -> Strategy:
    """The same strategy with another set of hands to fold."""
    if isinstance(strategy, Tabled | MadeHands):
        plays = _plays(fold)
        return msgspec.structs.replace(strategy, plays=plays)
    raise StrategyError(f"strategy {strategy.name} decides by itself what it folds")


def folds(strategy: Strategy) -> tuple[str, ...] | None:
    """The starting hands that a strategy folds; None where only its own function knows."""
    if isinstance(strategy, Tabled | MadeHands):
        return tuple(hand for hand, plays in zip(NAMES, strategy.plays, strict=True) if not plays)
    return None


def _packed(which: str, given: bool | Flags, size: int) -> tuple[int, Bytes]:
    if isinstance(given, bool):
        return ALWAYS if given else NEVER, np.zeros(1, np.uint8)
    if given.dtype != np.bool_ or given.shape != (size,):
        raise StrategyError(
            f"table of the {which}: {given.shape} of {given.dtype}; it has {size:,} bools"
        )
    return BY_TABLE, np.packbits(given, bitorder="little")


def _plays(fold: Iterable[str]) -> Bytes:
    plays: Bytes = np.ones(len(NAMES), np.uint8)
    for hand in fold:
        plays[hand_number(hand)] = 0
    return plays


# ---- kernels ---------------------------------------------------------------------------------


@inlined
def bit(table, place):  # type: ignore[no-untyped-def]
    """One bit of a packed table."""
    return np.uint8(table[place >> _3] >> np.uint8(place & _7) & np.uint8(1))


@inlined
def flop_row(c0, c1, c2, kinds, shapes):  # type: ignore[no-untyped-def]
    """Where the decisions on the Turn bet begin for this flop.

    ``kinds`` gets, by suit, where its kinds begin: 0 for a suit that is not alive.
    """
    s0, s1, s2 = c0 // 13, c1 // 13, c2 // 13
    r0, r1, r2 = c0 % 13, c1 % 13, c2 % 13
    kinds[:] = 0
    if s0 == s1 and s1 == s2:
        kinds[s0] = 13
        row = shapes.mask_index[1 << r0 | 1 << r1 | 1 << r2] * PAIRS_26
    elif s0 != s1 and s1 != s2 and s0 != s2:
        # The three from low to high, suits with them.
        if r0 > r1:
            r0, r1, s0, s1 = r1, r0, s1, s0
        if r1 > r2:
            r1, r2, s1, s2 = r2, r1, s2, s1
        if r0 > r1:
            r0, r1, s0, s1 = r1, r0, s1, s0
        kinds[s0], kinds[s1], kinds[s2] = 13, 26, 39
        number = shapes.steps[0, r0] + shapes.steps[1, r1] + shapes.steps[2, r2]
        row = _RAINBOW_ROW + number * PAIRS_52
    else:
        if s0 == s2:
            r1, r2, s1, s2 = r2, r1, s2, s1
        elif s1 == s2:
            r0, r2, s0, s2 = r2, r0, s2, s0
        kinds[s0], kinds[s2] = 13, 26
        row = _MIXED_ROW + (shapes.mask_index[1 << r0 | 1 << r1] * 13 + r2) * PAIRS_39
    return row


@inlined
def board_row(row, kinds, masks, ranks, shapes):  # type: ignore[no-untyped-def]
    """Where the decisions on the River bet begin for the first four cards of this row.

    ``kinds`` is filled as by ``flop_row``; ``masks`` and ``ranks`` are scratch.
    """
    kinds[:] = 0
    masks[:] = 0
    sizes = 0  # four bits for each suit
    for i in range(4):
        suit = row[i] // 13
        masks[suit] |= 1 << row[i] % 13
        sizes += 1 << 4 * suit
    alive, high = -1, -1
    for suit in range(4):
        if (sizes >> 4 * suit & 15) >= 2:
            if alive < 0:
                alive = suit
            else:
                high = suit
    if high >= 0:
        if shapes.mask_index[masks[alive]] > shapes.mask_index[masks[high]]:
            alive, high = high, alive
        kinds[alive], kinds[high] = 13, 26
        board = two_suited_turn(masks[alive], masks[high], shapes)
    else:
        size = 0
        for i in range(4):
            card = row[i]
            if card // 13 != alive:
                ranks[size] = card % 13
                size += 1
        if alive >= 0:
            kinds[alive] = 13
            board = suited_turn(masks[alive], sizes >> 4 * alive & 15, ranks, shapes)
        else:
            board = rainbow_turn(ranks, shapes)
    return turn_row(board)


class Positions(NamedTuple):
    """Where the decisions begin for real cards: each entry is a row and the kinds of four suits."""

    flops: npt.NDArray[np.int32]
    """By three cards in any order: 52 x 52 x 52."""
    boards: npt.NDArray[np.int32]
    """By the number of four cards among all combinations of four."""
    choose: npt.NDArray[np.int32]
    """By place and card: what the card adds to that number."""


@functools.cache
def positions() -> Positions:
    """The positions of all 22,100 flops and 270,725 boards of four, built once."""
    choose = [[comb(card, place + 1) for card in range(52)] for place in range(4)]
    found = Positions(
        flops=np.zeros(52**3, np.int32),
        boards=np.zeros(comb(52, 4), np.int32),
        choose=np.array(choose, np.int32),
    )
    _fill_positions(*found, shapes())
    return found


@inlined
def packed_position(row, kinds):  # type: ignore[no-untyped-def]
    """A row and two bits for each suit, which say where its kinds begin."""
    places = kinds[0] // 13 | kinds[1] // 13 << 2 | kinds[2] // 13 << 4 | kinds[3] // 13 << 6
    return np.int32(row << 8 | places)


@kernel
def _fill_positions(flops, boards, choose, shapes):  # type: ignore[no-untyped-def]
    kinds, masks = np.zeros(4, np.int64), np.zeros(4, np.int64)
    ranks = np.zeros(5, np.int64)
    four = np.zeros(4, np.int64)
    for c0 in range(52):
        for c1 in range(52):
            for c2 in range(52):
                if c0 != c1 and c0 != c2 and c1 != c2:
                    row = flop_row(c0, c1, c2, kinds, shapes)
                    flops[(c0 * 52 + c1) * 52 + c2] = packed_position(row, kinds)
    for high in range(3, 52):
        for c2 in range(2, high):
            for c1 in range(1, c2):
                for c0 in range(c1):
                    four[0], four[1], four[2], four[3] = c0, c1, c2, high
                    place = choose[0, c0] + choose[1, c1] + choose[2, c2] + choose[3, high]
                    row = board_row(four, kinds, masks, ranks, shapes)
                    boards[place] = packed_position(row, kinds)


@inlined
def flop_position(row, positions):  # type: ignore[no-untyped-def]
    """The position of the first three cards of a row."""
    return positions.flops[(np.uint64(row[0]) * _52 + np.uint64(row[1])) * _52 + np.uint64(row[2])]


@inlined
def board_position(row, positions):  # type: ignore[no-untyped-def]
    """The position of the first four cards of a row: sort them, then number them."""
    a, b, c, d = row[0], row[1], row[2], row[3]
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    choose = positions.choose
    place = choose[_0, a] + choose[_1, b] + choose[_2, c] + choose[_3, d]
    return positions.boards[np.uint64(place)]


@inlined
def hole_place(position, one, other, suit_of, rank_of):  # type: ignore[no-untyped-def]
    """Where the decision for these Hole Cards stands: the row and the number of their kinds."""
    k = np.int64(position >> suit_of[one] & 3) * 13 + rank_of[one]
    j = np.int64(position >> suit_of[other] & 3) * 13 + rank_of[other]
    return np.uint64(np.int64(position >> 8) + pair_number(k, j))


@kernel
def places(cards, box, turns, rivers, positions, suit_of, rank_of):  # type: ignore[no-untyped-def]
    """By round: where the decisions on Turn and River stand for the hand of one box."""
    for i in range(len(cards)):
        row = cards[i]
        one, other = row[7 + 2 * box], row[8 + 2 * box]
        turns[i] = hole_place(flop_position(row, positions), one, other, suit_of, rank_of)
        rivers[i] = hole_place(board_position(row, positions), one, other, suit_of, rank_of)


@kernel
def _decide_by_tables(  # type: ignore[no-untyped-def]
    cards, out, hand_of, plays, turn_way, turn, river_way, river, positions, suit_of, rank_of
):
    by_turn, by_river = turn_way == BY_TABLE, river_way == BY_TABLE
    base = np.uint8(PLAYS)
    if turn_way == ALWAYS:
        base |= np.uint8(BETS_TURN)
    if river_way == ALWAYS:
        base |= np.uint8(BETS_RIVER)
    for i in range(len(cards)):
        row = cards[i]
        flop, board = np.int32(0), np.int32(0)
        if by_turn:
            flop = flop_position(row, positions)
        if by_river:
            board = board_position(row, positions)
        for box in range(out.shape[1]):
            one, other = row[7 + 2 * box], row[8 + 2 * box]
            decision = base
            if by_turn:
                found = bit(turn, hole_place(flop, one, other, suit_of, rank_of))
                decision |= found * np.uint8(BETS_TURN)
            if by_river:
                found = bit(river, hole_place(board, one, other, suit_of, rank_of))
                decision |= found * np.uint8(BETS_RIVER)
            out[i, box] = decision * plays[hand_of[one, other]]


@kernel
def _decide_made(  # type: ignore[no-untyped-def]
    cards, out, hand_of, plays, category_of, bits, five, six
):
    for i in range(len(cards)):
        row = cards[i]
        flop = bits[row[0]] | bits[row[1]] | bits[row[2]]
        turn = flop | bits[row[3]]
        flop_alone = same_ranks(row, 3)
        turn_alone = same_ranks(row, 4)
        for box in range(out.shape[1]):
            first, second = row[7 + 2 * box], row[8 + 2 * box]
            if not plays[hand_of[first, second]]:
                out[i, box] = 0
                continue
            hole = bits[first] | bits[second]
            decision = PLAYS
            if category_of[value_of(flop | hole, five)] > flop_alone:
                decision |= BETS_TURN
            if category_of[value_of(turn | hole, six)] > turn_alone:
                decision |= BETS_RIVER
            out[i, box] = decision


@inlined
def same_ranks(row, size):  # type: ignore[no-untyped-def]
    """The category of three or four cards by their equal ranks, as the order of a category."""
    equal = 0
    for i in range(size):
        for j in range(i):
            if row[i] % 13 == row[j] % 13:
                equal += 1
    if equal == 0:
        return 0
    if equal == 1:
        return 1  # One Pair
    if equal == 2:
        return 2  # Two Pairs
    return 3 if equal == 3 else 7  # Three or Four of a Kind
