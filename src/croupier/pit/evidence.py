"""What a case proves: which paragraphs were cited by something whose outcome the case checks.

A paragraph is covered when its citation was emitted at some step, and at that step or later the
case expects something, other than a citation, that the citing event itself changed or offered.
A refusal changes nothing, so there the case must say at that very step how things stand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from croupier.pit.expect import Expectation, flatten
from croupier.table import Event, Refused

Frozen = dict[str, bytes]
"""Facts of a moment, each as its JSON: cheap to keep, and nothing can change them later."""


class Citation(Struct, kw_only=True):
    """A paragraph list that was cited at a step, and which facts the citing event changed."""

    step: int
    place: str
    cites: tuple[str, ...]
    event: Event | None
    changed: frozenset[str]

    @classmethod
    def of(cls, step: int, place: str, event: Event, before: Frozen, after: Frozen) -> Citation:
        """The citation of an event, with the paths of the facts that differ around it."""
        changed: set[str] = set()
        for fact, value in after.items():
            if value != before[fact]:
                old = dict(flatten(msgspec.json.decode(before[fact]), fact))
                new = dict(flatten(msgspec.json.decode(value), fact))
                paths = old.keys() | new.keys()
                changed |= {path for path in paths if old.get(path) != new.get(path)}
        return cls(
            step=step, place=place, cites=event.cites, event=event, changed=frozenset(changed)
        )


def freeze(facts: Mapping[str, Any]) -> Frozen:
    """Keep these facts as they are now."""
    return {fact: msgspec.json.encode(value) for fact, value in facts.items()}


class Evidence:
    """Gathers what proves the paragraphs of a case while it is played.

    What the case will expect is known from the start. So only facts that it expects anywhere are
    kept, and only for paragraphs that are not proven yet: nothing else could prove any.
    """

    def __init__(self, paragraphs: tuple[str, ...], expectations: Iterable[Expectation]) -> None:
        self.paragraphs = paragraphs
        self._unproven = set(paragraphs)
        self._citations: list[Citation] = []
        self._expected: dict[str, dict[str, None]] = {}
        for expectation in expectations:
            for place, facts in expectation.facts.items():
                self._expected.setdefault(place, {}).update(dict.fromkeys(facts))

    def wants(self, event: Event) -> bool:
        """True if the event cites a paragraph of the case that is not proven yet."""
        return not self._unproven.isdisjoint(event.cites)

    def expected_of(self, place: str) -> Collection[str]:
        """The facts of a place that the case expects anything of, at any step."""
        return self._expected.get(place, ())

    def happened(self, citation: Citation) -> None:
        """Keep a citing event."""
        self._citations.append(citation)

    def refused(self, step: int, place: str, answer: Refused) -> None:
        """Keep a refusal; it changed nothing."""
        self._citations.append(
            Citation(step=step, place=place, cites=answer.cites, event=None, changed=frozenset())
        )

    def met(self, step: int, expectation: Expectation) -> None:
        """An expectation was met: what it checks of all that happened so far is proven."""
        paths = list(expectation.paths())
        for citation in self._citations:
            if not self._unproven.isdisjoint(citation.cites) and _checks(
                expectation, paths, step, citation
            ):
                self._unproven.difference_update(citation.cites)

    def covered(self) -> tuple[str, ...]:
        """The paragraphs of the case that it proves, in its own order."""
        return tuple(p for p in self.paragraphs if p not in self._unproven)


def _checks(
    expectation: Expectation, paths: list[tuple[str, str]], step: int, citation: Citation
) -> bool:
    """Would this expectation, of these facts, fail if what the citation speaks of had come out
    otherwise?"""
    if citation.event is None:
        return step == citation.step and citation.place in expectation.facts
    if any(
        place == citation.place and _overlap(path, changed)
        for place, path in paths
        for changed in citation.changed
    ):
        return True
    if step != citation.step:
        return False
    event = citation.event
    matches = [m for m in expectation.events if set(m.values) - {"cites"}]
    return any(match.fits(event) for match in (*matches, *(expectation.announced or ())))


def _overlap(one: str, other: str) -> bool:
    """True if two paths are the same or one lies inside the other."""
    return one == other or one.startswith(other + ".") or other.startswith(one + ".")
