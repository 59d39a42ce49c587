"""The orders of a poker table, in the order of play. Each has one text form: `deal flop`.

Players' own commands are exact: out of turn or of a wrong size they are refused. The dealer's acts
are commands too; at a by-hand table they may be wrong, and the table carries on until somebody
reports it. What a player was seen to do, in words and chips, is in `wagers`; what went wrong, in
`irregularities`.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from croupier.cards import Card
from croupier.table import ActorRank, Command, Money, Seat

Name = Annotated[str, Meta(min_length=1)]

CUT_IN_THE_MIDDLE = 26
"""Where the House cuts: the deck is shuffled, so one place is as good as another."""


# -- seats and stakes --------------------------------------------------------------------------


class Sit(Command, frozen=True, kw_only=True):
    """A player takes a seat and puts his Table Stake in plain sight."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat
    player: Name
    stake: Money


class Relocate(Command, frozen=True, kw_only=True):
    """A Pit Employee brings a player from another table to a seat here, with his stake."""

    players_may: ClassVar[bool] = False

    seat: Seat
    player: Name
    stake: Money


class TopUp(Command, frozen=True, kw_only=True):
    """A player adds chips to his Table Stake."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat
    amount: Money


class ReduceStake(Command, frozen=True, kw_only=True):
    """A player wants to take chips off the table and keep his seat."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat
    amount: Money


class SitOut(Command, frozen=True, kw_only=True):
    """A player leaves his seat for a while; his chips stay.

    `returns` says that he has told the House of his intention to come back.
    """

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat
    returns: bool = False


class ReturnToSeat(Command, frozen=True, kw_only=True):
    """An absent player is back at his seat; what he owes is settled when the Blinds are called."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat


class Leave(Command, frozen=True, kw_only=True):
    """A player leaves the game with all his chips."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat


# -- the button and the deck -------------------------------------------------------------------


class StartGame(Command, frozen=True, kw_only=True):
    """The dealer starts a new game at the table."""

    players_may: ClassVar[bool] = False


class DealForButton(Command, frozen=True, kw_only=True):
    """The dealer gives each Seated Player one card face up, from his left (v8 3.8).

    `cards` reports them in that order where the shoe is a real one.
    """

    players_may: ClassVar[bool] = False

    cards: tuple[Card, ...] = ()


class PlaceButton(Command, frozen=True, kw_only=True):
    """The dealer puts out the button that he forgot at the commencement of play (v8 3.8)."""

    players_may: ClassVar[bool] = False


class Shuffle(Command, frozen=True, kw_only=True):
    """The dealer collects all cards and shuffles the deck for the next Round of play."""

    players_may: ClassVar[bool] = False


class Cut(Command, frozen=True, kw_only=True):
    """The dealer cuts the shuffled deck: so many cards from the top go to the bottom."""

    players_may: ClassVar[bool] = False

    cards: Annotated[int, Meta(ge=1, le=51)] = CUT_IN_THE_MIDDLE


# -- the Blinds --------------------------------------------------------------------------------


class CallForBlinds(Command, frozen=True, kw_only=True):
    """The dealer calls for the Blinds: the Round of play begins.

    `button_out` is false where the dealer forgot to put the button out.
    """

    players_may: ClassVar[bool] = False

    button_out: bool = True


class PostBlinds(Command, frozen=True, kw_only=True):
    """Everybody who still owes a Blind or an entry post places it."""

    players_may: ClassVar[bool] = False


class PostBlind(Command, frozen=True, kw_only=True):
    """One player places the Blind, or the entry post, that he owes."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat


class Straddle(Command, frozen=True, kw_only=True):
    """The player to the left of the Big Blind places a Straddle Bet (v8 3.10).

    `to` is what he puts out; without it, the one amount that the book allows.
    """

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat
    to: Money | None = None


class DeclineStraddle(Command, frozen=True, kw_only=True):
    """The player who may straddle does not, so that the dealer need not wait."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat


# -- dealing -----------------------------------------------------------------------------------


class DealHoleCards(Command, frozen=True, kw_only=True):
    """The dealer deals the Hole Cards one by one, clockwise from the left of the button.

    `to` is the seat of each card in the order dealt, where it was not the right one (by hand).
    `exposed` are the places in that order, counted from 1, of cards that the dealer exposed.
    `cards` reports the cards in that order where the shoe is a real one (`??` if unseen).
    """

    players_may: ClassVar[bool] = False

    to: tuple[Seat, ...] = ()
    exposed: tuple[int, ...] = ()
    cards: tuple[Card, ...] = ()


