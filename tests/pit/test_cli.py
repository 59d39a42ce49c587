"""`croupier case` and `croupier rules coverage` as a person or a program uses them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli.main import croupier
from croupier.pit import shipped_cases
from croupier.rulebooks.several import books_named
from tests.shipped import not_again

SHIPPED = Path(__file__).parents[2] / "src" / "croupier" / "cases"
DRAW = SHIPPED / "no-limit-holdem-v8" / "3.8-draw-for-the-button.toml"


def run(*words: str):
    return CliRunner().invoke(croupier, [str(word) for word in words])


@pytest.fixture
def wrong(tmp_path):
    """The draw for the button with a wrong winner."""
    file = tmp_path / "wrong.toml"
    file.write_text(DRAW.read_text().replace("expect.button = 4", "expect.button = 2", 1))
    return file


def test_a_case_that_passes():
    result = run("case", "run", DRAW)
    assert (result.exit_code, result.stdout.strip()) == (0, "1 passed, 0 failed")


def test_a_case_that_fails_shows_step_and_difference(wrong):
    result = run("case", "run", wrong, DRAW)
    assert result.exit_code == 1
    for part in (
        "step 1: start game",
        "button",
        "expected  2",
        "got       4",
        "1 passed, 1 failed",
    ):
        assert part in result.stdout


def test_a_folder_is_searched_and_a_bad_file_does_not_stop_the_others(wrong, tmp_path):
    (tmp_path / "bad.toml").write_text("title = 3")
    result = run("case", "run", tmp_path, DRAW)
    assert result.exit_code == 2
    assert "bad.toml:1: title is text, not 3" in result.stdout
    assert "1 passed, 1 failed, 1 unreadable" in result.stdout


def test_results_as_json(wrong):
    result = run("case", "run", "--json", wrong, DRAW)
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert (told["passed"], told["failed"], told["unreadable"]) == (1, 1, [])
    bad, good = told["cases"]
    assert good["covered"] == ["3.8"]
    [failure] = bad["failures"]
    assert failure["step"] == 1
    assert failure["differences"] == [{"what": "button", "expected": "2", "got": "4", "line": 18}]


def test_an_empty_folder_and_a_missing_file_are_errors(tmp_path):
    assert "no case file" in run("case", "run", tmp_path).output
    missing = run("case", "run", tmp_path / "none.toml")
    assert missing.exit_code == 2
    assert "does not exist" in missing.output


def test_a_file_that_is_not_text_is_an_error(tmp_path):
    file = tmp_path / "photo.toml"
    file.write_bytes(b"\xff\xfe\x00")
    result = run("case", "run", file)
    assert result.exit_code != 0


def test_without_paths_the_shipped_cases_run_and_pass(monkeypatch):
    not_again(monkeypatch, "croupier.cli.case")
    result = run("case", "run")
    assert result.exit_code == 0, result.stdout
    cases = sum(len(books_named(text)) for _, text in shipped_cases())  # in each of its books
    assert result.stdout.strip().endswith(f"{cases} passed, 0 failed")


def test_a_case_is_explained_with_its_paragraphs():
    result = run("case", "explain", DRAW)
    assert result.exit_code == 0
    for part in ("Ben (seat 4) has the highest card, K♠", "3.8", "First button", "All came out"):
        assert part in result.stdout
    told = json.loads(run("case", "explain", "--json", DRAW).stdout)
    assert told["passed"]
    assert "3.8" in told["cited"]


def test_the_schema_is_json():
    told = json.loads(run("case", "schema").stdout)
    assert told["$schema"].endswith("2020-12/schema")


def test_coverage_counts_the_executable_paragraphs_of_all_five_books(monkeypatch):
    not_again(monkeypatch, "croupier.pit.coverage")
    told = json.loads(run("rules", "coverage", "--json").stdout)["rulebooks"]
    assert {book: figures["executable"] for book, figures in told.items()} == {
        "no-limit-holdem-v8": 204,
        "poker-v5": 96,
        "progressive-texas-holdem-v6": 158,
        "multi-link-progressive-v2": 163,
        "multi-link-progressive-v3": 166,
    }
    for figures in told.values():
        assert figures["covered"] == figures["executable"], "every one is proved by a case"
        assert figures["missing"] == []


def test_what_is_missing_is_listed_on_demand(monkeypatch):
    few = [(source, text) for source, text in shipped_cases() if "/3.8-draw" in source]
    monkeypatch.setattr("croupier.cli.coverage.shipped_cases", lambda: iter(few))
    told = run("rules", "coverage", "--missing").stdout
    assert "no-limit-holdem-v8: not proved yet" in told
    assert "Minimum Raise Amount defined" in told
    assert "--missing lists" in run("rules", "coverage").stdout


def test_more_cards_than_a_place_holds_are_an_error(tmp_path):
    file = tmp_path / "three.toml"
    file.write_text(
        'title = "t"\nrulebook = "no-limit-holdem-v8"\nparagraphs = ["3.8"]\n'
        '[seats]\n2 = { player = "Ann", stake = 500, cards = "9c 9d 9h" }\n'
        '[[step]]\ndo = "start game"\nexpect.status = "open"\n'
    )
    result = run("case", "run", file)
    assert result.exit_code == 2
    assert "three.toml:5: seats.2.cards: 3 cards are too many; at most 2" in result.stdout


def test_a_case_that_proves_nothing_of_its_paragraph_is_told(tmp_path):
    file = tmp_path / "other.toml"
    file.write_text(DRAW.read_text().replace('paragraphs = ["3.8"]', 'paragraphs = ["5.12"]'))
    result = run("case", "run", file)
    assert result.exit_code == 0
    assert "passes, but does not prove 5.12" in result.stdout


def test_a_failed_step_is_told_as_it_is_written(tmp_path):
    file = tmp_path / "sit.toml"
    file.write_text(
        'title = "t"\nrulebook = "no-limit-holdem-v8"\nparagraphs = ["3.7"]\n'
        '[[step]]\ndo = "sit"\nseat = 3\nplayer = "Ann"\nstake = 500\nexpect.turn = 3\n'
    )
    assert "sit (seat 3, player Ann, stake 500)" in run("case", "run", file).stdout
