"""The events of a banked table: what happened, and how it is told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct, structs

from croupier.banked.commands import BetName
from croupier.cards import Card, pretty_cards
from croupier.table import Box, Event, Money
from croupier.table.event import Namer, hidden
from croupier.table.money import write_money
from croupier.table.words import line_words, listed

When = Annotated[datetime, Meta(tz=True)]
Window = Literal["flop", "turn", "river"]
Result = Literal["won", "lost", "stand off", "folded", "not shown", "cancelled", "void", "no hand"]


def spot(bet: str) -> str:
    """Where the chips of a bet lie: on `Ante`, on `the coin spot`."""
    return "the coin spot" if bet == "progressive" else bet.capitalize()


def listed_boxes(boxes: Sequence[Box]) -> str:
    """`box 1`, `boxes 1, 2 and 5`; nothing if there are none."""
    if not boxes:
        return ""
    return f"{'box' if len(boxes) == 1 else 'boxes'} {listed(boxes)}"


class Payout(Struct, frozen=True, kw_only=True):
    """What became of one bet. `paid` is all that was handed over: winnings and stake back."""

    staked: Money
    won: Money = 0
    returned: Money = 0
    lost: Money = 0

    @property
    def paid(self) -> int:
        return self.won + self.returned


# -- coming and going -----------------------------------------------------------------------------


class SatDown(Event, frozen=True, kw_only=True):
    """A player sits at a box."""

    box: Box
    player: str
    chips: Money | None

    def tell(self, name: Namer) -> str:
        rack = f" with {write_money(self.chips)}" if self.chips is not None else ""
        return f"{self.player} sits down at box {self.box}{rack}."

    def crossings(self) -> tuple[tuple[str, int], ...]:
        return ((self.player, self.chips),) if self.chips is not None else ()


class ChipsAdded(Event, frozen=True, kw_only=True):
    """A player has bought more chips."""

    player: str
    chips: Money

    def tell(self, name: Namer) -> str:
        return f"{self.player} buys chips for {write_money(self.chips)}."

    def crossings(self) -> tuple[tuple[str, int], ...]:
        return ((self.player, self.chips),)


class Left(Event, frozen=True, kw_only=True):
    """A player has left the table, with what was left of his rack where it was counted."""

    player: str
    chips: Money | None = None

    def tell(self, name: Namer) -> str:
        rack = f" with {write_money(self.chips)}" if self.chips is not None else ""
        return f"{self.player} leaves the table{rack}."

    def crossings(self) -> tuple[tuple[str, int], ...]:
        return ((self.player, -self.chips),) if self.chips is not None else ()


class CameBack(Event, frozen=True, kw_only=True):
    """A player who had walked away, or left, is here again: bets anew, or sits down."""

    player: str

    def tell(self, name: Namer) -> str:
        return f"{self.player} is here again."


class HandedOver(Event, frozen=True, kw_only=True):
    """Money kept safe for a player was handed to him: added to his counted rack, or paid out."""

    player: str
    amount: Money
    paid_out: bool = False

    def tell(self, name: Namer) -> str:
        return f"{self.player} is handed {write_money(self.amount)} that was kept safe."

    def crossings(self) -> tuple[tuple[str, int], ...]:
        return ((self.player, -self.amount),) if self.paid_out else ()


# -- calls and opening stakes ---------------------------------------------------------------------


class BetsCalled(Event, frozen=True, kw_only=True):
    """The round begins: under which book, approved by whom, dealt by whom, when."""

    round: int
    rulebook: str
    version: int
    approved_by: str
    knowingly: bool
    dealer: str
    at: When

    def tell(self, name: Namer) -> str:
        marked = ", opened knowingly although not in force" if self.knowingly else ""
        return f"Round {self.round} begins under {self.rulebook}{marked}."


class OpeningBetPlaced(Event, frozen=True, kw_only=True):
    """An opening stake lies on its spot, this much in all."""

    box: Box
    player: str
    amount: Money
    placed_by: str | None = None
    """The Pit Employee who placed it for the player, if one did (5.22)."""

    def tell(self, name: Namer) -> str:
        what = spot(type(self).__name__.removesuffix("Placed").lower())
        by = f", placed by {self.placed_by}" if self.placed_by else ""
        return f"{self.player} bets {write_money(self.amount)} on {what} of box {self.box}{by}."


class AntePlaced(OpeningBetPlaced, frozen=True, kw_only=True):
    """The Ante of a box stands at this amount."""


class BonusPlaced(OpeningBetPlaced, frozen=True, kw_only=True):
    """The Bonus bet of a box stands at this amount."""


class ProgressivePlaced(OpeningBetPlaced, frozen=True, kw_only=True):
    """The Progressive Jackpot bet of a box lies on its coin spot."""


class ChipsReported(Event, frozen=True, kw_only=True):
    """Chips lie on a spot as the dealer found them: this much in all."""

    box: Box
    player: str
    bet: BetName
    amount: Money

    def tell(self, name: Namer) -> str:
        where = f"{spot(self.bet)} of box {self.box}"
        if not self.amount:
            return f"Nothing of {self.player} lies on {where}."
        return f"{write_money(self.amount)} of {self.player} lies on {where}."


class BetWithdrawn(Event, frozen=True, kw_only=True):
    """A stake was taken back by its player before its window shut."""

    box: Box
    bet: BetName
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{name(self.box)} takes {write_money(self.amount)} back from {spot(self.bet)}."


class SurplusRefused(Event, frozen=True, kw_only=True):
    """The surplus of a bet was turned away in time."""

    box: Box
    bet: BetName
    surplus: Money

    def tell(self, name: Namer) -> str:
        where = spot(self.bet)
        return f"{write_money(self.surplus)} too much on {where} goes back to {name(self.box)}."


class BetMadeUp(Event, frozen=True, kw_only=True):
    """A bet that was too small was made up to this amount in all."""

    box: Box
    bet: BetName
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{name(self.box)} makes {spot(self.bet)} up to {write_money(self.amount)}."


class BetReturned(Event, frozen=True, kw_only=True):
    """A bet that does not count was handed back."""

    box: Box
    bet: BetName
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{write_money(self.amount)} on {spot(self.bet)} is returned to {name(self.box)}."


class BetsClosed(Event, frozen=True, kw_only=True):
    """Betting has closed; what lies where now is what is settled. `dealt_in` get cards."""

    round: int
    dealt_in: tuple[Box, ...]

    def tell(self, name: Namer) -> str:
        return f"Bets are closed; dealt in: {listed_boxes(self.dealt_in) or 'nobody'}."


class NoticeAccepted(Event, frozen=True, kw_only=True):
    """A player accepts that no jackpot bets are taken or paid."""

    player: str

    def tell(self, name: Namer) -> str:
        return f"{self.player} accepts that no Progressive Jackpot bets are taken or paid."


# -- dealing --------------------------------------------------------------------------------------


_CARDS_OF = {
    "Community": "Community Cards",
    "Flop": "Flop Cards",
    "Turn": "Turn Card",
    "River": "River Card",
    "Dealer": "Dealer's cards",
}


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def how_many(cards: Sequence[Card]) -> str:
    """Cards that whoever is told does not see: `a card`, `two cards`."""
    count = len(cards)
    if count == 1:
        return "a card"
    return f"{_NUMBERS[count] if count < len(_NUMBERS) else count} cards"


def tell_cards(cards: Sequence[Card]) -> str:
    """Cards by name, or how many where none of them is seen."""
    unseen = all(card is Card.UNKNOWN for card in cards)
    return how_many(cards) if unseen else pretty_cards(cards)


class FaceDown(Event, frozen=True, kw_only=True):
    """Cards that lie face down: only the auditor ever sees them in the event."""

    cards: tuple[Card, ...]
    burn: Card | None = None

    def public(self) -> Event:
        burnt = Card.UNKNOWN if self.burn is not None else None
        return structs.replace(self, cards=hidden(self.cards), burn=burnt)

    def tell_burn(self) -> str:
        """The half sentence about the burnt card, if there was one."""
        if self.burn is None:
            return ""
        return f"{'A card' if self.burn is Card.UNKNOWN else self.burn.pretty} is burnt; "

    def tell(self, name: Namer) -> str:
        what = _CARDS_OF[type(self).__name__.removesuffix("Dealt")]
        return f"{self.tell_burn()}{what} face down: {tell_cards(self.cards)}."


class CommunityDealt(FaceDown, frozen=True, kw_only=True):
    """The packet of Community Cards lies face down."""


class FlopDealt(FaceDown, frozen=True, kw_only=True):
    """The Flop Cards lie face down."""


class TurnDealt(FaceDown, frozen=True, kw_only=True):
    """The Turn Card lies face down."""


class RiverDealt(FaceDown, frozen=True, kw_only=True):
    """The River Card lies face down."""


class DealerDealt(FaceDown, frozen=True, kw_only=True):
    """The dealer's cards lie face down."""


