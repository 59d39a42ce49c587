"""The House binds itself to its part of a shuffle; shuffles and draws are made of it and the seeds.

A secret is committed to with the command that begins a round or first asks for a shuffle: whatever
the command was and whoever gave it, the commitment is in the same transaction. Outside a round
every shuffle has a commitment of its own; what is shuffled or drawn within a round is made of the
round's. How, stands in `croupier.house.mixing`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from croupier.cards import DECK
from croupier.house import mixing
from croupier.house.errors import HouseError
from croupier.house.house import Companions, House
from croupier.house.office.standards import CHANCE
from croupier.house.records import Opening
from croupier.house.seeds import Participation, Seeds
from croupier.house.shuffle_book import (
    Bound,
    CommitSecret,
    MixDraw,
    MixShuffle,
    ShuffleBook,
    book_of,
)
from croupier.house.shuffling import Shuffler
from croupier.pit import Said
from croupier.pit.registry import GAMES
from croupier.table import (
    ActorRank,
    Command,
    DrawNeeded,
    GiveDraw,
    GiveShuffle,
    Order,
    Refused,
    ShuffleNeeded,
    Table,
)


class SecretGone(HouseError):
    """The secret of a commitment is not where it should be: somebody has taken it away."""


class Outcome(Struct, frozen=True, kw_only=True):
    """What a table is given for a need, and what the shuffle book hears of it."""

    need: ShuffleNeeded | DrawNeeded
    uses: int
    """How often its commitment was used before: it is made of the order of that number."""
    part: Participation
    """Whose seeds are in it, and whose are not."""
    answer: GiveShuffle | GiveDraw
    mix: MixShuffle | MixDraw
    """With the id of the command that gives it left open."""
    first: CommitSecret | None = None
    """Where nothing was committed to before, as in a log of an older release."""
    openings: tuple[Opening, ...] = ()
    hidden_by: Opening
    """The secret that it is made of, by which its cards are hidden in the record."""


class _Secret(Struct, frozen=True, kw_only=True):
    """A commitment that was made in this process."""

    command: CommitSecret
    secret: bytes
    openings: tuple[Opening, ...]


class Binding:
    """The commitments of all tables of a House. Used with the House's lock."""

    def __init__(self, house: House, shuffler: Shuffler) -> None:
        self.house = house
        self.seeds = Seeds()
        self._shuffler = shuffler
        self._secrets: dict[str, tuple[str, bytes]] = {}
        """Of each table the newest secret, with the id under which it is kept."""
        self._outcomes: dict[str, Outcome] = {}
        self._first: dict[str, tuple[int, _Secret]] = {}
        """Commitments that come only with what is made of them, by the need that they are for."""
        house.companions.append(self.companions)
        house.guards += [self._open_book, self._by_chance]
        with house.lock:
            for place in tuple(house.pit.tables):
                self.book(place)

    def _open_book(self, place: str, order: Order[Command]) -> None:
        """Read the book of a table before the table hears anything: what cannot be read then has
        changed nothing."""
        if place in self.house.pit.tables:
            self.book(place)

    def _by_chance(self, place: str, order: Order[Command]) -> Refused | None:
        """What the House is bound to, nobody chooses: cards that are picked where it shuffles, and
        where the deck is cut at a table that deals itself."""
        if order.rank in (ActorRank.HOUSE, ActorRank.PLAYER):
            return None
        table = self.house.pit.tables.get(place)
        if table is None:
            return None
        command, port = order.command, GAMES.port_of(table)
        if isinstance(command, port.cuts) and port.deals_itself(table):
            return Refused((CHANCE,), "At this table the deck is cut where the shuffle says.")
        picked = isinstance(command, GiveDraw) and self.made(place, command) is None
        if picked and port.shuffled_by_house(table):
            return Refused((CHANCE,), "The House's source picks these cards; have it pick.")
        return None

    def book(self, place: str) -> ShuffleBook:
        """The shuffle book of a table, opened when it is first asked for in this process."""
        name = book_of(place)
        if name not in self.house.pit.links:
            self.house.add_link(name, ShuffleBook)
        book = self.house.pit.links[name]
        assert isinstance(book, ShuffleBook)
        return book

    def forget(self, place: str) -> None:
        """A table is run no more, nor is its shuffle book."""
        for kept in (self._secrets, self._outcomes, self._first):
            kept.pop(place, None)
        self.seeds.forget(place)
        self.house.remove(book_of(place))

    # -- committing --------------------------------------------------------------------------

    def companions(self, said: Sequence[Said]) -> Companions:
        """What the shuffle books must hear of what tables have just said."""
        also: list[tuple[str, Command]] = []
        openings: list[Opening] = []
        for place in dict.fromkeys(each.place for each in said):
            table = self.house.pit.tables.get(place)
            number = self._due_for(place, table, said) if table is not None else None
            if table is not None and number is not None:
                made = self._commit(place, table, number)
                self._secrets[place] = (made.command.secret, made.secret)
                also.append((book_of(place), made.command))
                openings += made.openings
        return also, openings

    def _due_for(self, place: str, table: Table[Any], said: Sequence[Said]) -> int | None:
        """The round that a new commitment is due for, after what a table has just said."""
        port = GAMES.port_of(table)
        asked, begun = False, 0
        for each in said:
            if each.place == place:
                asked = asked or isinstance(each.event, ShuffleNeeded)
                if isinstance(each.event, port.round_begins):
                    begun = each.event.round  # type: ignore[attr-defined]
        if not (asked or begun) or not port.shuffled_by_house(table):
            return None
        bound = self.book(place).state.bound
        number = begun or coming_round(table)
        if bound is None or (begun and bound.round != begun):
            return number
        if table.playing():
            return number if bound.round != number else None
        return number if asked and bound.uses else None

    def _commit(self, place: str, table: Table[Any], round_number: int) -> _Secret:
        state = self.book(place).state
        number = state.number + 1
        secret = self._shuffler.source.take(mixing.SECRET_BYTES)
        order = mixing.bound_order(secret, 0, DECK)
        dealt_in = GAMES.port_of(table).dealt_in(table)
        command = CommitSecret(
            table=place,
            number=number,
            round=round_number,
            secret=self.house.world.unique(),
            digest=mixing.digest_of(secret).hex(),
            root=order.root.hex(),
            cards=len(DECK),
            seeds=self.seeds.listed(place, number, dealt_in, state.silent),
        )
        opening = Opening(shuffle=command.secret, stream=place, seed=secret)
        return _Secret(command=command, secret=secret, openings=(opening,))

    # -- what is made of it ------------------------------------------------------------------

    def outcome(self, place: str, table: Table[Any], need: ShuffleNeeded | DrawNeeded) -> Outcome:
        """What a table is given for a need: it follows from the commitment and the seeds that are
        open by now, and nothing is drawn for it."""
        bound = self.book(place).state.bound
        first: _Secret | None = None
        if bound is None or not _is_for(bound, table):
            first = self._first_for(place, table, need.need)
            bound = _not_yet(first.command)
        part = self.seeds.participation(place, bound, GAMES.port_of(table).dealt_in(table))
        made = self._outcomes.get(place)
        # A commitment that was lost before it was stored has a successor of the same number.
        of = (bound.secret, bound.uses, need, part)
        if made is None or (made.hidden_by.shuffle, made.uses, made.need, made.part) != of:
            secret = first.secret if first is not None else self._secret(place, bound)
            made = self._outcomes[place] = _outcome(place, need, bound, secret, part, first)
        return made

    def made(self, place: str, command: Command) -> Outcome | None:
        """The outcome whose answer this command is."""
        made = self._outcomes.get(place)
        return made if made is not None and made.answer is command else None

    def used(self, place: str, outcome: Outcome) -> None:
        """An outcome is stored: the next need is another one."""
        if self._outcomes.get(place) is outcome:
            del self._outcomes[place]
        self._first.pop(place, None)

    def cut(self, place: str) -> int:
        """Where the deck that was shuffled last is cut: it follows from the same mix."""
        bound = self.book(place).state.bound
        if bound is None or not bound.uses:  # it was shuffled under an older release
            return 1 + self._shuffler.below(len(DECK) - 1)
        return mixing.cut_of(key_of(bound, bound_seeds(bound)), bound.uses - 1, bound.cards)

    def awaited(self, place: str, table: Table[Any]) -> tuple[str, ...]:
        """Whose seeds the shuffle that the table waits for would be made without."""
        if not any(isinstance(need, ShuffleNeeded | DrawNeeded) for need in table.state.waiting):
            return ()
        bound = self.book(place).state.bound
        if bound is None or bound.uses:
            return ()
        return self.seeds.participation(place, bound, GAMES.port_of(table).dealt_in(table)).unopened

    def _first_for(self, place: str, table: Table[Any], need: int) -> _Secret:
        kept = self._first.get(place)
        if kept is None or kept[0] != need:
            kept = self._first[place] = (need, self._commit(place, table, coming_round(table)))
        return kept[1]

    def _secret(self, place: str, bound: Bound) -> bytes:
        kept = self._secrets.get(place)
        if kept is None or kept[0] != bound.secret:
            opening = self.house.reader.opening(bound.secret)
            if opening is None:  # another dealer of this House may have committed just now
                self.house.writer.flush()
                opening = self.house.reader.opening(bound.secret)
            if opening is None:
                raise SecretGone(f"the secret of commitment {bound.number} of {place} is gone")
            kept = self._secrets[place] = (bound.secret, opening.seed)
        return kept[1]


