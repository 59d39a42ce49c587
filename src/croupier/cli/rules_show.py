"""How `croupier rules show` looks to a person: a book at a glance, or one paragraph in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from croupier.cli.rules_json import neighbours, topics
from croupier.rulebooks import Note, Paragraph, Policy, Rulebook
from croupier.rulebooks.vocabulary import is_information

if TYPE_CHECKING:
    from croupier.cli.rules_cases import Naming

CLASSES = {
    "engine": "the table does it by itself",
    "ruling": "staff report the facts, the table states the consequence",
    "staff": "staff decide, the table carries it out",
    "physical": "about people and things; nothing to run",
}


def print_book(book: Rulebook, console: Console) -> None:
    """The book at a glance: sections, numbers, procedures, policies, pay tables."""
    console.print(Text(book.short, style="bold"), Text(f"({book.id})", style="cyan"))
    console.print(_when(book))
    console.print(Text(f"Operator: {book.operator}"))
    console.print(Text(f"Approval: {book.regulator}"))
    _sections(book, console)
    parameters = _table("Numbers that the text fixes", "value", "paragraphs")
    for name, parameter in book.parameters.items():
        value = _told(name, parameter.text)
        parameters.add_row(name, value, ", ".join(parameter.paragraphs))
    procedures = _table("Procedures", "this book's way", "paragraphs")
    for name, procedure in book.procedures.items():
        value = _told(name, procedure.value)
        procedures.add_row(name, value, ", ".join(procedure.paragraphs))
    policies = _table("Policies", "default", "or", "reading")
    for name, policy in book.policies.items():
        others = [value for value in policy.values if value != policy.default]
        policies.add_row(name, policy.default, ", ".join(others), policy.reading)
    for table in (parameters, procedures, policies):
        if table.row_count:
            console.print()
            console.print(table)
    for pays in book.pays.values():
        lines = _table(f"Pays: {pays.title}", "pays")
        for line in pays.lines:
            lines.add_row(line.id, str(line.pays))
        console.print()
        console.print(lines)
    console.print()
    console.print(
        f"{len(book.notes)} notes, {len(book.topics)} topics; "
        f"lacks {len(book.lacks)} topics of its family."
    )
    console.print(f"One paragraph: croupier rules show {book.id} {book.executable[-1]}")


def _told(name: str, value: str) -> Text:
    """What a book has chosen, and whether it only tells people something."""
    told = Text(value)
    if is_information(name):
        told.append("  information", style="dim")
    return told


def print_page(
    book: Rulebook,
    id: str,
    own: Paragraph | None,
    below: list[Paragraph],
    cases: Sequence[Naming],
    console: Console,
) -> None:
    """One paragraph: what cites it, what has been settled on it, what is below it, its cases."""
    if own is None:
        console.print(Text.assemble((book.short, "dim"), "  ", (id, "bold cyan")))
    else:
        console.print(
            Text.assemble((book.short, "dim"), "  ", (id, "bold cyan"), "  ", (own.title, "bold"))
        )
        console.print(
            Text(
                f"{book.sections[own.section]} · {own.kind} · "
                f"{own.executable}: {CLASSES[own.executable]}",
                style="dim",
            )
        )
        console.print()
        console.print(Text(own.summary))
        console.print()
        _facts(book, own, console)
    for settled in _settled(book, id):
        console.print()
        _reading(settled, console)
    if below:
        console.print()
        console.print(Text("Below it" if own else "Paragraphs", style="bold"))
        table = Table(box=None, pad_edge=False, show_header=False)
        table.add_column(no_wrap=True, style="cyan")
        table.add_column()
        for child in below:
            readings = [settled.reading for settled in _settled(book, child.id)]
            text = Text.assemble((child.title, "bold"), "  ", child.summary)
            if readings:
                text.append(f"  ({', '.join(readings)})", style="dim")
            table.add_row(child.id, text)
        console.print(table)
    console.print()
    _cases(cases, console)
    before, after = neighbours(book, id, below)
    for label, other in (("before", before), ("after", after)):
        if other is not None:
            console.print(Text(f"{label:>6}  {other.id}  {other.title}", style="dim"))


def _cases(cases: Sequence[Naming], console: Console) -> None:
    """The case files that show a paragraph at work."""
    if not cases:
        console.print(Text("No case file names it.", style="dim"))
        console.print()
        return
    told = Text.assemble(("Case files", "bold"), ("  croupier case explain FILE tells one", "dim"))
    console.print(told)
    for case in cases:
        console.print(Text(case.file, style="cyan"), soft_wrap=True)  # whole, to be copied
        console.print(Padding(Text(case.title), (0, 0, 0, 2)))
    console.print()


def _settled(book: Rulebook, paragraph: str) -> list[Policy | Note]:
    """The readings that bite at a paragraph, those with a choice first."""
    return [*book.policies_for(paragraph), *book.notes_for(paragraph)]


def _when(book: Rulebook) -> Text:
    text = Text("In force from ")
    text.append(
        f"{book.effective:%d %B %Y %H:%M %z}" if book.effective else "when the operator states"
    )
    if book.superseded_at:
        text.append(
            f" until {book.superseded_at:%d %B %Y %H:%M}, superseded by {book.superseded_by}"
        )
    text.append(".")
    if book.effective_note:
        text.append(f" {book.effective_note}", style="dim")
    return text


def _sections(book: Rulebook, console: Console) -> None:
    counts = Counter((p.section, str(p.executable)) for p in book.paragraphs.values())
    table = _table("Paragraphs", "all", *CLASSES, numbers=True)
    for section, title in book.sections.items():
        row = [counts[section, kind] for kind in CLASSES]
        name = f"{section} {title}" if section.isdigit() else title
        table.add_row(name, *(str(n) if n else "" for n in (sum(row), *row)))
    total = [sum(counts[s, kind] for s in book.sections) for kind in CLASSES]
    table.add_row("together", *(str(n) for n in (sum(total), *total)), style="bold")
    console.print()
    console.print(table)


def _table(title: str, *columns: str, numbers: bool = False) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(Text(title, style="bold not dim"), overflow="fold")
    for column in columns:
        table.add_column(column, justify="right" if numbers else "left", overflow="fold")
    return table


def _facts(book: Rulebook, own: Paragraph, console: Console) -> None:
    """How it is checked, the topics it decides, and the topics that rest on it."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    table.add_row("Shown by", Text(own.test))
    behind: list[str] = []
    label = "Cited as"
    for name, said in topics(book, own.id).items():
        if book.topics[name][0] == own.id:
            table.add_row(label, Text.assemble((name, "green"), f"  {said}"))
            label = ""
        else:
            behind.append(name)
    if behind:
        table.add_row("Used by", Text(", ".join(behind), style="green"))
    console.print(table)


def _reading(settled: Note | Policy, console: Console) -> None:
    kind = f"policy {settled.name}" if isinstance(settled, Policy) else "note"
    console.print(
        Text.assemble((settled.reading, "bold yellow"), f"  {kind}  ", (settled.question, "italic"))
    )
    console.print(Padding(Text(settled.answer), (0, 0, 0, 6)))
    if isinstance(settled, Policy):
        for value, sentence in settled.values.items():
            mark = " (default)" if value == settled.default else ""
            console.print(
                Padding(Text.assemble((value + mark, "green"), f": {sentence}"), (0, 0, 0, 6))
            )
