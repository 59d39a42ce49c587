"""Trying reports tells nothing about what lies face down: whatever the true cards are, what can be
reported and what would be ruled is the same, to the last character."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from croupier.cards import DECK, Card
from croupier.pit.at_table import DEPENDS, Standing, rule_at_table, rule_without_hidden
from croupier.pit.face_down import _renamed as renamed
from croupier.pit.face_down import hidden_cards_named, open_to_all, without_hidden
from croupier.pit.moments import WAYS, Staged, moments_of, play_moment
from croupier.pit.pit import Pit
from croupier.pit.registry import GAMES
from croupier.pit.ruling import Ruling
from croupier.pit.situation import Contradiction
from croupier.rulebooks import BOOKS
from croupier.table import ActorRank, Command, Decide, DecisionNeeded, Order, Table
from croupier.table.cards_in import cards_in
from croupier.table.reports import BySeat, OneOf, Reportable, SomeOf
from croupier.table.view import PUBLIC
from tests.pit.in_moments import in_moment, in_moments

SOME = ["some", pytest.param("every", marks=pytest.mark.slow)]
"""How many of the moments are looked at, and of the cards: in the normal set every eighth."""
EVERY = 8


@cache
def staged(book: str) -> list[Staged]:
    """Every moment, as it is dealt by the House and by hand; what can be reported is not listed,
    which would take the time."""
    family = moments_of(GAMES.games[book].name)
    return [
        play_moment(moment, how, family.setup, GAMES.load(book), GAMES)
        for moment in family.moment
        for how in (WAYS[0], WAYS[-1])
        if moment.fits(how, GAMES.load(book))
    ]


def other_cards(table: Table[Any], rng: random.Random) -> Table[Any]:
    """The same table to everybody who looks at it, with other cards face down."""
    hidden = [card for card in DECK if card not in open_to_all(table)]
    again = rng.sample(hidden, len(hidden))
    return renamed(table, dict(zip(hidden, again, strict=True)))


def standing(table: Table[Any]) -> Standing:
    pit = Pit()
    pit.add_table("T", table)
    return Standing.of(pit, "T")


def reports_that_name(table: Table[Any], card: Card) -> Iterator[Command]:
    """Every report that could name this card at all, at each place where one may lie."""
    for kind, report in table.whole.reports.items():
        for fields in report.candidates(table):
            for name, values in fields.items():
                yield from _naming(kind, fields, name, values, card)


def _naming(kind: type[Command], fields: Any, name: str, values: Any, card: Card) -> Any:
    said: list[Any] = []
    match values:
        case BySeat():
            said = [{place: (card,)} for place in values.values]
        case SomeOf() if any(isinstance(v, Card) for v in values.values):
            said = [(card,)]
        case OneOf() if any(isinstance(v, Card) for v in values.values):
            said = [card]
    for one in said:
        rest = {
            n: v.values[0] if isinstance(v, OneOf) else v.trial()
            for n, v in fields.items()
            if n != name and not isinstance(v, BySeat)
        }
        if not any(cards_in(rest)):  # one card is named, and no other
            yield kind(**{**rest, name: one})


def tried(table: Table[Any], stands: Staged, command: Command) -> str:
    """What somebody at the console is told who only tries it."""
    order = Order(command=command, who="Sue", rank=command.usually_by, when=stands.now)
    at = standing(table).to_be_tried(command)
    try:
        ruling = rule_at_table(at, order, foretell=False)
    except Contradiction as error:
        return str(error)
    return msgspec.json.encode(ruling).decode()


def listed(table: Table[Any], stands: Staged) -> bytes:
    found = standing(table).to_be_tried().table().reports(when=stands.now)
    return msgspec.json.encode([each.public() for each in found])


@pytest.mark.parametrize("moments", SOME)
@pytest.mark.parametrize("book", BOOKS)
def test_a_copy_to_try_something_on_is_the_same_whatever_lies_face_down(book: str, moments: str):
    """So whatever follows from it is the same, its order, size and time included."""
    asked, first = 0, list(BOOKS).index(book)
    for stands in staged(book)[first::EVERY] if moments == "some" else staged(book):
        rng = random.Random(f"{book} {stands.moment.name} {stands.how}")
        other = other_cards(stands.table, rng)
        assert other.view(PUBLIC) == stands.table.view(PUBLIC)
        hidden = [card for card in DECK if card not in open_to_all(stands.table)]
        for card in rng.sample(hidden, min(2, len(hidden))):
            for command in reports_that_name(stands.table, card):
                here, there = without_hidden(stands.table, command), without_hidden(other, command)
                assert here.snapshot() == there.snapshot(), (stands.moment.name, command)
                assert here.view(PUBLIC) == stands.table.view(PUBLIC)
                asked += 1
    assert asked > 20


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_so_is_what_can_be_reported(book: str):
    for stands, _ in in_moments(book, "one"):
        rng = random.Random(f"{book} {stands.moment.name}")
        other = other_cards(stands.table, rng)
        assert listed(stands.table, stands) == listed(other, stands), stands.moment.name


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_every_hidden_card_is_ruled_on_alike(book: str):
    """Up to the card that is named, the answers are equal: for every report at every moment, and
    one card of seven, others from moment to moment."""
    compared = 0
    for first, stands in enumerate(staged(book)):
        hidden = [card for card in DECK if card not in open_to_all(stands.table)][first % 7 :: 7]
        answers: dict[Any, set[str]] = {}
        for card in hidden:
            for number, command in enumerate(reports_that_name(stands.table, card)):
                said = tried(stands.table, stands, command)
                said = said.replace(card.pretty, "CARD").replace(f'"{card.value}"', '"CARD"')
                answers.setdefault((number, type(command)), set()).add(said)
                compared += 1
        for of, said_ in answers.items():
            assert len(said_) == 1, (stands.moment.name, of, sorted(said_)[:2])
    assert compared > 500


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_what_is_true_is_ruled_on_as_it_will_be(book: str):
    """For a report that is true, and for every answer, the copy gives the ruling that will come, or
    says that it depends on what lies face down: only an interruption of a banked game does, where
    a Bonus may be decided already (5.7)."""
    compared, depending = 0, set[str]()
    for stands, listed in in_moments(book, "one"):
        there = standing(stands.table)
        for order in [*_true_reports(stands, listed), *_answers(stands)]:
            told = _ruled(rule_without_hidden, there, order)
            compared += 1
            if isinstance(told, Ruling) and told.headline == DEPENDS:
                depending.add(str(order.command.__struct_config__.tag))
                assert len(told.sentences) > 1
                continue
            will_be = _ruled(rule_at_table, there, order)
            assert told == will_be, (stands.moment.name, order.command)
    assert depending <= {"report interruption"}, depending
    assert compared > 100


def _ruled(rule: Callable[..., Ruling], at: Standing, order: Order[Command]) -> Ruling | str:
    try:
        return rule(at, order, foretell=False)
    except Contradiction as error:
        return str(error)


def _true_reports(stands: Staged, listed: list[Reportable]) -> Iterator[Order[Command]]:
    for each in listed:
        kinds = stands.table.whole.reports
        kind = next(k for k in kinds if k.__struct_config__.tag == each.do)
        said = {
            name: values.values[0] if isinstance(values, OneOf) else values.trial()
            for name, values in each.fields.items()
        }
        yield Order(command=kind(**said), who="Sue", rank=kind.usually_by, when=stands.now)


def _answers(stands: Staged) -> Iterator[Order[Command]]:
    for need in stands.table.state.waiting:
        if isinstance(need, DecisionNeeded):
            staff = isinstance(need.of, ActorRank)
            who = "Sue" if staff else stands.table.player_at(need.of) or ""
            for option in need.options:
                if not option.asks:
                    said = Decide(decision=need.decision, option=option.name, reason="tried")
                    rank = need.of if isinstance(need.of, ActorRank) else ActorRank.PLAYER
                    yield Order(command=said, who=who, rank=rank, when=stands.now)


def test_a_report_is_ruled_on_as_if_it_were_true():
    """Of the two cards of a hand, and of any other, the same comes: another takes its place."""
    stands, _ = in_moment("no-limit-holdem-v8", "Hole Cards dealt, nobody has looked", WAYS[0])
    table = stands.table
    kind = next(k for k in table.whole.reports if k.__struct_config__.tag == "report exposed")
    hand = table.state.round.players[1].cards
    elsewhere = next(c for c in DECK if c not in hand and c not in open_to_all(table))
    for card in (*hand, elsewhere):
        command = kind(cards={1: (card,)})
        assert hidden_cards_named(table, command) == (card,)
        assert '"kind":"refused"' not in tried(table, stands, command)
    there = without_hidden(table, kind(cards={1: (elsewhere,)})).state.round.players[1].cards
    assert elsewhere in there


def test_what_lies_open_stays_where_it_lies():
    stands, _ = in_moment("no-limit-holdem-v8", "two cards exposed in the deal", WAYS[2])
    copy = without_hidden(stands.table)
    assert copy.view(PUBLIC) == stands.table.view(PUBLIC)
    assert copy.snapshot() != stands.table.snapshot()


def test_a_name_that_begins_as_a_record_does_is_left_as_it_is():
    table = next(stands.table for stands in staged("no-limit-holdem-v8") if stands.table.playing())
    seat = table.taken_seats()[0]
    table.state.seats[seat].player = "{Ann"
    assert without_hidden(table).player_at(seat) == "{Ann"
