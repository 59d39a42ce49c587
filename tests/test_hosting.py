"""What a public host reads agrees with what is done here: workflow, hooks, templates."""

from __future__ import annotations

import importlib.util
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from croupier import __version__
from croupier.pit import GAMES, read_case, run_case

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HOSTED = ROOT / ".github"
WORKFLOW = HOSTED / "workflows" / "ci.yml"
FORMS = sorted(path for path in (HOSTED / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def checks() -> dict[str, list[str]]:
    """The checks that run.py makes before the tests."""
    spec = importlib.util.spec_from_file_location("run_py", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return dict(module.CHECKS)


def commands(job: str) -> list[list[str]]:
    """Each line that a job of the workflow runs, in words."""
    steps = read(WORKFLOW)["jobs"][job]["steps"]
    lines = "\n".join(step["run"] for step in steps if "run" in step).replace("\\\n", " ")
    return [shlex.split(line) for line in lines.splitlines() if line]


def test_the_workflow_makes_the_same_checks():
    done = [words[1:] for words in commands("lint-and-types") if words[0] == "python"]
    for name, words in checks().items():
        assert words in done, name


def test_the_workflow_has_every_python_that_is_promised():
    promised = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    workflow = read(WORKFLOW)
    assert workflow["jobs"]["tests"]["strategy"]["matrix"]["python"] == promised
    assert commands("tests") == [["bash", ".ci/run"]]
    assert promised[0] == PROJECT["requires-python"].removeprefix(">=")
    page = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8")
    assert f"CPython {promised[0]} to {promised[-1]}" in page


def test_the_workflow_may_only_read_and_says_what_was_never_tried():
    text = WORKFLOW.read_text(encoding="utf-8")
    assert read(WORKFLOW)["permissions"] == {"contents": "read"}
    assert all("timeout-minutes" in job for job in read(WORKFLOW)["jobs"].values())
    assert text.count("UNTRIED") >= 5
    assert "secrets." not in text


def test_the_hooks_make_the_same_checks():
    [local] = read(ROOT / ".pre-commit-config.yaml")["repos"]
    assert local["repo"] == "local"
    hooks = {hook["name"]: shlex.split(hook["entry"])[1:] for hook in local["hooks"]}
    for name, words in checks().items():
        hook = hooks[{"contracts": "import contracts"}.get(name, name)]
        # Files take the place of the folder.
        assert [word for word in hook if word != "--force-exclude"] == [
            w for w in words if w != "."
        ]


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_a_form_can_be_shown(form: Path):
    asked = read(form)
    assert {"name", "description", "body"} <= set(asked)
    ids = [part["id"] for part in asked["body"] if part["type"] != "markdown"]
    assert len(set(ids)) == len(ids) > 0
    assert all(part["attributes"].get("label") for part in asked["body"] if "id" in part)


def test_a_report_of_a_wrong_ruling_begins_with_a_case_that_runs():
    [case] = [part for part in read(HOSTED / "ISSUE_TEMPLATE" / "bug.yml")["body"] if "id" in part][
        :1
    ]
    assert case["attributes"]["render"] == "toml"
    result = run_case(read_case(case["attributes"]["value"], "the form", GAMES), GAMES)
    assert result.failures == []


def test_the_security_policy_knows_this_version():
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert f"| {__version__.rpartition('.')[0]} | yes |" in text
