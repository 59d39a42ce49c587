"""Two versions of a game side by side: what changed in the text, and what changed in outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from croupier.pit.carried import Outcome
from croupier.rulebooks import Rulebook
from croupier.rulebooks.changed_words import Stretch, changed_words
from croupier.rulebooks.compare import Difference, ParagraphDifference, compare
from croupier.rulebooks.vocabulary import PARAMETERS, PROCEDURES
from croupier.site.addresses import Addresses
from croupier.site.markup import Html, join, link, tag
from croupier.site.shell import cite, cites, crumbs, page


def diff_page(at: Addresses, old: Rulebook, new: Rulebook, outcomes: Sequence[Outcome]) -> str:
    """What a reader of `old` must learn; `outcomes` are its cases, played under `new`."""
    found = compare(old, new)
    sides = _Sides(at, old, new)
    renumbered = len(found.renumbered)
    under = f", {renumbered} of them under another number" if renumbered else ""
    shown = [change for change in found.paragraphs if not change.shown_above]
    return page(
        at,
        f"{old.short} and {new.short}",
        tag("h1", f"{old.short} and {new.short}"),
        tag("p", f"{found.unchanged} paragraphs say the same{under}.", class_="lead"),
        _outcomes(at, old, new, outcomes),
        sides.section("Procedures", map(sides.procedure, found.procedures)),
        sides.section("Numbers", map(sides.parameter, found.parameters)),
        *(
            sides.section(f"Pays: {table.title}", map(sides.pay_line, table.lines))
            for table in found.pays
        ),
        sides.section("Paragraphs", map(sides.paragraph, shown)),
        crumbs=crumbs(
            at,
            (at.book(old.id), old.short),
            (at.book(new.id), new.short),
            "side by side",
        ),
    )


def _outcomes(at: Addresses, old: Rulebook, new: Rulebook, outcomes: Sequence[Outcome]) -> Html:
    title = tag("h2", "What comes out otherwise")
    otherwise = [one for one in outcomes if one.otherwise]
    says = (
        f"{len(outcomes)} cases of {old.short} were played under {new.short}: "
        f"{len(otherwise)} come out otherwise."
    )
    items = (
        tag(
            "li",
            link(at.case(one.source, old.id), tag("span", "▶ ", aria_hidden="true"), one.title),
            tag("p", one.otherwise, class_="label"),
        )
        for one in otherwise
    )
    folded = tag(
        "details", tag("summary", "The cases"), tag("ul", *items, class_="cases"), open=True
    )
    return tag("section", title, tag("p", says), folded if otherwise else None)


class _Sides:
    """Rows of two sides: the earlier book left, the later one right."""

    def __init__(self, at: Addresses, old: Rulebook, new: Rulebook) -> None:
        self.at, self.old, self.new = at, old, new

    def section(self, title: str, rows: Iterable[Html]) -> Html:
        found = list(rows)
        if not found:
            return tag("section", tag("h2", title), tag("p", "No change.", class_="label"))
        head = tag(
            "thead",
            tag(
                "tr",
                tag("th", "", tag("span", "What", class_="vh"), scope="col"),
                tag("th", self.old.short, scope="col"),
                tag("th", self.new.short, scope="col"),
            ),
        )
        return tag(
            "section",
            tag("h2", title),
            tag("table", head, tag("tbody", *found), class_="sides"),
        )

    def procedure(self, change: Difference) -> Html:
        name = change.name.replace("-", " ").capitalize()
        return self._row(name, change, PROCEDURES[change.name].values)

    def parameter(self, change: Difference) -> Html:
        words = PARAMETERS.get(change.name)
        return self._row(words.meaning.rstrip(".") if words else change.name, change, {})

    def pay_line(self, change: Difference) -> Html:
        name = change.name.removeprefix("pay-").removeprefix("jackpot-").removeprefix("bonus-")
        return self._row(name.replace("-", " ").capitalize(), change, {})

    def _row(self, name: str, change: Difference, sentences: Mapping[str, str]) -> Html:
        sides = (
            (self.old, change.old, change.old_paragraphs, "gone"),
            (self.new, change.new, change.new_paragraphs, "new"),
        )
        return tag(
            "tr",
            tag("th", name, scope="row"),
            *(
                tag(
                    "td",
                    tag("span", "none", class_="label")
                    if value is None
                    else tag("span", sentences.get(value, value), class_=kind),
                    " ",
                    cites(self.at, book, paragraphs),
                    data_label=book.short,
                )
                for book, value, paragraphs, kind in sides
            ),
        )

    def paragraph(self, change: ParagraphDifference) -> Html:
        old, new = change.old, change.new
        either = new or old
        assert either is not None
        if old is None or new is None:
            left = [Stretch(old.summary, True)] if old else []
            right = [Stretch(new.summary, True)] if new else []
        else:
            left, right = changed_words(old.summary, new.summary)
        return tag(
            "tr",
            tag("th", either.title, scope="row"),
            *(
                tag(
                    "td",
                    join(cite(self.at, book, p.id), " ", _marked(words, kind))
                    if p is not None
                    else tag("span", "It has none.", class_="label"),
                    data_label=book.short,
                )
                for book, p, words, kind in (
                    (self.old, old, left, "del"),
                    (self.new, new, right, "ins"),
                )
            ),
        )


def _marked(words: list[Stretch], kind: str) -> Html:
    return join(
        *(join(tag(kind, part.words) if part.changed else part.words, " ") for part in words)
    )
