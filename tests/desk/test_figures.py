"""What the log tells a manager: figures by incident, book, hour and area; CSV without formulas."""

from __future__ import annotations

import csv
import io
from datetime import UTC

import pytest

from croupier.desk.figures import COLUMNS, figures, plain
from croupier.desk.log import Span
from tests.desk.asked import EXPOSED, OPEN, Clock, a_desk, left_to_discretion, skipped


def test_figures_count_what_goes_wrong_where_and_when():
    clock = Clock()
    desk = a_desk(clock=clock)
    for area in ("Pit 1", "Pit 1", "Pit 2"):
        desk.ask(EXPOSED, area=area)
    clock.pass_(hours=2)
    otherwise = desk.ask(EXPOSED, area="Pit 2").id
    desk.decide(otherwise, "Play on", "the Shift Manager said so", as_ruled=False)
    desk.decide(desk.ask(skipped()).id, "", "", as_ruled=True)
    desk.ask(left_to_discretion())
    desk.ask(OPEN)
    clock.pass_(hours=1)

    now = clock()
    found = figures(desk.log.lines(Span(), now), desk.log.discretions(Span(), now), UTC)
    assert found.entries == 7
    assert found.by_status == {"open": 0, "ruled": 4, "decided": 2, "abandoned": 1}
    first = found.by_incident[0]
    assert (first.name, first.count, first.book) == (EXPOSED.incident, 5, EXPOSED.rulebook)
    assert found.by_incident[1].title == "told in full"
    assert [(one.name, one.count) for one in found.by_area] == [("", 3), ("Pit 1", 2), ("Pit 2", 2)]
    assert [(one.title, one.count) for one in found.by_book] == [("No Limit Hold'em v8", 7)]
    assert {hour: n for hour, n in enumerate(found.by_hour) if n} == {20: 3, 22: 4}
    assert [(one.name, one.count) for one in found.discretion] == [("5.16.a", 1)]
    assert found.discretion[0].title
    assert [(one.name, one.count) for one in found.otherwise] == [(EXPOSED.incident, 1)]


def test_figures_and_lists_are_of_a_span():
    clock = Clock()
    desk = a_desk(clock=clock)
    first = desk.ask(EXPOSED, area="Pit 1")
    began = clock()
    clock.pass_(days=1)
    second = desk.ask(EXPOSED)
    for span, ids in (
        (Span(since=clock()), [second.id]),
        (Span(until=clock()), [first.id]),
        (Span(since=began, until=clock.now), [first.id]),
        (Span(area="Pit 1"), [first.id]),
        (Span(book="poker-v5"), []),
        (Span(status="ruled"), [second.id, first.id]),
        (Span(status="decided"), []),
    ):
        assert [line.id for line in desk.lines(span)[0]] == ids
        assert desk.figures(span).entries == len(ids)


def test_notes_are_in_the_csv():
    desk = a_desk()
    asked = desk.ask(EXPOSED)
    desk.note(asked.id, "=seen", by="Dan")
    desk.note(asked.id, "by two")
    head, row = csv.reader(io.StringIO(desk.csv(Span())))
    assert dict(zip(head, row, strict=True))["notes"] == "Dan: =seen; noted: by two"


def test_the_log_as_csv_has_every_entry_and_no_formula():
    desk = a_desk()
    asked = desk.ask(EXPOSED, who='=HYPERLINK("http://evil.example")', area="@pit")
    desk.decide(asked.id, "-1+1", "\t=cmd", as_ruled=False)
    desk.ask(skipped(), who="Ann, of the pit", area='"quoted"')
    head, *rows = csv.reader(io.StringIO(desk.csv(Span())))
    assert head == [*COLUMNS]
    by_id = {row[-1]: dict(zip(head, row, strict=True)) for row in rows}
    assert len(by_id) == 2
    first = by_id.pop(asked.id)
    assert first["who"] == '\'=HYPERLINK("http://evil.example")'
    assert (first["area"], first["decided"]) == ("'@pit", "'-1+1")
    assert first["why"] == "'=cmd"  # the tab was no word
    assert first["as ruled"] == "no"
    [second] = by_id.values()
    assert (second["who"], second["area"]) == ("Ann, of the pit", '"quoted"')
    assert second["paragraphs"].startswith("5.14")


@pytest.mark.parametrize(
    "cell",
    [
        *("=1", "+1", "-1", "@x", "\tx", "\rx", "\n=x", "  =1", "\u22121"),
        *("\uff1d1", "\uff0b1", "\uff0d1", "\uff20x", "\ufe661", "\ufe621", "\ufe631", "\ufe6bx"),
        *(" \uff1d1", "\ufeff=1", "\u200b\uff1d1", "\x00=1"),
    ],
)
def test_no_cell_begins_as_a_formula(cell: str):
    assert plain(cell) == f"'{cell}"


@pytest.mark.parametrize(
    ("cell", "told"),
    [("Ann\t=1", "Ann =1"), ("a\r\n=b", "a =b"), ("a\rb", "a b"), ("a\x0bb", "a b")],
)
def test_no_cell_has_another_cell_in_it(cell: str, told: str):
    assert plain(cell) == told


@pytest.mark.parametrize("cell", ["", "Ann", "5.14", "seat 3 = 500", "a-b", "\uff11", "😀"])
def test_a_plain_cell_stays(cell: str):
    assert plain(cell) == cell
