"""How `croupier rules diff` looks to a person: two books side by side, only what changed."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.rulebooks import Rulebook
from croupier.rulebooks.changed_words import changed_words as compared
from croupier.rulebooks.compare import Comparison, Difference, ParagraphDifference
from croupier.rulebooks.vocabulary import PARAMETERS, PROCEDURES

GONE, NEW = "red", "bold green"


def print_comparison(old: Rulebook, new: Rulebook, found: Comparison, console: Console) -> None:
    """Procedures, numbers, pay tables and paragraphs that changed, side by side."""
    marks = (
        console.no_color or not console.color_system
    )  # without colours the changed words get brackets
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, expand=True)
    table.add_column(
        Text(f"{old.family} game", style="dim"), width=22 if console.width >= 110 else 16
    )
    table.add_column(Text(old.short), ratio=1)
    table.add_column(Text(new.short), ratio=1)
    table.add_row("in force from", _since(old), _since(new))
    _section(table, "Procedures", bool(found.procedures))
    for change in found.procedures:
        sentences = PROCEDURES[change.name].values
        table.add_row(Text(_words(change.name)), *_sides(change, sentences))
    _section(table, "Numbers", bool(found.parameters))
    for change in found.parameters:
        table.add_row(Text(_parameter_name(change.name)), *_sides(change, {}))
    for pays in found.pays:
        _section(table, "Pays", True, pays.title)
        for change in pays.lines:
            table.add_row(Text(_line_name(change)), *_sides(change, None))
    shown = [change for change in found.paragraphs if not change.shown_above]
    _section(table, "Paragraphs", bool(shown))
    for paragraph in shown:
        table.add_row(*_paragraph_row(paragraph, marks))
    console.print(table)
    console.print(Text(_rest(found, len(found.paragraphs) - len(shown)), style="dim"))


def _since(book: Rulebook) -> Text:
    when = f"{book.effective:%d %b %Y %H:%M}" if book.effective else "the operator states it"
    return Text(when)


def _section(table: Table, title: str, any_change: bool, note: str = "") -> None:
    table.add_section()
    text = note if any_change else "no change"
    table.add_row(Text(title, style="bold"), Text(text, style="dim"), "")


def _sides(change: Difference, sentences: dict[str, str] | None) -> tuple[Text, Text]:
    """Both values in words, with their paragraphs; a pay line is its own paragraph."""

    def side(value: str | None, paragraphs: tuple[str, ...], style: str) -> Text:
        if value is None:
            return Text("-", style="dim")
        if sentences is None:
            return Text(value, style=style)
        text = Text(sentences.get(value, value), style=style)
        return text.append(f" ({', '.join(paragraphs)})", style="dim not bold")

    return side(change.old, change.old_paragraphs, GONE), side(
        change.new, change.new_paragraphs, NEW
    )


def _parameter_name(name: str) -> str:
    return PARAMETERS[name].meaning.rstrip(".") if name in PARAMETERS else name


def _line_name(change: Difference) -> str:
    return _words(change.name.removeprefix("pay-").removeprefix("jackpot-").removeprefix("bonus-"))


def _words(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _paragraph_row(change: ParagraphDifference, marks: bool) -> tuple[Text, Text, Text]:
    old, new = change.old, change.new
    if old is None or new is None:
        only = new or old
        assert only is not None
        text = Text(only.summary, style=NEW if new else GONE)
        if marks:
            text = Text(f"{{+{only.summary}+}}" if new else f"[-{only.summary}-]")
        name = Text.assemble((only.id, "cyan"), f" {'new' if new else 'gone'}")
        blank = Text("-", style="dim")
        return (name, blank, text) if new else (name, text, blank)
    name = Text(old.id if old.id == new.id else f"{old.id} → {new.id}", style="cyan")
    return name, *changed_words(old.summary, new.summary, marks)


def changed_words(old: str, new: str, marks: bool) -> tuple[Text, Text]:
    """Both texts with their differing words marked, and long equal stretches left out."""
    left, right = Text(), Text()
    before, after = compared(old, new)
    for words, changed in before:
        _add(left, words, GONE if changed else "", "[-", "-]", marks and changed)
    for words, changed in after:
        _add(right, words, NEW if changed else "", "{+", "+}", marks and changed)
    return left, right


def _add(
    text: Text, said: str, style: str, begin: str = "", end: str = "", marks: bool = False
) -> None:
    if text:
        text.append(" ")
    text.append(f"{begin}{said}{end}" if marks else said, style=style)


def _rest(found: Comparison, told: int) -> str:
    parts = [f"{found.unchanged} paragraphs say the same"]
    if found.renumbered:
        parts[0] += f", {len(found.renumbered)} of them under another number"
    if told:
        parts.append(f"{told} are told by their pay lines above")
    return "; ".join(parts) + "."
