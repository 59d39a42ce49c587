"""What a Round of play remembers of what went wrong in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from croupier.cards import Card
from croupier.poker.commands import Street
from croupier.poker.events import BetPlaced, Called, Checked, Folded, Raised, WentAllIn
from croupier.poker.wager_seen import ReadAction
from croupier.table import Money
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.poker.state import Act

AnAction = Checked | BetPlaced | Called | Raised | WentAllIn | Folded

Until = Literal["turn", "betting round", "round"]
"""How long a bar lasts: his next Action, the Betting Round, the Round of play."""


class HeldAct(Struct, frozen=True, kw_only=True):
    """An act out of turn: held until the players before him have acted (v8 5.13)."""

    seat: int
    action: ReadAction
    to: Money
    price: Money
    """The price when he acted, early acts before his included: if it is another one at his turn,
    the act falls."""
    upon: int | None = None
    """The seat whose early act had set that price: his falls with it (A-72)."""
    undermined: bool = False
    """Whether that act has fallen."""
    betting_round: int = 0
    """The Betting Round in which it was done."""


def described(act: HeldAct) -> str:
    """A held act in words: `raise to 90`."""
    if act.action in ("check", "fold"):
        return act.action
    return f"{act.action} to {write_money(act.to)}"


class Skip(Struct, kw_only=True):
    """A player whose turn was passed over, and all that was done since (v8 5.4, 5.14)."""

    seat: int
    betting_round: int
    before: str
    """The table before his turn was passed over."""
    since: list[AnAction] = []
    undone: list[AnAction] = []
    """What the last ruling took back of it, and brings back if it is undone."""
    ruled_at: int | None = None
    """How much had been done since when the last ruling was made: what it brought about, as an act
    whose turn it gave, goes with it if it is undone."""
    too_late: bool = False
    """Whether the next street has lain face up since, although it has gone back (A-68)."""

    def acts_since(self, acts: list[Act]) -> list[Act]:
        """What was done since, of all that was done in the Round of play."""
        return acts[len(acts) - len(self.since) :]

    def has_acted(self, acts: list[Act]) -> bool:
        """Whether he has taken an Action himself since, in the same Betting Round: then he has had
        a turn. What he does in a later one gives him none back (5.14.1)."""
        since = self.acts_since(acts)
        return any((a.seat, a.betting_round) == (self.seat, self.betting_round) for a in since)


class Bar(Struct, frozen=True, kw_only=True):
    """Paragraphs that take BET and Raise from a player, and for how long."""

    cites: tuple[str, ...]
    until: Until
    betting_round: int
    acts: int = 0
    """The player's Actions in this Round of play so far: with the next one the turn is over."""


class Right(Struct, frozen=True, kw_only=True):
    """The right of the whole table to see cards that some have seen (v8 5.15)."""

    seat: int
    cards: tuple[Card, ...]
    to: tuple[int, ...]
    """The Active Players who saw them and must not act again before everybody has."""
    at: Literal["betting round", "round"]
    """When everybody sees them at the latest: at the end of this Betting Round, or of the Round."""
    betting_round: int


class Early(Struct, frozen=True, kw_only=True):
    """Community Cards exposed too early while some had yet to act (v8 5.11.1)."""

    street: Street
    cards: tuple[Card, ...]
    affected: tuple[int, ...]


class Scramble(Struct, frozen=True, kw_only=True):
    """What taken-back cards become: so many of them, in the order of the pick."""

    street: Street
    burn: int = 0
    board: int = 0
    stored: int = 0
    """Kept as the next burn. Whatever is left is discarded."""


class ReadWager(Struct, frozen=True, kw_only=True):
    """The last reading of words and chips: what it came to and why."""

    seat: int
    action: ReadAction
    to: Money
    back: Money
    owed: Money
    why: str


class RuledOn(Struct, frozen=True, kw_only=True):
    """What was asked of whoever rules."""

    says: str
    about: dict[str, Any]
    first: str
    """The option that stands first."""


class Irregular(Struct, kw_only=True):
    """Everything that is out of the ordinary in one Round of play."""

    reading: ReadWager | None = None
    held: dict[int, HeldAct] = {}
    held_later: list[HeldAct] = []
    """Further early acts of somebody whose first one is held."""
    skips: list[Skip] = []
    remembers: bool = False
    """Whether Actions are remembered since somebody was passed over, also where the House deals."""
    bars: dict[int, list[Bar]] = {}
    rights: list[Right] = []
    shown: dict[int, list[Card]] = {}
    """Hole Cards that players have shown before the Showdown."""
    shown_after: list[tuple[int, Card]] = []
    """Those of them that the dealer had exposed before: they count as exposed in the deal."""
    held_early: list[Early] = []
    """Streets exposed too early that some who have yet to act decide over, the first one first."""
    kept_early: list[Card] = []
    """Cards exposed too early that stay, because all who had yet to act have folded."""
    taken_back: list[Street] = []
    """The streets whose cards lie aside."""
    scramble: Scramble | None = None
    deal_again: dict[Street, tuple[str, ...]] = {}
    """Streets whose missing cards are to be dealt again, each with the paragraphs that say so."""
    exposed: list[tuple[int, Card]] = []
    """Cards exposed in the deal, with the seats that got them, which have been ruled on: the next
    one is counted together with them (v8 5.3.3, v5 5.1.3)."""
    seen: bool = False
    """Whether a hand had been looked at, or shown, that has changed or gone down since."""
    board_seen: bool = False
    """Whether Community Cards lay face up that have gone back since."""
    notes: list[str] = []
    """What was reported and changed nothing."""
    rulings: list[str] = []
    opening: str = ""
    """By hand: the table before the first Action of the Betting Round."""
    before: str = ""
    """By hand: the table before the last Action, so that a ruling can take it back."""
    last: AnAction | None = None
    ruled_by: str = ""
    """The rank of whoever made the last ruling."""
    before_ruling: str = ""
    after_ruling: str = ""
    """The table as the last ruling found and left it: while play stands so, it can be undone."""
    deck_taken_up: bool = False
    """Whether the cards were counted or replaced since the last ruling: a round that it had made
    void cannot come back with them."""
    ruled_on: RuledOn | None = None
    """The question that the last ruling has answered, to be asked again if it is undone."""

    def waits_for(self, street: Street) -> bool:
        """Whether a street that is due may not be used as it lies."""
        return street in self.deal_again or any(early.street == street for early in self.held_early)
