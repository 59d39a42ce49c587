"""Write croupier.cdx.json anew: `.venv/bin/python requirements/sbom.py`.

To be done when the pins or the version have changed. It says what an installation of croupier
consists of, in CycloneDX 1.6, with the pinned versions and their licences: what it needs to run,
what the extras `lab` and `postgres` add (optional), and what only builds it (excluded). The wheel
carries the file in its `sboms` folder (PEP 770). The same pins always give the same file.
"""

import json
import re
import sys
import tomllib
import uuid
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
FILE = HERE / "croupier.cdx.json"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
OPTIONAL = ("lab", "postgres")
"""The extras of an installation; the others are for those who work on croupier."""


def pins(name: str) -> dict[str, list[str]]:
    """A requirements file: each package with its versions, one for each kind of environment."""
    found: dict[str, list[str]] = {}
    for line in (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if match := re.match(r"([A-Za-z0-9._-]+)==([^\s;]+)", line):
            found.setdefault(canonicalize_name(match[1]), []).append(match[2])
    return found


def needed(roots: list[str]) -> set[str]:
    """The packages that these requirements lead to, by what is installed here."""
    found: set[str] = set()
    pending = [Requirement(root) for root in roots]
    while pending:
        asked = pending.pop()
        name = canonicalize_name(asked.name)
        if name in found or (asked.marker and not asked.marker.evaluate({"extra": ""})):
            continue
        found.add(name)
        pending += [Requirement(line) for line in metadata.requires(name) or ()]
    return found


def document() -> dict[str, Any]:
    """The whole file."""
    project = PROJECT["project"]
    runs = needed(project["dependencies"])
    builds = needed([*PROJECT["build-system"]["requires"], *_builder()]) - runs
    # What is pinned for another system is not installed here; it runs with the rest.
    always = {*pins("run")} - builds
    extras = {e: needed(project["optional-dependencies"][e]) - always for e in OPTIONAL}
    versions = {**pins("test"), **pins("lab"), **pins("run")}
    scopes = dict.fromkeys(builds, "excluded") | dict.fromkeys(always, "required")
    scopes |= dict.fromkeys(set().union(*extras.values()) - always, "optional")
    licences = tomllib.loads((HERE / "licences.toml").read_text(encoding="utf-8"))["packages"]
    parts = [
        _part(name, version, scopes[name], licences[name])
        for name in sorted(scopes)
        for version in versions[name]
    ]
    whole = _purl(project["name"], project["version"])
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, whole + json.dumps(parts))}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": whole,
                "name": project["name"],
                "version": project["version"],
                "description": project["description"],
                "licenses": [{"expression": project["license"]}],
                "purl": whole,
            }
        },
        "components": parts,
        "dependencies": [
            {
                "ref": whole,
                "dependsOn": [part["bom-ref"] for part in parts if part["scope"] == "required"],
            }
        ],
    }


def _builder() -> list[str]:
    lines = (HERE / "build.in").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _purl(name: str, version: str) -> str:
    return f"pkg:pypi/{name}@{version}"


def _part(name: str, version: str, scope: str, licence: str) -> dict[str, Any]:
    return {
        "type": "library",
        "bom-ref": _purl(name, version),
        "name": name,
        "version": version,
        "scope": scope,
        "licenses": [{"expression": licence}],
        "purl": _purl(name, version),
    }


def written() -> str:
    """The file as text."""
    return json.dumps(document(), indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
    sys.exit(0)
