"""Tables set for a replay: the settings that the record states, its players, their posts.

From the call for Blinds on everything is done by commands. The way there, sitting down and drawing
for the button, is left out: the seats are put as they stand when the Blinds are called.

Most hands begin alike, with two Blinds in full and Hole Cards that nobody saw. For these the call,
the posts and the deal are done once by commands and then copied for each hand with its own stakes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from msgspec import Struct

from croupier.cards import Card, Shoe
from croupier.formats.hand import Post
from croupier.formats.room import (
    BOOK_ROOM,
    Room,
    as_the_room_plays,
    play_in_order,
    post_late,
    without_small_blind,
)
from croupier.formats.script import WHEN, Script, house
from croupier.poker import PokerTable
from croupier.poker.commands import CallForBlinds, DealHoleCards, PostBlinds, Straddle
from croupier.poker.deck import DECK_IS_CUT
from croupier.poker.entries import SEATS_BY_THE_BOOK
from croupier.poker.events import EntrySettled
from croupier.poker.state import Betting, RoundPlayer, RoundState, SeatState
from croupier.rulebooks import Rulebook, Topic
from croupier.table import ActorRank, Command, Event, OpenTable, Order, Refused
from croupier.table.money import write_money
from croupier.table.refusal import Refusal

SEATS = 10
MOST = 10**15
UNKNOWN = Card.UNKNOWN
_CALL = house(CallForBlinds())
_POST = house(PostBlinds())
_DEAL = house(DealHoleCards())
T = TypeVar("T", bound=Struct)
NAMES = [f"p{seat}" for seat in range(SEATS + 2)]


class RecordShoe(Shoe, kw_only=True):
    """A real shoe whose cards are on record. That each is there once, the script has seen to."""

    def take(self, cards: Any) -> tuple[Card, ...]:
        taken = tuple(cards)
        del self.order[: len(taken)]
        self.drawn += taken
        return taken

    def deal_street(self, burnt: Card, cards: tuple[Card, ...]) -> None:
        del self.order[: len(cards) + 1]
        self.burnt.append(burnt)
        self.drawn += cards


class ReplayTable(PokerTable):
    """A poker table at which a record is played again.

    It gives the answers of any table. Chips and cards are counted whenever a street is dealt and
    before and after the hand is paid (`croupier.formats.replay`), not after every event: what an
    event lost is still missing then, and a collection takes a tenth less time.
    """

    plainly_seated = False
    """Whether the hand before left nothing at the seats but other stakes."""

    def emit(self, event: Event) -> None:
        self._emitted.append(event)
        self._appliers[type(event)](self, self.state.round, event)

    def give(self, order: Order[Any]) -> None:
        """Carry out an order, or raise the refusal."""
        if self.state.waiting and self.is_held():
            self.refuse_while_waiting()
        self._deciders[type(order.command)](self, order)

    def decider(self, kind: type[Command]) -> Callable[[PokerTable, Any], None]:
        """What decides a kind of command, for whoever gives it often; `give` in one step."""
        return self._deciders[kind]

    def check_reported(self, cards: tuple[Card, ...]) -> None:
        """The script has seen to it that each card is there once."""

    @property
    def happened(self) -> list[Event]:
        """The events of this hand so far."""
        return self._emitted

    def begin_hand(self) -> None:
        """Forget the hand before."""
        self._emitted = []


class Dealt(Struct, frozen=True):
    """A Round of play just after the deal, for all hands that begin in the same way."""

    plain: dict[str, Any]
    """The fields of the round that are not as in a new one, but for those below."""
    filled: dict[str, Any]
    """Its lists and dictionaries that hold anything."""
    players: dict[int, RoundPlayer]
    put: list[tuple[int, int]]
    """Who has posted a Blind, and what."""
    betting: Betting
    events: list[Event]


class Stage:
    """The tables of one book under one set of policies, opened as records ask for them."""

    KEPT = 64
    """How many tables are kept open for further hands."""
    table_type: type[ReplayTable] = ReplayTable

    def __init__(
        self, book: Rulebook, policies: dict[str, str], chip: int = 1, room: Room = BOOK_ROOM
    ) -> None:
        self.book = book
        self.room = room
        self.policies = policies
        self.chip = chip
        self._tables: dict[tuple[int, int, bool], ReplayTable | Refused] = {}
        self._dealt: dict[tuple[int, int, int], Dealt] = {}
        self.by_the_book = SEATS_BY_THE_BOOK.of(book)
        """Whether the book says what somebody pays to come in."""

    def with_chip(self, chip: int) -> Stage:
        """The same with amounts counted in another chip."""
        return Stage(self.book, self.policies, chip, self.room)

    # -- tables ------------------------------------------------------------------------------

    def table(self, small: int, big: int, straddle: bool = False) -> ReplayTable | Refused:
        """A table with these Blinds, or why the book does not let it open."""
        key = (small, big, straddle)
        found = self._tables.get(key)
        if found is None:
            if len(self._tables) >= self.KEPT:
                self._tables.clear()
                self._dealt.clear()
            found = self._tables[key] = self._open(small, big, straddle)
        return found

    def _open(self, small: int, big: int, straddle: bool) -> ReplayTable | Refused:
        table = self.table_type(self.book)
        maximum = MOST // self.chip * self.chip
        settings = {
            "seats": SEATS,
            "blinds": (small, big),
            "layout": "A",
            "sign": True,
            "rake": {"percent": 0, "cap": 0},
            "minimum_stake": self.chip,
            "maximum_stake": maximum if self.book.has(Topic.MAXIMUM_TABLE_STAKE) else None,
            "chips": (self.chip,),
            "straddle": straddle,
            "shoe": "reported",
            "opened_knowingly": True,
        }
        opening: Command = OpenTable(table="replay", settings=settings, policies=self.policies)
        order = Order(command=opening, who="replay", rank=ActorRank.PIT_MANAGER, when=WHEN)
        answer = table.handle(order)
        return answer if isinstance(answer, Refused) else table

    # -- a hand ------------------------------------------------------------------------------

    def set(self, script: Script) -> ReplayTable:
        """A table at which the Hole Cards of this hand have just been dealt.

        Raises the refusal where the book would not have it so.
        """
        if self.room != BOOK_ROOM:
            script = as_the_room_plays(script, self.room)
        straddle = script.posts is not None and any(p.kind == "straddle" for p in script.posts)
        table = self.table(script.small, script.big, straddle)
        if isinstance(table, Refused):
            raise Refusal(table)
        table.begin_hand()
        if script.posts is None and script.cards is None and min(script.stacks) > script.big:
            key = (script.small, script.big, script.count)
            dealt = self._dealt.get(key)
            if dealt is None:
                self._by_commands(table, script)
                dealt = self._dealt[key] = as_dealt(table)
                table.begin_hand()
            deal_again(table, script.stacks, dealt)
        else:
            self._by_commands(table, script)
        return table

    def _by_commands(self, table: ReplayTable, script: Script) -> None:
        """Call for the Blinds, have them posted and deal, as at any table."""
        _seat(table, script.stacks, script.button)
        posts = script.posts
        if posts is not None:
            self._come_in(table, script, posts)
        state = table.state
        table.give(_CALL)
        round_ = state.round
        if round_ is None or len(round_.order) != script.count:
            refuse_entry(table)
        table.give(_POST)
        if posts is not None:
            for post in posts:
                if post.kind == "straddle":
                    # Whoever came in with a Big Blind adds to what lies there (v8 3.10).
                    to, _ = _sums([each for each in posts if each.seat == post.seat])
                    table.give(house(Straddle(seat=post.seat, to=to)))
            if self.room.late_posts_are_blinds:
                post_late(table, round_, posts)
            self._check_posts(table, round_, posts)
        if script.cards is None:
            table.give(_DEAL)
        else:
            order = [script.cards[seat - 1] for seat in round_.order]
            cards = tuple(held[turn] for turn in range(2) for held in order)
            table.give(house(DealHoleCards(cards=cards)))
        if self.room.heads_up_as_recorded:
            play_in_order(table, script)

    def _come_in(self, table: ReplayTable, script: Script, posts: tuple[Post, ...]) -> None:
        """Seats of players who come in or come back, as their posts say; nobody at the Small
        Blind's place where nobody posted it, nor with the button where nobody has it."""
        state = table.state
        kinds = {post.kind for post in posts}
        state.vacated = [script.button] if script.button > script.count else []
        if script.count > 2 and "small blind" not in kinds:
            [big] = [post.seat for post in posts if post.kind == "big blind"] or [0]
            after = max(script.count, script.button) + 1
            if big == 1 and after <= SEATS:
                # v8 5.8, 5.9: the seat between the button and the Big Blind is empty.
                state.vacated.append(after)
        place = 1 if script.count > 2 else 2
        if script.by_a_book and place not in {post.seat for post in posts} and self.by_the_book:
            # v8 5.7.2: who sits at the Small Blind and pays nothing was brought there.
            state.seats[place].entry, state.seats[place].rotates = "relocated", False
        if self.room.late_posts_are_blinds:
            return
        for seat in {post.seat for post in posts if post.kind == "post"}:
            posted = [post for post in posts if post.seat == seat]
            live, dead = _sums(posted)
            all_in = any(post.all_in for post in posted)
            sitter = state.seats[seat]
            if not self.by_the_book:
                # P-28: what is posted to come in the House decides, and on record is what it did.
                sitter.entry, sitter.rotates = "new", False
                sitter.decided = "both blinds" if dead else "big blind"
            elif live and not dead and not all_in:
                sitter.entry, sitter.rotates = "new", False
            else:  # all that was there may have been too little for both Blinds
                sitter.missed_small = True
                sitter.missed_big = bool(live)

    def _check_posts(self, table: ReplayTable, round_: RoundState, posts: tuple[Post, ...]) -> None:
        """What the book has everybody post is what is on record."""
        for seat, player in round_.players.items():
            live, dead = _sums([post for post in posts if post.seat == seat])
            if (player.bet, player.dead) != (live, dead):
                allowed = self.room.small_blind_may_miss and not live and not dead
                if allowed and without_small_blind(table, round_, seat):
                    continue
                topics = (Topic.WHO_POSTS_THE_BLINDS, Topic.MISSED_BLINDS)
                if len(round_.order) == 2:
                    topics = (Topic.HEADS_UP_BLINDS, Topic.WHO_POSTS_THE_BLINDS)
                table.refuse_with(
                    topics,
                    f"Player {seat} posted {_money(live, dead)}; by the book it is "
                    f"{_money(player.bet, player.dead)}.",
                )


