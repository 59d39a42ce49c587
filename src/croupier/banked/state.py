"""What a banked table remembers: its boxes with their stakes, its cards, and where the round is."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct

from croupier.banked.commands import BetName
from croupier.banked.events import Payout, Result, Window
from croupier.banked.settings import BankedSettings
from croupier.cards import Card, Shoe
from croupier.table import Money
from croupier.table.table import TableState

Phase = Literal[
    "between rounds",
    "bets open",
    "dealing",
    "first decision",
    "flop",
    "turn decision",
    "turn",
    "river decision",
    "river",
    "dealer",
    "settling",
    "jackpot",
    "closed",
]
"""Where the round is. `flop`, `turn`, `river`, `dealer`: those cards are due to be dealt or shown.
`jackpot`: everything is settled but jackpot lines that are to be claimed or paid."""

LINK, WHOLE_TABLE = "link", "whole table"
"""What of the jackpot may have failed beside the device of a box."""

SOMEWHERE = "somewhere"
"""Where an exposed card lies that nobody has named, once cards have changed their places."""

BETS: tuple[BetName, ...] = ("ante", "bonus", "progressive", "flop", "turn", "river")
"""The six bets of a box, in the order in which they are placed."""

Status = Phase | Literal["not open"]
"""What a table says of itself: where the round is, once it is opened."""

Standing = Literal["in", "in for the finish", "folded", "cancelled", "no hand"]


class BoxState(Struct, kw_only=True):
    """One box that has a stake in the round."""

    player: str
    ante: Money = 0
    bonus: Money = 0
    progressive: Money = 0
    flop: Money = 0
    turn: Money = 0
    river: Money = 0
    cards: list[Card] = []
    standing: Standing = "in"
    examined: bool = False
    face_up: list[Card] = []
    """Cards of the hand that lie open for everybody: exposed, tabled or shown at settlement."""
    chosen: list[str] = []
    """What its player decided, window by window."""
    window: int = 0
    """How many windows it has decided in: 1 after Flop bet or fold, 2 after the Turn, 3."""
    deemed: str = ""
    """Why it counts as folded although its player did not say so."""
    refused: bool = False
    tabled: bool = False
    bonus_by_dealer: bool = False
    """Not shown at first, it holds a Bonus line that turns on the dealer's cards (4.1, 4.3)."""
    cancelled_by: tuple[str, ...] = ()
    """The paragraphs by which its hand was cancelled."""
    accepts: bool = False
    """Its player chose to go on after a dealing error and accepts later cards (5.10)."""
    registered: bool = False
    """Its jackpot stake was told to the link."""
    gone: bool = False
    """Its cards cannot be identified any more (B-26)."""
    collected: bool = False
    dealt: datetime | None = None
    result: Result | None = None
    hand: str = ""
    bonus_line: str = ""
    payouts: dict[BetName, Payout] = {}
    returned_by: dict[BetName, tuple[str, ...]] = {}
    """The paragraphs by which a single bet went back while the hand stayed in the round."""
    due: list[str] = []
    """Jackpot lines found and not yet paid."""
    instead: str = ""
    """A fixed line paid in place of the share, if the link finds it worth more."""
    claimed: bool = False
    named: bool = False
    """Its share of the meter was named to the link."""
    paid_lines: dict[str, Money] = {}
    awarded: dict[str, Money] = {}
    """What of it came from the meter, and goes back there if the hand does not count."""
    ruled: str = ""
    """How its main bets are settled by ruling (4.3 in v6): as the answer to `not shown`."""
    lines_ruled: list[str] | None = None
    """Which jackpot lines are paid, where the shift manager has ruled on them."""
    short_ruled: str = ""
    """The ruling on a jackpot stake below the prescribed amount (B-23)."""
    bonus_ruled: str = ""
    """The ruling on a Bonus bet without an Ante (B-44)."""
    royal_ruled: str = ""
    """The confirmation for a folded box with a Royal Flush on the flop (B-20)."""

    def cards_known(self) -> list[Card]:
        """Its cards; of a real hand that is not named yet but lies open, those that lie open."""
        open_instead = Card.UNKNOWN in self.cards and len(self.face_up) == len(self.cards)
        return self.face_up if open_instead else self.cards

    def is_known(self) -> bool:
        """Whether its player knows the hand: looked at, or all of it lies open."""
        return self.examined or self.lies_open()

    def lies_open(self) -> bool:
        """Whether everybody knows the hand: all of it lies face up."""
        return bool(self.cards) and len(self.face_up) == len(self.cards)

    def is_unknown(self) -> bool:
        """Whether nobody can identify its cards: they are gone, and do not lie open since."""
        return self.gone and not self.lies_open()

    def ante_or_settled(self) -> bool:
        """Whether it has, or had before it was settled, a hand in the round."""
        return bool(self.ante) or self.result is not None


