"""The ledger: what each kind of act moves, worked out by hand, to the cent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.banked import commands as banked
from croupier.house.casino import Casino
from croupier.house.ledger import may_be_negative
from croupier.house.office import commands as orders
from croupier.house.records import Bundle, Entry, Row
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.poker import commands as poker
from croupier.table import ActorRank, Command

V3 = "multi-link-progressive-v3"
POKER = {
    "layout": "A",
    "sign": True,
    "seats": 6,
    "blinds": [500, 1000],
    "minimum_stake": 10_000,
    "maximum_stake": 100_000,
    "chips": [100, 500, 2500],
    "rake": {"percent": 5, "cap": 1_000, "chip": 100},
}
BANKED = {
    "layout": "A",
    "ante_minimum": 500,
    "ante_maximum": 10_000,
    "bonus_minimum": 500,
    "bonus_maximum": 10_000,
    "progressive": 500,
}


@pytest.fixture
def casino(tmp_path: Path) -> Iterator[Casino]:
    made = Casino.open(f"sqlite:///{tmp_path}/house.db")
    made.add_table(orders.AddTable(table="P", rulebook="no-limit-holdem-v8", settings=POKER))
    link = {"reset_value": 100_000, "contribution": 150, "payment": "at once"}
    made.add_link(orders.AddLink(link="L", rulebook=V3, settings=link))
    made.add_table(orders.AddTable(table="M", rulebook=V3, settings=BANKED, link="L"))
    for name in ("Ann", "Bob"):
        made.open_account(name)
        made.cash_in(name, 100_000)
    yield made
    made.stop()


def give(casino: Casino, place: str, command: Command, who: str) -> dict[str, int]:
    """Give a player's command and return what it moved."""
    before = casino.house.reader.balances()
    rank = ActorRank.PLAYER
    answer = casino.house.give(place, command, who=who, rank=rank).result()
    assert answer.refused is None, answer.refused
    return changes(casino, before)


def changes(casino: Casino, before: dict[str, int]) -> dict[str, int]:
    after = casino.house.reader.balances()
    moved = {a: after[a] - before.get(a, 0) for a in after}
    return {account: amount for account, amount in moved.items() if amount}


def settle(casino: Casino, place: str) -> None:
    for future in casino.dealer.deal(place):
        future.result()


def test_cash_comes_in_and_the_jackpot_is_the_banks(casino: Casino):
    assert casino.house.reader.balances() == {
        "cash": -200_000,
        "house/bank": -100_000,
        "link/L/meter": 100_000,
        "player/Ann": 100_000,
        "player/Bob": 100_000,
    }


def test_a_round_of_poker_from_buy_in_to_cash_out(casino: Casino):
    sat = give(casino, "P", poker.Sit(seat=1, player="Ann", stake=30_000), "Ann")
    assert sat == {"player/Ann": -30_000, "table/P/chips/Ann": 30_000}
    give(casino, "P", poker.Sit(seat=2, player="Bob", stake=20_000), "Bob")
    for _ in range(2):  # the game begins; then the Blinds are called
        call = casino.dealer.call("P")
        assert call is not None
        assert call.result().refused is None
        settle(casino, "P")
    table: Any = casino.table("P")
    small = table.turn()  # heads-up the Small Blind acts first
    name = {1: "Ann", 2: "Bob"}
    big = 3 - small
    assert casino.house.reader.balance("table/P/pot") == 1_500
    call_moves = give(casino, "P", poker.Call(seat=small), name[small])
    assert call_moves == {f"table/P/chips/{name[small]}": -500, "table/P/pot": 500}
    assert give(casino, "P", poker.Check(seat=big), name[big]) == {}
    settle(casino, "P")
    bet = give(casino, "P", poker.Bet(seat=big, to=4_000), name[big])
    assert bet == {f"table/P/chips/{name[big]}": -4_000, "table/P/pot": 4_000}
    give(casino, "P", poker.Fold(seat=small), name[small])
    settle(casino, "P")
    # 2,000 in the pot, the uncalled 4,000 goes back; 5% of 2,000 is the Rake.
    held = casino.house.reader.balances()
    assert held["table/P/rake"] == 100
    assert held["table/P/pot"] == 0
    stakes = {"Ann": 30_000, "Bob": 20_000}
    assert held[f"table/P/chips/{name[big]}"] == stakes[name[big]] + 1_000 - 100
    assert held[f"table/P/chips/{name[small]}"] == stakes[name[small]] - 1_000
    left = give(casino, "P", poker.Leave(seat=small), name[small])
    taken = stakes[name[small]] - 1_000
    assert left == {f"table/P/chips/{name[small]}": -taken, f"player/{name[small]}": taken}


