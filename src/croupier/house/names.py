"""Names that hide nothing: what a new name may not have, and which names look alike.

A name stands in the log, on a slip and beside money. So a new name of a player, a member of staff,
a table or a link has no character that cannot be seen, and does not look like one that is taken.
Names that are in a log already go on working: what cannot be seen in them is made visible wherever
they are shown (`visible`).

Two names look alike if any of these is the same for both:

* the name whatever its script and case: decomposed (NFKD), letters of other scripts replaced by the
  Latin ones that they are drawn like, composed again, case folded;
* the same where, before the case is folded, `I`, `1` and `|` are `l`, `O` and `0` are `o`, `rn` is
  `m` and `vv` is `w`; a capital `L` stays one, for `Lan` is no `Ian`;
* the same where besides `cl` is `d`; a capital `D` stays one, for `clean` is no `Dean`.

The table of letters is our own: a few hundred that are drawn alike in common typefaces. Accents
count: `Jose` and `José` are two names.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

DRAWN_LIKE = {
    "a": "0251 03B1 0430 2C81",
    "b": "0184 0185 042C 044C 0253",
    "c": "0441 03F2 1D04 2CA5",
    "d": "0501 0257 13E7",
    "e": "0435 04BD 212E 025B 03B5 0454",
    "f": "0192 1E9D",
    "g": "0261 018D 0581",
    "h": "04BB 0570 13C2",
    "i": "0456 03B9 0131 0269 026A 13A5 2C93",
    "j": "0458 03F3",
    "k": "043A 03BA 0199 2C95",
    "l": "04CF 01C0 0627 05D5 05DF 2C2D 23FD",
    "m": "043C 2C99",
    "n": "0578 057C 03B7",
    "o": (
        "043E 03BF 0585 03C3 05E1 0647 0665 06F5 0966 09E6 0A66 0AE6 0BE6 0C66 0CE6 0D66 0E50 0ED0 "
        "101D 1040 10FF 3007 0D20 2C9F"
    ),
    "p": "0440 03C1 2CA3 03F7 03F8",
    "q": "051B 0563 0566",
    "r": "0433 1D26 2C85",
    "s": "0455 01BD",
    "t": "0442 03C4 2CA7",
    "u": "03C5 057D 028B 1D1C",
    "v": "03BD 0475 05D8 1D20",
    "w": "051D 0461 0561 03C9 1D21",
    "x": "0445 03C7 04B3 2CAD",
    "y": "0443 03B3 04AF 028F 1EFF",
    "z": "1D22 03B6 0290",
    "A": "0391 0410 13AA 2C80",
    "B": "0392 0412 13F4 2C82",
    "C": "03F9 0421 13DF 2CA4",
    "D": "13A0",
    "E": "0395 0415 13AC",
    "F": "03DC",
    "G": "050C 13C0",
    "H": "0397 041D 13BB 2C8E",
    "I": "0399 0406 04C0 2C92",
    "J": "037F 0408 13AB",
    "K": "039A 041A 13E6 2C94",
    "L": "13DE 2CD0",
    "M": "039C 041C 03FA 13B7 2C98",
    "N": "039D 2C9A",
    "O": "039F 041E 0555 2C9E",
    "P": "03A1 0420 13E2 2CA2",
    "Q": "051A",
    "R": "13A1 13D2",
    "S": "0405 054F 13DA",
    "T": "03A4 0422 13A2 2CA6",
    "U": "054D",
    "V": "0474 13D9",
    "W": "051C 13B3",
    "X": "03A7 0425 2CAC",
    "Y": "03A5 0423 04AE 2CA8",
    "Z": "0396 13C3",
    "3": "0417 0437 01B7 021C 04E0",
    "6": "0431",
    "8": "0222 0223",
    "-": "2010 2012 2013 2014 2015 2043 2212 2796",
    "'": "2018 2019 201A 201B 02B9 02BB 02BC 02BD 02C8 0060 2032 055A A78C",
    ".": "0660 06F0 A4F8",
    "/": "2044 2215 2571 29F8",
}
"""Letters of other scripts, and marks, by what they are drawn like; code points in hexadecimal."""

_LETTERS = {int(point, 16): like for like, points in DRAWN_LIKE.items() for point in points.split()}
_IN_LATIN = str.maketrans({"I": "l", "1": "l", "|": "l", "O": "o", "0": "o"})
_AT_A_GLANCE = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o"})
_PAIRS = (("rn", "m"), ("vv", "w"), ("VV", "W"), ("Vv", "W"))

_BLANK = frozenset(
    chr(point)
    for first, last in (
        (0x034F, 0x034F),  # a joiner that joins nothing one can see
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x2800, 0x2800),
        (0x3164, 0x3164),
        (0xFFA0, 0xFFA0),
        (0xFE00, 0xFE0F),
        (0x1D159, 0x1D159),
        (0xE0100, 0xE01EF),
    )
    for point in range(first, last + 1)
)
"""What is drawn as nothing although Unicode does not say so of its category."""
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Control, format (zero-width, direction of writing), surrogates, separators of lines."""
_NO_LETTER = frozenset(("Co", "Cn"))
"""What looks otherwise on every machine, or like an empty box."""
MARKS_AT_MOST = 2
"""Marks on one letter: more of them cover what stands around."""


