"""The modules of a page in one file, so that a slow line is asked once instead of thirty times.

The pages are plain modules that import each other, and the browser finds out file by file what it
needs: each level costs a way to the server and back. Here they are put one after the other, each in
a function of its own, in the order in which they need each other. Nothing is rewritten but `import`
and `export`, and comments are left out. What is written in a way that is not known here is an error
as soon as the page is asked for, so a test that opens it finds it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection

Read = Callable[[str], str]
"""The text of a module by its path under `app`."""

_COMMENT = re.compile(r"/\*\*.*?\*/|^[ \t]*//[^\n]*\n", re.DOTALL | re.MULTILINE)
_IMPORT = re.compile(
    r'^import\s+(?:\{(?P<names>[^}]*)\}|\* as (?P<all>\w+))\s+from\s+"(?P<path>[^"]+)";\n',
    re.MULTILINE,
)
_LATER = re.compile(r'\bimport\("(?P<path>[^"]+)"\)')
_EXPORT = re.compile(
    r"^export (?P<kind>(?:async )?function|class|const) (?P<name>\w+)", re.MULTILINE
)
_NOT_KNOWN = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_AS = re.compile(r"\s+as\s+")


class NotBundled(Exception):
    """A module is written in a way that is not known here, or two need each other."""


def bundle(root: str, read: Read, without: Collection[str] = ()) -> str:
    """A module and all that it needs, as one script that is loaded as a module. What it asks for
    later comes too, but for those `without` which this page will do."""
    made: dict[str, str] = {}
    _add(root, read, made, (), without)
    return "".join(["const modules = {};\n", *made.values()])


def _add(
    path: str, read: Read, made: dict[str, str], above: tuple[str, ...], without: Collection[str]
) -> None:
    if path in made:
        return
    if path in above:
        raise NotBundled(f"{path} needs itself, by way of {' and '.join(above)}")
    text = _COMMENT.sub("", read(path))
    needed = [_beside(path, found["path"]) for found in _IMPORT.finditer(text)]
    needed += [_beside(path, found["path"]) for found in _LATER.finditer(text)]
    for other in needed:
        if other not in without:
            _add(other, read, made, (*above, path), without)
    made[path] = _wrapped(path, text, without)


def _beside(path: str, other: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), other))


def _wrapped(path: str, text: str, without: Collection[str]) -> str:
    """A module as a function that gives what it exports."""

    def imported(found: re.Match[str]) -> str:
        names = found["all"] or f"{{{_AS.sub(': ', found['names'])}}}"
        return f'const {names} = modules["{_beside(path, found["path"])}"];\n'

    def later(found: re.Match[str]) -> str:
        other = _beside(path, found["path"])
        if other in without:
            return f'import("/static/app/{other}")'
        return f'Promise.resolve(modules["{other}"])'

    exported = [found["name"] for found in _EXPORT.finditer(text)]
    text = _EXPORT.sub(r"\g<kind> \g<name>", _IMPORT.sub(imported, text))
    text = _LATER.sub(later, text)
    if left := _NOT_KNOWN.search(text):
        raise NotBundled(f"{path}: {left[0]}")
    given = f"return {{ {', '.join(exported)} }};\n"
    return f'modules["{path}"] = (() => {{\n{text}{given}}})();\n'
