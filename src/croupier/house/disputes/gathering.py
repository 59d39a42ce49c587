"""Everything about one round or ruling, gathered from the logs: orders, events, people, money.

The round must be over: the file tells every card of it. What happened at the table afterwards is
told as everybody may know it, for the next deck may lie there shuffled already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, tzinfo
from typing import Any

import msgspec
from msgspec import Raw, Struct, structs

from croupier import __version__
from croupier.cards import Card, pretty_cards
from croupier.house.audit.conversations import conversation_of
from croupier.house.audit.export import RefusedLine, RowLine
from croupier.house.audit.rounds import Told, tell_round
from croupier.house.audit.shuffles import ShuffleReport, check_shuffles
from croupier.house.chain import START
from croupier.house.disputes.about import About
from croupier.house.disputes.records import (
    Content,
    DisputeLine,
    HeadLine,
    MoneyLine,
    Paragraph,
    RulingLine,
    SeenLine,
    StaffAct,
    StaffLine,
)
from croupier.house.errors import HouseError
from croupier.house.ledger import player_account
from croupier.house.office.standards import IN_WORDS
from croupier.house.office.state import Dispute, OfficeState
from croupier.house.openings import UnknownRound
from croupier.house.queries.account import moved_in
from croupier.house.queries.log import cites_of, duty_in_words, kinds_of
from croupier.house.queries.walk import Given, Roster, namer, walk
from croupier.house.queries.who import duties
from croupier.house.queries.wording import events_in_words, order_in_words, read_order
from croupier.house.records import OrderLine, OrderRecord, Row
from croupier.house.software import SOFTWARE
from croupier.house.store import Store
from croupier.table import ActorRank, Event, Looked, Table

CLOCK = "%Y-%m-%d %H:%M:%S.%f"
NOT_STAFF = frozenset((ActorRank.PLAYER.value, ActorRank.HOUSE.value))


class Step(Struct, frozen=True, kw_only=True):
    """One order of the round, as it was when it was read: the table has gone on since."""

    given: Given
    played: bool
    """Whether it belongs to the round, and not to what came after it."""
    kinds: tuple[str, ...]
    order: str
    says: str
    """As everybody may know it."""


class Gathered(Struct, frozen=True, kw_only=True):
    """The file, and the round as the patron was allowed to see it."""

    content: Content
    seen: list[SeenLine]
    own: list[MoneyLine]
    """The patron's own money."""


class _Found(Struct, frozen=True, kw_only=True):
    """What the logs have of a round or ruling."""

    steps: list[Step]
    played: list[Step]
    """Those of the round itself."""
    orders: list[OrderRecord]
    rows: list[Row]
    """What was played, at its own place."""
    elsewhere: list[Row]
    """What came of it at other places, and what everybody may know of later."""
    paid: list[Row]
    """Of both, what may have moved its money."""


def gather(
    store: Store,
    about: About,
    *,
    state: OfficeState,
    number: int | None = None,
    zone: tzinfo = UTC,
    made_by: str = "",
) -> Gathered:
    """Everything about a round or ruling that was found in the log; `number` is the dispute's."""
    found = _found(store, about)
    steps, played = found.steps, found.played
    dispute = state.disputes.get(number) if number is not None else None
    first, last = played[0].given, played[-1].given
    replay, after, paragraphs = _told(store, about, played, steps)
    before = store.row(about.place, found.rows[0].position - 1)
    roster: Roster = {}
    for step in steps:
        roster |= step.given.roster
    conversation = conversation_of(about.place, _first_event(store, about.place))
    place = state.places.get(about.place)
    money = _money(store, first, found.paid, roster, about.place)
    shuffles, shuffles_say = _shuffles(store, about, conversation)
    content = Content(
        made=datetime.now(UTC).isoformat(),
        made_by=made_by,
        version=__version__,
        about=str(about),
        place=about.place,
        round=about.round,
        position=about.position,
        rulebook=conversation.book.id,
        book=conversation.book.title,
        settings=dict(place.settings) if place is not None else {},
        policies=dict(place.policies) if place is not None else {},
        zone=str(zone) if zone is not UTC else "UTC",
        begun=first.at.isoformat(),
        ended=last.at.isoformat(),
        dispute=_dispute(number, dispute),
        rulings=[_ruling(step, zone) for step in steps if step.kinds],
        replay=replay,
        after=after,
        players=roster,
        staff=_staff(store, steps, first.at, steps[-1].given.at, zone),
        money=money,
        paragraphs=paragraphs,
        orders=[OrderLine.of(order, _count(store, order.command_id)) for order in found.orders],
        before=(before.digest if before is not None else START).hex(),
        rows=[RowLine.of(row) for row in found.rows],
        elsewhere=[RowLine.of(row) for row in found.elsewhere],
        refused=[_refused(step.given) for step in steps if step.given.refused is not None],
        shuffles=shuffles,
        shuffles_say=shuffles_say,
        heads=[
            HeadLine(place=head.stream, position=head.position, digest=head.digest.hex())
            for head in store.heads().values()
        ],
    )
    patron = dispute.patron if dispute is not None else ""
    return Gathered(
        content=content,
        seen=list(_seen(steps, patron, zone)),
        own=[line for line in money if line.player == patron] if patron else [],
    )


