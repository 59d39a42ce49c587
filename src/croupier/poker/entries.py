"""What somebody pays to come in: a newcomer, one who was moved here, one who is back.

Pure functions of his seat and his position in the Round of play about to start (`positions`). No
Limit Hold'em v8, 5.7 to 5.7.3; Poker v5 leaves it to the House (P-28).
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from croupier.poker.state import PokerState, SeatState
from croupier.rulebooks import Topic, Ways

Position = Literal["button", "small blind", "big blind", "ordinary"]


class Entry(Struct, frozen=True, kw_only=True):
    """What a newcomer or returning player pays, or that he waits; and why."""

    seat: int
    plays: bool
    live: int = 0
    dead: int = 0
    topic: Topic


class Ask(Struct, frozen=True, kw_only=True):
    """Somebody must decide before the Blinds can be called."""

    question: Literal["join on the small blind", "who posts", "absent at the blinds"]
    seat: int
    blind: Literal["small", "big"] = "small"
    """Which Blind it is that somebody is away for."""


SEATS_BY_THE_BOOK = Ways(
    "seating-and-missed-blinds", {"by-the-book": True, "house-decision": False}
)
"""Whether the book says who pays what on joining and coming back; else staff decide (P-28)."""


def entry_of(
    state: PokerState, by_the_book: bool, number: int, position: Position, orbit: int
) -> Entry | Ask:
    """What somebody who comes in pays at this position, in this lap of the button."""
    seat = state.seats[number]
    small, big = state.settings.blinds

    def pays(topic: Topic, live: int = 0, dead: int = 0) -> Entry:
        return Entry(seat=number, plays=True, live=live, dead=dead, topic=topic)

    def waits_for(topic: Topic) -> Entry:
        return Entry(seat=number, plays=False, topic=topic)

    if not by_the_book:
        topic = Topic.WHO_POSTS_THE_BLINDS
        if position == "small blind":
            return pays(topic, live=small)
        if position == "big blind":
            return pays(topic, live=big)
        match seat.decided:
            case "":
                return Ask(question="who posts", seat=number)
            case "wait":
                return waits_for(topic)
            case "nothing":
                return pays(topic)
            case "big blind":
                return pays(topic, live=big)
            case _:
                return pays(topic, live=big, dead=small)
    match seat.entry, position:
        case "relocated", "big blind":
            return pays(Topic.RELOCATED_PLAYER, live=big)
        case "relocated", _:
            return pays(Topic.RELOCATED_PLAYER)
        case "new", "small blind" if orbit <= 1:
            return pays(Topic.JOINING_FIRST_ORBIT, live=small)
        case "new", "big blind" if orbit <= 1:
            return pays(Topic.JOINING_FIRST_ORBIT, live=big)
        case "new", _ if orbit <= 1:
            return pays(Topic.JOINING_FIRST_ORBIT)
        case "new", "small blind":
            match seat.decided:
                case "":
                    return Ask(question="join on the small blind", seat=number)
                case "wait":
                    return waits_for(Topic.NEW_PLAYER_SMALL_BLIND)
                case _:
                    return pays(Topic.NEW_PLAYER_SMALL_BLIND, live=big, dead=small)
        case "new", "button":
            return waits_for(Topic.NEW_PLAYER_BUTTON)
        case "new", _:
            return pays(Topic.JOINING_AFTER_FIRST_ORBIT, live=big)
        case _:
            return _return(seat, number, position, small, big)


def entry_once_passed(state: PokerState, number: int, position: Position, topic: Topic) -> Entry:
    """What somebody pays whom the button has passed without a Round: what he would have paid after
    one. A newcomer a Big Blind, wherever he sits; who missed a Small Blind only that."""
    seat = state.seats[number]
    small, big = state.settings.blinds
    if topic is not Topic.MISSED_SMALL_BLIND_ON_BUTTON:
        return Entry(seat=number, plays=True, live=big, topic=topic)
    if position == "big blind":
        return _return(seat, number, position, small, big)
    live = small if position == "small blind" else 0
    return Entry(seat=number, plays=True, live=live, dead=small - live, topic=topic)


def _return(seat: SeatState, number: int, position: Position, small: int, big: int) -> Entry:
    """The matrix of A-49: what was missed against where he returns (v8 5.7.3)."""

    def pays(topic: Topic, live: int = 0, dead: int = 0) -> Entry:
        return Entry(seat=number, plays=True, live=live, dead=dead, topic=topic)

    only_small = seat.missed_small and not seat.missed_big
    match position:
        case "big blind":
            if only_small:
                return pays(Topic.MISSED_SMALL_BLIND_ON_BIG_BLIND, live=big)
            return pays(Topic.MISSED_BOTH_ON_BIG_BLIND, live=big)
        case "button" if only_small:
            return Entry(seat=number, plays=False, topic=Topic.MISSED_SMALL_BLIND_ON_BUTTON)
        case "small blind" if only_small and seat.waits_at is not None:
            # He has waited (5.7.3.a) and owes a Small Blind only. Where two played meanwhile, the
            # button has come round to his right: what he owes is the Small Blind of this Round.
            return pays(Topic.MISSED_SMALL_BLIND_ON_BUTTON, live=small)
        case "ordinary" if only_small:
            topic = Topic.MISSED_SMALL_BLIND_ELSEWHERE
            if seat.waits_at is not None:
                topic = Topic.MISSED_SMALL_BLIND_ON_BUTTON
            return pays(topic, dead=small)
        case _:
            return pays(Topic.MISSED_BLINDS, live=big, dead=small)
