"""A casino with staff of every rank, at whose banked tables every hand is a Straight Flush."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec import structs

from croupier.live.config import Clocks, Config
from tests.house.jackpots import STRAIGHT_FLUSH, stacked
from tests.house.quick import make_quick
from tests.house.stacking import all_stacked
from tests.live.accounts import CLOCKS
from tests.live.conftest import Running, found_for_money, running
from tests.live.test_pit import config, staffed


def founded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make_quick(monkeypatch)
    found_for_money(folder)
    return folder


def with_hand_dealt() -> Config:
    """Beside the others `H2`, a banked table that is dealt by hand; its players have devices."""
    made = config()
    banked = made.tables["M1"]
    settings = {**banked.settings, "dealing": "by-hand", "acting": "device"}
    return structs.replace(
        made, tables={**made.tables, "H2": structs.replace(banked, settings=settings)}
    )


@contextmanager
def lucky(
    folder: Path, made: Config | None = None, clocks: Clocks = CLOCKS, *, new: bool = True
) -> Iterator[Running]:
    """Running; with everybody on duty, where it is new."""
    stacking = all_stacked(lambda cards: stacked(cards, STRAIGHT_FLUSH))
    with stacking, running(folder, made or config(), clocks=clocks) as opened:
        yield staffed(opened) if new else opened
