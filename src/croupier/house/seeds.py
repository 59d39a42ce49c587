"""The players' seeds: sent as hashes before the House commits, opened after it, before the deal.

What is here is the memory of one process, until the shuffle book has it. A hash counts for the
commitment whose number it names and for no other. It may be sent anew until the House commits; from
then on it is listed, and only the seed that belongs to it opens it, by whoever sent it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from croupier.house.errors import HouseError
from croupier.house.mixing import seed_hash
from croupier.house.shuffle_book import Bound, OpenedSeed, SeedHash, takes_part


class SeedRefused(HouseError):
    """A seed or its hash comes at the wrong time, for the wrong commitment, or is another one."""


class Participation(Struct, frozen=True, kw_only=True):
    """What is part of a shuffle, and who is not."""

    opened: tuple[OpenedSeed, ...] = ()
    unopened: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


class Seeds:
    """The seeds of all tables of one process. Used with the House's lock."""

    def __init__(self) -> None:
        self._hashes: dict[str, dict[str, tuple[int, str]]] = {}
        """By table and player: for which commitment, and the hash."""
        self._opened: dict[str, tuple[str, dict[str, str]]] = {}
        """By table: of which commitment, and by player the seed. By the id of its secret, for one
        that was lost before it was stored has a successor of the same number."""

    def forget(self, place: str) -> None:
        """A table is run no more."""
        self._hashes.pop(place, None)
        self._opened.pop(place, None)

    def offer(self, place: str, player: str, number: int, coming: int, hash: str) -> None:
        """Take the hash of a seed for the commitment that comes next."""
        if number != coming:
            raise SeedRefused(f"The next commitment is number {coming}, not {number}.")
        self._hashes.setdefault(place, {})[player] = (number, hash)

    def listed(
        self, place: str, number: int, players: Collection[str], silent: Mapping[str, int]
    ) -> tuple[SeedHash, ...]:
        """The hashes that stand with a commitment: of these players, by name."""
        taken = self._hashes.pop(place, {})
        return tuple(
            SeedHash(player=player, hash=taken[player][1])
            for player in sorted(taken.keys() & set(players))
            if taken[player][0] == number and takes_part(silent, player, number)
        )

    def open(self, place: str, player: str, number: int, bound: Bound | None, seed: str) -> None:
        """Take the seed of a player whose hash stands with the commitment."""
        if bound is None or bound.number != number or bound.uses:
            raise SeedRefused(f"No seed of commitment {number} can be opened now.")
        listed = {each.player: each.hash for each in bound.seeds}
        if player not in listed:
            raise SeedRefused(f"No hash of yours stands with commitment {number}.")
        if seed_hash(place, number, player, bytes.fromhex(seed)).hex() != listed[player]:
            raise SeedRefused("This is not the seed whose hash you sent.")
        self._opened[place] = (bound.secret, {**self._opened_of(place, bound), player: seed})

    def participation(self, place: str, bound: Bound, dealt_in: Collection[str]) -> Participation:
        """What would be part of the shuffle if it were made now."""
        if bound.uses:
            return Participation(opened=bound.opened, unopened=bound.unopened, absent=bound.absent)
        if not bound.seeds:
            return Participation()
        opened = self._opened_of(place, bound)
        names = [each.player for each in bound.seeds]
        return Participation(
            opened=tuple(
                OpenedSeed(player=name, seed=opened[name])
                for name in names
                if name in opened and name in dealt_in
            ),
            unopened=tuple(n for n in names if n not in opened and n in dealt_in),
            absent=tuple(name for name in names if name not in dealt_in),
        )

    def _opened_of(self, place: str, bound: Bound) -> dict[str, str]:
        secret, opened = self._opened.get(place, ("", {}))
        return opened if secret == bound.secret else {}
