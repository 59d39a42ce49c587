"""What goes wrong at a felt, as a floor person thinks of it: the catalogue of the ruling desk.

It stands in `croupier/incidents`, a file for each family of games, in the words of case files. An
incident is a table in mid-round, what happened there, and the report that is ruled on; what may
have been so or otherwise is left open as its facts. Each value of a fact says what it changes:
settings, steps, or what a `$name` stands for.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, Literal

import msgspec
from msgspec import Struct

from croupier.rulebooks import Rulebook, Topic
from croupier.table import UnreadableMoney, read_money

FactKind = Literal["choice", "place", "amount"]
"""One of some values in words; a seat or box; an amount of money."""

Facts = Mapping[str, str]
"""What is known: the name of a fact, and its value as one says it."""


class UnknownFact(Exception):
    """Something said of an incident that it has no room for; says what it has."""

    def __init__(self, path: str, says: str) -> None:
        super().__init__(f"{path}: {says}")
        self.path = path
        self.says = says


class Value(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"name": "is"}):
    """One value of a fact, and what it changes."""

    name: str
    says: str = ""
    set: dict[str, Any] = {}
    """What a `$name` stands for."""
    situation: dict[str, Any] = {}
    """What is otherwise in the set-up."""
    step: tuple[dict[str, Any], ...] = ()
    """What happened, where the incident has room for this fact."""
    report: tuple[dict[str, Any], ...] | None = None
    """What is reported instead."""
    lead: tuple[str, ...] = ()
    """The events that are the ruling then, where they are not those of the incident."""
    topic: Topic | None = None
    """What the book must have for this to come about."""
    remedies: tuple[str, ...] = ()
    """Options of a ruling by discretion that fit where this is so, of those that the catalogue sets
    `apart`."""


class Fact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may have been so or otherwise."""

    name: str
    ask: str
    kind: FactKind = "choice"
    value: tuple[Value, ...] = ()
    usual: str = ""
    """What is taken where it makes no difference; the first value if not said."""
    tried: tuple[str, ...] = ()
    """The places or amounts that are tried to see whether it makes a difference."""
    when: dict[str, tuple[str, ...]] = {}
    """Only where other facts have these values."""

    def names(self) -> tuple[str, ...]:
        """The values that are tried."""
        return tuple(v.name for v in self.value) if self.kind == "choice" else self.tried

    def taken(self) -> str:
        return self.usual or self.names()[0]

    def say(self, value: str) -> str:
        """A value in words."""
        found = next((v.says for v in self.value if v.name == value), "")
        return found or value


