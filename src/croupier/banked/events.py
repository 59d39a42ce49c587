"""The events of a banked table: what happened, and how it is told."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct, structs

from croupier.banked.commands import BetName
from croupier.cards import Card, pretty_cards
from croupier.table import Box, Event, Money
from croupier.table.event import Namer, hidden
from croupier.table.money import write_money

When = Annotated[datetime, Meta(tz=True)]
Window = Literal["flop", "turn", "river"]
Result = Literal["won", "lost", "stand off", "folded", "not shown", "cancelled", "void", "no hand"]


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


class ChipsAdded(Event, frozen=True, kw_only=True):
    """A player has bought more chips."""

    player: str
    chips: Money

    def tell(self, name: Namer) -> str:
        return f"{self.player} buys chips for {write_money(self.chips)}."


class Left(Event, frozen=True, kw_only=True):
    """A player has left the table."""

    player: str

    def tell(self, name: Namer) -> str:
        return f"{self.player} leaves the table."


class HandedOver(Event, frozen=True, kw_only=True):
    """Money kept safe for a player was handed to him."""

    player: str
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{self.player} is handed {write_money(self.amount)} that was kept safe for him."


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
        what = type(self).__name__.removesuffix("Placed")
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
        return f"{write_money(self.amount)} of {self.player} lies on {self.bet} of box {self.box}."


class BetWithdrawn(Event, frozen=True, kw_only=True):
    """A stake was taken back by its player before its window shut."""

    box: Box
    bet: BetName
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{name(self.box)} takes {write_money(self.amount)} back from {self.bet}."


class SurplusRefused(Event, frozen=True, kw_only=True):
    """The surplus of a bet was turned away in time."""

    box: Box
    bet: BetName
    surplus: Money

    def tell(self, name: Namer) -> str:
        return f"{write_money(self.surplus)} too much on {self.bet} goes back to {name(self.box)}."


class BetMadeUp(Event, frozen=True, kw_only=True):
    """A bet that was too small was made up to this amount in all."""

    box: Box
    bet: BetName
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{name(self.box)} makes {self.bet} up to {write_money(self.amount)}."


class BetReturned(Event, frozen=True, kw_only=True):
    """A bet that does not count was handed back."""

    box: Box
    bet: BetName
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{write_money(self.amount)} on {self.bet} is returned to {name(self.box)}."


class BetsClosed(Event, frozen=True, kw_only=True):
    """Betting has closed; what lies where now is what is settled. `dealt_in` get cards."""

    round: int
    dealt_in: tuple[Box, ...]

    def tell(self, name: Namer) -> str:
        dealt_in = ", ".join(str(box) for box in self.dealt_in)
        return f"Bets are closed; dealt in: {f'box {dealt_in}' if dealt_in else 'nobody'}."


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


class FaceDown(Event, frozen=True, kw_only=True):
    """Cards that lie face down: only the auditor ever sees them in the event."""

    cards: tuple[Card, ...]
    burn: Card | None = None

    def public(self) -> Event:
        burnt = Card.UNKNOWN if self.burn is not None else None
        return structs.replace(self, cards=hidden(self.cards), burn=burnt)

    def tell(self, name: Namer) -> str:
        burnt = f"{self.burn.pretty} is burnt; " if self.burn is not None else ""
        what = _CARDS_OF[type(self).__name__.removesuffix("Dealt")]
        return f"{burnt}{what} face down: {pretty_cards(self.cards) or 'no card'}."


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
        burnt = f"{self.burn.pretty} is burnt; " if self.burn is not None else ""
        hands: dict[int, list[Card]] = {}
        for box, card in zip(self.order, self.cards, strict=True):
            hands.setdefault(box, []).append(card)
        each = ", ".join(f"{name(box)} {pretty_cards(held)}" for box, held in hands.items())
        return f"{burnt}Hole Cards: {each}."


class Revealed(Event, frozen=True, kw_only=True):
    """Cards are turned up."""

    cards: tuple[Card, ...]

    def tell(self, name: Namer) -> str:
        what = type(self).__name__.removesuffix("Revealed").lower()
        what = "dealer's hand" if what == "dealer" else what
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


class Folded(Event, frozen=True, kw_only=True):
    """A box goes no further; `deemed` says why, where its player did not say so himself."""

    box: Box
    deemed: str = ""

    def tell(self, name: Namer) -> str:
        return f"{name(self.box)} {'counts as folded: ' + self.deemed if self.deemed else 'folds'}."


# -- showing and settling -------------------------------------------------------------------------


class CardsTabled(Event, frozen=True, kw_only=True):
    """The cards of a box lie face up."""

    box: Box
    cards: tuple[Card, ...]

    def tell(self, name: Namer) -> str:
        return f"The cards of {name(self.box)} lie face up: {pretty_cards(self.cards)}."


class ShowingRefused(Event, frozen=True, kw_only=True):
    """A player does not reveal his cards."""

    box: Box

    def tell(self, name: Namer) -> str:
        return f"{name(self.box)} does not reveal his cards."


class CardsGone(Event, frozen=True, kw_only=True):
    """The cards of a folded box with a jackpot bet cannot be identified any more."""

    box: Box


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
        bets = "; ".join(_tell_payout(bet, p) for bet, p in self.bets.items())
        return f"{name(self.box)}: {self.result}{against}. {bets}."


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
    return f"{bet} {write_money(payout.staked)} {', '.join(parts)}"


class JackpotHandsFound(Event, frozen=True, kw_only=True):
    """These boxes hold jackpot lines; the dealer is prompted to see to the claims."""

    boxes: tuple[Box, ...]

    def tell(self, name: Namer) -> str:
        return f"Jackpot hands: {', '.join(name(box) for box in self.boxes)}."


class ClaimRecorded(Event, frozen=True, kw_only=True):
    """A jackpot hand is notified and its cards lie face up."""

    box: Box
    lines: tuple[str, ...]
    cards: tuple[Card, ...]

    def tell(self, name: Namer) -> str:
        return f"The jackpot hand of {name(self.box)} is recorded: {', '.join(self.lines)}."


class JackpotPaid(Event, frozen=True, kw_only=True):
    """A fixed or for-1 jackpot line is paid by the House; the meter is not touched.

    `replaces` is the share of the meter in whose place it is paid, if it is.
    """

    box: Box
    line: str
    paid: Money
    replaces: str = ""

    def tell(self, name: Namer) -> str:
        return f"{name(self.box)} is paid {write_money(self.paid)} on jackpot line {self.line}."


class AwardReceived(Event, frozen=True, kw_only=True):
    """A percentage line is paid from the meter, as the link has answered."""

    link: str
    box: Box
    line: str
    paid: Money
    meter_before: Money
    meter_after: Money

    def tell(self, name: Namer) -> str:
        return f"{name(self.box)} is paid {write_money(self.paid)} from the Progressive Jackpot."


class RoundConcluded(Event, frozen=True, kw_only=True):
    """Everybody has been settled; the round is over."""

    round: int

    def tell(self, name: Namer) -> str:
        return f"Round {self.round} is over."


# -- irregularities -------------------------------------------------------------------------------


class IrregularityReported(Event, frozen=True, kw_only=True):
    """Somebody reports what went wrong, and what the book makes of it."""

    kind: str
    effect: str
    round: int
    boxes: tuple[Box, ...] = ()
    says: str = ""
    by: str

    def tell(self, name: Namer) -> str:
        where = f" ({', '.join(name(b) for b in self.boxes)})" if self.boxes else ""
        said = f": {self.says}" if self.says else ""
        return f"Reported: {self.kind}{where}{said}. {self.effect.capitalize()}."


class CardsExposed(Event, frozen=True, kw_only=True):
    """Cards that should lie face down lie face up for everybody."""

    boxes: dict[Box, tuple[Card, ...]] = {}
    community: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()

    def tell(self, name: Namer) -> str:
        lie = [f"{pretty_cards(held)} of {name(box)}" for box, held in self.boxes.items()]
        lie += [f"{pretty_cards(self.community)} of the board"] if self.community else []
        lie += [f"{pretty_cards(self.dealer)} of the dealer"] if self.dealer else []
        return f"Exposed for everybody: {', '.join(lie)}."


class CardsRestored(Event, frozen=True, kw_only=True):
    """The cards are back in the order in which they were meant to fall."""

    hands: dict[Box, tuple[Card, ...]]
    board: tuple[Card, ...]
    dealer: tuple[Card, ...]
    burns: tuple[Card, ...]
    drawn: tuple[Card, ...] = ()
    """Further cards that had to be drawn for it."""
    back: tuple[Card, ...] = ()
    """Cards that went back to the front of the device."""

    def tell(self, name: Namer) -> str:
        return "The cards are put back into the order in which they were meant to fall."

    def public(self) -> Event:
        return structs.replace(
            self,
            hands={box: hidden(cards) for box, cards in self.hands.items()},
            board=hidden(self.board),
            dealer=hidden(self.dealer),
            burns=hidden(self.burns),
            drawn=hidden(self.drawn),
            back=hidden(self.back),
        )


class CardsExchanged(Event, frozen=True, kw_only=True):
    """Cards drawn together lie in the order that was decided: where each now lies comes from."""

    boxes: tuple[Box, ...] = ()
    community: tuple[int, ...] = ()
    order: tuple[int, ...]

    def tell(self, name: Namer) -> str:
        where = [name(box) for box in self.boxes] or [f"place {n}" for n in self.community]
        order = " ".join(str(n) for n in self.order)
        return f"The cards drawn together at {', '.join(where)} are received in the order {order}."


class ContinueChosen(Event, frozen=True, kw_only=True):
    """A box plays on after a dealing error and accepts whatever cards come."""

    box: Box
    restored: bool

    def tell(self, name: Namer) -> str:
        return f"{name(self.box)} plays on {'as restored' if self.restored else 'as dealt'}."


class HandCancelled(Event, frozen=True, kw_only=True):
    """A hand no longer counts and its bets are handed back."""

    box: Box
    cause: str
    returned: dict[BetName, Money]

    def tell(self, name: Namer) -> str:
        total = write_money(sum(self.returned.values()))
        return f"The hand of {name(self.box)} is cancelled ({self.cause}); {total} goes back."


class RoundVoided(Event, frozen=True, kw_only=True):
    """The round has no result: every stake of it goes back, every payment is taken back."""

    round: int
    cause: str
    returned: dict[Box, dict[BetName, Money]]

    def tell(self, name: Namer) -> str:
        total = write_money(sum(sum(bets.values()) for bets in self.returned.values()))
        return f"Round {self.round} is void ({self.cause}); {total} goes back."


class ExtraLookFound(Event, frozen=True, kw_only=True):
    """A player has seen a further hand; whether on purpose was decided."""

    box: Box
    intentional: bool
    cards: tuple[Card, ...] = ()

    def tell(self, name: Namer) -> str:
        found = "on purpose" if self.intentional else "not on purpose"
        return f"The player looked at {name(self.box)} as well, {found}."

    def public(self) -> Event:
        return structs.replace(self, cards=hidden(self.cards))

    def private_to(self) -> int:
        return self.box


class WalkedAway(Event, frozen=True, kw_only=True):
    """A player has left with bets on the table; what is due to him is kept safe."""

    player: str
    decisions_left: tuple[Box, ...]
    none_left: tuple[Box, ...]

    def tell(self, name: Namer) -> str:
        return f"{self.player} has walked away."


class RoundGoesOn(Event, frozen=True, kw_only=True):
    """The book says that play continues in spite of what was reported."""

    why: str

    def tell(self, name: Namer) -> str:
        return f"The round goes on: {self.why}."


class JackpotFailed(Event, frozen=True, kw_only=True):
    """The jackpot is not fully functional here: at some boxes, or at the whole table."""

    boxes: tuple[Box, ...] = ()
    link: str | None = None
    registered: Money | None = None

    def tell(self, name: Namer) -> str:
        where = ", ".join(name(b) for b in self.boxes) or "the table"
        return f"The jackpot is not fully functional at {where}."


class JackpotRepaired(Event, frozen=True, kw_only=True):
    """The jackpot works again; restrictions after the fault end."""

    link: str | None = None

    def tell(self, name: Namer) -> str:
        return "The jackpot works again."


class JackpotClosed(Event, frozen=True, kw_only=True):
    """The link takes no stakes for the time being; no jackpot bets are accepted."""

    link: str

    def tell(self, name: Namer) -> str:
        return f"Jackpot {self.link} takes no stakes for the time being."


class JackpotReopened(Event, frozen=True, kw_only=True):
    """The link takes stakes again."""

    link: str

    def tell(self, name: Namer) -> str:
        return f"Jackpot {self.link} takes stakes again."


class TableClosed(Event, frozen=True, kw_only=True):
    """The House has closed the table after a jackpot fault."""

    def tell(self, name: Namer) -> str:
        return "The House closes the table."


class TableReopened(Event, frozen=True, kw_only=True):
    """The table is open again."""

    def tell(self, name: Namer) -> str:
        return "The table is open again."


class BoxesBlocked(Event, frozen=True, kw_only=True):
    """Nobody may bet on these boxes until the jackpot works again."""

    boxes: tuple[Box, ...]

    def tell(self, name: Namer) -> str:
        return f"Nobody may bet on {', '.join(name(box) for box in self.boxes)} for now."


class NoticeDisplayed(Event, frozen=True, kw_only=True):
    """A notice at the table: no Progressive Jackpot bets are accepted or paid."""

    says: str

    def tell(self, name: Namer) -> str:
        return f"A notice hangs at the table: {self.says}"


class RulingMade(Event, frozen=True, kw_only=True):
    """A ruling of the shift manager, with what the table does about it."""

    question: str
    remedy: str
    reason: str
    who: str
    box: Box | None = None

    def tell(self, name: Namer) -> str:
        where = f" for {name(self.box)}" if self.box is not None else ""
        why = f", because {self.reason}" if self.reason else ""
        return f"{self.who} rules: {self.remedy}{where}{why}."


class DecisionGivenBack(Event, frozen=True, kw_only=True):
    """A box may decide again in the window that is open; its bet there goes back to it."""

    box: Box
    returned: Money

    def tell(self, name: Namer) -> str:
        back = f"; {write_money(self.returned)} goes back" if self.returned else ""
        return f"{name(self.box)} may decide again{back}."


class CardReplaced(Event, frozen=True, kw_only=True):
    """One card of a hand, the board or the dealer is replaced by the next of the device."""

    where: str
    position: int
    box: Box | None = None
    old: Card
    new: Card

    def tell(self, name: Namer) -> str:
        whose = name(self.box) if self.box is not None else f"the {self.where} cards"
        return f"{self.old.pretty} of {whose} is replaced by {self.new.pretty}."

    def public(self) -> Event:
        return structs.replace(self, old=Card.UNKNOWN, new=Card.UNKNOWN)


class StreetDealtAgain(Event, frozen=True, kw_only=True):
    """The last Community Cards are thrown out and dealt again."""

    old: tuple[Card, ...]
    new: tuple[Card, ...]
    shown: bool

    def tell(self, name: Namer) -> str:
        return f"{pretty_cards(self.old)} is thrown out; dealt again: {pretty_cards(self.new)}."

    def public(self) -> Event:
        if self.shown:
            return self
        return structs.replace(self, old=hidden(self.old), new=hidden(self.new))


class ChipsMoved(Event, frozen=True, kw_only=True):
    """By ruling, chips go from one spot to another, or back to their player."""

    box: Box
    bet: BetName
    to: BetName | None
    amount: Money

    def tell(self, name: Namer) -> str:
        to = f"to {self.to}" if self.to is not None else "back to the player"
        return f"{write_money(self.amount)} goes from {self.bet} of {name(self.box)} {to}."


class PaymentCorrected(Event, frozen=True, kw_only=True):
    """By ruling, the House pays a player, or collects from him if the amount is negative."""

    player: str
    amount: Money

    def tell(self, name: Namer) -> str:
        what = "pays" if self.amount > 0 else "collects from"
        return f"The House {what} {self.player} {write_money(abs(self.amount))}."


class PolicyChanged(Event, frozen=True, kw_only=True):
    """By ruling, a reading is changed from here on."""

    policy: str
    value: str

    def tell(self, name: Namer) -> str:
        return f"From here on {self.policy} is read as {self.value}."


class LinesRuled(Event, frozen=True, kw_only=True):
    """By ruling, which jackpot lines of a box are paid."""

    box: Box
    lines: tuple[str, ...]

    def tell(self, name: Namer) -> str:
        return f"Ruled for {name(self.box)}: {', '.join(self.lines) or 'no jackpot line'}."


class RulingUndone(Event, frozen=True, kw_only=True):
    """The last ruling is taken back; the table stands where it stood before it."""

    reason: str
    who: str

    def tell(self, name: Namer) -> str:
        return f"{self.who} takes the last ruling back, because {self.reason}."
