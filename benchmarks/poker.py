"""How many complete hands of hold'em a second one process plays, everybody checking or calling.

croupier plays them at one table of No Limit Hold'em v8 with everything on: shuffle, cut, Blinds,
deal, four Betting Rounds, showdown, Rake, payment; every event with its paragraphs, every event
followed by the check that no chip and no card is lost. Nothing is stored and nobody looks on. The
peers play the same hands their own way, each hand as they begin one, without any of those rules.
They take turns, round by round, so that a busy moment of the machine falls on all; the best counts,
in seconds of the process itself, so that waiting for a busy machine is nobody's time.

Also: what a table with nine seats holds between rounds, and whether its ten-thousandth hand is as
fast as its first.
"""

from __future__ import annotations

import gc
import importlib
import random
import sys
import time
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta, timezone
from itertools import repeat
from typing import Any

from benchmarks import Row, Target
from croupier.cards import Card
from croupier.poker import PokerTable
from croupier.poker.commands import Call, CallForBlinds, Check, Sit, StartGame
from croupier.poker.table import DUE_COMMANDS
from croupier.rulebooks import load
from croupier.table import ActorRank, GiveShuffle, OpenTable, Order, Refused, ShuffleNeeded
from croupier.table.command import Command

Play = Callable[[int], None]
"""Plays so many hands."""

PLAYERS = (2, 6)
STACK = 100_000
SMALL, BIG = 5, 10
SEED = 52
ROUNDS = 15
SECONDS = 0.15  # at most, a round of one library: many short turns find a quiet moment each
TARGETS = {"pokerkit": Target(at="least", limit=20)}
WHEN = datetime(2024, 8, 1, 20, tzinfo=timezone(timedelta(hours=8)))


def measure() -> list[Row]:
    """Measure croupier and each peer, then the size and the steadiness of a table."""
    rows = []
    for players in PLAYERS:
        rows += hands_a_second(players)
    return [*rows, *table_rows()]


def hands_a_second(players: int) -> list[Row]:
    """Whole hands of so many players; a peer that is not installed is a row without a value."""
    what = f"whole hands, {players} players, check or call"
    entries: dict[str, Play] = {"croupier": Playing(players).play}
    for name, prepare in PEERS.items():
        try:
            entries[name] = prepare(players)
        except ImportError:
            continue
    for play in entries.values():
        play(1)
    gc.collect()
    gc.freeze()  # what was loaded is not searched for garbage again and again, whoever plays
    rates = dict.fromkeys(entries, 0.0)
    for _ in range(ROUNDS):
        for name, play in entries.items():
            rates[name] = max(rates[name], rate(play))
    gc.unfreeze()
    ours = rates["croupier"]
    rows = [Row(benchmark="poker", what=what, value=ours, unit="hands/s")]
    for name in PEERS:
        theirs = rates.get(name)
        rows.append(
            Row(
                benchmark="poker",
                what=what,
                who=name,
                value=theirs,
                unit="hands/s",
                ratio=None if theirs is None else ours / theirs,
                target=TARGETS.get(name),
                note="" if theirs is not None else "not installed: the extra `bench` has it",
            )
        )
    return rows


def rate(play: Play, seconds: float = SECONDS) -> float:
    """Return how many hands are played in a second of the processor's time, loop included."""
    play(1)
    done, batch = 0, 1
    begin = time.process_time()
    while True:
        play(batch)
        done += batch
        taken = time.process_time() - begin
        if taken >= seconds:
            return done / taken
        batch = min(200, batch * 2)


# -- croupier -----------------------------------------------------------------------------------


