"""How a deck is made of the House's secret and the players' seeds, so that nobody has chosen it.

Anybody can make it again with SHA-256 alone. A number is four bytes, the highest first; a text is
its length in bytes, as a number, and its UTF-8; a card is its two letters in ASCII, such as `Ah`;
`||` puts one behind the other. Each use of a key begins with words of its own, ended by a zero
byte, so that no two uses ever give the same bytes.

    the House, before the first bet:
    secret     = 32 bytes of the operating system's source, new for every round
    digest     = SHA-256("croupier 1 secret" 0 || secret)
    order(c)   = the named cards, shuffled with stream(secret, "croupier 1 order", c)
    salt(c, p) = HMAC-SHA-256(secret, "croupier 1 salt" 0 || c || p)    of place p = 0 (top), 1, …
    leaf(c, p) = SHA-256(0x00 || salt(c, p) || p || card p of order(c))
    root(c)    = the root of the Merkle tree over these leaves (croupier.house.merkle)

    a player, before the House:
    hash       = SHA-256("croupier 1 seed" 0 || text(table) || number || text(player) || seed)

    the mix, of the seeds that were opened, in the order in which their hashes were listed:
    key        = SHA-256("croupier 1 mix" 0 || digest || root(0) || how many || text(player) || seed
                 || text(player) || seed …)
    places(c)  = 0, 1, 2, …, shuffled with stream(key, "croupier 1 places", c)
    deck(c)    = in place i, card places(c)[i] of order(c)
    cut(c)     = 1 + a number below (cards - 1) from stream(key, "croupier 1 cut", c)
    draw(c)    = picks with stream(HMAC-SHA-256(secret, key), "croupier 1 draw", c)

    stream(key, words, c) = HMAC-SHA-256(key, words 0 || c || 0) || the same with 1 || with 2 || …

The counter c is 0 for the first shuffle of a secret and goes up with every other use of it within
the round. How a stream shuffles, and how a number is taken from it without bias, stands in
`croupier.house.shuffling`.

The House's order is fixed and hidden before the seeds are known; the players' permutation of its
places is known to everybody and was chosen by nobody. So each card that somebody saw can be opened
by itself, and a player needs no secret to see that it lay where his own seed had put it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

from croupier.cards import Card
from croupier.house import merkle
from croupier.house.shuffling import Shuffler

SECRET_BYTES = 32
SEED_BYTES = 32
BLOCK_BYTES = 64
MOST_CARDS = 256
"""As many are shuffled together at most."""
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))

_SECRET = b"croupier 1 secret\0"
_SEED = b"croupier 1 seed\0"
_MIX = b"croupier 1 mix\0"
_SALT = b"croupier 1 salt\0"
_ORDER = b"croupier 1 order\0"
_PLACES = b"croupier 1 places\0"
_CUT = b"croupier 1 cut\0"
_DRAW = b"croupier 1 draw\0"

Seeds = Sequence[tuple[str, bytes]]
"""Players with the seeds that they have opened, in the order of the list."""


class BoundOrder(Struct, frozen=True, kw_only=True):
    """The House's own order of some cards, and the leaves that bind it to each."""

    cards: tuple[Card, ...]
    leaves: tuple[bytes, ...]
    root: bytes


class Stream:
    """A stream of bytes that follows from a key: a source of chance that anybody can repeat."""

    def __init__(self, key: bytes, words: bytes, counter: int) -> None:
        self._key = key
        self._message = words + number(counter)
        self._block = 0
        self._rest = b""

    def take(self, count: int) -> bytes:
        """The next so many bytes."""
        while len(self._rest) < count:
            self._rest += hmac.digest(self._key, self._message + number(self._block), "sha256")
            self._block += 1
        taken, self._rest = self._rest[:count], self._rest[count:]
        return taken


def number(value: int) -> bytes:
    """A number as it goes into a hash."""
    return value.to_bytes(4, "big")


def text(value: str) -> bytes:
    """A text as it goes into a hash."""
    written = value.encode()
    return number(len(written)) + written


