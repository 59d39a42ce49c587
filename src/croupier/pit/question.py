"""A question to the book, and its answer.

Facts that nobody has given are not asked one after the other. The ruling is computed for every way
in which it may have been; only what changes it is asked (`croupier.pit.open_facts`), the most
telling first, and as long as something is open the branches stand side by side.

    answer = ask(Question(rulebook="poker-v5", incident="exposed-in-the-deal"))
    answer.open[0].ask          # "How many cards were exposed?"
    answer.branches             # what is ruled if one was, what if two were
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, time
from decimal import Decimal
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, structs

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
    example_of,
    idle_in,
    lead_of,
    merged,
    set_apart,
    staged,
)
from croupier.pit.open_facts import (
    Assumed,
    Branch,
    Given,
    OpenFact,
    Tried,
    assumed,
    branches,
    given,
    in_order_of_telling,
    most_usual,
    open_fact,
)
from croupier.pit.registry import GAMES
from croupier.pit.rehearsal import Rehearsal, Unreadable
from croupier.pit.ruling import DISCRETION, Decision, Option, Ruling, Settled, rule_on
from croupier.pit.settled import (
    policies_that_rule,
    readings_of,
    readings_on,
    with_whose_word,
)
from croupier.pit.situation import Contradiction
from croupier.rulebooks import Rulebook, RulebookError

UNNAMED_CARDS = "This depends on cards that you have not named; the desk has dealt some."

STEPS_AT_MOST = 200
"""A question with more steps than this is an evening, and no question."""

TRIED_AT_MOST = 256
"""So many ways in which it may have been are tried; an incident with more is a fault of ours."""


class Answered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An option that somebody has chosen, so that the ruling goes on from there."""

    question: Annotated[str, Meta(max_length=100)]
    option: Annotated[str, Meta(max_length=100)]


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


class Answer(Struct, frozen=True, kw_only=True):
    """The ruling if nothing that matters is open, else what to ask, and the branches."""

    rulebook: str
    title: str
    incident: str = ""
    facts: dict[str, str] = {}
    given: tuple[Given, ...] = ()
    ruling: Ruling | None = None
    open: tuple[OpenFact, ...] = ()
    branches: tuple[Branch, ...] = ()
    assumed: tuple[Assumed, ...] = ()
    impossible: str = ""
    """Why there can be no such situation, or why what is reported cannot be true."""
    unsaid: str = ""
    """What nobody has said although the ruling depends on it, as a sentence."""
    example: str = ""
    """The table whose places and amounts the rulings name, where nobody has told of his own."""


def ask(question: Question, registry: Registry = GAMES) -> Answer:
    """Answer a question; raises `Contradiction` or `UnknownFact` for one that cannot be asked."""
    book = _book(question, registry)
    if question.incident:
        return _Asked.of(question, book, registry).answer()
    return _ask_situation(question, book, registry)


def tried_ways(question: Question, registry: Registry) -> list[Tried]:
    """Every way in which an incident may have been, with what is ruled then."""
    return list(_Asked.of(question, _book(question, registry), registry).tried())


class Staged(Struct, frozen=True, kw_only=True):
    """A question in the words of case files; its last `reports` steps are what is ruled on."""

    raw: dict[str, Any]
    reports: int
    title: str
    named: frozenset[Card]
    if_asked: frozenset[int] = frozenset()
    """Which steps, by their numbers, answer what may not be asked."""

    def rehearse(self, registry: Registry) -> Rehearsal:
        """Play it, on a copy of its own."""
        return Rehearsal(
            self.raw,
            self.reports,
            registry,
            title=self.title,
            named=self.named,
            if_asked=self.if_asked,
        )

    def ruling(
        self,
        registry: Registry,
        answered: Sequence[Answered],
        *,
        lead: Sequence[str] = (),
        foretell: bool = True,
    ) -> Ruling:
        """What is ruled on it."""
        answers = [(one.question, one.option) for one in answered]
        return rule_on(lambda: self.rehearse(registry), answers, lead=lead, foretell=foretell)


