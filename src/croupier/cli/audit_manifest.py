"""`croupier audit manifest`: make, sign and check what a regulator has approved."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from croupier.cli.groups import CommandGroup
from croupier.cli.office_session import write_json
from croupier.house.manifest import (
    Manifest,
    differences,
    manifest_of,
    read_manifest,
    read_signed,
    write_manifest,
)
from croupier.house.manifest import sign as sign_manifest
from croupier.house.seals.keys import public_key, read_key

A_FILE = click.Path(path_type=Path, dir_okay=False)
with_config = click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="The configuration of the House, whose settings are part of it.",
)


@click.group(cls=CommandGroup)
def manifest() -> None:
    """Make, sign and check the manifest of what is approved.

    \b
    Example:
      croupier audit manifest make casino.manifest --config casino.toml
    """


def _found(config: Path | None) -> Manifest:
    """The manifest of this installation."""
    if config is None:
        return manifest_of({})
    from croupier.live.config import read_config
    from croupier.live.opening import manifest_of_house

    return manifest_of_house(read_config(config))


@manifest.command("make")
@click.argument("file", type=A_FILE)
@with_config
def make(file: Path, config: Path | None) -> None:
    """Write what runs here into a new FILE, for the regulator to look at and to sign.

    \b
    Example:
      croupier audit manifest make casino.manifest --config casino.toml
    """
    found = _found(config)
    write_manifest(file, found)
    click.echo(
        f"{file}: croupier {found.version}, {len(found.rulebooks)} files of rulebooks, "
        f"{len(found.dependencies)} dependencies, {len(found.settings)} settings."
    )
    click.echo(f"Digest: {found.digest}")


@manifest.command("sign")
@click.argument("file", type=A_FILE)
@click.argument("signed", type=A_FILE)
@click.option("--key-file", type=A_FILE, required=True, help="The regulator's own key.")
def sign(file: Path, signed: Path, key_file: Path) -> None:
    """Sign the manifest FILE as the regulator, and write it into a new file SIGNED.

    \b
    Example:
      croupier audit manifest sign casino.manifest approved.json --key-file regulator.key
    """
    key = read_key(key_file)
    found = read_manifest(file)
    write_manifest(signed, sign_manifest(found, key))
    click.echo(f"{signed}: approved is {found.digest}, signed with key {key.public}.")


@manifest.command("check")
@click.argument("file", type=A_FILE)
@click.option("--key", required=True, help="The regulator's public key; its digits, or a file.")
@with_config
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check(file: Path, key: str, config: Path | None, as_json: bool) -> None:
    """Compare this installation with the manifest FILE that the regulator has signed.

    The exit status is 1 where it is not the same.

    \b
    Example:
      croupier audit manifest check approved.json --key regulator.pub --config casino.toml
    """
    approved = read_signed(file, public_key(key)).manifest
    now = _found(config)
    found = differences(approved, now)
    if as_json:
        write_json({"digest": now.digest, "approved": approved.digest, "differences": found})
    else:
        for each in found:
            click.echo(each)
        if not found:
            click.echo("Everything is as it was approved.")
        click.echo(f"Digest of what runs here: {now.digest}")
    if found:
        sys.exit(1)
