"""The facts before the first card: seats and stakes, button and deck, the Blinds."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from croupier.cards import Card
from croupier.table import Event, Money, Seat
from croupier.table.event import Namer
from croupier.table.money import write_money

# -- seats and stakes --------------------------------------------------------------------------


class SatDown(Event, frozen=True, kw_only=True):
    """A player has taken a seat."""

    seat: Seat
    player: str
    stake: Money

    def tell(self, name: Namer) -> str:
        return f"{self.player} sits down at seat {self.seat} with {write_money(self.stake)}."

    def crossings(self) -> tuple[tuple[str, int], ...]:
        return ((self.player, self.stake),)


class Relocated(Event, frozen=True, kw_only=True):
    """A Pit Employee has brought a player from another table."""

    seat: Seat
    player: str
    stake: Money

    def tell(self, name: Namer) -> str:
        with_stake = write_money(self.stake)
        return f"{self.player} is brought to seat {self.seat} from another table with {with_stake}."

    def crossings(self) -> tuple[tuple[str, int], ...]:
        return ((self.player, self.stake),)


class StakeAdded(Event, frozen=True, kw_only=True):
    """Chips were added to a Table Stake."""

    seat: Seat
    player: str
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} adds {write_money(self.amount)} to the stake."

    def crossings(self) -> tuple[tuple[str, int], ...]:
        return ((self.player, self.amount),)


class StakeReduced(Event, frozen=True, kw_only=True):
    """Chips were taken off a Table Stake between games (v5; the log keeps it)."""

    seat: Seat
    player: str
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} takes {write_money(self.amount)} off the table."

    def crossings(self) -> tuple[tuple[str, int], ...]:
        return ((self.player, -self.amount),)


class WentAbsent(Event, frozen=True, kw_only=True):
    """A player has left the seat for a while, or is away and gives notice of coming back."""

    seat: Seat
    returns: bool

    def tell(self, name: Namer) -> str:
        if self.returns:
            return f"{name(self.seat)} is away for a while and will be back."
        return f"{name(self.seat)} leaves the seat for a while."


class CameBack(Event, frozen=True, kw_only=True):
    """An absent player is back at his seat."""

    seat: Seat

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} is back."


class LeftTable(Event, frozen=True, kw_only=True):
    """A player has left the game with his chips, or was found to have left it."""

    seat: Seat
    player: str
    stake: Money
    found: bool = False
    missed: int = 0
    """The Big Blinds missed in a row for which he was found to have left."""

    def tell(self, name: Namer) -> str:
        if not self.found:
            return f"{name(self.seat)} leaves the game with {write_money(self.stake)}."
        why = f"has missed {self.missed} Big Blinds in a row and " if self.missed else ""
        chips = f" {write_money(self.stake)} in chips goes back." if self.stake else ""
        return (
            f"{name(self.seat)} {why}is taken to have left the game: "
            f"seat {self.seat} is given up.{chips}"
        )

    def crossings(self) -> tuple[tuple[str, int], ...]:
        return ((self.player, -self.stake),)


# -- the button and the deck -------------------------------------------------------------------


class GameStarted(Event, frozen=True, kw_only=True):
    """A new game begins; the button is not yet anybody's."""

    def tell(self, name: Namer) -> str:
        return "A new game starts."


class ButtonCardDealt(Event, frozen=True, kw_only=True):
    """A card lies face up before a player, for the draw."""

    seat: Seat
    card: Card

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} gets {self.card.pretty} face up."


class ButtonWon(Event, frozen=True, kw_only=True):
    """The highest card by rank, then suit, takes the Dealer Button."""

    seat: Seat
    card: Card

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} has the highest card, {self.card.pretty}, and gets the button."


class ButtonGiven(Event, frozen=True, kw_only=True):
    """The Dealer Button goes to the Player at the dealer's left (v5)."""

    seat: Seat

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)}, at the dealer's left, gets the button."


class ButtonCardsCollected(Event, frozen=True, kw_only=True):
    """The cards of the draw are taken back, to be shuffled with the rest."""

    cards: tuple[Card, ...]

    def tell(self, name: Namer) -> str:
        return f"The {len(self.cards)} cards of the draw are collected."


class ButtonPlaced(Event, frozen=True, kw_only=True):
    """A button that had been forgotten is put out; play goes on."""

    seat: Seat

    def tell(self, name: Namer) -> str:
        return f"The forgotten button is put before {name(self.seat)}; play goes on."


class DeckShuffled(Event, frozen=True, kw_only=True):
    """The dealer has shuffled a real deck; nobody knows its order."""

    def tell(self, name: Namer) -> str:
        return "The deck is shuffled."


