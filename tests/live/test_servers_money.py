"""Two servers of a House that plays for money: one jackpot, one office."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import structs
from websockets.exceptions import ConnectionClosed

from croupier.cli.main import croupier
from croupier.house.audit import verify
from croupier.house.office import commands as orders
from croupier.house.office.server_moves import MovePlace
from croupier.live.config import Config, ServersConfig
from croupier.table import ActorRank
from tests.house.conftest import postgres_server, postgres_url  # noqa: F401
from tests.live.accounts import CLOCKS, bets, for_money, log_in, money_house, stands
from tests.live.conftest import PASSWORD, Running, running, until
from tests.live.test_authority import closed

Two = tuple[Running, Running]


def named(name: str) -> Config:
    return structs.replace(for_money(), servers=ServersConfig(name=name))


@pytest.fixture
def two(tmp_path: Path, postgres_url: str) -> Iterator[Two]:  # noqa: F811
    """M1 and the poker table are run at the left, M2 at the right."""
    with (
        money_house(tmp_path, postgres_url, named("left")) as left,
        running(tmp_path, named("right"), clocks=CLOCKS, database=postgres_url) as right,
    ):
        for place, server in (("M1", "left"), ("Raffles", "left"), ("M2", "right")):
            moved = MovePlace(place=place, server=server, reason="to see it")
            assert left.casino.casino.tell(moved, who="administrator").refused is None
        until(lambda: set(left.casino.hubs) == {"M1", "Raffles"})
        until(lambda: set(right.casino.hubs) == {"M2"})
        yield left, right


@pytest.mark.slow
def test_claims_at_two_servers_are_paid_at_a_third_place_and_the_meters_agree(two: Two):
    left, right = two
    ann, bob = log_in(left, "Ann"), log_in(right, "Bob")
    at_m2, at_m1 = ann.at("M2"), bob.at("M1")  # each at a table that the other server runs
    for table, who in ((at_m2, "Ann"), (at_m1, "Bob")):
        answer = table.do(do="sit", box=1, player=who, chips=50_000)
        assert answer["is"] == "answer", answer
        bets(table)
    link = left.casino.house.pit.links["Marina"]
    until(lambda: len(link.state.claims) == 2)
    assert [claim.table for claim in link.state.claims] == ["M2", "M1"]
    max_ = log_in(right, "Max")
    path = "/api/links/Marina/commands"
    paid = max_.post(path, {"id": "the-click", "command": {"do": "pay claims"}})
    assert paid["is"] == "answer", paid
    [asked] = max_.get("/api/links/Marina")["pending"]["questions"]
    decide = {"do": "decide", "decision": asked["decision"], "option": "as dealt"}
    assert max_.post(path, {"id": "the-order", "command": decide})["is"] == "answer"
    assert stands(at_m2, "bets open")["chips"] > 200_000
    assert stands(at_m1, "bets open")["chips"] > 200_000
    assert left.casino.house.tables().keys() == {"M1", "Raffles"}
    meters = [house.casino.house.pit.links["Marina"].state.meter for house in two]
    assert meters[0] == meters[1]
    assert verify(left.casino.house.reader).difference is None


@pytest.mark.slow
def test_a_manager_who_was_dismissed_orders_nothing_over_an_old_socket_elsewhere(two: Two):
    """His socket came in at the left and is served at the right; he is dismissed at the left."""
    left, right = two
    table = log_in(left, "Max").at("M2")
    table.until("view")
    until(lambda: right.casino.authority._connected.keys() == {"Max"})
    gone = orders.DisablePerson(name="Max", reason="dismissed")
    assert left.casino.casino.tell(gone, who="administrator").refused is None
    with suppress(ConnectionClosed):  # he may be cut off before he says anything
        table.give(do="report", id="late")
    assert closed(table)[1] == 4401
    assert not any(message["is"] == "answer" for message in table.heard)
    assert right.casino.casino.rank_of("Max") is ActorRank.PLAYER


@pytest.mark.slow
def test_a_table_is_moved_from_the_command_line_or_it_says_why_not(
    two: Two, monkeypatch: pytest.MonkeyPatch
):
    left, right = two
    url = left.casino.config.server.database
    monkeypatch.setenv("CROUPIER_PASSWORD", PASSWORD)

    def said(*words: str, who: str = "administrator") -> tuple[int, str]:
        why = ["--reason", "to see it"] if words[0] == "table" else []
        ran = CliRunner().invoke(croupier, ["office", *words, "--as", who, *why])
        return ran.exit_code, f"{ran.output}{ran.exception or ''}"

    code, told = said("table", "move", url, "M1", "right")
    assert code == 0
    assert "M1 is run by right." in told
    assert left.casino.casino.office.state.places["M1"].server == "right"
    until(lambda: set(right.casino.hubs) == {"M1", "M2"})
    code, told = said("table", "move", url, "M1", "middle")
    assert code == 1
    assert "there is no server 'middle'; there is left, right" in told
    code, told = said("table", "move", url, "M9", "left")
    assert "there is no table or link 'M9'" in told
    code, told = said("table", "move", url, "M1", "left", who="Dan")
    assert "to move a table to another server takes a pit manager" in told
    code, told = said("table", "move", "sqlite:///house.db", "M1", "left")
    assert "PostgreSQL alone" in told
    code, told = said("servers", url)
    assert code == 0
    assert "left" in told
    assert "right" in told
