"""Whether an answer of the staff can be carried out: its details, before it is taken.

Boxes with a hand, chips that lie there, cards that the device has, players who are here (5.23).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.betting import CARDS_GONE, SHORT_PROGRESSIVE
from croupier.banked.device import ORDER_OF_THE_CARDS, places_of, read_order
from croupier.banked.faults import check_next_rounds
from croupier.banked.misdeals import BY_MOVING_WHOLE_HANDS
from croupier.banked.ordered import REMEDIES
from croupier.banked.questions import check_line, check_short
from croupier.banked.restoring import CAN_IT_BE_RECONSTRUCTED, check_reconstruction
from croupier.banked.rulings import RULING
from croupier.banked.voiding import NEXT_ROUNDS
from croupier.table import Decide, DecisionNeeded

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable


_PUTS_CARDS_RIGHT = (CAN_IT_BE_RECONSTRUCTED, BY_MOVING_WHOLE_HANDS)


def check_answer(table: BankedTable, asked: DecisionNeeded, answer: Decide) -> None:
    """Refuse details that do not fit before the answer is taken."""
    details = answer.details
    if asked.question == NEXT_ROUNDS and answer.option == "block boxes":
        check_next_rounds(table, details)
    elif asked.question == ORDER_OF_THE_CARDS:
        read_order(str(details["order"]), places_of(asked).count())
    elif asked.question == CARDS_GONE and answer.option == "pay":
        check_line(table, details["line"])
    elif asked.question in _PUTS_CARDS_RIGHT and answer.option == "yes":
        check_reconstruction(table, asked.about)
    elif asked.question == SHORT_PROGRESSIVE:
        check_short(table, asked.about["box"], answer.option)
    elif asked.question == RULING:
        REMEDIES.check(table, answer.option, details)
