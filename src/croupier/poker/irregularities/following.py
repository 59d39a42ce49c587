"""What follows from a command by itself while something irregular is pending.

After every command: cards that everybody may now see, a choice that decides over an early card,
bars that have run out, an early act whose turn has come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.poker.irregularities.early_community import after_a_choice
from croupier.poker.irregularities.shown_cards import show_what_is_due
from croupier.poker.irregularities.turns import drop_held_acts, judge_held_act, lift_bars

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

AT_MOST = 100
"""A limit on everything: each step uses something up, so there is an end."""


def follow_up(table: PokerTable) -> None:
    """Do all that is due now, one thing after the other."""
    for _ in range(AT_MOST):
        round_ = table.state.round
        if round_ is None or round_.irregular is None or _is_held(table):
            return
        if not (
            after_a_choice(table, round_)
            or drop_held_acts(table, round_)
            or lift_bars(table, round_)
            or show_what_is_due(table, round_)
            or judge_held_act(table, round_)
        ):
            return
    raise AssertionError("what is pending has no end")


def _is_held(table: PokerTable) -> bool:
    return any(getattr(need, "holds", True) for need in table.state.waiting)
