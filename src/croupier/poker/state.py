"""What a poker table remembers: its seats, the deck, and the Round of play with every card in it.

Where each card of the deck is: in the shoe, in a hand, on the board, burnt, or discarded. Chips
are in a stake, in front of a player, in a pot, or with the House. Both sums are checked after
every event that moves them.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct, field

from croupier.cards import Card, Shoe
from croupier.poker.commands import Street
from croupier.poker.events import Pot
from croupier.poker.irregularities.state import Irregular
from croupier.poker.settings import PokerSettings
from croupier.poker.wager_seen import BoundTo
from croupier.table import Money
from croupier.table.table import TableState

Phase = Literal[
    "open",
    "shuffling for the button",
    "drawing for the button",
    "between rounds",
    "shuffling",
    "cutting",
    "ready",
    "blinds",
    "dealing",
    "betting",
    "flop due",
    "turn due",
    "river due",
    "face down",
    "marker due",
    "showdown",
    "settling",
]
"""Where the game is.

`open`: no game yet. `between rounds`: the last Round of play is settled. `ready`: the deck is in
the shoe, the Blinds are not yet called. `blinds`: they are called and not all placed. `dealing`:
they are placed, the straddle may be taken, the Hole Cards come next. `betting`: somebody's turn.
`flop due` and so on: the dealer's next street. `face down`: Community Cards lie face down.
`marker due`: the Game Marker is to be flipped (v5). `showdown`: somebody's turn to show.
`settling`: the pots are to be paid.
"""
DUE: dict[Street, Phase] = {"flop": "flop due", "turn": "turn due", "river": "river due"}
"""The phase in which each street is due."""

Entry = Literal["in", "new", "relocated"]
"""How a player came to his seat: he has played here, or is still to come in as one of these."""

HAS_PASSED = 0
"""No seat: the button has passed whoever waited for that."""


class SeatState(Struct, kw_only=True):
    """One occupied seat."""

    player: str
    stake: Money
    here: bool = True
    """Whether he is at his seat."""
    entry: Entry = "new"
    rotates: bool = False
    """Whether button and Blinds come to this seat. A newcomer's seat is passed over until he comes
    in; the seat of a player who missed his Big Blind until he returns (v8 5.9)."""
    waits_at: int | None = None
    """Where the button stood when the player was told to wait until it has passed; `HAS_PASSED`
    once it has, also if it comes to stand there again."""
    decided: str = ""
    """How he, or for v5 the House, chose that he comes in."""
    missed_small: bool = False
    missed_big: bool = False
    missed_marker: bool = False
    """Whether a missed Blind button stands at his place (v8 5.9)."""
    misses: int = 0
    """Big Blinds missed in a row (v8); games missed (v5)."""
    kept: int = 0
    """How many of them he had missed when the House last kept his seat for him."""
    returns: bool = False
    """Whether he told the House that he will return."""
    rake_due: Money = 0
    """Timed charge not yet collected."""
    button_card: Card | None = None


class RoundPlayer(Struct, kw_only=True):
    """A Player of the Round of play: his cards, his chips in it, and what he may still do."""

    cards: list[Card] = []
    looked: bool = False
    bet: Money = 0
    """In front of him in this Betting Round."""
    dead: Money = 0
    """Dead post, in front of him until the 1st Betting Round is closed."""
    total: Money = 0
    """Everything that he has put into this Round of play and not got back."""
    blinds: Money = 0
    """What of it he was forced to put in or posted as an option: Blinds, straddle, entry posts."""
    posted_dead: Money = 0
    """What of those was dead, also when it lies in the Main Pot."""
    uncalled: Money = 0
    """What has come back of it in this Round of play because nobody called it."""
    active: bool = True
    """Neither folded nor dead."""
    folded: bool = False
    left: bool = False
    """Whether he has left the table since, with no chip of his in the round."""
    all_in: bool = False
    all_in_button: bool = False
    all_in_with: Money = 0
    """What it had been All-in with, where chips have come back out of a pot: the pots stay."""
    returned: Money = 0
    """What was given back in this Round of play by a ruling, or with a dead hand."""
    out_of: list[Money] = []
    """How much of that came out of each pot, the Main Pot first."""
    acted: bool = False
    """Whether he has taken an Action in this Betting Round."""
    wagered: bool = False
    """Whether he has placed a bet of his own will in this Betting Round."""
    answered: bool = False
    """Whether he has acted since the last full wager."""
    may_not_raise: tuple[str, ...] = ()
    """Paragraphs that take BET and Raise from him, set and lifted by a ruling."""
    exposed: list[Card] = []
    """Cards of his that lie, or lay, open for all to see."""
    gave_up: list[Card] = []
    """The hand that he folded, or that was declared dead; it lies among the discards."""
    shown: bool = False
    hand: str = ""
    worth: int = 0
    """The hand that he has shown, in words and as a value to be compared."""
    prompted: bool = False
    mucked: bool = False


class Act(Struct, frozen=True, kw_only=True):
    """One Action that was completed, for counting (v8 1.1, 1.48)."""

    seat: int
    betting_round: int
    bet: bool
    """Whether it put chips into the Pot."""
    early: bool = False
    """Whether it was a Fold out of turn: it binds (5.13.4), but is no Action (1.1)."""


class Burnt(Struct, kw_only=True):
    """A burnt card and the street that it was burnt for."""

    card: Card
    street: Street
    set_aside: bool = False
    """Whether it was to be the burn before the dealer came to it (v8 5.5, 5.12)."""


class Betting(Struct, kw_only=True):
    """One Betting Round. Between streets it is the one before, so that the last one stays known."""

    number: int = 1
    price: Money = 0
    """What a Player must have in front of him to stay in."""
    full: Money = 0
    """The last full wager: Blind, straddle, BET or full Raise."""
    minimum: Money = 0
    """The smallest raise."""
    to_act: list[int] = []
    """Who still has a turn, in order; the first of them has it now."""
    opened: bool = False
    """Whether a wager has been made, so that Check is closed."""
    raised: bool = False
    last_raiser: int | None = None
    bettor: int | None = None
    """Who made the BET, or opened with an All-in."""
    last_bettor: int | None = None
    """Who last made a bet that was no raise."""
    top: Money = 0
    """The most that anybody has had in front of him."""
    at_top: list[int] = []
    """Who has had it, the first of them first."""
    bound: dict[int, BoundTo] = {}
    """Who has said Raise or BET without an amount, on his turn or before it, and has yet to say how
    much (v8 1.37, 1.5)."""
    left_in: int | None = None
    """Whose chips stay in the Pot with the Fold that comes now (v8 3.5.4)."""


class ButtonStood(Struct, frozen=True, kw_only=True):
    """Where the button was before the call for Blinds, and which seats were left empty for it."""

    button: int
    orbit: int
    vacated: list[int] = []


class RoundState(Struct, kw_only=True):
    """One Round of play, from the call for Blinds to its settlement; kept until the next call."""

    number: int
    at: datetime
    open: bool = True
    """Whether it is under way; false once it is settled or void."""
    button: int
    small_blind: int | None
    big_blind: int
    order: tuple[int, ...]
    """Who is dealt in, in the order of the deal: clockwise from the left of the button."""
    owes: dict[int, tuple[Money, Money]] = {}
    """Blinds and entry posts not yet placed: live and dead."""
    posts: dict[int, tuple[Money, Money]] = {}
    """All that was due, to be placed again after a Misdeal."""
    placed: bool = False
    """Whether anybody has placed anything."""
    duties: dict[int, SeatState] = {}
    """Seats as they were before the call, for a Void, which revives what was owed."""
    stood: ButtonStood | None = None
    """For a call that is withdrawn: the button, where the call itself may have moved it on."""
    straddle: int | None = None
    straddle_open: bool = False
    """Whether somebody may still straddle and has not declined."""
    no_straddle_by: list[int] = []
    """Who has been asked for a straddle and has declined."""
    button_out: bool = True
    players: dict[int, RoundPlayer] = {}
    betting: Betting = field(default_factory=Betting)
    top_before: list[int] = []
    """Who had bet the most in the Betting Round before this one, the first of them first."""
    final_round: int | None = None
    acts: list[Act] = []
    pots: list[Pot] = []
    won_by_folds: bool = False
    uncalled_raise: Money = 0
    """An uncalled raise that stays in the Pot for the charge (v5 4.3)."""
    walk: int | None = None
    """The Player who won with nothing but his Blind."""

    # -- where the cards are -----------------------------------------------------------------
    flop: list[Card] = []
    turn: list[Card] = []
    river: list[Card] = []
    down: list[Card] = []
    """Those Community Cards that lie face down."""
    flop_exposed: bool = False
    """Whether a Flop Card has lain face up, also one that has gone back since (v8 5.6.4)."""
    burns: list[Burnt] = []
    stored_burn: Card | None = None
    """A card set aside to be the next burn (v8 5.12)."""
    first_burn: Card | None = None
    """A card exposed in the deal that will be the burn before the flop (v8 5.5)."""
    dealt: list[tuple[int, Card]] = []
    """The Initial Deal card by card, with the seat that got it, where it was not the right one."""
    dealt_exposed: list[int] = []
    """The places in it, from 0, of the cards that the dealer exposed."""
    stray: dict[int, list[Card]] = {}
    """Cards dealt to seats that have no Player."""
    stray_exposed: list[tuple[int, Card]] = []
    """Those of them that the dealer exposed."""
    aside: list[Card] = []
    """Cards taken back that a ruling has yet to place."""
    discards: list[Card] = []
    """Folded hands and whatever else was taken off the table."""
    deviations: list[str] = []
    """What was done otherwise than the book says and not reported: `no burn before the flop`."""

    irregular: Irregular | None = None
    """What the irregularities remember, from the first one on."""

    # -- the showdown and the payment --------------------------------------------------------
    to_show: list[int] = []
    """Who is still to show, in order."""
    show_order: tuple[int, ...] = ()
    rake: Money = 0
    rakes: tuple[Money, ...] = ()
    rake_bases: tuple[Money, ...] = ()
    paid: Money = 0
    """What has left the pots: the Rake and the payouts."""
    payouts: dict[int, Money] = {}
    winners: dict[int, tuple[int, ...]] = {}
    voided: str = ""
    restarts: int = 0
    """How many Misdeals it has had."""

    def has_acted(self, seat: int) -> bool:
        """Whether somebody has taken an Action in this Round of play, or folded out of turn."""
        return any(act.seat == seat for act in self.acts)

    def actions(self, *, stopped: int = 0) -> list[Act]:
        """The Actions so far, taken in turn (v8 1.1), but for the last ones that were stopped."""
        found = [act for act in self.acts if not act.early]
        return found[: len(found) - stopped]


class PokerState(TableState, kw_only=True):
    """The table: its seats, its shoe, the button, where the game is, and the Round of play."""

    settings: PokerSettings = PokerSettings()
    phase: Phase = "open"
    seats: dict[int, SeatState] = {}
    vacated: list[int] = []
    """Seats whose players left for good when the Small Blind was theirs next: the button still goes
    there (v8 5.8)."""
    departed: dict[str, Money] = {}
    """The last players to leave, with what they took along (v8 3.7)."""
    absent_ruling: str = ""
    """What the House has ruled on absent players for the Blinds about to be called (v5)."""
    absent_big_ruling: str = ""
    """The same for somebody who is away when the Big Blind falls to him (v5)."""
    button: int | None = None
    rounds: int = 0
    orbit: int = 0
    """Laps of the button: 1 in the first Orbit."""
    orbit_start: int | None = None
    shuffled: bool = False
    """Whether the deck was shuffled since the last Round of play."""
    shoe: Shoe | None = None
    round: RoundState | None = None
    marker: Literal["BETTING ROUND", "SHOWDOWN"] | None = None
    """The Game Marker (v5)."""
    brought: Money = 0
    """All chips that came to the table and have not left it."""
    house: Money = 0
    """The Rake taken at this table."""
    timed_from: datetime | None = None
    """When the current period of the timed charge began."""
