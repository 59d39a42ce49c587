"""One of several, as somebody types it: by its number, its name, or a beginning that fits one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import click
from msgspec import Struct
from rich.console import Console

NUMBER_OR_NAME = "number or name"


class Choice(Struct, frozen=True, kw_only=True):
    """Something to choose: what is shown, and by what other names it goes."""

    says: str
    names: tuple[str, ...] = ()
    number: int = 0
    """The number that stands before it, if that is not its place in the list."""


class Unclear(Exception):
    """What was typed fits none of them, or several: what to type instead."""


def pick(typed: str, choices: Sequence[Choice]) -> int:
    """The place of what was meant: the closest way of fitting counts, if it fits one."""
    wanted = " ".join(typed.casefold().split())
    if not wanted:
        raise Unclear("Type the number before it, or the beginning of its name.")
    numbers = [one.number or place for place, one in enumerate(choices, 1)]
    if wanted.isdecimal() and int(wanted) in numbers:
        return numbers.index(int(wanted))
    known = [[text.casefold() for text in (one.says, *one.names)] for one in choices]
    for fits in _WAYS:
        found = [place for place, texts in enumerate(known) if any(fits(wanted, t) for t in texts)]
        if len(found) == 1:
            return found[0]
        if found:
            may_be = ", ".join(f"{numbers[place]} {choices[place].says}" for place in found[:5])
            more = " or others" if len(found) > 5 else ""
            raise Unclear(f"{typed!r} may be {may_be}{more}: type more of it, or the number.")
    between = f"{numbers[0]} to {numbers[-1]}"
    raise Unclear(
        f"{typed!r} is none of these: type a number ({between}) or the beginning of a name."
    )


_WAYS: tuple[Callable[[str, str], bool], ...] = (
    lambda wanted, text: text == wanted,
    lambda wanted, text: text.startswith(wanted),
    lambda wanted, text: any(word.startswith(wanted) for word in _words(text)),
)


def _words(text: str) -> Iterable[str]:
    return text.replace("-", " ").split()


def choose(asked: str, choices: Sequence[Choice], console: Console) -> int:
    """Show them, and ask until it is clear which is meant."""
    console.print()
    for place, one in enumerate(choices, 1):
        console.print(f"  [bold cyan]{one.number or place}[/]  ", end="")
        console.print(one.says, markup=False)
    while True:
        typed = click.prompt(f"{asked} ({NUMBER_OR_NAME})", default="", show_default=False)
        try:
            return pick(str(typed), choices)
        except Unclear as error:
            console.print(str(error), markup=False)
