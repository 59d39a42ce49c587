"""What became of reports: facts, in the order of the rooms. Each has one text form."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from croupier.cards import Card, pretty_cards
from croupier.poker.commands import Street
from croupier.poker.events.settlement import listed
from croupier.poker.irregularities.state import HeldAct, RuledOn, Until, described
from croupier.poker.wager_seen import BoundTo, ReadAction
from croupier.table import ActorRank, Event, Money, Seat
from croupier.table.decision import by_whom
from croupier.table.event import Namer, hidden
from croupier.table.money import write_money


def _count(many: int) -> str:
    return "one" if many == 1 else str(many)


def _joined(parts: list[str]) -> list[str]:
    return [", ".join(parts)] if parts else []


# -- words and chips ---------------------------------------------------------------------------


class WagerRead(Event, frozen=True, kw_only=True):
    """What a player was seen to do, and what the book makes of it."""

    seat: Seat
    action: ReadAction
    to: Money
    """His total for the Betting Round afterwards."""
    back: Money = 0
    """Chips that he takes back."""
    owed: Money = 0
    """Chips that he has still to put in."""
    why: str

    def tell(self, name: Namer) -> str:
        read: str = self.action
        if read not in ("check", "fold", "ask again"):
            read = f"{read} to {write_money(self.to)}"
        back = f"; {write_money(self.back)} back" if self.back else ""
        owed = f"; {write_money(self.owed)} still to put in" if self.owed else ""
        return f"{name(self.seat)}: {read}{back}{owed}. {self.why}"


class PlayerBound(Event, frozen=True, kw_only=True):
    """Words without an amount bind a player to a Raise or BET: only how much is open."""

    seat: Seat
    to: BoundTo
    early: bool = False
    """Whether it was said out of turn, and binds only if that stands when the turn comes."""

    def tell(self, name: Namer) -> str:
        if self.early:
            return f"{name(self.seat)} says how much when the turn comes, if it stands."
        what = "Raise" if self.to == "raise" else "BET"
        return f"{name(self.seat)} is bound to {what}: only how much is open."


class ChipsForfeited(Event, frozen=True, kw_only=True):
    """Chips placed on the turn of a Fold go in front of the player and stay (v8 3.5.4)."""

    seat: Seat
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{write_money(self.amount)} of {name(self.seat)} stay in."


# -- out of turn, passed over ------------------------------------------------------------------


class EarlyActHeld(Event, frozen=True, kw_only=True):
    """Somebody acted before his turn: it is held until the players before him have acted."""

    seat: Seat
    action: ReadAction
    to: Money
    price: Money
    why: str
    upon: Seat | None = None
    """The seat whose early act he answers: his stands or falls with it."""

    def tell(self, name: Namer) -> str:
        upon = f" upon what {name(self.upon)} did" if self.upon is not None else ""
        return (
            f"{name(self.seat)} acts out of turn{upon}: {self.why} It is held until the turn comes."
        )


class EarlyActStands(Event, frozen=True, kw_only=True):
    """The players before him changed nothing: the early act binds him."""

    seat: Seat
    action: ReadAction
    to: Money

    def tell(self, name: Namer) -> str:
        return f"What {name(self.seat)} did out of turn is binding."


class EarlyActFell(Event, frozen=True, kw_only=True):
    """A player before him changed the price: the early act does not bind, its chips go back."""

    seat: Seat
    action: ReadAction
    back: Money

    def tell(self, name: Namer) -> str:
        back = f"; {write_money(self.back)} go back" if self.back else ""
        return f"What {name(self.seat)} did out of turn is not binding{back}."


class RaiseBarred(Event, frozen=True, kw_only=True):
    """BET and Raise are closed to a player, and an All-in above the price."""

    seat: Seat
    until: Until
    bar: tuple[str, ...]
    """The paragraphs that close them."""

    def tell(self, name: Namer) -> str:
        long = {"turn": "this turn", "betting round": "this Betting Round", "round": "the Round"}
        return f"{name(self.seat)} may not bet or raise for the rest of {long[self.until]}."

    def headline(self, name: Namer) -> str:
        """By what he may still do."""
        if self.until == "turn":  # he checked out of turn, and somebody has bet since (5.13.3)
            return f"{name(self.seat)} checked out of turn: only call or fold now, no raise."
        long = "this Betting Round" if self.until == "betting round" else "this Round"
        return f"{name(self.seat)} may only check, call or fold in {long}."


class BarsLifted(Event, frozen=True, kw_only=True):
    """A player's bars of this length have run out."""

    seat: Seat
    until: Until

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} may bet and raise again."


