"""The display: it shows the meter, or climbs towards it at a pace and ends on it.

A fall is shown at once: nobody may see more than there is, and a winning value stands there as
soon as it is paid.
"""

from __future__ import annotations

from datetime import datetime

from croupier.jackpot.state import LinkState


def shown_at(state: LinkState, when: datetime) -> int:
    """What the display shows at a moment: never more than the meter."""
    return _climbed(state, when, to=state.meter)


def _climbed(state: LinkState, when: datetime, *, to: int) -> int:
    """How far the display has come on its way to this value."""
    pace = state.settings.display_pace
    if pace is None or state.display_at is None:
        return to
    seconds = max((when - state.display_at).total_seconds(), 0.0)
    # Whole cents, and only whole hundredths of a second: the display is a view, not an account.
    return min(state.display + pace * int(seconds * 100) // 100, to)


def after_growth(state: LinkState, by: int, when: datetime) -> None:
    """The meter has grown: a paced display keeps climbing from where it stands. One that had come
    to the meter begins now, and makes up for no time in which it stood there."""
    before = state.meter - by
    if state.settings.display_pace is None:
        state.display = state.meter
    elif _climbed(state, when, to=before) == before:
        state.display, state.display_at = before, when


def after_fall(state: LinkState, when: datetime | None) -> None:
    """The meter has fallen or was set: the display never shows more."""
    if state.settings.display_pace is None or state.display > state.meter:
        state.display = state.meter
