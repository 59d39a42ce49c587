"""What the jackpot display tells, to whom, and that it tells nothing that is not stored."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from croupier.house.office.commands import Disable
from croupier.jackpot import JackpotLink
from croupier.live.config import WallConfig
from tests.live.accounts import claims, for_money, log_in, money_house
from tests.live.conftest import Running, until
from tests.live.test_links import at_link


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    with money_house(tmp_path) as opened:
        yield opened


def shown(house: Running, path: str = "/api/wall/Marina") -> Any:
    """The first link of a wall, asked for without a cookie."""
    with urllib.request.urlopen(f"{house.url}{path}") as answer:
        return json.load(answer)["links"][0]


def link_of(house: Running) -> JackpotLink:
    link = house.casino.house.pit.links["Marina"]
    assert isinstance(link, JackpotLink)
    return link


def test_a_jackpot_on_the_wall_from_the_first_stake_to_the_next_round(house: Running):
    assert shown(house, "/api/wall") == shown(house)
    first = shown(house)
    assert (first["status"], first["amount"], first["won"]) == ("open", 2_000_000, [])
    claims(log_in(house, "Ann"))
    pending = shown(house)
    assert (pending["status"], pending["amount"], pending["claims"]) == (
        ("claim pending", 2_000_100, ["M1"])
    )
    max_ = log_in(house, "Max").at("M2")
    assert at_link(max_, do="pay claims")["is"] == "answer"
    [won] = until(lambda: shown(house)["won"])
    assert (won["amount"], won["table"], won["line"]) == (200_010, "M1", "Straight Flush")
    assert won["player"] is None, "the House has not allowed names"
    assert shown(house)["amount"] == link_of(house).facts().meter == 1_800_090
    assert at_link(max_, do="report link fault", reason="x")["is"] == "answer"
    out = until(lambda: found if (found := shown(house))["status"] == "out of service" else None)
    assert (out["amount"], out["cites"][0]) == (None, "5.17.2")


def test_an_unknown_link_is_not_found(house: Running):
    for path in ("/api/wall/Nowhere", "/wall/Nowhere"):
        with pytest.raises(urllib.error.HTTPError) as answer:
            urllib.request.urlopen(f"{house.url}{path}")
        assert answer.value.code == 404
        answer.value.close()


@pytest.mark.slow
def test_what_is_not_stored_is_not_shown(house: Running):
    """The link has paid, and the disk does not take it yet."""
    claims(log_in(house, "Ann"))
    until(lambda: shown(house)["status"] == "claim pending")
    max_ = log_in(house, "Max").at("M2")
    with house.casino.house.writer._storing:
        order = {"do": "pay claims"}
        max_.send({"id": "the-click", "place": "Marina", "command": order})
        until(lambda: link_of(house).status() == "open")
        before = shown(house)
        assert (before["status"], before["amount"], before["won"]) == (
            ("claim pending", 2_000_100, [])
        )
    until(lambda: shown(house)["won"])


@pytest.mark.slow
def test_names_are_shown_where_the_house_allows_it_and_a_restart_knows_none(tmp_path: Path):
    made = structs.replace(for_money(), wall=WallConfig(names=True))
    with money_house(tmp_path, made=made) as house:
        claims(log_in(house, "Ann"))
        at_link(log_in(house, "Max").at("M2"), do="pay claims")
        [won] = until(lambda: shown(house)["won"])
        assert won["player"] == "Ann"


@pytest.mark.slow
def test_a_link_that_the_office_has_stopped_says_why(house: Running):
    office = house.casino.casino
    order = Disable(place="Marina", reason="an inspection")
    assert office.tell(order, who="Max").refused is None
    found = shown(house)
    assert (found["status"], found["amount"]) == ("out of service", None)
    assert found["says"] == "Disabled: an inspection."
