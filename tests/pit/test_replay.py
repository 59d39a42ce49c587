"""The record of a replay: it leads through the same tables, and each viewer sees what is theirs."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.pit import GAMES, CaseResult, read_case, run_case, shipped_cases
from croupier.pit.replay import EVERYTHING, Replay, changed, views_of, with_changes
from croupier.pit.replay_case import case_log, replay_case
from croupier.pit.telling import shown_to
from croupier.table import AUDITOR, AUDITOR_AFTERWARDS, PUBLIC, Looked, player

CASES = list(shipped_cases())
SIDE_POT = "no-limit-holdem-v8/1.27-main-pot-and-side-pot.toml"

values = st.recursive(
    st.none() | st.integers() | st.text("ab-", max_size=2) | st.lists(st.integers(), max_size=2),
    lambda inner: st.dictionaries(st.sampled_from("abcd"), inner, max_size=3),
    max_leaves=8,
)
records = st.dictionaries(st.sampled_from("abcd"), values, max_size=4)


def result_of(source: str) -> CaseResult:
    return run_case(read_case(dict(CASES)[source], source, GAMES), GAMES)


@given(records, records)
def test_what_changed_leads_from_one_view_to_the_next(before: dict, after: dict):
    assert with_changes(before, changed(before, after)) == after


@given(records)
def test_where_nothing_changed_nothing_is_said(view: dict):
    assert changed(view, view) == {}


def played(source: str, text: str) -> int:
    """Play a case as everybody saw it; how many steps there were."""
    steps = 0
    for one in run_case(read_case(text, source, GAMES), GAMES).in_each_book():
        whole = replay_case(one, GAMES)
        for seen_as in ("", *whole.players):
            found = replay_case(one, GAMES, seen_as)
            assert found.seen_as == seen_as
            assert all(step.who == "" for step in found.steps), "who ordered is the auditor's"
        assert msgspec.convert(msgspec.to_builtins(whole), Replay) == whole
        cited = {c for step in whole.steps for event in step.events for c in event.cites}
        assert cited & one.case.book.paragraphs.keys() == whole.titles.keys()
        steps += len(whole.steps)
    return steps


def test_cases_are_played_again_as_each_saw_them():
    assert sum(played(*case) for case in CASES[::97]) > 25


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_every_case_is_played_again_as_each_saw_it(part: int):
    assert sum(played(*case) for case in CASES[part::10]) > 500


def test_the_last_view_is_that_of_the_table():
    result = result_of(SIDE_POT)
    replay = replay_case(result, GAMES)
    *_, last = views_of(replay)
    assert [pot["amount"] for pot in last["pots"]] == [15_000, 14_000]
    assert last["board"] == ["8s", "Qs", "3c"] or len(last["board"]) == 3
    assert replay.title == result.case.title


TWO_EXPOSED = "no-limit-holdem-v8/5.3.3-two-cards-exposed.toml"


def test_a_case_reads_like_a_story_and_names_its_paragraphs():
    replay = replay_case(result_of(TWO_EXPOSED), GAMES)
    told = [(step.note, event.told) for step in replay.steps for event in step.events]
    assert ("", "Dev straddles to 20.") in told, "what happened tells what was ordered"
    reported = next(
        said for note, said in told if note == "The dealer reports: Card exposed in the deal"
    )
    assert reported.startswith("Pit Supervisor or above must decide: It is a Misdeal")
    assert ("", "The pit supervisor decides: confirm.") in told, "a rank is said once"
    assert list(replay.paragraphs) == ["5.3.3", "5.3", "5.3.6"]
    assert not any(step.refused for step in replay.steps), "mistakes in entering are another case"


def test_a_report_that_tells_itself_is_not_told_twice():
    source = next(
        s
        for s, text in CASES
        if "multi-link-progressive-v3/5" in s and 'do = "report foreign card"' in text
    )
    for step in replay_case(result_of(source), GAMES).steps:
        if any(event.event.get("event") == "irregularity reported" for event in step.events):
            assert step.note == ""


def test_nobody_of_this_table_is_named_at_another():
    source = "multi-link-progressive-v3/5.17.1-what-others-add-stays-in-the-meter.toml"
    steps = replay_case(result_of(source), GAMES).steps
    elsewhere = [event.told for step in steps for event in step.events if event.place]
    assert "Jackpot stake accepted: Box 1 5." in elsewhere
    assert not any("Ann" in told for told in elsewhere)


def test_face_down_cards_are_in_the_record_of_their_player_and_the_auditor_alone():
    result = result_of(SIDE_POT)
    ann = replay_case(result, GAMES).start["seats"]["1"]["cards"]
    assert "??" not in ann
    assert replay_case(result, GAMES, "").start["seats"]["1"]["cards"] == ["??", "??"]
    everybody = msgspec.json.encode(replay_case(result, GAMES, "")).decode()
    assert not any(f'"{card}"' in everybody for card in ann)


def test_what_is_private_is_shown_by_who_sat_there_then():
    looked = Looked(seat=3, cards=())
    assert shown_to(looked, player("Ann"), {3: "Ann"}) is looked
    assert shown_to(looked, player("Ann"), {3: "Bob"}) is not looked
    assert shown_to(looked, PUBLIC, {3: "Ann"}) is not looked
    assert shown_to(looked, AUDITOR, {3: "Ann"}) is not looked, "not while a round may be played"
    assert shown_to(looked, AUDITOR_AFTERWARDS, {}) is looked


def test_a_refusal_is_a_step_and_changes_nothing():
    source = next(s for s, text in CASES if "refused =" in text and "no-limit" in s)
    replay = replay_case(result_of(source), GAMES)
    refused = [step for step in replay.steps if step.refused]
    assert refused
    assert all(step.changes == {} for step in refused)
    assert all(step.events[-1].told.startswith("Refused: ") for step in refused)


def test_a_case_of_a_table_that_never_opens_has_words_and_no_table():
    source = "multi-link-progressive-v3/2.1.1-approved-layouts.toml"
    replay = replay_case(result_of(source), GAMES)
    assert replay.start == {}
    assert any(step.refused for step in replay.steps)


def test_the_log_of_a_case_begins_with_the_opening_of_its_table():
    log = case_log(result_of(SIDE_POT), "table")
    assert type(log[0][1]).__name__ == "TableOpened"
    assert [number for number, _ in log] == list(range(1, len(log) + 1))


def test_a_case_with_a_jackpot_shows_its_meter():
    found = 0
    for source, text in CASES:
        if found > 2 or "royal" not in source or "[links" not in text:
            continue
        replay = replay_case(run_case(read_case(text, source, GAMES), GAMES), GAMES, EVERYTHING)
        assert replay.jackpot is not None
        found += any(step.jackpot for step in replay.steps)
    assert found
