"""Everything that the lab refuses, by name.

The tree (each is also a ``ValueError``)::

    LabError
    ├── LabMissing           numpy or numba is not installed
    ├── BatchError           a batch of hands that cannot be ranked
    │   └── BadHand          one row of it; ``row`` says which
    ├── StateError           cards that no round can show: twice the same, too many, too few
    ├── UnknownHand          a starting hand that is none of the 169
    ├── UnsolvableGame       a rulebook whose base game or side bet the lab cannot represent
    ├── BadAmount            a negative meter, a stake of nothing
    └── WhatIfError          a change to a rulebook that names no part of it, or cannot be read
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class LabError(ValueError):
    """Something was asked of the lab that it cannot answer; the message says which part."""


class LabMissing(LabError):
    """numpy or numba is not installed: they come with the extra `lab`."""

    def __init__(self, package: str) -> None:
        self.package = package
        super().__init__(
            f"the lab needs {package}, which is not installed here: "
            "install croupier with its extra, pip install 'croupier[lab]'"
        )


class BatchError(LabError):
    """A batch of hands has a shape or a type that cannot be ranked."""


class BadHand(BatchError):
    """One row of a batch is no hand."""

    def __init__(self, row: int, problem: str) -> None:
        self.row = row
        self.problem = problem
        super().__init__(f"row {row}: {problem}")


class StateError(LabError):
    """These cards cannot lie on the table together at a decision."""


class UnknownHand(LabError):
    """A starting hand is none of the 169 classes."""


class UnsolvableGame(LabError):
    """The lab cannot represent this part of a rulebook; it says so instead of approximating."""

    def __init__(self, book: str, part: str, problem: str) -> None:
        self.book = book
        self.part = part
        self.problem = problem
        super().__init__(f"{book} {part}: {problem}")


class BadAmount(LabError):
    """An amount of money that cannot be: a negative meter, a stake of nothing."""


class WhatIfError(LabError):
    """A change names no part of the rulebook, or what it should become cannot be read."""

    def __init__(self, part: str, problem: str, known: Iterable[str] = (), given: str = "") -> None:
        self.part = part
        self.problem = problem
        names = tuple(known)
        close = get_close_matches(given or part, names, n=1, cutoff=0.5)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        if names and not close:
            hint = f" There are: {', '.join(names)}."
        super().__init__(f"{part}: {problem}.{hint}")


def on_the_table(cents: int) -> str:
    """An amount as it is written on the table, for a refusal: 60, 2.50, -5."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{whole:,}" + (f".{rest:02d}" if rest else "")
