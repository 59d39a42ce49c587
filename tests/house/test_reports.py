"""Reports: what a short evening comes to, worked out by hand, and where a gaming day begins."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from croupier.banked import commands as banked
from croupier.banked import reports as banked_reports
from croupier.house.casino import Casino
from croupier.house.office import commands as orders
from croupier.house.reports import GamingDay, report_day, report_errors, report_jackpots
from croupier.house.reports.day import DayReport
from croupier.house.reports.sheets import day_sheets, jackpot_sheets, write_csv, written
from croupier.jackpot import commands as jackpot
from croupier.poker import commands as poker
from croupier.poker.irregularities.commands import ReportIrregularity
from croupier.table import ActorRank, Command, Decide
from tests.house.quick import make_quick
from tests.house.staff import employ
from tests.house.test_ledger import BANKED, POKER, V3

V2 = "multi-link-progressive-v2"
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
TODAY = GamingDay(day=date(2026, 11, 16))
PLAYER, DEALER = ActorRank.PLAYER, ActorRank.DEALER
MANAGER = ActorRank.SHIFT_MANAGER


class Evening:
    """A casino with a clock that its test moves."""

    def __init__(self, url: str) -> None:
        self.now = NOON
        self.casino = Casino.open(url, clock=lambda: self.now)
        for name, role in (("Sam", "shift manager"), ("Max", "pit manager"), ("Dan", "dealer")):
            employ(self.casino, name, role, area=f"area of {name}")
        self.add("P", "no-limit-holdem-v8", POKER, area="poker room")
        link = {"reset_value": 100_000, "contribution": 150, "payment": "at once"}
        self.casino.add_link(orders.AddLink(link="L", rulebook=V3, settings=link))
        self.add("M", V3, BANKED, link="L", area="main floor")
        for name in ("Ann", "Bob"):
            self.casino.open_account(name)
            self.casino.cash_in(name, 100_000)

    def add(self, table: str, book: str, settings: dict, link: str = "", area: str = "") -> None:
        adding = orders.AddTable(
            table=table, rulebook=book, settings=settings, link=link, area=area
        )
        assert self.casino.add_table(adding).refused is None

    def give(
        self, place: str, command: Command, who: str = "Dan", rank: ActorRank = DEALER
    ) -> None:
        answer = self.casino.house.give(place, command, who=who, rank=rank).result()
        assert answer.refused is None, answer.refused
        self.deal(place)

    def deal(self, place: str) -> None:
        if place in self.casino.house.pit.tables:
            for future in self.casino.dealer.deal(place):
                future.result()

    def call(self, place: str) -> None:
        given = self.casino.dealer.call(place)
        assert given is not None
        assert given.result().refused is None
        self.deal(place)

    def report(self, day: GamingDay = TODAY) -> DayReport:
        self.casino.house.writer.flush()
        return report_day(self.casino.house.reader, day)


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    make_quick(monkeypatch)
    made = Evening(f"sqlite:///{tmp_path}/house.db")
    yield made
    made.casino.stop()


def a_round_of_poker(evening: Evening) -> tuple[str, str]:
    """Both limp, one bets 40 on the flop, the other folds: 2 × 10 in the pot, Rake 1."""
    evening.give("P", poker.Sit(seat=1, player="Ann", stake=30_000), "Ann", PLAYER)
    evening.give("P", poker.Sit(seat=2, player="Bob", stake=20_000), "Bob", PLAYER)
    evening.call("P")
    evening.call("P")
    names = {1: "Ann", 2: "Bob"}
    small = evening.casino.table("P").turn()
    assert small is not None
    big = 3 - small
    evening.give("P", poker.Call(seat=small), names[small], PLAYER)
    evening.give("P", poker.Check(seat=big), names[big], PLAYER)
    evening.give("P", poker.Bet(seat=big, to=4_000), names[big], PLAYER)
    evening.give("P", poker.Fold(seat=small), names[small], PLAYER)
    return names[small], names[big]


def test_a_round_of_poker_in_the_report(evening: Evening):
    loser, winner = a_round_of_poker(evening)
    evening.give("P", poker.Leave(seat={"Ann": 1, "Bob": 2}[loser]), loser, PLAYER)
    report = evening.report()
    table = next(t for t in report.tables if t.table == "P")
    stakes = {"Ann": 30_000, "Bob": 20_000}
    assert (table.rounds, table.buy_in, table.rake, table.win) == (1, 50_000, 100, 0)
    assert (table.rulebook, table.area) == ("no-limit-holdem-v8", "poker room")
    assert table.cash_out == stakes[loser] - 1_000
    seats = {"Ann": 1, "Bob": 2}
    lost, won = table.positions[seats[loser]], table.positions[seats[winner]]
    assert (lost.buy_in, lost.wagered, lost.won) == (stakes[loser], 1_000, 0)
    assert lost.cash_out == stakes[loser] - 1_000
    # Big Blind 10, the bet of 40 that came back uncalled, and the pot of 20 less 1.
    assert won.wagered - won.won == 1_000 - 1_900
    assert (won.buy_in, won.cash_out) == (stakes[winner], 0)
    assert (report.rake, report.drop) == (100, 50_000)
    assert (report.cage.cash_in, report.cage.cash_out) == (200_000, 0)


def test_a_round_of_a_banked_game_in_the_report(evening: Evening):
    evening.give("M", banked.Sit(box=1, player="Ann", chips=20_000), "Ann", PLAYER)
    evening.call("M")
    evening.give("M", banked.PlaceAnte(box=1, amount=1_000), "Ann", PLAYER)
    evening.give("M", banked.PlaceProgressive(box=1, amount=500), "Ann", PLAYER)
    evening.call("M")
    evening.give("M", banked.Fold(box=1), "Ann", PLAYER)
    table = next(t for t in evening.report().tables if t.table == "M")
    place = table.positions[1]
    assert (place.buy_in, place.wagered) == (20_000, 1_500)
    assert table.win + table.rake == 1_500 - place.won + table.from_jackpot
    [link] = evening.report().jackpots
    assert (link.meter_start, link.put_in, link.hits) == (0, 100_150, link.hits)
    assert link.meter_end == 100_150 - link.awarded


def test_a_day_begins_at_its_hour_and_ends_before_the_same_hour(evening: Evening):
    """Below, at and above both limits."""
    amounts = {-1: 1, 0: 10, 1: 100}  # seconds from the limit: what is paid in then
    for limit in (TODAY.end, TODAY.end + timedelta(days=1)):
        for seconds, amount in amounts.items():
            evening.now = limit + timedelta(seconds=seconds)
            evening.casino.cash_in("Ann", amount)
    tomorrow = GamingDay(day=date(2026, 11, 17))
    after = GamingDay(day=date(2026, 11, 18))
    assert evening.report().cage.cash_in == 200_000 + 1
    assert evening.report(tomorrow).cage.cash_in == 10 + 100 + 1
    assert evening.report(after).cage.cash_in == 10 + 100
    assert evening.report(GamingDay(day=date(2026, 11, 15))).cage.cash_in == 0


def test_the_hour_and_the_zone_are_the_houses():
    day = GamingDay(day=date(2026, 3, 29), begins=time(4, 30), zone=ZoneInfo("Europe/Berlin"))
    assert day.start == datetime(2026, 3, 29, 2, 30, tzinfo=UTC)  # summer time has just begun
    assert day.end == datetime(2026, 3, 30, 2, 30, tzinfo=UTC)


def test_the_next_day_starts_from_where_the_last_one_ended(evening: Evening):
    a_round_of_poker(evening)
    today = evening.report()
    evening.now = TODAY.end + timedelta(hours=1)
    evening.give("P", poker.Leave(seat=1), "Ann", PLAYER)
    tomorrow = evening.report(GamingDay(day=date(2026, 11, 17)))
    table = next(t for t in tomorrow.tables if t.table == "P")
    assert (table.rounds, table.buy_in, table.rake) == (0, 0, 0)
    assert table.cash_out > 0
    assert tomorrow.jackpots[0].meter_start == today.jackpots[0].meter_end
    assert evening.report() == today, "a report of a day that is over does not change"


def test_rulings_voids_and_reports_are_counted_for_whoever_made_them(evening: Evening):
    evening.give("P", poker.Sit(seat=1, player="Ann", stake=30_000), "Ann", PLAYER)
    evening.give("P", poker.Sit(seat=2, player="Bob", stake=20_000), "Bob", PLAYER)
    evening.call("P")
    evening.call("P")
    evening.give("P", ReportIrregularity(says="A card fell"), "Dan")
    [asked] = evening.casino.table("P").state.waiting
    ruled = Decide(decision=asked.decision, option="void", reason="nobody knows which")
    evening.give("P", ruled, "Sam", MANAGER)
    evening.give("M", banked.Sit(box=1, player="Ann", chips=20_000), "Ann", PLAYER)
    evening.call("M")
    evening.give("M", banked.PlaceAnte(box=1, amount=1_000), "Ann", PLAYER)
    evening.call("M")
    evening.give("M", banked_reports.ReportForeignCard(), "Dan")
    report = evening.report()
    staff = {person.name: person for person in report.staff}
    assert (staff["Sam"].decisions, staff["Sam"].rulings, staff["Sam"].voids) == (1, 1, 1)
    assert staff["Sam"].area == "area of Sam"
    assert (staff["Dan"].irregularities, staff["Dan"].voids) == (2, 1)
    assert "house" not in staff
    errors = report_errors(report)
    assert {e.of: (e.voids, e.rulings) for e in errors.games} == {
        "no-limit-holdem-v8": (1, 1),
        V3: (1, 0),
    }
    assert {e.of: e.voids for e in errors.areas} == {"main floor": 1, "poker room": 1}


def test_what_somebody_does_counts_where_he_was_on_duty_then(evening: Evening):
    """Dan reports in the one area, then in the other, and once more with none named."""
    evening.give("P", poker.Sit(seat=1, player="Ann", stake=30_000), "Ann", PLAYER)
    evening.give("P", poker.Sit(seat=2, player="Bob", stake=20_000), "Bob", PLAYER)
    evening.call("P")
    for on_duty in ("area of Dan", "upstairs", ""):
        evening.now += timedelta(minutes=10)
        if on_duty != "area of Dan":
            duty = orders.GoOnDuty(name="Dan", post="dealer", area=on_duty)
            assert evening.casino.tell(duty, who="Dan").refused is None
        evening.call("P")
        evening.give("P", ReportIrregularity(says="A card fell"), "Dan")
        [asked] = evening.casino.table("P").state.waiting
        ruled = Decide(decision=asked.decision, option="void", reason="nobody knows which")
        evening.give("P", ruled, "Sam", MANAGER)
    counted = {(s.name, s.area): s.irregularities for s in evening.report().staff}
    assert {area: n for (name, area), n in counted.items() if name == "Dan"} == {
        "area of Dan": 1,
        "upstairs": 1,
        "": 1,
    }
    sam = [person for person in evening.report().staff if person.name == "Sam"]
    assert [(person.area, person.rulings) for person in sam] == [("area of Sam", 3)]


def test_the_report_of_the_jackpots(evening: Evening):
    evening.give("L", jackpot.CloseLink(), "Sam", MANAGER)
    evening.give("L", jackpot.ProposeCorrection(by=500, reason="a count"), "Sam", MANAGER)
    evening.casino.house.writer.flush()
    [link] = report_jackpots(evening.casino.house.reader)
    assert (link.link, link.status, link.proposals) == ("L", "closed", 1)
    assert (link.meter, link.base, link.ceiling, link.hits) == (100_000, 100_000, None, 0)
    rates = (link.contribution, link.contribution_rate, link.reserve_rate, link.unreasonable)
    assert rates == (150, None, "0", None), "what S-9 asks for"
    changes = next(sheet for sheet in jackpot_sheets([link]) if sheet.title == "changes")
    at = changes.columns.index("change")
    assert [written("change", row[at]) for row in changes.rows] == ["by 5"]
    stream = io.StringIO()
    write_csv([changes], stream)
    assert stream.getvalue().splitlines()[1] == "changes,L,1,correction,by 500,Sam,a count"
    evening.give("L", jackpot.Approve(proposal=1), "Max", MANAGER)
    [link] = report_jackpots(evening.casino.house.reader)
    assert (link.meter, link.proposals) == (100_500, 0)
    sheets = jackpot_sheets([link])
    titles = ["jackpots", "open claims", "questions", "changes", "last awards"]
    assert [sheet.title for sheet in sheets] == titles


def test_the_report_of_a_jackpot_has_what_its_display_shows_by_now(tmp_path: Path):
    """A bet has added to the meter, and a paced display has long since climbed there."""
    long_ago = datetime(2021, 3, 1, 20, tzinfo=UTC)
    casino = Casino.open(f"sqlite:///{tmp_path}/house.db", clock=lambda: long_ago)
    link = {"reset_value": 100_000, "contribution": 150, "display_pace": 1}
    assert casino.add_link(orders.AddLink(link="L", rulebook=V3, settings=link)).refused is None
    adding = orders.AddTable(table="M", rulebook=V3, settings=BANKED, link="L")
    assert casino.add_table(adding).refused is None
    casino.open_account("Ann")
    casino.cash_in("Ann", 100_000)

    def give(command: Command) -> None:
        answer = casino.house.give("M", command, who="Ann", rank=PLAYER).result()
        assert answer.refused is None, answer.refused

    give(banked.Sit(box=1, player="Ann", chips=50_000))
    casino.dealer.call("M")
    give(banked.PlaceAnte(box=1, amount=500))
    give(banked.PlaceProgressive(box=1))
    casino.dealer.call("M")
    casino.house.writer.flush()
    [report] = report_jackpots(casino.house.reader)
    assert (report.meter, report.display) == (100_150, 100_150)
    casino.stop()


def test_sheets_have_cents_in_csv_and_money_on_the_console(evening: Evening):
    a_round_of_poker(evening)
    sheets = {sheet.title: sheet for sheet in day_sheets(evening.report())}
    assert set(sheets) == {
        *("cage", "tables", "positions", "jackpots", "staff"),
        *("dealers", "for players"),
    }
    stream = io.StringIO()
    write_csv([sheets["cage"]], stream)
    assert stream.getvalue() == (
        "sheet,cash_in,cash_out,bank,transfers,corrections,at_tables\ncage,200000,0,0,0,0,0\n"
    )
    assert written("cash_in", 200_050) == "2,000.50"
    assert written("rounds", 200_050) == "200050"
    assert written("ceiling", None) == ""


# -- a link goes on under another book, a player moves, an award waits -----------------------------


def test_the_meter_is_carried_over_to_another_version(tmp_path: Path):
    casino = Casino.open(f"sqlite:///{tmp_path}/house.db")
    settings = {"reset_value": 100_000, "contribution": 150, "start": 123_456}
    assert casino.add_link(orders.AddLink(link="L", rulebook=V2, settings=settings)).refused is None
    two_people: list[tuple[str, Command]] = [
        ("Sam", jackpot.CloseLink()),
        ("Sam", jackpot.ProposeRulebook(rulebook=V3, reason="the new version")),
        ("Max", jackpot.Approve(proposal=1)),
        ("Sam", jackpot.ReopenLink()),
    ]
    for who, command in two_people:
        answer = casino.house.give("L", command, who=who, rank=MANAGER).result()
        assert answer.refused is None, answer.refused
    [link] = report_jackpots(casino.house.reader)
    assert (link.rulebook, link.meter, link.status) == (V3, 123_456, "open")
    assert casino.house.balance("link/L/meter") == 123_456
    casino.stop()


def test_relocated_chips_are_no_new_money(evening: Evening):
    evening.add("P2", "no-limit-holdem-v8", POKER)
    evening.give("P", poker.Sit(seat=1, player="Ann", stake=30_000), "Ann", PLAYER)
    moving = orders.RelocatePlayer(player="Ann", table="P", to="P2", seat=4, reason="broken")
    assert evening.casino.tell(moving, who="Dan").refused is None
    report = evening.report()
    tables = {t.table: t for t in report.tables}
    assert (tables["P"].buy_in, tables["P"].cash_out, tables["P"].relocated) == (30_000, 0, -30_000)
    assert (tables["P2"].buy_in, tables["P2"].cash_out, tables["P2"].relocated) == (0, 0, 30_000)
    assert tables["P2"].positions[4].relocated == 30_000
    assert tables["P2"].positions[4].wagered == tables["P2"].positions[4].won == 0
    assert report.drop == 30_000
    assert evening.casino.house.balance("player/Ann") == 70_000


def walked_away(evening: Evening) -> None:
    """Ann walks away from an Ante of 10, and the round is void: her stake is kept safe."""
    for box, who in ((1, "Ann"), (2, "Bob")):
        evening.give("M", banked.Sit(box=box, player=who, chips=20_000), who, PLAYER)
    evening.call("M")
    for box, who in ((1, "Ann"), (2, "Bob")):
        evening.give("M", banked.PlaceAnte(box=box, amount=1_000), who, PLAYER)
    evening.call("M")
    evening.give("M", banked_reports.ReportWalkAway(player="Ann"), "Dan")
    evening.give("M", banked_reports.ReportForeignCard(), "Dan")


def test_what_a_player_who_walked_away_is_owed_waits_for_him(evening: Evening):
    walked_away(evening)
    held = evening.casino.house.balance

    def unclaimed() -> int:
        return next(t for t in evening.report().tables if t.table == "M").unclaimed

    assert held("table/M/safekeeping/Ann") == unclaimed() == 1_000
    assert held("table/M/chips/Ann") == 19_000
    evening.give("M", banked.HandOver(player="Ann"), "Dan")
    assert held("table/M/chips/Ann") == 20_000
    assert held("table/M/safekeeping/Ann") == unclaimed() == 0


def test_what_is_handed_to_somebody_who_has_left_is_in_the_report_twice(evening: Evening):
    """It came back to him, and he took it away: at no position, as he sits at none."""
    walked_away(evening)
    evening.give("M", banked.Leave(player="Ann"), "Ann", PLAYER)
    evening.call("M")  # the next round: the House has paid it to the account of her who has left
    table = next(t for t in evening.report().tables if t.table == "M")
    nowhere = table.positions[0]
    assert (nowhere.won, nowhere.cash_out) == (1_000, 1_000)
    assert table.cash_out == 20_000
    assert evening.casino.house.balance("player/Ann") == 100_000


@pytest.mark.parametrize(
    ("hour", "day"), [("05:59:59", 15), ("06:00:00", 16), ("06:00:01", 16), ("23:59:59", 16)]
)
def test_a_moment_before_the_hour_belongs_to_the_day_before(hour: str, day: int):
    moment = datetime.fromisoformat(f"2026-11-16T{hour}+08:00")
    found = GamingDay.of(moment, zone=ZoneInfo("Asia/Singapore"))
    assert found.day == date(2026, 11, day)
    assert found.start <= moment < found.end
