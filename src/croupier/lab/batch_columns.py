"""Where everything stands in the row of a table: one row of whole numbers is one table.

The first columns are what the player to act may see, so that observations are a view of the state
and cost nothing. Behind them stand the hidden cards and what only the kernels need. A row can be
copied, set, written to disk and compared like any array.

Players are numbered by position, 0 first: the first to the left of the button. The last one has the
button; heads-up it also has the Small Blind.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

State: TypeAlias = npt.NDArray[np.int32]

# -- what the player to act sees: one number each, then so many for each player ------------------
TURN = 0
STREET = 1
PHASE = 2
OWN = 3
BOARD = 5
POT = 10
PRICE = 11
TO_CALL = 12
LEAST = 13
MOST = 14
MINIMUM = 15
STRADDLED = 16
PLAYERS_FROM = 17
SEEN_BLOCKS = ("stake", "bet", "put_1", "put_2", "put_3", "put_4", "standing")
"""Behind him, before him in this Betting Round, put into each Betting Round that is over, and
whether he is in."""

# -- the rest, counted from the end of what is seen ----------------------------------------------
PENDING = 0
ACTIVE = 1
ALL_IN = 2
WAGERED = 3
ANSWERED = 4
FULL = 5
OPENED = 6
LAST_RAISER = 7
POTS = 8
RAKE = 9
NUMBER_LOW = 10
NUMBER_HIGH = 11
BLOCKS_FROM = 12
HIDDEN_BLOCKS = ("pot_amount", "pot_seats", "start", "paid", "value")

STRADDLE_PHASE, BETTING_PHASE, OVER_PHASE = 0, 1, 2
FOLDED, IN, IS_ALL_IN = 0, 1, 2
NOBODY = -1
NO_CARD = -1

ACTIONS = ("fold", "check", "call", "bet", "raise", "all in", "straddle", "decline straddle")
FOLD, CHECK, CALL, BET, RAISE, GO_ALL_IN, STRADDLE, DECLINE = range(8)
"""The words of a table's own commands; `bet` and `raise` take an amount, the total."""


class Column(NamedTuple):
    """A name, where it begins, and how many numbers it has."""

    name: str
    at: int
    width: int
    seen: bool
    """Whether the player to act may see it."""


def seen_width(players: int) -> int:
    """How many numbers are seen."""
    return PLAYERS_FROM + len(SEEN_BLOCKS) * players


def width(players: int) -> int:
    """How long a row is."""
    hidden = BLOCKS_FROM + len(HIDDEN_BLOCKS) * players
    return seen_width(players) + hidden + 5 + 2 * players


def columns(players: int) -> tuple[Column, ...]:
    """Every column of a row, by name."""
    found = [
        Column("turn", TURN, 1, True),
        Column("street", STREET, 1, True),
        Column("phase", PHASE, 1, True),
        Column("own", OWN, 2, True),
        Column("board", BOARD, 5, True),
        Column("pot", POT, 1, True),
        Column("price", PRICE, 1, True),
        Column("to_call", TO_CALL, 1, True),
        Column("least", LEAST, 1, True),
        Column("most", MOST, 1, True),
        Column("minimum", MINIMUM, 1, True),
        Column("straddled", STRADDLED, 1, True),
    ]
    at = PLAYERS_FROM
    for name in SEEN_BLOCKS:
        found.append(Column(name, at, players, True))
        at += players
    hidden = (
        "pending active all_in wagered answered full opened last_raiser pots rake "
        "number_low number_high"
    )
    for name in hidden.split():
        found.append(Column(name, at, 1, False))
        at += 1
    for name in HIDDEN_BLOCKS:
        found.append(Column(name, at, players, False))
        at += players
    found.append(Column("cards", at, 5 + 2 * players, False))
    return tuple(found)


def row_type(players: int, *, seen: bool = False) -> np.dtype[np.void]:
    """A structured type for rows, so that columns are read by name."""
    chosen = [column for column in columns(players) if column.seen or not seen]
    return np.dtype(
        {
            "names": [column.name for column in chosen],
            "formats": [
                np.int32 if column.width == 1 else (np.int32, (column.width,)) for column in chosen
            ],
            "offsets": [4 * column.at for column in chosen],
            "itemsize": 4 * width(players),
        }
    )


# -- the banked games ----------------------------------------------------------------------------

PASS, WAGER = 0, 1
"""The two actions of a box: fold (first decision) or check (later ones); the bet that is open."""
BANKED_COLUMNS = (
    "window",
    "own_1",
    "own_2",
    "flop_1",
    "flop_2",
    "flop_3",
    "turn",
    "river",
    "ante",
    "flop_bet",
    "turn_bet",
    "river_bet",
    "bonus",
    "progressive",
    "bet_size",
)
"""What a box sees: which decision (1 first, 2 Turn, 3 River, 0 over), the cards (`Card.index`, -1
where none lies face up), the stakes in cents, and what the bet that is open costs."""
