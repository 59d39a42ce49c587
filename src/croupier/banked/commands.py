"""The commands of a banked table, but for the reports of what went wrong (see `reports`).

A player's own command is exact: of a wrong size or at a wrong time it is refused. What was seen
to lie on the layout at a real table is entered with `ReportChips`, whatever its size. Every
player's command may also be entered by staff, as said or done by him.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from croupier.cards import Card
from croupier.table import ActorRank, Box, Command, Money

OpeningBet = Literal["ante", "bonus", "progressive"]
BetName = Literal["ante", "bonus", "progressive", "flop", "turn", "river"]
Name = Annotated[str, Meta(min_length=1)]
When = Annotated[datetime, Meta(tz=True)]


class PlayerCommand(Command, frozen=True, kw_only=True):
    """What a player does; the dealer may enter it for him."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True


# -- coming and going -----------------------------------------------------------------------------


class Sit(PlayerCommand, frozen=True, kw_only=True):
    """A player sits down at a box. `chips` is his rack where the table counts it."""

    players_may: ClassVar[bool] = True

    box: Box
    player: Name
    chips: Money | None = None

    def lacks(self) -> str:
        return "" if self.chips is not None else "Say with how many chips you sit down."


class AddChips(PlayerCommand, frozen=True, kw_only=True):
    """A player whose chips are counted buys more."""

    players_may: ClassVar[bool] = True

    player: Name
    chips: Money


class Leave(PlayerCommand, frozen=True, kw_only=True):
    """A player with no stake in the round leaves his seat and takes his chips."""

    players_may: ClassVar[bool] = True

    player: Name


class HandOver(Command, frozen=True, kw_only=True):
    """What was kept safe for a player who had walked away is handed to him."""

    players_may: ClassVar[bool] = False

    player: Name


# -- calls and opening stakes ---------------------------------------------------------------------


class CallForBets(Command, frozen=True, kw_only=True):
    """The opening call: the round begins and bets may be placed (3.2, 1.25)."""

    players_may: ClassVar[bool] = False


class PlaceAnte(PlayerCommand, frozen=True, kw_only=True):
    """Make the Ante of a box this amount in all (3.6). Given by staff, it is placed for
    `player` at his request (5.22)."""

    players_may: ClassVar[bool] = True

    box: Box
    amount: Money
    player: Name | None = None


class PlaceBonus(PlayerCommand, frozen=True, kw_only=True):
    """Make the Bonus bet of a box this amount in all (3.9)."""

    players_may: ClassVar[bool] = True

    box: Box
    amount: Money
    player: Name | None = None


class PlaceProgressive(PlayerCommand, frozen=True, kw_only=True):
    """Place the Progressive Jackpot bet of a box (3.8); the prescribed amount if none is said."""

    players_may: ClassVar[bool] = True

    box: Box
    amount: Money | None = None
    player: Name | None = None


class WithdrawBet(PlayerCommand, frozen=True, kw_only=True):
    """Take an opening stake back before close. An Ante takes Bonus and jackpot bet with it."""

    players_may: ClassVar[bool] = True

    box: Box
    bet: OpeningBet


class ReportChips(Command, frozen=True, kw_only=True):
    """Chips lie on a spot, as the dealer sees them: any amount in all, noticed or not (5.1 to
    5.4, 5.20). Before close for opening stakes, in their window for Flop, Turn and River."""

    players_may: ClassVar[bool] = False

    box: Box
    bet: BetName
    amount: Money
    player: Name | None = None


class NoticeBet(Command, frozen=True, kw_only=True):
    """The dealer notices that a bet is too large, too small, or has no Ante, and acts on it
    while its window is open; a jackpot or Bonus bet without an Ante at any time before
    settlement (5.1, 5.2, 5.4)."""

    players_may: ClassVar[bool] = False

    box: Box
    bet: BetName


class ClaimMisplacedBet(PlayerCommand, frozen=True, kw_only=True):
    """A player says that chips were meant for another spot than the one they lie on (5.20)."""

    players_may: ClassVar[bool] = True

    box: Box
    lies: BetName
    meant: BetName


class CloseBets(Command, frozen=True, kw_only=True):
    """The closing call: no more Ante, Bonus or Progressive Jackpot bets (3.10)."""

    players_may: ClassVar[bool] = False


class AcceptNotice(PlayerCommand, frozen=True, kw_only=True):
    """A player accepts that no Progressive Jackpot bets are taken or paid (5.17.2.c)."""

    players_may: ClassVar[bool] = True

    player: Name


# -- dealing --------------------------------------------------------------------------------------


class DealCommunity(Command, frozen=True, kw_only=True):
    """Shuffler: lay the packet of five Community Cards face down (3.12.1)."""

    players_may: ClassVar[bool] = False

    count: Annotated[int, Meta(ge=0, le=10)] = 5


class DealHoleCards(Command, frozen=True, kw_only=True):
    """Shoe: burn, then one card at a time clockwise until each box has two (3.11.1).
    Shuffler: a packet of two to each box (3.12.2).

    At a hand-dealt table the dealer may err: `burn = false`; `order` names the boxes as the cards
    fell, one entry for each card (with a shuffler, for each packet). `times` are the moments at
    which the boxes had their second card, where they are known singly.
    """

    players_may: ClassVar[bool] = False

    burn: bool = True
    order: tuple[Box, ...] = ()
    times: dict[Box, When] = {}