class Burn(Command, frozen=True, kw_only=True):
    """The dealer discards the next card as the Burnt Card, by itself (by hand)."""

    players_may: ClassVar[bool] = False

    card: Card | None = None


class DealFlop(Command, frozen=True, kw_only=True):
    """The dealer burns a card, deals the Flop Cards and turns them up.

    By hand it may go wrong: without a burn, with another number of cards, left face down, or
    while the 1st Betting Round is still open. `faces` reports the cards of a real shoe.
    """

    players_may: ClassVar[bool] = False

    burn: bool = True
    count: Annotated[int, Meta(ge=1)] = 3
    turn_up: bool = True
    faces: tuple[Card, ...] = ()


class DealTurn(Command, frozen=True, kw_only=True):
    """The dealer burns a card, deals the Turn Card and turns it up. See `DealFlop`."""

    players_may: ClassVar[bool] = False

    burn: bool = True
    count: Annotated[int, Meta(ge=1)] = 1
    turn_up: bool = True
    faces: tuple[Card, ...] = ()


class DealRiver(Command, frozen=True, kw_only=True):
    """The dealer burns a card, deals the River Card and turns it up. See `DealFlop`."""

    players_may: ClassVar[bool] = False

    burn: bool = True
    count: Annotated[int, Meta(ge=1)] = 1
    turn_up: bool = True
    faces: tuple[Card, ...] = ()


class TurnUp(Command, frozen=True, kw_only=True):
    """The dealer turns up the Community Cards that lie face down (by hand).

    `count` turns up only so many of them, from the left. `faces` reports what a real shoe gave.
    """

    players_may: ClassVar[bool] = False

    count: Annotated[int, Meta(ge=1)] | None = None
    faces: tuple[Card, ...] = ()


# -- Actions -----------------------------------------------------------------------------------


class Check(Command, frozen=True, kw_only=True):
    """A player does not bet, and keeps all his rights."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat


class Bet(Command, frozen=True, kw_only=True):
    """The first wager of the 2nd, 3rd or 4th Betting Round: a BET to this total."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat
    to: Money


class Call(Command, frozen=True, kw_only=True):
    """A player matches the price, with all he has if he has no more."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat


class Raise(Command, frozen=True, kw_only=True):
    """A player raises to this total for the Betting Round. It is always a total, never a step."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat
    to: Money


class AllIn(Command, frozen=True, kw_only=True):
    """A player puts in all that is left of his stake; the book says what that is."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat


class Fold(Command, frozen=True, kw_only=True):
    """A player gives up his hand."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat


class PlaceAllInButton(Command, frozen=True, kw_only=True):
    """The dealer puts the All-in button before a player who is All-in (by hand)."""

    players_may: ClassVar[bool] = False

    seat: Seat


# -- the showdown ------------------------------------------------------------------------------


class FlipMarker(Command, frozen=True, kw_only=True):
    """The dealer flips the Game Marker to SHOWDOWN (v5 3.13)."""

    players_may: ClassVar[bool] = False


class ShowHands(Command, frozen=True, kw_only=True):
    """The dealer calls for the hands: in order, everybody shows who must and mucks who may."""

    players_may: ClassVar[bool] = False


class ShowHand(Command, frozen=True, kw_only=True):
    """A player shows both his Hole Cards. `cards` reports them where the shoe is a real one."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat
    cards: tuple[Card, ...] = ()


class Muck(Command, frozen=True, kw_only=True):
    """A player does not show his hand. Who must show is asked once more first."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat


# -- settlement --------------------------------------------------------------------------------


class Settle(Command, frozen=True, kw_only=True):
    """The dealer takes the Rake and pays the pots; the Round of play is concluded.

    `smallest_chips` is the smallest chip seen in each pot, Main Pot first (v8 4.5); without it the
    table's smallest chip counts.
    """

    players_may: ClassVar[bool] = False

    smallest_chips: tuple[Money, ...] = ()


class CollectTimedRake(Command, frozen=True, kw_only=True):
    """The dealer collects the timed charge that a seat owes, between Rounds of play."""

    players_may: ClassVar[bool] = False

    seat: Seat


class DividePot(Command, frozen=True, kw_only=True):
    """Players ask to share the Pot by agreement. No book allows it."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat


Street = Literal["flop", "turn", "river"]
STREETS: tuple[Street, ...] = ("flop", "turn", "river")
