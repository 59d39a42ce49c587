"""What is pinned is under a licence that is allowed, and the wheel's list of it is true."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
LIST = tomllib.loads((ROOT / "requirements" / "licences.toml").read_text(encoding="utf-8"))
PARTS = json.loads((ROOT / "requirements" / "croupier.cdx.json").read_text(encoding="utf-8"))
AGAIN = "write it anew: .venv/bin/python requirements/"


def script(name: str) -> ModuleType:
    """One of the scripts beside the pins."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "requirements" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


licences, sbom = script("licences"), script("sbom")


def is_allowed(expression: str, allowed: list[str]) -> bool:
    """Whether one may use it: each of what is joined by AND, one of what is joined by OR."""
    if "(" in expression:
        return False  # none has needed it yet
    return any(
        all(part in allowed for part in option.split(" AND "))
        for option in expression.split(" OR ")
    )


def test_every_pinned_package_has_its_licence():
    assert set(LIST["packages"]) == set(licences.pinned()), AGAIN + "licences.py"


def test_the_packages_themselves_say_so():
    compared = 0
    for name, versions in licences.pinned().items():
        package = licences.installed(name, versions)
        said = licences.licence_of(package) if package else ""
        if said:
            assert LIST["packages"][name] == said, f"{name}; {AGAIN}licences.py"
            compared += 1
    assert compared > 50


def test_every_licence_is_allowed():
    others = {n for n, said in LIST["packages"].items() if not is_allowed(said, LIST["allowed"])}
    assert others == set(LIST["exceptions"])


def test_what_an_installation_brings_knows_no_exception():
    brought = {part["name"] for part in PARTS["components"]}
    assert not brought & set(LIST["exceptions"])
    assert all(len(reason) > 20 for reason in LIST["exceptions"].values())


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("MIT AND GPL-3.0-only", False),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND Zlib", True),
        ("MIT AND (Zlib OR GPL-3.0-only)", False),
        ("Apache-2.0 WITH LLVM-exception", False),
        ("", False),
    ],
)
def test_the_check_of_licences_can_fail(expression: str, allowed: bool):
    assert is_allowed(expression, ["MIT", "Zlib"]) is allowed


# ---- the list in the wheel -----------------------------------------------------------------------


def named(scope: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for part in PARTS["components"]:
        if part["scope"] == scope:
            found.setdefault(part["name"], set()).add(part["version"])
    return found


def versions(name: str) -> dict[str, set[str]]:
    return {package: {*pins} for package, pins in sbom.pins(name).items()}


def test_the_list_has_what_is_pinned():
    running, building, more = named("required"), named("excluded"), named("optional")
    assert versions("run").items() <= (running | building | more).items(), AGAIN + "sbom.py"
    assert "hatchling" in building
    assert {"msgspec", "starlette", "uvicorn"} <= set(running)
    assert {"numba", "asyncpg"} <= set(more)
    lab = versions("lab").items()
    assert lab <= (running | building | more).items(), AGAIN + "sbom.py"


def test_the_list_is_of_this_version():
    component = PARTS["metadata"]["component"]
    project = sbom.PROJECT["project"]
    assert (component["name"], component["version"]) == (project["name"], project["version"])


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the pins are solved for Python 3.11")
def test_the_list_is_the_one_that_the_script_writes():
    assert sbom.written() == sbom.FILE.read_text(encoding="utf-8"), AGAIN + "sbom.py"


def test_the_list_is_cyclonedx():
    """The shape that its readers need; the published schema is not at hand here."""
    assert (PARTS["bomFormat"], PARTS["specVersion"], PARTS["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(
        r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", PARTS["serialNumber"]
    )
    parts: list[dict[str, Any]] = [PARTS["metadata"]["component"], *PARTS["components"]]
    refs = [part["bom-ref"] for part in parts]
    assert len(set(refs)) == len(refs)
    for part in parts:
        assert part["purl"] == f"pkg:pypi/{part['name']}@{part['version']}"
        assert part["licenses"][0]["expression"]
    for edge in PARTS["dependencies"]:
        assert {edge["ref"], *edge["dependsOn"]} <= set(refs)
