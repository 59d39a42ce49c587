"""Bots among themselves on the real engine, as fast as it goes: no House, no clock, nothing stored.

For tests and benchmarks. Every command goes through the pit and must be accepted: a refused one is
an error with the table's own words.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from random import Random
from typing import Any

from croupier.jackpot import JackpotLink
from croupier.jackpot.commands import OpenLink
from croupier.live.bots.seat import BotPlayer, View
from croupier.pit import Pit
from croupier.pit.registry import GAMES
from croupier.table import (
    ActorRank,
    Command,
    Decide,
    DecisionNeeded,
    DrawNeeded,
    GiveDraw,
    GiveShuffle,
    OpenTable,
    Order,
    Refused,
    ShuffleNeeded,
    Table,
)
from croupier.table.view import player as seen_by

TABLE, LINK = "practice", "practice link"
EVENING = datetime.fromisoformat("2024-08-01T20:00:00+08:00")
ACTS_AT_MOST = 2_000
"""In one round at most: with more, the bots or the table are broken."""
STANDING_ORDERS = {"who posts": "nothing", "absent at the blinds": "pass over"}
"""What the House answers where a table asks its staff."""


class PracticeError(RuntimeError):
    """A command was refused, or a round does not end."""


class Practice:
    """One table, its dealer and its bots."""

    def __init__(
        self,
        rulebook: str,
        settings: dict[str, Any],
        chance: Random,
        *,
        spied: Callable[[BotPlayer, View], None] = lambda player, view: None,
        comes: Callable[[int], BotPlayer] | None = None,
    ) -> None:
        """`spied` is told of every view that a bot is given; `comes` makes the bot that takes a
        seat whose bot has gone."""
        self.chance = chance
        self.spied = spied
        self.comes = comes
        self.players: list[BotPlayer] = []
        self.seconds: list[tuple[str, float]] = []
        """The processor's time for each decision, with whose it was."""
        self.pit = Pit()
        book, game = GAMES.load(rulebook), GAMES.games[rulebook]
        self.table: Table[Any] = game.table_type(book)
        self.port = game.port
        if self.port.has_jackpot:
            self.pit.add_link(LINK, JackpotLink(book))
            self.pit.add_table(TABLE, self.table, LINK)
            terms = {"reset_value": 1_000_000, "contribution": 100, "payment": "at once"}
            opened = OpenLink(link=LINK, settings=terms, tables=(TABLE,))
            self.give(opened, rank=ActorRank.PIT_MANAGER, place=LINK)
        else:
            self.pit.add_table(TABLE, self.table)
        self.give(OpenTable(table=TABLE, settings=settings), rank=ActorRank.PIT_MANAGER)

    # -- giving ------------------------------------------------------------------------------

    def give(
        self,
        command: Command,
        who: str = "house",
        rank: ActorRank = ActorRank.HOUSE,
        place: str = TABLE,
    ) -> None:
        """Give a command that must be accepted, and let the bots hear what came of it."""
        order = Order(command=command, who=who, rank=rank, when=EVENING)
        answer = self.pit.give(place, order)
        if isinstance(answer, Refused):
            raise PracticeError(f"{who}: {command!r} is refused: {answer}")
        for said in answer:
            if said.place == TABLE:
                event = said.event.public()
                if event is not None:
                    for player in self.players:
                        player.hear(event)

    def ask(self, player: BotPlayer) -> bool:
        """Let a bot do what it does next; False if it waits."""
        view = self.table.view(seen_by(player.name))
        self.spied(player, view)
        began = time.process_time()
        thought = player.step(view)
        self.seconds.append((player.name, time.process_time() - began))
        if thought is None:
            return False
        self.give(thought.command, player.name, ActorRank.PLAYER)
        return True

    def of(self, name: str) -> list[float]:
        """The seconds that one bot took for each of its decisions."""
        return [seconds for who, seconds in self.seconds if who == name]

    # -- rounds ------------------------------------------------------------------------------

    def play(self, rounds: int) -> None:
        """Play so many rounds; between them everybody sits, buys and goes as he likes."""
        for _ in range(rounds):
            self.between()
            self.round()

    def between(self) -> None:
        """Everybody does what he does between rounds."""
        for number, player in enumerate(self.players):
            while self.ask(player):
                pass
            gone = player.leaving and self.table.player_at(player.seat) != player.name
            if gone and self.comes is not None:
                self.players[number] = self.comes(player.seat)
                self.ask(self.players[number])

    def round(self) -> None:
        """Play one round to its end."""
        number = self._number() + 1
        for _ in self.port.begins:  # the last of them calls a round, those before it a game
            self._until(lambda: self.table.next_call() is not None)
            call = self.table.next_call()
            assert call is not None
            self.give(call, rank=ActorRank.DEALER)
            if isinstance(call, self.port.begins[-1]):
                break
        # The table may have questions before it counts the round.
        self._until(lambda: self._number() >= number and not self.table.playing())

    def _number(self) -> int:
        return self.port.round_number(self.table)

    def _until(self, done: Callable[[], bool]) -> None:
        for _ in range(ACTS_AT_MOST):
            if self._chance() or self._dealer():
                continue
            if done():
                return
            if not any(self.ask(player) for player in self._asked()):
                if self.port.bets_open(self.table) is None:
                    raise PracticeError(f"nobody acts while the table is {self.table.status()!r}")
                call = self.table.next_call()
                assert call is not None, "bets that are open can be closed"
                self.give(call, rank=ActorRank.DEALER)
        raise PracticeError("the round does not end")

    def _chance(self) -> bool:
        for need in self.table.state.waiting:
            match need:
                case ShuffleNeeded():
                    cards = list(need.cards)
                    self.chance.shuffle(cards)
                    self.give(GiveShuffle(need=need.need, cards=tuple(cards)))
                    return True
                case DrawNeeded():
                    picks = tuple(self.chance.sample(range(need.among), need.pick))
                    self.give(GiveDraw(need=need.need, picks=picks))
                    return True
                case DecisionNeeded() if isinstance(need.of, ActorRank):
                    option = STANDING_ORDERS.get(need.question)
                    if option is not None:
                        decide = Decide(decision=need.decision, option=option)
                        self.give(decide, "staff", ActorRank.SHIFT_MANAGER)
                        return True
                case _:
                    pass
        return False

    def _dealer(self) -> bool:
        due = self.table.due()
        if due is not None:
            self.give(due)
        return due is not None

    def _asked(self) -> Sequence[BotPlayer]:
        """Whom it may be up to: at poker one player, at a banked table everybody."""
        table = self.table
        if table.state.waiting:
            return self.players
        turn = table.turn()
        if turn is None:
            return self.players
        name = table.player_at(turn)
        return [player for player in self.players if player.name == name]
