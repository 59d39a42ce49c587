"""The pots of a hand of PokerStars text: who collected what, and the Rake of all of them.

The summary gives each of several pots without the Rake, and the Rake in one sum. From which pot how
much of it came, the format does not say: it follows from the chips that were put in; where these
make other pots than the record has, it is taken to be in proportion to them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from croupier.formats.errors import FormatError
from croupier.formats.hand import Pot
from croupier.formats.pokerstars_text import NUMBER, SYMBOL, cents
from croupier.table.money import write_money

_AMOUNT = rf"{SYMBOL}({NUMBER})"
_COLLECTED = re.compile(rf" collected {_AMOUNT} from (pot|main pot|side pot(?:-\d{{1,2}})?)\s*")
_TOTAL = re.compile(
    rf"Total pot {_AMOUNT}(?P<parts>(?: (?:Main|Side) pot(?:-\d{{1,2}})? {SYMBOL}{NUMBER}\.)*)"
    rf"(?: \|)? Rake {SYMBOL}(?P<rake>{NUMBER})\s*"
)
_PART = re.compile(rf" ((?:Main|Side) pot(?:-\d{{1,2}})?) {_AMOUNT}\.(?= |$)")


def shares(amounts: Sequence[int], rake: int) -> list[int]:
    """A Rake over pots in proportion to them, in whole cents; the cents that are left over come
    from the Main Pot."""
    total = sum(amounts)
    found = [rake * amount // total if total else 0 for amount in amounts]
    if found:
        found[0] += rake - sum(found)
    return found


class PotLines:
    """The pots while the lines go by."""

    def __init__(self) -> None:
        self.wins: dict[str, dict[int, int]] = {}
        self.parts: dict[str, int] = {}
        self.amount: int | None = None
        self.rake = 0

    def collected(self, line: str, names: dict[str, int]) -> bool:
        """Whether the line tells that somebody who sits there collected a pot."""
        for name in sorted(names, key=len, reverse=True):
            found = _COLLECTED.fullmatch(line[len(name) :]) if line.startswith(name) else None
            if found is not None:
                wins = self.wins.setdefault(found[2], {})
                wins[names[name]] = wins.get(names[name], 0) + cents(found[1])
                return True
        return False

    def total(self, line: str) -> bool:
        """Whether the line tells the whole of the pots."""
        if not line.startswith("Total pot "):
            return False
        found = _TOTAL.fullmatch(line)
        if found is None or self.amount is not None:
            raise FormatError("the pots of a summary are «Total pot 12 | Rake 1»")
        self.amount = cents(found[1])
        self.rake = cents(found["rake"])
        self.parts = {word.lower(): cents(amount) for word, amount in _PART.findall(found["parts"])}
        return True

    def pots(self, by_chips: Sequence[int]) -> tuple[Pot, ...]:
        """The pots, Main Pot first, each with its Rake; `by_chips` is what was put into each."""
        if self.amount is None:
            raise FormatError("the summary does not say what the pot was")
        titles = sorted(self.wins, key=_place)
        won = [sum(self.wins[title].values()) for title in titles]
        if self.parts:
            stated = [self.parts.get(title, 0) for title in titles]
            if stated != won or set(self.parts) - set(titles):
                told = ", ".join(write_money(amount) for amount in self.parts.values())
                raise FormatError(f"the summary has pots of {told}, and other sums were collected")
        rakes = [put - amount for put, amount in zip(by_chips, won, strict=False)]
        if len(by_chips) != len(won) or sum(rakes) != self.rake or min(rakes, default=0) < 0:
            rakes = shares(won, self.rake)
        if sum(won) + self.rake != self.amount:
            raise FormatError(
                f"{write_money(sum(won))} were collected and {write_money(self.rake)} are Rake, "
                f"which is not the total pot of {write_money(self.amount)}"
            )
        return tuple(
            Pot(amount=amount + rake, rake=rake, wins=self.wins[title])
            for title, amount, rake in zip(titles, won, rakes, strict=True)
        )


def _place(title: str) -> int:
    """Main Pot first, then the Side Pots by their numbers."""
    if title in ("pot", "main pot"):
        return 0
    return int(title.partition("-")[2] or 1)
