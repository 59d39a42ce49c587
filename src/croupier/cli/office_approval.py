"""`croupier office approval`: another key for the seals, software that no manifest names."""

from __future__ import annotations

import click

from croupier.cli.groups import CommandGroup
from croupier.cli.office_session import as_json, at, by, draw, office_session, order, write_json
from croupier.house.office import commands as orders
from croupier.house.seals.keys import public_key

WHAT = {"seal-key": "seal key", "software": "software"}


@click.group(cls=CommandGroup)
def approval() -> None:
    """Approve, by two people, another key for the seals, or software that no manifest names.

    \b
    Example:
      croupier office approval list sqlite:///house.db --as Ada
    """


@approval.command("propose")
@order
@click.argument("what", type=click.Choice(list(WHAT)))
@click.argument("digest")
def propose(url: str, what: str, digest: str, who: str, reason: str, as_json: bool) -> None:
    """Propose WHAT, named by DIGEST; a second person must approve it. URL is the database.

    Of a seal-key, DIGEST is the public key or its file (FILE.pub); of software, what
    `croupier audit manifest check` shows.

    \b
    Example:
      croupier office approval propose sqlite:///h.db seal-key new.pub --as Ada --reason yearly
    """
    named = public_key(digest)
    with office_session(url, who, as_json) as here:
        wish = orders.ProposeApproval(what=WHAT[what], digest=named, reason=reason)  # type: ignore[arg-type]
        here.give(wish)


@approval.command("approve")
@at
@click.argument("number", type=int)
@by
@as_json
def approve(url: str, number: int, who: str, as_json: bool) -> None:
    """Approve what is proposed under this NUMBER, by somebody else. URL is the database.

    \b
    Example:
      croupier office approval approve sqlite:///house.db 1 --as Sam
    """
    with office_session(url, who, as_json) as here:
        here.give(orders.GiveApproval(proposal=number))


@approval.command("list")
@at
@by
@as_json
def list_approvals(url: str, who: str, as_json: bool) -> None:
    """List what waits for a second person, and what is approved. URL is the database.

    \b
    Example:
      croupier office approval list sqlite:///house.db --as Ada
    """
    with office_session(url, who, as_json) as here:
        found = here.listed("approvals")
        if as_json:
            write_json(found)
            return
        rows = [(str(n), w.what, w.digest, w.who, w.reason) for n, w in found.waiting.items()]
        columns = ("number", "what", "digest", "proposed by", "reason")
        draw(f"{len(rows)} waiting for a second person", columns, rows, {"number"})
        click.echo(f"Key of the seals: {found.approved['seal key'] or 'the first one'}")
        click.echo(f"Software without a manifest: {found.approved['software'] or 'none'}")
