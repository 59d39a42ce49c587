"""`croupier audit seal`, `seals`, `key`, `witness`: what the House signs, who signs it back."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from croupier.cli.groups import CommandGroup
from croupier.cli.office_session import draw, stored, write_json
from croupier.house.founding import office_in
from croupier.house.office import OFFICE
from croupier.house.ownership import FileOwnership, ownership_of
from croupier.house.seals.folder import SealFolder, seals_folder
from croupier.house.seals.kept import marks_of, stored_seals
from croupier.house.seals.keys import KEY_FILE, key_file_of, make_key, public_key, read_key
from croupier.house.seals.records import BadSeal, Followed, SignedSeal, WitnessMark
from croupier.house.seals.sealer import Sealer, Sealing
from croupier.house.seals.witness import Collected, Witness, source_of
from croupier.house.urls import SQLITE, sqlite_file

A_FILE = click.Path(path_type=Path, dir_okay=False)
A_FOLDER = click.Path(path_type=Path, file_okay=False)
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}")


@click.group("key", cls=CommandGroup)
def key() -> None:
    """Make and show keys that sign: of the House, of a witness, of the regulator.

    \b
    Example:
      croupier audit key make house.db.seal-key
    """


@key.command("make")
@click.argument("file", type=A_FILE)
def key_make(file: Path) -> None:
    """Make a new key in FILE, which only you can read, and its public key in FILE.pub.

    \b
    Example:
      croupier audit key make witness.key
    """
    made = make_key(file)
    click.echo(f"{file}: keep it to yourself, and keep a copy where nobody else comes.")
    click.echo(f"Public key: {made.public}")


@key.command("show")
@click.argument("file", type=A_FILE)
def key_show(file: Path) -> None:
    """Show the public key of the secret key in FILE.

    \b
    Example:
      croupier audit key show house.db.seal-key
    """
    click.echo(read_key(file).public)


@click.command("seal")
@click.argument("url")
@click.option(
    "--key-file",
    type=A_FILE,
    help=f"The House's key; if not said, the one that {KEY_FILE} names, or beside the file of "
    "SQLite.",
)
@click.option(
    "--folder",
    type=A_FOLDER,
    help="Where seals are written beside the database; beside the file of SQLite if not said.",
)
def seal(url: str, key_file: Path | None, folder: Path | None) -> None:
    """Seal what is stored now: sign the heads of all logs, the balances and the running sums.

    URL is the database. A server seals by itself, every ten minutes unless it is told otherwise; a
    file of SQLite that a server runs is sealed by that one alone.

    \b
    Example:
      croupier audit seal sqlite:///house.db
    """
    file = sqlite_file(url) if url.startswith(SQLITE) else None
    found = key_file_of(file, str(key_file) if key_file else "")
    if found is None:
        raise click.UsageError(
            "there is no key to seal with; make one with `croupier audit key make FILE`, and name "
            f"it with --key-file or {KEY_FILE}"
        )
    if folder is None and file is not None:
        folder = seals_folder(file)
    with stored(url) as store:
        ownership = ownership_of(store.database)
        try:
            if isinstance(ownership, FileOwnership):
                ownership.take(OFFICE)  # a file belongs to one process, which seals it
            sealing = Sealing(key_file=found, folder=folder)
            sealer = Sealer(store, sealing, lambda: datetime.now(UTC), thread=False)
            sealer.next_key = lambda: office_in(store).state.seal_key
            made = sealer.seal("order")
        finally:
            ownership.close()
    if made is None:
        click.echo("Nothing has happened since the last seal.")
        return
    told = made.read()
    click.echo(f"Seal {told.number} over {told.events:,} events: {made.digest}")
    if told.next_key:
        click.echo(f"Key {told.next_key} follows: put its file in the place of {found}.")
    if folder is not None:
        click.echo(f"Written to {folder}.")


@click.command("seals")
@click.argument("source")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def seals(source: str, as_json: bool) -> None:
    """List the seals of a SOURCE, and who has signed them back.

    SOURCE is the address of a database, or a folder. Each is held to the one before it; the exit
    status is 1 if one does not follow. Whether the record is what they say is what
    `croupier audit verify --seals` looks at.

    \b
    Example:
      croupier audit seals sqlite:///house.db
    """
    given, marks = _read(source)
    names: dict[int, list[str]] = {}
    for mark in marks:
        names.setdefault(mark.seal, []).append(mark.witness if mark.holds() else "NOT SIGNED")
    followed = Followed()
    listed, wrong = [], ""
    for each in given:
        try:
            told = followed.take(each)
        except BadSeal as error:
            wrong = str(error)
            break
        listed.append((told, each.digest, names.get(told.number, [])))
    if as_json:
        rows = [
            {"number": t.number, "at": t.at, "why": t.why, "events": t.events, "digest": d}
            | {"key": t.key, "witnesses": w}
            for t, d, w in listed
        ]
        write_json({"seals": rows, "wrong": wrong})
    else:
        columns = ("number", "at", "why", "events", "digest", "signed back by")
        told_rows = [
            (str(t.number), t.at[:19], t.why, f"{t.events:,}", d[:16], ", ".join(w))
            for t, d, w in listed
        ]
        keys = list(dict.fromkeys(t.key for t, _, _ in listed))
        draw(f"{len(listed)} seals", columns, told_rows, {"number", "events"})
        click.echo("\n".join(f"Key: {each}" for each in keys))
    if wrong:
        click.echo(f"croupier: {wrong}", err=True)
        sys.exit(1)


def _read(source: str) -> tuple[list[SignedSeal], list[WitnessMark]]:
    if "://" in source:
        with stored(source) as store:
            return list(stored_seals(store)), marks_of(store)
    folder = Path(source)
    if not folder.is_dir():
        raise click.UsageError(f"{source!r} is neither an address nor a folder with seals")
    kept = SealFolder(folder)
    return list(kept.seals()), list(kept.marks())


@click.command("witness")
@click.argument("source")
@click.argument("kept", metavar="KEPT", type=A_FOLDER)
@click.option("--key-file", type=A_FILE, required=True, help="Your own key; it signs back.")
@click.option("--name", required=True, help="Who you are, as the House knows you.")
@click.option(
    "--house-key",
    multiple=True,
    metavar="KEY",
    help="The House's public key, as you were told it by another way; its digits, or a file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def witness(
    source: str,
    kept: Path,
    key_file: Path,
    name: str,
    house_key: tuple[str, ...],
    as_json: bool,
) -> None:
    """Collect the seals of a House, check that each follows, keep them, and sign them back.

    SOURCE is the address at which the House serves them, or a folder in which somebody has put
    them; they are kept in the folder KEPT, which the House must not be able to write. The exit
    status is 1 where the House has told two histories (a fork), has lost seals, or signs what does
    not follow.

    \b
    Example:
      croupier audit witness https://tables.example seals --key-file w.key --name Ruth
    """
    if not NAME.fullmatch(name):
        raise click.UsageError(
            f"--name {name!r}: 1 to 40 letters, digits, spaces, dots, - or _, the first a letter "
            "or digit"
        )
    keys = tuple(public_key(each) for each in house_key)
    watching = Witness(kept, read_key(key_file), name, house_keys=keys)
    try:
        found = watching.collect(source_of(source), datetime.now(UTC))
    except BadSeal as error:
        if as_json:
            write_json({"wrong": str(error)})
        click.secho(f"croupier: {error}", fg="red", bold=True, err=True)
        sys.exit(1)
    if as_json:
        write_json(found)
    else:
        _print_collected(found, kept, name)


def _print_collected(found: Collected, kept: Path, name: str) -> None:
    click.echo(f"{found.new} new; {kept} has {found.number} seals, each of which follows.")
    for number, following in found.changed_keys:
        click.echo(
            f"ANOTHER KEY: seal {number} says that {following} signs from then on. Ask the House "
            "which two people approved it."
        )
    if found.first_key:
        click.echo(
            f"They are signed with key {found.first_key}. Ask the House by another way whether it "
            "is its own, and name it with --house-key."
        )
    if found.number:
        click.echo(f"Seal {found.number} is signed as {name}.")
    if found.not_handed_back:
        click.echo(f"The signature was not handed back: {found.not_handed_back}", err=True)


COMMANDS = (seal, seals, key, witness)