class TurnsPassedOver(Event, frozen=True, kw_only=True):
    """Nobody noticed that a player acted out of turn: those before him lost theirs."""

    seats: tuple[Seat, ...]
    by: Seat
    remembered: bool = False
    """Whether all that is done from now on is remembered, whoever deals (A-67)."""

    def tell(self, name: Namer) -> str:
        return f"{name(self.by)} acts and nobody says that {listed(self.seats, name)} came first."


class TurnGivenBack(Event, frozen=True, kw_only=True):
    """A player who was passed over has his turn at once.

    `held` are the acts that others took since, which now were out of turn. Without Substantial
    Action they are held; with it they stand, and only a Betting Round that they closed is open
    again.
    """

    seat: Seat
    held: tuple[HeldAct, ...] = ()
    stands: bool = False
    keeps: bool = False
    """Whether only the betting goes back, and cards, shown and dead hands stay as they are."""
    nth: int = 0
    """Which of the times that he was passed over, where it happened more than once."""
    first: tuple[Seat, ...] = ()
    """Who has been given a lost turn too, has not acted yet, and sits before him."""

    def tell(self, name: Namer) -> str:
        said = f"{name(self.seat)} was passed over and has the turn now."
        if self.first:
            said = f"{name(self.seat)} was passed over and acts after {listed(self.first, name)}."
        if self.stands:
            return f"{said} What others did since stands."
        if not self.held:
            return said
        acts = "; ".join(f"{name(act.seat)}: {described(act)}" for act in self.held)
        return f"{said} What others did since was out of turn and is held, chips and all: {acts}."


# -- what changes nothing, and the deck --------------------------------------------------------


class IrregularityNoted(Event, frozen=True, kw_only=True):
    """Something was reported, or found, that leaves the round as it is."""

    what: str
    says: str

    def tell(self, name: Namer) -> str:
        return f"Noted: {self.what}. {self.says}"


class DeckTakenBack(Event, frozen=True, kw_only=True, omit_defaults=True):
    """The deck comes out of the shoe before the Blinds are called, to be made ready anew."""

    reason: str
    misdeal: bool = True
    """Whether a card was exposed in the Cut; otherwise something is wrong with the deck itself."""

    def tell(self, name: Namer) -> str:
        if not self.misdeal:
            return f"The deck that was ready is not used: {self.reason}."
        return f"Misdeal: {self.reason}. The deck is shuffled and cut again."


class DeckConfirmed(Event, frozen=True, kw_only=True):
    """A complete deck lies ready: the old one, counted, or new cards."""

    new: bool

    def tell(self, name: Namer) -> str:
        return "New cards are put into play." if self.new else "The deck is complete: 52 cards."


# -- cards of the Initial Deal -----------------------------------------------------------------


class ExposedCardReplaced(Event, frozen=True, kw_only=True):
    """One exposed card will be the burn before the flop; its player got another (v8 5.5)."""

    seat: Seat
    card: Card
    new: Card

    def tell(self, name: Namer) -> str:
        return (
            f"{self.card.pretty} was exposed: it will be the burn before the flop, and "
            f"{name(self.seat)} gets another card."
        )

    def public(self) -> Event:
        return structs.replace(self, new=Card.UNKNOWN)


class ExposedInDeal(Event, frozen=True, kw_only=True):
    """One card was exposed in the deal and is not replaced by 5.5: it counts with the next one."""

    seat: Seat
    card: Card

    def tell(self, name: Namer) -> str:
        of = name(self.seat) or f"seat {self.seat}"
        return f"{self.card.pretty} of {of} was exposed in the deal."


