"""Decks that are shuffled and not played yet: which there are, and how an export keeps them closed.

A table shuffles for its next round as soon as one is over, so its log nearly always ends in a deck
that nobody has seen. Of such a shuffle an export has the row without its event (`null`), and not
the seed: the digest, to which the next row is chained, and the commitment are there, and whoever
gets a later export sees the cards that belong to them. The secret of a round that is still to be
played, or under way, is left out too, whether anything was shuffled of it or not.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from croupier.house.audit.conversations import conversation_of
from croupier.house.binding import coming_round
from croupier.house.replaying import apply_event, held_rows, read_event
from croupier.house.shuffle_book import SecretCommitted, ShuffleBook, book_of
from croupier.house.store import Store
from croupier.pit.telling import cards_in
from croupier.table import ActorRank, Conversation, ShuffleGiven, ShuffleNeeded, Table


class Unplayed(Struct, kw_only=True):
    """Where cards are still to be played."""

    begun: list[str] = []
    """Tables with a round under way, or where cards of the deck have been dealt already."""
    closed: dict[str, int] = {}
    """Tables where nothing of the deck is known to anybody, and the event that shuffled it."""
    secrets: set[str] = set()
    """Secrets of rounds that are not over, by the id under which they are kept."""


def unplayed(store: Store) -> Unplayed:
    """Look at every table of the House."""
    found = Unplayed()
    for stream in store.streams():
        first = next(store.rows(stream, until=1), None)
        table = conversation_of(stream, first.event) if first is not None else None
        if isinstance(table, Table):
            _look(store, stream, table, found)
    return found


def _look(store: Store, stream: str, table: Table[Any], found: Unplayed) -> None:
    """Whether a shuffle was given since a round ended last, and cards of it were seen since."""
    shuffled: int | None = None
    was_playing = dealt = False
    for row in held_rows(store, stream):
        event = read_event(table, row)
        apply_event(table, row, event)
        if isinstance(event, ShuffleGiven):
            # What a person has reported is neither hidden nor committed to: nothing but its row
            # binds it, so that is never left out.
            reported = row.rank != ActorRank.HOUSE.value and not row.stored
            shuffled, dealt = row.position, reported
        elif not isinstance(event, ShuffleNeeded):
            dealt = dealt or any(True for _ in cards_in(event))
        playing = table.state.opened and table.playing()
        if was_playing and not playing:
            shuffled = None
        was_playing = playing
    newest, used = _newest_secret(store, stream)
    if newest is not None and (not used or newest.round >= coming_round(table)):
        found.secrets.add(newest.secret)
    if shuffled is None:
        return
    if was_playing or dealt:
        found.begun.append(stream)
    else:
        found.closed[stream] = shuffled


def _newest_secret(store: Store, table: str) -> tuple[SecretCommitted | None, bool]:
    """The last commitment of a table, and whether anything was made of it."""
    newest, used = None, False
    for row in held_rows(store, book_of(table)):
        event = read_event(_BOOK, row)
        if isinstance(event, SecretCommitted):
            newest, used = event, False
        else:
            used = True
    return newest, used


_BOOK = ShuffleBook()


def stand_in(conversation: Conversation[Any] | None) -> ShuffleGiven | None:
    """What a table is given in place of a shuffle that was withheld: the cards as it named them.

    None where it waits for no shuffle, or is in the middle of a round: there none is withheld.
    """
    if not isinstance(conversation, Table) or not conversation.state.opened:
        return None
    match conversation.state.waiting:
        case [ShuffleNeeded() as asked] if not conversation.playing():
            return ShuffleGiven(
                need=asked.need, purpose=asked.purpose, cards=asked.cards, cites=asked.cites
            )
        case _:
            return None
