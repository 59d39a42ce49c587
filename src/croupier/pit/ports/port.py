"""The port of a game: everything that House, server and command line need of one.

`house`, `live`, `formats` and `cli` never ask which family a table is. They take the port of its
game from the registry (`GAMES.port_of(table)`) and ask that. Each family carries it out once. A
port has no state: what it says follows from the table that it is asked about.

What every game must say is abstract; what a game may lack (a showdown, a jackpot, bets that are
closed by a call) has an answer for a game that lacks it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from croupier.cards import Card
from croupier.jackpot import JackpotLink
from croupier.pit.ports.dealer_acts import DealerAct, DealerSeat, DealerView
from croupier.pit.ports.offers import ReadyMade
from croupier.pit.ports.table_info import TableInfo, book_info
from croupier.pit.ports.waits import BetsOpen, Instead, Wait
from croupier.pit.ports.wishes import Wish
from croupier.table import Command, DecisionNeeded, Event, Look, Looked, Table, Viewer
from croupier.table.acting import Acting
from croupier.table.cards_in import cards_in
from croupier.table.event import Namer
from croupier.table.view import PUBLIC
from croupier.table.views import Views, told_apart

T = TypeVar("T", bound=Table[Any])

Commands = tuple[type[Command], ...]
Events = tuple[type[Event], ...]


class Terms(Struct, frozen=True, kw_only=True):
    """What a table asks of money, for whoever brings some."""

    unit: int
    """What amounts are counted in: the Big Blind, the least Ante."""
    least: int
    """The least to sit down with."""
    most: int | None = None
    chip: int = 100


class Stands(Struct, frozen=True, kw_only=True):
    """How a visitor stands at a table."""

    chips: int | None
    """Those before him; None while he does not sit there, or they are not counted."""
    offers: tuple[ReadyMade, ...]


class Claimed(Struct, frozen=True, kw_only=True):
    """The hand of which a jackpot line was claimed."""

    player: str = ""
    hand: tuple[Card, ...] = ()
    board: tuple[Card, ...] = ()


class GamePort(ABC, Generic[T]):
    """One game, as everything outside the rules sees it."""

    # -- its commands ------------------------------------------------------------------------

    begins: ClassVar[Commands]
    """What begins a game, and last what begins a round: not where something is disabled."""
    sits: ClassVar[Commands]
    """By which a player takes a seat or box."""
    enters: ClassVar[Commands] = ()
    """By which a player who sits there comes into a round: not one who is disabled."""
    leaves: ClassVar[Commands] = ()
    """By which he goes, or is away: also one who is disabled."""
    by_page: ClassVar[Commands] = (Look,)
    """What a page sends by itself, as its player chose once: nobody need be there for it."""
    seen: ClassVar[Commands] = ()
    """Commands of staff that seat a player or put out his chips, as somebody saw them."""
    deals: ClassVar[Commands] = ()
    """Commands of the dealer's side: whoever gives one at a hand-dealt table deals there."""

    # -- its events --------------------------------------------------------------------------

    round_begins: ClassVar[Events]
    """Each says the number of its round as `round`."""
    round_ends: ClassVar[Events]
    seat_taken: ClassVar[Events] = ()
    """That somebody sits there now: each says `seat` and `player`."""
    comes: ClassVar[Events] = ()
    """By which somebody takes a seat or box; `seat_named` says which, and who."""
    goes: ClassVar[Events] = ()
    """By which somebody has left all his seats or boxes: each says `player`."""
    hands_dealt: ClassVar[Events] = ()
    """That Hole Cards are out, where one may play without a stake: each says the seats as `to`."""
    cards_dealt: ClassVar[Events] = ()
    """By which players get their cards; a round without is none that reports count. Where a game
    names none, every round counts that was begun."""
    outcomes: ClassVar[Events] = ()
    """What a round came to, for who only wants to know that."""
    voids: ClassVar[Events] = ()
    misdeals: ClassVar[Events] = ()
    cut_made: ClassVar[Events] = ()
    """That the deck was cut; each says as `cards` where."""
    rulings: ClassVar[Events] = ()
    """What reports count, beside decisions."""
    undone: ClassVar[Events] = ()
    """That the last ruling was taken back: the table stands where it stood before it."""

    # -- what it is --------------------------------------------------------------------------

    fewest: ClassVar[int] = 1
    """How many players a round needs."""
    has_jackpot: ClassVar[bool] = False
    """Whether its tables may hang on a jackpot link."""
    bets_are_closed: ClassVar[bool] = False
    """Whether players bet together until a call, and may say that they are ready for it."""
    relocates: ClassVar[bool] = False
    """Whether its book knows a relocation from table to table."""
    shares_pots: ClassVar[bool] = False
    """Whether hands play against each other for a pot, of which each has a share at any moment."""
    has_bots: ClassVar[bool] = False
    """Whether there are bots that play it (`croupier.live.bots`)."""
    asks_newcomers: ClassVar[frozenset[str]] = frozenset()
    """Questions to one who is not in the round yet, for which all the others would have to wait."""
    chance_first: ClassVar[bool] = False
    """Whether a table that waits for a shuffle or a draw hears no report before it."""
    cuts: ClassVar[Commands] = ()
    """By which the dealer cuts the deck; each says as `cards` how many come from the top."""

    def seat_named(self, event: Event) -> tuple[int, str] | None:
        """The seat or box of which an event says whose it is, with its player."""
        return None

    # -- settings ----------------------------------------------------------------------------

    def needs_link(self, settings: Struct) -> bool:
        """Whether a table with these settings must hang on a jackpot link."""
        return False

    def acting(self, settings: Struct) -> Acting:
        """How players act at a live table with these settings."""
        return "device"

    def dealt_by_hand(self, settings: Struct) -> bool:
        """Whether a person deals at a live table with these settings."""
        return False

    def opening_settings(self, settings: dict[str, Any]) -> dict[str, Any]:
        """The settings with which a live table opens, where the operator left something out."""
        return settings

    # -- dealing and rounds ------------------------------------------------------------------

    def deals_itself(self, table: T) -> bool:
        """Whether the House deals at this table, which is open, and not a person."""
        return True

    def shuffled_by_house(self, table: T) -> bool:
        """Whether the House shuffles at this table, which is open, and not a person."""
        return True

    def dealt_in(self, table: T) -> frozenset[str]:
        """The players who get cards of the coming shuffle, as far as is known now: theirs are the
        seeds that are part of it."""
        found = map(table.player_at, table.taken_seats())
        return frozenset(who for who in found if who is not None)

    def acts_by_device(self, table: T) -> bool:
        """Whether players act by their own devices here, and not before the eyes of a dealer."""
        return self.deals_itself(table)

    @abstractmethod
    def round_number(self, table: T) -> int:
        """The number of the round that is under way, or of the last one; 0 before the first."""

    def was_void(self, table: T) -> bool:
        """Whether the last round was void."""
        return False

    @abstractmethod
    def interruption(self, says: str) -> Command:
        """The report that the House's software stopped in the middle of a round."""

    def uncovered(self, says: str) -> Command:
        """The report of something for which the book does not provide."""
        return self.interruption(says)

    # -- whom it waits for -------------------------------------------------------------------

    @abstractmethod
    def waits_for(self, table: T) -> Wait | None:
        """The players whose act the table waits for; its open decisions are known already."""

    @abstractmethod
    def instead(self, table: T, seat: int) -> Instead | None:
        """What is done for the player at a seat or box whose time to act is over."""

    def stands_still(self, table: T, need: DecisionNeeded) -> bool:
        """Whether nothing goes on before this decision of staff is taken."""
        return need.holds

    @abstractmethod
    def can_play(self, table: T) -> list[int]:
        """The seats or boxes whose players could be in the next round."""

    def bets_open(self, table: T) -> BetsOpen | None:
        """Who bets, while bets are open that a call closes."""
        return None

    def to_show(self, table: T) -> tuple[int, ...]:
        """The seats that have still to show or muck, in their order; empty but at a showdown."""
        return ()

    def asked_to_show(self, table: T, due: Command | None, people: tuple[int, ...]) -> Wait | None:
        """Whom of `people` to ask whether he shows, where the House would do what is `due`."""
        return None

    def shows_next(self, table: T, due: Command | None, people: tuple[int, ...]) -> Command | None:
        """What the House does instead of what is `due`, where one of `people` may have a choice
        later; None: what is due."""
        return None

    # -- what the House does by itself -------------------------------------------------------

    def owed(self, table: T, has_account: Callable[[str], bool]) -> Command | None:
        """Money to hand over to a player who has left, and who has an account."""
        return None

    def kept_safe(self, table: T, player: str) -> int:
        """What is kept at the table for a player who has gone."""
        return 0

    def hand_over(self, player: str) -> Command:
        """Hand over what is kept safe for him; asked only where something is."""
        raise NotImplementedError

    def charge_due(self, table: T) -> Command | None:
        """A charge to collect between rounds, such as a timed rake."""
        return None

    def sits_out(self, table: T, whoever: Callable[[str], bool]) -> Iterator[Command]:
        """Before a round: what keeps out of it those who would be dealt in though they may not."""
        return iter(())

    def gone(self, table: T, who: str, *, seat_is_kept: bool) -> Iterator[Instead]:
        """What is done at the seats of a player who has no connection, one after another; each may
        be refused and is tried again later. `seat_is_kept`: he may still come back to it."""
        return iter(())

    def wished(self, table: T, who: str, wish: Wish) -> Command | None:
        """The command that carries out what a player wishes, once it would be accepted; None while
        he has to wait, or if he does not sit here."""
        return None

    def has_come_true(self, table: T, who: str, wish: Wish) -> bool:
        """Whether nothing is left to be done for a wish: it is so already."""
        return False

    def relocation(self, table: T, player: str, seat: int) -> tuple[Command, Command] | None:
        """What takes a player with all his chips from this table, and what brings him to a seat at
        another one; None if he does not sit here."""
        return None

    # -- what is shown -----------------------------------------------------------------------

    def table_info(self, table: T, link: JackpotLink | None, when: datetime) -> TableInfo:
        """What stands at the table for everybody to read."""
        policies = dict(table.state.policies)
        return TableInfo(**book_info(table.book, None, when), policies=policies)

    def limits(self, table: T) -> dict[str, int]:
        """The limits of the table in cents, by name, for a list of tables."""
        return {}

    @abstractmethod
    def seats(self, table: T) -> int:
        """How many seats or boxes there are."""

    def seated(self, table: T) -> list[int]:
        """Where somebody sits or has a bet."""
        return table.taken_seats()

    def chips(self, table: T, seat: int) -> int | None:
        """The chips before the player at a seat or box, where they are counted."""
        return None

    def views(self, table: T, names: Iterable[str | None]) -> Views:
        """The table for many at once, each as they may see it: by their names, None for the
        public."""
        return told_apart(
            table.view(PUBLIC), {name: table.view(Viewer(who=name)) for name in names}
        )

    def open_cards(self, table: T) -> frozenset[Card]:
        """The cards whose place everybody at the table knows: those that lie open, and those that
        were open and have been ruled on."""
        return frozenset(cards_in([table.view(PUBLIC), *self.seen_before(table)]))

    def seen_before(self, table: T) -> Iterable[Any]:
        """Records of cards that were open to all and do not lie so now."""
        return ()

    @abstractmethod
    def stands(self, table: T, who: str, *, said_ready: bool) -> Stands:
        """How a visitor stands here, with what he may do now."""

    @abstractmethod
    def terms(self, table: T) -> Terms:
        """What the table asks of money."""

    # -- what a dealer enters by hand --------------------------------------------------------

    def next_step(self, table: T) -> Command | None:
        """What a dealer who errs in nothing does next, also at a hand-dealt table."""
        return table.due()

    def dealer_acts(self, table: T) -> Iterator[DealerAct]:
        """What might be entered at a hand-dealt table now, what comes next first; which of it the
        table would hear is found by trying (`entries_now`)."""
        return iter(())

    def dealer_view(self, table: T) -> DealerView:
        """A hand-dealt table as its dealer sees it: only what lies face up."""
        seats = range(1, self.seats(table) + 1)
        taken = (DealerSeat(seat=n, player=table.player_at(n) or "") for n in seats)
        turn = table.turn()
        return DealerView(seats=tuple(taken), awaited=(turn,) if turn is not None else ())

    # -- what is told ------------------------------------------------------------------------

    def outcome(self, event: Event, name: Namer, told: Container[str]) -> list[str]:
        """One of the `outcomes`, or the end of a round, in sentences; `told` are those before."""
        return [event.tell(name)]

    def cards_seen(self, event: Event) -> tuple[int, tuple[Card, ...]] | None:
        """The seat or box whose player sees his own cards by an event, and the cards."""
        return (event.seat, event.cards) if isinstance(event, Looked) else None

    def told_to_auditor(self, event: Event, name: Namer) -> str | None:
        """An event with every card in it, where the game tells that better than by a list."""
        return None

    def claimed_in(self, events: Iterable[Event], box: int) -> Claimed:
        """Whose hand of a box was claimed, by the events of its table up to the payment."""
        return Claimed()

    def is_irregularity(self, events: Sequence[Event]) -> bool:
        """Whether a command, by all that it caused at a table, has reported an irregularity."""
        return False

    def house_won(self, table: T) -> int:
        """What the House has taken or won here since the table opened, or lost if negative."""
        return 0

    def jackpot_count(self, table: T) -> int:
        """How many jackpot stakes the table itself has counted, for reconciliation."""
        return 0

    def from_jackpot(self, table: T) -> int:
        """What a jackpot link has paid to players here."""
        return 0
