"""Reports: what staff found to have gone wrong, with the facts that only they know.

A report may name the `round` in which the error happened; without it, it is the one under way or
just settled. An error of an earlier round has no effect on a later one (5.19).
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from croupier.banked.commands import Name
from croupier.cards import Card
from croupier.table import ActorRank, Box, Command

Street = Literal["hole cards", "flop", "turn", "river"]
Position = Annotated[int, Meta(ge=1, le=10)]


class Report(Command, frozen=True, kw_only=True):
    """Something went wrong; given by the dealer or anybody above him."""

    players_may: ClassVar[bool] = False

    round: int | None = None


class ReportForeignCard(Report, frozen=True, kw_only=True):
    """A card was found that is not of the set in use (5.8.1)."""

    players_may: ClassVar[bool] = False

    says: str = ""


class ReportDeckCount(Report, frozen=True, kw_only=True):
    """The deck was counted and is short or over (5.8.3)."""

    players_may: ClassVar[bool] = False

    count: Annotated[int, Meta(ge=0)]


class ReportNotEnoughCards(Report, frozen=True, kw_only=True):
    """The device has not the cards to complete the round (5.8.4)."""

    players_may: ClassVar[bool] = False


class ReportNotShuffled(Report, frozen=True, kw_only=True):
    """The cards in play had not been shuffled (5.8.5)."""

    players_may: ClassVar[bool] = False


class ReportExposed(Report, frozen=True, kw_only=True):
    """The dealer exposed cards in the deal that should lie face down (5.8.2, 5.12).

    Which ones, by where they lie: `boxes = { 2 = "Kh" }`, `community = "7d"`, `dealer = "As"`,
    `burns = "4c"`; `??` for a card that nobody named.
    """

    players_may: ClassVar[bool] = False

    boxes: dict[Box, tuple[Card, ...]] = {}
    community: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()
    burns: tuple[Card, ...] = ()


class ReportWrongDeal(Report, frozen=True, kw_only=True):
    """Cards went to the wrong places (5.8.6 while nobody has looked, else 5.10).

    `affected` are the boxes whose cards are not what a correct deal had given them. `moves` says
    which whole hand would go where to put it right: `{ 1 = 2, 2 = 1 }`; nothing if that cannot be.
    Where the dealer's own hand lies wrong, `dealer_gets` is the box whose hand is the dealer's and
    `dealer_gives` the box to which the hand before the dealer belongs.
    """

    players_may: ClassVar[bool] = False

    affected: tuple[Box, ...]
    moves: dict[Box, Box] = {}
    dealer_gets: Box | None = None
    dealer_gives: Box | None = None


class ReportWrongCount(Report, frozen=True, kw_only=True):
    """A wrong number of cards: at a box (5.15), on the board or before the dealer (5.8.7).

    `box` with the `cards` it got and the other boxes `affected`; or `community`; or `dealer`.
    """

    players_may: ClassVar[bool] = False

    box: Box | None = None
    cards: Annotated[int, Meta(ge=0)] | None = None
    community: Annotated[int, Meta(ge=0)] | None = None
    dealer: Annotated[int, Meta(ge=0)] | None = None
    affected: tuple[Box, ...] = ()


class ReportMissedBurn(Report, frozen=True, kw_only=True):
    """The card ahead of a deal was not burnt (5.9)."""

    players_may: ClassVar[bool] = False

    before: Street


class ReportDealingError(Report, frozen=True, kw_only=True):
    """Any other dealing error (5.10); no `affected` boxes means all of them."""

    players_may: ClassVar[bool] = False

    says: Name
    affected: tuple[Box, ...] = ()


class ReportFaceUpCard(Report, frozen=True, kw_only=True):
    """A card was found face up in the device (5.13); it is played as the next one."""

    players_may: ClassVar[bool] = False

    card: Card


class ReportDrawnTogether(Report, frozen=True, kw_only=True):
    """Two or more cards left the shoe together and their order cannot be told (5.14).

    Where they came to lie, two places or more: the first or the last card of boxes
    (`first_cards`, `boxes`), Community Cards and cards of the dealer by their position from 1, and
    burns by the deal ahead of which they were burnt (`burns = ["flop"]`).
    """

    players_may: ClassVar[bool] = False

    boxes: tuple[Box, ...] = ()
    community: tuple[Position, ...] = ()
    first_cards: tuple[Box, ...] = ()
    burns: tuple[Street, ...] = ()
    dealer: tuple[Position, ...] = ()


class ReportExtraLook(Report, frozen=True, kw_only=True):
    """A player has looked at the hand of a further box (5.18)."""

    players_may: ClassVar[bool] = False

    box: Box


class ReportWalkAway(Command, frozen=True, kw_only=True):
    """A player with a bet in the round has walked away (5.5, 5.6)."""

    players_may: ClassVar[bool] = False

    player: Name


class ReportInterruption(Report, frozen=True, kw_only=True):
    """A technical interruption stops the round (5.7)."""

    players_may: ClassVar[bool] = False

    says: Name


class ReportJackpotFault(Report, frozen=True, kw_only=True):
    """A jackpot betting device, or the system at this table, is not fully functional (5.16, 5.17).

    `boxes` whose device is hit, none for the whole table; `unregistered` are boxes whose jackpot
    bet the system had not registered by then, which goes back. `before_looking`: it had failed
    before any player had seen their cards, and that is noticed now, when somebody has.
    """

    players_may: ClassVar[bool] = False

    boxes: tuple[Box, ...] = ()
    unregistered: tuple[Box, ...] = ()
    before_looking: bool = False


class ReportJackpotRepaired(Command, frozen=True, kw_only=True):
    """The jackpot device of this table works again; what was chosen under 5.17.2 ends."""

    usually_by: ClassVar[ActorRank] = ActorRank.PIT_MANAGER
    players_may: ClassVar[bool] = False


class ReportCardsGone(Command, frozen=True, kw_only=True):
    """The cards of a box with a jackpot bet are gone and cannot be identified (4.4, B-26)."""

    players_may: ClassVar[bool] = False

    box: Box
