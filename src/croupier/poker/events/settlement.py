"""The facts of pots, showdown, settlement, and of what a ruling can do to a round."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct, structs

from croupier.cards import Card, pretty_cards
from croupier.poker.commands import Street
from croupier.table import Event, Money, Seat
from croupier.table.event import Namer, hidden
from croupier.table.money import write_money

ORDINALS = ("", "1st", "2nd", "3rd", "4th")


def listed(seats: Sequence[int], name: Namer) -> str:
    """Some seats in a sentence: `Ann (seat 1), Ben (seat 2) and Cho (seat 3)`."""
    names = [name(seat) for seat in seats]
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else "nobody"


# -- pots --------------------------------------------------------------------------------------


class Pot(Struct, frozen=True, kw_only=True):
    """A Main or Side Pot: its chips and who paid into it. Once made it is kept."""

    amount: Money
    seats: tuple[Seat, ...]
    """Who may win it, in the order of the deal, unless he folds later."""
    closed: bool = False
    """Whether one of them is All-in, so that further chips go to another pot."""


class UncalledReturned(Event, frozen=True, kw_only=True):
    """What one player alone has put in goes back to him, outside every pot."""

    seat: Seat
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{write_money(self.amount)} that nobody called go back to {name(self.seat)}."


class BettingRoundClosed(Event, frozen=True, kw_only=True):
    """A Betting Round is over and its chips are in the pots."""

    number: int
    pots: tuple[Pot, ...]
    final: bool = False
    """Whether it was the Final Betting Round."""

    def tell(self, name: Namer) -> str:
        names = ["Main Pot", *(f"Side Pot {i}" for i in range(1, len(self.pots)))]
        pots = ", ".join(
            f"{title} {write_money(pot.amount)}"
            for title, pot in zip(names, self.pots, strict=False)
        )
        final = ", the Final one," if self.final else ""
        return f"The {ORDINALS[self.number]} Betting Round{final} is over: {pots}."


class OnePlayerLeft(Event, frozen=True, kw_only=True):
    """Everybody else has folded: the Pot is his, and he need not show."""

    seat: Seat
    walk: bool = False
    """Whether nobody put in more than a Blind."""

    def tell(self, name: Namer) -> str:
        return f"Everybody else is out: {name(self.seat)} wins and need not show."


# -- the showdown ------------------------------------------------------------------------------


class ShowdownBegun(Event, frozen=True, kw_only=True):
    """Who shows, in which order; in v5 the Game Marker says SHOWDOWN."""

    order: tuple[Seat, ...]

    def tell(self, name: Namer) -> str:
        return f"Showdown. To show, in order: {listed(self.order, name)}."


class HandShown(Event, frozen=True, kw_only=True):
    """Both Hole Cards lie face up, and what they make with the board."""

    seat: Seat
    cards: tuple[Card, ...]
    hand: str
    """The best five as a sentence."""
    worth: int
    """The value of the hand, to be compared."""

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} shows {pretty_cards(self.cards)}: {self.hand}."


class ShowPrompted(Event, frozen=True, kw_only=True):
    """A player who must show does not want to; he is asked once more."""

    seat: Seat

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} must show and is asked once more."


class Mucked(Event, frozen=True, kw_only=True):
    """A hand is not shown. Who had to show it has surrendered it."""

    seat: Seat
    surrendered: bool = False

    def tell(self, name: Namer) -> str:
        how = ", although it had to be shown: it is surrendered" if self.surrendered else ""
        return f"{name(self.seat)} does not show the hand{how}."


# -- settlement --------------------------------------------------------------------------------


class RakeTaken(Event, frozen=True, kw_only=True):
    """The percentage charge: what was taken from each pot, Main Pot first, and out of how much."""

    amount: Money
    pots: tuple[Money, ...]
    bases: tuple[Money, ...]

    def tell(self, name: Namer) -> str:
        total = write_money(self.amount)
        if len(self.pots) == 1:
            return f"The Rake is {total}, of {write_money(self.bases[0])}."
        taken = " + ".join(write_money(amount) for amount in self.pots)
        return f"The Rake is {taken} = {total}."


class PotWon(Event, frozen=True, kw_only=True):
    """A pot is paid: to whom and how much. Pots are numbered from 0, the Main Pot."""

    pot: int
    shares: dict[Seat, Money]
    odd_chips: dict[Seat, Money] = {}
    """What of the shares are chips that could not be divided."""
    hand: str = ""

    def tell(self, name: Namer) -> str:
        title = f"Side Pot {self.pot}" if self.pot else "Main Pot"
        shares = " and ".join(f"{write_money(m)} to {name(s)}" for s, m in self.shares.items())
        odd = "".join(f"; the odd {write_money(m)} to {name(s)}" for s, m in self.odd_chips.items())
        hand = f" ({self.hand})" if self.hand else ""
        return f"{title}: {shares}{hand}{odd}."


class RoundEnded(Event, frozen=True, kw_only=True):
    """The Round of play is concluded; the button stands where the next one begins."""

    round: int
    button: Seat
    moved: bool = True
    """Whether the button has moved on; after some rulings it stays."""

    def tell(self, name: Namer) -> str:
        goes = "goes to" if self.moved else "stays at"
        return f"Round {self.round} is over; the button {goes} seat {self.button}."


class TimedRakeDue(Event, frozen=True, kw_only=True):
    """Another period of the timed charge is over: each of these seats owes it."""

    amount: Money
    seats: tuple[Seat, ...]
    until: datetime

    def tell(self, name: Namer) -> str:
        return (
            f"The timed Rake of {write_money(self.amount)} is due from {listed(self.seats, name)}."
        )


class TimedRakeCollected(Event, frozen=True, kw_only=True):
    """A seat has paid the timed charge."""

    seat: Seat
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} pays the timed Rake of {write_money(self.amount)}."


# -- what the definitions of section 1 allow a ruling to do ------------------------------------


class RoundVoided(Event, frozen=True, kw_only=True):
    """The Round of play has no result: every chip goes back, nothing is charged."""

    reason: str

    def tell(self, name: Namer) -> str:
        return f"The Round of play is void: {self.reason}. All bets go back."


class MisdealDeclared(Event, frozen=True, kw_only=True):
    """Bets go back, the button stays; the deck is shuffled and cut and the Round dealt again."""

    reason: str

    def tell(self, name: Namer) -> str:
        return f"Misdeal: {self.reason}. All bets go back and the Round is dealt again."


class HandDeclaredDead(Event, frozen=True, kw_only=True):
    """A hand is dead: no claim to any pot and no further turn."""

    seat: Seat
    reason: str
    final: bool = False
    """Whether the Betting Round before turns out to have been the Final one: nobody is left who
    could bet against another."""

    def tell(self, name: Namer) -> str:
        said = f"The hand of {name(self.seat)} is dead: {self.reason}."
        return f"{said} The Betting Round before was the Final one." if self.final else said


class AskedAgain(Event, frozen=True, kw_only=True):
    """The hand to which others gave theirs up unseen is dead, and nobody else claims that pot: they
    are asked again to show."""

    seats: tuple[Seat, ...]

    def tell(self, name: Namer) -> str:
        return f"Nobody has shown a hand for that pot: {listed(self.seats, name)} may show again."


class ChipsReturned(Event, frozen=True, kw_only=True):
    """Chips that a player had put in go back to his stake.

    `bet` comes from what lies in front of him, `dead` from his dead posts, `pot` from the pot that
    is `named` (1 is the Main Pot), or if none is, from the pots in order, the Main Pot first.
    """

    seat: Seat
    bet: Money = 0
    dead: Money = 0
    pot: Money = 0
    named: int = 0
    reason: str = ""

    def tell(self, name: Namer) -> str:
        back = write_money(self.bet + self.dead + self.pot)
        place = ""
        if self.named:
            place = f" from {'the Main Pot' if self.named == 1 else f'Side Pot {self.named - 1}'}"
        why = f": {self.reason}" if self.reason else ""
        return f"{back} go back to {name(self.seat)}{place}{why}."


class CardsTakenBack(Event, frozen=True, kw_only=True):
    """Community Cards are taken off the board and lie aside, face down and scrambled.

    `reopens` is the street that is due again; the Betting Round that it had opened is gone.
    """

    street: Street
    cards: tuple[Card, ...]
    reopens: bool = True

    def tell(self, name: Namer) -> str:
        if len(self.cards) == 1:
            return f"One card of the {self.street} is taken back."
        return f"{len(self.cards)} cards of the {self.street} are taken back."

    def public(self) -> Event:
        return structs.replace(self, cards=hidden(self.cards))


Place = Literal["burn", "stored burn", "board", "discard", "shoe", "hand"]


class CardsPlaced(Event, frozen=True, kw_only=True):
    """Cards that lay aside go where a ruling puts them.

    `burn`: the Burnt Card of the street. `stored burn`: kept to be the next burn. `board`: the
    street, face up. `discard`: out of play. `shoe`: back in front, the first of them the next card.
    `hand`: to a seat.
    """

    cards: tuple[Card, ...]
    place: Place
    street: Street | None = None
    seat: Seat | None = None

    def tell(self, name: Namer) -> str:
        one = len(self.cards) == 1
        many = "One card" if one else f"{len(self.cards)} cards"
        match self.place:
            case "hand" if self.seat is not None:
                return f"{many} {'goes' if one else 'go'} to {name(self.seat)}."
            case "board":
                return f"The {self.street} is {pretty_cards(self.cards)}."
            case "discard":
                return f"{many} {'is' if one else 'are'} out of play."
            case "shoe":
                return f"{many} {'goes' if one else 'go'} back in front of the shoe."
            case _:
                kept = "kept as " if self.place == "stored burn" else ""
                street = f" of the {self.street}" if self.street else ""
                return f"{many} {'is' if one else 'are'} {kept}the burn{street}."

    def public(self) -> Event:
        return self if self.place == "board" else structs.replace(self, cards=hidden(self.cards))


class PolicyChanged(Event, frozen=True, kw_only=True):
    """A ruling on what the rules mean: from now on this table reads them otherwise."""

    policy: str
    value: str

    def tell(self, name: Namer) -> str:
        return f"From now on this table reads {self.policy} as {self.value}."
