"""The pages' JavaScript is type-checked against the records of the server.

Without Node and TypeScript the check is skipped and says so; where `CI` is set, that is a failure.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.web import records

HERE = Path(__file__).parent
APP = records.FILE.parent


def test_the_records_of_the_page_are_those_of_the_server():
    assert records.FILE.read_text(encoding="utf-8") == records.written(), (
        "the records of the server have changed: python -m tests.web.records"
    )


def test_no_module_turns_the_check_off():
    for path in sorted(APP.glob("*.js")):
        assert not re.search(r"@ts-(ignore|nocheck|expect-error)", path.read_text("utf-8")), path


@pytest.fixture(scope="module")
def tsc() -> list[str]:
    """TypeScript as `npm ci --prefix tests/web` has installed it."""
    node, found = shutil.which("node"), HERE / "node_modules" / "typescript" / "bin" / "tsc"
    if node is not None and found.exists():
        return [node, str(found)]
    what = "there is no Node" if node is None else "TypeScript is not installed"
    if os.environ.get("CI"):
        pytest.fail(f"{what}: the types of the pages must be checked in CI")
    pytest.skip(f"{what}: see CONTRIBUTING")


def test_the_modules_of_the_pages_have_no_type_error(tsc: list[str]):
    found = subprocess.run(
        [*tsc, "-p", str(HERE), "--pretty", "false"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout


@pytest.mark.slow
def test_a_field_that_the_server_no_longer_sends_is_an_error(tsc: list[str], tmp_path: Path):
    app = tmp_path / "app"
    shutil.copytree(APP, app)
    made = app / records.FILE.name
    sent = made.read_text("utf-8")
    assert "  dealer_hand: string;" in sent
    made.write_text(sent.replace("  dealer_hand: string;", "  hand_of_dealer: string;"), "utf-8")
    settings = (HERE / "tsconfig.json").read_text("utf-8")
    (tmp_path / "tsconfig.json").write_text(settings.replace("../../src/croupier/web/", ""))
    found = subprocess.run(
        [*tsc, "-p", str(tmp_path), "--pretty", "false"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode != 0
    assert "banked-stage.js" in found.stdout
    assert "dealer_hand" in found.stdout
