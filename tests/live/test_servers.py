"""Several servers on one PostgreSQL database: any serves any player, and none of them is missed."""

from __future__ import annotations

from pathlib import Path

from tests.house.conftest import postgres_server, postgres_url  # noqa: F401
from tests.live.conftest import Client
from tests.live.several import several, wait
from tests.live.test_postgres import LIKES, Seat, play


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
        again = Seat(keeps, "Hold")
        again.hear()
        assert again.view["round"] >= 1
        assert again.view["yours"]
