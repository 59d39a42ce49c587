"""The table of an exercise, to be looked at: the same record as of any round that is played again.

It is seen as a dealer sees it: what lies face up, and the backs of the rest.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, structs

from croupier.pit import GAMES, run_case
from croupier.pit.case import case_of
from croupier.pit.rehearsal import Rehearsal
from croupier.pit.replay import Replay
from croupier.pit.replay_case import replay_case
from croupier.pit.ruling import Ruling, rule_on
from croupier.pit.runner import Spoken
from croupier.pit.situation import Contradiction
from croupier.school.errors import NotMade
from croupier.school.exercise import Exercise
from croupier.table import Command

NOBODY = ""
"""Seen as nobody in particular: what lies face up."""


class Heard(Rehearsal):
    """A rehearsal that keeps what was said at last, so that it can be told."""

    def __init__(self, raw: dict[str, Any], reports: int, **named: Any) -> None:
        self.asked: list[Command] = []
        super().__init__(raw, reports, GAMES, **named)

    def _take(self, spoken: list[Spoken]) -> None:
        self.asked += [one.order.command for one in spoken[:1]]
        super()._take(spoken)


class Outcome(Struct, frozen=True, kw_only=True):
    """What the engine makes of a drawn situation: what is ruled, and the facts before and after."""

    ruling: Ruling
    facts: Any
    before: Any


def outcome_of(raw: dict[str, Any], title: str) -> Outcome:
    """What comes of the last step of a drawn situation. Raises `NotMade` where it cannot be true,
    or where the table refuses the step: then another one is drawn."""
    try:
        heard, ruling = heard_and_ruled(raw, title)
    except Contradiction as error:
        raise NotMade(title) from error
    if heard.refused is not None:
        raise NotMade(title)
    [table] = heard.pit.tables.values()
    before = next(iter(heard.facts_before.values()), None)
    return Outcome(ruling=ruling, facts=table.facts(), before=before)


def heard_and_ruled(raw: dict[str, Any], title: str) -> tuple[Heard, Ruling]:
    """A situation of which the last step is asked about: as it stands then, and what is ruled."""
    heard = Heard(raw, 1, title=title)
    return heard, rule_on(lambda: heard, foretell=False)


def replay_of(exercise: Exercise) -> Replay | None:
    """The table of an exercise, step by step, until the question is put; None without a table."""
    scene = exercise.scene
    if scene is None:
        return None
    book = GAMES.load(exercise.rulebook)
    raw = {
        "title": scene.title,
        "paragraphs": [next(iter(book.paragraphs))],
        **scene.raw,
    }
    result = run_case(case_of(raw, scene.title, GAMES, expects=False), GAMES)
    replay = replay_case(result, GAMES, seen_as=NOBODY)
    return structs.replace(replay, title=exercise.title, about="")
