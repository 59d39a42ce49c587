"""Actual against theory: a House whose true answer is known, a forged hold, and how often the bands
hold."""

import json
from fractions import Fraction
from xml.etree import ElementTree

import click
import numpy as np
import pytest
from jsonschema import Draft202012Validator

from croupier.cli.lab_actual import _write_into
from croupier.lab.actual import Box, RakedRound, Rounds, compare, mark_of
from croupier.lab.actual_answer import actual_answer
from croupier.lab.actual_theory import BookTheory, theory_of, ties
from croupier.lab.answer_types import schema_of
from croupier.lab.report import to_html
from croupier.lab.report_actual import actual_parts, actual_report
from croupier.lab.simulate import Plan, simulate
from croupier.lab.simulate_optimal import optimal
from croupier.lab.simulate_pay import Stakes
from croupier.lab.simulate_strategy import made_hands
from croupier.rulebooks import load
from tests.lab.simulated_house import STAKES, V3, house
from tests.lab.test_answer_types import closed

MADE = made_hands()


@pytest.fixture(scope="module")
def counted():
    """The outcomes of 150,000 simulated boxes, taken for all that can happen: for tests of the
    sums a small universe does."""
    return simulate(Plan.make(V3, MADE, STAKES, rounds=150_000, seed=99), threads=1).counts


@pytest.fixture(scope="module")
def theory(counted):
    return BookTheory(V3, counted, (0.1, 0.0, 0.0))


def answer_of(rounds, theory, **more):
    theories = {V3.id: theory}
    found = compare(rounds, theories)
    told = {"source": "a test", "left_out": {}, "ledger": [], **more}
    return actual_answer(found, theories, **told)


def group(answer, by, name):
    [found] = [g for g in answer["groups"] if (g["by"], g["name"]) == (by, name)]
    return found


# -- the sums --------------------------------------------------------------------------------------


def test_the_theory_of_a_box_is_that_of_its_universe(theory, counted):
    exact = theory.box(1000, 500, 500, {})
    paid = theory.figures(1000, 500, 500, {})
    whole = int(counted.sum())
    from croupier.lab.simulate_pay import schedule

    money = schedule(V3, STAKES).lookup.money.reshape(counted.shape)
    mean = Fraction(-int((money * counted).sum()), whole)
    square = Fraction(int((money.astype(object) ** 2 * counted).sum()), whole)
    assert sum(exact.mean) == mean
    assert exact.whole == square - mean**2
    assert sum(paid.mean) == pytest.approx(float(mean))
    # Twice the stakes are twice the mean and four times the variance, but for the Bonus' cap.
    twice = theory.box(2000, 0, 0, {})
    assert twice.mean[0] == 2 * exact.mean[0]
    assert twice.variance[0] == 4 * exact.variance[0]
    assert twice.mean[1:] == (0, 0)


def test_boxes_of_one_round_hang_together_and_boxes_of_two_do_not(theory):
    box = Box(ante=1000)
    shared = {"table": "T", "book": V3.id, "dealer": "", "day": "d", "house": 0}
    together = compare([Rounds(number=1, boxes=(box, box), **shared)], {V3.id: theory})
    apart = compare([Rounds(number=n, boxes=(box,), **shared) for n in (1, 2)], {V3.id: theory})
    one = float(theory.box(1000, 0, 0, {}).variance[0])
    assert apart.groups[0].total.variance == pytest.approx(2 * one)
    assert together.groups[0].total.variance == pytest.approx(2 * one * 1.1)
    assert together.groups[0].total.expected == apart.groups[0].total.expected


def test_every_round_is_counted_once_by_house_game_table_dealer_and_day(theory):
    rounds = house(MADE, seed=5, rounds=300, boxes=3)
    answer = answer_of(rounds, theory)
    for by in ("house", "game", "table", "dealer", "day"):
        of = [g for g in answer["groups"] if g["by"] == by]
        assert sum(g["rounds"] for g in of) == 300
        assert sum(g["won"] for g in of) == pytest.approx(sum(r.house for r in rounds) / 100)
    assert {g["name"] for g in answer["groups"] if g["by"] == "dealer"} == {"Dan", "Eve", "Fay"}
    assert len([g for g in answer["groups"] if g["by"] == "day"]) == 5


@pytest.mark.parametrize(
    ("deviations", "mark"),
    [(1.95, "inside"), (1.97, "outside 95%"), (-1.97, "outside 95%"), (-2.58, "outside 99%")],
)
def test_marks(deviations, mark):
    assert mark_of(deviations) == mark


# -- what is marked --------------------------------------------------------------------------------


def test_an_honest_house_lies_inside_and_a_forged_hold_is_marked(theory):
    honest = answer_of(house(MADE, seed=3, rounds=1500, boxes=2), theory)
    assert group(honest, "house", "all tables")["mark"] == "inside"
    # In every round that Eve deals 12.00 vanish: 500 rounds, 6,000 of money.
    forged = answer_of(house(MADE, seed=3, rounds=1500, boxes=2, steals={"Eve": 1200}), theory)
    eve, dan = group(forged, "dealer", "Eve"), group(forged, "dealer", "Dan")
    assert eve["mark"] == "outside 99%"
    assert dan["mark"] == "inside"
    assert eve["won"] == pytest.approx(group(honest, "dealer", "Eve")["won"] - 6000)
    assert any("less than the bets come to in theory" in told for told in eve["explained"])
    assert any("Neither chance" in told for told in eve["explained"])
    assert any("The ledger has 6,000.00 less" in told for told in eve["explained"])
    assert not dan["explained"]


