"""The short algorithm of docs/audit.md is the real one: it is taken from the page and run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.house.audit.export import export
from croupier.house.store import Store
from croupier.house.urls import open_database
from tests.house.evening import evening

PAGE = Path(__file__).parents[2] / "docs" / "audit.md"


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("script")
    url = f"sqlite:///{folder}/house.db"
    evening(url, rounds=1)
    store = Store(open_database(url))
    export(store, folder / "night.jsonl")
    export(store, folder / "night.jsonl.gz")
    store.close()
    return folder


def run(folder: Path, file: Path) -> subprocess.CompletedProcess[str]:
    [script] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (folder / "check.py").write_text(script, encoding="utf-8")
    # Isolated: no croupier is to be found from there.
    words = [sys.executable, "-I", "-S", str(folder / "check.py"), str(file)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["night.jsonl", "night.jsonl.gz"])
def test_the_script_of_the_page_verifies_an_export(night: Path, name: str):
    done = run(night, night / name)
    assert done.returncode == 0, done.stderr
    assert "all is well" in done.stdout


def test_the_script_of_the_page_finds_a_changed_file(night: Path):
    lines = (night / "night.jsonl").read_bytes().splitlines(keepends=True)
    spoiled = night / "spoiled.jsonl"
    at = next(n for n, line in enumerate(lines) if n > 9 and b'"who":"house"' in line)
    line = lines[at].replace(b'"who":"house"', b'"who":"mouse"')
    spoiled.write_bytes(b"".join([*lines[:at], line, *lines[at + 1 :]]))
    assert "the file was changed" in run(night, spoiled).stderr
    spoiled.write_bytes(b"".join(lines[:-1]))
    assert run(night, spoiled).returncode != 0