class MissingCardsDealt(Event, frozen=True, kw_only=True):
    """The button gets the Hole Cards that he was short of (v8 5.6.4)."""

    seat: Seat
    cards: tuple[Card, ...]

    def tell(self, name: Namer) -> str:
        if not self.cards:  # of a real deal that was not recorded card by card
            return f"{name(self.seat)} gets what was missing."
        many = "card" if len(self.cards) == 1 else f"{len(self.cards)} cards"
        return f"{name(self.seat)} gets the missing {many}."

    def public(self) -> Event:
        return structs.replace(self, cards=hidden(self.cards))


class HandsReconstructed(Event, frozen=True, kw_only=True):
    """The cards are put back into the order in which they were meant to fall (v8 1.39).

    `hands` is what each player has now; `drawn` came out of the shoe, `back` went in front of it.
    """

    hands: dict[Seat, tuple[Card, ...]]
    drawn: tuple[Card, ...] = ()
    back: tuple[Card, ...] = ()

    def tell(self, name: Namer) -> str:
        return "The cards are put back into the order in which they were meant to fall."

    def public(self) -> Event:
        hands = {seat: hidden(cards) for seat, cards in self.hands.items()}
        return structs.replace(self, hands=hands, drawn=hidden(self.drawn), back=hidden(self.back))


# -- Community Cards ---------------------------------------------------------------------------


class EarlyCardsHeld(Event, frozen=True, kw_only=True):
    """Cards were exposed early and some have yet to act: they are told and choose (v8 5.11.1)."""

    street: Street
    cards: tuple[Card, ...]
    affected: tuple[Seat, ...]

    def tell(self, name: Namer) -> str:
        return (
            f"{pretty_cards(self.cards)} lay open too early. Tell "
            f"{listed(self.affected, name)}: unless all yet to act fold, the street goes back and "
            "is shuffled in."
        )


class EarlyCardsKept(Event, frozen=True, kw_only=True):
    """All who had yet to act have folded: the early cards stay; or one has not, and they go."""

    street: Street
    kept: bool = True

    def tell(self, name: Namer) -> str:
        if self.kept:
            return f"No hand that had yet to act is left: the early {self.street} stays."
        return (
            f"The early {self.street} goes back into the shoe; what was burnt before it stays "
            "burnt."
        )


class CardsShuffledIn(Event, frozen=True, kw_only=True):
    """Cards that were taken back are shuffled with what is left in the shoe; burns stay burnt.

    `order` is how the shoe lies now; a real one has none to tell.
    """

    street: Street
    cards: tuple[Card, ...]
    order: tuple[Card, ...] = ()
    also: tuple[Street, ...] = ()
    """Later streets that went back together with it."""

    def tell(self, name: Namer) -> str:
        many = f"{len(self.cards)} cards are" if len(self.cards) > 1 else "The card is"
        streets = " and the ".join((self.street, *self.also))
        due = "are" if self.also else "is"
        return f"{many} shuffled into the shoe; the {streets} {due} due again."

    def public(self) -> Event:
        return structs.replace(self, cards=hidden(self.cards), order=hidden(self.order))


class SurplusPutBack(Event, frozen=True, kw_only=True):
    """Surplus cards go back in front of the shoe, in the order in which they came out (A-38)."""

    street: Street
    cards: tuple[Card, ...]

    def tell(self, name: Namer) -> str:
        surplus = "A surplus card" if len(self.cards) == 1 else f"{len(self.cards)} surplus cards"
        go = "goes" if len(self.cards) == 1 else "go"
        return f"{surplus} of the {self.street} {go} back in front of the shoe."

    def public(self) -> Event:
        return structs.replace(self, cards=hidden(self.cards))