def is_hidden(char: str) -> bool:
    """Whether a character cannot be seen, or changes how others are seen."""
    return unicodedata.category(char) in _HIDDEN or char in _BLANK


def visible(text: str) -> str:
    """A stored text as it may be shown: what cannot be seen is written `<U+202E>`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"<U+{ord(char):04X}>" if is_hidden(char) else char for char in text)


def wrong_with_name(name: str) -> str:
    """Why this cannot be a new name, in a sentence; nothing if it can."""
    marks = 0
    for char in unicodedata.normalize("NFC", name):
        category = unicodedata.category(char)
        other_space = category == "Zs" and char != " "
        if is_hidden(char) or category in _NO_LETTER or other_space:
            return f"{visible(name)} has a character that nobody can see or tell: {_named(char)}."
        marks = marks + 1 if category.startswith("M") else 0
        if marks > MARKS_AT_MOST:
            return f"{name} has more than {MARKS_AT_MOST} marks on one letter."
    if unicodedata.category(name[:1] or " ").startswith("M"):
        return f"{name} begins with a mark that belongs on a letter."
    return ""


def _named(char: str) -> str:
    name = unicodedata.name(char, "").lower()
    return f"U+{ord(char):04X} {name}".rstrip()


@lru_cache(maxsize=50_000)
def skeletons(name: str) -> tuple[str, str, str]:
    """What a name looks like: in any script and case, and as it is drawn, in two ways."""
    plain = unicodedata.normalize("NFKD", name.translate(_LETTERS))
    seen = "".join(char for char in plain if not is_hidden(char))
    drawn = unicodedata.normalize("NFC", " ".join(seen.translate(_LETTERS).split()))
    as_drawn = drawn.translate(_IN_LATIN)
    for pair, like in _PAIRS:
        as_drawn = as_drawn.replace(pair, like)
    return drawn.casefold(), _folded(as_drawn, "L"), _folded(as_drawn.replace("cl", "d"), "LD")


def blurred(name: str) -> str:
    """What a name looks like at a glance, where it costs nothing to be strict: its case is folded
    first, and `i` is `l` as well. Not for what the office decides: what it has taken once it takes
    when its log is decided again."""
    found = skeletons(name)[0].translate(_AT_A_GLANCE)
    return found.replace("rn", "m").replace("vv", "w")


def _folded(text: str, stay: str) -> str:
    """A text with its case folded, but for these capitals."""
    return "".join(char if char in stay else char.casefold() for char in text)


class TakenNames:
    """Finds the name that a new one could be mistaken for.

    It follows a mapping of names to which names are only ever added, and reads only those that it
    has not read yet.
    """

    def __init__(
        self,
        always: Iterable[str] = (),
        looks: Callable[[str], tuple[str, ...]] | None = None,
    ) -> None:
        self._always = tuple(always)
        self._looks = looks or skeletons
        self._start()

    def _start(self) -> None:
        self._read = 0
        self._last = ""
        self._names: dict[tuple[int, str], str] = {}
        for name in self._always:
            self._take(name)

    def _take(self, name: str) -> None:
        for key in enumerate(self._looks(name)):
            self._names.setdefault(key, name)

    def like(self, name: str, taken: Mapping[str, Any]) -> str | None:
        """Which of the names that are taken this one is, or looks like."""
        if name in taken:
            return name
        if self._read > len(taken) or (self._read and self._last not in taken):
            self._start()
        for new in islice(taken, self._read, None):
            self._take(new)
            self._last = new
        self._read = len(taken)
        found = (self._names.get(key) for key in enumerate(self._looks(name)))
        return next((each for each in found if each is not None), None)
