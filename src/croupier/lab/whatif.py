"""What if: a rulebook with some of its pay lines, parameters or policies replaced.

    >>> from croupier.rulebooks import load
    >>> book, changes = what_if(
    ...     load("multi-link-progressive-v3"), ["4.2.minor.flush=50 for 1", "ante-pays-from=flush"]
    ... )
    >>> [(change.part, change.old, change.new) for change in changes]
    [('4.2.minor.flush', '40 for 1', '50 for 1'), ('ante-pays-from', 'straight', 'flush')]

A pay line is named by its paragraph and takes what a pay table may say (`1000 to 1`, `400 for 1`,
`10%`, `$2,000`, and also `3 to 2` or `2.5 to 1`), or `nothing`, which strikes it out. A parameter
or a policy is named as in the book.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction

import msgspec
from msgspec import Struct

from croupier.cards import Category
from croupier.lab.errors import WhatIfError
from croupier.rulebooks import BetWins, Parameter, PayLine, PayTable, Rulebook
from croupier.rulebooks.pays import parse_odds

NOTHING = "nothing"
_WHOLE = re.compile(r"[0-9]{1,9}")
_MONEY = re.compile(r"([0-9]{1,12})(?:\.([0-9]{2}))?")
_PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]+)?)%")


class Change(Struct, frozen=True, kw_only=True):
    """One part of a rulebook: as it is, and as it would be."""

    part: str
    old: str
    new: str


def what_if(
    book: Rulebook, settings: Mapping[str, str] | Iterable[str]
) -> tuple[Rulebook, tuple[Change, ...]]:
    """The book with these parts replaced (`part=value`, or a mapping), and what was changed.

    Raises ``WhatIfError`` that names the part. The book that is given stays as it is.
    """
    changes = []
    seen: set[str] = set()
    for part, value in _pairs(settings):
        if part in seen:
            raise WhatIfError(part, "it is set twice")
        seen.add(part)
        book, change = _set(book, part, value)
        changes.append(change)
    return book, tuple(changes)


def _pairs(settings: Mapping[str, str] | Iterable[str]) -> Iterable[tuple[str, str]]:
    if isinstance(settings, Mapping):
        yield from settings.items()
        return
    for setting in settings:
        part, sign, value = setting.partition("=")
        if not sign or not part.strip():
            raise WhatIfError(
                setting, "a change is written part=value, as in '4.2.minor.flush=50 for 1'"
            )
        yield part.strip(), value.strip().strip("\"'").strip()


def _set(book: Rulebook, part: str, value: str) -> tuple[Rulebook, Change]:
    for table in book.pays.values():
        if line := table.line(part):
            return _set_line(book, table, line, value)
    if parameter := book.parameters.get(part):
        return _set_parameter(book, parameter, value)
    if policy := book.policies.get(part):
        if value not in policy.values:
            raise WhatIfError(part, f"it cannot be {value!r}", policy.values, value)
        changed = msgspec.structs.replace(policy, default=value)
        new = msgspec.structs.replace(book, policies={**book.policies, part: changed})
        return new, Change(part=part, old=policy.default, new=value)
    lines = [line.id for table in book.pays.values() for line in table.lines]
    raise WhatIfError(
        part,
        f"{book.id} has no pay line, parameter or policy of that name",
        [*lines, *book.parameters, *book.policies],
    )


def _set_line(
    book: Rulebook, table: PayTable, line: PayLine, value: str
) -> tuple[Rulebook, Change]:
    if value == NOTHING:
        lines = tuple(other for other in table.lines if other.id != line.id)
    else:
        try:
            pays = parse_odds(value)
        except ValueError as error:
            raise WhatIfError(line.id, f"{error}, or '{NOTHING}'") from error
        lines = _with(table, msgspec.structs.replace(line, pays=pays))
    new = _with_lines(book, table, lines)
    return new, Change(part=line.id, old=str(line.pays), new=value)


def _set_parameter(book: Rulebook, parameter: Parameter, value: str) -> tuple[Rulebook, Change]:
    read = _read(parameter, value)
    changed = msgspec.structs.replace(parameter, value=read)
    new = msgspec.structs.replace(book, parameters={**book.parameters, parameter.name: changed})
    if parameter.name == "ante-pays-from" and isinstance(read, Category):
        # The pay table says the same once more, on the line of the Ante.
        table = new.pay("main")
        for line in table.lines:
            if isinstance(line.when, BetWins) and line.when.bet == "ante":
                when = msgspec.structs.replace(line.when, at_least=read)
                lines = _with(table, msgspec.structs.replace(line, when=when))
                new = _with_lines(new, table, lines)
    return new, Change(part=parameter.name, old=_text(parameter), new=_text(changed))


def _read(parameter: Parameter, value: str) -> int | Fraction | Category | tuple[str, ...]:
    match parameter.unit:
        case "count" | "multiple":
            if _WHOLE.fullmatch(value):
                return int(value)
            expected = "a whole number"
        case "money":
            if found := _MONEY.fullmatch(value.replace(",", "").removeprefix("$")):
                return int(found[1]) * 100 + int(found[2] or 0)
            expected = "a sum such as 100000.00"
        case "share":
            if found := _PERCENT.fullmatch(value):
                return Fraction(found[1]) / 100
            expected = "a percentage such as 50%"
        case "category":
            slugs = {category.value: category for category in Category}
            if value in slugs:
                return slugs[value]
            raise WhatIfError(
                parameter.name,
                f"{value!r} is not a category of hands",
                reversed(slugs),
                value or "?",
            )
        case _:
            expected = "anything: a list of names is not for changing here"
    raise WhatIfError(parameter.name, f"{value!r} does not read as {expected}")


def _text(parameter: Parameter) -> str:
    value = parameter.value
    return value.value if isinstance(value, Category) else parameter.text


def _with(table: PayTable, changed: PayLine) -> tuple[PayLine, ...]:
    return tuple(changed if line.id == changed.id else line for line in table.lines)


def _with_lines(book: Rulebook, table: PayTable, lines: tuple[PayLine, ...]) -> Rulebook:
    replaced = msgspec.structs.replace(table, lines=lines)
    return msgspec.structs.replace(book, pays={**book.pays, table.id: replaced})
