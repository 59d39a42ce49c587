"""The paths of the pit console."""

from __future__ import annotations

from typing import Any

from croupier.live import pit_api as api
from croupier.live import pit_link_records as link_records
from croupier.live import pit_records as records
from croupier.live import wire
from croupier.live.paths import Endpoint, Path

_ERRORS = {
    403: wire.ErrorMessage,
    409: wire.RefusedMessage | wire.ErrorMessage,
    422: wire.ErrorMessage,
    503: wire.ErrorMessage,
}


def _post(path: str, does: Endpoint, takes: Any, answers: Any) -> Path:
    return Path(
        path=f"/api/pit/{path}",
        method="POST",
        does=does,
        takes=takes,
        answers=answers,
        others=_ERRORS,
    )


_TABLE = "tables/{place}"
_LINK = "links/{link}"
_AWARD = f"{_LINK}/awards/{{award:int}}"
_DECISION = "decisions/{place}/{decision:int}"

PIT_PATHS: tuple[Path, ...] = (
    Path(path="/api/pit", does=api.pit_floor, answers=records.PitFloor),
    Path(path="/api/pit/decisions", does=api.pit_decisions, answers=records.PitDecisions),
    Path(
        path=f"/api/pit/{_DECISION}",
        does=api.pit_decision,
        answers=records.PitDecision,
        others=_ERRORS,
    ),
    _post(_DECISION, api.pit_decide, records.DecideBody, records.PitAnswer),
    Path(path=f"/api/pit/{_TABLE}", does=api.pit_tile, answers=records.PitTile),
    Path(path=f"/api/pit/{_TABLE}/reports", does=api.pit_reports, answers=records.PitReports),
    Path(
        path=f"/api/pit/{_TABLE}/hold", does=api.pit_hold, answers=records.PitHeld, others=_ERRORS
    ),
    _post(f"{_TABLE}/preview", api.pit_preview, records.PreviewBody, records.PitRuling),
    _post(f"{_TABLE}/look", api.pit_look, records.LookBody, records.PitLooked),
    _post(f"{_TABLE}/hold", api.pit_hold_table, records.HoldBody, records.PitHeld),
    _post(f"{_TABLE}/hold/keep", api.pit_keep_hold, records.HoldOf, records.PitHeld),
    _post(f"{_TABLE}/hold/take", api.pit_take_hold, records.HoldOf, records.PitHeld),
    _post(f"{_TABLE}/hold/release", api.pit_release_hold, records.HoldOf, records.PitTile),
    _post(f"{_TABLE}/confirm", api.pit_confirm, records.ConfirmBody, records.PitAnswer),
    Path(path=f"/api/pit/{_LINK}", does=api.pit_link, answers=link_records.PitLinkWork),
    Path(
        path=f"/api/pit/{_AWARD}",
        does=api.pit_award,
        answers=link_records.PitAward,
        others=_ERRORS,
    ),
    _post(f"{_AWARD}/witness", api.pit_witness, link_records.WitnessBody, link_records.PitAward),
    _post(f"{_TABLE}/pick", api.pit_pick, records.PickBody, records.PitAnswer),
)
