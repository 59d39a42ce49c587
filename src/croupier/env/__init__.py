"""Environments for research: both poker books for PettingZoo, the banked games for Gymnasium.

    >>> from croupier.env import PokerEnv
    >>> env = PokerEnv("no-limit-holdem-v8", players=3)  # doctest: +SKIP

They play at the real table (`croupier.play`), rule by rule; tables by the million are in
`croupier.lab`, with the same observations. The extra `env` brings gymnasium and pettingzoo, which
are imported when an environment is first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from croupier.env.errors import EnvError, EnvMissing

if TYPE_CHECKING:
    from croupier.env.banked import BankedEnv
    from croupier.env.poker import PokerEnv

_HOMES = {"PokerEnv": "poker", "BankedEnv": "banked"}
_EXTRA = ("gymnasium", "numpy", "pettingzoo")


def __getattr__(name: str) -> Any:
    """Import the module that a public name lives in."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module(f"croupier.env.{_HOMES[name]}")
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in _EXTRA:
            raise EnvMissing(error.name or "its extra") from error
        raise
    return getattr(module, name)


__all__ = ["BankedEnv", "EnvError", "EnvMissing", "PokerEnv"]
