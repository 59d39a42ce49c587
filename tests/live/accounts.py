"""A casino that plays for money, with a jackpot, a poker table, its people and two players."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from croupier.house.casino import Casino
from croupier.house.config import LinkConfig
from croupier.live.config import Clocks, Config, TableConfig
from croupier.live.demonstration import demonstration
from tests.house.jackpots import BOOK, SETTINGS, STRAIGHT_FLUSH, TERMS, stacked
from tests.house.quick import make_quick
from tests.house.stacking import all_stacked
from tests.house.staff import employ
from tests.live.conftest import PASSWORD, AtTable, Client, Running, found_for_money, running

CLOCKS = Clocks(between_rounds=0.02, pace=0.0, bets=0.4, to_act=60, grace=600)
STAFF = {"Max": "pit manager", "Mia": "pit manager", "Sue": "pit supervisor", "Dan": "dealer"}
PLAYERS = ("Ann", "Bob")


def for_money() -> Config:
    poker = structs.replace(demonstration().tables["Raffles"], bots=0)
    banked = TableConfig(rulebook=BOOK, settings=SETTINGS, link="Marina")
    return structs.replace(
        demonstration(),
        mode="money",
        links={"Marina": LinkConfig(rulebook=BOOK, settings=TERMS)},
        tables={"Raffles": poker, "M1": banked, "M2": banked},
        standing_orders={},
    )


def people(office: Casino) -> None:
    """Everybody has the same password; the staff are on duty, and assigned to the floor."""
    who = "administrator"
    for name, role in STAFF.items():
        employ(office, name, role, password=PASSWORD)
    office.hire("Cal", "cashier", PASSWORD, who=who, reason="the cage")
    for name in PLAYERS:
        assert office.open_account(name, PASSWORD, who="Cal").refused is None
        assert office.cash_in(name, 200_000, who="Cal").refused is None


@contextmanager
def money_house(
    folder: Path, database: str | None = None, made: Config | None = None
) -> Iterator[Running]:
    """Running; every hand at a banked table is a Straight Flush."""
    lucky = all_stacked(lambda cards: stacked(cards, STRAIGHT_FLUSH))
    with pytest.MonkeyPatch.context() as patch, lucky:
        make_quick(patch)
        found_for_money(folder, database)
        with running(folder, made or for_money(), clocks=CLOCKS, database=database) as house:
            people(house.casino.casino)
            yield house


def log_in(house: Running, name: str) -> Client:
    client = house.enter()
    answer = client.post("/api/login", {"name": name, "password": PASSWORD})
    client.name, client.token = answer["name"], answer["token"]
    return client


def claims(client: Client, place: str = "M1") -> AtTable:
    """A player plays a round over his socket until his jackpot waits to be paid."""
    table = client.at(place)
    answer = table.do(do="sit", box=1, player=client.name, chips=50_000)
    assert answer["is"] == "answer", answer
    bets(table)
    return table


def bets(table: AtTable) -> None:
    """He bets and plays on, until his jackpot waits to be paid."""
    steps: list[tuple[str, dict[str, Any]]] = [
        ("bets open", {"do": "place ante", "box": 1, "amount": 1_000}),
        ("bets open", {"do": "place progressive", "box": 1}),
        ("first decision", {"do": "look", "seat": 1}),
        ("first decision", {"do": "flop bet", "box": 1}),
        ("turn decision", {"do": "check", "box": 1}),
        ("river decision", {"do": "check", "box": 1}),
    ]
    for status, command in steps:
        stands(table, status)
        answer = table.do(**command)
        assert answer["is"] == "answer", answer
    stands(table, "jackpot")
    while _claims(table) < view_of(table)["round"]:
        table.next()


def _claims(table: AtTable) -> int:
    """How often the table has told its link of lines that are held."""
    events = (event for message in table.heard for event in message.get("events", ()))
    return sum("lines held" in str(event) for event in events)


def view_of(table: AtTable) -> dict[str, Any]:
    """The table as it was seen last."""
    return next(m["view"] for m in reversed(table.heard) if "view" in m)


def stands(table: AtTable, status: str) -> dict[str, Any]:
    """Read on until the table stands so, if it does not yet."""
    while True:
        view = next((m["view"] for m in reversed(table.heard) if "view" in m), None)
        if view is not None and view["status"] == status:
            return view
        table.next()
