"""What a ruling at a banked table can order: each remedy, when it can be carried out, and how.

The discretion clause (5.23). What each of them does to the table is applied in `rulings`,
`ruled_cards` and `ruled_chips`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from croupier.banked.betting import LATER
from croupier.banked.events import Folded
from croupier.banked.findings import (
    DecisionGivenBack,
    PaymentCorrected,
    PolicyChanged,
    RoundGoesOn,
    StreetDealtAgain,
)
from croupier.banked.ruled_cards import last_street, replaced
from croupier.banked.ruled_chips import move_chips
from croupier.banked.state import BETS
from croupier.banked.voiding import cancel, void_now, within_reach
from croupier.table import BadCommand
from croupier.table.link import READ_BY_THE_LINK
from croupier.table.money import write_money
from croupier.table.remedy import Details, Remedies, Remedy, Ruling, asks, known_policy
from croupier.table.words import counted

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable


# -- when a remedy is possible --------------------------------------------------------------------


def _under_way(table: BankedTable) -> bool:
    return table.playing()


def _unsettled(table: BankedTable) -> bool:
    return table.playing() and not table.state.is_settled()


def _has_cards(table: BankedTable) -> bool:
    return _unsettled(table) and any(box.cards for box in table.state.boxes.values())


# -- with what it cannot be carried out -----------------------------------------------------------


def _has_a_hand(table: BankedTable, details: Details) -> None:
    """A hand in the round, folded ones as well: their bets lie there until they are settled."""
    boxes = table.state.boxes.items()
    _among([n for n, box in boxes if box.standing not in ("cancelled", "no hand")], details)


def _among(boxes: list[int], details: Details) -> None:
    if details["box"] not in boxes:
        raise BadCommand(f"box {details['box']} has no hand in this round")


def _has_not_folded(table: BankedTable, details: Details) -> None:
    _has_a_hand(table, details)
    if table.state.boxes[details["box"]].standing == "folded":
        raise BadCommand(f"box {details['box']} has folded")


def _folded_and_may_still_decide(table: BankedTable, details: Details) -> None:
    """Whoever counts as folded may also have made the decisions before this one."""
    state = table.state
    _among([n for n, box in state.boxes.items() if box.standing == "folded"], details)
    box, street = state.boxes[details["box"]], state.street
    shut = street == len(LATER) or box.window < street
    chose_to = street and not box.deemed  # after the flop only who counts as folded is in again
    if shut or box.refused or chose_to:
        raise BadCommand(f"box {details['box']} is not a folded box that could still decide")
    _still_has_its_cards(table, details)


def _still_has_its_cards(table: BankedTable, details: Details) -> None:
    if table.state.boxes[details["box"]].gone:
        raise BadCommand(f"the cards of box {details['box']} are gone; it has none to decide on")


def _has_decided_now(table: BankedTable, details: Details) -> None:
    _has_a_hand(table, details)
    _still_has_its_cards(table, details)
    # 1.3: a window shuts when the next Community Cards are turned up, not when all have decided.
    street = table.state.street
    if street == len(LATER) or table.state.boxes[details["box"]].window <= street:
        raise BadCommand(f"box {details['box']} has made no decision in this window")


def _hole_card(table: BankedTable, details: Details) -> None:
    _has_a_hand(table, details)
    _position(table, details, len(table.state.boxes[details["box"]].cards))


def _community_card(table: BankedTable, details: Details) -> None:
    _position(table, details, len(table.state.board))


def _dealer_card(table: BankedTable, details: Details) -> None:
    _position(table, details, len(table.state.dealer))


def _position(table: BankedTable, details: Details, most: int) -> None:
    if not most:
        raise BadCommand("no card lies there that could be replaced")
    if not 1 <= details["position"] <= most:
        raise BadCommand(f"positions are counted from 1 to {most}; got {details['position']}")
    _device_has(table, 1)


def _device_has(table: BankedTable, count: int) -> None:
    shoe = table.state.shoe
    if shoe is None or shoe.left < count:
        raise BadCommand(f"the device has not {counted(count, 'card', 'cards')} left")


def _street_lies_there(table: BankedTable, details: Details) -> None:
    if not table.state.board:
        raise BadCommand("no Community Cards lie there to be dealt again")
    first, end = last_street(table.state)
    _device_has(table, end - first)


def _chips_lie_there(table: BankedTable, details: Details) -> None:
    _has_a_hand(table, details)
    state = table.state
    for key in ("bet", "to"):
        if key in details and details[key] not in BETS:
            raise BadCommand(f"{details[key]!r} is no bet; there are {', '.join(BETS)}")
    box = state.boxes[details["box"]]
    bet, to, amount = details["bet"], details.get("to"), details["amount"]
    there = getattr(box, bet)
    if amount > there:
        raise BadCommand(f"only {write_money(there)} lies on {bet}")
    if bet == "ante" and amount == there:
        raise BadCommand("a hand without its Ante is none; have the hand cancelled instead")
    if to in ("flop", "turn", "river") and not getattr(box, to):
        raise BadCommand(f"no {to} bet was made on box {details['box']} that chips could be put to")
    if to == "progressive" and not state.jackpot_takes(details["box"]):
        raise BadCommand("the jackpot takes no stakes now")


def _read_here(table: BankedTable, details: Details) -> None:
    known_policy(table, details)
    if details["policy"] in READ_BY_THE_LINK:
        raise BadCommand(
            f"{details['policy']} is stated for the jackpot link and holds for all its tables; "
            "a ruling at one of them does not change it"
        )


def _has_played_here(table: BankedTable, details: Details) -> None:
    state, player = table.state, details["player"]
    if player not in state.net and player not in state.left:
        raise BadCommand(f"{player!r} has not played at this table")


def _can_pay(table: BankedTable, details: Details) -> None:
    state, player = table.state, details["player"]
    if player in state.left:
        raise BadCommand(f"{player} has left the table; nothing can be collected here")
    _has_played_here(table, details)
    if player in state.racks:
        there = within_reach(state, player)
        if details["amount"] > there:
            raise BadCommand(f"{player} has only {write_money(there)} in chips at this table")


# -- what it does ---------------------------------------------------------------------------------


def _continue(table: BankedTable, ruling: Ruling) -> None:
    table.emit(RoundGoesOn(why="ruling: continue", cites=ruling.cites))


def _note_only(table: BankedTable, ruling: Ruling) -> None:
    table.emit(RoundGoesOn(why="ruling: note only", cites=ruling.cites))


def _void(table: BankedTable, ruling: Ruling) -> None:
    void_now(table, ruling.cites, "by ruling")


def _cancel(table: BankedTable, ruling: Ruling) -> None:
    cancel(table, ruling.details["box"], ruling.cites, "by ruling")


def _fold(table: BankedTable, ruling: Ruling) -> None:
    table.emit(Folded(box=ruling.details["box"], deemed="by ruling", cites=ruling.cites))


def _give_back(table: BankedTable, ruling: Ruling) -> None:
    """In the window that is not shut yet; one who walked away there may have bet before (5.5)."""
    number, bet = ruling.details["box"], LATER[table.state.street]
    returned = getattr(table.state.boxes[number], bet)
    table.emit(DecisionGivenBack(box=number, returned=returned, bet=bet, cites=ruling.cites))


def _replace_hole_card(table: BankedTable, ruling: Ruling) -> None:
    box, position = ruling.details["box"], ruling.details["position"]
    table.emit(replaced(table, "hole", box, position, ruling.cites))


def _replace_community_card(table: BankedTable, ruling: Ruling) -> None:
    table.emit(replaced(table, "community", None, ruling.details["position"], ruling.cites))


def _replace_dealer_card(table: BankedTable, ruling: Ruling) -> None:
    table.emit(replaced(table, "dealer", None, ruling.details["position"], ruling.cites))


def _deal_street_again(table: BankedTable, ruling: Ruling) -> None:
    state = table.state
    assert state.shoe is not None
    first, end = last_street(state)
    old = tuple(state.board[first:end])
    new = tuple(state.shoe.order[: len(old)])
    shown = end <= state.shown
    table.emit(StreetDealtAgain(old=old, new=new, shown=shown, cites=ruling.cites))


def _move_chips(table: BankedTable, ruling: Ruling) -> None:
    move_chips(table, ruling.details["box"], dict(ruling.details), ruling.cites)


def _pay(table: BankedTable, ruling: Ruling) -> None:
    details = ruling.details
    table.emit(
        PaymentCorrected(player=details["player"], amount=details["amount"], cites=ruling.cites)
    )


def _collect(table: BankedTable, ruling: Ruling) -> None:
    details = ruling.details
    table.emit(
        PaymentCorrected(player=details["player"], amount=-details["amount"], cites=ruling.cites)
    )


def _change_policy(table: BankedTable, ruling: Ruling) -> None:
    details = ruling.details
    table.emit(PolicyChanged(policy=details["policy"], value=details["value"], cites=ruling.cites))


def _has_cards_and(
    check: Callable[[BankedTable, Details], None],
) -> Callable[[BankedTable], bool]:
    """Possible while there is a box, and a first card, with which it can be carried out."""

    def possible(table: BankedTable) -> bool:
        return _has_cards(table) and any(_passes(check, table, n) for n in table.state.boxes)

    return possible


def _passes(check: Callable[[BankedTable, Details], None], table: BankedTable, number: int) -> bool:
    try:
        check(table, {"box": number, "position": 1})
    except BadCommand:
        return False
    return True


REMEDIES: Remedies[BankedTable] = Remedies(
    Remedy(
        name="continue", says="play goes on as it stands; no card and no chip moves", do=_continue
    ),
    Remedy(name="note only", says="it is written down; no card and no chip moves", do=_note_only),
    Remedy(
        name="pay player",
        says="the House pays a player; cards and bets stay where they lie",
        asks=asks(player="text", amount="money"),
        check=_has_played_here,
        do=_pay,
    ),
    Remedy(
        name="collect from player",
        says="the player gives back what was paid wrongly; cards and bets stay where they lie",
        asks=asks(player="text", amount="money"),
        check=_can_pay,
        do=_collect,
    ),
    Remedy(
        name="change policy",
        says="the rule is read otherwise from here on; cards and chips stay where they lie",
        asks=asks(policy="text", value="text"),
        check=_read_here,
        do=_change_policy,
    ),
    Remedy(
        name="void round",
        says="no result: every stake goes back, and the cards are collected",
        possible=_under_way,
        do=_void,
    ),
    Remedy(
        name="cancel hand",
        says="the cards of the box are taken away and its bets go back; the others play on",
        possible=_unsettled,
        asks=asks(box="box"),
        check=_has_a_hand,
        do=_cancel,
    ),
    Remedy(
        name="return chips",
        says="chips go from a spot of a box back to its player; no card moves",
        possible=_unsettled,
        asks=asks(box="box", bet="text", amount="money"),
        check=_chips_lie_there,
        do=_move_chips,
    ),
    Remedy(
        name="move chips",
        says="chips go from one spot of a box to another; no card moves",
        possible=_unsettled,
        asks=asks(box="box", bet="text", to="text", amount="money"),
        check=_chips_lie_there,
        do=_move_chips,
    ),
    Remedy(
        name="treat as folded",
        says="the Ante and later bets of the box are lost, the others play on",
        possible=_has_cards_and(_has_not_folded),
        asks=asks(box="box"),
        check=_has_not_folded,
        do=_fold,
    ),
    Remedy(
        name="give decision back",
        says="a folded box has its cards and bets again and may decide",
        possible=_has_cards_and(_folded_and_may_still_decide),
        asks=asks(box="box"),
        check=_folded_and_may_still_decide,
        do=_give_back,
    ),
    Remedy(
        name="take action back",
        says="the bet of that decision goes back, and the box may decide again",
        possible=_has_cards_and(_has_decided_now),
        asks=asks(box="box"),
        check=_has_decided_now,
        do=_give_back,
    ),
    Remedy(
        name="replace hole card",
        says="the next card of the device takes its place; no chip moves",
        possible=_has_cards_and(_hole_card),
        asks=asks(box="box", position="number"),
        check=_hole_card,
        do=_replace_hole_card,
    ),
    Remedy(
        name="replace community card",
        says="the next card of the device takes its place; no chip moves",
        possible=_has_cards_and(_community_card),
        asks=asks(position="number"),
        check=_community_card,
        do=_replace_community_card,
    ),
    Remedy(
        name="replace dealer card",
        says="the next card of the device takes its place; no chip moves",
        possible=_has_cards_and(_dealer_card),
        asks=asks(position="number"),
        check=_dealer_card,
        do=_replace_dealer_card,
    ),
    Remedy(
        name="deal street again",
        says="the next cards take the place of the last Community Cards; no chip moves",
        possible=_has_cards_and(_street_lies_there),
        check=_street_lies_there,
        do=_deal_street_again,
    ),
)

OF_NO_ROUND = frozenset(
    ("continue", "note only", "pay player", "collect from player", "change policy")
)
"""What can be ruled about a round that is over and has been followed by another (5.19)."""
