"""Open Hand History, versions 1.x, read: the JSON that rooms, trackers and converters write.

Others write it with small differences: identifiers that are texts, an empty text for no cards,
action numbers that begin anew on each street, players who sit out. What was uncalled is not stated;
it follows from the bets, and the sums must hold. Several hands stand in one file, with or without a
blank line between them.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

import msgspec
from msgspec import Struct, structs

from croupier.formats.errors import FormatError
from croupier.formats.export_sums import check_sums, put_in, uncalled_of
from croupier.formats.hand import Hand, Player, Pot, Ruling
from croupier.formats.ohh_json import Node
from croupier.formats.ohh_play import Play
from croupier.formats.ohh_write import KEPT, OURS, PLAY_MONEY, SITE
from croupier.formats.side_data import Beside, with_beside

LONGEST = 2_000_000
"""A limit on everything: a hand of more characters than this is not read."""

_NO_CURRENCY = ("", PLAY_MONEY, "PPC", "CHIPS")
_NAMED = frozenset(
    (
        "spec_version",
        "internal_version",
        "game_type",
        "game_number",
        "start_date_utc",
        "table_name",
        "site_name",
        "bet_limit",
        "table_size",
        "currency",
        "dealer_seat",
        "small_blind_amount",
        "big_blind_amount",
        "ante_amount",
        "hero_player_id",
        "flags",
        "players",
        "rounds",
        "pots",
        OURS,
    )
)
"""The fields that `Hand` has names for, or that are always the same."""


class OtherGame(FormatError):
    """The hand is readable, but it is no no-limit hold'em on one board."""


# -- a file ----------------------------------------------------------------------------------------


def read_ohhs(text: bytes | str, source: str = "") -> Iterator[Hand | FormatError]:
    """Read the hands of an `.ohh` file one by one; a bad one is an error in its place."""
    try:
        whole = text.decode("utf-8-sig") if isinstance(text, bytes) else text
    except UnicodeDecodeError as error:
        yield FormatError(f"not UTF-8 text: byte {error.start}", source=source)
        return
    for number, found in enumerate(_objects(whole), 1):
        try:
            yield _hand(found)
        except FormatError as error:
            yield error.at(source=source, hand=str(number))


def _objects(text: str) -> Iterator[Any]:
    """The objects of a file, or what is wrong with one; after a broken one it goes on at the next
    line that begins an object.

    A decoder that fails counts the lines of all that it was given, so it is given no more than it
    needs: else a file full of broken hands would take a time that grows with its square.
    """
    place, line = 0, 1
    while place < len(text):
        stop = _next_object(text, place)
        piece = text[place:stop]
        for found in _in_piece(piece):
            if found is _RAN_OUT and stop < len(text):
                # Objects within it begin their lines as well: take in as much as a hand may have.
                stop = place + LONGEST
                piece = text[place:stop]
                found, used = _whole(piece)
                stop = place + used if used else _next_object(text, place)
            if isinstance(found, _Broken):
                begins = line + piece.count("\n", 0, found.place)
                found = FormatError(f"{found.says} (the object begins on line {begins})")
            yield found
        line += text.count("\n", place, stop)
        place = stop


def _next_object(text: str, place: int) -> int:
    """Where the next line begins that begins an object, or else the text ends."""
    after = text.find("\n{", place + 1)
    return after if after >= 0 else len(text)


class _Broken(Struct, frozen=True):
    """What cannot be decoded, and where in its piece it begins."""

    says: str
    place: int


_RAN_OUT = _Broken("not JSON: the text ends within the object", 0)


def _in_piece(piece: str) -> Iterator[Any]:
    """The objects of a piece of text that begins with one."""
    place, end = 0, len(piece.rstrip())
    while place < end:
        if piece[place] in _BETWEEN:
            place += 1
            continue
        try:
            found, after = _DECODER.raw_decode(piece, place)
        except FormatError as error:
            yield error
            return
        except (ValueError, RecursionError, InvalidOperation) as error:
            ran_out = isinstance(error, json.JSONDecodeError) and error.pos >= end
            first = not piece[:place].strip(_BETWEEN)
            says = f"not JSON: {str(error)[:200]}"
            yield _RAN_OUT if ran_out and first else _Broken(says, place)
            return
        yield _too_long(after - place) if after - place > LONGEST else found
        place = after


def _whole(piece: str) -> tuple[Any, int]:
    """The first object of a piece, and where it ends; 0 if it cannot be decoded."""
    place = len(piece) - len(piece.lstrip(_BETWEEN))
    try:
        return _DECODER.raw_decode(piece, place)
    except FormatError as error:
        return error, 0
    except (ValueError, RecursionError, InvalidOperation) as error:
        return _Broken(f"not JSON: {str(error)[:200]}", place), 0


