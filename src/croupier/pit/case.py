"""Reads case files: what can be checked without playing them is checked here, and every message
names the file, the line and the step, what was found and what is known there."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from datetime import datetime, time
from decimal import Decimal
from functools import cached_property
from typing import Any, NoReturn

from msgspec import Struct, structs

from croupier.pit.case_records import (
    ASKED,
    CASE_KEYS,
    ONE_TABLE,
    PARAGRAPHS_AT_MOST,
    STEP_KEYS,
    Asked,
    Case,
    CaseError,
    CaseLink,
    CaseStep,
    CaseTable,
)
from croupier.pit.expect import Expectation, read_expectation
from croupier.pit.game import Registry
from croupier.pit.lines import Lines
from croupier.pit.values import ValueProblem, converted, near, read_fields, shown
from croupier.rulebooks import Rulebook, RulebookError
from croupier.rulebooks.errors import AmbiguousRulebook
from croupier.rulebooks.several import (
    SAME_IN_ALL,
    SAME_STEP_IN_ALL,
    books_with_their_own,
    in_book,
)
from croupier.table import ActorRank, Command

Fail = Callable[..., NoReturn]
"""Says what is wrong with a step, and at which of its keys."""


def read_case(text: str, source: str, registry: Registry) -> Case:
    """Read a case from its TOML text; `source` names it in messages.

    A case of several books is returned as it is in the first of them, with the `others`.
    """
    try:
        raw = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise CaseError(source, f"not TOML: {error}") from error
    reader = _Reader(raw, text, source, registry)
    books = reader.books()
    if not books:
        return reader.case()
    own = books_with_their_own(raw)
    plain: Case | None = None
    cases = []
    for book in books:
        reader = _Reader(in_book(raw, book), text, source, registry, book=book)
        if plain is not None and book not in own:
            cases.append(reader.case_like(plain))
            continue
        cases.append(reader.case())
        if book not in own:
            plain = cases[-1]
    first, *others = cases
    first.others = tuple(others)
    return first


def case_of(raw: dict[str, Any], source: str, registry: Registry, *, expects: bool = True) -> Case:
    """A case whose parts were put together in Python instead of being read from a text.

    One that only asks what comes out need not expect anything.
    """
    text = "[[step]]\n" * len(raw.get("step", ()))
    return _Reader(raw, text, source, registry, expects=expects).case()


class _Reader:
    """Reads one file, for one book. Each method reads one part and says what is wrong with it."""

    def __init__(
        self,
        raw: dict[str, Any],
        text: str,
        source: str,
        registry: Registry,
        book: str | None = None,
        expects: bool = True,
    ) -> None:
        self.raw = raw
        self.must_expect = expects
        self.source = source
        self.registry = registry
        self.text = text
        self.one_of_several = book

    @cached_property
    def step_lines(self) -> list[int]:
        """The lines on which the steps begin."""
        lines = enumerate(self.text.splitlines(), 1)
        return [n for n, line in lines if line.lstrip().startswith("[[step]]")]

    @cached_property
    def lines(self) -> Lines:
        """Where everything stands; made only once something is wrong, for most files are right."""
        return Lines(self.text)

    def books(self) -> list[str]:
        """The books of a case that names several; none if it is for one book alone."""
        raw = self.raw
        books = raw.get("rulebooks")
        if books is None:
            steps = [f"step[{n}].in" for n, step in enumerate(self._steps(), 1) if "in" in step]
            for key in ["in"] if "in" in raw else steps:
                self._fail("in is for a case that names several rulebooks", key=key)
            return []
        if "rulebook" in raw:
            self._fail("a case names its rulebook or its rulebooks, not both", key="rulebooks")
        if not isinstance(books, list) or not books or not all(isinstance(b, str) for b in books):
            self._fail('rulebooks is a list such as ["poker-v5"]', key="rulebooks")
        for book in books:
            if books.count(book) > 1:
                self._fail(f"rulebooks names {shown(book)} twice", key="rulebooks")
        self._in(raw, books, SAME_IN_ALL, "")
        for number, step in enumerate(self._steps(), 1):
            self._in(step, books, SAME_STEP_IN_ALL, f"step[{number}].")
        return books

    def _in(
        self, raw: Mapping[str, Any], books: list[str], same: frozenset[str], path: str
    ) -> None:
        """See that what is otherwise in a book is of a book of this case, and may be otherwise."""
        own = raw.get("in", {})
        if not isinstance(own, dict) or not all(isinstance(v, dict) for v in own.values()):
            self._fail("in holds tables by book, such as [in.poker-v5]", key=f"{path}in")
        for book, values in own.items():
            where = f"{path}in.{book}"
            if book not in books:
                told = f"{near(book, books)}it holds in {', '.join(books)}"
                self._fail(f"the case does not hold in {shown(book)}; {told}", key=where)
            for key in values:
                if key in same:
                    self._fail(f"{key} is the same in every book of a case", key=f"{where}.{key}")

    def case(self) -> Case:
        raw = self.raw
        title = self._text(raw, "title")
        book = self._book(self._text(raw, "rulebook"))
        paragraphs = self._paragraphs(book)
        links = self._links()
        tables = self._tables(book, links)
        self._no_unknown_keys(tables)
        policies = self._policies(book)
        steps = [
            self._step(i, step, tables, links) for i, step in enumerate(self._steps(), start=1)
        ]
        expect = self._expectation(raw.get("expect"), tables, links, None)
        nothing = not any(step.expect for step in steps) and expect is None
        if nothing and self.must_expect:
            self._fail("the case expects nothing; give a step an expect, or the whole case one")
        starts = raw.get("starts")
        if starts is not None and not (isinstance(starts, datetime) and starts.tzinfo):
            self._fail(
                "starts is a date and time with its zone, such as 2024-08-01T20:00:00+08:00",
                key="starts",
            )
        return Case(
            source=self.source,
            title=title,
            book=book,
            paragraphs=paragraphs,
            tables=tables,
            links=links,
            steps=steps,
            about=self._text(raw, "about", default=""),
            starts=starts,
            policies=policies,
            expect=expect,
            text=self.text,
            several=self.one_of_several is not None,
        )

    def case_like(self, other: Case) -> Case:
        """The same case in another book, of which the file says nothing else. Only what depends
        on the book is read again."""
        book = self._book(self._text(self.raw, "rulebook"))
        game = self.registry.games[book.id]
        for table in other.tables.values():
            if table.game is not game or table.book is not other.book:
                return self.case()
        for expect in other.expectations():
            if not all(paragraph in book.paragraphs for paragraph in expect.named_paragraphs()):
                return self.case()  # which tells what is wrong, and where
        return structs.replace(
            other,
            book=book,
            paragraphs=self._paragraphs(book),
            policies=self._policies(book),
            tables={
                name: structs.replace(table, book=book) for name, table in other.tables.items()
            },
        )

    # -- the head of the file ----------------------------------------------------------------

    def _text(self, raw: Mapping[str, Any], key: str, default: str | None = None) -> str:
        value = raw.get(key, default)
        if value is None:
            self._fail(f"a case needs a {key}")
        if not isinstance(value, str):
            self._fail(f"{key} is text, not {shown(value)}", key=key)
        return value

    def _book(self, name: str, where: str = "rulebook") -> Rulebook:
        if name not in self.registry.games:
            known = ", ".join(self.registry.games)
            meant = self._meant(name)
            self._fail(
                f"no game here plays rulebook {shown(name)}; {meant}known: {known}", key=where
            )
        try:
            return self.registry.load(name)
        except RulebookError as error:
            self._fail(str(error), key=where)

    def _meant(self, name: str) -> str:
        """The whole id of a book that is named by a part of it, as on the command line."""
        try:
            whole = self.registry.resolve(name)
        except AmbiguousRulebook as error:
            return f"{error} "
        except RulebookError:
            return near(name, self.registry.games)
        return f"write its whole id, {shown(whole)}; " if whole in self.registry.games else ""

    def _paragraphs(self, book: Rulebook) -> tuple[str, ...]:
        named = self.raw.get("paragraphs")
        if not isinstance(named, list) or not named or not all(isinstance(p, str) for p in named):
            self._fail('paragraphs is a list such as ["3.8"]', key="paragraphs")
        if len(named) > PARAGRAPHS_AT_MOST:
            self._fail(
                f"a case names at most {PARAGRAPHS_AT_MOST} paragraphs, this one {len(named)}",
                key="paragraphs",
            )
        for paragraph in named:
            if paragraph not in book.paragraphs:
                self._fail(f"{book.id} has no paragraph {shown(paragraph)}", key="paragraphs")
        return tuple(named)

    def _policies(self, book: Rulebook) -> dict[str, str]:
        policies = self.raw.get("policies", {})
        if not isinstance(policies, dict) or not all(isinstance(v, str) for v in policies.values()):
            self._fail('policies is a table such as { name = "value" }', key="policies")
        try:
            book.policies_with(policies)
        except RulebookError as error:
            self._fail(f"policies: {error}", key="policies")
        return dict(policies)

    # -- tables and links --------------------------------------------------------------------

    def _links(self) -> dict[str, CaseLink]:
        raw = self.raw.get("links", {})
        if not isinstance(raw, dict):
            self._fail("links is a table such as [links.main]", key="links")
        kit = self.registry.link
        if raw and kit is None:
            self._fail("no jackpot link is installed, so [links] cannot be used", key="links")
        return {
            name: CaseLink(name=name, setup=self._record(value, kit.setup_type, f"links.{name}"))
            for name, value in raw.items()
            if kit is not None
        }

    def _tables(self, book: Rulebook, links: dict[str, CaseLink]) -> dict[str, CaseTable]:
        several = self.raw.get("tables")
        if several is None:
            alone = {k: v for k, v in self.raw.items() if k not in CASE_KEYS}
            return {ONE_TABLE: self._table(ONE_TABLE, alone, book, links, "")}
        if not isinstance(several, dict) or not several:
            self._fail("tables is a table such as [tables.A]", key="tables")
        for name in several:
            if name in links:
                self._fail(f"{shown(name)} names both a table and a link", key=f"tables.{name}")
        return {
            name: self._table(name, raw, book, links, f"tables.{name}")
            for name, raw in several.items()
        }

    def _table(
        self, name: str, raw: Any, book: Rulebook, links: dict[str, CaseLink], path: str
    ) -> CaseTable:
        if not isinstance(raw, dict):
            self._fail(f"{path} is a table", key=path)
        raw = dict(raw)
        if "rulebook" in raw:
            book = self._book(self._text(raw, "rulebook"), f"{path}.rulebook")
            raw.pop("rulebook")
        link = raw.pop("link", None)
        if link is not None and link not in links:
            known = ", ".join(links) or "none"
            where = f"{path}.link" if path else "link"
            self._fail(
                f"table {shown(name)} hangs on link {shown(link)}; links here: {known}", key=where
            )
        game = self.registry.games[book.id]
        setup = self._record(raw, game.setup_type, path)
        return CaseTable(name=name, game=game, book=book, setup=setup, link=link)

    def _no_unknown_keys(self, tables: dict[str, CaseTable]) -> None:
        if ONE_TABLE in tables:
            return
        for key in self.raw:
            if key not in CASE_KEYS:
                self._fail(
                    f"unknown key {shown(key)}; with [tables.NAME] it belongs under a table",
                    key=key,
                )

    def _record(self, raw: Any, kind: type[Struct], path: str) -> Any:
        """Read one record of the set-up by its type."""
        if not isinstance(raw, dict):
            self._fail(f"{path} is a table", key=path)
        try:
            return converted(read_fields(raw, kind, path), kind, path)
        except ValueProblem as problem:
            self._fail(str(problem), key=problem.path)

    # -- steps -------------------------------------------------------------------------------

    def _steps(self) -> list[dict[str, Any]]:
        steps = self.raw.get("step", [])
        if not isinstance(steps, list) or not all(isinstance(s, dict) for s in steps):
            self._fail("steps are written as [[step]]", key="step")
        return steps

    def _step(
        self,
        number: int,
        raw: dict[str, Any],
        tables: dict[str, CaseTable],
        links: dict[str, CaseLink],
    ) -> CaseStep:
        line = self.step_lines[number - 1] if number <= len(self.step_lines) else 0

        def fail(says: str, key: str = "") -> NoReturn:
            self._fail(says, key=f"step[{number}].{key}", step=number)

        do = raw.get("do")
        if not isinstance(do, str):
            fail('a step needs do = "…", the command in words')
        place = self._place(raw, tables, links, fail)
        known = self._known_words(place, tables)
        if do not in known:
            told = f"{near(do, known)}known: {', '.join(sorted(known))}"
            fail(f"nothing is called {shown(do)} here; {told}", "do")
        kind = known[do]
        values = _values_of(raw, fail)
        asked = command = None
        if kind is not None:
            try:
                asked = _asked(values, kind)
                values = read_fields(values, kind)
                command = converted({"do": do, **values}, kind)
            except ValueProblem as problem:
                fail(f"{do}: {problem}", problem.path)
        if asked is not None or "details" in values:
            command = None  # it depends on what is asked in play
        rank, at, who = _rank(raw, fail), _at(raw, fail), _who(raw, fail)
        expect = self._expectation(raw.get("expect"), tables, links, place, number)
        return CaseStep(
            number=number,
            line=line,
            do=do,
            place=place,
            values=values,
            who=who,
            rank=rank,
            at=at,
            note=self._text(raw, "note", default=""),
            expect=expect,
            asked=asked,
            command=command,
        )

    def _place(
        self,
        raw: dict[str, Any],
        tables: dict[str, CaseTable],
        links: dict[str, CaseLink],
        fail: Fail,
    ) -> str:
        table, link = raw.get("table"), raw.get("link")
        if table is not None and link is not None:
            fail("a step is at a table or at a link, not both")
        named = table if table is not None else link
        if named is None:
            if len(tables) > 1:
                fail(f"say at which table: {', '.join(tables)}")
            return next(iter(tables))
        if named not in (tables if link is None else links):
            known = ", ".join(tables if link is None else links) or "none"
            kind = "link" if table is None else "table"
            fail(f"there is no {kind} {shown(named)}; there is {known}", kind)
        return str(named)

    def _known_words(
        self, place: str, tables: dict[str, CaseTable]
    ) -> Mapping[str, type[Command] | None]:
        """The words that a step may use at a place; None marks a phrase."""
        if place in tables:
            return tables[place].game.known_words
        assert self.registry.link is not None
        return self.registry.link.words

    def _expectation(
        self,
        raw: Any,
        tables: dict[str, CaseTable],
        links: dict[str, CaseLink],
        place: str | None,
        step: int | None = None,
    ) -> Expectation | None:
        if raw is None:
            return None
        try:
            return read_expectation(raw, tables, links, self.registry, place)
        except ValueProblem as problem:
            before = f"step[{step}].expect" if step is not None else "expect"
            self._fail(f"expect: {problem}", key=f"{before}.{problem.path}", step=step)

    # -- errors ------------------------------------------------------------------------------

    def _fail(self, says: str, key: str | None = None, step: int | None = None) -> NoReturn:
        book, line = self.one_of_several, 0
        if key:
            line = self.lines.of(key) if book is None else self.lines.in_book(key, book)
        told = says if book is None else f"in {book}: {says}"
        raise CaseError(self.source, told, line=line or None, step=step)


def _values_of(raw: dict[str, Any], fail: Fail) -> dict[str, Any]:
    """The fields of the command of a step, those too that are named like a key of the step."""
    values = {key: value for key, value in raw.items() if key not in STEP_KEYS}
    more = raw.get("with", {})
    if not isinstance(more, dict) or not more.keys() <= STEP_KEYS:
        fail('with holds fields that are named like keys of a step: with = { link = "…" }', "with")
    return values | more


def _rank(raw: dict[str, Any], fail: Fail) -> ActorRank | None:
    rank, known = raw.get("rank"), [each.value for each in ActorRank]
    if rank is not None and rank not in known:
        fail(f"rank is one of {', '.join(known)}; got {shown(rank)}", "rank")
    return ActorRank(rank) if rank is not None else None


def _at(raw: dict[str, Any], fail: Fail) -> datetime | time | None:
    at = raw.get("at")
    if at is not None and not isinstance(at, datetime | time):
        fail(f"at is a time such as 20:00:10.1, without quotes; got {shown(at)}", "at")
    return at


def _who(raw: dict[str, Any], fail: Fail) -> str | None:
    who = raw.get("who")
    if who is not None and not isinstance(who, str):
        fail(f"who is a name; got {shown(who)}", "who")
    return who


def _asked(values: dict[str, Any], command: type[Command]) -> Asked | None:
    """What an answer is to, where it is named by its question; its number is found in play."""
    field = ASKED.get(command)
    named = values.get(field) if field is not None else None
    if field is None or not isinstance(named, str | dict):
        return None
    values[field] = 1  # some number, so that the rest of the command can be read
    whole = {"question": named} if isinstance(named, str) else named
    return converted(read_fields(whole, Asked, field), Asked, field)  # type: ignore[no-any-return]
