"""The players' part of the shuffles, over the wire: what viewers are told, and what they may check.

A commitment is told to everybody who watches before whatever the command that made it has caused.
After a round each gets the openings of the cards that he was allowed to see.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from croupier.house.answers import Answer
from croupier.house.commitment import CardOpening
from croupier.house.openings import Openings, Told
from croupier.house.proof import Mixed
from croupier.house.seeds import SeedRefused
from croupier.house.shuffle_book import Bound, book_of
from croupier.live import wire
from croupier.live.api_records import OpenedCard, ShuffleProof
from croupier.live.errors import NotAllowed
from croupier.live.identity import Visitor
from croupier.pit.replay import viewer_named
from croupier.table import DrawNeeded, ShuffleNeeded, Viewer

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino


class Shuffles:
    """What the tables of a live casino tell of their shuffles."""

    def __init__(self, casino: LiveCasino) -> None:
        self.casino = casino
        self._openings = Openings(casino.house)
        self._opening = threading.Lock()

    # -- telling -----------------------------------------------------------------------------

    def news(self, place: str, answer: Answer) -> bytes | None:
        """What everybody at a table is told of its shuffle after a command, if that has changed.
        Called while the table stands as the command left it."""
        book = book_of(place)
        for said in answer.said:
            asks = isinstance(said.event, ShuffleNeeded | DrawNeeded) and said.place == place
            if asks or said.place == book:
                return wire.write(self.told(place))
        return None

    def told(self, place: str) -> wire.ShuffleMessage:
        """How far the shuffle of a table is. Called under the House's lock."""
        casino = self.casino
        state = casino.dealer.binding.book(place).state
        bound = state.bound
        if bound is None:
            return wire.ShuffleMessage(stage="nothing", next=state.number + 1)
        waiting = casino.house.pit.tables[place].state.waiting
        asks = any(isinstance(need, ShuffleNeeded | DrawNeeded) for need in waiting)
        return wire.ShuffleMessage(
            stage="mixed" if bound.uses else "opening" if asks else "committed",
            next=state.number + 1,
            number=bound.number,
            for_round=bound.round,
            digest=bound.digest,
            root=bound.root,
            cards=bound.cards,
            seeds=tuple(wire.SentHash(player=s.player, hash=s.hash) for s in bound.seeds),
            mixed=_mixed(bound) if bound.uses else None,
        )

    def told_durably(self, place: str) -> wire.ShuffleMessage:
        """The same once everything is stored that it rests on. Not for the loop."""
        house = self.casino.house
        with house.lock:
            house.writer.flush()
            return self.told(place)

    # -- taking ------------------------------------------------------------------------------

    def take(self, visitor: Visitor, place: str, seed: wire.SeedGiven) -> None:
        """A player sends the hash of a seed, or opens it. Raises NotAllowed."""
        if visitor.name is not None:
            visitor = self.casino.authority.of(visitor)
        table, dealer = self.casino.table(place), self.casino.dealer
        name = visitor.name
        if name is None or name not in map(table.player_at, table.taken_seats()):
            raise NotAllowed("seed", "Only who sits at the table takes part in its shuffle.")
        try:
            if seed.hash is not None:
                dealer.offer_seed(place, name, seed.number, seed.hash)
                return
            assert seed.open is not None
            dealer.open_seed(place, name, seed.number, seed.open)
        except SeedRefused as refused:
            raise NotAllowed("seed", str(refused)) from refused
        if not dealer.awaited_seeds(place):
            self.casino.schedulers[place].again()

    # -- after the round ---------------------------------------------------------------------

    def of_round(self, place: str, number: int, name: str | None) -> tuple[ShuffleProof, ...]:
        """The shuffles of a finished round, with the openings of what a viewer was allowed to see.
        Not for the loop: the log is read."""
        return self._of(place, number, Viewer(who=name))

    def of_viewer(self, place: str, number: int, seen_as: str) -> tuple[ShuffleProof, ...]:
        """The same as one who was there saw the round, or the auditor; who may ask so is for
        others to say."""
        return self._of(place, number, viewer_named(seen_as))

    def _of(self, place: str, number: int, viewer: Viewer) -> tuple[ShuffleProof, ...]:
        with self._opening:
            told = self._openings.commitments_of(place, number)
            opened = self._openings.openings_for(place, number, viewer)
        return tuple(
            _proof(each, [_card(o) for o in opened if o.shuffle == each.shuffle]) for each in told
        )


def _card(opened: CardOpening) -> OpenedCard:
    return OpenedCard(
        index=opened.index,
        place=opened.index if opened.place is None else opened.place,
        card=str(opened.card),
        salt=opened.salt.hex(),
        path=tuple(step.hex() for step in opened.path),
    )


def _proof(told: Told, cards: list[OpenedCard]) -> ShuffleProof:
    if not isinstance(told, Mixed):
        return ShuffleProof(
            made="leaves",
            purpose=told.purpose,
            root=told.root,
            leaves=told.leaves.hex(),
            cards=told.commitment.count,
            openings=tuple(cards),
        )
    committed, mixed = told.committed, told.mixed
    return ShuffleProof(
        made="mixed",
        table=committed.table,
        number=committed.number,
        digest=committed.digest,
        committed_root=committed.root,
        hashes=tuple(wire.SentHash(player=s.player, hash=s.hash) for s in committed.seeds),
        seeds=tuple(wire.ToldSeed(player=s.player, seed=s.seed) for s in mixed.seeds),
        unopened=mixed.unopened,
        absent=mixed.absent,
        purpose=mixed.purpose,
        counter=mixed.counter,
        root=mixed.root,
        cards=mixed.cards,
        openings=tuple(cards),
    )


def _mixed(bound: Bound) -> wire.MixedMessage:
    return wire.MixedMessage(
        seeds=tuple(wire.ToldSeed(player=s.player, seed=s.seed) for s in bound.opened),
        unopened=bound.unopened,
        absent=bound.absent,
    )
