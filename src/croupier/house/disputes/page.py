"""The dispute file as a document for staff and inspectors: a page, CSV or JSON of the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from croupier.house.disputes.gathering import on_clock
from croupier.house.disputes.records import Content, RulingLine
from croupier.house.disputes.settings import DisputeSettings
from croupier.house.documents import Document, Section

RULINGS = ("clock", "by", "kinds", "order", "says", "cites")
REPLAY = ("at", "position", "who", "rank", "says", "cites")
MONEY = ("account", "held_before", "amount", "held_after")
REFUSED = ("at", "who", "rank", "says", "cites")
STAFF = ("name", "post", "area", "acting", "since", "until")
ACTS = ("clock", "seconds", "name", "order", "says")
PARAGRAPHS = ("paragraph", "title", "says")


def file_document(content: Content, settings: DisputeSettings, sha256: str) -> Document:
    """What the file holds, for people."""
    dispute = content.dispute
    facts = [("about", content.about)]
    if dispute is not None:
        facts += [
            ("patron", dispute.patron),
            ("opened", f"{_clock(dispute.at, settings)[:16]}, {dispute.by}"),
            ("deadline", _clock(dispute.deadline, settings)[:16]),
        ]
    facts += [
        ("rules", content.book),
        ("begun", _clock(content.begun, settings)),
        ("ended", _clock(content.ended, settings)),
        ("clock", content.zone),
        ("players", ", ".join(f"{who} ({seat})" for seat, who in sorted(content.players.items()))),
    ]
    if dispute is not None:
        facts.append(("claim", dispute.claim))
        if dispute.settled is not None:
            who = ", ".join(
                filter(None, (dispute.settled["inspector"], dispute.settled["inspector_rank"]))
            )
            facts += [("settled", dispute.settled["outcome"]), ("inspector", who)]
    facts.append(("sha256", sha256))
    number = f"Dispute {dispute.dispute}: " if dispute is not None else ""
    return Document(
        title=f"{number}{content.about}",
        facts=tuple((word, says) for word, says in facts if says),
        sections=tuple(_sections(content)),
        zone=settings.clock,
        rulebook=content.rulebook,
    )


def _clock(at: str, settings: DisputeSettings) -> str:
    return on_clock(datetime.fromisoformat(at), settings.clock)


def _sections(content: Content) -> Iterator[Section]:
    rulings = [
        (line.clock, f"{line.who}, {line.duty or line.rank}", line.kinds, *_words(line))
        for line in content.rulings
    ]
    yield Section(title="rulings", columns=RULINGS, rows=rulings, wide="says")
    yield Section(title="money", columns=MONEY, rows=_rows(content.money, MONEY))
    yield Section(title="refused", columns=REFUSED, rows=_rows(content.refused, REFUSED))
    yield Section(title="staff on duty", columns=STAFF, rows=_rows(content.staff, STAFF))
    acts = [
        (act.clock, act.seconds, line.name, act.order, act.says)
        for line in content.staff
        for act in line.acts
    ]
    yield Section(
        title="for the cameras",
        columns=ACTS,
        rows=sorted(acts),
        wide="says",
        note="What staff did, on the House's clock and in seconds since the round began.",
    )
    yield Section(title="replay", columns=REPLAY, rows=_rows(content.replay, REPLAY), wide="says")
    if content.after:
        yield Section(
            title="afterwards", columns=REPLAY, rows=_rows(content.after, REPLAY), wide="says"
        )
    yield Section(
        title="paragraphs", columns=PARAGRAPHS, rows=_rows(content.paragraphs, PARAGRAPHS)
    )
    yield Section(
        title="shuffles",
        columns=("shuffle", "purpose", "root", "holds", "says"),
        rows=[
            (s.shuffle, s.purpose, s.root, "yes" if s.holds else "NO", s.says)
            for s in content.shuffles
        ],
        note=content.shuffles_say,
    )


def _words(line: RulingLine) -> tuple[str, str, tuple[str, ...]]:
    return line.order, line.says, line.cites


def _rows(records: Iterable[object], columns: tuple[str, ...]) -> Iterator[tuple[object, ...]]:
    return (tuple(getattr(record, column) for column in columns) for record in records)
