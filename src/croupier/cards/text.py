"""Cards in text: reading what people write, writing for machines and for people."""

from __future__ import annotations

import re
from collections.abc import Iterable

from croupier.cards.card import Card
from croupier.cards.errors import UnreadableCardError

_TOKEN = re.compile(r"[^\s,]+")
_CARD = re.compile(r"(?:10|[2-9TJQKAtjqka])[cdhsCDHS♣♦♥♠♧♢♡♤]\ufe0f?|\?\?")


def read_cards(text: str) -> tuple[Card, ...]:
    """The cards that a text names, in its order: ``As 10d, Kh``, ``AsTdKh`` or ``A♠ ?? K♥``.

    Cards stand apart by spaces or commas or run together. Raises ``UnreadableCardError`` that says
    which word of the text is no card and where it stands. A card may occur twice: text is not a
    deck.
    """
    if not isinstance(text, str):
        raise UnreadableCardError(f"cards are read from text, not from {text!r}")
    cards = []
    for token in _TOKEN.finditer(text):
        word, place = token.group(), 0
        while place < len(word):
            card = _CARD.match(word, place)
            if card is None:
                where = token.start() + place + 1
                raise UnreadableCardError(_unreadable(word, word[place:], where, text))
            cards.append(Card(card.group()))
            place = card.end()
    return tuple(cards)


def write_cards(cards: Iterable[Card]) -> str:
    """The machine's text, which ``read_cards`` reads back: ``As Td Kh``."""
    return " ".join(card.value for card in cards)


def pretty_cards(cards: Iterable[Card]) -> str:
    """The people's text, which ``read_cards`` reads back as well: ``A♠ 10♦ K♥``."""
    return " ".join(card.pretty for card in cards)


def _unreadable(word: str, rest: str, where: int, text: str) -> str:
    part = repr(word) if rest == word else f"{rest!r} in {word!r}"
    return (
        f"{part} at character {where} of {text!r} is no card: "
        "write a rank (2 to 9, 10 or T, J, Q, K, A) and a suit (c, d, h, s or ♣, ♦, ♥, ♠), "
        "as in As, Td or 10♦, or ?? if unknown"
    )
