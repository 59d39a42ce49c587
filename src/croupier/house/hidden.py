"""Decks that nobody has seen, as they are written: hidden by the secret that they are made of.

The order of a deck stands in two places of the record: in the command that gives it to the table,
and in the event that the table makes of it. In both, in place of the cards, stands

    "hidden":{"secret":"…","nonce":"…","cards":"…"}

    secret  the id under which the House's secret of this round is kept, itself encrypted with the
            key of the operator (`croupier.house.vault`)
    nonce   the first 16 bytes of HMAC-SHA-256(secret, "croupier 1 deck" 0 || deck)
    cards   deck XOR stream(secret, "croupier 1 hidden" 0 || nonce, 0)   (`croupier.house.mixing`)
    deck    each card's place in a new deck, one byte each

The nonce follows from the deck, so that no two decks of one secret are ever hidden by the same
bytes, and whoever opens a deck sees that it is the one that was hidden (as RFC 5297 does it). The
chain is over what is hidden. Whoever has the secret, the House or the auditor once the round is
over, reads the cards; an export that leaves the secret out tells no card. A shuffle that was not
made of a secret (a person reported it, or a release up to 0.9 made it) stands as it is.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterable

from croupier.cards import DECK
from croupier.house.mixing import Stream
from croupier.house.records import WITHHELD, Bundle, Opening, OrderRecord, Row
from croupier.table import GiveShuffle, ShuffleGiven

NONCE_BYTES = 16
SECRETS_KEPT = 100
"""Secrets that are kept ready: a command and its event are hidden by one, and decks of a round."""
NO_SECRET = "its deck cannot be opened: the secret that hides it is gone, or one of the two changed"
_WORDS = b"croupier 1 hidden\0"
_NONCE = b"croupier 1 deck\0"

SHUFFLES = (
    f'{{"event":"{ShuffleGiven.__struct_config__.tag}"'.encode(),
    f'{{"do":"{GiveShuffle.__struct_config__.tag}"'.encode(),
)
"""How what holds a deck begins, as it is written."""
# No text within the JSON can be taken for these: its quotes would be escaped.
_CARDS = re.compile(rb'"cards":\[((?:"[2-9TJQKA][cdhs]",?)+)\]')
_HIDDEN = re.compile(
    rb'"hidden":\{"secret":"([0-9a-f]{32})","nonce":"([0-9a-f]{32})","cards":"((?:[0-9a-f]{2})+)"\}'
)
_PLACES = {str(card).encode(): place for place, card in enumerate(DECK)}
_WRITTEN = [b'"%s"' % text for text in _PLACES]


def hide(text: bytes, by: Opening) -> bytes:
    """A command or event with its deck hidden by a secret; any other as it is."""
    found = _CARDS.search(text) if text.startswith(SHUFFLES) else None
    if found is None:
        return text
    cards = bytes(_PLACES[card] for card in found[1].replace(b'"', b"").split(b","))
    nonce = _nonce(cards, by.seed)
    closed = _crossed(cards, by.seed, nonce).hex()
    told = f'"hidden":{{"secret":"{by.shuffle}","nonce":"{nonce.hex()}","cards":"{closed}"}}'
    return text[: found.start()] + told.encode() + text[found.end() :]


def hide_deck(bundle: Bundle, by: Opening) -> None:
    """Hide the deck in what is about to be stored: in the order and in its events."""
    order = bundle.order
    if order is not None:
        hidden = hide(order.command, by)
        order.stored = hidden if hidden is not order.command else b""
    for row in bundle.rows:
        hidden = hide(row.event, by)
        if hidden is not row.event:
            row.stored = hidden


def is_hidden(text: bytes) -> bool:
    """Whether this holds a deck that is hidden."""
    return text.startswith(SHUFFLES) and _HIDDEN.search(text) is not None


def uncovered(text: bytes, secret_of: Callable[[str], bytes | None]) -> bytes | None:
    """A command or event with the cards that were hidden in it: byte for byte as it was made.

    None where its secret is not there, or it is not the deck that was hidden with it.
    """
    found = _HIDDEN.search(text)
    if found is None:
        return text
    told = _told(found, secret_of)
    return None if told is None else text[: found.start()] + told + text[found.end() :]


def _told(found: re.Match[bytes], secret_of: Callable[[str], bytes | None]) -> bytes | None:
    """The cards that are hidden, as they are written."""
    secret = secret_of(found[1].decode())
    if secret is None:
        return None
    closed, nonce = bytes.fromhex(found[3].decode()), bytes.fromhex(found[2].decode())
    cards = _crossed(closed, secret, nonce)
    if max(cards) >= len(_WRITTEN) or _nonce(cards, secret) != nonce:
        return None
    return b'"cards":[%s]' % b",".join([_WRITTEN[place] for place in cards])


def _nonce(cards: bytes, secret: bytes) -> bytes:
    return hmac.digest(secret, _NONCE + cards, "sha256")[:NONCE_BYTES]


def _crossed(cards: bytes, secret: bytes, nonce: bytes) -> bytes:
    count = len(cards)
    key = Stream(secret, _WORDS + nonce, 0).take(count)
    return (int.from_bytes(cards, "big") ^ int.from_bytes(key, "big")).to_bytes(count, "big")


class HiddenDecks:
    """Reads what is stored with a deck hidden in it, for one store."""

    def __init__(self, opening: Callable[[str], Opening | None]) -> None:
        self._opening = opening
        self._secrets: dict[str, bytes] = {}
        self._last: tuple[bytes, bytes] = (b"", b"")
        """A deck as it was hidden last, and its cards: an order and its event have the same."""

    def know(self, openings: Iterable[Opening]) -> None:
        """Keep these secrets ready, for whoever reads a whole log."""
        for opening in openings:
            self._secrets[opening.shuffle] = opening.seed

    def row(self, row: Row, *, exported: bool) -> Row:
        """The row with the cards that are hidden in it."""
        text = row.event
        if text.startswith(SHUFFLES):
            plain = self._uncovered(text)
            if plain != text:
                row.stored = text
                row.event = plain or (WITHHELD if exported else text)
        return row

    def order(self, order: OrderRecord, *, exported: bool) -> OrderRecord:
        """The order with the cards that are hidden in it."""
        text = order.command
        if text.startswith(SHUFFLES):
            plain = self._uncovered(text)
            if plain != text:
                order.stored = text
                order.command = plain or (b"" if exported else text)
        return order

    def _uncovered(self, text: bytes) -> bytes | None:
        """The same as `uncovered`, which is not asked twice of one deck."""
        found = _HIDDEN.search(text)
        if found is None:
            return text
        hidden, cards = self._last
        if found[0] != hidden:
            told = _told(found, self._secret_of)
            if told is None:
                return None
            self._last = hidden, cards = found[0], told
        return text[: found.start()] + cards + text[found.end() :]

    def _secret_of(self, name: str) -> bytes | None:
        secret = self._secrets.get(name)
        if secret is None:
            opening = self._opening(name)
            if opening is None:  # in an export: of a round that is still to be played
                return None
            if len(self._secrets) >= SECRETS_KEPT:
                del self._secrets[next(iter(self._secrets))]
            secret = self._secrets[name] = opening.seed
        return secret
