"""A gaming day in figures as a page: charts over the hours, bars for tables, games and staff.

Every chart has its numbers beside or below it, so that nothing is told by length alone, and the
page prints as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from croupier.house.documents import facts_html, page_foot, page_head, text
from croupier.house.reports.charts import Series, bar, columns
from croupier.house.reports.figures import Counted, DayFigures, StaffFigures
from croupier.table.money import write_money

ERRORS = (
    ("irregularities", "irregularities", "first"),
    ("rulings", "ruled by discretion", "second"),
    ("voids", "voids", "third"),
    ("misdeals", "misdeals", "fourth"),
)


def figures_page(made: DayFigures, form: str = "") -> str:
    """The whole page; `form` chooses another day."""
    title = f"Gaming day {made.day} in figures"
    zone = made.start.tzinfo
    parts = [
        page_head(title, styles=("paper", "figures"), linked=True),
        f"<h1>{text(title)}</h1>\n",
        form,
        facts_html(_facts(made)),
        _over_hours(made),
        _tables("Tables", made.tables),
        _tables("Games", made.games),
        _staff(made.staff),
    ]
    assert zone is not None
    return "".join(parts) + page_foot(zone)


def _facts(made: DayFigures) -> list[tuple[str, str]]:
    total = made.total
    return [
        ("from", f"{made.start:%Y-%m-%d %H:%M %Z}"),
        ("to", f"{made.end:%Y-%m-%d %H:%M %Z}"),
        ("rounds", f"{total.rounds:,}"),
        ("drop", write_money(total.drop)),
        ("Rake", write_money(total.rake)),
        ("win of banked tables", write_money(total.win)),
        ("hold: Rake and win of the drop", total.hold or "none"),
        ("irregularities reported", f"{total.irregularities:,}"),
        ("ruled by discretion", f"{total.rulings:,}"),
        ("voids and misdeals", f"{total.voids + total.misdeals:,}"),
    ]


def _over_hours(made: DayFigures) -> str:
    labels = [hour.of for hour in made.hours]

    def chart(title: str, name: str, write: Callable[[int], str], look: str) -> str:
        values = [getattr(hour, name) for hour in made.hours]
        drawn = columns(title, labels, [Series(name="", look=look, values=values)], write)
        return f'<section class="chart">\n<h2>{text(title)}</h2>\n{drawn}</section>\n'

    errors = columns(
        "Rulings and errors an hour",
        labels,
        [
            Series(name=said, look=look, values=[getattr(hour, name) for hour in made.hours])
            for name, said, look in ERRORS
        ],
    )
    return (
        '<div class="charts">\n'
        + chart("Rounds an hour", "rounds", str, "first")
        + chart("Rake an hour", "rake", write_money, "second")
        + chart("Win of banked tables an hour", "win", write_money, "first")
        + f'<section class="chart">\n<h2>Rulings and errors an hour</h2>\n{errors}</section>\n'
        + "</div>\n"
        + _hours(made.hours)
    )


def _hours(hours: Sequence[Counted]) -> str:
    busy = [hour for hour in hours if any(getattr(hour, name) for name in _WHAT)]
    if not busy:
        return '<p class="none">Nothing happened on this day.</p>\n'
    rows = [[text(hour.of), *_cells(hour)] for hour in busy]
    return _table("Hours", ("hour", *_HEADINGS), rows)


_WHAT = ("rounds", "drop", "rake", "win", "irregularities", "rulings", "voids", "misdeals")
_HEADINGS = (
    *("rounds", "drop", "Rake", "win", "hold"),
    *("irregularities", "by discretion", "voids", "misdeals"),
)


def _cells(each: Counted) -> list[str]:
    return [
        _count(each.rounds),
        _money(each.drop),
        _money(each.rake),
        _money(each.win),
        each.hold,
        *(_count(n) for n in (each.irregularities, each.rulings, each.voids, each.misdeals)),
    ]


def _count(number: int) -> str:
    """Nothing where there was none: what happened is seen at a glance."""
    return f"{number:,}" if number else ""


def _money(cents: int) -> str:
    return write_money(cents) if cents else ""


def _tables(title: str, figures: Sequence[Counted]) -> str:
    """Each with a bar for its rounds."""
    most = max((each.rounds for each in figures), default=0)
    rows = [[text(each.of), *_cells(each), bar(each.rounds, most)] for each in figures]
    return _table(title, (title.lower().rstrip("s"), *_HEADINGS, ""), rows, none="None was open.")


def _staff(staff: Sequence[StaffFigures]) -> str:
    said = [one.decisions + one.rulings + one.voids + one.irregularities for one in staff]
    most = max(said, default=0)
    rows = [
        [
            text(one.of),
            *map(_count, (one.decisions, one.rulings, one.voids, one.irregularities)),
            bar(sum_, most, "second"),
        ]
        for one, sum_ in zip(staff, said, strict=True)
    ]
    columns_ = ("name", "decisions", "by discretion", "voids", "irregularities", "")
    return _table("Staff", columns_, rows, none="Nobody reported or ruled anything.")


def _table(
    title: str, headings: Sequence[str], rows: Sequence[Sequence[str]], none: str = "Nothing."
) -> str:
    """Cells are pieces of a page already."""
    if not rows:
        return f'<section>\n<h2>{text(title)}</h2>\n<p class="none">{text(none)}</p>\n</section>\n'
    head = "".join(
        f'<th scope="col"{_number(n)}>{text(said) or "<span class=vh>rounds</span>"}</th>'
        for n, said in enumerate(headings)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<td data-label="{text(headings[n])}"{_number(n)}>{cell}</td>'
            for n, cell in enumerate(row)
        )
        + "</tr>\n"
        for row in rows
    )
    return (
        f"<section>\n<h2>{text(title)}</h2>\n<table>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}</tbody>\n</table>\n</section>\n"
    )


def _number(column: int) -> str:
    return ' class="money"' if column else ""
