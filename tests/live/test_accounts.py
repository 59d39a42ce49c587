"""A casino with accounts: people log in, speak in the rank of their post, and there are no bots."""

from __future__ import annotations

import json
import time
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from croupier.house import passwords
from croupier.house.log_in import WRONG
from croupier.live.config import Config, TableConfig
from croupier.live.demonstration import demonstration
from croupier.live.log_in_api import REFUSED_AFTER
from tests.live.conftest import PASSWORD, Client, Running, found_for_money, running


def with_accounts() -> Config:
    tables: dict[str, TableConfig] = {
        "Raffles": structs.replace(demonstration().tables["Raffles"], bots=0)
    }
    return structs.replace(
        demonstration(), mode="money", links={}, tables=tables, standing_orders={}
    )


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("accounts")
    found_for_money(folder)
    with running(folder, with_accounts()) as casino:
        office = casino.casino.casino
        hired = office.hire("Cass", "cashier", PASSWORD, who="administrator", reason="the cage")
        assert hired.refused is None
        assert office.open_account("Ann", PASSWORD, who="Cass").refused is None
        yield casino


def log_in(house: Running, name: str, password: str = PASSWORD) -> Client:
    client = house.enter()
    answer = client.post("/api/login", {"name": name, "password": password})
    client.name, client.token = answer["name"], answer["token"]
    return client


def fails(call: Any) -> tuple[int, dict[str, Any]]:
    with pytest.raises(urllib.error.HTTPError) as answer:
        call()
    with answer.value:
        return answer.value.code, json.load(answer.value)


def test_nobody_is_advised_where_money_is_real(house: Running):
    ann = log_in(house, "Ann")
    status, said = fails(lambda: ann.get("/api/tables/Raffles/guide"))
    assert (status, said["error"]) == (403, "no advice")


def test_a_player_logs_in_and_out(house: Running):
    ann = log_in(house, "Ann")
    me = ann.get("/api/me")
    assert (me["name"], me["rank"], me["play_money"], me["mode"]) == ("Ann", "player", 0, "money")
    cookie = ann.cookie
    ann.post("/api/exit", {})
    assert ann.get("/api/me")["name"] is None
    stolen = house.enter()
    stolen.opener.addheaders = [("Cookie", cookie)]
    assert stolen.get("/api/me")["name"] is None, "a session that was ended is over"


@pytest.mark.parametrize(
    ("name", "password"), [("Ann", "wrong"), ("Nobody", PASSWORD), ("Ann", "x")]
)
def test_a_wrong_password_is_nobody(house: Running, name: str, password: str):
    status, problem = fails(lambda: log_in(house, name, password))
    assert (status, problem["error"]) == (403, "wrong password")


def test_how_long_a_refusal_takes_does_not_tell_who_has_an_account(
    house: Running, monkeypatch: pytest.MonkeyPatch
):
    """The hash is reckoned for names that nobody has too, and both answers wait for their time."""
    reckoned: list[bool] = []
    is_right = passwords.is_right

    def watched(password: str, kept: str | None) -> bool:
        reckoned.append(kept is not None)
        return is_right(password, kept)

    monkeypatch.setattr(passwords, "is_right", watched)
    for name in ("Cass", "Nobody"):
        began = time.monotonic()
        problem = fails(lambda name=name: log_in(house, name, "wrong"))[1]
        assert time.monotonic() - began >= REFUSED_AFTER
        assert problem["says"] == WRONG
    assert reckoned == [True, False]


def test_nobody_enters_as_a_guest_or_gets_play_money(house: Running):
    ann = log_in(house, "Ann")
    assert fails(lambda: ann.post("/api/enter", {"name": "Eve"}))[1]["error"] == "no guests"
    assert fails(lambda: ann.post("/api/refill", {}))[1]["error"] == "no play money"


def test_without_money_nobody_sits_down(house: Running):
    table = log_in(house, "Ann").at("Raffles")
    answer = table.do(do="sit", seat=1, player="Ann", stake=50_000)
    assert (answer["is"], answer["cites"][0]["paragraph"]) == ("refused", "S-27")


def test_reports_are_for_staff(house: Running):
    ann, cass = log_in(house, "Ann"), log_in(house, "Cass")
    assert fails(lambda: ann.get("/api/reports/tables"))[0] == 403
    assert cass.get("/api/reports/tables")["tables"][0]["place"] == "Raffles"


def test_a_log_in_makes_a_new_visit(house: Running):
    client = house.enter()
    before = client.cookie
    client.post("/api/login", {"name": "Ann", "password": PASSWORD})
    assert client.cookie.split(".")[0] != before.split(".")[0]


def test_the_counters_are_for_staff_and_for_a_program_with_the_key(
    house: Running, monkeypatch: pytest.MonkeyPatch
):
    def read(client: Client, **headers: str) -> int:
        request = urllib.request.Request(f"{house.url}/metrics", headers=headers)
        try:
            with client.opener.open(request) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    assert read(house.enter()) == 403
    assert read(log_in(house, "Ann")) == 403
    assert read(log_in(house, "Cass")) == 200
    monkeypatch.setattr(house.casino, "metrics_key", "the key of the watching program")
    assert read(house.enter(), Authorization="Bearer the key of the watching program") == 200
    assert read(house.enter(), Authorization="Bearer another") == 403


def test_strangers_are_told_whether_the_server_works_and_nothing_else(
    house: Running, monkeypatch: pytest.MonkeyPatch
):
    def health(client: Client, **headers: str) -> tuple[int, dict[str, Any]]:
        request = urllib.request.Request(f"{house.url}/health", headers=headers)
        try:
            with client.opener.open(request) as answer:
                return int(answer.status), json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    casino = house.casino
    monkeypatch.setattr(casino, "metrics_key", "the key of the watching program")
    stranger, cass = house.enter(), log_in(house, "Cass")
    key = {"Authorization": "Bearer the key of the watching program"}
    assert health(stranger) == (200, {"status": "ok"})
    assert health(log_in(house, "Ann")) == (200, {"status": "ok"})
    for told in (health(cass)[1], health(stranger, **key)[1]):
        assert "money is real, and there is no key to seal with" in told["alarms"][0]
        assert told.keys() >= {"version", "mode", "tables", "viewers", "up"}
    # The database answers whoever reads, and stores nothing: its standby is gone.
    monkeypatch.setattr(casino.house.writer, "storing", lambda: 11.0)
    assert health(stranger) == (503, {"status": "down", "code": "storing"})
    assert health(cass)[1]["code"] == "storing"
