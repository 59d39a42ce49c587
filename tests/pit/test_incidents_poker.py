"""The poker catalogue of the ruling desk: every incident in every way that it may have been."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from croupier.pit import GAMES
from croupier.pit import question as desk
from croupier.pit.incidents import Catalogue, Fact, Incident, catalogue_of, staged
from croupier.pit.open_facts import Tried, matters
from croupier.pit.question import Answer, Answered, Question, ask, tried_ways
from croupier.pit.ruling import Ruling
from croupier.poker.table import PokerTable
from croupier.rulebooks import Rulebook, Topic, load

BOOKS = ("no-limit-holdem-v8", "poker-v5")
CATALOGUE: Catalogue = catalogue_of("poker")
EVERY = [
    (book, incident)
    for book in BOOKS
    for incident in CATALOGUE.incident
    if incident.fits(load(book))
]


@pytest.fixture(scope="module", autouse=True)
def all_is_kept() -> Iterator[None]:
    """The desk keeps what it has ruled, so that no test has it rule the same again; a catalogue is
    more than it keeps at work."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk, "_KEPT_AT_MOST", 100_000)
        yield


def facts_of(book: Rulebook, incident: Incident) -> tuple[Fact, ...]:
    return CATALOGUE.facts_of(incident, book)


@cache
def ways(book: str, name: str) -> list[Tried]:
    """Every way in which an incident may have been, each with its ruling."""
    return tried_ways(Question(rulebook=book, incident=name), GAMES)


def rulings(book: str) -> Iterator[tuple[str, Ruling]]:
    for one, incident in EVERY:
        if one == book:
            for way in ways(book, incident.name):
                if way.ruling is not None and way.stands:
                    yield incident.name, way.ruling


every_incident = pytest.mark.parametrize(
    ("book", "incident"), EVERY, ids=[f"{book}: {incident.name}" for book, incident in EVERY]
)


# -- every incident answers -----------------------------------------------------------------------

JARGON = ("..", "struct", "None", "{", "_", "the desk")
"""What no reader should meet."""


@every_incident
def test_every_way_is_ruled_or_is_said_to_be_impossible(book: str, incident: Incident):
    tried = ways(book, incident.name)
    assert tried
    assert len(tried) <= 128
    assert any(way.stands for way in tried), tried[0].why_not
    for way in tried:
        assert way.stands or way.why_not.endswith((".", ")")) or ": " in way.why_not, way
        if way.stands and way.ruling is not None:
            told = (way.ruling.headline, *(s.says for s in way.ruling.sentences), *way.ruling.next)
            assert way.ruling.paragraphs or _is_silent(book, way.ruling)
            assert not [(word, text) for text in told for word in JARGON if word in text]


def _is_silent(book: str, ruling: Ruling) -> bool:
    """Whether no paragraph speaks of it and none leaves it to anybody (P-21)."""
    clause = load(book).has(Topic.DISCRETION)
    return not clause and ruling.kind == "discretion" and "No paragraph" in ruling.headline


@every_incident
def test_what_is_asked_of_nothing_known_is_a_ruling_or_an_open_fact(book: str, incident: Incident):
    answer = ask(Question(rulebook=book, incident=incident.name), GAMES)
    assert not answer.impossible
    assert (answer.ruling is None) == bool(answer.open)
    if answer.open:
        assert {value.name for value in answer.open[0].values} >= {b.name for b in answer.branches}
        assert all(branch.rulings for branch in answer.branches)


def test_the_groups_and_names_are_as_a_floor_person_finds_them():
    groups = {group.name for group in CATALOGUE.group}
    assert {incident.group for incident in CATALOGUE.incident} == groups
    for book in BOOKS:
        names = [incident.name for one, incident in EVERY if one == book]
        assert len(set(names)) == len(names)
        common = [i for one, i in EVERY if one == book and i.common]
        assert 10 <= len(common) <= 24
    for incident in CATALOGUE.incident:
        assert incident.title[0].isupper()
        assert len(incident.title) <= 64
        assert incident.words == incident.words.lower()
        assert not incident.title.endswith(".")


# -- no idle facts --------------------------------------------------------------------------------


