"""Passwords and PINs by argon2, and the tokens of sessions: secrets leave this room only hashed."""

from __future__ import annotations

import hashlib
import secrets
from base64 import b64encode
from itertools import pairwise

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

from croupier.house.errors import HouseError

SHORTEST = 8
LONGEST = 200
KIND = "password"
"""How a password's hash is filed among the secrets."""

PIN = "pin"
"""How the hash of a PIN is filed."""
PIN_SHORTEST, PIN_LONGEST = 4, 12

_hasher = PasswordHasher()


class WeakPassword(HouseError, ValueError):
    """A password that is too short, or too long to be hashed in reasonable time."""


def hashed(password: str) -> str:
    """The argon2 hash of a password, with its salt and parameters."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise WeakPassword(f"a password has {SHORTEST} to {LONGEST} characters")
    if not _writable(password):
        raise WeakPassword("a password has characters only that can be written as UTF-8")
    return _hasher.hash(password)


def hashed_pin(pin: str) -> str:
    """The argon2 hash of a PIN. One types it at a table, so it is short and wrong ones are counted,
    and it is none that anybody would try first."""
    if not (pin.isascii() and pin.isdigit() and PIN_SHORTEST <= len(pin) <= PIN_LONGEST):
        raise WeakPassword(f"a PIN has {PIN_SHORTEST} to {PIN_LONGEST} digits")
    steps = {int(after) - int(before) for before, after in pairwise(pin)}
    if steps in ({0}, {1}, {-1}):
        raise WeakPassword("such a PIN is tried first (all the same, or counting); take another")
    return _hasher.hash(pin)


def is_right(password: str, kept: str | None) -> bool:
    """Whether this is the password of a hash; it takes the same time where there is none."""
    try:
        tried = password if _writable(password) else ""  # no kept hash is of nothing
        _hasher.verify(kept or _nobodys(), tried[: LONGEST + 1])
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None


def _nobodys() -> str:
    """A hash that is nobody's, checked where there is no such person: to check it takes as long as
    to check a real one, to make it takes nothing."""
    costs = f"m={_hasher.memory_cost},t={_hasher.time_cost},p={_hasher.parallelism}"
    salt, tag = (
        b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (_hasher.salt_len, _hasher.hash_len)
    )
    return f"$argon2id$v={ARGON2_VERSION}${costs}${salt}${tag}"


def digest_of(text: str) -> str:
    """SHA-256 in hexadecimal: of a hash or a token, for the log."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _writable(text: str) -> bool:
    """Whether it is text at all: half a surrogate is not."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(32)
