"""A ruling on a live table before it is confirmed: the engine on a copy of the table and its link.

The copy is made of snapshots, so nothing that is tried here is ever seen by the table itself. It
draws no card and picks nothing at random: where a shuffle or a pick is needed the copy waits for it
as the table would. Cards that lie face down are not named, whatever the copy knows.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, structs

from croupier.cards import Card
from croupier.pit.face_down import ORDERS, named_without_place, without_hidden
from croupier.pit.game import Registry
from croupier.pit.inventory import Picture, as_reported
from croupier.pit.pit import Pit
from croupier.pit.registry import GAMES
from croupier.pit.rehearsal import AS_ASKED, Rehearsed
from croupier.pit.ruling import Ruling, Sentence, Way, rule_on
from croupier.pit.settled import readings_on, with_whose_word
from croupier.pit.situation import Contradiction
from croupier.rulebooks import Rulebook
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    Conversation,
    Decide,
    DecisionNeeded,
    Order,
    Refused,
    Table,
)
from croupier.table.cards_in import cards_in
from croupier.table.view import PUBLIC


class Standing(Struct, frozen=True, kw_only=True):
    """A table as it stood at one moment, with the link that it hangs on: enough for any number of
    copies."""

    place: str
    kind: type[Table[Any]]
    book: Rulebook
    state: bytes
    link: str = ""
    link_kind: type[Conversation[Any]] | None = None
    link_book: Rulebook | None = None
    link_state: bytes = b""

    @classmethod
    def of(cls, pit: Pit, place: str) -> Standing:
        """A table of a pit as it stands; whoever calls keeps everybody else from it meanwhile."""
        table = pit.tables[place]
        standing = cls(place=place, kind=type(table), book=table.book, state=table.snapshot())
        name = pit.linked.get(place)
        if name is None:
            return standing
        link = pit.links[name]
        return structs.replace(
            standing,
            link=name,
            link_kind=type(link),
            link_book=link.book,
            link_state=link.snapshot(),
        )

    def table(self) -> Table[Any]:
        """A copy of the table."""
        made = self.kind.restore(self.book, self.state)
        assert isinstance(made, Table)
        return made

    def to_be_tried(
        self, command: Command | None = None, order: tuple[Card, ...] = ORDERS[0]
    ) -> Standing:
        """The same for whoever only tries something: with what lies face down in an order that
        says nothing, and what a report names where the report says (`face_down`)."""
        copy = without_hidden(self.table(), command, order)
        return structs.replace(self, state=copy.snapshot())

    def pit(self) -> Pit:
        """Copies of the table and its link, which speak to each other."""
        pit = Pit()
        if self.link_kind is not None and self.link_book is not None:
            pit.add_link(self.link, self.link_kind.restore(self.link_book, self.link_state))
        pit.add_table(self.place, self.table(), self.link or None)
        return pit


class AtTable(Rehearsed):
    """An order tried on a copy of a live table."""

    def __init__(
        self, standing: Standing, order: Order[Command], registry: Registry = GAMES
    ) -> None:
        self.registry, self.book = registry, standing.book
        self.pit = standing.pit()
        self.games = {standing.place: registry.games[standing.book.id]}
        self._when = order.when
        table = self.pit.tables[standing.place]
        self._begin(frozenset({*cards_in(table.view(PUBLIC)), *cards_in(order.command)}))
        self.before = as_reported(self.before, _named_at(order.command))
        self._give(standing.place, order)

    def _pictures(self) -> dict[str, Picture]:
        """None: whoever asks stands at the table, and a picture would show cards that lie face
        down."""
        return {}

    def _give(self, place: str, order: Order[Command]) -> None:
        if self.refused is not None:
            return
        try:
            answer = self.pit.give(place, order)
        except BadCommand as error:
            raise Contradiction("report", str(error)) from error
        if isinstance(answer, Refused):
            self.refused = answer
        else:
            self.said += answer

    def answer(self, need: DecisionNeeded, option: str, place: str) -> None:
        command = Decide(decision=need.decision, option=option, reason=AS_ASKED)
        if isinstance(need.of, ActorRank):
            who, rank = need.of.value, need.of
        else:
            player = self.pit.at(place).player_at(need.of)
            who, rank = player or "", ActorRank.PLAYER
        self._give(place, Order(command=command, who=who, rank=rank, when=self._when))


def _named_at(command: Command) -> dict[Card, int]:
    """The cards that a report says lie at a seat or box."""
    fields = {name: getattr(command, name) for name in command.__struct_fields__}
    at = fields.get("seat", fields.get("box"))
    named = dict.fromkeys(cards_in(fields.get("cards", ())), at) if isinstance(at, int) else {}
    for value in fields.values():
        if isinstance(value, dict):
            for place, cards in value.items():
                if isinstance(place, int):
                    named |= dict.fromkeys(cards_in(cards), place)
    return named


def rule_at_table(
    standing: Standing, order: Order[Command], *, foretell: bool = True, registry: Registry = GAMES
) -> Ruling:
    """What an order would come to at a live table: a report, an answer, a ruling that is undone.

    `Contradiction` for what makes no sense there.
    """
    ruling = rule_on(lambda: AtTable(standing, order, registry), foretell=foretell)
    untold = {str(c) for c in named_without_place(standing.table(), order.command)}
    if untold:
        ruling = structs.replace(ruling, cards=tuple(_without(w, untold) for w in ruling.cards))
    bearing = tuple(one for id in ruling.filed_under[:1] for one in readings_on(standing.book, id))
    return structs.replace(with_whose_word(standing.book, ruling), readings=bearing)


DEPENDS = "What follows depends on cards that lie face down; it is seen once this is confirmed."


def rule_without_hidden(
    standing: Standing, order: Order[Command], *, foretell: bool = True, registry: Registry = GAMES
) -> Ruling:
    """The ruling for somebody who may not know what lies face down: as it is, where it does not
    depend on that; else that it does, and what it may be."""
    copies = [standing.to_be_tried(order.command, each) for each in ORDERS]
    found = [_tried(copy, order, registry) for copy in copies]
    if all(each == found[0] for each in found):
        if not foretell and isinstance(found[0], Ruling):
            return found[0]
        return rule_at_table(copies[0], order, foretell=foretell, registry=registry)
    rulings = [each for each in found if isinstance(each, Ruling)]
    possible = [each for each in rulings if each.kind != "refused"] or rulings
    either = {
        each.headline: Sentence(says=each.headline, cites=each.cites[:1]) for each in possible
    }
    paragraphs = dict.fromkeys(one for each in possible for one in each.paragraphs)
    return Ruling(
        kind=possible[0].kind,
        headline=DEPENDS,
        sentences=tuple(either.values()),
        signed_by=tuple(dict.fromkeys(one for each in possible for one in each.signed_by)),
        readings=possible[0].readings,
        paragraphs=tuple(paragraphs),
    )


def _tried(copy: Standing, order: Order[Command], registry: Registry) -> Ruling | str:
    try:
        return rule_at_table(copy, order, foretell=False, registry=registry)
    except Contradiction as error:
        return str(error)


def _without(way: Way, untold: set[str]) -> Way:
    return structs.replace(way, cards=tuple(card for card in way.cards if card not in untold))
