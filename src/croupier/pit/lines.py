"""On which line of a case file a key stands, so that whoever wrote it finds his mistake.

The standard library reads TOML but forgets the lines. This walks the text once more and notes
where each heading and each key begins; values are passed over.

    >>> lines = Lines('title = "x"\\n[seats]\\n3 = { stake = 5 }\\n[[step]]\\ndo = "fold"\\n')
    >>> lines.of("seats.3.stake"), lines.of("step[1].do"), lines.of("nothing")
    (3, 5, 0)
"""

from __future__ import annotations

import re

_PART = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*(\.?)""")
_INDEX = re.compile(r"\[(\d+)\]")
_STEP = re.compile(r"step\[\d+\]\.")
_SKIP = re.compile(r'"""|\'\'\'|"(?:[^"\\]|\\.)*"|\'[^\']*\'|[\[\]{}#,]')
_OPENING, _CLOSING = "[{", "]}"

Path = tuple[str, ...]


class Lines:
    """The lines of one file by the paths of its keys."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Path, int] = {}
        self._counts: dict[Path, int] = {}
        here: Path = ()
        key: Path = ()
        depth, quote, items = 0, "", 0
        for number, line in enumerate(text.splitlines(), 1):
            if not depth and not quote:
                here = self._begin(line.strip(), here, number)
                key, items = (*here, *_keys(line)), 0
            elif depth == 1 and not quote and line.strip() and line.strip()[0] not in "]#":
                self._note((*key, str(items + 1)), number)  # an item of a list over several lines
            if line.lstrip().startswith("[") and not depth and not quote:
                continue  # a heading: nothing is left open by it
            depth, quote, commas = _left_open(line, depth, quote)
            items += commas

    def of(self, path: str) -> int:
        """The line of a path such as `seats.3.cards` or `later[1].shoe`, else of what holds it.

        0 if not even the first key is in the file.
        """
        return self.found(path)[0]

    def found(self, path: str) -> tuple[int, int]:
        """The line of a path or of what holds it, and how many parts of the path are there."""
        parts = _parts(path)
        for length in range(len(parts), 0, -1):
            if parts[:length] in self._lines:
                return self._lines[parts[:length]], length
        return 0, 0

    def in_book(self, path: str, book: str) -> int:
        """The line of a path in a case of several books: what is otherwise in this one counts."""
        step = _STEP.match(path)
        before, inner = (step[0], path[step.end() :]) if step else ("", path)
        own = f"{before}in.{book}.{inner}"
        line, length = self.found(own)
        return line if length > len(_parts(f"{before}in.{book}")) else self.of(path)

    def _begin(self, line: str, here: Path, number: int) -> Path:
        """Note a line on which a heading or a key begins; return the table that it leaves us in."""
        if line.startswith("[["):
            array = self._real(_keys(line[2:]))
            self._counts[array] = self._counts.get(array, 0) + 1
            here = (*array, str(self._counts[array]))
            self._note(here, number)
        elif line.startswith("["):
            here = self._real(_keys(line[1:]))
            self._note(here, number)
        elif line and not line.startswith("#"):
            self._note((*here, *_keys(line)), number)
        return here

    def _real(self, keys: Path) -> Path:
        """A heading's path; inside an array of tables it speaks of the last of them."""
        real: Path = ()
        for key in keys[:-1]:
            real = (*real, key)
            if real in self._counts:
                real = (*real, str(self._counts[real]))
        return (*real, *keys[-1:])

    def _note(self, path: Path, number: int) -> None:
        for length in range(1, len(path) + 1):
            self._lines.setdefault(path[:length], number)


def _keys(text: str) -> Path:
    """The dotted key at the beginning of a text."""
    keys, at = [], 0
    while found := _PART.match(text, at):
        keys.append(next(group for group in found.groups()[:3] if group is not None))
        at = found.end()
        if not found[4]:
            break
    return tuple(keys)


def _parts(path: str) -> Path:
    return tuple(part for part in _INDEX.sub(r".\1", path).split(".") if part)


def _left_open(line: str, depth: int, quote: str) -> tuple[int, str, int]:
    """How many brackets, and which long quotation, are still open after a line, and how many
    commas it has between the outermost brackets."""
    at = commas = 0
    if quote:
        end = line.find(quote)
        if end < 0:
            return depth, quote, commas
        at, quote = end + 3, ""
    while found := _SKIP.search(line, at):
        word, at = found[0], found.end()
        if word == "#":
            break
        if word in ('"""', "'''"):
            end = line.find(word, at)
            if end < 0:
                return depth, word, commas
            at = end + 3
        elif word in _OPENING:
            depth += 1
        elif word in _CLOSING:
            depth -= 1
        elif word == "," and depth == 1:
            commas += 1
    return depth, quote, commas
