"""What a table lists as reportable is accepted, and everything else is refused."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest
from msgspec import structs

from croupier.cards import DECK, Card
from croupier.pit.case import read_case
from croupier.pit.moments import WAYS, Moment, Staged
from croupier.pit.registry import GAMES, shipped_cases
from croupier.pit.runner import stage_case
from croupier.rulebooks import BOOKS
from croupier.table import BadCommand, Command, Order, Refused, Table
from croupier.table.reports import (
    Anything,
    BySeat,
    From,
    Moves,
    OneOf,
    Reportable,
    SomeOf,
    Values,
    Words,
)
from tests.pit.in_moments import WAYS as LOOKED_AT
from tests.pit.in_moments import in_moments

EVERY = 24
"""Every so many shipped cases one is looked at as its last step leaves it."""
TRIALS = 3
COUNTS = ("count", "cards", "community", "dealer")
"""Fields that hold a number of cards."""
THE_END = Moment(name="the end of a case", expect={})


def _order(stands: Staged, command: Command) -> Order[Command]:
    by = command.usually_by
    return Order(command=command, who=by.value, rank=by, when=stands.now)


def _copy(table: Table[Any]) -> Table[Any]:
    again = type(table).restore(table.book, table.snapshot())
    assert isinstance(again, Table)
    return again


def _accepts(stands: Staged, command: Command) -> bool:
    try:
        answer = _copy(stands.table).handle(_order(stands, command))
    except BadCommand as error:
        pytest.fail(f"{command}: an error instead of a refusal: {error}")
    if isinstance(answer, Refused):
        assert answer.cites, f"{command} is refused without a paragraph"
    return not isinstance(answer, Refused)


def _any_of(values: Values, rng: random.Random, *, fewest: bool = False) -> Any:
    """Some value that the listing allows; with `fewest`, of as few as it allows."""
    match values:
        case OneOf():
            return rng.choice(values.values)
        case SomeOf():
            count = values.least if fewest else rng.randint(values.least, len(values.values))
            return _said(rng.sample(values.values, count), values)
        case BySeat():
            lying = [(place, card) for place, cards in values.values.items() for card in cards]
            count = values.least if fewest else rng.randint(values.least, len(lying))
            chosen = rng.sample(lying, count)
            known = [(place, card) for place, card in chosen if card is not Card.UNKNOWN]
            unseen = [each for each in chosen if each not in known]
            if unseen and values.unseen is not None:  # the listing has one to name
                unseen = [(unseen[0][0], values.unseen)]
            found: dict[int, tuple[Card, ...]] = {}
            for place, card in (*known, *unseen):
                found[place] = (*found.get(place, ()), card)
            return found
        case Anything():
            return values.such_as
        case From():
            return rng.randint(values.least, values.most)
        case Moves():
            homes = values.places if values.homes is None else values.homes
            count = rng.randint(0, min(len(values.places), len(homes)))
            tries = (
                dict(zip(rng.sample(values.places, count), rng.sample(homes, count), strict=True))
                for _ in range(50)
            )
            return next(filter(values.holds, tries), {})
        case Words():
            return "as described"


def _said(chosen: list[Any], values: SomeOf) -> tuple[Any, ...]:
    """Cards that nobody has seen are named, as far as the listing has one to name."""
    if values.unseen is None or Card.UNKNOWN not in chosen:
        return tuple(chosen)
    known = [card for card in chosen if card is not Card.UNKNOWN]
    return (*known, values.unseen)


def _anything(kind: Any, rng: random.Random) -> Any:
    """Some value that a field of this type can hold, sensible or not."""
    name = type(kind).__name__
    match name:
        case "IntType":
            return rng.choice((0, 1, 2, 3, 4, 5, 7, 9, 13, 52, 60))
        case "BoolType":
            return rng.random() < 0.5
        case "NoneType":
            return None
        case "StrType":
            return rng.choice(("Ann", "as described"))
        case "LiteralType":
            return rng.choice(kind.values)
        case "UnionType":
            return _anything(rng.choice(kind.types), rng)
        case "VarTupleType":
            count = rng.randint(0, 3)
            return tuple(_anything(kind.item_type, rng) for _ in range(count))
        case "DictType":
            places = rng.sample(range(1, 6), rng.randint(0, 3))
            return {place: _anything(kind.value_type, rng) for place in places}
        case "Metadata":
            return _anything(kind.type, rng)
        case "EnumType" | "CustomType":
            return rng.choice((*DECK, Card.UNKNOWN))
    raise AssertionError(f"how is {kind} made up?")


def _made_up(kind: type[Command], rng: random.Random) -> Command | None:
    """A report of this kind that says anything; None if it cannot even be read."""
    info = msgspec.inspect.type_info(kind)
    said = {
        field.name: _anything(field.type, rng)
        for field in info.fields  # type: ignore[attr-defined]
        if field.required or rng.random() < 0.6
    }
    try:
        return msgspec.convert(msgspec.to_builtins(kind(**said)), kind)
    except msgspec.ValidationError:
        return None


def _look_at(stands: Staged, listed: list[Reportable], seed: str) -> int:
    """Check both directions at one table; return how many reports were tried."""
    rng = random.Random(seed)
    table = stands.table
    tried = 0
    for reportable in listed:
        for _ in range(TRIALS):
            command = _listed_report(table, reportable, rng)
            assert reportable.holds(command)
            assert _accepts(stands, command), f"{command} is listed and refused"
            tried += 1
    for reportable in listed:
        for command in _beside(table, reportable, rng):
            if not any(r.holds(command) for r in listed):
                assert not _accepts(stands, command), f"{command} is accepted and not listed"
                tried += 1
    for kind in table.whole.reports:
        for _ in range(TRIALS):
            made_up = _made_up(kind, rng)
            if made_up is None or any(r.holds(made_up) for r in listed):
                continue
            assert not _accepts(stands, made_up), f"{made_up} is accepted and not listed"
            tried += 1
    return tried


def _listed_report(table: Table[Any], reportable: Reportable, rng: random.Random) -> Command:
    kind = next(k for k in table.whole.reports if k.__struct_config__.tag == reportable.do)
    return kind(**{name: _any_of(values, rng) for name, values in reportable.fields.items()})


def _beside(table: Table[Any], reportable: Reportable, rng: random.Random) -> Iterator[Command]:
    """Reports that say in one field one fewer than the listing allows, or one number more."""
    for name, values in reportable.fields.items():
        whole = _listed_report(table, reportable, rng)
        if isinstance(values, SomeOf | BySeat) and values.least:
            few = _any_of(structs.replace(values, least=values.least - 1), rng, fewest=True)
            yield structs.replace(whole, **{name: few})
        elif isinstance(values, OneOf) and name in COUNTS:
            numbers = [value for value in values.values if isinstance(value, int)]
            if numbers:
                yield structs.replace(whole, **{name: max(numbers) + 1})


@pytest.mark.parametrize("ways", LOOKED_AT)
@pytest.mark.parametrize("book", BOOKS)
def test_what_is_listed_is_accepted_and_all_else_refused_in_every_moment(
    book: str, ways: str
) -> None:
    """In the normal set each moment in one of the ways in which it comes about, in the slow set in
    all of them."""
    tried = sum(
        _look_at(stands, listed, f"{book} {stands.moment.name} {stands.how}")
        for stands, listed in in_moments(book, ways)
    )
    assert tried > 500


def _after_cases(step: int) -> int:
    """Look at the tables as every so-manieth shipped case leaves them."""
    tried = 0
    for source, text in islice(shipped_cases(), 0, None, step):
        pit, now = stage_case(read_case(text, source, GAMES), GAMES)
        for table in pit.tables.values():
            if table.state.opened:
                stands = Staged(moment=THE_END, how=WAYS[0], table=table, now=now)
                tried += _look_at(stands, table.reports(when=now), source)
    return tried


def test_what_is_listed_is_accepted_and_all_else_refused_where_cases_end() -> None:
    assert _after_cases(EVERY) > 1_000


@pytest.mark.slow
def test_what_is_listed_is_accepted_and_all_else_refused_where_any_case_ends() -> None:
    assert _after_cases(1) > 10_000
