"""Commitments of releases up to 0.9: at the shuffle the House bound itself to every card.

Shuffles of today are made as `croupier.house.mixing` says; those of a log of 0.9 are opened as
ever. Anybody can check an opening with nothing but SHA-256. All numbers are four bytes, the highest
first; a card is its two letters in ASCII, such as `Ah` or `Tc`; `||` puts one behind the other.

    seed    = 32 bytes of the operating system's source, new for every shuffle
    salt(i) = HMAC-SHA-256(key = seed, message = i)            for place i = 0 (top), 1, 2, …
    leaf(i) = SHA-256(salt(i) || i || card in place i)
    root    = SHA-256(leaf(0) || leaf(1) || … || leaf(n - 1))

Root and leaves are told before the first card leaves the shoe. They tell nothing: without its salt
a leaf is as good as random. To open card i is to tell salt(i); whoever has it computes the leaf,
finds it among those that were told, and knows that the card lay there all along. One salt says
nothing about another, so each player can be given exactly the cards that he was allowed to see.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from croupier.cards import Card

SEED_BYTES = 32
LEAF_BYTES = 32
NUMBER_BYTES = 4
BLOCK_BYTES = 64
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


class Commitment(Struct, frozen=True, kw_only=True):
    """What is told before the deal: all leaves, one after another, and their root."""

    leaves: bytes
    root: bytes

    @property
    def count(self) -> int:
        """How many cards it is about."""
        return len(self.leaves) // LEAF_BYTES

    def leaf(self, index: int) -> bytes:
        """The leaf of one place, counted from 0 at the top."""
        return self.leaves[LEAF_BYTES * index : LEAF_BYTES * (index + 1)]

    @property
    def is_whole(self) -> bool:
        """Whether the leaves are whole and the root is theirs."""
        return len(self.leaves) % LEAF_BYTES == 0 and root_of(self.leaves) == self.root


class CardOpening(Struct, frozen=True, kw_only=True):
    """One card of one shuffle, opened: its place from the top, which card it is, and its salt."""

    shuffle: str
    """The id of the command that gave the shuffle; its commitment has the same."""
    index: int
    card: Card
    salt: bytes
    place: int | None = None
    """Its place in the House's own order, where players' seeds have moved it from there."""
    path: tuple[bytes, ...] = ()
    """What leads from its leaf to the root (`croupier.house.merkle`)."""


@lru_cache(maxsize=1024)
def _number(index: int) -> bytes:
    return index.to_bytes(NUMBER_BYTES, "big")


@lru_cache(maxsize=64)
def _text(card: Card) -> bytes:
    return str(card).encode()


def salt_of(seed: bytes, index: int) -> bytes:
    """The salt of one place."""
    return hmac.digest(seed, _number(index), "sha256")


def leaf_of(salt: bytes, index: int, card: Card) -> bytes:
    """The leaf of one card in one place."""
    return hashlib.sha256(salt + _number(index) + _text(card)).digest()


def root_of(leaves: bytes) -> bytes:
    """The root of leaves, one after another."""
    return hashlib.sha256(leaves).digest()


def commit(cards: Sequence[Card], seed: bytes) -> Commitment:
    """Bind the House to these cards in this order, top first."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    # HMAC as RFC 2104 writes it out, with the two padded keys made once: a third of the time.
    key = seed.ljust(BLOCK_BYTES, b"\0")
    inner, outer = key.translate(_INNER), key.translate(_OUTER)
    sha256 = hashlib.sha256
    leaves = b"".join(
        sha256(sha256(outer + sha256(inner + number).digest()).digest() + number + text).digest()
        for number, text in zip(map(_number, range(len(cards))), map(_text, cards), strict=True)
    )
    return Commitment(leaves=leaves, root=root_of(leaves))


def open_card(shuffle: str, cards: Sequence[Card], seed: bytes, index: int) -> CardOpening:
    """The opening of the card in one place of a shuffle."""
    return CardOpening(shuffle=shuffle, index=index, card=cards[index], salt=salt_of(seed, index))


def verify_opening(commitment: Commitment, opening: CardOpening) -> bool:
    """Whether the House had bound itself to this card in this place."""
    if not 0 <= opening.index < commitment.count or not commitment.is_whole:
        return False
    made = leaf_of(opening.salt, opening.index, opening.card)
    return hmac.compare_digest(made, commitment.leaf(opening.index))


def verify_seed(commitment: Commitment, seed: bytes, cards: Sequence[Card]) -> bool:
    """Whether a seed opens every card of a shuffle: what the auditor checks."""
    return len(seed) == SEED_BYTES and commit(cards, seed) == commitment
