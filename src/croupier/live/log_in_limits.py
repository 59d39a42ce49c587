"""How often a log-in may be tried, by address and by account, before any password is looked at.

A stranger must not be able to guess on, nor to keep anybody out. So a browser by which somebody has
logged in before has a sign of that, and tries on its own account: whatever strangers do, it is let
try. Everybody else shares what is left. Names that nobody has are counted as names that somebody
has: the limits tell nothing.
"""

from __future__ import annotations

import hashlib
import secrets

from msgspec import Struct

from croupier.live.limits import Buckets

QUARTER, HOUR = 900.0, 3600.0
SLOTS = 1 << 14
"""Names are counted in so many places. Were each name remembered, the oldest would have to be
forgotten for new ones: whoever tries thousands of names that nobody has would have it so, and guess
on at the one that counts. Two names in one place share its tries; nobody knows which do."""


class From(Struct, frozen=True, kw_only=True):
    """Where a log-in comes from."""

    address: str
    """As the limits count it (`croupier.live.senders`)."""
    device: str = ""
    """The sign of a browser by which the same person has logged in before; nothing if there is
    none."""

    @property
    def origin(self) -> str:
        """The place, as the office remembers it: its own for each known browser."""
        return f"device {self.device}" if self.device else f"address {self.address}"


class LogInLimits:
    """Counts what failed; what did not is given back."""

    def __init__(self) -> None:
        self._address = Buckets(30 / QUARTER, 30)
        """A house full of people behind one address mistypes now and then."""
        self._account = Buckets(60 / QUARTER, 60, SLOTS)
        """All strangers together, at one account."""
        self._device = Buckets(10 / QUARTER, 10)
        self._code = Buckets(1 / HOUR, 10, SLOTS)
        """Wrong codes of a second factor after the right password, of all strangers together. Sixty
        in a quarter of an hour would find one of a million codes within two months."""
        self._key = secrets.token_bytes(16)

    def _slot(self, name: str) -> int:
        """The place at which a name is counted."""
        text = name.casefold().encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(text, key=self._key, digest_size=8).digest()
        return int.from_bytes(digest, "big") % SLOTS

    def may_try(self, name: str, place: From) -> bool:
        """Whether one more is looked at; counted as failed until `was_right`."""
        if place.device:
            return not self._device.take((name.casefold(), place.device))
        slot = self._slot(name)
        if self._address.take(place.address) or self._account.take(slot):
            return False
        return self._code.has(slot)

    def was_wrong_code(self, name: str, place: From) -> None:
        """Somebody knows the password, and guesses at the code. Whoever does not know the password
        keeps nobody out by this."""
        if not place.device:
            self._code.take(self._slot(name))

    def was_right(self, name: str, place: From) -> None:
        """It did not fail."""
        if place.device:
            self._device.give_back((name.casefold(), place.device))
        else:
            self._address.give_back(place.address)
            self._account.give_back(self._slot(name))
