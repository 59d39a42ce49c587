"""The paths of the ruling desk, for a casino and for a desk that stands alone."""

from __future__ import annotations

from croupier.desk import records as kept
from croupier.live import desk_api as api
from croupier.live import desk_records as records
from croupier.live.paths import Path

_SPAN = ("from", "to", "book", "area")

DESK_PATHS: tuple[Path, ...] = (
    Path(path="/api/ask/desk", does=api.desk_hello, answers=records.DeskHello),
    Path(
        path="/api/ask", method="POST", does=api.ask, takes=records.AskBody, answers=kept.KeptAnswer
    ),
    Path(path="/api/ask/books", does=api.ask_books, answers=tuple[kept.BookLine, ...]),
    Path(path="/api/ask/books/{book}", does=api.ask_book, answers=kept.BookPage),
    Path(
        path="/api/ask/books/{book}/paragraphs/{paragraph}",
        does=api.ask_paragraph,
        answers=kept.ParagraphPage,
    ),
    Path(
        path="/api/ask/search",
        does=api.ask_search,
        answers=records.SearchHits,
        query=("book", "words"),
    ),
    Path(path="/api/ask/log", does=api.ask_log, answers=records.LogPage, query=(*_SPAN, "status")),
    Path(
        path="/api/ask/log.csv",
        does=api.ask_log_csv,
        answers=str,
        media="text/csv",
        query=(*_SPAN, "status"),
    ),
    Path(path="/api/ask/figures", does=api.ask_figures, answers=kept.Figures, query=_SPAN),
    Path(
        path="/api/ask/case/{source:path}",
        does=api.ask_shipped,
        answers=kept.CaseQuestion,
        query=("book",),
    ),
    Path(path="/api/ask/{id}", does=api.ask_entry, answers=kept.Entry),
    Path(path="/api/ask/{id}/case", does=api.ask_case, answers=str, media="text/plain"),
    Path(
        path="/api/ask/{id}/decided",
        method="POST",
        does=api.ask_decided,
        takes=records.DecidedBody,
        answers=kept.Entry,
    ),
    Path(
        path="/api/ask/{id}/notes",
        method="POST",
        does=api.ask_noted,
        takes=records.NoteBody,
        answers=kept.Entry,
    ),
    Path(path="/api/ask/{id}/abandoned", method="POST", does=api.ask_abandoned, answers=kept.Entry),
)
"""Named words stand before `{id}`: no entry is called so."""
