"""Undoing a ruling: what it changed goes back, and what people have brought or taken since stays.

Chips that were added since, seats that were taken or left, who is away and who has looked are no
part of what was ruled (as when an Action is taken back, `croupier.poker.irregularities.memory`).
What contradicts an undoing is play that has gone on, a player who has left and would have a hand
again, and chips that the ruling had moved and that are not on the table any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from croupier.cards import Card
from croupier.poker.entries import SEATS_BY_THE_BOOK
from croupier.poker.irregularities.memory import OF_PEOPLE, irregular_of, keep, restore
from croupier.poker.irregularities.state import Irregular
from croupier.poker.positions import in_rotation_again, leaves_it_for_the_button
from croupier.poker.state import PokerState, RoundPlayer, RoundState

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable


def contradiction(table: PokerTable, irregular: Irregular) -> str:
    """What has happened since the last ruling that an undoing would contradict, as a sentence."""
    if irregular.deck_taken_up:
        return "The deck was counted or replaced since."
    before, after = _read(irregular.before_ruling), _read(irregular.after_ruling)
    now = _read(keep(table))
    if _play(now) != _play(after):
        return _gone_on(after, now)
    return _gone(before, after, now)


def undo(table: PokerTable) -> None:
    """Bring the table back to before the last ruling, with the people and chips of now."""
    irregular, state = irregular_of(table), table.state
    before, after = _read(irregular.before_ruling), _read(irregular.after_ruling)
    seats = dict(state.seats)
    vacated = list(before.vacated)
    if table.by_book[SEATS_BY_THE_BOOK]:
        gone = (number for number in before.seats if _left_since(number, before, after, state))
        vacated += [number for number in gone if leaves_it_for_the_button(before, number)]
    for number, seat in state.seats.items():
        was, then = before.seats.get(number), after.seats.get(number)
        if was is None or then is None or then.player != seat.player:
            continue  # sat down since
        was.stake += seat.stake - then.stake
        if (seat.here, seat.returns) != (then.here, then.returns):
            was.rotates = in_rotation_again(was, seat)
            was.here, was.returns = seat.here, seat.returns
        if seat.kept != then.kept:
            was.kept = seat.kept  # the House has kept the seat since (v8 5.7.3)
        seats[number] = was
    before.seats, before.vacated = seats, vacated
    before.brought += state.brought - after.brought
    for name in ("departed", "timed_from"):
        if getattr(state, name) != getattr(after, name):
            setattr(before, name, getattr(state, name))
    seen, shown = False, _shown_since(before, table.current_round())
    for number, player in _round(before).players.items():
        since = table.current_round().players[number]
        player.left = since.left
        player.looked |= since.looked and since.cards == player.cards
        seen |= since.looked and not player.looked  # at cards that go back with the ruling
    restore(table, before, irregular)
    irregular_of(table).seen |= seen
    _stay_shown(table.current_round(), irregular_of(table), shown)


def _left_since(number: int, before: PokerState, after: PokerState, now: PokerState) -> bool:
    """Whether somebody has left since it was ruled: which seat waits for the button then is judged
    by the round that goes on (v8 5.8)."""
    was, then, seat = (state.seats.get(number) for state in (before, after, now))
    if was is None or then is None or was.player != then.player:
        return False
    return seat is None or seat.player != was.player


def _shown_since(before: PokerState, now: RoundState) -> dict[int, list[Card]]:
    """Cards that came to be shown to all with the ruling: everybody has seen them (v8 5.15)."""
    found: dict[int, list[Card]] = {}
    for number, player in _round(before).players.items():
        hand = player.cards or player.gave_up
        since = now.players[number].exposed
        found[number] = [c for c in since if c in hand and c not in player.exposed]
    return found


def _stay_shown(round_: RoundState, irregular: Irregular, shown: dict[int, list[Card]]) -> None:
    for number, cards in shown.items():
        round_.players[number].exposed += cards
    irregular.rights = [
        right
        for right in irregular.rights
        if not all(card in shown.get(right.seat, []) for card in right.cards)
    ]


def _read(text: str) -> PokerState:
    return msgspec.json.decode(text, type=PokerState)


def _round(state: PokerState) -> RoundState:
    assert state.round is not None
    return state.round


def _play(state: PokerState) -> PokerState:
    """The table without what is no part of play."""
    round_ = _round(state)
    players = {
        number: structs.replace(player, looked=False, left=False)
        for number, player in round_.players.items()
    }
    round_ = structs.replace(round_, players=players)
    return structs.replace(state, **OF_PEOPLE, round=round_)


def _gone_on(then: PokerState, now: PokerState) -> str:
    acts = _round(now).acts
    if len(acts) > len(_round(then).acts):
        return f"Seat {acts[-1].seat} has acted since."
    if then.phase != now.phase:
        return f"The table has gone on since: {now.phase}."
    return "The table has gone on since."


def _gone(before: PokerState, after: PokerState, now: PokerState) -> str:
    """Who has left with a hand in the round that would go on, or owing a Blind in it, and whose
    chips cannot be what they were before the ruling."""
    for number, was in before.seats.items():  # also who is in no round may have got chips
        then, seat = after.seats.get(number), now.seats.get(number)
        if then is None:
            continue
        player, since = (_round(state).players.get(number) for state in (before, after))
        if seat is None or seat.player != then.player:
            if was.stake != then.stake or _total(player) != _total(since):
                return f"{then.player} has left since, with chips that the ruling had moved."
            if player is not None and player.active:
                return f"{then.player} has left since, and would be in the round again."
        elif was.stake + seat.stake - then.stake < 0:
            return f"{seat.player} has taken chips away since that the ruling had moved."
    return ""


def _total(player: RoundPlayer | None) -> int:
    return 0 if player is None else player.total
