"""Every case is a question, and every question with a ruling is a case that passes."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from croupier.desk.book_pages import facts_of, incidents
from croupier.desk.cases import case_text, question_of, shipped_question
from croupier.desk.errors import CannotAsk, NotRuled, NotThere
from croupier.desk.toml import case_toml, toml_value
from croupier.pit import GAMES, CaseError, read_case, run_case, shipped_cases
from croupier.pit.question import Question, ask
from croupier.rulebooks import BOOKS, load
from croupier.rulebooks.several import books_named
from tests.desk.asked import EXPOSED, OPEN, left_to_discretion

CASES = [(book, source, text) for source, text in shipped_cases() for book in books_named(text)]
SOME = [one for book in BOOKS for one in [c for c in CASES if c[0] == book][::100]]


def there_and_back(book: str, source: str, text: str) -> None:
    """From a case to its question, over the wire, to its ruling and back to a case."""
    asked = question_of(text, source, book).question
    question = msgspec.json.decode(msgspec.json.encode(asked), type=Question)
    assert question.rulebook == book
    answer = ask(question, GAMES)
    if answer.ruling is None:
        assert answer.impossible, source
        return
    again = case_text(question, answer)  # which runs it
    saved = question_of(again, "saved.toml").question
    assert (saved.report, saved.step) == (question.report, question.step), source
    answered = ask(saved, GAMES)
    assert answered.ruling == answer.ruling, source


@pytest.mark.parametrize(("book", "source", "text"), SOME, ids=[f"{b} {s}" for b, s, _ in SOME])
def test_some_cases_of_each_book_there_and_back(book: str, source: str, text: str):
    there_and_back(book, source, text)


def test_cards_of_a_later_round_lie_where_the_case_says_although_seats_have_changed():
    """Eva comes back and Ben goes away between the shuffle and the deal of the fourth round: the
    desk had her aces lie elsewhere, and Cho won."""
    source = "no-limit-holdem-v8/4.3-against-a-dead-post-alone.toml"
    [(book, _, text)] = [case for case in CASES if case[1] == source]
    answer = ask(question_of(text, source, book).question, GAMES)
    assert answer.ruling is not None
    there_and_back(book, source, text)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_all_cases_of_a_book_there_and_back(book: str):
    for of, source, text in CASES:
        if of == book:
            there_and_back(book, source, text)


def test_a_question_of_the_catalogue_is_a_case_that_passes():
    text = case_text(EXPOSED, ask(EXPOSED, GAMES))
    case = read_case(text, "saved.toml", GAMES)
    result = run_case(case, GAMES)
    assert result.passed
    assert case.paragraphs[0] == "5.3.3"
    assert result.covered == case.paragraphs  # it would fail if the ruling were another
    raw = tomllib.loads(text)
    report, confirmed = raw["step"][-2:]
    assert report["do"] == "report exposed"
    assert confirmed["decision"] == "confirm misdeal"
    assert confirmed["expect"]["events"] == ["misdeal declared"]
    assert confirmed["expect"]["stakes"] == {"2": 500, "3": 500}


def test_who_disagrees_changes_the_expectation():
    text = case_text(EXPOSED, ask(EXPOSED, GAMES))
    changed = text.replace('"misdeal declared"', '"round voided"')
    with pytest.raises(CaseError):
        read_case(changed.replace("round voided", "no such event"), "saved.toml", GAMES)
    kept = text.replace("expect.restarts = 1", "expect.restarts = 0")
    assert kept != text
    assert not run_case(read_case(kept, "saved.toml", GAMES), GAMES).passed


def test_what_has_no_ruling_is_no_case():
    with pytest.raises(NotRuled, match="still open"):
        case_text(OPEN, ask(OPEN, GAMES))


def test_what_was_decided_is_in_the_case():
    question = left_to_discretion()
    answer = ask(question, GAMES)
    assert "decide" not in [
        step["do"] for step in tomllib.loads(case_text(question, answer))["step"]
    ]
    assert answer.ruling is not None
    voided = msgspec.convert([{"question": "ruling", "option": "void"}], tuple, strict=False)
    decided = msgspec.convert({**msgspec.to_builtins(question), "answers": list(voided)}, Question)
    steps = tomllib.loads(case_text(decided, ask(decided, GAMES)))["step"]
    assert (steps[-1]["do"], steps[-1]["option"]) == ("decide", "void")


def test_policies_go_with_the_question():
    policy = {"wrong-count-after-action": "misdeal"}
    question = structs.replace(EXPOSED, policies=policy)
    text = case_text(question, ask(question, GAMES))
    assert tomllib.loads(text)["policies"] == policy
    assert question_of(text, "saved.toml").question.policies == policy


def test_a_refused_step_is_left_out_and_the_report_is_the_last_one_expected():
    text = """
