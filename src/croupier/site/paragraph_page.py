"""One paragraph: our words and the approved ones, how it is read, its cases and its versions."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.rulebooks import Note, Paragraph, Policy, Rulebook, Topic, meaning
from croupier.rulebooks.called import paragraph_name
from croupier.rulebooks.vocabulary import PARAMETERS, PROCEDURES
from croupier.site.addresses import Addresses
from croupier.site.case_index import CaseLine, case_text, cases_naming, proved_by
from croupier.site.markup import Html, join, link, tag
from croupier.site.shell import cite, cites, crumbs, page
from croupier.site.versions import in_order, matched, siblings

PoliciesAt = Mapping[str, Mapping[str, str]]
"""What is in force at each table of the House, by the names of its policies."""

CLASSES = {
    "engine": "the table does it by itself",
    "ruling": "staff report the facts, the table states the consequence",
    "staff": "staff decide, the table carries it out",
    "physical": "about people and things; nothing to run",
}


def find(book: Rulebook, id: str) -> tuple[Paragraph | None, list[Paragraph]]:
    """The paragraph of that id, and those below it; neither, if there is no such thing."""
    below = [p for p in book.paragraphs.values() if p.id.startswith(f"{id}.")]
    return book.paragraphs.get(id), below


def paragraph_page(
    at: Addresses,
    book: Rulebook,
    id: str,
    *,
    approved: str | None = None,
    approved_says: str = "",
    policies_at: PoliciesAt,
) -> str:
    """The page of a paragraph that there is, or of a number that has some below it."""
    own, below = find(book, id)
    section = (own or below[0]).section
    heading = tag("h1", tag("span", paragraph_name(id), class_="number"), own.title if own else "")
    return page(
        at,
        f"{book.short} {paragraph_name(id)}",
        heading,
        *_own(at, book, own, approved, approved_says, policies_at) if own else (),
        _below(at, book, below),
        _neighbours(at, book, id, below),
        book=book,
        crumbs=crumbs(
            at,
            (at.book(book.id), book.short),
            (f"{at.book(book.id)}#section-{section}", book.sections[section]),
            paragraph_name(id),
        ),
    )


def _own(
    at: Addresses,
    book: Rulebook,
    own: Paragraph,
    approved: str | None,
    approved_says: str,
    policies_at: PoliciesAt,
) -> list[Html | None]:
    return [
        tag("p", f"{own.kind.capitalize()} · {CLASSES[own.executable]}", class_="label"),
        _wording(own, approved, approved_says),
        _settled(at, book, own, policies_at),
        _cases(at, book, own),
        _topics(at, book, own),
        _fixed(book, own),
        _versions(at, book, own),
    ]


def _wording(own: Paragraph, approved: str | None, says: str) -> Html:
    ours = tag("p", own.summary, class_="words")
    if approved is None:
        return tag("div", ours, class_="wording")
    return tag(
        "div",
        tag("section", tag("h2", "In our words"), ours),
        tag(
            "section",
            tag("h2", "As approved"),
            tag("p", approved, class_="words approved"),
            tag("p", says, class_="label") if says else None,
        ),
        class_="wording beside",
    )


# -- what was settled -----------------------------------------------------------------------------


def _settled(at: Addresses, book: Rulebook, own: Paragraph, policies_at: PoliciesAt) -> Html | None:
    notes, policies = book.notes_for(own.id), book.policies_for(own.id)
    if not notes and not policies:
        return None
    return tag(
        "section",
        tag("h2", "How it is read"),
        policy_list(at, book, policies, policies_at) if policies else None,
        tag("dl", *(_note(at, book, own, note) for note in notes), class_="readings")
        if notes
        else None,
    )


def _note(at: Addresses, book: Rulebook, own: Paragraph, note: Note) -> Html:
    others = tuple(p for p in note.paragraphs if p != own.id)
    return tag(
        "div",
        tag("dt", tag("b", note.reading), " ", note.question),
        tag("dd", note.answer, join(" Also at ", cites(at, book, others)) if others else None),
        id=note.reading,
    )


def policy_list(
    at: Addresses,
    book: Rulebook,
    policies: tuple[Policy, ...],
    policies_at: PoliciesAt,
    *,
    with_cites: bool = False,
) -> Html:
    """Policies with their values: which is usual, and which is in force at which table."""
    return tag(
        "dl",
        *(_policy(at, book, policy, policies_at, with_cites) for policy in policies),
        class_="readings policies",
    )


def _policy(
    at: Addresses, book: Rulebook, policy: Policy, policies_at: PoliciesAt, with_cites: bool
) -> Html:
    values = (
        tag(
            "li",
            tag("b", value.replace("-", " ")),
            f": {says}",
            tag("span", "usual", class_="mark") if value == policy.default else None,
            _in_force(policy.name, value, policies_at),
        )
        for value, says in policy.values.items()
    )
    return tag(
        "div",
        tag("dt", tag("b", policy.reading), " ", policy.question),
        tag(
            "dd",
            tag("p", policy.answer),
            tag("p", "The House chooses:", class_="label"),
            tag("ul", *values),
            cites(at, book, policy.paragraphs) if with_cites else None,
        ),
        id=policy.reading,
    )


def _in_force(policy: str, value: str, policies_at: PoliciesAt) -> Html | None:
    tables = [table for table, chosen in policies_at.items() if chosen.get(policy) == value]
    if not tables:
        return None
    return tag("span", f"in force at {', '.join(tables)}", class_="mark in-force")


# -- what hangs on it -----------------------------------------------------------------------------


def _cases(at: Addresses, book: Rulebook, own: Paragraph) -> Html | None:
    named = cases_naming(book.id, own.id)
    if not named:
        says = (
            "No case names it by itself."
            if own.is_executable
            else "It is about people and things: there is nothing to play."
        )
        return tag("section", tag("h2", "Cases"), tag("p", says, class_="label"))
    proving = {c.source for c in named if own.id in proved_by(c.source).get(book.id, ())}
    plainest = sorted(named, key=lambda case: _plainness(own.id, case, case.source in proving))
    return tag(
        "section",
        tag("h2", "Cases"),
        tag("p", proved_in_words(own, len(proving), len(named)), class_="label"),
        tag("ul", *(_case(at, book, case, case.source in proving) for case in plainest)),
        class_="cases",
    )


def _plainness(paragraph: str, case: CaseLine, proves: bool) -> tuple[bool, bool, bool, int]:
    """What a newcomer reads first: a case about this very paragraph that proves it, in which
    nothing is entered that the table does not take. Of several the one whose file has the shortest
    name: the more particular a case, the more words it takes to name it."""
    text = case_text(case.source) or ""
    return not proves, case.paragraphs[0] != paragraph, "expect.error" in text, len(case.source)


def proved_in_words(own: Paragraph, proving: int, named: int) -> str:
    """What the cases that name a paragraph prove of it."""
    if not own.is_executable:
        return f"{named} cases show it. Nothing of it is decided by a table."
    if not proving:
        return f"{named} cases name it; none proves it by itself."
    which = "1 case proves" if proving == named == 1 else f"{proving} of {named} cases prove"
    return f"{which} it: played for this page, and sure to fail if it were decided otherwise."


def _case(at: Addresses, book: Rulebook, case: CaseLine, proves: bool) -> Html:
    return tag(
        "li",
        link(at.case(case.source, book.id), tag("span", "▶ ", aria_hidden="true"), case.title),
        tag("span", "proves it", class_="mark") if proves else None,
        tag("p", case.about, class_="label") if case.about else None,
    )


def _topics(at: Addresses, book: Rulebook, own: Paragraph) -> Html | None:
    names = book.topics_of(own.id)
    if not names:
        return None
    known = {topic.value: topic for topic in Topic}
    rows = (
        tag(
            "div",
            tag("dt", name.replace("-", " ")),
            tag(
                "dd", meaning(known[name]) if name in known else "", " ", _rest(at, book, own, name)
            ),
        )
        for name in names
    )
    return tag("section", tag("h2", "Topics"), tag("dl", *rows, class_="topics"))


def _rest(at: Addresses, book: Rulebook, own: Paragraph, topic: str) -> Html | None:
    others = tuple(p for p in book.topics[topic] if p != own.id)
    return join("With ", cites(at, book, others)) if others else None


def _fixed(book: Rulebook, own: Paragraph) -> Html | None:
    rows = [
        (name, PROCEDURES[name].values.get(p.value, p.value))
        for name, p in book.procedures.items()
        if own.id in p.paragraphs
    ]
    rows += [
        (PARAMETERS[name].meaning.rstrip(".") if name in PARAMETERS else name, parameter.text)
        for name, parameter in book.parameters.items()
        if own.id in parameter.paragraphs
    ]
    if not rows:
        return None
    return tag(
        "section",
        tag("h2", "What it fixes"),
        tag(
            "dl",
            *(
                tag("div", tag("dt", name.replace("-", " ").capitalize()), tag("dd", value))
                for name, value in rows
            ),
            class_="topics",
        ),
    )


# -- other versions -------------------------------------------------------------------------------


def _versions(at: Addresses, book: Rulebook, own: Paragraph) -> Html | None:
    rows = []
    for other in siblings(book):
        there = matched(book.id, other.id).get(own.id)
        if there is None:
            rows.append(tag("li", f"{other.short}: it has no such paragraph."))
            continue
        same = other.paragraphs[there].summary == own.summary
        old, new = in_order(book, other)
        rows.append(
            tag(
                "li",
                f"{other.short}: ",
                cite(at, other, there),
                " says the same." if same else f" {other.paragraphs[there].summary} ",
                None if same else link(at.diff(old.id, new.id), "Side by side"),
            )
        )
    if not rows:
        return None
    return tag(
        "section", tag("h2", "In the other books of this game"), tag("ul", *rows, class_="versions")
    )


def _below(at: Addresses, book: Rulebook, below: list[Paragraph]) -> Html | None:
    if not below:
        return None
    return tag(
        "section",
        tag("h2", "Below it"),
        tag(
            "ol",
            *(
                tag(
                    "li",
                    tag(
                        "a",
                        tag("span", paragraph_name(p.id), class_="number"),
                        tag("strong", p.title),
                        href=at.paragraph(book.id, p.id),
                    ),
                    tag("p", p.summary),
                )
                for p in below
            ),
            class_="paragraphs",
        ),
    )


def _neighbours(at: Addresses, book: Rulebook, id: str, below: list[Paragraph]) -> Html:
    ids = list(book.paragraphs)
    first = ids.index(id if id in book.paragraphs else below[0].id)
    after = first + 1 if id in book.paragraphs else ids.index(below[-1].id) + 1
    found: list[Html] = []
    for rel, place, sign in (("prev", first - 1, "← "), ("next", after, "→ ")):
        if 0 <= place < len(ids):
            there = book.paragraphs[ids[place]]
            to = at.paragraph(book.id, there.id)
            name = f"{paragraph_name(there.id)} {there.title}"
            arrow = tag("span", sign, aria_hidden="true")
            found.append(tag("a", arrow, name, href=to, rel=rel))
    return tag("nav", *found, class_="neighbours", aria_label="Paragraphs before and after")