class HoleCardsDealt(FaceDown, frozen=True, kw_only=True):
    """The Hole Cards are out: `order` says to which box each card went."""

    order: tuple[Box, ...]
    dealt: dict[Box, When]

    def tell(self, name: Namer) -> str:
        hands: dict[int, list[Card]] = {}
        for box, card in zip(self.order, self.cards, strict=True):
            hands.setdefault(box, []).append(card)
        if Card.UNKNOWN not in self.cards:
            each = ", ".join(f"{name(box)} {pretty_cards(held)}" for box, held in hands.items())
            return f"{self.tell_burn()}Hole Cards: {each}."
        each = ", ".join(f"{name(box)} gets {tell_cards(held)}" for box, held in hands.items())
        return f"{self.tell_burn()}{each}."


class Revealed(Event, frozen=True, kw_only=True):
    """Cards are turned up."""

    cards: tuple[Card, ...]

    def tell(self, name: Namer) -> str:
        what = type(self).__name__.removesuffix("Revealed").lower()
        what = "dealer's hand" if what == "dealer" else what
        if not self.cards:
            return f"The {what} is to be shown, and no card lies there."
        return f"The {what} is shown: {pretty_cards(self.cards)}."


class FlopRevealed(Revealed, frozen=True, kw_only=True):
    """The Flop Cards are shown; the first window shuts, the second opens."""


