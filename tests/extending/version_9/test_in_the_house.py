"""Version 9 in the casino: opened, dealt, stored, recovered, audited; nothing knows of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli.audit import audit
from croupier.house.casino import Casino
from croupier.house.office import commands as orders
from croupier.poker import commands as poker
from croupier.table import ActorRank, Command
from tests.extending.version_9 import rules
from tests.house.quick import make_quick
from tests.house.test_ledger import POKER

IN_FORCE = datetime(2027, 2, 1, 12, tzinfo=UTC)
PLAYERS = {1: "Ann", 2: "Bob", 3: "Cho", 4: "Dev"}


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    rules.register()
    yield
    rules.forget()


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    make_quick(monkeypatch)
    return f"sqlite:///{tmp_path}/house.db"


@pytest.fixture
def casino(url: str) -> Iterator[Casino]:
    made = Casino.open(url, password="the first password", clock=lambda: IN_FORCE)
    settings = {**POKER, "straddle": True}
    added = made.add_table(orders.AddTable(table="P", rulebook=rules.BOOK, settings=settings))
    assert added.refused is None
    for seat, player in PLAYERS.items():
        made.open_account(player)
        made.cash_in(player, 100_000)
        give(made, poker.Sit(seat=seat, player=player, stake=50_000), player)
    yield made
    made.close()


def give(casino: Casino, command: Command, player: str) -> None:
    told = casino.house.give("P", command, who=player, rank=ActorRank.PLAYER).result()
    assert told.refused is None, told.refused
    for done in casino.dealer.deal("P"):
        done.result()


def begin(casino: Casino) -> None:
    """The next round, until somebody is asked for a straddle."""
    while not casino.table("P").may_straddle():
        called = casino.dealer.call("P")
        assert called is not None
        called.result()
        for done in casino.dealer.deal("P"):
            done.result()


def asked(casino: Casino) -> int:
    """Who is asked for a straddle."""
    table = casino.table("P")
    [seat] = [n for n in PLAYERS if any(o.do == "straddle" for o in table.offers(n))]
    return seat


def play_a_round(casino: Casino) -> int:
    """The second who is asked straddles, and wins by folds; returns his seat."""
    begin(casino)
    table = casino.table("P")
    first = asked(casino)
    give(casino, poker.DeclineStraddle(seat=first), PLAYERS[first])
    second = asked(casino)
    give(casino, poker.Straddle(seat=second), PLAYERS[second])
    assert table.state.round.straddle == second
    while (seat := table.turn()) is not None:
        give(casino, poker.Fold(seat=seat), PLAYERS[seat])
    assert not table.playing()
    return second


def test_a_round_is_played_stored_and_recovered(casino: Casino, url: str):
    winner = play_a_round(casino)
    table = casino.table("P")
    stakes = {seat: there.stake for seat, there in table.state.seats.items()}
    assert stakes[winner] > 50_000
    casino.stop()
    again = Casino.open(url, clock=lambda: IN_FORCE)
    try:
        restored = again.table("P")
        assert restored.book.id == rules.BOOK
        assert {seat: there.stake for seat, there in restored.state.seats.items()} == stakes
        play_a_round(again)
    finally:
        again.stop()


def test_its_log_is_verified(casino: Casino, url: str):
    play_a_round(casino)
    casino.stop()
    verified = CliRunner().invoke(audit, ["verify", url])
    assert verified.exit_code == 0, verified.output
    told = CliRunner().invoke(audit, ["round", url, "P#1"])
    assert told.exit_code == 0, told.output
    assert "3.10.2" in told.output
