"""The same hands under two versions of a poker book: who is paid differently, how often, how much.

Cards and stakes are the same, and so is what every player wants to do: wishes are drawn by chance
and do not know the book. Each book makes of a wish the nearest Action that it allows, and where
that is not the wish itself it is counted. In the second book each player does in turn what the same
player wanted under the first; whoever is asked more often than there checks or calls.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.lab.batch import Ints, Kinds, PokerBatch
from croupier.lab.batch_columns import (
    ACTIONS,
    BET,
    CALL,
    CHECK,
    DECLINE,
    FOLD,
    GO_ALL_IN,
    RAISE,
    STRADDLE,
)
from croupier.lab.batch_rules import Amounts
from croupier.lab.errors import BatchError
from croupier.lab.tabular import Tabular
from croupier.rulebooks import Rulebook

CHUNK = 20_000
USUAL = Amounts(percent=5, cap=3000)
WISHES = np.array([0.2, 0.44, 0.3, 0.06])
"""How often somebody wants to fold (if there is something to answer), to check or call, to bet or
raise, to go All-in."""
_FOLD, _PASSIVE, _WAGER, _ALL_IN = range(4)

Floats = npt.NDArray[np.float64]


class Wishes(NamedTuple):
    """What the players to act want, by table: a kind, and for a wager the total in cents."""

    kinds: Kinds
    totals: Ints


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A hand that is paid differently: cards, stakes, what was done and what came of it, each by
    position, the first to the left of the button first."""

    hand: int
    cards: tuple[int, ...]
    stakes: tuple[int, ...]
    acts: tuple[tuple[tuple[int, str, int], ...], tuple[tuple[int, str, int], ...]]
    """Under each book: position, Action, total in cents (0 where it has none)."""
    ends: tuple[tuple[int, ...], tuple[int, ...]]
    """Under each book: the stakes after it."""
    rakes: tuple[int, int]


