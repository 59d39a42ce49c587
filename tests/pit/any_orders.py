"""Evenings by chance: people who mostly play on, and sometimes do whatever can be said.

Every command of a game can come up, with values that may be true at the table or just beside it:
an amount at, below and above what is offered, a seat that is empty, a card that lies elsewhere.
"""

from __future__ import annotations

import random
import types
import typing
from collections.abc import Iterator
from typing import Any, get_args, get_origin

import msgspec
from msgspec import structs

from croupier.banked import BankedTable
from croupier.banked import commands as banked
from croupier.cards import DECK, Card
from croupier.pit import GAMES
from croupier.poker import PokerTable
from croupier.poker.commands import CUT_IN_THE_MIDDLE
from croupier.poker.wagers import ReportWager
from croupier.rulebooks import Topic
from croupier.table import (
    ActorRank,
    Command,
    Conversation,
    Decide,
    DecisionNeeded,
    DrawNeeded,
    GiveDraw,
    GiveShuffle,
    Look,
    Offer,
    OpenTable,
    ShuffleNeeded,
    Table,
)
from tests.pit.kept import LINK, Evening, Given, Play, folded

PEOPLE = ("Ann", "Ben", "Cho", "Dev", "Eli", "Fay")
STAFF = (
    ActorRank.DEALER,
    ActorRank.PIT_SUPERVISOR,
    ActorRank.PIT_MANAGER,
    ActorRank.SHIFT_MANAGER,
)
SUMS = (0, 1, 100, 500, 700, 1000, 1500, 2000, 2500, 5000, 10000, 40000, 50000, 500000)
NOT_BY_CHANCE = ("open table", "open link", "give shuffle", "give draw", "decide")
TEXTS: dict[str, tuple[str, ...]] = {
    "player": PEOPLE,
    "reason": ("", "so ruled"),
    "says": ("Something odd", "A card fell"),
    "table": ("A", "B", "C"),
    "link": (LINK,),
    "rulebook": ("multi-link-progressive-v2", "multi-link-progressive-v3", "poker-v5"),
    "order": ("1 2", "2 1", "A/1 B/1", "A/3 A/1", "2", "1 1"),
    "bet": ("ante", "bonus", "progressive", "flop", "turn", "river", "odd"),
    "to": ("ante", "bonus", "progressive", "flop"),
    "line": ("4.2.minor.flush", "4.2.major.four-of-a-kind", "4.2.minor.straight-flush", "none"),
    "contribution_rate": ("3.333", "0", "200"),
    "reserve_rate": ("12.5", "0"),
    "clear": ("ceiling", "display_pace", "unreasonable", "odd"),
    "A": ("A",),
}


def evening_by_chance(book: str, seed: int, orders: int) -> Evening:
    """An evening of so many orders, always the same for the same seed."""
    return _Chance(book, seed).evening(orders)


