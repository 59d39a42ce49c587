"""PHH, the Poker Hand History format: a no-limit hold'em hand from its fields.

The format counts players `p1`, `p2` and so on from the left of the button; heads-up `p1` is the
Big Blind, and the two entries of `blinds_or_straddles` stand the other way round. Its amounts are
units with decimals. Fields with a leading underscore are free: ours are in `phh_own`. Every field
that `Hand` has no name for is kept in `extra` and written again (`phh_write`).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, BinaryIO
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from croupier.formats.errors import FormatError
from croupier.formats.hand import Hand, Player, Post, PostKind
from croupier.formats.phh_actions import cents
from croupier.formats.phh_own import BESIDE, OWN, posts_of, read_own
from croupier.formats.phh_play import Play
from croupier.formats.phh_text import BrokenHand, RawHand, fields_of, split_hands
from croupier.formats.side_data import decode, with_beside

PLAYERS = 10
"""The most Players that a table of either book has."""
VARIANT = "NT"

_TAKEN = frozenset(
    (
        "variant",
        "antes",
        "blinds_or_straddles",
        "min_bet",
        "starting_stacks",
        "actions",
        "venue",
        "hand",
        "table",
        "seats",
        "seat_count",
        "players",
        "finishing_stacks",
        "winnings",
        "currency",
        "currency_symbol",
        *OWN,
        BESIDE,
    )
)
"""The fields that `Hand` has names for."""


class OtherGame(FormatError):
    """The hand is readable, but it is no no-limit hold'em."""


def read_phh(text: bytes, source: str = "") -> Hand:
    """Read the one hand of a `.phh` file."""
    import io

    hands = list(read_hands(io.BytesIO(text), source))
    if len(hands) != 1:
        raise FormatError(f"one hand was expected, there are {len(hands)}", source=source)
    if isinstance(hands[0], FormatError):
        raise hands[0]
    return hands[0]


def read_hands(file: BinaryIO, source: str = "") -> Iterator[Hand | FormatError]:
    """Read the hands of a `.phh` or `.phhs` file one by one; a bad one is an error in its place."""
    for raw in split_hands(file):
        try:
            yield read_raw(raw)
        except FormatError as error:
            yield error.at(source=source)


def read_raw(raw: RawHand | BrokenHand) -> Hand:
    """Read one hand that `split_hands` found."""
    if isinstance(raw, BrokenHand):
        raise raw.error
    try:
        return hand_of(fields_of(raw))
    except FormatError as error:
        raise error.at(hand=raw.name) from None


def hand_of(fields: dict[str, Any]) -> Hand:
    """The hand that these fields tell."""
    variant = fields.get("variant")
    if variant is None:
        raise FormatError("the field is missing; a hand begins with it", place="variant")
    if variant != VARIANT:
        raise OtherGame(f"{variant!r} is no no-limit hold'em ('{VARIANT}')", place="variant")
    for name in ("blinds_or_straddles", "min_bet", "starting_stacks", "actions"):
        if name not in fields:
            raise FormatError("the field is missing", place=name)
    raw_stacks = _list(fields, "starting_stacks")
    count = len(raw_stacks)
    if not 2 <= count <= PLAYERS:
        raise FormatError(
            f"{count} players; hold'em is for 2 to {PLAYERS}", place="starting_stacks"
        )
    stacks = _amounts(raw_stacks, "starting_stacks", count)
    for stack in stacks:
        if stack is not None and stack <= 0:
            raise FormatError("a player without chips", place="starting_stacks")
    extra = {key: value for key, value in fields.items() if key not in _TAKEN}
    seats = _seats(fields, count, extra)
    big = cents(fields["min_bet"], "min_bet")
    if big <= 0:
        raise FormatError("the smallest bet is more than nothing", place="min_bet")
    blinds = _Blinds(fields, count, big, seats, stacks, extra)
    play = Play(seats, list(stacks), blinds.put, blinds.live, blinds.price)
    streets = play.read(_list(fields, "actions"))
    if play.unusual:
        extra["actions"] = fields["actions"]
    own = read_own(fields, play.placed, extra)
    finishing = _stated(fields, "finishing_stacks", count)
    winnings = _stated(fields, "winnings", count)
    names = _names(fields, count)
    players = tuple(
        [
            Player(
                seat=seats[i],
                name=names[i],
                stack=stacks[i],
                finishing=finishing[i],
                winnings=winnings[i],
                cards=play.cards[i],
                note=play.notes[i],
            )
            for i in range(count)
        ]
    )
    hand = Hand(
        number=_word(fields, "hand", numbers=True),
        room=_word(fields, "venue"),
        table=_table(fields, extra),
        time=_time(fields),
        currency=_word(fields, "currency"),
        symbol=_word(fields, "currency_symbol"),
        seats=_seat_count(fields),
        players=players,
        button=own.pop("button", None) or blinds.button,
        small_blind=blinds.small,
        big_blind=big,
        posts=tuple(blinds.posts),
        streets=play.with_cites(streets, own.pop("citations", None)),
        extra=extra,
        **own,
    )
    if BESIDE in fields:
        return with_beside(hand, decode(_word(fields, BESIDE), BESIDE))
    return hand


