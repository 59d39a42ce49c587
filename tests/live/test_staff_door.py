"""The demonstration's staff door: a visitor tries a post, and what he may decide is left to him."""

from __future__ import annotations

import json
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from croupier.live.demonstration import demonstration
from tests.live.conftest import AtTable, Client, Running, running, until

FELL = {"do": "report irregularity", "says": "a card fell"}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    config = demonstration()
    raffles = structs.replace(config.tables["Raffles"], bots=0)
    config = structs.replace(config, tables={"Raffles": raffles}, links={})
    with running(tmp_path, config) as opened:
        yield opened


def posted(client: Client, path: str, body: Any) -> tuple[int, dict[str, Any]]:
    try:
        return 200, client.post(path, body)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def comes(house: Running, name: str, post: str) -> Client:
    client = house.enter()
    status, me = posted(client, "/api/staff-door", {"name": name, "post": post})
    assert status == 200, me
    assert (me["name"], me["rank"], me["post"], me["on_duty"]) == (name, post, post, True)
    client.name = name
    return client


def play(house: Running) -> AtTable:
    tables = [house.enter(name).at("Raffles") for name in ("Ann", "Bob")]
    for seat, table in enumerate(tables, start=1):
        player = ("Ann", "Bob")[seat - 1]
        assert table.do(do="sit", seat=seat, player=player, stake=50_000)["is"] == "answer"
    tables[0].until_view(lambda view: view["turn"] is not None)
    return tables[0]


def reports(client: Client) -> None:
    """He reports that a card fell, and confirms it."""
    held = posted(client, "/api/pit/tables/Raffles/hold", {"id": "hold-it-1", "command": FELL})
    assert held[0] == 200, held
    hold = held[1]["hold"]["hold"]
    body = {"id": "confirm-it-1", "hold": hold}
    done = posted(client, "/api/pit/tables/Raffles/confirm", body)
    assert done[0] == 200, done


def test_every_rank_can_be_tried_and_the_server_knows_it(house: Running):
    for name, post in (
        ("Dan", "dealer"),
        ("Sue", "pit supervisor"),
        ("Max", "pit manager"),
        ("Sam", "shift manager"),
    ):
        client = comes(house, name, post)
        floor = client.get("/api/pit")
        assert (floor["you"], floor["rank"]) == (name, post)
        assert floor["tables"][0]["assigned"] == "the floor"
        assert client.get("/api/me")["rank"] == post


def test_what_is_wrong_is_said(house: Running):
    comes(house, "Sue", "pit supervisor")
    other = house.enter()
    for body, status in (
        ({"name": "Sue", "post": "dealer"}, 409),
        ({"name": "house", "post": "dealer"}, 409),
        ({"name": "/", "post": "dealer"}, 422),
        ({"name": "Eve", "post": "owner"}, 422),
    ):
        assert posted(other, "/api/staff-door", body)[0] == status, body
    ann = house.enter("Ann")
    assert posted(ann, "/api/staff-door", {"name": "Eve", "post": "dealer"})[0] == 409
    with pytest.raises(urllib.error.HTTPError):
        ann.get("/api/pit")


def test_where_nobody_of_that_rank_is_there_the_standing_order_answers(house: Running):
    ann = play(house)
    reports(comes(house, "Dan", "dealer"))
    told = ann.until_view(lambda view: not view["decisions"] and view["turn"] is not None)
    assert told["view"]["round"] == 1


def test_what_he_may_decide_is_left_to_whoever_is_there(
    house: Running, monkeypatch: pytest.MonkeyPatch
):
    play(house)
    sam = comes(house, "Sam", "shift manager")
    reports(comes(house, "Dan", "dealer"))
    [asked] = sam.get("/api/pit/decisions")["decisions"]
    assert (asked["mine"], asked["question"]) == (True, "ruling")
    path = f"/api/pit/decisions/Raffles/{asked['decision']}"
    body = {"id": "decide-it-1", "option": "void", "reason": "nobody knows which"}
    status, done = posted(sam, path, body)
    assert status == 200, done


def test_what_may_be_read_of_a_table_says_how_it_reads_the_rules_now(house: Running):
    """A ruling has changed it (v8 5.16.b): the sign still told the old reading."""
    ann = play(house)
    sam = comes(house, "Sam", "shift manager")
    reports(comes(house, "Dan", "dealer"))
    [asked] = sam.get("/api/pit/decisions")["decisions"]
    bar = "short-all-in-bar"
    body = {
        "id": "decide-it-1",
        "option": "change policy",
        "details": {"policy": bar, "value": "answered-last-full-raise"},
        "reason": "so it is read from now on",
    }
    assert sam.get("/api/tables/Raffles")["sign"]["policies"][bar] == "any-bet"
    status, done = posted(sam, f"/api/pit/decisions/Raffles/{asked['decision']}", body)
    assert status == 200, done
    ann.until_view(lambda view: not view["decisions"])
    assert sam.get("/api/tables/Raffles")["sign"]["policies"][bar] == "answered-last-full-raise"
    hello = house.enter("Cho").at("Raffles").next()
    assert hello["sign"]["policies"][bar] == "answered-last-full-raise"


def test_who_has_gone_is_not_waited_for(house: Running, monkeypatch: pytest.MonkeyPatch):
    ann = play(house)
    sam = comes(house, "Sam", "shift manager")
    reports(comes(house, "Dan", "dealer"))
    [asked] = sam.get("/api/pit/decisions")["decisions"]
    assert asked["mine"]
    monkeypatch.setattr("croupier.live.staff_door.AWAY_AFTER", 0.2)
    ann.until_view(lambda view: not view["decisions"] and view["turn"] is not None)


def test_who_leaves_by_it_is_nobody_any_more(house: Running):
    sue = comes(house, "Sue", "pit supervisor")
    me = sue.post("/api/exit", {})
    assert (me["name"], me["rank"]) == (None, "player")
    assert "Sue" not in house.casino.casino.office.state.duty
    with pytest.raises(urllib.error.HTTPError):
        sue.get("/api/pit")


def test_who_has_gone_for_good_is_off_duty(house: Running, monkeypatch: pytest.MonkeyPatch):
    comes(house, "Sue", "pit supervisor")
    duty = house.casino.casino.office.state.duty
    assert "Sue" in duty
    monkeypatch.setattr("croupier.live.staff_door.GONE_AFTER", 0.1)
    until(lambda: "Sue" not in duty)
    house.casino.house.writer.flush()
    rows = list(house.casino.house.reader.rows("office"))
    assert any(b"nothing was heard for half an hour" in row.event for row in rows)
