"""Two texts word by word: what stands in both, and what only one of them says."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

CONTEXT = 5
"""Words that stay visible on either side of a change."""


class Stretch(NamedTuple):
    """Some words of a text, and whether the other text has them too."""

    words: str
    changed: bool


def changed_words(old: str, new: str) -> tuple[list[Stretch], list[Stretch]]:
    """Both texts with what differs marked, and long equal stretches left out."""
    before, after = old.split(), new.split()
    left: list[Stretch] = []
    right: list[Stretch] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    steps = _smooth(matcher.get_opcodes())
    for place, (same, i1, i2, j1, j2) in enumerate(steps):
        if same:
            words = _shorten(before[i1:i2], place == 0, place == len(steps) - 1)
            _add(left, words, False)
            _add(right, words, False)
        else:
            _add(left, before[i1:i2], True)
            _add(right, after[j1:j2], True)
    return left, right


_Step = tuple[bool, int, int, int, int]


def _smooth(opcodes: Sequence[tuple[str, int, int, int, int]]) -> list[_Step]:
    """Changes with only one or two equal words between them read better as one change."""
    steps: list[_Step] = []
    for place, (tag, i1, i2, j1, j2) in enumerate(opcodes):
        inner = 0 < place < len(opcodes) - 1
        same = tag == "equal" and not (inner and i2 - i1 <= 2)
        if steps and not same and not steps[-1][0]:
            steps[-1] = (False, steps[-1][1], i2, steps[-1][3], j2)
        else:
            steps.append((same, i1, i2, j1, j2))
    return steps


def _shorten(words: list[str], first: bool, last: bool) -> list[str]:
    keep_left = 0 if first else CONTEXT
    keep_right = 0 if last else CONTEXT
    if len(words) <= keep_left + keep_right + 2:
        return words
    return [*words[:keep_left], "…", *words[len(words) - keep_right :]]


def _add(found: list[Stretch], words: list[str], changed: bool) -> None:
    if words:
        found.append(Stretch(" ".join(words), changed))
