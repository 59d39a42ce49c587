"""The project keeps its own promises: pins, packaging, floors without chance, clock or I/O."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import croupier

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "croupier"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]


# ---- pins ------------------------------------------------------------------------------------

# requirements file: the extras it holds beside the dependencies and the builder.
SETS = {
    "run": [],
    "test": ["test", "lab", "cluster", "postgres", "env"],
    "lab": ["lab"],
    "env": ["env", "lab"],
    "cluster": ["lab", "cluster"],
    "uvloop": ["uvloop"],
    "bench": ["bench", "lab", "postgres", "uvloop"],
}


def pinned(name: str) -> dict[str, list[Requirement]]:
    """Read a requirements file: each package with its pins, one for each kind of environment."""
    pins: dict[str, list[Requirement]] = {}
    for line in (ROOT / "requirements" / f"{name}.txt").read_text().splitlines():
        if line and not line.startswith((" ", "#")):
            requirement = Requirement(line.removesuffix("\\").strip())
            pins.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return pins


def wanted(name: str) -> list[Requirement]:
    """What pyproject.toml and the builder ask of this file."""
    builder = (ROOT / "requirements" / "build.in").read_text().splitlines()
    lines = [line for line in builder if line and not line.startswith("#")]
    lines += PYPROJECT["build-system"]["requires"] + PROJECT["dependencies"]
    for extra in SETS[name]:
        lines += PROJECT["optional-dependencies"][extra]
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize("name", SETS)
def test_the_pins_hold_what_pyproject_asks(name: str):
    pins = pinned(name)
    for asked in wanted(name):
        found = pins.get(canonicalize_name(asked.name))
        assert found, f"requirements/{name}.txt lacks {asked.name}: see CONTRIBUTING, Pins"
        for pin in found:
            [exactly] = pin.specifier
            assert exactly.operator == "=="
            assert asked.specifier.contains(exactly.version), f"{pin} is not {asked}"


@pytest.mark.parametrize("name", SETS)
def test_every_pin_has_its_hashes_and_no_host(name: str):
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    entries = re.split(r"\n(?=\S)", text.strip())
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE)


def test_every_extra_is_pinned():
    in_files = {extra for extras in SETS.values() for extra in extras}
    assert in_files == set(PROJECT["optional-dependencies"])
    files = {path.stem for path in (ROOT / "requirements").glob("*.txt")}
    assert files == set(SETS)


def test_the_files_agree_on_what_they_share():
    """They are installed one after another into the same environment."""
    seen: dict[str, tuple[str, set[str]]] = {}
    for name in SETS:
        for package, pins in pinned(name).items():
            versions = {str(pin.specifier) for pin in pins}
            file, before = seen.setdefault(package, (name, versions))
            assert versions == before, f"{package} differs between {file}.txt and {name}.txt"


def test_the_pins_apply_here():
    """Markers parse, and leave at most one version of each package for this environment."""
    here = {key: str(value) for key, value in default_environment().items()}
    for name in SETS:
        for package, pins in pinned(name).items():
            fitting = [pin for pin in pins if pin.marker is None or pin.marker.evaluate(here)]
            assert len(fitting) <= 1, f"{package} in {name}.txt"


# ---- packaging -------------------------------------------------------------------------------


def test_one_version():
    assert PROJECT["version"] == croupier.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(
        rf"^## \[{re.escape(croupier.__version__)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.M
    )
    for page in ("README.md", "docs/stability.md"):
        named = re.findall(
            r"croupier(?:-| is at )(\d+\.\d+\.\d+)", (ROOT / page).read_text("utf-8")
        )
        assert named == [croupier.__version__], page


def test_no_line_of_the_repository_is_merged_halfway():
    for path in text_files():
        assert not re.search(r"^(<{7}|>{7}) ", path.read_text(encoding="utf-8"), re.M), path


def text_files() -> Iterator[Path]:
    """Walk what belongs to the repository, without asking git."""
    skip = {".git", "__pycache__", "dist", "build", "mutants", "node_modules"}
    kinds = {".py", ".md", ".toml", ".txt", ".in", ".css", ".js", ".html", ".sql"}
    pending = [ROOT]
    while pending:
        for path in sorted(pending.pop().iterdir()):
            hidden = path.name.startswith(".") and path.name != ".ci"
            if path.is_dir():
                if path.name not in skip and not hidden:
                    pending.append(path)
            elif path.suffix in kinds or path == ROOT / ".ci" / "run":
                yield path


# ---- the pure floors -------------------------------------------------------------------------

PURE_FLOORS = ("cards", "rulebooks", "table", "poker", "banked", "jackpot", "pit")

# Chance, time and the outside world reach these floors as data in a command, or not at all.
IMPURE_MODULES = frozenset(
    "_thread asyncio concurrent fcntl ftplib http multiprocessing os pickle platform random sched "
    "secrets select selectors shelve shutil signal smtplib socket socketserver sqlite3 ssl "
    "subprocess tempfile threading time urllib uuid webbrowser".split()
)
IMPURE_CALLS = frozenset({"open", "input", "print", "breakpoint", "exec", "eval", "__import__"})
CLOCK_METHODS = frozenset({"now", "utcnow", "today", "fromtimestamp"})
# Reading files, by whatever object: pathlib, or a resource of the package.
FILE_METHODS = frozenset(
    "read_text read_bytes write_text write_bytes iterdir glob rglob open unlink mkdir".split()
)
# `pathlib` and `importlib.resources` are needed only by those who read files.
FILE_MODULES = frozenset({"pathlib", "importlib.resources", "importlib"})

# Who may, and why: module, what is allowed there, the reason.
RESOURCES = frozenset({"importlib.resources", ".read_text()"})
MAY: dict[str, tuple[frozenset[str], str]] = {
    "cards/tables.py": (
        frozenset({"importlib.resources", "pathlib", ".read_bytes()", ".write_bytes()"}),
        "reads the shipped ranking tables; run as a program, it writes them anew",
    ),
    "rulebooks/loader.py": (
        RESOURCES | {"pathlib"},
        "reads the shipped books, and a book that the caller names",
    ),
    "rulebooks/announcements.py": (RESOURCES, "reads what is read out from announcements.toml"),
    "rulebooks/topics.py": (RESOURCES, "reads what the topics mean from the shipped topics.toml"),
    "pit/incidents.py": (RESOURCES, "reads the shipped incidents of the ruling desk"),
    "pit/moments.py": (RESOURCES, "reads the shipped moments of the matrix"),
    "pit/registry.py": (RESOURCES | {".iterdir()"}, "finds and reads the shipped case files"),
}


class Impurity(ast.NodeVisitor):
    """Collects, with their lines, the places where a module reaches for the outside."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str]] = []

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.module(node.lineno, alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        self.module(node.lineno, module)
        if module == "importlib":
            for alias in node.names:
                self.module(node.lineno, f"importlib.{alias.name}")

    def module(self, line: int, name: str) -> None:
        if name.split(".")[0] in IMPURE_MODULES or name in FILE_MODULES:
            self.found.append((line, name))

    def visit_Call(self, node: ast.Call) -> None:
        match node.func:
            case ast.Name(id=name) if name in IMPURE_CALLS:
                self.found.append((node.lineno, f"{name}()"))
            case ast.Attribute(attr=name, value=ast.Name(id="datetime" | "date")) if (
                name in CLOCK_METHODS
            ):
                self.found.append((node.lineno, f"datetime.{name}()"))
            case ast.Attribute(attr=name, value=ast.Attribute(attr="datetime" | "date")) if (
                name in CLOCK_METHODS
            ):
                self.found.append((node.lineno, f"datetime.{name}()"))
            case ast.Attribute(attr=name) if name in FILE_METHODS:
                self.found.append((node.lineno, f".{name}()"))
            case _:
                pass
        self.generic_visit(node)


def impurities(source: str, allowed: frozenset[str] = frozenset()) -> list[tuple[int, str]]:
    """Return the line and name of each thing in this source that a pure floor may not do."""
    visitor = Impurity()
    visitor.visit(ast.parse(source))
    return [(line, what) for line, what in visitor.found if what not in allowed]


def pure_modules() -> list[Path]:
    return [path for floor in PURE_FLOORS for path in sorted((SOURCE / floor).rglob("*.py"))]


def test_the_pure_floors_use_no_chance_no_clock_and_no_files():
    modules = pure_modules()
    assert {path.relative_to(SOURCE).parts[0] for path in modules} == set(PURE_FLOORS)
    faults = []
    for path in modules:
        name = path.relative_to(SOURCE).as_posix()
        allowed, _ = MAY.get(name, (frozenset(), ""))
        for line, what in impurities(path.read_text(encoding="utf-8"), allowed):
            faults.append(f"{name}:{line}: {what}")
    assert not faults, "\n".join(["not allowed on a pure floor:", *faults])


def test_the_allowances_are_used_and_reasoned():
    """An allowance that nobody needs any longer would let somebody in unseen."""
    for name, (allowed, reason) in MAY.items():
        assert len(reason) > 20, name
        used = {what for _, what in impurities((SOURCE / name).read_text(encoding="utf-8"))}
        assert allowed <= used, f"{name} no longer needs {sorted(allowed - used)}"


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("import random", "random"),
        ("import os.path", "os.path"),
        ("from secrets import token_bytes", "secrets"),
        ("def f():\n    from time import time", "time"),
        ("import asyncio as a", "asyncio"),
        ("from datetime import datetime\ndatetime.now()", "datetime.now()"),
        ("import datetime\ndatetime.datetime.utcnow()", "datetime.utcnow()"),
        ("from datetime import date\ndate.today()", "datetime.today()"),
        ("open('x')", "open()"),
        ("print('x')", "print()"),
        ("import pathlib", "pathlib"),
        ("from importlib import resources", "importlib.resources"),
        ("x.read_text()", ".read_text()"),
    ],
)
def test_the_check_for_purity_finds(source: str, what: str):
    assert what in {found for _, found in impurities(source)}


