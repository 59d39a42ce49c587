"""The modules of a page in one file, so that a slow line is asked once instead of thirty times.

The pages are plain modules that import each other, and the browser finds out file by file what it
needs: each level costs a way to the server and back. Here they are put one after the other, each in
a function of its own, in the order in which they need each other. Nothing is rewritten but `import`
and `export`; comments and what lines begin with are left out. What is written in a way that is not
known here is an error as soon as the page is asked for, so a test that opens it finds it.

What a page asks for by `import("…")` it does not need at first. That comes in a second file, which
is fetched when everything else of the page is there, or as soon as it is asked for.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection

from msgspec import Struct

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
_BEGINS = re.compile(r"^[ \t]+", re.MULTILINE)
_FIRST = """const modules = {{}};
const later = () => import("{later}");
{made}addEventListener("load", () => later().catch(() => undefined));
export {{ modules }};
"""
_LATER_FILE = """import {{ modules }} from "{first}";
{made}"""


class NotBundled(Exception):
    """A module is written in a way that is not known here, or two need each other."""


class Bundled(Struct, frozen=True):
    """The files of a page: what it is shown with, and what comes after that, if anything."""

    first: str
    later: str


def bundle(
    root: str, read: Read, *, at: str, at_once: Collection[str] = (), without: Collection[str] = ()
) -> Bundled:
    """A module and all that it needs. The files are served as `at` and `later_of(at)`. What the
    page asks for later comes in the second one, but for what is needed `at_once` nonetheless, and
    but for those modules `without` which this page will do."""
    making = _Making(read, at_once, without)
    making.add(root, making.first, ())
    # What is asked for later may ask for more.
    for path in making.asked_later:
        making.add(path, making.later, ())
    first = "".join(making.written(path, making.first) for path in making.first)
    later = "".join(making.written(path, making.later) for path in making.later)
    if not later:
        return Bundled(f"const modules = {{}};\n{first}", "")
    return Bundled(
        _FIRST.format(later=later_of(at), made=first), _LATER_FILE.format(first=at, made=later)
    )


def later_of(at: str) -> str:
    """Where the second file of a page is served, by where its first one is."""
    return at.replace(".js", "-later.js")


class _Making:
    """The modules of a page, each in the order in which it is needed."""

    def __init__(self, read: Read, at_once: Collection[str], without: Collection[str]) -> None:
        self._read = read
        self._at_once = at_once
        self._without = without
        self.first: dict[str, str] = {}
        self.later: dict[str, str] = {}
        self.asked_later: list[str] = []

    def add(self, path: str, made: dict[str, str], above: tuple[str, ...]) -> None:
        """A module and what it needs, into one of the files."""
        if path in made or path in self.first:
            return
        if path in above:
            raise NotBundled(f"{path} needs itself, by way of {' and '.join(above)}")
        text = _COMMENT.sub("", self._read(path))
        for found in _IMPORT.finditer(text):
            self.add(_beside(path, found["path"]), made, (*above, path))
        for found in _LATER.finditer(text):
            other = _beside(path, found["path"])
            if other in self._at_once:
                self.add(other, made, (*above, path))
            elif other not in self._without and other not in self.asked_later:
                self.asked_later.append(other)
        made[path] = _without_indents(path, text)

    def written(self, path: str, made: dict[str, str]) -> str:
        """A module as a function that gives what it exports."""
        text = made[path]

        def imported(found: re.Match[str]) -> str:
            names = found["all"] or f"{{{_AS.sub(': ', found['names'])}}}"
            return f'const {names} = modules["{_beside(path, found["path"])}"];\n'

        def later(found: re.Match[str]) -> str:
            other = _beside(path, found["path"])
            if other in self._without:
                return f'import("/static/app/{other}")'
            if other in self.first or made is self.later:
                return f'Promise.resolve(modules["{other}"])'
            return f'later().then(() => modules["{other}"])'

        exported = [found["name"] for found in _EXPORT.finditer(text)]
        text = _EXPORT.sub(r"\g<kind> \g<name>", _IMPORT.sub(imported, text))
        text = _LATER.sub(later, text)
        if left := _NOT_KNOWN.search(text):
            raise NotBundled(f"{path}: {left[0]}")
        given = f"return {{ {', '.join(exported)} }};\n"
        return f'modules["{path}"] = (() => {{\n{text}{given}}})();\n'


def _without_indents(path: str, text: str) -> str:
    """A module whose lines begin at once. A template over several lines would lose something."""
    for line in text.splitlines():
        if line.count("`") % 2:
            raise NotBundled(f"{path}: a template of more than one line: {line.strip()}")
    return _BEGINS.sub("", text)


def _beside(path: str, other: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), other))
