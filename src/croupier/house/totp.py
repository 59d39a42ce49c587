"""Codes of a second factor that change every half a minute (RFC 6238, with SHA-1 and six digits as
every authenticator app makes them; the counter's part is RFC 4226).

A code counts within its half minute and the one before and after it, and never twice.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from datetime import datetime
from urllib.parse import quote

STEP = 30
"""Seconds for which one code counts."""
DIGITS = 6
EITHER_WAY = 1
"""Steps before and after the present one that count too: clocks differ, and people type slowly."""
KEY_BYTES = 20
KIND = "second factor"
"""How the key is filed among the secrets."""


def new_key() -> str:
    """A new key, as authenticator apps take it: base32 of twenty random bytes."""
    return base64.b32encode(secrets.token_bytes(KEY_BYTES)).decode()


def code_at(key: bytes, step: int, digits: int = DIGITS, hash: str = "sha1") -> str:
    """The code of one step: a part of the HMAC of its number, whose place the HMAC itself says."""
    made = hmac.digest(key, step.to_bytes(8, "big"), hash)
    at = made[-1] & 0x0F
    number = int.from_bytes(made[at : at + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**digits).zfill(digits)


def step_at(when: datetime) -> int:
    """The number of the half minute at a moment."""
    return int(when.timestamp()) // STEP


def code_of(key: str, when: datetime) -> str:
    """The code that an authenticator app shows for a key at a moment."""
    return code_at(base64.b32decode(key), step_at(when))


def matching_step(key: str, code: str, when: datetime, after: int = 0) -> int | None:
    """The step whose code this is, if it counts at this moment and is later than the last one that
    was used. Every step is compared, so that it always takes as long."""
    typed = "".join(code.split()) if code.isascii() else ""
    raw, now = base64.b32decode(key), step_at(when)
    found: int | None = None
    for step in range(now - EITHER_WAY, now + EITHER_WAY + 1):
        if hmac.compare_digest(code_at(raw, step).encode(), typed.encode()) and step > after:
            found = step
    return found


def is_key(text: str) -> bool:
    """Whether this is a key as `new_key` makes it."""
    try:
        return len(base64.b32decode(text)) == KEY_BYTES
    except ValueError:
        return False


def spaced(key: str) -> str:
    """A key in groups of four, to be typed."""
    return " ".join(key[n : n + 4] for n in range(0, len(key), 4))


def address_of(key: str, name: str, house: str = "croupier") -> str:
    """The key as an address that authenticator apps open."""
    label = f"{quote(house)}:{quote(name)}"
    return f"otpauth://totp/{label}?secret={key}&issuer={quote(house)}"