class Versions(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """What two books make of the same hands."""

    old: str
    new: str
    hands: int
    players: int
    differently: int
    """Hands in which somebody is paid another amount."""
    same_acts: int
    """Those of them in which everybody did the same: only Rake, pots and payment differ."""
    moved: int
    """In all those hands: what players get more under the new book, added up, in cents."""
    largest: int
    """The largest difference for one player in one hand, in cents."""
    rake: tuple[int, int]
    """Rake of all hands under each book, in cents."""
    adjusted: tuple[int, int]
    """Wishes that each book refused, and the nearest that it allows was done."""
    acts: tuple[int, int]
    filled: int
    """Actions under the new book that nobody had wanted: checks and calls."""
    by_position: tuple[tuple[int, int, int], ...]
    """For each position: hands paid differently, and what they get more and less under the new book
    in all of them, in cents."""
    examples: tuple[Example, ...] = ()

    def heading(self) -> str:
        """Both books and the share of hands that are paid differently."""
        share = self.differently / self.hands if self.hands else 0.0
        return f"{self.old} and {self.new}: {share:.3%} of {self.hands:,} hands paid differently"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each position."""
        return [
            {
                "position": position,
                "hands": hands,
                "share": hands / self.hands if self.hands else 0.0,
                "more": more,
                "less": less,
            }
            for position, (hands, more, less) in enumerate(self.by_position)
        ]


def compare_versions(
    old: Rulebook,
    new: Rulebook,
    *,
    hands: int,
    players: int = 6,
    amounts: Amounts = USUAL,
    big_blinds: tuple[int, int] = (5, 100),
    policies: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {}),
    seed: int = 1,
    examples: int = 3,
    progress: Callable[[int, int], None] | None = None,
) -> Versions:
    """Play so many hands under both books. Stakes are drawn between so many Big Blinds."""
    for book in (old, new):
        if book.family != "poker":
            raise BatchError(
                f"{book.id} is played against the House. Hands are played under two versions of a "
                f"poker book; `croupier lab par` sets two pay tables side by side."
            )
    if hands < 1:
        raise BatchError(f"hands: {hands}; give 1 or more")
    if not 1 <= big_blinds[0] <= big_blinds[1]:
        raise BatchError(f"stakes: from {big_blinds[0]} to {big_blinds[1]} Big Blinds")
    chance = np.random.default_rng(seed)
    total: Versions | None = None
    for begin in range(0, hands, CHUNK):
        tables = min(CHUNK, hands - begin)
        drawn = chance.integers(big_blinds[0], big_blinds[1] + 1, (tables, players))
        stakes = (drawn * amounts.blinds[1]).astype(np.int32)
        batches = [
            PokerBatch(
                book,
                tables=tables,
                players=players,
                amounts=_for_book(book, amounts),
                stakes=stakes,
                policies=chosen,
                seed=seed + begin,
            )
            for book, chosen in zip((old, new), policies, strict=True)
        ]
        wanted = examples - (len(total.examples) if total is not None else 0)
        part = _compare(batches[0], batches[1], chance, begin, max(0, wanted))
        total = part if total is None else _sum(total, part)
        if progress is not None:
            progress(begin + tables, hands)
    assert total is not None
    return total


def _for_book(book: Rulebook, amounts: Amounts) -> Amounts:
    """A straddle is offered where the book has one."""
    if amounts.straddle and not book.has("straddle"):
        return msgspec.structs.replace(amounts, straddle=False)
    return amounts


def _compare(
    one: PokerBatch, two: PokerBatch, chance: np.random.Generator, begin: int, wanted: int
) -> Versions:
    """Play both; the second follows the wishes of the first."""
    first = _Played(one)
    while one.playing:
        first.step(_wishes(one, chance))
    second = _Played(two)
    while two.playing:
        second.step(first.wish_of(two, second))
    return _differences(first, second, begin, wanted)


class _Played:
    """A batch with what was wanted and done at each table."""

    def __init__(self, batch: PokerBatch) -> None:
        self.batch = batch
        shape = (len(batch), batch.players)
        self.asked = np.zeros(shape, np.int32)
        """How often each player was asked so far."""
        self.wished: list[Wishes] = []
        self.turns: list[Ints] = []
        self.done: list[tuple[Kinds, Ints]] = []
        self.numbers: list[Ints] = []
        self.adjusted = self.acts = self.filled = 0

    def step(self, wishes: Wishes) -> None:
        """What comes nearest to each wish."""
        batch = self.batch
        rows = np.flatnonzero(batch.turn >= 0)
        turns = batch.turn.copy()
        numbers = np.full(len(batch), -1, np.int32)
        betting = batch.named["phase"] == 1
        counted = rows[betting[rows]]
        numbers[counted] = self.asked[counted, turns[counted]]
        self.asked[counted, turns[counted]] += 1
        kinds, totals, adjusted = nearest(batch, wishes)
        self.adjusted += int(adjusted[rows].sum())
        self.acts += len(counted)
        self.wished.append(Wishes(wishes.kinds.copy(), wishes.totals.copy()))
        self.turns.append(turns)
        self.numbers.append(numbers)
        self.done.append((kinds, totals))
        batch.step(kinds, totals)

    def wish_of(self, batch: PokerBatch, follower: _Played) -> Wishes:
        """What the player to act at each table of another batch wanted at this turn of his."""
        kinds: Kinds = np.full(len(batch), _PASSIVE, np.uint8)
        totals: Ints = np.zeros(len(batch), np.int32)
        rows = np.flatnonzero((batch.turn >= 0) & (batch.named["phase"] == 1))
        turns = batch.turn[rows]
        numbers = follower.asked[rows, turns]
        index = self._index
        known = numbers < index.shape[2]
        at = np.where(known, index[rows, turns, np.minimum(numbers, index.shape[2] - 1)], -1)
        found = at >= 0
        follower.filled += int((~found).sum())
        wished_kinds, wished_totals = self._wished
        kinds[rows[found]] = wished_kinds[at[found], rows[found]]
        totals[rows[found]] = wished_totals[at[found], rows[found]]
        return Wishes(kinds, totals)

    @functools.cached_property
    def _wished(self) -> tuple[Kinds, Ints]:
        """All wishes, by step and table."""
        return (
            np.stack([wish.kinds for wish in self.wished]),
            np.stack([wish.totals for wish in self.wished]),
        )

    @functools.cached_property
    def _index(self) -> npt.NDArray[np.int32]:
        """By table, position and how often asked before: the step at which it was."""
        most = max(1, int(self.asked.max()))
        found = np.full((*self.asked.shape, most), -1, np.int32)
        for step, (turns, numbers) in enumerate(zip(self.turns, self.numbers, strict=True)):
            rows = np.flatnonzero(numbers >= 0)
            found[rows, turns[rows], numbers[rows]] = step
        return found

    def acts_of(self, table: int) -> tuple[tuple[int, str, int], ...]:
        """What was done at a table: position, Action, total."""
        return tuple(
            (
                int(turns[table]),
                ACTIONS[kinds[table]],
                int(totals[table]) if kinds[table] in (BET, RAISE) else 0,
            )
            for turns, (kinds, totals) in zip(self.turns, self.done, strict=True)
            if turns[table] >= 0
        )


def _wishes(batch: PokerBatch, chance: np.random.Generator) -> Wishes:
    """What players want who know no book: to fold, to go on, to raise by something, all of it."""
    tables = len(batch)
    kinds = chance.choice(len(WISHES), tables, p=WISHES).astype(np.uint8)
    kinds[(kinds == _FOLD) & (batch.named["to_call"] == 0)] = _PASSIVE
    price = batch.named["price"].astype(np.int64)
    pot = batch.named["pot"].astype(np.int64) + batch.named["bet"].sum(axis=1)
    # By some chips, by some Big Blinds, or by a part of the pot up to twice all of it.
    rules = batch.rules
    few = chance.integers(1, 2 * rules.big // rules.chip + 1, tables) * rules.chip
    some = chance.integers(1, 9, tables) * rules.big
    part = (pot * chance.integers(1, 9, tables) // 4) // rules.chip * rules.chip
    by = np.choose(chance.integers(0, 3, tables), [few, some, np.maximum(part, rules.chip)])
    return Wishes(kinds, np.minimum(price + by, np.iinfo(np.int32).max).astype(np.int32))


def nearest(batch: PokerBatch, wishes: Wishes) -> tuple[Kinds, Ints, npt.NDArray[np.bool_]]:
    """The Action nearest to each wish that is open, its total, and where it is not the wish itself.

    A wager goes to the nearest total that is open: up to the least, down to All-in, or to a Call or
    Check where none is.
    """
    masks = batch.masks.astype(bool)
    passive = np.where(masks[:, CHECK], CHECK, CALL).astype(np.uint8)
    kinds = np.where(wishes.kinds == _FOLD, np.uint8(FOLD), passive)
    totals = np.zeros(len(batch), np.int32)
    adjusted = np.zeros(len(batch), bool)
    wants = wishes.kinds == _WAGER
    may = masks[:, BET] | masks[:, RAISE]
    wager = np.where(masks[:, BET], BET, RAISE).astype(np.uint8)
    to = np.clip(wishes.totals, batch.least, np.maximum(batch.most, batch.least))
    kinds = np.where(wants & may, wager, kinds)
    totals = np.where(wants & may, to, totals).astype(np.int32)
    short = wants & ~may & masks[:, GO_ALL_IN]
    kinds = np.where(short, np.uint8(GO_ALL_IN), kinds)
    adjusted |= wants & (~may | (to != wishes.totals))
    everything = wishes.kinds == _ALL_IN
    kinds = np.where(everything & masks[:, GO_ALL_IN], np.uint8(GO_ALL_IN), kinds)
    adjusted |= everything & ~masks[:, GO_ALL_IN]
    asked = masks[:, STRADDLE]
    straddles = asked & (wishes.totals // batch.rules.chip % 2 == 0)
    kinds = np.where(asked, np.where(straddles, STRADDLE, DECLINE).astype(np.uint8), kinds)
    return kinds.astype(np.uint8), totals, adjusted & ~asked


def _differences(first: _Played, second: _Played, begin: int, wanted: int) -> Versions:
    one, two = first.batch, second.batch
    gain = two.net.astype(np.int64) - one.net.astype(np.int64)
    other = gain != 0
    hands = np.flatnonzero(other.any(axis=1))
    alike = sum(first.acts_of(int(t)) == second.acts_of(int(t)) for t in hands)
    return Versions(
        old=one.book.id,
        new=two.book.id,
        hands=len(one),
        players=one.players,
        differently=len(hands),
        same_acts=alike,
        moved=int(gain[gain > 0].sum()),
        largest=int(np.abs(gain).max()),
        rake=(int(one.rake.sum()), int(two.rake.sum())),
        adjusted=(first.adjusted, second.adjusted),
        acts=(first.acts, second.acts),
        filled=second.filled,
        by_position=tuple(
            (
                int(other[:, p].sum()),
                int(gain[:, p][gain[:, p] > 0].sum()),
                int(-gain[:, p][gain[:, p] < 0].sum()),
            )
            for p in range(one.players)
        ),
        examples=tuple(_example(first, second, int(t), begin) for t in hands[:wanted]),
    )


def _example(first: _Played, second: _Played, t: int, begin: int) -> Example:
    one, two = first.batch, second.batch
    return Example(
        hand=begin + t + 1,
        cards=tuple(one.cards[t].tolist()),
        stakes=tuple(one.named["start"][t].tolist()),
        acts=(first.acts_of(t), second.acts_of(t)),
        ends=(tuple(one.named["stake"][t].tolist()), tuple(two.named["stake"][t].tolist())),
        rakes=(int(one.rake[t]), int(two.rake[t])),
    )


def _sum(one: Versions, two: Versions) -> Versions:
    """Two parts of one comparison together."""

    def pair(name: str) -> tuple[int, int]:
        (a, b), (c, d) = getattr(one, name), getattr(two, name)
        return a + c, b + d

    return msgspec.structs.replace(
        one,
        hands=one.hands + two.hands,
        differently=one.differently + two.differently,
        same_acts=one.same_acts + two.same_acts,
        moved=one.moved + two.moved,
        largest=max(one.largest, two.largest),
        rake=pair("rake"),
        adjusted=pair("adjusted"),
        acts=pair("acts"),
        filled=one.filled + two.filled,
        by_position=tuple(
            (a + x, b + y, c + z)
            for (a, b, c), (x, y, z) in zip(one.by_position, two.by_position, strict=True)
        ),
        examples=(*one.examples, *two.examples),
    )
