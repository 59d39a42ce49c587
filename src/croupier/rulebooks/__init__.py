"""The five approved books as data: paragraphs, topics, procedures, parameters, policies, pays.

    >>> from croupier.rulebooks import Topic, load
    >>> load("no-limit-holdem-v8").cite(Topic.MINIMUM_RAISE)
    ('1.28', '1.37')

Nothing is read until a book is asked for.
"""

from croupier.rulebooks.errors import NotInThisBook, RulebookError
from croupier.rulebooks.loader import BOOKS, load, load_file, resolve
from croupier.rulebooks.model import Note, Paragraph, Parameter, Policy, Procedure, Rulebook
from croupier.rulebooks.pays import Fixed, ForOne, Pays, ShareOfMeter, ToOne
from croupier.rulebooks.paytable import (
    BetWins,
    Condition,
    HoleCards,
    JackpotHand,
    Made,
    PayLine,
    PayTable,
    hole_class,
)
from croupier.rulebooks.procedures import (
    Cites,
    Figure,
    Ways,
    category_of,
    names_of,
    number_of,
    share_of,
)
from croupier.rulebooks.topics import Topic, meaning


def cite(book: str | Rulebook, topic: Topic) -> tuple[str, ...]:
    """The paragraphs that state `topic` in `book` (an id or a loaded book)."""
    return (load(book) if isinstance(book, str) else book).cite(topic)


__all__ = [
    "BOOKS",
    "BetWins",
    "Cites",
    "Condition",
    "Figure",
    "Fixed",
    "ForOne",
    "HoleCards",
    "JackpotHand",
    "Made",
    "NotInThisBook",
    "Note",
    "Paragraph",
    "Parameter",
    "PayLine",
    "PayTable",
    "Pays",
    "Policy",
    "Procedure",
    "Rulebook",
    "RulebookError",
    "ShareOfMeter",
    "ToOne",
    "Topic",
    "Ways",
    "category_of",
    "cite",
    "hole_class",
    "load",
    "load_file",
    "meaning",
    "names_of",
    "number_of",
    "resolve",
    "share_of",
]
