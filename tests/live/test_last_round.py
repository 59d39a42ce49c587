"""The last round of a table is announced before its first call; nothing begins after it (S-40)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

from tests.live.conftest import QUICK, Running, running, until
from tests.live.test_staff_door import comes, posted
from tests.live.test_wishes import seated, turn_of

CLOCKS = structs.replace(QUICK, to_act=30, between_rounds=0.1, pace=0)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path, tables=("Raffles",), clocks=CLOCKS) as casino:
        yield casino


def test_players_are_told_and_one_round_more_is_played(house: Running):
    guests, tables = seated(house, "Ann", "Ben")
    first, _ = turn_of(tables)
    dan, max_ = comes(house, "Dan", "dealer"), comes(house, "Max", "pit manager")
    order = {"do": "announce last round", "table": "Raffles", "reason": "end of day"}
    path = "/api/office/commands"
    status, said = posted(dan, path, {"id": "announce-1", "command": order})
    assert (status, "takes a pit manager" in said["says"]) == (409, True)
    status, said = posted(max_, path, {"id": "announce-2", "command": order})
    assert (status, said["told"]) == (
        200,
        ["Table Raffles closes after round 2, its last one: end of day."],
    )
    told = tables[0].until("clock", notice=_NEXT)
    assert told["notice"] == _NEXT, "before the first call of the last round"
    [lobby] = guests[0].get("/api/lobby")["tables"]
    assert (lobby["notice"], lobby["closed"]) == (_NEXT, "")
    status, said = posted(max_, path, {"id": "announce-3", "command": order})
    assert (status, "announced already" in said["says"]) == (409, True)
    tables[first].do(do="fold", seat=first + 1)
    view = tables[0].until_view(lambda v: v["round"] == 2 and v["turn"])["view"]
    [lobby] = guests[0].get("/api/lobby")["tables"]
    assert lobby["notice"] == "This is the last round at this table: end of day."
    tables[view["turn"] - 1].do(do="fold", seat=view["turn"])
    until(lambda: guests[0].get("/api/lobby")["tables"][0]["closed"])
    [lobby] = guests[0].get("/api/lobby")["tables"]
    assert (lobby["closed"], lobby["notice"]) == ("This table has closed: end of day.", "")
    late = house.enter("Cid").at("Raffles")
    said = late.do(do="sit", seat=3, player="Cid", stake=50_000)
    assert (said["is"], "has played its last round" in said["says"]) == ("refused", True)
    assert tables[0].do(do="leave", seat=1)["is"] == "answer", "who wants to leave may leave"
    sam = comes(house, "Sam", "shift manager")
    again = {"do": "enable", "place": "Raffles", "reason": "a new day"}
    assert posted(sam, path, {"id": "enable-it-1", "command": again})[0] == 200
    assert late.do(do="sit", seat=3, player="Cid", stake=50_000)["is"] == "answer"
    tables[0].until_view(lambda v: v["round"] == 3)


_NEXT = "This table closes: the next round is its last one (end of day)."


def test_what_is_not_run_here_is_not_announced(house: Running):
    max_ = comes(house, "Max", "pit manager")
    order = {"do": "announce last round", "table": "Nowhere", "reason": "x"}
    body = {"id": "announce-1", "command": order}
    status, said = posted(max_, "/api/office/commands", body)
    assert (status, "Nowhere" in said["says"]) == (422, True)
