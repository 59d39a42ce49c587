"""The matrix of a book: no cell is empty, an error, or without its paragraph."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli.rules import rules
from croupier.pit.matrix import Cell, cells_of, pages_of, tell_ways
from croupier.pit.moments import WAYS, moments_of
from croupier.pit.registry import GAMES
from croupier.rulebooks import BOOKS, load
from tests.pit.in_moments import WAYS as LOOKED_AT
from tests.pit.in_moments import in_moment, in_moments, ways_of


def cells(book: str, ways: str) -> list[Cell]:
    return [cell for stands, listed in in_moments(book, ways) for cell in cells_of(stands, listed)]


def outcomes(book: str, moment: str, report: str, way: int = -1) -> list[tuple[str, str]]:
    """What comes of a report: kind and operative paragraph."""
    return [
        (outcome.kind, outcome.cites[0])
        for cell in cells_of(*in_moment(book, moment, WAYS[way]))
        if cell.report == report
        for outcome in cell.outcomes
    ]


@pytest.mark.parametrize("ways", LOOKED_AT)
@pytest.mark.parametrize("book", BOOKS)
def test_every_report_at_every_moment_has_an_answer_with_its_paragraph(
    book: str, ways: str
) -> None:
    """In the normal set each moment in one of the ways in which it comes about, in the slow set in
    all of them."""
    reports = {str(k.__struct_config__.tag) for k in GAMES.games[book].table_type.whole.reports}
    paragraphs = load(book).paragraphs
    found = cells(book, ways)
    seen = {(cell.moment, cell.how): set[str]() for cell in found}
    for cell in found:
        seen[cell.moment, cell.how].add(cell.report)
        assert cell.outcomes, cell
        for outcome in cell.outcomes:
            assert outcome.says, cell
            assert outcome.cites, cell
            assert set(outcome.cites) <= paragraphs.keys(), cell
    assert all(found == reports for found in seen.values())
    moments = moments_of(GAMES.games[book].name).moment
    fitting = {moment.name for moment in moments if ways_of(book, moment)}
    assert {moment for moment, _ in seen} == fitting
    assert {how for _, how in seen} == {*WAYS}, "a way in which nothing is looked at"


def test_the_matrix_of_v8_rules_as_the_paragraphs_say() -> None:
    book = "no-limit-holdem-v8"
    misdeal = outcomes(book, "two cards exposed in the deal", "report exposed")
    assert misdeal == [("question", "5.3.3")]
    late = "two cards exposed in the deal, Substantial Action since"
    assert ("ruling", "5.3.7") in outcomes(book, late, "report exposed")
    skipped = "a player was skipped in the Betting Round before"
    assert set(outcomes(book, skipped, "report skipped", way=1)) == {("ruling", "5.14.1")}
    assert outcomes(book, "Flop of two cards", "report skipped") == [("refused", "5.14")]


def test_what_a_book_leaves_open_is_declared_discretion() -> None:
    assert ("discretion", "5.1") in outcomes(
        "poker-v5", "Flop without a burn", "report missing burn"
    )


def test_ways_are_told_in_the_fewest_words() -> None:
    by_hand = tuple(how for how in WAYS if how.dealing == "by-hand")
    assert tell_ways(WAYS, WAYS) == ""
    assert tell_ways(by_hand, WAYS) == "dealt by hand"
    assert tell_ways(tuple(how for how in WAYS if how.acting == "seen"), WAYS).startswith("acts")
    assert tell_ways(WAYS[:1], WAYS) == "dealt by the House, players act by device"


def test_each_report_stands_together_on_its_page() -> None:
    book = "poker-v5"
    some = moments_of("poker").moment[::6]
    stands = [in_moment(book, m.name, how) for m in some for how in ways_of(book, m)]
    pages = list(pages_of(cell for each in stands for cell in cells_of(*each)))
    assert any(len(page.ways) > 1 for page in pages)
    for page in pages:
        reports = [entry.report for entry in page.entries]
        assert reports == sorted(reports, key=reports.index)
        assert all(set(entry.ways) <= set(page.ways) for entry in page.entries)


def test_the_command_prints_writes_a_page_and_json(tmp_path: Path) -> None:
    run = CliRunner().invoke
    words = ["matrix", "poker-v5", "--moment", "the deck is ready"]
    told = run(rules, [*words, "--report", "foreign"])
    assert told.exit_code == 0, told.output
    assert "foreign card" in told.output
    assert "5.1.1" in told.output
    page = tmp_path / "matrix.html"
    assert run(rules, [*words, "--html", str(page)]).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "the deck is ready" in text
    listed = json.loads(run(rules, [*words, "--json"]).stdout)
    assert {cell["moment"] for cell in listed} == {"the deck is ready"}
    nothing = run(rules, [*words, "--report", "no such thing"])
    assert nothing.exit_code == 2
    assert "--report" in nothing.output
