"""What changed between two books: procedures, parameters, pay tables, paragraphs.

Paragraphs are matched through the topics that cite them, so one that was only renumbered is no
change. Only paragraphs that say something else, or stand in one book alone, are reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from croupier.rulebooks.model import Paragraph, Rulebook
from croupier.rulebooks.paytable import PayLine, PayTable

# Evidence for a match: one topic whose operative paragraphs they are, or equal titles and a topic.
_FIRM = 4

Change = Literal["added", "removed", "changed"]


class Difference(Struct, frozen=True, kw_only=True):
    """One thing that differs. `old` or `new` is None where only the other book has it."""

    name: str
    old: str | None
    new: str | None
    old_paragraphs: tuple[str, ...] = ()
    new_paragraphs: tuple[str, ...] = ()

    @property
    def change(self) -> Change:
        if self.old is None:
            return "added"
        return "removed" if self.new is None else "changed"


class PayDifference(Struct, frozen=True, kw_only=True):
    """The lines of one pay table that differ."""

    table: str
    title: str
    lines: tuple[Difference, ...]


class ParagraphDifference(Struct, frozen=True, kw_only=True):
    """A paragraph that one book lacks, or that the two state differently.

    `shown_above` says that the pay line has already told the change.
    """

    old: Paragraph | None
    new: Paragraph | None
    shown_above: bool

    @property
    def change(self) -> Change:
        if self.old is None:
            return "added"
        return "removed" if self.new is None else "changed"


class Comparison(Struct, frozen=True, kw_only=True):
    """Everything that differs between two books, in the order in which a person wants it."""

    old: str
    new: str
    procedures: tuple[Difference, ...]
    parameters: tuple[Difference, ...]
    pays: tuple[PayDifference, ...]
    paragraphs: tuple[ParagraphDifference, ...]
    renumbered: tuple[tuple[str, str], ...]
    unchanged: int


def compare(old: Rulebook, new: Rulebook) -> Comparison:
    """What a reader of `old` must learn to run a table under `new`."""
    procedures = tuple(
        Difference(
            name=name,
            old=before.value if before else None,
            new=after.value if after else None,
            old_paragraphs=before.paragraphs if before else (),
            new_paragraphs=after.paragraphs if after else (),
        )
        for name in _names(old.procedures, new.procedures)
        for before, after in [(old.procedures.get(name), new.procedures.get(name))]
        if (before and before.value) != (after and after.value)
    )
    parameters = tuple(
        Difference(
            name=name,
            old=before.text if before else None,
            new=after.text if after else None,
            old_paragraphs=before.paragraphs if before else (),
            new_paragraphs=after.paragraphs if after else (),
        )
        for name in _names(old.parameters, new.parameters)
        for before, after in [(old.parameters.get(name), new.parameters.get(name))]
        if (before and before.value) != (after and after.value)
    )
    pays = tuple(
        table
        for id in _names(old.pays, new.pays)
        if (table := _compare_tables(old.pays.get(id), new.pays.get(id))) is not None
    )
    pairs = match_paragraphs(old, new)
    return Comparison(
        old=old.id,
        new=new.id,
        procedures=procedures,
        parameters=parameters,
        pays=pays,
        paragraphs=_paragraphs(old, new, pairs, pays),
        renumbered=tuple((a, b) for a, b in pairs.items() if a != b and _same(old, new, a, b)),
        unchanged=sum(_same(old, new, a, b) for a, b in pairs.items()),
    )


def match_paragraphs(old: Rulebook, new: Rulebook) -> dict[str, str]:
    """Which paragraph of `new` is which of `old`, one to one, in the order of `old`.

    Evidence is the topics that both books cite them by, first of all as the operative paragraph;
    equal words or an equal id only strengthen it, since an id alone says nothing across books.
    """
    score: defaultdict[tuple[str, str], int] = defaultdict(int)
    for topic, before in old.topics.items():
        after = new.topics.get(topic, ())
        for place, (a, b) in enumerate(zip(before, after, strict=False)):
            if place == 0:
                score[a, b] += _FIRM
            elif len(before) == len(after):
                score[a, b] += 1
    for a, b in list(score):
        one, two = old.paragraphs[a], new.paragraphs[b]
        if one.summary == two.summary:
            score[a, b] += 8
        score[a, b] += (one.title == two.title) * 4 + (a == b) * 2
    for a, b in _declared_same(old, new).items():
        score[a, b] += 100
    place_of = {id: place for place, id in enumerate(old.paragraphs)}
    firm = [pair for pair in score if score[pair] >= _FIRM]
    best = sorted(firm, key=lambda pair: (-score[pair], place_of[pair[0]]))
    found: dict[str, str] = {}
    taken: set[str] = set()
    for a, b in best:
        if a not in found and b not in taken:
            found[a] = b
            taken.add(b)
    return {id: found[id] for id in old.paragraphs if id in found}


def _names(old: Mapping[str, object], new: Mapping[str, object]) -> list[str]:
    """Names of either mapping: those of the new one in its order, then what fell away."""
    return list(dict.fromkeys([*new, *old]))


def _declared_same(old: Rulebook, new: Rulebook) -> dict[str, str]:
    if old.superseded_by == new.id:
        return dict(old.unchanged)
    if new.superseded_by == old.id:
        return {b: a for a, b in new.unchanged.items()}
    if new.based_on == old.id:
        return _taken_over(new)
    if old.based_on == new.id:
        return {b: a for a, b in _taken_over(old).items()}
    return {}


def _taken_over(book: Rulebook) -> dict[str, str]:
    """What a book has of the one that it is based on, word for word but for the numbers."""
    return {a: b for a, b in book.carried.items() if b not in book.own}


def _same(old: Rulebook, new: Rulebook, a: str, b: str) -> bool:
    if _declared_same(old, new).get(a) == b:
        return True
    return old.paragraphs[a].summary == new.paragraphs[b].summary


def _paragraphs(
    old: Rulebook, new: Rulebook, pairs: dict[str, str], pays: tuple[PayDifference, ...]
) -> tuple[ParagraphDifference, ...]:
    """In the order of the new book; what fell away stands where the old book had it."""
    lines = [line for table in pays for line in table.lines]
    told_old = {id for line in lines for id in line.old_paragraphs}
    told_new = {id for line in lines for id in line.new_paragraphs}

    def gone_from(id: str) -> ParagraphDifference:
        return ParagraphDifference(old=old.paragraphs[id], new=None, shown_above=id in told_old)

    back = {b: a for a, b in pairs.items()}
    result: list[ParagraphDifference] = []
    gone = [id for id in old.paragraphs if id not in pairs]
    order = list(old.paragraphs)
    for id, paragraph in new.paragraphs.items():
        before = back.get(id)
        if before is not None:
            while gone and order.index(gone[0]) < order.index(before):
                result.append(gone_from(gone.pop(0)))
            if _same(old, new, before, id):
                continue
        result.append(
            ParagraphDifference(
                old=old.paragraphs[before] if before is not None else None,
                new=paragraph,
                shown_above=id in told_new,
            )
        )
    result.extend(gone_from(id) for id in gone)
    return tuple(result)


def _compare_tables(old: PayTable | None, new: PayTable | None) -> PayDifference | None:
    before = {_key(line): line for line in old.lines} if old else {}
    after = {_key(line): line for line in new.lines} if new else {}
    lines = tuple(
        Difference(
            name=key,
            old=str(one.pays) if one else None,
            new=str(two.pays) if two else None,
            old_paragraphs=(one.id,) if one else (),
            new_paragraphs=(two.id,) if two else (),
        )
        for key in _names(before, after)
        for one, two in [(before.get(key), after.get(key))]
        if one is None or two is None or (one.pays, one.when) != (two.pays, two.when)
    )
    table = new or old
    if not lines or table is None:
        return None
    return PayDifference(table=table.id, title=table.title, lines=lines)


def _key(line: PayLine) -> str:
    """What a line is called in both books: its topic, whatever paragraph states it."""
    return line.topic
