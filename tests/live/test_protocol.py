"""The socket: what goes in, what comes out, in which order, and how each wrong message is met."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from websockets.exceptions import ConnectionClosed

from tests.live.conftest import PLENTY, QUICK, AtTable, Running, running


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One casino for the whole page; every test has a name of its own."""
    with running(tmp_path_factory.mktemp("protocol")) as casino:
        yield casino


@pytest.fixture
def name() -> str:
    return f"Ann {uuid.uuid4().hex[:8]}"


def at(house: Running, name: str | None, place: str = "Raffles") -> AtTable:
    table = house.enter(name).at(place)
    table.next()
    table.next()
    return table


# ---- the first messages -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "game", "marked"), [("Raffles", "poker", False), ("Sentosa-1", "banked", True)]
)
def test_hello_then_the_table(house: Running, name: str, place: str, game: str, marked: bool):
    table = house.enter(name).at(place)
    hello, view = table.next(), table.next()
    assert (hello["is"], hello["protocol"], hello["place"]) == ("hello", 1, place)
    assert (hello["game"], hello["you"]) == (game, name)
    assert bool(hello["sign"]["marked"]) is marked
    assert view["is"] == "view"
    assert view["position"] >= hello["position"]
    assert view["view"]["table"] == place


def test_a_spectator_has_no_name_and_gives_no_commands(house: Running):
    table = house.enter().at("Raffles")
    assert table.next()["you"] is None
    table.next()
    answer = table.do(do="sit", seat=1, player="Nobody", stake=50_000)
    assert (answer["is"], answer["code"]) == ("error", "not entered")


def test_a_sign_has_what_a_player_must_read(house: Running, name: str):
    sign = house.enter(name).at("Raffles").next()["sign"]
    assert sign["blinds"] == [500, 1000]
    assert sign["rake"] == {"percent": "5", "cap": 3000, "timed": None, "minutes": None}
    assert (sign["version"], sign["in_force"], sign["marked"]) == (8, True, "")
    sign = house.enter(f"{name}2").at("Marina-1").next()["sign"]
    assert sign["limits"]["progressive"] == 500
    assert {table["table"] for table in sign["pays"]} == {"main", "bonus", "progressive"}
    assert all(line["pays"] for table in sign["pays"] for line in table["lines"])
    assert any("jackpot" in sentence for sentence in sign["jackpot_rules"])


# ---- commands and answers -----------------------------------------------------------------------


def test_events_come_before_the_answer_and_agree_with_it(house: Running, name: str):
    table = at(house, name, "Clarke")
    id = table.give(do="sit", seat=2, player=name, stake=50_000)
    events = table.until("events")
    answer = table.next()
    assert answer == {"is": "answer", "id": id, "positions": [events["position"]], "again": False}
    [event] = events["events"]
    assert event["event"]["event"] == "sat down"
    assert event["told"] == f"{name} sits down at seat 2 with 500."
    assert event["cites"] == event["event"]["cites"]
    assert events["view"]["yours"] == [2]
    assert table.do(do="leave", seat=2)["is"] == "answer"


def test_a_refusal_comes_with_its_paragraphs_in_our_words(house: Running, name: str):
    table = at(house, name)
    answer = table.do(do="sit", seat=1, player=name, stake=100)
    assert answer["is"] == "refused"
    assert answer["says"]
    first = answer["cites"][0]
    assert first["rulebook"] == "no-limit-holdem-v8"
    assert first["paragraph"] == "3.7"
    assert first["title"]
    assert len(first["says"]) > 20


def test_more_than_the_account_holds_is_refused_by_the_house(house: Running, name: str):
    answer = at(house, name, "Marina-1").do(do="sit", box=7, player=name, chips=100_000_000)
    assert answer["is"] == "refused"
    assert [cite["paragraph"] for cite in answer["cites"]] == ["S-27"]
    assert answer["cites"][0]["says"]


