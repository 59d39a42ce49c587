"""A refusal: an answer that changes nothing, with a sentence for the player and the paragraph."""

from __future__ import annotations

from msgspec import Struct


class Refused(Struct, frozen=True, gc=False, tag_field="answer", tag="refused"):
    """The command was understood and the book does not allow it. Nothing has changed."""

    cites: tuple[str, ...]
    says: str

    def __str__(self) -> str:
        return f"{self.says} ({', '.join(self.cites)})" if self.cites else self.says


class Refusal(Exception):
    """Carries a `Refused` out of the room that decided; `Conversation.handle` returns it."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(str(refused))
        self.refused = refused
