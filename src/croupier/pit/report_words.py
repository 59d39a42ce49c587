"""What people call reports, and how their fields are asked for: in words of the book.

The tags and fields of commands are for programs. Whoever stands at a table reads a few words and
touches one of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

TITLES = {
    "call for ruling": "The book does not say",
    "report cards gone": "Cards are gone",
    "report dealing error": "Another dealing error",
    "report deck": "Deck short or over",
    "report deck count": "Deck short or over",
    "report drawn together": "Cards drawn together",
    "report early cards": "Community Cards too early",
    "report exposed": "Card exposed in the deal",
    "report exposed in cut": "Card exposed in the cut",
    "report extra look": "Looked at a further hand",
    "report face up card": "Card face up in the device",
    "report foreign card": "Foreign card",
    "report interruption": "Technical interruption",
    "report irregularity": "The book does not say",
    "report jackpot fault": "Jackpot device fails",
    "report jackpot repaired": "Jackpot device works again",
    "report missed burn": "No card burnt",
    "report missing burn": "No card burnt",
    "report missing cards": "Too few Community Cards",
    "report not enough cards": "Not enough cards",
    "report not shuffled": "Not shuffled",
    "report shoe": "Shoe cannot finish the round",
    "report shown": "A player showed cards",
    "report skipped": "A player was skipped",
    "report surplus cards": "Too many Community Cards",
    "report unprepared": "Not shuffled or not cut",
    "report walk away": "A player walked away",
    "report wrong count": "Wrong number of cards",
    "report wrong deal": "Hands dealt wrongly",
}
"""By the tag of the report."""

TITLES_WITH = {
    ("report deck", "twice"): "The same card twice",
    ("report wrong count", "community"): "Wrong number on the board",
    ("report wrong count", "dealer"): "Wrong number before the dealer",
}
"""Where a report with this field is another matter."""

SAYS = {
    "call for ruling": "What the book does not provide for, or a question of what it means.",
    "report missing burn": "No card was burnt before a street.",
    "report shown": "A player has shown their own Hole Cards.",
    "report skipped": "A player says that the turn was passed over.",
    "report surplus cards": "More Community Cards were dealt than the street has.",
}
"""What a report says of itself where its record is for programs."""

SAYS_WITH = {
    ("report deck", "twice"): "A card of the deck turned up a second time.",
    ("report deck", "count"): "The deck has fewer or more cards than it should.",
    ("report exposed", "boxes"): "A card of a hand was exposed, alone or with others.",
    ("report exposed", "community"): "A Community Card was exposed, and none of a hand.",
    (
        "report exposed",
        "dealer",
    ): "A card of the dealer was exposed, and none of a hand or the board.",
    ("report exposed", "burns"): "A burnt card was exposed, and no other.",
    ("report wrong count", "box"): "A box got too many cards or too few.",
    ("report wrong count", "community"): "Too many or too few Community Cards.",
    ("report wrong count", "dealer"): "The dealer got too many cards or too few.",
    ("report wrong deal", "moves"): "Hands of boxes lie at the wrong places.",
    (
        "report wrong deal",
        "dealer_gets",
    ): "The hand before the dealer is one of those that lie wrong.",
}
"""What a report says of itself where its record is for several matters; the first that fits."""

OF_ALL = (
    ("report wrong count", ("box", "community", "dealer")),
    ("report wrong deal", ("moves", "dealer_gets")),
)
"""Matters that go apart while a round is under way, and are one once it is over."""

TOGETHER = {
    ("boxes", "community", "first_cards"): "last cards of boxes, or one and a Community Card",
    ("boxes", "first_cards"): "a last card and a first card of boxes",
    ("boxes",): "the last card of one box and {more}",
    ("community", "first_cards"): "Community Cards, or one and a first card of a box",
    ("community",): "one Community Card and {more}",
    ("first_cards",): "first cards of boxes, or one and {more}",
    (): "{more}",
}
"""Cards that were drawn together: which ones a report is for."""

ASKS = {
    "about": "What is it about?",
    "affected": "Which boxes are affected?",
    "before": "Before which deal?",
    "before_looking": "Had it failed before anybody looked at their cards?",
    "box": "Which box?",
    "boxes": "Which boxes?",
    "burns": "Which burnt cards?",
    "card": "Which card?",
    "cards": "Which cards?",
    "community": "Which Community Cards?",
    "count": "How many cards?",
    "dealer": "Which cards of the dealer?",
    "dealer_gets": "Whose hand is the dealer's?",
    "dealer_gives": "To whom goes the hand before the dealer?",
    "first_cards": "The first card of which boxes?",
    "kind": "What is it about?",
    "lacking": "What was left out?",
    "left": "How many cards are left?",
    "moves": "Can it be put in order?",
    "player": "Who?",
    "round": "In which round?",
    "says": "What was it, in a few words?",
    "seat": "Which seat?",
    "seen": "Has anybody seen those cards?",
    "stopped": "How many of the last Actions did somebody try to stop?",
    "street": "On which street?",
    "to": "Who saw them?",
    "twice": "Which card?",
    "unregistered": "Whose bet was not registered yet?",
    "what": "What went wrong?",
}
"""By the name of the field."""

ASKS_WITH = {
    ("report wrong count", "cards"): "How many cards did it get?",
    ("report wrong count", "community"): "How many Community Cards?",
    ("report wrong count", "dealer"): "How many cards has the dealer?",
}

USUAL: dict[tuple[str, str], Any] = {
    ("report deck", "count"): 51,
    ("report deck count", "count"): 51,
    ("report wrong count", "cards"): 3,
    ("report wrong count", "community"): 4,
    ("report wrong count", "count"): 3,
    ("report wrong count", "dealer"): 3,
}
"""What stands in a field of a report where it can be so, before anybody has said anything."""

_CITED = re.compile(r" \([^()]*\d[^()]*\)")


def title(do: str, fields: Collection[str]) -> str:
    """What a report is called."""
    for (report, field), called in TITLES_WITH.items():
        if report == do and field in fields and "box" not in fields:
            return called
    return TITLES[do]


def says(do: str, fields: Collection[str], record: str) -> str:
    """What a report says of itself; `record` is what its record says."""
    if any(report == do and set(of_all) <= set(fields) for report, of_all in OF_ALL):
        return "In a round that is over."
    if do == "report drawn together":
        return f"Two or more left the shoe together: {_together(fields)}."
    for (report, field), said in SAYS_WITH.items():
        if report == do and field in fields:
            return said
    if do in SAYS:
        return SAYS[do]
    first, stop, _ = plain(" ".join(record.partition("\n\n")[0].split())).partition(". ")
    return first + stop.strip()


def _together(fields: Collection[str]) -> str:
    """Which cards left the shoe together, of all that a report of it may name."""
    where = tuple(each for each in ("boxes", "community", "first_cards") if each in fields)
    other = "a burnt card" if "burns" in fields else "one of the dealer"
    alone = "burnt cards" if "burns" in fields else "cards of the dealer"
    return TOGETHER[where].format(more=other if where else alone)


def ask(do: str, field: str) -> str:
    """How a field is asked for."""
    return ASKS_WITH.get((do, field)) or ASKS[field]


def plain(sentence: str) -> str:
    """What a report says of itself, without the paragraphs: the ruling has those of its book."""
    return _CITED.sub("", sentence).replace("`", "")
