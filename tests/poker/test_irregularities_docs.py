"""The page on irregularities names every report, question, event and fact, and its cases run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.pit import GAMES
from croupier.pit.case import read_case
from croupier.pit.runner import run_case
from croupier.poker.irregularities import commands as reports
from croupier.poker.irregularities import events
from croupier.poker.irregularities.facts import IrregularFacts
from croupier.poker.irregularities.rooms import ROOMS
from croupier.poker.wagers import ReportWager, wagers
from croupier.table import Command, Event, Facts

PAGE = (Path(__file__).parents[2] / "docs" / "poker-irregularities.md").read_text()
CASES = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)


def _records(module: object, base: type) -> list[type]:
    found = [value for value in vars(module).values() if isinstance(value, type)]
    return [kind for kind in found if issubclass(kind, base) and kind is not base]


def test_every_report_and_field_is_on_the_page() -> None:
    for kind in [*_records(reports, Command), ReportWager]:
        assert f"`{kind.__struct_config__.tag}`" in PAGE, kind
        for field in kind.__struct_fields__:
            assert re.search(rf"`{field}\b", PAGE), f"{kind.__name__}.{field}"


def test_every_event_is_on_the_page() -> None:
    for kind in _records(events, Event):
        if kind.__module__ == events.__name__:
            assert f"`{kind.__struct_config__.tag}`" in PAGE, kind


def test_every_question_is_on_the_page() -> None:
    chance = {"cards back into the shoe", "pick from the scrambled cards"}
    for room in (*ROOMS, wagers):
        for question in room.answers.keys() - chance:
            assert f"`{question}`" in PAGE, question


def test_every_fact_is_on_the_page() -> None:
    for fact in set(IrregularFacts.__struct_fields__) - set(Facts.__struct_fields__):
        assert f"`{fact}`" in PAGE, fact


@pytest.mark.parametrize("text", CASES, ids=range(len(CASES)))
def test_the_cases_of_the_page_run_and_prove_their_paragraphs(text: str) -> None:
    result = run_case(read_case(text, "docs/poker-irregularities.md", GAMES), GAMES)
    assert result.passed, result.failures
    assert set(result.covered) == set(result.case.paragraphs)
