"""Bots in a live casino: seated, marked as bots, playing in their own time beside people."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from msgspec import structs

from croupier.house.answers import Answer
from croupier.house.errors import LostConnection
from croupier.house.world import REAL
from croupier.live import private_tables
from croupier.live.bots import pacing
from croupier.live.bots.bot import Thought
from croupier.live.bots.runner import NAMES, BotRunner, _BotTable, seat_bots, temperament_of
from croupier.live.bots.temperaments import DARING, SHARP, TEMPERAMENTS
from croupier.live.config import Clocks
from croupier.live.demonstration import demonstration
from croupier.live.errors import NotAllowed
from croupier.live.identity import AccountIdentityProvider
from croupier.poker.commands import Fold
from croupier.table import Look
from tests.live.conftest import QUICK, Running, running
from tests.live.test_private_tables import Birds, private

SOON = structs.replace(QUICK, pace=0.02, between_rounds=0.05)


def wait_for(holds: Callable[[], bool], seconds: float = 40) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "it does not happen"
        time.sleep(0.05)


def test_a_bot_whose_command_was_lost_thinks_again():
    """Its table waits for it, and nobody else would act in its place."""
    log = logging.getLogger("nobody")
    house = SimpleNamespace(world=REAL)
    runner = BotRunner(SimpleNamespace(house=house, stopping=False, log=log))  # type: ignore[arg-type]
    table = _BotTable("Raffles", 2, 0)
    lost: Future[Answer] = Future()
    lost.set_exception(LostConnection("the database has gone"))
    runner._answered(table, "Heron", lost)
    assert table.refused == {"Heron"}
    assert table.again < time.monotonic() + 60


def rounds(house: Running, place: str) -> int:
    state = house.casino.house.pit.tables[place].state
    number: int = state.rounds if hasattr(state, "rounds") else state.round
    return number


def test_bots_sit_down_and_play_both_kinds_of_games_while_somebody_looks_on(tmp_path: Path):
    with running(tmp_path, clocks=SOON, tables=("Raffles", "Marina-2")) as house:
        runner = seat_bots(house.casino)
        poker = house.enter("Ann").at("Raffles")
        banked = house.enter("Ben").at("Marina-2")
        wait_for(lambda: rounds(house, "Raffles") >= 3 and rounds(house, "Marina-2") >= 2)
        for place, count in (("Raffles", 4), ("Marina-2", 2)):
            table = house.casino.house.pit.tables[place]
            names = {table.player_at(n) for n in table.taken_seats()}
            assert len(names) == count
            assert names == {each.name for each in runner.players(place)}
            assert all(house.casino.identity.is_bot(name or "") for name in names)
            assert set(house.casino.around(place).bots) == names
        runner.close()
        gave = runner.gave
        poker.close()
        banked.close()
        time.sleep(0.2)
        assert runner.gave == gave > 20
        assert runner.refused <= gave // 20  # now and then somebody else is faster


def test_bots_keep_a_seat_free_for_people(tmp_path: Path):
    config = demonstration()
    tables = {"Raffles": structs.replace(config.tables["Raffles"], bots=6)}
    with running(tmp_path, structs.replace(config, tables=tables), clocks=SOON) as house:
        runner = BotRunner(house.casino, Random(1))
        runner.open()
        table = house.casino.house.pit.tables["Raffles"]
        wait_for(lambda: len(table.taken_seats()) == 5)
        ann = house.enter("Ann").at("Raffles")
        free = next(n for n in range(1, 7) if table.player_at(n) is None)
        sat = ann.do(do="sit", seat=free, player="Ann", stake=50_000)
        assert sat["is"] == "answer"
        wait_for(lambda: len(table.taken_seats()) == 5)  # one of the bots goes for it
        assert "Ann" in {table.player_at(n) for n in table.taken_seats()}
        runner.close()
        ann.close()


def test_bots_of_a_planned_stop_are_there_again_and_play_on(tmp_path: Path):
    with running(tmp_path, clocks=SOON, tables=("Clarke",)) as house:
        runner = seat_bots(house.casino)
        table = house.casino.house.pit.tables["Clarke"]
        wait_for(lambda: rounds(house, "Clarke") >= 1 and len(table.taken_seats()) == 4)
        before = {each.name for each in runner.players("Clarke")}
    with running(tmp_path, clocks=SOON, tables=("Clarke",)) as house:
        again = seat_bots(house.casino)
        wait_for(lambda: len(again.players("Clarke")) == 4)
        assert {each.name for each in again.players("Clarke")} == before
        played = rounds(house, "Clarke")
        ann = house.enter("Ann").at("Clarke")
        wait_for(lambda: rounds(house, "Clarke") > played)
        again.close()
        ann.close()


@pytest.mark.parametrize("seated", [True, False], ids=["seated", "on their way"])
def test_bots_of_a_private_table_come_again_after_a_stop(tmp_path: Path, seated: bool):
    with running(tmp_path, clocks=SOON, tables=("Raffles",)) as house:
        if seated:
            seat_bots(house.casino)
        else:
            house.casino.private.bots = Birds(3)
        place = private(house.enter("Ann"), bots=2)
        table = house.casino.house.pit.tables[place]
        wait_for(lambda: len(table.taken_seats()) == (2 if seated else 0))
        before = {table.player_at(seat) for seat in table.taken_seats()}
    with running(tmp_path, clocks=SOON, tables=("Raffles",)) as house:
        again = seat_bots(house.casino)
        table = house.casino.house.pit.tables[place]
        wait_for(lambda: len(table.taken_seats()) == 2)
        names = {each.name for each in again.players(place)}
        assert len(names) == 2
        assert before <= names
        assert again.spare() == len(NAMES) - 6
        bob = house.enter("Bob").at(place.replace(" ", "%20"))
        played = rounds(house, place)
        wait_for(lambda: rounds(house, place) > played)
        again.close()
        bob.close()


def test_bots_of_a_private_table_are_free_again_once_it_is_given_up_after_a_stop_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with running(tmp_path, clocks=SOON, tables=("Raffles",)) as house:
        runner = seat_bots(house.casino)
        assert runner.spare() == len(NAMES) - 4
        place = private(house.enter("Ann"), bots=2)
        assert runner.spare() == len(NAMES) - 6
        table = house.casino.house.pit.tables[place]
        wait_for(lambda: len(table.taken_seats()) == 2)
    for name in ("IDLE", "EVERY", "FORGOTTEN_AFTER"):
        monkeypatch.setattr(private_tables, name, 0.1)
    with running(tmp_path, clocks=SOON, tables=("Raffles",)) as house:
        again = seat_bots(house.casino)
        wait_for(lambda: place not in house.casino.house.pit.tables)
        wait_for(lambda: place not in again._tables)
        assert again.spare() == len(NAMES) - 4
        wait_for(lambda: len(again.players("Raffles")) == 4)


def test_a_name_that_a_guest_has_taken_is_no_bots(tmp_path: Path):
    with running(tmp_path, clocks=SOON, tables=("Orchard",)) as house:
        for name in NAMES[:-3]:
            house.casino.casino.open_account(name)
        runner = seat_bots(house.casino)
        wait_for(lambda: len(runner.players("Orchard")) == 2)
        assert {each.name for each in runner.players("Orchard")} <= set(NAMES[-3:])
        runner.close()


def test_a_casino_that_plays_for_money_has_no_bots(tmp_path: Path):
    with running(tmp_path, clocks=SOON, tables=("Orchard",)) as house:
        house.casino.identity = AccountIdentityProvider(house.casino.casino)
        with pytest.raises(NotAllowed, match="plays for money has no bots"):
            BotRunner(house.casino).open()


# ---- in human time ------------------------------------------------------------------------------


def mean_time(hard: float, temperament: object = SHARP, *, watched: bool = True) -> float:
    chance, clocks = Random(1), Clocks()
    thought = Thought(command=Fold(seat=1), hard=hard)
    times = [
        pacing.takes(thought, temperament, clocks, chance, watched=watched)  # type: ignore[arg-type]
        for _ in range(300)
    ]
    assert max(times) <= pacing.OF_THE_CLOCK * clocks.to_act
    return sum(times) / len(times)


def test_hard_decisions_take_longer_and_a_glance_takes_none():
    assert 0.5 < mean_time(0.0) < mean_time(0.5) < mean_time(1.0) < 8
    assert mean_time(0.5, DARING) < mean_time(0.5)
    assert mean_time(0.0, watched=False) > 3 * mean_time(0.0)
    look = Thought(command=Look(seat=1))
    assert pacing.takes(look, SHARP, Clocks(), Random(1), watched=True) < 1.5
    assert pacing.takes(look, SHARP, Clocks(pace=0), Random(1), watched=True) == 0


def test_every_temperament_has_its_birds():
    assert {temperament_of(name) for name in NAMES} == set(TEMPERAMENTS)
    assert len(set(NAMES)) == len(NAMES)
