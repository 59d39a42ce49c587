"""`croupier rules`: what people and machines read, and how bad input is answered."""

import json
import re

import pytest
from click.testing import CliRunner

from croupier.cli.main import croupier
from croupier.cli.rules_diff import changed_words
from croupier.rulebooks import BOOKS, load


def run(*words, width=80):
    result = CliRunner().invoke(croupier, ["rules", *words], env={"COLUMNS": str(width)})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def said(*words, width=80):
    result = run(*words, width=width)
    assert result.exit_code == 0, result.output
    assert max(map(len, result.output.splitlines())) <= width
    return result.output


def data(*words):
    return json.loads(run(*words, "--json").stdout)


def test_list_names_every_book_whole_at_80_columns():
    text = said("list")
    for book in BOOKS:
        assert f"{book} " in text
    assert re.search(r"no-limit-holdem-v8 +2024-07-25 +215 +204", text)
    assert re.search(r"poker-v5 +2017-10-16 +2024-07-25 +101 +96", text)
    assert re.search(r"v6 +operator states +170 +158", text)


def test_list_for_machines():
    rows = data("list")
    assert [row["id"] for row in rows] == list(BOOKS)
    assert rows[0]["effective"] == "2024-07-25T08:00:00+08:00"
    assert rows[2]["effective"] is None
    assert rows[1]["executable"] == 96


@pytest.mark.parametrize("book", BOOKS)
def test_show_gives_a_book_at_a_glance(book):
    text = said("show", book)
    opened = load(book)
    for name in (*opened.parameters, *opened.procedures, *opened.policies):
        assert name in text
    for table in opened.pays.values():
        for line in table.lines:
            assert re.search(rf"{re.escape(line.id)} +{re.escape(str(line.pays))}", text)
    assert re.search(rf"together +{len(opened.paragraphs)} ", text)


def test_show_gives_a_paragraph_with_all_that_hangs_on_it():
    text = said("show", "v8", "3.19.3")
    flat = " ".join(text.split())
    assert "All-in between Call and Raise" in flat
    assert "engine: the table does it by itself" in flat
    assert "Shown by A BET 100, B all-in 150" in flat
    assert "Cited as all-in-short-of-raise" in flat
    assert "policy short-all-in-bar" in flat
    assert "any-bet (default): " in flat
    assert "A-07 note" in flat
    assert "before 3.19.2" in flat
    assert "after 3.19.4" in flat


def test_show_gives_what_stands_below_a_paragraph():
    text = said("show", "v8", "5.12")
    assert all(f"\n5.12.{n} " in text for n in range(1, 7))
    assert "\nafter" not in text  # it is indented
    assert " after  5.13 " in text
    assert "def.all-in" in said("show", "v5", "def")


def test_show_for_machines():
    page = data("show", "v8", "5.14")
    assert page["title"] == "Skipped Player must speak up"
    assert next(iter(page["topics"])) == "skipped-player"
    assert [note["reading"] for note in page["notes"]] == ["A-32", "A-67"]
    assert [below["id"] for below in page["below"]] == ["5.14.1"]
    assert (page["before"], page["after"]) == ("5.13.4", "5.15")
    book = data("show", "v3")
    assert book["procedures"]["jackpot-hand"]["value"] == "hole-and-flop"
    assert len(book["paragraphs"]) == 178
    line = book["pays"][2]["lines"][2]
    assert (line["pays"], line["major"]) == ("400 for 1", False)
    assert line["when"]["category"] == "four-of-a-kind"


def test_search_finds_and_counts():
    text = said("search", "burnt", "card", "missing", "--limit", "2")
    assert re.match(r"v8 +5\.10 +Burnt Card not discarded", text)
    assert re.search(r"v6 v2 v3 +5\.9 +Missed burn card", text)
    assert re.search(r"and \d+ more \(--limit \d+ shows them\)", text)
    assert all(row["book"] == "poker-v5" for row in data("search", "raise", "--book", "v5"))


def test_search_says_when_there_is_nothing():
    assert "No paragraph has all of these words" in said("search", "bicycle")
    assert data("search", "bicycle") == []


def test_a_floor_manager_learns_v2_to_v3_on_one_screen():
    text = said("diff", "v2", "v3", width=120)
    assert len(text.splitlines()) <= 45
    for part in (
        r"28 Jun 2020 08:00 +08 Dec 2020 08:00",
        r"Four of a kind +\$2,000 +400 for 1",
        r"Full house +\$200 +80 for 1",
        r"Flush +\$100 +40 for 1",
        r"Straight +- +20 for 1",
        r"Numbers +no change",
        r"3\.17\.straight new",
        r"\[-five-\] hands",
        r"\{\+six\+\} hands",
        r"Every other affected player gets the choices",
        r"168 paragraphs say the same",
    ):
        assert re.search(part, text), part
    order = [text.index(f"\n{head}") for head in ("Procedures", "Numbers", "Pays", "Paragraphs")]
    assert order == sorted(order)
    assert "1.28" not in text


def test_diff_shows_a_renumbered_and_changed_paragraph_with_both_numbers():
    text = said("diff", "v6", "v2", width=120)
    assert "1.27 → 1.28" in text
    assert "9 of them under another number" in text
    assert "1.22 → 1.23" not in text


def test_diff_for_machines():
    found = data("diff", "v2", "v3")
    assert [p["name"] for p in found["procedures"]] == ["one-exposed-unseen", "wrong-count-others"]
    assert found["pays"][0]["lines"][3] == {
        "name": "pay-jackpot-straight",
        "old": None,
        "new": "20 for 1",
        "old_paragraphs": [],
        "new_paragraphs": ["4.2.minor.straight"],
        "change": "added",
    }
    assert found["paragraphs"][0]["change"] == "added"
    assert found["paragraphs"][0]["new"]["id"] == "preamble"


def test_changed_words_are_marked_and_equal_stretches_left_out():
    old = "one two three four five six seven eight nine ten red eleven"
    new = old.replace("red", "green")
    left, right = changed_words(old, new, marks=True)
    assert left.plain == "… six seven eight nine ten [-red-] eleven"
    assert right.plain == "… six seven eight nine ten {+green+} eleven"
    left, right = changed_words("a b c", "a b c d", marks=False)
    assert (left.plain, right.plain) == ("a b c", "a b c d")


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["show", "v9"], "The rulebooks are no-limit-holdem-v8, poker-v5"),
        (["show", "no-limit-holdem-v9"], "Did you mean 'no-limit-holdem-v8'?"),
        (["show", "multi-link"], "Give a few letters more"),
        (["show", "v8", "1.99"], "has no paragraph '1.99'. Did you mean '1.9'?"),
        (["show", "v8", "house"], "`croupier rules search` finds one by its words"),
        (["diff", "v8", "v3"], "different games"),
        (["diff", "v8", "no-limit"], "compared with itself"),
        (["diff", "v8"], "Missing argument"),
        (["search"], "Missing argument"),
        (["search", "raise", "--limit", "0"], "0 is not in the range"),
        (["search", "raise", "--book", "v1"], "no rulebook 'v1'"),
    ],
)
def test_bad_input_is_answered_with_what_to_do_and_status_2(words, answer):
    result = run(*words)
    assert result.exit_code == 2
    assert answer in " ".join(result.stderr.split())
    assert result.stdout == ""


@pytest.mark.parametrize("command", ["", "list", "show", "search", "diff"])
def test_every_command_has_help_with_an_example(command):
    text = said(*command.split(), "--help")
    assert re.search(rf"Example: croupier rules {command}", text)