title = "One that was refused on the way"
rulebook = "no-limit-holdem-v8"
paragraphs = ["5.14"]
[table]
button = 1
dealing = "by-hand"
[seats]
1 = { player = "Ann", stake = 500 }
2 = { player = "Ben", stake = 500 }
3 = { player = "Cho", stake = 500 }
[[step]]
do = "deal to flop"
[[step]]
do = "raise"
seat = 1
to = 50
expect.says = "turn"
[[step]]
do = "report wager"
seat = 3
words = "check"
unnoticed = true
[[step]]
do = "report skipped"
seat = 2
expect.turn = 2
[[step]]
do = "bet"
seat = 2
to = 40
expect.turn = 3
"""
    found = question_of(text, "mine.toml")
    assert found.question.report == ({"do": "report skipped", "seat": 2},)
    assert [step["do"] for step in found.question.step] == ["deal to flop", "report wager"]
    assert found.paragraphs == ("5.14",)


def test_a_case_of_several_books_is_asked_in_each():
    source, text = next((s, t) for s, t in shipped_cases() if len(books_named(t)) > 1)
    first, second, *_ = books_named(text)
    assert question_of(text, source).question.rulebook == first
    assert question_of(text, source, second).question.rulebook == second
    with pytest.raises(CannotAsk, match="does not hold in"):
        question_of(text, source, next(b for b in BOOKS if b not in books_named(text)))
    with pytest.raises(CannotAsk, match="There is no rulebook"):
        question_of(text, source, "v99")


def test_a_case_that_is_not_there_and_a_file_that_is_none(tmp_path: Path):
    with pytest.raises(NotThere, match="no shipped case"):
        shipped_question("no-limit-holdem-v8/no-such-case")
    with pytest.raises(CaseError, match="not TOML"):
        question_of("title = ", "mine.toml")


# -- TOML -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        "plain", 'a "quoted" \\ word', "two\nlines\ttab", "♠ é 😀", "\x7f\x00", "", True, False, 0,
        -3, [1, [2, "x"]], {"a b": 1, "c": {"d": []}}, {}, [],
    ],
)  # fmt: skip
def test_values_come_back_as_they_were(value: object):
    assert tomllib.loads(f"x = {toml_value(value)}")["x"] == value


def test_a_case_is_laid_out_for_its_reader():
    raw = {
        "title": "T",
        "links": {"main link": {"meter": 1}},
        "tables": {"A": {"boxes": {"1": {"player": "Ann"}}, "link": "main link"}},
        "later": [{"1": "As"}],
        "policies": {},
        "step": [{"do": "x", "expect": {"turn": 1, "cites": ["3.1"] * 30}}],
    }
    text = case_toml(raw)
    assert '[links."main link"]' in text
    assert "[tables.A]" in text
    assert "policies" not in text
    assert max(map(len, text.splitlines())) < 100
    assert tomllib.loads(text) == {key: value for key, value in raw.items() if value}


# -- the catalogue --------------------------------------------------------------------------------


def usual_questions(*, common: bool) -> list[Question]:
    """Each incident of each book, with what is usual where something is open."""
    return [
        Question(
            rulebook=book,
            incident=incident.name,
            facts={fact.name: fact.taken() for fact in facts_of(load(book), incident.name)},
        )
        for book in BOOKS
        for incident in incidents(load(book))
        if incident.common or not common
    ]


def saved(question: Question) -> None:
    answer = ask(question, GAMES)
    if answer.ruling is not None:
        assert run_case(read_case(case_text(question, answer), "saved.toml", GAMES), GAMES).passed


def test_the_commonest_incidents_are_saved_as_cases_that_pass():
    for question in usual_questions(common=True)[::4]:
        saved(question)


@pytest.mark.slow
def test_every_incident_is_saved_as_a_case_that_passes():
    for question in usual_questions(common=False):
        saved(question)


def test_a_question_that_a_policy_rules_without_asking_makes_a_case_without_the_answer():
    void = {"wrong-count-unseen": "void-round"}
    facts = {"box": "1", "found": "in the round", "looked": "nobody"}
    question = Question(
        rulebook="multi-link-progressive-v3", incident="wrong-count", facts=facts, policies=void
    )
    text = case_text(question, ask(question))
    assert [step["do"] for step in tomllib.loads(text)["step"]][-1] == "report wrong count"