class TurnRevealed(Revealed, frozen=True, kw_only=True):
    """The Turn Card is shown; the second window shuts, the third opens."""


class RiverRevealed(Revealed, frozen=True, kw_only=True):
    """The River Card is shown; the third window shuts."""


class DealerRevealed(Revealed, frozen=True, kw_only=True):
    """The dealer's cards are shown."""


class CardsCollected(Event, frozen=True, kw_only=True):
    """The cards of a folded box are taken off the layout."""

    box: Box

    def tell(self, name: Namer) -> str:
        return f"The folded cards of {name(self.box)} are collected."


# -- the player's decisions -----------------------------------------------------------------------


class LaterBetPlaced(Event, frozen=True, kw_only=True):
    """A Flop, Turn or River bet is placed."""

    box: Box
    amount: Money
    blind: bool = False

    def tell(self, name: Namer) -> str:
        what = type(self).__name__.removesuffix("BetPlaced")
        unseen = " without looking" if self.blind else ""
        return f"{name(self.box)} places the {what} bet of {write_money(self.amount)}{unseen}."


class FlopBetPlaced(LaterBetPlaced, frozen=True, kw_only=True):
    """The Flop bet: the box is In For The Finish."""


class TurnBetPlaced(LaterBetPlaced, frozen=True, kw_only=True):
    """The Turn bet."""


class RiverBetPlaced(LaterBetPlaced, frozen=True, kw_only=True):
    """The River bet."""


class Checked(Event, frozen=True, kw_only=True):
    """A box stays in and adds nothing."""

    box: Box
    window: Window

    def tell(self, name: Namer) -> str:
        return f"{name(self.box)} checks."


WALKED_AWAY = "its player walked away"
NOT_SHOWN = "the cards are not shown"
_AFTER_DEEMED_FOLD = {
    WALKED_AWAY: (
        ", and the Bonus bet with them; the Progressive Jackpot bet stays, as after a fold"
    ),
    NOT_SHOWN: (
        "; for the Bonus and the Progressive Jackpot bet it is for the player to show a hand that "
        "wins, else they are lost too; where the House reads it so the Bonus is lost in any case"
    ),
}
"""What becomes of the Bonus and the jackpot bet (5.5 with B-46, 4.3 with B-29)."""


class Folded(Event, frozen=True, kw_only=True):
    """A box goes no further; `deemed` says why, where its player did not say so himself."""

    box: Box
    deemed: str = ""

    def tell(self, name: Namer) -> str:
        return f"{name(self.box)} {'counts as folded: ' + self.deemed if self.deemed else 'folds'}."

    def headline(self, name: Namer) -> str:
        if not self.deemed:
            return self.tell(name)
        rest = _AFTER_DEEMED_FOLD.get(self.deemed, "")
        return (
            f"{name(self.box)} counts as folded ({self.deemed}): Ante, Flop, Turn and River bets "
            f"are lost{rest}."
        )


# -- showing and settling -------------------------------------------------------------------------


class CardsTabled(Event, frozen=True, kw_only=True):
    """The cards of a box lie face up."""

    box: Box
    cards: tuple[Card, ...]

    def tell(self, name: Namer) -> str:
        return f"The cards of {name(self.box)} lie face up: {pretty_cards(self.cards)}."

    def headline(self, name: Namer) -> str:
        return ""


class ShowingRefused(Event, frozen=True, kw_only=True):
    """A player does not reveal his cards."""

    box: Box

    def tell(self, name: Namer) -> str:
        return f"{name(self.box)} does not reveal the cards."

    def headline(self, name: Namer) -> str:
        return ""


