"""`croupier ask`: ask the book what is ruled, in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from croupier.cli import ask_show
from croupier.cli.choosing import Choice, choose
from croupier.desk import Desk, DeskError, DeskLog
from croupier.desk.cases import case_text, question_of, shipped_question
from croupier.desk.records import BookPage, CaseQuestion, IncidentLine
from croupier.pit.open_facts import OpenFact
from croupier.pit.question import Answer, Answered, Question
from croupier.pit.ruling import Decision

EXAMPLES = """\b
Examples:
  croupier ask
  croupier ask v8
  croupier ask --list v8
  croupier ask v8 exposed-in-the-deal exposed=two acted=none
  croupier ask v8 exposed-in-the-deal exposed=two acted=none --save our-case.toml
  croupier ask --case no-limit-holdem-v8/5.14-a-skipped-player-speaks-up"""

STILL_OPEN = 1
"""The status of a question that has no ruling yet, or cannot be."""


class AskCommand(click.Command):
    """Says what was wrong with the question, and where, with exit status 2."""

    def invoke(self, ctx: click.Context) -> Any:
        """Turn an error of the desk into one of usage."""
        try:
            return super().invoke(ctx)
        except DeskError as error:
            path = error.path.removeprefix("question").removeprefix(".")
            raise click.UsageError(f"{path}: {error.says}" if path else error.says, ctx) from error


@click.command(cls=AskCommand, epilog=EXAMPLES)
@click.argument("book", required=False, metavar="[BOOK]")
@click.argument("incident", required=False, metavar="[INCIDENT]")
@click.argument("facts", nargs=-1, metavar="[FACT=VALUE...]")
@click.option("--list", "listed", metavar="BOOK", help="What can go wrong under a book.")
@click.option(
    "--case", "case_file", metavar="FILE", help="Ask what a case file asks, or a shipped case."
)
@click.option(
    "--policy", "policies", multiple=True, metavar="NAME=VALUE", help="A policy of the house."
)
@click.option(
    "--answer",
    "answers",
    multiple=True,
    metavar="QUESTION=OPTION",
    help="What was decided of what the ruling asks, so that it goes on from there.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option(
    "--save",
    metavar="FILE.toml",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save the question with its ruling as a case file.",
)
def ask(
    book: str | None,
    incident: str | None,
    facts: tuple[str, ...],
    listed: str | None,
    case_file: str | None,
    policies: tuple[str, ...],
    answers: tuple[str, ...],
    as_json: bool,
    save: Path | None,
) -> None:
    """Ask the book what is ruled, in a terminal.

    Without INCIDENT it asks you: which book, what happened, and then only what changes the ruling;
    type the number of an answer, its name, or the beginning of that. With it, facts that are not
    given and make a difference stand in the answer, with what is ruled either way. Exit status 0
    with a ruling, 1 if something is open or it cannot have been so, 2 if it cannot be asked.
    """
    desk = Desk(DeskLog())
    console = Console(highlight=False)
    if listed is not None:
        _nothing_else(book, case_file)
        _list(desk.book(listed), console, as_json=as_json)
        return
    if case_file is not None:
        _nothing_else(incident)
        question = _case(case_file, book or "").question
    elif book is not None and incident is not None:
        page = desk.book_so_far(book)
        question = Question(
            rulebook=book,
            incident=_incident(page, incident),
            facts=_pairs(facts, "FACT=VALUE"),
        )
    else:
        if book is not None:
            desk.book_so_far(book)  # a book that nobody knows is said first
        _with_a_terminal()
        question = _asked(desk, book, console)
    question = msgspec.structs.replace(
        question,
        policies={**question.policies, **_pairs(policies, "--policy NAME=VALUE")},
        answers=(
            *question.answers,
            *(
                Answered(question=asked, option=option)
                for asked, option in _pairs(answers, "--answer QUESTION=OPTION").items()
            ),
        ),
    )
    answer = desk.answer(question)
    if incident is None and case_file is None:
        question, answer = _talk(desk, question, answer, console)
    elif as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(answer), indent=2).decode())
    else:
        ask_show.show(answer, console)
    if save is not None:
        _save(save, question, answer, console)
    sys.exit(0 if answer.ruling is not None and not answer.impossible else STILL_OPEN)


def _incident(page: BookPage, typed: str) -> str:
    """An incident by its name, or by a beginning that only one has."""
    names = [one.name for one in page.incidents]
    found = [name for name in names if name == typed] or [n for n in names if n.startswith(typed)]
    if len(found) == 1:
        return found[0]
    if found:
        raise click.UsageError(f"incident: {typed!r} may be {', '.join(found)}: type more of it")
    near = get_close_matches(typed, names, 3, 0.5)
    meant = f" Did you mean {', '.join(near)}?" if near else ""
    raise click.UsageError(
        f"incident: {page.book.short} knows no incident {typed!r}.{meant} "
        f"croupier ask --list {page.book.id} shows them all."
    )


def _nothing_else(*given: str | None) -> None:
    if any(one is not None for one in given):
        raise click.UsageError("--list takes a BOOK, --case a FILE; nothing stands beside them")


def _pairs(given: Iterable[str], form: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals or not name or not value:
            raise click.UsageError(f"{one!r} is not of the form {form}")
        if name in found and found[name] != value:
            raise click.UsageError(f"{name} is said twice: {found[name]} and {value}")
        found[name] = value
    return found


def _case(name: str, book: str) -> CaseQuestion:
    """A case file, or a shipped case by its name."""
    file = Path(name)
    if not file.is_file():
        return shipped_question(name, book)
    try:
        return question_of(file.read_text(encoding="utf-8"), name, book)
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{file} is not UTF-8 text") from error


def _save(file: Path, question: Question, answer: Answer, console: Console) -> None:
    text = case_text(question, answer)
    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(text)
    except FileExistsError as error:
        raise click.UsageError(f"{file} is there already; name another file") from error
    except OSError as error:
        raise click.UsageError(f"{file} cannot be written: {error.strerror}") from error
    click.echo(f"Saved as {file}; croupier case run {file} runs it.", err=True)


def _list(page: BookPage, console: Console, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(page), indent=2).decode())
        return
    ask_show.show_book(page, console)


# -- a conversation -------------------------------------------------------------------------------


def _with_a_terminal() -> None:
    if not sys.stdin.isatty():
        raise click.UsageError(
            "name a BOOK and an INCIDENT, for there is no terminal to ask you; "
            "croupier ask --list BOOK shows the incidents"
        )


def _asked(desk: Desk, book: str | None, console: Console) -> Question:
    """The book and the incident, asked one after the other."""
    if book is None:
        books = desk.books()
        found = choose(
            "Which game?",
            [Choice(says=one.short, names=(one.id, one.title)) for one in books],
            console,
        )
        book = books[found].id
    page = desk.book_so_far(book)
    if not page.incidents:
        raise click.UsageError(f"there are no incidents of {page.book.short} yet; use --case")
    while True:
        words = click.prompt("What happened? (some words; Enter lists the commonest)", "", False)
        found_ones = _like(desk, page, words.strip())
        if not found_ones:
            console.print("Nothing here is called so. Try other words, or fewer; or only Enter.")
            console.print(ask_show.not_found(page.book), markup=False)
            continue
        choices = [Choice(says=one.title, names=(one.name,)) for one in found_ones]
        chosen = choose("Which is it?", [*choices, Choice(says="none of these")], console)
        if chosen < len(found_ones):
            return Question(rulebook=page.book.id, incident=found_ones[chosen].name)


def _like(desk: Desk, page: BookPage, words: str) -> list[IncidentLine]:
    """The incidents that words point to, the likeliest first; without words the commonest."""
    known = {incident.name: incident for incident in page.incidents}
    if not words:
        return [one for one in page.incidents if one.common] or list(page.incidents)
    hits = desk.search(page.book.id, words)
    return [known[hit.name] for hit in hits if hit.kind == "incident"]


def _talk(
    desk: Desk, question: Question, answer: Answer, console: Console
) -> tuple[Question, Answer]:
    """Ask what matters until there is a ruling, and go on with what is decided."""
    while True:
        while answer.open:
            ask_show.show_branches(answer, console)
            fact = answer.open[0]
            facts = {**question.facts, fact.name: _value(fact, console)}
            more = msgspec.structs.replace(question, facts=facts)
            try:
                question, answer = more, desk.answer(more)
            except DeskError as error:
                console.print(f"{error.says}. Say it otherwise.", markup=False)
        ask_show.show(answer, console)
        decision = _to_decide(answer)
        if decision is None:
            return question, answer
        options = [
            Choice(says=option.says or option.name, names=(option.name,))
            for option in decision.options
        ]
        leave = Choice(says="leave it open")
        chosen = choose(f"{decision.says} What is decided?", [*options, leave], console)
        if chosen == len(options):
            return question, answer
        given = Answered(question=decision.question, option=decision.options[chosen].name)
        question = msgspec.structs.replace(question, answers=(*question.answers, given))
        answer = desk.answer(question)


def _to_decide(answer: Answer) -> Decision | None:
    """The first thing to decide whose options need no amounts."""
    decisions = answer.ruling.decisions if answer.ruling is not None else ()
    plain = (one for one in decisions if not any(option.asks for option in one.options))
    return next(plain, None)


def _value(fact: OpenFact, console: Console) -> str:
    possible = [value for value in fact.values if not value.impossible]
    if fact.kind == "amount":
        return str(click.prompt(f"{fact.ask} (such as 60 or 2.50)"))
    choices = [
        Choice(
            says=value.says,
            names=(value.name,),
            number=int(value.name) if fact.kind == "place" and value.name.isdecimal() else 0,
        )
        for value in possible
    ]
    return possible[choose(fact.ask, choices, console)].name
