"""What a visitor may do at a banked table, ready-made."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.banked import BankedTable
from croupier.banked.view import BankedView
from croupier.pit.ports.offers import READY, USUAL, ReadyMade, answers, with_amount
from croupier.table import Offer

MAY_GO = frozenset(("between rounds", "bets open", "closed"))
"""When nothing is played for; a table that the House has closed is left as any other (5.17.2.a)."""


def banked_offers(
    table: BankedTable, view: BankedView, who: str, *, said_ready: bool
) -> Iterator[ReadyMade]:
    """What he may do now; `view` is his own, `said_ready` whether he has said that he has bet."""
    least = table.state.settings.ante_minimum or 0
    if not view.yours or _has_left(table, view, who):
        free = [n for n in range(1, view.boxes_in_use + 1) if n not in view.boxes]
        if free and not view.waiting:
            command = {"do": "sit", "box": free[0], "player": who, "chips": USUAL * least}
            yield ReadyMade(do="sit", command=command, least=least)
        return
    yield from answers(view.decisions)
    for number in view.yours:
        stakes = view.boxes[number].stakes
        for offer in view.boxes[number].may:
            verb, _, bet = offer.do.partition(" ")
            if verb != "place" or bet not in stakes:  # what lies there is not offered again
                yield _at_box(offer, number, who)
    has_bet = any(view.boxes[number].stakes for number in view.yours)
    if view.status == "bets open" and has_bet and not said_ready:
        yield ReadyMade(do=READY, command={})
    if view.status in MAY_GO and not has_bet and not view.waiting:
        if view.status != "closed" and view.chips is not None and view.chips < least:
            command = {"do": "add chips", "player": who, "chips": USUAL * least}
            yield ReadyMade(do="add chips", command=command, least=1)
        yield ReadyMade(do="leave", command={"do": "leave", "player": who})


def _has_left(table: BankedTable, view: BankedView, who: str) -> bool:
    """Whether he sits here no more, and only boxes that are settled lie there of his."""
    lies = any(view.boxes[number].stakes for number in view.yours)
    return who not in table.state.sitting.values() and not lies


def _at_box(offer: Offer, number: int, who: str) -> ReadyMade:
    verb, _, bet = offer.do.partition(" ")
    match verb:
        case "look":
            return ReadyMade(do=offer.do, command={"do": "look", "seat": number})
        case "accept":
            return ReadyMade(do=offer.do, command={"do": offer.do, "player": who})
        case "place":
            return with_amount(offer, "amount", {"do": offer.do, "box": number})
        case "withdraw":
            return ReadyMade(do=offer.do, command={"do": "withdraw bet", "box": number, "bet": bet})
        case _:
            return ReadyMade(do=offer.do, command={"do": offer.do, "box": number})
