"""The facts of a poker table, in the order of play. Each has one text form: `flop dealt`.

An event carries whatever applying it needs, so that a log replays without deciding anything again.
Cards that lie face down are masked for everybody (`public`).
"""

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


# -- seats and stakes --------------------------------------------------------------------------


class SatDown(Event, frozen=True, kw_only=True):
    """A player has taken a seat."""

    seat: Seat
    player: str
    stake: Money

    def tell(self, name: Namer) -> str:
        return f"{self.player} sits down at seat {self.seat} with {write_money(self.stake)}."


class Relocated(Event, frozen=True, kw_only=True):
    """A Pit Employee has brought a player from another table."""

    seat: Seat
    player: str
    stake: Money

    def tell(self, name: Namer) -> str:
        with_stake = write_money(self.stake)
        return f"{self.player} is brought to seat {self.seat} from another table with {with_stake}."


class StakeAdded(Event, frozen=True, kw_only=True):
    """Chips were added to a Table Stake."""

    seat: Seat
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} adds {write_money(self.amount)} to his stake."


class StakeReduced(Event, frozen=True, kw_only=True):
    """Chips were taken off a Table Stake between games (v5; the log keeps it)."""

    seat: Seat
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} takes {write_money(self.amount)} off the table."


class WentAbsent(Event, frozen=True, kw_only=True):
    """A player has left his seat for a while."""

    seat: Seat
    returns: bool

    def tell(self, name: Namer) -> str:
        says = " and says that he will be back" if self.returns else ""
        return f"{name(self.seat)} leaves his seat for a while{says}."


class CameBack(Event, frozen=True, kw_only=True):
    """An absent player is back at his seat."""

    seat: Seat

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} is back."


class LeftTable(Event, frozen=True, kw_only=True):
    """A player has left the game with his chips, or was found to have left it."""

    seat: Seat
    stake: Money
    found: bool = False

    def tell(self, name: Namer) -> str:
        how = "is taken to have left" if self.found else "leaves"
        return f"{name(self.seat)} {how} the game with {write_money(self.stake)}."


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
    """A Blind was due from a player who is away."""

    seat: Seat
    blind: Literal["small", "big"]
    marker: bool

    def tell(self, name: Namer) -> str:
        marker = "; a missed Blind button is put at his place" if self.marker else ""
        return f"{name(self.seat)} is away and misses the {self.blind.title()} Blind{marker}."


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
            return f"{name(self.seat)} waits until the button has passed him."
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

    def tell(self, name: Namer) -> str:
        return f"Players who are away: {self.choice}."


class SeatKept(Event, frozen=True, kw_only=True):
    """The House finds that an absent player will return; his seat is kept."""

    seat: Seat

    def tell(self, name: Namer) -> str:
        return f"The seat of {name(self.seat)} is kept for him."


class CallWithdrawn(Event, frozen=True, kw_only=True):
    """Somebody went away after the call and before the first Blind: the call is made anew."""

    def tell(self, name: Namer) -> str:
        return "The call for Blinds is withdrawn and made anew."


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
        small = name(self.small_blind) if self.small_blind is not None else "nobody"
        forgotten = "" if self.button_out else " (it is not put out)"
        superseded = " The book is superseded; the table was opened knowingly."
        return (
            f"Round {self.round} begins. The button is at seat {self.button}{forgotten}, the Small "
            f"Blind is {small}, the Big Blind {name(self.big_blind)}."
            f"{superseded if self.superseded else ''}"
        )


class BlindPosted(Event, frozen=True, kw_only=True):
    """A Blind or an entry post is placed. Dead chips go to the Pot and count towards no Call."""

    seat: Seat
    live: Money
    dead: Money = 0
    all_in: bool = False

    def tell(self, name: Namer) -> str:
        dead = f" and {write_money(self.dead)} dead" if self.dead else ""
        all_in = " and is All-in" if self.all_in else ""
        return f"{name(self.seat)} posts {write_money(self.live)}{dead}{all_in}."


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
        shown = ", ".join(self.cards[i - 1].pretty for i in self.exposed)
        exposed = f" Exposed: {shown}." if shown else ""
        seats = len(set(self.to))
        if self.as_due:
            return f"Two cards are dealt face down to each of {seats} Players.{exposed}"
        return f"{len(self.to)} cards are dealt to {seats} seats: {list(self.to)}.{exposed}"

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
        return f"Only {name(self.seat)} is left; he wins and need not show."


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
        how = ", although he had to show: it is surrendered" if self.surrendered else ""
        return f"{name(self.seat)} does not show his hand{how}."


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

    def tell(self, name: Namer) -> str:
        return f"The hand of {name(self.seat)} is dead: {self.reason}."


class ChipsReturned(Event, frozen=True, kw_only=True):
    """Chips that a player had put in go back to his stake.

    `bet` comes from what lies in front of him, `dead` from his dead posts, `pot` from the Main Pot.
    """

    seat: Seat
    bet: Money = 0
    dead: Money = 0
    pot: Money = 0
    reason: str = ""

    def tell(self, name: Namer) -> str:
        back = write_money(self.bet + self.dead + self.pot)
        return f"{back} go back to {name(self.seat)}{': ' + self.reason if self.reason else ''}."


class CardsTakenBack(Event, frozen=True, kw_only=True):
    """Community Cards are taken off the board and lie aside, face down and scrambled.

    `reopens` is the street that is due again; the Betting Round that it had opened is gone.
    """

    street: Street
    cards: tuple[Card, ...]
    reopens: bool = True

    def tell(self, name: Namer) -> str:
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
        many = f"{len(self.cards)} card{'s' if len(self.cards) > 1 else ''}"
        if self.place == "hand" and self.seat is not None:
            return f"{many} go to {name(self.seat)}."
        where = f"{self.place} of the {self.street}" if self.street else self.place
        shown = f": {pretty_cards(self.cards)}" if self.place == "board" else ""
        return f"{many} become the {where}{shown}."

    def public(self) -> Event:
        return self if self.place == "board" else structs.replace(self, cards=hidden(self.cards))


class PolicyChanged(Event, frozen=True, kw_only=True):
    """A ruling on what the rules mean: from now on this table reads them otherwise."""

    policy: str
    value: str

    def tell(self, name: Namer) -> str:
        return f"From now on this table reads {self.policy} as {self.value}."


def _all_in(all_in: bool) -> str:
    return " and is All-in" if all_in else ""
