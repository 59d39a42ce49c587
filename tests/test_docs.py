"""The documentation is complete and true: commands, options, settings, links, examples.

Each check is a function that returns what it finds wrong, tried here on something wrong first.
"""

import ast
import doctest
import importlib
import pkgutil
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import click
import msgspec
import pytest

import croupier
from croupier.cli.main import COMMANDS
from croupier.cli.main import croupier as croupier_command

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "croupier"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


# ---- commands --------------------------------------------------------------------------------


def commands(root: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """Walk the tree: each command with the words that call it."""
    yield name, root
    if isinstance(root, click.Group):
        context = click.Context(root, info_name=name)
        for word in root.list_commands(context):
            below = root.get_command(context, word)
            assert below is not None
            yield from commands(below, f"{name} {word}")


def sections(page: str) -> dict[str, str]:
    """Cut a page at its headings: the text under each, by the heading without its marks."""
    pieces = re.split(r"^#+ +(.+?) *$", page, flags=re.MULTILINE)
    return {
        heading.strip("`"): body for heading, body in zip(pieces[1::2], pieces[2::2], strict=True)
    }


def undocumented_commands(root: click.Command, name: str, page: str) -> list[str]:
    """Name each command or option without help, without an example, or not on the page."""
    faults = []
    on_page = sections(page)
    known = dict(commands(root, name))
    for words, command in known.items():
        if not (command.help or "").strip():
            faults.append(f"{words}: no help")
        told = f"{command.help}\n{command.epilog}"
        if not re.search(rf"(?s)\bExamples?:.*\b{re.escape(words)}\b", told):
            faults.append(f"{words}: no example in its help")
        section = on_page.get(words)
        if section is None:
            faults.append(f"{words}: no section on the page")
            section = ""
        elif words not in section:
            faults.append(f"{words}: no example on the page")
        for parameter in command.params:
            if isinstance(parameter, click.Argument):
                shown = (parameter.metavar or parameter.name or "").strip("[].…")
                if shown.upper() not in f"{told}{section}":
                    faults.append(f"{words}: {shown.upper()} is explained nowhere")
            elif isinstance(parameter, click.Option) and not parameter.hidden:
                option = max(parameter.opts, key=len)
                if not (parameter.help or "").strip():
                    faults.append(f"{words} {option}: no help")
                if option not in section:
                    faults.append(f"{words} {option}: not in its section of the page")
    called = name.split()[0]
    faults += [
        f"{heading}: on the page, but there is no such command"
        for heading in on_page
        if heading.startswith(f"{called} ") and heading not in known
    ]
    return faults


def test_every_command_and_option_is_documented():
    faults = undocumented_commands(croupier_command, "croupier", text(DOCS / "cli.md"))
    assert not faults, "\n".join(faults)


def test_the_check_of_commands_can_fail():
    @click.group(help="A tool.", epilog="Example: tool deal 5")
    def tool() -> None: ...

    @tool.command(help="Deal. Example: tool deal 5")
    @click.argument("count")
    @click.option("--burn", help="Burn first.")
    @click.option("--quiet")
    def deal(count: str, burn: str, quiet: str) -> None: ...

    @tool.command()
    def shuffle() -> None: ...

    page = "# tool\ntool deal 5\n## `tool deal`\ntool deal 5 COUNT --quiet\n## `tool cut`\n"
    assert undocumented_commands(tool, "tool", page) == [
        "tool deal --burn: not in its section of the page",
        "tool deal --quiet: no help",
        "tool shuffle: no help",
        "tool shuffle: no example in its help",
        "tool shuffle: no section on the page",
        "tool cut: on the page, but there is no such command",
    ]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(name: str):
    """`croupier --help` imports no sub-command, so it has each one's line from a table."""
    lazy = COMMANDS[name]
    command = getattr(importlib.import_module(lazy.module), lazy.name)
    assert command.name == name
    assert lazy.summary == command.get_short_help_str(limit=200)


def unknown_calls(page: str, known: dict[str, click.Command]) -> list[str]:
    """Name the calls of croupier in a page's code that no command answers."""
    faults = []
    blocks = re.findall(r"```(?:sh|console|bash|text)?\n(.*?)```", page, re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    lines += [line.strip() for line in re.findall(r"^ {4}(\S.*)$", page, re.MULTILINE)]
    lines += re.findall(r"`((?:croupier|python3 run\.py) [^`]+)`", page)
    for line in lines:
        call = line.removeprefix("$ ")
        if call.startswith("python3 run.py"):
            call = call.replace("python3 run.py", "croupier", 1)
            if re.match(r"croupier (test|bench)\b", call):
                continue
        if not call.startswith("croupier "):
            continue
        words = shlex.split(call.split("|")[0], comments=True)
        path = words[0]
        for word in words[1:]:
            below = known.get(path)
            if not isinstance(below, click.Group) or not re.fullmatch(r"[a-z]+", word):
                break
            path = f"{path} {word}"
            if path not in known:
                faults.append(call)
                break
    return faults


def test_every_call_in_the_documentation_exists():
    known = dict(commands(croupier_command, "croupier"))
    for page in PAGES:
        assert not unknown_calls(text(page), known), page


def test_the_check_of_calls_can_fail():
    known = dict(commands(croupier_command, "croupier"))
    page = "```sh\npython3 run.py ruels list\ncroupier rules lists\n```\nand `croupier cases`."
    assert len(unknown_calls(page, known)) == 3
    assert unknown_calls("```\npython3 run.py test -k x\ncroupier --help\n```", known) == []


# ---- settings --------------------------------------------------------------------------------

VARIABLE = re.compile(r"\bCROUPIER_[A-Z][A-Z0-9_]*\b")


def variables_in(path: Path) -> set[str]:
    """Return the environment variables of ours that a source file names in a string."""
    source = text(path)
    named = set(VARIABLE.findall(source))
    if path.suffix != ".py" or not named:  # what is nowhere in a file need not be looked for
        return named
    return {
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and VARIABLE.fullmatch(node.value)
    }


def settings_in(modules: list[ModuleType]) -> dict[str, list[str]]:
    """Return the fields of every struct `Settings`, by the module that defines it."""
    found = {}
    for module in modules:
        settings = getattr(module, "Settings", None)
        if isinstance(settings, type) and issubclass(settings, msgspec.Struct):
            fields = msgspec.structs.fields(settings)
            found[module.__name__] = [field.encode_name for field in fields]
    return found


def undocumented_settings(
    variables: set[str], fields: dict[str, list[str]], page: str
) -> list[str]:
    """Name what the page lacks, and the variables that it has in vain."""
    on_page = set(re.findall(r"`([^`\n]+)`", page))
    faults = [f"{name}: not on the page" for name in sorted(variables - on_page)]
    in_vain = {name for name in on_page if VARIABLE.fullmatch(name)} - variables
    faults += [f"{name}: nobody reads it" for name in sorted(in_vain)]
    for module, names in fields.items():
        faults += [f"{module}: {name} is not on the page" for name in names if name not in on_page]
    return faults


# What only an extra brings: a module that needs one of these is passed over where it is missing.
EXTRAS = {"numba", "numpy", "matplotlib", "asyncpg", "distributed", "gymnasium", "pettingzoo"}


def lacks_an_extra(error: BaseException | None) -> bool:
    """Tell whether an import failed for want of an extra, whatever it was turned into."""
    while error is not None:
        if isinstance(error, ModuleNotFoundError):
            return (error.name or "").split(".")[0] in EXTRAS
        error = error.__cause__
    return False


def our_modules() -> list[ModuleType]:
    """Import every module of croupier, except those whose extra is not installed here."""
    modules = [croupier]
    for found in pkgutil.walk_packages(croupier.__path__, "croupier."):
        if found.name == "croupier.__main__":
            continue
        try:
            modules.append(importlib.import_module(found.name))
        except Exception as error:
            if not lacks_an_extra(error):
                raise
    return modules


def test_only_a_missing_extra_excuses_a_module():
    numba = ModuleNotFoundError(name="numba.core")
    turned = ValueError("the lab needs numba")
    turned.__cause__ = numba
    assert lacks_an_extra(numba)
    assert lacks_an_extra(turned)
    assert not lacks_an_extra(ModuleNotFoundError(name="croupier.lab.gone"))
    assert not lacks_an_extra(ValueError("a defect"))


def test_every_setting_is_documented():
    read_by = [ROOT / "run.py", ROOT / ".ci" / "run"]
    for folder in ("src", "tests", "benchmarks"):
        read_by += sorted((ROOT / folder).rglob("*.py"))
    variables = set().union(*(variables_in(path) for path in read_by if path != Path(__file__)))
    settings = [module for module in our_modules() if module.__name__.endswith(".settings")]
    faults = undocumented_settings(variables, settings_in(settings), text(DOCS / "settings.md"))
    assert not faults, "\n".join(faults)


def test_the_check_of_settings_can_fail(tmp_path: Path):
    class Settings(msgspec.Struct, frozen=True, kw_only=True):
        rake: int
        house_rank: str

    source = tmp_path / "source.py"
    source.write_text("import os\n# CROUPIER_COMMENT\nos.environ['CROUPIER_READ']\n")
    shell = tmp_path / "run"
    shell.write_text('export CROUPIER_SHELL="$HOME"\n')
    variables = variables_in(source) | variables_in(shell)
    assert variables == {"CROUPIER_READ", "CROUPIER_SHELL"}
    module = SimpleNamespace(__name__="croupier.x.settings", Settings=Settings)
    page = "`CROUPIER_READ`, `CROUPIER_GONE` and `rake`; CROUPIER_SHELL without its marks"
    assert undocumented_settings(variables, settings_in([module]), page) == [  # type: ignore[list-item]
        "CROUPIER_SHELL: not on the page",
        "CROUPIER_GONE: nobody reads it",
        "croupier.x.settings: house_rank is not on the page",
    ]


# ---- attacks and their tests -----------------------------------------------------------------

FOLDERS = {"L": "tests/live", "H": "tests/house"}


def missing_tests(page: str) -> list[str]:
    """Name each test of a table (`L/test_x.py`: `test_a`, `test_b`) that its file does not have."""
    faults = []
    for folder, file, names in re.findall(
        r"`([LH])/(test_\w+\.py)`: ((?:`test_\w+`(?:, )?)+)", page
    ):
        source = text(ROOT / FOLDERS[folder] / file)
        for name in re.findall(r"`(test_\w+)`", names):
            if f"\ndef {name}(" not in source:
                faults.append(f"{file}: {name}")
    return faults


def test_every_attack_has_a_test_that_is_there():
    table = sections(text(DOCS / "security.md"))["Attacks"]
    rows = [row for row in table.splitlines() if row.startswith("| ") and "**" not in row]
    assert len(rows) > 30
    assert [row for row in rows[1:] if not re.search(r"`[LH]/test_\w+\.py`: `test_", row)] == []
    assert missing_tests(table) == []


def test_the_check_of_attacks_can_fail():
    page = "| x | `L/test_gate.py`: `test_pings_are_counted`, `test_nothing_of_the_kind` |"
    assert missing_tests(page) == ["test_gate.py: test_nothing_of_the_kind"]


# ---- figures -------------------------------------------------------------------------------


def test_the_readme_counts_the_cases_that_are_there():
    [said] = re.findall(r"more than ([\d,]+) examples", text(ROOT / "README.md"))
    there = len(list((SOURCE / "cases").rglob("*.toml")))
    assert int(said.replace(",", "")) < there < int(said.replace(",", "")) + 200


# ---- changes that nobody can see ---------------------------------------------------------------


def lost_places(page: str) -> list[str]:
    """Name the functions of the first column that are not in the module before them."""
    lost = []
    for row in page.splitlines():
        cell = row.split("|")[1] if row.startswith("| `") else ""
        for place in cell.split(";"):
            names = re.findall(r"`([^`]+)`", place)
            modules = [name for name in names if name.endswith(".py")]
            for module in modules:
                files = [SOURCE / module, *SOURCE.glob(f"*/{module}")]
                code = "".join(text(file) for file in files if file.is_file())
                words = [name for name in names if name not in modules]
                lost += [f"{module}: {n}" for n in words if not re.search(rf"\b{n}\b", code)]
    return lost


def test_every_place_of_an_unseen_change_is_there():
    assert lost_places(text(DOCS / "unseen-changes.md")) == []


def test_the_check_of_places_can_fail():
    assert lost_places("| `poker/pots.py`, `gather`, `no_such` | x | y |") == [
        "poker/pots.py: no_such"
    ]


# ---- links and examples ----------------------------------------------------------------------


def dead_links(page: Path) -> list[str]:
    """Name the links of a page to files that are not there, or to headings that are not."""
    faults = []
    prose = re.sub(r"```.*?```", "", text(page), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        found = path.exists()
        if found and anchor:
            found = anchor in {slug(heading) for heading in sections(text(path))}
        if not found:
            faults.append(target)
    return faults


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path):
    assert dead_links(page) == []


def test_the_check_of_links_can_fail(tmp_path: Path):
    (tmp_path / "there.md").write_text("# A heading: here\n")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](there.md) [b](gone.md) [c](there.md#a-heading-here) [d](there.md#no) "
        "[e](https://example.org/x)\n```\n[f](code.md)\n```\n"
    )
    assert dead_links(page) == ["gone.md", "there.md#no"]


def test_the_index_leads_to_every_page():
    index = text(DOCS / "README.md")
    for page in sorted(DOCS.glob("*.md")):
        assert page.name == "README.md" or f"({page.name})" in index, page.name
    decisions = text(DOCS / "decisions" / "README.md")
    for page in sorted((DOCS / "decisions").glob("0*.md")):
        assert f"({page.name})" in decisions, page.name


def failing_examples(page: str, name: str) -> int:
    """Run the examples of a page; the fences of a code block are no part of what they print."""
    unfenced = re.sub(r"^ *```.*$", "", page, flags=re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest(unfenced, {}, name, name, 0)
    return doctest.DocTestRunner().run(examples).failed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_run(page: Path):
    assert failing_examples(text(page), page.name) == 0


def test_the_check_of_examples_can_fail():
    assert failing_examples("```pycon\n>>> 1 + 1\n2\n```\n", "right") == 0
    assert failing_examples("```pycon\n>>> 1 + 1\n3\n```\n", "wrong") == 1
    assert failing_examples(">>> undefined\n1\n", "broken") == 1


@pytest.mark.parametrize("page", [ROOT / "README.md", DOCS / "engine.md"], ids=lambda p: p.name)
def test_the_first_examples_run_by_doctest_alone(page: Path):
    """As a reader would: `python -m doctest README.md`."""
    assert doctest.testfile(str(page), module_relative=False, encoding="utf-8").failed == 0


def test_the_readme_has_an_example_to_run():
    assert text(ROOT / "README.md").count(">>>") >= 5


def test_the_examples_in_the_modules_run():
    # To look through a module for examples takes longer than to see that it has none.
    having = [m for m in our_modules() if m.__file__ and ">>>" in text(Path(m.__file__))]
    assert len(having) > 10
    assert [module.__name__ for module in having if doctest.testmod(module).failed] == []
