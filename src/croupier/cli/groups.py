"""Groups of commands: how they find their sub-commands, list them, and answer a mistyped one."""

import difflib
import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import click

LONGEST = 200
"""Characters of what a list says of a sub-command: a whole sentence."""


class Lazy(NamedTuple):
    """Where a sub-command lives, and the line that `croupier --help` shows for it."""

    module: str
    name: str
    summary: str


class CommandGroup(click.Group):
    """A group that lists its sub-commands in whole sentences, and suggests the nearest name."""

    def summaries(self, ctx: click.Context) -> dict[str, str]:
        """What the list says of each sub-command."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        return {name: each.get_short_help_str(LONGEST) for name, each in found if each is not None}

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of sub-commands."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(self.summaries(ctx).items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the sub-command, or say which known one is nearest to what was typed."""
        word = args[0]
        if word.startswith("-") or word in self.list_commands(ctx):
            return super().resolve_command(ctx, args)
        raise click.UsageError(
            f"No such command '{word}'. {nearest(word, self.list_commands(ctx))}", ctx
        )


class LazyGroup(CommandGroup):
    """A group that imports a sub-command when it is called, and none of them to list them."""

    def __init__(self, *args: Any, lazily: Mapping[str, Lazy], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lazily = lazily

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the sub-commands, sorted."""
        return sorted({*self.lazily, *self.commands})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the sub-command's module and return the sub-command."""
        lazy = self.lazily.get(cmd_name)
        if lazy is None:
            return super().get_command(ctx, cmd_name)
        command = getattr(importlib.import_module(lazy.module), lazy.name)
        if not isinstance(command, click.Command):
            raise TypeError(f"{lazy.module}.{lazy.name} is no click command")
        return command

    def summaries(self, ctx: click.Context) -> dict[str, str]:
        """What the list says of each, from the table of those that are not imported."""
        told = {name: lazy.summary for name, lazy in self.lazily.items()}
        return told | {n: each.get_short_help_str(LONGEST) for n, each in self.commands.items()}


def nearest(word: str, known: list[str]) -> str:
    """Suggest the known word nearest to a mistyped one, or name them all."""
    close = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.5)
    if close:
        return f"Did you mean '{close[0]}'?"
    return f"The commands are: {', '.join(sorted(known))}."
