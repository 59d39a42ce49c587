"""What players wish for waits for its moment, can be taken back, and needs nobody to watch."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from msgspec import structs

from croupier.live.wishes import _Idle
from tests.live.conftest import QUICK, AtTable, Client, Running, running

SLOW = structs.replace(QUICK, to_act=30, between_rounds=0.3, pace=0)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path, tables=("Raffles", "Marina-1"), clocks=SLOW) as casino:
        yield casino


def seated(house: Running, *names: str, stake: int = 50_000) -> tuple[list[Client], list[AtTable]]:
    """People who sit at Raffles, each with a socket."""
    guests = [house.enter(name) for name in names]
    tables = [guest.at("Raffles") for guest in guests]
    for seat, (name, table) in enumerate(zip(names, tables, strict=True), 1):
        table.do(do="sit", seat=seat, player=name, stake=stake)
    return guests, tables


def turn_of(tables: list[AtTable]) -> tuple[int, dict[str, Any]]:
    view = tables[0].until_view(lambda v: v["status"] == "betting" and v["turn"])["view"]
    return view["turn"] - 1, view


def test_who_has_folded_leaves_when_the_round_is_settled_without_doing_anything(house: Running):
    guests, tables = seated(house, "Ann", "Ben", "Cid")
    first, _ = turn_of(tables)
    waits = guests[first].post("/api/tables/Raffles/wishes", {"leave": True})
    assert waits["leave"] is True, "chips or cards are in the round"
    tables[first].do(do="fold", seat=first + 1)
    tables[first].close()
    second = tables[(first + 1) % 3]
    second.until_view(lambda v: v["turn"] == (first + 1) % 3 + 1)
    second.do(do="fold", seat=(first + 1) % 3 + 1)
    later(lambda: first + 1 not in house.casino.table("Raffles").taken_seats())


def test_a_wish_can_be_taken_back(house: Running):
    guests, tables = seated(house, "Ann", "Ben")
    first, _ = turn_of(tables)
    path = "/api/tables/Raffles/wishes"
    assert (
        guests[first].post(path, {"leave": True, "sit_out": True, "add": 10_000})["add"] == 10_000
    )
    now = guests[first].post(path, {"leave": False, "sit_out": False, "add": 0})
    assert now == {"leave": False, "sit_out": False, "add": 0, "says": ""}
    tables[first].do(do="fold", seat=first + 1)
    tables[first].until_view(lambda v: v["status"] == "betting" and v["round"] == 2)
    assert first + 1 in house.casino.table("Raffles").taken_seats()


def test_what_may_be_done_now_is_done_now(house: Running):
    guests, _ = seated(house, "Ann")
    now = guests[0].post("/api/tables/Raffles/wishes", {"leave": True})
    later(lambda: house.casino.table("Raffles").taken_seats() == [])
    assert now["leave"] is False


def test_who_does_not_sit_there_wishes_for_nothing(house: Running):
    ann = house.enter("Ann")
    with pytest.raises(HTTPError, match="403"):
        ann.post("/api/tables/Raffles/wishes", {"leave": True})


def test_why_a_wish_came_to_nothing_is_said(house: Running):
    guests, tables = seated(house, "Ann", "Ben", stake=100_000)
    first, _ = turn_of(tables)
    [other] = [each for each in (0, 1) if each != first]
    path = "/api/tables/Raffles/wishes"
    assert guests[other].post(path, {"add": 10_000})["add"] == 10_000
    tables[first].do(do="fold", seat=first + 1)
    later(lambda: guests[other].get(path)["says"] == "The most on the table is 1,000.")


def test_what_is_so_already_does_not_wait_to_be_done_later(house: Running):
    [ann], [table] = seated(house, "Ann")
    assert table.do(do="sit out", seat=1)["is"] == "answer"
    assert ann.post("/api/tables/Raffles/wishes", {"sit_out": True})["sit_out"] is False
    assert table.do(do="return to seat", seat=1)["is"] == "answer"
    time.sleep(0.1)
    assert house.casino.table("Raffles").state.seats[1].here
    marina = ann.at("Marina-1")
    assert marina.do(do="sit", box=1, player="Ann", chips=50_000)["is"] == "answer"
    assert ann.post("/api/tables/Marina-1/wishes", {"sit_out": True})["sit_out"] is False


def test_who_leaves_and_comes_back_is_not_sat_out_for_the_time_before(house: Running):
    [_], [table] = seated(house, "Ann")
    wishes = house.casino.wishes
    wishes._idle["Raffles", "Ann"] = _Idle(rounds=2, last=7)
    wishes._out.add(("Raffles", "Ann"))
    assert table.do(do="leave", seat=1)["is"] == "answer"
    later(lambda: not wishes._out and not wishes._idle)


def test_who_lets_his_time_run_out_in_two_rounds_is_sat_out(tmp_path: Path):
    clocks = structs.replace(QUICK, to_act=0.2, time_bank=0, between_rounds=0.1, pace=0)
    with running(tmp_path, tables=("Raffles",), clocks=clocks) as house:
        seated(house, "Ann", "Ben")
        seats = house.casino.table("Raffles").state.seats
        later(lambda: not seats[1].here or not seats[2].here, 15)
        assert house.casino.table("Raffles").state.rounds >= 2


def test_a_page_that_looks_by_itself_does_not_say_that_somebody_is_there(tmp_path: Path):
    clocks = structs.replace(QUICK, to_act=0.5, time_bank=0, between_rounds=0.1, pace=0)
    with running(tmp_path, tables=("Raffles",), clocks=clocks) as house:
        _, tables = seated(house, "Ann", "Ben")
        seats = house.casino.table("Raffles").state.seats
        end, looked = time.monotonic() + 15, 0
        while seats[1].here and seats[2].here:
            assert time.monotonic() < end, f"they looked {looked} times and are still there"
            told = tables[0].next()
            for seat in told.get("view", {}).get("yours", []):
                if told["view"]["round"] != looked and told["view"]["status"] == "betting":
                    looked = told["view"]["round"]
                    tables[0].give(do="look", seat=seat)
        assert house.casino.table("Raffles").state.rounds <= 6


def test_what_the_clock_did_is_told_as_such(tmp_path: Path):
    clocks = structs.replace(QUICK, to_act=0.2, time_bank=0, between_rounds=0.1, pace=0)
    with running(tmp_path, tables=("Raffles",), clocks=clocks) as house:
        _, tables = seated(house, "Ann", "Ben")
        while True:
            told = tables[0].until("events")["events"]
            late = [each for each in told if each.get("timed_out")]
            if late:
                break
        assert late[0]["event"]["event"] in ("folded", "checked")


def later(holds: Any, seconds: float = 8) -> None:
    """It is so, soon."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_more_than_the_table_takes_is_refused_and_nothing_is_cut(house: Running):
    guests, tables = seated(house, "Ann", "Ben", stake=95_000)
    first, _ = turn_of(tables)
    [other] = [each for each in (0, 1) if each != first]
    path = "/api/tables/Raffles/wishes"
    assert guests[other].post(path, {"add": 10_000})["add"] == 10_000
    tables[first].do(do="fold", seat=first + 1)
    later(lambda: guests[other].get(path)["says"] == "The most on the table is 1,000.")
    assert house.casino.table("Raffles").state.seats[other + 1].stake < 97_000
