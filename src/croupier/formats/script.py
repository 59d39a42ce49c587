"""A hand as the replay takes it: the table to be set, then one step after the other.

`script_of` makes it from a `Hand`; `phh_quick` makes the same from the text of a plain PHH hand.
Players are numbered from 1 in the order of the deal, whatever their seats were.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any, Final

from msgspec import Struct

from croupier.cards import Card
from croupier.formats.errors import FormatError
from croupier.formats.hand import Hand, Post
from croupier.formats.phh import PLAYERS
from croupier.poker.commands import (
    AllIn,
    Bet,
    Call,
    Check,
    DealFlop,
    DealRiver,
    DealTurn,
    Fold,
    Raise,
)
from croupier.table import ActorRank, Command, Order

WHEN = datetime(2024, 8, 1, 20, tzinfo=timezone(timedelta(hours=8)))
"""When a hand is replayed: the books are in force. When it was played, its own record says."""
ENDLESS = 10**13
"""A stack that nobody noted: more than anybody could lose."""

UNKNOWN = Card.UNKNOWN
UNSEEN = (UNKNOWN, UNKNOWN)


def house(command: Command) -> Order[Command]:
    """An order that the House gives, for itself or for a player."""
    return Order(command=command, who="replay", rank=ActorRank.HOUSE, when=WHEN)


FOLD: Final = 1
CHECK_OR_CALL: Final = 2
CHECK: Final = 3
CALL: Final = 4
WAGER: Final = 5
BOARD: Final = 6
SHOW: Final = 7
MUCK: Final = 8
HOLE: Final = 9


class Step(Struct, frozen=True):
    """One thing that happened, with the orders that say so to a table."""

    code: int
    seat: int = 0
    to: int = 0
    """What a wager, or a call that states it, came to; 0 where nobody said."""
    order: Order[Any] | None = None
    other: Order[Any] | None = None
    """For a wager, `order` raises and `other` bets; for check or call, checks and calls."""
    cards: tuple[Card, ...] = ()


class Script(Struct, frozen=True):
    """Everything that a replay needs of a hand."""

    count: int
    small: int
    big: int
    stacks: list[int]
    cards: tuple[tuple[Card, ...], ...] | None
    """The Hole Cards of each, or None where nobody wrote any down before they were shown."""
    posts: tuple[Post, ...] | None
    """By whom and what, seats as here; None for the two Blinds, each in full."""
    button: int
    """Who has it; one more than there are players where it is at an empty seat."""
    steps: list[Step]
    finishing: list[int | None] | None
    """What each ended with; None also where nobody noted what he began with."""
    winnings: list[int | None] | None
    negative: bool = False
    """Whether posts stand there with a minus, which says that they were not as usual."""
    by_a_book: bool = False
    """Whether a table of ours played it, by the book that the record names."""


FOLDS = [Step(FOLD, seat, 0, house(Fold(seat=max(seat, 1)))) for seat in range(PLAYERS + 1)]
CHECKS = [house(Check(seat=max(seat, 1))) for seat in range(PLAYERS + 1)]
CALLS = [house(Call(seat=max(seat, 1))) for seat in range(PLAYERS + 1)]
ALL_INS = [house(AllIn(seat=max(seat, 1))) for seat in range(PLAYERS + 1)]
CHECK_OR_CALLS = [
    Step(CHECK_OR_CALL, seat, 0, CHECKS[seat], CALLS[seat]) for seat in range(PLAYERS + 1)
]


def wager(seat: int, to: int) -> Step:
    """A BET or a Raise to this total; which of them, the table knows."""
    return Step(WAGER, seat, to, house(Raise(seat=seat, to=to)), house(Bet(seat=seat, to=to)))


def board(cards: tuple[Card, ...]) -> Step:
    """A street of these cards: the flop, or `order` the turn and `other` the river."""
    if len(cards) == 3:
        return Step(BOARD, 0, 0, house(DealFlop(faces=cards)), None, cards)
    return Step(BOARD, 0, 0, house(DealTurn(faces=cards)), house(DealRiver(faces=cards)), cards)


# -- from a hand -------------------------------------------------------------------------------


def script_of(hand: Hand) -> Script:
    """The script of any hand."""
    count = len(hand.players)
    if not 2 <= count <= PLAYERS:
        raise FormatError(f"{count} players; hold'em is for 2 to {PLAYERS}")
    place = {player.seat: i for i, player in enumerate(hand.players, 1)}
    if len(place) != count:
        raise FormatError("two players at one seat")
    cards: tuple[tuple[Card, ...], ...] | None = tuple(
        player.cards if len(player.cards) == 2 else UNSEEN for player in hand.players
    )
    if all(held == UNSEEN for held in cards or ()):
        cards = None
    _each_once(hand)
    stacks = [player.stack for player in hand.players]
    finishing = [player.finishing for player in hand.players]
    winnings = [player.winnings for player in hand.players]
    negative = any(post.amount < 0 for post in hand.posts) or _negative(hand)
    posts = _posts(hand, place)
    # Where it is at an empty seat (v8 5.8) matters only for what else is posted.
    empty = count if posts is None or not 2 < count < PLAYERS else count + 1
    return Script(
        count=count,
        small=hand.small_blind,
        big=hand.big_blind,
        stacks=[ENDLESS if stack is None else stack for stack in stacks],
        cards=cards,
        posts=posts,
        button=place.get(hand.button, empty),
        steps=_steps(hand, place),
        finishing=None if None in finishing or None in stacks else finishing,
        winnings=None if None in winnings else winnings,
        negative=negative,
        by_a_book=bool(hand.rulebook),
    )


def _negative(hand: Hand) -> bool:
    """PHH writes a post that was not as usual with a minus; the reader has kept it so."""
    kept = hand.extra.get("blinds_or_straddles", ())
    return any(value < 0 for value in kept)


def _each_once(hand: Hand) -> None:
    """No card in two places; a hand shown is the hand dealt."""
    seen: dict[Card, int] = dict.fromkeys(hand.board, 0)
    known = [card for card in hand.board if card is not UNKNOWN]
    if len(set(known)) != len(known):
        raise FormatError("a Community Card is there twice")
    seen.pop(UNKNOWN, None)
    held = [(player.seat, card) for player in hand.players for card in player.cards]
    for street in hand.streets:
        held += [(act.seat, card) for act in street.acts for card in act.cards]
    for seat, card in held:
        if card is not UNKNOWN and seen.setdefault(card, seat) != seat:
            raise FormatError(f"{card.pretty} is in two places")


def _posts(hand: Hand, place: dict[int, int]) -> tuple[Post, ...] | None:
    """The posts by the replay's numbers; None where they are just the two Blinds in full."""
    posts = []
    for post in hand.posts:
        if post.seat not in place:
            raise FormatError(f"a post of seat {post.seat}, which is not in the hand")
        posts.append(
            Post(
                seat=place[post.seat],
                kind=post.kind,
                amount=post.amount,
                dead=post.dead,
                all_in=post.all_in,
            )
        )
    count = len(place)
    small, big = (2, 1) if count == 2 else (1, 2)
    plain = {
        small: ("small blind", hand.small_blind, False),
        big: ("big blind", hand.big_blind, False),
    }
    found = {post.seat: (post.kind, post.amount, post.all_in) for post in posts}
    if len(posts) == 2 and found == plain and place.get(hand.button, count) == count:
        return None
    return tuple(posts)


def _steps(hand: Hand, place: dict[int, int]) -> list[Step]:
    steps: list[Step] = []
    laid = 0
    for street in hand.streets:
        if street.cards:
            if laid + len(street.cards) != (3 if laid == 0 else laid + 1) or laid > 4:
                raise FormatError(f"{len(street.cards)} cards on the {street.name}")
            steps.append(board(street.cards))
            laid += len(street.cards)
        for act in street.acts:
            if act.do == "note":
                continue
            if act.seat not in place:
                raise FormatError(f"an action of seat {act.seat}, which is not in the hand")
            seat = place[act.seat]
            match act.do:
                case "fold":
                    steps.append(FOLDS[seat])
                case "check":
                    steps.append(Step(CHECK, seat, 0, CHECKS[seat]))
                case "call":
                    steps.append(Step(CALL, seat, act.to, CALLS[seat]))
                case "bet" | "raise":
                    steps.append(wager(seat, act.to))
                case "show":
                    steps.append(Step(SHOW, seat, 0, None, None, act.cards))
                case _:
                    steps.append(Step(MUCK, seat))
    return steps
