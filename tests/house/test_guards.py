"""Who is disabled plays nothing new; forged and broken credentials let nobody in."""

from datetime import UTC, datetime, timedelta

import pytest

from croupier.house import passwords
from croupier.house.casino import Casino, NotAllowedIn
from croupier.house.ledger import Ledger
from croupier.house.office import commands as orders
from croupier.house.passwords import WeakPassword
from croupier.house.urls import open_database
from croupier.poker import PokerTable
from croupier.poker import commands as poker
from croupier.rulebooks import load
from croupier.table import ActorRank
from tests.house.casino import settings_of

PLAYER = ActorRank.PLAYER


class Clock:
    now = datetime(2026, 11, 16, 20, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def casino(sqlite_url, clock):
    made = Casino.open(sqlite_url, clock=clock)
    added = orders.AddTable(table="A", rulebook="no-limit-holdem-v8", settings=settings_of("P8"))
    assert made.add_table(added).refused is None
    for seat, who in enumerate(("Ann", "Ben", "Cho"), start=1):
        made.open_account(who, "Ann's own password" if who == "Ann" else None)
        made.cash_in(who, 100_000)
        command = poker.Sit(seat=seat, player=who, stake=50_000)
        assert made.house.give("A", command, who=who, rank=PLAYER).result().refused is None
    yield made
    made.close()


def deal(casino: Casino) -> None:
    for _ in range(2):
        assert casino.dealer.call("A").result().refused is None
        for given in casino.dealer.deal("A"):
            given.result()


def test_who_is_disabled_is_not_dealt_in(casino):
    casino.tell(orders.DisablePerson(name="Ann", reason="banned"), who="administrator")
    deal(casino)
    table = casino.table("A")
    assert table.playing()
    assert set(table.state.round.players) == {2, 3}
    assert table.state.seats[1].stake == 50_000
    back = casino.house.give("A", poker.ReturnToSeat(seat=1), who="Ann", rank=PLAYER).result()
    assert back.refused.cites == ("S-29",)


def test_who_is_disabled_in_a_round_finishes_it(casino):
    deal(casino)
    table = casino.table("A")
    seat = table.turn()
    who = table.player_at(seat)
    casino.tell(orders.DisablePerson(name=who, reason="banned"), who="administrator")
    answer = casino.house.give("A", poker.Fold(seat=seat), who=who, rank=PLAYER).result()
    assert answer.refused is None


@pytest.mark.parametrize("token", ["", "forged", "\ud800", "x" * 100_000, "0" * 64])
def test_a_forged_token_is_nobodys(casino, token):
    with pytest.raises(NotAllowedIn):
        casino.who_is(token)


def test_a_session_of_another_house_and_an_old_one_are_over(casino, clock, tmp_path):
    other = Casino.open(f"sqlite:///{tmp_path}/other.db", clock=clock)
    other.open_account("Ann", "Ann's own password")
    with pytest.raises(NotAllowedIn):
        casino.who_is(other.log_in("Ann", "Ann's own password").token)
    other.close()
    login = casino.log_in("Ann", "Ann's own password")
    assert casino.who_is(login.token) == "Ann"
    clock.now += timedelta(hours=12)
    with pytest.raises(NotAllowedIn):
        casino.who_is(login.token)


def test_a_hash_that_the_office_has_not_filed_lets_nobody_in(casino):
    mine = passwords.hashed("the burglar's password")
    database = casino.house.store.database
    with database.transaction():
        database.execute("UPDATE secrets SET secret = ? WHERE name = 'Ann'", (mine,))
    with pytest.raises(NotAllowedIn):
        casino.log_in("Ann", "the burglar's password")


def test_a_password_that_is_no_text_is_wrong_or_weak(casino):
    with pytest.raises(NotAllowedIn, match="wrong name or password"):
        casino.log_in("Ann", "\ud800" * 10)
    with pytest.raises(NotAllowedIn, match="wrong name or password"):
        casino.log_in("\ud800", "Ann's own password")
    with pytest.raises(WeakPassword):
        casino.set_password("Ann", "\ud800" * 10, who="Ann")


def test_chips_out_of_nowhere_at_poker_balance_with_nothing(casino):
    """What does not balance at a poker table is not put to anybody's pocket: it is turned away."""
    ledger, table = Ledger(), PokerTable(load("no-limit-holdem-v8"))
    ledger.follow("A", table)
    table.holdings = lambda: {"chips/Ann": 100}
    entries = ledger.post("A", table, [], 1)
    assert [(e.account, e.amount) for e in entries] == [("table/A/chips/Ann", 100)]


def test_a_table_with_players_chips_on_it_is_not_closed_for_good(casino):
    closing = orders.CloseTable(table="A", reason="the night is over")
    refused = casino.tell(closing, who="administrator").refused
    assert refused.cites == ("S-26",)
    for seat, who in enumerate(("Ann", "Ben", "Cho"), start=1):
        left = casino.house.give("A", poker.Leave(seat=seat), who=who, rank=PLAYER).result()
        assert left.refused is None
    assert casino.tell(closing, who="administrator").refused is None


def test_a_kept_state_of_another_version_is_not_used(casino, sqlite_url):
    state = casino.table("A").state
    casino.stop()
    database = open_database(sqlite_url)
    with database.transaction():
        older = b'{"name":"A","stakes":[1,2]}'
        database.execute("UPDATE snapshots SET state = ? WHERE place = 'A'", (older,))
        broken = b"{"
        database.execute("UPDATE snapshots SET state = ? WHERE place = 'office'", (broken,))
    database.close()
    later = Casino.open(sqlite_url)
    assert later.table("A").state == state
    assert set(later.office.state.people) == {"administrator", "Ann", "Ben", "Cho"}
    later.close()


@pytest.mark.parametrize("amount", [2**62, 2**63 - 1, 10**30])
def test_what_no_account_can_hold_is_refused_and_on_record(casino, amount):
    for name, role in (("Cal", "cashier"), ("Max", "shift manager")):
        assert casino.hire(name, role, None, who="administrator", reason="x").refused is None
    casino.tell(orders.CashIn(player="Ann", amount=2**62), who="Cal")
    lost = casino.house.reader.head("office").position
    for command in (
        orders.CashIn(player="Ann", amount=amount),
        orders.FundBank(amount=amount, reason="x"),
    ):
        refused = casino.tell(command, who="Cal").refused
        assert refused is not None, command
        assert "No account holds as much" in refused.says
    moves = {"player/Ann": amount, "cash": -amount}
    proposed = casino.tell(orders.ProposeCorrection(moves=moves, reason="x"), who="Cal")
    assert proposed.refused is None
    approval = orders.ApproveCorrection(proposal=casino.office.state.proposed)
    refused = casino.tell(approval, who="Max").refused
    assert refused is not None
    assert casino.house.reader.head("office").position == lost + 1
    assert casino.cash_in("Ben", 100, who="Cal").refused is None
