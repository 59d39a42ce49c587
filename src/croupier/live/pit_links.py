"""Jackpot links at the pit console: the self-check, parameters, awards with their slips and
witnesses. Orders at a link are given as everywhere (`POST /api/links/{link}/commands`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.house.awards import AwardPaid
from croupier.house.office.who_may import WHO_MAY
from croupier.jackpot import JackpotLink
from croupier.live import pit_link_records as records
from croupier.live.citing import cited
from croupier.live.identity import Visitor
from croupier.pit.registry import GAMES
from croupier.table import ActorRank, TableError

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

SHOWN = 25
"""Awards in a list."""
LEAST = next(rank for rank in ActorRank if rank.value == WHO_MAY["witness award"].roles[0])
"""The rank that a witness has at least."""


class Links:
    """The links of one casino, as one member of staff sees them; used under the House's lock."""

    def __init__(self, casino: LiveCasino) -> None:
        self._casino = casino

    def work(self, visitor: Visitor, name: str) -> records.PitLinkWork:
        """One link."""
        link = self._link(name)
        state = link.state
        settings = state.settings
        paid = self._casino.casino.awards.of(name)[-SHOWN:]
        return records.PitLinkWork(
            link=name,
            rulebook=link.book.id,
            short=link.book.short,
            house_rank=settings.house_rank.title,
            parameters=records.PitParameters(
                reset_value=settings.reset_value,
                contribution=settings.contribution,
                contribution_rate=settings.contribution_rate,
                reserve_rate=settings.reserve_rate,
                ceiling=settings.ceiling,
                unreasonable=settings.unreasonable,
                display_pace=settings.display_pace,
            ),
            parked=state.parked,
            reserve=state.reserve,
            overflow=state.overflow,
            doubtful=state.doubtful,
            lines=lines_of(link),
            counts=self._counts(link),
            checks=tuple(self._checks(link)),
            awards=tuple(self._award(visitor, link, each) for each in reversed(paid)),
        )

    def slip(self, visitor: Visitor, name: str, award: int) -> records.PitAward:
        """One award with its hand: what is printed."""
        awards = self._casino.casino.awards
        return self._award(visitor, self._link(name), awards.find(name, award), whole=True)

    def barred(self, visitor: Visitor, paid: AwardPaid) -> str:
        """Why somebody may not witness a payment, if so."""
        state = self._casino.casino.office.state
        known = state.witnesses.get(paid.link, {}).get(paid.award)
        if known is not None:
            return f"{known.by} has witnessed it."
        if self._casino.casino.awards.was_taken_back(paid):
            return "It was taken back: there is nothing to witness."
        if visitor.name in paid.ordered_by:
            return "You have paid it; somebody else witnesses it."
        if visitor.rank is ActorRank.PLAYER or not visitor.rank.is_at_least(LEAST):
            return f"This is for a {LEAST.title} or above."
        return ""

    def _link(self, name: str) -> JackpotLink:
        link = self._casino.house.pit.links[name]
        assert isinstance(link, JackpotLink)
        return link

    def _counts(self, link: JackpotLink) -> dict[str, int]:
        tables = self._casino.house.pit.tables
        here = {name: tables[name] for name in link.state.tables if name in tables}
        return {name: GAMES.port_of(each).jackpot_count(each) for name, each in here.items()}

    def _checks(self, link: JackpotLink) -> Iterator[records.PitCheck]:
        state = link.state
        try:
            link.check()
            adds_up = True
        except TableError:
            adds_up = False
        yield records.PitCheck(
            says="Meter, pools and awards add up to what was put in.", holds=adds_up
        )
        yield records.PitCheck(
            says="No contribution is set aside as beyond reason.", holds=not state.doubtful
        )
        for name, count in self._counts(link).items():
            known = state.counts.get(name, 0)
            says = (
                f"Jackpot bets of table {name}: {count} counted there, {known} by the controller."
            )
            yield records.PitCheck(says=says, holds=count == known)

    def _award(
        self, visitor: Visitor, link: JackpotLink, paid: AwardPaid, *, whole: bool = False
    ) -> records.PitAward:
        state = self._casino.casino.office.state
        event, held = paid.event, paid.held
        known = state.witnesses.get(paid.link, {}).get(paid.award)
        barred = self.barred(visitor, paid)
        claimed = self._casino.casino.awards.hand_of(paid) if whole else None
        return records.PitAward(
            link=paid.link,
            award=paid.award,
            table=event.table,
            round=event.round,
            box=event.box,
            player=claimed.player if claimed is not None else "",
            line=lines_of(link).get(event.line, event.line),
            percent=held.percent if held is not None else "",
            paid=event.paid,
            meter_before=event.meter_before,
            meter_after=event.meter_after,
            registered=event.registered,
            completed=event.completed,
            dealt=held.dealt if held is not None else None,
            since=paid.since,
            at=paid.at,
            paid_by="" if paid.by_software else paid.paid_by,
            post="" if paid.by_software else paid.rank,
            cites=cited(link.book, event.cites),
            witness=records.PitWitness(by=known.by, post=known.post, at=known.at)
            if known is not None
            else None,
            taken_back=self._casino.casino.awards.was_taken_back(paid),
            mine=not barred and not paid.by_software,
            barred=barred,
            hand=tuple(card.value for card in claimed.hand) if claimed is not None else (),
            board=tuple(card.value for card in claimed.board) if claimed is not None else (),
        )


def lines_of(link: JackpotLink) -> dict[str, str]:
    """What the lines of the jackpot's pay table are called."""
    paragraphs = link.book.paragraphs
    lines = (line.id for line in link.book.pay("progressive").lines)
    return {line: paragraphs[line].title for line in lines if line in paragraphs}
