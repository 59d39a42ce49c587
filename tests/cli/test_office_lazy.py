"""`croupier office --help` imports no order, and tells of each what it tells of itself."""

import importlib
import subprocess
import sys

import pytest
from click.testing import CliRunner

from croupier.cli.main import croupier
from croupier.cli.office import ORDERS


@pytest.mark.parametrize("name", ORDERS)
def test_the_list_of_orders_says_what_each_says_of_itself(name: str):
    lazy = ORDERS[name]
    command = getattr(importlib.import_module(lazy.module), lazy.name)
    assert command.name == name
    assert lazy.summary == command.get_short_help_str(limit=200)


def modules_after(*words: str) -> set[str]:
    """What is loaded after a call of the command line, in a process of its own."""
    code = (
        "import sys\nfrom croupier.cli.main import croupier\n"
        f"try:\n    croupier({list(words)!r})\nexcept SystemExit:\n    pass\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_help_imports_no_order():
    loaded = modules_after("office", "--help")
    assert "croupier.cli.office" in loaded
    assert not {name for name in loaded if name.startswith(("croupier.house", "rich", "msgspec"))}


def test_an_order_loads_neither_the_reports_nor_the_server():
    loaded = modules_after("office", "cash", "in", "--help")
    assert "croupier.cli.office_cage" in loaded
    assert not {
        name for name in loaded if name.startswith(("croupier.house.reports", "croupier.live"))
    }


def test_a_mistyped_order_is_answered_with_the_nearest():
    result = CliRunner().invoke(croupier, ["office", "tables"])
    assert result.exit_code == 2
    assert "No such command 'tables'. Did you mean 'table'?" in result.output