class Undo(Struct, kw_only=True):
    """Where the table stood before the last ruling, as long as it can be taken back."""

    before: bytes
    ruling: str
    since: list[bytes] = []
    """Who has come, gone and brought chips since: that stays if the ruling is taken back."""
    over: str = ""
    """Why it cannot be taken back any more, though what it led to could have been the same."""


class BankedState(TableState, kw_only=True):
    """The table: boxes, cards, money and where the round is."""

    settings: BankedSettings = BankedSettings()
    phase: Phase = "between rounds"
    round: int = 0
    knowingly: bool = False
    dealer_name: str = ""
    sitting: dict[int, str] = {}
    """Who sits at which box."""
    racks: dict[str, Money] = {}
    """Chips bought by players whose chips are counted."""
    net: dict[str, Money] = {}
    """What each player has won or lost since he sat down; stakes on the layout count as gone."""
    gone: Money = 0
    """What players whose racks were counted had won or lost when they left."""
    house: Money = 0
    """What the House has won or lost at this table."""
    from_meter: Money = 0
    """What links have paid to players of this table."""
    safekeeping: dict[str, Money] = {}
    """What is kept for players who walked away, or had left when it fell due to them."""
    left: list[str] = []
    """Who has left with his counted chips while a void could still change what he has won."""
    absent: list[str] = []
    """Who has left before the next round was called and whose chips are not counted."""
    boxes: dict[int, BoxState] = {}
    shoe: Shoe | None = None
    sequence: list[Card] = []
    """The cards as they left the device in this round, burns included; once one was thrown out
    nothing can be put right by it, and it is not kept up."""
    falls: list[int] = []
    """The box to which each Hole Card went, in the order in which they fell."""
    board: list[Card] = []
    laid: list[int] = []
    """How many Community Cards were laid in each deal."""
    street: int = 0
    """How many streets are turned up: 1 after the flop, 2 after the turn, 3 after the river."""
    shown: int = 0
    """How many Community Cards lie face up."""
    exposed_board: list[Card] = []
    exposed_burns: list[Card] = []
    exposed_count: int = 0
    """How many cards were reported exposed in this deal, those that nobody could name as well."""
    exposed_unnamed: dict[str, int] = {}
    """How many of them nobody has named yet, by where they lie."""
    burns: list[Card] = []
    missed: list[str] = []
    """The deals ahead of which no card was burnt."""
    dealer: list[Card] = []
    dealer_dealt: bool = False
    """The dealer has dealt to himself, be it no card at all."""
    dealer_shown: bool = False
    exposed_dealer: list[Card] = []
    dealer_hand: str = ""
    stray: dict[int, list[Card]] = {}
    """Cards that were dealt to boxes without a bet."""
    exposed_stray: list[Card] = []
    thrown: list[Card] = []
    """Drawn cards that were taken out of the round."""
    away: list[str] = []
    """Players who walked away in this round."""
    goes_on: list[str] = []
    void: bool = False
    irregularities: list[str] = []
    calls: list[str] = []
    link_failed: bool = False
    """The whole link is down, as the link itself has said."""
    whole_failed: bool = False
    """The jackpot is not functional at this table, as staff have reported."""
    failed_boxes: list[int] = []
    """Boxes whose own betting device is not functional."""
    device_told: bool = False
    """In this round the link was told that the device of this table has failed."""
    link_closed: bool = False
    next_rounds: str = ""
    """What the House chose for the rounds after a fault: nothing asked, `asked`, or the choice."""
    failed_in_round: list[str] = []
    """The faults there were in this round, those that have been repaired since as well."""
    run_in_spite_of: list[str] = []
    """The faults for which the House had said how rounds are run before this one was called."""
    blocked: list[int] = []
    notice: str = ""
    told: list[str] = []
    """Players who were at the table when the notice went up."""
    accepted: list[str] = []
    rulings: list[str] = []
    stakes_told: int = 0
    """Jackpot stakes told to the link since opening, less those returned; for reconciliation."""
    undo: Undo | None = None
    ruling_stands: str = ""
    """Why the last ruling cannot be taken back any more."""

    def window(self) -> Window | None:
        """The betting window that is open."""
        return _WINDOWS.get(self.phase)

    def looked(self) -> bool:
        """Whether any player has seen the cards distributed to him in this round.

        A hand that was played blind is seen when it is laid open or compared, be it that it does
        not count since.
        """
        if self.dealer_hand:
            return True
        return any(
            box.examined or box.tabled or (box.claimed and box.lies_open())
            for box in self.boxes.values()
        )

    def holes_out(self) -> bool:
        """Whether Hole Cards have been dealt, be it all of them to boxes without a bet."""
        return bool(self.stray) or any(box.cards for box in self.boxes.values())

    def street_cards(self, street: int) -> list[Card]:
        """The Community Cards that a deal has laid, 0 for the flop; none if it was not made."""
        if street >= len(self.laid):
            return []
        first = sum(self.laid[:street])
        return self.board[first : first + self.laid[street]]

    def lying_open(self) -> set[Card]:
        """The cards that lie open although they should lie face down, and hands laid open."""
        hands = {card for box in self.boxes.values() for card in box.face_up}
        beside = (self.exposed_board, self.exposed_dealer, self.exposed_burns, self.exposed_stray)
        return hands.union(*beside) - {Card.UNKNOWN}

    def turn_up(self, open_cards: set[Card]) -> None:
        """An open card stays open where it lies now."""
        for box in self.boxes.values():
            box.face_up = [card for card in box.cards if card in open_cards]
        self.exposed_board = [card for card in self.board if card in open_cards]
        self.exposed_dealer = [card for card in self.dealer if card in open_cards]
        self.exposed_burns = [card for card in self.burns if card in open_cards]
        stray = [card for cards in self.stray.values() for card in cards]
        self.exposed_stray = [card for card in stray if card in open_cards]
        self.nobody_knows_where()

    def nobody_knows_where(self) -> None:
        """Cards have changed places: an exposed one that nobody has named may lie anywhere."""
        if unnamed := sum(self.exposed_unnamed.values()):
            self.exposed_unnamed = {SOMEWHERE: unnamed}

    def hidden(self) -> set[Card]:
        """The cards that an unknown card of a real shoe may be: none that lies open, nor one that
        lay open and was thrown out."""
        assert self.shoe is not None
        return {*self.shoe.unseen} - self.lying_open() - {*self.thrown}

    def jackpot_open(self) -> bool:
        """Whether Progressive Jackpot bets are accepted at this table now."""
        return not (self.link_failed or self.whole_failed or self.link_closed or self.notice)

    def jackpot_takes(self, box: int) -> bool:
        """Whether a stake that lies on a box can be told to the link now."""
        whole = self.link_failed or self.whole_failed or self.link_closed
        return not whole and box not in self.failed_boxes

    def jackpot_faults(self) -> list[str]:
        """What of the jackpot is not fully functional here."""
        whole = [LINK] * self.link_failed + [WHOLE_TABLE] * self.whole_failed
        return [*whole, *(f"box {number}" for number in self.failed_boxes)]

    def jackpot_failed(self) -> bool:
        """Whether anything of the jackpot is not fully functional here."""
        return self.link_failed or self.whole_failed or bool(self.failed_boxes)

    def is_settled(self) -> bool:
        """Whether the bets of the round have been settled, or there is no round."""
        return self.phase in ("between rounds", "closed", "jackpot")


_WINDOWS: dict[str, Window] = {
    "first decision": "flop",
    "turn decision": "turn",
    "river decision": "river",
}
