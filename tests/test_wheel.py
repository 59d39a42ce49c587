"""The wheel alone is a casino: built here, installed into an empty environment, and opened.

The environment has croupier from the wheel and nothing of the checkout; the packages that croupier
needs are lent to it from the environment of the tests, because no test calls the network. The
hosted workflow does the same with what the package index gives.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import urllib.request
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import hatchling.build
import pytest

from croupier import __version__

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "croupier"
WINDOWS = os.name == "nt"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as pip builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        return folder / hatchling.build.build_wheel(str(folder))
    finally:
        os.chdir(before)


# ---- what is in it -------------------------------------------------------------------------------


def test_it_holds_every_file_of_the_package(wheel: Path):
    """Data too: a rulebook that is not shipped is a game that cannot be played."""
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if name.startswith("croupier/")}
    here = {
        f"croupier/{path.relative_to(SOURCE).as_posix()}"
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert shipped == here
    for folder in ("rulebooks", "cases", "moments", "incidents", "web", "cards", "house/sql"):
        assert any(name.startswith(f"croupier/{folder}/") for name in shipped), folder
    assert "croupier/py.typed" in shipped


def test_it_says_what_it_is(wheel: Path):
    assert wheel.name == f"croupier-{__version__}-py3-none-any.whl"
    about = f"croupier-{__version__}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        entry_points = archive.read(f"{about}/entry_points.txt").decode()
        metadata = Parser().parsestr(archive.read(f"{about}/METADATA").decode())
        names = archive.namelist()
        parts = json.loads(archive.read(f"{about}/sboms/croupier.cdx.json"))
    assert "croupier = croupier.cli.main:main" in entry_points
    assert metadata["Version"] == __version__
    assert metadata["License-Expression"] == "MIT"
    assert f"{about}/licenses/LICENSE" in names
    assert parts["metadata"]["component"]["version"] == __version__


# ---- opened where there is no checkout -----------------------------------------------------------


class Installed:
    """croupier in an environment of its own, as somebody has it who knows no checkout."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        self.bin = folder / "env" / ("Scripts" if WINDOWS else "bin")
        venv.create(folder / "env", with_pip=False)
        python = str(self.bin / "python")
        words = [
            "--no-deps",
            "--no-index",
            "--no-compile",
            "--disable-pip-version-check",
            "--quiet",
        ]
        pip = [sys.executable, "-m", "pip", "--python", python, "install", *words, str(wheel)]
        subprocess.run(pip, check=True, env=self.settings())
        # Lent only now, so that pip does not see the croupier of the checkout. A folder that a .pth
        # file names has its own .pth files left alone: the checkout stays out of reach.
        own = subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        lent = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
        (Path(own) / "lent.pth").write_text("\n".join(sorted(lent)) + "\n", encoding="utf-8")

    def settings(self) -> dict[str, str]:
        """The environment of a new user: nothing of ours in it."""
        ours = ("PYTHON", "CROUPIER", "XDG_", "VIRTUAL_ENV")
        kept = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
        return kept | {"HOME": str(self.home), "USERPROFILE": str(self.home)}

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [str(self.bin / words[0]), *words[1:]],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self.home,
            env=self.settings(),
        )

    def run(self, *words: str) -> str:
        running = self.start(*words)
        told, _ = running.communicate(timeout=60)
        assert running.returncode == 0, told
        return told


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("elsewhere"), wheel)


def test_it_is_the_wheel_that_runs(installed: Installed):
    assert installed.run("croupier", "--version") == f"croupier, version {__version__}\n"
    where = installed.run("python", "-c", "import croupier; print(croupier.__file__)").strip()
    assert Path(where).is_relative_to(installed.bin.parent)
    assert not Path(where).is_relative_to(ROOT)


def test_it_has_its_books_cases_and_incidents(installed: Installed):
    assert "5.5" in installed.run("croupier", "rules", "show", "v8", "5.5")
    asked = """
from croupier.cards import rank_hand, read_cards
from croupier.pit import GAMES, read_case, run_case, shipped_cases
from croupier.pit.moments import moments_of
from croupier.pit.question import Question, ask
assert moments_of("poker")
print(rank_hand(read_cards("Kc Kh 2d Js Jh Td Ks")))
source, text = next(iter(shipped_cases()))
assert not run_case(read_case(text, source, GAMES), GAMES).failures
facts = {"exposed": "two", "acted": "none"}
print(ask(Question(rulebook="v8", incident="exposed-in-the-deal", facts=facts), GAMES).ruling)
"""
    told = installed.run("python", "-c", asked)
    assert "Full House" in told
    assert "Misdeal" in told


def test_it_opens_the_casino(installed: Installed):
    running = installed.start("croupier", "serve", "--port", "0", "--no-browser")
    assert running.stdout is not None
    try:
        told = ""
        while not (address := re.search(r"http://[\d.:]+/?", told)):
            line = running.stdout.readline()
            assert line, told
            told += line
        lobby = address[0].rstrip("/")
        for path in ("/", "/ask"):
            with urllib.request.urlopen(f"{lobby}{path}", timeout=10) as page:
                assert b"<html" in page.read(), path
        with urllib.request.urlopen(f"{lobby}/api/lobby", timeout=10) as answer:
            tables = json.loads(answer.read())["tables"]
        assert len({table["rulebook"] for table in tables}) == 5
    finally:
        running.send_signal(signal.SIGINT)
        rest, _ = running.communicate(timeout=30)
    assert running.returncode == 0, rest
    assert not (ROOT / "house.db").exists()
