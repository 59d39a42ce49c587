"""Money: whole cents inside, written as on the table outside (`60`, `2.50`).

Nothing here rounds. An amount with a part of a cent is an error, not a smaller amount.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated

from msgspec import Meta

from croupier.table.errors import UnreadableMoney

Money = Annotated[int, Meta(description="whole cents", extra={"money": True})]
"""An amount in whole cents. The mark lets case files and tables write it as `60` or `2.50`."""

_WRITTEN = re.compile(r"(-?)([0-9]{1,18}|[0-9]{1,3}(?:,[0-9]{3}){1,5})(?:\.([0-9]{1,2}))?")
"""Plain digits, as on the table, and no more of them than any account can hold."""


def read_money(text: str | int | Decimal) -> int:
    """Read an amount as it is written on the table and return whole cents.

    >>> read_money("2.50"), read_money(60), read_money("100,000")
    (250, 6000, 10000000)
    """
    if isinstance(text, bool) or not isinstance(text, str | int | Decimal):
        raise UnreadableMoney(f"an amount is a number such as 60 or 2.50, not {text!r}")
    match = _WRITTEN.fullmatch(str(text).strip())
    if match is None:
        raise UnreadableMoney(
            f"{str(text)!r} is not an amount; write whole units or cents, such as 60 or 2.50"
        )
    sign, units, cents = match.groups()
    amount = int(units.replace(",", "")) * 100 + int((cents or "").ljust(2, "0"))
    return -amount if sign else amount


def write_money(cents: int) -> str:
    """Write whole cents as on the table: no decimals where there are none.

    >>> write_money(250), write_money(6000), write_money(10000000)
    ('2.50', '60', '100,000')
    """
    units, rest = divmod(abs(cents), 100)
    sign = "-" if cents < 0 else ""
    return f"{sign}{units:,}.{rest:02}" if rest else f"{sign}{units:,}"
