"""Inputs that a report takes at the console: at most four, from the touch on what happened to the
confirmation, whatever the facts are, where no card has to be named and nothing to be typed.

What the page asks follows from the form that the API gives, so it is counted here: one touch for
the matter, one for the confirmation, and one for each answer that is not the usual one. The page
asks some facts together (`web/app/pit/facts.js`), and has one touch for all of several.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec
import pytest

from croupier.banked.reports import ReportMissedBurn
from croupier.live.pit_records import PitReport
from croupier.live.pit_reports import tile_of
from croupier.pit.moments import Staged
from croupier.rulebooks import BOOKS
from croupier.table.reports import Anything, BySeat, From, Moves, OneOf, Reportable, SomeOf, Words
from tests.pit.in_moments import in_moments

AT_MOST = 4
RARE = frozenset(
    "stopped street round to unregistered burns first_cards dealer_gets dealer_gives".split()
)
"""What the page asks below the rest: each of them is tried alone."""
NEAR = 2
"""Numbers of cards that stand beside each place, next to the usual one."""


def forms(book: str, ways: str) -> Iterator[tuple[Staged, PitReport, Reportable]]:
    """What the console offers at every moment."""
    for stands, listed in in_moments(book, ways):
        kinds = {str(k.__struct_config__.tag): k for k in stands.table.whole.commands}
        for each in listed:
            yield stands, tile_of(each.public(), kinds[each.do]), each


def answers(values: Any, usual: Any) -> list[int]:
    """How many touches each plain answer takes; the usual one takes none."""
    match values:
        case OneOf():
            return [0] + [1] * (len(values.values) > 1)
        case SomeOf() if any(str(v) == "??" for v in values.values):
            return [0, 1] if values.unnamed else []  # cards are to be named
        case SomeOf(least=least) if least > 1:
            return [0, least]  # the first touch begins anew
        case SomeOf():
            return [0] + [1] * bool(values.values)  # one of them, or all
        case BySeat():
            return [0, 1] if values.unnamed else []
        case Moves():
            return [0] + [1] * (len(values.places) > 1)
        case Words():
            return [0, 1]  # a preset
        case Anything() | From():
            return [0]
    raise AssertionError(values)


def touches(report: PitReport) -> Iterator[tuple[int, tuple[str, ...]]]:
    """From the matter to the confirmation, for every combination of plain answers, with what was
    not as usual."""
    fields = {field.name: field for field in report.fields}
    costs = {n: answers(f.values, f.usual) for n, f in fields.items() if n not in RARE}
    for place, number in (("box", "cards"), ("seat", "count")):
        if {place, number} <= costs.keys() and len(costs[number]) > 1:
            del costs[place]  # asked with it: which place got how many cards
    if "moves" in costs:
        costs.pop("affected", None)  # those that change places
    if not all(costs.values()):
        return  # a card is named: that is entered
    for chosen in product(*costs.values()):
        said = tuple(n for n, cost in zip(costs, chosen, strict=True) if cost)
        yield 2 + sum(chosen), said
    for name in RARE & fields.keys():
        for cost in answers(fields[name].values, fields[name].usual):
            yield 2 + cost, (name,)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_no_report_takes_more_than_four_inputs(book: str):
    counted = 0
    for stands, report, _ in forms(book, "every"):
        for inputs, said in touches(report):
            where = f"{report.title} at {stands.moment.name}, {stands.how}: {said}"
            assert inputs <= AT_MOST or _is_many(report, said), f"{inputs} inputs: {where}"
            counted += 1
    assert counted > 1_000


def _is_many(report: PitReport, said: tuple[str, ...]) -> bool:
    """Cards drawn together from several kinds of places, or exposed at several: a list of places
    that somebody has to give one by one."""
    listed = {"report drawn together", "report exposed"}
    return report.do in listed and len(said) > 1


@pytest.mark.parametrize("book", BOOKS)
def test_at_most_three_questions_are_asked_first(book: str):
    for stands, report, _ in list(forms(book, "one"))[::40]:
        fields = {field.name: field for field in report.fields}
        asked = [
            n
            for n, field in fields.items()
            if n not in RARE and len(answers(field.values, field.usual) or [0, 1]) > 1
        ]
        if report.do not in ("report drawn together", "report exposed"):
            assert len(asked) <= 3, (stands.moment.name, report.title, asked)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_what_the_console_proposes_can_be_true(book: str):
    """Where no card has to be named, the report with what is usual in every field is accepted."""
    for stands, report, reportable in forms(book, "one"):
        if "??" in msgspec.json.encode(report.command).decode():
            continue
        table = stands.table
        kind = next(k for k in table.whole.reports if k.__struct_config__.tag == report.do)
        command = msgspec.convert(report.command, kind, strict=False)
        assert reportable.holds(command), (stands.moment.name, command)


@pytest.mark.parametrize("book", BOOKS)
def test_no_two_matters_of_a_moment_read_the_same(book: str):
    """What asks for other fields is another button: it says which matter it is."""
    at: dict[tuple[str, ...], tuple[str, ...]] = {}
    for stands, report, _ in forms(book, "one"):
        asks = tuple(field.name for field in report.fields)
        where = (stands.moment.name, str(stands.how), report.title, report.says)
        assert at.setdefault(where, asks) == asks, where


def test_the_round_under_way_is_offered_once():
    """By its number it would be a second answer that says the same."""
    tile = tile_of(
        Reportable(do="report missed burn", fields={"round": OneOf((None, 2))}), ReportMissedBurn
    )
    assert tile.fields[0].values == OneOf((None,))
    over = Reportable(do="report missed burn", fields={"round": OneOf((2,))})
    assert tile_of(over, ReportMissedBurn).fields[0].values == OneOf((2,))


def test_the_count_itself_counts():
    """Two answers beside the matter and the confirmation are four; three are too many."""
    one = OneOf((1, 2, 3))
    assert answers(one, 1) == [0, 1]
    assert answers(SomeOf((1, 2, 3)), ()) == [0, 1]
    assert answers(SomeOf((1, 2, 3), least=2), (1, 2)) == [0, 2]
