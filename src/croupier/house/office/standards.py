"""What the House cites: the standards of casino practice, numbered as in `docs/standards.md`.

Tables cite their rulebook; the House has none. What it refuses, it refuses by these.
"""

from __future__ import annotations

CHANCE = "S-7"
TWO_PEOPLE = "S-20"
RULES_BY_VERSION = "S-21"
COMPLAINTS = "S-22"
WIN_REPORT = "S-23"
HELD_FUNDS = "S-26"
NO_NEGATIVE_BALANCE = "S-27"
NO_BOTS_FOR_MONEY = "S-28"
DISABLED = "S-29"
WHO_CHANGED_WHAT = "S-32"
CRITICAL_FILES = "S-33"
UNIQUE_ACCOUNTS = "S-34"
TABLE_CLOSES = "S-40"
LICENSED = "S-41"
OWN_LIMITS = "S-43"

IN_WORDS = {
    CHANCE: (
        "Chance",
        "What is left to chance comes from the House's source, and nobody picks it.",
    ),
    TWO_PEOPLE: ("Two people", "What one person proposes, a second one approves."),
    RULES_BY_VERSION: ("Approved rules", "Only approved rules are played, each by its version."),
    COMPLAINTS: ("Putting right", "Errors and complaints are put right by new entries."),
    WIN_REPORT: (
        "What a table won",
        "Chips, buy-ins and cash-outs of a table are counted, and the House knows what it won.",
    ),
    HELD_FUNDS: ("Held funds", "What players have on a table is theirs and accounted for."),
    NO_NEGATIVE_BALANCE: (
        "No negative balance",
        "A wager is deducted at once, and no account is overdrawn.",
    ),
    NO_BOTS_FOR_MONEY: (
        "Bots",
        "Bots are marked as such, and a casino that plays for money has none.",
    ),
    DISABLED: ("Disabling", "One game, one player or everything can be closed by the House."),
    WHO_CHANGED_WHAT: ("Changes", "Who changed what, when and why is on record."),
    CRITICAL_FILES: ("Critical files", "The software is verified by the digests of its files."),
    UNIQUE_ACCOUNTS: (
        "Accounts",
        "Everybody has an account of their own, with no more rights than they need.",
    ),
    TABLE_CLOSES: ("Closing a table", "Players are told before the last round of a table begins."),
    LICENSED: ("Licences", "Games are conducted by employees with a licence that is good."),
    OWN_LIMITS: (
        "Own limits",
        "Players limit losses, deposits and time, take a break, or are excluded, as they wish.",
    ),
}
"""The title of each and what it says, for whoever is refused by it."""
