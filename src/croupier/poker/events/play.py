"""The facts of play: cards dealt, and the Actions of the players."""

from __future__ import annotations

from typing import Literal

from msgspec import structs

from croupier.cards import Card, pretty_cards
from croupier.poker.commands import Street
from croupier.table import Event, Money, Seat
from croupier.table.event import Namer, hidden
from croupier.table.money import write_money

# -- dealing -----------------------------------------------------------------------------------


class HoleCardsDealt(Event, frozen=True, kw_only=True):
    """The Initial Deal: each card with the seat that got it, in the order dealt."""

    to: tuple[Seat, ...]
    cards: tuple[Card, ...]
    exposed: tuple[int, ...] = ()
    """Places in that order, counted from 1, of cards that the dealer exposed."""
    as_due: bool = True
    """Whether every Player got his two cards in the right order."""

    def tell(self, name: Namer) -> str:
        shown = ", ".join(self._exposed(i - 1, name) for i in self.exposed)
        exposed = f" Exposed: {shown}." if shown else ""
        seats = len(set(self.to))
        if self.as_due:
            return f"Two cards are dealt face down to each of {seats} Players.{exposed}"
        order = ", ".join(map(str, self.to))
        return f"{len(self.to)} cards are dealt to {seats} seats, in this order: {order}.{exposed}"

    def _exposed(self, at: int, name: Namer) -> str:
        card = self.cards[at]
        return card.pretty if card.is_known else f"a card of {name(self.to[at])}"  # a real shoe

    def public(self) -> Event:
        masked = list(hidden(self.cards))
        for place in self.exposed:
            masked[place - 1] = self.cards[place - 1]
        return structs.replace(self, cards=tuple(masked))


class CardBurnt(Event, frozen=True, kw_only=True):
    """The next card is discarded face down before a street."""

    card: Card
    street: Street

    def tell(self, name: Namer) -> str:
        return f"A card is burnt before the {self.street}."

    def public(self) -> Event:
        return structs.replace(self, card=Card.UNKNOWN)


class CommunityDealt(Event, frozen=True, kw_only=True):
    """What the three streets share: the burn, the cards, and whether they lie face up."""

    cards: tuple[Card, ...]
    burnt: Card | None = None
    up: bool = True

    def _tell(self, street: str) -> str:
        burn = "" if self.burnt is not None else ", without a burn"
        up = pretty_cards(self.cards) if self.up else f"{len(self.cards)} face down"
        return f"The {street} is dealt{burn}: {up}."

    def public(self) -> Event:
        burnt = None if self.burnt is None else Card.UNKNOWN
        cards = self.cards if self.up else hidden(self.cards)
        return structs.replace(self, burnt=burnt, cards=cards)


class FlopDealt(CommunityDealt, frozen=True, kw_only=True):
    """A card is burnt, the Flop Cards are dealt and turned up; the 2nd Betting Round opens."""

    def tell(self, name: Namer) -> str:
        return self._tell("flop")


class TurnDealt(CommunityDealt, frozen=True, kw_only=True):
    """A card is burnt, the Turn Card is dealt and turned up; the 3rd Betting Round opens."""

    def tell(self, name: Namer) -> str:
        return self._tell("turn")


class RiverDealt(CommunityDealt, frozen=True, kw_only=True):
    """A card is burnt, the River Card is dealt and turned up; the 4th Betting Round opens."""

    def tell(self, name: Namer) -> str:
        return self._tell("river")


class CommunityTurnedUp(Event, frozen=True, kw_only=True):
    """Community Cards that lay face down are turned up; `all_up` opens the Betting Round."""

    street: Street
    cards: tuple[Card, ...]
    all_up: bool = True

    def tell(self, name: Namer) -> str:
        return f"The {self.street} is turned up: {pretty_cards(self.cards)}."


# -- Actions -----------------------------------------------------------------------------------


class Checked(Event, frozen=True, kw_only=True):
    """A Check."""

    seat: Seat

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} checks."


class BetPlaced(Event, frozen=True, kw_only=True):
    """A BET: the first wager of the 2nd, 3rd or 4th Betting Round."""

    seat: Seat
    to: Money
    minimum: Money
    """The smallest raise from now on."""
    all_in: bool = False

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} bets {write_money(self.to)}{_all_in(self.all_in)}."


class Called(Event, frozen=True, kw_only=True):
    """A Call: his total now, which is less than the price where he has no more."""

    seat: Seat
    to: Money
    all_in: bool = False

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} calls to {write_money(self.to)}{_all_in(self.all_in)}."


class Raised(Event, frozen=True, kw_only=True):
    """A Raise to a new total."""

    seat: Seat
    to: Money
    minimum: Money
    """The smallest raise from now on."""
    all_in: bool = False

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} raises to {write_money(self.to)}{_all_in(self.all_in)}."


AllInKind = Literal["call", "under the call", "bet", "over the call", "under the bet", "raise"]
"""What an All-in is: a Call; less than a Call; an opening BET; more than the Call and no Raise;
less than the smallest BET; a Raise."""


class WentAllIn(Event, frozen=True, kw_only=True):
    """All that was left of a stake, what it counts as, and the price that it leaves."""

    seat: Seat
    to: Money
    kind: AllInKind
    price: Money
    full: Money
    """The last full wager: what raises are measured from."""
    minimum: Money
    """The smallest raise from now on."""

    def tell(self, name: Namer) -> str:
        kinds = {
            "call": "a Call",
            "under the call": "less than the Call, so the price stays",
            "bet": "a BET",
            "over the call": "more than the Call, but not a Raise",
            "under the bet": "less than the smallest BET",
            "raise": "a Raise",
        }
        return f"{name(self.seat)} is All-in to {write_money(self.to)}: {kinds[self.kind]}."


class Folded(Event, frozen=True, kw_only=True):
    """A Fold: the hand is given up."""

    seat: Seat

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} folds."


class AllInButtonPlaced(Event, frozen=True, kw_only=True):
    """The All-in button stands before a player."""

    seat: Seat

    def tell(self, name: Namer) -> str:
        return f"The All-in button is put before {name(self.seat)}."


def _all_in(all_in: bool) -> str:
    return " and is All-in" if all_in else ""
