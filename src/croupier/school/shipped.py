"""The shipped cases as exercises: each case of a report, and what the book makes of it.

A case says in its title what the rule is; so only what happened is told, and the title is kept for
whoever has answered.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any

from croupier.desk.cases import question_of
from croupier.desk.errors import DeskError
from croupier.pit import GAMES, shipped_cases
from croupier.pit.question import Staged, staged_question
from croupier.pit.ruling import Ruling
from croupier.pit.situation import Contradiction
from croupier.rulebooks import Rulebook
from croupier.rulebooks.several import books_named
from croupier.school.choices import choice_of, part_of, wrong_choices
from croupier.school.errors import NotMade
from croupier.school.exercise import AnswerChoice, Exercise, Scene
from croupier.school.report_told import report_told
from croupier.school.rulings import ASK, elsewhere_in
from croupier.school.scene import Heard
from croupier.school.signing import signing_part

WAGER = "report wager"
"""A kind of exercise of its own."""
NOT_ASKED = frozenset(
    {WAGER, "report irregularity", "report jackpot repaired", "report cards gone"}
)
TRIED_AT_MOST = 8
"""Other cases that lend their ruling as a wrong answer."""


@lru_cache(maxsize=8)
def cases_by_report(book: str) -> dict[str, list[str]]:
    """The cases of a book that end in a report which is ruled on, by the report."""
    found: dict[str, list[str]] = {}
    for source, text in shipped_cases():
        do = _last_report(text)
        if do and do not in NOT_ASKED and book in books_named(text):
            found.setdefault(do, []).append(source)
    return found


@lru_cache(maxsize=1)
def _texts() -> dict[str, str]:
    return dict(shipped_cases())


def _last_report(text: str) -> str:
    """The last report of a case, by its text: to read the whole of it takes longer."""
    named = [line for line in text.splitlines() if line.startswith('do = "report ')]
    return named[-1].split('"')[1] if named else ""


def case_exercise(book: Rulebook, do: str, level: int, rng: Random) -> Exercise:
    """An exercise made of a shipped case that ends in this report."""
    cases = cases_by_report(book.id).get(do)
    if not cases:
        raise NotMade(do)
    source = rng.choice(cases)
    staged = _staged(book, source)
    ruling = _ruled(staged)
    if ruling.kind == "refused" or not str(staged.raw["step"][-1]["do"]).startswith("report"):
        raise NotMade(source)
    heard = Heard(staged.raw, staged.reports, title=staged.title, named=staged.named)
    word = next(iter(heard.games.values())).seat_word
    told = report_told(heard.asked[-1], word)
    wrong = _wrong(book, cases, source, ruling, rng)
    parts = [part_of(ASK, choice_of(ruling), wrong, rng)]
    if level > 1:
        parts.append(signing_part(ruling, rng))
    steps = staged.raw["step"][: len(staged.raw["step"]) - staged.reports]
    bare = [{k: v for k, v in step.items() if k != "note"} for step in steps]  # they tell the rule
    raw: dict[str, Any] = {**staged.raw, "step": bare}
    return Exercise(
        kind="ruling",
        rulebook=book.id,
        item=f"case/{do}",
        level=level,
        title=told[0].rstrip("."),
        told=told,
        parts=tuple(parts),
        scene=Scene(raw=raw, title=staged.title),
        ruling=ruling,
        cites=ruling.filed_under,
        case=source,
    )


def _staged(book: Rulebook, source: str) -> Staged:
    """A case as it stands before its last report; what was decided then is left out, for that was
    somebody's to say."""
    try:
        staged = staged_question(question_of(_texts()[source], source, book.id).question, GAMES)
    except (DeskError, Contradiction) as error:
        raise NotMade(source) from error
    if staged is None:
        raise NotMade(source)
    return staged


def _ruled(staged: Staged) -> Ruling:
    try:
        return staged.ruling(GAMES, (), foretell=False)
    except Contradiction as error:
        raise NotMade(staged.title) from error


def _wrong(
    book: Rulebook, cases: list[str], source: str, ruling: Ruling, rng: Random
) -> Iterator[AnswerChoice]:
    """What is ruled in other cases of the same report, then on other matters."""
    near = _in_other_cases(book, cases, source, rng)
    return wrong_choices(ruling, near, (), elsewhere_in(book))


def _in_other_cases(
    book: Rulebook, cases: list[str], source: str, rng: Random
) -> Iterator[tuple[Ruling, str]]:
    others = [one for one in cases if one != source]
    for other in rng.sample(others, min(TRIED_AT_MOST, len(others))):
        try:
            found = _ruled(_staged(book, other))
        except NotMade:
            continue
        if found.kind != "refused":
            yield found, f"So it is ruled in another case: “{title_of(other)}”."


def title_of(source: str) -> str:
    """What a shipped case says of itself."""
    return str(tomllib.loads(_texts()[source])["title"])
