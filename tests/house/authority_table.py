"""The table of every command with who may give it, as docs/security.md has it, made from the code.

    python -m tests.house.authority_table

writes it into the page; a test compares the two.
"""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from croupier.banked import BankedTable
from croupier.house.link_orders import ORDERS as AT_A_LINK
from croupier.house.office.state import PIT, Role
from croupier.house.office.who_may import WHO_MAY, Rule, tag_of
from croupier.jackpot import JackpotLink
from croupier.poker import PokerTable
from croupier.table import ActorRank, Command, Conversation

PAGE = Path(__file__).parents[2] / "docs" / "security.md"
BEGIN, END = "<!-- who may: made by tests/house/authority_table.py -->", "<!-- end of who may -->"
ROLES: tuple[Role, ...] = get_args(Role)
SHORT = {
    "dealer": "dealer",
    "pit supervisor": "superv.",
    "pit manager": "pit m.",
    "shift manager": "shift m.",
    "cashier": "cashier",
    "administrator": "admin.",
    "auditor": "auditor",
}


def cell(rule: Rule, role: Role) -> str:
    """What a member of staff in a role may do by a rule."""
    if rule.anybody:
        return "own"
    if role in rule.roles:
        return "on duty" if rule.on_duty and role in PIT else "yes"
    return ""


def office_rows() -> list[str]:
    """The office's commands, one in a line."""
    head = ["command", *(SHORT[role] for role in ROLES), "oneself", "software", "and"]
    rows = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for does, rule in sorted(WHO_MAY.items()):
        own = "yes" if rule.oneself else "own" if rule.anybody else ""
        cells = [*(cell(rule, role) for role in ROLES), own, "yes" if rule.house else ""]
        rows.append(f"| `{does}` | {' | '.join(cells)} | {rule.but} |")
    return rows


def _listed(kinds: list[type[Command]]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(map(tag_of, kinds))) or "none"


def place_rows(kind: type[Conversation]) -> list[str]:
    """The commands of a table: a player's own, and those of staff."""
    commands = list(kind.whole.commands)
    own = [each for each in commands if each.players_may]
    staff = [each for each in commands if not each.players_may]
    if kind is JackpotLink:
        by_hand = [each for each in commands if each in AT_A_LINK]
        others = [each for each in commands if each not in AT_A_LINK]
        return [
            f"* people of the pit on duty, in the rank that the book asks: {_listed(by_hand)}",
            f"* the software alone, or an act of the office: {_listed(others)}",
        ]
    software = [each for each in staff if each.usually_by is ActorRank.HOUSE]
    by_staff = [each for each in staff if each.usually_by is not ActorRank.HOUSE]
    return [
        f"* players for themselves: {_listed(own)}",
        "* staff on duty, with a licence, assigned to the table, in the rank that the book asks: "
        f"{_listed(by_staff)}",
        f"* the software: {_listed(software)}",
    ]


def table() -> str:
    """The whole of it."""
    parts = ["**The office**", "", *office_rows(), ""]
    for title, kind in (
        ("A poker table", PokerTable),
        ("A banked table", BankedTable),
        ("A jackpot link", JackpotLink),
    ):
        parts += [f"**{title}**", "", *place_rows(kind), ""]
    return "\n".join(parts).strip()


def written(page: str) -> str:
    """The page with the table as it is now."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
