"""What is to go wrong in a simulation, and when: made of the seed, before anything happens.

It is a list, so that a failure can be told with fewer of them: those without which it fails as well
are left out (`croupier.simulator.shrink`).
"""

from __future__ import annotations

from random import Random

from msgspec import Struct

from croupier.simulator.floor import CASHIER, FLOORS, STAFF, Floor

CHAOS = 20.0
"""Seconds of every simulation in which things go wrong."""
CALM = 3.0
"""Seconds at its beginning in which nothing does."""

NEAR = {
    "kill": 3,
    "kill at a step": 4,
    "power cut": 3,
    "power cut at a step": 4,
    "disk full": 2,
    "sync fails": 2,
    "slow disk": 2,
    "clock set": 2,
    "stop": 1,
    "cut": 4,
    "parted": 3,
    "slow reader": 1,
    "cash in": 3,
    "cash out": 2,
    "dismiss": 3,
    "disable player": 2,
    "disable table": 1,
    "off duty": 1,
}
"""What happens on a floor whose database is a file, and how often, one against the other."""
FAR = {**NEAR, "commit is lost": 4, "commit is unknown": 5, "commit is late": 4, "no database": 3}
BESIDE = {
    **FAR,
    "sleep": 8,
    "sleep at a step": 10,
    "cut off": 10,
    "servers parted": 5,
    "move table": 10,
    "database restarts": 4,
}
"""What happens where several servers share it."""
AT_THE_OFFICE = ("cash in", "cash out", "dismiss", "disable player", "off duty")
STEPS = ("begin", "write", "commit", "committed")
SLEEPS = ("begin", "begin", "read", "write")
"""Steps at which a process may fall asleep: not while it holds a transaction open, which would stop
the others in the model and does not stop them on a real server."""


class Happening(Struct, frozen=True, kw_only=True):
    """One thing that goes wrong, or is ordered, at a time."""

    at: float
    kind: str
    who: str = ""
    """Whom it concerns, or which table."""
    server: str = ""
    """Which server, where there are several."""
    seconds: float = 0.0
    step: str = ""

    def told(self) -> str:
        """In a line."""
        words = [
            self.kind,
            self.who,
            self.server,
            self.step,
            f"{self.seconds:.1f} s" if self.seconds else "",
        ]
        return ", ".join(word for word in words if word)


class Plan(Struct, frozen=True, kw_only=True):
    """A floor, and what happens on it."""

    floor: str
    happenings: tuple[Happening, ...]


def plan_of(seed: int) -> Plan:
    """The plan of a seed."""
    chance = Random(f"the plan of {seed}")
    [floor] = chance.choices(tuple(FLOORS.values()), [each.often for each in FLOORS.values()])
    several = BESIDE if len(floor.servers) > 1 else FAR
    kinds = several if floor.remote else NEAR
    if floor.guests:  # their accounts are not there from the beginning
        kinds = {kind: often for kind, often in kinds.items() if kind not in AT_THE_OFFICE}
    count = chance.randint(1, 9)
    made = [_happening(chance, floor, kinds) for _ in range(count)]
    return Plan(floor=floor.name, happenings=tuple(sorted(made, key=lambda each: each.at)))


def _happening(chance: Random, floor: Floor, kinds: dict[str, int]) -> Happening:
    [kind] = chance.choices(tuple(kinds), tuple(kinds.values()))
    players = [name for name, _ in floor.seats()]
    who = ""
    if kind in ("cut", "parted", "slow reader"):
        who = chance.choice([*players, *STAFF])
    elif kind in ("cash in", "cash out", "disable player"):
        who = chance.choice(players)
    elif kind in ("dismiss", "off duty"):
        who = chance.choice([*STAFF, CASHIER])
    elif kind in ("disable table", "move table"):
        who = chance.choice(floor.tables)
    server = ""
    if len(floor.servers) > 1:
        server, other = chance.sample(floor.servers, 2)
        who = other if kind == "servers parted" else who
    seconds = chance.choice((0.2, 1.0, 3.0, 8.0))
    if kind in ("sleep", "sleep at a step", "cut off"):
        seconds = chance.choice((1.0, 3.0, 6.0, 8.0))  # others take over after some 4 s
    if kind == "clock set":
        seconds = chance.choice((-1.5, -30.0, -4000.0, 1.0, 90.0, 4000.0))
    return Happening(
        at=round(chance.uniform(CALM, CHAOS), 3),
        kind=kind,
        who=who,
        server=server,
        seconds=seconds,
        step=_step(chance, kind),
    )


def _step(chance: Random, kind: str) -> str:
    """At which step of the database it happens, if at one."""
    if not kind.endswith("at a step"):
        return ""
    return chance.choice(SLEEPS if kind.startswith("sleep") else STEPS)
