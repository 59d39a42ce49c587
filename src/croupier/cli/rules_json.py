"""What `croupier rules … --json` prints: the books as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.rulebooks import Note, Paragraph, PayTable, Policy, Rulebook, Topic, meaning
from croupier.rulebooks.compare import Comparison, Difference, ParagraphDifference
from croupier.rulebooks.search import Hit
from croupier.rulebooks.vocabulary import is_information

if TYPE_CHECKING:
    from croupier.cli.rules_cases import Naming


def head(book: Rulebook) -> dict[str, Any]:
    """What `rules list` says of a book."""
    return {
        "id": book.id,
        "title": book.title,
        "short": book.short,
        "version": book.version,
        "family": book.family,
        "effective": book.effective.isoformat() if book.effective else None,
        "effective_note": book.effective_note,
        "superseded_by": book.superseded_by,
        "superseded_at": book.superseded_at.isoformat() if book.superseded_at else None,
        "paragraphs": len(book.paragraphs),
        "executable": len(book.executable),
    }


def book(book: Rulebook) -> dict[str, Any]:
    """A whole book, paragraphs included."""
    return head(book) | {
        "operator": book.operator,
        "regulator": book.regulator,
        "sections": dict(book.sections),
        "parameters": {
            name: {
                "value": p.text,
                "unit": p.unit,
                "paragraphs": p.paragraphs,
                "information": is_information(name),
            }
            for name, p in book.parameters.items()
        },
        "procedures": {
            name: {
                "value": p.value,
                "paragraphs": p.paragraphs,
                "information": is_information(name),
            }
            for name, p in book.procedures.items()
        },
        "policies": [reading(policy) for policy in book.policies.values()],
        "notes": [reading(note) for note in book.notes],
        "pays": [pay_table(table) for table in book.pays.values()],
        "topics": dict(book.topics),
        "lacks": sorted(book.lacks),
        "paragraphs": [msgspec.to_builtins(p) for p in book.paragraphs.values()],
    }


def pay_table(table: PayTable) -> dict[str, Any]:
    """A pay table with its payments as written on the table."""
    return {
        "id": table.id,
        "title": table.title,
        "paragraphs": table.paragraphs,
        "lines": [
            {
                "id": line.id,
                "topic": line.topic,
                "pays": str(line.pays),
                "major": line.major,
                "when": msgspec.to_builtins(line.when),
            }
            for line in table.lines
        ],
    }


def reading(settled: Note | Policy) -> dict[str, Any]:
    """A note or a policy."""
    data: dict[str, Any] = msgspec.to_builtins(settled)
    return data


def find(book: Rulebook, id: str) -> tuple[Paragraph | None, list[Paragraph]]:
    """The paragraph of that id and those below it; an error if there is neither."""
    below = [p for p in book.paragraphs.values() if p.id.startswith(f"{id}.")]
    if below:
        return book.paragraphs.get(id), below
    return book.paragraph(id), below


def page(
    book: Rulebook,
    id: str,
    own: Paragraph | None,
    below: list[Paragraph],
    cases: Sequence[Naming],
) -> dict[str, Any]:
    """One paragraph with everything that hangs on it."""
    before, after = neighbours(book, id, below)
    data: dict[str, Any] = {"book": book.id, "paragraph": id}
    if own is not None:
        data |= msgspec.to_builtins(own)
    return data | {
        "topics": topics(book, id),
        "notes": [reading(note) for note in book.notes_for(id)],
        "policies": [reading(policy) for policy in book.policies_for(id)],
        "below": [msgspec.to_builtins(p) for p in below],
        "cases": [{"file": case.file, "title": case.title} for case in cases],
        "before": before.id if before else None,
        "after": after.id if after else None,
    }


def topics(book: Rulebook, id: str) -> dict[str, str]:
    """The topics that cite a paragraph, with their meanings."""
    names = {topic.value: topic for topic in Topic}
    return {name: meaning(names[name]) if name in names else "" for name in book.topics_of(id)}


def neighbours(
    book: Rulebook, id: str, below: list[Paragraph]
) -> tuple[Paragraph | None, Paragraph | None]:
    """The paragraphs before and after, those below skipped."""
    order = list(book.paragraphs.values())
    ids = [p.id for p in order]
    first = ids.index(id if id in book.paragraphs else below[0].id)
    last = ids.index(below[-1].id if below else id)
    return (
        order[first - 1] if first > 0 else None,
        order[last + 1] if last + 1 < len(order) else None,
    )


def hit(found: Hit) -> dict[str, Any]:
    """One hit of a search."""
    return {
        "book": found.book,
        "id": found.paragraph.id,
        "title": found.paragraph.title,
        "summary": found.paragraph.summary,
        "score": found.score,
        "found_in": found.found_in,
    }


def comparison(found: Comparison) -> dict[str, Any]:
    """What differs between two books."""
    return {
        "old": found.old,
        "new": found.new,
        "procedures": [_difference(d) for d in found.procedures],
        "parameters": [_difference(d) for d in found.parameters],
        "pays": [
            {
                "table": table.table,
                "title": table.title,
                "lines": [_difference(d) for d in table.lines],
            }
            for table in found.pays
        ],
        "paragraphs": [_paragraph(d) for d in found.paragraphs],
        "renumbered": [{"old": old, "new": new} for old, new in found.renumbered],
        "unchanged": found.unchanged,
    }


def _difference(found: Difference) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(found)
    return data | {"change": found.change}


def _paragraph(found: ParagraphDifference) -> dict[str, Any]:
    return {
        "change": found.change,
        "old": msgspec.to_builtins(found.old),
        "new": msgspec.to_builtins(found.new),
    }
