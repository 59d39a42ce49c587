"""What a start looks at before it reads anything: the pages of the database.

A damaged page can make a row vanish, and a House that goes on without it would store what never
was. `croupier.house.audit.pages` looks more closely, and takes longer.
"""

from __future__ import annotations

from croupier.house.database import Database
from croupier.house.errors import CorruptDatabase


def check_quickly(database: Database) -> None:
    """Every page can be read, and what stands on it hangs together; if not, an error says so."""
    damages = database.damages(quick=True)
    if damages:
        more = f" (and {len(damages) - 1:,} more)" if len(damages) > 1 else ""
        raise CorruptDatabase(
            f"{database.name} is damaged: {damages[0]}{more}. `croupier audit verify` says more; "
            f"`croupier audit restore` brings it back from the copy of the log"
        )
