"""The demonstration, dealt quickly, that gets killed at a stage of one of its tables.

Run as a program with a job in JSON. It serves as `croupier serve` does, bots and all. First every
table must deal a new round; that done it says so and, with the first table that comes to a stage
at which the job wants it dead, writes down which and where every table stood, and kills itself.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from croupier.house.casino import Casino
from croupier.house.house import House
from croupier.house.openings import round_of
from croupier.live.bots.runner import seat_bots
from croupier.live.casino import LiveCasino
from croupier.live.config import Config, ServerConfig
from croupier.live.demonstration import demonstration
from croupier.live.ready_made import Standing
from croupier.live.server import serve
from croupier.table import DecisionNeeded, Table


class Job(Struct, kw_only=True):
    """One life: where its data lies, what must have been dealt, and when it dies."""

    folder: str
    rounds: dict[str, int] = {}
    """Which round each table had reached when it was killed: it must deal a later one."""
    fresh: bool = False
    """Whether nothing is to be dealt before it may die."""
    wanted: tuple[str, ...] | None = None
    """At which stages it dies; at any that is not among the `done` if not said."""
    done: tuple[str, ...] = ()
    recovering: int = 0
    """Or it dies while it recovers, after so many commands of the recovery."""


class Death(Struct, kw_only=True):
    """At which stage it died, and where every table stood."""

    stage: str
    rounds: dict[str, int]


def config_of(folder: Path, *, pace: float) -> Config:
    """The demonstration at a pace at which a round takes no time, or hardly any."""
    database = f"sqlite:///{folder / 'demonstration.sqlite3'}"
    shown = demonstration(ServerConfig(port=0, database=database, log="off"))
    clocks = structs.replace(shown.clocks, pace=pace, between_rounds=0.02, bets=0.2)
    return structs.replace(shown, clocks=clocks)


def stage_of(place: str, table: Table[Any]) -> str:
    """Where a table stands, with its Betting Round and what it waits for: `Raffles: betting 2`."""
    found = f"{place}: {table.status()}"
    played = getattr(table.state, "round", None)
    if table.status() == "betting":
        found += f" {played.betting.number}"
    asked = [
        need.question if isinstance(need, DecisionNeeded) else "chance"
        for need in table.state.waiting
    ]
    return f"{found} ({', '.join(asked)})" if asked else found


def cards_are_out(table: Table[Any]) -> bool:
    """Whether hands have been dealt in the round that is played."""
    played = getattr(table.state, "round", None)
    hands = getattr(played, "players", None) or getattr(table.state, "boxes", {})
    return table.playing() and any(hand.cards for hand in hands.values())


class Onlooker:
    """Somebody who watches: where nobody does, the bots of a banked table do not bet."""

    who = None
    wants_offers = False

    def push(self, message: bytes) -> None:
        """He reads everything."""

    def offer(self, standing: Standing) -> None:
        """He is offered nothing."""

    def close(self, code: int) -> None:
        """He stays until the end."""


class Witness:
    """Sees what every table comes to, and ends it all."""

    def __init__(self, job: Job, casino: LiveCasino) -> None:
        self.job = job
        self.casino = casino
        self.dealt: set[str] = set()
        casino.changed.append(self.see)

    def see(self, place: str) -> None:
        """Something durable has happened at a table."""
        job, house = self.job, self.casino.house
        with house.lock:
            table = house.pit.tables[place]
            if house.reader.head(place).position != house.positions[place]:
                return  # it has gone on, and that is not durable yet
            stage = stage_of(place, table)
            new = round_of(table) > job.rounds.get(place, 0) and cards_are_out(table)
            if new and place not in self.dealt and not job.fresh:
                self.dealt.add(place)
                if len(self.dealt) == len(house.pit.tables):
                    say("dealt")
            ripe = job.fresh or len(self.dealt) == len(house.pit.tables)
            wanted = stage not in job.done if job.wanted is None else stage in job.wanted
            if ripe and wanted:
                die(job, stage, house)


def say(*words: str) -> None:
    """One line for whoever started this."""
    sys.stdout.write(" ".join(words) + "\n")
    sys.stdout.flush()


def die(job: Job, stage: str, house: House) -> None:
    """Write down what stands, and be killed."""
    rounds = {place: round_of(table) for place, table in house.pit.tables.items()}
    note = Path(job.folder) / "death.json"
    note.write_bytes(msgspec.json.encode(Death(stage=stage, rounds=rounds)))
    os.kill(os.getpid(), signal.SIGKILL)


def die_recovering(job: Job) -> None:
    """Be killed after so many commands of the next recovery."""
    carry_out, start = House.carry_out, Casino.start
    left = [job.recovering]

    def killed(self: House, place: str, *args: Any, **more: Any) -> Any:
        answer = carry_out(self, place, *args, **more)
        left[0] -= 1
        if left[0] == 0:
            die(job, f"{place}: recovering", self)
        return answer

    def recovering(self: Casino, *args: Any, **more: Any) -> None:
        House.carry_out = killed  # type: ignore[method-assign]
        start(self, *args, **more)
        House.carry_out = carry_out  # type: ignore[method-assign]

    Casino.start = recovering  # type: ignore[method-assign]


def main() -> None:
    """One life."""
    job = msgspec.json.decode(sys.argv[1], type=Job)
    if job.recovering:
        die_recovering(job)

    opened: list[LiveCasino] = []

    def joined(casino: LiveCasino) -> None:
        seat_bots(casino)
        Witness(job, casino)
        opened.append(casino)

    def announce(addresses: list[str]) -> None:
        for place in opened[0].hubs:
            opened[0].join(place, Onlooker(), None)

    # What comes once is not to be over before it is durable.
    pace = 0.1 if job.fresh else 0.0
    serve(config_of(Path(job.folder), pace=pace), announce=announce, browser=False, joined=joined)


if __name__ == "__main__":
    main()
