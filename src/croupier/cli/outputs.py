"""What commands write: the terminal or pipe, and the files that options name."""

from __future__ import annotations

import codecs
import errno
import os
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

import click

READABLE = dict(
    zip(
        "♣♦♥♠–—−·•…‘’“”→×█✓✗─━│┃┌┐└┘├┤┬┴┼╭╮╰╯╸╺",  # noqa: RUF001
        "cdhs---**.''''>x#vx--||+++++++++++++--",
        strict=True,
    )
)
"""What stands for a character that an encoding lacks; a suit is a letter, as where cards are typed.
One for one, so that tables keep their columns, and no quotation mark that would end a text in JSON.
"""

NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
PACKAGE = str(Path(__file__).parents[1])


def _readable(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    wanted = error.object[error.start : error.end]
    return "".join(READABLE.get(each) or _escaped(each) for each in wanted), error.end


def _escaped(character: str) -> str:
    """As JSON has it, which is what most of what programs read is written in."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


codecs.register_error("croupier.readable", _readable)


def make_printable(stream: TextIO | None) -> None:
    """Let no character fail that the encoding of a terminal or pipe lacks, such as a suit."""
    if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
        stream.reconfigure(errors="croupier.readable")


def of_the_machine(error: Exception) -> str:
    """A fault of a file or of the room for it, in one line; nothing where it is another."""
    if not isinstance(error, OSError) or error.strerror is None:
        return ""
    if isinstance(error.filename, str | os.PathLike):
        name = os.fspath(error.filename)
        return "" if name.startswith(PACKAGE) else f"{name}: {error.strerror}"
    return f"not all could be written: {error.strerror}" if error.errno in NO_ROOM else ""


def writable(_: click.Context, __: click.Parameter, path: Path | None) -> Path | None:
    """See that a file can be written, before anything is computed for it."""
    if path is None:
        return None
    there = path.exists()
    try:
        with path.open("ab"):  # leaves a file that is there as it is
            pass
        if not there:
            path.unlink()
    except OSError as error:
        says = f"{path}: the report cannot be written there: {error.strerror}"
        raise click.BadParameter(says) from error
    return path


def write_text(folder: Path, name: str, text: str) -> None:
    """A file in a folder, which is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        says = f"{folder}: {name} cannot be written there: {error.strerror}"
        raise click.UsageError(says) from error
