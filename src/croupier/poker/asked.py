"""Every question that a poker table may ask, with what may be answered."""

from __future__ import annotations

from croupier.poker.betting import WHO_MAY_RAISE
from croupier.poker.calling import ABSENT, ON_THE_SMALL_BLIND, WHO_POSTS
from croupier.poker.irregularities import misdeal, missing_burn, surplus_community
from croupier.poker.irregularities.community import AS_IT_LIES
from croupier.poker.irregularities.discretion import RULING
from croupier.poker.irregularities.interruption import CASES
from croupier.poker.irregularities.ordered import REMEDIES
from croupier.poker.irregularities.reporting import (
    COMPLETE_DECK,
    CONFIRM_MISDEAL,
    CONFIRM_VOID,
    NEW_CARDS,
)
from croupier.poker.irregularities.wrong_count import DEAL_MISSING
from croupier.poker.seating import LESS, THREE_MISSED
from croupier.poker.wagers import BELOW_MINIMUM, CONFIRM_READING
from croupier.table import Question

QUESTIONS = (
    # between rounds
    Question(name=ON_THE_SMALL_BLIND, options=("both blinds", "wait"), of="player"),
    Question(name=WHO_POSTS, options=("nothing", "big blind", "both blinds", "wait")),
    Question(name=ABSENT, options=("pass over", "no small blind", "wait for him")),
    Question(name=THREE_MISSED, options=("keep", "release")),
    Question(name=LESS, options=("accept", "refuse")),
    # what a player did
    Question(name=WHO_MAY_RAISE, options=("any-bet", "answered-last-full-raise")),
    Question(name=CONFIRM_READING, options=("confirm", "ask again")),
    Question(name=BELOW_MINIMUM, options=("call", "complete")),
    # irregularities
    Question(name=CONFIRM_VOID, options=("confirm", "reject")),
    Question(name=CONFIRM_MISDEAL, options=("confirm", "reject")),
    Question(name=COMPLETE_DECK, options=("complete", "new cards")),
    Question(name=NEW_CARDS, options=("in play",)),
    Question(name=misdeal.SEEN, options=("yes", "no")),
    Question(name=misdeal.RECONSTRUCTIBLE, options=("yes", "no")),
    Question(name=surplus_community.RECONSTRUCTIBLE, options=("yes", "no")),
    Question(name=missing_burn.RECONSTRUCTIBLE, options=("yes", "no")),
    Question(name=missing_burn.ANNOUNCE, options=("announce",)),
    Question(name=AS_IT_LIES, detailed=("report",)),
    Question(name=DEAL_MISSING, options=("deal", "refuse")),
    REMEDIES.question(RULING, cases=CASES),
)