# -- single fields -----------------------------------------------------------------------------


def _list(fields: dict[str, Any], name: str, count: int | None = None) -> list[Any]:
    value = fields[name]
    if not isinstance(value, list):
        raise FormatError("a list is expected", place=name)
    if count is not None and len(value) != count:
        raise FormatError(f"{len(value)} entries for {count} players", place=name)
    return value


def _amounts(values: list[Any], name: str, count: int) -> list[int | None]:
    """Amounts in cents; `inf` is what the format writes for a stack that nobody noted."""
    found: list[int | None] = []
    for value in values:
        if type(value) is int and -(10**13) < value < 10**13:
            found.append(value * 100)
        elif isinstance(value, Decimal) and value.is_infinite() and value > 0:
            found.append(None)
        else:
            found.append(cents(value, name))
    return found


def _stated(fields: dict[str, Any], name: str, count: int) -> list[int | None]:
    if name not in fields:
        return [None] * count
    return _amounts(_list(fields, name, count), name, count)


def _seats(fields: dict[str, Any], count: int, extra: dict[str, Any]) -> list[int]:
    plain = list(range(1, count + 1))
    if "seats" not in fields:
        return plain
    seats = _list(fields, "seats", count)
    for seat in seats:
        if type(seat) is not int or not 1 <= seat <= 1_000:
            raise FormatError(f"{str(seat)[:40]!r} is no seat", place="seats")
    if len(set(seats)) != count:
        raise FormatError("two players at one seat", place="seats")
    if seats == plain:
        extra["seats"] = seats  # stated although it goes without saying
    return seats


def _names(fields: dict[str, Any], count: int) -> list[str]:
    if "players" not in fields:
        return [""] * count
    names = _list(fields, "players", count)
    for name in names:
        if not isinstance(name, str):
            raise FormatError("a name is a text", place="players")
    return names


def _word(fields: dict[str, Any], name: str, *, numbers: bool = False) -> Any:
    value = fields.get(name, "")
    if isinstance(value, str) or (numbers and type(value) is int):
        return value
    raise FormatError("a text is expected", place=name)


def _table(fields: dict[str, Any], extra: dict[str, Any]) -> str:
    """The table's name; one that is a number is kept as such, too."""
    value = fields.get("table", "")
    if type(value) is int and abs(value) < 10**18:
        extra["table"] = value
        return str(value)
    return _word(fields, "table")  # type: ignore[no-any-return]


def _seat_count(fields: dict[str, Any]) -> int | None:
    value = fields.get("seat_count")
    if value is None or (type(value) is int and 2 <= value <= 1_000):
        return value
    raise FormatError("a number of seats is expected", place="seat_count")


def _time(fields: dict[str, Any]) -> datetime | None:
    """When it began, if the fields give a whole date; they themselves stay in `extra`."""
    year = fields.get("year")
    if year is None:
        return None
    at = fields.get("time", time())
    try:
        month, day = fields["month"], fields["day"]
        when = datetime.combine(date(year, month, day), at)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    zone = fields.get("time_zone")
    if isinstance(zone, str):
        try:
            return when.replace(tzinfo=ZoneInfo(zone))
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return when
    return when


# -- Blinds, straddles and other posts ---------------------------------------------------------


