"""Staff at tables: assigned, on duty, with a licence; for a player on his word only, or cash."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.banked import commands as banked
from croupier.house import passwords
from croupier.house.answers import Answer
from croupier.house.audit import verify
from croupier.house.behalf import Behalf
from croupier.house.casino import Casino, NotAllowedIn
from croupier.house.office import commands as orders
from croupier.house.office.own_limits import SetOwnLimit
from croupier.house.office.roster_commands import AssignStaff, SetLicence
from croupier.house.reports import GamingDay, report_day
from croupier.house.reports.sheets import day_sheets, written
from croupier.house.table_staff import carry_out_for_player, check_pin, order_at_table
from croupier.poker import commands as poker
from croupier.poker.wagers import ReportWager
from croupier.table import ActorRank, BadCommand, Command
from tests.house.quick import make_quick
from tests.house.seeded import Seeded
from tests.house.staff import employ
from tests.house.test_ledger import BANKED, POKER, V3

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
DEALER = ActorRank.DEALER
PIN = "2580"


class Floor:
    """A poker table and a banked one dealt by hand, one that deals by itself, and a clock."""

    def __init__(self, folder: Path) -> None:
        self.now = NOON
        self.copy = folder / "copy"
        self.casino = Casino.open(
            f"sqlite:///{folder}/house.db",
            clock=lambda: self.now,
            source=Seeded("floor"),
            copy=self.copy,
        )
        by_hand = {"dealing": "by-hand"}
        link = {"reset_value": 100_000, "contribution": 150, "payment": "at once"}
        self.casino.add_link(orders.AddLink(link="L", rulebook=V3, settings=link))
        for table, book, settings in (
            ("H", "no-limit-holdem-v8", {**POKER, **by_hand}),
            ("A", "no-limit-holdem-v8", POKER),
            ("B", V3, {**BANKED, **by_hand}),
        ):
            added = self.casino.add_table(
                orders.AddTable(
                    table=table,
                    rulebook=book,
                    settings=settings,
                    link="L" if book == V3 else "",
                    area="main floor" if book == V3 else "poker room",
                )
            )
            assert added.refused is None, added.refused
        for name, role in (("Dan", "dealer"), ("Eve", "dealer"), ("Sue", "pit supervisor")):
            employ(self.casino, name, role, assigned=False)
        employ(self.casino, "Max", "pit manager", assigned=False)
        self.casino.hire("Cal", "cashier", None, who="administrator", reason="x")
        self.casino.open_account("Ann")
        self.casino.cash_in("Ann", 100_000)
        self.casino.set_pin("Ann", PIN, who="Ann")

    def assign(self, name: str, **where: Any) -> None:
        answer = self.casino.tell(AssignStaff(name=name, **where, reason="x"), who="Max")
        assert answer.refused is None, answer.refused

    def order(self, place: str, command: Command, who: str, rank: ActorRank = DEALER) -> Answer:
        return order_at_table(self.casino, place, command, who=who, rank=rank).result()

    def says(self, place: str, command: Command, who: str, rank: ActorRank = DEALER) -> str:
        refused = self.order(place, command, who, rank).refused
        return refused.says if refused is not None else ""

    def bring(
        self, place: str, command: Command, player: str, word: str, who: str = "Dan", pin: str = PIN
    ) -> Answer:
        return carry_out_for_player(
            self.casino,
            place,
            command,
            who=who,
            rank=DEALER,
            behalf=Behalf(player=player, word=word, why=f"by {word}"),  # type: ignore[arg-type]
            pin=pin,
        )

    def balances(self) -> dict[str, int]:
        self.casino.house.writer.flush()
        return {a: held for a, held in self.casino.house.reader.balances().items() if held}


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Floor]:
    make_quick(monkeypatch)
    made = Floor(tmp_path)
    yield made
    made.casino.stop()


SITS = poker.Sit(seat=1, player="Ann", stake=20_000)
START = poker.StartGame()


# -- where staff act ------------------------------------------------------------------------------


def test_a_dealer_is_refused_at_a_table_that_is_not_his(floor: Floor):
    assert "Dan is not assigned to table H" in floor.says("H", START, "Dan")
    floor.assign("Dan", table="B")
    assert "not assigned to table H" in floor.says("H", START, "Dan")
    floor.assign("Dan", area="poker room", until=NOON + timedelta(hours=1))
    assert "not assigned" not in floor.says("H", START, "Dan")
    floor.now += timedelta(hours=1)
    assert "not assigned to table H" in floor.says("H", START, "Dan")


def test_a_manager_acts_on_the_whole_floor_and_nobody_above_his_post(floor: Floor):
    manager = ActorRank.PIT_MANAGER
    assert "assigned" not in floor.says("H", START, "Max", manager)
    above = floor.says("H", START, "Max", ActorRank.SHIFT_MANAGER)
    assert "on duty as pit manager only" in above
    floor.assign("Dan")
    assert "cannot act as pit manager" in floor.says("H", START, "Dan", manager)
    floor.casino.tell(orders.GoOffDuty(name="Dan"), who="Dan")
    assert "Dan is not on duty" in floor.says("H", START, "Dan")
    for nobody in ("Zoe", "Ann"):
        assert "no member of staff" in floor.says("H", START, nobody)


def test_whose_licence_is_over_gives_no_order_any_more(floor: Floor):
    floor.assign("Dan")
    told = SetLicence(name="Dan", licence="SE-1", until=NOON.date(), reason="x")
    floor.casino.tell(told, who="administrator")
    assert "licence" not in floor.says("H", START, "Dan")
    assert floor.casino.rank_of("Dan") is DEALER
    floor.now += timedelta(days=1)
    assert "licence SE-1 of Dan ended on 2026-11-16" in floor.says("H", START, "Dan")
    assert floor.casino.rank_of("Dan") is ActorRank.PLAYER


def authority(floor: Floor, words: str) -> dict[str, Any]:
    floor.casino.house.writer.flush()
    [*_, order] = [o for o in floor.casino.house.reader.orders() if words.encode() in o.command]
    found: dict[str, Any] = json.loads(order.authority)
    return found


def test_an_order_says_by_which_assignment_it_was_given(floor: Floor):
    floor.assign("Dan", table="H")
    floor.bring("H", SITS, "Ann", "pin")
    assert authority(floor, '"sit"') == {
        "duty": "dealer",
        "assignment": "table H",
        "on_behalf": "Ann",
        "word": "pin",
        "why": "by pin",
    }


# -- for a player ---------------------------------------------------------------------------------


def test_nobody_is_seated_with_his_money_without_his_word(floor: Floor):
    floor.assign("Dan")
    before = floor.balances()
    assert "needs the player's own word" in floor.says("H", SITS, "Dan")
    assert "needs the player's own word" in floor.says("H", SITS, "Max", ActorRank.PIT_MANAGER)
    seen = floor.bring("H", SITS, "Ann", "seen")
    assert seen.refused is not None
    box = banked.Sit(box=1, player="Ann", chips=20_000)
    assert "needs the player's own word" in floor.says("B", box, "Dan")
    assert floor.balances() == before


def test_at_a_table_that_deals_by_itself_nobody_acts_for_him_whatever_his_word(floor: Floor):
    floor.assign("Dan")
    for word in ("pin", "cash", "seen"):
        answer = floor.bring("A", SITS, "Ann", word)
        assert answer.refused is not None
        assert "act for themselves" in answer.refused.says
    assert floor.balances()["player/Ann"] == 100_000


def test_he_sits_down_by_his_own_session_at_a_hand_dealt_table(floor: Floor):
    rank = ActorRank.PLAYER
    given = floor.casino.house.give("H", SITS, who="Ann", rank=rank, session="ab" * 32)
    assert given.result().refused is None


def test_his_pin_is_his_word(floor: Floor):
    floor.assign("Dan")
    with pytest.raises(NotAllowedIn, match="not the PIN of Ann"):
        floor.bring("H", SITS, "Ann", "pin", pin="1379")
    assert floor.balances()["player/Ann"] == 100_000
    assert floor.bring("H", SITS, "Ann", "pin").refused is None
    assert floor.balances()["table/H/chips/Ann"] == 20_000
    more = poker.TopUp(seat=1, amount=5_000)
    assert "needs the player's own word" in floor.says("H", more, "Dan")
    assert floor.bring("H", more, "Ann", "pin").refused is None
    assert floor.balances()["player/Ann"] == 75_000


def test_after_five_wrong_pins_nobody_may_try_for_a_while(floor: Floor):
    for _ in range(5):
        with pytest.raises(NotAllowedIn, match="not the PIN"):
            check_pin(floor.casino, "Ann", "0000", table="H", asked_by="Dan")
    for pin in ("0000", PIN):
        with pytest.raises(NotAllowedIn, match="too many wrong PINs"):
            check_pin(floor.casino, "Ann", pin, table="H", asked_by="Dan")
    floor.now += timedelta(minutes=15)
    check_pin(floor.casino, "Ann", PIN, table="H", asked_by="Dan")


def test_who_has_no_pin_or_no_account_is_told(floor: Floor):
    floor.casino.open_account("Bob")
    for name, says in (("Bob", "has no PIN"), ("Zoe", "nobody who plays"), ("Sue", "nobody who")):
        with pytest.raises(NotAllowedIn, match=says):
            check_pin(floor.casino, name, PIN, table="H", asked_by="Dan")


@pytest.mark.parametrize("pin", ["123", "1" * 13, "1234", "9876", "7777", "12a4", "¹²³⁴"])
def test_a_pin_that_anybody_would_try_first_is_none(pin: str):
    with pytest.raises(passwords.WeakPassword):
        passwords.hashed_pin(pin)


def test_an_order_for_one_player_names_no_other(floor: Floor):
    floor.assign("Dan")
    with pytest.raises(BadCommand, match="not done for Bob"):
        floor.bring("H", SITS, "Bob", "cash")
    assert floor.bring("H", SITS, "Ann", "cash").refused is None
    with pytest.raises(BadCommand, match="no cash is taken"):
        floor.bring("H", poker.SitOut(seat=1), "Ann", "cash")


# -- cash players ---------------------------------------------------------------------------------


def test_cash_buys_chips_and_the_ledger_has_it(floor: Floor):
    floor.assign("Dan")
    before = floor.balances()
    sits = poker.Sit(seat=2, player="Cash 2", stake=30_000)
    assert floor.bring("H", sits, "Cash 2", "cash").refused is None
    after = floor.balances()
    moved = {a: after.get(a, 0) - before.get(a, 0) for a in after.keys() | before.keys()}
    assert {a: m for a, m in moved.items() if m} == {
        "cash": -30_000,
        "table/H/chips/Cash 2": 30_000,
    }
    person = floor.casino.office.state.people["Cash 2"]
    assert (person.kind, person.cash, person.digest) == ("player", True, "")
    more = poker.TopUp(seat=2, amount=5_000)
    assert floor.bring("H", more, "Cash 2", "cash").refused is None
    assert floor.says("H", poker.Leave(seat=2), "Dan") == ""
    assert floor.balances()["player/Cash 2"] == 35_000
    paid = floor.casino.cash_out("Cash 2", 35_000, who="Cal")
    assert paid.refused is None
    assert sum(floor.balances().values()) == 0


def test_a_player_with_an_account_may_pay_cash_too(floor: Floor):
    floor.assign("Dan")
    sits = banked.Sit(box=3, player="Ann", chips=20_000)
    assert floor.bring("B", sits, "Ann", "cash").refused is None
    assert floor.balances()["player/Ann"] == 100_000
    assert floor.balances()["table/B/chips/Ann"] == 20_000


def test_cash_at_a_table_is_paid_in_as_at_the_cage_and_limited_so(floor: Floor):
    floor.assign("Dan")
    limit = SetOwnLimit(player="Ann", limit="deposit", to=120_000)
    assert floor.casino.tell(limit, who="Ann").refused is None
    sits = poker.Sit(seat=1, player="Ann", stake=30_000)
    refused = floor.bring("H", sits, "Ann", "cash").refused
    assert refused is not None
    assert refused.says == "Your deposit limit is 1,200 a day; 200 of it is left now."
    assert floor.bring("H", sits, "Ann", "pin").refused is None, "from the account: no deposit"


@pytest.mark.parametrize("name", ["Sue", "house", "a/b", ""])
def test_a_cash_player_has_a_name_of_his_own(floor: Floor, name: str):
    floor.assign("Dan")
    before = floor.casino.house.positions.copy()
    with pytest.raises(BadCommand):
        floor.bring("H", poker.Sit(seat=2, player=name, stake=30_000), name, "cash")
    assert floor.casino.house.positions == before


def test_what_the_table_refuses_takes_no_cash(floor: Floor):
    floor.assign("Dan")
    sits = poker.Sit(seat=2, player="Cash 2", stake=100)  # less than the Table Stake asks for
    before = floor.balances()
    answer = floor.bring("H", sits, "Cash 2", "cash")
    assert answer.refused is not None
    assert floor.balances() == before
    assert "Cash 2" not in floor.casino.office.state.people


def test_a_disabled_player_brings_no_cash(floor: Floor):
    floor.assign("Dan")
    floor.casino.tell(orders.DisablePerson(name="Ann", reason="barred"), who="Sue")
    answer = floor.bring("H", SITS, "Ann", "cash")
    assert answer.refused is not None
    assert "disabled" in answer.refused.says


@pytest.fixture
def shared(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Casino, Casino]]:
    """One process that runs a table on a server, and the office of another beside it."""
    make_quick(monkeypatch)
    made = Casino.open(postgres_url)
    employ(made, "Dan", "dealer")
    by_hand = {**POKER, "dealing": "by-hand"}
    made.add_table(orders.AddTable(table="H", rulebook="no-limit-holdem-v8", settings=by_hand))
    beside = Casino.open(postgres_url, tables=())
    yield made, beside
    beside.stop()
    made.stop()


def test_cash_is_taken_once_also_if_another_process_was_first_in_the_office(
    shared: tuple[Casino, Casino],
):
    here, beside = shared
    assert here.follower is not None
    here.follower.close()  # it hears of nothing by itself
    beside.open_account("Zoe")
    answer = carry_out_for_player(
        here,
        "H",
        poker.Sit(seat=2, player="Cash 2", stake=30_000),
        who="Dan",
        rank=DEALER,
        behalf=Behalf(player="Cash 2", word="cash", why="300 counted"),
    )
    assert answer.refused is None
    balances = {a: held for a, held in here.house.reader.balances().items() if held}
    assert balances == {"cash": -30_000, "table/H/chips/Cash 2": 30_000}
    assert verify(here.house.reader).differences == []


# -- who dealt, and the reports -------------------------------------------------------------------


def play_a_round(floor: Floor, who: str, names: tuple[str, str]) -> None:
    """Two players; the one who acts first folds, entered by a dealer."""
    table = floor.casino.table("H")
    for _ in range(60):
        due = table.due() or table.next_call()
        turn = table.turn()
        before = table.status()
        if table.state.waiting:
            floor.casino.dealer.act("H").result()  # type: ignore[union-attr]
        elif turn is not None:
            assert floor.says("H", ReportWager(seat=turn, words="fold"), who) == ""
        elif due is not None:
            assert floor.says("H", due, who) == ""
            if before == "settling":
                return
    raise AssertionError(f"the round does not end: {table.facts()}")


def test_who_dealt_which_round_and_what_was_done_for_whom(floor: Floor):
    floor.assign("Dan")
    floor.assign("Eve")
    assert floor.bring("H", SITS, "Ann", "pin").refused is None
    sits = poker.Sit(seat=2, player="Cash 2", stake=30_000)
    assert floor.bring("H", sits, "Cash 2", "cash").refused is None
    play_a_round(floor, "Dan", ("Ann", "Cash 2"))
    floor.now += timedelta(minutes=20)
    play_a_round(floor, "Eve", ("Ann", "Cash 2"))
    floor.now += timedelta(minutes=20)
    play_a_round(floor, "Dan", ("Ann", "Cash 2"))
    told = [
        said
        for row in floor.casino.house.reader.rows("office")
        if (said := floor.casino.office.read_event(row.event).tell(str)).endswith("H.")
        or "relieves" in said
    ]
    assert told == [
        "Dan deals at table H.",
        "Eve deals at table H and relieves Dan.",
        "Dan deals at table H and relieves Eve.",
    ]
    floor.casino.house.writer.flush()
    report = report_day(floor.casino.house.reader, GamingDay(day=NOON.date()))
    assert [(d.dealer, d.first, d.last, d.rounds, d.relieved) for d in report.dealers] == [
        ("Dan", 1, 1, 1, ""),
        ("Eve", 2, 2, 1, "Dan"),
        ("Dan", 3, 3, 1, "Eve"),
    ]
    acts = {(a.staff, a.player, a.word): (a.acts, a.brought, a.why) for a in report.for_players}
    assert acts["Dan", "Ann", "pin"] == (1, 20_000, "by pin")
    assert acts["Dan", "Cash 2", "cash"] == (1, 30_000, "by cash")
    assert any(word == "seen" and who == "Eve" for who, _, word in acts)
    [table] = [t for t in report.tables if t.table == "H"]
    assert (table.buy_in, table.cash) == (50_000, 30_000)
    assert table.positions[2].cash == 30_000
    assert table.positions[1].cash == 0
    assert report.cage.at_tables == 30_000
    titles = {sheet.title: sheet for sheet in day_sheets(report)}
    assert len(titles["for players"].rows) == len(report.for_players)
    assert written("brought", 30_000) == "300"


def test_what_staff_did_is_verified_and_decided_again(tmp_path: Path, floor: Floor):
    floor.assign("Dan")
    sits = poker.Sit(seat=2, player="Cash 2", stake=30_000)
    assert floor.bring("H", sits, "Cash 2", "cash").refused is None
    floor.casino.house.writer.flush()
    assert verify(floor.casino.house.reader, floor.copy).differences == []


def test_relocation_is_for_whoever_is_assigned_to_both_tables(floor: Floor):
    move = orders.RelocatePlayer(player="Ann", table="H", to="A", seat=4, reason="x")
    floor.assign("Dan", table="H")
    floor.bring("H", SITS, "Ann", "pin")
    refused = floor.casino.tell(move, who="Dan").refused
    assert refused is not None
    assert "not assigned to table A" in refused.says
    floor.assign("Dan", table="A")
    assert floor.casino.tell(move, who="Dan").refused is None