class _Chance:
    def __init__(self, book: str, seed: int) -> None:
        self.chance = random.Random(f"{book} {seed}")
        self.seed = seed
        self.name = book
        self.is_poker = GAMES.load(book).family == "poker"
        self.tables = ["A", "B"] if self.often(0.3) and not self.is_poker else ["A"]
        self.play = Play(book, self.tables)
        self.errs = self.chance.choice((0.02, 0.1, 0.25))
        """How often somebody does whatever can be said."""
        self.given: list[Given] = []
        self.reports_follow = 0
        """How many reports are made soon, because the dealer has erred."""

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def one(self, values: Any) -> Any:
        return self.chance.choice(list(values))

    def evening(self, orders: int) -> Evening:
        for place, command in self.opening():
            self.give(place, command, ActorRank.PIT_MANAGER, "Omar")
        while len(self.given) < orders:
            place = self.one(self.tables)
            if self.often(0.03) and self.play.pit.links:
                place = LINK
            before = len(self.given)
            self.something(place)
            if len(self.given) == before and place != LINK:
                self.anything(place)
        name = f"{self.name} {self.seed}"
        return Evening(evening=name, book=self.name, tables=self.tables, given=self.given)

    def give(self, place: str, command: Command, rank: ActorRank, who: str, after: int = 0) -> bool:
        """Give an order; True if it was accepted."""
        order = Given(at=place, who=who, rank=rank, do=folded(command), after=after)
        done = self.play.give(order)
        self.given.append(done)
        return not done.answer or not done.answer[0].startswith(("refused: ", "error: "))

    # -- opening -----------------------------------------------------------------------------

    def opening(self) -> Iterator[tuple[str, Command]]:
        policies: dict[str, str] = {}
        if self.often(0.6):
            known = self.play.book.policies
            policies = {name: self.one(sorted(known[name].values)) for name in known}
        if self.is_poker:
            yield from self._poker_opens(policies)
            return
        yield from self._link_opens(policies)
        for table in self.tables:
            settings = self._banked_settings()
            for wrong in self.chance.sample(_WRONG_BANKED, self.one((0, 0, 2))):
                yield table, OpenTable(table=table, settings={**settings, **wrong})
            yield table, OpenTable(table=table, settings=settings, policies=policies)
            if self.often(0.5):  # their chips are counted: nobody bets what he has not
                for box, who in zip((1, 3, 5), PEOPLE, strict=False):
                    chips = self.one((None, 3000, 6000, 12000, 100000))
                    yield table, banked.Sit(box=box, player=who, chips=chips)

    def _poker_opens(self, policies: dict[str, str]) -> Iterator[tuple[str, Command]]:
        rakes: list[Any] = [
            {"percent": 5, "cap": 5000},
            {"percent": "2.5", "cap": 300, "chip": 50},
            {"percent": 0, "cap": 0},
        ]
        if self.play.book.has(Topic.RAKE_TIMED):
            rakes.append({"timed": 600, "minutes": 30})
        settings: dict[str, Any] = {
            "seats": self.one((4, 6, 9)),
            "layout": "A",
            "sign": True,
            "rake": self.one(rakes),
            "minimum_stake": self.one((100, 4000)),
            "dealing": self.one(("automatic", "by-hand")),
            "shoe": self.one(("virtual", "virtual", "virtual", "reported")),
        }
        if self.often(0.3):
            settings |= {"blinds": (100, 200), "chips": self.one(((100, 500), (50, 100, 1000)))}
        if self.play.book.has(Topic.STRADDLE):
            settings |= {"maximum_stake": 1_000_000, "straddle": self.often(0.5)}
        for wrong in self.chance.sample(_WRONG_POKER, self.one((0, 0, 3))):
            yield "A", OpenTable(table="A", settings={**settings, **wrong})
        yield "A", OpenTable(table="A", settings=settings, policies=policies)
        words = _words(self.play.pit.at("A"))
        for seat in range(1, self.one((2, 3, 3, 4, 6)) + 1):
            stake = self.one((100, 1500, 4000, 20000, 20100, 100000))
            yield "A", words["sit"](seat=seat, player=PEOPLE[seat - 1], stake=stake)

    def _link_opens(self, policies: dict[str, str]) -> Iterator[tuple[str, Command]]:
        opens = _words(self.play.pit.at(LINK))["open link"]
        terms: dict[str, Any] = {
            "reset_value": 5_000_000,
            "contribution": 100,
            "payment": self.one(("confirmed", "at once")),
        }
        terms |= self.one(_LINKS)
        for wrong in self.chance.sample(_WRONG_LINKS, self.one((0, 0, 2))):
            yield LINK, opens(link=LINK, settings={**terms, **wrong}, tables=tuple(self.tables))
        yield LINK, opens(link=LINK, settings=terms, tables=tuple(self.tables), policies=policies)

    def _banked_settings(self) -> dict[str, Any]:
        return {
            "layout": "A",
            "layout_boxes": 6,
            "ante_minimum": 2500,
            "ante_maximum": 50000,
            "bonus_minimum": 500,
            "bonus_maximum": 500000,
            "progressive": 500,
            "effective": "2017-01-01T00:00:00+08:00",
            "device": self.one(("shoe", "shuffler")),
            "dealing": self.one(("automatic", "by-hand")),
            "shoe": self.one(("virtual", "virtual", "virtual", "reported")),
        }

    # -- what happens ------------------------------------------------------------------------

    def something(self, place: str) -> None:
        """Chance is answered, a question decided, the round goes on; or anything else happens."""
        here = self.play.pit.at(place)
        for need in here.state.waiting:
            if isinstance(need, ShuffleNeeded | DrawNeeded):
                self.give(place, self._chance(here, need), ActorRank.HOUSE, "house")
                return
        asked = [need for need in here.state.waiting if isinstance(need, DecisionNeeded)]
        if self.reports_follow and self.often(0.5) and isinstance(here, Table):
            self.reports_follow -= 1
            self.anything(place, "report")
        elif self.often(self.errs):
            self.anything(place, "report" if self.often(0.4) else "")
        elif asked and self.often(0.7):
            self._decides(place, self.one(asked))
        elif isinstance(here, BankedTable):
            self._banked(place, here)
        elif isinstance(here, PokerTable):
            self._poker(place, here)
        else:
            self.anything(place)

    def _chance(self, here: Conversation[Any], need: ShuffleNeeded | DrawNeeded) -> Command:
        if isinstance(need, DrawNeeded):
            picks = self.chance.sample(range(need.among), need.pick)
            return GiveDraw(need=need.need, picks=tuple(picks))
        cards = list(need.cards)
        self.chance.shuffle(cards)
        if self.often(0.5) and len(cards) == len(DECK):
            suit = self.one("cdhs")  # so that high hands meet, and shares of the meter are won
            run = [Card(f"{rank}{suit}") for rank in "AKQJT98"]
            self.chance.shuffle(run)
            top = run + [card for card in cards if card not in run][: self.one((0, 2, 5))]
            self.chance.shuffle(top)
            cards = top + [card for card in cards if card not in top]
            if isinstance(here, PokerTable):
                cards = cards[-CUT_IN_THE_MIDDLE:] + cards[:-CUT_IN_THE_MIDDLE]
        return GiveShuffle(need=need.need, cards=tuple(cards))

    def _decides(self, place: str, need: DecisionNeeded) -> None:
        here = self.play.pit.at(place)
        option = self.one(need.options)
        details = {key: self._detail(here, kind, key) for key, kind in option.asks.items()}
        if details and self.often(0.05):
            details.pop(self.one(details))
        said = Decide(
            decision=need.decision,
            option=option.name if self.often(0.97) else "something else",
            details=details,
            reason="so ruled" if self.often(0.9) else "",
        )
        rank, who = self._decider(here, need)
        self.give(place, said, rank, who)

    def _decider(self, here: Conversation[Any], need: DecisionNeeded) -> tuple[ActorRank, str]:
        if self.often(0.05):
            return self.one(STAFF), "Pia"
        if isinstance(need.of, ActorRank):
            return self.one((need.of, ActorRank.SHIFT_MANAGER)), self.one(("Omar", "Pia"))
        if self.often(0.5):
            return ActorRank.DEALER, "Dee"
        return ActorRank.PLAYER, here.player_at(need.of) or "Dev"

    def _detail(self, here: Conversation[Any], kind: str, key: str) -> Any:
        match kind:
            case "seat" | "box":
                return self._seat(here)
            case "number":
                return self.one((0, 1, 1, 2, 3))
            case "seats":
                return sorted({self._seat(here) for _ in range(self.one((1, 2)))})
            case "money":
                return self.one(SUMS)
            case "card" | "cards":
                return self._card(here).value
            case _:
                pool = TEXTS.get(key, ("odd",))
                if key in ("policy", "value"):
                    policies = self.play.book.policies
                    name = self.one(policies)
                    pool = (name, *policies[name].values) if key == "value" else (name,)
                return self.one(pool)

    # -- playing on --------------------------------------------------------------------------

    def _poker(self, place: str, table: PokerTable) -> None:
        seat = table.turn()
        if seat is None and table.state.phase == "dealing":
            seat = next((s for s in table.taken_seats() if table.offers(s)), None)
        due = table.due() or table.due_reported()
        if seat is not None and (offers := table.offers(seat)):
            if self.often(0.2):
                looker = self.one(table.taken_seats())
                self.give(place, Look(seat=looker), ActorRank.PLAYER, table.player_at(looker) or "")
            likely = [o for o in offers if o.do in ("check", "call")] * 4
            if not table.automatic and table.state.phase == "betting" and self.often(0.4):
                self.give(place, self._seen_wager(table, seat, offers), ActorRank.DEALER, "Dee")
            else:
                self._accepts(place, table, seat, self.one([*likely, *offers]))
        elif due is not None and self.often(0.95):
            self.give(place, self._dealt(table, due), *self._dealer())
        elif (call := table.next_call()) is not None:
            for broke in table.taken_seats():
                if table.state.seats[broke].stake == 0 and self.often(0.8):
                    words = _words(table)
                    self.give(
                        place,
                        words["top up"](seat=broke, amount=20000),
                        ActorRank.PLAYER,
                        table.player_at(broke) or "",
                    )
            self.give(place, call, *self._dealer(), after=self.one((0, 5, 2000)))

    def _seen_wager(self, table: PokerTable, seat: int, offers: list[Offer]) -> Command:
        """What the dealer saw and heard: clear or not, in one motion or in two, mostly in turn."""
        sums = sorted({s for o in offers for s in (o.least, o.most) if s is not None} | {1000})
        least = self.one(sums)
        chip = self.one(table.state.settings.chips)
        words = self.one(("", "", "check", "bet", "call", "raise", "raise", "all in", "fold"))
        figures = (None, least, least + 100, max(100, least - 100), least * 2)
        return ReportWager(
            seat=seat if self.often(0.85) else self._seat(table),
            words=words,
            figure=self.one(figures) if words in ("", "bet", "raise") or self.often(0.1) else None,
            more=self.often(0.2),
            gesture=self.one(("", "", "", "tap", "cards forward")),
            chips=self.one(((), (), (chip,), (chip, chip), _in_chips(least), (least, chip))),
            later=self.one(((), (), (), (chip,))),
            first=self.one(("words", "chips", "together")),
            clear=self.often(0.85),
            then_folds=self.often(0.1),
            unnoticed=self.often(0.2),
        )

    def _banked(self, place: str, table: BankedTable) -> None:
        state = table.state
        if state.phase == "between rounds":
            self.give(place, banked.CallForBets(), *self._dealer(), after=self.one((0, 60)))
        elif state.phase == "bets open" and not state.boxes:
            for box, who in zip((1, 3, 5, 2), (*PEOPLE[:3], "Ann"), strict=True):
                if self.often(0.6):
                    amount = self.one((2500, 2500, 2500, 5000, 50000))
                    ante = banked.PlaceAnte(box=box, amount=amount, player=who)
                    self.give(place, ante, *_by(who))
                    if self.often(0.5):
                        amount = self.one((500, 500, 1000, 500000))
                        self.give(place, banked.PlaceBonus(box=box, amount=amount), *_by(who))
                    if self.often(0.7):
                        self.give(place, banked.PlaceProgressive(box=box), *_by(who))
        elif state.phase == "bets open" and self.often(0.25):
            self.give(place, self._seen_chips(table), ActorRank.DEALER, "Dee")
        elif state.phase == "bets open" and self.often(0.7):
            self.give(place, banked.CloseBets(), *self._dealer())
        elif (act := table.next_act()) is not None and self.often(0.9):
            if state.settings.shoe == "reported":
                act = self._with_cards(place, table, act)
            self.give(place, self._dealt(table, act), *self._dealer())
        elif places := [p for p in table.taken_seats() if table.offers(p)]:
            box = self.one(places)
            self._accepts(place, table, box, self.one(table.offers(box)))

    def _seen_chips(self, table: BankedTable) -> Command:
        """Chips that lie on a spot, as the dealer sees them: right, too few, too many."""
        box = self._seat(table)
        bet = self.one(("ante", "bonus", "progressive", "progressive", "flop"))
        if self.often(0.4):
            return banked.NoticeBet(box=box, bet=bet)
        amounts = (100, 400, 500, 600, 2400, 2500, 2600, 50000, 50100, 500000, 500100)
        who = table.player_at(box) if self.often(0.8) else self.one(PEOPLE)
        return banked.ReportChips(box=box, bet=bet, amount=self.one(amounts), player=who)

    def _with_cards(self, place: str, table: BankedTable, act: Command) -> Command:
        """At a real shoe somebody says which cards are turned up."""
        state = table.state
        unseen = list(state.shoe.unseen) if state.shoe is not None else []
        self.chance.shuffle(unseen)
        if isinstance(act, banked.Settle):
            for number, box in sorted(state.boxes.items()):
                if Card.UNKNOWN in box.cards:
                    said = tuple(unseen.pop() for _ in box.cards)
                    shown = banked.TableCards(box=number, cards=said)
                    self.give(place, shown, *self._dealer())
            return act
        if isinstance(act, banked.RevealDealer):
            return banked.RevealDealer(cards=tuple(unseen[: len(state.dealer)]))
        streets = (banked.RevealFlop, banked.RevealTurn, banked.RevealRiver)
        if isinstance(act, streets):
            return type(act)(cards=tuple(unseen[: state.laid[streets.index(type(act))]]))
        return act

    def _dealer(self) -> tuple[ActorRank, str]:
        return (ActorRank.DEALER, "Dee") if self.often(0.5) else (ActorRank.HOUSE, "house")

    def _dealt(self, table: Table[Any], act: Command) -> Command:
        """The dealer's act as it should be, or at a hand-dealt table now and then otherwise."""
        if isinstance(table, PokerTable) and table.state.settings.shoe == "reported":
            act = self._with_faces(table, act)
        if table.state.settings.dealing == "by-hand" and self.often(self.errs):
            self.reports_follow = self.one((0, 1, 3))
            return self._wrongly_dealt(table, act)
        return act

    def _wrongly_dealt(self, table: Table[Any], act: Any) -> Command:
        """A slip of the dealer: no burn, a card too many or too few, to the wrong places."""
        fields = {field.name for field in structs.fields(type(act))}
        changes: dict[str, Any] = {}
        if "burn" in fields and self.often(0.5):
            changes["burn"] = False
        if "count" in fields and act.count is not None and (not changes or self.often(0.2)):
            changes["count"] = max(0, act.count + self.one((-1, 1, 1, 2)))
        if "turn_up" in fields and self.often(0.2):
            changes["turn_up"] = False
        if act.__struct_config__.tag == "deal hole cards":
            round_ = getattr(table.state, "round", None)
            right = list(getattr(round_, "order", None) or table.taken_seats())
            if "to" in fields:
                due = right * 2
                due = self.one((due, due[:-1], [*due, due[0]], due[1:] + due[:1], due[::-1]))
                changes |= {"to": tuple(due), "exposed": self.one(((), (1,), (2, 4)))}
            else:
                due = self.one((right[1:] + right[:1], right[:-1], [*right, right[0]], right[::-1]))
                changes["order"] = tuple(due)
        return structs.replace(act, **changes) if changes else self._command(table, type(act))

    def _with_faces(self, table: PokerTable, act: Any) -> Command:
        shoe = table.state.shoe
        fresh = [card for card in DECK if shoe is None or card in shoe.unseen]
        self.chance.shuffle(fresh)
        fields = {field.name for field in structs.fields(type(act))}
        if "faces" in fields and "count" in fields and act.count:
            return structs.replace(act, faces=tuple(fresh[: act.count]))
        if act.__struct_config__.tag == "deal for button":
            return structs.replace(act, cards=tuple(fresh[: len(table.taken_seats())]))
        return act  # type: ignore[no-any-return]

    def _accepts(self, place: str, table: Table[Any], seat: int, offer: Offer) -> None:
        """A player does what he is offered; of an amount, the least, the most, or just beside."""
        who = table.player_at(seat) or "Dev"
        words = _words(table)
        if offer.do.startswith("withdraw "):
            bet = offer.do.removeprefix("withdraw ")
            self.give(place, words["withdraw bet"](box=seat, bet=bet), *_by(who))
            return
        kind = words.get(offer.do)
        if kind is None:
            return
        names = {field.name for field in structs.fields(kind)}
        values: dict[str, Any] = {name: seat for name in ("seat", "box") if name in names}
        if "player" in names and "box" not in names:
            values["player"] = who
        if offer.least is not None and offer.most is not None:
            beside = (offer.least - offer.step, offer.most + offer.step, offer.least + 1)
            middle = (offer.least + offer.most) // 2 // offer.step * offer.step
            within = (offer.least, offer.least, offer.most, middle)
            amount = self.one(beside if self.often(self.errs) else within)
            values |= {name: amount for name in ("to", "amount") if name in names}
        rank, said = _by(who) if self.often(0.95) else (ActorRank.DEALER, "Dee")
        self.give(place, kind(**values), rank, said)

    # -- anything at all ---------------------------------------------------------------------

    def anything(self, place: str, word: str = "") -> None:
        """Any command of the game, or any that begins so, with values that may be true."""
        here = self.play.pit.at(place)
        kinds = [c for tag, c in _words(here).items() if tag not in NOT_BY_CHANCE]
        kinds = [c for c in kinds if str(c.__struct_config__.tag).startswith(word)] or kinds
        command = self._command(here, self.one(kinds))
        seat = getattr(command, "seat", None) or getattr(command, "box", None)
        if command.usually_by is ActorRank.PLAYER:
            who = here.player_at(seat) if isinstance(seat, int) else None
            rank, who = ActorRank.PLAYER, who or getattr(command, "player", None) or "Dev"
            if self.often(0.15):
                rank, who = self.one(((ActorRank.DEALER, "Dee"), (ActorRank.PLAYER, "Eli")))
        else:
            rank, who = self.one(STAFF), self.one(("Omar", "Pia"))
            if self.often(0.1):
                rank, who = self.one(((ActorRank.PLAYER, "Ann"), (ActorRank.HOUSE, "house")))
        self.give(place, command, rank, who)

    def _command(self, here: Conversation[Any], kind: type[Command]) -> Command:
        hints = typing.get_type_hints(kind, include_extras=True)
        values: dict[str, Any] = {}
        for field in structs.fields(kind):
            if not field.required and self.often(0.6):
                continue
            values[field.name] = self._value(here, hints[field.name], field.name)
        return kind(**values)

    def _value(self, here: Conversation[Any], hint: Any, name: str) -> Any:
        if get_origin(hint) is typing.Annotated:
            hint, *_ = get_args(hint)
        origin, inside = get_origin(hint), get_args(hint)
        if origin in (typing.Union, types.UnionType):
            return self._value(here, self.one(inside), name)
        if hint is type(None):
            return None
        if origin is typing.Literal:
            return self.one(inside)
        if origin is tuple:
            count = self.one((0, 1, 1, 2, 2, 3))
            values = [self._value(here, inside[0], name) for _ in range(count)]
            return tuple(dict.fromkeys(values)) if name in ("affected", "boxes") else tuple(values)
        if origin is dict:
            keys = [self._value(here, inside[0], "table") for _ in range(self.one((0, 1, 2)))]
            return {key: self._value(here, inside[1], name) for key in keys}
        return self._plain(here, hint, name)

    def _plain(self, here: Conversation[Any], hint: Any, name: str) -> Any:
        if hint is bool:
            return self.often(0.5)
        if hint is Card:
            return self._card(here)
        if hint is str:
            return self.one(TEXTS.get(name, ("odd",)))
        if hint is int:
            return self._number(here, name)
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            return self._command(here, hint)
        return self.play.now

    def _number(self, here: Conversation[Any], name: str) -> int:
        if name in ("seat", "box", "affected", "boxes", "moves", "to", "order", "table"):
            return self.one(SUMS) if name == "to" and self.often(0.5) else self._seat(here)
        small = ("count", "cards", "stopped", "left", "exposed", "round", "dealer", "community")
        if name in (*small, "proposal", "counts", "picks"):
            return self.one((0, 1, 1, 2, 2, 3, 4, 5, 51, 52))
        return self.one(SUMS)

    def _seat(self, here: Conversation[Any]) -> int:
        places = here.taken_seats() if isinstance(here, Table) else []
        return self.one(places) if places and self.often(0.85) else self.one(range(1, 8))

    def _card(self, here: Conversation[Any]) -> Card:
        """A card that somebody holds or that lies on the board, mostly."""
        state = here.state
        lying: list[Card] = []
        if isinstance(here, PokerTable) and state.round is not None:
            lying = [card for p in state.round.players.values() for card in p.cards]
            lying += here.board()
        elif isinstance(here, BankedTable):
            lying = [card for box in state.boxes.values() for card in box.cards]
            lying += [*state.board, *state.dealer]
        return self.one(lying) if lying and self.often(0.8) else self.one(DECK)


