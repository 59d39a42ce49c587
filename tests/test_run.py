"""run.py decides rightly what to set up, survives what goes wrong, and hands over cleanly.

Nothing here touches the network: what run.py would have called is written down instead.
"""

import ast
import importlib.util
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import IO

import pytest

ROOT = Path(__file__).resolve().parents[1]


class Checkout:
    """A copy of run.py in a folder of its own, whose calls are recorded and answered."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.calls: list[list[str]] = []
        self.answers: dict[str, int | BaseException] = {}  # word in the command: its outcome
        (folder / "requirements").mkdir(parents=True)
        for name in ("run", "test", "lab", "bench"):
            (folder / "requirements" / f"{name}.txt").write_text(f"{name}==1\n")
        (folder / "pyproject.toml").write_text("[project]\n")
        (folder / "run.py").write_text((ROOT / "run.py").read_text())
        self.run = load(folder / "run.py")
        monkeypatch.setattr(self.run.subprocess, "call", self.answer)
        monkeypatch.delenv("CI", raising=False)

    def answer(self, command: list[str], **_: object) -> int:
        self.calls.append(command)
        if "venv" in command:
            python = Path(self.run.venv_python())
            python.parent.mkdir(parents=True, exist_ok=True)
            python.touch()
        for word, outcome in self.answers.items():
            if any(word in part for part in command):
                if isinstance(outcome, BaseException):
                    raise outcome
                return outcome
        return 0

    def set_up(self, name: str) -> list[str]:
        """Set up and return what was done, in three words."""
        self.calls.clear()
        self.run.set_up(name)
        return self.done()

    def done(self) -> list[str]:
        kinds = []
        for command in self.calls:
            if "venv" in command:
                kinds.append("make")
            elif "--editable" in command:
                kinds.append("project")
            else:
                kinds.append("install " + Path(command[-1]).stem)
        return kinds

    @property
    def mark(self) -> dict[str, object]:
        return json.loads((self.folder / ".venv" / "croupier-run.json").read_text())


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("run_under_test", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    return Checkout(tmp_path / "croupier", monkeypatch)


EVERYTHING = ["make", "install run", "project"]


# ---- what the words need ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "needs"),
    [
        ([], "run"),
        (["rules", "list"], "run"),
        (["case", "run", "test"], "run"),
        (["--help"], "run"),
        (["test", "-k", "cards"], "test"),
        (["bench", "--json"], "bench"),
    ],
)
def test_the_first_word_says_what_is_needed(checkout: Checkout, words: list[str], needs: str):
    assert checkout.run.requirement_set(words) == needs


def test_the_lab_is_installed_only_once_it_has_a_command(checkout: Checkout):
    assert checkout.run.requirement_set(["lab", "edge"]) == "run"
    command = checkout.folder / "src" / "croupier" / "cli" / "lab.py"
    command.parent.mkdir(parents=True)
    command.touch()
    assert checkout.run.requirement_set(["lab", "edge"]) == "lab"


@pytest.mark.parametrize(
    ("words", "needs"),
    [
        (["lab", "simulate", "v3"], "lab"),
        (["lab", "simulate", "v3", "--workers", "2"], "cluster"),
        (["lab", "simulate", "v3", "--workers=2"], "cluster"),
        (["lab", "simulate", "v3", "--cluster", "tcp://host:8786"], "cluster"),
        (["serve", "--workers", "2"], "run"),
        (["serve", "--loop", "auto"], "run"),
        (["serve", "--loop", "uvloop"], "uvloop"),
        (["serve", "--loop=uvloop", "--port", "8080"], "uvloop"),
        (["rules", "outcomes", "v5", "v8"], "lab"),
        (["rules", "diff", "v2", "v3"], "run"),
    ],
)
def test_workers_of_the_lab_are_installed_when_they_are_asked_for(checkout, words, needs):
    command = checkout.folder / "src" / "croupier" / "cli" / "lab.py"
    command.parent.mkdir(parents=True)
    command.touch()
    assert checkout.run.requirement_set(words) == needs


def test_every_set_has_its_pinned_file():
    for name in ("run", "test", "lab", "cluster", "env", "uvloop", "bench"):
        assert (ROOT / "requirements" / f"{name}.txt").is_file()


# ---- setting up ------------------------------------------------------------------------------


def test_the_first_start_makes_installs_and_links(checkout: Checkout):
    assert checkout.set_up("run") == EVERYTHING
    assert checkout.mark["whole"] is True


def test_packages_come_by_hash_and_as_wheels_only(checkout: Checkout):
    checkout.set_up("run")
    install = checkout.calls[1]
    assert "--require-hashes" in install
    assert install[install.index("--only-binary") + 1] == ":all:"
    project = checkout.calls[2]
    assert {"--no-deps", "--no-build-isolation", "--no-index"} <= set(project)


def test_the_second_start_does_nothing(checkout: Checkout):
    checkout.set_up("run")
    assert checkout.set_up("run") == []


def test_another_set_is_added_and_the_first_one_kept(checkout: Checkout):
    checkout.set_up("run")
    assert checkout.set_up("test") == ["install test"]
    assert checkout.set_up("run") == []
    assert checkout.set_up("test") == []


def test_new_pins_are_installed(checkout: Checkout):
    checkout.set_up("run")
    (checkout.folder / "requirements" / "run.txt").write_text("run==2\n")
    assert checkout.set_up("run") == ["install run"]
    assert checkout.set_up("run") == []


def test_a_changed_pyproject_links_the_project_again(checkout: Checkout):
    checkout.set_up("run")
    (checkout.folder / "pyproject.toml").write_text("[project]\nversion = '2'\n")
    assert checkout.set_up("run") == ["project"]


def test_a_moved_folder_is_set_up_anew(checkout: Checkout, monkeypatch: pytest.MonkeyPatch):
    checkout.set_up("run")
    moved = checkout.folder.with_name("moved")
    checkout.folder.rename(moved)
    checkout.folder, checkout.run = moved, load(moved / "run.py")
    assert checkout.set_up("run") == EVERYTHING


def test_another_python_makes_it_anew(checkout: Checkout, monkeypatch: pytest.MonkeyPatch):
    checkout.set_up("run")
    here = checkout.run.home()
    monkeypatch.setattr(checkout.run, "home", lambda: {**here, "python": "3.99"})
    assert checkout.set_up("run") == EVERYTHING


def test_an_interpreter_that_is_gone_makes_it_anew(checkout: Checkout):
    checkout.set_up("run")
    Path(checkout.run.venv_python()).unlink()
    assert checkout.set_up("run") == EVERYTHING


def test_nothing_of_the_old_environment_is_left_when_it_is_made_anew(checkout: Checkout):
    checkout.set_up("run")
    old = checkout.folder / ".venv" / "lib" / "old"
    old.mkdir(parents=True)
    Path(checkout.run.venv_python()).unlink()
    checkout.set_up("run")
    assert not old.exists()


# ---- when something goes wrong ---------------------------------------------------------------


@pytest.mark.parametrize("where", ["venv", "--require-hashes", "--editable"])
def test_an_interrupted_first_set_up_begins_again(checkout: Checkout, where: str):
    checkout.answers[where] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        checkout.run.set_up("run")
    checkout.answers.clear()
    assert checkout.set_up("run") == EVERYTHING


def test_an_interrupted_second_set_begins_again_from_nothing(checkout: Checkout):
    checkout.set_up("run")
    checkout.answers["test.txt"] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        checkout.run.set_up("test")
    checkout.answers.clear()
    assert checkout.set_up("run") == EVERYTHING


def test_without_a_network_what_was_installed_still_starts(checkout: Checkout):
    checkout.set_up("run")
    checkout.answers["test.txt"] = 1
    with pytest.raises(checkout.run.Trouble, match="PIP_NO_INDEX"):
        checkout.run.set_up("test")
    assert checkout.set_up("run") == []


def test_a_pip_that_was_killed_leaves_nothing_to_trust(checkout: Checkout):
    checkout.set_up("run")
    checkout.answers["test.txt"] = -9
    with pytest.raises(checkout.run.Trouble):
        checkout.run.set_up("test")
    checkout.answers.clear()
    assert checkout.set_up("run") == EVERYTHING


def test_pins_that_change_during_the_set_up_are_installed_next_time(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
):
    def call(command: list[str], **_: object) -> int:
        if "--require-hashes" in command:
            (checkout.folder / "requirements" / "run.txt").write_text("run==2\n")
        return checkout.answer(command)

    monkeypatch.setattr(checkout.run.subprocess, "call", call)
    checkout.set_up("run")
    assert checkout.set_up("run") == ["install run"]


def test_without_a_network_the_first_start_says_what_to_do(
    checkout: Checkout, capfd: pytest.CaptureFixture[str]
):
    checkout.answers["run.txt"] = 1
    assert checkout.run.main(["rules", "list"]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert "pip download" in err
    assert "requirements/run.txt" in err


def test_a_torn_mark_counts_as_none(checkout: Checkout):
    checkout.set_up("run")
    for torn in ("", "{", "[]", "null"):
        (checkout.folder / ".venv" / "croupier-run.json").write_text(torn)
        assert checkout.set_up("run") == EVERYTHING


def test_an_environment_that_somebody_else_made_is_left_alone(
    checkout: Checkout, capfd: pytest.CaptureFixture[str]
):
    theirs = checkout.folder / ".venv" / "pyvenv.cfg"
    theirs.parent.mkdir()
    theirs.write_text("theirs")
    assert checkout.run.main([]) == 2
    assert "did not make" in capfd.readouterr().err
    assert theirs.read_text() == "theirs"
    assert checkout.calls == []


def test_a_missing_ensurepip_is_named_with_its_remedy(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    assert checkout.run.main([]) == 2
    err = capfd.readouterr().err
    assert "lacks ensurepip" in err
    assert f"apt install python3.{sys.version_info.minor}-venv" in err
    assert not (checkout.folder / ".venv").exists()


def test_a_folder_that_cannot_be_written_is_said_so(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(checkout.run.os, "mkdir", refuse)
    assert checkout.run.main([]) == 2
    assert "Permission denied" in capfd.readouterr().err


def test_two_starts_at_once_set_up_only_once(checkout: Checkout, capfd: pytest.CaptureFixture[str]):
    run = checkout.run
    run.claim_folder()
    with run.Locked():
        second = threading.Thread(target=run.set_up, args=("run",))
        second.start()
        second.join(0.3)
        assert second.is_alive()  # it waits
        assert checkout.calls == []
        # Meanwhile the first one, which holds the lock, gets ready.
        Path(run.venv_python()).parent.mkdir()
        Path(run.venv_python()).touch()
        sets = {"run": run.digest(run.requirements_file("run"))}
        project = run.digest(str(checkout.folder / "pyproject.toml"))
        run.write_mark({"home": run.home(), "sets": sets, "project": project, "whole": True})
    second.join(10)
    assert not second.is_alive()
    assert checkout.calls == []
    assert "waiting" in capfd.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="Windows has no inherited locks")
def test_pip_holds_the_lock_with_us(checkout: Checkout, monkeypatch: pytest.MonkeyPatch):
    passed: list[object] = []

    def call(command: list[str], **options: object) -> int:
        passed.append(options["pass_fds"])
        return checkout.answer(command)

    monkeypatch.setattr(checkout.run.subprocess, "call", call)
    checkout.run.set_up("run")
    assert len(passed) == 3
    assert all(passed)
    assert checkout.run.Locked.held == ()


# ---- handing over ----------------------------------------------------------------------------


class Replaced(Exception):
    """Raised where the process would have been replaced."""


@pytest.fixture
def replaced(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    commands: list[list[str]] = []

    def execv(path: str, command: list[str]) -> None:
        assert path == command[0] == checkout.run.venv_python()
        commands.append(command[1:])
        raise Replaced

    monkeypatch.setattr(checkout.run, "WINDOWS", False)
    monkeypatch.setattr(checkout.run.os, "execv", execv)
    return commands


@pytest.mark.skipif(os.name == "nt", reason="a process is not replaced on Windows")
@pytest.mark.parametrize(
    ("words", "command", "moves"),
    [
        ([], ["-P", "-m", "croupier"], False),
        (["rules", "show", "x y"], ["-P", "-m", "croupier", "rules", "show", "x y"], False),
        (["bench", "--json"], ["-m", "benchmarks", "--json"], True),
    ],
)
def test_the_words_are_passed_on(
    checkout: Checkout,
    replaced: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    command: list[str],
    moves: bool,
):
    elsewhere = checkout.folder.parent
    monkeypatch.chdir(elsewhere)
    with pytest.raises(Replaced):
        checkout.run.main(words)
    assert replaced == [command]
    # A case file's path is the caller's; the benchmarks are found from the root.
    assert Path.cwd() == (checkout.folder if moves else elsewhere)


@pytest.mark.skipif(os.name == "nt", reason="a process is not replaced on Windows")
def test_when_every_check_passes_the_tests_replace_it(
    checkout: Checkout,
    replaced: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(checkout.folder)
    with pytest.raises(Replaced):
        checkout.run.main(["test", "-k", "cards"])
    assert replaced == [[*checkout.run.PYTEST, "-k", "cards"]]
    out, err = capfd.readouterr()
    assert out == ""
    for stage in ("lint", "format", "types", "contracts", "tests"):
        assert f"test: {stage}\n" in err


@pytest.mark.skipif(os.name == "nt", reason="a process is not replaced on Windows")
@pytest.mark.parametrize(("words", "kept"), [(["test"], False), (["rules", "list"], True)])
def test_only_the_tests_write_down_what_was_compiled_where_one_should_not(
    checkout: Checkout,
    replaced: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    kept: bool,
):
    monkeypatch.chdir(checkout.folder)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    with pytest.raises(Replaced):
        checkout.run.main(words)
    assert ("PYTHONDONTWRITEBYTECODE" in os.environ) == kept


def test_a_failed_check_is_named_and_hides_nothing(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(checkout.folder)
    checkout.run.set_up("test")
    checkout.calls.clear()
    checkout.answers["mypy"] = 1
    assert checkout.run.main(["test"]) == 1
    assert len(checkout.calls) == len(checkout.run.CHECKS) + 1
    assert "pytest" in checkout.calls[-1]
    err = capfd.readouterr().err
    assert "test: types FAILED; alone: .venv" in err
    assert err.endswith("test: FAILED: types\n")


def test_in_ci_the_checks_run_beside_the_tests_and_what_fails_is_shown_after_them(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(checkout.folder)
    checkout.run.set_up("test")
    checkout.calls.clear()
    types_began, answer = threading.Event(), checkout.answer

    def call(command: list[str], stdout: IO[bytes] | None = None, **how: object) -> int:
        if "mypy" in command:
            types_began.set()
            assert stdout is not None
            stdout.write(b"a.py:1: error: no such type\n")
        if "pytest" in command:
            assert types_began.wait(10), "the tests wait for the checks"
            sys.stderr.write("the tests speak\n")
        return answer(command, **how)

    monkeypatch.setattr(checkout.run.subprocess, "call", call)
    monkeypatch.setenv("CI", "1")
    checkout.answers["mypy"] = 1
    assert checkout.run.main(["test"]) == 1
    assert len(checkout.calls) == len(checkout.run.CHECKS) + 1
    _, _, after = capfd.readouterr().err.partition("the tests speak\n")
    error, alone, failed = after.splitlines()
    assert error == "a.py:1: error: no such type"
    assert "test: types FAILED; alone: .venv" in alone
    assert failed.endswith("test: FAILED: types")


@pytest.mark.parametrize(
    ("names", "again", "status", "says"),
    [
        (["a.py::b"], 0, 0, "UNSTEADY, failed once and passed alone: a.py::b"),
        (["a.py::b"], 1, 1, "FAILED: tests"),
        (["a::b", "a::c", "a::d", "a::e"], None, 1, "FAILED: tests"),  # that is no accident
    ],
)
def test_in_ci_a_few_tests_that_fail_get_a_second_look(
    checkout: Checkout,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    names: list[str],
    again: int | None,
    status: int,
    says: str,
):
    monkeypatch.chdir(checkout.folder)
    checkout.run.set_up("test")
    checkout.calls.clear()
    cache = checkout.folder / ".pytest_cache" / "v" / "cache"
    cache.mkdir(parents=True)
    (cache / "lastfailed").write_text(json.dumps(dict.fromkeys(names, True)))
    checkout.answers["--dist"] = 1
    checkout.answers["-n0"] = again or 0
    monkeypatch.setenv("CI", "1")
    assert checkout.run.main(["test"]) == status
    looks = [call[-len(names) :] for call in checkout.calls if "-n0" in call]
    assert looks == ([] if again is None else [names])
    assert capfd.readouterr().err.endswith(f"test: {says}\n")


def test_at_the_desk_nothing_gets_a_second_look(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(checkout.folder)
    checkout.run.set_up("test")
    checkout.calls.clear()
    checkout.answers["mypy"] = 1  # or this process would be replaced
    checkout.answers["--dist"] = 1
    assert checkout.run.main(["test"]) == 1
    assert not any("-n0" in call for call in checkout.calls)


def test_an_interrupted_check_ends_it_without_a_traceback(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(checkout.folder)
    checkout.run.set_up("test")
    checkout.calls.clear()
    checkout.answers["ruff"] = KeyboardInterrupt()
    assert checkout.run.main(["test"]) == 130
    assert len(checkout.calls) == 1


def test_a_check_is_named_as_one_would_type_it(checkout: Checkout):
    python = str(Path(".venv", "Scripts" if os.name == "nt" else "bin", "python"))
    said = [checkout.run.in_shell(command) for _, command in checkout.run.CHECKS]
    assert said[0].startswith(python)
    assert said[0].endswith("-m ruff check .")
    assert said[-1].endswith('-c "import importlinter.cli as c; c.lint_imports_command()"')


def test_windows_waits_for_the_command_and_returns_its_status(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
):
    class Child:
        waits = 0

        def wait(self) -> int:
            self.waits += 1
            if self.waits == 1:
                raise KeyboardInterrupt
            return 7

    monkeypatch.setattr(checkout.run, "WINDOWS", True)
    monkeypatch.setattr(checkout.run.subprocess, "Popen", lambda command: Child())
    assert checkout.run.become(["-m", "croupier"]) == 7


# ---- a Python that is too old ----------------------------------------------------------------


def test_an_old_python_is_told_so_before_anything_is_touched(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(checkout.run.sys, "version_info", (3, 10, 13, "final", 0))
    monkeypatch.setenv("PATH", "")
    assert checkout.run.main(["test"]) == 2
    assert "needs Python 3.11 or newer; this is Python 3.10" in capfd.readouterr().err
    assert checkout.calls == []
    assert not (checkout.folder / ".venv").exists()


def test_a_newer_python_beside_the_old_one_is_pointed_out(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    newer = tmp_path / "bin" / "python3.12"
    newer.parent.mkdir()
    newer.touch()
    newer.chmod(0o755)
    monkeypatch.setattr(checkout.run.sys, "version_info", (3, 8, 0, "final", 0))
    monkeypatch.setenv("PATH", str(newer.parent))
    assert "python3.12 run.py" in checkout.run.old_python()
    checkout.answers["python3.12"] = 127  # a name that starts nothing
    assert "python3.12 run.py" not in checkout.run.old_python()


def test_an_old_python_can_read_the_script():
    """What Python 2.7 could not parse, checked on the tree that this Python makes of it."""
    source = (ROOT / "run.py").read_text(encoding="utf-8")
    assert source.isascii()
    for node in ast.walk(ast.parse(source)):
        assert not isinstance(node, ast.JoinedStr | ast.AnnAssign | ast.NamedExpr | ast.Nonlocal)
        assert not isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.Match | ast.YieldFrom)
        if isinstance(node, ast.FunctionDef):
            every = [*node.args.args, *node.args.posonlyargs]
            assert node.returns is None
            assert not any(argument.annotation for argument in every)
            assert not node.args.kwonlyargs
        if isinstance(node, ast.Raise):
            assert node.cause is None
        if isinstance(node, ast.Call):
            assert getattr(node.func, "id", "") != "print"
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            assert not any(isinstance(item, ast.Starred) for item in node.elts)


def test_standard_output_is_left_to_the_command(
    checkout: Checkout, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    targets: list[object] = []

    def call(command: list[str], **options: object) -> int:
        targets.append(options.get("stdout"))
        return checkout.answer(command)

    monkeypatch.setattr(checkout.run.subprocess, "call", call)
    checkout.run.set_up("run")
    assert capfd.readouterr().out == ""
    assert len(targets) == 3
    assert all(target is sys.stderr for target in targets)


@pytest.mark.skipif(os.name == "nt", reason="needs a symbolic link")
def test_the_real_script_says_its_words_and_status_through(tmp_path: Path):
    """The whole way once, with an environment that needs nothing: this very interpreter's."""
    folder = tmp_path / "real"
    (folder / "requirements").mkdir(parents=True)
    (folder / "requirements" / "run.txt").write_text("")
    (folder / "pyproject.toml").write_text("")
    (folder / "run.py").write_text((ROOT / "run.py").read_text())
    run = load(folder / "run.py")
    Path(run.venv_python()).parent.mkdir(parents=True)
    Path(run.venv_python()).symlink_to(sys.executable)
    sets = {"run": run.digest(run.requirements_file("run"))}
    mark = {"home": run.home(), "sets": sets, "whole": True}
    run.write_mark({**mark, "project": run.digest(str(folder / "pyproject.toml"))})
    (tmp_path / "croupier.py").write_text("import sys; print(sys.argv[1:]); sys.exit(5)")
    result = subprocess.run(
        [sys.executable, str(folder / "run.py"), "rules", "a b"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.stdout, result.returncode) == ("['rules', 'a b']\n", 5)