class DealFlop(Command, frozen=True, kw_only=True):
    """Shoe: burn and lay the Flop Cards face down (3.11.3)."""

    players_may: ClassVar[bool] = False

    burn: bool = True
    count: Annotated[int, Meta(ge=0, le=10)] = 3


class DealTurn(Command, frozen=True, kw_only=True):
    """Shoe: burn and lay the Turn Card face down (3.11.4)."""

    players_may: ClassVar[bool] = False

    burn: bool = True
    count: Annotated[int, Meta(ge=0, le=10)] = 1


class DealRiver(Command, frozen=True, kw_only=True):
    """Shoe: burn and lay the River Card face down (3.11.5)."""

    players_may: ClassVar[bool] = False

    burn: bool = True
    count: Annotated[int, Meta(ge=0, le=10)] = 1


class DealDealer(Command, frozen=True, kw_only=True):
    """Two cards to the dealer: with a shoe after the river, with a shuffler after the boxes."""

    players_may: ClassVar[bool] = False

    count: Annotated[int, Meta(ge=0, le=10)] = 2


class RevealFlop(Command, frozen=True, kw_only=True):
    """Turn the Flop Cards up. `cards` says which they are where the shoe is real."""

    players_may: ClassVar[bool] = False

    cards: tuple[Card, ...] = ()


class RevealTurn(Command, frozen=True, kw_only=True):
    """Turn the Turn Card up."""

    players_may: ClassVar[bool] = False

    cards: tuple[Card, ...] = ()


class RevealRiver(Command, frozen=True, kw_only=True):
    """Turn the River Card up."""

    players_may: ClassVar[bool] = False

    cards: tuple[Card, ...] = ()


class RevealDealer(Command, frozen=True, kw_only=True):
    """Turn the dealer's two cards up."""

    players_may: ClassVar[bool] = False

    cards: tuple[Card, ...] = ()


class CollectCards(Command, frozen=True, kw_only=True):
    """Take the cards of a folded box off the layout; refused while a jackpot bet needs them."""

    players_may: ClassVar[bool] = False

    box: Box


# -- the player's decisions (Look, with its `seat`, is every table's) ------------------------------


class Fold(PlayerCommand, frozen=True, kw_only=True):
    """Go no further (3.11.2.a, 3.12.3.a)."""

    players_may: ClassVar[bool] = True

    box: Box


class FlopBet(PlayerCommand, frozen=True, kw_only=True):
    """Place the Flop bet of exactly twice the Ante, having looked or blind (1.11, 3.7)."""

    players_may: ClassVar[bool] = True

    box: Box
    amount: Money | None = None


class TurnBet(PlayerCommand, frozen=True, kw_only=True):
    """Place the Turn bet of exactly the Ante (1.29)."""

    players_may: ClassVar[bool] = True

    box: Box
    amount: Money | None = None


class RiverBet(PlayerCommand, frozen=True, kw_only=True):
    """Place the River bet of exactly the Ante (1.23)."""

    players_may: ClassVar[bool] = True

    box: Box
    amount: Money | None = None


class Check(PlayerCommand, frozen=True, kw_only=True):
    """Stay in without a Turn or River bet (1.6)."""

    players_may: ClassVar[bool] = True

    box: Box


# -- showing and settling -------------------------------------------------------------------------


class RefuseToShow(PlayerCommand, frozen=True, kw_only=True):
    """At settlement the player does not reveal his cards to the dealer (4.3)."""

    players_may: ClassVar[bool] = True

    box: Box


class TableCards(PlayerCommand, frozen=True, kw_only=True):
    """The cards of a box are laid face up. `cards` says which they are where the shoe is real."""

    players_may: ClassVar[bool] = True

    box: Box
    cards: tuple[Card, ...] = ()


class Settle(Command, frozen=True, kw_only=True):
    """Compare and settle every bet of every box (3.13 to 3.17, 4.1, 4.2)."""

    players_may: ClassVar[bool] = False


class RecordClaim(Command, frozen=True, kw_only=True):
    """The jackpot hand of a box is notified, or was seen, and its cards lie face up (4.4)."""

    players_may: ClassVar[bool] = False

    box: Box


# -- rulings --------------------------------------------------------------------------------------


class CallForRuling(Command, frozen=True, kw_only=True):
    """Ask the shift manager: something is not covered, or it is not clear what is meant (5.23)."""

    players_may: ClassVar[bool] = False

    about: Literal["uncovered", "interpretation"]
    says: Name
    round: int | None = None


class UndoRuling(Command, frozen=True, kw_only=True):
    """Take the last ruling back while nothing has happened since; the log keeps both (5.23)."""

    usually_by: ClassVar[ActorRank] = ActorRank.SHIFT_MANAGER
    players_may: ClassVar[bool] = False

    reason: Name


class ReopenTable(Command, frozen=True, kw_only=True):
    """Open a table again that was closed after a jackpot fault."""

    usually_by: ClassVar[ActorRank] = ActorRank.PIT_MANAGER
    players_may: ClassVar[bool] = False
