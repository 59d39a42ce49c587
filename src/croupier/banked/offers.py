"""Exactly what the player of a box may do now, with the least and the most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.authority import chips_of
from croupier.banked.betting import limits, right_size
from croupier.banked.decisions import hand_seen
from croupier.banked.showing import may_refuse, may_show
from croupier.banked.state import BoxState
from croupier.cards import Card
from croupier.table import Offer

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

_FOLD = Offer(do="fold")
_CHECK = Offer(do="check")
_LOOK = Offer(do="look")
_AFTER = {"flop": 1, "turn": 2, "river": 3}


def offers_of(table: BankedTable, number: int) -> list[Offer]:
    """What the player at a box may do with it."""
    state = table.state
    player = table.player_at(number)
    if player is None or any(getattr(need, "holds", True) for need in state.waiting):
        return []
    box = state.boxes.get(number)
    if state.phase == "bets open":
        return _opening(table, number, player, box)
    if box is None or state.is_settled():
        return []
    offers = []
    if _may_look(table, box):
        offers.append(_LOOK)
    window = state.window()
    if window is not None and box.window < _AFTER[window]:
        live = box.standing == ("in" if window == "flop" else "in for the finish")
        if live:
            offers += _decision(table, box, window)
    if may_refuse(table, box):
        offers.append(Offer(do="refuse to show"))
    if may_show(table, box) and Card.UNKNOWN not in box.cards:
        offers.append(Offer(do="table cards"))
    return offers


def _may_look(table: BankedTable, box: BoxState) -> bool:
    if not box.cards or box.standing not in ("in", "in for the finish") or box.result is not None:
        return False
    return hand_seen(table, box.player) is None


def _decision(table: BankedTable, box: BoxState, window: str) -> list[Offer]:
    amount = right_size(table, box, window)
    chips = chips_of(table, box.player)
    bet = [Offer(do=f"{window} bet", least=amount, most=amount)]
    if chips is not None and chips < amount:
        bet = []
    return [*bet, _FOLD if window == "flop" else _CHECK]


def _opening(table: BankedTable, number: int, player: str, box: BoxState | None) -> list[Offer]:
    state = table.state
    if number in state.blocked or (box is not None and box.standing != "in"):
        return []
    if state.notice and player not in state.told and player not in state.accepted:
        return [Offer(do="accept notice")]
    offers = []
    bets = ("ante", "bonus", "progressive") if box is not None and box.ante else ("ante",)
    for bet in bets:
        jackpot_shut = not state.jackpot_open() or number in state.failed_boxes
        if bet == "progressive" and jackpot_shut:
            continue
        least, most = limits(table, bet)
        chips = chips_of(table, player)
        if chips is not None:
            most = min(most, chips + (getattr(box, bet) if box is not None else 0))
        if least <= most:
            offers.append(Offer(do=f"place {bet}", least=least, most=most))
    for bet in ("ante", "bonus", "progressive"):
        if box is not None and getattr(box, bet):
            offers.append(Offer(do=f"withdraw {bet}"))
    return offers
