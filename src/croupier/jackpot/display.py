"""The display: it shows the meter, or climbs towards it at a pace and ends on it.

A fall is shown at once: nobody may see more than there is, and a winning value stands there as
soon as it is paid.
"""

from __future__ import annotations

from datetime import datetime

from croupier.jackpot.state import LinkState


def shown_at(state: LinkState, when: datetime) -> int:
    """What the display shows at a moment: never more than the meter."""
    pace = state.settings.display_pace
    if pace is None or state.display_at is None:
        return state.meter
    seconds = max((when - state.display_at).total_seconds(), 0.0)
    # Whole cents, and only whole hundredths of a second: the display is a view, not an account.
    climbed = state.display + pace * int(seconds * 100) // 100
    return min(climbed, state.meter)


def after_growth(state: LinkState, when: datetime) -> None:
    """The meter has grown: a paced display keeps climbing from where it stands."""
    if state.settings.display_pace is None:
        state.display = state.meter
    elif state.display_at is None:
        state.display, state.display_at = min(state.display, state.meter), when


def after_fall(state: LinkState, when: datetime | None) -> None:
    """The meter has fallen or was set: the display never shows more."""
    if state.settings.display_pace is None or state.display > state.meter:
        state.display = state.meter
