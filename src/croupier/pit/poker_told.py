"""What must be said with a ruling at a poker table although it moves no card, and no chip that the
table had counted.

Which chips stay in the Pot with a dead hand, what goes back that was put in too early, what a
player may still do, which act it is that would be taken back, and what is as before when a Round is
dealt again.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.pit.inventory import MoneyMove
from croupier.poker.events import ChipsReturned, HandDeclaredDead, MisdealDeclared
from croupier.poker.facts import PokerFacts
from croupier.poker.irregularities.events import (
    CardsScrambled,
    EarlyActFell,
    EarlyActHeld,
    RaiseBarred,
)
from croupier.poker.table import PokerTable
from croupier.rulebooks import Cites, Topic
from croupier.table import ActorRank, DrawNeeded, Event
from croupier.table.event import Namer
from croupier.table.money import write_money

PUT_IN = "in the Pot, stays there"
EARLY = "put in out of turn"

TAKE_BACK = "take action back"


def goes_with(event: Event, facts: object, name: Namer) -> str:
    """What must be said with an event in the one sentence of a ruling, if anything."""
    match event:
        case EarlyActHeld() if isinstance(facts, PokerFacts) and event.seat in facts.held:
            return _becomes_of(event, name)
        case HandDeclaredDead() if stays := _stays(event, facts):
            return f"The {write_money(stays)} that {name(event.seat)} has put in stay in the Pot."
        case RaiseBarred() | ChipsReturned():
            return event.headline(name)
        case CardsScrambled(board=0, stored=0, picked=False):  # 5.10.2, 5.10.3: the one card
            return f"The {ActorRank.PIT_MANAGER.title} or above announces the burn."
        case DrawNeeded():
            return f"The {event.of.title} or above picks the cards."
        case _:
            return ""


def _becomes_of(event: EarlyActHeld, name: Namer) -> str:
    """What makes an early act bind or fall, and what an early Check costs (5.13.1 to 5.13.3)."""
    who = name(event.seat)
    if event.action == "check" and "costs the right" in event.why:  # there was a bet
        return f"On that turn {who} may only call or fold."
    if event.action == "check":
        return f"On that turn {who} has no right to bet or raise: over a bet, only to call or fold."
    return (
        "It binds if those before check, call or fold; if one of them changes the price by a bet, "
        "a raise or an All-in it falls, and any chips go back."
    )


def under(event: Event) -> Cites:
    """The paragraphs of what goes with an event, beside those of the event."""
    match event:
        case EarlyActHeld(action="check"):
            return Cites(Topic.OUT_OF_TURN_CHECK)
        case EarlyActHeld():
            return Cites(Topic.OUT_OF_TURN_BINDS, Topic.OUT_OF_TURN_UNCHANGED)
        case _:
            return Cites()


def is_about(option: str, table: object, name: Namer) -> str:
    """What an option of a ruling is about: which act it is that would be taken back."""
    if option != TAKE_BACK or not isinstance(table, PokerTable) or table.state.round is None:
        return ""
    irregular = table.state.round.irregular
    last = irregular.last if irregular is not None else None
    return f"It is this one: {last.tell(name)}" if last is not None else ""


def also_moved(event: Event, facts: object, name: Namer) -> Iterator[MoneyMove]:
    """Money that no list of a table's chips shows: what stays, and what was never counted."""
    match event:
        case HandDeclaredDead() if stays := _stays(event, facts):
            yield MoneyMove(who=name(event.seat), where=PUT_IN, before=stays, after=stays)
        case EarlyActFell() if event.back:
            yield MoneyMove(who=name(event.seat), where=EARLY, before=event.back, after=0)
        case _:
            pass


def comes_next(event: Event, facts: object, name: Namer) -> Iterator[str]:
    """What is as before once a Round is dealt again (v8 5.3.6)."""
    if isinstance(event, MisdealDeclared) and isinstance(facts, PokerFacts):
        at = f"with {name(facts.button)}" if facts.button is not None else "where it is"
        yield f"The button stays {at}, and no new player joins this Round."


def _stays(event: HandDeclaredDead, facts: object) -> int:
    return facts.put_in.get(event.seat, 0) if isinstance(facts, PokerFacts) else 0
