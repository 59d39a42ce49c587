"""A gaming day in figures over HTTP: for managers, as a page and as JSON."""

from __future__ import annotations

from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from croupier.house.office import Role
from croupier.house.reports.figures import DayFigures, figures_of
from croupier.house.reports.figures_page import figures_page
from croupier.live.errors import NotAllowed
from croupier.live.json_response import Json
from croupier.live.office_api import asked_day, made_report
from croupier.live.paths import Path
from croupier.live.requested import casino_of
from croupier.live.staff_api import staff_who_looks

MANAGERS: tuple[Role, ...] = ("pit manager", "shift manager", "administrator", "auditor")
"""Who reads what each member of staff did."""


def _only_managers(request: Request) -> None:
    casino = casino_of(request)
    visitor = staff_who_looks(request, casino)
    post, _ = casino.post_of(visitor.name)
    if post not in MANAGERS:
        says = f"The figures of the day are for {', '.join(MANAGERS[:-1])} and {MANAGERS[-1]}."
        raise NotAllowed("managers only", says)


async def _figures(request: Request) -> DayFigures:
    _only_managers(request)
    day = asked_day(request)
    return await made_report(request, lambda store: figures_of(store, day))


async def office_figures(request: Request) -> Response:
    """A gaming day in figures: by hour, table, game and member of staff; for managers."""
    return Json(await _figures(request))


async def office_figures_page(request: Request) -> Response:
    """The same as a page with charts, which prints."""
    made = await _figures(request)
    return HTMLResponse(figures_page(made, _form(request, made)), headers=_NO_STORE)


_NO_STORE = {"cache-control": "no-store"}


def _form(request: Request, made: DayFigures) -> str:
    """Chooses another day; it is sent as a plain link is."""
    asked = request.query_params
    begins, zone = asked.get("begins") or "06:00", asked.get("zone") or "UTC"
    fields = (("day", "date", made.day), ("begins", "text", begins), ("zone", "text", zone))
    inputs = "".join(
        f'<label>{name}<input name="{name}" type="{kind}" value="{escape(value)}"></label>'
        for name, kind, value in fields
    )
    return (
        f'<form class="day" method="get" action="/office/figures">{inputs}'
        f'<button>Show</button><a href="/office#reports">To the office</a></form>\n'
    )


FIGURES_PATHS = (
    Path(
        path="/api/office/reports/figures",
        does=office_figures,
        answers=DayFigures,
        query=("day", "begins", "zone"),
    ),
)
