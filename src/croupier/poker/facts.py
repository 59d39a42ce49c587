"""The plain facts of a poker table: what cases expect and consoles show."""

from __future__ import annotations

from msgspec import Struct

from croupier.cards import Card
from croupier.table import Facts, Money


class PotFacts(Struct, kw_only=True):
    """One pot: its chips and who may still win it."""

    amount: Money
    seats: list[int]


class PokerFacts(Facts, kw_only=True):
    """What can be said of a poker table now. Seats are listed clockwise from seat 1, or in the
    order of the deal where that is what matters. What belongs to a Round of play stays until the
    next one is called. Nothing is masked: this is the table's own knowledge."""

    # -- seats and stakes
    players: dict[int, str] = {}
    """Who sits where."""
    stakes: dict[int, Money] = {}
    """Chips behind; what lies in front or in a pot is not in it."""
    absent: list[int] = []
    entering: dict[int, str] = {}
    """Who is yet to come in: `new`, `relocated` or `returning`."""
    waiting: list[int] = []
    """Who was told to wait until the button has passed him."""
    missed: dict[int, str] = {}
    """Missed Blinds: `small`, `big` or `both`."""
    missed_markers: list[int] = []
    missed_in_a_row: dict[int, int] = {}
    timed_rake_due: dict[int, Money] = {}

    # -- the Round of play
    round: int = 0
    orbit: int = 0
    button: int | None = None
    button_out: bool = True
    small_blind: int | None = None
    big_blind: int | None = None
    straddle: int | None = None
    next_button: int | None = None
    """Where the button will be in the next Round of play, as the seats stand now."""
    next_small_blind: int | None = None
    next_big_blind: int | None = None
    posts_due: dict[int, Money] = {}
    """Blinds and entry posts not yet placed, dead chips included."""
    dealt_in: list[int] = []
    """In the order of the deal."""
    active: list[int] = []
    """Active Players, in the order of the deal."""
    folded: list[int] = []
    dead_hands: list[int] = []
    """Hands that are dead: folded, surrendered or declared dead."""
    policies: dict[str, str] = {}
    restarts: int = 0
    voided: str = ""

    # -- cards
    button_cards: dict[int, Card] = {}
    cards_left: int = 0
    shuffled: bool = False
    deck_cut: bool = False
    hole_cards: dict[int, list[Card]] = {}
    looked: list[int] = []
    flop: list[Card] = []
    turn_card: list[Card] = []
    river: list[Card] = []
    board: list[Card] = []
    """Community Cards that lie face up."""
    face_down: int = 0
    """Community Cards that lie face down."""
    burns: list[Card] = []
    stored_burn: Card | None = None
    exposed: dict[int, list[Card]] = {}
    discards: list[Card] = []
    deviations: list[str] = []

    # -- betting
    betting_round: int | None = None
    final_round: int | None = None
    to_act: list[int] = []
    bets: dict[int, Money] = {}
    """In front of each player in this Betting Round."""
    dead_posts: dict[int, Money] = {}
    put_in: dict[int, Money] = {}
    """Everything that each has put into this Round of play."""
    price: Money = 0
    """What a Player must have in front of him to stay in."""
    minimum_raise: Money = 0
    minimum_raise_to: Money = 0
    """The least total of a raise, whoever makes it."""
    may_raise: list[int] = []
    """Who of those still to act may raise."""
    all_in: list[int] = []
    all_in_buttons: list[int] = []
    actions: int = 0
    """Actions completed in this Round of play."""
    substantial_action: bool = False
    game_marker: str | None = None

    # -- pots and payment
    pot: Money = 0
    """Everything that was contributed and not yet paid or returned."""
    pots: list[PotFacts] = []
    """Main Pot first; once paid they show what they held."""
    rake: Money = 0
    rakes: list[Money] = []
    """From each pot, Main Pot first."""
    rake_base: Money = 0
    house: Money = 0
    """The Rake taken at this table since it opened."""

    # -- the showdown
    show_order: list[int] = []
    must_show: list[int] = []
    """Who must show now: the one whose turn it is, unless he may muck."""
    hands: dict[int, str] = {}
    """The hands shown, as sentences."""
    mucked: list[int] = []
    winners: list[list[int]] = []
    """Of each pot, Main Pot first."""
    payouts: dict[int, Money] = {}
