"""A ruling in a terminal: what happens, who decides, what comes next, and the paragraphs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from croupier.cli.books import open_book
from croupier.desk.records import BookLine, BookPage
from croupier.pit.question import Answer
from croupier.pit.ruling import CONFIRM, Decision, Ruling, Sentence
from croupier.rulebooks.called import paragraph_name

_WHERE = re.compile(r"^(?:[a-z_]+[\w.\[\]]*: )+")


def show(answer: Answer, console: Console) -> None:
    """An answer as a person reads it."""
    book = open_book(answer.rulebook).short
    console.print(f"[bold]{escape(answer.title)}[/]  [dim]{escape(book)}[/]")
    if answer.impossible:
        console.print(
            f"\n[bold red]It cannot have been so:[/] {escape(plainly(answer.impossible))}"
        )
    if answer.example:
        console.print(
            f"[yellow]{escape(answer.example)} Places and amounts are those of the example, not of "
            "your table.[/]"
        )
    if answer.open:
        show_branches(answer, console)
        _show_open(answer, console)
    elif answer.ruling is not None and not answer.impossible:
        _show_ruling(answer.ruling, console)
        if answer.unsaid:
            console.print(f"[yellow]{escape(answer.unsaid)}[/]")
    for taken in answer.assumed:
        console.print(f"[dim]{escape(taken.ask)} It makes no difference.[/]")


def plainly(says: str) -> str:
    """Why something cannot be, without where in the question it was found (`now.acted[1]: `)."""
    says = _WHERE.sub("", says)
    return says[:1].upper() + says[1:]


def _named(paragraphs: Sequence[str]) -> str:
    return ", ".join(map(paragraph_name, paragraphs))


def _show_open(answer: Answer, console: Console) -> None:
    console.print("\n[bold]What must be known[/]")
    for fact in answer.open:
        console.print(f"  {escape(fact.ask)}")
        for value in fact.values:
            why = (
                f" [dim](cannot be: {escape(plainly(value.impossible))})[/]"
                if value.impossible
                else ""
            )
            console.print(f"    [cyan]{escape(fact.name)}={escape(value.name)}[/]", end="")
            console.print(f"  {escape(value.says)}{why}")


def show_branches(answer: Answer, console: Console) -> None:
    """What is ruled if the first open fact is so, and if it is otherwise, side by side."""
    if not answer.branches:
        return
    console.print(f"\n[bold]{escape(answer.open[0].ask)}[/]")
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    table.add_column()
    for branch in answer.branches:
        rulings = dict.fromkeys(_in_a_line(ruling) for ruling in branch.rulings)
        table.add_row(escape(branch.says), "\n".join(rulings))
    console.print(Padding(table, (0, 0, 0, 2)))


def _in_a_line(ruling: Ruling) -> str:
    cited = f"  [cyan]{escape(paragraph_name(ruling.cites[0]))}[/]" if ruling.cites else ""
    return f"{escape(ruling.headline)}{cited}"


def _show_ruling(ruling: Ruling, console: Console) -> None:
    kind = "  [yellow](left to discretion)[/]" if ruling.kind == "discretion" else ""
    cited = f"  [cyan]{escape(paragraph_name(ruling.cites[0]))}[/]" if ruling.cites else ""
    console.print(f"\n[bold green]{escape(ruling.headline)}[/]{cited}{kind}")
    _show_sentences([s for s in ruling.sentences if s.says != ruling.headline], console)
    for way in ruling.cards:
        cards = "card" if way.count == 1 else "cards"
        named = f" ({' '.join(way.cards)})" if way.cards else ""
        moved = f"{way.count} {cards}{named}: {way.leaves} to {way.goes}"
        console.print(f"  [dim]{escape(moved)}[/]")
    for change in ruling.money:
        moved = f"{change.who}, {change.where}: {change.before} to {change.after}"
        console.print(f"  [dim]{escape(moved)}[/]")
    for decision in ruling.decisions:
        _show_decision(decision, console)
    _show_confirmed(ruling, console)
    if ruling.next:
        console.print("\n[bold]Next[/]")
        for sentence in ruling.next:
            console.print(f"  {escape(sentence)}")
    _show_readings(ruling, console)
    if ruling.paragraphs:
        console.print("\n[bold]The paragraphs behind it[/]")
        table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
        table.add_column(style="cyan", no_wrap=True)
        table.add_column()
        for paragraph in ruling.paragraphs:
            table.add_row(
                escape(paragraph_name(paragraph.id)),
                f"[bold]{escape(paragraph.title)}.[/] {escape(paragraph.says)}",
            )
        console.print(Padding(table, (0, 0, 0, 2)))


def _show_confirmed(ruling: Ruling, console: Console) -> None:
    """Whose word it needs, on what, and which paragraph or reading wants it."""
    if not ruling.confirmed:
        return
    console.print(f"\n[bold]To be confirmed by[/] {escape(', '.join(ruling.signed_by))}")
    for one in ruling.confirmed:
        answer = "Here taken as confirmed" if one.took == CONFIRM else f"Answer given: {one.took}"
        read = ", ".join(one.readings)
        whose = f"  [dim]Whose word it is: reading {escape(read)}.[/]" if read else ""
        told = f"{one.of}: {one.says} {answer}."
        console.print(f"  {escape(told)}  [cyan]{escape(_named(one.cites[:2]))}[/]{whose}")


def _show_readings(ruling: Ruling, console: Console) -> None:
    """Where a settled reading rules rather than the text."""
    if not ruling.readings:
        return
    console.print("\n[bold]The text leaves this open; it is read so[/]")
    for one in ruling.readings:
        of = _named(one.paragraphs[:2])
        told = f"{one.question} {one.says}"
        console.print(f"  [cyan]{escape(one.reading)}[/] ({escape(of)}): {escape(told)}")
        for other in one.otherwise:
            console.print(f"      [dim]If the House has chosen otherwise: {escape(other)}[/]")


def _show_sentences(sentences: Sequence[Sentence], console: Console, before: str = "  ") -> None:
    for sentence in sentences:
        cited = f"  [cyan]{escape(_named(sentence.cites))}[/]" if sentence.cites else ""
        console.print(f"{before}• {escape(sentence.says)}{cited}")


def _show_decision(decision: Decision, console: Console) -> None:
    cited = f"  [cyan]{escape(_named(decision.cites))}[/]" if decision.cites else ""
    whose = f"[bold]{escape(decision.of[:1].upper() + decision.of[1:])} decides:[/]"
    console.print(f"\n{whose} {escape(decision.says)}{cited}")
    for option in decision.options:
        told = f": {escape(option.says)}" if option.says else ""
        console.print(f"  [bold]{escape(option.name)}[/]{told}")
        _show_sentences(option.then, console, "      ")


def not_found(book: BookLine) -> str:
    """Whom to ask about what the desk does not know."""
    if book.discretion:
        return f"If it is not here, call a Pit Manager: {book.discretion} says who then decides."
    return "If it is not here, call a Pit Manager: the book leaves nothing to anybody by name."


def show_book(page: BookPage, console: Console) -> None:
    """What can go wrong under a book, as one types it."""
    console.print(f"[bold]{escape(page.book.short)}[/]")
    if not page.incidents:
        console.print("There are no incidents of this book yet; ask a case with --case.")
    for group in page.groups:
        console.print(f"\n[bold]{escape(group.title)}[/]")
        for incident in page.incidents:
            if incident.group != group.name:
                continue
            cited = f"  [dim]{escape(_named(incident.cites))}[/]" if incident.cites else ""
            console.print(f"  [cyan]{escape(incident.name)}[/]  {escape(incident.title)}{cited}")
            if facts := ", ".join(fact.name for fact in incident.facts):
                console.print(f"      [dim]{escape(facts)}[/]")
