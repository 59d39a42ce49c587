"""What each role may do in the office, for pages: which forms somebody is shown.

It decides nothing. The office asks again on every order (`croupier.house.office.authority`), and a
test compares the two for every role.
"""

from __future__ import annotations

from croupier.house.office.authority import CAGE, MANAGERS
from croupier.house.office.inventory import SUPERVISORS
from croupier.house.office.state import PIT, OfficeState, Role

ABILITIES: dict[str, tuple[Role, ...]] = {
    "hire": ("administrator",),
    "open account": (*CAGE, "administrator"),
    "disable player": ("pit supervisor", *MANAGERS, "administrator"),
    "enable player": ("shift manager", "administrator"),
    "put on duty": ("pit supervisor", *MANAGERS, "administrator"),
    "assign": ("pit supervisor", *MANAGERS, "administrator"),
    "set licence": ("administrator", "shift manager"),
    "cash": CAGE,
    "propose correction": (*CAGE, "pit manager"),
    "approve correction": MANAGERS,
    "pay unclaimed": ("cashier", *MANAGERS),
    "close table": ("shift manager", "administrator"),
    "set up": ("shift manager", "administrator"),
    "change rulebook": ("shift manager",),
    "approve software": ("administrator", "shift manager", "auditor"),
    "announce last round": (*MANAGERS, "administrator"),
    "disable": (*MANAGERS, "administrator"),
    "enable": ("shift manager", "administrator"),
    "order at link": MANAGERS,
    "count tray": PIT,
    "order slip": SUPERVISORS,
    "sign slip": (*PIT, "cashier"),
    "count drop": ("cashier", "shift manager", "auditor"),
    "close day": ("shift manager",),
    "waiting list": PIT,
    "relocate": PIT,
}
"""By the name that pages know each by."""

ON_DUTY = frozenset(
    (
        *("order at link", "count tray", "order slip", "waiting list", "relocate"),
        "change rulebook",
    )
)
"""What somebody does in the rank of a post, and so on duty only."""


def may_of(state: OfficeState, name: str) -> tuple[str, ...]:
    """What somebody may do now, by role and post."""
    person, duty = state.people.get(name), state.duty.get(name)
    if person is None or person.kind != "staff" or person.disabled:
        return ()
    post = {duty.post} if duty is not None else set()
    held = {person.role, *post}
    return tuple(
        ability
        for ability, roles in ABILITIES.items()
        if (post if ability in ON_DUTY else held) & set(roles)
    )
