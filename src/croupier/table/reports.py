"""What can be reported now: each report that would be accepted, with the possible values of fields.

A game says for each kind of report what its fields may hold at all (`Room.report`): the seats
that are taken, the cards that lie there. Whether a report can be true at this moment is decided in
one place, by the handler that rules on it: every candidate is tried, and nothing happens
(`Conversation.objection`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

from msgspec import Struct, structs

from croupier.cards import DECK, Card
from croupier.table.command import Command

DECK_AT_MOST = 2 * len(DECK)
"""More cards than this are no deck that somebody has counted."""

SAID = "as described"
"""What stands in a report that is only tried, where it asks for words."""


class OneOf(Struct, frozen=True, tag_field="is", tag="one of"):
    """One of these values; None where the field may be left out."""

    values: tuple[Any, ...]

    def holds(self, value: Any) -> bool:
        return any(value == v and type(value) is type(v) for v in self.values)


class SomeOf(Struct, frozen=True, tag_field="is", tag="some of"):
    """Some of these, each once, at least so many. A `??` among them stands for any unseen card;
    where a card may be left `unnamed`, `??` is said for it."""

    values: tuple[Any, ...]
    least: int = 0
    unnamed: bool = False
    unseen: Card | None = None
    """A card that has not been seen: it is tried where any may be named."""

    def holds(self, value: Any) -> bool:
        return len(value) >= self.least and _among(value, self.values, self.unnamed)

    def trial(self, with_: Any = None) -> tuple[Any, ...]:
        """The shortest value, or the shortest that holds this one."""
        if with_ is None:
            found = self.values[: self.least]
        else:
            others = [value for value in self.values if value != with_]
            found = (with_, *others[: max(0, self.least - 1)])
        return tuple(_named(value, self.unseen) for value in found)

    def only(self, accepted: Callable[[Any], bool]) -> SomeOf | None:
        kept = tuple(value for value in self.values if accepted(self.trial(value)))
        return structs.replace(self, values=kept) if len(kept) >= self.least else None


class BySeat(Struct, frozen=True, tag_field="is", tag="by place"):
    """Cards by the seat or box where they lie: some of these, at least so many in all."""

    values: dict[int, tuple[Card, ...]]
    least: int = 0
    unnamed: bool = False
    unseen: Card | None = None

    def holds(self, value: Any) -> bool:
        if sum(map(len, value.values())) < self.least:
            return False
        return all(
            _among(cards, self.values.get(seat, ()), self.unnamed) for seat, cards in value.items()
        )

    def trial(self, with_: tuple[int, Card] | None = None) -> dict[int, tuple[Card, ...]]:
        """The shortest value, or the shortest that holds this card of this seat."""
        if with_ is not None:
            seat, card = with_
            return {seat: (_named(card, self.unseen),)}
        lying = ((seat, card) for seat, cards in self.values.items() for card in cards)
        return {seat: (_named(card, self.unseen),) for seat, card in [*lying][: self.least]}

    def only(self, accepted: Callable[[Any], bool]) -> BySeat | None:
        kept = {
            seat: tuple(card for card in cards if accepted(self.trial((seat, card))))
            for seat, cards in self.values.items()
        }
        found = {seat: cards for seat, cards in kept.items() if cards}
        if sum(map(len, found.values())) < self.least:
            return None
        return structs.replace(self, values=found)


def _named(card: Any, unseen: Card | None) -> Any:
    return unseen if card is Card.UNKNOWN and unseen is not None else card


class From(Struct, frozen=True, tag_field="is", tag="from"):
    """A whole number, from the least to the most; only the two are tried."""

    least: int
    most: int

    def holds(self, value: Any) -> bool:
        return type(value) is int and self.least <= value <= self.most

    def trial(self) -> int:
        return self.least

    def only(self, accepted: Callable[[Any], bool]) -> From | None:
        return self if accepted(self.least) and accepted(self.most) else None


class Moves(Struct, frozen=True, tag_field="is", tag="moves"):
    """Whole hands that go to other places: which goes where; or none.

    Hands lie at `places`, and belong at `homes`, which are the same if nothing else is said.
    """

    places: tuple[int, ...]
    homes: tuple[int, ...] | None = None
    goes_back: bool = False
    """Whether a hand that has no place of its own, or loses it, can go back to the device."""

    def holds(self, value: Any) -> bool:
        if not value:
            return True
        lying, homes = set(self.places), set(self.places if self.homes is None else self.homes)
        left, got = set(value), set(value.values())
        each_once = len(got) == len(value) and all(place != home for place, home in value.items())
        none_bare = left <= lying and got <= homes and not (left - got) & homes
        back = (got & lying) - left or (lying - homes) - left
        return each_once and none_bare and (self.goes_back or not back)

    def trial(self) -> dict[int, int]:
        return {}

    def only(self, accepted: Callable[[Any], bool]) -> Moves | None:
        return self if accepted({}) else None


class Anything(Struct, frozen=True, tag_field="is", tag="anything"):
    """Whatever can be read: nobody can tell any more whether it was so. One value is tried."""

    such_as: Any

    def holds(self, value: Any) -> bool:
        return True

    def trial(self) -> Any:
        return self.such_as

    def only(self, accepted: Callable[[Any], bool]) -> Anything | None:
        return self if accepted(self.such_as) else None


class Words(Struct, frozen=True, tag_field="is", tag="words"):
    """Anything in words."""

    needed: bool = True

    def holds(self, value: Any) -> bool:
        return bool(value.strip()) or not self.needed

    def trial(self) -> str:
        return SAID if self.needed else ""

    def only(self, accepted: Callable[[Any], bool]) -> Words:
        return self


Values = OneOf | SomeOf | BySeat | From | Moves | Anything | Words
"""The values that a field of a report may have."""

Fields = Mapping[str, Values]
"""The fields of a report, each with its values; those that are left out keep their default."""


def _among(said: Any, lying: tuple[Any, ...], unnamed: bool) -> bool:
    """Whether each of these lies there, none named twice; an unknown card may be any."""
    left = list(lying)
    nameless = [card for card in said if card is Card.UNKNOWN]
    if nameless and not unnamed:
        return False
    for card in said:
        if card is Card.UNKNOWN:
            continue
        found = card if card in left else Card.UNKNOWN
        if found not in left:
            return False
        left.remove(found)
    named = [card for card in said if card is not Card.UNKNOWN]
    return len(set(named)) == len(named) and len(nameless) <= len(left)


class Reportable(Struct, frozen=True, kw_only=True):
    """A report that would be accepted now, whatever of these values its fields have."""

    do: str
    fields: dict[str, Values] = {}

    def holds(self, command: Command) -> bool:
        """Whether this command is such a report."""
        if command.__struct_config__.tag != self.do:
            return False
        defaults = command.__struct_defaults__
        names = command.__struct_fields__
        for name, default in zip(names[len(names) - len(defaults) :], defaults, strict=True):
            if name not in self.fields and getattr(command, name) != _plain(default):
                return False
        return all(values.holds(getattr(command, name)) for name, values in self.fields.items())

    def public(self) -> Reportable:
        """The same for people at the table: cards that may lie face down are not named."""
        return Reportable(do=self.do, fields={n: _public(v) for n, v in self.fields.items()})


def _public(values: Values) -> Values:
    match values:
        case SomeOf():
            hidden = tuple(Card.UNKNOWN if isinstance(v, Card) else v for v in values.values)
            return structs.replace(values, values=hidden, unseen=None)
        case BySeat():
            lying = {place: (Card.UNKNOWN,) * len(cs) for place, cs in values.values.items()}
            return structs.replace(values, values=lying, unseen=None)
        case OneOf() if any(isinstance(v, Card) for v in values.values):
            return values if {*DECK} <= {*values.values} else OneOf(_masked(values.values))
        case _:
            return values


def _masked(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """`??` once for all cards: those that are possible at all would be known by being listed."""
    return tuple(dict.fromkeys(Card.UNKNOWN if isinstance(v, Card) else v for v in values))


def _plain(default: Any) -> Any:
    """A field's default; msgspec keeps an empty container as what makes it."""
    factory = getattr(default, "factory", None)
    return default if factory is None else factory()