def coming_round(table: Table[Any]) -> int:
    """The number of the round that is under way, or of the next one."""
    return GAMES.port_of(table).round_number(table) + (not table.playing())


def _is_for(bound: Bound, table: Table[Any]) -> bool:
    """Whether a commitment is for what the table shuffles now."""
    coming = coming_round(table)
    # In some games a round that was called for is under way only with the first bet.
    return bound.round == coming or (bound.round == coming - 1 and not bound.uses)


def bound_seeds(bound: Bound) -> list[tuple[str, bytes]]:
    """The seeds that are part of a commitment since its first use."""
    return [(each.player, bytes.fromhex(each.seed)) for each in bound.opened]


def key_of(bound: Bound, seeds: mixing.Seeds) -> bytes:
    """The key of the mix of a commitment."""
    return mixing.mix_key(bytes.fromhex(bound.digest), bytes.fromhex(bound.root), seeds)


def _not_yet(command: CommitSecret) -> Bound:
    """A commitment as it will stand in the book."""
    return Bound(
        number=command.number,
        round=command.round,
        secret=command.secret,
        digest=command.digest,
        root=command.root,
        cards=command.cards,
        seeds=command.seeds,
        position=0,
    )


def _outcome(
    place: str,
    need: ShuffleNeeded | DrawNeeded,
    bound: Bound,
    secret: bytes,
    part: Participation,
    first: _Secret | None,
) -> Outcome:
    seeds = [(each.player, bytes.fromhex(each.seed)) for each in part.opened]
    key = key_of(bound, seeds)
    told: dict[str, Any] = {
        "table": place,
        "need": need.need,
        "purpose": need.purpose,
        "seeds": part.opened,
        "unopened": part.unopened,
        "absent": part.absent,
    }
    answer: GiveShuffle | GiveDraw
    mix: MixShuffle | MixDraw
    if isinstance(need, DrawNeeded):
        picks = mixing.draw_of(secret, key, bound.uses, need.pick, need.among)
        answer, mix = (
            GiveDraw(need=need.need, picks=picks),
            MixDraw(draw="", among=need.among, **told),
        )
    else:
        count = len(need.cards)
        if not bound.uses and need.cards == DECK:
            counter, root = 0, bound.root
            order = mixing.order_of(secret, 0, need.cards)
        else:
            counter = max(1, bound.uses)
            made = mixing.bound_order(secret, counter, need.cards)
            order, root = made.cards, made.root.hex()
        cards = mixing.mixed(order, mixing.places_of(key, counter, count))
        answer = GiveShuffle(need=need.need, cards=cards)
        mix = MixShuffle(shuffle="", root=root, cards=count, **told)
    return Outcome(
        need=need,
        uses=bound.uses,
        part=part,
        answer=answer,
        mix=mix,
        first=first.command if first is not None else None,
        openings=first.openings if first is not None else (),
        hidden_by=Opening(shuffle=bound.secret, stream=place, seed=secret),
    )
