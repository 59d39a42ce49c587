"""`croupier serve` while its database fails over: the round goes on where it stood."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.house.failover import Pair, wait_until
from tests.live.conftest import Client
from tests.live.several import several, wait
from tests.live.test_postgres import CONFIG, LIKES, Seat, Somewhere, in_round, play
from tests.live.test_stopping import command, started

POKER = ("Hold", "P0", "P1")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells a server's processes")


@pytest.fixture
def pair() -> Iterator[Pair]:
    made = Pair()
    yield made
    made.close()


def is_well(house: Any) -> bool:
    with urllib.request.urlopen(f"{house.url}/health", timeout=20) as answer:
        return bool(answer.status == 200)


def is_ill(house: Any) -> bool:
    try:
        return not is_well(house)
    except urllib.error.HTTPError as error:
        with error:
            return error.code == 503


def stores(house: Any) -> bool:
    """Whether it stores again: a moment before that it is well already, and is not to be stopped
    then."""
    try:
        Client(house, f"C{time.time_ns()}")
    except urllib.error.HTTPError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "frozen"])
def test_a_round_goes_on_after_the_database_has_failed_over(
    tmp_path: Path, pair: Pair, how: signal.Signals
):
    (tmp_path / "casino.toml").write_text(CONFIG)
    options = ("--config", str(tmp_path / "casino.toml"), "--database", pair.url, "--no-bots")
    process, address = started(tmp_path, *options, tables=2)
    house = Somewhere(address)
    try:
        with house.sockets:
            ann, ben, cho = (Client(house, name) for name in ("Ann", "Ben", "Cho"))
            at = [(ann, "Hold"), (ben, "Hold"), (cho, "Bank")]
            seats = [Seat(who, place) for who, place in at]
            play(seats, lambda s: s.view.get("round", 0) >= 1 and bool(s.view["yours"]), *LIKES)
            play(seats, lambda seat: seat.view["round"] >= 2, *LIKES)
            play(seats, in_round(2), "look", "place ante", "place progressive", "ready")
            before = [(seat.position, seat.view) for seat in seats]
            pair.a.kill(how)
            wait_until(lambda: is_ill(house), 30)
            pair.b.promote()
            wait_until(lambda: is_well(house), 30)
            for seat in seats:
                seat.hear()  # nobody was sent away
            again = [
                Seat(who, place, after=position)
                for (who, place), (position, _) in zip(at, before, strict=True)
            ]
            for seat, (position, view) in zip(again, before, strict=True):
                seat.hear()
                assert (seat.position, seat.view) == (position, view), "nothing was lost"
            play(again, lambda seat: seat.view["round"] >= 3, *LIKES)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            _, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            _, err = process.communicate()
    assert process.returncode == 0, err
    words = command(tmp_path)
    words["args"][3:] = ["audit", "verify", pair.url]
    audited = subprocess.run(**words, capture_output=True, check=False)
    assert audited.returncode == 0, audited.stdout + audited.stderr


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "frozen"])
def test_two_servers_keep_their_tables_and_rounds(tmp_path: Path, pair: Pair, how: signal.Signals):
    """Neither takes the other for gone because both had lost the database."""
    with several(tmp_path, pair.url, "left", "right", poker=2) as house:
        left, right = house.servers["left"], house.servers["right"]
        runs = {name: server.health()["runs"] for name, server in house.servers.items()}
        people = {place: (Client(left, f"A{place}"), Client(right, f"B{place}")) for place in POKER}
        seats = [Seat(who, place) for place, both in people.items() for who in both]
        play(seats, lambda s: s.view.get("round", 0) >= 1 and bool(s.view["yours"]), "sit", "look")
        play(seats, lambda seat: seat.view["turn"] is not None, "look")
        before = {seat.place: (seat.position, seat.view["round"]) for seat in seats}
        pair.a.kill(how)
        wait_until(lambda: is_ill(left) and is_ill(right), 30)
        pair.b.promote()
        wait(lambda: all(each.health()["status"] == "ok" for each in house.servers.values()), 60)
        assert {n: server.health()["runs"] for n, server in house.servers.items()} == runs
        for place, (ann, _) in people.items():
            again = Seat(ann, place)
            wait(lambda again=again: again.hear() or again.view)  # type: ignore[misc]
            assert (again.position, again.view["round"]) == before[place]
        for server in house.servers.values():
            wait(lambda server=server: stores(server), 30)  # type: ignore[misc]
