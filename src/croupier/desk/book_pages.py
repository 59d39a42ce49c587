"""The books as the desk shows them: what can go wrong under each, and its paragraphs."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.desk.errors import CannotAsk, NotThere
from croupier.desk.records import (
    BookLine,
    BookPage,
    FactLine,
    GroupLine,
    IncidentLine,
    ParagraphPage,
    PolicyChoice,
    SettledReading,
    Told,
)
from croupier.pit import GAMES
from croupier.pit.incidents import Catalogue, Fact, Incident, UnknownFact, catalogue_of
from croupier.pit.question import Question, ask
from croupier.pit.situation import Contradiction
from croupier.rulebooks import Rulebook, RulebookError, Topic
from croupier.rulebooks.model import Note, Policy


def book_of(name: str) -> Rulebook:
    """A book by its id, or by any part of it that only one has."""
    try:
        found = GAMES.resolve(name)
    except RulebookError as error:
        raise CannotAsk(str(error), "rulebook") from error
    return GAMES.load(found)


def catalogue(book: Rulebook) -> Catalogue | None:
    """The incidents of a book's family, if any are written yet."""
    try:
        return catalogue_of(GAMES.games[book.id].name)
    except UnknownFact:
        return None


def incidents(book: Rulebook) -> tuple[Incident, ...]:
    """What can come about under a book."""
    found = catalogue(book)
    return tuple(i for i in found.incident if i.fits(book)) if found is not None else ()


def facts_of(book: Rulebook, incident: str) -> tuple[Fact, ...]:
    """What can be told of an incident; nothing of one that is not known."""
    found = catalogue(book)
    for one in incidents(book):
        if one.name == incident and found is not None:
            return found.facts_of(one, book)
    return ()


def in_words(book: Rulebook, incident: str, facts: dict[str, str]) -> Told:
    """What is known of an incident, as one says it."""
    known = {fact.name: fact for fact in facts_of(book, incident)}
    return {known[n].ask: known[n].say(value) for n, value in facts.items() if n in known}


def book_lines() -> tuple[BookLine, ...]:
    """All books that something can go wrong under."""
    books = map(GAMES.load, GAMES.games)
    return tuple(_line(book) for book in books if catalogue(book) is not None)


def _line(book: Rulebook) -> BookLine:
    game = GAMES.games[book.id]
    return BookLine(
        id=book.id,
        title=book.title,
        short=book.short,
        family=book.family,
        word=game.seat_word,
        policies=tuple(
            PolicyChoice(
                name=policy.name,
                says=policy.question,
                value=policy.default,
                values=tuple(policy.values),
            )
            for policy in book.policies.values()
        ),
        discretion=book.topics[Topic.DISCRETION][0] if book.has(Topic.DISCRETION) else "",
    )


def book_page(book: Rulebook) -> BookPage:
    """A book with its incidents, each with the paragraph that usually decides it, where that was
    found out already: to rule on all of them takes seconds."""
    found = catalogue(book)
    known = incidents(book)
    used = {incident.group for incident in known}
    groups = found.group if found is not None else ()
    return BookPage(
        book=_line(book),
        groups=tuple(GroupLine(name=g.name, title=g.title) for g in groups if g.name in used),
        incidents=tuple(
            IncidentLine(
                name=incident.name,
                group=incident.group,
                title=incident.title,
                words=incident.words,
                common=incident.common,
                cites=_usual_cites.get((book.id, incident.name), ()),
                facts=tuple(
                    FactLine(name=fact.name, ask=fact.ask, kind=fact.kind)
                    for fact in facts_of(book, incident.name)
                ),
            )
            for incident in known
        ),
    )


_usual_cites: dict[tuple[str, str], tuple[str, ...]] = {}


def not_cited_yet(book: Rulebook) -> list[Incident]:
    """The incidents whose paragraph is to be found out."""
    return [one for one in incidents(book) if (book.id, one.name) not in _usual_cites]


def find_out(book: Rulebook, incident: Incident) -> None:
    """Find out which paragraph usually decides an incident."""
    _usual_cites[book.id, incident.name] = tuple(_usually(book, incident))


def _usually(book: Rulebook, incident: Incident) -> Iterator[str]:
    """The operative paragraph where everything is as it usually is."""
    usual = {fact.name: fact.taken() for fact in facts_of(book, incident.name)}
    try:
        answer = ask(Question(rulebook=book.id, incident=incident.name, facts=usual), GAMES)
    except (Contradiction, UnknownFact):
        return
    if answer.ruling is not None and not answer.impossible:
        yield from answer.ruling.cites[:1]


def paragraph_page(book: Rulebook, id: str, approved: str | None) -> ParagraphPage:
    """One paragraph, with what was settled on it."""
    if id not in book.paragraphs:
        raise NotThere(f"{book.short} has no paragraph {id!r}")
    there = book.paragraphs[id]
    settled: list[Note | Policy] = [*book.notes_for(id), *book.policies_for(id)]
    return ParagraphPage(
        book=book.id,
        id=there.id,
        title=there.title,
        says=there.summary,
        approved=approved,
        notes=tuple(
            SettledReading(reading=n.reading, question=n.question, answer=n.answer) for n in settled
        ),
    )