def staged_question(question: Question, registry: Registry) -> Staged | None:
    """The question as it was ruled on: where facts make no difference, with what is usual. None if
    it can have been so in no way."""
    book = _book(question, registry)
    if not question.incident:
        return _whole_situation(question, book)
    return _Asked.of(question, book, registry).staged_as_usual()


def _book(question: Question, registry: Registry) -> Rulebook:
    try:
        name = registry.resolve(question.rulebook)
        book = registry.load(name)
        book.policies_with(question.policies)
    except RulebookError as error:
        raise UnknownFact("policies" if question.policies else "rulebook", str(error)) from error
    if name not in registry.games:
        raise UnknownFact("rulebook", f"no game here plays {name}")
    check_situation(question)
    return book


# -- a whole situation ----------------------------------------------------------------------------


def _ask_situation(question: Question, book: Rulebook, registry: Registry) -> Answer:
    whole = _whole_situation(question, book)
    try:
        ruling = whole.ruling(registry, question.answers)
        with_other_cards = structs.replace(whole, title=f"{whole.title}, with other cards")
        depends = with_other_cards.ruling(registry, question.answers) != ruling
    except Unreadable:
        raise
    except Contradiction as error:
        return Answer(rulebook=book.id, title=whole.title, impossible=str(error))
    bearing = tuple(one for id in ruling.filed_under[:1] for one in readings_on(book, id))
    return Answer(
        rulebook=book.id,
        title=whole.title,
        ruling=structs.replace(with_whose_word(book, ruling), readings=bearing),
        impossible=ruling.headline if ruling.kind == "refused" else "",
        unsaid=UNNAMED_CARDS if depends else "",
    )


def _whole_situation(question: Question, book: Rulebook) -> Staged:
    if question.facts:
        raise UnknownFact("facts", "facts belong to an incident; name one")
    if len(question.step) + len(question.report) > STEPS_AT_MOST:
        raise UnknownFact("step", f"a question has at most {STEPS_AT_MOST} steps")
    if not question.report:
        raise UnknownFact("report", "say what is reported, or name an incident")
    raw = _from_json(
        {
            **question.situation,
            "rulebook": book.id,
            "policies": question.policies,
            "step": [*question.step, *question.report],
        }
    )
    title = question.title or "A question"
    return Staged(raw=raw, reports=len(question.report), title=title, named=cards_named(raw))


NOT_SITUATION = ("title", "about", "rulebook", "paragraphs", "policies", "step", "expect")
"""What a case file has at its top and a situation has not: it has a place of its own, or none."""


def check_situation(question: Question) -> None:
    """See that nothing is told where it would be passed over."""
    for key in NOT_SITUATION:
        if key in question.situation:
            raise UnknownFact(f"situation.{key}", "this is no part of a situation")
    if question.incident and (question.step or question.report):
        says = "an incident has steps and a report of its own; leave them out, or the incident"
        raise UnknownFact("step" if question.step else "report", says)


def _from_json(raw: dict[str, Any]) -> dict[str, Any]:
    """The same as TOML would have it: numbers with decimals, and times for their text."""
    made: dict[str, Any] = _decimals(raw)
    if isinstance(made.get("starts"), str):
        made["starts"] = _time(made["starts"], datetime, "situation.starts")
    for number, step in enumerate(made["step"], 1):
        if isinstance(step.get("at"), str):
            kind = time if ":" in step["at"][:3] else datetime
            step["at"] = _time(step["at"], kind, f"step {number}")
    return made


def _decimals(raw: Any) -> Any:
    match raw:
        case float():
            return Decimal(repr(raw))
        case dict():
            return {key: _decimals(value) for key, value in raw.items()}
        case list() | tuple():
            return [_decimals(value) for value in raw]
        case _:
            return raw


def _time(text: str, kind: type[datetime | time], path: str) -> datetime | time:
    try:
        return kind.fromisoformat(text)
    except ValueError as error:
        raise UnknownFact(path, f"{text!r} is no time such as 20:00:10") from error


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


# -- an incident ----------------------------------------------------------------------------------


_KEPT_AT_MOST = 1_024
_kept: dict[bytes, Tried] = {}
"""What was found before: the same question has the same answer, whoever asks it."""


