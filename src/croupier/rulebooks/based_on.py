"""A version that is an earlier book but for some changes: `[based_on]`.

    [based_on]
    rulebook = "no-limit-holdem-v8"
    withdrawn = ["5.14.1", "A-41"]     # paragraphs, and readings that no longer hold
    [based_on.renumbered]
    "5.13" = "5.14"                    # with everything below it: 5.13.1 becomes 5.14.1

The earlier book is renumbered first, wherever it names a paragraph, in its sentences too. Then the
rest of the file is laid over it: a paragraph by its id, a policy by its name, a note by its
reading, a topic, procedure or parameter by its name. What comes out is a whole book and is checked
like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from croupier.rulebooks.errors import DuplicateParagraph, NoSuchParagraph, UnreadableBook
from croupier.rulebooks.several import laid_over

_NAMED_BY = {"paragraph": "id", "policy": "name", "note": "reading", "pay": "id"}
"""What tells the entries of a list apart."""
_INHERITED_HEAD = ("title", "family", "operator", "regulator")
"""What a version need not say again of itself; its id, number and time it must."""
_SENTENCES = frozenset(("title", "summary", "test", "question", "answer", "values"))
_MENTIONED = re.compile(r"(?<![\w.])[0-9]+(?:\.[0-9]+)+(?:\.[a-z-]+\b)?(?!\w)")

Raw = dict[str, Any]


class BasedOnFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[based_on]` as it is written."""

    rulebook: str
    renumbered: dict[str, str] = {}
    withdrawn: tuple[str, ...] = ()


def whole_book(raw: Raw, name: str, base_of: Callable[[str], Raw]) -> Raw:
    """The file as if it had been written out, with what became of each earlier paragraph."""
    try:
        based = msgspec.convert(raw["based_on"], BasedOnFile)
    except msgspec.ValidationError as error:
        says = "rulebook, renumbered, withdrawn"
        raise UnreadableBook(name, "based_on", "", str(error), says) from error
    above = {key: value for key, value in raw.items() if key != "based_on"}
    _check_shape(name, above)
    base = base_of(based.rulebook)
    carried = _carried(name, based, [entry["id"] for entry in base["paragraph"]])
    below = _renumbered(_without(name, based, base), carried)
    whole = laid_over(below, {key: v for key, v in above.items() if key not in _NAMED_BY})
    for section, label in _NAMED_BY.items():
        if section in below or section in above:
            whole[section] = _entries(below.get(section, []), above.get(section, []), label)
    whole["topics"] = _topics(below["topics"], above.get("topics", {}))
    whole["paragraph"] = _in_order(whole["paragraph"])
    whole["carried"] = {
        "rulebook": based.rulebook,
        "paragraphs": carried,
        "own": [entry["id"] for entry in above.get("paragraph", [])],
    }
    return whole


def _check_shape(name: str, above: Raw) -> None:
    """What is laid over must be of the shape of what lies below."""
    for section, value in above.items():
        label = _NAMED_BY.get(section)
        if label is None:
            if not isinstance(value, dict):
                raise UnreadableBook(name, section, "", "not a table", f"[{section}]")
        elif not isinstance(value, list) or not all(
            isinstance(entry, dict) and isinstance(entry.get(label), str) for entry in value
        ):
            problem = f"an entry without its {label}"
            raise UnreadableBook(name, section, "", problem, f"[[{section}]] with {label}")


# -- paragraphs and their numbers ----------------------------------------------------------------


def _carried(name: str, based: BasedOnFile, ids: list[str]) -> dict[str, str]:
    """Where each earlier paragraph stands now, but for those that are withdrawn."""
    for old in based.renumbered:
        if not any(id == old or id.startswith(f"{old}.") for id in ids):
            raise _unknown(name, based, f"renumbered {old}")
    carried = {id: _number(id, based.renumbered) for id in ids if id not in based.withdrawn}
    stands: dict[str, str] = {}
    for old, new in carried.items():
        if new in stands:
            both = f"{stands[new]} and {old} both become {new}"
            raise DuplicateParagraph(name, "based_on", new, both, "another number for one of them")
        stands[new] = old
    return carried


def _number(id: str, renumbered: Mapping[str, str]) -> str:
    """The new number of a paragraph: its own, or that of the nearest one above it."""
    above = id
    while above:
        if above in renumbered:
            return renumbered[above] + id[len(above) :]
        above = above.rpartition(".")[0]
    return id


