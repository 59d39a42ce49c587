"""Something is reported at a table in mid-round: whatever can be true there, drawn at random.

The table itself says what can be reported now, and the ruling is what a copy of it answers, as on
the pit console. Cards and stakes are drawn anew each time, so that there is no end of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any

from msgspec import Struct

from croupier.cards import DECK
from croupier.pit import GAMES, CaseError, Pit, report_words
from croupier.pit.at_table import Standing, rule_at_table
from croupier.pit.moments import WAYS, How, Moment, Staged, moments_of, play_moment, raw_moment
from croupier.pit.ruling import Ruling
from croupier.pit.situation import Contradiction
from croupier.rulebooks import Rulebook
from croupier.school.choices import choice_of, part_of, wrong_choices
from croupier.school.errors import NotMade
from croupier.school.exercise import AnswerChoice, Exercise, Scene
from croupier.school.report_told import report_told
from croupier.school.rulings import ASK, elsewhere_in
from croupier.school.signing import signing_part
from croupier.table import Command, Order
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

PLACE = "table"
TRIED_AT_MOST = 12
"""Reports that are tried for a wrong answer."""
MOMENTS_AT_MOST = 4
"""Other moments that are tried for the same report."""
NOT_ASKED = frozenset(
    {"report irregularity", "report jackpot repaired", "report shoe", "report cards gone"}
)
"""What is no irregularity of its own (the clause for what the book does not say, a repair), and
what needs a real shoe or a claim, which the moments of a round do not have."""
BY_HAND = tuple(how for how in WAYS if how.dealing == "by-hand")


def report_exercise(book: Rulebook, do: str, level: int, rng: Random) -> Exercise:
    """An exercise on one kind of report, at a moment at which it can be true."""
    moment, how = next(_moments_with(book, do, rng), (None, None))
    if moment is None or how is None:
        raise NotMade(do)
    setup = _drawn(moments_of(GAMES.games[book.id].name).setup, rng)
    here = _standing(_staged(book, moment, how, setup))
    command = _drawn_report(here, do, rng)
    ruling = _ruled(here, command)
    if ruling is None:
        raise NotMade(do)
    wrong = _wrong(book, here, command, ruling, rng)
    parts = [part_of(ASK, choice_of(ruling), wrong, rng)]
    if level > 1:
        parts.append(signing_part(ruling, rng))
    raw = {k: v for k, v in raw_moment(moment, how, setup, book).items() if k != "expect"}
    told = report_told(command, here.word)
    return Exercise(
        kind="ruling",
        rulebook=book.id,
        item=f"report/{do}",
        level=level,
        title=told[0].rstrip("."),
        told=(f"{moment.name[:1].upper()}{moment.name[1:]}.", *told),
        parts=tuple(parts),
        scene=Scene(raw=raw, title=moment.name),
        ruling=ruling,
        cites=ruling.filed_under,
    )


# -- moments ---------------------------------------------------------------------------------------


def _moments_with(book: Rulebook, do: str, rng: Random) -> Iterator[tuple[Moment, How]]:
    """The moments at which a report can be true, in an order that is drawn."""
    family = moments_of(GAMES.games[book.id].name)
    for moment in rng.sample(family.moment, len(family.moment)):
        how = next((how for how in reversed(BY_HAND) if moment.fits(how, book)), None)
        if how is None:
            continue
        if any(one.do == do for one in _usual(book.id, moment.name, how).listed):
            yield moment, how


class Stands(Struct, frozen=True):
    """A table that stands in a moment, and what can be reported there."""

    staged: Staged
    listed: tuple[Reportable, ...]

    @property
    def word(self) -> str:
        return self.staged.seat_word


def _standing(staged: Staged) -> Stands:
    listed = staged.table.reports(when=staged.now)
    return Stands(staged, tuple(one for one in listed if one.do not in NOT_ASKED))


@lru_cache(maxsize=512)
def _usual(book: str, name: str, how: How) -> Stands:
    """A moment as it is set up for everybody: what is tried there changes nothing."""
    family = moments_of(GAMES.games[book].name)
    moment = next(one for one in family.moment if one.name == name)
    return _standing(play_moment(moment, how, family.setup, GAMES.load(book), GAMES))


def reports_of(book: Rulebook) -> tuple[str, ...]:
    """Every report that a table of a book knows."""
    kinds = GAMES.games[book.id].table_type(book).whole.reports
    named = (str(kind.__struct_config__.tag) for kind in kinds)
    return tuple(do for do in named if do not in NOT_ASKED)


def _staged(book: Rulebook, moment: Moment, how: How, setup: dict[str, Any]) -> Staged:
    try:
        return play_moment(moment, how, setup, book, GAMES)
    except CaseError as error:
        raise NotMade(moment.name) from error


def _drawn(setup: dict[str, Any], rng: Random) -> dict[str, Any]:
    """The set-up with other cards: nobody learns a ruling by the cards that it came with."""
    deck = list(DECK)
    rng.shuffle(deck)

    def cards(count: int) -> str:
        return " ".join(str(deck.pop()) for _ in range(count))

    key = "seats" if "seats" in setup else "boxes"
    places = {n: {**one, "cards": cards(2)} for n, one in setup[key].items()}
    board = {"flop": cards(3), "turn": cards(1), "river": cards(1)}
    drawn = {**setup, key: places, "board": board}
    if "dealer" in setup:
        drawn["dealer"] = {"cards": cards(2)}
    return {name: value for name, value in drawn.items() if name != "rounds"}


# -- reports ---------------------------------------------------------------------------------------


def _drawn_report(here: Stands, do: str, rng: Random) -> Command:
    """One of the reports of a kind that can be true now."""
    possible = [one for one in here.listed if one.do == do]
    if not possible:
        raise NotMade(do)
    return _command(here, rng.choice(possible), rng)


def _command(here: Stands, possible: Reportable, rng: Random) -> Command:
    kind = next(
        kind
        for kind in here.staged.table.whole.reports
        if kind.__struct_config__.tag == possible.do
    )
    return kind(
        **{name: _value(possible.do, name, values, rng) for name, values in possible.fields.items()}
    )


def _value(do: str, name: str, values: Values, rng: Random) -> Any:
    """A value of a field that can be true."""
    usual = report_words.USUAL.get((do, name))
    match values:
        case OneOf() | From() if usual is not None:
            near = [n for n in range(usual - 2, usual + 3) if values.holds(n)]
            return rng.choice(near) if near else _any(values, rng)
        case OneOf() | From():
            return _any(values, rng)
        case SomeOf() if values.values:
            return values.trial(rng.choice(values.values))
        case BySeat() if values.values:
            place = rng.choice(list(values.values))
            return values.trial((place, rng.choice(values.values[place])))
        case SomeOf() | BySeat() | Moves() | Anything() | Words():
            return values.trial()


def _any(values: OneOf | From, rng: Random) -> Any:
    if isinstance(values, OneOf):
        return rng.choice(values.values)
    return rng.choice((values.least, values.most, rng.randint(values.least, values.most)))


def _ruled(here: Stands, command: Command) -> Ruling | None:
    """What a copy of the table answers; None if that is no ruling."""
    by = command.usually_by
    order = Order(command=command, who=by.value, rank=by, when=here.staged.now)
    pit = Pit()
    pit.add_table(PLACE, here.staged.table, None)
    try:
        ruling = rule_at_table(Standing.of(pit, PLACE), order, foretell=False)
    except Contradiction:
        return None
    return None if ruling.kind == "refused" else ruling


# -- what is wrong ---------------------------------------------------------------------------------


def _wrong(
    book: Rulebook, here: Stands, command: Command, ruling: Ruling, rng: Random
) -> Iterator[AnswerChoice]:
    """The same report told otherwise or at another moment, and what else may be reported now."""
    return wrong_choices(ruling, _others(book, here, command, rng), (), elsewhere_in(book))


def _others(
    book: Rulebook, here: Stands, command: Command, rng: Random
) -> Iterator[tuple[Ruling, str]]:
    do = str(command.__struct_config__.tag)
    now = here.staged.moment.name
    elsewhere = (m for m in _moments_with(book, do, rng) if m[0].name != now)
    for moment, how in islice(elsewhere, MOMENTS_AT_MOST):
        there = _usual(book.id, moment.name, how)
        ruling = _ruled(there, _drawn_report(there, do, rng))
        if ruling is not None:
            yield ruling, f"So it is ruled at another moment: {moment.name}."
    for possible in rng.sample(here.listed, min(TRIED_AT_MOST, len(here.listed))):
        other = _command(here, possible, rng)
        ruling = _ruled(here, other)
        if ruling is not None:
            told = " ".join(report_told(other, here.word))
            yield ruling, f"So it is ruled on another report: {told}"