def _found(store: Store, about: About) -> _Found:
    """Read it; an error where there is nothing of it."""
    steps = list(_steps(store, about))
    if not steps:
        raise UnknownRound(f"there is nothing of {about} in the log")
    # Where nothing was ever played, nothing but what everybody may know is told.
    played = [step for step in steps if step.played] or [s for s in steps if _is_open(s)]
    if not played:
        raise UnknownRound(f"nobody did anything in {about}")
    later = [step for step in steps if not step.played and _is_open(step)]
    orders = [step.given.order for step in (*played, *later) if step.given.order is not None]
    rows = [row for step in played for row in step.given.rows]
    elsewhere = [row for step in later for row in step.given.rows]
    beside = _elsewhere(store, about.place, [order.command_id for order in orders])
    _check_over(store, about, beside)
    elsewhere += beside
    ruled = {step.given.rows[0].command_id for step in later if step.kinds}
    ruled |= {step.given.rows[0].command_id for step in played}
    return _Found(
        steps=steps,
        played=played,
        orders=orders,
        rows=rows,
        elsewhere=elsewhere,
        paid=[row for row in (*rows, *elsewhere) if row.command_id in ruled],
    )


def _check_over(store: Store, about: About, rows: list[Row]) -> None:
    """An order that is also told of elsewhere, such as the first of another dealer, may have dealt
    cards of a round that is still played: nobody is told of them before it is over."""
    closed: dict[str, set[int]] = {}
    for row in rows:
        conversation = conversation_of(row.stream, _first_event(store, row.stream))
        if isinstance(conversation, Table):
            event = conversation.read_event(row.event)
            if event.public() != event:
                closed.setdefault(row.stream, set()).add(row.position)
    for place, positions in closed.items():
        goes_on = was_playing = False
        for given in walk(store, [place]):
            at = given.conversation
            playing = isinstance(at, Table) and at.state.opened and at.playing()
            goes_on |= any(row.position in positions for row in given.rows)
            goes_on &= playing or not was_playing
            was_playing = playing
        if goes_on:
            raise UnknownRound(
                f"{about} is also of a round of {place} that is not over; its cards are closed"
            )


def _steps(store: Store, about: About) -> Iterator[Step]:
    """The orders of the round, and what came until the next one; of a link, the order alone."""
    was_playing = False
    found: list[Step] = []
    ended = 0
    table = False
    for given in walk(store, [about.place], refused=True):
        at = given.conversation
        table = isinstance(at, Table)
        playing = isinstance(at, Table) and at.state.opened and at.playing()
        if table and given.round is not None and about.round is not None:
            if given.round > about.round:
                break
            if given.round == about.round:
                found.append(_step(given))
                if was_playing and not playing:
                    ended = len(found)
        elif not table and _stands_at(given, about.position):
            found.append(_step(given))
            ended = len(found)
            break
        was_playing = playing
    if table and was_playing and not ended:
        raise UnknownRound(
            f"round {about.round} of {about.place} is not over; its cards are closed"
        )
    # What was refused in the round belongs to it; after it, to what came after.
    for index, step in enumerate(found):
        is_played = index < ended and step.given.refused is None
        yield structs.replace(step, played=is_played)


def _stands_at(given: Given, position: int | None) -> bool:
    return bool(given.rows) and position in range(
        given.rows[0].position, given.rows[-1].position + 1
    )


