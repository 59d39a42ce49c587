"""Who plays the next Round of play and from where: button, Blinds, who misses them, who waits.

Pure functions of the seats. Positions are judged for the Round of play about to start, with the
button already where it belongs (A-47). No Limit Hold'em v8, 3.9 and 5.7 to 5.9; Poker v5 leaves
comings and goings to the House (P-28).
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from croupier.poker.entries import Ask, Entry, Position, entry_of, entry_once_passed
from croupier.poker.state import PokerState, SeatState
from croupier.rulebooks import Topic
from croupier.table.seat import clockwise

Blind = Literal["small", "big"]


class Missed(Struct, frozen=True, kw_only=True):
    """A Blind that was due from a player who is away."""

    seat: int
    blind: Blind
    due: bool
    """Whether it was his now, or only passed over his place once more."""


class Plan(Struct, frozen=True, kw_only=True):
    """A Round of play as the seats stand now."""

    button: int
    small_blind: int | None
    big_blind: int
    players: tuple[int, ...]
    blinds: dict[int, int]
    """The Small and the Big Blind by the seat that owes them."""
    missed: tuple[Missed, ...] = ()
    entries: tuple[Entry, ...] = ()


def plan_round(state: PokerState, by_the_book: bool) -> Plan | Ask | None:
    """The next Round of play; a question that must be answered first; or None: too few Players."""
    if (plain := _plain(state)) is not None:
        return plain
    if state.button is None:
        return None
    button = state.button
    passed: dict[int, Topic] = {}
    while True:
        waiting: dict[int, Entry] = {}
        found = _plan(state, by_the_book, button, waiting, passed)
        while isinstance(found, Entry):
            # He waits, and then is not a Player of this Round: judge the positions without him.
            waiting[found.seat] = found
            found = _plan(state, by_the_book, button, waiting, passed)
        if found is not None or not by_the_book:
            return found
        # v8 5.7.1.a and b, 5.7.3.a: who waits comes in when the button has passed him. If no Round
        # can be played without those who wait, it passes them now and not with a Round.
        told = {number: each.topic for number, each in waiting.items() if number not in passed}
        told |= _told_before(state, by_the_book, passed)
        if not told:
            return None
        passed |= told
        button = _beyond(state, button, passed)


def _told_before(
    state: PokerState, by_the_book: bool, passed: dict[int, Topic]
) -> dict[int, Topic]:
    """Who was told to wait at an earlier call, and by what, while the button has not moved."""
    return {
        number: Topic.JOINING_AFTER_FIRST_ORBIT
        if seat.entry == "new"
        else Topic.MISSED_SMALL_BLIND_ON_BUTTON
        for number, seat in state.seats.items()
        if number not in passed and comes_in(seat, by_the_book) and waits(seat, state.button)
    }


def _beyond(state: PokerState, button: int, passed: dict[int, Topic]) -> int:
    """The next Player whom the button does not pass; after a lap past everybody, the next."""
    ready = [number for number, seat in state.seats.items() if can_play(seat)]
    others = [number for number in ready if number not in passed]
    return clockwise(others or ready, after=button)[0]


def _plain(state: PokerState) -> Plan | None:
    """The plan where everybody at the table has played and is there: most rounds, and quickly."""
    seats = state.seats
    button = state.button
    if button not in seats or state.vacated or len(seats) < 2:
        return None
    before: list[int] = []
    behind: list[int] = []
    for number, seat in seats.items():  # they are kept in order
        if (
            not seat.rotates
            or not seat.here
            or seat.stake <= 0
            or seat.entry != "in"
            or seat.missed_small
            or seat.missed_big
            or seat.misses
        ):
            return None
        if number > button:
            behind.append(number)
        else:
            before.append(number)
    order = (*behind, *before)
    heads_up = len(order) == 2
    small = button if heads_up else order[0]
    big = order[0] if heads_up else order[1]
    return Plan(
        button=button,
        small_blind=small,
        big_blind=big,
        players=order,
        blinds={small: state.settings.blinds[0], big: state.settings.blinds[1]},
    )


def can_play(seat: SeatState) -> bool:
    """Whether somebody is at his seat with chips."""
    return seat.here and bool(seat.stake)


def comes_in(seat: SeatState, by_the_book: bool) -> bool:
    """Whether somebody has yet to come in: new, relocated, or back after missing something."""
    if not can_play(seat):
        return False
    if seat.entry != "in":
        return True
    if by_the_book:
        return seat.missed_small or seat.missed_big
    return seat.misses > 0


def waits(seat: SeatState, button: int | None) -> bool:
    """Whether somebody still waits for the button to pass him."""
    return seat.waits_at is not None and seat.waits_at == button


def in_rotation_again(before: SeatState, now: SeatState) -> bool:
    """Whether button and Blinds come to a seat when what was owed before the call is owed again: to
    whoever has gone away since and had missed the Big Blind they do not (A-52)."""
    if can_play(now) and not before.here:
        return before.rotates or before.entry == "in"
    return before.rotates and (now.here or not before.missed_big)


def next_button(state: PokerState, after: int) -> int:
    """Where the button goes from a seat: to the next place in the rotation (v8 1.17, 3.8, 5.8).

    Who missed the Big Blind is in it again as soon as he is back (A-52); a newcomer only when he
    has been dealt in (A-47).
    """
    if not state.vacated:
        first = 0
        for number, seat in state.seats.items():  # they are kept in order
            if seat.rotates:
                if number > after:
                    return number
                first = first or number
        return first or after
    places = [number for number, seat in state.seats.items() if seat.rotates]
    places += [seat for seat in state.vacated if seat not in state.seats]
    others = clockwise(places, after=after)
    return others[0] if others else after


def orbit_at(state: PokerState, old: int, new: int) -> int:
    """Which lap it is once the button has gone from one seat to another (A-46): another one if it
    comes to the seat where the first began, or passes it."""
    start = state.orbit_start or 0
    return state.orbit + (start == new or between(start, old, new))


def left_for_the_button(state: PokerState, button: int, big: int, players: tuple[int, ...]) -> None:
    """Of the seats that were left empty for the button (A-53) those remain to which it still goes:
    not one that is taken when the Blinds are called, nor one that the Big Blind passes, because
    somebody has come to sit before it (5.9)."""
    places = {*players, *(number for number, seat in state.seats.items() if seat.rotates)}
    state.vacated = [
        seat
        for seat in state.vacated
        if seat not in state.seats
        and not (between(seat, button, big) and any(between(p, button, seat) for p in places))
    ]


def next_small_blind(state: PokerState) -> int | None:
    """Whose turn it is to place the Small Blind of the next Round of play, present or not."""
    button = button_to_come(state)
    return None if button is None else next_button(state, button)


def button_to_come(state: PokerState) -> int | None:
    """Where the button is due in the next Round of play."""
    if state.round is not None and state.round.open:
        return next_button(state, state.round.button)
    return state.button


def leaves_it_for_the_button(state: PokerState, number: int) -> bool:
    """A-53: whoever leaves when the Small Blind is his next leaves an empty seat for the button;
    so does whoever was away when it was, if the button comes to his seat for that (5.8). Not if he
    was back and still owed for a missed Big Blind: he is passed over again (A-52)."""
    seat = state.seats[number]
    if not seat.rotates or seat.missed_big:
        return False
    comes_next = seat.missed_small and button_to_come(state) == number
    return comes_next or next_small_blind(state) == number


def _plan(
    state: PokerState,
    by_the_book: bool,
    button: int,
    waiting: dict[int, Entry],
    passed: dict[int, Topic],
) -> Plan | Ask | Entry | None:
    """The Round with the button at this seat, but for those who are `waiting`; somebody who has to
    wait as well is what is found instead."""
    seats = state.seats
    rotation = _rotation(state, by_the_book)
    gone = button not in seats and button not in state.vacated
    if gone and rotation:
        button = clockwise(rotation, after=button)[0]
    coming = [
        number
        for number in sorted(seats)
        if comes_in(seats[number], by_the_book)
        and number not in waiting
        and (number in passed or not waits(seats[number], button))
    ]
    live = {
        number
        for number in {*rotation, *coming}
        if number in seats
        and can_play(seats[number])
        and (number in coming or not comes_in(seats[number], by_the_book))
    }
    if len(live) < 2:
        return None
    if gone and not rotation:
        button = clockwise(live, after=button)[0]
    if not by_the_book and button not in live:
        # v5: the button marks the last Player to receive cards, so it passes whoever gets none.
        button = clockwise(live, after=button)[0]
    # whoever sits there and waits has no place in this Round, unless the button is at his.
    places = sorted(
        place
        for place in {*rotation, *coming}
        if place in live or place == button or place not in seats or not can_play(seats[place])
    )
    order = clockwise([place for place in places if place != button], after=button)
    missed = _misses(state, button, order, live) if by_the_book else []
    button, small, big = _blinds(button, order, live)
    if not by_the_book and len(live) > 2:
        ask = _absent_at_the_blinds(state, order, small, big)
        if ask is not None:
            return ask
    entries: list[Entry] = []
    orbit = state.orbit
    if state.button is not None and state.button != button:
        orbit = orbit_at(state, state.button, button)
    for number in clockwise(coming, after=button):
        position = _position(number, button, small, big)
        if number in passed:
            entries.append(entry_once_passed(state, number, position, passed[number]))
            continue
        entry = entry_of(state, by_the_book, number, position, orbit)
        if isinstance(entry, Ask) or not entry.plays:
            return entry
        entries.append(entry)
    if small is not None and seats[small].entry == "relocated" and by_the_book:
        small = None  # 5.7.2: he pays nothing there, so the Round has no Small Blind.
    blinds = {} if small is None else {small: state.settings.small_blind}
    blinds[big] = state.settings.big_blind
    return Plan(
        button=button,
        small_blind=small,
        big_blind=big,
        players=tuple(clockwise(live, after=button)),
        blinds=blinds,
        missed=tuple(missed),
        entries=(*waiting.values(), *entries),
    )


def _rotation(state: PokerState, by_the_book: bool) -> list[int]:
    """The places to which button and Blinds come, those that were vacated too."""
    seats, passed_over = state.seats, _passed_over(state, by_the_book)
    rotation = [number for number in seats if seats[number].rotates and number not in passed_over]
    return rotation + [seat for seat in state.vacated if seat not in seats]


def _blinds(button: int, order: list[int], live: set[int]) -> tuple[int, int | None, int]:
    """The button, and at whose places the Small Blind and the Big Blind are due; nobody's, if the
    Small Blind falls to a place without a Player."""
    if len(live) == 2:
        # with two Players left the button is one of them, and posts the Small Blind.
        if button not in live:
            button = clockwise(live, after=button)[0]
        return button, button, clockwise(live, after=button)[0]
    small = order[0] if order[0] in live else None
    return button, small, next(place for place in order[1:] if place in live)


def _passed_over(state: PokerState, by_the_book: bool) -> set[int]:
    """v5: absent players whom the House, asked about the Blinds, passes over."""
    if by_the_book or state.absent_ruling != "pass over":
        return set()
    return {number for number, seat in state.seats.items() if not can_play(seat)}


def _position(seat: int, button: int, small: int | None, big: int) -> Position:
    if seat == big:
        return "big blind"
    if seat == small:
        return "small blind"
    return "button" if seat == button else "ordinary"


def _absent_at_the_blinds(
    state: PokerState, order: list[int], small: int | None, big: int
) -> Ask | None:
    """v5: somebody is away when a Blind falls to him, and the text does not say who posts (P-28).
    With two Players left it does."""
    if small is None and order[0] in state.seats and not state.absent_ruling:
        return Ask(question="absent at the blinds", seat=order[0])
    due = order[1]
    if due != big and due in state.seats and not state.absent_big_ruling:
        return Ask(question="absent at the blinds", seat=due, blind="big")
    return None


def _misses(state: PokerState, button: int, order: list[int], live: set[int]) -> list[Missed]:
    """Whose Blinds were due and whose place they passed over, clockwise.

    A-77: the positions are the same whether two, three or more play. The button is where it came
    to: at an empty seat no Blind is due from it (5.8), also if two are left and one of them takes
    the button over.
    """
    due_small = order[0]
    big = next((place for place in order[1:] if place in live), button)
    missed = []
    if due_small not in live and due_small in state.seats:
        missed.append(Missed(seat=due_small, blind="small", due=True))
    for place in order[1:]:
        if place == big:
            break
        if place in state.seats:
            missed.append(Missed(seat=place, blind="big", due=True))
    for place in _out_of_rotation(state):
        if between(place, button, due_small):
            missed.append(Missed(seat=place, blind="small", due=False))
        elif between(place, due_small, big):
            missed.append(Missed(seat=place, blind="big", due=False))
    return missed


def _out_of_rotation(state: PokerState) -> list[int]:
    """Who has played here, and whose place button and Blinds pass until he returns."""
    return [
        number
        for number, seat in state.seats.items()
        if not seat.rotates and seat.entry == "in" and not can_play(seat)
    ]


def between(seat: int, after: int, before: int) -> bool:
    """Whether a seat lies strictly between two others, going clockwise."""
    if after == before:
        return seat != after
    if after < before:
        return after < seat < before
    return seat > after or seat < before
