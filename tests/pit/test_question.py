"""The ruling desk's core: an incident with open facts, and a whole situation."""

from __future__ import annotations

import pytest
from msgspec import structs

from croupier.pit import GAMES
from croupier.pit.incidents import (
    Catalogue,
    Fact,
    Incident,
    UnknownFact,
    Value,
    combinations,
    filled,
    merged,
    staged,
)
from croupier.pit.question import Answered, Question, ask

V8 = "no-limit-holdem-v8"

SITUATION = {
    "table": {"dealing": "by-hand", "acting": "seen", "button": 1},
    "seats": {str(n): {"player": f"seat {n}", "stake": 500} for n in (1, 2, 3, 4)},
}


def exposed(**facts: str) -> Question:
    return Question(rulebook=V8, incident="exposed-in-the-deal", facts=facts)


def test_only_what_changes_the_ruling_is_asked_and_the_rest_is_said_to_be_taken() -> None:
    question = Question(rulebook=V8, incident="one-big-chip")
    assert {fact.name for fact in ask(question, GAMES).open} == {"chip", "last"}
    # Above the bet it is a Call (3.6), whether or not he has more chips.
    more = ask(structs.replace(question, facts={"chip": "more"}), GAMES)
    assert more.open == ()
    assert [(a.name, a.says) for a in more.assumed] == [("last", "No")]
    assert more.ruling is not None
    assert more.ruling.cites[0] == "3.6"


def test_branches_stand_side_by_side_until_it_is_known() -> None:
    answer = ask(exposed(acted="none"), GAMES)
    assert [fact.name for fact in answer.open] == ["exposed"]
    one, two = answer.branches
    assert one.says == "One"
    assert [ruling.cites[0] for ruling in one.rulings] == ["5.5"]
    assert [ruling.cites[0] for ruling in two.rulings] == ["5.3.3"]


def test_one_card_is_the_burn_and_the_player_gets_another() -> None:
    ruling = ask(exposed(acted="none", exposed="one"), GAMES).ruling
    assert ruling is not None
    assert ruling.kind == "ruling"
    assert ruling.headline.startswith("The card was exposed: it will be the burn")
    ways = {(way.leaves, way.goes): way.count for way in ruling.cards}
    assert ways == {("seat 3", "the next burn"): 1, ("the shoe", "seat 3"): 1}
    assert ruling.money == ()


def test_a_misdeal_is_confirmed_by_whoever_asks_and_all_bets_go_back() -> None:
    ruling = ask(exposed(acted="none", exposed="two"), GAMES).ruling
    assert ruling is not None
    assert ruling.signed_by == ("Pit Supervisor",)
    assert {(way.leaves, way.count) for way in ruling.cards} == {
        (f"seat {n}", 2) for n in range(1, 7)
    }
    moved = {(m.who, m.where): (m.before, m.after) for m in ruling.money}
    assert moved["seat 2", "behind"] == ("495", "500")
    assert moved["seat 3", "in front"] == ("10", "0")
    assert moved["the Pot", "with all bets"] == ("15", "0")


def test_after_substantial_action_play_goes_on() -> None:
    ruling = ask(exposed(acted="substantial", exposed="two"), GAMES).ruling
    assert ruling is not None
    assert ruling.cites[0] == "5.3.7"
    assert ruling.next[0].startswith("It is the turn of seat 6")


@pytest.mark.parametrize(
    ("question", "path", "says"),
    [
        (exposed(exposed="nine"), "facts.exposed", "one, two"),
        (exposed(weather="rain"), "facts.weather", "there is acted, exposed"),
        (Question(rulebook=V8, incident="flood"), "incident", "knows no incident 'flood'"),
        (Question(rulebook="whist"), "rulebook", "whist"),
        (Question(rulebook=V8), "report", "say what is reported"),
        (Question(rulebook=V8, policies={"tea": "no"}, incident="x"), "policies", "tea"),
        (Question(rulebook=V8, facts={"a": "b"}), "facts", "belong to an incident"),
    ],
)
def test_what_cannot_be_asked_is_told_with_its_place(
    question: Question, path: str, says: str
) -> None:
    with pytest.raises(UnknownFact) as raised:
        ask(question, GAMES)
    assert raised.value.path == path
    assert says in raised.value.says


def test_a_whole_situation_is_a_question_too() -> None:
    seats = SITUATION["seats"] | {"3": {"player": "seat 3", "stake": 500, "cards": "9h 9d"}}
    now = {"now": {"stage": "flop", "pot": "40"}, "board": {"flop": "Ah Kd 2c"}}
    question = Question(
        rulebook=V8,
        situation=SITUATION | now | {"seats": seats},
        step=({"do": "check", "seat": 2},),
        report=({"do": "report shown", "seat": 3, "cards": "9h", "to": [4]},),
    )
    ruling = ask(question, GAMES).ruling
    assert ruling is not None
    assert ruling.cites[0] == "5.15.2.a"  # seat 4 has not acted: at once
    assert "9♥" in " ".join(s.says for s in ruling.sentences)


def test_a_situation_that_no_table_reaches_says_what_contradicts_what() -> None:
    question = Question(
        rulebook=V8,
        situation=SITUATION | {"now": {"stage": "flop", "pot": "41"}},
        report=({"do": "report missing burn"},),
    )
    answer = ask(question, GAMES)
    assert answer.ruling is None
    assert "now.pot" in answer.impossible
    assert "41" in answer.impossible


def test_a_report_that_cannot_be_true_is_said_to_be_so() -> None:
    question = Question(
        rulebook=V8,
        situation=SITUATION | {"now": {"stage": "flop"}},
        report=({"do": "report surplus cards"},),
    )
    answer = ask(question, GAMES)
    assert answer.ruling is not None
    assert answer.ruling.kind == "refused"
    assert answer.impossible == answer.ruling.headline


