"""What every table shares: command, event, refusal, decision, seat, money, views, and the
messages to and from a jackpot link. No game rules live here.

A table is a conversation. Somebody gives a command; the table answers with events, or refuses;
every answer cites the paragraphs that made it so. Nothing else ever changes a table.
"""

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
    ReceiveAward,
    ReturnStakes,
    ShareTooSmall,
    StakesAccepted,
    StakesReturned,
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
from croupier.table.staff import StaffRank
from croupier.table.table import Facts, PendingDecision, Table, TableState
from croupier.table.view import AUDITOR, PUBLIC, Viewer, player

__all__ = [
    "AUDITOR",
    "PUBLIC",
    "Announced",
    "Ask",
    "AwardMade",
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
    "DrawGiven",
    "DrawNeeded",
    "Event",
    "Facts",
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
    "PendingDecision",
    "Question",
    "ReceiveAward",
    "Refused",
    "ReturnStakes",
    "Room",
    "Seat",
    "ShareTooSmall",
    "ShuffleGiven",
    "ShuffleNeeded",
    "StaffRank",
    "StakesAccepted",
    "StakesReturned",
    "State",
    "Table",
    "TableError",
    "TableOpened",
    "TableState",
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
