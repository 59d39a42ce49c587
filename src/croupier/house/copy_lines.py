"""Rows and openings as they stand in files: in the copy of the log, and in archives."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from croupier.house.records import Opening, Row

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class CopyLine(Struct, kw_only=True, gc=False):
    """One row of the log as it stands in a file."""

    place: str
    position: int
    command_id: str
    who: str
    rank: str
    at: str
    digest: Digest
    order: Digest | UnsetType = UNSET
    event: Raw

    @classmethod
    def of(cls, row: Row) -> CopyLine:
        """The line of a row."""
        return cls(
            place=row.stream,
            position=row.position,
            command_id=row.command_id,
            who=row.who,
            rank=row.rank,
            at=row.at,
            digest=row.digest.hex(),
            order=row.order.hex() or UNSET,
            event=Raw(row.stored or row.event),
        )

    def row(self) -> Row:
        """The row of the log that this is the line of."""
        return Row(
            stream=self.place,
            position=self.position,
            command_id=self.command_id,
            who=self.who,
            rank=self.rank,
            at=self.at,
            event=bytes(self.event),
            digest=bytes.fromhex(self.digest),
            order=bytes.fromhex(self.order) if self.order is not UNSET else b"",
        )


class KeptOpening(Struct, kw_only=True):
    """One opening as it was stored."""

    shuffle: str
    place: str
    seed: Annotated[str, Meta(pattern="^([0-9a-f]{2})*$")]

    def opening(self) -> Opening:
        """The opening that this is the line of; its seed is encrypted if it was."""
        return Opening(shuffle=self.shuffle, stream=self.place, seed=bytes.fromhex(self.seed))
