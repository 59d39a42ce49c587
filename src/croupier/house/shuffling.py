"""The source of chance: the operating system's, and an unbiased shuffle and draw made of it.

Everything random that a table asks for comes from here. A whole number below `n` is taken from
whole bytes by rejection: a byte that would make some numbers likelier than others is thrown away
inside the sampler and the next one is taken, so there is no modulo bias (25 CFR 547.14). Bytes are
used in the order in which they come, never more are asked for than are certainly needed, and none
is kept for later: no outcome is discarded, and two processes never share a stream.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")

BYTE = 256
LARGEST_DRAW = 1 << 32
"""Nobody draws among more than this: larger numbers are a mistake."""


class Source(Protocol):
    """Where random bytes come from. A test may give one that can be repeated."""

    def take(self, count: int) -> bytes:
        """The next so many bytes of the stream."""


class SystemSource:
    """The operating system's cryptographic source (`getrandom` and its like), unbuffered.

    There is no seed and no state in this process: nothing to leak, to fork or to repeat.
    """

    def take(self, count: int) -> bytes:
        return os.urandom(count)


SYSTEM = SystemSource()


class Shuffler:
    """Shuffles and draws with one source; the House has one for all its tables."""

    def __init__(self, source: Source = SYSTEM) -> None:
        self.source = source

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each as likely as the others."""
        if not 1 <= n <= LARGEST_DRAW:
            raise ValueError(f"a draw is among 1 to {LARGEST_DRAW}, not {n}")
        if n == 1:
            return 0
        size = ((n - 1).bit_length() + 7) // 8
        values = 1 << (8 * size)
        fair = values - values % n
        while True:
            value = int.from_bytes(self.source.take(size), "big")
            if value < fair:
                return value % n

    def shuffle(self, cards: Sequence[T]) -> tuple[T, ...]:
        """The same cards in a random order, top first: every order is as likely as any other.

        Fisher and Yates: from the last place down, each place gets one of the cards that are left.
        """
        order = list(cards)
        left = len(order)
        if left > BYTE:
            raise ValueError(f"at most {BYTE} cards are shuffled together, not {left}")
        take = self.source.take
        while left > 1:
            # Each place that is left takes at least one byte, so none of these is left over.
            for byte in take(left - 1):
                if byte < BYTE - BYTE % left:
                    chosen = byte % left
                    left -= 1
                    order[left], order[chosen] = order[chosen], order[left]
        return tuple(order)

    def draw(self, pick: int, among: int) -> tuple[int, ...]:
        """So many different ones among `among`, counted from 0, in the order of the draw."""
        if not 0 <= pick <= among:
            raise ValueError(f"{pick} cannot be picked among {among}")
        left = list(range(among))
        return tuple(left.pop(self.below(len(left))) for _ in range(pick))


def shuffle(cards: Sequence[T], source: Source = SYSTEM) -> tuple[T, ...]:
    """The same cards in a random order, top first."""
    return Shuffler(source).shuffle(cards)


def draw(pick: int, among: int, source: Source = SYSTEM) -> tuple[int, ...]:
    """So many different ones among `among`, counted from 0, in the order of the draw."""
    return Shuffler(source).draw(pick, among)
