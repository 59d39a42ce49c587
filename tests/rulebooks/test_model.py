"""What a book answers: citations, procedures, numbers, policies, and when it is in force."""

import copy
import pickle
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction

import pytest

from croupier.cards import Category
from croupier.rulebooks import BOOKS, NotInThisBook, RulebookError, Topic, cite, errors, load

V8, V5, V6 = load("no-limit-holdem-v8"), load("poker-v5"), load("progressive-texas-holdem-v6")
V2, V3 = load("multi-link-progressive-v2"), load("multi-link-progressive-v3")
SINGAPORE = timezone(timedelta(hours=8))


def test_the_same_concept_is_cited_by_each_books_own_paragraph():
    assert V8.cite(Topic.MINIMUM_RAISE)[0] == "1.28"
    assert V5.cite(Topic.MINIMUM_RAISE)[0] == "3.3"
    assert V6.cite(Topic.STAND_OFF) == ("3.15", "1.27")
    assert V3.cite(Topic.STAND_OFF) == ("3.15", "1.28")
    assert cite("poker-v5", Topic.FIRST_BUTTON) == cite(V5, Topic.FIRST_BUTTON)


def test_a_topic_that_a_book_lacks_is_a_thing_that_its_game_does_not_have():
    assert V8.has(Topic.STRADDLE)
    assert not V5.has(Topic.STRADDLE)
    with pytest.raises(NotInThisBook, match=r"^poker-v5 has no topic 'straddle'\.$"):
        V5.cite(Topic.STRADDLE)
    with pytest.raises(NotInThisBook, match="Did you mean 'minimum-raise'"):
        V5.cite("minimum-raze")
    with pytest.raises(NotInThisBook):
        V3.cite(Topic.RAKE)


def test_the_topics_of_a_paragraph_begin_with_those_that_it_decides():
    assert V8.topics_of("1.28")[0] == "minimum-raise"
    assert "raise" in V8.topics_of("1.28")
    assert V8.topics_of("5.13.4") == ("out-of-turn-fold",)


def test_a_paragraph_is_found_by_id():
    assert V8.paragraph("3.8").title == "First button and start procedure"
    assert list(V8.paragraphs)[:3] == ["preamble", "1.1", "1.2"]
    with pytest.raises(errors.UnknownParagraph, match=r"no paragraph '3.81'. Did you mean '3.8'"):
        V8.paragraph("3.81")


def test_numbers_are_exact():
    assert V8.number("big-blind") == 2
    assert V8.share("silent-raise-share") == Fraction(1, 2)
    assert V5.share("rake-ceiling") == Fraction(1, 20)
    assert V3.number("bonus-cap") == 100_000_00
    assert V3.parameters["bonus-cap"].text == "100,000.00"
    assert V3.category("ante-pays-from") is Category.STRAIGHT
    assert V8.parameter("layouts") == ("A", "B", "C")
    assert [V3.number(bet) for bet in ("flop-bet", "turn-bet", "river-bet")] == [2, 1, 1]


def test_asking_for_a_number_of_another_kind_or_book_is_an_error():
    for ask in (
        lambda: V8.number("silent-raise-share"),
        lambda: V8.share("big-blind"),
        lambda: V8.category("big-blind"),
        lambda: V5.parameter("straddle"),
        lambda: V5.procedure("jackpot-hand"),
        lambda: V8.pay("bonus"),
    ):
        with pytest.raises(NotInThisBook):
            ask()


def test_a_round_records_every_policy_with_its_value():
    defaults = V8.policies_with({})
    assert set(defaults) == set(V8.policies)
    changed = V8.policies_with({"button-after-void": "stays"})
    assert changed == defaults | {"button-after-void": "stays"}


def test_an_unknown_policy_or_value_is_refused():
    with pytest.raises(errors.UnknownPolicy, match="Did you mean 'button-after-void'"):
        V8.policies_with({"button-after-viod": "stays"})
    with pytest.raises(errors.UnknownPolicyValue, match="one of moves, stays"):
        V8.policies_with({"button-after-void": "jumps"})
    with pytest.raises(errors.UnknownPolicy):
        V8.policy("min-bet")
    assert V5.policy("min-bet").reading == "P-01"


def test_readings_are_found_at_the_paragraphs_where_they_bite():
    assert [note.reading for note in V8.notes_for("1.28")] == ["A-01", "A-02", "A-05"]
    assert [policy.name for policy in V8.policies_for("3.19.3")] == ["short-all-in-bar"]
    assert V8.notes_for("4.2") == ()


def test_a_book_is_in_force_from_its_minute_to_the_next_ones():
    start = datetime(2024, 7, 25, 8, 0, tzinfo=SINGAPORE)
    assert not V8.in_force(start - timedelta(seconds=1))
    assert V8.in_force(start)
    assert V5.in_force(start - timedelta(seconds=1))
    assert not V5.in_force(start)
    assert V5.superseded(start)
    assert V5.begun(start)
    assert V8.in_force(datetime(2024, 7, 25, 0, 0, tzinfo=UTC))
    assert not V8.superseded(start)


def test_v6_is_in_force_from_the_time_that_the_operator_states():
    stated = datetime(2021, 3, 1, 8, 0, tzinfo=SINGAPORE)
    assert V6.in_force(stated, stated=stated)
    assert not V6.in_force(stated - timedelta(minutes=1), stated=stated)
    with pytest.raises(errors.NoEffectiveTime, match="operator states"):
        V6.in_force(stated)


def test_an_operator_cannot_move_a_time_that_the_text_gives():
    early = datetime(2010, 1, 1, tzinfo=UTC)
    assert not V8.in_force(early, stated=early)


def test_a_time_without_zone_is_refused():
    with pytest.raises(RulebookError, match="no time zone"):
        V8.in_force(datetime(2024, 7, 25, 8, 0))  # noqa: DTZ001


def test_a_book_can_be_sent_to_another_process_and_is_its_own_copy():
    for book in map(load, BOOKS):
        assert pickle.loads(pickle.dumps(book)) == book
        assert copy.deepcopy(book) is book


def test_a_book_cannot_be_changed():
    for book in map(load, BOOKS):
        with pytest.raises(AttributeError):
            book.version = 9
        with pytest.raises(TypeError):
            book.topics["tea"] = ("1.1",)
