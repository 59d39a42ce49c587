"""The paths of the office."""

from __future__ import annotations

from croupier.house.copies import CopyMark
from croupier.house.office_lists import LISTS
from croupier.house.reports import DayReport, JackpotReport, Unclaimed
from croupier.live import office_api as api
from croupier.live import wire
from croupier.live.office_page import OfficeGlance, office_glance
from croupier.live.paths import Path
from croupier.live.staff_records import OfficeAnswer, OfficeOrder

_ERRORS = {
    403: wire.ErrorMessage,
    409: wire.RefusedMessage,
    422: wire.ErrorMessage,
    503: wire.ErrorMessage,
}
_DAY = ("day", "begins", "zone")

OFFICE_PATHS: tuple[Path, ...] = (
    Path(path="/api/office", does=office_glance, answers=OfficeGlance),
    Path(
        path="/api/office/commands",
        method="POST",
        does=api.office_order,
        takes=OfficeOrder,
        answers=OfficeAnswer,
        others=_ERRORS,
    ),
    Path(
        path="/api/office/acts",
        method="POST",
        does=api.office_act,
        takes=api.OfficeAct,
        answers=dict,
        others=_ERRORS,
    ),
    *(
        Path(
            path=f"/api/office/lists/{name}", does=api.list_endpoint(name), answers=LISTS[name].kind
        )
        for name in LISTS
    ),
    Path(
        path="/api/office/reports/day",
        does=api.office_report_day,
        answers=DayReport,
        query=_DAY,
    ),
    Path(
        path="/api/office/reports/jackpot",
        does=api.office_report_jackpot,
        answers=list[JackpotReport],
    ),
    Path(
        path="/api/office/reports/unclaimed",
        does=api.office_report_unclaimed,
        answers=list[Unclaimed],
    ),
    Path(path="/api/office/reports/copies", does=api.office_copies, answers=list[CopyMark]),
)