_PLACES_WRITTEN = tuple(map(number, range(MOST_CARDS)))


@lru_cache(maxsize=64)
def _text(card: Card) -> bytes:
    return str(card).encode()


# -- the House's part -----------------------------------------------------------------------------


def digest_of(secret: bytes) -> bytes:
    """What is told of a secret when it is committed to."""
    return hashlib.sha256(_SECRET + secret).digest()


def order_of(secret: bytes, counter: int, cards: Sequence[Card]) -> tuple[Card, ...]:
    """The House's own order of these cards."""
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
    return Shuffler(Stream(secret, _ORDER, counter)).shuffle(cards)


def bound_order(secret: bytes, counter: int, cards: Sequence[Card]) -> BoundOrder:
    """The House's own order of these cards, with its leaves and root."""
    order = order_of(secret, counter, cards)
    salts = _salts(secret, counter, len(order))
    leaves = tuple(
        merkle.leaf_of(salt + _PLACES_WRITTEN[place] + _text(card))
        for place, (salt, card) in enumerate(zip(salts, order, strict=True))
    )
    return BoundOrder(cards=order, leaves=leaves, root=merkle.root_of(leaves))


def salt_of(secret: bytes, counter: int, place: int) -> bytes:
    """The salt of one place of the House's order."""
    return hmac.digest(secret, _SALT + number(counter) + number(place), "sha256")


def leaf_of(salt: bytes, place: int, card: Card) -> bytes:
    """The leaf of one card in one place of the House's order."""
    return merkle.leaf_of(salt + number(place) + str(card).encode())


def _salts(secret: bytes, counter: int, count: int) -> Iterable[bytes]:
    """The salts of all places: HMAC as RFC 2104 writes it out, with the two padded keys hashed
    once, which takes a third of the time."""
    key = secret.ljust(BLOCK_BYTES, b"\0")
    message = _SALT + number(counter)
    inner = hashlib.sha256(key.translate(_INNER) + message)
    outer = hashlib.sha256(key.translate(_OUTER))
    for place in _PLACES_WRITTEN[:count]:
        inside = inner.copy()
        inside.update(place)
        outside = outer.copy()
        outside.update(inside.digest())
        yield outside.digest()


# -- the players' part ----------------------------------------------------------------------------


def seed_hash(table: str, committed: int, player: str, seed: bytes) -> bytes:
    """What a player sends of his seed before the House commits. It is bound to the table, to the
    number of the commitment and to his name: nobody else can open it, nor he for another."""
    return hashlib.sha256(_SEED + text(table) + number(committed) + text(player) + seed).digest()


# -- the mix --------------------------------------------------------------------------------------


def mix_key(digest: bytes, root: bytes, seeds: Seeds) -> bytes:
    """The key that follows from what the House committed to and the seeds that were opened."""
    parts = b"".join(text(player) + seed for player, seed in seeds)
    return hashlib.sha256(_MIX + digest + root + number(len(seeds)) + parts).digest()


def places_of(key: bytes, counter: int, count: int) -> tuple[int, ...]:
    """Which place of the House's order comes to lie in each place of the deck."""
    return Shuffler(Stream(key, _PLACES, counter)).shuffle(range(count))


def mixed(order: Sequence[Card], places: Sequence[int]) -> tuple[Card, ...]:
    """The deck: the House's order with its places permuted."""
    return tuple(order[place] for place in places)


def cut_of(key: bytes, counter: int, count: int) -> int:
    """How many of the deck's cards the cut takes from the top: at least one, and never all."""
    return 1 + Shuffler(Stream(key, _CUT, counter)).below(count - 1)


def draw_of(secret: bytes, key: bytes, counter: int, pick: int, among: int) -> tuple[int, ...]:
    """So many different ones among scrambled cards, counted from 0."""
    both = hmac.digest(secret, key, "sha256")
    return Shuffler(Stream(both, _DRAW, counter)).draw(pick, among)
