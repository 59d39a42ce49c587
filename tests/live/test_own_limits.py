"""Limits that a player sets, where money is real: they hold, and are not lifted in a hurry."""

from __future__ import annotations

import json
import threading
import urllib.error
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.house.moved import A_DAY
from croupier.house.office.commands import Transfer
from croupier.house.office.own_limits import SetOwnLimit
from croupier.live import own_limits
from croupier.live.side_work import OF_SENDER
from croupier.table import ActorRank
from tests.live.accounts import log_in, money_house
from tests.live.conftest import Client, Running, until


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


def test_a_long_statement_lists_its_end_and_holds_up_nobody(
    house: Running, monkeypatch: pytest.MonkeyPatch
):
    ann, goes_on = log_in(house, "Ann"), threading.Event()
    movements = own_limits.movements

    def slowly(*asked: Any) -> Any:
        assert goes_on.wait(30)
        return movements(*asked)

    monkeypatch.setattr(own_limits, "LISTED", 1)
    monkeypatch.setattr(own_limits, "movements", slowly)
    assert sit(ann)["is"] == "answer"
    with ThreadPoolExecutor(OF_SENDER + 8) as threads:
        asked = [threads.submit(ann.get, "/api/statement") for _ in range(OF_SENDER + 8)]
        try:
            until(lambda: sum(one.done() for one in asked) == 8)
            assert ann.get("/api/me")["play_money"] == 150_000
        finally:
            goes_on.set()
        found = [one.result(20) for one in asked if one.exception(20) is None]
    assert len(found) == OF_SENDER
    assert (found[0]["deposits"], found[0]["net"]) == (200_000, -50_000)
    assert ([each["amount"] for each in found[0]["movements"]], found[0]["unlisted"]) == (
        [-50_000],
        1,
    )


def test_only_where_money_is_real(tmp_path: Path):
    from tests.live.conftest import running

    with running(tmp_path, tables=("Raffles",)) as casino:
        ann = casino.enter("Ann")
        assert "plays for money" in refused(lambda: ann.get("/api/own-limits"))


def later(house: Running, by: timedelta) -> None:
    clock = house.casino.house.clock
    house.casino.house.clock = lambda: clock() + by  # type: ignore[method-assign]


def test_a_later_wish_replaces_a_higher_limit_that_does_not_count_yet(house: Running):
    office = house.casino.casino

    def wish(to: int | None) -> None:
        set_to = SetOwnLimit(player="Ann", limit="loss", to=to)
        assert office.tell(set_to, who="Ann", rank=ActorRank.PLAYER).refused is None

    wish(40_000)
    wish(None)
    later(house, timedelta(hours=23))
    wish(50_000)
    later(house, timedelta(hours=2))
    ann = log_in(house, "Ann")
    now = ann.get("/api/own-limits")["limits"][0]
    assert (now["to"], now["will_be"]) == (40_000, 50_000), "it was never without a limit"


def test_a_deposit_limit_holds_for_what_others_pass_on(house: Running):
    ann = log_in(house, "Ann")
    ann.post("/api/own-limits", {"limit": "deposit", "to": 210_000})
    office = house.casino.casino
    passed = Transfer(payer="Bob", payee="Ann", amount=20_000, reason="a present")
    said = office.tell(passed, who="Cal").refused
    assert said is not None
    assert "deposit limit" in said.says
    ann.post("/api/stay-away", {"days": 7})
    less = Transfer(payer="Bob", payee="Ann", amount=5_000, reason="a present")
    said = office.tell(less, who="Cal").refused
    assert said is not None
    assert "takes a break" in said.says
    back = Transfer(payer="Ann", payee="Bob", amount=5_000, reason="money goes out")
    assert office.tell(back, who="Cal").refused is None


def test_a_session_that_ended_by_itself_counts_no_more(house: Running):
    ann = log_in(house, "Ann")
    ann.post("/api/own-limits", {"limit": "session", "to": 60})
    later(house, timedelta(hours=13))
    assert sit(log_in(house, "Ann"))["is"] == "answer"
