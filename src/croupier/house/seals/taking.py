"""Takes seals back that a folder has and the database lacks: after it was restored from the copy of
the log, which holds no seals. Only those that follow, and only where the log still has what they
say: anything else was cut off, and to seal on would tell two histories."""

from __future__ import annotations

from croupier.house.errors import HouseError
from croupier.house.seals.folder import SealFolder
from croupier.house.seals.kept import keep_seal, newest_number, stored_seals
from croupier.house.seals.records import Followed
from croupier.house.store import Store


class CannotSeal(HouseError):
    """Nothing is sealed now; why is said."""


def take_back(store: Store, folder: SealFolder) -> int:
    """Take what follows into the database; return how many seals."""
    followed, taken = Followed(), 0
    for kept in stored_seals(store):
        followed.take(kept)
    newest = newest_number(store)
    for given in folder.seals(after=newest):
        seal = followed.take(given)
        for place, (position, digest) in seal.heads.items():
            row = store.row(place, position)
            if row is None or row.digest.hex() != digest:
                raise CannotSeal(
                    f"{folder.folder} has seal {seal.number}, and the database, which ends at seal "
                    f"{newest}, does not have event {position} of {place} as it was sealed: its "
                    "tail was cut off, or an older backup was restored. Nothing is sealed; "
                    "`croupier audit verify --seals` says what is missing"
                )
        if keep_seal(store, seal.number, given):
            taken += 1
    return taken