def _words(here: Conversation[Any]) -> dict[str, type[Command]]:
    return {str(c.__struct_config__.tag): c for c in here.whole.commands}


def _in_chips(amount: int) -> tuple[int, ...]:
    """An amount in few chips."""
    chips: list[int] = []
    for chip in (10000, 2500, 500, 100):
        count = min(8, amount // chip)
        chips += [chip] * count
        amount -= chip * count
    return tuple(chips)


def _by(who: str) -> tuple[ActorRank, str]:
    return ActorRank.PLAYER, who


_LINKS: tuple[dict[str, Any], ...] = (
    {},
    {},
    {"ceiling": 5_000_150},
    {"reserve_rate": "12.5"},
    {"contribution": None, "contribution_rate": "3.333"},
    {"display_pace": 50},
    {"unreasonable": 350},
)
_WRONG_LINKS: tuple[dict[str, Any], ...] = (
    {"reset_value": 0},
    {"contribution": None},
    {"contribution_rate": "3"},
    {"contribution": 0},
    {"reserve_rate": "100.1"},
    {"ceiling": 4_999_999},
    {"start": 4_999_999},
    {"start": -1},
    {"display_pace": 0},
    {"unreasonable": 0},
    {"house_rank": "player"},
)
_WRONG_BANKED: tuple[dict[str, Any], ...] = (
    {"layout": None},
    {"layout": "E"},
    {"boxes": 7},
    {"ante_minimum": None},
    {"ante_minimum": 0},
    {"ante_maximum": 2499},
    {"bonus_minimum": 0},
    {"bonus_maximum": 499},
    {"bonus_maximum": None},
    {"progressive": 0},
    {"progressive": None},
    {"effective": None},
    {"effective": "2030-01-01T00:00:00+08:00"},
    {"house_rank": "player"},
)
_WRONG_POKER: tuple[dict[str, Any], ...] = (
    {"blinds": (500, 900)},
    {"blinds": (0, 0)},
    {"blinds": (550, 1100)},
    {"layout": "D"},
    {"layout": ""},
    {"sign": False},
    {"rake": None},
    {"rake": {"percent": 5}},
    {"rake": {"percent": 101, "cap": 1}},
    {"rake": {"percent": 6, "cap": 100}},
    {"rake": {"percent": 5, "cap": -1}},
    {"rake": {"percent": 5, "cap": 100, "chip": 0}},
    {"rake": {"percent": 5, "cap": 100, "timed": 100}},
    {"rake": {"timed": 0}},
    {"rake": {"timed": 100}},
    {"rake": {"percent": "x", "cap": 100}},
    {"betting_limit": 1000},
    {"minimum_stake": 0},
    {"minimum_stake": 2_000_000},
    {"maximum_stake": None},
    {"maximum_stake": 99},
    {"chips": ()},
    {"chips": (0,)},
    {"straddle": True},
    {"house_rank": "player"},
    {"effective": "2017-01-01T00:00:00+08:00"},
)
