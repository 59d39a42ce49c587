"""Actions and observations of poker as numbers, fixed: version 1.

An action is one number: the plain ones first, then a bet or raise to each whole number of chips. An
observation is what ``croupier.lab.batch_columns`` says of a row, made here from the real table; the
tests hold the two together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.env.errors import EnvError
from croupier.lab import batch_columns as at
from croupier.play import PokerPlay
from croupier.poker.state import RoundState

ENCODING = 1
PLAIN = ("fold", "check", "call", "all in", "straddle", "decline straddle")
"""The actions without an amount, by their number; then come bets and raises to 1 chip, 2 chips …"""

SIZED = ("bet", "raise")

Row = npt.NDArray[np.int32]
Mask = npt.NDArray[np.int8]


class Wager(NamedTuple):
    """What an action says: one of the options, and the total in cents where it has one."""

    do: str
    amount: int | None


class Encoding(NamedTuple):
    """The numbers of one kind of table."""

    chip: int
    most: int
    """The highest total of a wager, in chips."""

    @property
    def actions(self) -> int:
        """How many actions there are."""
        return len(PLAIN) + self.most

    def mask(self, play: PokerPlay, seat: int | None) -> Mask:
        """1 for each action that is open to a seat."""
        mask: Mask = np.zeros(self.actions, np.int8)
        if seat is None or seat != play.seat:
            return mask
        for do, offer in play.options.items():
            if do in PLAIN:
                mask[PLAIN.index(do)] = 1
            elif offer.least is not None and offer.most is not None:
                first, last = -(-offer.least // self.chip), offer.most // self.chip
                mask[len(PLAIN) + first - 1 : len(PLAIN) + last] = 1
        return mask

    def read(self, play: PokerPlay, action: int) -> Wager:
        """What an action means now: a total is a bet or a raise, whichever is open."""
        if action < len(PLAIN):
            return Wager(PLAIN[action], None)
        amount = (action - len(PLAIN) + 1) * self.chip
        return Wager("bet" if "bet" in play.options else "raise", amount)

    def write(self, do: str, amount: int | None = None) -> int:
        """The number of an action."""
        if do in PLAIN:
            return PLAIN.index(do)
        if do not in SIZED:
            raise EnvError(f"there is no {do!r}; there is {', '.join((*PLAIN, *SIZED))}")
        if amount is None or amount % self.chip or not 0 < amount <= self.most * self.chip:
            raise EnvError(
                f"{do}: {amount}; it is a whole number of chips of {self.chip}, up to "
                f"{self.most * self.chip}"
            )
        return len(PLAIN) + amount // self.chip - 1


def observe(play: PokerPlay, seat: int) -> Row:
    """What the player at a seat sees, as the columns of the batch; `own` are that player's cards
    also when it is another's turn."""
    table, state = play.table, play.table.state
    round_ = table.current_round()
    order = round_.order
    players = [round_.players[number] for number in order]
    n = len(order)
    row: Row = np.zeros(at.seen_width(n), np.int32)
    betting = round_.betting
    turn = play.seat
    straddling = state.phase == "dealing"
    row[at.TURN] = at.NOBODY if turn is None else order.index(turn)
    row[at.STREET] = betting.number
    row[at.PHASE] = (
        at.OVER_PHASE if turn is None else at.STRADDLE_PHASE if straddling else at.BETTING_PHASE
    )
    me = round_.players[seat]
    own = me.cards or me.gave_up
    row[at.OWN : at.OWN + 2] = [card.index for card in own] if me.looked else [at.NO_CARD] * 2
    board = [card.index for card in table.board()]
    row[at.BOARD : at.BOARD + 5] = board + [at.NO_CARD] * (5 - len(board))
    row[at.POT] = sum(pot.amount for pot in round_.pots)
    if turn is not None:
        _offered(play, round_, turn, row)
    if not straddling:
        row[at.PRICE], row[at.MINIMUM] = betting.price, betting.minimum
    row[at.STRADDLED] = 1 if round_.straddle is not None else 2 if round_.no_straddle_by else 0
    blocks = {name: at.PLAYERS_FROM + n * place for place, name in enumerate(at.SEEN_BLOCKS)}
    for position, (number, player) in enumerate(zip(order, players, strict=True)):
        row[blocks["stake"] + position] = state.seats[number].stake
        row[blocks["bet"] + position] = player.bet
        standing = at.FOLDED if not player.active else at.IS_ALL_IN if player.all_in else at.IN
        row[blocks["standing"] + position] = standing
    for street, put in enumerate(play.put_by_street, 1):
        begin = blocks[f"put_{street}"]
        row[begin : begin + n] = [put[number] for number in order]
    return row


def _offered(play: PokerPlay, round_: RoundState, turn: int, row: Row) -> None:
    """What a Call costs the player to act, and from where to where a wager may go."""
    for do, offer in play.options.items():
        if do == "call" and offer.least is not None:
            row[at.TO_CALL] = offer.least - round_.players[turn].bet
        elif do in ("bet", "raise"):
            row[at.LEAST], row[at.MOST] = offer.least or 0, offer.most or 0
