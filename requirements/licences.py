"""Write licences.toml anew: `.venv/bin/python requirements/licences.py`.

To be done when the pins have changed. It holds the licence of every pinned package, as an SPDX
expression. What is installed here is read from its own metadata: the expression, or a known word or
classifier, or the text of its licence. What is not installed here (another system, another set of
pins) keeps the line that it has; a new one is added by hand. A test fails on a package without a
line, on a line that the package itself does not bear out, and on a licence that is not allowed.
"""

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HERE = Path(__file__).resolve().parent
FILE = HERE / "licences.toml"
SETS = ("run", "lab", "cluster", "env", "uvloop", "test", "bench")

WORDS = {
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "GNU General Public License v3 (GPLv3)": "GPL-3.0-only",
    "GPL-3.0": "GPL-3.0-only",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
"""What packages write that have no expression yet. `BSD` alone says too little: see `by_text`."""


def pinned() -> dict[str, set[str]]:
    """Every pinned package with its versions."""
    found: dict[str, set[str]] = {}
    for name in SETS:
        for line in (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines():
            if line and not line.startswith((" ", "#")):
                pin = Requirement(line.removesuffix("\\").strip())
                [exactly] = pin.specifier
                found.setdefault(canonicalize_name(pin.name), set()).add(exactly.version)
    return found


def installed(name: str, versions: set[str]) -> metadata.Distribution | None:
    """The package, if one of its pinned versions is installed here."""
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return None
    return found if found.version in versions else None


def licence_of(package: metadata.Distribution) -> str:
    """The licence as an SPDX expression, or an empty word where the package does not say it."""
    said = package.metadata.get("License-Expression")
    if said:
        return str(canonicalize_license_expression(said))
    words = [package.metadata.get("License", "")]
    words += [
        classifier.split(" :: ")[-1]
        for classifier in package.metadata.get_all("Classifier", [])
        if classifier.startswith("License ::")
    ]
    for word in words:
        try:
            return str(canonicalize_license_expression(WORDS.get(word, word)))
        except InvalidLicenseExpression:
            continue
    return by_text(package)


def by_text(package: metadata.Distribution) -> str:
    """The licence by the wording of the file that comes with the package."""
    for file in package.files or ():
        if re.search(r"\.dist-info/.*(licen[cs]e|copying)", str(file), re.IGNORECASE):
            text = " ".join(file.read_text(encoding="utf-8").split())
            if "Redistribution and use in source and binary forms" in text:
                return "BSD-3-Clause" if "endorse or promote" in text else "BSD-2-Clause"
            if "Permission is hereby granted, free of charge" in text:
                return "MIT"
    return ""


def main() -> int:
    """Write what is known, and say what is not."""
    kept = tomllib.loads(FILE.read_text(encoding="utf-8"))
    head = FILE.read_text(encoding="utf-8").split("[packages]")[0]
    lines, unknown = [], []
    for name, versions in sorted(pinned().items()):
        package = installed(name, versions)
        licence = licence_of(package) if package else ""
        licence = licence or kept["packages"].get(name, "")
        if licence:
            lines.append(f'{name} = "{licence}"\n')
        else:
            unknown.append(name)
    FILE.write_text(f"{head}[packages]\n{''.join(lines)}", encoding="utf-8")
    if unknown:
        print(f"no licence is known of: {', '.join(unknown)}", file=sys.stderr)
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
