"""The digests of the approved texts that our words were made from. The texts are not shipped.

Another file may be as good: the same text in another form has another digest. Who loads one is told
which it is, and compares it with what is approved.
"""

from __future__ import annotations

import hashlib

DIGESTS = {
    "no-limit-holdem-v8": "50feb022a906b71e93891480044c9bd11eaf744cb4c0bde3d8e4e4bc91bf9064",
    "poker-v5": "9c19a1fe6eb64f9adc7ee70073fdf9fe7bc14a0b1cbdb902a4d74afcb3c4ce1f",
    "progressive-texas-holdem-v6": (
        "515ef9c11243dedd63d75e7d74c64cd3d72b866143c936a5f191a068d481684e"
    ),
    "multi-link-progressive-v2": "9fabc4494679a46b4c42b50ace43672914a7974832efc2ec6ef2deac10fe2be2",
    "multi-link-progressive-v3": "9e5787ac577fcadb839fc86835945b0cc3ebbc1febde5f56ff9a626243d3ffb6",
}
"""SHA-256 of each text, byte for byte."""


def told_by_digest(book: str, text: bytes) -> str:
    """What the digest of a text says of it, in a sentence."""
    found = hashlib.sha256(text).hexdigest()
    if found == DIGESTS.get(book):
        return f"By its digest (SHA-256 {found[:16]}…) the text that our words were made from."
    return (
        f"Another file than our words were made from (SHA-256 {found}): see that it is the text "
        "in force."
    )