def test_a_round_of_a_banked_game_with_a_jackpot_stake(casino: Casino):
    give(casino, "M", banked.Sit(box=1, player="Ann", chips=20_000), "Ann")
    opened = casino.dealer.call("M")
    assert opened is not None
    opened.result()
    ante = give(casino, "M", banked.PlaceAnte(box=1, amount=1_000), "Ann")
    assert ante == {"table/M/chips/Ann": -1_000, "table/M/layout": 1_000}
    give(casino, "M", banked.PlaceProgressive(box=1, amount=500), "Ann")
    before = casino.house.reader.balances()
    closed = casino.dealer.call("M")
    assert closed is not None
    closed.result()
    # An accepted jackpot stake adds 150 to the meter, out of the House's bank.
    assert changes(casino, before) == {"house/bank": -150, "link/L/meter": 150}
    settle(casino, "M")
    before = casino.house.reader.balances()
    folded = casino.house.give("M", banked.Fold(box=1), who="Ann", rank=ActorRank.PLAYER).result()
    assert folded.refused is None
    settle(casino, "M")
    moved = changes(casino, before)
    lost = -moved["table/M/layout"]
    assert lost == 1_500
    assert moved.get("table/M/chips/Ann", 0) == 1_500 - moved["table/M/bank"]
    left = give(casino, "M", banked.Leave(player="Ann"), "Ann")
    assert left["player/Ann"] == -left["table/M/chips/Ann"]


def test_a_player_brings_no_more_than_he_has(casino: Casino):
    for amount, accepted in ((100_001, False), (100_000, True)):
        sit = banked.Sit(box=1, player="Ann", chips=amount)
        answer = casino.house.give("M", sit, who="Ann", rank=ActorRank.PLAYER).result()
        assert (answer.refused is None) is accepted
    assert answer.refused is None
    assert casino.cash_out("Ann", 1).refused is not None
    assert casino.cash_out("Bob", 100_001).refused is not None
    assert casino.cash_out("Bob", 100_000).refused is None
    assert casino.house.reader.balance("player/Bob") == 0


def test_a_table_that_counts_no_racks_balances_with_the_world_outside(casino: Casino):
    give(casino, "M", banked.Sit(box=1, player="Ann"), "Ann")
    opened = casino.dealer.call("M")
    assert opened is not None
    opened.result()
    ante = give(casino, "M", banked.PlaceAnte(box=1, amount=1_000), "Ann")
    assert ante == {"outside/M": -1_000, "table/M/layout": 1_000}


def test_all_accounts_sum_to_nothing_after_every_command(casino: Casino):
    give(casino, "P", poker.Sit(seat=1, player="Ann", stake=30_000), "Ann")
    give(casino, "M", banked.Sit(box=1, player="Ann", chips=20_000), "Ann")
    give(casino, "P", poker.TopUp(seat=1, amount=10_000), "Ann")
    assert sum(casino.house.reader.balances().values()) == 0


@pytest.mark.parametrize(
    ("account", "may"),
    [
        ("cash", True),
        ("house/bank", True),
        ("awards", True),
        ("outside/T", True),
        ("table/T/bank", True),
        ("link/L/doubtful", True),
        ("player/Ann", False),
        ("table/T/chips/bank", False),
        ("table/T/pot", False),
        ("table/T/rake", False),
        ("table/T/layout", False),
        ("table/T/safekeeping/Ann", False),
        ("link/L/meter", False),
        ("link/L/reserve", False),
    ],
)
def test_which_accounts_may_owe(account: str, may: bool):
    assert may_be_negative(account) is may


def test_the_store_itself_turns_away_what_would_overdraw(casino: Casino):
    """Two processes could both have found enough money: the transaction decides."""
    store = Store(open_database(f"sqlite:///{casino.house.store.database.name}"))
    head = store.head("office")
    row = Row(
        stream="office",
        position=head.position + 1,
        command_id="x",
        who="house",
        rank="house",
        at="2026-11-16T12:00:00+00:00",
        event=b"{}",
    )
    entries = [
        Entry(stream="office", position=row.position, account="player/Ann", amount=-100_001),
        Entry(stream="office", position=row.position, account="cash", amount=100_001),
    ]
    bundle = Bundle(command_id="x", expected={"office": head.position}, rows=[row], entries=entries)
    [why] = store.append([bundle])
    assert "player/Ann" in str(why)
    assert store.balance("player/Ann") == 100_000
    store.close()