def as_dealt(table: ReplayTable) -> Dealt:
    """How the round of a table stands just after the deal."""
    round_ = table.state.round
    assert round_ is not None
    fresh = RoundState(number=0, at=round_.at, button=0, small_blind=None, big_blind=0, order=())
    plain: dict[str, Any] = {"at": round_.at}
    filled: dict[str, Any] = {}
    for name in round_.__struct_fields__:
        value = getattr(round_, name)
        if name in ("players", "betting") or value == getattr(fresh, name):
            continue
        (filled if isinstance(value, list | dict) else plain)[name] = value
    return Dealt(
        plain=plain,
        filled=filled,
        players=round_.players,
        put=[(seat, player.total) for seat, player in round_.players.items() if player.total],
        betting=round_.betting,
        events=table.happened,
    )


def deal_again(table: ReplayTable, stacks: list[int], dealt: Dealt) -> None:
    """Have a table stand as it stood after that deal, with the stakes of this hand."""
    count = len(stacks)
    _seat(table, stacks, count, plainly=True)
    state = table.state
    for number, put in dealt.put:
        state.seats[number].stake -= put
    players = {}
    for number, player in dealt.players.items():
        players[number] = another = copied(player)
        another.cards = [UNKNOWN, UNKNOWN]
        another.exposed = []
    betting = copied(dealt.betting)
    betting.to_act = betting.to_act.copy()
    betting.at_top = betting.at_top.copy()
    betting.bound = {}
    round_ = RoundState(players=players, betting=betting, **dealt.plain)
    for name, value in dealt.filled.items():
        setattr(round_, name, value.copy())
    state.round = round_
    state.phase = "betting"
    state.rounds = round_.number
    state.timed_from = round_.at
    shoe = state.shoe
    assert shoe is not None
    shoe.cover = False
    shoe.take((UNKNOWN,) * (2 * count))
    table.happened.extend(dealt.events)


