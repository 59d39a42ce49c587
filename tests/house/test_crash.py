"""Killed at any moment, the House keeps whatever it has acknowledged and nothing by halves."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from croupier.house.chain import START, digest
from tests.house.test_house import open_house

ROOT = Path(__file__).parents[2]


def run_and_kill(path: Path, after: float) -> list[int]:
    """Run a House until it is killed; return the boxes whose stakes it acknowledged."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.house.crash_child", str(path)],
        stdout=subprocess.PIPE,
        env=environment,
        cwd=ROOT,
    )
    assert child.stdout is not None
    acknowledged = [child.stdout.readline()]
    time.sleep(after)
    child.send_signal(signal.SIGKILL)
    acknowledged += child.stdout.readlines()
    child.wait()
    child.stdout.close()
    return [int(line) for line in acknowledged if line.endswith(b"\n") and line.strip()]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_a_killed_house_keeps_what_it_acknowledged(tmp_path):
    path, seed = tmp_path / "house.db", random.Random(7)
    acknowledged: set[int] = set()
    for _ in range(8):
        acknowledged.update(run_and_kill(path, after=seed.uniform(0, 0.05)))
        house = open_house(path)
        boxes = set(house.pit.tables["A"].state.boxes)
        assert acknowledged <= boxes
        rows = list(house.reader.rows("A"))
        assert [row.position for row in rows] == list(range(1, len(rows) + 1))
        last = START
        for row in rows:
            last = digest(last, row)
            assert row.digest == last
        assert house.reader.head("A").digest == last
        house.close()
