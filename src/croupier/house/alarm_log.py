"""How an alarm is marked in the log of the server, which leaves none out (`croupier.live.logs`).

logger.error("NOT SEALED: %s", error, extra=ALARM)
"""

from __future__ import annotations

ALARM = {"alarm": True}
"""Something is wrong with the record, the software or the clock, and somebody must look at it."""
