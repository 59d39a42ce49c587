"""Whether a dispute file says what the log has: every part of it, not its rows alone.

A file whose digest the office has on record was made by this House as it is. Any other is made once
more from the log, and compared. What came after the first one was made may be there besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from croupier import __version__
from croupier.house.disputes.about import find, read_about
from croupier.house.disputes.gathering import gather
from croupier.house.disputes.records import Content, StaffLine
from croupier.house.disputes.settings import DisputeSettings
from croupier.house.errors import HouseError
from croupier.house.office import OFFICE
from croupier.house.queries.people import office_of
from croupier.house.store import Store

FACTS = (
    "place round position rulebook settings policies begun ended players before rows shuffles"
).split()
"""What stays as it was, whatever has happened since."""
WORDS = ("book", "replay", "paragraphs")
"""The same in words: another version may have others."""


def check_against(content: Content, sha256: str, store: Store) -> Iterator[str]:
    """What a file says otherwise than the log, in sentences."""
    if _is_on_record(sha256, store):
        return
    dispute = content.dispute
    try:
        again = gather(
            store,
            find(store, read_about(content.about)),
            state=office_of(store),
            number=dispute.dispute if dispute is not None else None,
            zone=DisputeSettings(zone=content.zone).clock if content.zone != "UTC" else UTC,
        ).content
    except (HouseError, ValueError) as error:
        yield f"it cannot be made again from the log: {error}"
        return
    same_words = content.version == __version__
    for part in (*FACTS, *(WORDS if same_words else ())):
        could_not = content.shuffles_say != again.shuffles_say
        if part == "shuffles" and could_not and not (content.shuffles and content.shuffles_say):
            continue  # the one could be opened, where the other could not: then it holds none
        if _written(getattr(content, part)) != _written(getattr(again, part)):
            yield f"its part `{part}` is not what the log has"
    yield from _dispute(content, again)
    yield from _growing(content, again, store, same_words=same_words)


def _is_on_record(sha256: str, store: Store) -> bool:
    words = b'"dispute filed"', sha256.encode()
    return any(all(word in row.event for word in words) for row in store.rows(OFFICE))


def _dispute(content: Content, again: Content) -> Iterator[str]:
    said, found = content.dispute, again.dispute
    if said is None:
        return
    if said.settled is None and found is not None:  # it may have been settled since
        found = msgspec.structs.replace(found, settled=None)
    if said != found:
        yield f"dispute {said.dispute} is not on record as it says"


def _growing(content: Content, again: Content, store: Store, *, same_words: bool) -> Iterator[str]:
    """Lists that may have become longer, and the money that moved with what is in them."""
    heads = {head.place: head.position for head in content.heads}
    events, ended = sum(heads.values()), datetime.fromisoformat(again.ended)
    then: dict[str, Callable[[Any], bool]] = {
        "orders": lambda order: order.number < events,
        "elsewhere": lambda row: row.position <= heads.get(row.place, 0),
        "refused": lambda refused: datetime.fromisoformat(refused.at) <= ended,
    }
    if same_words:
        then["rulings"] = then["after"] = lambda line: line.position <= heads.get(content.place, 0)
    grown = False
    for part, was_there in then.items():
        said = {_written(each) for each in getattr(content, part)}
        found = {_written(each): each for each in getattr(again, part)}
        if said - found.keys():
            yield f"its part `{part}` has what the log has not"
        left_out = [each for written, each in found.items() if written not in said]
        grown = grown or bool(left_out)
        if any(was_there(each) for each in left_out):
            yield f"its part `{part}` leaves out what the log has"
    same_money = content.money == again.money
    if grown:
        same_money = _money(content, store) == _moved(content) and _held(content, again)
    if not same_money:
        yield "its part `money` is not what the log has"
    if same_words and not _are_staff(content, again, grown=grown):
        yield "its part `staff` is not what the log has"


def _money(content: Content, store: Store) -> dict[str, int]:
    """What the log has moved by what is in the file: by the round, and by rulings after it."""
    rulings = {line.position for line in content.rulings}
    here = (row for row in content.elsewhere if row.place == content.place)
    ruled = {row.command_id for row in content.rows}
    ruled |= {row.command_id for row in here if row.position in rulings}
    moved: dict[str, int] = {}
    for row in (*content.rows, *content.elsewhere):
        if row.command_id in ruled:
            for entry in store.entries_between(row.place, row.position - 1, row.position):
                moved[entry.account] = moved.get(entry.account, 0) + entry.amount
    return {account: amount for account, amount in moved.items() if amount}


def _moved(content: Content) -> dict[str, int]:
    return {line.account: line.amount for line in content.money if line.amount}


def _held(content: Content, again: Content) -> bool:
    """Whether each account held that much before the round: it has not changed since."""
    held = {line.account: line for line in again.money}
    for line in content.money:
        there = held.get(line.account)
        if there is None and line.held_before:
            return False
        if there is not None and (there.player, there.held_before) != (
            line.player,
            line.held_before,
        ):
            return False
    return True


def _are_staff(content: Content, again: Content, *, grown: bool) -> bool:
    """Whether these were on duty and did that; where the round has grown there may be more."""
    said, found = _acts(content), _acts(again)
    if not grown:
        return said == found
    until = max((order.at for order in content.orders), default="")
    there = {(line.name, line.since): line for line in found}
    for line in said:
        now = there.pop((line.name, line.since), None)
        if now is None or msgspec.structs.replace(now, acts=line.acts) != line:
            return False
        then = [act for act in now.acts if _time(act.at) <= _time(until)]
        if list(line.acts) != then:
            return False
    return not any(_time(act.at) <= _time(until) for line in there.values() for act in line.acts)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text) if text else datetime.min.replace(tzinfo=UTC)


def _acts(content: Content) -> list[StaffLine]:
    """Who was on duty and did what; until when may not have been known yet."""
    return [msgspec.structs.replace(line, until="") for line in content.staff]


def _written(value: object) -> bytes:
    return msgspec.json.encode(value)
