"""All rounds that a player has played: won and lost by game and by session, and as files.

Everything follows from the ledger and the log, also a hand that was folded without a stake.
Whoever asks gets their own rounds and nobody else's; a round under way is not among them.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import IO, TYPE_CHECKING

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from croupier.formats.errors import FormatError
from croupier.formats.export import FORMATS, export_rounds, formats_for, read_log
from croupier.house.archives.file import ArchiveDamaged
from croupier.house.elsewhere import tables_of_player_elsewhere
from croupier.house.queries.dealt import rounds_dealt
from croupier.house.queries.statement import RoundLine, round_lines, tables_of
from croupier.house.replaying import held_rows
from croupier.house.store import Store
from croupier.live.errors import NotAllowed
from croupier.live.json_response import Json
from croupier.live.paths import Path
from croupier.live.requested import NotFound, casino_of
from croupier.live.visits import known
from croupier.live.walks import GoOn, Walks
from croupier.pit.registry import GAMES
from croupier.table import Money, player

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

APART = timedelta(minutes=30)
"""A longer pause between two rounds begins a new session."""
NOT_READABLE = "Some rounds lie in an archive that cannot be read now; the House has been told."
LISTED = 5_000
"""Rounds that are listed, the newest; sums and files are of all."""


class MyRound(Struct, frozen=True, kw_only=True):
    """One round that you have played."""

    at: str
    table: str
    game: str
    round: int
    net: Money
    """What you won, or lost if negative."""


class MySums(Struct, kw_only=True):
    """Some rounds together."""

    of: str
    """The game, or when the session began."""
    until: str = ""
    rounds: int = 0
    won: Money = 0
    """In rounds that brought something."""
    lost: Money = 0
    net: Money = 0


class MyHands(Struct, frozen=True, kw_only=True):
    """All your rounds."""

    rounds: tuple[MyRound, ...]
    """The newest first."""
    unlisted: int
    """Older ones, which are in the sums."""
    total: MySums
    games: tuple[MySums, ...]
    sessions: tuple[MySums, ...]
    """The newest first."""
    formats: tuple[str, ...]
    """In which some of them can be written."""


def _finished(casino: LiveCasino, store: Store, who: str, go_on: GoOn) -> Iterator[RoundLine]:
    """The rounds of a player, without those under way, and without those of somebody else who had
    the name before."""
    tables = casino.house.tables() | dict(tables_of_player_elsewhere(casino.house, store, who))
    under_way = {
        (place, GAMES.port_of(table).round_number(table))
        for place, table in tables.items()
        if table.playing()
    }
    for line in _played(store, who, go_on):
        own = line.round and casino.own_at(who, line.table, line.round) is not None
        if own and (line.table, line.round) not in under_way:
            yield line


def _played(store: Store, who: str, go_on: GoOn) -> Iterator[RoundLine]:
    """The rounds in which a player had a stake, and those that were folded without one."""
    staked = set()
    for line in round_lines(store, who, progress=lambda read: go_on()):
        staked.add((line.table, line.round))
        yield line
    for table in tables_of(store, who):
        for dealt in rounds_dealt(store, table, who, progress=lambda read: go_on()):
            if (table, dealt.round) not in staked:
                yield RoundLine(at=dealt.at, table=table, round=dealt.round)


def _add(sums: MySums, each: MyRound) -> None:
    sums.rounds += 1
    sums.net += each.net
    sums.won += max(each.net, 0)
    sums.lost += max(-each.net, 0)


def _sums(rounds: Iterable[MyRound]) -> tuple[MySums, list[MySums], list[MySums]]:
    """All together, by game, and by session; the rounds come in the order of time."""
    total = MySums(of="all")
    games: dict[str, MySums] = {}
    sessions: list[MySums] = []
    last: datetime | None = None
    for each in rounds:
        at = datetime.fromisoformat(each.at)
        if last is None or at - last > APART:
            sessions.append(MySums(of=each.at))
        last, sessions[-1].until = at, each.at
        for sums in (total, games.setdefault(each.game, MySums(of=each.game)), sessions[-1]):
            _add(sums, each)
    return total, [games[name] for name in sorted(games)], sessions[::-1]


def hands_of(casino: LiveCasino, who: str, go_on: GoOn = lambda: None) -> MyHands:
    """All rounds of a player. Not for the loop: the log is read."""
    places = casino.casino.office.state.places
    books = {
        name: GAMES.load(record.rulebook)
        for name, record in places.items()
        if record.kind == "table"
    }
    with casino.house.reader.as_it_stands() as store:
        rounds = [
            MyRound(
                at=line.at,
                table=line.table,
                game=books[line.table].short,
                round=line.round,
                net=line.net,
            )
            for line in _finished(casino, store, who, go_on)
        ]
    rounds.sort(key=lambda each: each.at)
    total, games, sessions = _sums(rounds)
    played = {each.table for each in rounds}
    kinds = {kind.name for table in played for kind in formats_for(books[table])}
    return MyHands(
        rounds=tuple(rounds[::-1][:LISTED]),
        unlisted=max(0, len(rounds) - LISTED),
        total=total,
        games=tuple(games),
        sessions=tuple(sessions),
        formats=tuple(name for name in FORMATS if name in kinds),
    )


def pack(
    made: IO[bytes], casino: LiveCasino, who: str, form: str, go_on: GoOn = lambda: None
) -> None:
    """Write all rounds of a player in a format, as files in a ZIP archive; what a format cannot
    tell is named in it."""
    kind = FORMATS[form]
    left_out: list[str] = []
    with casino.house.reader.as_it_stands() as store:
        numbers: dict[str, set[int]] = {}
        for line in _finished(casino, store, who, go_on):
            numbers.setdefault(line.table, set()).add(line.round)
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for place, rounds in sorted(numbers.items()):
                rows = _rows(store, place, go_on)
                book, log = read_log(rows)
                if kind not in formats_for(book):
                    continue
                pieces = export_rounds(
                    log,
                    book,
                    form,
                    viewer=player(who),
                    rounds=rounds,
                    room="croupier",
                    left_out=_noting(left_out, place),
                )
                name = place.replace(" ", "-")
                if kind.joins:
                    with archive.open(f"{name}{kind.suffix}", "w", force_zip64=True) as file:
                        for piece in pieces:
                            file.write(piece)
                else:
                    for number, piece in enumerate(pieces, 1):
                        archive.writestr(f"{name}-{number:05}{kind.suffix}", piece)
            if left_out:
                archive.writestr("left-out.txt", "\n".join(left_out) + "\n")


def _rows(store: Store, place: str, go_on: GoOn) -> Iterator[tuple[int, bytes]]:
    for row in held_rows(store, place):
        go_on()
        yield row.position, row.event


def _noting(left_out: list[str], place: str) -> Callable[[int, FormatError], None]:
    """Notes the rounds of a table that a format cannot tell."""
    return lambda number, why: left_out.append(f"{place} {number}: {why}")


def _walks(request: Request) -> Walks:
    found: Walks = request.app.state.walks
    return found


def _me(request: Request) -> str:
    name = known(request, casino_of(request)).name
    if name is None:
        raise NotAllowed("not entered", "Enter under a name first; then there are rounds of yours.")
    return name


async def my_hands(request: Request) -> Response:
    """All rounds that you have played, won and lost by game and session."""
    casino, who = casino_of(request), _me(request)
    try:
        found = await _walks(request).walk(request, who, lambda go_on: hands_of(casino, who, go_on))
    except ArchiveDamaged as error:
        raise NotAllowed("archive", NOT_READABLE) from error
    return Json(found)


async def my_hands_export(request: Request) -> Response:
    """The same as files in a format, in a ZIP archive."""
    casino, who = casino_of(request), _me(request)
    form = request.path_params["format"]
    if form not in FORMATS:
        raise NotFound(f"There is no format {form!r}; there is {', '.join(FORMATS)}.")
    headers = {
        "content-type": "application/zip",
        "content-disposition": f'attachment; filename="my-hands-{form}.zip"',
        "cache-control": "no-store",
    }
    try:
        return await _walks(request).walk_to_file(
            request, who, lambda file, go_on: pack(file, casino, who, form, go_on), headers
        )
    except ArchiveDamaged as error:
        raise NotAllowed("archive", NOT_READABLE) from error


HANDS_PATHS = (
    Path(path="/api/my-hands", does=my_hands, answers=MyHands),
    Path(
        path="/api/my-hands/export/{format}",
        does=my_hands_export,
        answers=str,
        media="application/zip",
    ),
)
