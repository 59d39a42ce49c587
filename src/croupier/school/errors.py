"""What the school cannot do, and why."""

from __future__ import annotations


class SchoolError(Exception):
    """Something asked of the school that it cannot do; says what, and what it can."""


class CannotMark(SchoolError):
    """An answer that does not belong to its exercise."""


class NoSuchItem(SchoolError):
    """A kind, book or item that there is not."""


class NotMade(SchoolError):
    """A draw that made no exercise: nothing plausible is wrong there. Draw again."""
