"""The benchmarks report honestly: targets at their limit, peers that are missing, exit status."""

import json
import sys

import pytest
from click.testing import CliRunner, Result

import benchmarks.__main__ as bench
from benchmarks import Row, Target, _without, imports, tricks

ATLEAST_8 = Target(at="least", limit=8)


def row(**fields: object) -> Row:
    return Row(benchmark="ranking", what="rank a hand", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(("ratio", "outcome"), [(7.99, "short"), (8.0, "pass"), (8.01, "pass")])
def test_a_peer_is_judged_by_the_ratio(ratio: float, outcome: str):
    assert row(who="treys", value=1.0, ratio=ratio, target=ATLEAST_8).outcome == outcome


@pytest.mark.parametrize(("value", "outcome"), [(99.9, "pass"), (100, "pass"), (100.1, "short")])
def test_croupier_alone_is_judged_by_the_value(value: float, outcome: str):
    assert row(value=value, target=Target(at="most", limit=100)).outcome == outcome


def test_a_missing_peer_is_missing_with_or_without_a_target():
    assert row(who="treys").outcome == "missing"
    assert row(who="treys", target=ATLEAST_8).outcome == "missing"


def test_a_row_without_a_target_passes_no_judgement():
    assert row(who="eval7", value=3.0, ratio=2.0).outcome == ""


class Fake:
    """A benchmark whose rows are given."""

    def __init__(self, *rows: Row) -> None:
        self.rows = list(rows)

    def measure(self) -> list[Row]:
        return self.rows


def run(monkeypatch: pytest.MonkeyPatch, words: list[str], *rows: Row) -> Result:
    monkeypatch.setattr(bench, "names", lambda: ["ranking"])
    monkeypatch.setattr(bench.importlib, "import_module", lambda _: Fake(*rows))
    return CliRunner().invoke(bench.bench, words)


def test_a_missing_peer_is_shown_and_fails_where_it_has_a_target(monkeypatch: pytest.MonkeyPatch):
    missing = row(who="treys", target=ATLEAST_8)
    for words in ([], ["--markdown"]):
        result = run(monkeypatch, words, missing)
        assert "treys" in result.stdout
        assert "missing" in result.stdout
        assert result.exit_code == 1


def test_the_exit_status_is_0_when_every_target_is_met(monkeypatch: pytest.MonkeyPatch):
    met = row(who="treys", value=1.0, ratio=9.0, target=ATLEAST_8)
    assert run(monkeypatch, [], met, row(who="eval7")).exit_code == 0
    short = row(who="treys", value=1.0, ratio=7.0, target=ATLEAST_8)
    assert run(monkeypatch, [], met, short).exit_code == 1


def test_json_holds_rows_outcome_and_machine(monkeypatch: pytest.MonkeyPatch):
    result = run(monkeypatch, ["--json"], row(value=5.0, unit="hands/s"))
    told = json.loads(result.stdout)
    assert set(told["machine"]) == {"python", "system", "cores"}
    [one] = told["rows"]
    assert (one["value"], one["unit"], one["outcome"]) == (5.0, "hands/s", "")


def test_an_unknown_benchmark_is_refused_by_name(monkeypatch: pytest.MonkeyPatch):
    result = run(monkeypatch, ["rnking"])
    assert result.exit_code == 2
    assert "No benchmark rnking; there are: ranking." in result.stderr


def test_the_table_goes_between_the_markers_of_the_page():
    page = f"before\n{bench.BEGIN}\nold\n{bench.END}\nafter\n"
    assert (
        bench.put_into(page, r"new \1") == f"before\n{bench.BEGIN}\nnew \\1\n{bench.END}\nafter\n"
    )
    assert bench.put_into(bench.PAGE.read_text(encoding="utf-8"), "x")
    with pytest.raises(bench.click.ClickException, match="markers"):
        bench.put_into("no markers", "new")


def test_benchmarks_measured_anew_take_the_place_of_the_old_and_leave_the_others(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(bench, "names", lambda: ["cards", "house", "lab"])
    page = f"before\n{bench.BEGIN}\nold\n{bench.END}\nafter\n"
    page = bench.renewed(page, {"lab": "lab 1", "cards": "cards 1", "gone": "gone 1"})
    assert bench.sections(page) == {"cards": "cards 1", "lab": "lab 1"}
    page = bench.renewed(page, {"lab": "lab 2", "house": "house 2"})
    assert bench.sections(page) == {"cards": "cards 1", "house": "house 2", "lab": "lab 2"}
    assert page.startswith("before\n")
    assert page.endswith("after\n")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (1.234, "1.23"), (99.96, "100"), (1234.5, "1,234"), (1e6, "1,000,000")],
)
def test_numbers_are_written_for_people(value: float, text: str):
    assert bench.number(value) == text


def test_importing_croupier_brings_no_heavy_package():
    for module in imports.MODULES:
        assert imports.heavy_after(module) == []
    assert imports.heavy_after("click") == []


def test_the_check_for_heavy_packages_can_fail(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(imports, "HEAVY", ("json", "numpy"))
    assert imports.heavy_after("json") == ["json"]


@pytest.mark.parametrize("trick", _without.SWITCHES)
def test_every_trick_can_be_left_out_and_comes_back(trick: str):
    switches = _without.SWITCHES[trick]
    before = [getattr(where, name) for where, name, _ in switches]
    with _without.without(trick):
        assert [getattr(where, name) for where, name, _ in switches] == [
            new for *_, new in switches
        ]
    assert [getattr(where, name) for where, name, _ in switches] == before


def test_a_trick_that_is_gone_is_noticed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(_without.SWITCHES, "gone", [(_without, "never_was", None)])
    with pytest.raises(AttributeError, match="never_was"), _without.without("gone"):
        pass


def test_both_ways_do_the_same_work_and_are_compared():
    done: list[bool] = []

    def work() -> None:
        done.append(True)

    with_it, plain = tricks.in_turns("quick hand reader", work, 3, iter(range(99)).__next__)
    assert (with_it, plain) == ([1, 1, 1], [1, 1, 1])
    assert len(done) == 7
    [_, other] = tricks.rows_of("x", "y", 2.0, 2.1, "ms")
    assert other.outcome == "pass"
    assert tricks.rows_of("x", "y", 2.0, 2.09, "ms")[1].outcome == "short"


def test_python_switches_threads_as_usual_without_the_trick_and_as_before_after_it():
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.002)
    try:
        with tricks.leave_out(tricks.SWITCHING):
            assert sys.getswitchinterval() == pytest.approx(0.005)
        assert sys.getswitchinterval() == pytest.approx(0.002)
    finally:
        sys.setswitchinterval(before)
