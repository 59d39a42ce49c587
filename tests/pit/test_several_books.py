"""A case that holds in several books: read, played and counted in each of them."""

import pytest
from click.testing import CliRunner

from croupier.cli.main import croupier
from croupier.pit import GAMES, CaseError, coverage, read_case, run_case
from croupier.rulebooks.several import books_named

V2, V3 = "multi-link-progressive-v2", "multi-link-progressive-v3"

TEXT = f"""title = "Who folds is out"
rulebooks = ["{V3}", "{V2}"]
paragraphs = ["5.12"]
[in.{V2}]
paragraphs = ["5.10"]
[table]
layout = "A"
ante_minimum = 25
ante_maximum = 500
bonus_minimum = 5
bonus_maximum = 500
progressive = 5
[boxes]
1 = {{ player = "Ann", ante = 50 }}
[[step]]
do = "deal to decisions"
[[step]]
do = "fold"
box = 1
expect.standing = {{ 1 = "folded" }}
in.{V2}.expect.standing = {{ 1 = "folded" }}
"""
WRONG = "in".join(TEXT.rsplit("folded", 1))


def run(text: str):
    return run_case(read_case(text, "a.toml", GAMES), GAMES)


def test_a_case_is_played_in_each_of_its_books():
    result = run(TEXT)
    assert result.passed, [one.failures for one in result.in_each_book()]
    assert [one.case.book.id for one in result.in_each_book()] == [V3, V2]
    assert [one.case.paragraphs for one in result.in_each_book()] == [("5.12",), ("5.10",)]


def test_a_case_that_fails_in_one_book_fails_and_names_the_book_and_its_own_line():
    result = run(WRONG)
    assert not result.passed
    first, second = result.in_each_book()
    assert (first.failures, first.passed) == ([], False)
    assert second.case.name == f"a.toml ({V2})"
    [failure] = second.failures
    [found] = failure.differences
    assert (found.what, found.expected, found.got) == ("standing.1", "in", "folded")
    assert WRONG.splitlines()[found.line - 1].startswith(f"in.{V2}.expect")


def test_what_is_otherwise_in_a_book_is_laid_over_the_rest():
    text = TEXT.replace("[table]", f"[in.{V2}.table]\nante_minimum = 100\n[table]")
    first, second = run(text).in_each_book()
    assert not first.failures
    [failure] = second.failures
    assert failure.step == 1
    assert "100" in failure.differences[0].got


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (f'"{V2}"]', f'"{V3}"]', f"a.toml:2: rulebooks names '{V3}' twice"),
        ('["5.10"]', '["5.99"]', f"a.toml:5: in {V2}: {V2} has no paragraph '5.99'"),
        ('["5.12"]', '["5.99"]', f"a.toml:3: in {V3}: {V3} has no paragraph '5.99'"),
        (f"[in.{V2}]", "[in.poker-v5]", "a.toml:4: the case does not hold in 'poker-v5'"),
        (f"[in.{V2}]", f'[in.{V2}]\ntitle = "x"', "a.toml:5: title is the same in every book"),
        (f"in.{V2}.exp", f'in.{V2}.do = "fold"\nin.{V2}.exp', "do is the same in every book"),
        ("rulebooks =", f'rulebook = "{V3}"\nrulebooks =', "its rulebook or its rulebooks, not"),
        (f'rulebooks = ["{V3}", "{V2}"]', f'rulebook = "{V3}"', "in is for a case that names sev"),
        ("standing = {", 'refused = "5.12.9"\nexpect.standing = {', f"in {V3}: expect: refused: "),
        (f"in.{V2}.expect.standing", f"in.{V2}.expect.stending", f"a.toml:21 (step 2): in {V2}: "),
    ],
)
def test_what_is_wrong_with_the_books_is_told_at_its_line(old, new, message):
    assert old in TEXT
    with pytest.raises(CaseError) as caught:
        run(TEXT.replace(old, new, 1))
    assert message in str(caught.value)


def test_every_book_is_counted_by_itself():
    text = TEXT.replace("5.12", "3.11.2.a").replace("5.10", "3.11.2.a")
    found = coverage([("a.toml", text)], GAMES)
    assert found.failed == []
    covered = {book: counts.covered for book, counts in found.rulebooks.items()}
    assert (covered[V2], covered[V3]) == (1, 1)
    [failed] = coverage([("a.toml", WRONG)], GAMES).failed
    assert failed.case.book.id == V2


def test_the_command_line_names_the_book_that_fails(tmp_path):
    file = tmp_path / "a.toml"
    file.write_text(WRONG)
    told = CliRunner().invoke(croupier, ["case", "run", str(file)]).stdout
    assert f"({V2})" in told
    assert "1 passed, 1 failed" in told
    told = CliRunner().invoke(croupier, ["case", "explain", str(file), "--rulebook", V2])
    assert told.exit_code == 1
    told = CliRunner().invoke(croupier, ["case", "explain", str(file)])
    assert told.exit_code == 0
    told = CliRunner().invoke(croupier, ["case", "explain", str(file), "--rulebook", "v9"])
    assert f"it holds in {V3}, {V2}" in " ".join(told.output.split())


def test_the_books_of_a_file_are_found_without_reading_it():
    assert books_named(TEXT) == (V3, V2)
    assert books_named('title = "x"\nrulebook = "poker-v5"\n') == ("poker-v5",)
    assert books_named('rulebooks = [\n  "a",\n  "b",\n]\n') == ("a", "b")
    assert books_named("") == ()
