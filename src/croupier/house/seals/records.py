"""What a seal says, how it is signed, and how one follows from another.

    digest(seal)    = SHA-256( body )
    signature       = Ed25519( "croupier 1 seal" 0 || body )            with the House's key
    signed back     = Ed25519( "croupier 1 witness" 0 || digest(seal) || name LF time )

The body is JSON in UTF-8, and signed as it is stored, byte for byte. `docs/seals.md` says what each
part is the digest of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from croupier.house.errors import CorruptDatabase
from croupier.house.seals.keys import PUBLIC, SEAL, SIGNATURE, WITNESS, SigningKey, is_signed

FORMAT = 1
WHOLE_EVERY = 100
"""Seal 1, and every so many after it, names the heads of all logs; others those that have grown."""

Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
Public = Annotated[str, Meta(pattern=PUBLIC)]
Signature = Annotated[str, Meta(pattern=SIGNATURE)]
TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}(Z|[+-][0-9]{2}:[0-9]{2})$"
Time = Annotated[str, Meta(pattern=TIME)]
Count = Annotated[int, Meta(ge=0)]
Why = Literal["time", "day", "order", "stop", "key"]
"""Why it was made: so much time has passed, a gaming day is over, somebody ordered it, the House
stops, or another key follows."""

FIRST = "0" * 64
"""What stands for the seal before the first one, and for a running digest over nothing."""


class Counted(Struct, frozen=True, kw_only=True):
    """So many of something, and a digest over all of them."""

    count: Count
    digest: Digest


class Moved(Struct, frozen=True, kw_only=True):
    """So many entries of the ledger, how many cents they moved in all, and a digest over them."""

    count: Count
    sum: Count
    digest: Digest


class Seal(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the House signs."""

    croupier: Literal["seal"]
    format: Annotated[int, Meta(ge=FORMAT, le=FORMAT)]
    house: Digest
    """Of which House: the digest of the first event of its office."""
    number: Annotated[int, Meta(ge=1)]
    before: Digest
    """The digest of the seal before it."""
    at: Time
    why: Why
    key: Public
    """The public key that it is signed with."""
    events: Count
    """How many events all logs have."""
    heads: dict[str, tuple[Annotated[int, Meta(ge=1)], Digest]]
    """How far each log goes, and the digest of its last event."""
    logs: Counted
    """All heads, also of logs that have not grown."""
    orders: Counted
    """Orders that came to nothing: no event is bound to them."""
    entries: Moved
    balances: Counted
    refused: Counted
    school: Counted | None = None
    """How far the entries of the dealer school go, and the digest of the last; none without any."""
    next_key: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?$")] = ""
    """The public key that follows, if another does: the seals after this are signed with it."""

    @property
    def beside(self) -> tuple[Counted, Counted | None]:
        """What grows beside the logs."""
        return self.refused, self.school


class SignedSeal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seal as it is kept and handed on: its body as it was signed, and the signature."""

    body: str
    signature: Signature

    @property
    def digest(self) -> str:
        """By which the next seal names this one."""
        return hashlib.sha256(self.body.encode()).hexdigest()

    def read(self) -> Seal:
        """What it says; what is no seal is an error."""
        try:
            seal = _read_seal.decode(self.body.encode())
            datetime.fromisoformat(seal.at)
        except (msgspec.MsgspecError, ValueError) as error:
            raise BadSeal(f"this is no seal of croupier's: {error}") from error
        return seal


class WitnessMark(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seal, signed back by somebody who keeps it."""

    seal: Annotated[int, Meta(ge=1, le=2**53)]
    digest: Digest
    witness: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$")]
    at: Annotated[str, Meta(pattern=r"^[0-9TZ:.+-]{10,40}$")]
    key: Public
    signature: Signature

    def holds(self) -> bool:
        """Whether it was signed with the key that it names."""
        text = _mark_text(self.digest, self.witness, self.at)
        return is_signed(self.key, WITNESS, text, bytes.fromhex(self.signature))


class BadSeal(CorruptDatabase):
    """A seal that is none, was changed, or does not follow from the one before it."""


class Forked(BadSeal):
    """Two different seals of one House with one number, or after one and the same seal: it has
    told two histories."""


_read_seal = msgspec.json.Decoder(Seal)


def signed(seal: Seal, key: SigningKey) -> SignedSeal:
    """Sign a seal."""
    body = msgspec.json.encode(seal)
    return SignedSeal(body=body.decode(), signature=key.sign(SEAL, body).hex())


