"""The banked games for Gymnasium: one round of one box is one episode."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from croupier.env.errors import EnvError
from croupier.lab.batch_columns import BANKED_COLUMNS as COLUMNS
from croupier.lab.batch_columns import PASS, WAGER
from croupier.play import BankedPlay, NotOpen
from croupier.rulebooks import Rulebook

_WINDOWS = {"flop bet": 1, "turn bet": 2, "river bet": 3, "fold": 1}

Observation = npt.NDArray[np.int32]


class BankedEnv(gymnasium.Env[Observation, np.int64]):
    """One round of a banked book. Rewards come at the end, in Antes, all bets of the box together.

    Both actions are always open, as ``info["action_mask"]`` says.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        book: Rulebook | str = "multi-link-progressive-v3",
        *,
        ante: int = 1000,
        bonus: int = 0,
        progressive: int = 0,
        meter: int = 50_000_00,
        policies: Mapping[str, str] | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Stakes are cents; a Bonus or jackpot stake of 0 is no bet."""
        self.render_mode = render_mode
        self.play = BankedPlay(
            book,
            ante=ante,
            bonus=bonus,
            progressive=progressive,
            meter=meter,
            policies=policies,
        )
        most = int(np.iinfo(np.int32).max)
        low = np.full(len(COLUMNS), -1, np.int32)
        high = np.full(len(COLUMNS), most, np.int32)
        self.observation_space = spaces.Box(low, high, dtype=np.int32)
        self.action_space = spaces.Discrete(2)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a round. ``options`` may fix `hand`, `board` and `dealer`."""
        super().reset(seed=seed)
        if seed is not None:
            self.play.chance.seed(seed)
        wanted = dict(options or {})
        hand = wanted.pop("hand", None)
        board, dealer = wanted.pop("board", ()), wanted.pop("dealer", ())
        if wanted:
            raise EnvError(f"options: there is no {', '.join(wanted)}; hand, board, dealer are")
        self.play.deal(hands={} if hand is None else {1: hand}, board=board, dealer=dealer)
        return self._seen(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if action not in (PASS, WAGER):
            raise EnvError(f"action: {action}; 0 folds or checks, 1 bets")
        if self.play.seat is None:
            raise EnvError("the round is over; `reset` deals another")
        bets = [do for do in self.play.options if do.endswith("bet")]
        others = [do for do in self.play.options if do not in bets]
        try:
            self.play.act((bets if action == WAGER else others)[0])
        except NotOpen as refused:
            raise EnvError(str(refused)) from refused
        over = self.play.seat is None
        reward = self.play.result[1] / self.play.ante if over else 0.0
        return self._seen(), reward, over, False, self._info()

    def render(self) -> str | None:
        """The round so far in sentences, with their paragraphs."""
        return "\n".join(self.play.told()) if self.render_mode == "ansi" else None

    # -- states ------------------------------------------------------------------------------

    def save(self) -> bytes:
        """The round as it stands, chance included, as bytes."""
        return self.play.save()

    def restore(self, saved: bytes) -> None:
        """Go on from a round that was saved of the same kind of environment."""
        self.play.restore(saved)

    def clone(self) -> BankedEnv:
        """The same round once more, to play on from here without it."""
        again = copy.copy(self)
        again.play = self.play.clone()
        return again

    # -- encoding ----------------------------------------------------------------------------

    def _info(self) -> dict[str, Any]:
        open_now = self.play.seat is not None
        return {"action_mask": np.full(2, int(open_now), np.int8)}

    def _seen(self) -> Observation:
        view = self.play.view(1)
        box = view.boxes[1]
        own = [card.index if card.is_known else -1 for card in box.cards] or [-1, -1]
        board = [card.index if card.is_known else -1 for card in view.board]
        board += [-1] * (5 - len(board))
        stakes = [box.stakes.get(bet, 0) for bet in ("ante", "flop", "turn", "river")]
        sides = [box.stakes.get(bet, 0) for bet in ("bonus", "progressive")]
        bets = [offer for do, offer in self.play.options.items() if do.endswith("bet")]
        window = max((_WINDOWS[offer.do] for offer in bets), default=0)
        size = bets[0].least if bets else 0
        return np.array([window, *own, *board, *stakes, *sides, size], np.int32)