class Rests(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A settled reading that a ruling rests on, because the text alone does not decide it."""

    on: str
    """The reading by its id: `A-38`. A book that has none of this id has another text."""
    when: dict[str, tuple[str, ...]] = {}
    """Only where facts have these values."""
    cited: str = ""
    """Only where this paragraph is among those of the ruling: an amount may bring it or not."""


class Incident(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that goes wrong."""

    name: str
    group: str
    title: str
    words: str = ""
    """Other words for it, for the search."""
    common: bool = False
    """Whether it belongs to the commonest, which stand first."""
    refusal: str = ""
    """How the ruling begins where a refusal is the ruling: `No.` to somebody who asks for
    something. Without it, what a table refuses cannot have been so."""
    consent: str = ""
    """How it begins where it is not refused: `Yes.`"""
    lead: tuple[str, ...] = ()
    """The events that are the ruling, by name, where it is not the first that cites something."""
    topic: Topic | None = None
    """What the book must have."""
    not_topic: Topic | None = None
    situation: dict[str, Any] = {}
    step: tuple[dict[str, Any], ...] = ()
    """What happened; `{ fact = "…" }` stands for the steps of that fact's value."""
    report: tuple[dict[str, Any], ...]
    """What is ruled on; `{ fact = "…" }` as above. An answer with `if_asked = true` is left out
    where a policy of the House has it ruled without asking."""
    facts: tuple[str, ...] = ()
    """Facts that several incidents share."""
    fact: tuple[Fact, ...] = ()
    rests: tuple[Rests, ...] = ()
    """The settled readings that rule here rather than the text itself."""
    example: str = ""
    """What the example table plays, where the ruling names its amounts: `Seat 2 has bet 100.`"""
    means: dict[str, str] = {}
    """What an option of a ruling by discretion means here, said after its own words."""
    remedies: tuple[str, ...] = ()
    """Those options that fit this, of the ones that the catalogue sets `apart`."""

    def fits(self, book: Rulebook) -> bool:
        return (self.topic is None or book.has(self.topic)) and not (
            self.not_topic is not None and book.has(self.not_topic)
        )


class Group(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a floor person looks for it."""

    name: str
    title: str


class Catalogue(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The incidents of one family of games."""

    setup: dict[str, Any]
    example: str = ""
    """The table of `setup` in a sentence."""
    apart: tuple[str, ...] = ()
    """Options of a ruling by discretion that the desk names only where they have to do with what
    happened: where the incident, or a value of a fact, has them among its `remedies`. A table
    offers them whenever they can be carried out."""
    group: tuple[Group, ...]
    fact: tuple[Fact, ...] = ()
    incident: tuple[Incident, ...]

    def find(self, name: str, book: Rulebook) -> Incident:
        """The incident of this name, if it can come about under the book."""
        for incident in self.incident:
            if incident.name == name and incident.fits(book):
                return incident
        known = ", ".join(i.name for i in self.incident if i.fits(book))
        raise UnknownFact("incident", f"{book.short} knows no incident {name!r}; known: {known}")

    def facts_of(self, incident: Incident, book: Rulebook) -> tuple[Fact, ...]:
        """All facts of an incident, each with the values that can come about under the book."""
        shared = {fact.name: fact for fact in self.fact}
        whole = (*(shared[name] for name in incident.facts), *incident.fact)
        return tuple(
            msgspec.structs.replace(fact, value=values)
            for fact in whole
            if (values := _values(fact, book)) or fact.kind != "choice"
        )


def _values(fact: Fact, book: Rulebook) -> tuple[Value, ...]:
    """The values that can come about under the book; a fact without any plays no part in it."""
    return tuple(v for v in fact.value if v.topic is None or book.has(v.topic))


@cache
def catalogue_of(family: str) -> Catalogue:
    """The incidents of a family of games; UnknownFact if none are written."""
    file = files("croupier") / "incidents" / f"{family}.toml"
    if not file.is_file():
        says = f"there are no incidents of {family} games yet; tell the whole situation"
        raise UnknownFact("incident", says)
    return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Catalogue)


# -- an incident with its facts, in the words of case files ---------------------------------------


def applies(fact: Fact, facts: Facts) -> bool:
    """Whether a fact plays a part, as far as the others are known."""
    return all(facts.get(name) in values for name, values in fact.when.items())


def check_facts(known: Facts, facts: tuple[Fact, ...]) -> None:
    """See that everything that is said can be said."""
    by_name = {fact.name: fact for fact in facts}
    for name, value in known.items():
        fact = by_name.get(name)
        if fact is None:
            told = ", ".join(by_name) or "none"
            raise UnknownFact(f"facts.{name}", f"there is no such fact here; there is {told}")
        match fact.kind:
            case "choice" if value not in fact.names():
                told = ", ".join(fact.names())
                raise UnknownFact(f"facts.{name}", f"{value!r} is none of {told}")
            case "place" if value not in fact.tried:
                told = ", ".join(fact.tried)
                raise UnknownFact(f"facts.{name}", f"{value!r} is no place here; there is {told}")
            case "amount":
                try:
                    read_money(value)
                except UnreadableMoney as error:
                    raise UnknownFact(f"facts.{name}", str(error)) from error
            case _:
                pass


def combinations(facts: tuple[Fact, ...], known: Facts) -> Iterator[dict[str, str]]:
    """Every way in which it may have been, as far as it is not known; a fact that plays no part
    is left out. What is known was so: a way in which it would play no part is none."""
    open_ = [fact for fact in facts if fact.name not in known]
    seen: set[tuple[tuple[str, str], ...]] = set()
    for values in product(*(fact.names() for fact in open_)):
        whole = {**known, **{f.name: v for f, v in zip(open_, values, strict=True)}}
        part = _in_part(whole, facts)
        key = tuple(part.items())
        if key not in seen and known.keys() <= part.keys():
            seen.add(key)
            yield part


def idle_in(facts: tuple[Fact, ...], known: Facts) -> Iterator[tuple[Fact, Fact]]:
    """What is known and can play no part because of something else that is known, and that."""
    by_name = {fact.name: fact for fact in facts}
    for fact in facts:
        if fact.name in known:
            for name, values in fact.when.items():
                if name in by_name and name in known and known[name] not in values:
                    yield fact, by_name[name]


def _in_part(whole: Facts, facts: tuple[Fact, ...]) -> dict[str, str]:
    """The facts that play a part, in the order of the incident."""
    found: dict[str, str] = {}
    for fact in facts:
        if fact.name in whole and applies(fact, found):
            found[fact.name] = whole[fact.name]
    return found


def staged(
    catalogue: Catalogue, incident: Incident, facts: tuple[Fact, ...], known: Facts
) -> tuple[dict[str, Any], int]:
    """The incident as a case file has it, and how many of its last steps are asked about."""
    raw = merged(catalogue.setup, incident.situation)
    steps: dict[str, tuple[dict[str, Any], ...]] = {}
    report = incident.report
    for fact, chosen in _chosen(facts, known):
        raw = merged(raw, chosen.situation)
        steps[fact.name] = chosen.step
        report = chosen.report if chosen.report is not None else report
    variables = _variables(facts, known)
    places = sorted(int(n) for n in raw.get("seats", raw.get("boxes", {})))
    happened = [step for one in incident.step for step in _steps(one, steps)]
    reported = [step for one in report for step in _steps(one, steps)]
    whole = {**raw, "step": [*happened, *reported]}
    return filled(whole, variables, places), len(reported)


def lead_of(incident: Incident, facts: tuple[Fact, ...], known: Facts) -> tuple[str, ...]:
    """The events that are the ruling: those that a value names, else those of the incident."""
    named = [chosen.lead for _, chosen in _chosen(facts, known) if chosen.lead]
    return named[-1] if named else incident.lead


def set_apart(
    catalogue: Catalogue, incident: Incident, facts: tuple[Fact, ...], known: Facts
) -> set[str]:
    """The options of a ruling by discretion that have nothing to do with what happened."""
    named = {one for _, chosen in _chosen(facts, known) for one in chosen.remedies}
    return set(catalogue.apart) - named - set(incident.remedies)


def example_of(
    catalogue: Catalogue, incident: Incident, facts: tuple[Fact, ...], known: Facts
) -> str:
    """What the example table plays, in a sentence; what is not known of it is left out."""
    try:
        played = filled(incident.example, _variables(facts, known), [])
    except KeyError:
        played = ""
    return f"{catalogue.example} {played}".strip()


def _chosen(facts: tuple[Fact, ...], known: Facts) -> Iterator[tuple[Fact, Value]]:
    """The values in words that are known, each with its fact."""
    for fact in facts:
        if fact.name in known and fact.kind == "choice":
            yield fact, next(v for v in fact.value if v.name == known[fact.name])


def _variables(facts: tuple[Fact, ...], known: Facts) -> dict[str, Any]:
    """What each `$name` stands for."""
    found = {
        fact.name: int(known[fact.name]) if fact.kind == "place" else known[fact.name]
        for fact in facts
        if fact.name in known and fact.kind != "choice"
    }
    for _, chosen in _chosen(facts, known):
        found |= chosen.set
    return found


def _steps(
    step: dict[str, Any], of_facts: Mapping[str, tuple[dict[str, Any], ...]]
) -> tuple[dict[str, Any], ...]:
    return of_facts.get(step["fact"], ()) if step.keys() == {"fact"} else (step,)


def merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """One set-up with what is otherwise in another; a record that is empty there is left out."""
    found = dict(one)
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(found.get(key), dict) and value:
            found[key] = merged(found[key], value)
        elif value == {}:
            found.pop(key, None)
        else:
            found[key] = value
    return found


_VARIABLE = re.compile(r"\$([a-z_]+)(?:\+(\d+))?")


def filled(raw: Any, variables: Mapping[str, Any], places: list[int]) -> Any:
    """The same with what each `$name` stands for; `$name+1` is the next place after it."""
    match raw:
        case str() if (whole := _VARIABLE.fullmatch(raw)) is not None:
            return _stands_for(whole, variables, places)
        case str():
            return _VARIABLE.sub(lambda m: str(_stands_for(m, variables, places)), raw)
        case dict():
            return {
                filled(k, variables, places): filled(v, variables, places) for k, v in raw.items()
            }
        case list() | tuple():
            return [filled(v, variables, places) for v in raw]
        case _:
            return raw


def _stands_for(found: re.Match[str], variables: Mapping[str, Any], places: list[int]) -> Any:
    value = variables[found[1]]
    if found[2] is None:
        return value
    return places[(places.index(value) + int(found[2])) % len(places)]