def test_every_fact_may_change_the_ruling_in_some_book():
    idle = []
    for name in dict.fromkeys(incident.name for _, incident in EVERY):
        here = [(book, incident) for book, incident in EVERY if incident.name == name]
        facts = {f.name for book, i in here for f in facts_of(load(book), i)}
        for fact in facts:
            if not any(_may_matter(book, incident, fact) for book, incident in here):
                idle.append(f"{name}.{fact}")
    assert idle == []


def _may_matter(book: str, incident: Incident, name: str) -> bool:
    facts = facts_of(load(book), incident)
    fact = next((fact for fact in facts if fact.name == name), None)
    standing = [way for way in ways(book, incident.name) if way.stands]
    return fact is not None and (matters(fact, facts, standing) or _scales(book, fact))


def _scales(book: str, fact: Fact) -> bool:
    """Whether an amount that is tried with one value alone is one that others are measured by."""
    return fact.kind == "amount" and len(fact.tried) == 1 and fact.name in ("from",)


def test_from_how_much_it_was_raised_is_what_a_raise_is_measured_by():
    asked = {"facing": "raise", "bet": "100", "amount": "150"}
    rules = [
        ask(
            Question(rulebook=BOOKS[0], incident="all-in-amount", facts={**asked, "from": amount}),
            GAMES,
        ).ruling
        for amount in ("50", "40")
    ]
    assert [ruling and ruling.headline for ruling in rules] == [
        "Seat 4 is All-in to 150: a Raise.",
        "Seat 4 is All-in to 150: more than the Call, but not a Raise.",
    ]


# -- everything of the books occurs ---------------------------------------------------------------

NOT_ASKED: Mapping[str, Mapping[str, str]] = {
    "no-limit-holdem-v8": {},
    "poker-v5": {},
}
"""Paragraphs of section 5 that no incident leads to, and why."""


@pytest.mark.parametrize("book", BOOKS)
def test_every_paragraph_on_irregularities_rules_some_incident(book: str):
    cited = {paragraph.id for _, ruling in rulings(book) for paragraph in ruling.paragraphs}
    of_section = [id for id in load(book).executable if id.split(".")[0] == "5"]
    missing = [id for id in of_section if id not in cited]
    assert missing == list(NOT_ASKED[book])


READINGS = "1.5 1.10 1.12 1.21 1.30 1.32 3.5 3.5.1 3.5.1.a 3.5.1.b 3.5.2 3.5.3 3.5.3.a 3.5.3.b"
READINGS += " 3.5.3.c 3.5.4 3.6 3.6.1 3.19 3.19.1 3.19.2 3.19.3 3.20"
"""Every paragraph by which v8 reads words and chips."""


def test_every_reading_of_words_and_chips_occurs():
    first = {ruling.cites[0] for _, ruling in rulings(BOOKS[0])}
    cited = {paragraph for _, ruling in rulings(BOOKS[0]) for paragraph in ruling.cites}
    assert not set(READINGS.split()) - cited
    assert {"3.6", "3.6.1", "3.5.1.a", "3.5.1.b", "3.5.2", "3.5.4", "3.19.3", "3.20"} <= first
    assert {"3.5.3.a", "3.5.3.b", "3.5.3.c", "3.19.2", "5.13.2", "5.13.4", "5.14", "5.4"} <= first


def steps(incident: Incident) -> Iterator[dict[str, Any]]:
    yield from (*incident.step, *incident.report)
    for fact in (*CATALOGUE.fact, *incident.fact):
        for value in fact.value:
            yield from (*value.step, *(value.report or ()))


def test_every_report_of_the_game_occurs_with_all_that_it_says_of_words_and_chips():
    done = [step for incident in CATALOGUE.incident for step in steps(incident)]
    reports = {str(kind.__struct_config__.tag) for kind in PokerTable.whole.reports}
    assert reports <= {step.get("do", "") for step in done}
    seen = [step for step in done if step.get("do") == "report wager"]
    said = {key for step in seen for key in step}
    assert said >= {"words", "figure", "more", "gesture", "chips", "later", "first", "clear"}
    assert said >= {"then_folds", "unnoticed"}


# -- the commonest, worked out by hand ------------------------------------------------------------

