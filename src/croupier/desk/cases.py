"""A question as a case file, and a case file as a question.

A question asked at the desk becomes a case that expects what was ruled: a floor that disagrees
changes the expectation and sends it. A case becomes the question of its last ruling.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from croupier.desk.errors import CannotAsk, NotRuled, NotThere
from croupier.desk.records import CaseQuestion
from croupier.desk.toml import case_toml
from croupier.pit import GAMES, CaseError, read_case, run_case, shipped_cases
from croupier.pit.case_records import PARAGRAPHS_AT_MOST
from croupier.pit.question import Answer, Answered, Question, Staged, cards_named, staged_question
from croupier.pit.rehearsal import Rehearsal
from croupier.pit.ruling import CONFIRM, NOT_TOLD, carry_on
from croupier.pit.runner import Played
from croupier.pit.values import fields_of, plain, write
from croupier.rulebooks import RulebookError
from croupier.rulebooks.several import books_named, in_book
from croupier.table import ActorRank, Announced, DecisionNeeded, DecisionTaken, Event, Refused

FACTS_AT_MOST = 8
NOT_EXPECTED = frozenset(
    (
        "decisions options offered waiting_for hands dealer_hand categories dealer_category "
        "cards_left record"
    ).split()
)
"""Facts that follow from others, or from cards that nobody has named."""
FIRST = ("status", "turn")
HEAD = frozenset(("title", "about", "rulebook", "paragraphs", "policies", "expect", "step"))


# -- a question as a case ---------------------------------------------------------------------


def case_text(question: Question, answer: Answer) -> str:
    """A case file that expects what was ruled, and passes."""
    if answer.ruling is None:
        says = answer.impossible or "something is still open; a case file needs a ruling"
        raise NotRuled(says)
    staged = staged_question(question, GAMES)
    if staged is None:
        raise NotRuled(answer.impossible or "this cannot have been")
    raw = _raw_case(question, answer, staged)
    proved = _must_pass(case_toml(raw))
    if not proved:  # nothing that a case can expect has changed but what happened itself
        raw = _raw_case(question, answer, staged, in_detail=True)
        proved = _must_pass(case_toml(raw))
    return case_toml({**raw, "paragraphs": [*proved]} if proved else raw)


def _must_pass(text: str) -> tuple[str, ...]:
    """What is handed out as a case is one, and passes; the paragraphs that it proves."""
    try:
        result = run_case(read_case(text, "question.toml", GAMES), GAMES)
    except CaseError as error:
        raise NotRuled(f"this question makes no case file: {error}") from error
    for failure in result.failures:
        told = "; ".join(f"{d.what}: {d.got} for {d.expected}" for d in failure.differences)
        raise NotRuled(f"this question makes no case file: step {failure.step}: {told}")
    return result.covered


def _raw_case(
    question: Question, answer: Answer, staged: Staged, *, in_detail: bool = False
) -> dict[str, Any]:
    ruling = answer.ruling
    assert ruling is not None
    played = staged.rehearse(GAMES)
    given = []
    if played.refused is None:
        given = carry_on(played, [(one.question, one.option) for one in question.answers])
    cites = [*ruling.filed_under][:PARAGRAPHS_AT_MOST]
    book = GAMES.load(answer.rulebook)
    raw = {key: value for key, value in staged.raw.items() if key not in HEAD}
    numbered = enumerate(staged.raw["step"], 1)
    steps = [dict(step) for number, step in numbered if number not in played.left_out]
    steps += [_deciding(played, place, need, option) for place, need, option in given]
    reports = staged.reports - len(played.left_out)
    # The set-up is played as number 0; orders beyond the steps are numbered on.
    for step, one in zip(steps[-len(given) - reports :], _reported(played), strict=False):
        if expected := dict(_expected(one, in_detail=in_detail)):
            step["expect"] = expected
    facts = dict(_facts_after(played, at_link="link" in steps[-1]))
    if facts:  # of what is refused too: that it changes nothing is what it proves
        steps[-1]["expect"] = {**steps[-1].get("expect", {}), **facts}
    return {
        "title": staged.title,
        "about": f"Asked at the ruling desk. {ruling.headline}",
        "rulebook": answer.rulebook,
        "paragraphs": cites or [next(iter(book.paragraphs))],
        "policies": dict(question.policies),
        **raw,
        "step": steps,
    }


def _reported(played: Rehearsal) -> list[Played]:
    """What was reported and decided, step by step."""
    first = len(played.case.steps) - played.reports
    return [one for one in played.run.played[1:] if one.step is None or one.step.number > first]


def _deciding(played: Rehearsal, place: str, need: DecisionNeeded, option: str) -> dict[str, Any]:
    """An answer as a step; named by its question, and of whom where several are asked."""
    of = need.of.value if isinstance(need.of, ActorRank) else need.of
    several = len(played.run.pit.tables) > 1
    where = {"link": place} if place in played.run.pit.links else {"table": place}
    named: Any = need.question if not isinstance(of, int) else {"question": need.question, "of": of}
    return {
        "do": "decide",
        **(where if several or "link" in where else {}),
        "decision": named,
        "option": option,
        "reason": "as asked at the desk",
    }


def _expected(one: Played, *, in_detail: bool) -> Iterator[tuple[str, Any]]:
    """What came of a step: refused under which paragraphs, or what happened under which."""
    for spoken in one.spoken:
        if isinstance(spoken.answer, Refused):
            cites = [*spoken.answer.cites]
            yield ("refused", cites) if cites else ("says", spoken.answer.says)
            return
    said = [
        s.event for spoken in one.spoken if isinstance(spoken.answer, list) for s in spoken.answer
    ]
    told = [e for e in said if e.cites and not isinstance(e, _GOES_WITHOUT_SAYING)]
    if told:
        yield "events", [_in_detail(event) if in_detail else _name(event) for event in told]
        yield "cites", [*dict.fromkeys(p for event in told for p in event.cites)]


DETAILS = ("question", "seat", "box", "street")


def _in_detail(event: Event) -> dict[str, Any] | str:
    """An event with what was asked, or whom or what it was about: that proves its paragraphs."""
    found = {key: getattr(event, key, None) for key in DETAILS}
    known = {key: value for key, value in found.items() if isinstance(value, int | str) and value}
    return {"event": _name(event), **known} if known else _name(event)


_GOES_WITHOUT_SAYING = (*NOT_TOLD, DecisionTaken, Announced)


def _name(event: Event) -> str:
    return str(event.__struct_config__.tag)


def _facts_after(played: Rehearsal, *, at_link: bool) -> Iterator[tuple[str, Any]]:
    """What the report has changed at the tables, as a case file says it; no cards. Facts without a
    table are those of the place of the step."""
    named = at_link or len(played.run.pit.tables) > 1
    by_table: dict[str, Any] = {}
    for name, table in played.run.pit.tables.items():
        kind = fields_of(played.case.tables[name].game.facts_type)
        before, after = plain(played.facts_before[name]), plain(table.facts())
        changed = {
            key: _worded(now, before.get(key), kind[key])
            for key, now in after.items()
            if key in kind and key not in NOT_EXPECTED and now != before.get(key)
        }
        changed.setdefault("status", after["status"])  # where nothing has changed, it says so
        wanted = {k: v for k, v in changed.items() if v not in ({}, []) and not cards_named(v)}
        first = sorted(wanted, key=lambda key: FIRST.index(key) if key in FIRST else len(FIRST))
        by_table[name] = {key: wanted[key] for key in first[:FACTS_AT_MOST]}
    if named:
        found = {name: facts for name, facts in by_table.items() if facts}
        if found:
            yield "tables", found
    else:
        yield from next(iter(by_table.values())).items()


def _worded(now: Any, before: Any, node: Any) -> Any:
    """A fact as a case file has it; of a table of values only what has changed."""
    if isinstance(now, dict) and isinstance(before, dict):
        now = {key: value for key, value in now.items() if value != before.get(key)}
    return _unquoted(write(now, node), now)


def _unquoted(written: Any, value: Any) -> Any:
    """Amounts without quotes, and `none` for nothing."""
    match written, value:
        case None, _:
            return "none"
        case str(), int():  # an amount of cents
            amount = Decimal(written.replace(",", ""))
            return int(amount) if amount == int(amount) else amount
        case dict(), dict():
            return {key: _unquoted(each, value[key]) for key, each in written.items()}
        case list(), list():
            return [_unquoted(*both) for both in zip(written, value, strict=True)]
        case _:
            return written


# -- a case as a question ---------------------------------------------------------------------


def shipped_question(source: str, book: str = "") -> CaseQuestion:
    """A shipped case as a question, by its name as `croupier rules show` has it."""
    for name, text in shipped_cases():
        if source in (name, name.removesuffix(".toml")):
            return question_of(text, name, book)
    raise NotThere(f"there is no shipped case {source!r}")


def question_of(text: str, source: str, book: str = "") -> CaseQuestion:
    """A case file as a question, in one of its books: the first, unless `book` names another."""
    case = read_case(text, source, GAMES)  # says what is wrong with the file, and where
    raw = tomllib.loads(text, parse_float=Decimal)
    named = books_named(text)
    wanted = case.book.id if not book else _one_of(book, named or (case.book.id,))
    if "rulebooks" in raw:
        raw = in_book(raw, wanted)
    step, report, answers = _split(raw.get("step", ()))
    if not report:
        raise CannotAsk("the case has no step that could be ruled on", "case")
    situation = {key: _for_json(value) for key, value in raw.items() if key not in HEAD}
    return CaseQuestion(
        source=source,
        title=case.title,
        about=" ".join(case.about.split()),
        paragraphs=tuple(raw["paragraphs"]),
        question=Question(
            rulebook=wanted,
            title=case.title,
            policies=dict(raw.get("policies", {})),
            situation=situation,
            step=tuple(map(_for_json, step)),
            report=tuple(map(_for_json, report)),
            answers=tuple(answers),
        ),
    )


def _one_of(book: str, books: Sequence[str]) -> str:
    try:
        found = GAMES.resolve(book)
    except RulebookError as error:
        raise CannotAsk(str(error), "book") from error
    if found not in books:
        raise CannotAsk(
            f"the case does not hold in {found}; it holds in {', '.join(books)}", "book"
        )
    return found


Steps = list[dict[str, Any]]


def _split(steps: Sequence[dict[str, Any]]) -> tuple[Steps, Steps, list[Answered]]:
    """What led to the ruling of a case, its report, and the answers that came after it.

    The report is the last one whose outcome the case expects; in a case without reports, the last
    step that expects something. What was refused on the way has changed nothing and is left out.
    """
    found = _ruled_on(steps)
    if found is None:
        return [], [], []
    before = [_bare(step) for step in steps[:found] if not _is_refused(step)]
    report = _bare(steps[found])
    if report["do"] == DECIDE and not _is_refused(steps[found]):
        # Somebody answers what was asked: the question is what it was asked for.
        tail = [report]
        while before and before[-1]["do"] == DECIDE:
            tail.insert(0, before.pop())
        answers = [_answered(step) for step in tail]
        if not before or None in answers:
            return [*before, *tail[:-1]], [report], []
        report = before.pop()
    else:
        answers = []
        for step in steps[found + 1 :]:
            if step["do"] != DECIDE or _is_refused(step) or (one := _answered(_bare(step))) is None:
                break
            answers.append(one)
    return before, [report], [one for one in answers if one and one.option != CONFIRM]


DECIDE = "decide"


def _ruled_on(steps: Sequence[dict[str, Any]]) -> int | None:
    """The number of the step that a case is about."""
    expected = [n for n, step in enumerate(steps) if "expect" in step]
    reports = [n for n in expected if str(steps[n]["do"]).startswith("report")]
    for among in (reports, expected, range(len(steps))):
        if among:
            return among[-1]
    return None


def _bare(step: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in step.items() if key != "expect"}


def _is_refused(step: Mapping[str, Any]) -> bool:
    return bool({"refused", "error", "says"} & step.get("expect", {}).keys())


def _answered(step: Mapping[str, Any]) -> Answered | None:
    """A decision as an answer; None where it says more than that, or rejects what is ruled."""
    named, option = step.get("decision"), step.get("option")
    if isinstance(named, dict):
        named = named.get("question")
    plain_words = step.keys() <= {"do", "decision", "option", "reason", "table", "link", "note"}
    if not isinstance(named, str) or not isinstance(option, str) or not plain_words:
        return None
    return None if option == "reject" else Answered(question=named, option=option)


def _for_json(value: Any) -> Any:
    """What TOML can say and JSON cannot, as text."""
    match value:
        case Decimal():
            return str(value)
        case datetime() | date() | time():
            return value.isoformat()
        case dict():
            return {key: _for_json(each) for key, each in value.items()}
        case list():
            return [_for_json(each) for each in value]
        case _:
            return value