def test_a_card_that_is_named_twice_is_told() -> None:
    question = Question(
        rulebook=V8,
        situation=SITUATION | {"board": {"flop": "Ah Ah 2c"}, "now": {"stage": "flop"}},
        report=({"do": "report missing burn"},),
    )
    assert "A♥" in ask(question, GAMES).impossible


def test_discretion_says_who_decides_and_what_each_answer_leads_to() -> None:
    question = Question(
        rulebook=V8,
        situation=SITUATION,
        report=({"do": "report irregularity", "kind": "uncovered", "says": "a drink was spilt"},),
    )
    ruling = ask(question, GAMES).ruling
    assert ruling is not None
    assert ruling.kind == "discretion"
    [decision] = ruling.decisions
    assert (decision.of, decision.by) == ("Shift Manager", "staff")
    options = {option.name: option for option in decision.options}
    assert options["void"].then[0].cites
    assert options["return chips"].asks
    on = ask(
        Question(
            rulebook=V8,
            situation=SITUATION,
            report=question.report,
            answers=(Answered(question="ruling", option="void"),),
        ),
        GAMES,
    ).ruling
    assert on is not None
    assert on.kind == "ruling"
    assert on.decisions == ()
    assert {m.who for m in on.money} >= {"seat 2", "seat 3"}


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (Answered(question="weather", option="rain"), "nobody asks 'weather' here"),
        (Answered(question="ruling", option="rain"), "has continue, void"),
    ],
)
def test_an_answer_to_nothing_that_is_asked_is_told(answer: Answered, says: str) -> None:
    question = Question(
        rulebook=V8,
        situation=SITUATION,
        report=({"do": "report irregularity", "kind": "uncovered", "says": "a drink was spilt"},),
        answers=(answer,),
    )
    assert says in ask(question, GAMES).impossible


# -- the pieces -----------------------------------------------------------------------------------


def test_a_variable_stands_for_a_value_a_place_after_it_or_a_part_of_a_text() -> None:
    raw = {"seat": "$who", "next": "$who+2", "says": "seat $who bets $amount", "$who": 1}
    assert filled(raw, {"who": 5, "amount": "60"}, [1, 3, 5]) == {
        "seat": 5,
        "next": 3,
        "says": "seat 5 bets 60",
        5: 1,
    }


def test_what_is_otherwise_is_merged_deep_and_an_empty_record_takes_away() -> None:
    one = {"table": {"button": 1, "begin": "posted"}, "now": {"stage": "flop"}}
    assert merged(one, {"table": {"button": 2}, "now": {}}) == {
        "table": {"button": 2, "begin": "posted"}
    }


def test_a_fact_that_plays_no_part_is_left_out() -> None:
    facts = (
        Fact(name="a", ask="A?", value=(Value(name="x"), Value(name="y"))),
        Fact(name="b", ask="B?", value=(Value(name="1"), Value(name="2")), when={"a": ("y",)}),
    )
    assert list(combinations(facts, {})) == [{"a": "x"}, {"a": "y", "b": "1"}, {"a": "y", "b": "2"}]


def test_what_is_said_was_so_and_what_it_hangs_on_too() -> None:
    facts = (
        Fact(name="a", ask="A?", value=(Value(name="x"), Value(name="y"))),
        Fact(name="b", ask="B?", value=(Value(name="1"), Value(name="2")), when={"a": ("y",)}),
    )
    assert list(combinations(facts, {"b": "2"})) == [{"a": "y", "b": "2"}]
    assert list(combinations(facts, {"a": "x", "b": "2"})) == []


def test_a_fact_that_hangs_on_another_is_asked_after_it() -> None:
    # Below the call, bet or raise rule alike; but from how much it was raised sets the next raise.
    asked = Question(rulebook=V8, incident="all-in-amount", facts={"amount": "60", "bet": "100"})
    assert [fact.name for fact in ask(asked, GAMES).open] == ["facing", "from"]
    faced_a_bet = structs.replace(asked, facts={**asked.facts, "facing": "bet"})
    assert ask(faced_a_bet, GAMES).open == ()


def test_what_is_given_says_what_it_hangs_on() -> None:
    facts = {"amount": "60", "bet": "100", "facing": "raise", "from": "50"}
    answer = ask(Question(rulebook=V8, incident="all-in-amount", facts=facts), GAMES)
    assert {one.name: one.hangs_on for one in answer.given}["from"] == ("facing",)


def test_what_does_not_go_with_the_rest_is_not_passed_over() -> None:
    facts = {"amount": "60", "bet": "100", "facing": "bet", "from": "50"}
    answer = ask(Question(rulebook=V8, incident="all-in-amount", facts=facts), GAMES)
    assert answer.ruling is None
    assert "From how much was it raised? 50" in answer.impossible
    assert "A bet" in answer.impossible


def test_the_steps_of_a_fact_stand_where_the_incident_has_room_for_them() -> None:
    fact = Fact(name="a", ask="A?", value=(Value(name="x", step=({"do": "look"},)),))
    incident = Incident(
        name="i",
        group="g",
        title="t",
        step=({"do": "deal"}, {"fact": "a"}, {"do": "check"}),
        report=({"do": "report"},),
        fact=(fact,),
    )
    catalogue = Catalogue(setup={"seats": {}}, group=(), incident=(incident,))
    raw, reports = staged(catalogue, incident, (fact,), {"a": "x"})
    assert [step["do"] for step in raw["step"]] == ["deal", "look", "check", "report"]
    assert reports == 1
