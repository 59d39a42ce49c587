"""Staff for tests: taken on, on duty, with a licence, and assigned to the floor."""

from __future__ import annotations

from datetime import date

from croupier.house.casino import Casino
from croupier.house.office import commands as orders
from croupier.house.office.roster_commands import AssignStaff, SetLicence

GOOD = date(2999, 12, 31)
"""The last day of a licence that nobody here outlives."""


def employ(
    casino: Casino,
    name: str,
    role: str,
    *,
    by: str = "administrator",
    password: str | None = None,
    area: str = "",
    assigned: bool = True,
) -> None:
    """Somebody who may act at every table."""
    made = [
        casino.hire(name, role, password, who=by, reason="opening"),  # type: ignore[arg-type]
        casino.tell(SetLicence(name=name, licence=f"L-{name}", until=GOOD, reason="x"), who=by),
        casino.tell(orders.GoOnDuty(name=name, post=role, area=area), who=name),  # type: ignore[arg-type]
    ]
    if assigned:
        made.append(casino.tell(AssignStaff(name=name, reason="opening"), who=by))
    for answer in made:
        assert answer.refused is None, answer.refused
