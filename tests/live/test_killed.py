"""Killed at any stage of any game, the demonstration deals a new round at every table.

Nobody of its House is there to decide anything: what the books ask after a technical interruption
(v8 5.1, banked 5.7; v5 leaves it to the House) its standing orders answer.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from tests.live.killed import Death, Job

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("Raffles", "Clarke", "Orchard", "Marina-1", "Marina-2", "Sentosa-1", "Sentosa-2")
PATIENCE = 60.0
"""Seconds until a table that deals nothing is taken to stand still for ever."""

ONCE = (
    *("Raffles: shuffling for the button (chance)", "Raffles: drawing for the button"),
    "Clarke: open",
)
POKER = (
    *("between rounds", "between rounds (chance)", "ready", "blinds", "dealing"),
    *("betting 1", "flop due", "betting 2", "turn due", "betting 3", "river due", "betting 4"),
    *("showdown", "settling"),
)
BANKED = (
    *("between rounds", "bets open", "dealing (chance)", "dealing", "first decision", "flop"),
    *("turn decision", "turn", "river decision", "river", "dealer", "settling"),
)
STAGES = {
    "Raffles": (*POKER, "cutting"),
    "Clarke": (*POKER, "marker due"),
    **dict.fromkeys(PLACES[2:], BANKED),
}
"""Every stage that a table comes to in each round; `chance`: it waits for a shuffle."""


class Life:
    """One process of the demonstration."""

    def __init__(self, job: Job) -> None:
        self.folder = Path(job.folder)
        (self.folder / "death.json").unlink(missing_ok=True)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.live.killed", msgspec.json.encode(job).decode()],
            stdout=subprocess.PIPE,
            env=environment,
            cwd=ROOT,
        )
        assert self.process.stdout is not None
        self._out = self.process.stdout
        self.said = ""

    def until(self, word: str, seconds: float = PATIENCE) -> bool:
        """Whether it says so in time; False if it is dead or stands still."""
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._out, selectors.EVENT_READ)
            while word not in self.said.split():
                if not waiting.select(max(0.0, end - time.monotonic())):
                    return False
                text = os.read(self._out.fileno(), 4096).decode()
                if not text:
                    return False
                self.said += text
        return True

    def death(self, seconds: float = PATIENCE) -> Death | None:
        """How it died; None if it lives on, and then it is killed from outside."""
        try:
            assert self.process.wait(seconds) == -signal.SIGKILL
            return msgspec.json.decode((self.folder / "death.json").read_bytes(), type=Death)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.close()

    def close(self, how: signal.Signals = signal.SIGKILL) -> None:
        self.process.send_signal(how)
        self.process.wait(30)
        self._out.close()


class Lives:
    """The demonstration on one database, killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rounds: dict[str, int] = {}
        self.done: list[str] = []

    def live(self, *, dies: float = PATIENCE, **job: object) -> Death | None:
        """Start it, see every table deal a new round, and let it be killed; None if it was not."""
        told = {"folder": str(self.folder), "rounds": self.rounds, "done": tuple(self.done), **job}
        life = Life(msgspec.convert(told, Job))
        if not (told.get("fresh") or told.get("recovering")):
            dealt = life.until("dealt")
            if not dealt:
                life.close()
            assert dealt, f"no new round after: {', '.join(self.done)}"
        death = life.death(dies)
        if death is not None:
            self.done.append(death.stage)
            self.rounds = death.rounds
        return death

    def lives_on(self) -> None:
        """Nothing was lost by the last death."""
        assert self.live(dies=0.0, wanted=()) is None


CHOSEN = ("Raffles: betting 1", "Orchard: first decision", "Clarke: betting 2")


def test_killed_in_the_middle_of_rounds_every_table_deals_a_new_one(tmp_path: Path):
    lives = Lives(tmp_path)
    for stage in CHOSEN:
        assert lives.live(wanted=(stage,)) is not None
    # Now Clarke waits for a ruling: it is reported, and not yet answered.
    assert lives.live(recovering=1) == Death(stage="Clarke: recovering", rounds=lives.rounds)
    lives.lives_on()


@pytest.mark.slow
@pytest.mark.parametrize("commands", range(1, 8))
def test_killed_anywhere_in_its_recovery_every_table_deals_a_new_round(
    tmp_path: Path, commands: int
):
    lives = Lives(tmp_path)
    assert lives.live(wanted=("Raffles: betting 1",)) is not None
    lives.live(recovering=commands, dies=5.0)
    lives.lives_on()


@pytest.mark.slow
@pytest.mark.parametrize("stage", ONCE)
def test_killed_before_the_first_round_every_table_deals_one(tmp_path: Path, stage: str):
    lives = Lives(tmp_path)
    assert lives.live(fresh=True, wanted=(stage,)) is not None
    lives.lives_on()


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_killed_at_every_stage_of_every_game_every_table_deals_a_new_round(
    tmp_path: Path, place: str
):
    lives = Lives(tmp_path)
    for stage in STAGES[place]:
        assert lives.live(wanted=(f"{place}: {stage}",)) is not None, stage
    lives.lives_on()
    assert lives.done == [f"{place}: {stage}" for stage in STAGES[place]]


@pytest.mark.slow
def test_killed_while_a_jackpot_is_paid_every_table_deals_a_new_round(tmp_path: Path):
    lives = Lives(tmp_path)
    jackpots = tuple(f"{place}: jackpot" for place in PLACES[2:])
    assert lives.live(wanted=jackpots, dies=300.0) is not None
    lives.lives_on()