def signed_back(
    seal: SignedSeal, number: int, witness: str, at: str, key: SigningKey
) -> WitnessMark:
    """What a witness hands back: that he has seen this seal, and keeps it."""
    digest = seal.digest
    signature = key.sign(WITNESS, _mark_text(digest, witness, at)).hex()
    return WitnessMark(
        seal=number, digest=digest, witness=witness, at=at, key=key.public, signature=signature
    )


def _mark_text(digest: str, witness: str, at: str) -> bytes:
    return bytes.fromhex(digest) + f"{witness}\n{at}".encode()


class Followed:
    """Takes seals one after another, and says of each whether it follows from the one before.

    `keys` are the public keys that are known to be the House's; if none are, the first seal's key
    is taken as it is.
    """

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._known = frozenset(keys)
        self._used: set[str] = set()
        """The keys of all seals so far."""
        self.last: SignedSeal | None = None
        self.seal: Seal | None = None
        """What the newest says."""
        self.heads: dict[str, tuple[int, str]] = {}
        """How far all logs go by it."""

    @property
    def number(self) -> int:
        """The number of the newest."""
        return self.seal.number if self.seal is not None else 0

    def take(self, given: SignedSeal) -> Seal:
        """Take the next seal; `BadSeal` if it does not follow."""
        seal = given.read()
        wrong = self._wrong_with(given, seal)
        if not wrong and seal.before != (self.last.digest if self.last is not None else FIRST):
            raise Forked(
                f"FORK: seal {seal.number} ({seal.at}) names another seal {self.number} as the one "
                "before it than the one that is kept here. Both are signed with the House's key: "
                "it has told two histories"
            )
        wrong = wrong or _wrong_with_heads(seal, self.heads)
        if wrong:
            raise BadSeal(f"seal {seal.number} ({seal.at}) does not hold: {wrong}")
        self.heads = {**self.heads, **seal.heads}
        self.last, self.seal = given, seal
        self._used.add(seal.key)
        return seal

    def is_another(self, number: int, given: SignedSeal) -> bool:
        """Whether the House has signed this too as its seal of this number, now or ever, with a key
        that is known to be its own: only then it speaks against the House. A seal of another number
        that somebody shows in its place does not."""
        try:
            seal = given.read()
        except BadSeal:
            return False
        if seal.number != number or (seal.key not in self._used and seal.key not in self._known):
            return False
        signature = bytes.fromhex(given.signature)
        return is_signed(seal.key, SEAL, given.body.encode(), signature)

    def _wrong_with(self, given: SignedSeal, seal: Seal) -> str:
        """What is wrong, in a sentence; nothing if it is the House's and the next."""
        if not is_signed(seal.key, SEAL, given.body.encode(), bytes.fromhex(given.signature)):
            return "its signature is not of its key and its text; it was changed, or forged"
        before = self.seal
        if before is None:
            if seal.number != 1 or seal.before != FIRST:
                return "it is not the first of its House, and the seals before it are not there"
            if self._known and seal.key not in self._known:
                return f"it is signed with key {seal.key}, which is not known to be the House's"
            return ""
        if seal.number != before.number + 1:
            return f"it comes after seal {before.number}: one is missing"
        if seal.house != before.house:
            return "it is of another House"
        expected = before.next_key or before.key
        # A key that was followed by another is the House's no more, though it may be known.
        if seal.key != expected and (seal.key in self._used or seal.key not in self._known):
            return f"it is signed with key {seal.key}, and key {expected} was to follow"
        return ""


def _wrong_with_heads(seal: Seal, before: dict[str, tuple[int, str]]) -> str:
    """Logs only grow, and the seal says how long they are together."""
    for place, (position, digest) in seal.heads.items():
        then, known = before.get(place, (0, ""))
        if position < then or (position == then and digest != known):
            return f"the log of {place} ends at event {position}, and was sealed to {then} before"
    heads = {**before, **seal.heads}
    if seal.events != sum(position for position, _ in heads.values()):
        return "its heads do not come to as many events as it says"
    if seal.logs != heads_digest(heads):
        return "the digest over all heads is not that of its heads and those before"
    return ""


def heads_digest(heads: dict[str, tuple[int, str]]) -> Counted:
    """The digest over all heads: the lines place, position and digest, each followed by LF, in the
    order of the places' names by code point."""
    text = "".join(f"{place}\n{n}\n{digest}\n" for place, (n, digest) in sorted(heads.items()))
    return Counted(count=len(heads), digest=hashlib.sha256(text.encode()).hexdigest())
