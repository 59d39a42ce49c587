"""The plain facts of a banked table: what cases expect and consoles show.

Facts hold everything, face-down cards too; what a person may see is his view (see `view`).
"""

from __future__ import annotations

from msgspec import Struct

from croupier.cards import Card
from croupier.table import Facts, Money


class BetFacts(Struct, kw_only=True):
    """What became of one bet: winnings, stake handed back, stake collected, all handed over."""

    staked: Money = 0
    won: Money = 0
    returned: Money = 0
    lost: Money = 0
    paid: Money = 0


class JackpotFacts(Struct, kw_only=True):
    """The jackpot lines of a box: those still due, whether claimed, and what each has paid."""

    due: list[str] = []
    claimed: bool = False
    paid: dict[str, Money] = {}


class RoundRecord(Struct, frozen=True, kw_only=True):
    """What every round record carries of its book."""

    rulebook: str = ""
    version: int = 0
    approved_by: str = ""
    knowingly: bool = False
    dealer: str = ""


class BankedFacts(Facts, kw_only=True):
    """What can be said of a banked table now."""

    round: int = 0
    record: RoundRecord = RoundRecord()
    """Of the round under way or just over."""
    bets_open: bool = False
    window: str | None = None
    """The decision that is open: flop, turn or river."""
    players: dict[int, str] = {}
    """Who decides for which box: its stakeholder, else who sits there."""
    stakes: dict[int, dict[str, Money]] = {}
    """What lies on the layout: box, then ante, bonus, progressive, flop, turn, river."""
    standing: dict[int, str] = {}
    """in, in for the finish, folded, cancelled, no hand."""
    examined: list[int] = []
    chosen: dict[int, list[str]] = {}
    """What each box decided: fold, flop bet, turn bet, river bet, check."""
    cards: dict[int, list[Card]] = {}
    face_up: dict[int, list[Card]] = {}
    """Hole Cards that lie open for everybody."""
    board: list[Card] = []
    """The Community Cards that lie face up."""
    community: list[Card] = []
    """All Community Cards on the table, face down ones too."""
    burns: list[Card] = []
    exposed_burns: list[Card] = []
    """Burnt cards that lie open for everybody."""
    stray: dict[int, list[Card]] = {}
    """Cards that lie at boxes without a bet."""
    dealer: list[Card] = []
    dealer_shown: bool = False
    cards_left: int = 0
    hands: dict[int, str] = {}
    """The Five-card Hands that were compared, in words."""
    dealer_hand: str = ""
    categories: dict[int, str] = {}
    """The categories of those hands: `Full House`, `Five Odd Cards`."""
    dealer_category: str = ""
    results: dict[int, str] = {}
    """won, lost, stand off, folded, not shown, cancelled, void, no hand."""
    payouts: dict[int, dict[str, BetFacts]] = {}
    bonus_lines: dict[int, str] = {}
    jackpot: dict[int, JackpotFacts] = {}
    paid: dict[int, Money] = {}
    """All that was handed to a box in this round."""
    net: dict[str, Money] = {}
    """What each player is up or down since he sat down; stakes on the layout count as gone."""
    chips: dict[str, Money] = {}
    """The racks of players whose chips are counted."""
    house: Money = 0
    from_meter: Money = 0
    safekeeping: dict[str, Money] = {}
    void: bool = False
    goes_on: list[str] = []
    irregularities: list[str] = []
    rulings: list[str] = []
    calls: list[str] = []
    """What was announced in this round."""
    jackpot_works: bool = True
    progressive_taken: bool = True
    """Whether Progressive Jackpot bets are accepted now."""
    next_rounds: str = ""
    blocked: list[int] = []
    notice: str = ""
    accepted: list[str] = []
    policies: dict[str, str] = {}
    stakes_told: int = 0
    device: str = ""
    boxes_in_use: int = 0
