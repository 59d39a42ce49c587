"""What a player may do at this moment: one offered action with its exact least and most."""

from __future__ import annotations

from msgspec import Struct

from croupier.table.money import Money, write_money


class Offer(Struct, frozen=True, kw_only=True):
    """An action that would be accepted now; for a wager, from the least to the most.

    `word` stands between the action and the amount: `to` where the amount is a total. Amounts in
    between are whole numbers of `step`, the smallest chip; least and most always count.
    """

    do: str
    least: Money | None = None
    most: Money | None = None
    word: str = ""
    step: Money = 1

    def __str__(self) -> str:
        if self.least is None or self.most is None:
            return self.do
        amount = write_money(self.least)
        if self.most != self.least:
            amount += f"..{write_money(self.most)}"
        return " ".join(part for part in (self.do, self.word, amount) if part)
