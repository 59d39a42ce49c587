"""The jackpot link: its rooms put together, and what must hold after every event."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

import msgspec

from croupier.jackpot import claims, control, later, meter, registered, reversals, taking_back
from croupier.jackpot.asked import QUESTIONS
from croupier.jackpot.commands import OpenLink
from croupier.jackpot.facts import AwardFacts, ClaimFacts, LinkFacts, PendingQuestion
from croupier.jackpot.state import LinkState
from croupier.rulebooks import Rulebook, load
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    Conversation,
    Decide,
    DecisionNeeded,
    Event,
    Order,
    Question,
    Refused,
    Room,
)
from croupier.table.conversation import State


class JackpotLink(Conversation[LinkState]):
    """One Progressive Jackpot with the tables that hang on it."""

    rooms: ClassVar[tuple[Room, ...]] = (
        control.control,
        meter.meter,
        reversals.reversals,
        claims.claims,
        registered.registered,
        taking_back.taking_back,
        later.later,
    )
    may_ask: ClassVar[tuple[Question, ...]] = QUESTIONS
    state_type: ClassVar[type[State]] = LinkState
    follows = False

    now: datetime
    """When the command under way was given; deciding may use it, applying may not."""

    def handle(self, order: Order[Command]) -> tuple[Event, ...] | Refused:
        state = self.state
        if not state.opened and type(order.command) is not OpenLink:
            raise BadCommand("the link is not open; it begins with 'open link'")
        if state.terminated and order.rank is not ActorRank.HOUSE:
            raise BadCommand("the link has ended for good; set up another one")
        self.now = order.when
        return super().handle(order)

    def check_answer(self, asked: DecisionNeeded, answer: Decide) -> None:
        claims.check_order(self, asked, answer)

    def check(self) -> None:
        """The meter is what came in since its last reset, and no money is made or lost."""
        state = self.state
        grown = state.at_last_reset + state.contributions + state.corrections + state.topped_up
        grown += state.taken_back
        fallen = state.partial_awards + state.reversals
        assert state.meter == grown - fallen, "the meter does not agree with its accounts"
        assert state.held() + state.awarded == state.put_in, "money of the link is not conserved"
        assert state.meter >= 0, "the meter is negative"
        assert state.parked >= 0, "the parked contributions are negative"
        assert state.reserve >= 0, "the reserve is negative"
        assert state.overflow >= 0, "the overflow is negative"

    def holdings(self) -> dict[str, int]:
        """The meter and the pools beside it; what was awarded, and what the House has put in."""
        state = self.state
        return {
            "meter": state.meter,
            "parked": state.parked + state.returning_awards(),
            "reserve": state.reserve,
            "overflow": state.overflow,
            "doubtful": state.doubtful,
            "awards": state.awarded,
            "bank": -state.put_in,
        }

    def status(self) -> str:
        """open, claims, failed, closed or terminated."""
        state = self.state
        if not state.opened:
            return "not open"
        if state.terminated:
            return "terminated"
        if state.failed:
            return "failed"
        if state.closed:
            return "closed"
        return "claims" if state.claims else "open"

    def facts(self) -> LinkFacts:
        """The plain facts of the link."""
        state = self.state
        return LinkFacts(
            status=self.status(),
            rulebook=state.rulebook,
            tables=list(state.tables),
            meter=state.meter,
            display=state.display,
            parked=state.parked,
            reserve=state.reserve,
            overflow=state.overflow,
            doubtful=state.doubtful,
            reset_value=state.settings.reset_value,
            ceiling=state.settings.ceiling,
            at_last_reset=state.at_last_reset,
            contributions=state.contributions,
            partial_awards=state.partial_awards,
            reversals=state.reversals,
            corrections=state.corrections,
            topped_up=state.topped_up,
            taken_back=state.taken_back,
            returning=state.returning_awards(),
            borne=state.borne,
            contributed=state.contributed,
            hits=state.hits,
            awarded=state.awarded,
            claims=[
                ClaimFacts(table=c.table, box=c.held.box, line=c.held.line, percent=c.held.percent)
                for c in state.claims
            ],
            awards=[msgspec.convert(a, AwardFacts, from_attributes=True) for a in state.awards],
            registered=state.registered,
            registered_for=registered.registered_tables(state),
            proposals=sorted(state.proposals),
            decisions=[
                PendingQuestion(question=n.question, options=[o.name for o in n.options])
                for n in state.waiting
                if isinstance(n, DecisionNeeded)
            ],
            counts=dict(state.counts),
            policies=dict(state.policies),
        )

    @classmethod
    def restore(cls, book: Rulebook, snapshot: bytes) -> Conversation[Any]:
        """From a snapshot; a link that changed its rulebook goes on under the new one."""
        again = super().restore(book, snapshot)
        if again.state.rulebook not in ("", book.id):
            again.go_under(load(again.state.rulebook))
        return again
