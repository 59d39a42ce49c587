"""What is still to be asked: which of the facts that nobody has given change the ruling, in which
order they are asked, and what is ruled either way.

Every way in which it may have been was tried before (`Tried`); here the rulings are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from croupier.pit.incidents import Fact
from croupier.pit.ruling import Ruling, likeness


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


class Given(Struct, frozen=True, kw_only=True):
    """Something that was said, in words: so that whoever reads the answer need not know the
    incident."""

    name: str
    ask: str
    kind: str
    says: str
    hangs_on: tuple[str, ...] = ()
    """The facts that it is asked after: whoever takes one of them back takes this back too."""


class Branch(Struct, frozen=True, kw_only=True):
    """What is ruled if the first open fact is so: one ruling, or several by what else is open."""

    name: str
    says: str
    rulings: tuple[Ruling, ...]


def in_order_of_telling(
    facts: tuple[Fact, ...], known: Mapping[str, str], standing: Sequence[Tried]
) -> list[Fact]:
    """The facts that still change the ruling; the one that leaves the least open comes first, but
    none before the one that it hangs on."""
    if not known and len(_classes(standing)) == 1:
        return []  # whatever amounts were tried, it was ruled alike
    must = [f for f in facts if f.name not in known and _must_be_known(f, facts, standing)]
    hung_on = {name for fact in must for name in _hangs_on(fact, facts, known, standing)}
    found: list[tuple[int, float, int, Fact]] = []
    for order, fact in enumerate(facts):
        if fact not in must and fact.name not in hung_on:
            continue
        by_value = _by_value(fact, standing)
        left = sum(len(_classes(group)) for group in by_value.values()) / len(by_value)
        found.append((len(_hangs_on(fact, facts, known, standing)), left, order, fact))
    return [fact for *_, fact in sorted(found, key=lambda one: one[:3])]


def _hangs_on(
    fact: Fact, facts: tuple[Fact, ...], known: Mapping[str, str], standing: Sequence[Tried]
) -> set[str]:
    """What must be known before a fact can be asked: whether it plays a part."""
    found: set[str] = set()
    for other in facts:
        if other.name in fact.when and other.name not in known:
            if len(_by_value(other, standing)) > 1:
                found.add(other.name)
            found |= _hangs_on(other, facts, known, standing)
    return found


def _must_be_known(fact: Fact, facts: tuple[Fact, ...], standing: Sequence[Tried]) -> bool:
    """Whether a fact must be asked: it changes the ruling, or it is an amount that plays a part.
    Only some amounts are tried, and another might be ruled on otherwise."""
    plays_a_part = any(fact.name in one.facts for one in standing)
    return (fact.kind == "amount" and plays_a_part) or matters(fact, facts, standing)


def matters(fact: Fact, facts: tuple[Fact, ...], standing: Sequence[Tried]) -> bool:
    """Whether ways that differ in this fact alone, and in what depends on it, differ in the
    ruling."""
    apart = {fact.name, *(other.name for other in facts if fact.name in other.when)}
    found: dict[tuple[tuple[str, str], ...], dict[str, set[tuple[Any, ...]]]] = {}
    for one in standing:
        if fact.name in one.facts:
            assert one.ruling is not None
            rest = tuple((k, v) for k, v in one.facts.items() if k not in apart)
            by_value = found.setdefault(rest, {})
            by_value.setdefault(one.facts[fact.name], set()).add(likeness(one.ruling))
    return any(len(set(map(frozenset, by_value.values()))) > 1 for by_value in found.values())


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


def most_usual(facts: tuple[Fact, ...], standing: Sequence[Tried]) -> Tried:
    """The way that has most of what is usual."""
    usual = {fact.name: fact.taken() for fact in facts}
    return max(standing, key=lambda one: sum(usual[k] == v for k, v in one.facts.items()))


def assumed(
    facts: tuple[Fact, ...],
    known: Mapping[str, str],
    matter: Sequence[Fact],
    standing: Sequence[Tried],
) -> Iterator[Assumed]:
    """What was taken for each fact that nobody gave and that changes nothing."""
    usual = most_usual(facts, standing)
    for fact in facts:
        if fact.name not in known and fact not in matter and fact.name in usual.facts:
            says = fact.say(usual.facts[fact.name])
            yield Assumed(name=fact.name, ask=fact.ask, says=says)


def given(facts: tuple[Fact, ...], known: Mapping[str, str]) -> Iterator[Given]:
    """What was said, in words."""
    for fact in facts:
        if fact.name in known:
            says = fact.say(known[fact.name])
            hangs_on = tuple(fact.when)
            yield Given(name=fact.name, ask=fact.ask, kind=fact.kind, says=says, hangs_on=hangs_on)


def open_fact(fact: Fact, tried: Sequence[Tried]) -> OpenFact:
    """A fact to be asked, with its values."""
    values = []
    for name in fact.names():
        ways = [one for one in tried if one.facts.get(fact.name) == name]
        can_be = any(one.stands for one in ways) or not ways
        why = "" if can_be else ways[0].why_not
        values.append(OpenValue(name=name, says=fact.say(name), impossible=why))
    return OpenFact(name=fact.name, ask=fact.ask, kind=fact.kind, values=tuple(values))


def branches(first: Fact, standing: Sequence[Tried]) -> Iterator[Branch]:
    """What is ruled for each value of the most telling fact; places that fare alike together."""
    for name, group in _by_value(first, standing).items():
        if name:
            found = tuple(one.ruling for one in _classes(group).values() if one.ruling is not None)
            yield Branch(name=name, says=first.say(name), rulings=found)
