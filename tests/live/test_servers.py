"""Several servers on one PostgreSQL database: any serves any player, and none of them is missed."""

from __future__ import annotations

import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.office.server_moves import MovePlace
from croupier.house.postgres import PostgresDatabase
from croupier.house.store import Store
from tests.house.conftest import postgres_server, postgres_url  # noqa: F401
from tests.live.conftest import Client
from tests.live.several import Several, several, sum_of, wait
from tests.live.test_postgres import LIKES, Seat, in_round, play
from tests.live.test_stopping import command, said

NEWER = """
from croupier.house import migrations
known = migrations.migrations()
more = (known[-1][0] + 1, "CREATE TABLE more (x BIGINT)")
migrations.migrations = lambda: [*known, more]
from croupier.cli.main import main
main()
"""
"""`croupier` of a release that needs another schema."""


def seen(seat: Seat) -> Seat:
    """Once the table was shown."""
    wait(lambda: seat.hear() or seat.view)
    return seat


def test_any_server_serves_any_player_and_takes_over_from_one_that_is_killed(
    tmp_path: Path,
    postgres_url: str,  # noqa: F811
):
    """Two players at one table, each at another server; its owner is killed in the round."""
    with several(tmp_path, postgres_url, "left", "right", poker=2) as house:
        left, right = house.servers["left"], house.servers["right"]
        ann, ben = Client(left, "Ann"), Client(right, "Ben")
        lobby = ann.get("/api/lobby")
        assert [each["place"] for each in lobby["tables"]] == ["Hold", "Bank", "P0", "P1"]
        assert ben.get("/api/lobby")["tables"] == lobby["tables"]
        seats = [Seat(ann, "Hold"), Seat(ben, "Hold")]
        play(seats, lambda seat: seat.view.get("round", 0) >= 1, *LIKES)
        assert [each["place"] for each in ben.get("/api/me")["seats"]] == ["Hold"]
        assert ann.get("/api/tables/Hold/rounds")["rounds"]
        owner = "left" if "Hold" in left.health()["runs"] else "right"
        stays, keeps = ("right", ben) if owner == "left" else ("left", ann)
        house.kill(owner)
        took = wait(lambda: house.counts()[stays] == 4, 10)
        assert took < 10
        again = seen(Seat(keeps, "Hold"))
        assert again.view["round"] >= 1
        assert again.view["yours"]


@pytest.mark.slow
def test_a_server_that_sleeps_loses_its_tables_and_writes_nothing_when_it_wakes(
    tmp_path: Path,
    postgres_url: str,  # noqa: F811
):
    with several(tmp_path, postgres_url, "left", "right", poker=2) as house:
        left, right = house.servers["left"], house.servers["right"]
        ann, ben = Client(left, "Ann"), Client(right, "Ben")
        mine = left.health()["runs"]
        poker = next(place for place in mine if place != "Bank")
        seats = [Seat(ann, poker), Seat(ben, poker)]
        play(seats, lambda seat: seat.view.get("round", 0) >= 1, *LIKES)
        left.signal(signal.SIGSTOP)
        took = wait(lambda: right.health()["tables"] == 4, 10)
        assert took < 10
        again = seen(Seat(ben, poker))
        assert again.view["yours"]
        left.signal(signal.SIGCONT)
        # Whatever the sleeper is told at once, through the socket that it has still, is not stored.
        with suppress(ConnectionClosed):
            for number in range(20):
                seats[0].give(f"late-{number}", do="leave", seat=1)
        wait(lambda: left.health()["lost"], 10)
        assert set(left.health()["lost"]) == set(mine)
        wait(lambda: max(house.counts().values()) == 2 and sum(house.counts().values()) == 4, 15)
        assert left.health()["status"] == "ok"
        database = PostgresDatabase(postgres_url)
        late = database.execute("SELECT command_id FROM orders WHERE command_id LIKE '%late-%'")
        assert late == []
        assert verify(Store(database)).difference is None
        database.close()


@pytest.mark.slow
def test_a_table_is_moved_by_hand_and_its_round_goes_on(
    tmp_path: Path,
    postgres_url: str,  # noqa: F811
):
    with several(tmp_path, postgres_url, "left", "right", poker=2) as house:
        left, right = house.servers["left"], house.servers["right"]
        ann, ben = Client(left, "Ann"), Client(right, "Ben")
        seats = [Seat(ann, "Hold"), Seat(ben, "Hold")]
        play(seats, in_round(1), "sit", "look")
        before = seats[0].view
        there = "right" if "Hold" in left.health()["runs"] else "left"
        office = Casino.open(postgres_url, tables=[])
        moved = MovePlace(place="Hold", server=there, reason="to see it")
        assert office.tell(moved, who="administrator").refused is None
        wait(lambda: "Hold" in house.servers[there].health()["runs"], 10)
        office.stop()
        again = [seen(Seat(ann, "Hold")), seen(Seat(ben, "Hold"))]
        assert again[0].view["round"] == before["round"] == 1
        assert again[0].view["yours"] == before["yours"]
        play(again, lambda seat: seat.view["round"] >= 2, *LIKES)


@pytest.mark.slow
def test_a_server_runs_only_the_tables_that_its_configuration_names(
    tmp_path: Path,
    postgres_url: str,  # noqa: F811
):
    house = Several(tmp_path, postgres_url, poker=2)
    try:
        left = house.start("left", config='\n[servers]\ntables = ["P*"]\n')
        wait(lambda: set(left.health()["runs"]) == {"P0", "P1"})
        right = house.start("right", "--tables", "Hold", "--tables", "Bank")
        wait(lambda: sum_of(house) == 4)
        assert set(right.health()["runs"]) == {"Hold", "Bank"}
        ann = Client(left, "Ann")
        assert seen(Seat(ann, "Hold")).view, "but it serves whoever comes to any"
        house.kill("right")
        wait(lambda: left.health()["servers"] == [])
        assert set(left.health()["runs"]) == {"P0", "P1"}
        assert left.health()["status"] == "ok"
    finally:
        house.stop()


@pytest.mark.slow
def test_a_release_that_needs_another_schema_says_whom_to_stop(
    tmp_path: Path,
    postgres_url: str,  # noqa: F811
):
    house = Several(tmp_path, postgres_url)
    told = ("--config", str(house.config), "--database", postgres_url, "--no-bots")

    newer = command(tmp_path, *told, "--name", "right", program=("-c", NEWER))
    try:
        left = house.start("left")
        ended = subprocess.run(**newer, capture_output=True, timeout=60, check=False)
        assert ended.returncode == 2
        [line] = said(ended.stderr)
        assert "in use by left" in line
        assert "stop them" in line
        assert left.health()["tables"] == 4, "and it goes on"
    finally:
        house.stop()
