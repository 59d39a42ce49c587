"""The events of section 5: what was reported and found, ordered, and taken back."""

from __future__ import annotations

from msgspec import structs

from croupier.banked.commands import BetName
from croupier.banked.events import how_many, listed_boxes, spot, tell_cards
from croupier.cards import Card, pretty_cards
from croupier.table import Box, Event, Money
from croupier.table.event import Namer, hidden
from croupier.table.money import write_money
from croupier.table.words import line_words, listed


class IrregularityReported(Event, frozen=True, kw_only=True):
    """Somebody reports what went wrong, and what the book makes of it."""

    kind: str
    effect: str
    round: int
    boxes: tuple[Box, ...] = ()
    says: str = ""
    by: str

    def tell(self, name: Namer) -> str:
        where = f" at {listed(name(b) for b in self.boxes)}" if self.boxes else ""
        said = f": {self.says.rstrip('.')}" if self.says else ""
        effect = self.effect[:1].upper() + self.effect[1:]
        return f"{self.by} reports: {self.kind}{where}{said}. {effect}."

    def headline(self, name: Namer) -> str:
        if self.effect not in _ENDS_THERE:
            return ""  # What follows is told of itself.
        where = f" at {listed(name(b) for b in self.boxes)}" if self.boxes else ""
        return f"{self.effect[:1].upper()}{self.effect[1:]} ({self.kind}{where})."


_ENDS_THERE = (
    "it is played as the next card",
    "it was reported before",
    "no effect on later rounds",
    "the round is void already",
    "the settled round stands",
)
"""What the book makes of a report that leads to nothing else."""


class CardsExposed(Event, frozen=True, kw_only=True):
    """Cards that should lie face down lie face up for everybody."""

    boxes: dict[Box, tuple[Card, ...]] = {}
    community: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()
    burns: tuple[Card, ...] = ()

    def tell(self, name: Namer) -> str:
        lie = [f"{tell_cards(held)} of {name(box)}" for box, held in self.boxes.items()]
        lie += [f"{tell_cards(self.community)} of the board"] if self.community else []
        lie += [f"{tell_cards(self.dealer)} of the dealer"] if self.dealer else []
        lie += [f"{tell_cards(self.burns)} among the burnt cards"] if self.burns else []
        return f"Exposed for everybody: {listed(lie)}."

    def headline(self, name: Namer) -> str:
        return ""


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
    laid: tuple[int, ...] = ()
    """How many Community Cards each deal then has, where it had too many or too few."""
    moves: dict[int, int] = {}
    """Where whole hands were moved, from which box to which; the dealer's place is 0."""

    def tell(self, name: Namer) -> str:
        lie = [f"{name(box)} has {tell_cards(cards)}" for box, cards in sorted(self.hands.items())]
        lie += [f"the board has {tell_cards(self.board)}"] if self.board else []
        lie += [f"the dealer has {tell_cards(self.dealer)}"] if self.dealer else []
        lie += [f"burnt: {tell_cards(self.burns)}"] if self.burns else []
        lie += [f"back in the device: {tell_cards(self.back)}"] if self.back else []
        return f"The cards are put back into their intended order: {'; '.join(lie)}."

    def headline(self, name: Namer) -> str:
        return "The cards are put back into their intended order."

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
    first_cards: tuple[Box, ...] = ()
    burns: tuple[str, ...] = ()
    dealer: tuple[int, ...] = ()

    def tell(self, name: Namer) -> str:
        ahead = [f"the burn before {deal}" for deal in self.burns if deal == "hole cards"]
        burns = [f"the burn before the {deal}" for deal in self.burns if deal != "hole cards"]
        where = [
            *ahead,
            *(f"{name(box)}, first card" for box in self.first_cards),
            *(f"{name(box)}, last card" for box in self.boxes),
            *burns,
            *(f"place {place} of the board" for place in self.community),
            *(f"place {place} of the dealer" for place in self.dealer),
        ]
        gets = [
            f"{place} gets what lay at {where[source - 1]}"
            for place, source in zip(where, self.order, strict=True)
            if where[source - 1] != place
        ]
        if not gets:
            return f"The cards drawn together stay as they lie: {'; '.join(where)}."
        told = "; ".join(gets)
        return f"Of the cards drawn together {told}."

    def headline(self, name: Namer) -> str:
        return "The cards drawn together are received in the order that was decided."


