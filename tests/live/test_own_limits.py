"""Limits that a player sets, where money is real: they hold, and are not lifted in a hurry."""

from __future__ import annotations

import json
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.house.own_limits import A_DAY
from tests.live.accounts import log_in, money_house
from tests.live.conftest import Client, Running


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    with money_house(tmp_path) as casino:
        yield casino


def refused(call: Any) -> str:
    with pytest.raises(urllib.error.HTTPError) as answer:
        call()
    with answer.value:
        said: str = json.load(answer.value)["says"]
        return said


def sit(ann: Client, seat: int = 1, stake: int = 50_000) -> dict[str, Any]:
    table = ann.at("Raffles")
    return table.do(do="sit", seat=seat, player="Ann", stake=stake)


def test_a_loss_limit_counts_at_once_and_a_higher_one_after_a_day(house: Running):
    ann = log_in(house, "Ann")
    now = ann.post("/api/own-limits", {"limit": "loss", "to": 40_000})
    assert now["limits"][0] == {"limit": "loss", "to": 40_000, "will_be": None, "since": None}
    said = sit(ann)
    assert said["says"] == "Your loss limit is 400 a day; 400 of it is left now."
    assert said["cites"][0]["paragraph"] == "S-43"
    now = ann.post("/api/own-limits", {"limit": "loss", "to": 100_000})
    assert (now["limits"][0]["to"], now["limits"][0]["will_be"]) == (40_000, 100_000)
    assert sit(ann, stake=20_000)["is"] == "answer"
    table = ann.at("Raffles")
    said = table.do(do="top up", seat=1, amount=30_000)
    assert said["says"] == "Your loss limit is 400 a day; 200 of it is left now."


def test_a_limit_that_is_taken_away_holds_for_a_day_still(house: Running):
    ann = log_in(house, "Ann")
    ann.post("/api/own-limits", {"limit": "loss", "to": 40_000})
    ann.post("/api/own-limits", {"limit": "loss", "to": None})
    assert sit(ann)["is"] == "refused"
    clock = house.casino.house.clock
    house.casino.house.clock = lambda: clock() + A_DAY  # type: ignore[method-assign]
    ann = log_in(house, "Ann")  # the session is over by then
    assert ann.get("/api/own-limits")["limits"][0]["to"] is None


def test_a_deposit_limit_holds_at_the_cage(house: Running):
    ann = log_in(house, "Ann")
    ann.post("/api/own-limits", {"limit": "deposit", "to": 210_000})
    office = house.casino.casino
    assert office.cash_in("Ann", 10_000, who="Cal").refused is None
    said = office.cash_in("Ann", 10_000, who="Cal").refused
    assert said is not None
    assert said.says == "Your deposit limit is 2,100 a day; 0 of it is left now."
    assert office.cash_out("Ann", 5_000, who="Cal").refused is None


def test_a_session_that_is_over_begins_nothing_new(house: Running):
    ann = log_in(house, "Ann")
    ann.post("/api/own-limits", {"limit": "session", "to": 0})
    assert "session limit" in sit(ann)["says"]


def test_a_break_is_not_shortened_and_money_goes_out(house: Running):
    ann = log_in(house, "Ann")
    assert ann.post("/api/stay-away", {"days": 7})["away_until"]
    assert "takes a break until" in sit(ann)["says"]
    assert "it is not shortened" in refused(lambda: ann.post("/api/stay-away", {"days": 1}))
    assert "180 days at least" in refused(
        lambda: ann.post("/api/stay-away", {"days": 30, "exclusion": True})
    )
    assert ann.post("/api/stay-away", {"days": 200, "exclusion": True})["excluded"] is True
    assert "is excluded until" in sit(ann)["says"]
    assert house.casino.casino.cash_out("Ann", 200_000, who="Cal").refused is None


def test_the_statement_has_what_was_played(house: Running):
    ann = log_in(house, "Ann")
    assert sit(ann)["is"] == "answer"
    found = ann.get("/api/statement")
    assert found["deposits"] == 200_000
    assert found["tables"] == [{"place": "Raffles", "paid": 50_000, "received": 0}]
    assert (found["net"], len(found["movements"])) == (-50_000, 2)


def test_only_where_money_is_real(tmp_path: Path):
    from tests.live.conftest import running

    with running(tmp_path, tables=("Raffles",)) as casino:
        ann = casino.enter("Ann")
        assert "plays for money" in refused(lambda: ann.get("/api/own-limits"))