V8, V5 = BOOKS
COMMONEST = """
V8 | exposed-in-the-deal | acted=none exposed=one | the burn before the flop | 5.5
V8 | exposed-in-the-deal | acted=one exposed=one | the burn before the flop | 5.5
V8 | exposed-in-the-deal | acted=substantial exposed=one | Shift Manager or above decides | 5.16.b
V8 | exposed-in-the-deal | acted=one exposed=two | Misdeal | 5.3.3
V8 | exposed-in-the-deal | acted=substantial exposed=two | play goes on | 5.3.7
V5 | exposed-in-the-deal | exposed=two | is void | 5.1.3
V8 | wrong-seats | looked=somebody acted=one | Misdeal | 5.3.5
V8 | wrong-count | cards=three who=blind when=others | hand of seat 3 is dead | 5.6.1
V8 | wrong-count | cards=one who=another when=he | The 30 that seat 6 has put in stay | 5.6.2
V5 | wrong-count | looked=somebody cards=three who=another | is void | 5.1.4
V8 | dealer-took-hand |  | the Shift Manager or above decides | 5.16.a
V8 | shown-cards | cards=one whom=yet-to-act | everybody sees it at once | 5.15.2.a
V8 | one-big-chip | chip=more last=no | call to 100; 400 back | 3.6
V5 | one-big-chip | chip=more last=no | raise to 500 | def.raise
V8 | silent-chips | facing=bet bet=100 spare=yes over=49 | call to 100; 49 back | 3.5.3.a
V8 | silent-chips | facing=bet bet=100 spare=yes over=50 | raise to 200; 50 still | 3.5.3.b
V8 | silent-chips | facing=bet bet=100 spare=yes over=101 | raise to 201 | 3.5.3.c
V8 | raise-declared | facing=bet bet=100 amount=150 more=to | raise to 200 | 3.5.1.a
V8 | words-against-chips | said=raise first=chips | call to 100; 400 back | 3.20
V8 | string-bet | said=nothing | second motion is not accepted | 3.20
V8 | missed-the-raise | said=chips stack=enough | call to 30; 20 still to put in | 3.5.2
V8 | folds-after-chips | before=call-chips | 100 stay in the Pot | 3.5.4
V8 | all-in-amount | facing=bet bet=100 amount=199 | but not a Raise | 3.19.3
V8 | all-in-amount | facing=bet bet=100 amount=200 | to 200: a Raise | 3.19
V5 | all-in-amount | facing=bet bet=100 amount=105 | to 105: a Raise | 3.14.3
V8 | out-of-turn | act=check then=changed | only call or fold now | 5.13.3
V8 | out-of-turn-bet | act=raise then=unchanged | is binding | 5.13.2
V8 | out-of-turn-bet | act=fold | Seat 5 folds | 5.13.4
V8 | skipped | since=one | has the turn now | 5.14
V8 | skipped | since=substantial | may only check, call or fold in this Betting Round | 5.4
V8 | skipped | since=next | hand of seat 4 is dead | 5.14.1
V8 | missing-burn | street=turn since=no | is the burn, and another is dealt | 5.10.2
V8 | missing-burn | street=river since=yes | the cards stand | 5.10.tail
V8 | surplus-flop | cards=four burnt=yes since=no order=no | one kept as the next burn | 5.12
V8 | surplus-flop | cards=five burnt=yes since=no order=no | shuffled into the shoe | 5.12
V8 | early-cards | street=flop all=no choice=stay | goes back into the shoe | 5.11.2
V8 | early-cards | street=turn all=no choice=fold | the early turn stays | 5.11.1
V8 | interruption | moment=betting | is void | 5.1.2
V8 | interruption | moment=run-out | the round is concluded | 5.1.1
V8 | foreign-card | moment=showdown | is void | 5.2.1
V8 | absent-blind | which=small | misses the Small Blind | 5.8
V8 | absent-blind | which=big | misses the Big Blind | 5.9
V8 | comes-back | missed=small where=button | waits until the button | 5.7.3.a
V8 | comes-back | missed=big place=ordinary | 10 live and 5 dead | 5.7.3
V8 | new-player | how=new orbit=yes where=ordinary | pays 10 live | 5.7.1
V8 | new-player | how=relocated orbit=yes where=small | pays nothing | 5.7.2
V8 | silent-chips | facing=bet bet=100 spare=no each=75 | call to 100; 50 back | 3.5.2
V8 | silent-chips | facing=bet bet=100 spare=no each=40 | call to 100; 20 still to put in | 3.5.2
V8 | raise-then-chips | bet=100 how=several each=75 stack=yes | raise to 200; 50 still | 3.5
V8 | raise-then-chips | bet=100 how=none stack=yes | binds to a Raise to at least 200 | 1.37
V8 | raise-then-chips | bet=100 how=none stack=no | All-in to 190 | 1.37
V8 | bet-then-chips | how=none | binds to a BET of at least 10 | 1.5
V8 | bet-then-chips | how=few | bet to 10; 5 still | 1.5
V5 | bet-then-chips | how=none | words alone have no effect | def.bet
V8 | folds-after-chips | before=said-call | words had fixed 100 | 3.5.4
V8 | folds-after-chips | before=no-amount | words had fixed 200 | 3.5.4
V8 | out-of-turn-bet | act=raise-word then=unchanged | is binding | 5.13.2
V8 | out-of-turn-bet | act=raise-word then=changed | is not binding | 5.13.1
V5 | folds-after-chips | before=call-chips | No paragraph of this book speaks of it | -
V5 | folds-after-chips | before=said-call | The cards are over the line: a fold | def.fold
V8 | blind-too-large | which=big | posts 6 and is All-in | 1.8
V8 | away-too-long | said=no | The Pit Manager or above decides | 5.7.3.tail
V8 | nobody-can-call | | that nobody called go back | 4.3
V8 | leaves-with-a-hand | hand=no | the Shift Manager or above decides | 5.16.a
V8 | adds-chips | moment=between | Yes. Seat 4 adds | 3.7.1
"""
"""Book, incident, facts, what the headline says, and the operative paragraph if there is one."""


