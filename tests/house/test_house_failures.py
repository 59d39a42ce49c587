"""Whatever fails around a command, whoever gave it gets an answer, and memory follows the log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.banked import commands as banked
from croupier.house.answers import Answer
from croupier.house.casino import Casino
from croupier.house.errors import LostConnection, StorageError
from croupier.table import ActorRank
from tests.house.evening import furnish, open_casino


@pytest.fixture
def casino(tmp_path: Path) -> Iterator[Casino]:
    made = open_casino(f"sqlite:///{tmp_path}/house.db")
    furnish(made)
    yield made
    made.stop()


def open_bets(casino: Casino) -> None:
    call = casino.dealer.call("M3")
    assert call is not None
    assert call.result(timeout=10).refused is None


def ante(casino: Casino) -> Any:
    place = banked.PlaceAnte(box=1, amount=2_500)
    return casino.house.give("M3", place, who="Ann", rank=ActorRank.PLAYER)


def test_a_listener_that_fails_keeps_nobody_waiting(casino: Casino):
    heard: list[str] = []

    def broken(answer: Answer) -> None:
        raise RuntimeError("a listener's own fault")

    casino.house.listen(broken)
    casino.house.listen(lambda answer: heard.append(answer.command_id))
    open_bets(casino)
    assert ante(casino).result(timeout=10).refused is None
    assert len(heard) == 2


def test_a_database_out_of_reach_fails_the_command_and_the_table_goes_on_later(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
):
    open_bets(casino)
    house = casino.house
    before = house.pit.tables["M3"].snapshot()

    def gone(*_: Any, **__: Any) -> Any:
        raise LostConnection("the server went away")

    with monkeypatch.context() as broken:
        broken.setattr(house.store, "append", gone)
        broken.setattr(house.reader, "rows", gone)
        with pytest.raises(StorageError):
            ante(casino).result(timeout=10)
        with pytest.raises(StorageError):  # it cannot be read again yet
            ante(casino)
    assert ante(casino).result(timeout=10).refused is None
    assert house.pit.tables["M3"].state.boxes[1].ante == 2_500
    assert before != house.pit.tables["M3"].snapshot()
    assert house.positions["M3"] == house.reader.head("M3").position
    assert sum(house.reader.balances().values()) == 0