def possible(
    kind: type[Command], candidates: Fields, accepted: Callable[[Command], bool]
) -> Iterator[Reportable]:
    """Which of the candidates would be accepted: every combination of single values is tried, and
    with each of them every member of the fields that hold several."""
    single = {name: v.values for name, v in candidates.items() if isinstance(v, OneOf)}
    several = {name: v for name, v in candidates.items() if not isinstance(v, OneOf)}
    found: dict[tuple[Any, ...], dict[str, Values]] = {}
    for combination in product(*single.values()):
        chosen = dict(zip(single, combination, strict=True))
        beside = _that_fit(kind, chosen, several, accepted)
        if beside is not None:
            found[combination] = beside
    for block, beside in _blocks(found):
        ones = {n: OneOf(v) for n, v in zip(single, block, strict=True)}
        fields: dict[str, Values] = {**ones, **beside}
        in_order = {name: fields[name] for name in candidates}
        yield Reportable(do=str(kind.__struct_config__.tag), fields=in_order)


def _that_fit(
    kind: type[Command],
    chosen: dict[str, Any],
    several: Mapping[str, Any],
    accepted: Callable[[Command], bool],
) -> dict[str, Values] | None:
    """What the fields of several values may hold beside the chosen single ones; None if nothing."""
    fitting = dict(several)

    def would_be(name: str, value: Any) -> bool:
        rest = {n: v.trial() for n, v in fitting.items() if n != name}
        return accepted(kind(**chosen, **rest, **({name: value} if name else {})))

    if not any(getattr(values, "least", 0) for values in several.values()) and not would_be(
        "", None
    ):
        return None  # where nothing more need be said, the plainest report stands for the others
    for name, values in several.items():
        kept = values.only(lambda value, name=name: would_be(name, value))
        if kept is None:
            return None
        fitting[name] = kept
    return fitting if would_be("", None) else None


Block = tuple[tuple[Any, ...], ...]


def _blocks(
    found: dict[tuple[Any, ...], dict[str, Values]],
) -> list[tuple[Block, dict[str, Values]]]:
    """Combinations drawn together into as few blocks of independent values as are needed."""
    blocks = [(tuple((value,) for value in key), beside) for key, beside in found.items()]
    width = len(next(iter(found), ()))
    for place in reversed(range(width)):
        merged: list[tuple[Block, dict[str, Values]]] = []
        for block, beside in blocks:
            for i, (other, its) in enumerate(merged):
                alike = other[:place] == block[:place] and other[place + 1 :] == block[place + 1 :]
                if alike and its == beside:
                    whole = (*other[:place], other[place] + block[place], *other[place + 1 :])
                    merged[i] = (whole, its)
                    break
            else:
                merged.append((block, beside))
        blocks = merged
    return blocks
