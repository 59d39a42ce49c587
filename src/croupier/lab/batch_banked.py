"""Rounds of the banked games by the million, decision by decision.

    >>> from croupier.lab import BankedBatch, Stakes
    >>> batch = BankedBatch("multi-link-progressive-v3", tables=1000, stakes=Stakes(ante=2500))
    >>> while batch.window:
    ...     batch.step(batch.masks[:, :, 1])
    >>> batch.rewards.shape
    (1000, 1)

All tables take a decision together: the first (fold or Flop bet), the Turn, the River. Cards and
settlement are those of the simulation (``simulate_deal``, ``simulate_kernel``), which is held to
`croupier.banked` to the cent. Every round begins with the same stakes and the same meter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from croupier.cards import Card
from croupier.lab.batch import cards_text, checked_seed, indices, whole
from croupier.lab.batch_columns import BANKED_COLUMNS, PASS, WAGER
from croupier.lab.errors import BadAmount, BatchError, on_the_table
from croupier.lab.floor import Floor, Link, Major, run_link
from croupier.lab.game import SIZES
from croupier.lab.simulate import outcomes
from croupier.lab.simulate_deal import MAX_BOXES, deal
from croupier.lab.simulate_kernel import BETS_RIVER, BETS_TURN, PLAYS
from croupier.lab.simulate_pay import Stakes, schedule
from croupier.lab.tabular import Tabular
from croupier.rulebooks import Rulebook, load

Ints = npt.NDArray[np.int64]
_BITS = {1: PLAYS, 2: BETS_TURN, 3: BETS_RIVER}
_SEEN = {1: 0, 2: 3, 3: 4, 0: 5}
"""How many Community Cards lie face up at each decision."""
_OWN, _BOARD, _BETS, _SIDE, _SIZE = 1, 3, 8, 12, 14
LAST = 3
USUAL = Stakes(ante=1000)


class BankedBatch(Tabular):
    """So many tables of one banked book, at each so many boxes. Amounts are cents."""

    def __init__(
        self,
        book: Rulebook | str,
        *,
        tables: int,
        boxes: int = 1,
        stakes: Stakes = USUAL,
        meter: int = 50_000_00,
        contribution: int = 100,
        policies: Mapping[str, str] | None = None,
        seed: int = 0,
    ) -> None:
        """Deal the first round at every table. With a jackpot stake the meter of every table's own
        link stands at ``meter`` when a round begins."""
        self.book = load(book) if isinstance(book, str) else book
        if tables < 1:
            raise BatchError(f"tables: {tables}; give 1 or more")
        if not 1 <= boxes <= MAX_BOXES:
            raise BatchError(f"boxes: {boxes}; a deck serves 1 to {MAX_BOXES}")
        if meter < 0:
            raise BadAmount(f"meter: {on_the_table(meter)}; a meter cannot stand below nothing")
        self.pays = schedule(self.book, stakes, policies)
        self.stakes, self.seed, self.boxes = stakes, checked_seed(seed), boxes
        self.link = Link(reset=meter, contribution=contribution)
        sizes = [SIZES[bet].of(self.book) for bet in ("flop", "turn", "river")]
        self.sizes = [size * stakes.ante for size in sizes]
        """What the Flop, Turn and River bets cost."""
        self.rounds = 0
        """Rounds dealt at each table since the seed."""
        self.window = 0
        """The decision that is open: 1 to 3, or 0 when the round is over everywhere."""
        self.cards: npt.NDArray[np.uint8] = np.zeros((tables, 7 + 2 * boxes), np.uint8)
        """All cards of the round: board, dealer, then two for each box."""
        self.decisions: npt.NDArray[np.uint8] = np.zeros((tables, boxes), np.uint8)
        self.masks: npt.NDArray[np.uint8] = np.zeros((tables, boxes, 2), np.uint8)
        """By table and box: whether fold or check, and whether a bet, is open."""
        shape = (tables, boxes, len(BANKED_COLUMNS))
        self.observations: npt.NDArray[np.int32] = np.zeros(shape, np.int32)
        """What each box sees; the next step changes it: copy what you keep."""
        self.net: Ints = np.zeros((tables, boxes), np.int64)
        """What each box has won or lost, once the round is over."""
        self.deal()

    # -- playing -----------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None) -> None:
        """Begin anew with the first round."""
        if seed is not None:
            self.seed = checked_seed(seed)
        self.rounds = 0
        self.deal()

    def deal(
        self,
        *,
        hands: Mapping[int, str | Sequence[Card]] | None = None,
        board: str | Sequence[Card] = (),
        dealer: str | Sequence[Card] = (),
        cards: npt.NDArray[np.uint8] | None = None,
    ) -> None:
        """The next round at every table. Cards may be fixed: hands by box from 0 on, board and
        dealer alike everywhere, or ``cards`` whole, row by row."""
        tables = len(self)
        first = np.uint64(self.rounds * tables)
        deal(np.uint64(self.seed), np.uint64(0), first, tables, self.boxes, self.cards)
        self.rounds += 1
        fixed = self._places(hands or {}, board, dealer)
        if cards is not None:
            rows = whole(cards, np.uint8, "cards")
            if rows.shape != self.cards.shape or np.any(rows >= 52):
                raise BatchError(f"cards: give {self.cards.shape} indices from 0 to 51")
            ordered = np.sort(rows, axis=1)
            if (ordered[:, 1:] == ordered[:, :-1]).any():
                raise BatchError("cards: a row has a card twice")
            self.cards[:] = rows
        elif fixed:
            self._exchange(fixed)
        self.decisions[:] = 0
        self.net[:] = 0
        self.window = 1
        self._observe()

    def step(self, bets: npt.ArrayLike) -> None:
        """One decision at every box: 1 makes the bet, 0 folds or checks. What a box says that has
        folded counts for nothing."""
        if self.window == 0:
            raise BatchError("the round is over; `deal` begins another")
        chosen = np.asarray(bets)
        if chosen.shape != self.decisions.shape:
            raise BatchError(f"give {self.decisions.shape} decisions: by table and box")
        bits = (chosen != 0) & (self.masks[:, :, WAGER] != 0)
        self.decisions |= bits.astype(np.uint8) * np.uint8(_BITS[self.window])
        self.window = self.window + 1 if self.window < LAST else 0
        if self.window and not (self.decisions & PLAYS).any():
            self.window = 0
        if self.window == 0:
            self._settle()
        self._observe()

    def _settle(self) -> None:
        codes = outcomes(self.pays, self.cards, self.decisions)
        self.net[:] = self.pays.lookup.money[codes]
        major = self.pays.lookup.major[codes % len(self.pays.sets)]
        for t in np.flatnonzero(major.any(axis=1)):
            held = [Major(0, 0, int(box), int(codes[t, box])) for box in np.flatnonzero(major[t])]
            story = run_link(self.pays, self.link, Floor(boxes=self.boxes), held, rounds=1)
            for award in story.awards:
                self.net[t, award.box] += award.paid

    @property
    def rewards(self) -> npt.NDArray[np.float64]:
        """What each box has won or lost, in Antes; 0 while the round goes on."""
        return self.net / self.stakes.ante

    @property
    def in_play(self) -> npt.NDArray[np.bool_]:
        """Which boxes have a decision before them."""
        open_now: npt.NDArray[np.bool_] = self.masks[:, :, PASS] != 0
        return open_now

    # -- states ------------------------------------------------------------------------------

    def clone(self) -> BankedBatch:
        """The same tables once more, to play on from here without them."""
        again = object.__new__(type(self))
        again.__dict__.update(self.__dict__)
        for name in ("cards", "decisions", "masks", "observations", "net"):
            setattr(again, name, getattr(self, name).copy())
        return again

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BankedBatch):
            return NotImplemented
        return (
            (self.book.id, self.stakes, self.link, self.window, self.seed, self.rounds)
            == (other.book.id, other.stakes, other.link, other.window, other.seed, other.rounds)
            and np.array_equal(self.cards, other.cards)
            and np.array_equal(self.decisions, other.decisions)
        )

    __hash__ = None  # type: ignore[assignment]

    # -- looking -----------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.cards)

    def heading(self) -> str:
        """Book, tables, boxes, and the decision that is open."""
        at = f"decision {self.window}" if self.window else "over"
        return f"{self.book.id}, {len(self):,} tables of {self.boxes} boxes, {at}"

    def rows(self) -> list[dict[str, Any]]:
        """What each box sees, by name."""
        return [
            {
                "table": t,
                "box": box,
                "own": cards_text(self.observations[t, box, _OWN:_BOARD].tolist()),
                "board": cards_text(self.observations[t, box, _BOARD:_BETS].tolist()),
                "bets": int(self.observations[t, box, _BETS:_SIDE].sum()),
                "net": int(self.net[t, box]),
            }
            for t in range(len(self))
            for box in range(self.boxes)
        ]

    def _observe(self) -> None:
        """Masks and observations of the decision that is open."""
        plays = self.decisions & PLAYS != 0
        deciding = (np.ones_like(plays) if self.window == 1 else plays) & (self.window != 0)
        self.masks[:] = deciding[:, :, None]
        seen = self.observations
        seen[:, :, 0] = np.where(deciding, self.window, 0)
        for box in range(self.boxes):
            seen[:, box, _OWN:_BOARD] = self.cards[:, 7 + 2 * box : 9 + 2 * box]
        up = _SEEN[self.window]
        seen[:, :, _BOARD:_BETS] = -1
        seen[:, :, _BOARD : _BOARD + up] = self.cards[:, None, :up]
        seen[:, :, _BETS] = self.stakes.ante
        for place, (bit, size) in enumerate(zip(_BITS.values(), self.sizes, strict=True), 1):
            seen[:, :, _BETS + place] = np.where(self.decisions & bit, size, 0)
        seen[:, :, _SIDE] = self.stakes.bonus
        seen[:, :, _SIDE + 1] = self.stakes.progressive
        seen[:, :, _SIZE] = np.where(deciding, self.sizes[self.window - 1], 0)

    # -- fixed cards -------------------------------------------------------------------------

    def _places(
        self,
        hands: Mapping[int, str | Sequence[Card]],
        board: str | Sequence[Card],
        dealer: str | Sequence[Card],
    ) -> dict[int, int]:
        """Which card lies at which place of a row."""
        found = dict(enumerate(indices(board, 5, "board")))
        found |= {5 + place: card for place, card in enumerate(indices(dealer, 2, "dealer"))}
        for box, hand in hands.items():
            if not 0 <= box < self.boxes:
                raise BatchError(f"hands: there is no box {box}")
            begin = 7 + 2 * box
            found |= {begin + i: card for i, card in enumerate(indices(hand, 2, f"box {box}"))}
        wanted = {place: card for place, card in found.items() if card >= 0}
        if len(set(wanted.values())) < len(wanted):
            raise BatchError("cards: one is given twice")
        return wanted

    def _exchange(self, fixed: dict[int, int]) -> None:
        """Bring the fixed cards to their places; what lay there takes the place of each.

        What is left is a random deal of the other cards: to exchange two cards by name makes of
        every deal another one, and no two become the same but for the fixed places.
        """
        for place, card in fixed.items():
            there = self.cards[:, place].copy()
            self.cards[self.cards == card] = 255
            elsewhere = np.nonzero(self.cards == 255)
            self.cards[elsewhere] = there[elsewhere[0]]
            self.cards[:, place] = card