def refuse_entry(table: ReplayTable) -> NoReturn:
    """Somebody who was dealt in should have waited, or the round could not begin."""
    for event in table.happened:
        if isinstance(event, EntrySettled) and not event.plays:
            says = f"Player {event.seat} was dealt in, but had to wait."
            raise Refusal(Refused(event.cites, says))
    table.refuse(Topic.WHO_POSTS_THE_BLINDS, "The round cannot begin as it is on record.")


def copied(record: T) -> T:
    """A shallow copy of a record, made by the record itself: a tenth of what `copy` costs."""
    return record.__copy__()  # type: ignore[attr-defined, no-any-return]


def _sums(posts: list[Post]) -> tuple[int, int]:
    """What was posted live, and what dead."""
    dead = sum(post.amount for post in posts if post.dead)
    return sum(post.amount for post in posts) - dead, dead


def _money(live: int, dead: int) -> str:
    return f"{write_money(live)} and {write_money(dead)} dead" if dead else write_money(live)


def _seat(table: ReplayTable, stacks: list[int], button: int, *, plainly: bool = False) -> None:
    """The table as it stands ready for the call: everybody has played before, deck in the shoe."""
    state = table.state
    if table.plainly_seated and len(state.seats) == len(stacks):
        for sitter, stack in zip(state.seats.values(), stacks, strict=True):
            sitter.stake = stack
    else:
        state.seats = {
            seat: SeatState(player=NAMES[seat], stake=stack, entry="in", rotates=True)
            for seat, stack in enumerate(stacks, 1)
        }
    table.plainly_seated = plainly
    state.vacated = []
    state.waiting = []
    state.last_need = 0
    state.button = button
    state.orbit, state.orbit_start = 2, button
    state.rounds = 0
    state.phase = "ready"
    state.round = None
    state.shuffled = True
    state.house = 0
    state.brought = sum(stacks)
    state.timed_from = None
    table.cards_moved = False
    shoe = state.shoe
    if shoe is None:
        shoe = state.shoe = RecordShoe(real=True, order=[UNKNOWN] * 52)
    else:
        shoe.order = [UNKNOWN] * 52
        shoe.drawn, shoe.burnt = [], []
    shoe.was_cut = shoe.cover = table.by_book[DECK_IS_CUT]