class ContinueChosen(Event, frozen=True, kw_only=True):
    """A box plays on after a dealing error and accepts whatever cards come."""

    box: Box
    restored: bool
    settled: bool = False
    """Its bets had been settled, and stay so."""

    def tell(self, name: Namer) -> str:
        if self.settled:
            return f"{name(self.box)} lets the settlement stand."
        return f"{name(self.box)} plays on {'as restored' if self.restored else 'as dealt'}."


class HandCancelled(Event, frozen=True, kw_only=True):
    """A hand no longer counts and its bets are handed back."""

    box: Box
    cause: str
    returned: dict[BetName, Money]
    already: Money = 0
    """What of it had gone back when the hand was settled."""
    taken_back: Money = 0
    """What the hand had won and gives back."""

    def tell(self, name: Namer) -> str:
        money = _tell_money(sum(self.returned.values()), self.already, self.taken_back)
        return f"The hand of {name(self.box)} is cancelled ({self.cause}): {money}."


def _tell_money(staked: int, already: int, taken_back: int) -> str:
    """Where the chips of a hand that does not count go, also those that it had won."""
    parts = []
    if staked > already or not already:
        parts.append(f"{write_money(staked - already)} goes back")
    if already:
        parts.append(f"{write_money(already)} had gone back before")
    if taken_back:
        parts.append(f"{write_money(taken_back)} that it had won is taken back")
    return ", ".join(parts)


class SettledBetReturned(Event, frozen=True, kw_only=True):
    """One bet of a settled box is given back, and what it had won is taken back."""

    box: Box
    bet: BetName
    staked: Money
    won: Money
    lost: Money

    def tell(self, name: Namer) -> str:
        told = f"{write_money(self.lost)} on {spot(self.bet)} goes back to {name(self.box)}"
        if self.won:
            told += f", and {write_money(self.won)} won with it is taken back"
        return f"{told}."


class RoundVoided(Event, frozen=True, kw_only=True):
    """The round has no result: every stake of it goes back, every payment is taken back."""

    round: int
    cause: str
    returned: dict[Box, dict[BetName, Money]]
    already: dict[Box, Money] = {}
    """What of it had gone back when boxes were settled."""
    taken_back: dict[Box, Money] = {}
    """What boxes had won and give back."""

    def tell(self, name: Namer) -> str:
        money = [
            f"{name(box)}: "
            + _tell_money(sum(bets.values()), self.already.get(box, 0), self.taken_back.get(box, 0))
            for box, bets in self.returned.items()
            if bets
        ]
        told = f" {'; '.join(money)}." if money else ""
        return f"Round {self.round} is void ({self.cause}).{told}"

    def headline(self, name: Namer) -> str:
        taken = ", and what was won is given back" if any(self.taken_back.values()) else ""
        return f"The round is void: all bets go back{taken}."


class ExtraLookFound(Event, frozen=True, kw_only=True):
    """A player has seen a further hand; whether on purpose was decided."""

    box: Box
    intentional: bool
    cards: tuple[Card, ...] = ()

    def tell(self, name: Namer) -> str:
        found = "on purpose" if self.intentional else "not on purpose"
        if self.cards and Card.UNKNOWN not in self.cards:
            cards = pretty_cards(self.cards)
            return f"The hand of {name(self.box)} ({cards}) was looked at as well, {found}."
        return f"The hand of {name(self.box)} was looked at as well, {found}."

    def headline(self, name: Namer) -> str:
        if self.intentional:
            return ""  # That the hand is cancelled is told of itself.
        return f"Not on purpose: the hand of {name(self.box)} stays valid and is played."

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
        left, none = listed_boxes(self.decisions_left), listed_boxes(self.none_left)
        told = [f"{left}: decisions are left"] if left else []
        told += [f"{none}: nothing is left to decide"] if none else []
        return f"{self.player} has walked away ({'; '.join(told)})."

    def headline(self, name: Namer) -> str:
        if self.decisions_left:
            return ""  # That it counts as folded is told of each box.
        return (
            f"{self.player} has nothing left to decide: the bets are settled, and what is due is "
            "kept safe."
        )


JACKPOT_FAULT = "a jackpot fault after a player has looked"
EXPOSED_AFTER_A_LOOK = " exposed after a player has looked"


