"""What a pay line pays, read strictly from the words on the table.

`1000 to 1`, `400 for 1`, `10%` and `$2,000` are four different promises; each has its own record.
"""

from __future__ import annotations

import re
from fractions import Fraction

from msgspec import Struct


class ToOne(Struct, frozen=True, tag="to-1"):
    """`X to 1`: X times the stake is won, and the stake comes back as well."""

    times: int

    def winnings(self, stake: int) -> int:
        """What is won on top of the returned `stake`, in cents."""
        return self.times * stake

    def __str__(self) -> str:
        return f"{self.times} to 1"


class ForOne(Struct, frozen=True, tag="for-1"):
    """`X for 1`: X times the stake is handed over, and the stake is kept (B-21)."""

    times: int

    def handed_over(self, stake: int) -> int:
        """What is handed over for a `stake` that the House keeps, in cents."""
        return self.times * stake

    def __str__(self) -> str:
        return f"{self.times} for 1"


class ShareOfMeter(Struct, frozen=True, tag="share"):
    """`X%`: a share of the Progressive Jackpot as it is displayed. Such a line is a major award."""

    percent: int

    @property
    def share(self) -> Fraction:
        return Fraction(self.percent, 100)

    def __str__(self) -> str:
        return f"{self.percent}%"


class Fixed(Struct, frozen=True, tag="fixed"):
    """`$X`: a fixed sum, whatever the stake and whatever the meter."""

    cents: int

    def __str__(self) -> str:
        whole, rest = divmod(self.cents, 100)
        return f"${whole:,}" if rest == 0 else f"${whole:,}.{rest:02d}"


Pays = ToOne | ForOne | ShareOfMeter | Fixed

EXPECTED = "'X to 1', 'X for 1', 'X%' from 1% to 100%, or '$X,XXX'"

_TO_ONE = re.compile(r"([1-9][0-9]*) to 1")
_FOR_ONE = re.compile(r"([1-9][0-9]*) for 1")
_SHARE = re.compile(r"([1-9][0-9]*)%")
_FIXED = re.compile(r"\$([1-9][0-9]{0,2}(?:,[0-9]{3})*)(?:\.([0-9]{2}))?")


def parse_pays(text: str) -> Pays:
    """Read `text` as it is written on the table.

    Raises ValueError for anything else: a pay table is never guessed at.
    """
    if found := _TO_ONE.fullmatch(text):
        return ToOne(int(found[1]))
    if found := _FOR_ONE.fullmatch(text):
        return ForOne(int(found[1]))
    if (found := _SHARE.fullmatch(text)) and int(found[1]) <= 100:
        return ShareOfMeter(int(found[1]))
    if found := _FIXED.fullmatch(text):
        return Fixed(int(found[1].replace(",", "")) * 100 + int(found[2] or 0))
    raise ValueError(f"{text!r} is not a payment; expected {EXPECTED}")