class CardsGone(Event, frozen=True, kw_only=True):
    """The cards of a folded box with a jackpot bet cannot be identified any more."""

    box: Box

    def tell(self, name: Namer) -> str:
        return f"The folded cards of {name(self.box)} are gone and cannot be identified any more."


class BoxSettled(Event, frozen=True, kw_only=True):
    """Every bet of a box but the jackpot line is settled.

    `hand` and `dealer` are the two Five-card Hands in words where they were compared; `shown` the
    Hole Cards that lie open; `lines` the jackpot lines that the box holds, to be claimed and paid;
    `instead` a fixed line that is paid in place of a share of the meter if it is worth more.
    """

    box: Box
    result: Result
    bets: dict[BetName, Payout]
    hand: str = ""
    dealer: str = ""
    shown: tuple[Card, ...] = ()
    bonus_line: str = ""
    lines: tuple[str, ...] = ()
    instead: str = ""

    def tell(self, name: Namer) -> str:
        against = f" with {self.hand}" if self.hand else ""
        against += f" against {self.dealer}" if self.hand and self.dealer else ""
        bets = self._tell_bets()
        bets = bets[:1].upper() + bets[1:]
        return f"{name(self.box)}: {self.result}{against}. {bets}."

    def headline(self, name: Namer) -> str:
        return f"{name(self.box)} ({self.result}): {self._tell_bets()}."

    def _tell_bets(self) -> str:
        """A stake that holds a line is kept, as it pays for 1; nobody would say that it loses."""
        holds = listed(line_words(line) for line in self.lines) if self.lines else ""
        return "; ".join(
            f"Progressive Jackpot bet {write_money(payout.staked)} holds {holds}"
            if bet == "progressive" and holds
            else _tell_payout(bet, payout)
            for bet, payout in self.bets.items()
        )


def _tell_payout(bet: str, payout: Payout) -> str:
    parts = [
        f"{word} {write_money(amount)}"
        for word, amount in (
            ("wins", payout.won),
            ("gets back", payout.returned),
            ("loses", payout.lost),
        )
        if amount
    ]
    what = "Progressive Jackpot bet" if bet == "progressive" else bet.capitalize()
    return f"{what} {write_money(payout.staked)} {', '.join(parts)}"


class JackpotHandsFound(Event, frozen=True, kw_only=True):
    """These boxes hold jackpot lines; the dealer is prompted to see to the claims."""

    boxes: tuple[Box, ...]

    def tell(self, name: Namer) -> str:
        what = "Jackpot hand" if len(self.boxes) == 1 else "Jackpot hands"
        return f"{what}: {listed(name(box) for box in self.boxes)}."


class ClaimRecorded(Event, frozen=True, kw_only=True):
    """A jackpot hand is notified and its cards lie face up."""

    box: Box
    lines: tuple[str, ...]
    cards: tuple[Card, ...]

    def tell(self, name: Namer) -> str:
        cards = f" with {pretty_cards(self.cards)}" if self.cards else ""
        lines = listed(line_words(line) for line in self.lines)
        return f"The jackpot hand of {name(self.box)}{cards} is recorded: {lines}."

    def headline(self, name: Namer) -> str:
        return ""


class JackpotPaid(Event, frozen=True, kw_only=True):
    """A fixed or for-1 jackpot line is paid by the House; the meter is not touched.

    `replaces` is the share of the meter in whose place it is paid, if it is.
    """

    box: Box
    line: str
    paid: Money
    replaces: str = ""

    def tell(self, name: Namer) -> str:
        line = line_words(self.line)
        return f"{name(self.box)} is paid {write_money(self.paid)} on the jackpot line {line}."

    def headline(self, name: Namer) -> str:
        return f"{name(self.box)} is paid {write_money(self.paid)} on the Progressive Jackpot bet."


class AwardReceived(Event, frozen=True, kw_only=True):
    """A percentage line is paid from the meter, as the link has answered."""

    link: str
    box: Box
    line: str
    paid: Money
    meter_before: Money
    meter_after: Money
    registered: Money | None = None
    """The amount registered before a fault, of which it is a share (5.17.1)."""

    def tell(self, name: Namer) -> str:
        return f"{name(self.box)} is paid {write_money(self.paid)} from the Progressive Jackpot."

    def headline(self, name: Namer) -> str:
        return ""


class RoundConcluded(Event, frozen=True, kw_only=True):
    """Everybody has been settled; the round is over."""

    round: int

    def tell(self, name: Namer) -> str:
        return f"Round {self.round} is over."

    def headline(self, name: Namer) -> str:
        return ""
