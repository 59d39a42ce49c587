"""Every way in which a rulebook can be wrong, or be asked for something it does not have.

All are `RulebookError`. One that is found in a file says which book, section and key, and what was
expected there, so that whoever edits the file can put it right without reading the loader.
"""

from __future__ import annotations

from collections.abc import Iterable


class RulebookError(ValueError):
    """Something is wrong with a rulebook, or with what was asked of it."""


class BookFileError(RulebookError):
    """A rulebook file does not load: what is wrong, and where."""

    def __init__(self, book: str, section: str, key: str, problem: str, expected: str) -> None:
        self.book = book
        self.section = section
        self.key = key
        self.problem = problem
        self.expected = expected
        where = f"[{section}]" + (f" {key}" if key else "")
        super().__init__(f"{book} {where}: {problem}; expected {expected}.")


class UnreadableBook(BookFileError):
    """The file is not TOML, or a value has the wrong type or is missing."""


class UnknownKey(BookFileError):
    """The file has a key that no section knows."""


class FamilyMismatch(BookFileError):
    """A family that does not exist, or a word that belongs to another family."""


class DuplicateParagraph(BookFileError):
    """One paragraph id stands twice."""


class BadParagraph(BookFileError):
    """A paragraph of an unknown kind, class or section."""


class NoSuchParagraph(BookFileError):
    """Something names a paragraph that is not in the book."""


class DanglingTopic(BookFileError):
    """A topic that is not in the vocabulary of the family."""


class MissingTopic(BookFileError):
    """A topic of the family that is neither mapped nor in `lacks`, or both."""


class UncitedParagraph(BookFileError):
    """An executable paragraph that no topic cites."""


class BadProcedure(BookFileError):
    """A procedure that is unknown, missing, or given a value outside its vocabulary."""


class BadParameter(BookFileError):
    """A parameter that is unknown, missing, or of the wrong unit."""


class BadPolicy(BookFileError):
    """A policy whose name, values or default do not fit together."""


class BadReading(BookFileError):
    """A reading id that is used twice, is malformed, or bites nowhere."""


class BadPayTable(BookFileError):
    """A pay table, a condition or a `pays` that does not parse."""


class UnknownRulebook(RulebookError):
    """No book has that id."""

    def __init__(self, book: str, known: Iterable[str]) -> None:
        self.book = book
        self.known = tuple(known)
        super().__init__(
            f"There is no rulebook {book!r}.{_nearest(book, self.known)} "
            f"The rulebooks are {', '.join(self.known)}."
        )


class AmbiguousRulebook(RulebookError):
    """An abbreviation that several books answer to."""

    def __init__(self, book: str, candidates: Iterable[str]) -> None:
        self.book = book
        self.candidates = tuple(candidates)
        super().__init__(
            f"{book!r} could be {' or '.join(self.candidates)}. Give a few letters more."
        )


class UnknownParagraph(RulebookError):
    """The book has no paragraph of that id."""

    def __init__(self, book: str, paragraph: str, known: Iterable[str]) -> None:
        self.book = book
        self.paragraph = paragraph
        nearest = _nearest(paragraph, tuple(known))
        super().__init__(
            f"{book} has no paragraph {paragraph!r}."
            + (nearest or " `croupier rules search` finds one by its words.")
        )


class NotInThisBook(RulebookError):
    """A topic, procedure, parameter or pay table that this book does not have.

    A topic that a book lacks is a thing that its game does not have: no straddle in Poker v5.
    """

    def __init__(self, book: str, what: str, name: str, known: Iterable[str]) -> None:
        self.book = book
        self.what = what
        self.name = name
        super().__init__(f"{book} has no {what} {name!r}.{_nearest(name, tuple(known))}")


class NotCarriedOut(RulebookError):
    """A book does something in a way that one of the tables of its procedure lacks."""

    def __init__(self, book: str, procedure: str, value: str) -> None:
        self.book = book
        self.procedure = procedure
        self.value = value
        super().__init__(
            f"{book} does {procedure} as {value!r}, and something that needs it cannot. "
            "Add that way to every table of the procedure."
        )


class UnknownPolicy(RulebookError):
    """A policy that the book does not offer."""

    def __init__(self, book: str, policy: str, known: Iterable[str]) -> None:
        self.book = book
        self.policy = policy
        names = tuple(known)
        super().__init__(
            f"{book} has no policy {policy!r}.{_nearest(policy, names)} "
            f"Its policies are {', '.join(names) or 'none'}."
        )


class UnknownPolicyValue(RulebookError):
    """A policy was given a value that it does not offer."""

    def __init__(self, book: str, policy: str, value: str, allowed: Iterable[str]) -> None:
        self.book = book
        self.policy = policy
        self.value = value
        super().__init__(
            f"{book}: policy {policy!r} cannot be {value!r}; it is one of {', '.join(allowed)}."
        )


class NoEffectiveTime(RulebookError):
    """The text gives no time from which the book is in force, and the operator stated none."""

    def __init__(self, book: str) -> None:
        self.book = book
        super().__init__(
            f"The text of {book} does not say from when it is in force. "
            "The operator states it: pass `stated`."
        )


def _nearest(name: str, known: tuple[str, ...]) -> str:
    from difflib import get_close_matches  # only when something went wrong

    close = get_close_matches(name, known, n=1, cutoff=0.6)
    return f" Did you mean {close[0]!r}?" if close else ""
