"""The paths of what staff do over HTTP."""

from __future__ import annotations

from croupier.live import staff_api as api
from croupier.live import staff_records as records
from croupier.live import wire
from croupier.live.api_records import Me
from croupier.live.paths import Path

_ERRORS = {403: wire.ErrorMessage, 422: wire.ErrorMessage, 503: wire.ErrorMessage}

STAFF_PATHS: tuple[Path, ...] = (
    Path(
        path="/api/staff-door",
        method="POST",
        does=api.staff_door,
        takes=records.StaffDoorBody,
        answers=Me,
    ),
    Path(
        path="/api/tables/{place}/for-player",
        method="POST",
        does=api.for_player,
        takes=records.ForPlayerBody,
        answers=wire.AnswerMessage,
        others={409: wire.RefusedMessage, **_ERRORS},
    ),
    Path(path="/api/office/roster", does=api.roster, answers=records.RosterPage),
)
