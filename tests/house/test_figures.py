"""A gaming day in figures: by hour, table, game and staff, in agreement with the day's report."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

from croupier.banked import commands as banked
from croupier.house.reports import GamingDay
from croupier.house.reports.charts import Series, columns
from croupier.house.reports.figures import COUNTED, Counted, DayFigures, figures_of
from croupier.house.reports.figures_page import figures_page
from croupier.poker.irregularities.commands import ReportIrregularity
from croupier.table import Decide
from tests.house.test_reports import (
    MANAGER,
    NOON,
    PLAYER,
    TODAY,
    Evening,
    a_round_of_poker,
    evening,  # noqa: F401
)


def figures(of: Evening, day: GamingDay = TODAY) -> DayFigures:
    of.casino.house.writer.flush()
    return figures_of(of.casino.house.reader, day)


def test_the_hours_add_up_to_the_report_and_each_thing_stands_in_its_hour(evening: Evening):  # noqa: F811
    a_round_of_poker(evening)  # 1 round, drop 500, Rake 1, at noon
    evening.now = NOON + timedelta(hours=3, minutes=59)
    evening.call("P")
    evening.give("P", ReportIrregularity(says="A card fell"), "Dan")
    [asked] = evening.casino.table("P").state.waiting
    evening.now = NOON + timedelta(hours=4)
    ruled = Decide(decision=asked.decision, option="void", reason="nobody knows which")
    evening.give("P", ruled, "Sam", MANAGER)
    evening.give("M", banked.Sit(box=1, player="Ann", chips=20_000), "Ann", PLAYER)
    made, report = figures(evening), evening.report()
    hours = {hour.of: hour for hour in made.hours}
    assert (len(made.hours), made.hours[0].of) == (24, "06:00")
    assert (hours["12:00"].rounds, hours["12:00"].drop, hours["12:00"].rake) == (1, 50_000, 100)
    assert (hours["15:00"].rounds, hours["15:00"].irregularities) == (1, 1)
    assert (hours["16:00"].rulings, hours["16:00"].voids, hours["16:00"].drop) == (1, 1, 20_000)
    for name in COUNTED:
        of_report = {"drop": "buy_in"}.get(name, name)
        total = sum(getattr(table, of_report) for table in report.tables)
        assert getattr(made.total, name) == total, name
        for parts in (made.hours, made.tables, made.games):
            assert sum(getattr(each, name) for each in parts) == total, name
    staff = {one.of: one for one in made.staff}
    assert (staff["Sam"].decisions, staff["Sam"].rulings, staff["Dan"].irregularities) == (1, 1, 1)
    page = figures_page(made)
    assert "15:00: 1 irregularities" in page
    for drawn in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(drawn)


def test_hold_is_what_the_house_kept_of_the_drop():
    def hold(kept: int, drop: int) -> str:
        return Counted(of="M", win=kept, drop=drop).hold

    assert [hold(*each) for each in ((2_049, 10_000), (2_050, 10_000), (2_051, 10_000))] == [
        "20.5%",
        "20.5%",
        "20.5%",
    ]
    assert (hold(5, 10_000), hold(4, 10_000)) == ("0.1%", "0.0%")
    assert (hold(-2_000, 10_000), hold(-4, 10_000), hold(1, 0)) == ("-20.0%", "0.0%", "")
    assert Counted(of="P", rake=100, drop=50_000).hold == "0.2%"


def test_a_day_with_a_change_of_clocks_has_its_own_hours(evening: Evening):  # noqa: F811
    spring = GamingDay(day=date(2027, 3, 27), begins=time(6), zone=ZoneInfo("Europe/Berlin"))
    made = figures(evening, spring)
    assert [hour.of for hour in made.hours][17:22] == ["23:00", "00:00", "01:00", "03:00", "04:00"]
    assert len(made.hours) == 23
    assert made.start == datetime(2027, 3, 27, 6, tzinfo=ZoneInfo("Europe/Berlin"))


def test_a_loss_hangs_below_the_line_and_names_are_no_markup():
    drawn = columns("<b>", ["1", "2"], [Series(name="", look="first", values=[5, -5])])
    rects = ElementTree.fromstring(drawn.strip()).findall("rect")
    assert [rect.get("class") for rect in rects] == ["first", "first less"]
    assert float(rects[0].get("y", "")) + 75 == float(rects[1].get("y", "")) == 95
    assert "<b>" not in drawn
