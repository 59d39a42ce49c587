"""What a pay line pays, read strictly from the words on the table.

`1000 to 1`, `400 for 1`, `10%` and `$2,000` are four different promises; each has its own record.
The approved tables know whole odds only. Odds such as `3 to 2` can be asked about (what if a line
paid so?): `parse_odds` reads those as well.
"""

from __future__ import annotations

import re
from fractions import Fraction

from msgspec import Struct


class ToOne(Struct, frozen=True, tag="to-1"):
    """`X to 1`: X times the stake is won, and the stake comes back as well."""

    times: int | Fraction

    def winnings(self, stake: int) -> int:
        """What is won on top of the returned `stake`, in cents."""
        return _whole(self.times * stake, self, stake)

    def __str__(self) -> str:
        return _odds(self.times, "to")


class ForOne(Struct, frozen=True, tag="for-1"):
    """`X for 1`: X times the stake is handed over, and the stake is kept (B-21)."""

    times: int | Fraction

    def handed_over(self, stake: int) -> int:
        """What is handed over for a `stake` that the House keeps, in cents."""
        return _whole(self.times * stake, self, stake)

    def __str__(self) -> str:
        return _odds(self.times, "for")


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


def _odds(times: int | Fraction, word: str) -> str:
    exact = Fraction(times)
    return f"{exact.numerator} {word} {exact.denominator}"


def _whole(cents: int | Fraction, pays: Pays, stake: int) -> int:
    """The amount, which is never rounded: no text says how odds of parts of a cent are paid."""
    if isinstance(cents, int):
        return cents
    if cents.denominator != 1:
        raise ValueError(
            f"{pays} on a stake of {stake / 100:,.2f} is no whole number of cents: choose a stake "
            f"that is a multiple of {cents.denominator / 100:,.2f}"
        )
    return cents.numerator


EXPECTED = "'X to 1', 'X for 1', 'X%' from 1% to 100%, or '$X,XXX'"

EXPECTED_ODDS = EXPECTED.replace("'X to 1'", "'X to 1', 'X to Y', '2.5 to 1'")
_ODDS = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,4})?) (to|for) ([0-9]{1,4}(?:\.[0-9]{1,4})?)")
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


def parse_odds(text: str) -> Pays:
    """Read a payment as ``parse_pays`` does, and odds that are no whole number to one besides.

    `3 to 2`, `2.5 to 1` and `5 for 2` are promises that a changed pay table may make.
    """
    found = _ODDS.fullmatch(" ".join(text.split()))
    if found is None or not Fraction(found[1]) or not Fraction(found[3]):
        try:
            return parse_pays(text)
        except ValueError:
            raise ValueError(f"{text!r} is not a payment; expected {EXPECTED_ODDS}") from None
    exact = Fraction(found[1]) / Fraction(found[3])
    times = exact.numerator if exact.denominator == 1 else exact
    return ToOne(times) if found[2] == "to" else ForOne(times)
