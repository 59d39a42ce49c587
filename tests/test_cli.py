"""The root of the command line: lazy, helpful about a wrong word, one line for a named error."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import click
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from croupier import __version__
from croupier.cli import main as root
from croupier.cli import serve, welcome
from croupier.rulebooks import BOOKS


def call(*words: str) -> Result:
    return CliRunner().invoke(root.croupier, words, prog_name="croupier")


def test_the_version():
    assert call("--version").output == f"croupier, version {__version__}\n"


def test_help_lists_every_command():
    shown = call("--help").output
    for name, lazy in root.COMMANDS.items():
        assert f"  {name}" in shown
        assert lazy.summary in shown


def test_help_imports_no_command():
    """Nor anything of a floor below: that is what keeps it quick."""
    code = (
        "import sys\nfrom croupier.cli.main import croupier\n"
        "try:\n    croupier(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted(n for n in sys.modules if n.startswith(('croupier.', 'rich', 'msgspec'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    own = [f"croupier.cli{name}" for name in ("", ".groups", ".main", ".outputs")]
    assert done.stdout.splitlines()[-1] == str(own)


@pytest.mark.parametrize(
    ("typed", "meant"), [("rule", "rules"), ("cases", "case"), ("RULES", "rules")]
)
def test_a_mistyped_command_is_answered_with_the_nearest(typed: str, meant: str):
    result = call(typed)
    assert result.exit_code == 2
    assert f"No such command '{typed}'. Did you mean '{meant}'?" in result.output


def test_a_word_like_no_command_is_answered_with_all_of_them():
    result = call("zzzz")
    assert result.exit_code == 2
    assert f"The commands are: {', '.join(sorted(root.COMMANDS))}." in result.output


def groups(command: click.Group, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words that lead to each group of commands."""
    yield path
    context = click.Context(command)
    for name in command.list_commands(context):
        below = command.get_command(context, name)
        if isinstance(below, click.Group):
            yield from groups(below, (*path, name))


def commands(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words that lead to each command, groups too."""
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands(below, (*path, name))


def test_every_help_has_an_example_and_is_written_for_everybody():
    """A user is nobody's *he*, and reads no format of a programming language."""
    told = {path: call(*path, "--help").output for path in commands(root.croupier, ())}
    assert len(told) > 150
    for path, shown in told.items():
        assert "Example" in shown, path
        assert "%Y" not in shown, path
        assert not re.search(r"\b(he|him|his|himself)\b", shown, re.IGNORECASE), path


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("audit", "log", "--day", "2026-13-40"), "'2026-13-40' is no day; write 2026-11-16"),
        (("office", "report", "day", "--day", "today"), "'today' is no day; write 2026-11-16"),
        (
            ("office", "staff", "assign", "--until", "tonight"),
            "'tonight' is no time; write 2026-11-16T20:15",
        ),
    ],
)
def test_a_day_that_is_none_is_answered_with_how_it_is_written(words: tuple[str, ...], says: str):
    assert says in call(*words[:-2], "sqlite:///none.db", *words[-2:]).output


def test_every_list_of_commands_has_whole_sentences():
    for path in groups(root.croupier, ()):
        shown = call(*path, "--help").output.partition("\nCommands:\n")[2]
        assert shown, path
        assert "..." not in shown, path


