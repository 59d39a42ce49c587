"""A Version 9 from outside: one file, three functions, its cases; everything else as it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.desk.book_pages import book_lines, book_of
from croupier.pit import GAMES, coverage, read_case, run_case, shipped_cases
from croupier.pit.carried import Outcome, outcomes
from croupier.pit.matrix import matrix_of
from croupier.pit.poker import POKER
from croupier.pit.question import Question, ask
from croupier.poker import PokerTable
from croupier.rulebooks import BOOKS, Topic, errors, load, load_file
from croupier.rulebooks.compare import compare
from tests.extending.version_9 import rules
from tests.pit.any_orders import evening_by_chance
from tests.pit.kept import decided_again

V8 = load("no-limit-holdem-v8")
ROOT = Path(__file__).parents[3]
CASES = sorted((rules.HERE / "cases").glob("*.toml"))
OF_V8 = [(source, text) for source, text in shipped_cases() if f'"{V8.id}"' in text]


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    rules.register()
    yield
    rules.forget()


@pytest.fixture(scope="module")
def earlier_cases() -> list[Outcome]:
    """The cases of Version 8, played under Version 9."""
    return list(outcomes(V8, GAMES.load(rules.BOOK), OF_V8, GAMES))


def shown(*args: str) -> str:
    result = CliRunner().invoke(main.croupier, args)
    assert result.exit_code == 0, result.output
    return result.stdout


# -- the book --------------------------------------------------------------------------------------


def test_it_is_added_by_data_and_a_function_for_each_new_procedure():
    changed = compare(V8, GAMES.load(rules.BOOK))
    assert {found.name: found.new for found in changed.procedures} == {
        "straddle-seat": "any-seat",
        "odd-chips": "best-position",
        "one-exposed-in-deal": "stays",
    }
    assert GAMES.games[rules.BOOK] is POKER
    assert POKER.table_type is PokerTable


def test_citations_follow_the_new_numbers():
    book = GAMES.load(rules.BOOK)
    assert book.cite(Topic.SKIPPED_PLAYER_NEXT_ROUND) == ("5.13.1", "5.13", "1.15")
    assert book.cite(Topic.SUBSTANTIAL_ACTION_TWO) == ("1.49.a", "1.49")
    assert book.cite(Topic.ODD_CHIP) == ("4.5.1", "1.36", "4.5")


def test_without_its_functions_it_does_not_load():
    rules.forget()
    try:
        with pytest.raises(errors.BadProcedure, match="unknown value 'any-seat'"):
            load_file(rules.HERE / f"{rules.BOOK}.toml")
        assert rules.BOOK not in GAMES.games
    finally:
        rules.register()
    with pytest.raises(ValueError, match="there is a rulebook 'no-limit-holdem-v9' already"):
        GAMES.register(GAMES.load(rules.BOOK), POKER)


def test_a_way_that_a_table_lacks_is_told_before_a_round_is_played():
    book = GAMES.load(rules.BOOK)
    rules.forget()
    try:
        with pytest.raises(errors.NotCarriedOut, match="'any-seat'"):
            GAMES.register(book, POKER)
        assert rules.BOOK not in GAMES.games
    finally:
        rules.register()


# -- its cases, and those of the version before ----------------------------------------------------


@pytest.mark.parametrize("file", CASES, ids=[file.stem for file in CASES])
def test_its_own_cases_prove_what_they_name(file: Path):
    result = run_case(read_case(file.read_text(encoding="utf-8"), file.name, GAMES), GAMES)
    assert not result.failures
    assert set(result.covered) == set(result.case.paragraphs)


def test_an_earlier_case_proves_the_paragraph_by_its_new_number(earlier_cases: list[Outcome]):
    covered = {outcome.source: outcome.covered for outcome in earlier_cases}
    assert "5.13.1" in covered[f"{V8.id}/5.14.1-noticed-in-the-next-round.toml"]


def test_only_what_was_changed_comes_out_otherwise(earlier_cases: list[Outcome]):
    otherwise = {outcome.source for outcome in earlier_cases if outcome.otherwise}
    texts = dict(OF_V8)
    about = {
        "straddle": {source for source in otherwise if "straddle = true" in texts[source]},
        "exposed": {source for source in otherwise if 'do = "report exposed"' in texts[source]},
        "odd chip": {source for source in otherwise if '"4.5"' in texts[source]},
    }
    assert otherwise == set().union(*about.values())
    assert all(about.values())
    assert f"{V8.id}/4.5-several-odd-chips.toml" in about["odd chip"]
    assert f"{V8.id}/5.5-one-exposed-card-becomes-the-burn.toml" in about["exposed"]
    assert f"{V8.id}/3.10-declined.toml" in about["straddle"]


@pytest.mark.parametrize("seed", range(1, 5))
def test_an_evening_by_chance_breaks_nothing_and_is_decided_twice_alike(seed: int):
    evening = evening_by_chance(rules.BOOK, seed=seed, orders=80)
    assert all(then == now for then, now in decided_again(evening))


@pytest.mark.slow
def test_every_executable_paragraph_is_covered():
    """In the normal set the earlier cases are played under the new book, without the count."""
    own = [(file.name, file.read_text(encoding="utf-8")) for file in CASES]
    found = coverage([*OF_V8, *own], GAMES)
    assert not found.failed
    assert found.rulebooks[rules.BOOK].missing == []
    assert found.rulebooks[rules.BOOK].executable == len(V8.executable) + 3


# -- what people ask -------------------------------------------------------------------------------


def test_the_difference_is_told():
    told = json.loads(shown("rules", "diff", "v8", "v9", "--json"))
    assert {change["name"] for change in told["procedures"]} == {
        "straddle-seat",
        "odd-chips",
        "one-exposed-in-deal",
    }
    text = shown("rules", "diff", "v8", "v9")
    assert "24 of them under another number" in text
    assert "1.47 → 1.48" in text


def test_the_differences_in_outcome_are_told(monkeypatch: pytest.MonkeyPatch):
    few = [case for case in OF_V8 if "/4.5-" in case[0]]
    monkeypatch.setattr("croupier.cli.rules_outcomes.shipped_cases", lambda: iter(few))
    text = shown("rules", "diff", "v8", "v9", "--cases")
    assert "75 between two, made of three chips of 25" in text
    assert "payouts.1 50, not 25" in text
    told = json.loads(shown("rules", "diff", "v8", "v9", "--cases", "--json"))["cases"]
    assert told["played"] == len(few)
    assert len(told["otherwise"]) < len(few)


def test_it_is_listed_shown_and_searched():
    assert rules.BOOK in shown("rules", "list")
    assert "Odd chip to the best position" in shown("rules", "show", "v9", "4.5.1")
    assert "4.5.1" in shown("rules", "search", "best", "position", "--book", "v9")


def test_the_matrix_knows_the_new_remedy():
    outcomes = (
        outcome
        for cell in matrix_of(GAMES.load(rules.BOOK), GAMES)
        if cell.report == "report exposed"
        for outcome in cell.outcomes
    )
    found = next(each for each in outcomes if "It stays with its Player" in each.says)
    assert (found.kind, found.cites[0]) == ("ruling", "5.5")


def test_the_desk_rules_by_it():
    """Under Version 8 it matters whether somebody has acted; under Version 9 it does not."""
    one = {"exposed": "one"}
    before = ask(Question(rulebook="v8", incident="exposed-in-the-deal", facts=one), GAMES)
    assert before.ruling is None
    assert "acted" in [fact.name for fact in before.open]
    now = ask(Question(rulebook="v9", incident="exposed-in-the-deal", facts=one), GAMES)
    assert now.ruling is not None
    assert "5.5" in now.ruling.cites


# -- on the command line ---------------------------------------------------------------------------


def croupier(*args: str, extensions: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(map(str, (ROOT / "src", ROOT)))
    return subprocess.run(
        [sys.executable, "-m", "croupier", *args],
        env={**os.environ, "CROUPIER_EXTENSIONS": extensions, "PYTHONPATH": path},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ("lab", "rake", "v9", "--percent", "5", "--big-blind", "10"),
            "no-limit-holdem-v9: a hundred",
        ),
        (
            ("ask", "v9", "exposed-in-the-deal", "exposed=one", "acted=none"),
            "One exposed card stays",
        ),
        (("ask", "--list", "v9"), "exposed-in-the-deal"),
        (("school", "--book", "v9", "--show", "--count", "2"), "no-limit-holdem-v9"),
        (("case", "open", str(CASES[0]), "-o", "{there}"), "Written to"),
    ],
    ids=lambda words: words if isinstance(words, str) else " ".join(words[:2]),
)
def test_every_command_finds_it(words: tuple[str, ...], says: str, tmp_path: Path):
    assert says in shown(*(word.format(there=tmp_path / "page.html") for word in words))


def test_the_pages_of_the_desk_list_it():
    assert rules.BOOK in [line.id for line in book_lines()]
    assert book_of("v9").id == rules.BOOK


def test_an_operator_names_the_module_that_registers_it():
    there = croupier("rules", "show", "v9", "1.36", extensions=f"{rules.__package__}.installed")
    assert "Position defined" in there.stdout
    missing = croupier("rules", "list", extensions="version_nine")
    assert missing.returncode == 2
    assert "CROUPIER_EXTENSIONS names version_nine, which is not there" in missing.stderr
    assert "PYTHONPATH" in missing.stderr


def test_the_shipped_books_are_as_they_were():
    assert rules.BOOK not in BOOKS
    with pytest.raises(errors.UnknownRulebook):
        load(rules.BOOK)
