"""A case told as a story that a floor manager would sign."""

import re

import pytest

from croupier.pit import GAMES, read_case, run_case, shipped_cases, tell_case
from croupier.pit.story import ROUTINE, Story

SOME = list(shipped_cases())[::20]
RAW = re.compile(r"\b(True|False|None)\b|[a-z]_[a-z]|[{}]")


def told(name: str) -> Story:
    [text] = [text for source, text in shipped_cases() if source == f"{name}.toml"]
    return tell_case(run_case(read_case(text, name, GAMES), GAMES))


def sentences(story: Story) -> list[str]:
    lines = [line.text for chapter in story.chapters for line in chapter.lines]
    return [*lines, *(chapter.heading for chapter in story.chapters)]


@pytest.mark.parametrize(("source", "text"), SOME, ids=[source for source, _ in SOME])
def test_no_story_shows_what_only_a_programmer_reads(source, text):
    for sentence in sentences(tell_case(run_case(read_case(text, source, GAMES), GAMES))):
        assert not RAW.search(sentence), sentence
        assert sentence[0].isupper() or sentence[0] in "[0123456789", sentence
        assert not re.search(r"[^.]\.\.$", sentence), sentence


def test_the_set_up_says_how_the_table_stands_and_no_more():
    [set_up, first, *_] = told("no-limit-holdem-v8/5.16.a-action-taken").chapters
    assert [line.text for line in set_up.lines] == [
        "The table opens under No Limit Hold'em v8.",
        "Ann sits down at seat 1 with 500. Ben sits down at seat 2 with 500.",
        "Ann (seat 1) has the highest card, A♠, and gets the button.",
        "Round 1 begins. The button is at seat 1, the Small Blind is Ann (seat 1), "
        "the Big Blind Ben (seat 2).",
        "Ann (seat 1) posts 5. Ben (seat 2) posts 10.",
        "Two cards are dealt face down to each of 2 Players.",
    ]
    assert len(set(set_up.lines[1].cites)) == len(set_up.lines[1].cites)
    assert first.heading == "Ann (seat 1): call"


def test_what_the_case_is_about_is_told_of_the_set_up_too():
    text = """title = "The deck is cut"
rulebook = "no-limit-holdem-v8"
paragraphs = ["1.14"]
table.button = 1
seats.1 = { player = "Ann", stake = 500 }
seats.2 = { player = "Ben", stake = 500 }
[[step]]
do = "call"
seat = 1
expect.turn = 2
"""

    def set_up(case: str) -> str:
        story = tell_case(run_case(read_case(case, "a.toml", GAMES), GAMES))
        return " ".join(line.text for line in story.chapters[0].lines)

    assert "The deck is cut after 26 cards" in set_up(text)
    assert "The deck is cut" not in set_up(text.replace("1.14", "1.10"))


def test_a_set_up_that_fails_is_told_in_full():
    text = """title = "Nobody sits down with nothing"
rulebook = "no-limit-holdem-v8"
paragraphs = ["3.7"]
seats.1 = { player = "Ann", stake = 0 }
[[step]]
do = "start game"
expect.turn = 1
"""
    story = tell_case(run_case(read_case(text, "a.toml", GAMES), GAMES))
    order, answer = story.chapters[0].lines[-2:]
    assert order.text.startswith("Ann (seat 1): sit (stake 0)")
    assert answer.text.startswith(("Refused. ", "Not possible: "))


def test_who_is_named_by_his_rank_is_named_once_and_decides_in_amounts_of_the_table():
    story = told("multi-link-progressive-v3/5.23.a-chips-that-have-no-place")
    headings = [chapter.heading for chapter in story.chapters]
    assert "The shift manager: decide return chips (box 1, bet ante, amount 50)" in headings
    assert "The shift manager decides: return chips." in sentences(story)
    assert not any("(shift manager)" in sentence for sentence in sentences(story))


def test_a_phrase_is_told_by_what_came_of_it():
    story = told("multi-link-progressive-v3/5.23.a-chips-that-have-no-place")
    assert story.chapters[1].heading == "Deal to decisions"
    assert not any(line.text.endswith(":") for line in story.chapters[1].lines)


def test_what_an_order_would_be_anyhow_is_left_out_and_what_it_is_not_is_said():
    headings = [
        c.heading for c in told("multi-link-progressive-v3/5.9-missed-burn-put-right").chapters
    ]
    assert "The dealer: deal hole cards (no burn)" in headings
    headings = [
        c.heading for c in told("no-limit-holdem-v8/1.30-a-second-motion-is-refused").chapters
    ]
    assert "The dealer: report wager (Dev (seat 4), chips 10 and 10, later 25 and 5)" in headings


def test_every_routine_event_is_one_of_the_games():
    known = {
        str(event.__struct_config__.tag)
        for game in GAMES.games.values()
        for event in game.table_type.whole.events
    }
    assert known >= ROUTINE
