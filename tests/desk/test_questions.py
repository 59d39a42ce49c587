"""What cannot be asked is told with what and where; what cannot have been is an answer."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from croupier.desk.errors import CannotAsk, NotThere
from croupier.pit.question import Answered, Question
from croupier.pit.ruling import DISCRETION
from croupier.rulebooks import BOOKS
from tests.desk.asked import EXPOSED, OPEN, a_desk, left_to_discretion

DESK = a_desk()
SEATS = {str(n): {"player": f"seat {n}", "stake": 500} for n in (1, 2, 3)}
TABLE = {"table": {"button": 1, "dealing": "by-hand"}, "seats": SEATS}
FLOP = ({"do": "deal to flop"},)


def told(rulebook: str = "v8", **more: Any) -> Question:
    more = {"situation": TABLE, "report": ({"do": "check", "seat": 2},), **more}
    return Question(rulebook=rulebook, **more)


def with_seat(**seat: Any) -> dict[str, Any]:
    return {**TABLE, "seats": {**SEATS, "3": {"player": "seat 3", "stake": 500, **seat}}}


@pytest.mark.parametrize(
    ("question", "path", "says"),
    [
        (Question(rulebook="v99"), "rulebook", "There is no rulebook 'v99'"),
        (structs.replace(OPEN, policies={"x": "y"}), "policies", "has no policy 'x'"),
        (structs.replace(OPEN, incident="x"), "incident", "knows no incident 'x'"),
        (structs.replace(OPEN, facts={"x": "y"}), "facts.x", "there is no such fact here"),
        (structs.replace(OPEN, facts={"acted": "y"}), "facts.acted", "'y' is none of none, one"),
        (structs.replace(OPEN, step=FLOP), "step", "an incident has steps"),
        (Question(rulebook="v8"), "report", "say what is reported"),
        (told(facts={"acted": "none"}), "facts", "facts belong to an incident"),
        (told(situation={**TABLE, "seatz": 1}), "situation", "did you mean 'seats'"),
        (told(situation={**TABLE, "policies": {}}), "situation.policies", "no part of"),
        (told(situation=with_seat(cards="As Kd 2c")), "situation", "3 cards are too many"),
        (told(situation=with_seat(stake="much")), "situation", "is not an amount"),
        (told(situation={**TABLE, "starts": "soon"}), "situation.starts", "no time"),
        (told(report=({"do": "juggle"},)), "step 1", "nothing is called 'juggle'"),
        (told(report=({"seat": 2},)), "step 1", "a step needs do"),
        (told(report=({"do": "check", "seat": 2, "at": "soon"},)), "step 1", "no time"),
    ],
)
def test_what_cannot_be_asked_is_told_with_its_place(question: Question, path: str, says: str):
    with pytest.raises(CannotAsk) as error:
        DESK.ask(question)
    assert error.value.path == f"question.{path}"
    assert says in error.value.says


@pytest.mark.parametrize(
    ("situation", "step", "says"),
    [
        (with_seat(cards="As As"), FLOP, "A♠ is named twice"),
        ({**TABLE, "now": {"stage": "turn", "pot": 7}}, (), "now.pot: 7 cannot be made"),
        (
            {**TABLE, "now": {"stage": "flop", "pot": 30, "acted": ["3 check"]}},
            (),
            "seat 3 cannot act before seat 2",
        ),
        (TABLE, ({"do": "deal river"},), "step 1: deal river"),
        (TABLE, (), "report: "),
    ],
)
def test_what_cannot_have_been_is_an_answer(
    situation: dict[str, Any], step: tuple[dict[str, Any], ...], says: str
):
    asked = DESK.ask(told(situation=situation, step=step, report=({"do": "check", "seat": 9},)))
    assert says in asked.answer.impossible
    assert asked.status == "open"


def test_amounts_and_times_may_be_as_json_has_them():
    situation = {**with_seat(stake=200.0), "starts": "2024-08-01T20:00:00+08:00"}
    asked = DESK.ask(
        told(
            situation=situation,
            step=FLOP,
            report=({"do": "bet", "seat": 2, "to": 12.0, "at": "20:30:00"},),
        )
    )
    assert asked.answer.ruling is not None
    assert asked.answer.ruling.headline == "Seat 2 bets 12."


def test_what_is_written_is_not_endless():
    for more in ({"who": "x" * 2_001}, {"area": "x" * 2_001}):
        with pytest.raises(CannotAsk, match=r"at most 2,000 letters"):
            DESK.ask(EXPOSED, **more)


def test_a_ruling_goes_on_from_what_was_decided():
    question = left_to_discretion()
    asked = DESK.ask(question)
    assert asked.answer.ruling is not None
    [decision] = asked.answer.ruling.decisions
    assert decision.question == DISCRETION
    voided = Answered(question=DISCRETION, option="void")
    ruling = DESK.ask(structs.replace(question, answers=(voided,))).answer.ruling
    assert ruling is not None
    assert (ruling.kind, ruling.cites[0]) == ("ruling", asked.answer.ruling.cites[0])
    assert not ruling.decisions


# -- books ----------------------------------------------------------------------------------------


def test_every_book_can_be_opened():
    lines = DESK.books()
    assert [line.id for line in lines] == [*BOOKS]
    for line in lines:
        assert line.word == ("seat" if line.family == "poker" else "box")
        page = DESK.book_so_far(line.id)
        assert page.book == line
        groups = {group.name for group in page.groups}
        assert {incident.group for incident in page.incidents} == groups
        for policy in line.policies:
            assert policy.value in policy.values


def test_an_incident_shows_the_paragraph_that_usually_decides_it():
    page = DESK.book("v8")
    found = next(i for i in page.incidents if i.name == OPEN.incident)
    assert found.cites in {("5.5",), ("5.3.3",)}  # by what is usual
    assert {"acted", "exposed"} <= {fact.name for fact in found.facts}


def test_a_paragraph_has_our_words_and_readings():
    page = DESK.paragraph("v8", "5.14")
    assert page.title == "Skipped Player must speak up"
    assert page.approved is None
    assert {note.reading for note in page.notes} == {"A-32", "A-67"}
    with pytest.raises(NotThere, match=r"has no paragraph '5.99'"):
        DESK.paragraph("v8", "5.99")


# -- search ---------------------------------------------------------------------------------------


def test_words_find_incidents_first_then_paragraphs_and_cases():
    hits = DESK.search("v8", "a card was flashed in the deal")
    assert (hits[0].kind, hits[0].name) == ("incident", OPEN.incident)
    kinds = {hit.kind for hit in DESK.search("v8", "exposed card")}
    assert kinds == {"incident", "paragraph", "case"}
    assert DESK.search("v8", "exposed card")[0].kind == "incident"


def test_a_number_finds_its_paragraph():
    hits = DESK.search("v8", "5.14")
    assert (hits[0].kind, hits[0].name) == ("paragraph", "5.14")


def test_a_case_is_found_under_each_of_its_books():
    for book in ("multi-link-progressive-v2", "multi-link-progressive-v3"):
        cases = [hit for hit in DESK.search(book, "burnt card") if hit.kind == "case"]
        assert cases
        assert all(hit.book == book for hit in cases)
        assert DESK.case_question(cases[0].name, book).question.rulebook == book


@pytest.mark.parametrize("words", ["", "   ", "?!", "zzzzz", "'; DROP TABLE entries; --"])
def test_words_that_find_nothing(words: str):
    assert DESK.search("v8", words) == []
