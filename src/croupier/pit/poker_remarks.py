"""What must be said with a ruling at a poker table although it moves no card, and no chip that the
table had counted.

Which chips stay in the Pot with a dead hand, what goes back that was put in too early, what a
player may still do, which act it is that would be taken back, and what is as before when a Round is
dealt again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.pit.inventory import MoneyMove
from croupier.pit.remarks import Remarks
from croupier.poker.events import ChipsReturned, HandDeclaredDead, MisdealDeclared
from croupier.poker.facts import PokerFacts
from croupier.poker.irregularities.events import EarlyActFell, EarlyActHeld, RaiseBarred
from croupier.poker.irregularities.missing_burn import ANNOUNCE
from croupier.rulebooks import Cites, Topic
from croupier.table import ActorRank, DecisionNeeded, DrawNeeded, Event, Table
from croupier.table.event import Namer
from croupier.table.money import write_money

PUT_IN = "in the Pot, stays there"
EARLY = "put in out of turn"

TAKE_BACK = "take action back"


class PokerRemarks(Remarks):
    """Of both poker books."""

    def goes_with(self, event: Event, facts: PokerFacts, name: Namer) -> str:
        match event:
            case EarlyActHeld() if event.seat in facts.held:
                return _becomes_of(event, name)
            case HandDeclaredDead() if stays := facts.put_in.get(event.seat, 0):
                amount = write_money(stays)
                return f"The {amount} that {name(event.seat)} has put in stay in the Pot."
            case RaiseBarred() | ChipsReturned():
                return event.headline(name)
            case DecisionNeeded(question=question, of=ActorRank() as rank) if question == ANNOUNCE:
                return f"The {rank.title} or above announces the burn."
            case DrawNeeded():
                return f"The {event.of.title} or above picks the cards."
            case _:
                return ""

    def cites_for(self, event: Event) -> Cites:
        match event:
            case EarlyActHeld(action="check"):
                return Cites(Topic.OUT_OF_TURN_CHECK)
            case EarlyActHeld():
                return Cites(Topic.OUT_OF_TURN_BINDS, Topic.OUT_OF_TURN_UNCHANGED)
            case _:
                return Cites()

    def is_about(self, option: str, table: Table[Any], name: Namer) -> str:
        """Which act it is that would be taken back."""
        if option != TAKE_BACK or table.state.round is None:
            return ""
        irregular = table.state.round.irregular
        last = irregular.last if irregular is not None else None
        return f"It is this one: {last.tell(name)}" if last is not None else ""

    def also_moved(self, event: Event, facts: PokerFacts, name: Namer) -> Iterator[MoneyMove]:
        match event:
            case HandDeclaredDead() if stays := facts.put_in.get(event.seat, 0):
                yield MoneyMove(who=name(event.seat), where=PUT_IN, before=stays, after=stays)
            case EarlyActFell() if event.back:
                yield MoneyMove(who=name(event.seat), where=EARLY, before=event.back, after=0)
            case _:
                pass

    def comes_next(self, event: Event, facts: PokerFacts, name: Namer) -> Iterator[str]:
        """What is as before once a Round is dealt again (v8 5.3.6)."""
        if isinstance(event, MisdealDeclared):
            at = f"with {name(facts.button)}" if facts.button is not None else "where it is"
            yield f"The button stays {at}, and no new player joins this Round."


def _becomes_of(event: EarlyActHeld, name: Namer) -> str:
    """What makes an early act bind or fall, and what an early Check costs (5.13.1 to 5.13.3)."""
    who = name(event.seat)
    if event.action == "check" and event.to < event.price:  # there is a bet already
        return f"On that turn {who} may only call or fold."
    if event.action == "check":
        return f"On that turn {who} has no right to bet or raise: over a bet, only to call or fold."
    return (
        "It binds if those before check, call or fold; if one of them changes the price by a bet, "
        "a raise or an All-in it falls, and any chips go back."
    )
