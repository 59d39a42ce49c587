"""Jackpot links: meters, contributions, claims and their order, faults, and the controller.

Pure like the games: a link has its own log, and what it and its tables tell each other is carried
by the pit. A link holds tables of one rulebook only (B-13).
"""

from croupier.jackpot.claims import would_pay
from croupier.jackpot.display import shown_at
from croupier.jackpot.facts import AwardFacts, ClaimFacts, LinkFacts
from croupier.jackpot.link import JackpotLink
from croupier.jackpot.rules import jackpot_rules
from croupier.jackpot.settings import LinkSettings
from croupier.jackpot.state import LinkState

__all__ = [
    "AwardFacts",
    "ClaimFacts",
    "JackpotLink",
    "LinkFacts",
    "LinkSettings",
    "LinkState",
    "jackpot_rules",
    "shown_at",
    "would_pay",
]
