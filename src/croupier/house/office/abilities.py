"""What each role may do in the office, for pages: which forms somebody is shown.

It decides nothing: `croupier.house.office.who_may` does, on every order, and what is shown is read
from there.
"""

from __future__ import annotations

from croupier.house.office.authority import MANAGERS
from croupier.house.office.state import OfficeState, Role
from croupier.house.office.who_may import WHO_MAY, Rule

COMMANDS = {
    "hire": "hire staff",
    "open account": "open account",
    "disable player": "disable person",
    "enable player": "enable person",
    "put on duty": "go on duty",
    "assign": "assign staff",
    "set licence": "set licence",
    "cash": "cash in",
    "propose correction": "propose correction",
    "approve correction": "approve correction",
    "pay unclaimed": "pay unclaimed",
    "close table": "close table",
    "set up": "add table",
    "approve software": "propose approval",
    "announce last round": "announce last round",
    "disable": "disable",
    "enable": "enable",
    "count tray": "count inventory",
    "order slip": "order fill",
    "sign slip": "sign slip",
    "count drop": "count drop",
    "close day": "close day",
    "waiting list": "call player",
    "relocate": "relocate player",
}
"""By the name that pages know each by: the command of the office that it takes."""

AT_PLACES: dict[str, tuple[Role, ...]] = {
    "change rulebook": ("shift manager",),
    "order at link": MANAGERS,
}
"""What links and tables are asked, on duty; they decide it themselves."""

ABILITIES: dict[str, Rule] = {name: WHO_MAY[command] for name, command in COMMANDS.items()} | {
    name: Rule(roles=roles, on_duty=True) for name, roles in AT_PLACES.items()
}


def may_of(state: OfficeState, name: str) -> tuple[str, ...]:
    """What somebody may do now, by role and post."""
    person, duty = state.people.get(name), state.duty.get(name)
    if person is None or person.kind != "staff" or person.disabled:
        return ()
    post = {duty.post} if duty is not None else set()
    held = {person.role, *post}
    return tuple(
        ability
        for ability, rule in ABILITIES.items()
        if (post if rule.on_duty else held) & set(rule.roles)
    )