def _too_long(length: int) -> FormatError:
    return FormatError(f"a hand has at most {LONGEST:,} characters, not {length:,}")


# -- one hand --------------------------------------------------------------------------------------


def read_ohh(text: bytes | str) -> Hand:
    """Read one hand; `FormatError` says what is wrong, and where."""
    if len(text) > LONGEST:
        raise _too_long(len(text))
    found = list(read_ohhs(text))
    if len(found) != 1:
        raise FormatError(f"one hand was expected, there are {len(found)}")
    if isinstance(found[0], FormatError):
        raise found[0]
    return found[0]


def _hand(found: Any) -> Hand:
    if isinstance(found, FormatError):
        raise found
    if isinstance(found, dict) and "ohh" not in found and "rounds" in found:
        found = {"ohh": found}  # some leave the root out
    return _Reader(Node(found, "").child("ohh")).hand()


def _no_constant(name: str) -> NoReturn:
    raise FormatError(f"{name} is no number of this format")


_BETWEEN = " \t\r\n,[]\ufeff"
"""What may stand between objects; some write a list of them."""
_DECODER = json.JSONDecoder(parse_float=Decimal, parse_constant=_no_constant)


class _Reader:
    """One hand being read."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.kept: dict[str, Any] = {
            key: value for key, value in node.value.items() if key not in _NAMED
        }

    def hand(self) -> Hand:
        """The hand, by the specification: an amount is what an action put in.

        Some write the player's total instead. That is believed only where the sums of the pots
        prove it and contradict the specification.
        """
        self._check_game()
        self._tidy()
        try:
            return self._hand(totals=False)
        except FormatError as error:
            if self.node.value.get("pots"):
                with contextlib.suppress(FormatError):
                    return self._hand(totals=True)
            raise error from None

    def _tidy(self) -> None:
        """Leave out of what is kept what is written again by itself."""
        if self.kept.get("network_name") == self.node.value.get("site_name"):
            self.kept.pop("network_name", None)
        if not self.kept.get("tournament"):
            self.kept.pop("tournament", None)

    def _hand(self, *, totals: bool) -> Hand:
        node = self.node
        play = Play(self._players(), node, totals=totals)
        seats = play.read(node.children("rounds", 50))
        button = node.whole("dealer_seat", 0, 1_000)
        order = sorted(seats, key=lambda seat: (seat <= button, seat))
        small, big = self._blinds(play)
        room = node.text("site_name")
        hero = self._hero(play)
        hand = Hand(
            number=node.text("game_number"),
            room="" if room == SITE else room,
            table=node.text("table_name"),
            time=self._time(),
            currency=self._currency(),
            seats=self._size(),
            players=tuple(play.player(seat) for seat in order),
            button=button,
            small_blind=small,
            big_blind=big,
            posts=tuple(play.posts_of(order, button)),
            streets=tuple(play.streets),
        )
        hand = self._with_pots(hand, play)
        return self._with_ours(hand, {**self.kept, **hero})

    def _blinds(self, play: Play) -> tuple[int, int]:
        """The Blinds as stated, or else as they were posted."""
        found = []
        for name, kind in (
            ("small_blind_amount", "small blind"),
            ("big_blind_amount", "big blind"),
        ):
            posted = [post.amount for post in play.posts if post.kind == kind]
            found.append(self.node.cents(name) or max(posted, default=0))
        small, big = found
        if big <= 0 or not 0 <= small <= big:
            self.node.fail("big_blind_amount", "the table has no Blinds that could be")
        return small, big

    def _check_game(self) -> None:
        node = self.node
        version = node.text("spec_version")
        if version and version.split(".")[0] != "1":
            node.fail("spec_version", f"version {version[:40]} is unknown; this reader knows 1.x")
        game = node.text("game_type").replace("'", "").replace(" ", "").lower()
        if game not in ("holdem", "texasholdem"):
            raise OtherGame(
                f"{node.text('game_type')[:40]!r} is no hold'em", place=node.at("game_type")
            )
        if isinstance(node.value.get("bet_limit"), dict):
            limit = node.child("bet_limit")
            kind = limit.text("bet_type").upper()
            if kind not in ("", "NL"):
                raise OtherGame(f"{kind[:40]!r} is not no-limit", place=limit.at("bet_type"))
        flags = node.value.get("flags")
        if isinstance(flags, list) and "Run_It_Twice" in flags:
            raise OtherGame("the board was run more than once", place=node.at("flags"))

    def _players(self) -> dict[str, Player]:
        """The players by their identifiers; who sits out is not in the hand."""
        found: dict[str, Player] = {}
        for node in self.node.children("players", 100):
            if node.value.get("is_sitting_out") is True:
                continue
            key = node.key("id")
            seat = node.whole("seat", 0, 1_000)
            if key in found:
                node.fail("id", f"player {key[:40]} is there twice")
            if any(player.seat == seat for player in found.values()):
                node.fail("seat", f"two players at seat {seat}")
            stack = node.cents("starting_stack")
            if stack < 0:
                node.fail("starting_stack", "a stack is not negative")
            # Some give the Hole Cards with the player, not as an action.
            cards = node.cards("cards")
            found[key] = Player(seat=seat, name=node.text("name"), stack=stack, cards=cards)
        return found

    def _hero(self, play: Play) -> dict[str, Any]:
        """The hero by his seat, which is his identifier where we write; and the flags, unless they
        follow from there being none."""
        player = play.by_key.get(str(self.node.value.get("hero_player_id")))
        flags = self.node.value.get("flags") or []
        if player is None:
            return {} if flags in ([], ["Observed"]) else {"flags": flags}
        return {"hero_player_id": player.seat, "flags": flags}

    def _time(self) -> datetime | None:
        text = self.node.text("start_date_utc")
        if not text:
            return None
        try:
            when = datetime.fromisoformat(text.strip())
        except ValueError:
            self.node.fail("start_date_utc", f"{text[:40]!r} is no date and time")
        return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)

    def _currency(self) -> str:
        currency = self.node.text("currency")
        return "" if currency.upper() in _NO_CURRENCY else currency

    def _size(self) -> int | None:
        value = self.node.value.get("table_size")
        return None if value in (None, "", 0) else self.node.whole("table_size", 1, 1_000)

    # -- the money -------------------------------------------------------------------------------

    def _with_pots(self, hand: Hand, play: Play) -> Hand:
        nodes = self.node.children("pots", 100)
        if not nodes:
            return hand
        pots = []
        for node in nodes:
            wins: dict[int, int] = {}
            for won in node.children("player_wins", 100):
                seat = play.seat_of(won)
                amount = won.cents("win_amount")
                if amount < 0:
                    won.fail("win_amount", "nobody wins less than nothing")
                if amount:
                    wins[seat] = wins.get(seat, 0) + amount
            # What a room takes for a jackpot of its own leaves the pot as the Rake does.
            rake = node.cents("rake") + node.cents("jackpot")
            pots.append(Pot(amount=node.cents("amount"), rake=rake, wins=wins))
        hand = structs.replace(
            hand,
            pots=tuple(pots),
            uncalled=uncalled_of(hand),
            rake=sum(pot.rake for pot in pots),
            winnings_hold_uncalled=False,
        )
        hand = self._add_up(hand)
        return structs.replace(
            hand,
            players=tuple(
                structs.replace(
                    player, winnings=sum(pot.wins.get(player.seat, 0) for pot in hand.pots)
                )
                for player in hand.players
            ),
        )

    def _add_up(self, hand: Hand) -> Hand:
        """Some count an uncalled bet as put in and won; then it is taken out of both."""
        put = sum(put_in(hand).values())
        if hand.uncalled and put == sum(pot.amount for pot in hand.pots):
            for back in hand.uncalled:
                hand = self._not_won(hand, back.seat, back.amount)
        try:
            check_sums(hand)
        except FormatError as error:
            error.place = self.node.at(error.place)
            raise
        return hand

    def _not_won(self, hand: Hand, seat: int, amount: int) -> Hand:
        for number, pot in reversed(list(enumerate(hand.pots))):
            won = pot.wins.get(seat, 0)
            if won >= amount:
                less = structs.replace(
                    pot, amount=pot.amount - amount, wins={**pot.wins, seat: won - amount}
                )
                pots = (*hand.pots[:number], less, *hand.pots[number + 1 :])
                return structs.replace(hand, pots=pots)
        return hand

    # -- our own ---------------------------------------------------------------------------------

    def _with_ours(self, hand: Hand, kept: dict[str, Any]) -> Hand:
        ours = self.node.value.get(OURS)
        if not isinstance(ours, dict):
            return structs.replace(hand, extra={KEPT: kept} if kept else {})
        try:
            found = msgspec.convert(ours, _Ours, strict=False)
        except msgspec.ValidationError as error:
            raise FormatError(str(error), place=self.node.at(OURS)) from error
        extra = dict(found.extra)
        if kept:
            extra[KEPT] = kept
        hand = structs.replace(
            hand,
            number=found.number if found.rulebook else hand.number,
            symbol=found.symbol,
            rulebook=found.rulebook,
            policies=found.policies,
            cites=found.cites,
            rulings=found.rulings,
            restarts=found.restarts,
            extra=extra,
        )
        return hand if found.beside is None else with_beside(hand, found.beside)


class _Ours(Struct):
    """What we write beside the fields of the format."""

    number: int | str = ""
    rulebook: str = ""
    policies: dict[str, str] = {}
    cites: tuple[str, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    restarts: int = 0
    symbol: str = ""
    extra: dict[str, Any] = {}
    beside: Beside | None = None
