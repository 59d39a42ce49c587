"""PokerStars text, read: a hand from its lines, every chip counted, every line accounted for.

A line that is neither part of the play nor one of the usual remarks (chat, who joins and leaves) is
an error with its number: it might be money. What the format does not state follows from what it
does: who is All-in from the stacks, which Blind was posted dead from the seats. The sums must hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from msgspec import structs

from croupier.cards import Card, CardError
from croupier.formats.errors import FormatError
from croupier.formats.export_sums import check_sums, pots_by_chips
from croupier.formats.hand import Hand, Player
from croupier.formats.ohh_write import KEPT
from croupier.formats.pokerstars_play import AWAY, PlayLines, seat_order
from croupier.formats.pokerstars_pots import PotLines
from croupier.formats.pokerstars_text import (
    NUMBER,
    ROOM,
    SYMBOL,
    Header,
    OtherGame,
    TextHand,
    cents,
    is_header,
    read_header,
    split_text,
)
from croupier.formats.side_data import Beside, decode, from_chat, with_beside

_TABLE = re.compile(
    r"Table '(?P<name>.*)' (?P<size>\d{1,3})-[Mm]ax (?:\((?:Play|Real) Money\) )?"
    r"Seat #(?P<button>\d{1,3}) is the button"
)
_SEAT = re.compile(
    rf"Seat (?P<seat>\d{{1,3}}): (?P<name>.*) \({SYMBOL}(?P<stack>{NUMBER}) in chips\)"
    r"(?P<more>| is sitting out| out of hand \(.*\))"
)
_AGAIN = ("FIRST FLOP", "SECOND FLOP", "FIRST TURN", "SECOND TURN", "FIRST RIVER", "SECOND RIVER")


def read_pokerstars(text: str | bytes) -> Hand:
    """Read the one hand of a text; `FormatError` says what is wrong, and on which line."""
    import io

    data = text.encode() if isinstance(text, str) else text
    found = list(read_text(io.BytesIO(data)))
    if len(found) != 1:
        raise FormatError(f"one hand was expected, there are {len(found)}")
    if isinstance(found[0], FormatError):
        raise found[0]
    return found[0][1]


def read_text(file: BinaryIO) -> Iterator[tuple[TextHand, Hand] | FormatError]:
    """Read the hands of a file one by one; a bad one is an error in its place."""
    for found in split_text(file):
        if isinstance(found, FormatError):
            yield found
            continue
        try:
            yield found, hand_of_text(found)
        except FormatError as error:
            yield error.at(hand=found.number)


def hand_of_text(text: TextHand) -> Hand:
    """The hand that these lines tell."""
    reader = _Reader()
    number = text.line
    try:
        for number, line in enumerate(text.lines, text.line):  # noqa: B007 (the error names it)
            if line.strip():
                reader.line(line)
        return reader.hand()
    except FormatError as error:
        raise error.at(place=f"line {number}") from None
    except CardError as error:
        raise FormatError(str(error), place=f"line {number}") from None


class _Reader:
    """One hand being read, line by line."""

    def __init__(self) -> None:
        self.header: Header | None = None
        self.table: re.Match[str] | None = None
        self.players: dict[int, Player] = {}
        self.away: set[int] = set()
        self.play: PlayLines | None = None
        self.pots = PotLines()
        self.beside: Beside | None = None
        self.in_summary = False
        self.in_hand: set[int] = set()
        self.mucked: dict[int, tuple[Card, ...]] = {}

    def line(self, line: str) -> None:
        """Take in the next line."""
        if self.header is None:
            self.header = read_header(line)
        elif self.table is None:
            self.table = _TABLE.fullmatch(line.strip())
            if self.table is None:
                raise FormatError("the second line names the table and the seat of the button")
        elif self.play is None and (seat := _SEAT.fullmatch(line.strip())) is not None:
            self._seat(seat)
        elif self.in_summary:
            self._summary(line)
        elif line.strip() == "*** SUMMARY ***":
            self.in_summary = True
        else:
            self._played(line)

    def _seat(self, found: re.Match[str]) -> None:
        seat, name = int(found["seat"]), found["name"].strip()
        if seat in self.players:
            raise FormatError(f"two players at seat {seat}")
        if any(player.name == name for player in self.players.values()):
            raise FormatError(f"two players are called {name!r}")
        self.players[seat] = Player(seat=seat, name=name, stack=cents(found["stack"]))
        if found["more"]:
            self.away.add(seat)

    def _played(self, line: str) -> None:
        if self.play is None:
            assert self.header is not None
            assert self.table is not None
            self.play = PlayLines(self.players, self.header.big, int(self.table["button"]))
        ours = from_chat(line)
        if ours is not None and all(p.name != "croupier" for p in self.players.values()):
            self.beside = decode(ours, "")
            return
        if any(line.startswith(f"*** {word} ***") for word in _AGAIN):
            raise OtherGame("the board was run more than once")
        if not self.pots.collected(line, self.play.names):
            self.play.line(line)

    # -- the summary -----------------------------------------------------------------------------

    def _summary(self, line: str) -> None:
        if self.pots.total(line):
            return
        if line.startswith("Hand was run"):
            raise OtherGame("the board was run more than once")
        if line.startswith("Board ["):
            return
        found = re.match(r"Seat (\d{1,3}): ", line)
        if found is None:
            if is_aside_of_summary(line):
                return
            raise FormatError(f"{line.strip()[:60]!r} is no line of a summary")
        seat = int(found[1])
        player = self.players.get(seat)
        if player is None or not line[found.end() :].startswith(player.name):
            raise FormatError(f"the summary names somebody at seat {seat} who does not sit there")
        self.in_hand.add(seat)
        fate = line[found.end() + len(player.name) :]
        cards = re.search(r" (?:mucked|showed) \[([^\]]+)\]", fate)
        if cards is not None:
            self.mucked[seat] = tuple(Card(word) for word in cards[1].split())

    # -- the hand --------------------------------------------------------------------------------

    def hand(self) -> Hand:
        """The hand, when all lines were read."""
        header, table, play = self.header, self.table, self.play
        if header is None or table is None or play is None:
            raise FormatError("the hand ends before anything was played")
        if not self.in_summary:
            raise FormatError("the hand ends without a summary: it is not whole")
        seats = play.acted | self.in_hand
        if not 2 <= len(seats) <= 10:
            raise FormatError(f"{len(seats)} players took part; hold'em is for 2 to 10")
        button = int(table["button"])
        order = seat_order(seats, button)
        hand = Hand(
            number=int(header.number) if len(header.number) < 19 else header.number,
            room=ROOM,
            table=table["name"],
            time=header.time,
            currency=header.currency,
            symbol=header.symbol,
            seats=int(table["size"]),
            players=tuple(self._player(play, seat) for seat in order),
            button=button,
            small_blind=header.small,
            big_blind=header.big,
            posts=play.posts(order, button, header.small),
            streets=tuple(play.streets),
            uncalled=tuple(play.uncalled),
            extra=self._extra(play, seats, header),
        )
        hand = self._with_pots(hand)
        return hand if self.beside is None else with_beside(hand, self.beside)

    def _player(self, play: PlayLines, seat: int) -> Player:
        cards = play.cards.get(seat, ()) or self.mucked.get(seat, ())
        cards += (Card.UNKNOWN,) * (2 - len(cards)) if cards else ()
        return structs.replace(self.players[seat], cards=cards)

    def _extra(self, play: PlayLines, seats: set[int], header: Header) -> dict[str, object]:
        extra: dict[str, object] = {}
        if len(play.dealt) == 1:
            [hero] = play.dealt
            extra[KEPT] = {"hero_player_id": hero, "flags": []}
        away = [player for seat, player in sorted(self.players.items()) if seat not in seats]
        if away:
            extra[AWAY] = [
                {"seat": player.seat, "name": player.name, "cents": player.stack} for player in away
            ]
        if header.zone:
            extra["time_zone_abbreviation"] = header.zone
        return extra

    def _with_pots(self, hand: Hand) -> Hand:
        pots = self.pots.pots(pots_by_chips(hand))
        hand = structs.replace(
            hand,
            pots=pots,
            rake=self.pots.rake,
            winnings_hold_uncalled=False,
            players=tuple(
                structs.replace(p, winnings=sum(pot.wins.get(p.seat, 0) for pot in pots))
                for p in hand.players
            ),
        )
        check_sums(hand)
        return hand


def is_aside_of_summary(line: str) -> bool:
    """Whether a line of the summary is a remark."""
    return line.strip().startswith("*") and not is_header(line)
