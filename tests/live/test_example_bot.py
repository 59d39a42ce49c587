"""The example bot plays a whole session of every game, over the protocol alone."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest
from msgspec import structs

from croupier.table import PUBLIC
from tests.live.conftest import QUICK, Running, running

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "bot.py"
LINE = re.compile(r"(?P<name>.+), round (?P<round>\d+): (?P<did>[a-z, ]+); \d+\.\d\d chips")


def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("example_bot", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "place",
    [
        "Raffles",
        "Marina-1",
        *(
            pytest.param(each, marks=pytest.mark.slow)
            for each in ("Clarke", "Orchard", "Sentosa-2")
        ),
    ],
)
def test_bots_play_a_whole_session(tmp_path: Path, place: str):
    # Who wants to leave must get a word in: the pause is as long as the pace makes it.
    calm = structs.replace(QUICK, between_rounds=10, pace=0.05)
    with running(tmp_path, clocks=calm, tables=(place,)) as house:
        a_whole_session(house, place)


def a_whole_session(house: Running, place: str) -> None:
    bot = example()
    said: dict[str, list[str]] = {}

    def session(name: str) -> None:
        said[name] = list(bot.play(house.url.replace("http", "ws"), place, name, 3))

    names = [f"{place} bot {n}" for n in range(2)]
    threads = [threading.Thread(target=session, args=(name,), daemon=True) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert set(said) == set(names), "a bot did not come to the end of its session"
    table = house.casino.table(place)
    assert table.taken_seats() == [], "all have left"
    assert table.view(PUBLIC).round >= 3
    for name in names:
        assert house.casino.identity.is_bot(name)
        lines = [found for line in said[name] if (found := LINE.fullmatch(line.rstrip("\n")))]
        assert len(lines) >= 3, said[name]
        assert {line["name"] for line in lines} == {name}
        rounds = [int(line["round"]) for line in lines]
        assert rounds == sorted(set(rounds)), "a line for each round"
        acts = {act for line in lines[:3] for act in line["did"].split(", ")}
        assert acts & {"check", "call", "flop bet"}
        assert "leave" not in acts
    rounds = house.enter().get(f"/api/tables/{place}/rounds")
    assert any(each["ended"] for each in rounds["rounds"])


def test_with_no_chips_left_it_goes(monkeypatch: pytest.MonkeyPatch):
    """It would wait for a round in which it cannot play."""
    call, leave = ({"do": do, "send": {"do": do}} for do in ("call", "leave"))
    told = [
        {"is": "table", "round": 1, "chips": 0, "offers": [call, leave]},
        {"is": "table", "round": 2, "chips": 0, "offers": [leave]},
        {"is": "bye", "says": "Good bye."},
    ]
    sent: list[str] = []

    class Socket(list[str]):
        def __enter__(self) -> Socket:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def send(self, message: str) -> None:
            sent.append(json.loads(message)["do"])

    bot = example()
    monkeypatch.setattr(bot, "connect", lambda _: Socket(map(json.dumps, told)))
    lines = list(bot.play("ws://house", "Raffles", "Deep Green", 3))
    assert lines[0] == "Deep Green, round 1: call; 0.00 chips\n"
    assert sent == ["call", "leave"]


def test_it_is_a_program_that_anybody_can_copy_and_run(house: Running, tmp_path: Path):
    copied = tmp_path / "my_bot.py"
    copied.write_text(EXAMPLE.read_text())
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-P", str(copied), house.url.replace("http", "ws"), "Marina-1"]
    ran = subprocess.run(
        [*command, "Deep Green", "2"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        timeout=60,
        check=True,
    )
    lines = [line for line in ran.stdout.splitlines() if LINE.fullmatch(line)]
    assert len(lines) == 2, ran.stdout
    assert ran.stderr == ""


def test_what_it_cannot_do_ends_in_one_sentence(house: Running):
    house.enter("Ann")
    url = house.url.replace("http", "ws")
    for address, table, name, said in (
        (url, "Nowhere", "Deep Green", "Deep Green is told: There is no table 'Nowhere'.\n"),
        (url, "Raffles", "Ann", "Ann is told: Somebody here is called Ann; choose another.\n"),
        ("ws://127.0.0.1:1", "Raffles", "Deep Green", "ws://127.0.0.1:1 does not answer: "),
    ):
        command = [sys.executable, str(EXAMPLE), address, table, name, "1"]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        told = ran.stdout + ran.stderr
        assert told.startswith(said)
        assert told.count("\n") == 1, told


def test_without_its_words_it_says_which_they_are():
    for words in ([], ["ws://127.0.0.1:1", "Raffles", "Deep Green"]):
        ran = subprocess.run(
            [sys.executable, str(EXAMPLE), *words], capture_output=True, text=True, check=False
        )
        assert ran.returncode == 1
        assert 'examples/bot.py ws://127.0.0.1:8017 Raffles "Deep Green" 3' in ran.stderr
        assert "Traceback" not in ran.stderr


def test_it_needs_nothing_but_a_websocket_library():
    needed = set()
    for node in ast.walk(ast.parse(EXAMPLE.read_text())):
        if isinstance(node, ast.Import):
            needed |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            needed.add((node.module or "").split(".")[0])
    assert needed - set(sys.stdlib_module_names) == {"websockets"}


def test_it_is_thirty_lines():
    text = EXAMPLE.read_text()
    described = ast.parse(text).body[0]  # what it is, and how it is run: for the reader
    assert isinstance(described, ast.Expr)
    code = [line for line in text.splitlines()[described.end_lineno :] if line.strip()]
    assert len(code) <= 30
    assert max(map(len, code)) <= 100
    assert ";" not in re.sub(r'"[^"]*"', "", "\n".join(code)), "and not by squeezing them"
