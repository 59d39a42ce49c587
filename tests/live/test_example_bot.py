"""The example bot plays a whole session of every game, over the protocol alone."""

from __future__ import annotations

import ast
import importlib.util
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.live.conftest import Running

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "bot.py"


def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("example_bot", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("place", ["Raffles", "Clarke", "Orchard", "Marina-1", "Sentosa-2"])
def test_bots_play_a_whole_session(house: Running, place: str, capsys: pytest.CaptureFixture[str]):
    bot = example()
    accounts: dict[str, Any] = {}

    def session(name: str) -> None:
        accounts[name] = bot.play(house.url, place, name, 2)

    names = [f"{place} bot {n}" for n in range(2)]
    threads = [threading.Thread(target=session, args=(name,), daemon=True) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert set(accounts) == set(names), "a bot did not come to the end of its session"
    for name, account in accounts.items():
        assert account["bot"] is True
        assert account["seats"] == []
        assert account["name"] == name
    table = house.casino.table(place)
    assert table.places() == []
    played = table.state.rounds if hasattr(table.state, "rounds") else table.state.round
    assert played >= 2
    said = capsys.readouterr().out.splitlines()
    for name in names:
        lines = [line for line in said if line.startswith(f"{name}, round ")]
        assert len(lines) >= 2, "a line for each round"
        assert len({line.split(":")[0] for line in lines}) == len(lines), "and one only"
        assert all(line.endswith(" in chips") for line in lines)
        assert "leave" not in " ".join(lines)
    rounds = house.enter().get(f"/api/tables/{place}/rounds")
    assert rounds["recall"] is True
    assert any(each["ended"] for each in rounds["rounds"])


def test_the_example_is_short():
    tree = ast.parse(EXAMPLE.read_text())
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for function in functions:
        assert ast.get_docstring(function)
    statements = [n for f in functions for n in ast.walk(f) if isinstance(n, ast.stmt)]
    docstrings = len(functions)
    assert len(statements) - len(functions) - docstrings < 50