def test_the_check_for_purity_lets_plain_code_pass():
    source = """
from datetime import datetime, timedelta
import tomllib, math
def later(when: datetime) -> datetime:
    return when + timedelta(seconds=1)
class Shoe:
    def draw(self): return self.cards.pop()
"""
    assert impurities(source) == []


def test_an_allowance_covers_only_what_it_names():
    source = "from pathlib import Path\nimport os\nPath('x').read_text()"
    assert impurities(source, frozenset({"pathlib", ".read_text()"})) == [(2, "os")]


# ---- the floors' order -----------------------------------------------------------------------


def test_the_import_contract_knows_every_floor():
    """The contract is exhaustive only if it is run over all packages; here its own words."""
    contracts = {each["id"]: each for each in PYPROJECT["tool"]["importlinter"]["contracts"]}
    floors = contracts["floors"]
    assert floors["exhaustive"] is True
    named = {name.strip() for layer in floors["layers"] for name in layer.split("|")}
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages - {"lab"} <= named
    pure = {f"croupier.{floor}" for floor in PURE_FLOORS}
    assert set(contracts["plain-engine"]["source_modules"]) == pure
    above_lab = {f"croupier.{name}" for name in named} - {"croupier.cards", "croupier.rulebooks"}
    assert set(contracts["lab-stands-on"]["forbidden_modules"]) == above_lab
    use_the_lab = {"croupier.cli", "croupier.env", "croupier.__main__"}
    others = {f"croupier.{name}" for name in named} - use_the_lab
    assert set(contracts["lab-used-by"]["source_modules"]) == others