def _step(given: Given) -> Step:
    command = read_order(given.ordered_at, given.command)
    refused = given.refused
    return Step(
        given=given,
        played=True,
        kinds=kinds_of(given),
        order=order_in_words(command, given.roster),
        says=f"Refused: {refused.says}" if refused is not None else events_in_words(given),
    )


def _is_open(step: Step) -> bool:
    """Whether somebody did it, and nothing in it lies face down."""
    given = step.given
    if given.refused is not None or given.rank == ActorRank.HOUSE.value:
        return False
    return all(event.public() == event for event in given.events)


def _told(
    store: Store, about: About, played: list[Step], steps: list[Step]
) -> tuple[list[Told], list[Told], list[Paragraph]]:
    """The round in words, with its paragraphs; what came after it, as everybody may know it."""
    cited = dict.fromkeys(cite for step in steps for cite in cites_of(step.given))
    book = played[0].given.conversation.book
    paragraphs = [
        Paragraph(paragraph=c, title=book.paragraphs[c].title, says=book.paragraphs[c].summary)
        for c in cited
        if c in book.paragraphs
    ]
    paragraphs += [
        Paragraph(paragraph=c, title=IN_WORDS[c][0], says=IN_WORDS[c][1])
        for c in cited
        if c in IN_WORDS
    ]
    later = [_public(step) for step in steps if not step.played and _is_open(step)]
    if not isinstance(played[0].given.conversation, Table) or about.round is None:
        return [_public(step) for step in played], later, paragraphs
    story = tell_round(store, about.place, about.round)
    return story.told, later, paragraphs


def _public(step: Step) -> Told:
    row = step.given.rows[0]
    return Told(
        position=row.position,
        at=row.at,
        who=row.who,
        rank=row.rank,
        event=step.order,
        says=step.says,
        cites=cites_of(step.given),
    )


def _ruling(step: Step, zone: tzinfo) -> RulingLine:
    given = step.given
    return RulingLine(
        at=given.at.isoformat(),
        clock=on_clock(given.at, zone),
        position=given.rows[0].position,
        who=given.who,
        rank=given.rank,
        duty=duty_in_words(given.authority),
        kinds=step.kinds,
        order=step.order,
        says=step.says,
        cites=cites_of(given),
    )


def on_clock(at: datetime, zone: tzinfo) -> str:
    """A moment as the clock of the House showed it, to the thousandth."""
    return at.astimezone(zone).strftime(CLOCK)[:-3]


# -- people ---------------------------------------------------------------------------------------


def _staff(
    store: Store, steps: list[Step], begun: datetime, ended: datetime, zone: tzinfo
) -> list[StaffLine]:
    """Who was on duty meanwhile, and who of the staff did what when."""
    acts: dict[str, list[StaffAct]] = {}
    ranks: dict[str, str] = {}
    for step in steps:
        given = step.given
        if given.rank in NOT_STAFF or given.who in SOFTWARE:
            continue
        ranks[given.who] = given.rank
        acts.setdefault(given.who, []).append(
            StaffAct(
                at=given.at.isoformat(),
                clock=on_clock(given.at, zone),
                seconds=round((given.at - begun).total_seconds(), 3),
                order=step.order,
                says=step.says,
            )
        )
    found = []
    for name, spells in sorted(duties(store).items()):
        for spell in spells:
            until = datetime.fromisoformat(spell.until) if spell.until else None
            if datetime.fromisoformat(spell.since) > ended or (until and until < begun):
                continue
            found.append(
                StaffLine(
                    name=name,
                    post=spell.post,
                    area=spell.area,
                    acting=spell.acting,
                    since=spell.since,
                    until=spell.until,
                    acts=tuple(acts.pop(name, ())),
                )
            )
    for name, done in sorted(acts.items()):  # not on duty, by what the office knows
        found.append(
            StaffLine(
                name=name,
                post=ranks[name],
                area="",
                acting=False,
                since="",
                until="",
                acts=tuple(done),
            )
        )
    return found