def test_the_same_id_twice_has_one_effect_and_the_same_answer(house: Running, name: str):
    table = at(house, name, "Marina-2")
    id = str(uuid.uuid4())
    command = {"do": "sit", "box": 6, "player": name, "chips": 50_000}
    table.give(id=id, **command)
    first = table.until("answer")
    table.give(id=id, **command)
    again = table.until("answer")
    assert again == {**first, "again": True}
    assert house.enter().get("/api/tables/Marina-2")["table"]["players"][0]["player"] == name
    # Also over another connection, as after a lost one.
    later = AtTable(table.socket, "Marina-2")
    later.give(id=id, **command)
    assert later.until("answer")["positions"] == first["positions"]
    table.do(do="leave", player=name)


def test_an_id_belongs_to_whoever_gave_it(house: Running, name: str):
    id = str(uuid.uuid4())
    mine, other = at(house, name, "Marina-2"), at(house, f"{name}x", "Marina-2")
    mine.give(id=id, do="sit", box=3, player=name, chips=50_000)
    mine.until("answer")
    other.give(id=id, do="sit", box=4, player=f"{name}x", chips=50_000)
    assert other.until("answer")["again"] is False
    for table, who in ((mine, name), (other, f"{name}x")):
        table.do(do="leave", player=who)


def test_another_command_under_the_same_id_is_a_mistake_and_no_fault(house: Running, name: str):
    """Whoever sends it is told so, and no alarm of the operator's rings for it."""
    client = house.enter(name)
    table = client.at("Marina-2")
    id = table.do(do="sit", box=5, player=name, chips=50_000)["id"]
    faults = house.casino.metrics.faults.value()
    table.give(id=id, do="leave", player=name)
    said = table.until("error", id=id)
    assert said["code"] == "id taken"
    assert "an id of its own" in said["says"]
    body = {"id": id, "command": {"do": "leave", "player": name}}
    with pytest.raises(HTTPError) as refused:
        client.post("/api/tables/Marina-2/commands", body)
    with refused.value:
        assert (refused.value.code, json.load(refused.value)["code"]) == (422, "id taken")
    assert house.casino.metrics.faults.value() == faults
    assert table.do(do="leave", player=name)["is"] == "answer", "that one was not carried out"


def test_a_ping_is_answered(house: Running, name: str):
    table = at(house, name)
    table.send({"ping": 17})
    assert table.until("pong") == {"is": "pong", "ping": 17}


# ---- wrong messages -----------------------------------------------------------------------------

A_COMMAND = {"do": "check", "seat": 1}


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ("{", "unreadable message"),
        ("[]", "unreadable message"),
        ("{}", "one of"),
        ('{"ping": -1}', "unreadable message"),
        ('{"ready": false}', "unreadable message"),
        ('{"ping": 1, "ready": true}', "one of"),
        (json.dumps({"command": A_COMMAND}), "an id and the place"),
        (json.dumps({"id": "short", "place": "Raffles", "command": A_COMMAND}), "unreadable"),
        (json.dumps({"id": "a" * 8, "place": "Raffles", "command": {"do": "fly"}}), "fly"),
        (json.dumps({"id": "a" * 8, "place": "Raffles", "command": {"do": "raise"}}), "seat"),
        (json.dumps({"id": "a" * 8, "place": "Raffles", "command": 7}), "unreadable command"),
        (json.dumps({"id": "a" * 8, "place": "Raffles", "command": None}), "unreadable command"),
        (json.dumps({"id": "a" * 8, "place": "Raffles", "shout": 1, "command": {}}), "unreadable"),
        ('{"id": ' + "[" * 1_500 + "]" * 1_500 + "}", "unreadable message"),
    ],
)
def test_what_cannot_be_read_is_an_error_and_harms_nobody(
    house: Running, name: str, message: str, says: str
):
    table = at(house, name)
    before = house.casino.house.positions["Raffles"]
    table.send(message)
    answer = table.until("error")
    assert answer["code"] == "unreadable"
    assert says in answer["says"]
    assert house.casino.house.positions["Raffles"] == before
    table.send({"ping": 1})
    assert table.until("pong")["ping"] == 1


