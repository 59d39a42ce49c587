"""Whoever watches a table is told of a meter what is durable, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.house.errors import StorageError
from tests.live.accounts import claims, log_in, money_house
from tests.live.conftest import Client, Running, until
from tests.live.test_wall import link_of

CLAIMED, PAID = 2_000_100, 1_800_090


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    with money_house(tmp_path) as opened:
        yield opened


def in_the_lobby(client: Client) -> int:
    [link] = client.get("/api/lobby")["links"]
    meter: int = link["meter"]
    return meter


def test_whoever_comes_to_another_table_is_not_told_of_what_is_not_stored(house: Running):
    """The link has paid, and the disk does not take it yet."""
    ann, max_ = log_in(house, "Ann"), log_in(house, "Max")
    claims(ann)
    until(lambda: in_the_lobby(max_) == CLAIMED)
    pays = max_.at("M2")
    with house.casino.house.writer._storing:
        pays.send({"id": "the-click", "place": "Marina", "command": {"do": "pay claims"}})
        until(lambda: link_of(house).state.meter == PAID)
        here, there = max_.at("M2"), ann.at("M1")
        assert here.until("view")["jackpot"]["meter"] == CLAIMED
        assert in_the_lobby(max_) == CLAIMED
    told = here.until("jackpot")
    assert (told["meter"], told["status"]) == (PAID, "open")
    assert there.until("view")["jackpot"]["meter"] == PAID, "it is shown behind what happened there"
    assert in_the_lobby(max_) == PAID


def test_what_was_lost_is_told_of_no_meter(house: Running, monkeypatch: pytest.MonkeyPatch):
    ann, max_ = log_in(house, "Ann"), log_in(house, "Max")
    claims(ann)
    until(lambda: in_the_lobby(max_) == CLAIMED)
    pays = max_.at("M2")
    pays.until("view")

    def full(bundles: object) -> object:
        raise StorageError("the disk is full")

    monkeypatch.setattr(house.casino.house.store, "append", full)
    click = {"id": "the-click", "place": "Marina", "command": {"do": "pay claims"}}
    pays.send(click)
    assert pays.until("error")["code"] == "not stored"
    monkeypatch.undo()
    assert in_the_lobby(max_) == CLAIMED
    assert max_.at("M2").until("view")["jackpot"]["meter"] == CLAIMED
    pays.send(click)
    assert pays.until("jackpot")["meter"] == PAID
    assert in_the_lobby(max_) == PAID