class _Blinds:
    """What `antes` and `blinds_or_straddles` say: who posted what, and as what.

    Where the Blinds themselves are short because somebody had no more, or missing, the table's
    Blinds follow from `min_bet`.
    """

    def __init__(
        self,
        fields: dict[str, Any],
        count: int,
        big: int,
        seats: list[int],
        stacks: list[int | None],
        extra: dict[str, Any],
    ) -> None:
        self.posts: list[Post] = []
        self.live = [0] * count
        self.put = [0] * count
        self.seats, self.stacks = seats, stacks
        self.price = big
        self.button = seats[-1]
        self.small = big // 2
        raw = _amounts(_list(fields, "blinds_or_straddles", count), "blinds_or_straddles", count)
        values = [_finite(value, "blinds_or_straddles") for value in raw]
        if count == 2:
            values.reverse()
        self._antes(fields, count)
        if any(value < 0 for value in values):
            # Dead or late posts, which the format cannot tell apart: kept as they stand.
            extra["blinds_or_straddles"] = fields["blinds_or_straddles"]
            extra["min_bet"] = fields["min_bet"]
        self._post_all(values, count, big)
        stated = posts_of(fields)
        if stated is not None:
            self._as_stated(stated, count, big)

    def _as_stated(self, stated: tuple[Post, ...], count: int, big: int) -> None:
        """A hand of ours says itself who posted what, and as what; the sums must be the same."""
        sums = list(self.put)
        self.posts, self.live, self.put = [], [0] * count, [0] * count
        for post in stated:
            if post.seat not in self.seats:
                raise FormatError(f"a post of seat {post.seat}, which is not there", place="_posts")
            self._post(self.seats.index(post.seat), post.kind, post.amount, dead=post.dead)
        if self.put != sums:
            says = "the posts are not those of antes and blinds_or_straddles"
            raise FormatError(says, place="_posts")
        self.price = max(big, *self.live)

    def _antes(self, fields: dict[str, Any], count: int) -> None:
        if "antes" not in fields:
            return
        for i, ante in enumerate(_amounts(_list(fields, "antes", count), "antes", count)):
            if ante:
                self._post(i, "ante", _finite(ante, "antes"), dead=True)

    def _post_all(self, values: list[int], count: int, big: int) -> None:
        if count == 2:
            # `values` are p1's and p2's own now: usually the Big Blind and the Small Blind.
            small, big_at = (1, 0) if values[0] >= values[1] else (0, 1)
            self.button = self.seats[small]
        else:
            small, big_at = 0, 1
            if values[0] == big and values[1] < big and not self._has_only(1, values[1]):
                small, big_at = -1, 0  # nobody is there to post the Small Blind
        if small >= 0 and 0 < values[small] < big and not self._has_only(small, values[small]):
            self.small = values[small]
        first = [i for i in (small, big_at) if i >= 0]
        for i in (*first, *(i for i in range(count) if i not in first)):
            value = values[i]
            if not value:
                continue
            kind: PostKind = "post"
            dead = False
            if i == big_at:
                kind = "big blind"
            elif i == small and value <= self.small:
                kind = "small blind"
            elif count > 2 and i == (big_at + 1) % count and value > big + self.small:
                kind = "straddle"
                self.price = max(self.price, value)
            elif value == big + self.small:
                # To come in after missing both: one Blind live, one dead.
                self._post(i, "post", big)
                self._post(i, "post", self.small, dead=True)
                continue
            elif value == self.small:
                dead = True
            self._post(i, kind, abs(value), dead=dead)

    def _has_only(self, i: int, amount: int) -> bool:
        """Whether a post took all that a player had."""
        return 0 < amount == self.stacks[i]

    def _post(self, i: int, kind: PostKind, amount: int, *, dead: bool = False) -> None:
        stack = self.stacks[i]
        self.put[i] += amount
        if not dead:
            self.live[i] += amount
        self.posts.append(
            Post(
                seat=self.seats[i],
                kind=kind,
                amount=amount,
                dead=dead,
                all_in=stack is not None and self.put[i] >= stack,
            )
        )


def _finite(value: int | None, name: str) -> int:
    if value is None:
        raise FormatError("inf is no amount", place=name)
    return value
