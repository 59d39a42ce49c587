"""Something goes wrong: the incidents of the ruling desk as exercises.

An incident leaves open what may have been so or otherwise. One way in which it may have been is
told; the right answer is what the engine rules then, and the wrong ones are what it rules where
something was otherwise, where another book is played, or where something else went wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from random import Random

from msgspec import structs

from croupier.pit import GAMES
from croupier.pit.incidents import (
    Catalogue,
    Fact,
    Facts,
    Incident,
    UnknownFact,
    catalogue_of,
    check_facts,
    example_of,
)
from croupier.pit.open_facts import Tried
from croupier.pit.question import Question, staged_question, tried_ways
from croupier.pit.ruling import Ruling, likeness
from croupier.pit.situation import Contradiction
from croupier.rulebooks import BOOKS, Rulebook, load
from croupier.school.choices import choice_of, part_of, wrong_choices
from croupier.school.errors import NotMade
from croupier.school.exercise import AnswerChoice, Exercise, Part, Scene
from croupier.school.signing import signing_part
from croupier.table import read_money, write_money

ASK = "What is ruled?"
ALIKE_AT_MOST = 3
"""Other incidents of the same group that lend their rulings as wrong answers."""


def ruling_exercise(book: Rulebook, name: str, level: int, rng: Random) -> Exercise:
    """An exercise on an incident of the catalogue."""
    catalogue = catalogue_of(GAMES.games[book.id].name)
    incident = catalogue.find(name, book)
    facts = catalogue.facts_of(incident, book)
    way = _one_way(book, incident, facts, rng)
    assert way.ruling is not None
    right = choice_of(way.ruling)
    wrong = _wrong(book, catalogue, incident, facts, way, rng)
    parts = [part_of(ASK, right, wrong, rng, most=3 if level == 1 else 4)]
    if level > 1:
        parts.append(signing_part(way.ruling, rng))
    if level > 2 and (money := _money_part(way.ruling, _ways(book.id, name), rng)) is not None:
        parts.append(money)
    return Exercise(
        kind="ruling",
        rulebook=book.id,
        item=f"ruling/{name}",
        level=level,
        title=incident.title,
        told=tuple(_told(catalogue, incident, facts, way.facts)),
        parts=tuple(parts),
        scene=_scene(book, name, way),
        ruling=way.ruling,
        cites=way.ruling.filed_under,
    )


@lru_cache(maxsize=400)
def _ways(book: str, incident: str) -> tuple[Tried, ...]:
    """Every way in which an incident may have been and that stands, with its ruling."""
    tried = tried_ways(Question(rulebook=book, incident=incident), GAMES)
    return tuple(one for one in tried if one.stands)


def _one_way(book: Rulebook, incident: Incident, facts: tuple[Fact, ...], rng: Random) -> Tried:
    """One way, each ruling as likely as any other; now and then with other amounts."""
    by_ruling: dict[object, list[Tried]] = {}
    for one in _ways(book.id, incident.name):
        assert one.ruling is not None
        by_ruling.setdefault(likeness(one.ruling), []).append(one)
    if not by_ruling:
        raise NotMade(incident.name)
    way = rng.choice(rng.choice(list(by_ruling.values())))
    return _with_other_amounts(book, incident, facts, way, rng) or way


def _with_other_amounts(
    book: Rulebook, incident: Incident, facts: tuple[Fact, ...], way: Tried, rng: Random
) -> Tried | None:
    """The same with other figures, if it can have been so."""
    drawn = {
        fact.name: write_money(_amount(read_money(way.facts[fact.name]), rng))
        for fact in facts
        if fact.kind == "amount" and fact.name in way.facts
    }
    if not drawn or rng.random() < 0.3:
        return None
    known = {**way.facts, **drawn}
    try:
        tried = tried_ways(Question(rulebook=book.id, incident=incident.name, facts=known), GAMES)
    except (Contradiction, UnknownFact):
        return None
    return next((one for one in tried if one.stands and one.facts == known), None)


def _amount(usual: int, rng: Random) -> int:
    """An amount of the same size, in whole chips of 5."""
    return max(5_00, round(usual * rng.uniform(0.4, 1.8) / 5_00) * 5_00)


def _told(
    catalogue: Catalogue, incident: Incident, facts: tuple[Fact, ...], known: Facts
) -> Iterator[str]:
    example = example_of(catalogue, incident, facts, known).removeprefix("The example: ")
    yield example[:1].upper() + example[1:]
    by_name = {fact.name: fact for fact in facts}
    for name, value in known.items():
        fact = by_name[name]
        said = fact.say(value)
        yield f"{fact.ask} {said}{'' if said.endswith('.') else '.'}"


def _scene(book: Rulebook, incident: str, way: Tried) -> Scene | None:
    question = Question(rulebook=book.id, incident=incident, facts=way.facts)
    staged = staged_question(question, GAMES)
    if staged is None:
        return None
    steps = staged.raw["step"]
    raw = {**staged.raw, "step": steps[: len(steps) - staged.reports]}
    return Scene(raw=raw, title=staged.title)


# -- what is wrong ---------------------------------------------------------------------------------


def _wrong(
    book: Rulebook,
    catalogue: Catalogue,
    incident: Incident,
    facts: tuple[Fact, ...],
    way: Tried,
    rng: Random,
) -> Iterator[AnswerChoice]:
    """What might be thought, the likeliest first."""
    assert way.ruling is not None
    return wrong_choices(
        way.ruling,
        chain(
            _if_otherwise(book, incident, facts, way, rng), _in_another_book(book, incident, way)
        ),
        _of_group(book, catalogue, incident, rng),
        elsewhere_in(book, incident.name),
    )


def elsewhere_in(book: Rulebook, but: str = "") -> Iterator[tuple[Ruling, str]]:
    """What is ruled on the commonest incidents of a book."""
    for incident in catalogue_of(GAMES.games[book.id].name).incident:
        if incident.common and incident.fits(book) and incident.name != but:
            yield from _lent(book, incident)


def _lent(book: Rulebook, incident: Incident) -> Iterator[tuple[Ruling, str]]:
    """Rulings on an incident as wrong answers to another."""
    for one in _ways(book.id, incident.name):
        assert one.ruling is not None
        yield one.ruling, f"So it is ruled on another matter: “{incident.title}”."


def _if_otherwise(
    book: Rulebook, incident: Incident, facts: tuple[Fact, ...], way: Tried, rng: Random
) -> Iterator[tuple[Ruling, str]]:
    """What is ruled where something was otherwise, the nearest first."""
    by_name = {fact.name: fact for fact in facts}
    others = [one for one in _ways(book.id, incident.name) if one.ruling is not None]
    rng.shuffle(others)
    for one in sorted(others, key=lambda one: len(_apart(one.facts, way.facts))):
        assert one.ruling is not None
        apart = [by_name[name] for name in _apart(one.facts, way.facts) if name in one.facts]
        said = " ".join(f"{fact.ask} {fact.say(one.facts[fact.name])}." for fact in apart)
        yield one.ruling, f"So it is ruled if it was otherwise: {said}" if said else ""


def _apart(one: Facts, other: Facts) -> list[str]:
    return [name for name in {**one, **other} if one.get(name) != other.get(name)]


def _in_another_book(
    book: Rulebook, incident: Incident, way: Tried
) -> Iterator[tuple[Ruling, str]]:
    """What another book of the same game makes of the same."""
    for name in BOOKS:
        if name == book.id or GAMES.games[name] is not GAMES.games[book.id]:
            continue
        other = load(name)
        for one in _same_in(other, incident, way.facts):
            assert one.ruling is not None
            # What another book cites is none of this one's paragraphs.
            bare = structs.replace(one.ruling, paragraphs=(), sentences=(), decisions=())
            yield bare, f"So {other.short} rules it; this is {book.short}."


def _same_in(other: Rulebook, incident: Incident, known: Facts) -> Iterator[Tried]:
    catalogue = catalogue_of(GAMES.games[other.id].name)
    try:
        there = catalogue.find(incident.name, other)
        check_facts(known, catalogue.facts_of(there, other))
    except UnknownFact:
        return
    for one in _ways(other.id, incident.name):
        if all(one.facts.get(name) == value for name, value in known.items()):
            yield one  # the other book may want to know more


def _of_group(
    book: Rulebook, catalogue: Catalogue, incident: Incident, rng: Random
) -> Iterator[tuple[Ruling, str]]:
    """What is ruled where something else of the same group went wrong, of some that are drawn."""
    group = [
        one
        for one in catalogue.incident
        if one.fits(book) and one.name != incident.name and one.group == incident.group
    ]
    for other in rng.sample(group, min(ALIKE_AT_MOST, len(group))):
        yield from _lent(book, other)


# -- the money -------------------------------------------------------------------------------------


def _money_part(ruling: Ruling, ways: tuple[Tried, ...], rng: Random) -> Part | None:
    """How much lies where afterwards: what it was before, and what it would be if it was
    otherwise, are wrong."""
    moved = [one for one in ruling.money if one.before != one.after]
    rng.shuffle(moved)
    for change in moved:
        wrong = [AnswerChoice(says=change.before, because="Nothing would have moved.")]
        for one in ways:
            for other in one.ruling.money if one.ruling is not None else ():
                if (other.who, other.where) == (change.who, change.where):
                    because = "So it is where it was otherwise."
                    wrong.append(AnswerChoice(says=other.after, because=because))
        ask = f"{change.who[:1].upper()}{change.who[1:]}, {change.where}: how much is it then?"
        try:
            return part_of(ask, AnswerChoice(says=change.after), wrong, rng)
        except NotMade:
            continue
    return None
