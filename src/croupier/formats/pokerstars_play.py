"""The play of a hand of PokerStars text: posts, Actions, streets, cards, with the chips counted.

Names may hold anything, also what looks like an Action. So a line is taken for what a player did
only if it begins with the name of somebody who sits there and the rest is an Action.
"""

from __future__ import annotations

import re

from msgspec import structs

from croupier.cards import Card, read_cards
from croupier.formats.errors import FormatError
from croupier.formats.hand import (
    STREETS,
    Act,
    ActKind,
    Player,
    Post,
    PostKind,
    Street,
    StreetName,
    Uncalled,
)
from croupier.formats.pokerstars_text import NUMBER, SYMBOL, OtherGame, cents
from croupier.table.money import write_money

AWAY = "_sitting_out"
"""Where `Hand.extra` keeps who sat there and was not dealt in."""

_AMOUNT = rf"{SYMBOL}({NUMBER})"
_ALL_IN = r"( and is all-in)?(?: and has reached the .* cap)?"
_POST = re.compile(
    rf"posts (small blind|big blind|small & big blinds|straddle|the ante) {_AMOUNT}{_ALL_IN}"
)
_WORDS: tuple[tuple[ActKind, re.Pattern[str]], ...] = (
    ("fold", re.compile(r"folds(?: \[(.*)\])?")),
    ("check", re.compile(r"checks")),
    ("call", re.compile(rf"calls {_AMOUNT}{_ALL_IN}")),
    ("bet", re.compile(rf"bets {_AMOUNT}{_ALL_IN}")),
    ("raise", re.compile(rf"raises {_AMOUNT} to {_AMOUNT}{_ALL_IN}")),
    ("show", re.compile(r"shows \[([^\]]+)\](?: \(.*\))?")),
    ("muck", re.compile(r"mucks hand")),
)
_SAID_NOTHING = ("doesn't show hand", "sits out", "is sitting out")
_MARK = re.compile(r"\*\*\* ([A-Z ]+) \*\*\*(.*)")
_DEALT = re.compile(r"\[([^\]]+)\](?: \[([^\]]*)\])?")
_UNCALLED = re.compile(rf"Uncalled bet \({_AMOUNT}\) returned to (.*)")
_ASIDE = re.compile(
    r".* (?:said, \".*\"|joins the table at seat #\d+|leaves the table|has returned"
    r"|will be allowed to play after the button|is connected|is disconnected|has timed out"
    r"|has timed out while (?:being )?disconnected"
    r"|was removed from the table for failing to post|is sitting out|sits out|re-buys .*"
    r"|adds .* to (?:his|her|their) stack)\s*"
)
_OF_MONEY = re.compile(r".* cashed out the hand for .*")
_CARDS: dict[StreetName, int] = {"preflop": 0, "flop": 3, "turn": 1, "river": 1}


MISSED = "missed small blind"
"""A line that posts a Small Blind, where that was due before."""


def seat_order(seats: set[int], button: int) -> list[int]:
    """Clockwise from the left of the button."""
    return sorted(seats, key=lambda seat: (seat <= button, seat))