def commonest() -> Iterator[tuple[str, str, dict[str, str], str, str]]:
    for line in COMMONEST.strip().splitlines():
        book, name, told, says, paragraph = (part.strip() for part in line.split("|"))
        facts = dict(fact.split("=") for fact in told.split())
        yield {"V8": V8, "V5": V5}[book], name, facts, says, paragraph


@pytest.mark.parametrize(("book", "name", "facts", "says", "paragraph"), list(commonest()))
def test_the_commonest_are_ruled_as_the_text_says(
    book: str, name: str, facts: dict[str, str], says: str, paragraph: str
):
    answer = ask(Question(rulebook=book, incident=name, facts=facts), GAMES)
    assert answer.ruling is not None, [fact.name for fact in answer.open]
    assert says in answer.ruling.headline
    assert (answer.ruling.cites or ("-",))[0] == paragraph


def ruled(book: str, name: str, **facts: str) -> Ruling:
    answer: Answer = ask(Question(rulebook=book, incident=name, facts=facts), GAMES)
    assert answer.ruling is not None, [fact.name for fact in answer.open]
    return answer.ruling


def money(ruling: Ruling) -> dict[tuple[str, str], tuple[str, str]]:
    return {(move.who, move.where): (move.before, move.after) for move in ruling.money}


def test_a_misdeal_gives_every_chip_back():
    moved = money(ruled(V8, "exposed-in-the-deal", acted="one", exposed="two"))
    assert moved["seat 2", "in front"] == ("5", "0")
    assert moved["seat 3", "behind"] == ("490", "500")
    assert moved["the Pot", "with all bets"] == ("25", "0")


def test_a_blind_with_the_wrong_count_after_substantial_action_gets_his_blind_back():
    moved = money(ruled(V8, "wrong-count", cards="three", who="blind", when="others"))
    assert moved["seat 3", "behind"] == ("490", "500")


def test_whoever_has_bet_may_not_raise_over_a_short_all_in_and_the_next_may():
    ruling = ruled(V8, "all-in-amount", facing="bet", bet="100", amount="199")
    assert "Seat 2 and seat 3 may only call or fold" in ruling.sentences[-1].says
    assert "seat 5: call to 199, raise to 200" in ruling.next[0]
    full = ruled(V8, "all-in-amount", facing="bet", bet="100", amount="200")
    assert not [one for one in full.sentences if "only call" in one.says]
    in_v5 = ruled(V5, "all-in-amount", facing="bet", bet="100", amount="104")
    assert not [one for one in in_v5.sentences if "only call" in one.says]


def test_who_checked_out_of_turn_may_call_or_fold_when_somebody_has_bet():
    ruling = ruled(V8, "out-of-turn", act="check", then="changed")
    assert ruling.next == ("It is the turn of seat 4: call to 50, fold.",)