class CardsScrambled(Event, frozen=True, kw_only=True):
    """Taken-back cards are to become burn, street, next burn and discards, in this number."""

    street: Street
    burn: int = 0
    board: int = 0
    stored: int = 0
    picked: bool = True
    """Whether they are scrambled and picked at random; otherwise they go in their order."""

    def tell(self, name: Namer) -> str:
        if self.burn and not (self.board or self.stored or self.picked):
            return f"The card dealt as the {self.street} is the burn, and another is dealt."
        shares = ((self.burn, "the burn"), (self.board, f"the {self.street}"))
        parts = [f"{_count(many)} for {what}" for many, what in shares if many]
        parts += [f"{_count(self.stored)} kept as the next burn"] * bool(self.stored)
        how = "scrambled face down, to be picked at random"
        how = how if self.picked else "put into their intended order"
        return f"The cards of the {self.street} are {': '.join((how, *_joined(parts)))}."


class StreetDealtAgain(Event, frozen=True, kw_only=True):
    """What a street lacks is dealt: without a second burn, with one if there was none."""

    street: Street
    cards: tuple[Card, ...]
    burnt: Card | None = None

    def tell(self, name: Namer) -> str:
        if not self.cards:
            return f"The {self.street} lies as it should; play goes on."
        burn = "" if self.burnt is None else "A card is burnt. "
        return f"{burn}The {self.street} is dealt from the shoe: {pretty_cards(self.cards)}."

    def public(self) -> Event:
        return structs.replace(self, burnt=None if self.burnt is None else Card.UNKNOWN)


class StreetPutBack(Event, frozen=True, kw_only=True):
    """A later street and its burn go back in front of the shoe, in the order in which they came
    out, because an earlier street is put into its intended order (v8 1.39)."""

    street: Street
    cards: tuple[Card, ...]
    burnt: tuple[Card, ...] = ()

    def tell(self, name: Namer) -> str:
        go = "and its burn go" if self.burnt else "goes"
        return f"The {self.street} {go} back in front of the shoe."

    def public(self) -> Event:
        return structs.replace(self, cards=hidden(self.cards), burnt=hidden(self.burnt))


class StreetCompleted(Event, frozen=True, kw_only=True):
    """A street of which too few cards were dealt gets the missing ones; play stays where it is."""

    street: Street
    cards: tuple[Card, ...]
    up: bool = True

    def tell(self, name: Namer) -> str:
        cards = pretty_cards(self.cards) if self.up else "face down"
        return f"The {self.street} lacked {len(self.cards)}: completed from the shoe, {cards}."

    def public(self) -> Event:
        return self if self.up else structs.replace(self, cards=hidden(self.cards))


# -- shown cards -------------------------------------------------------------------------------


BY_THE_HOUSE = "who else may see them is for the House"
"""Where the book does not say when everybody sees cards that some have seen."""


class CardsShown(Event, frozen=True, kw_only=True):
    """A player has shown Hole Cards to some: the whole table may see them too."""

    seat: Seat
    cards: tuple[Card, ...]
    to: tuple[Seat, ...]
    due: str
    """When everybody sees them, in words."""

    def tell(self, name: Namer) -> str:
        if self.due == BY_THE_HOUSE:
            return f"{name(self.seat)} has shown cards: {self.due}."
        whom = listed(self.to, name) if self.to else "everybody"
        many, due = "a card", self.due
        if len(self.to) == 1:
            due = due.replace(" one of them acts ", f" {name(self.to[0])} acts ")
        if len(self.cards) > 1:
            many, due = f"{len(self.cards)} cards", due.replace(" sees it ", " sees them ")
        return f"{name(self.seat)} has shown {many} to {whom}: {due}."

    def public(self) -> Event:
        return structs.replace(self, cards=hidden(self.cards))

    def private_to(self) -> int:
        return self.seat


class ShownToAll(Event, frozen=True, kw_only=True):
    """Every player sees the cards that some had seen, and no others."""

    seat: Seat
    cards: tuple[Card, ...]

    def tell(self, name: Namer) -> str:
        return f"Everybody sees {pretty_cards(self.cards)} of {name(self.seat)}."


# -- rulings -----------------------------------------------------------------------------------


