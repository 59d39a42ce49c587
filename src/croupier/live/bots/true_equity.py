"""What each hand of a past round was worth at a step: its share of the pot over all boards to come.

Only of a round that is over, from what its viewer saw of it by its end. The lab counts it where it
is installed; else the counter that the bots use: every board from the flop on, boards that are
drawn before it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import combinations, islice
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from croupier.cards import Card, read_cards, rest_of_deck
from croupier.live.bots.quick import key_of, worth
from croupier.pit.registry import GAMES
from croupier.pit.replay import Replay, views_of

BOARD = 5
"""The Community Cards of a hand; a dealer who errs may lay more."""
DRAWN = 4_000
"""Boards that are drawn where there are too many to count."""
LAB_SECONDS = 60
_COUNTED_MISSING = 2


class HandEquity(Struct, frozen=True, kw_only=True):
    """One hand's share of the pot, from 0 to 1."""

    seat: int
    equity: float


class Equities(Struct, frozen=True, kw_only=True):
    """The shares of all hands that are in, or why there are none."""

    hands: tuple[HandEquity, ...] = ()
    exact: bool = False
    says: str = ""


def equities(replay: Replay, step: int, *, by_lab: bool = True) -> Equities:
    """The shares after a step (0 is the first), by what its viewer saw until the end; with the lab
    where it is installed, unless somebody wants it quickly."""
    if not GAMES.games[replay.rulebook].port.shares_pots:
        return Equities(says="Hands of this game have no share of a pot.")
    views = list(views_of(replay))
    if not 0 <= step < len(views):
        return Equities(says="There is no such step.")
    now = views[step]
    seats: Mapping[str, Any] = now.get("seats", {})
    held = _seen(views, now)
    live = [int(n) for n, seat in seats.items() if seat.get("active") and seat.get("cards")]
    if len(live) < 2:
        return Equities(says="Fewer than two hands are in.")
    unseen = [seats[str(n)]["player"] for n in live if n not in held]
    if unseen:
        return Equities(says=f"You did not see the cards of {', '.join(unseen)} in this round.")
    board = _known(now.get("board", ()))
    if len(board) > BOARD:
        return Equities(says=f"{len(board)} Community Cards lie there: they make no hand.")
    folded = [card for n, cards in held.items() if n not in live for card in cards]
    hands = [held[n] for n in live]
    exact, shares = _shares(hands, board, folded, by_lab)
    found = tuple(
        HandEquity(seat=n, equity=round(share, 6)) for n, share in zip(live, shares, strict=True)
    )
    return Equities(hands=found, exact=exact)


def _seen(views: Sequence[Mapping[str, Any]], now: Mapping[str, Any]) -> dict[int, list[Card]]:
    """Both cards of each seat of this deal, where they were seen at any step of the round."""
    found: dict[int, list[Card]] = {}
    for view in views:
        for number, seat in view.get("seats", {}).items():
            cards = _known(seat.get("cards", ()))
            same = now.get("seats", {}).get(number, {}).get("player") == seat.get("player")
            if len(cards) == 2 and same:
                found[int(number)] = cards
    return found


def _known(cards: Sequence[str]) -> list[Card]:
    return [card for text in cards for card in read_cards(text) if card.is_known]


def _shares(
    hands: list[list[Card]], board: list[Card], dead: list[Card], by_lab: bool
) -> tuple[bool, list[float]]:
    missing = BOARD - len(board)
    if by_lab and missing > _COUNTED_MISSING:
        found = _by_lab(hands, board, dead)
        if found is not None:
            return found
    keys = [key_of(hand) for hand in hands]
    base = key_of(board)
    won = [0.0] * len(hands)
    boards = 0
    rest = rest_of_deck((*board, *dead, *(card for hand in hands for card in hand)))
    for more in _boards(rest, missing):
        boards += 1
        whole = base + sum(card.key for card in more)
        values = [worth(whole + key, 7) for key in keys]
        best = max(values)
        winners = values.count(best)
        for place, value in enumerate(values):
            if value == best:
                won[place] += 1 / winners
    return missing <= _COUNTED_MISSING, [share / boards for share in won]


def _boards(rest: Sequence[Card], missing: int) -> Iterator[Sequence[Card]]:
    """Every way in which the board may end; before the flop some of them, always the same."""
    if missing <= _COUNTED_MISSING:
        yield from combinations(rest, missing)
        return
    chance = Random(0)
    yield from islice(iter(lambda: chance.sample(list(rest), missing), None), DRAWN)


def _by_lab(
    hands: list[list[Card]], board: list[Card], dead: list[Card]
) -> tuple[bool, list[float]] | None:
    """The lab's answer; None where it is not installed, or comes to no end. It is asked in a
    process of its own, since it takes seconds to get ready and would hold up the tables."""
    if find_spec("numba") is None:
        return None
    texts = ["".join(map(str, cards)) for cards in (*hands, board, dead)]
    asked = [sys.executable, "-m", "croupier.live.bots.lab_equity", *texts]
    try:
        done = subprocess.run(asked, capture_output=True, timeout=LAB_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        return None
    found = msgspec.json.decode(done.stdout, type=LabAnswer)
    return found.exact, found.shares


class LabAnswer(Struct, frozen=True, kw_only=True):
    """What the lab's process answers."""

    exact: bool
    shares: list[float]
