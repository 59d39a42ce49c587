"""`croupier rules site`: the rulebooks as pages in a folder."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from croupier.desk.approved import NONE_LOADED, load_approved
from croupier.desk.errors import BadApproved
from croupier.site.folder import NotOurs, write_site


def show_site(folder: Path, approved: Path | None) -> None:
    """Write the pages, and tell how far it is."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    try:
        texts = load_approved(approved) if approved is not None else NONE_LOADED
        for note in texts.notes:
            console.print(note, style="dim", markup=False)
        with console.status("") as status:
            count = write_site(folder, texts, status.update)
    except (BadApproved, NotOurs) as error:
        raise click.UsageError(f"{error}") from error
    click.echo(f"{count} pages in {folder}: open {folder / 'index.html'}")
