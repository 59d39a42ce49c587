"""Whether an answer of the staff can be carried out: its details, before it is taken.

Boxes with a hand, chips that lie there, cards that the device has, players who are here (5.23).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.banked.betting import SHORT_PROGRESSIVE
from croupier.banked.choices import can_choose
from croupier.banked.device import ORDER_OF_THE_CARDS, places_of, read_order
from croupier.banked.faults import check_next_rounds
from croupier.banked.questions import CARDS_GONE, check_line, check_short
from croupier.banked.ruled_cards import last_street
from croupier.banked.rulings import RULING
from croupier.banked.state import BETS, BankedState
from croupier.banked.voiding import NEXT_ROUNDS, within_reach
from croupier.rulebooks import RulebookError
from croupier.table import BadCommand, Decide, DecisionNeeded
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable


def check_answer(table: BankedTable, asked: DecisionNeeded, answer: Decide) -> None:
    """Refuse details that do not fit before the answer is taken."""
    details = answer.details
    if asked.question == NEXT_ROUNDS and answer.option == "block boxes":
        check_next_rounds(table, details)
    elif asked.question == ORDER_OF_THE_CARDS:
        read_order(str(details["order"]), places_of(asked).count())
    elif asked.question == CARDS_GONE and answer.option == "pay":
        check_line(table, details["line"])
    elif asked.question == SHORT_PROGRESSIVE:
        check_short(table, answer.option)
    elif asked.question == RULING:
        _check_ruling(table, answer.option, details)


def _check_ruling(table: BankedTable, option: str, details: dict[str, Any]) -> None:
    state = table.state
    if "box" in details and details["box"] not in _with_a_hand(table, option):
        raise BadCommand(f"box {details['box']!r} has no hand in this round")
    if "amount" in details:
        amount = details["amount"]
        if isinstance(amount, bool) or not isinstance(amount, int) or amount <= 0:
            raise BadCommand("an amount is a whole number of cents above nothing")
    match option:
        case "return chips" | "move chips":
            _check_chips(table, details)
        case "pay player" | "collect from player":
            _check_payment(state, option, details["player"], details["amount"])
        case "change policy":
            try:
                table.book.policies_with({details["policy"]: details["value"]})
            except (RulebookError, TypeError) as error:
                raise BadCommand(str(error)) from error
        case "treat as folded":
            if state.boxes[details["box"]].standing == "folded":
                raise BadCommand(f"box {details['box']} has folded")
        case "give decision back" | "take action back":
            _check_given_back(table, option, details["box"])
        case "replace hole card":
            _check_position(details["position"], len(state.boxes[details["box"]].cards))
            _check_next_card(table, 1)
        case "replace community card":
            _check_position(details["position"], len(state.board))
            _check_next_card(table, 1)
        case "replace dealer card":
            _check_position(details["position"], len(state.dealer))
            _check_next_card(table, 1)
        case "deal street again":
            if not state.board:
                raise BadCommand("no Community Cards lie there to be dealt again")
            _check_next_card(table, len(last_street(state)))
        case _:
            return


def _with_a_hand(table: BankedTable, option: str) -> list[int]:
    """The boxes that a ruling may be about; a decision may be given back to any folded one."""
    if option == "give decision back":
        return [n for n, box in table.state.boxes.items() if box.standing == "folded"]
    return can_choose(table)


def _check_chips(table: BankedTable, details: dict[str, Any]) -> None:
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
    if to == "progressive" and not state.jackpot_takes():
        raise BadCommand("the jackpot takes no stakes now")


def _check_payment(state: BankedState, option: str, player: str, amount: int) -> None:
    if player in state.left and option == "collect from player":
        raise BadCommand(f"{player} has left the table; nothing can be collected from him here")
    if player not in state.net and player not in state.left:
        raise BadCommand(f"{player!r} has not played at this table")
    if option == "collect from player" and player in state.racks:
        there = within_reach(state, player)
        if amount > there:
            raise BadCommand(f"{player} has only {write_money(there)} in chips at this table")


def _check_given_back(table: BankedTable, option: str, number: int) -> None:
    state = table.state
    box = state.boxes[number]
    if option == "give decision back":
        if box.standing != "folded" or state.street != 0:
            raise BadCommand(f"box {number} is not a folded box that could still decide")
    elif state.window() is None or box.window < _WINDOW_NUMBER[state.window()]:
        raise BadCommand(f"box {number} has made no decision in this window")


_WINDOW_NUMBER: dict[str | None, int] = {None: 0, "flop": 1, "turn": 2, "river": 3}


def _check_position(position: object, most: int) -> None:
    if isinstance(position, bool) or not isinstance(position, int) or not 1 <= position <= most:
        raise BadCommand(f"positions are counted from 1 to {most}; got {position!r}")


def _check_next_card(table: BankedTable, count: int) -> None:
    shoe = table.state.shoe
    if shoe is None or shoe.left < count:
        raise BadCommand(f"the device has not {count} cards left")
