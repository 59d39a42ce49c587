"""Poker for PettingZoo (AEC): one hand at the real table is one episode."""

from __future__ import annotations

import copy
import sys
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from croupier.env.errors import EnvError
from croupier.env.poker_encoding import ENCODING, Encoding, observe
from croupier.lab.batch_columns import seen_width
from croupier.play import NotOpen, PokerPlay
from croupier.rulebooks import Rulebook

_MOST = int(np.iinfo(np.int32).max)


class PokerEnv(AECEnv):  # type: ignore[misc]
    """One hand of a poker book. With nothing said: 200 Big Blinds each and no Rake.

    Agents change their positions from hand to hand: `player_0` is first to the left of the button,
    then has the button, and so on backwards. A `seed` begins that anew. Chips are the same at every
    hand. Rewards come at the end, in Big Blinds.
    """

    metadata = {
        "name": f"croupier_poker_v{ENCODING}",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        book: Rulebook | str = "no-limit-holdem-v8",
        *,
        players: int = 2,
        blinds: tuple[int, int] = (500, 1000),
        stakes: int | Sequence[int] | None = None,
        rake: Mapping[str, Any] | None = None,
        straddle: bool = False,
        chip: int = 100,
        policies: Mapping[str, str] | None = None,
        rotate: bool = True,
        render_mode: str | None = None,
    ) -> None:
        """``stakes`` are by position; ``chip`` is the smallest, in which wagers are counted."""
        super().__init__()
        self.render_mode = render_mode
        self.rotate = rotate
        self.play = PokerPlay(
            book,
            players=players,
            blinds=blinds,
            stakes=None if stakes is None else _by_seat(stakes),
            rake=rake,
            straddle=straddle,
            chips=(chip, 5 * chip, 25 * chip),
            policies=policies,
        )
        self.possible_agents = [f"player_{number}" for number in range(players)]
        self.encoding = Encoding(chip, max(self.play.stakes) // chip)
        low = np.full(seen_width(players), -1, np.int32)
        high = np.full(seen_width(players), _MOST, np.int32)
        self._observation = spaces.Dict(
            {
                "observation": spaces.Box(low, high, dtype=np.int32),
                "action_mask": spaces.Box(0, 1, (self.encoding.actions,), np.int8),
            }
        )
        self._action = spaces.Discrete(self.encoding.actions)
        self.hands = 0
        """How many hands have been dealt since the seed."""

    # -- spaces ------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._action

    # -- who is where ------------------------------------------------------------------------

    def position_of(self, agent: str) -> int:
        """The position of an agent in this hand: 0 is the first to the left of the button."""
        if agent not in self.possible_agents:
            raise EnvError(f"there is no {agent!r}; there is {', '.join(self.possible_agents)}")
        number = self.possible_agents.index(agent)
        shift = self.hands - 1 if self.rotate else 0
        return (number - shift) % len(self.possible_agents)

    def seat_of(self, agent: str) -> int:
        """The seat of an agent at the table in this hand."""
        return (self.position_of(agent) + 1) % len(self.possible_agents) + 1

    def agent_at(self, seat: int) -> str:
        """The agent who sits there."""
        return next(agent for agent in self.possible_agents if self.seat_of(agent) == seat)

    # -- playing -----------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a hand. ``options`` may fix `hands` (by agent), `board` and `stakes` (by
        position)."""
        wanted = dict(options or {})
        wanted.pop("options", None)  # PettingZoo's own test of the API gives one of that name
        if seed is not None:
            self.play.chance.seed(seed)
            self.hands = 0
        self.hands += 1
        hands = {self.seat_of(agent): cards for agent, cards in wanted.pop("hands", {}).items()}
        board, stakes = wanted.pop("board", ()), wanted.pop("stakes", None)
        if wanted:
            raise EnvError(f"options: there is no {', '.join(wanted)}; hands, board, stakes are")
        by_seat = None if stakes is None else _by_seat(stakes)
        most = self.encoding.most * self.encoding.chip
        if by_seat is not None and np.max(by_seat) > most:
            raise EnvError(f"stakes: no more than the environment was made with, {most}")
        self.play.deal(hands=hands, board=board, stakes=by_seat)
        self._begin()

    def _begin(self) -> None:
        """Everybody is in, nothing is won yet."""
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._who_acts()

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.seat_of(agent)
        return {
            "observation": observe(self.play, seat),
            "action_mask": self.encoding.mask(self.play, seat),
        }

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        number = _number(action)
        if number is None or not 0 <= number < self.encoding.actions:
            raise EnvError(f"action: {action}; there are {self.encoding.actions}, from 0 on")
        wager = self.encoding.read(self.play, number)
        try:
            events = self.play.act(wager.do, wager.amount)
        except NotOpen as refused:
            raise EnvError(f"{agent}: {refused}; see the action mask") from refused
        if self.render_mode == "human":
            self._say(events)
        self._who_acts()
        self._accumulate_rewards()

    def _who_acts(self) -> None:
        """The next agent; when the hand is over, what it came to in Big Blinds."""
        if self.play.seat is not None:
            self.agent_selection = self.agent_at(self.play.seat)
            return
        big = self.play.settings["blinds"][1]
        result = self.play.result
        for agent in self.agents:
            self.rewards[agent] = result[self.seat_of(agent)] / big
            self.terminations[agent] = True
        self.agent_selection = self.agents[0]

    # -- states ------------------------------------------------------------------------------

    def save(self) -> bytes:
        """The hand as it stands, chance included, as bytes."""
        return self.hands.to_bytes(8, "little") + self.play.save()

    def restore(self, saved: bytes) -> None:
        """Go on from a hand that was saved of the same kind of environment."""
        self.hands = int.from_bytes(saved[:8], "little")
        self.play.restore(saved[8:])
        self._begin()

    def clone(self) -> PokerEnv:
        """The same hand once more, to play on from here without it. Whether two hands stand alike
        their games say: ``env.play == other.play``."""
        again = copy.copy(self)
        again.play = self.play.clone()
        for name in ("rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
            setattr(again, name, dict(getattr(self, name)))
        again.agents = list(self.agents)
        return again

    # -- looking -----------------------------------------------------------------------------

    def render(self) -> str | None:
        """The hand so far in sentences, with their paragraphs."""
        if self.render_mode is None:
            return None
        told = "\n".join(self.play.told())
        return told if self.render_mode == "ansi" else None

    def _say(self, events: Sequence[Any]) -> None:
        for line in self.play.told()[-len(events) :] if events else ():
            sys.stdout.write(f"{line}\n")

    def close(self) -> None:
        """Nothing is held open."""


def _number(action: Any) -> int | None:
    """An action as a whole number; None where it is none."""
    try:
        return index(action)
    except TypeError:
        return None


def _by_seat(stakes: int | Sequence[int]) -> int | list[int]:
    """Stakes by position as stakes by seat: the last position has the button, at seat 1."""
    if isinstance(stakes, int):
        return stakes
    return [stakes[-1], *stakes[:-1]]