class DeckCut(Event, frozen=True, kw_only=True):
    """The deck is cut and in the Card Shoe, behind its cover card."""

    cards: int

    def tell(self, name: Namer) -> str:
        return f"The deck is cut after {self.cards} cards and goes into the Card Shoe."


# -- the Blinds --------------------------------------------------------------------------------


class BlindMissed(Event, frozen=True, kw_only=True):
    """A Blind was due from a player who is away, or has no chips."""

    seat: Seat
    blind: Literal["small", "big"]
    marker: bool
    here: bool = False
    """Whether its player sits there, without chips."""

    def tell(self, name: Namer) -> str:
        why = "has no chips" if self.here else "is away"
        away = f"{name(self.seat)} {why} and misses the {self.blind.title()} Blind"
        return f"{away}; a missed Blind button is put there." if self.marker else f"{away}."


class EntrySettled(Event, frozen=True, kw_only=True):
    """What a new, relocated or returning player pays to play, or that he must wait."""

    seat: Seat
    plays: bool
    live: Money = 0
    dead: Money = 0
    button: Seat
    """Where the button stands, for one who waits until it has passed him."""

    def tell(self, name: Namer) -> str:
        if not self.plays:
            return f"{name(self.seat)} waits until the button has passed."
        pays = [f"{write_money(self.live)} live"] if self.live else []
        pays += [f"{write_money(self.dead)} dead"] if self.dead else []
        return f"{name(self.seat)} comes in and pays {' and '.join(pays) or 'nothing'}."


class EntryChosen(Event, frozen=True, kw_only=True):
    """How somebody comes in was chosen: by himself (v8 5.7.1.a), or by the House (v5)."""

    seat: Seat
    choice: str

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} comes in by this choice: {self.choice}."


class AbsenceRuled(Event, frozen=True, kw_only=True):
    """The House has said who posts when somebody is away (v5)."""

    choice: str
    blind: Literal["small", "big"] = "small"
    """Which Blind had fallen to somebody who is away."""

    def tell(self, name: Namer) -> str:
        return f"Players who are away when the {self.blind.title()} Blind is due: {self.choice}."


class SeatKept(Event, frozen=True, kw_only=True):
    """The House finds that a player who missed his Big Blinds will return; his seat is kept."""

    seat: Seat

    def tell(self, name: Namer) -> str:
        return f"The seat of {name(self.seat)} is kept."


class CallWithdrawn(Event, frozen=True, kw_only=True):
    """Somebody went away after the call and before the first Blind: the call is made anew, if there
    are two Players left."""

    def tell(self, name: Namer) -> str:
        return "The call for Blinds is withdrawn."


class BlindsCalled(Event, frozen=True, kw_only=True):
    """The Round of play begins: its book and policies, its button, its Blinds, its Players."""

    round: int
    at: datetime
    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    players: tuple[Seat, ...]
    """Who is dealt in, in the order of the deal."""
    posts: dict[Seat, Money]
    """The Blinds that are due; entry posts come on top."""
    button_out: bool = True
    superseded: bool = False
    """Whether the book had been superseded, and the table was opened knowingly."""
    policies: dict[str, str] = {}

    def tell(self, name: Namer) -> str:
        if self.small_blind is None:
            blinds = f"there is no Small Blind, the Big Blind is {name(self.big_blind)}"
        else:
            small = name(self.small_blind)
            blinds = f"the Small Blind is {small}, the Big Blind {name(self.big_blind)}"
        forgotten = "" if self.button_out else " (it is not put out)"
        superseded = " The book is superseded; the table was opened knowingly."
        return (
            f"Round {self.round} begins. The button is at seat {self.button}{forgotten}, {blinds}."
            f"{superseded if self.superseded else ''}"
        )


class BlindPosted(Event, frozen=True, kw_only=True):
    """A Blind or an entry post is placed. Dead chips go to the Pot and count towards no Call."""

    seat: Seat
    live: Money
    dead: Money = 0
    all_in: bool = False

    def tell(self, name: Namer) -> str:
        posts = [write_money(self.live)] if self.live or not self.dead else []
        posts += [f"{write_money(self.dead)} dead"] if self.dead else []
        all_in = " and is All-in" if self.all_in else ""
        return f"{name(self.seat)} posts {' and '.join(posts)}{all_in}."


class StraddlePlaced(Event, frozen=True, kw_only=True):
    """A Straddle Bet is placed; its player acts last while nobody raises."""

    seat: Seat
    to: Money
    all_in: bool = False

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} straddles to {write_money(self.to)}."


class StraddleDeclined(Event, frozen=True, kw_only=True):
    """The player who might have straddled does not."""

    seat: Seat

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} does not straddle."