def _without(name: str, based: BasedOnFile, base: Raw) -> Raw:
    """The earlier book without what is withdrawn, and without what it says of itself alone."""
    known = {entry["id"] for entry in base["paragraph"]}
    known |= {entry["reading"] for kind in ("policy", "note") for entry in base.get(kind, [])}
    for gone in based.withdrawn:
        if gone not in known:
            raise _unknown(name, based, f"withdrawn {gone}")
    left = {key: value for key, value in base.items() if key not in ("unchanged", "carried")}
    left["rulebook"] = {k: v for k, v in base["rulebook"].items() if k in _INHERITED_HEAD}
    for section, label in {"paragraph": "id", "policy": "reading", "note": "reading"}.items():
        entries = base.get(section, [])
        left[section] = [entry for entry in entries if entry[label] not in based.withdrawn]
    return left


def _unknown(name: str, based: BasedOnFile, key: str) -> NoSuchParagraph:
    problem = f"{based.rulebook} has nothing of that number"
    return NoSuchParagraph(name, "based_on", key, problem, "a paragraph or reading of that book")


def _renumbered(base: Raw, carried: Mapping[str, str]) -> Raw:
    """The earlier book with the new numbers, in lists of paragraphs and in sentences."""

    def named(ids: Iterable[str]) -> list[str]:
        return [carried.get(id, id) for id in ids]

    def mentioned(found: re.Match[str]) -> str:
        return carried.get(found[0], found[0])

    def sentence(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: sentence(text) for key, text in value.items()}
        return _MENTIONED.sub(mentioned, value)

    def entry(raw: Any) -> Any:
        if isinstance(raw, list):
            return [entry(each) for each in raw]
        if not isinstance(raw, dict):
            return raw
        return {key: entry_value(key, value) for key, value in raw.items()}

    def entry_value(key: str, value: Any) -> Any:
        if key == "paragraphs":
            return named(value)
        if key == "id":
            return carried.get(value, value)
        return sentence(value) if key in _SENTENCES else entry(value)

    changed = {key: entry(value) for key, value in base.items() if key != "topics"}
    changed["rulebook"] = base["rulebook"]
    lacks = {"lacks": base["topics"].get("lacks", [])}
    changed["topics"] = {key: named(ids) for key, ids in base["topics"].items()} | lacks
    return changed


# -- laying one over the other -------------------------------------------------------------------


def _entries(below: list[Raw], above: list[Raw], label: str) -> list[Raw]:
    """Entries of one name key by key, others after them."""
    entries = {entry[label]: entry for entry in below}
    for entry in above:
        entries[entry[label]] = laid_over(entries.get(entry[label], {}), entry)
    return list(entries.values())


def _topics(below: Raw, above: Raw) -> Raw:
    """A topic is where this version says; one that it lacks is nowhere."""
    lacks = [*above.get("lacks", []), *(t for t in below["lacks"] if t not in above)]
    mapped = {k: ids for k, ids in (below | above).items() if k not in (*lacks, "lacks")}
    return {**mapped, "lacks": lacks}


def _in_order(paragraphs: list[Raw]) -> list[Raw]:
    """Numbers of one parent by size, words (a, tail, preamble) where they came."""
    below: dict[str, list[str]] = {}
    for entry in paragraphs:
        parent = ""
        for part in entry["id"].split("."):
            _insert(below.setdefault(parent, []), part)
            parent = f"{parent}.{part}" if parent else part
    order: list[str] = []

    def walk(parent: str) -> None:
        order.append(parent)
        for part in below.get(parent, ()):
            walk(f"{parent}.{part}" if parent else part)

    walk("")
    place = {id: number for number, id in enumerate(order)}
    return sorted(paragraphs, key=lambda entry: place[entry["id"]])


def _insert(parts: list[str], part: str) -> None:
    """Put a part among its siblings, unless it is there: a number after the next smaller one."""
    if part in parts:
        return
    place = len(parts)
    if part.isdecimal():
        numbers = {int(other): at for at, other in enumerate(parts) if other.isdecimal()}
        smaller = [number for number in numbers if number < int(part)]
        if smaller:
            place = numbers[max(smaller)] + 1
        elif numbers:
            place = numbers[min(numbers)]
    parts.insert(place, part)
