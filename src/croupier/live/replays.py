"""Rounds that are over, to be played again: who may see which as whom, and what is kept ready.

A player sees a round as it was for him, everybody else what lay face up. The auditor sees
everything, and as anybody saw it; so do those who take up disputes, of a round that is disputed.
Nothing is shown of a round that is under way.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from starlette.requests import Request

from croupier.formats.export import FORMATS, export_rounds, formats_for, read_log
from croupier.house.office.who_may import WHO_MAY
from croupier.house.replays import replay_round, round_log
from croupier.live.errors import NotAllowed
from croupier.live.identity import Visitor
from croupier.live.side_work import side_work_of
from croupier.pit import GAMES
from croupier.pit.replay import EVERYTHING, Replay, viewer_named

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

KEPT = 48
"""Replays that are kept ready; others are made anew."""


def takes_disputes_up(casino: LiveCasino, visitor: Visitor) -> bool:
    """Whether the cards of a round in dispute are for this visitor: for the ranks that take
    disputes up. In the demonstration, for those of them who log in with a password: by the staff
    door anybody may come, also whoever plays against those whose cards they are."""
    if not casino.is_staff(visitor):
        return False
    name = visitor.name or ""
    if casino.config.demonstration and not casino.staff_door.has_password(name):
        return False
    held = {casino.casino.office.state.people[name].role, casino.post_of(name)[0]}
    return not held.isdisjoint(WHO_MAY["open dispute"].roles)


class Replays:
    """The replays of a live casino."""

    def __init__(self, casino: LiveCasino) -> None:
        self._casino = casino
        self._kept: OrderedDict[tuple[str, int, str], Replay] = OrderedDict()

    # -- who may see what ----------------------------------------------------------------------

    def sees_everything(self, visitor: Visitor, place: str, number: int) -> bool:
        """Whether every card of a finished round is for this visitor."""
        casino = self._casino
        if not takes_disputes_up(casino, visitor):
            return False
        state = casino.casino.office.state
        return state.people[visitor.name or ""].role == "auditor" or any(
            (dispute.place, dispute.round) == (place, number) for dispute in state.disputes.values()
        )

    def seen_as(self, visitor: Visitor, place: str, number: int, wanted: str | None) -> str:
        """As whom a visitor sees a round; raises NotAllowed where that is not for him."""
        everything = self.sees_everything(visitor, place, number)
        # An account may be called as the word for everything is; nobody sees more by that.
        own = self._casino.own_at(visitor.name, place, number) or ""
        own = own if own != EVERYTHING else ""
        if wanted is None:
            return EVERYTHING if everything else own
        if everything or wanted in ("", own):
            return wanted
        raise NotAllowed(
            "not yours",
            "You may see a round as you saw it, or what lay face up; "
            "how others saw it is for the auditor.",
        )

    # -- making them ---------------------------------------------------------------------------

    async def of_round(self, request: Request, place: str, number: int, seen_as: str) -> Replay:
        """A finished round as somebody saw it, for whoever asks; raises NotOver, UnknownRound,
        UnknownPlace, Busy."""
        key = (place, number, seen_as)
        found = self._kept.get(key)
        if found is None:
            found = await side_work_of(request).replays.run(request, self._made, *key)
        if found.final:
            self._kept[key] = found
            self._kept.move_to_end(key)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def _made(self, place: str, number: int, seen_as: str) -> Replay:
        kept = self._kept.get((place, number, seen_as))
        if kept is not None:  # somebody has asked for the same meanwhile
            return kept
        with self._casino.house.reader.as_it_stands() as store:
            return replay_round(store, place, number, seen_as)

    async def exported(
        self, request: Request, place: str, number: int, seen_as: str, form: str
    ) -> bytes:
        """A finished round in a format, for whoever asks; raises FormatError, Busy."""
        queue = side_work_of(request).replays
        return await queue.run(request, self._exported, place, number, seen_as, form)

    def _exported(self, place: str, number: int, seen_as: str, form: str) -> bytes:
        with self._casino.house.reader.as_it_stands() as store:
            book, log = read_log(round_log(store, place, number))
            made = export_rounds(
                log, book, form, viewer=viewer_named(seen_as), rounds=(number,), room="croupier"
            )
            return b"".join(made)


def formats_of(replay: Replay) -> list[str]:
    """The formats in which a round can be written."""
    return [kind.name for kind in formats_for(GAMES.load(replay.rulebook))]


def suffix_of(form: str) -> str:
    """How a file of a format ends."""
    return FORMATS[form].suffix
