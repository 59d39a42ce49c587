"""No list of tables names a private one to who does not know of it; nor one that is half set up."""

from __future__ import annotations

import json
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.house.office.commands import AddTable
from croupier.live.private_lists import without
from tests.live.conftest import PASSWORD, Client, Running, running
from tests.live.test_private_tables import listed, private

RAFFLES = "no-limit-holdem-v8"
OPEN_TO_ALL = (
    "/api/lobby",
    "/api/reports/tables",
    f"/rules/{RAFFLES}",
    f"/rules/{RAFFLES}/5.14",
    "/metrics",
    "/api/seals",
)
FOR_STAFF = (
    "/api/pit",
    "/api/pit/decisions",
    "/api/office/roster",
    "/api/office",
    "/api/office/lists/tables",
    "/api/office/lists/waiting",
    "/api/office/lists/player_reports",
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path, tables=("Raffles",)) as opened:
        yield opened


def text(client: Client, path: str) -> str:
    try:
        with client.opener.open(f"{client.running.url}{path}") as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            if error.code != 403:
                raise
            return str(json.load(error)["says"])


def by_the_door(house: Running, name: str) -> Client:
    client = house.enter()
    body = {"name": name, "post": "shift manager"}
    client.token = client.post("/api/staff-door", body)["token"]
    return client


def by_password(house: Running, name: str) -> Client:
    hired = house.casino.casino.hire(
        name, "shift manager", PASSWORD, who="administrator", reason="x"
    )
    assert hired.refused is None
    client = house.enter()
    client.token = client.post("/api/login", {"name": name, "password": PASSWORD})["token"]
    return client


def test_no_list_names_a_private_table_to_who_does_not_know_of_it(house: Running):
    ann, bob, door = house.enter("Ann"), house.enter("Bob"), by_the_door(house, "Dora")
    place = private(ann)
    for client, paths in ((bob, OPEN_TO_ALL), (door, (*OPEN_TO_ALL, *FOR_STAFF))):
        for path in paths:
            assert place not in text(client, path), path
    assert "Raffles" in text(bob, "/api/reports/tables")
    assert "Raffles" in text(door, "/api/office/lists/tables")
    for path in ("/api/lobby", "/api/reports/tables", f"/rules/{RAFFLES}"):
        assert place in text(ann, path), path
    max_ = by_password(house, "Max")
    for path in ("/api/lobby", "/api/reports/tables", "/api/office", "/api/office/lists/tables"):
        assert place in text(max_, path), path


def test_who_takes_the_name_of_its_maker_does_not_know_of_a_private_table(house: Running):
    ann = house.enter("Ann")
    place = private(ann)
    assert place in listed(ann)
    ann.post("/api/exit", {})
    assert place not in listed(house.enter("Ann"))


def test_what_waits_at_a_private_table_is_not_left_to_who_does_not_see_it(house: Running):
    place = private(house.enter("Ann"))
    by_the_door(house, "Dora")
    rank = house.casino.casino.rank_of("Dora")
    assert house.casino.staff_door.has("Raffles", rank)
    assert not house.casino.staff_door.has(place, rank)


def test_a_table_that_is_being_set_up_is_in_no_list_and_no_error(house: Running):
    ann = house.enter("Ann")
    like = house.casino.private.templates()[RAFFLES]
    adding = AddTable(table="Between", rulebook=RAFFLES, settings=like, reason="x")
    assert house.casino.casino.add_table(adding).refused is None
    for path in ("/api/lobby", "/api/me", "/api/reports/tables", "/api/my-hands", "/api/pit"):
        assert "Between" not in text(ann, path), path
    private(ann)
    assert "Between" in listed(ann), "the next one that is opened opens it too"


@pytest.mark.parametrize(
    ("found", "left"),
    [
        ([{"name": "P"}, {"name": "R"}], [{"name": "R"}]),
        ({"P": {"a": 1}, "R": {"a": 1}}, {"R": {"a": 1}}),
        ({"1": {"table": "P"}, "2": {"table": "R"}}, {"2": {"table": "R"}}),
        ({"tables": ["P", "R"], "n": 2}, {"tables": ["R"], "n": 2}),
    ],
)
def test_an_entry_that_names_a_hidden_table_is_left_out(found: Any, left: Any):
    assert without(found, {"P"}) == left
    assert without(found, frozenset()) == found
