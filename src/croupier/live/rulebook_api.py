"""The rulebooks over HTTP: the books, one with its paragraphs, one paragraph with its readings."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.live import api_records as records
from croupier.live.json_response import Json
from croupier.live.requested import NotFound
from croupier.pit.ports.pay_tables import pay_tables
from croupier.pit.registry import GAMES
from croupier.rulebooks import Rulebook
from croupier.rulebooks.model import Note, Policy


async def books(request: Request) -> Response:
    """The books that are played."""
    return Json(records.Books(rulebooks=tuple(_summary(GAMES.load(book)) for book in GAMES.games)))


async def book(request: Request) -> Response:
    """One book: its paragraphs in our words, pay tables and policies."""
    found = _book(request)
    return Json(
        records.BookDetails(
            book=_summary(found),
            sections=dict(found.sections),
            paragraphs=tuple(
                records.ParagraphSummary(
                    paragraph=p.id, title=p.title, section=p.section, says=p.summary
                )
                for p in found.paragraphs.values()
            ),
            pays=tuple(msgspec.to_builtins(table) for table in pay_tables(found)),
            policies=tuple(_policy(policy) for policy in found.policies.values()),
        )
    )


async def paragraph(request: Request) -> Response:
    """One paragraph with the readings and policies that bite there."""
    found = _book(request)
    wanted: str = request.path_params["paragraph"]
    if wanted not in found.paragraphs:
        raise NotFound(f"{found.short} has no paragraph {wanted!r}.")
    there = found.paragraphs[wanted]
    return Json(
        records.ParagraphDetails(
            rulebook=found.id,
            paragraph=there.id,
            title=there.title,
            section=found.sections.get(there.section, there.section),
            says=there.summary,
            notes=tuple(_note(note) for note in found.notes_for(wanted)),
            policies=tuple(_policy(policy) for policy in found.policies_for(wanted)),
        )
    )


def _book(request: Request) -> Rulebook:
    wanted: str = request.path_params["book"]
    if wanted not in GAMES.games:
        raise NotFound(f"There is no rulebook {wanted!r}; there are {', '.join(GAMES.games)}.")
    return GAMES.load(wanted)


def _summary(book: Rulebook) -> records.BookSummary:
    return records.BookSummary(
        rulebook=book.id,
        title=book.title,
        short=book.short,
        version=book.version,
        family=book.family,
        regulator=book.regulator,
        effective=book.effective.isoformat() if book.effective is not None else None,
        superseded_by=book.superseded_by,
        paragraphs=len(book.paragraphs),
    )


def _note(note: Note) -> records.Reading:
    return records.Reading(reading=note.reading, question=note.question, answer=note.answer)


def _policy(policy: Policy) -> records.PolicyDetails:
    return records.PolicyDetails(
        policy=policy.name,
        reading=policy.reading,
        question=policy.question,
        values=dict(policy.values),
        default=policy.default,
    )
