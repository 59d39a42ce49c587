"""What a case proves: which paragraphs were cited by something whose outcome the case checks.

A paragraph is covered when its citation was emitted at some step, and at that step or later the
case expects something, other than a citation, that the citing event itself changed or offered.
A refusal changes nothing, so there the case must say at that very step how things stand.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from croupier.pit.expect import Expectation, flatten
from croupier.table import Event, Refused


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


Frozen = dict[str, msgspec.Raw]
"""The facts of a moment, each as its JSON: cheap to keep, and nothing can change them later."""

_frozen = msgspec.json.Decoder(Frozen)


def freeze(facts: Struct) -> Frozen:
    """Keep the facts as they are now."""
    return _frozen.decode(msgspec.json.encode(facts))


class Evidence:
    """Gathers citations and expectations while a case is played."""

    def __init__(self, paragraphs: tuple[str, ...]) -> None:
        self.paragraphs = paragraphs
        self._named = frozenset(paragraphs)
        self.citations: list[Citation] = []
        self.expectations: list[tuple[int, Expectation]] = []

    def wants(self, event: Event) -> bool:
        """True if the event cites a paragraph that the case is about."""
        return not self._named.isdisjoint(event.cites)

    def happened(self, citation: Citation) -> None:
        """Keep a citing event."""
        self.citations.append(citation)

    def refused(self, step: int, place: str, answer: Refused) -> None:
        """Keep a refusal; it changed nothing."""
        self.citations.append(
            Citation(step=step, place=place, cites=answer.cites, event=None, changed=frozenset())
        )

    def expected(self, step: int, expectation: Expectation) -> None:
        """Keep an expectation that was met."""
        self.expectations.append((step, expectation))

    def covered(self) -> tuple[str, ...]:
        """The paragraphs of the case that it proves, in its own order."""
        return tuple(
            paragraph
            for paragraph in self.paragraphs
            if any(paragraph in c.cites and self._is_checked(c) for c in self.citations)
        )

    def _is_checked(self, citation: Citation) -> bool:
        return any(_checks(expectation, step, citation) for step, expectation in self.expectations)


def _checks(expectation: Expectation, step: int, citation: Citation) -> bool:
    """Would this expectation fail if what the citation speaks of had come out otherwise?"""
    if step < citation.step:
        return False
    if citation.event is None:
        return step == citation.step and citation.place in expectation.facts
    if any(
        place == citation.place and _overlap(path, changed)
        for place, path in expectation.paths()
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
