"""Every question that a banked table may ask, with what may be answered."""

from __future__ import annotations

from croupier.banked.betting import CARDS_GONE, FOLDED_ROYAL, SHORT_PROGRESSIVE
from croupier.banked.chips import BELOW_THE_MINIMUM
from croupier.banked.choices import (
    AFTER_A_DEALING_ERROR,
    AS_DEALT,
    AS_RECONSTRUCTED,
    TAKE_BETS_BACK,
)
from croupier.banked.conduct import LOOKED_ON_PURPOSE
from croupier.banked.device import ORDER_OF_THE_CARDS
from croupier.banked.misdeals import BY_MOVING_WHOLE_HANDS
from croupier.banked.ordered import REMEDIES
from croupier.banked.questions import BONUS_WITHOUT_ANTE, NOT_SHOWN, TREAT_AS_FOLDED
from croupier.banked.restoring import CAN_IT_BE_RECONSTRUCTED, CONFIRM_REPORT
from croupier.banked.rulings import RULING
from croupier.banked.voiding import CONFIRM_VOID, NEXT_ROUNDS
from croupier.table import Question

QUESTIONS = (
    # bets
    Question(name=BELOW_THE_MINIMUM, options=("increase", "withdraw"), of="player"),
    Question(name=BONUS_WITHOUT_ANTE, options=("return", "collect")),
    Question(name=SHORT_PROGRESSIVE, options=("return", "accept")),
    # hands
    Question(name=NOT_SHOWN, options=(TREAT_AS_FOLDED, "compare", "return")),
    Question(name=FOLDED_ROYAL, options=("board only", "pay the line")),
    Question(name=CARDS_GONE, options=("no payout",), detailed=("pay",)),
    # irregularities
    Question(
        name=AFTER_A_DEALING_ERROR,
        options=(AS_DEALT, AS_RECONSTRUCTED, TAKE_BETS_BACK),
        of="player",
    ),
    Question(name=CONFIRM_REPORT, options=("confirm", "not so")),
    Question(name=CAN_IT_BE_RECONSTRUCTED, options=("yes", "no")),
    Question(name=BY_MOVING_WHOLE_HANDS, options=("yes", "no")),
    Question(name=LOOKED_ON_PURPOSE, options=("on purpose", "not on purpose")),
    Question(name=ORDER_OF_THE_CARDS, detailed=("true order", "fixed order")),
    Question(name=CONFIRM_VOID, options=("void", "ruling")),
    Question(
        name=NEXT_ROUNDS, options=("close table", "no progressive bets"), detailed=("block boxes",)
    ),
    REMEDIES.question(RULING),
)