class RulingMade(Event, frozen=True, kw_only=True):
    """Somebody with the power to do so has ruled on what the book leaves open."""

    ruling: str
    details: dict[str, Any] = {}
    reason: str = ""
    who: str
    rank: ActorRank
    on: RuledOn | None = None
    """The question that it answers; of 0.9, none."""

    def tell(self, name: Namer) -> str:
        why = f", because {self.reason}" if self.reason else ""
        return f"{by_whom(self.who, self.rank)} rules: {self.ruling}{why}."

    def public(self) -> Event:
        """A card that he names may lie face down; what was done says what everybody may see."""
        unseen = {key: str(Card.UNKNOWN) for key in ("card", "cards", "new") if key in self.details}
        return structs.replace(self, details={**self.details, **unseen})


class RulingCarriedOut(Event, frozen=True, kw_only=True):
    """The ruling is carried out; it can be undone while nothing else happens."""

    def tell(self, name: Namer) -> str:
        return "The ruling is carried out."


class RulingUndone(Event, frozen=True, kw_only=True):
    """The last ruling is taken back: the table is where it stood before it."""

    reason: str
    who: str
    rank: ActorRank

    def tell(self, name: Namer) -> str:
        return f"{by_whom(self.who, self.rank)} takes the ruling back, because {self.reason}."


class ActionTakenBack(Event, frozen=True, kw_only=True):
    """The last Action is taken back: its player has his turn again."""

    seat: Seat
    alone: bool = False
    """Whether nothing but the Action goes back: what happened besides since then stays."""

    def tell(self, name: Namer) -> str:
        return f"The Action of {name(self.seat)} is taken back, with its chips."


class StoppedActionsTakenBack(Event, frozen=True, kw_only=True):
    """Actions that somebody tried to stop when he noticed an error are taken back (v8 1.48).

    They were all that had been done in this Betting Round: it is as it was when it opened.
    """

    count: int
    keeps: bool = False
    """Whether what is no part of the Actions stays: who sits where, who has looked."""
    alone: bool = False
    """Whether nothing but the Actions goes back: hands shown or declared dead since stay so."""

    def tell(self, name: Namer) -> str:
        if self.count == 1:
            return "One Action was stopped in time and is taken back, with its chips."
        return f"{self.count} Actions were stopped in time and are taken back, with their chips."


class TurnGiven(Event, frozen=True, kw_only=True):
    """A ruling gives a player the turn; the others follow as they would have."""

    seat: Seat

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} is given the turn."


class CardExchanged(Event, frozen=True, kw_only=True):
    """A ruling replaces a card by the next one of the shoe; the old one is out of play."""

    card: Card
    new: Card
    seat: Seat | None = None
    street: Street | None = None
    down: bool = False
    """Whether it lay, and the new one lies, face down."""

    def tell(self, name: Namer) -> str:
        if self.seat is not None:
            return f"A card of {name(self.seat)} is replaced."
        if self.down:
            return f"A card of the {self.street} that lay face down is replaced."
        return f"{self.card.pretty} is replaced by {self.new.pretty}."

    def public(self) -> Event:
        if not self.down:
            return self
        return structs.replace(self, card=Card.UNKNOWN, new=Card.UNKNOWN)


class CardTakenAway(Event, frozen=True, kw_only=True):
    """A ruling takes a surplus Community Card off the board; it is out of play."""

    card: Card
    street: Street
    down: bool = False
    """Whether it lay face down."""

    def tell(self, name: Namer) -> str:
        which = "A card that lay face down" if self.down else self.card.pretty
        return f"{which} is taken away from the {self.street}."

    def public(self) -> Event:
        return structs.replace(self, card=Card.UNKNOWN) if self.down else self


class HandsDownAgain(Event, frozen=True, kw_only=True):
    """A ruling has changed cards after hands were shown: all of them are shown again."""

    def tell(self, name: Namer) -> str:
        return "The hands shown are not what they were: they go down, and are shown again."


class ChipsMoved(Event, frozen=True, kw_only=True):
    """A ruling moves chips from one stake to another."""

    giver: Seat
    taker: Seat
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{write_money(self.amount)} go from {name(self.giver)} to {name(self.taker)}."
