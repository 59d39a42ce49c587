"""The one neutral record of a poker hand, between the formats and the table.

A reader of any format makes a `Hand`; a log of a table gives one; every writer starts from one.
Amounts are whole cents, cards are cards, seats are the numbers at the table. What a format states
and this record has no name for stays verbatim in `extra`, so that nothing is lost on the way.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from msgspec import Struct

from croupier.cards import Card
from croupier.table import Money

StreetName = Literal["preflop", "flop", "turn", "river"]
"""The four Betting Rounds by the street that opens them."""

STREETS: tuple[StreetName, ...] = ("preflop", "flop", "turn", "river")

PostKind = Literal["ante", "small blind", "big blind", "straddle", "post"]
"""Why chips are in before the first Action. `post`: to come in, or for Blinds that were missed."""

ActKind = Literal["fold", "check", "call", "bet", "raise", "show", "muck", "note"]
"""What a Player did. `note` is a remark that stands by itself, and `seat` is then 0."""


class Player(Struct, frozen=True, kw_only=True):
    """Somebody who was dealt in."""

    seat: int
    """His seat at the table."""
    name: str = ""
    """Empty where the format names nobody."""
    stack: Money | None = None
    """What he had before his first post; None where nobody noted it."""
    finishing: Money | None = None
    """What he had when the hand was over, where that is stated."""
    winnings: Money | None = None
    """What he took out of the pots, where that is stated; see `Hand.winnings_hold_uncalled`."""
    cards: tuple[Card, ...] = ()
    """His Hole Cards as dealt; `??` for a card that nobody wrote down."""
    note: str = ""
    """A remark on the deal of these cards."""


class Post(Struct, frozen=True, kw_only=True):
    """Chips that were in before the first Action, in the order in which they were placed."""

    seat: int
    kind: PostKind
    amount: Money
    """What he put in, which is less than what he owed where he had no more."""
    dead: bool = False
    """Whether it went straight into the pot and does not count towards a call."""
    all_in: bool = False


class Act(Struct, frozen=True, kw_only=True):
    """An Action, or cards shown or mucked."""

    seat: int
    do: ActKind
    to: Money = 0
    """The total in front of him in this Betting Round afterwards, live posts included."""
    by: Money = 0
    """The chips that this Action added."""
    all_in: bool = False
    """Whether it took his last chip."""
    cards: tuple[Card, ...] = ()
    """What he showed; `??` for a card shown that nobody wrote down."""
    note: str = ""
    """A remark on it."""
    cites: tuple[str, ...] = ()
    """The paragraphs of the rulebook by which it was taken, where a table of ours played it."""


class Street(Struct, frozen=True, kw_only=True):
    """One street: the Community Cards that open it, and what was done then, in order.

    Hands shown before the next card lie on the street on which they were shown.
    """

    name: StreetName
    cards: tuple[Card, ...] = ()
    """The cards dealt to open it: none, three, one, one."""
    acts: tuple[Act, ...] = ()
    note: str = ""
    """A remark on the deal of this street."""


class Pot(Struct, frozen=True, kw_only=True):
    """A pot, Main Pot first: `amount` is `rake` and all `wins` together."""

    amount: Money
    """What was in it, before the Rake and without any uncalled bet."""
    rake: Money = 0
    seats: tuple[int, ...] = ()
    """Who could win it when it was decided."""
    wins: dict[int, Money] = {}
    """What each winner took out of it."""


class Uncalled(Struct, frozen=True, kw_only=True):
    """A part of a wager that nobody called and that went back."""

    seat: int
    amount: Money
    street: StreetName


class Ruling(Struct, frozen=True, kw_only=True):
    """A decision of the House, or of a player who was asked, in the course of the hand."""

    question: str
    option: str
    reason: str = ""
    who: str = ""
    rank: str = ""
    street: StreetName | None = None
    """When it was taken; None before the Hole Cards."""
    cites: tuple[str, ...] = ()


class Hand(Struct, frozen=True, kw_only=True):
    """One Round of play of hold'em."""

    number: str | int = ""
    """What the room calls this hand: a number where it is one."""
    room: str = ""
    """The casino or site."""
    table: str = ""
    time: datetime | None = None
    """When it began; without a zone where none is known."""
    currency: str = ""
    """The code of the currency, such as `AUD`; empty for chips."""
    symbol: str = ""
    """How the currency is written, such as `$`."""
    seats: int | None = None
    """Seats of the table, occupied or not."""

    players: tuple[Player, ...]
    """In the order of the deal: clockwise from the left of the button, so the button is last."""
    button: int
    """The seat with the button; nobody need sit there."""
    small_blind: Money
    """The Small Blind of the table, also where nobody posted it."""
    big_blind: Money
    posts: tuple[Post, ...] = ()
    streets: tuple[Street, ...]
    """As far as the hand went; the first is always `preflop`."""

    pots: tuple[Pot, ...] = ()
    """As stated or as replayed; empty where nobody has worked them out."""
    uncalled: tuple[Uncalled, ...] = ()
    winnings_hold_uncalled: bool | None = None
    """Whether `Player.winnings` include what went back uncalled; None: not known."""
    rake: Money | None = None
    """The whole Rake; None where it is not stated."""

    rulebook: str = ""
    """The book by which it was played; empty for a hand from elsewhere."""
    policies: dict[str, str] = {}
    """The policies under which it was played, where a table of ours played it."""
    cites: tuple[str, ...] = ()
    """The paragraphs by which it was shown down, charged and paid."""
    rulings: tuple[Ruling, ...] = ()
    voided: str = ""
    """Why it was void; empty for a hand that counts."""
    restarts: int = 0
    """How many Misdeals it had before the deal that is told here."""

    extra: dict[str, Any] = {}
    """Fields of the source that this record has no name for, verbatim."""

    @property
    def board(self) -> tuple[Card, ...]:
        """The Community Cards in the order in which they came."""
        return tuple(card for street in self.streets for card in street.cards)

    def player(self, seat: int) -> Player:
        """Who sits at a seat."""
        for player in self.players:
            if player.seat == seat:
                return player
        raise KeyError(f"nobody was dealt in at seat {seat}")
