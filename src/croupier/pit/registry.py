"""The registry of the games: which table plays which rulebook; and the cases that are shipped."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from croupier.pit.banked import BANKED
from croupier.pit.game import Game, Registry
from croupier.pit.jackpot import JACKPOT
from croupier.pit.poker import POKER
from croupier.rulebooks import load
from croupier.rulebooks.procedures import unread

_GAMES: dict[str, Game] = {
    "no-limit-holdem-v8": POKER,
    "poker-v5": POKER,
    "progressive-texas-holdem-v6": BANKED,
    "multi-link-progressive-v2": BANKED,
    "multi-link-progressive-v3": BANKED,
}


def check_all_is_read() -> None:
    """Every procedure and parameter of the books is read by some rule, or only informs."""
    if nowhere := unread("shared", "poker", "banked"):
        raise TypeError(
            f"nothing reads {', '.join(nowhere)}; read it, or mark it as information in "
            "croupier.rulebooks.vocabulary"
        )


check_all_is_read()

GAMES = Registry(games=_GAMES, load=load, link=JACKPOT)
"""The games that croupier plays."""


def shipped_cases() -> Iterator[tuple[str, str]]:
    """The case files of the package, as (source, text), book by book and in order of name."""
    root = files("croupier") / "cases"
    for folder in sorted((f for f in root.iterdir() if f.is_dir()), key=lambda f: f.name):
        for file in sorted(folder.iterdir(), key=lambda f: f.name):
            if file.name.endswith(".toml"):
                yield f"{folder.name}/{file.name}", file.read_text(encoding="utf-8")
