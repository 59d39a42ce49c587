"""A question to the book, and its answer.

Facts that nobody has given are not asked one after the other. The ruling is computed for every way
in which it may have been; only what changes it is asked, the most telling first, and as long as
something is open the branches stand side by side.

    answer = ask(Question(rulebook="poker-v5", incident="exposed-in-the-deal"), GAMES)
    answer.open[0].ask          # "How many cards were exposed?"
    answer.branches             # what is ruled if one was, what if two were
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct, structs

from croupier.cards import Card, CardError, read_cards
from croupier.pit.game import Registry
from croupier.pit.incidents import (
    Catalogue,
    Fact,
    Incident,
    UnknownFact,
    catalogue_of,
    check_facts,
    combinations,
    merged,
    staged,
)
from croupier.pit.rehearsal import Rehearsal
from croupier.pit.ruling import Ruling, likeness, rule_on
from croupier.pit.situation import Contradiction
from croupier.rulebooks import Rulebook, RulebookError

TRIED_AT_MOST = 256
"""So many ways in which it may have been are tried; an incident with more is a fault of ours."""


class Answered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An option that somebody has chosen, so that the ruling goes on from there."""

    question: str
    option: str


class Question(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is asked: an incident of the catalogue and what is known of it, or a whole situation
    in the words of case files, with the steps that led to the report and the report itself."""

    rulebook: str
    incident: str = ""
    facts: dict[str, str] = {}
    policies: dict[str, str] = {}
    answers: tuple[Answered, ...] = ()
    situation: dict[str, Any] = {}
    """With an incident: what is otherwise in its set-up. Without: the set-up."""
    step: tuple[dict[str, Any], ...] = ()
    report: tuple[dict[str, Any], ...] = ()
    title: str = ""


class OpenValue(Struct, frozen=True, kw_only=True, rename={"name": "is"}):
    """A value that somebody may name, and why it cannot be, if it cannot."""

    name: str
    says: str
    impossible: str = ""


class OpenFact(Struct, frozen=True, kw_only=True):
    """Something that is not known and changes the ruling."""

    name: str
    ask: str
    kind: str
    values: tuple[OpenValue, ...]


class Assumed(Struct, frozen=True, kw_only=True):
    """Something that is not known and changes nothing, with what was taken."""

    name: str
    ask: str
    says: str


class Branch(Struct, frozen=True, kw_only=True):
    """What is ruled if the first open fact is so: one ruling, or several by what else is open."""

    name: str
    says: str
    rulings: tuple[Ruling, ...]


class Answer(Struct, frozen=True, kw_only=True):
    """The ruling if nothing that matters is open, else what to ask, and the branches."""

    rulebook: str
    title: str
    incident: str = ""
    facts: dict[str, str] = {}
    ruling: Ruling | None = None
    open: tuple[OpenFact, ...] = ()
    branches: tuple[Branch, ...] = ()
    assumed: tuple[Assumed, ...] = ()
    impossible: str = ""
    """Why there can be no such situation, or why what is reported cannot be true."""


def ask(question: Question, registry: Registry) -> Answer:
    """Answer a question; raises `Contradiction` or `UnknownFact` for one that cannot be asked."""
    book = _book(question, registry)
    if not question.incident:
        return _ask_situation(question, book, registry)
    catalogue = catalogue_of(registry.games[book.id].name)
    incident = catalogue.find(question.incident, book)
    facts = catalogue.facts_of(incident, book)
    check_facts(question.facts, facts)
    tried = list(_tried(question, book, catalogue, incident, facts, registry))
    return _answer(question, book, incident, facts, tried)


def _book(question: Question, registry: Registry) -> Rulebook:
    try:
        name = registry.resolve(question.rulebook)
        book = registry.load(name)
        book.policies_with(question.policies)
    except RulebookError as error:
        raise UnknownFact("policies" if question.policies else "rulebook", str(error)) from error
    if name not in registry.games:
        raise UnknownFact("rulebook", f"no game here plays {name}")
    return book


# -- a whole situation ----------------------------------------------------------------------------


def _ask_situation(question: Question, book: Rulebook, registry: Registry) -> Answer:
    if question.facts:
        raise UnknownFact("facts", "facts belong to an incident; name one")
    if not question.report:
        raise UnknownFact("report", "say what is reported, or name an incident")
    raw = {
        **question.situation,
        "rulebook": book.id,
        "policies": question.policies,
        "step": [*question.step, *question.report],
    }
    title = question.title or "A question"
    try:
        ruling = _ruling(raw, len(question.report), registry, question, cards_named(raw), title)
    except Contradiction as error:
        return Answer(rulebook=book.id, title=title, impossible=str(error))
    impossible = ruling.headline if ruling.kind == "refused" else ""
    return Answer(rulebook=book.id, title=title, ruling=ruling, impossible=impossible)


def cards_named(raw: Any) -> frozenset[Card]:
    """Every card that a question names."""
    found: set[Card] = set()
    match raw:
        case str():
            with suppress(CardError):  # a name, a word: no cards
                found |= set(read_cards(raw))
        case dict():
            found = {card for value in raw.values() for card in cards_named(value)}
        case list() | tuple():
            found = {card for value in raw for card in cards_named(value)}
        case _:
            pass  # a number, a date
    return frozenset(found - {Card.UNKNOWN})


def _ruling(
    raw: dict[str, Any],
    reports: int,
    registry: Registry,
    question: Question,
    named: frozenset[Card],
    title: str,
) -> Ruling:
    answers = [(one.question, one.option) for one in question.answers]
    return rule_on(lambda: Rehearsal(raw, reports, registry, title=title, named=named), answers)


# -- an incident ----------------------------------------------------------------------------------


class Tried(Struct, frozen=True, kw_only=True):
    """One way in which it may have been, and what is ruled then, or why it cannot be."""

    facts: dict[str, str]
    ruling: Ruling | None
    impossible: str = ""

    @property
    def stands(self) -> bool:
        """Whether it can have been so."""
        return self.ruling is not None and self.ruling.kind != "refused"

    @property
    def why_not(self) -> str:
        return self.impossible or (self.ruling.headline if self.ruling is not None else "")


def _tried(
    question: Question,
    book: Rulebook,
    catalogue: Catalogue,
    incident: Incident,
    facts: tuple[Fact, ...],
    registry: Registry,
) -> Iterator[Tried]:
    for number, whole in enumerate(combinations(facts, question.facts)):
        if number >= TRIED_AT_MOST:
            raise Contradiction("facts", f"{incident.name} leaves too much open; say more of it")
        yield _in_one_way(question, book, catalogue, incident, facts, whole, registry)


_KEPT_AT_MOST = 4_096
_kept: dict[bytes, Tried] = {}
"""What was found before: the same question has the same answer, whoever asks it."""


def _in_one_way(
    question: Question,
    book: Rulebook,
    catalogue: Catalogue,
    incident: Incident,
    facts: tuple[Fact, ...],
    whole: dict[str, str],
    registry: Registry,
) -> Tried:
    one = structs.replace(question, rulebook=book.id, facts=whole)
    key = msgspec.json.encode(one)
    if (found := _kept.get(key)) is not None:
        return found
    raw, reports = staged(catalogue, incident, facts, whole)
    raw = merged(raw, question.situation)
    raw |= {"rulebook": book.id, "policies": question.policies}
    try:
        named = cards_named(question.situation)
        ruling = _ruling(raw, reports, registry, question, named, incident.title)
        made = Tried(facts=whole, ruling=ruling)
    except Contradiction as error:
        made = Tried(facts=whole, ruling=None, impossible=str(error))
    if len(_kept) >= _KEPT_AT_MOST:
        _kept.pop(next(iter(_kept)))
    _kept[key] = made
    return made


def _answer(
    question: Question,
    book: Rulebook,
    incident: Incident,
    facts: tuple[Fact, ...],
    tried: Sequence[Tried],
) -> Answer:
    standing = [one for one in tried if one.stands]
    head = Answer(
        rulebook=book.id,
        title=incident.title,
        incident=incident.name,
        facts=dict(question.facts),
    )
    if not standing:
        first = tried[0]
        return structs.replace(head, ruling=first.ruling, impossible=first.why_not)
    matter = _in_order_of_telling(facts, question.facts, standing)
    assumed = tuple(_assumed(facts, question.facts, matter, standing))
    if not matter:
        usual = _usual(facts, standing)
        return structs.replace(head, ruling=usual.ruling, assumed=assumed)
    return structs.replace(
        head,
        open=tuple(_open(fact, tried) for fact in matter),
        branches=tuple(_branches(matter[0], facts, standing)),
        assumed=assumed,
    )


def _in_order_of_telling(
    facts: tuple[Fact, ...], known: Mapping[str, str], standing: Sequence[Tried]
) -> list[Fact]:
    """The facts that still change the ruling; the one that leaves the least open comes first."""
    found: list[tuple[float, int, Fact]] = []
    for order, fact in enumerate(facts):
        if fact.name in known or not _matters(fact, facts, standing):
            continue
        by_value = _by_value(fact, standing)
        left = sum(len(_classes(group)) for group in by_value.values()) / len(by_value)
        found.append((left, order, fact))
    return [fact for _, _, fact in sorted(found, key=lambda one: one[:2])]


def _matters(fact: Fact, facts: tuple[Fact, ...], standing: Sequence[Tried]) -> bool:
    """Whether two ways that differ in this fact alone, and in what depends on it, differ in the
    ruling."""
    left_out = {fact.name, *(other.name for other in facts if fact.name in other.when)}
    others: dict[tuple[tuple[str, str], ...], tuple[Any, ...]] = {}
    for one in standing:
        rest = tuple((k, v) for k, v in one.facts.items() if k not in left_out)
        assert one.ruling is not None
        alike = likeness(one.ruling)
        if fact.name in one.facts and others.setdefault(rest, alike) != alike:
            return True
    return False


def _by_value(fact: Fact, standing: Sequence[Tried]) -> dict[str, list[Tried]]:
    groups: dict[str, list[Tried]] = {}
    for one in standing:
        groups.setdefault(one.facts.get(fact.name, ""), []).append(one)
    return groups


def _classes(group: Sequence[Tried]) -> dict[tuple[Any, ...], Tried]:
    """The different rulings among some ways, each with the first that has it."""
    found: dict[tuple[Any, ...], Tried] = {}
    for one in group:
        assert one.ruling is not None
        found.setdefault(likeness(one.ruling), one)
    return found


def _usual(facts: tuple[Fact, ...], standing: Sequence[Tried]) -> Tried:
    """The way that has most of what is usual."""
    usual = {fact.name: fact.taken() for fact in facts}
    return max(standing, key=lambda one: sum(usual[k] == v for k, v in one.facts.items()))


def _assumed(
    facts: tuple[Fact, ...],
    known: Mapping[str, str],
    matter: Sequence[Fact],
    standing: Sequence[Tried],
) -> Iterator[Assumed]:
    usual = _usual(facts, standing)
    for fact in facts:
        if fact.name not in known and fact not in matter and fact.name in usual.facts:
            says = fact.say(usual.facts[fact.name])
            yield Assumed(name=fact.name, ask=fact.ask, says=says)


def _open(fact: Fact, tried: Sequence[Tried]) -> OpenFact:
    values = []
    for name in fact.names():
        ways = [one for one in tried if one.facts.get(fact.name) == name]
        can_be = any(one.stands for one in ways) or not ways
        why = "" if can_be else ways[0].why_not
        values.append(OpenValue(name=name, says=fact.say(name), impossible=why))
    return OpenFact(name=fact.name, ask=fact.ask, kind=fact.kind, values=tuple(values))


def _branches(first: Fact, facts: tuple[Fact, ...], standing: Sequence[Tried]) -> Iterator[Branch]:
    """What is ruled for each value of the most telling fact; places that fare alike together."""
    for name, group in _by_value(first, standing).items():
        if name:
            found = tuple(one.ruling for one in _classes(group).values() if one.ruling is not None)
            yield Branch(name=name, says=first.say(name), rulings=found)
