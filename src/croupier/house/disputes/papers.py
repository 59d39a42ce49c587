"""The papers of a dispute: its sealed file, whose digest is put on record, and the notice."""

from __future__ import annotations

from msgspec import Struct

from croupier.house.casino import Casino
from croupier.house.disputes.about import find, read_about
from croupier.house.disputes.file import sealed
from croupier.house.disputes.gathering import gather
from croupier.house.disputes.notice import notice_page
from croupier.house.disputes.settings import settings_on_record
from croupier.house.errors import HouseError
from croupier.house.office.disputes import FileDispute, OpenDispute
from croupier.house.office.state import Dispute, OfficeState
from croupier.table import Refused


class NoSuchDispute(HouseError):
    """There is no dispute of this number."""


class NotFiled(HouseError):
    """The office does not let him."""


class Papers(Struct, frozen=True, kw_only=True):
    """What is written of a dispute."""

    file: bytes
    sha256: str
    notice: bytes


def file_name(number: int) -> str:
    """What the sealed file of a dispute is called."""
    return f"dispute-{number}.json"


def notice_name(number: int) -> str:
    """What the patron's notice is called."""
    return f"dispute-{number}-notice.html"


def dispute_of(state: OfficeState, number: int) -> Dispute:
    """A dispute by its number."""
    found = state.disputes.get(number)
    if found is None:
        known = ", ".join(map(str, state.disputes)) or "none yet"
        raise NoSuchDispute(f"there is no dispute {number}; there is {known}")
    return found


def open_dispute(
    casino: Casino,
    about: str,
    *,
    who: str,
    claim: str,
    patron: str = "",
    days: int | None = None,
    session: str = "",
) -> int | Refused:
    """Open a dispute of a round or ruling that the log has; its number, or why not."""
    found = find(casino.house.reader, read_about(about))
    command = OpenDispute(
        place=found.place,
        round=found.round,
        position=found.position,
        began=found.began,
        patron=patron,
        claim=claim,
        days=days or settings_on_record(casino.office.state).days,
    )
    answer = casino.tell(command, who=who, session=session)
    if answer.refused is not None:
        return answer.refused
    return casino.office.state.disputed


def make_papers(casino: Casino, number: int, who: str, *, session: str = "") -> Papers:
    """Make the sealed file of a dispute, put its digest on record, and make the notice."""
    state = casino.office.state
    found, settings = dispute_of(state, number), settings_on_record(state)
    with casino.house.reader.as_it_stands() as store:
        about = find(store, read_about(found.about))
        gathered = gather(
            store, about, state=state, number=number, zone=settings.clock, made_by=who
        )
    file, sha256 = sealed(gathered.content)
    filed = FileDispute(dispute=number, sha256=sha256)
    refused = casino.tell(filed, who=who, session=session).refused
    if refused is not None:
        raise NotFiled(refused.says)
    found = dispute_of(casino.office.state, number)
    notice = notice_page(number, found, gathered, settings)
    return Papers(file=file, sha256=sha256, notice=notice.encode())