# ---- names in comments -----------------------------------------------------------------------

MODULE = re.compile(r"`(croupier(?:\.[a-z_]+)+)`")


def missing(name: str) -> bool:
    """Whether there is neither a module of this name, nor anything in the one above it that is
    called so."""
    parts = name.split(".")[1:]
    if SOURCE.joinpath(*parts).is_dir() or SOURCE.joinpath(*parts).with_suffix(".py").is_file():
        return False
    above = SOURCE.joinpath(*parts[:-1]).with_suffix(".py")
    if not above.is_file():
        above = SOURCE.joinpath(*parts[:-1], "__init__.py")
    return not above.is_file() or not re.search(rf"\b{parts[-1]}\b", above.read_text("utf-8"))


def test_every_module_that_a_comment_or_a_page_names_is_there():
    files = [*SOURCE.rglob("*.py"), *SOURCE.rglob("*.js"), *(ROOT / "docs").rglob("*.md")]
    lost = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted(files)
        for name in MODULE.findall(path.read_text("utf-8"))
        if missing(name)
    ]
    assert lost == []


def test_the_check_of_names_can_fail():
    assert missing("croupier.house.reporting_nowhere")
    assert missing("croupier.nowhere.at_all")
    assert not missing("croupier.house.writer")
    assert not missing("croupier.house.ledger.may_be_negative")
