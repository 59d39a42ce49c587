"""The settled readings behind a ruling: where not the text itself decides, but how it is read.

Which reading a ruling rests on is no more to be guessed from its paragraphs than from its words: a
paragraph may have five. An incident names those that decide it. A policy of the House is found by
trying: it rules where another value of it would have been ruled on otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec import structs

from croupier.pit.ruling import Confirmed, Ruling, Settled, likeness
from croupier.rulebooks import Rulebook
from croupier.rulebooks.model import Note, Policy


def reading_of(
    book: Rulebook, id: str, chosen: Mapping[str, str] = MappingProxyType({})
) -> Settled | None:
    """A reading of a book by its id; where the House has `chosen` otherwise, as it reads it."""
    for note in book.notes:
        if note.reading == id:
            return _settled(note)
    for policy in book.policies.values():
        if policy.reading == id:
            value = chosen.get(policy.name, policy.default)
            read = _settled(policy)
            if value == policy.default:
                return read
            return structs.replace(read, says=policy.values[value])
    return None


def readings_of(
    book: Rulebook, ids: Sequence[str], chosen: Mapping[str, str] = MappingProxyType({})
) -> tuple[Settled, ...]:
    """These readings, as far as the book has them."""
    found = (reading_of(book, id, chosen) for id in dict.fromkeys(ids))
    return tuple(reading for reading in found if reading is not None)


def readings_on(book: Rulebook, paragraph: str) -> tuple[Settled, ...]:
    """Every note on a paragraph, where nobody has said which of them decides."""
    return tuple(_settled(note) for note in book.notes_for(paragraph))


def _settled(one: Note | Policy) -> Settled:
    return Settled(
        reading=one.reading,
        paragraphs=one.paragraphs,
        question=one.question,
        says=one.answer,
        policy=one.name if isinstance(one, Policy) else "",
    )


# -- policies, by trying ------------------------------------------------------------------------

RuledWith = Callable[[str, str], Ruling | None]
"""What is ruled if a policy has another value; None if the situation then cannot be."""


def policies_that_rule(
    book: Rulebook, ruling: Ruling, chosen: dict[str, str], ruled_with: RuledWith
) -> Iterator[Settled]:
    """The policies without whose value the ruling would be another, with what it would be."""
    in_force = book.policies_with(chosen)
    for policy in book.policies.values():
        if not set(policy.paragraphs) & set(ruling.cites):
            continue
        otherwise = []
        for value in policy.values:
            other = ruled_with(policy.name, value) if value != in_force[policy.name] else None
            if other is not None and not _same(ruling, other):
                otherwise.append(f"{policy.values[value]} {other.headline}")
        if otherwise:
            says = policy.values[in_force[policy.name]]
            yield structs.replace(_settled(policy), says=says, otherwise=tuple(otherwise))


def _same(one: Ruling, other: Ruling) -> bool:
    whole = (likeness(one), one.headline, one.cards, one.money, one.next)
    return whole == (likeness(other), other.headline, other.cards, other.money, other.next)


# -- whose word is wanted -----------------------------------------------------------------------

WHOSE_WORD = {
    "confirm void": ("A-63",),
    "confirm misdeal": ("A-63",),
    "confirm reading": ("A-17", "A-18"),
    "deal reconstructible": ("A-63",),
    "surplus cards reconstructible": ("A-63",),
    "flop without a burn reconstructible": ("A-63",),
    "raise below the minimum": ("P-25",),
    "confirm report": ("B-69",),
    "order of the cards": ("B-55",),
    "looked on purpose": ("B-58",),
}
"""The readings that say whose word is wanted, by the question: the text of a Void or a Misdeal
names nobody."""


def with_whose_word(book: Rulebook, ruling: Ruling) -> Ruling:
    """The ruling, with the readings that say who confirms it."""

    def explained(one: Confirmed) -> Confirmed:
        known = readings_of(book, WHOSE_WORD.get(one.question, ()))
        return structs.replace(one, readings=tuple(reading.reading for reading in known))

    return structs.replace(ruling, confirmed=tuple(explained(one) for one in ruling.confirmed))