class Playing:
    """A table at which everybody checks or calls, as the House would run it."""

    def __init__(self, players: int, seed: int = SEED) -> None:
        self.table = PokerTable(load("no-limit-holdem-v8"))
        self.chance = random.Random(seed)
        settings = {
            "seats": max(players, 9),
            "blinds": (SMALL * 100, BIG * 100),
            "layout": "A",
            "sign": True,
            "rake": {"percent": 5, "cap": 3000},
            "maximum_stake": STACK * 100,
        }
        self.give(OpenTable(table="bench", settings=settings), ActorRank.PIT_MANAGER)
        for seat in range(1, players + 1):
            self.give(Sit(seat=seat, player=f"player {seat}", stake=STACK * 100))
        self.give(StartGame())
        # What the players and the dealer will say, made beforehand: the peers are told nothing
        # more than to check or call.
        seats = range(1, players + 1)
        self.checks = {seat: self.order(Check(seat=seat)) for seat in seats}
        self.calls = {seat: self.order(Call(seat=seat)) for seat in seats}
        self.dealers = {type(act): self.order(act) for act in DUE_COMMANDS.values()}
        self.opening = self.order(CallForBlinds())
        self.play(0)

    def order(self, command: Command, rank: ActorRank = ActorRank.HOUSE) -> Order[Command]:
        """A command of the House, which may enter what the players say."""
        return Order(command=command, who="house", rank=rank, when=WHEN)

    def give(self, command: Command, rank: ActorRank = ActorRank.HOUSE) -> None:
        """Give one command that must be accepted."""
        answer = self.table.handle(self.order(command, rank))
        if not isinstance(answer, tuple):
            raise RuntimeError(f"refused: {answer}")

    def play(self, hands: int) -> None:
        """Play so many hands, from the call for Blinds to the deck that is ready for the next.

        The House gives the dealer's acts as they fall due, and shuffles when it is asked to.
        """
        table, state = self.table, self.table.state
        handle, due = table.handle, table.due
        checks, calls, dealers = self.checks, self.calls, self.dealers
        until = state.rounds + hands
        while True:
            if state.phase == "betting":
                played: Any = state.round
                betting = played.betting
                seat = betting.to_act[0]
                owes = played.players[seat].bet < betting.price
                order = calls[seat] if owes else checks[seat]
            elif (command := due()) is not None:
                order = dealers[type(command)]
            elif state.waiting:
                [need] = state.waiting
                assert isinstance(need, ShuffleNeeded)
                order = self.order(GiveShuffle(need=need.need, cards=self.shuffled(need.cards)))
            elif state.rounds < until:
                order = self.opening
            else:
                return
            answer = handle(order)
            if type(answer) is Refused:
                raise RuntimeError(f"refused: {answer}")

    def shuffled(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards in a random order: each gets a random number, and these are sorted."""
        number = self.chance.random
        return tuple(sorted(cards, key=lambda _: number()))


def table_rows() -> list[Row]:
    """What a table holds between rounds; a table's first hands beside another's ten-thousandth."""
    playing = Playing(9)
    playing.play(20)
    size = held(playing.table)
    old = Playing(6)
    old.play(10_000)
    firsts, lasts = [], []
    for _ in range(10):  # in turns, so that a busy moment of the machine falls on both
        firsts.append(_time(Playing(6), 100))
        lasts.append(_time(old, 100))
    first, last = min(firsts), min(lasts)
    return [
        Row(
            benchmark="poker",
            what="a table of nine seats between rounds",
            value=size / 1000,
            unit="kB",
            target=Target(at="most", limit=100),
        ),
        Row(
            benchmark="poker",
            what="the ten-thousandth hand takes, of the first",
            value=last / first,
            unit="times",
            target=Target(at="most", limit=1.15),
        ),
    ]


def _time(playing: Playing, hands: int) -> float:
    begin = time.process_time()
    playing.play(hands)
    return time.process_time() - begin


def held(table: PokerTable) -> int:
    """The bytes of everything that only this table holds: what all tables share is not counted."""
    other = Playing(9).table
    shared = {id(thing) for thing in _reached([other])}
    return sum(sys.getsizeof(thing) for thing in _reached([table]) if id(thing) not in shared)


def _reached(roots: Iterable[object]) -> list[object]:
    """Everything that can be reached from some objects, but for modules, classes and code."""
    seen: dict[int, object] = {}
    todo = list(roots)
    while todo:
        thing = todo.pop()
        if id(thing) in seen or isinstance(thing, type | type(sys) | type(_time)):
            continue
        seen[id(thing)] = thing
        todo += gc.get_referents(thing)
    return list(seen.values())


# -- peers --------------------------------------------------------------------------------------


def with_pokerkit(players: int) -> Play:
    """PokerKit with everything automated but the Actions."""
    pokerkit = importlib.import_module("pokerkit")
    automations = tuple(pokerkit.Automation)

    def play(hands: int) -> None:
        for _ in repeat(None, hands):
            state = pokerkit.NoLimitTexasHoldem.create_state(
                automations, True, 0, (SMALL, BIG), BIG, STACK, players
            )
            while state.status:
                state.check_or_call()

    return play


def with_texasholdem(players: int) -> Play:
    """texasholdem: one table, hand after hand."""
    texasholdem = importlib.import_module("texasholdem")
    action = texasholdem.ActionType
    table = texasholdem.TexasHoldEm(
        buyin=STACK, big_blind=BIG, small_blind=SMALL, max_players=players
    )

    def play(hands: int) -> None:
        nonlocal table
        for _ in repeat(None, hands):
            if not table.is_game_running():
                table = texasholdem.TexasHoldEm(
                    buyin=STACK, big_blind=BIG, small_blind=SMALL, max_players=players
                )
            table.start_hand()
            while table.is_hand_running():
                owes = table.chips_to_call(table.current_player)
                table.take_action(action.CALL if owes else action.CHECK)

    return play


def with_clubs(players: int) -> Play:
    """clubs: its dealer, by its own configuration for so many players."""
    clubs = importlib.import_module("clubs")
    names = {2: "NO_LIMIT_HOLDEM_TWO_PLAYER", 6: "NO_LIMIT_HOLDEM_SIX_PLAYER"}
    config = {**getattr(clubs.configs, names[players]), "start_stack": STACK}
    dealer = clubs.Dealer(**config)

    def play(hands: int) -> None:
        for _ in repeat(None, hands):
            obs = dealer.reset(reset_button=True, reset_stacks=True)
            while True:
                obs, _, done = dealer.step(obs["call"])
                if all(done):
                    break

    return play


def open_spiel_game(players: int) -> Any:
    """OpenSpiel's universal poker for so many players."""
    pyspiel = importlib.import_module("pyspiel")
    seats = " ".join(str(STACK) for _ in range(players))
    blinds = f"{BIG} {SMALL}" if players == 2 else f"{SMALL} {BIG}" + " 0" * (players - 2)
    first = "2 1 1 1" if players == 2 else "3 1 1 1"
    return pyspiel.load_game(
        f"universal_poker(betting=nolimit,numPlayers={players},numRounds=4,blind={blinds},"
        f"firstPlayer={first},numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,"
        f"stack={seats},bettingAbstraction=fcpa)"
    )


def with_open_spiel(players: int) -> Play:
    """OpenSpiel's compiled universal poker: the far limit of what a hand can cost from Python."""
    game = open_spiel_game(players)
    chance = random.Random(SEED)

    def play(hands: int) -> None:
        for _ in repeat(None, hands):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(chance.choice(state.legal_actions()))
                else:
                    state.apply_action(1)

    return play


PEERS: dict[str, Callable[[int], Play]] = {
    "pokerkit": with_pokerkit,
    "texasholdem": with_texasholdem,
    "clubs": with_clubs,
    "open_spiel": with_open_spiel,
}
