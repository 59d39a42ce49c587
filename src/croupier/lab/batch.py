"""Tables by the million: thousands of hands of poker at once, in one numpy array.

    >>> from croupier.lab import PokerBatch
    >>> from croupier.rulebooks import load
    >>> batch = PokerBatch(load("no-limit-holdem-v8"), tables=1000, players=6, seed=7)
    >>> while batch.playing:
    ...     batch.step(batch.check_or_call())
    >>> int(batch.net.sum()), batch.net.shape
    (0, (1000, 6))

Regular play of both poker books: Blinds, straddle, betting with each book's smallest raise and
short All-ins, Side Pots, Rake, odd chips, showdown. What differs between books comes from the book
(``batch_rules``); the tests hold it to `croupier.poker` Action by Action. What is irregular, who
comes and goes, and citations are for a table (`croupier.play`).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.cards import DECK, Card, read_cards
from croupier.lab import batch_columns as at
from croupier.lab.batch_columns import ACTIONS, CALL, CHECK, State, columns, row_type
from croupier.lab.batch_kernel import deal_tables, first_refused, step_tables
from croupier.lab.batch_rules import (
    LEAST_PLAYERS,
    MOST_MONEY,
    MOST_PLAYERS,
    Amounts,
    Rules,
    rules_of,
)
from croupier.lab.errors import BadAmount, BatchError, on_the_table
from croupier.lab.kernel import card_masks, tables
from croupier.lab.tabular import Tabular
from croupier.rulebooks import Rulebook, load

Kinds = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int32]
Cards = npt.NDArray[np.int8]

NEVER = np.zeros(0, np.int8)
USUAL = Amounts()
BIG_BLINDS = 200
"""What each player has if nothing is said: 200 Big Blinds."""


class PokerBatch(Tabular):
    """So many tables of one poker book, each with its own hand.

    Players are numbered by position: 0 is the first to the left of the button, the last one has the
    button. Amounts are cents, cards are indices (`Card.index`), -1 where there is none.
    """

    def __init__(
        self,
        book: Rulebook | str,
        *,
        tables: int,
        players: int = 6,
        amounts: Amounts = USUAL,
        stakes: int | Sequence[int] | Ints | None = None,
        policies: Mapping[str, str] | None = None,
        seed: int = 0,
    ) -> None:
        """Deal the first hand at every table.

        ``stakes`` is for every player, for each position, or for each table and position; 200 Big
        Blinds if it is not said. They are the same again at the next deal.
        """
        self.book = load(book) if isinstance(book, str) else book
        if not LEAST_PLAYERS <= players <= MOST_PLAYERS:
            raise BatchError(
                f"players: {players}; a table has {LEAST_PLAYERS} to {MOST_PLAYERS} of them"
            )
        if tables < 1:
            raise BatchError(f"tables: {tables}; give 1 or more")
        self.players = players
        self.amounts = amounts
        self.rules: Rules = rules_of(self.book, amounts, policies)
        self.policies = self.book.policies_with(policies or {})
        self.seed = checked_seed(seed)
        self._width = at.width(players)
        self.state: State = np.zeros((tables, self._width), np.int32)
        """Everything, a row for each table (``batch_columns``)."""
        self.masks: npt.NDArray[np.uint8] = np.zeros((tables, len(ACTIONS)), np.uint8)
        """Which of ``ACTIONS`` are open to whoever is to act; for `bet` and `raise` see ``least``
        and ``most``."""
        self.playing = 0
        """At how many tables the hand goes on."""
        self._fixed = NEVER
        self._no_amounts: Ints = np.zeros(tables, np.int32)
        self._name_views()
        self.reset(stakes=self.rules.big * BIG_BLINDS if stakes is None else stakes)

    # -- playing -----------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | None = None,
        stakes: int | Sequence[int] | Ints | None = None,
        board: str | Sequence[Card] | None = None,
        hands: Mapping[int, str | Sequence[Card]] | None = None,
        cards: Cards | None = None,
    ) -> None:
        """Begin anew at every table with its first hand.

        Board and hands that are given are the same at every table and every later deal, the rest is
        dealt; ``cards`` fixes them table by table: five of the board, two for each position, -1
        where any will do.
        """
        if seed is not None:
            self.seed = checked_seed(seed)
        if stakes is not None:
            self.stakes = self._read_stakes(stakes)
        if cards is not None and (board is not None or hands is not None):
            raise BatchError("cards: give them table by table, or as board and hands")
        if cards is not None or board is not None or hands is not None:
            self._fixed = self._read_cards(cards, board, hands).reshape(-1)
        else:
            self._fixed = NEVER
        self.state[:] = 0
        self.playing = self._deal(np.arange(len(self), dtype=np.int64))

    def deal(self, where: npt.NDArray[np.bool_] | None = None) -> int:
        """The next hand at the tables that are over, or at those of them that are named; gives how
        many that were."""
        over = self.over if where is None else self.over & where
        rows = np.flatnonzero(over)
        self.playing += self._deal(rows)
        return len(rows)

    def step(self, kinds: npt.ArrayLike, amounts: npt.ArrayLike | None = None) -> None:
        """One Action at every table that is not over: indices of ``ACTIONS``, and for `bet` and
        `raise` the total in cents. Nothing happens anywhere if one of them is not open."""
        chosen = whole(kinds, np.uint8, "kinds")
        to = self._no_amounts if amounts is None else whole(amounts, np.int32, "amounts")
        if chosen.shape != (len(self),) or to.shape != (len(self),):
            raise BatchError(f"give one Action for each of the {len(self):,} tables")
        flat, masks = self.state.reshape(-1), self.masks.reshape(-1)
        wrong = first_refused(flat, masks, chosen, to, self._width, self.rules)
        if wrong >= 0:
            raise BatchError(self._why_refused(int(wrong), int(chosen[wrong]), int(to[wrong])))
        self.playing = step_tables(
            flat,
            masks,
            chosen,
            to,
            self._width,
            self.players,
            self.rules,
            card_masks(),
            tables(7),
        )

    def check_or_call(self) -> Kinds:
        """For every table: Check where it is open, else Call."""
        return CALL - self.masks[:, CHECK] * np.uint8(CALL - CHECK)

    def random_actions(
        self, chance: np.random.Generator, weights: npt.ArrayLike | None = None
    ) -> tuple[Kinds, Ints]:
        """For every table an Action that is open and an amount for it: each of ``ACTIONS`` alike,
        or more often the heavier it weighs."""
        drawn = chance.random(self.masks.shape) * self.masks
        if weights is not None:
            drawn *= np.asarray(weights, np.float64)
        kinds = drawn.argmax(axis=1).astype(np.uint8)
        least, most, chip = self.least.astype(np.int64), self.most.astype(np.int64), self.rules.chip
        steps = -((least - most) // chip) + 1
        to = least + chance.integers(0, np.maximum(steps, 1)) * chip
        return kinds, np.minimum(to, most).astype(np.int32)

    # -- what it comes to --------------------------------------------------------------------

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """At which tables the hand is over."""
        over: npt.NDArray[np.bool_] = self.state[:, at.PHASE] == at.OVER_PHASE
        return over

    @property
    def net(self) -> Ints:
        """What each player has won or lost, in cents; means something where the hand is over."""
        net: Ints = self.named["stake"] - self.named["start"]
        return net

    @property
    def rewards(self) -> npt.NDArray[np.float64]:
        """The same in Big Blinds; 0 where the hand goes on."""
        return np.where(self.over[:, None], self.net / self.rules.big, 0.0)

    def acting(self) -> str:
        """What it is, in a word or two."""
        return f"{self.book.id}, {self.players} players"

    # -- states ------------------------------------------------------------------------------

    def clone(self) -> PokerBatch:
        """The same tables once more, to play on from here without them."""
        again = object.__new__(type(self))
        again.__dict__.update(self.__dict__)
        again.state, again.masks = self.state.copy(), self.masks.copy()
        again._name_views()
        return again

    def set_rows(
        self, rows: npt.NDArray[np.int64], state: State, masks: npt.NDArray[np.uint8]
    ) -> None:
        """Put these tables back to states that were copied from a batch of the same kind."""
        self.state[rows] = state
        self.masks[rows] = masks
        self.playing = int((~self.over).sum())

    def save(self) -> bytes:
        """State and masks of every table as bytes."""
        return msgspec.msgpack.encode(
            {
                "of": self._kind(),
                "seed": self.seed,
                "state": self.state.astype("<i4").tobytes(),
                "masks": self.masks.tobytes(),
                "stakes": self.stakes.astype("<i4").tobytes(),
                "fixed": self._fixed.tobytes(),
            }
        )

    def restore(self, saved: bytes) -> None:
        """Take over what was saved of a batch of the same kind."""
        try:
            kept = msgspec.msgpack.decode(saved)
            kind = kept["of"]
        except (msgspec.DecodeError, KeyError, TypeError) as error:
            raise BatchError(f"these bytes are no saved tables: {error}") from error
        if kind != self._kind():
            raise BatchError(f"the saved tables are {kind}, these are {self._kind()}")
        self.seed = kept["seed"]
        shape = self.state.shape
        self.state[:] = np.frombuffer(kept["state"], "<i4").reshape(shape)
        self.masks[:] = np.frombuffer(kept["masks"], np.uint8).reshape(self.masks.shape)
        self.stakes = np.frombuffer(kept["stakes"], "<i4").astype(np.int32).reshape(-1)
        self._fixed = np.frombuffer(kept["fixed"], np.int8).copy()
        self.playing = int((~self.over).sum())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PokerBatch):
            return NotImplemented
        return (
            self._kind() == other._kind()
            and self.seed == other.seed
            and np.array_equal(self.state, other.state)
        )

    __hash__ = None  # type: ignore[assignment]

    def _kind(self) -> str:
        return f"{self.book.id}, {len(self)} tables of {self.players}, {tuple(self.rules)}"

    # -- looking -----------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.state)

    def heading(self) -> str:
        """Book, players, tables, and how many hands are over."""
        over = int(self.over.sum())
        return f"{self.acting()}, {len(self):,} tables, {over:,} over"

    def rows(self) -> list[dict[str, Any]]:
        """What everybody may see of each table."""
        shown = ("street", "turn", "pot", "price", "least", "most")
        views = {name: self.named[name].tolist() for name in shown}
        boards, stakes = self.board.tolist(), self.named["stake"].tolist()
        return [
            {
                "table": t,
                **{name: view[t] for name, view in views.items()},
                "board": cards_text(boards[t]),
                "stakes": " ".join(on_the_table(stake) for stake in stakes[t]),
            }
            for t in range(len(self))
        ]

    def _name_views(self) -> None:
        """Views of the state by name: they follow it, and cost nothing."""
        self.named = self.state.view(row_type(self.players))[:, 0]
        """The state as a structured array: ``batch.named["stake"]`` has a row for each table."""
        self.observations: State = self.state[:, : at.seen_width(self.players)]
        """What the player to act may see; a view that the next step changes: copy what you keep."""
        self.turn: Ints = self.state[:, at.TURN]
        self.street: Ints = self.state[:, at.STREET]
        self.least: Ints = self.state[:, at.LEAST]
        self.most: Ints = self.state[:, at.MOST]
        self.board: State = self.state[:, at.BOARD : at.BOARD + 5]
        by_name = {column.name: column for column in columns(self.players)}
        rake, cards = by_name["rake"], by_name["cards"]
        self.rake: Ints = self.state[:, rake.at]
        self.cards: State = self.state[:, cards.at : cards.at + cards.width]
        """All cards of the hand, also those that nobody has seen: board, then by position."""

    # -- reading what is given ---------------------------------------------------------------

    def _deal(self, rows: npt.NDArray[np.int64]) -> int:
        playing: int = deal_tables(
            self.state.reshape(-1),
            self.masks.reshape(-1),
            rows,
            self.stakes,
            self._fixed,
            np.uint64(self.seed),
            self._width,
            self.players,
            self.rules,
            card_masks(),
            tables(7),
            np.empty(len(DECK), np.uint8),
        )
        return playing

    def _read_stakes(self, stakes: int | Sequence[int] | Ints) -> Ints:
        try:
            wide = np.broadcast_to(np.asarray(stakes, np.int64), (len(self), self.players))
        except ValueError:
            raise BatchError(
                f"stakes: one for all, {self.players} by position, or "
                f"{len(self):,} rows of {self.players}"
            ) from None
        wrong = (wide < 1) | (wide % self.rules.chip != 0)
        if wrong.any():
            first = int(wide[wrong][0])
            chip = on_the_table(self.rules.chip)
            raise BadAmount(f"stakes: {on_the_table(first)} is no whole number of chips of {chip}")
        if int(wide.sum(axis=1).max()) > MOST_MONEY:
            raise BadAmount(
                f"stakes: a table has room for {on_the_table(MOST_MONEY)} in all, not for more"
            )
        return np.ascontiguousarray(wide, np.int32).reshape(-1)

    def _read_cards(
        self,
        cards: Cards | None,
        board: str | Sequence[Card] | None,
        hands: Mapping[int, str | Sequence[Card]] | None,
    ) -> Cards:
        width = 5 + 2 * self.players
        if cards is None:
            row = [at.NO_CARD] * width
            for place, card in enumerate(indices(board or (), 5, "board")):
                row[place] = card
            for position, hand in (hands or {}).items():
                if not 0 <= position < self.players:
                    raise BatchError(f"hands: there is no position {position}")
                for place, card in enumerate(indices(hand, 2, f"hand of {position}")):
                    row[5 + 2 * position + place] = card
            cards = np.tile(np.array(row, np.int8), (len(self), 1))
        cards = whole(cards, np.int8, "cards")
        if cards.shape != (len(self), width):
            raise BatchError(f"cards: {len(self):,} rows of {width} are asked for: 5, then 2 each")
        if cards.min() < at.NO_CARD or cards.max() >= len(DECK):
            raise BatchError("cards: their indices run from 0 to 51; -1 is any card")
        ordered = np.sort(cards, axis=1)
        twice = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).any(axis=1)
        if twice.any():
            raise BatchError(f"cards: row {int(np.flatnonzero(twice)[0])} has a card twice")
        return cards

    def _why_refused(self, table: int, kind: int, to: int) -> str:
        """Which table, what was asked of it, and what is open there."""
        mask = self.masks[table]
        least, most = int(self.least[table]), int(self.most[table])
        open_now = [
            f"{word} to {on_the_table(least)}..{on_the_table(most)}"
            if number in (at.BET, at.RAISE)
            else word
            for number, word in enumerate(ACTIONS)
            if mask[number]
        ]
        asked = ACTIONS[kind] if kind < len(ACTIONS) else f"Action {kind}"
        if kind in (at.BET, at.RAISE):
            asked = f"{asked} to {on_the_table(to)}"
        return f"table {table}: {asked} is not open; open are: {', '.join(open_now)}"


def checked_seed(seed: int) -> int:
    """A seed, if it is one."""
    if not 0 <= seed < 1 << 64:
        raise BatchError(f"seed: {seed}; it is a whole number from 0 up to 64 bits")
    return seed


def whole(values: npt.ArrayLike, kind: type[Any], what: str) -> npt.NDArray[Any]:
    """Whole numbers in this type, where it has room for them: nothing is cut off or rounded."""
    given = np.asarray(values)
    if given.dtype == kind:
        return np.ascontiguousarray(given)
    if given.dtype.kind not in "iub":
        raise BatchError(f"{what}: give whole numbers, not {given.dtype}")
    room = np.iinfo(kind)
    if given.size and (given.min() < room.min or given.max() > room.max):
        raise BatchError(f"{what}: from {room.min} to {room.max} there is room, not beyond")
    return np.ascontiguousarray(given, kind)


@functools.cache
def by_index() -> tuple[Card, ...]:
    """The cards in the order of their indices."""
    return tuple(sorted(DECK, key=lambda card: card.index))


def cards_text(cards: Sequence[int]) -> str:
    """Card indices as cards are written; those that are not there are left out."""
    return " ".join(str(by_index()[card]) for card in cards if card >= 0)


def indices(cards: str | Sequence[Card], most: int, what: str) -> list[int]:
    """Cards as their indices; `??` is any card."""
    read = read_cards(cards) if isinstance(cards, str) else tuple(cards)
    if len(read) > most:
        raise BatchError(f"{what}: {len(read)} cards, at most {most}")
    return [card.index if card.is_known else at.NO_CARD for card in read]
