"""An award of the meter in the House's books: taken back it goes to the meter, kept it goes to an
account (B-63, B-66)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.banked import BankedTable
from croupier.banked import commands as c
from croupier.banked import reports as r
from croupier.cards import DECK, Card
from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.office import commands as orders
from croupier.house.reports import report_jackpots
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.jackpot.commands import PayClaims
from croupier.table import ActorRank, Command, Decide, DecisionNeeded, ReceiveAward
from tests.banked.two_tables import stacked_for
from tests.house.stacking import stack_decks
from tests.house.staff import employ
from tests.house.test_ledger import BANKED, V3

DEALER, MANAGER = ActorRank.DEALER, ActorRank.SHIFT_MANAGER


@pytest.fixture
def casino(tmp_path: Path) -> Iterator[Casino]:
    made = Casino.open(f"sqlite:///{tmp_path}/house.db")
    link = {"reset_value": 100_000, "contribution": 150}
    made.add_link(orders.AddLink(link="L", rulebook=V3, settings=link))
    settings = {**BANKED, "dealing": "by-hand", "acting": "device"}
    made.add_table(orders.AddTable(table="M", rulebook=V3, settings=settings, link="L"))
    for name in ("Dan", "Sam"):
        employ(made, name, "shift manager")
    made.open_account("Ann")
    made.cash_in("Ann", 100_000)
    give(made, "M", c.Sit(box=1, player="Ann", chips=50_000), ActorRank.PLAYER, "Ann")
    yield made
    made.stop()


def give(casino: Casino, place: str, command: Command, rank: ActorRank, who: str = "Dan") -> None:
    answer = casino.house.give(place, command, who=who, rank=rank).result()
    assert answer.refused is None, answer.refused


def table_of(casino: Casino) -> BankedTable:
    table = casino.table("M")
    assert isinstance(table, BankedTable)
    return table


def win_the_jackpot(casino: Casino) -> None:
    """Ann's Royal Flush on the flop; the claim waits."""
    player = ActorRank.PLAYER
    give(casino, "M", c.CallForBets(), DEALER)
    give(casino, "M", c.PlaceAnte(box=1, amount=500), player, "Ann")
    give(casino, "M", c.PlaceProgressive(box=1), player, "Ann")
    held = {1: [Card("Ad"), Card("Kd")]}
    board = [Card(text) for text in ("Qd", "Jd", "Td", "2c", "3c")]
    deck = stacked_for(table_of(casino), held, board, list(DECK))
    stack_decks(casino.dealer, lambda cards: deck)
    give(casino, "M", c.CloseBets(), DEALER)
    shuffled = casino.dealer.act("M")
    assert shuffled is not None
    shuffled.result()
    while table_of(casino).state.phase != "jackpot":
        window = table_of(casino).state.window()
        act = table_of(casino).next_act()
        if window is not None:
            first = c.FlopBet(box=1) if window == "flop" else c.Check(box=1)
            give(casino, "M", first, player, "Ann")
        else:
            assert act is not None
            give(casino, "M", act, DEALER)
    give(casino, "M", c.RecordClaim(box=1), DEALER)


def pay(casino: Casino) -> None:
    give(casino, "L", PayClaims(), MANAGER, "Sam")


def find_a_third_card(casino: Casino) -> None:
    """5.15, found after the settlement and before the next call; whoever is asked says so."""
    give(casino, "M", r.ReportWrongCount(box=1, cards=3), DEALER)
    for _ in range(5):
        asked = [n for n in table_of(casino).state.waiting if isinstance(n, DecisionNeeded)]
        if not asked:
            return
        option = {"confirm report": "confirm", "can it be reconstructed": "no"}[asked[0].question]
        give(casino, "M", Decide(decision=asked[0].decision, option=option), MANAGER, "Sam")


def balances(casino: Casino) -> dict[str, int]:
    casino.house.writer.flush()
    return {name: held for name, held in casino.house.reader.balances().items() if held}


def test_an_award_that_is_taken_back_leaves_the_books_as_they_were(
    casino: Casino, tmp_path: Path
) -> None:
    before = balances(casino)
    win_the_jackpot(casino)
    pay(casino)
    paid = balances(casino)
    # 50,000 and the award of 100,150; Ante 500 and Flop 1,000 won, the jackpot stake of 500 lost
    assert paid["table/M/chips/Ann"] == 151_150
    assert paid["link/L/meter"] == 100_000
    assert paid["house/bank"] == before["house/bank"] - 150 - 100_000
    find_a_third_card(casino)
    assert balances(casino) == before
    [link] = report_jackpots(casino.house.reader)
    assert (link.meter, link.hits, link.awarded) == (100_000, 0, 0)
    assert [award.taken_back for award in link.last_awards] == [True]
    store = Store(open_database(f"sqlite:///{tmp_path}/house.db"))
    assert verify(store).difference is None
    store.close()


def test_an_award_that_she_has_cashed_is_the_houses_loss_and_not_the_meters(
    casino: Casino,
) -> None:
    before = balances(casino)
    win_the_jackpot(casino)
    pay(casino)
    give(casino, "M", c.Leave(player="Ann"), ActorRank.PLAYER, "Ann")
    find_a_third_card(casino)
    after = balances(casino)
    assert after["player/Ann"] == 50_000 + 151_150
    assert after["link/L/meter"] == before["link/L/meter"]
    assert after["house/bank"] == before["house/bank"]
    assert after["table/M/bank"] == -101_150
    assert sum(after.values()) == 0


def test_a_winner_who_has_left_is_paid_to_her_account(casino: Casino) -> None:
    win_the_jackpot(casino)
    give(casino, "M", c.Leave(player="Ann"), ActorRank.PLAYER, "Ann")
    assert casino.house.balance("player/Ann") == 50_000 + 51_000
    pay(casino)
    assert casino.house.balance("table/M/safekeeping/Ann") == 100_150
    paid = casino.dealer.act("M")
    assert paid is not None
    paid.result()
    assert casino.house.balance("player/Ann") == 50_000 + 51_000 + 100_150
    assert casino.house.balance("table/M/safekeeping/Ann") == 0
    assert casino.dealer.act("M") is None


def test_what_another_makers_controller_has_paid_did_not_come_from_nowhere(tmp_path: Path) -> None:
    """No link of the House has paid it, and the books say so; what no table got is named still."""
    url = f"sqlite:///{tmp_path}/house.db"
    made = Casino.open(url)
    settings = {**BANKED, "dealing": "by-hand", "acting": "device", "controller": "external"}
    made.add_table(orders.AddTable(table="M", rulebook=V3, settings=settings))
    for name in ("Dan", "Sam"):
        employ(made, name, "shift manager")
    made.open_account("Ann")
    made.cash_in("Ann", 100_000)
    give(made, "M", c.Sit(box=1, player="Ann", chips=50_000), ActorRank.PLAYER, "Ann")
    win_the_jackpot(made)
    award = ReceiveAward(
        link="theirs",
        round=1,
        box=1,
        line="4.2.major.royal-flush",
        paid=100_150,
        meter_before=100_150,
        meter_after=100_000,
    )
    give(made, "M", award, MANAGER, "Sam")
    assert balances(made)["awards"] == -100_150
    made.stop()
    for workers in (1, 2):
        store = Store(open_database(url))
        assert verify(store, workers=workers).differences == []
        store.close()
    store = Store(open_database(url))
    store.database.execute("UPDATE balances SET balance = balance + 1 WHERE account = 'awards'")
    assert [each.where for each in verify(store).differences] == ["awards"]
    store.close()
