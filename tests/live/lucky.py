"""A casino with staff of every rank, at whose banked tables every hand is a Straight Flush."""

from __future__ import annotations

import time
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
from tests.live.test_pit import Console, config, posted, staffed


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


def deals(house: Running, dan: Console, status: str) -> None:
    """Dan deals by hand at H2 until the table stands so: what is due, or else cards."""
    table = house.casino.table("H2")
    cards = iter(("deal hole cards", "deal flop"))
    for number in range(200):
        if table.status() == status:
            return
        if table.state.waiting:
            time.sleep(0.05)  # the House shuffles
            continue
        due = table.due() or table.next_call()
        step = str(due.__struct_config__.tag) if due is not None else next(cards)
        body = {"id": f"{status.replace(' ', '-')}-{number:04}", "command": {"do": step}}
        said = posted(dan.client, "/api/tables/H2/commands", body)[1]
        assert said["is"] == "answer", said
    raise AssertionError(table.facts())
