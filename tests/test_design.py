"""What docs/design.md says of the dynamics is so: its threads, locks, waits and words are there."""

import ast
import importlib
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FLOORS = [ROOT / "src" / "croupier" / floor for floor in ("house", "live", "desk")]
PAGE = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    """The text under a heading of the page."""
    return PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def rows(heading: str) -> list[list[str]]:
    """The rows of the table under a heading, without its head."""
    lines = [line for line in section(heading).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def code_in(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def calls(name: str) -> list[tuple[str, ast.Call]]:
    """Every call of a name of `threading` and the like (`Lock`, `threading.Lock`) in House, server
    and desk, with its class or module and what it is assigned to."""
    found = []
    for path in sorted(path for floor in FLOORS for path in floor.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if name not in text:
            continue
        tree = ast.parse(text)
        classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        assigned = {
            node.value: ast.unparse(
                node.targets[0] if isinstance(node, ast.Assign) else node.target
            )
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call)
        }
        for node in ast.walk(tree):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if called.rpartition(".")[2] == name and not called.startswith("asyncio."):
                owner = next((c.name for c in classes if node in ast.walk(c)), path.stem)
                attribute = assigned.get(node, "").removeprefix("self.")
                found.append((f"{owner}.{attribute}".rstrip("."), node))
    return found


def pools() -> set[str]:
    """The names of the pools of threads: those that are given where the pool is made."""
    named = [
        value.value
        for kind in ("ThreadPoolExecutor", "WorkPool", "Queue")
        for _, call in calls(kind)
        for value in call.args
        if isinstance(value, ast.Constant) and isinstance(value.value, str)
    ]
    assert len(named) == len(set(named))
    return set(named)


def started_in_the_world() -> set[str]:
    """The names of the threads that a House has its world start."""
    found = set()
    for path in sorted(path for floor in FLOORS for path in floor.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "world" not in text or "start" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("world.start"):
                found.add(ast.literal_eval(node.args[0]))
    return found


def test_every_thread_of_ours_is_in_the_table_and_no_other():
    started = started_in_the_world() | {
        ast.literal_eval(keyword.value)
        for owner, call in calls("Thread")
        for keyword in call.keywords
        if keyword.arg == "name" and owner != "_Thread._thread"  # which runs those of the world
    }
    told = {name for row in rows("The threads") for name in code_in(row[0])}
    assert told == started | pools() | {"MainThread"}


def test_every_thread_of_ours_has_a_name_and_is_a_daemon():
    for owner, call in calls("Thread"):
        given = {keyword.arg for keyword in call.keywords}
        assert {"name", "daemon"} <= given, owner


def test_every_lock_is_in_the_table_and_no_other():
    there = {name for kind in ("Lock", "RLock") for name, _ in calls(kind)}
    told = {name for row in rows("Who holds which lock") for name in code_in(row[0])}
    assert told == there


def test_nobody_waits_for_longer_than_the_page_says():
    heading = "A command, from the browser to the disk and back"
    waits = [(row[0], name) for row in rows(heading) for name in code_in(row[2])]
    assert len(waits) == 4
    everywhere = re.findall(r"\b[\d.]+ m?s\b", section(heading))  # in the diagram too
    assert set(everywhere) == {says for says, _ in waits}
    for says, name in waits:
        module, _, constant = name.rpartition(".")
        seconds = getattr(importlib.import_module(module), constant)
        assert says == f"{seconds * 1000:.0f} ms", name


def test_every_word_of_ours_is_where_the_page_says():
    words = [row[0] for row in rows("Our words")]
    assert len(words) == len(set(words))
    for row in rows("Our words"):
        [module] = code_in(row[2])
        importlib.import_module(module)


def test_every_module_and_method_that_the_page_names_is_there():
    named = set(re.findall(r"`(croupier(?:\.[a-z_]+)+)`", PAGE))
    assert len(named) > 20
    for module in named:
        importlib.import_module(module)
    methods = re.findall(r"`([A-Z]\w+)\.(\w+)`", PAGE)
    source = "\n".join(
        path.read_text(encoding="utf-8") for floor in FLOORS for path in floor.rglob("*.py")
    )
    for owner, name in methods:
        assert re.search(rf"^class {owner}\b", source, re.M), owner
        assert re.search(rf"def {name}\(|self\.{name}\b", source), f"{owner}.{name}"
