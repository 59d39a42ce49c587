"""PokerStars-style text, written: what trackers read that know nothing else.

Each hand: header, table and seats, posts, Hole Cards of the player for whom it is written, the four
streets, what nobody called, the showdown, and a summary with the pots after the Rake. Amounts are
units with the symbol of the currency, `$5` or `$2.50`; without a currency they are plain chips.

The header names a currency only where trackers know it by its code: they refuse a hand in AUD, and
take one in `$`. The code itself then stands in a line of chat, which our own reader takes in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import UTC

from croupier.cards import Card
from croupier.formats.errors import FormatError
from croupier.formats.export_sums import as_counted
from croupier.formats.hand import Act, Hand, Player, Post
from croupier.formats.pokerstars_play import AWAY
from croupier.formats.pokerstars_summary import made, pot_titles, shown_cards, summary
from croupier.formats.pokerstars_text import eastern_zone
from croupier.formats.side_data import Beside, chat_line


def write_pokerstars(hand: Hand, hero: int | None = None, beside: Beside | None = None) -> str:
    """A hand as text. `hero` is the seat of the player for whom it is written; `beside` is what the
    format has no word for, and goes into a line of chat.

    In a file hands are separated by two blank lines.
    A hand without a result, a void one, or one with too many cards has no place in a tracker and
    is an error.
    """
    try:
        return "\n".join(_Text(as_counted(hand), hero, beside).lines()) + "\n"
    except FormatError as error:
        raise error.at(hand=str(hand.number)) from None


def hand_id(hand: Hand) -> str:
    """The number that a tracker knows a hand by.

    Rounds are counted anew at each table, so a hand of ours has a number made of its table, round
    and time: 18 digits, the same whenever it is written.
    """
    if not hand.rulebook and str(hand.number).isdecimal():
        return str(hand.number)
    told = f"{hand.room}/{hand.table}/{hand.time}/{hand.number}"
    digest = hashlib.sha256(told.encode()).digest()
    return str(10**17 + int.from_bytes(digest[:16], "big") % (9 * 10**17))


class _Text:
    """The lines of one hand."""

    def __init__(self, hand: Hand, hero: int | None, beside: Beside | None) -> None:
        self.hand = hand
        self.hero = hero
        self.beside = beside
        if beside is None and hand.currency and hand.currency not in TRACKED:
            self.beside = Beside(currency=hand.currency)
        self.names = _names(hand.players)
        self.symbol = hand.symbol or _SYMBOLS.get(hand.currency, "")
        if hero is not None and hero not in self.names:
            raise FormatError(f"seat {hero} was not dealt in and cannot be the hero", place="hero")

    def money(self, cents: int) -> str:
        """`$5`, `$2.50`, or `5` where the chips are no currency."""
        units, rest = divmod(cents, 100)
        return f"{self.symbol}{units}.{rest:02}" if rest else f"{self.symbol}{units}"

    def lines(self) -> Iterator[str]:
        hand = self.hand
        yield self._header()
        size = hand.seats if hand.seats is not None else max([*self.names, hand.button])
        table = _line(hand.table or "croupier")
        yield f"Table '{table}' {size}-max Seat #{hand.button} is the button"
        for player in sorted(hand.players, key=lambda p: p.seat):
            if player.stack is None:
                raise FormatError(
                    "the record does not say how many chips this player had",
                    place=f"seat {player.seat}",
                )
            chips = self.money(player.stack)
            yield f"Seat {player.seat}: {self.names[player.seat]} ({chips} in chips)"
        for away in hand.extra.get(AWAY, ()):
            name, chips = _line(away["name"]), self.money(away["cents"])
            yield f"Seat {away['seat']}: {name} ({chips} in chips) is sitting out"
        yield from self._posts()
        yield "*** HOLE CARDS ***"
        cards = () if self.hero is None else hand.player(self.hero).cards
        if self.hero is not None and cards and Card.UNKNOWN not in cards:
            # Whoever never looked has cards that nobody knows, and no line.
            yield f"Dealt to {self.names[self.hero]} [{_cards(cards)}]"
        yield from self._streets()
        yield from self._showdown()
        if self.beside is not None:
            yield chat_line(self.beside)
        yield from summary(hand, self.names, self.money)

    def _header(self) -> str:
        hand = self.hand
        small, big = hand.small_blind, hand.big_blind
        if small % 100 or big % 100:
            blinds = "/".join(
                f"{self.symbol}{cents // 100}.{cents % 100:02}" for cents in (small, big)
            )
        else:
            blinds = f"{self.money(small)}/{self.money(big)}"
        currency = f" {hand.currency}" if hand.currency in TRACKED else ""
        return (
            f"PokerStars Hand #{hand_id(hand)}:  Hold'em No Limit ({blinds}{currency}) - "
            f"{self._time()}"
        )

    def _time(self) -> str:
        """The time in UTC with Eastern Time in brackets; one without a zone stands as Eastern."""
        when = self.hand.time
        if when is None:
            raise FormatError("nobody noted when the hand began", place="time")
        if when.tzinfo is None:
            return f"{when:%Y/%m/%d %H:%M:%S} ET"
        eastern = when.astimezone(eastern_zone())
        utc = when.astimezone(UTC)
        return f"{utc:%Y/%m/%d %H:%M:%S} UTC [{eastern:%Y/%m/%d %H:%M:%S} ET]"

    # -- what was done -----------------------------------------------------------------------

    def _posts(self) -> Iterator[str]:
        hand = self.hand
        posts = list(hand.posts)
        while posts:
            post = posts.pop(0)
            name = self.names[post.seat]
            amount, all_in = post.amount, post.all_in
            what: str = post.kind
            if post.kind == "ante":
                what = "the ante"
            elif post.kind == "post":
                what = "small blind" if post.dead else "big blind"
                beside = next((p for p in posts if _beside(p, post)), None)
                if beside is not None:
                    posts.remove(beside)
                    what = "small & big blinds"
                    amount, all_in = amount + beside.amount, all_in or beside.all_in
            yield f"{name}: posts {what} {self.money(amount)}{_all_in(all_in)}"

    def _streets(self) -> Iterator[str]:
        hand = self.hand
        board: tuple[Card, ...] = ()
        for number, street in enumerate(hand.streets):
            if number:
                laid = f"[{_cards(board)}] " if board else ""
                yield f"*** {street.name.upper()} *** {laid}[{_cards(street.cards)}]"
                board += street.cards
            bets: dict[int, int] = {}
            if number == 0:
                for post in hand.posts:
                    if not post.dead:
                        bets[post.seat] = bets.get(post.seat, 0) + post.amount
            price = max(bets.values(), default=0)
            if number == 0:
                price = max(price, hand.big_blind)
            for act in street.acts:
                yield from self._act(act, price)
                if act.by:
                    bets[act.seat] = bets.get(act.seat, 0) + act.by
                    price = max(price, bets[act.seat])
            for back in hand.uncalled:
                if back.street == street.name:
                    name = self.names[back.seat]
                    yield f"Uncalled bet ({self.money(back.amount)}) returned to {name}"

    def _act(self, act: Act, price: int) -> Iterator[str]:
        if act.do in ("note", "show", "muck"):
            return
        name, all_in = self.names[act.seat], _all_in(act.all_in)
        match act.do:
            case "fold":
                if act.by:  # chips that stay in with a Fold (v8 3.5.4)
                    yield f"{name}: calls {self.money(act.by)}"
                yield f"{name}: folds "
            case "check":
                yield f"{name}: checks "
            case "call":
                yield f"{name}: calls {self.money(act.by)}{all_in}"
            case "bet" if not price:
                yield f"{name}: bets {self.money(act.by)}{all_in}"
            case _:
                more, to = self.money(act.to - price), self.money(act.to)
                yield f"{name}: raises {more} to {to}{all_in}"

    # -- the showdown ------------------------------------------------------------------------

    def _showdown(self) -> Iterator[str]:
        hand = self.hand
        shown = [
            act
            for street in hand.streets
            for act in street.acts
            if act.do == "muck" or (act.do == "show" and shown_cards(hand, act))
        ]
        if shown:
            yield "*** SHOW DOWN ***"
        for act in shown:
            name = self.names[act.seat]
            if act.do == "muck":
                yield f"{name}: mucks hand "
                continue
            known = shown_cards(hand, act)
            yield f"{name}: shows [{_cards(known)}]{_made(known, hand)}"
        titles = pot_titles(len(hand.pots))
        for pot, title in reversed(list(zip(hand.pots, titles, strict=True))):
            for seat in [p.seat for p in hand.players if p.seat in pot.wins]:
                won = self.money(pot.wins[seat])
                yield f"{self.names[seat]} collected {won} from {title.lower()}"
        if not shown:
            winners = {seat for pot in hand.pots for seat, won in pot.wins.items() if won}
            for seat in sorted(winners):
                yield f"{self.names[seat]}: doesn't show hand "


TRACKED = ("USD", "EUR", "GBP", "CAD", "INR", "CNY")
"""The currencies that trackers know by their codes. A header with another is refused, so that one
is told by its symbol alone."""
_SYMBOLS = {
    "USD": "$",
    "EUR": "€",
    "GBP": "£",
    "INR": "₹",
    "CNY": "¥",
    **dict.fromkeys(("AUD", "CAD", "HKD", "NZD", "SGD", "TWD"), "$"),
}


def _names(players: tuple[Player, ...]) -> dict[int, str]:
    names = {player.seat: _line(player.name) or f"Seat {player.seat}" for player in players}
    if len(set(names.values())) != len(names):
        raise FormatError(
            "two players have one name, which the format cannot tell", place="players"
        )
    return names


def _beside(one: Post, other: Post) -> bool:
    """Whether a player posted these two together, one live and one dead: that is one line."""
    return one.seat == other.seat and one.kind == other.kind and one.dead != other.dead


def _line(text: str) -> str:
    """A name as it may stand in a line."""
    if not text.isprintable():
        raise FormatError(f"{text[:40]!r} does not fit into a line of text", place="players")
    return text.strip()


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(card.value for card in cards)


def _made(cards: tuple[Card, ...], hand: Hand) -> str:
    words = made(cards, hand.board)
    return f" ({words})" if words else ""


def _all_in(all_in: bool) -> str:
    return " and is all-in" if all_in else ""