def test_a_mistyped_command_below_is_answered_with_the_nearest():
    for path, typed, meant in ((("lab",), "eqity", "equity"), (("office", "table"), "ad", "add")):
        result = call(*path, typed)
        assert result.exit_code == 2
        assert f"No such command '{typed}'. Did you mean '{meant}'?" in result.output


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let a test add a command that fails as it likes."""
    monkeypatch.setattr(root.croupier, "commands", dict(root.croupier.commands))
    return monkeypatch


@pytest.mark.parametrize(("module", "name"), root.NAMED_ERRORS)
def test_a_named_error_is_one_line_and_status_2(
    module: str, name: str, failing: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    named = getattr(__import__(module, fromlist=[name]), name)

    class Particular(named):  # type: ignore[misc, valid-type]
        def __init__(self) -> None:
            Exception.__init__(self, "the card 1x cannot be read")

        __str__ = Exception.__str__

    @root.croupier.command("fail")
    def fail() -> None:
        raise Particular

    with pytest.raises(SystemExit) as left:
        root.main(["fail"])
    assert left.value.code == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "croupier: the card 1x cannot be read\n")


def test_any_other_error_keeps_its_traceback(failing: pytest.MonkeyPatch):
    @root.croupier.command("fail")
    def fail() -> None:
        raise ValueError("a defect of ours")

    with pytest.raises(ValueError, match="a defect of ours"):
        root.main(["fail"])


def test_ctrl_c_is_not_what_did_not_hold(failing: pytest.MonkeyPatch):
    @root.croupier.command("wait")
    def wait() -> None:
        raise KeyboardInterrupt

    @root.croupier.command("asked")
    def asked() -> None:
        with mock.patch("click.termui.visible_prompt_func", side_effect=KeyboardInterrupt):
            click.prompt("Your answer")

    for word in ("wait", "asked"):
        done = call(word)
        assert (done.exit_code, done.stderr) == (130, "\ncroupier: stopped before it was done\n")


SIDE_POT = "no-limit-holdem-v8/1.27-main-pot-and-side-pot"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("case", "explain", ""), "there is no file"),
        (("case", "open", SIDE_POT, "-o", "{there}/none/page.html"), "No such file or directory"),
        (("rules", "coverage", "{there}"), "there is no case file (*.toml) in"),
        (("rules", "coverage", "{there}/binary"), "binary: not UTF-8 text"),
        (
            ("rules", "matrix", "v5", "--html", "{there}/none/page.html"),
            "No such file or directory",
        ),
        (("rules", "site", "{there}/binary/below"), "binary/below: Not a directory"),
        (
            ("audit", "random", "--count", "1", "{there}/none/x"),
            "none/x: No such file or directory",
        ),
    ],
)
def test_a_file_that_cannot_be_read_or_written_is_said_in_a_line(
    words: tuple[str, ...], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    (tmp_path / "a-folder.toml").mkdir()
    with pytest.raises(SystemExit) as left:
        root.main([word.format(there=tmp_path) for word in words])
    err = capsys.readouterr().err
    assert left.value.code == 2
    assert says in err
    assert "Traceback" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_said_in_a_line():
    command = [sys.executable, "-m", "croupier", "case", "schema"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "croupier: not all could be written: No space left on device\n"


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_a_terminal_without_suits_has_letters(encoding: str):
    there = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding, "COLUMNS": "200"}
    command = [sys.executable, "-m", "croupier", "case", "explain", SIDE_POT]
    told = subprocess.run(command, capture_output=True, env=there, check=True).stdout
    assert "Ann (seat 1) has the highest card, As, and" in told.decode(encoding)
    story = subprocess.run([*command, "--json"], capture_output=True, env=there, check=True).stdout
    assert json.loads(story.decode(encoding))["passed"]
    assert "A♠, Ł😀".encode(encoding, "croupier.readable") == b"As, \\u0141\\ud83d\\ude00"


def test_a_command_that_is_none_is_said_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(root.COMMANDS, "odd", root.Lazy("croupier", "__version__", "Odd."))
    with pytest.raises(TypeError, match="no click command"):
        root.croupier.get_command(click.Context(root.croupier), "odd")


# ---- the welcome -----------------------------------------------------------------------------


def shown() -> str:
    out = io.StringIO()
    welcome.show_welcome(Console(file=out, width=100))
    return out.getvalue()


def test_the_welcome_lists_the_rulebooks_that_are_installed():
    assert __version__ in shown()
    for book in BOOKS:
        assert book in shown()


def test_about_is_the_welcome():
    result = call("about")
    assert result.exit_code == 0
    assert "What is here" in result.output


def test_plain_croupier_opens_the_casino(monkeypatch: pytest.MonkeyPatch):
    opened = []
    monkeypatch.setattr(serve.serve, "callback", lambda **options: opened.append(options))
    assert call().exit_code == 0
    [options] = opened
    assert options["config_file"] is None
    assert options["no_browser"] is False


def test_the_welcome_counts_the_cases_on_the_spot(monkeypatch: pytest.MonkeyPatch):
    of_one, of_two = f'rulebook = "{BOOKS[0]}"', f'rulebooks = ["{BOOKS[1]}", "{BOOKS[0]}"]'
    cases = [(f"{n}.toml", of_one if n % 2 else of_two) for n in range(417)]
    monkeypatch.setattr(welcome, "shipped_cases", lambda: iter(cases))
    [line] = [line for line in shown().splitlines() if line.strip().startswith(BOOKS[0])]
    assert line.split()[-1] == "417"


def test_the_welcome_announces_only_what_is_not_there(monkeypatch: pytest.MonkeyPatch):
    there_and_not = (("croupier.cards", "the cards"), ("croupier.nowhere.x", "the moon"))
    monkeypatch.setattr(welcome, "TO_COME", there_and_not)
    assert "the moon" in shown()
    assert "the cards" not in shown()


def test_the_welcome_suggests_only_commands_that_exist():
    for command, _ in welcome.TRY:
        words = [word for word in command.split()[1:] if word.isalpha()]
        assert call(*words, "--help").exit_code == 0, command
