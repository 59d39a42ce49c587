"""The ruling desk: asks the book, keeps the log, finds what somebody means.

Everything that it knows of rules is `croupier.pit.question`; this is what stands around it.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial

import msgspec
from msgspec import structs

from croupier.cards import CardError
from croupier.desk import book_pages
from croupier.desk.approved import NONE_LOADED, Approved
from croupier.desk.cases import case_text, shipped_question
from croupier.desk.errors import CannotAsk
from croupier.desk.figures import as_csv, figures
from croupier.desk.log import Asking, DeskLog, Span
from croupier.desk.records import (
    BookLine,
    BookPage,
    CaseQuestion,
    Entry,
    EntryLine,
    Figures,
    KeptAnswer,
    ParagraphPage,
    SearchHit,
    Status,
)
from croupier.desk.search import read_cases, search
from croupier.pit import GAMES, CaseError, PitError
from croupier.pit.incidents import Incident, UnknownFact, combinations
from croupier.pit.question import Answer, Question, ask
from croupier.pit.ruling import DISCRETION
from croupier.pit.situation import Contradiction
from croupier.rulebooks import BOOKS, Rulebook, load
from croupier.table import TableError

LISTED_AT_MOST = 500
ANSWERS_AT_MOST = 1_000
WORDS_AT_MOST = 2_000
"""Letters in what somebody writes."""
ID = re.compile(r"[a-z0-9]{8,32}")


def _now() -> datetime:
    return datetime.now(UTC)


class Desk:
    """One ruling desk with its log."""

    def __init__(
        self,
        log: DeskLog,
        *,
        approved: Approved = NONE_LOADED,
        house: str = "",
        area: str = "",
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self.log = log
        self.approved = approved
        self.house = house
        self.area = area
        self._clock = clock
        self._lock = threading.Lock()
        """The engine works on one question at a time: it is quick, and so is the next."""
        self._answers: OrderedDict[bytes, Answer] = OrderedDict()
        """What was answered lately to those who had said nothing yet, which takes longest."""

    # -- asking -------------------------------------------------------------------------------

    def answer(self, question: Question) -> Answer:
        """The answer to a question, which is not put into the log."""
        said = question.facts or question.answers or question.situation
        key = msgspec.json.encode(question) if question.incident and not said else b""
        try:
            with self._lock:
                if (found := self._answers.get(key)) is not None:
                    self._answers.move_to_end(key)
                    return found
                answer = ask(question, GAMES)
                if key:
                    self._answers[key] = answer
                    if len(self._answers) > ANSWERS_AT_MOST:
                        self._answers.popitem(last=False)
                return answer
        except (UnknownFact, Contradiction) as error:
            raise CannotAsk(error.says, _path(error.path)) from error
        except (CaseError, CardError, PitError, TableError) as error:
            raise CannotAsk(str(error), "question") from error
        except (AssertionError, OverflowError, RecursionError, TypeError) as error:
            raise CannotAsk("this is not in the words of case files", "question") from error

    def ask(self, question: Question, *, id: str = "", who: str = "", area: str = "") -> KeptAnswer:
        """Answer a question and keep it; `id` goes on with one that was asked before."""
        if id and not ID.fullmatch(id):
            raise CannotAsk("an id is 8 to 32 small letters and digits", "id")
        for name, text in (("who", who), ("area", area), ("question.title", question.title)):
            _not_too_long(name, text)
        answer = self.answer(question)
        question = structs.replace(question, rulebook=answer.rulebook)
        book = book_pages.book_of(answer.rulebook)
        asking = Asking(
            who=who,
            area=area or self.area,
            question=question,
            answer=answer,
            told=book_pages.in_words(book, question.incident, question.facts),
            status=_status(answer),
            discretion=_discretion(question, answer),
        )
        id = self.log.keep(id, asking, self._clock())
        return KeptAnswer(
            id=id,
            status=asking.status,
            answer=answer,
            told=asking.told,
            before=self.log.before(
                id, answer.rulebook, answer.incident, asking.discretion, asking.told
            ),
            notes=self.log.notes(id),
        )

    def decide(self, id: str, decided: str, why: str, *, as_ruled: bool, by: str = "") -> Entry:
        """Note what was decided, as ruled or otherwise."""
        entry = self.entry(id)
        decided, why = decided.strip(), why.strip()
        _not_too_long("decided", decided)
        _not_too_long("why", why)
        if as_ruled:
            if entry.answer.ruling is None or entry.answer.impossible:
                raise CannotAsk("nothing is ruled here yet; say what was decided", "decided")
            decided = decided or entry.answer.ruling.headline
        if not decided:
            raise CannotAsk("say what was decided", "decided")
        if not as_ruled and not why:
            raise CannotAsk("say why it was decided otherwise", "why")
        self.log.decide(id, decided, why, as_ruled=as_ruled, by=by, now=self._clock())
        return self.entry(id)

    def note(self, id: str, says: str, *, by: str = "") -> Entry:
        """Write a note to a question, which decides nothing."""
        says = says.strip()
        _not_too_long("says", says)
        if not says:
            raise CannotAsk("a note says something", "says")
        self.log.note(id, says, by=by, now=self._clock())
        return self.entry(id)

    def abandon(self, id: str) -> Entry:
        """Note that a question was left."""
        self.log.abandon(id, self._clock())
        return self.entry(id)

    def prepare(self) -> None:
        """Do at once what the very first answer would take long for: read the books, and answer in
        each the common question that can have come about in the most ways."""
        for book in map(load, BOOKS):
            common = [one for one in book_pages.incidents(book) if one.common]
            most = max(common, key=lambda one: len(book_pages.facts_of(book, one.name)))
            self.answer(Question(rulebook=book.id, incident=most.name))

    def first_answers(self) -> Iterator[Callable[[], object]]:
        """What is slow the first time and kept then, in small parts, for whoever asks meanwhile
        waits for one of them: the commonest questions, the search, the other questions."""
        books = [load(name) for name in BOOKS]
        for common in (True, False):
            for book in books:
                for incident in book_pages.incidents(book):
                    if incident.common is common:
                        yield from self._first_answer(book, incident)
            if common:
                yield from read_cases()

    def _first_answer(self, book: Rulebook, incident: Incident) -> Iterator[Callable[[], object]]:
        """The answer to who has said nothing yet: each way in which it may have been, then all."""
        question = Question(rulebook=book.id, incident=incident.name)
        for whole in combinations(book_pages.facts_of(book, incident.name), {}):
            yield partial(self.answer, structs.replace(question, facts=whole))
        yield partial(self.answer, question)
        yield partial(self._find_out, book, incident)

    # -- the log ------------------------------------------------------------------------------

    def entry(self, id: str) -> Entry:
        """One question of the log."""
        return self.log.entry(id, self._clock())

    def lines(self, span: Span) -> tuple[list[EntryLine], bool]:
        """The newest questions, and whether there are more."""
        found = self.log.lines(span, self._clock(), LISTED_AT_MOST + 1)
        return found[:LISTED_AT_MOST], len(found) > LISTED_AT_MOST

    def csv(self, span: Span) -> str:
        """The log as CSV."""
        return as_csv(self.log.lines(span, self._clock()))

    def figures(self, span: Span) -> Figures:
        """What goes wrong most, and where discretion is used."""
        now = self._clock()
        return figures(self.log.lines(span, now), self.log.discretions(span, now))

    # -- books --------------------------------------------------------------------------------

    def books(self) -> tuple[BookLine, ...]:
        """All books."""
        return book_pages.book_lines()

    def book(self, name: str) -> BookPage:
        """One book with its incidents."""
        for work in self.to_find_out(name):
            work()
        return self.book_so_far(name)

    def book_so_far(self, name: str) -> BookPage:
        """The same at once, without the paragraphs that are not found out yet."""
        return book_pages.book_page(book_pages.book_of(name))

    def to_find_out(self, name: str) -> Iterator[Callable[[], None]]:
        """What is left to find out about a book, in small parts."""
        book = book_pages.book_of(name)
        for incident in book_pages.not_cited_yet(book):
            yield partial(self._find_out, book, incident)

    def _find_out(self, book: Rulebook, incident: Incident) -> None:
        with self._lock:
            book_pages.find_out(book, incident)

    def paragraph(self, name: str, id: str) -> ParagraphPage:
        """One paragraph."""
        book = book_pages.book_of(name)
        return book_pages.paragraph_page(book, id, self.approved.text(book.id, id))

    def search(self, name: str, words: str) -> list[SearchHit]:
        """What somebody means who types a few words."""
        _not_too_long("words", words)
        return search(words, book_pages.book_of(name))

    # -- cases --------------------------------------------------------------------------------

    def case(self, id: str) -> str:
        """A question of the log as a case file."""
        entry = self.entry(id)
        with self._lock:
            return case_text(entry.question, entry.answer)

    def case_question(self, source: str, book: str = "") -> CaseQuestion:
        """A shipped case as a question."""
        return shipped_question(source, book)


def _path(path: str) -> str:
    return f"question.{path}" if path else "question"


def _not_too_long(path: str, text: str) -> None:
    if len(text) > WORDS_AT_MOST:
        raise CannotAsk(f"at most {WORDS_AT_MOST:,} letters", path)


def _status(answer: Answer) -> Status:
    return "ruled" if answer.ruling is not None and not answer.impossible else "open"


def _discretion(question: Question, answer: Answer) -> str:
    """The paragraph that leaves it to somebody, whether he has decided or not."""
    ruling = answer.ruling
    if ruling is None or not ruling.filed_under:
        return ""
    used = any(one.question == DISCRETION for one in question.answers)
    return ruling.filed_under[0] if used or ruling.kind == "discretion" else ""
