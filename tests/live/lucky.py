"""A casino with staff of every rank, at whose banked tables every hand is a Straight Flush."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

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


@contextmanager
def lucky(folder: Path) -> Iterator[Running]:
    stacking = all_stacked(lambda cards: stacked(cards, STRAIGHT_FLUSH))
    with stacking, running(folder, config(), clocks=CLOCKS) as opened:
        yield staffed(opened)
