"""Whole hands a second of tables by the million, one thread, everybody checking or calling.

croupier plays four thousand tables at once (`croupier.lab.PokerBatch`), step by step as a learner
would: masks and observations of every player to act are filled, Actions come as an array and are
checked, and every hand is dealt anew. The peers play the same hands one by one: OpenSpiel's
universal poker called from Python Action by Action, and once more with its own compiled players, so
that a whole hand is one call and nothing but C++; and `pokers`, which is written in Rust. They take
turns, round by round, so that a busy moment falls on all; the best counts, in seconds
of the process itself.

Also: random hands with all that may happen in them, and rounds of a banked game.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, repeat
from typing import Any

import numpy as np

from benchmarks import Row, Target
from benchmarks.poker import (
    BIG,
    PLAYERS,
    ROUNDS,
    SMALL,
    STACK,
    Play,
    open_spiel_game,
    rate,
    with_open_spiel,
)
from croupier.lab import BankedBatch, PokerBatch, Stakes

TABLES = 4096
BOOK = "no-limit-holdem-v8"
IN_CPP = "open_spiel, C++ alone"
TARGETS = {
    "open_spiel": Target(at="least", limit=10),
    IN_CPP: Target(at="least", limit=10),
    "pokers": Target(at="least", limit=5),
}


def measure() -> list[Row]:
    """Measure croupier beside each peer, for two and six players."""
    rows = []
    for players in PLAYERS:
        rows += hands_a_second(players)
    return [*rows, random_hands(), banked_rounds()]


def hands_a_second(players: int) -> list[Row]:
    """Whole hands of so many players; a peer that is not installed is a row without a value."""
    what = f"whole hands in a batch, {players} players, check or call"
    entries: dict[str, tuple[Play, int]] = {"croupier": (playing(players), TABLES)}
    for name, prepare in PEERS.items():
        try:
            entries[name] = prepare(players), 1
        except ImportError:
            continue
    rates = dict.fromkeys(entries, 0.0)
    for _ in range(ROUNDS):
        for name, (play, hands) in entries.items():
            rates[name] = max(rates[name], hands * rate(play))
    ours = rates["croupier"]
    rows = [Row(benchmark="batch", what=what, value=ours, unit="hands/s", note=busy())]
    for name in PEERS:
        theirs = rates.get(name)
        rows.append(
            Row(
                benchmark="batch",
                what=what,
                who=name,
                value=theirs,
                unit="hands/s",
                ratio=None if theirs is None else ours / theirs,
                target=TARGETS[name],
                note="" if theirs is not None else "not installed: the extra `bench` has it",
            )
        )
    return rows


def busy() -> str:
    """How busy the machine was, where others worked on it too."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    return f"measured at a load of {load:.0f} on {cores} cores" if load > cores else ""


def playing(players: int) -> Play:
    """All tables together, one hand at each."""
    batch = PokerBatch(BOOK, tables=TABLES, players=players, stakes=STACK * 100, seed=1)

    def play(hands: int) -> None:
        for _ in repeat(None, hands):
            batch.deal()
            while batch.playing:
                batch.step(batch.check_or_call())

    play(1)
    return play


def random_hands() -> Row:
    """Hands of six in which any Action that is open is taken, the choosing included."""
    batch = PokerBatch(BOOK, tables=TABLES, players=6, seed=1)
    chance = np.random.default_rng(1)

    def play(hands: int) -> None:
        for _ in repeat(None, hands):
            batch.deal()
            while batch.playing:
                batch.step(*batch.random_actions(chance))

    best = max(TABLES * rate(play) for _ in range(3))
    what = "random hands in a batch, 6 players, the choosing included"
    return Row(benchmark="batch", what=what, value=best, unit="hands/s")


def banked_rounds() -> Row:
    """Rounds of six boxes with all bets, every bet made, observations filled at each decision."""
    stakes = Stakes(ante=2500, bonus=500, progressive=500)
    batch = BankedBatch("multi-link-progressive-v3", tables=TABLES, boxes=6, stakes=stakes)

    def play(rounds: int) -> None:
        for _ in repeat(None, rounds):
            batch.deal()
            while batch.window:
                batch.step(batch.masks[:, :, 1])

    best = max(TABLES * rate(play) for _ in range(3))
    what = "banked rounds in a batch, 6 boxes, all bets"
    return Row(benchmark="batch", what=what, value=best, unit="rounds/s")


# -- peers --------------------------------------------------------------------------------------


def with_open_spiel_alone(players: int) -> Play:
    """OpenSpiel's engine and its own players who always call: one call for a whole hand."""
    pyspiel: Any = importlib.import_module("pyspiel")
    game = open_spiel_game(players)
    call = {"actions": "1"}
    bots = [
        pyspiel.load_bot("fixed_action_preference", game, player, call) for player in range(players)
    ]
    seeds = count(1)

    def play(hands: int) -> None:
        for _ in repeat(None, hands):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))

    return play


def with_pokers(players: int) -> Play:
    """pokers: each hand a state made of a seed. It prints every showdown, which is thrown away."""
    pokers: Any = importlib.import_module("pokers")
    kinds = pokers.ActionEnum
    check, call = pokers.Action(kinds.Check), pokers.Action(kinds.Call)
    seeds = count(1)

    def play(hands: int) -> None:
        with silence():
            for _ in repeat(None, hands):
                state = pokers.State.from_seed(players, 0, SMALL, BIG, STACK, next(seeds))
                while not state.final_state:
                    state = state.apply_action(
                        check if kinds.Check in state.legal_actions else call
                    )

    return play


@contextmanager
def silence() -> Iterator[None]:
    """Whatever is written to standard output, also by compiled code, goes nowhere."""
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


PEERS: dict[str, Callable[[int], Play]] = {
    "open_spiel": with_open_spiel,
    IN_CPP: with_open_spiel_alone,
    "pokers": with_pokers,
}
