"""What the office cites: the standards of casino practice, numbered as in `docs/standards.md`.

Tables cite their rulebook; the House has none. What it refuses, it refuses by these.
"""

from __future__ import annotations


class Standards:
    """Stands where a table has its rulebook."""

    id = "house-standards"
    short = "The office"
    title = "Standards of the House"

    def cite(self, topic: str) -> tuple[str, ...]:
        """A standard is cited by its own number."""
        return (topic,)


STANDARDS = Standards()

RULES_BY_VERSION = "S-21"
COMPLAINTS = "S-22"
HELD_FUNDS = "S-26"
NO_NEGATIVE_BALANCE = "S-27"
NO_BOTS_FOR_MONEY = "S-28"
DISABLED = "S-29"
WHO_CHANGED_WHAT = "S-32"
CRITICAL_FILES = "S-33"
UNIQUE_ACCOUNTS = "S-34"
TWO_PEOPLE = "S-20"
