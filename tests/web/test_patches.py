"""The pages put patches onto their views as the server means them."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from typing import Any

import msgspec
import pytest

from croupier.live.audience import views_for
from croupier.live.patches import changes, patched
from croupier.pit import GAMES, read_case, run_case, shipped_cases
from tests.shipped import tables_of
from tests.web import records

MODULE = records.FILE.parent / "patches.js"
RUNS = """
import { readFileSync } from "node:fs";
import { patched } from "data:text/javascript;base64,%s";
for (const line of readFileSync(0, "utf8").split("\\n").filter(Boolean)) {
  const { view, patch } = JSON.parse(line);
  const before = JSON.stringify(view);
  const made = patched(view, patch);
  console.log(JSON.stringify({ made, kept: JSON.stringify(view) === before }));
}
"""


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("there is no Node: the modules of the pages must be run in CI")
        pytest.skip("there is no Node: see CONTRIBUTING")
    return found


def steps() -> list[tuple[Any, Any, Any]]:
    """Views of some cases of both families, each with its patch and the view after it."""
    found = []
    for source, text in list(shipped_cases())[::150]:
        before: dict[str, Any] = {}
        for place, table in tables_of(run_case(read_case(text, source, GAMES), GAMES)):
            view = views_for(table, [None])[None]
            if place in before:
                told = (before[place], changes(before[place], view), view)
                found.append(tuple(json.loads(msgspec.json.encode(each)) for each in told))
            before[place] = view
    return found


def test_the_page_makes_of_view_and_patch_what_the_server_means(node: str):
    given = steps()
    assert len(given) > 100
    code = RUNS % base64.b64encode(MODULE.read_bytes()).decode()
    lines = "\n".join(json.dumps({"view": old, "patch": patch}) for old, patch, _ in given)
    told = subprocess.run(
        [node, "--input-type=module", "-e", code],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    made = [json.loads(line) for line in told.stdout.splitlines()]
    for (old, patch, new), page in zip(given, made, strict=True):
        assert page["made"] == new == patched(old, patch)
        assert page["kept"], "the view before stays as it is"