def _seen(steps: list[Step], patron: str, zone: tzinfo) -> Iterator[SeenLine]:
    """The round as the patron was allowed to see it: what everybody may, and his own cards once he
    had looked."""
    for step in steps:
        given = step.given
        if given.refused is not None:
            if given.who == patron and patron:
                yield SeenLine(
                    at=given.at.isoformat(),
                    clock=on_clock(given.at, zone),
                    says=f"You want: {step.order}. {step.says}",
                    cites=cites_of(given),
                )
            continue
        if not step.played and not _is_open(step):
            continue
        for event in given.events:
            shown = _shown(event, given.roster, patron)
            if shown is not None:
                yield SeenLine(
                    at=given.at.isoformat(),
                    clock=on_clock(given.at, zone),
                    says=_with_own_cards(shown, shown.tell(namer(given.roster))),
                    cites=shown.cites,
                )


def _shown(event: Event, roster: Roster, patron: str) -> Event | None:
    """An event as he may see it, by who sat where when it happened."""
    seat = event.private_to()
    if patron and seat is not None and roster.get(seat) == patron:
        return event
    return event.public()


def _with_own_cards(event: Event, says: str) -> str:
    if isinstance(event, Looked) and Card.UNKNOWN not in event.cards:
        return f"{says.removesuffix('.')}: {pretty_cards(event.cards)}."
    return says


# -- money ----------------------------------------------------------------------------------------


def _money(
    store: Store, first: Given, rows: Iterable[Row], roster: Roster, place: str
) -> list[MoneyLine]:
    """Every account that the round touched, and those of everybody who sat there."""
    moved: dict[str, int] = {}
    for row in rows:
        for entry in store.entries_between(row.stream, row.position - 1, row.position):
            moved[entry.account] = moved.get(entry.account, 0) + entry.amount
    for player in roster.values():
        for account in (f"table/{place}/chips/{player}", player_account(player)):
            moved.setdefault(account, 0)
    lines = []
    for account, amount in sorted(moved.items()):
        before = _held_before(store, account, first)
        lines.append(
            MoneyLine(
                account=account,
                player=_owner(account),
                held_before=before,
                amount=amount,
                held_after=before + amount,
            )
        )
    return [line for line in lines if line.amount or line.held_before]


def _owner(account: str) -> str:
    match account.split("/"):
        case ["player", player] | ["table", _, "chips" | "safekeeping", player]:
            return player
        case _:
            return ""


def _held_before(store: Store, account: str, first: Given) -> int:
    """What an account held before the first order of the round."""
    row = first.rows[0]
    if account.startswith(f"table/{row.stream}/"):  # no other log moves it
        return store.moved_before(account, row.stream, row.position)
    start: tuple[Any, ...] = (1, first.number)
    if first.order is None:
        start = (0, first.at, row.stream, row.position)
    held = 0
    for moved in moved_in(store, account):
        if moved.key >= start:
            break
        held += moved.amount
    return held


# -- what is stored -------------------------------------------------------------------------------


def _first_event(store: Store, place: str) -> bytes:
    first = next(store.rows(place, until=1, at_once=1), None)
    return first.event if first is not None else b""


def _elsewhere(store: Store, place: str, ids: list[str]) -> list[Row]:
    return [row for id in ids for row in store.answer_of(id) if row.stream != place]


def _count(store: Store, command_id: str) -> int:
    return len(store.answer_of(command_id))


def _refused(given: Given) -> RefusedLine:
    refused = given.refused
    assert refused is not None
    values = structs.asdict(refused)
    values |= {"follows": refused.follows.hex(), "digest": refused.digest.hex()}
    return RefusedLine(**{**values, "command": Raw(refused.command)})


def _shuffles(store: Store, about: About, conversation: object) -> tuple[list[ShuffleReport], str]:
    """How each shuffle of the round agrees with what the House had committed to; or why that
    cannot be said, such as at a table where a person shuffles."""
    if not about.round or not isinstance(conversation, Table):
        return [], ""
    try:
        return list(check_shuffles(store, about.place, about.round)), ""
    except HouseError as error:
        return [], str(error)


def _dispute(number: int | None, dispute: Dispute | None) -> DisputeLine | None:
    if number is None or dispute is None:
        return None
    settled = dispute.settled
    return DisputeLine(
        dispute=number,
        patron=dispute.patron,
        claim=dispute.claim,
        by=dispute.by,
        at=dispute.at.isoformat(),
        deadline=dispute.deadline.isoformat(),
        settled=msgspec.to_builtins(settled) if settled is not None else None,
    )
