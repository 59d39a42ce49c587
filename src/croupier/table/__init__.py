"""What every table shares: command, event, refusal, decision, seat, money, views, and the
messages to and from a jackpot link. No game rules live here.

A table is a conversation. Somebody gives a command; the table answers with events, or refuses;
every answer cites the paragraphs that made it so. Nothing else ever changes a table.
"""

import warnings
from typing import TYPE_CHECKING, Any

from croupier.table.actor import ActorRank
from croupier.table.command import Command, Decide, GiveDraw, GiveShuffle, Look, OpenTable, Order
from croupier.table.conversation import Conversation, State
from croupier.table.decision import Ask, Choice, DecisionNeeded, DecisionTaken
from croupier.table.errors import (
    BadCommand,
    BrokenTable,
    NotItsCommand,
    TableError,
    UnreadableMoney,
)
from croupier.table.event import (
    Announced,
    Call,
    DrawGiven,
    DrawNeeded,
    Event,
    Looked,
    ShuffleGiven,
    ShuffleNeeded,
    TableOpened,
)
from croupier.table.link import (
    AwardMade,
    AwardsPaidAgain,
    AwardsReturned,
    DeviceFailed,
    DeviceFaultWithdrawn,
    ForgetAmount,
    HearFault,
    HearLinkClosed,
    HearLinkReopened,
    HearRepair,
    HeldLine,
    LinesHeld,
    LinkClosed,
    LinkFailed,
    LinkReopened,
    LinkRepaired,
    PayAwardsAgain,
    ReceiveAward,
    RegisterAmount,
    ReturnStakes,
    ShareTooSmall,
    StakesAccepted,
    StakesReturned,
    TakeAwardsBack,
    TakeClaims,
    TakeFixedLine,
    TakeStakes,
    ToLink,
    ToTables,
)
from croupier.table.money import Money, read_money, write_money
from croupier.table.offer import Offer
from croupier.table.question import Question
from croupier.table.refusal import Refused
from croupier.table.room import Room
from croupier.table.seat import Box, Seat
from croupier.table.table import Facts, PendingDecision, Table, TableState
from croupier.table.view import AUDITOR, AUDITOR_AFTERWARDS, PUBLIC, Viewer, player

__all__ = [
    "AUDITOR",
    "AUDITOR_AFTERWARDS",
    "PUBLIC",
    "ActorRank",
    "Announced",
    "Ask",
    "AwardMade",
    "AwardsPaidAgain",
    "AwardsReturned",
    "BadCommand",
    "Box",
    "BrokenTable",
    "Call",
    "Choice",
    "Command",
    "Conversation",
    "Decide",
    "DecisionNeeded",
    "DecisionTaken",
    "DeviceFailed",
    "DeviceFaultWithdrawn",
    "DrawGiven",
    "DrawNeeded",
    "Event",
    "Facts",
    "ForgetAmount",
    "GiveDraw",
    "GiveShuffle",
    "HearFault",
    "HearLinkClosed",
    "HearLinkReopened",
    "HearRepair",
    "HeldLine",
    "LinesHeld",
    "LinkClosed",
    "LinkFailed",
    "LinkReopened",
    "LinkRepaired",
    "Look",
    "Looked",
    "Money",
    "NotItsCommand",
    "Offer",
    "OpenTable",
    "Order",
    "PayAwardsAgain",
    "PendingDecision",
    "Question",
    "ReceiveAward",
    "Refused",
    "RegisterAmount",
    "ReturnStakes",
    "Room",
    "Seat",
    "ShareTooSmall",
    "ShuffleGiven",
    "ShuffleNeeded",
    "StakesAccepted",
    "StakesReturned",
    "State",
    "Table",
    "TableError",
    "TableOpened",
    "TableState",
    "TakeAwardsBack",
    "TakeClaims",
    "TakeFixedLine",
    "TakeStakes",
    "ToLink",
    "ToTables",
    "UnreadableMoney",
    "Viewer",
    "player",
    "read_money",
    "write_money",
]

_RENAMED = {"StaffRank": "ActorRank"}
"""Names of an earlier release; docs/stability.md says for how long they stay."""

if not TYPE_CHECKING:  # a type checker is to complain of the old names

    def __getattr__(name: str) -> Any:
        if name not in _RENAMED:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        new = _RENAMED[name]
        warnings.warn(f"{__name__}.{name} is called {new} now", DeprecationWarning, stacklevel=2)
        return globals()[new]

    def __dir__() -> list[str]:
        return sorted({*globals(), *_RENAMED})
