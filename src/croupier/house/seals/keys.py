"""Keys that sign: of the House, of a witness, of the regulator. Ed25519 (RFC 8032).

A secret key is a file of its own, for its owner alone: the 64 hexadecimal digits of its 32 bytes,
as a key of secrets is. Its public key, 64 digits too, is for everybody, and names it. What is
signed begins with words that say what it is, so that no signature can be taken for another.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.house.errors import HouseError
from croupier.house.private import make_private
from croupier.house.vault import read_key_file

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SEAL = b"croupier 1 seal\0"
WITNESS = b"croupier 1 witness\0"
MANIFEST = b"croupier 1 manifest\0"

KEY_FILE = "CROUPIER_SEAL_KEY_FILE"
SUFFIX = ".seal-key"
SECRET_BYTES = 32
PUBLIC = r"^[0-9a-f]{64}$"
SIGNATURE = r"^[0-9a-f]{128}$"


class BadKey(HouseError):
    """What should be a key is none, or cannot be written."""


class SigningKey:
    """A secret key that signs, and its public key."""

    def __init__(self, secret: bytes) -> None:
        # Late: whoever only plays, asks or computes need not load it.
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key: Ed25519PrivateKey = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw().hex()

    def sign(self, what: bytes, text: bytes) -> bytes:
        """Sign a text; `what` says what it is."""
        return self._key.sign(what + text)


def is_signed(public: str, what: bytes, text: bytes, signature: bytes) -> bool:
    """Whether a text was signed with the secret key that belongs to this public one."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if not re.fullmatch(PUBLIC, public):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(signature, what + text)
    except (InvalidSignature, ValueError):
        return False
    return True


def make_key(file: Path) -> SigningKey:
    """Make a new key in a file of its own, with the public one beside it."""
    secret = secrets.token_bytes(SECRET_BYTES)
    key = SigningKey(secret)
    try:
        make_private(file, secret.hex().encode() + b"\n")
        public = file.with_name(f"{file.name}.pub")
        public.write_text(f"{key.public}\n", encoding="ascii")
        # Whatever the umask: who could write it could have his own key taken for the House's.
        public.chmod(stat.S_IMODE(public.stat().st_mode) & ~0o022)
    except FileExistsError as error:
        raise BadKey(f"{file} is there already; a key is never overwritten") from error
    except OSError as error:
        raise BadKey(f"{file} cannot be written: {error.strerror}") from error
    return key


def read_key(file: Path) -> SigningKey:
    """The key in a file; one that others can read is refused."""
    return SigningKey(read_key_file(file))


def key_file_of(
    database: Path | None, named: str = "", environment: Mapping[str, str] = os.environ
) -> Path | None:
    """Where the House's key lies: as its configuration or environment says, or beside the file of
    SQLite if there is one there. None: it has none, and seals nothing."""
    told = named or environment.get(KEY_FILE, "")
    if told:
        return Path(told)
    beside = database.with_name(f"{database.name}{SUFFIX}") if database is not None else None
    return beside if beside is not None and beside.is_file() else None


def public_key(told: str) -> str:
    """A public key as somebody names it: its digits, or the file that holds them."""
    digits = told.strip().lower()
    if not re.fullmatch(PUBLIC, digits):
        try:
            digits = Path(told).read_text(encoding="ascii").strip().lower()
        except (OSError, ValueError) as error:
            raise BadKey(
                f"{told!r} is no public key: give its 64 hexadecimal digits, or the file with them "
                "(FILE.pub)"
            ) from error
    if not re.fullmatch(PUBLIC, digits):
        raise BadKey(f"{told} holds no public key: one is 64 hexadecimal digits")
    return digits
