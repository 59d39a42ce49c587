"""Hands that were really played, replayed by the book: the stacks must come out the same.

Pluribus played six-handed no-limit hold'em without a charge. The collection is not part of the
project: the folder that `CROUPIER_HANDS` names holds it.
"""

from __future__ import annotations

import os
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from croupier.cards import DECK, Card, read_cards
from croupier.poker.commands import AllIn, Bet, Call, Check, Fold, Raise
from tests.poker.conftest import V8, Felt

EVERY = 25
"""The normal set replays one in so many."""


def hands() -> zipfile.ZipFile:
    folder = os.environ.get("CROUPIER_HANDS")
    if not folder:
        pytest.skip("CROUPIER_HANDS names no folder with recorded hands")
    return zipfile.ZipFile(Path(folder) / "pluribus.zip")


def replay(recorded: dict[str, Any]) -> list[float]:
    """Play a recorded hand and return the stacks at its end."""
    stacks = recorded["starting_stacks"]
    count = len(stacks)
    small, big, *_ = recorded["blinds_or_straddles"]
    # Pots were shared to the half chip.
    felt = Felt(V8, blinds=(small * 100, big * 100), chips=(50,))
    felt.sit(**{f"s{seat}": stack for seat, stack in enumerate(stacks, 1)})
    felt.stack(" ".join(str(card) for card in deck_of(recorded, count)))
    felt.start(button=count).call()
    for action in recorded["actions"]:
        who, what, *rest = action.split()
        if who == "d" or what == "sm":
            continue
        seat = int(who[1:])
        assert felt.table.turn() == seat, f"{action}: it is {felt.table.turn()}'s turn"
        player = felt.state.round.players[seat]
        betting = felt.state.round.betting
        match what:
            case "f":
                felt.must(Fold(seat=seat))
            case "cc":
                owes = player.bet < betting.price
                felt.must(Call(seat=seat) if owes else Check(seat=seat))
            case "cbr":
                to = int(rest[0]) * 100
                if to == player.bet + felt.state.seats[seat].stake:
                    felt.must(AllIn(seat=seat))
                elif betting.opened:
                    felt.must(Raise(seat=seat, to=to))
                else:
                    felt.must(Bet(seat=seat, to=to))
        felt.deal()
    assert not felt.table.playing()
    return [felt.state.seats[seat].stake / 100 for seat in range(1, count + 1)]


def deck_of(recorded: dict[str, Any], count: int) -> list[Card]:
    """The shoe that deals this hand: hole cards one by one, then a burn before each street."""
    holes: dict[int, list[Card]] = {}
    streets: list[list[Card]] = []
    for action in recorded["actions"]:
        words = action.split()
        if words[:2] == ["d", "dh"]:
            holes[int(words[2][1:])] = list(read_cards(words[3]))
        elif words[:2] == ["d", "db"]:
            streets.append(list(read_cards(words[2])))
    known = [card for cards in (*holes.values(), *streets) for card in cards]
    spare = iter([card for card in DECK if card not in known])
    deck = [holes[seat][turn] for turn in range(2) for seat in range(1, count + 1)]
    for street in streets:
        deck += [next(spare), *street]
    return deck


@pytest.mark.parametrize("part", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_recorded_hands_end_with_the_recorded_stacks(part: int):
    with hands() as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".phh"))
        chosen = names[::EVERY] if part == 0 else names
        assert len(chosen) >= 200
        for name in chosen:
            recorded = tomllib.loads(archive.read(name).decode())
            assert replay(recorded) == recorded["finishing_stacks"], name
