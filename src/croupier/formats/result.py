"""The result of a hand that states none in full: its pots, who won them, the Rake.

Formats for trackers state each pot; PHH states what players ended with or won. Where the book lets
the hand be played, the pots are the table's, with what the record kept for a Rake taken out. Where
it does not, they follow from the chips, and only where the record leaves no choice.
"""

from __future__ import annotations

from msgspec import structs

from croupier.formats.errors import FormatError
from croupier.formats.export_sums import paid_of, put_in, stated_wins, uncalled_of
from croupier.formats.hand import Hand, Pot
from croupier.formats.pokerstars_pots import shares
from croupier.formats.replay import Replayer
from croupier.formats.replayed import replayed_hand
from croupier.table.money import write_money


def with_result(hand: Hand, replayer: Replayer) -> Hand:
    """The hand with its pots, what nobody called and the Rake; as it is where it states them.

    Raises FormatError where the record does not say who won what.
    """
    if hand.pots or hand.voided:
        return hand
    backs = uncalled_of(hand)
    put = put_in(hand)
    for back in backs:
        put[back.seat] -= back.amount
    pot = sum(put.values())
    played = _played(hand, replayer)
    stated = list(stated_wins(hand, {back.seat: back.amount for back in backs}))
    percent = replayer.tolerance.percent
    fitting = [won for won in stated if 0 <= pot - sum(won.values()) <= pot * percent // 100]
    if fitting:
        won = fitting[0]
    elif stated:
        paid = write_money(sum(stated[0].values()))
        raise FormatError(
            f"{write_money(pot)} were put in and called and {paid} are paid on record; no Rake of "
            f"up to {percent}% explains that"
        )
    elif played is not None:
        won = paid_of(played)
    else:
        raise FormatError("the record does not say who won what, and so has no pots")
    pots = _as_played(played, won) if played is not None and played.uncalled == backs else None
    if pots is None:
        pots = _from_chips(hand, put, won)
    rake = pot - sum(won.values())
    return structs.replace(hand, pots=pots, uncalled=backs, rake=rake)


def _played(hand: Hand, replayer: Replayer) -> Hand | None:
    """The hand as the book settles it; None where it cannot be played to its end."""
    try:
        found = replayed_hand(hand, replayer)
    except FormatError:
        return None
    return found if found.pots and any(pot.wins for pot in found.pots) else None


def _as_played(played: Hand, won: dict[int, int]) -> tuple[Pot, ...] | None:
    """The pots as the table has them, with what the record kept taken out of what each won; None
    where the record pays somebody whom the table does not."""
    by_book = paid_of(played)
    if set(won) - set(by_book) or any(amount < 0 for amount in won.values()):
        return None
    wins = [dict(pot.wins) for pot in played.pots]
    for seat, amount in by_book.items():
        where = [number for number, paid in enumerate(wins) if paid.get(seat)]
        kept = amount - won.get(seat, 0)
        parts = shares([wins[number][seat] for number in where], kept) if kept > 0 else [kept]
        for number, part in zip(where, parts, strict=False):
            wins[number][seat] -= part
    pots = [
        Pot(
            amount=pot.amount,
            rake=pot.amount - sum(paid.values()),
            seats=pot.seats,
            wins={seat: amount for seat, amount in paid.items() if amount},
        )
        for pot, paid in zip(played.pots, wins, strict=True)
    ]
    if any(pot.rake < 0 or min(pot.wins.values(), default=0) < 0 for pot in pots):
        return None
    return tuple(pots)


def _from_chips(hand: Hand, put: dict[int, int], won: dict[int, int]) -> tuple[Pot, ...]:
    """The pots as the chips make them: one where everybody who is left has put in the same, and
    otherwise one for each sum at which somebody was All-in."""
    if any(amount < 0 for amount in won.values()):
        raise FormatError("the record pays somebody less than nothing")
    folded = {act.seat for street in hand.streets for act in street.acts if act.do == "fold"}
    levels = sorted({amount for seat, amount in put.items() if seat not in folded and amount})
    if not levels:
        raise FormatError("nobody is left who could have won")
    levels[-1] = max(put.values())
    amounts, contested = [], []
    for below, level in zip([0, *levels], levels, strict=False):
        amounts.append(sum(min(amount, level) - min(amount, below) for amount in put.values()))
        contested.append(tuple(s for s, a in put.items() if s not in folded and a > below))
    if len(amounts) > 1 and len(won) > 1:
        raise FormatError(
            f"several pots and {len(won)} winners, and the record does not say who won which; "
            "the book does not let the hand be played as it stands"
        )
    rake = sum(amounts) - sum(won.values())
    if rake < 0:
        raise FormatError(f"it pays {write_money(-rake)} more than was put in")
    rakes = shares(amounts, rake)
    if len(amounts) == 1:
        return (Pot(amount=amounts[0], rake=rake, seats=contested[0], wins=won),)
    [winner] = won
    return tuple(
        Pot(amount=amount, rake=kept, seats=seats, wins={winner: amount - kept})
        for amount, kept, seats in zip(amounts, rakes, contested, strict=True)
    )