class _Asked(Struct, frozen=True, kw_only=True):
    """An incident of the catalogue as somebody asks about it."""

    question: Question
    book: Rulebook
    registry: Registry
    catalogue: Catalogue
    incident: Incident
    facts: tuple[Fact, ...]

    @classmethod
    def of(cls, question: Question, book: Rulebook, registry: Registry) -> _Asked:
        catalogue = catalogue_of(registry.games[book.id].name)
        incident = catalogue.find(question.incident, book)
        facts = catalogue.facts_of(incident, book)
        check_facts(question.facts, facts)
        return cls(
            question=question,
            book=book,
            registry=registry,
            catalogue=catalogue,
            incident=incident,
            facts=facts,
        )

    def answer(self) -> Answer:
        """The ruling, or what must be known for it."""
        tried = list(self.tried())
        known = self.question.facts
        head = Answer(
            rulebook=self.book.id,
            title=self.incident.title,
            incident=self.incident.name,
            facts=dict(known),
            given=tuple(given(self.facts, known)),
            example=self._example(known),
        )
        standing = [one for one in tried if one.stands]
        if not tried:
            return structs.replace(head, impossible=self._said_in_vain())
        if not standing:
            first = tried[0]
            return structs.replace(head, ruling=first.ruling, impossible=first.why_not)
        matter = in_order_of_telling(self.facts, known, standing)
        head = structs.replace(head, assumed=tuple(assumed(self.facts, known, matter, standing)))
        if not matter:
            usual = most_usual(self.facts, standing)
            ruling = self._in_full(usual)
            return structs.replace(head, ruling=ruling, example=self._example(usual.facts))
        return structs.replace(
            head,
            open=tuple(open_fact(fact, tried) for fact in matter),
            branches=tuple(branches(matter[0], standing)),
        )

    def staged_as_usual(self) -> Staged | None:
        """The question as it was ruled on, with what is usual where it makes no difference; None
        if it can have been so in no way."""
        tried = list(self.tried())
        standing = [one for one in tried if one.stands] or [one for one in tried if one.ruling]
        return self._staged(most_usual(self.facts, standing).facts) if standing else None

    def tried(self) -> Iterator[Tried]:
        """Every way in which it may have been, as far as it is not known."""
        for number, whole in enumerate(combinations(self.facts, self.question.facts)):
            if number >= TRIED_AT_MOST:
                says = f"{self.incident.name} leaves too much open; say more of it"
                raise Contradiction("facts", says)
            yield self._in_one_way(whole)

    def _said_in_vain(self) -> str:
        """What was said that can have been so in no way, because of something else."""
        known = self.question.facts
        for fact, other in idle_in(self.facts, known):
            said, against = fact.say(known[fact.name]), other.say(known[other.name])
            return f"{fact.ask} {said}: that does not go with: {other.ask} {against}."
        return "What was said does not go together."

    def _example(self, known: Mapping[str, str]) -> str:
        """The table that the rulings speak of, unless whoever asks has told of another."""
        if self.question.situation:
            return ""
        return example_of(self.catalogue, self.incident, self.facts, known)

    def _in_full(self, way: Tried) -> Ruling | None:
        """The ruling of a way: with what each option leads to where somebody has a choice, and with
        the policies of the House that it rests on."""
        if way.ruling is not None and way.ruling.decisions:
            way = self._in_one_way(way.facts, foretell=True)
        if (ruling := way.ruling) is None:
            return None
        rest = policies_that_rule(self.book, ruling, self.question.policies, self._ruled_with(way))
        by_id = {one.reading: one for one in (*ruling.readings, *rest)}
        return structs.replace(ruling, readings=tuple(by_id.values()))

    def _ruled_with(self, way: Tried) -> Callable[[str, str], Ruling | None]:
        """What is ruled in this way under another policy."""

        def ruled(policy: str, value: str) -> Ruling | None:
            policies = {**self.question.policies, policy: value}
            question = structs.replace(self.question, policies=policies)
            return structs.replace(self, question=question)._in_one_way(way.facts).ruling

        return ruled

    def _in_one_way(self, whole: dict[str, str], *, foretell: bool = False) -> Tried:
        """What is ruled if it was so; kept for the next who asks about the example table."""
        if self.question.situation:
            return self._ruled(whole, foretell=foretell)
        one = structs.replace(self.question, rulebook=self.book.id, facts=whole)
        key = msgspec.json.encode((one, foretell))
        if (found := _kept.get(key)) is not None:
            return found
        made = self._ruled(whole, foretell=foretell)
        if len(_kept) >= _KEPT_AT_MOST:
            _kept.pop(next(iter(_kept)))
        _kept[key] = made
        return made

    def _ruled(self, whole: dict[str, str], *, foretell: bool) -> Tried:
        incident = self.incident
        try:
            ruling = self._staged(whole).ruling(
                self.registry,
                self.question.answers,
                lead=lead_of(incident, self.facts, whole),
                foretell=foretell,
            )
        except Unreadable:
            raise
        except Contradiction as error:
            return Tried(facts=whole, ruling=None, impossible=str(error))
        if incident.refusal and ruling.kind == "refused":
            ruling = _refused(ruling, incident.refusal)
        elif incident.consent and ruling.kind == "ruling":
            ruling = structs.replace(ruling, headline=f"{incident.consent} {ruling.headline}")
        readings = self._rests_on(whole, ruling)
        ruling = self._with_what_fits(whole, ruling)
        ruling = structs.replace(with_whose_word(self.book, ruling), readings=readings)
        return Tried(facts=whole, ruling=ruling)

    def _with_what_fits(self, whole: dict[str, str], ruling: Ruling) -> Ruling:
        """The ruling with those options of discretion that have to do with what happened, and with
        what they mean here."""
        decisions = tuple(
            structs.replace(one, options=tuple(self._fitting(whole, one)))
            if one.question == DISCRETION
            else one
            for one in ruling.decisions
        )
        return structs.replace(ruling, decisions=decisions)

    def _fitting(self, whole: dict[str, str], decision: Decision) -> Iterator[Option]:
        apart = set_apart(self.catalogue, self.incident, self.facts, whole)
        for option in decision.options:
            if option.name not in apart:
                means = self.incident.means.get(option.name, "")
                yield structs.replace(option, says=f"{option.says} {means}".strip())

    def _rests_on(self, whole: Mapping[str, str], ruling: Ruling) -> tuple[Settled, ...]:
        """The readings that the incident names for this way."""
        named = [
            one.on
            for one in self.incident.rests
            if all(whole.get(fact) in values for fact, values in one.when.items())
            and (not one.cited or one.cited in ruling.cites)
        ]
        return readings_of(self.book, named, self.question.policies)

    def _staged(self, whole: dict[str, str]) -> Staged:
        """One way in which it may have been, under the book and the policies of the question."""
        raw, reports = staged(self.catalogue, self.incident, self.facts, whole)
        raw = _from_json(merged(raw, self.question.situation))
        raw |= {"rulebook": self.book.id, "policies": self.question.policies}
        marked = frozenset(n for n, step in enumerate(raw["step"], 1) if "if_asked" in step)
        raw["step"] = [{k: v for k, v in s.items() if k != "if_asked"} for s in raw["step"]]
        return Staged(
            raw=raw,
            reports=reports,
            title=self.incident.title,
            named=cards_named(self.question.situation),
            if_asked=marked,
        )


def _refused(ruling: Ruling, begins: str) -> Ruling:
    """A refusal that is the ruling, as one tells it to somebody who stands by."""
    sentences = tuple(structs.replace(s, says=_of_the_player(s.says)) for s in ruling.sentences)
    says = f"{begins} {_of_the_player(ruling.headline)}"
    return structs.replace(ruling, kind="ruling", headline=says, sentences=sentences)


def _of_the_player(says: str) -> str:
    """A table speaks to whoever asks it for something; the desk speaks of them."""
    for mine, theirs in (("ou are", "he player is"), ("ou have", "he player has")):
        says = says.replace(f"Y{mine}", f"T{theirs}").replace(f"y{mine}", f"t{theirs}")
    return says