def test_an_unreadable_message_is_answered_under_its_id(house: Running, name: str):
    table = at(house, name)
    table.send({"id": "abcdefgh", "place": "Raffles", "command": {"do": "raise"}})
    assert table.until("error")["id"] == "abcdefgh"
    table.send({"id": "abcdefgh", "nonsense": 1})
    assert table.until("error")["id"] == "abcdefgh"


def test_ten_unreadable_messages_in_a_row_end_the_connection(house: Running, name: str):
    table = at(house, name)
    for _ in range(10):
        table.send("{")
    assert table.until("bye")["code"] == "unreadable"
    assert closed(table) == 4400


def test_a_binary_message_ends_the_connection(house: Running, name: str):
    table = at(house, name)
    table.send(b"\x00\x01")
    assert closed(table) == 4400


def test_a_message_that_is_too_large_ends_the_connection(house: Running, name: str):
    table = at(house, name)
    table.send('{"ping": 1' + " " * 5_000 + "}")
    assert closed(table) == 1009


def test_a_table_that_is_not_there(house: Running, name: str):
    assert closed(house.enter(name).at("Nowhere")) == 4404


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"do": "deal flop"}, "not a player's command"),
        ({"do": "open table", "table": "x", "settings": {}}, "not a player's command"),
        ({"do": "give shuffle", "need": 1, "cards": ["As"]}, "not a player's command"),
        ({"do": "relocate", "seat": 1, "player": "X", "stake": 5}, "not a player's command"),
        (
            {"do": "sit", "seat": 1, "player": "Somebody else", "stake": 50_000},
            "not a player's command",
        ),
        ({"do": "show hand", "seat": 1, "cards": ["As", "Ad"]}, "bad command"),
        ({"do": "decide", "decision": 99, "option": "yes"}, "bad command"),
        ({"do": "raise", "seat": 1, "to": 600, "amount": 900}, "unreadable"),
        ({"do": "check", "seat": 5}, None),
    ],
)
def test_a_player_speaks_for_himself_alone(
    house: Running, name: str, command: dict[str, Any], code: str | None
):
    table = at(house, name)
    before = house.casino.house.positions["Raffles"]
    answer = table.do(**command)
    assert answer["is"] in ("error", "refused")
    if code is not None:
        assert answer["code"] == code
    assert house.casino.house.positions["Raffles"] == before


def test_a_command_for_another_table_than_the_socket_s(house: Running, name: str):
    table = at(house, name)
    table.send({"id": "a" * 8, "place": "Clarke", "command": A_COMMAND})
    assert table.until("error")["code"] == "wrong place"


def test_nobody_sits_at_a_banked_table_without_counted_chips(house: Running, name: str):
    answer = at(house, name, "Orchard").do(do="sit", box=1, player=name)
    assert (answer["code"], "chips" in answer["says"]) == ("bad command", True)


def test_too_many_messages_are_turned_away_and_then_the_connection_ends(tmp_path: Path):
    from msgspec import structs

    strict = structs.replace(PLENTY, messages_per_second=1, messages_at_once=5)
    with running(tmp_path, clocks=QUICK, limits=strict, tables=("Raffles",)) as casino:
        table = at(casino, "Ann")
        for n in range(6):
            table.send({"ping": n})
        error = table.until("error")
        assert error["code"] == "too fast"
        assert 0 < error["wait"] <= 1000
        with suppress(ConnectionClosed):
            for _ in range(60):
                table.send({"ping": 1})
        assert table.until("bye")["code"] == "too fast"
        assert closed(table) == 4429


def closed(table: AtTable) -> int:
    """Read to the end of a connection and return its code."""
    with suppress(ConnectionClosed):
        while True:
            table.next()
    code = table.socket.close_code
    assert code is not None
    return code
