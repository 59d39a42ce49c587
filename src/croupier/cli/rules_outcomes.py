"""`croupier rules diff --cases`: the cases of one book, played under another."""

from __future__ import annotations

from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.pit import GAMES, shipped_cases
from croupier.pit.carried import Outcome, outcomes
from croupier.rulebooks import Rulebook


class PlayedUnder(NamedTuple):
    """What came of the cases of one book under another."""

    old: Rulebook
    new: Rulebook
    found: list[Outcome]

    @property
    def otherwise(self) -> list[Outcome]:
        """Those that came out otherwise."""
        return [one for one in self.found if one.otherwise]

    def as_json(self) -> dict[str, Any]:
        """For --json: how many were played, and what came out otherwise."""
        told = [
            {"case": one.source, "title": one.title, "otherwise": one.otherwise}
            for one in self.otherwise
        ]
        return {"played": len(self.found), "otherwise": told}

    def print(self, console: Console) -> None:
        """For a person: each case that comes out otherwise, and where."""
        table = Table(box=None, pad_edge=False, show_header=False)
        for one in self.otherwise:
            told = Text.assemble(
                (one.title, "bold"), "\n", (one.source, "cyan"), "\n", one.otherwise
            )
            table.add_row(told)
        console.print(table)
        says = f"{len(self.found)} cases of {self.old.short} were played under {self.new.short}; "
        console.print(Text(f"{says}{len(self.otherwise)} come out otherwise.", style="dim"))


def played_under(old: Rulebook, new: Rulebook) -> PlayedUnder:
    """Play the shipped cases of one book under another, and tell how far it is."""
    with Console(stderr=True).status("") as status:
        return PlayedUnder(
            old, new, list(outcomes(old, new, shipped_cases(), GAMES, status.update))
        )
