"""What a player was seen to do, the situation in which he did it, and what the book makes of it.

Plain records: the dealer's report (`Seen`), the sizes that it is measured by (`Situation`), and the
answer (`Reading`). How the one becomes the other is in `wager_reading` (words and chips, v8) and
`wager_exact` (chips over the line, v5).
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.poker.events import AllInKind
from croupier.table import Money

Words = Literal["", "check", "bet", "call", "raise", "all in", "fold"]
"""What was said, without the figure. A figure by itself has no words."""

Order = Literal["words", "chips", "together"]
"""Which came first."""

Gesture = Literal["", "tap", "cards forward"]
"""A tap or knock on the table, or the cards pushed forward over the line."""

BoundTo = Literal["raise", "bet"]
"""What words without an amount bind a player to (v8 1.37, 1.5)."""

Chip = Annotated[int, Meta(gt=0, extra={"money": True})]


class Seen(Struct, frozen=True, kw_only=True):
    """What a player was seen and heard to do on his turn."""

    words: Words = ""
    figure: Money | None = None
    """The amount that he named: a total, unless `more`."""
    more: bool = False
    """Whether the figure clearly came on top of the price: `raise by 50`, `50 more`."""
    gesture: Gesture = ""
    chips: tuple[Chip, ...] = ()
    """The chips of his first motion, each by its denomination."""
    later: tuple[Chip, ...] = ()
    """Chips that followed in further motions."""
    first: Order = "words"
    """Which came first, where there were both."""
    clear: bool = True
    """Whether the words were clear and reasonable: a finding of staff."""
    then_folds: bool = False
    """Whether he folded on the same turn, after all this."""


class Situation(Struct, frozen=True, kw_only=True):
    """The sizes by which a wager is measured: what the player faces, has in front and has left."""

    price: int
    """L: what he must have in front of him to stay in; nothing if nobody has bet."""
    full: int
    """F: the last full wager."""
    minimum: int
    """M: the smallest raise."""
    bet: int
    """P: what he has in front of him already."""
    stake: int
    """T: what he has left."""
    big_blind: int
    raise_to: int
    """The least total of a raise."""
    may_raise: bool = True
    """Whether BET, Raise and an All-in above the price are open to him."""
    bar: tuple[str, ...] = ()
    """The paragraphs that close them."""
    bound: BoundTo | None = None
    """What he has said before on this turn, without an amount: only how much is open."""

    @property
    def owed(self) -> int:
        """C: what he still owes to Call."""
        return self.price - self.bet

    @property
    def unopened(self) -> bool:
        """Whether no wager has been made in this Betting Round."""
        return self.price == 0

    @property
    def all(self) -> int:
        """P + T: his total if he puts in all that he has."""
        return self.bet + self.stake

    def least_of(self, bound: BoundTo) -> tuple[ReadAction, int]:
        """The least that a word without an amount comes to: the minimum, or all that he has."""
        least = self.raise_to if bound == "raise" else self.big_blind
        return ("all in", self.all) if self.all <= least else (bound, least)

    def all_in_kind(self) -> AllInKind:
        """What an All-in would count as."""
        if self.unopened:
            return "under the bet" if self.all < self.big_blind else "bet"
        if self.all < self.price:
            return "under the call"
        if self.all == self.price:
            return "call"
        return "raise" if self.all >= self.raise_to else "over the call"


ReadAction = Literal["check", "bet", "call", "raise", "all in", "fold", "ask again"]
"""What the book takes him to have done. `ask again`: nothing that can be carried out; it binds him
to nothing, or to a Raise or BET whose amount is asked."""


class Reading(Struct, frozen=True, kw_only=True):
    """What the book makes of what was seen, and why."""

    action: ReadAction
    to: Money
    """His total for the Betting Round afterwards."""
    back: Money = 0
    """Chips that he takes back."""
    owed: Money = 0
    """Chips that he has still to put in."""
    binds: BoundTo | None = None
    """What he is bound to while he is asked again: only how much is open."""
    unruled: str = ""
    """What he did of which the book does not speak; the House decides then."""
    folds: bool = False
    """Whether he folds after that action, and the chips stay (v8 3.5.4)."""
    confirm: bool = False
    """Whether staff are asked to confirm it (A-17, A-18)."""
    impossible_check: bool = False
    """Whether he checked where there is a bet to answer (A-73)."""
    below_minimum: bool = False
    """Whether staff must choose between a Call and a whole raise (P-25)."""
    topics: tuple[str, ...] = ()
    """The topics that decide it, the operative one first."""
    bar: tuple[str, ...] = ()
    """The paragraphs that hold him to a Call."""
    says: str = ""
    """The reason in a sentence."""