class RoundGoesOn(Event, frozen=True, kw_only=True):
    """The book says that play continues in spite of what was reported."""

    why: str

    def tell(self, name: Namer) -> str:
        return f"The round goes on: {self.why}."

    def headline(self, name: Namer) -> str:
        if self.why.startswith("ruling: "):
            return "The round goes on."
        if self.why == JACKPOT_FAULT:
            return (
                "The round goes on, and its bets are paid: jackpots on the amount that was "
                "registered before the fault."
            )
        if self.why.endswith(EXPOSED_AFTER_A_LOOK):
            one = self.why.startswith("one ")
            stays = "The card stays where it is" if one else "The cards stay where they are"
            return (
                f"{self.tell(name)} {stays}, face up and in play; the players decide as before, "
                "and nobody may take bets back."
            )
        return self.tell(name)


class JackpotFailed(Event, frozen=True, kw_only=True):
    """The jackpot is not fully functional here: at some boxes, or at the whole table."""

    boxes: tuple[Box, ...] = ()
    link: str | None = None
    registered: Money | None = None

    def tell(self, name: Namer) -> str:
        where = listed(name(b) for b in self.boxes) if self.boxes else "the table"
        return f"The jackpot is not fully functional at {where}."

    def headline(self, name: Namer) -> str:
        return ""


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
        return f"Nobody may bet on {listed(name(box) for box in self.boxes)} for now."


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

    def headline(self, name: Namer) -> str:
        where = f" on {name(self.box)}" if self.box is not None else ""
        return f"The ruling{where}: {self.remedy}."


class DecisionGivenBack(Event, frozen=True, kw_only=True):
    """A box may decide again in the window that is open; its bet there goes back to it."""

    box: Box
    returned: Money
    bet: BetName | None = None
    """Which bet it may decide on again; not told by earlier releases."""

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
        whose = "the dealer" if self.where == "dealer" else "the board"
        whose = name(self.box) if self.box is not None else whose
        if self.old is Card.UNKNOWN and self.new is Card.UNKNOWN:
            return f"A card of {whose} is replaced by the next one."
        if self.new is Card.UNKNOWN:
            return f"{self.old.pretty} of {whose} is replaced by the next card."
        return f"{self.old.pretty} of {whose} is replaced by {self.new.pretty}."

    def public(self) -> Event:
        return structs.replace(self, old=Card.UNKNOWN, new=Card.UNKNOWN)


class StreetDealtAgain(Event, frozen=True, kw_only=True):
    """The last Community Cards are thrown out and dealt again."""

    old: tuple[Card, ...]
    new: tuple[Card, ...]
    shown: bool

    def tell(self, name: Namer) -> str:
        if all(card is Card.UNKNOWN for card in (*self.old, *self.new)):
            what = "Card is" if len(self.old) == 1 else "Cards are"
            return f"The last Community {what} thrown out; dealt again: {how_many(self.new)}."
        thrown = "is" if len(self.old) == 1 else "are"
        return (
            f"{pretty_cards(self.old)} {thrown} thrown out; dealt again: {pretty_cards(self.new)}."
        )

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
        to = f"to {spot(self.to)}" if self.to is not None else "back to the player"
        return f"{write_money(self.amount)} goes from {spot(self.bet)} of {name(self.box)} {to}."


class PaymentCorrected(Event, frozen=True, kw_only=True):
    """The House pays a player by ruling, or collects from him if the amount is negative."""

    player: str
    amount: Money
    gone: bool = False
    """It was to be taken back from the player, who has it no more: the House bears it."""

    def tell(self, name: Namer) -> str:
        amount = abs(self.amount)
        money = write_money(amount)
        if self.gone:
            return f"The House bears {money} that {self.player} does not have here any more."
        what = "pays" if self.amount == amount else "collects from"
        return f"The House {what} {self.player} {money}."


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
        lines = "no jackpot line is paid"
        if self.lines:
            lines = f"the jackpot line {listed(line_words(line) for line in self.lines)} is paid"
        return f"Ruled for {name(self.box)}: {lines}."


class RulingUndone(Event, frozen=True, kw_only=True):
    """The last ruling is taken back; the table stands where it stood before it."""

    reason: str
    who: str

    def tell(self, name: Namer) -> str:
        return f"{self.who} takes the last ruling back, because {self.reason}."