def test_decisions_that_are_not_the_best_plays_are_told(theory):
    from croupier.lab.simulate_strategy import check

    answer = answer_of(house(check(), seed=3, rounds=3000, boxes=1), theory)
    told = group(answer, "house", "all tables")
    shares = {each["decision"]: each["share"] for each in told["decisions"]}
    assert shares == {"fold": 0, "turn": 0, "river": 0}
    if told["mark"] != "inside":
        assert any("bet the Turn in 0.0% of cases" in each for each in told["explained"])


def test_rake_is_held_to_the_rules():
    def raked(number, taken, by_rules):
        return RakedRound(
            table="P",
            book="poker-v5",
            dealer="Dan",
            day="d",
            number=number,
            taken=taken,
            by_rules=by_rules,
            base=2000,
        )

    found = compare([raked(1, 100, 100), raked(2, 150, 100)], {})
    answer = actual_answer(found, {}, source="a test", left_out={}, ledger=[])
    assert answer["rake"][0]["taken"] == 2.5
    assert answer["rake"][0]["by_rules"] == 2.0
    assert answer["rake"][0]["differ"] == [
        {"table": "P", "round": 2, "taken": 1.5, "by_rules": 1.0}
    ]
    assert answer["groups"] == []
    assert any("P, round 2" in getattr(part, "text", "") for part in actual_parts(answer))


def test_the_answer_is_of_its_schema_and_the_page_has_its_chart(theory):
    rounds = house(MADE, seed=8, rounds=200, boxes=2, steals={"Eve": 5000})
    differs = [{"table": "T1", "rounds": 1.0, "ledger": 2.0}]
    answer = answer_of(rounds, theory, left_out={"void": 2}, ledger=differs)
    Draft202012Validator(closed(schema_of("actual"))).validate(answer)
    page = to_html(actual_report(answer))
    assert "<svg" in page
    assert "dealer Eve" in page
    assert "the ledger has 2.00" in page
    assert "Not compared: 2 rounds, void." in page
    assert repr(compare(rounds, {V3.id: theory})).startswith("<Actual: 200 rounds")
    assert "<table>" in compare(rounds, {V3.id: theory})._repr_html_()


def test_page_data_and_chart_go_into_a_folder(theory, tmp_path):
    answer = answer_of(house(MADE, seed=8, rounds=200, boxes=2), theory)
    into = tmp_path / "made" / "here"
    _write_into(into, answer)
    assert {path.name for path in into.iterdir()} == {"actual.html", "actual.json", "actual.svg"}
    assert json.loads((into / "actual.json").read_text())["groups"] == answer["groups"]
    drawn = ElementTree.parse(into / "actual.svg").getroot()
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert "--first: #" in (into / "actual.svg").read_text(), "it has its colours with it"
    (tmp_path / "file").touch()
    with pytest.raises(click.UsageError, match="cannot be written there"):
        _write_into(tmp_path / "file" / "below", answer)


# -- how often the bands hold ----------------------------------------------------------------------


def covered(strategy, theory, seeds, *, rounds, boxes):
    """In how many Houses each band holds what was really won."""
    held = {"95%": 0, "99%": 0}
    for seed in seeds:
        played = house(strategy, seed=seed, rounds=rounds, boxes=boxes, stakes=Stakes(ante=1000))
        total = compare(played, {V3.id: theory}).groups[0]
        for level in held:
            low, high = total.band(level)
            held[level] += low <= total.total.won <= high
    return held


@pytest.mark.slow
@pytest.mark.parametrize("boxes", [1, 5])
def test_the_bands_hold_as_often_as_they_say(boxes):
    theory = theory_of(V3)
    held = covered(optimal(V3), theory, range(1000, 1400), rounds=600, boxes=boxes)
    # Of 400 Houses 380 and 396; four deviations of so many throws are 17 and 8.
    assert 363 <= held["95%"] <= 397
    assert 388 <= held["99%"] <= 400
    if boxes > 1:
        alone = BookTheory(V3, theory.counts, (0.0, 0.0, 0.0))
        narrow = covered(optimal(V3), alone, range(1000, 1400), rounds=600, boxes=boxes)
        assert narrow["95%"] < 363, "boxes of a round are not independent"


@pytest.mark.slow
@pytest.mark.parametrize("book", ["multi-link-progressive-v2", "progressive-texas-holdem-v6"])
def test_the_theory_of_a_book_is_its_par_sheet(book):
    from croupier.lab.par import par

    found = theory_of(load(book))
    sheet = par(load(book))
    exact = found.box(1000, 500, 500, {})
    assert exact.mean[0] == -1000 * sheet.best.main.mean
    assert exact.mean[1] == -500 * sheet.bonus_bet.mean
    assert np.array_equal(found.counts, sheet.counts)


@pytest.mark.slow
def test_how_boxes_hang_together_does_not_turn_on_the_seed():
    one, other = ties(V3, 500_000, seed=1), ties(V3, 500_000, seed=2)
    assert one[0] == pytest.approx(other[0], abs=0.01)
    assert one[0] > 0.1
