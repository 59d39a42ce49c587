"""`croupier rules` for people: which cases name a paragraph, results cut between words; help."""

import json
import tomllib
from functools import cache

import pytest
from click.testing import CliRunner
from rich.text import Text

from croupier.cli.main import croupier
from croupier.cli.rules import _cut
from croupier.pit import shipped_cases
from croupier.rulebooks import load


def said(*words: str, width: int = 80) -> str:
    result = CliRunner(env={"COLUMNS": str(width)}).invoke(croupier, words)
    assert result.exit_code == 0, result.output
    return result.stdout


@cache
def named_by_cases() -> dict[str, set[str]]:
    """The paragraphs that each shipped case names."""
    return {source: {*tomllib.loads(text)["paragraphs"]} for source, text in shipped_cases()}


def naming(book: str, paragraph: str) -> list[str]:
    return [
        source
        for source, named in named_by_cases().items()
        if source.startswith(f"{book}/") and paragraph in named
    ]


@pytest.fixture(scope="module")
def found() -> list[dict[str, str]]:
    """What a search finds."""
    return json.loads(said("rules", "search", "burnt", "card", "--json"))


def test_a_paragraph_lists_the_case_files_that_name_it():
    wanted = naming("no-limit-holdem-v8", "3.19.3")
    assert len(wanted) > 5
    shown = said("rules", "show", "v8", "3.19.3")
    for source in wanted:
        assert f"\n{source}\n" in shown, "on a line of its own, whole, to be copied"
    told = json.loads(said("rules", "show", "v8", "3.19.3", "--json"))["cases"]
    assert [case["file"] for case in told] == wanted
    assert all(case["title"] for case in told)


def test_a_case_of_another_book_or_paragraph_is_not_listed():
    told = json.loads(said("rules", "show", "v5", "3.3", "--json"))["cases"]
    assert [case["file"] for case in told] == naming("poker-v5", "3.3")


def test_a_paragraph_that_no_case_names_says_so():
    book = load("no-limit-holdem-v8")
    named = set().union(*named_by_cases().values())
    bare = next(p for p in book.paragraphs if p not in named)
    assert "No case file names it." in said("rules", "show", "v8", bare)


def test_a_listed_case_can_be_explained_by_its_name():
    [first, *_] = json.loads(said("rules", "show", "v8", "3.8", "--json"))["cases"]
    assert first["title"] in " ".join(said("case", "explain", first["file"], width=300).split())
    result = CliRunner().invoke(croupier, ["case", "explain", "no-limit-holdem-v8/nothing.toml"])
    assert result.exit_code == 2
    assert "no shipped case of that name" in result.output


@pytest.mark.parametrize("width", [60, 80, 97, 120])
def test_search_cuts_between_words(width, found):
    for line in found:
        text = Text(f"{line['title']}  {line['summary']}")
        whole = text.plain
        _cut(text, width)
        assert len(text) <= width + 2
        if text.plain == whole:
            continue
        kept = text.plain.removesuffix(" …")
        assert whole.startswith(kept)
        assert whole[len(kept)] in " ,;:", f"{kept!r} ends in the middle of a word"
    assert "…" in said("rules", "search", "burnt", "card", width=width)


def test_help_in_a_checkout_names_what_run_py_answers_itself(monkeypatch, tmp_path):
    shown = said("--help")
    assert "run.py test " in shown
    assert "run.py bench" in shown
    monkeypatch.setattr("croupier.cli.main.__file__", str(tmp_path / "a" / "b" / "c" / "main.py"))
    assert "run.py" not in said("--help"), "an installed croupier has no run.py"
