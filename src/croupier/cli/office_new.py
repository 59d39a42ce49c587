"""`croupier office table new` and `link new`: set up without a file, also the first of its kind.

What a file would say under `[tables]` or `[links]` is said by `--set`, in the same words and
amounts; what the book or the House wants and is not said is asked for by name.
"""

from __future__ import annotations

import tomllib
from typing import Any

import click
from msgspec import structs

from croupier.cli.office_session import office_session, order
from croupier.house.config import adding_link, adding_table

name_of = click.argument("name")
rulebook_of = click.option(
    "--rulebook", required=True, metavar="BOOK", help="Under which rulebook, such as v8."
)
set_of = click.option(
    "--set",
    "said",
    multiple=True,
    metavar="KEY=VALUE",
    help="A setting as a file has it, such as blinds='[5, 10]'; as often as needed.",
)
policy_of = click.option(
    "--policy", "policies", multiple=True, metavar="NAME=VALUE", help="A policy, as in a file."
)


@click.command("new")
@order
@name_of
@rulebook_of
@set_of
@policy_of
@click.option("--link", default="", metavar="LINK", help="The jackpot link that it hangs on.")
@click.option("--area", default="", metavar="AREA", help="Where it stands.")
def new_table(
    url: str,
    name: str,
    rulebook: str,
    said: tuple[str, ...],
    policies: tuple[str, ...],
    link: str,
    area: str,
    who: str,
    reason: str,
    as_json: bool,
) -> None:
    """Set up the table NAME by what is said here, without a file. URL is the database.

    Say the settings by --set, such as --set layout=A --set blinds='[5, 10]' --set rake.percent=5
    --set rake.cap=30 --set sign=true; what is missing is asked for by its name.

    \b
    Example:
      croupier office table new sqlite:///house.db Raffles --rulebook v8 --as Sam
    """
    from croupier.live.config import one_table

    told = {"rulebook": rulebook, "settings": read_settings(said), "policies": pairs(policies)}
    found = structs.replace(one_table(name, told), link=link or None, area=area)
    links = (link,) if link else ()
    with office_session(url, who, as_json, links, setting_up=True) as here:
        here.give(adding_table(name, found, reason))


@click.command("new")
@order
@name_of
@rulebook_of
@set_of
@policy_of
def new_link(
    url: str,
    name: str,
    rulebook: str,
    said: tuple[str, ...],
    policies: tuple[str, ...],
    who: str,
    reason: str,
    as_json: bool,
) -> None:
    """Set up the link NAME by what is said here, without a file. URL is the database.

    Say the settings by --set, such as --set reset_value=10000 --set contribution=1.

    \b
    Example:
      croupier office link new sqlite:///house.db Marina --rulebook v3 --as Sam
    """
    from croupier.live.config import one_link

    told = {"rulebook": rulebook, "settings": read_settings(said), "policies": pairs(policies)}
    with office_session(url, who, as_json, setting_up=True) as here:
        here.give(adding_link(name, one_link(name, told), reason))


def read_settings(said: tuple[str, ...]) -> dict[str, Any]:
    """Settings as a file has them: `blinds=[5, 10]`, `rake.percent=5`; a word needs no quotes."""
    lines = [_line(each) for each in said]
    try:
        return tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError as error:
        raise click.UsageError(f"--set: {error}; each setting is said once") from error


def _line(said: str) -> str:
    key, sign, value = said.partition("=")
    if not sign or not key.strip():
        raise click.UsageError(f"--set {said!r}: write KEY=VALUE, such as blinds='[5, 10]'")
    for written in (value.strip(), _quoted(value.strip())):
        line = f"{key.strip()} = {written}"
        try:
            tomllib.loads(line)
        except tomllib.TOMLDecodeError:
            continue
        return line
    raise click.UsageError(f"--set {said!r} cannot be read; write it as a configuration has it")


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def pairs(said: tuple[str, ...]) -> dict[str, str]:
    """`NAME=VALUE` as a record."""
    found: dict[str, str] = {}
    for each in said:
        name, sign, value = each.partition("=")
        if not sign or not name.strip() or name.strip() in found:
            raise click.UsageError(f"--policy {each!r}: write NAME=VALUE, each policy once")
        found[name.strip()] = value.strip()
    return found
