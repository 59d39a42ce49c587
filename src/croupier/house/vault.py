"""The key of the House's secrets, and how what must stay hidden is written to a database with it.

Encrypted at rest are the secrets of the shuffles, the hashes of the passwords and the kept states
of tables: whoever reads the database, its copy or a backup of either learns none of them without
the key, nor the decks that are hidden by those secrets (`croupier.house.hidden`). AES-256-GCM, with
a nonce of its own for each; what it is about (table and row) is authenticated with it, so that no
two can be swapped.

    CROUPIER_SECRETS_KEY_FILE   the file of the key: 64 hexadecimal digits, for its owner alone
    CROUPIER_SECRETS_KEY        the digits themselves, where there is no place for a file

Where neither is said, the key of a file of SQLite lies beside it (`house.db.secrets-key`), and is
made when the first secret is written. On PostgreSQL nothing is encrypted until a key is named. What
was written before there was a key is read as it is.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.house.errors import CorruptDatabase, HouseError
from croupier.house.private import make_private

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY = "CROUPIER_SECRETS_KEY"
KEY_FILE = "CROUPIER_SECRETS_KEY_FILE"
SUFFIX = ".secrets-key"
KEY_BYTES = 32
NONCE_BYTES = 12
MARK = b"sealed1\0"
"""What was encrypted begins so, then comes which key it was, the nonce, and the text."""
TEXT_MARK = "sealed1:"
KEY_ID_BYTES = 8


class NoKey(HouseError):
    """Something is encrypted, and the key that it was encrypted with is not there."""


class Vault:
    """Encrypts and decrypts what one database keeps hidden."""

    def __init__(self, name: str, file: Path | None = None) -> None:
        """`file` is where the key lies unless the operator names another one."""
        self._name = name
        self._file = file
        self._key: bytes | None = None
        self._cipher: AESGCM | None = None

    def ready(self, has_sealed: Callable[[], bool]) -> bool:
        """Whether there is a key; one beside a file is made, unless something is encrypted there
        already."""
        if self._find():
            return True
        if self._file is None:
            return False
        if has_sealed():
            if self._find():  # made meanwhile, by whoever wrote what is encrypted
                return True
            raise self.missing()
        self._make(self._file)
        return self._find()

    def _make(self, file: Path) -> None:
        """Make a key; whoever else looks for one meanwhile finds it whole, or not at all."""
        made = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
        make_private(made, secrets.token_hex(KEY_BYTES).encode() + b"\n")
        try:
            with suppress(FileExistsError):  # another one was quicker: that is the key
                os.link(made, file)
        finally:
            made.unlink()

    def seal(self, plain: bytes, about: str) -> bytes:
        """Encrypt something; `about` says which row it is."""
        cipher = self._cipher_now()
        assert self._key is not None
        nonce = secrets.token_bytes(NONCE_BYTES)
        return MARK + key_id(self._key) + nonce + cipher.encrypt(nonce, plain, about.encode())

    def unseal(self, kept: bytes, about: str) -> bytes:
        """What was encrypted; what never was, as it is."""
        if not kept.startswith(MARK):
            return kept
        cipher = self._cipher_now()
        from cryptography.exceptions import InvalidTag

        assert self._key is not None
        rest = kept[len(MARK) :]
        of, nonce = rest[:KEY_ID_BYTES], rest[KEY_ID_BYTES : KEY_ID_BYTES + NONCE_BYTES]
        if of != key_id(self._key):
            raise CorruptDatabase(
                f"{about} of {self._name} was encrypted with another key ({of.hex()}, "
                f"not {key_id(self._key).hex()}), or changed; {HINT}"
            )
        try:
            return cipher.decrypt(nonce, rest[KEY_ID_BYTES + NONCE_BYTES :], about.encode())
        except (InvalidTag, ValueError) as error:
            raise self._changed(about) from error

    def seal_text(self, plain: str, about: str) -> str:
        """The same for a text."""
        return TEXT_MARK + b64encode(self.seal(plain.encode(), about)).decode()

    def unseal_text(self, kept: str, about: str) -> str:
        """The same for a text."""
        if not kept.startswith(TEXT_MARK):
            return kept
        try:
            text = kept.removeprefix(TEXT_MARK)
            decoded = b64decode(text, validate=True)
            if b64encode(decoded).decode() != text:  # bits that decoding leaves out
                raise self._changed(about)
            return self.unseal(decoded, about).decode()
        except ValueError as error:
            raise self._changed(about) from error

    # -- the key -----------------------------------------------------------------------------

    def _find(self) -> bool:
        """Read the key, if there is one; once."""
        if self._key is not None:
            return True
        told = os.environ.get(KEY)
        named = os.environ.get(KEY_FILE)
        if told:
            self._key = _read(told, KEY)
        elif named:
            self._key = read_key_file(Path(named))
        elif self._file is not None and self._file.is_file():
            self._key = read_key_file(self._file)
        return self._key is not None

    def _cipher_now(self) -> AESGCM:
        if self._cipher is None:
            if not self._find():
                raise self.missing()
            # Late: whoever only plays, asks or computes need not load it.
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM

            assert self._key is not None
            self._cipher = AESGCM(self._key)
        return self._cipher

    def _changed(self, about: str) -> CorruptDatabase:
        return CorruptDatabase(f"{about} of {self._name} was changed: it cannot be decrypted")

    def missing(self) -> NoKey:
        """What to say where the key is not there."""
        at = f"; {self._file} is not there" if self._file is not None else ""
        return NoKey(f"secrets of {self._name} are encrypted, and there is no key{at}; {HINT}")


HINT = f"name the file of the key with {KEY_FILE}"
"""What an operator does about it."""


def key_id(key: bytes) -> bytes:
    """Which key it is, for whoever looks for it: it says nothing about the key."""
    return hashlib.sha256(b"croupier 1 key\0" + key).digest()[:KEY_ID_BYTES]


def beside(database: Path) -> Path:
    """Where the key of a file of SQLite lies."""
    return database.with_name(f"{database.name}{SUFFIX}")


def read_key_file(file: Path) -> bytes:
    """The 32 bytes of a secret key in a file; one that others can read is refused."""
    try:
        with file.open("rb") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise NoKey(f"{file} can be read by others; a key is its owner's: chmod 600 {file}")
            return _read(opened.read(1_000).decode("ascii", "replace"), str(file))
    except OSError as error:
        raise NoKey(f"the key {file} cannot be read: {error.strerror}") from error


def _read(told: str, where: str) -> bytes:
    try:
        key = bytes.fromhex(told.strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise NoKey(f"{where} holds no key: a key is {2 * KEY_BYTES} hexadecimal digits")
    return key