def test_what_the_house_decides_has_its_options_with_what_they_lead_to():
    ruling = ruled(V8, "dealer-took-hand")
    [decision] = ruling.decisions
    assert (ruling.kind, decision.of) == ("discretion", "Shift Manager")
    then = {option.name: [one.says for one in option.then] for option in decision.options}
    assert "void" in then["void"][0]


def test_from_how_much_it_was_raised_says_that_it_was_a_raise():
    # A raise from 50 to 100: the Minimum Raise Amount is 50 (1.28), so the next is to 150.
    short = ruled(V8, "all-in-amount", amount="60", bet="100", **{"from": "50"})
    assert short.cites[0] == "3.19.2"
    assert "raise to 150 or more" in short.next[0]
    over = ruled(V8, "all-in-amount", amount="60", bet="100", facing="bet")
    assert "raise to 200 or more" in over.next[0]
    silent = ruled(V8, "silent-chips", bet="100", spare="yes", over="24", **{"from": "50"})
    assert "minimum raise of 50" in silent.headline
    facts = {"amount": "170", "bet": "120", "from": "130"}
    assert ask(Question(rulebook=V8, incident="all-in-amount", facts=facts), GAMES).impossible


def options(ruling: Ruling) -> dict[str, str]:
    [decision] = ruling.decisions
    return {option.name: option.says for option in decision.options}


def test_an_act_is_taken_back_only_where_somebody_has_acted_since_and_it_is_named():
    assert "take action back" not in options(ruled(V5, "out-of-turn-bet", act="raise"))
    assert "take action back" not in options(ruled(V5, "surplus-flop", since="no"))
    assert "take action back" not in options(ruled(V8, "dealer-took-hand"))
    since = options(ruled(V8, "surplus-flop", since="yes"))
    assert since["take action back"].endswith("It is this one: seat 2 checks.")


def test_an_option_that_has_nothing_to_do_with_it_is_not_named():
    early = options(ruled(V5, "out-of-turn-bet", act="raise"))
    assert not {"replace card", "move chips", "deal street again"} & early.keys()
    assert "move chips" in options(ruled(V5, "pot-to-the-wrong-player"))
    assert "deal street again" in options(ruled(V5, "surplus-flop", since="no"))


def test_to_go_on_says_what_becomes_of_an_early_raise():
    early = options(ruled(V5, "out-of-turn-bet", act="raise"))
    assert "What seat 5 did early counts for nothing" in early["continue"]


def test_a_check_out_of_turn_costs_the_raise_also_before_anybody_has_bet():
    ruling = ruled(V8, "out-of-turn", act="check", then="open")
    assert "no right to bet or raise: over a bet, only to call or fold" in ruling.headline
    assert "5.13.3" in ruling.cites
    facing = ruled(V8, "out-of-turn-bet", act="check", then="open")
    assert facing.headline.endswith("On that turn seat 5 may only call or fold.")
    assert facing.cites[0] == "5.13.3"


def test_an_early_raise_says_what_makes_it_bind_or_fall_and_what_goes_back():
    held = ruled(V8, "out-of-turn-bet", act="raise", then="open")
    assert "It binds if those before check, call or fold" in held.headline
    assert {"5.13.1", "5.13.2"} <= set(held.cites)
    fell = ruled(V8, "out-of-turn-bet", act="raise", then="changed")
    assert money(fell)["seat 5", "put in out of turn"] == ("100", "0")
    assert "It binds" not in fell.headline


def test_how_many_cards_somebody_has_is_asked_and_told():
    asked = Question(rulebook=V8, incident="wrong-count", facts={"who": "another", "when": "he"})
    assert [fact.name for fact in ask(asked, GAMES).open] == ["cards"]
    one = ruled(V8, "wrong-count", cards="one", who="another", when="he")
    assert "seat 6 has 1 card." in one.headline
    assert {(way.leaves, way.count) for way in one.cards} == {("seat 6", 1)}
    # Called a raise to 30; 5.6.2: all of it stays.
    assert money(one)["seat 6", "in the Pot, stays there"] == ("30", "30")
    three = ruled(V5, "wrong-count", cards="three", looked="nobody")
    assert "Seat 6 has 3 cards" in three.headline
    assert three.cites[0] == "5.1.4"


