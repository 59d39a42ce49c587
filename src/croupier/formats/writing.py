"""A hand that was read, written in another format."""

from __future__ import annotations

from croupier.formats.export import FORMATS, WRITERS
from croupier.formats.hand import Hand
from croupier.formats.replay import Replayer
from croupier.formats.replayed import replayed_hand
from croupier.table import AUDITOR


def hand_formats() -> list[str]:
    """The formats in which a hand can be written."""
    return [name for name in FORMATS if name in WRITERS]


def write_hand(hand: Hand, form: str) -> bytes:
    """A hand with what its replay says of it. Raises FormatError where the format cannot tell."""
    return WRITERS[form](replayed_hand(hand, Replayer()), AUDITOR, 0)