class PlayLines:
    """Who did what, street by street."""

    def __init__(self, players: dict[int, Player], big: int, button: int) -> None:
        self.names = {player.name: seat for seat, player in players.items()}
        self.button = button
        self.seats = seat_order(set(players), button)
        self.left = {seat: player.stack or 0 for seat, player in players.items()}
        self.big = big
        self.cards: dict[int, tuple[Card, ...]] = {}
        self.dealt: set[int] = set()
        """To whom the Hole Cards were dealt that the text shows."""
        self.acted: set[int] = set()
        self.posted: list[tuple[int, str, int, bool]] = []
        self.streets: list[Street] = [Street(name="preflop")]
        self.bets: dict[int, int] = {}
        self.uncalled: list[Uncalled] = []
        self.begun = self.over = False

    def line(self, line: str) -> None:
        """Take in a line of the play."""
        if self._by_a_player(line):
            return
        text = line.strip()
        if (mark := _MARK.fullmatch(text)) is not None:
            self._mark(mark[1], mark[2])
        elif text.startswith("Dealt to "):
            self._dealt_to(text.removeprefix("Dealt to "))
        elif (back := _UNCALLED.fullmatch(text)) is not None and back[2] in self.names:
            self._goes_back(self.names[back[2]], cents(back[1]))
        elif _OF_MONEY.fullmatch(text):
            raise OtherGame("a player was bought out of the hand by the room")
        elif _ASIDE.fullmatch(text):
            self._add(Act(seat=0, do="note", note=text))
        else:
            raise FormatError(f"{text[:60]!r} is no line of a hand that this reader knows")

    def _add(self, act: Act) -> None:
        last = self.streets[-1]
        self.streets[-1] = structs.replace(last, acts=(*last.acts, act))

    # -- streets and cards -----------------------------------------------------------------------

    def _mark(self, word: str, rest: str) -> None:
        if word == "HOLE CARDS":
            if self.begun:
                raise FormatError("Hole Cards are dealt once")
            self.begun = True
            return
        if word == "SHOW DOWN":
            self.over = True
            return
        due = STREETS[len(self.streets)] if len(self.streets) < 4 else None
        if due is None or word.lower() != due or not self.begun or self.over:
            raise FormatError(f"{word[:20]!r} where the {due or 'showdown'} comes next")
        found = _DEALT.fullmatch(rest.strip())
        if found is None:
            raise FormatError(f"the cards of the {due} are expected in brackets")
        cards = _cards(found[2] if found[2] is not None else found[1])
        board = tuple(card for street in self.streets for card in street.cards)
        if len(cards) != _CARDS[due] or (found[2] is not None and _cards(found[1]) != board):
            raise FormatError(f"these are not the cards of a {due}")
        if set(cards) & set(board) or len(set(cards)) != len(cards):
            raise FormatError("a Community Card is there twice")
        self.streets.append(Street(name=due, cards=cards))
        self.bets = {}

    def _dealt_to(self, text: str) -> None:
        for name, seat in self._longest_first():
            if text.startswith(f"{name} [") and text.endswith("]"):
                self._seen(seat, _cards(text[len(name) + 2 : -1]))
                self.acted.add(seat)
                self.dealt.add(seat)
                return
        raise FormatError("cards are dealt to somebody who does not sit there")

    def _seen(self, seat: int, cards: tuple[Card, ...]) -> None:
        if not 1 <= len(cards) <= 2:
            raise FormatError(f"{len(cards)} Hole Cards; there are 2")
        before = self.cards.get(seat, ())
        if len(before) == 2 and not set(cards) <= set(before):
            raise FormatError(f"{before[0]} {before[1]} were dealt, and now others are shown")
        if len(cards) > len(before):
            self.cards[seat] = cards

    # -- what a player did -----------------------------------------------------------------------

    def _longest_first(self) -> list[tuple[str, int]]:
        return sorted(self.names.items(), key=lambda item: -len(item[0]))

    def _by_a_player(self, line: str) -> bool:
        """Whether the line tells what somebody who sits there did."""
        for name, seat in self._longest_first():
            if line.startswith(f"{name}: "):
                said = line[len(name) + 2 :].strip()
                post = _POST.fullmatch(said)
                if post is not None:
                    self._post(seat, post[1], cents(post[2]))
                    return True
                for do, pattern in _WORDS:
                    found = pattern.fullmatch(said)
                    if found is not None:
                        self._act(seat, do, found)
                        return True
                if said in _SAID_NOTHING:
                    if said != _SAID_NOTHING[0]:
                        self._add(Act(seat=0, do="note", note=line.strip()))
                    return True
        return False

    def _pay(self, seat: int, amount: int) -> None:
        self.left[seat] -= amount
        if self.left[seat] < 0:
            had = write_money(self.left[seat] + amount)
            raise FormatError(f"{write_money(amount)} of somebody who has {had}")

    def _post(self, seat: int, what: str, amount: int) -> None:
        if len(self.streets) > 1:
            raise FormatError("a post after the flop")
        self._pay(seat, amount)
        self.acted.add(seat)
        if what == "small blind" and self._was_missed(seat):
            what = MISSED
        self.posted.append((seat, what, amount, self.left[seat] == 0))
        live = 0 if what in ("the ante", MISSED) else amount
        if what == "small & big blinds":
            live = min(amount, self.big)
        self.bets[seat] = self.bets.get(seat, 0) + live

    def _was_missed(self, seat: int) -> bool:
        """Whether a Small Blind posted now is for one that was missed: the second is, and one after
        a Big Blind that was posted nearer to the button, where nobody is at the Small Blind."""
        nearer = self.seats[: self.seats.index(seat)]
        if seat == self.button:
            nearer = []  # heads-up the button posts it
        return any(
            what == "small blind" or (what == "big blind" and other in nearer)
            for other, what, *_ in self.posted
        )

    def _act(self, seat: int, do: ActKind, found: re.Match[str]) -> None:
        self.acted.add(seat)
        if do in ("show", "muck"):
            cards = _cards(found[1]) if do == "show" else ()
            if cards:
                self._seen(seat, cards)
            self._add(Act(seat=seat, do=do, cards=cards))
            return
        if not self.begun or self.over:
            raise FormatError(f"a {do} {'after the showdown' if self.over else 'before the deal'}")
        before = self.bets.get(seat, 0)
        by = 0
        if do in ("call", "bet"):
            by = cents(found[1])
        elif do == "raise":
            by = cents(found[2]) - before
        if do in ("call", "bet", "raise"):
            if by <= 0:
                raise FormatError(f"a {do} of nothing")
            self._pay(seat, by)
            self.bets[seat] = before + by
        to = before + by if do != "fold" else 0
        self._add(Act(seat=seat, do=do, to=to, by=by, all_in=by > 0 and self.left[seat] == 0))
        if do == "fold" and found[1]:
            cards = _cards(found[1])
            self._seen(seat, cards)
            self._add(Act(seat=seat, do="show", cards=cards))

    def _goes_back(self, seat: int, amount: int) -> None:
        self.left[seat] += amount
        street = self.streets[-1].name
        self.uncalled.append(Uncalled(seat=seat, amount=amount, street=street))

    # -- posts -----------------------------------------------------------------------------------

    def posts(self, order: list[int], button: int, small: int) -> tuple[Post, ...]:
        """The posts as what they were: the Blinds of this hand, a straddle, or for Blinds that
        were missed. The Small Blind is whoever posts it before the Big Blind in the order of the
        seats; the Big Blind is the next who posts one."""
        bigs = [seat for seat, what, *_ in self.posted if what == "big blind"]
        smalls = [seat for seat, what, *_ in self.posted if what == "small blind"]
        blind = smalls[0] if smalls and smalls[0] in order else None
        if blind is not None:
            around = order[order.index(blind) + 1 :] + order[: order.index(blind) + 1]
        else:
            around = order
        big = min((seat for seat in bigs if seat in around), key=around.index, default=None)
        found: list[Post] = []
        for seat, what, amount, all_in in self.posted:
            found += self._as_posted(seat, what, amount, all_in, big)
        return tuple(found)

    def _as_posted(
        self, seat: int, what: str, amount: int, all_in: bool, big: int | None
    ) -> list[Post]:
        if what == "small & big blinds":
            live = min(amount, self.big)
            both = [Post(seat=seat, kind="post", amount=live, all_in=all_in and live == amount)]
            if amount > live:
                dead = amount - live
                both.append(Post(seat=seat, kind="post", amount=dead, dead=True, all_in=all_in))
            return both
        kind: PostKind = "post"
        dead = False
        match what:
            case "the ante":
                kind, dead = "ante", True
            case "straddle":
                kind = "straddle"
            case "small blind":
                kind = "small blind"
            case "missed small blind":
                dead = True
            case _:
                kind = "big blind" if seat == big else "post"
        return [Post(seat=seat, kind=kind, amount=amount, dead=dead, all_in=all_in)]


def _cards(text: str) -> tuple[Card, ...]:
    return read_cards(text)
