"""What a player who thinks of not showing is told, by the book and as the House reads it (4.3)."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from croupier.banked import BankedTable
from croupier.pit.ports.banked_info import banked_info
from croupier.rulebooks import load
from croupier.table import ActorRank, OpenTable, Order
from tests.banked.two_tables import SETTINGS

WHEN = datetime(2021, 3, 1, 20, tzinfo=timezone(timedelta(hours=8)))


def told(book: str, policies: dict[str, str]) -> str:
    table = BankedTable(load(book))
    command = OpenTable(table="A", settings=SETTINGS, policies=policies)
    table.handle(Order(command=command, who="Omar", rank=ActorRank.PIT_MANAGER, when=WHEN))
    return banked_info(table, None, WHEN).not_showing.says


@pytest.mark.parametrize("book", ["multi-link-progressive-v3", "multi-link-progressive-v2"])
def test_the_bonus_is_for_the_player_to_prove_unless_the_house_reads_it_as_lost(book: str):
    assert "Bonus and Progressive Jackpot are then for you to prove." in told(book, {})
    lost = told(book, {"refusal-bonus": "lost"})
    assert "your Bonus with them" in lost
    assert "Bonus and" not in lost
    assert "The Progressive Jackpot is then for you to prove." in lost


def test_where_it_is_no_fold_the_house_rules():
    assert "the House rules on your other bets" in told("progressive-texas-holdem-v6", {})
