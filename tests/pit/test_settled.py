"""Where a settled reading rules rather than the text, and whose word a ruling wants."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.pit import GAMES, Question, Ruling, ask
from croupier.pit.incidents import Incident, catalogue_of
from croupier.pit.settled import WHOSE_WORD, reading_of
from croupier.rulebooks import BOOKS, load

SHORT = {
    "V8": "no-limit-holdem-v8",
    "V5": "poker-v5",
    "V6": "progressive-texas-holdem-v6",
    "V2": "multi-link-progressive-v2",
    "V3": "multi-link-progressive-v3",
}
FAMILIES = {"poker": ("V8", "V5"), "banked": ("V6", "V2", "V3")}


def ruled(book: str, incident: str, policies: dict[str, str] | None = None, **facts: str) -> Ruling:
    asked = Question(rulebook=SHORT[book], incident=incident, facts=facts, policies=policies or {})
    answer = ask(asked)
    assert answer.ruling is not None, [fact.name for fact in answer.open]
    return answer.ruling


READ = """
V8 | surplus-flop | since=yes | A-38
V8 | surplus-flop | cards=four burnt=yes since=no order=no |
V8 | surplus-flop | cards=four burnt=yes since=no order=yes | A-38
V8 | winner-shows | | A-74
V8 | shown-cards | cards=both whom=yet-to-act owner=folded | A-74
V8 | skipped | since=one | A-32
V8 | skipped | since=next | A-68
V8 | second-card-exposed | acted=none | A-69
V8 | exposed-in-the-deal | acted=none exposed=two |
V8 | exposed-in-the-deal | acted=none exposed=one | A-26
V8 | interruption | moment=run-out | A-23
V8 | foreign-card | moment=betting | A-24
V8 | one-big-chip | chip=more last=no |
V8 | one-big-chip | chip=less last=no | A-14
V8 | one-big-chip | chip=more last=yes | A-15
V8 | folds-after-chips | before=call-chips |
V8 | folds-after-chips | before=said-call | A-18
V8 | all-in-amount | facing=bet bet=100 amount=150 | A-05 A-06
V8 | all-in-amount | facing=bet bet=100 amount=60 | A-03
V8 | out-of-turn-bet | act=raise then=unchanged |
V8 | out-of-turn-bet | act=raise then=changed | A-35
V8 | out-of-turn-bet | act=check then=unchanged | A-73
V8 | too-few-flop | since=no | A-76
V8 | missing-burn | street=turn since=no |
V8 | dealer-took-hand | | A-62
V8 | nobody-can-call | | A-78
V8 | who-shows-first | how=raise |
V8 | odd-chip | | A-40 A-41
V5 | one-big-chip | chip=more last=no | P-24
V5 | exposed-in-the-deal | acted=none exposed=one | P-21
V5 | missing-burn | street=turn since=no | P-21
V5 | wrong-count | looked=somebody cards=three who=another when=none | P-18
V5 | folds-after-chips | before=call-chips | P-21
V5 | uncalled-raise | what=raise | P-15
V3 | exposed-in-the-deal | looked=somebody |
V2 | exposed-in-the-deal | looked=nobody cards=one | B-49
V6 | bonus-bet-without-ante | | B-44
V3 | walks-away | left=yes | B-46
V3 | award-taken-back | paid=yes | B-63
V3 | jackpot-device-fails | when=nobody | B-56
V3 | jackpot-device-fails | when=somebody | B-64
V3 | two-jackpot-hands | first=royal | B-07
V2 | paid-wrongly | | B-59
"""
"""Book, incident, facts, and the readings that its ruling must name; none where the text rules."""


def rows() -> Iterator[tuple[str, str, dict[str, str], set[str]]]:
    for line in READ.strip().splitlines():
        book, incident, told, read = (part.strip() for part in line.split("|"))
        facts = dict(fact.split("=") for fact in told.split())
        yield book, incident, facts, set(read.split())


@pytest.mark.parametrize(("book", "incident", "facts", "read"), list(rows()))
def test_a_ruling_names_the_reading_that_it_rests_on(
    book: str, incident: str, facts: dict[str, str], read: set[str]
):
    ruling = ruled(book, incident, **facts)
    named = {one.reading for one in ruling.readings}
    assert read <= named
    if not read:
        assert named == set()
    assert all(one.says and one.paragraphs for one in ruling.readings)


def every_incident() -> Iterator[tuple[str, Incident]]:
    for family in FAMILIES:
        for incident in catalogue_of(family).incident:
            yield family, incident


def test_every_reading_that_is_named_stands_in_a_book_of_the_incident():
    for family, incident in every_incident():
        books = [load(SHORT[b]) for b in FAMILIES[family] if incident.fits(load(SHORT[b]))]
        for one in incident.rests:
            assert any(reading_of(book, one.on) for book in books), (incident.name, one.on)
            facts = [f for b in books for f in catalogue_of(family).facts_of(incident, b)]
            for name, values in one.when.items():
                known = {value for fact in facts if fact.name == name for value in fact.names()}
                assert set(values) <= known, (incident.name, name)


def test_a_policy_is_found_by_trying_and_says_what_would_be_ruled_otherwise():
    ruling = ruled("V8", "interruption", moment="run-out")
    [read] = [one for one in ruling.readings if one.reading == "A-23"]
    assert read.policy == "interrupted-run-out"
    assert "void" in read.otherwise[0]
    other = ruled("V8", "interruption", {"interrupted-run-out": "void"}, moment="run-out")
    assert "void" in other.headline


def test_whose_word_is_wanted_says_on_what_and_why():
    ruling = ruled("V8", "exposed-in-the-deal", acted="none", exposed="two")
    [word] = ruling.confirmed
    assert word.of == "Pit Supervisor"
    assert word.says.startswith("It is a Misdeal: ")
    assert word.took == "confirm"
    assert word.cites[0] == "5.3.3"
    assert word.readings == ("A-63",)  # 5.3 names nobody


@pytest.mark.parametrize("book", BOOKS)
def test_no_word_is_wanted_without_a_paragraph(book: str):
    for incident in catalogue_of(GAMES.games[book].name).incident:
        if not incident.fits(load(book)):
            continue
        for branch in ask(Question(rulebook=book, incident=incident.name)).branches:
            for ruling in branch.rulings:
                assert all(word.cites for word in ruling.confirmed), incident.name


def test_the_readings_on_whose_word_exist():
    known = {id for ids in WHOSE_WORD.values() for id in ids}
    assert known == {id for id in known if any(reading_of(load(book), id) for book in BOOKS)}


# -- the example ----------------------------------------------------------------------------------


def test_the_example_is_said_wherever_its_amounts_are():
    answer = ask(Question(rulebook=SHORT["V8"], incident="one-big-chip", facts={"chip": "more"}))
    assert "Blinds of 5 and 10" in answer.example
    assert answer.example.endswith("Seat 2 has bet 100, and seat 3 puts in one chip of 500.")
    still_open = ask(Question(rulebook=SHORT["V8"], incident="one-big-chip"))
    assert still_open.example.endswith("Blinds of 5 and 10.")


def test_whoever_tells_of_another_table_is_told_no_example():
    blinds = {"table": {"blinds": [50, 100]}}
    asked = Question(rulebook=SHORT["V8"], incident="absent-blind", situation=blinds)
    assert ask(asked).example == ""


# -- Substantial Action ---------------------------------------------------------------------------


@pytest.mark.parametrize(("acted", "limb"), [("substantial", "1.48.a"), ("three", "1.48.b")])
def test_the_limb_that_makes_substantial_action_is_cited(acted: str, limb: str):
    ruling = ruled("V8", "exposed-in-the-deal", acted=acted, exposed="two")
    assert ruling.cites[0] == "5.3.7"
    assert limb in ruling.cites
    passed_over = ruled("V8", "skipped", since=acted)
    assert passed_over.cites[0] == "5.4"
    assert limb in passed_over.cites


# -- where the House reads it otherwise -----------------------------------------------------------


@pytest.mark.parametrize("book", ["V3", "V2"])
def test_a_reading_that_decides_is_told_as_the_house_reads_it(book: str):
    told = {
        value: {one.reading: one.says for one in ruled(book, "will-not-show", policies).readings}
        for value, policies in {"tabled": {}, "lost": {"refusal-bonus": "lost"}}.items()
    }
    assert "Bonus line are paid" in told["tabled"]["B-29"]
    assert told["lost"]["B-29"] == "Lost, as on any fold."


@pytest.mark.parametrize("book", ["V3", "V2", "V6"])
def test_a_wrong_count_that_voids_the_round_by_policy_can_have_been_so(book: str):
    void = {"wrong-count-unseen": "void-round"}
    known = {"box": "1", "found": "in the round"}
    ruling = ruled(book, "wrong-count", void, **known, looked="nobody")
    assert ruling.headline == "The round is void: all bets go back."
    assert ruling.cites[0] == "5.8.6"
    seen = ruled(book, "wrong-count", void, **known, looked="somebody", others="no", **PUT_BACK)
    assert seen.headline == "The hand of box 1 is cancelled (wrong number of cards): 65 goes back."
    unsaid = ask(Question(rulebook=SHORT[book], incident="wrong-count", policies=void, facts=known))
    assert [fact.name for fact in unsaid.open] == ["looked", "put back", "others"]


@pytest.mark.parametrize("book", ["V3", "V2", "V6"])
def test_the_other_reading_of_a_wrong_count_is_told_with_what_it_would_rule(book: str):
    known = {"box": "1", "found": "in the round", "others": "no", **PUT_BACK}
    ruling = ruled(book, "wrong-count", **known)
    [read] = [one for one in ruling.readings if one.reading == "B-50"]
    assert read.otherwise == ("The whole round is void. The round is void: all bets go back.",)
    asked = ask(Question(rulebook=SHORT[book], incident="wrong-count", facts=known))
    assert "looked" in {one.name for one in asked.assumed}


PUT_BACK = {"put back": "no"}