def test_three_cards_in_v5_are_put_right_under_their_own_paragraph():
    facts = {"cards": "three", "looked": "nobody"}
    yes = (Answered(question="deal reconstructible", option="yes"),)
    asked = Question(rulebook=V5, incident="wrong-count", facts=facts, answers=yes)
    ruling = ask(asked, GAMES).ruling
    assert ruling is not None
    assert ruling.cites == ("5.1.4", "5.1")
    assert [(w.count, w.leaves, w.goes) for w in ruling.cards] == [(1, "seat 6", "the shoe")]


def test_after_a_misdeal_the_button_stays_and_nobody_new_comes_in():
    ruling = ruled(V8, "exposed-in-the-deal", acted="none", exposed="two")
    assert ruling.next[0] == "The button stays with seat 1, and no new player joins this Round."


def test_whoever_picks_the_cards_is_in_the_headline_with_or_above():
    ruling = ruled(V8, "surplus-flop", cards="four", burnt="yes", since="no", order="no")
    assert ruling.headline.endswith("The Pit Manager or above picks the cards.")
    turn = ruled(V8, "missing-burn", street="turn", since="no")
    assert turn.headline.endswith("The Pit Manager or above announces the burn.")


def test_the_blinds_that_go_back_with_a_dead_hand_are_in_the_headline():
    ruling = ruled(V8, "wrong-count", cards="three", who="blind", when="others")
    assert "10 go back to seat 3" in ruling.headline
    assert "stay in the Pot" not in ruling.headline


def test_where_no_paragraph_speaks_nothing_is_asked_and_none_is_shown():
    answer = ask(Question(rulebook=V5, incident="surplus-flop"), GAMES)
    assert answer.open == ()
    assert answer.ruling is not None
    assert answer.ruling.headline.startswith("No paragraph of this book speaks of it")
    assert answer.ruling.paragraphs == ()
    assert "P-21" in [one.reading for one in answer.ruling.readings]


# -- the exhaustive form --------------------------------------------------------------------------


@pytest.mark.slow
@every_incident
def test_every_way_asked_by_itself_is_ruled_alike(book: str, incident: Incident):
    for way in ways(book, incident.name):
        answer = ask(Question(rulebook=book, incident=incident.name, facts=way.facts), GAMES)
        if way.stands:
            assert answer.ruling is not None
            assert way.ruling is not None
            assert answer.ruling.headline == way.ruling.headline
            assert answer.ruling.cites == way.ruling.cites
        else:
            assert answer.impossible


NOT_OFFERED = ("nobody-can-call", "uncallable-raise", "not-offered")
"""Where such a raise is not offered, nobody makes one."""


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_every_incident_answers_under_every_policy(book: str):
    for name, policy in load(book).policies.items():
        for value in policy.values:
            for one, incident in EVERY:
                if one == book and (incident.name, name, value) != NOT_OFFERED:
                    asked = Question(rulebook=book, incident=incident.name, policies={name: value})
                    assert not ask(asked, GAMES).impossible, (incident.name, name, value)


@pytest.mark.parametrize("book", BOOKS)
def test_what_a_policy_does_not_offer_cannot_come_about_and_that_is_said(book: str):
    incident, name, value = NOT_OFFERED
    answer = ask(Question(rulebook=book, incident=incident, policies={name: value}), GAMES)
    assert answer.impossible == "Seat 3 may call or fold, but not raise."


def test_an_incident_is_staged_in_the_words_of_case_files():
    incident = CATALOGUE.find("skipped", load(V8))
    facts = facts_of(load(V8), incident)
    raw, reports = staged(CATALOGUE, incident, facts, {"since": "substantial"})
    assert reports == 1
    assert [step["do"] for step in raw["step"]] == ["report wager", "call", "report skipped"]


def test_whoever_picks_the_cards_is_named():
    ruling = ruled(V8, "surplus-flop", cards="four", burnt="yes", since="no", order="no")
    assert "Pit Manager" in ruling.signed_by
    assert [one.took for one in ruling.confirmed] == ["no", "a random pick"]


def test_what_a_table_says_to_a_player_is_told_of_them():
    ruling = ruled(V5, "adds-chips", moment="hand")
    assert "the player has folded" in ruling.headline
    assert "you" not in ruling.headline


def test_where_every_amount_is_ruled_alike_none_is_asked():
    assert ask(Question(rulebook=V5, incident="bare-figure"), GAMES).open == ()


def test_each_option_of_discretion_says_what_it_does_to_cards_and_chips():
    for book in BOOKS:
        [decision] = ruled(book, "dealer-took-hand").decisions
        assert all(option.says for option in decision.options)
