"""Approved wording that the operator has loaded, by paragraph. None is shipped."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


class Approved:
    """The approved texts of some books, split by paragraph; `notes` say how they were read."""

    def __init__(self, texts: Mapping[str, Mapping[str, str]], notes: tuple[str, ...] = ()) -> None:
        self._texts = texts
        self.notes = notes

    @property
    def books(self) -> tuple[str, ...]:
        """The books whose approved text is loaded."""
        return tuple(self._texts)

    def text(self, book: str, paragraph: str) -> str | None:
        """What the approved text says there; None where it is not loaded."""
        return self._texts.get(book, {}).get(paragraph)


NONE_LOADED = Approved({})


def load_approved(folder: Path) -> Approved:
    """Not yet."""
    return NONE_LOADED
