"""A case that holds in several books: the file as it reads in each of them.

`rulebooks = ["A", "B"]` says where a case holds. What is otherwise in one of them stands under
`in.A`, at the top of the file or in a step, and is laid over the rest: tables key by key, every
other value whole.

    >>> raw = {"rulebooks": ["A", "B"], "paragraphs": ["1.2"], "in": {"B": {"paragraphs": ["1.3"]}}}
    >>> in_book(raw, "B")
    {'paragraphs': ['1.3'], 'rulebook': 'B'}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_NAMED = re.compile(r"""^rulebooks?\s*=\s*("[^"]*"|'[^']*'|\[[^\]]*\])""", re.MULTILINE)
_QUOTED = re.compile(r"""["']([^"']*)["']""")

SAME_IN_ALL = frozenset(("title", "about", "rulebook", "rulebooks", "in", "step"))
"""What a case says once, whatever the book."""
SAME_STEP_IN_ALL = frozenset(("do", "table", "link", "in"))
"""What a step says once: where it is and what is done there."""


def books_named(text: str) -> tuple[str, ...]:
    """The books that a case file names, found without reading the rest of it."""
    found = _NAMED.search(text)
    return tuple(_QUOTED.findall(found[1])) if found else ()


def books_with_their_own(raw: Mapping[str, Any]) -> set[str]:
    """The books in which something of a case file is otherwise."""
    return {*raw.get("in", {})}.union(*(step["in"] for step in raw.get("step", ()) if "in" in step))


def in_book(raw: Mapping[str, Any], book: str) -> dict[str, Any]:
    """A case file as it reads in one of its books, as if it were for that book alone."""
    alone = laid_over(raw, raw.get("in", {}).get(book, {}))
    alone.pop("in", None)
    alone.pop("rulebooks", None)
    alone["rulebook"] = book
    if "step" in raw:
        alone["step"] = [_step_in_book(step, book) for step in raw["step"]]
    return alone


def _step_in_book(step: dict[str, Any], book: str) -> dict[str, Any]:
    if "in" not in step:
        return step
    alone = laid_over(step, step["in"].get(book, {}))
    del alone["in"]
    return alone


def laid_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """A table with another one laid over it."""
    whole = dict(below)
    for key, value in above.items():
        under = whole.get(key)
        if isinstance(under, dict) and isinstance(value, dict):
            whole[key] = laid_over(under, value)
        else:
            whole[key] = value
    return whole
