"""The example that plays: every line of it cites, and the words of the book are in it."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from croupier.rulebooks import load

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "play.py"
CITED = re.compile(r"(?P<says>.+) \((?P<cites>[^()]+)\)")


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("example_play", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cited(lines: list[str], book: str) -> dict[str, list[str]]:
    """Each line with its paragraphs, all of which must be in the book."""
    found = {}
    for line in lines:
        match = CITED.fullmatch(line)
        assert match, line
        found[match["says"]] = match["cites"].split(", ")
        assert set(found[match["says"]]) <= set(load(book).paragraphs), line
    return found


def test_a_hand_of_poker(example: ModuleType):
    lines = cited([*example.hand_of_poker()], "no-limit-holdem-v8")
    [exposed] = [cites for says, cites in lines.items() if "was exposed" in says]
    assert exposed[0] == "5.5"
    assert lines["The smallest raise is to 20."] == ["1.28", "1.37"]
    assert [*lines][-1].startswith("Round 1 is over")
    assert any(says.startswith("Main Pot: ") for says in lines)


def test_a_banked_round(example: ModuleType):
    lines = cited([*example.banked_round()], "multi-link-progressive-v3")
    assert lines["The Flop bet is exactly twice the Ante, 50, not 40."] == ["1.11"]
    assert [*lines][-1] == "Round 1 is over."
    assert any("Ante 25" in says for says in lines)


def test_it_runs_as_a_program():
    done = subprocess.run([sys.executable, EXAMPLE], capture_output=True, text=True, check=True)
    assert "A banked round\n" in done.stdout
    assert done.stderr == ""
