"""The demonstration's hand-dealt table: the House deals there until a visitor does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from croupier.live.bots.runner import BotRunner
from croupier.live.config import Clocks
from croupier.live.demonstration import demonstration
from croupier.table import ActorRank, DrawNeeded
from tests.live.conftest import Client, Running, running, until
from tests.live.test_staff_door import comes, posted

PLACE = "Fullerton"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    clocks = Clocks(between_rounds=0.02, pace=0.0, to_act=20)
    config = structs.replace(demonstration(), links={})
    with running(tmp_path, config, clocks=clocks, tables=(PLACE,)) as opened:
        runner = BotRunner(opened.casino)
        runner.open()
        yield opened
        runner.close()


def rounds(house: Running) -> int:
    with house.casino.house.lock:
        return int(house.casino.table(PLACE).state.rounds)


def table(client: Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/api/deal/{PLACE}")
    return found


def entries(client: Client, kind: str) -> dict[str, Any]:
    return {e["says"]: e for e in table(client)["entries"] if e["kind"] == kind}


def give(client: Client, entry: dict[str, Any]) -> None:
    body = {"id": f"step-{time.monotonic_ns()}", "command": entry["command"]}
    status, said = posted(client, f"/api/tables/{PLACE}/commands", body)
    assert status == 200, said


def deals_to(client: Client, says: str) -> dict[str, Any]:
    """The visitor deals what comes next, until this does; with what may go wrong there."""

    def at() -> dict[str, Any] | None:
        step = next(iter(entries(client, "step").values()), None)
        if step is not None and step["says"] == says:
            return entries(client, "otherwise")
        if step is not None:
            give(client, step)
        return None

    found: dict[str, Any] = until(at, 30)
    return found


def test_the_house_deals_until_a_visitor_does(house: Running, monkeypatch: pytest.MonkeyPatch):
    """And goes on by itself when nothing is heard of the visitor any more, whatever lies there."""
    until(lambda: rounds(house) >= 2)
    dan = comes(house, "Dan", "dealer")
    wrong = deals_to(dan, "Burn, deal the flop")
    position = table(dan)["position"]
    time.sleep(0.3)
    assert table(dan)["position"] == position, "the table waits for the dealer"
    give(dan, wrong["Four cards are dealt"])
    assert len(table(dan)["view"]["board"]) == 4
    before = rounds(house)
    monkeypatch.setattr("croupier.live.stand_in.AWAY_AFTER", 0.1)
    monkeypatch.setattr("croupier.live.stand_in.STILL_HERE", 0.1)
    until(lambda: rounds(house) >= before + 2)


def test_a_visitor_who_gives_the_post_up_is_not_waited_for(house: Running):
    dan = comes(house, "Dan", "dealer")
    deals_to(dan, "Burn, deal the flop")
    before = rounds(house)
    dan.post("/api/exit", {})
    until(lambda: rounds(house) >= before + 2)


def test_a_misdeal_that_a_visitor_makes_is_ruled(house: Running):
    """v8 5.3: two cards are exposed in the deal; reported by the one who dealt them."""
    dan = comes(house, "Dan", "pit manager")
    wrong = deals_to(dan, "Deal the Hole Cards")
    give(dan, wrong["Two cards are exposed"])
    listed = dan.get(f"/api/pit/tables/{PLACE}/reports")["reports"]
    report = next(each for each in listed if each["do"] == "report exposed")
    body = {"id": "hold-it-1", "command": report["command"]}
    status, held = posted(dan, f"/api/pit/tables/{PLACE}/hold", body)
    assert status == 200, held
    assert "Misdeal" in held["preview"]["ruling"]["headline"]
    body = {"id": "confirm-it-1", "hold": held["hold"]["hold"]}
    status, done = posted(dan, f"/api/pit/tables/{PLACE}/confirm", body)
    assert (status, any("Misdeal" in told for told in done["told"])) == (200, True)


def test_cards_are_picked_by_the_house_where_nobody_is_there_who_may(house: Running):
    """v8 5.12: a Pit Manager picks three of four cards; a dealer may not."""
    need = DrawNeeded(need=1, purpose="pick", pick=3, among=4, of=ActorRank.PIT_MANAGER)
    comes(house, "Dan", "dealer")
    assert house.casino.stand_in.picks(PLACE, need)
    comes(house, "Max", "pit manager")
    assert not house.casino.stand_in.picks(PLACE, need)
