"""Who may give which command for whom: nobody acts for a player who acts for himself."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from croupier.banked import commands as banked
from croupier.banked import reports
from croupier.house.casino import Casino
from croupier.house.office import commands as orders
from croupier.house.permissions import for_a_player, is_a_players, players_own
from croupier.house.software import SOFTWARE
from croupier.live.scheduler import CLOCK, HOUSE, STANDING
from croupier.poker import PokerTable
from croupier.poker import commands as poker
from croupier.poker.wagers import ReportWager
from croupier.table import ActorRank, Command, Decide, Look, Order, Refused
from tests.house.jackpots import SETTINGS, claim, set_up
from tests.house.quick import make_quick
from tests.house.staff import employ
from tests.house.test_ledger import POKER

RANKS = (
    ActorRank.DEALER,
    ActorRank.PIT_SUPERVISOR,
    ActorRank.PIT_MANAGER,
    ActorRank.SHIFT_MANAGER,
)


@pytest.fixture
def casino(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """M1 and P1 deal by themselves; at H1 and H2 a person deals."""
    make_quick(monkeypatch)
    made = Casino.open(sqlite_url, administrator="Ada")
    set_up(made, "M1")
    for table, book, settings in (
        ("P1", "no-limit-holdem-v8", POKER),
        ("H1", "no-limit-holdem-v8", {**POKER, "dealing": "by-hand"}),
        ("H2", "multi-link-progressive-v3", {**SETTINGS, "dealing": "by-hand"}),
    ):
        link = "Marina" if table == "H2" else ""
        adding = orders.AddTable(table=table, rulebook=book, settings=settings, link=link)
        assert made.add_table(adding).refused is None
    employ(made, "Dan", "shift manager", by="Ada")  # who may act in any rank, everywhere
    for name in ("Ann", "Bob"):
        made.open_account(name)
        made.cash_in(name, 500_000)
    yield made
    made.close()


def refused(
    casino: Casino, place: str, command: Command, who: str, rank: ActorRank
) -> Refused | None:
    return casino.house.give(place, command, who=who, rank=rank).result().refused


SEATS: tuple[tuple[str, Command], ...] = (
    ("P1", poker.Sit(seat=1, player="Ann", stake=20_000)),
    ("P1", poker.Relocate(seat=1, player="Ann", stake=20_000)),
    ("M1", banked.Sit(box=1, player="Ann", chips=20_000)),
)


@pytest.mark.parametrize("rank", RANKS)
def test_nobody_seats_a_player_with_his_money_at_an_automatic_table(
    casino: Casino, rank: ActorRank
):
    for place, command in SEATS:
        says = refused(casino, place, command, "Dan", rank)
        assert says is not None
        assert says.cites == ("S-34",)
    assert casino.house.balance("player/Ann") == 500_000


def test_he_sits_down_himself(casino: Casino):
    for place, command in (SEATS[0], SEATS[2]):
        assert refused(casino, place, command, "Ann", ActorRank.PLAYER) is None


def test_a_dealer_stakes_looks_and_decides_for_nobody_at_an_automatic_table(casino: Casino):
    sits = banked.Sit(box=1, player="Ann", chips=50_000)
    assert refused(casino, "M1", sits, "Ann", ActorRank.PLAYER) is None
    casino.dealer.deal("M1")
    call = casino.dealer.call("M1")
    assert call is not None
    assert call.result().refused is None
    acts: tuple[Command, ...] = (
        banked.AddChips(player="Ann", chips=10_000),
        banked.PlaceAnte(box=1, amount=1_000),
        banked.PlaceAnte(box=1, amount=1_000, player="Ann"),
        banked.ReportChips(box=1, bet="ante", amount=1_000, player="Ann"),
        banked.PlaceProgressive(box=1),
        banked.Leave(player="Ann"),
        Look(seat=1),
        banked.FlopBet(box=1),
        banked.Fold(box=1),
    )
    before = casino.house.positions["M1"]
    for act in acts:
        says = refused(casino, "M1", act, "Dan", ActorRank.DEALER)
        assert says is not None, act
        assert says.cites == ("S-34",)
        assert "Dan" in says.says
    assert casino.house.positions["M1"] == before
    ante = banked.PlaceAnte(box=1, amount=1_000)
    assert refused(casino, "M1", ante, "Ann", ActorRank.PLAYER) is None


def test_a_dealer_bets_for_nobody_at_an_automatic_poker_table(casino: Casino):
    for seat, name in ((1, "Ann"), (2, "Bob")):
        sits = poker.Sit(seat=seat, player=name, stake=20_000)
        assert refused(casino, "P1", sits, name, ActorRank.PLAYER) is None
    for _ in range(6):
        call = casino.dealer.call("P1")
        if call is not None:
            call.result()
        casino.dealer.deal("P1")
    table = casino.table("P1")
    assert isinstance(table, PokerTable)
    turn = table.turn()
    assert turn is not None, table.facts()
    for act in (
        poker.AllIn(seat=turn),
        poker.Call(seat=turn),
        poker.Fold(seat=turn),
        poker.TopUp(seat=turn, amount=10_000),
        poker.Leave(seat=turn),
        poker.SitOut(seat=turn),
        poker.PostBlinds(),
        ReportWager(seat=turn, words="call"),
    ):
        says = refused(casino, "P1", act, "Dan", ActorRank.SHIFT_MANAGER)
        assert says is not None, act
        assert says.cites == ("S-34",)
    assert refused(casino, "P1", poker.Fold(seat=turn), CLOCK, ActorRank.HOUSE) is None


def test_the_clock_and_the_rulings_of_the_book_still_act(casino: Casino):
    claim(casino, "M1", "Ann")
    # The clock acts in the rank of a dealer at a banked table; a report is no act of a player.
    away = reports.ReportWalkAway(player="Ann")
    for who, command in ((CLOCK, banked.Leave(player="Ann")), ("Dan", away)):
        table = casino.table("M1")
        order = _order(casino, command, who)
        assert for_a_player(table, order) is None


def test_a_hand_dealt_table_hears_what_the_dealer_saw(casino: Casino):
    sits = poker.Sit(seat=1, player="Ann", stake=20_000)
    assert refused(casino, "H1", sits, "Ann", ActorRank.PLAYER) is None
    boxed = banked.Sit(box=1, player="Bob", chips=20_000)
    assert refused(casino, "H2", boxed, "Bob", ActorRank.PLAYER) is None
    assert refused(casino, "H2", banked.CallForBets(), "Dan", ActorRank.DEALER) is None
    ante = banked.PlaceAnte(box=1, amount=1_000, player="Bob")
    assert refused(casino, "H2", ante, "Dan", ActorRank.DEALER) is None


def test_an_older_table_that_deals_by_itself_hears_nobody_for_a_player(casino: Casino):
    """Such a table cannot be set up any more."""
    table = casino.table("P1")
    assert isinstance(table, PokerTable)
    table.state.settings = structs.replace(table.state.settings, acting="seen")
    says = for_a_player(table, _order(casino, poker.SitOut(seat=1), "Dan"))
    assert says is not None
    assert "act for themselves" in says.says


def test_a_question_to_a_seat_is_answered_by_nobody_else(casino: Casino):
    table = casino.table("M1")
    asked = _asked(table, of=1)
    decide = Decide(decision=asked, option="withdraw")
    assert is_a_players(table, decide)
    says = for_a_player(table, _order(casino, decide, "Dan"))
    assert says is not None
    assert says.cites == ("S-34",)
    of_the_house = _asked(table, of=ActorRank.PIT_MANAGER)
    assert not is_a_players(table, Decide(decision=of_the_house, option="void"))


def test_nobody_can_have_a_name_of_the_software(casino: Casino):
    assert {HOUSE, CLOCK, STANDING} == SOFTWARE
    for name in (*SOFTWARE, "Clock"):
        hired = casino.hire(name, "dealer", None, who="Ada", reason="x")
        assert hired.refused is not None, name
        assert casino.open_account(name).refused is not None, name


def test_a_player_speaks_for_himself_alone():
    assert players_own("Ann", poker.Sit(seat=1, player="Ann", stake=1)) is None
    assert players_own("Ann", Decide(decision=1, option="x")) is None
    for command in (
        poker.Sit(seat=1, player="Bob", stake=1),
        poker.DealFlop(),
        banked.Sit(box=1, player="Ann"),
        banked.ReportChips(box=1, bet="ante", amount=1),
        poker.PostBlinds(),
    ):
        assert players_own("Ann", command) is not None, command


def _order(casino: Casino, command: Command, who: str) -> Any:
    rank = ActorRank.DEALER
    return Order(command=command, who=who, rank=rank, when=casino.house.clock())


def _asked(table: Any, of: int | ActorRank) -> int:
    """As if the table had asked; nothing is stored."""
    table.ask("after a dealing error", "Go on?", ("continue", "withdraw"), of, ())
    return int(table.state.waiting[-1].decision)
