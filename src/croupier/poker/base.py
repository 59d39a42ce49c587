"""The base class of the poker table: citing and refusing, who is who, where the cards are, and what
must hold after every event. The rooms use it; `table` adds them to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NoReturn

from msgspec import Struct

from croupier.cards import DECK, Card, Pile, Shoe
from croupier.poker.commands import Relocate, Sit, Street, TopUp
from croupier.poker.deck import DECK_IS_CUT
from croupier.poker.entries import SEATS_BY_THE_BOOK, Ask
from croupier.poker.figures import COMMUNITY_CARDS, HOLE_CARDS
from croupier.poker.in_round import with_round
from croupier.poker.positions import Plan, plan_round
from croupier.poker.settings import PokerSettings, RakeSettings, rate_of
from croupier.poker.state import PokerState, RoundState, SeatState
from croupier.rulebooks import Cites, Rulebook, Topic
from croupier.table import (
    ActorRank,
    BadCommand,
    BrokenTable,
    Command,
    Decide,
    DecisionNeeded,
    Event,
    Order,
    Table,
)
from croupier.table.money import write_money
from croupier.table.refusal import Refusal, Refused
from croupier.table.words import counted

UNKNOWN = Card.UNKNOWN
PLAYER = ActorRank.PLAYER


class PokerTableBase(Table[PokerState]):
    """A poker table without its rooms."""

    appliers: ClassVar[Mapping[type[Event], Callable[..., None]]]
    """What changes the table for each event; it gets the round too."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.appliers = with_round(cls.whole.events)

    def __init__(self, book: Rulebook) -> None:
        super().__init__(book)
        self._joined: dict[tuple[object, ...], tuple[str, ...]] = {}
        self.cards_moved = False
        self._chips_of: dict[str, str] = {}
        """The names of players' accounts here, kept because they are asked for at every command."""
        self._take_settings(self.state.settings)

    # -- settings ---------------------------------------------------------------------------

    def begin(self, settings: Struct) -> None:
        assert isinstance(settings, PokerSettings)
        self.state.settings = settings
        self._take_settings(settings)

    def _take_settings(self, settings: PokerSettings) -> None:
        """What is asked for at every turn, worked out once."""
        self.automatic = settings.dealing == "automatic"
        self.knows_its_cards = self.automatic and settings.shoe == "virtual"
        rake = settings.rake or RakeSettings()  # a table that is not open yet has stated none
        self.charges_by_time = rake.timed is not None
        self.follows = self.state.round is not None  # until an irregularity, nothing does
        self.places_all_in_buttons = self.automatic and self.book.has(Topic.ALL_IN_BUTTON)
        self.in_force = self.book.effective or settings.effective, self.book.superseded_at
        self.smallest_chip = settings.smallest_chip
        rate = rate_of(rake)
        self.rate = rate.numerator, rate.denominator
        self.rake_cap = rake.cap or 0
        self.rake_chip = rake.chip

    # -- citing and refusing -----------------------------------------------------------------

    def paragraphs(self, *topics: Topic) -> tuple[str, ...]:
        """The paragraphs of those topics that this book has."""
        key = tuple(topics)
        found = self._joined.get(key)
        if found is None:
            found = self._joined[key] = Cites(*topics).of(self.book)
        return found

    def joined(self, several: tuple[Cites, ...]) -> tuple[str, ...]:
        """The paragraphs of several citations, each once."""
        found = self._joined.get(several)
        if found is None:
            found = tuple(dict.fromkeys(p for cites in several for p in self.by_book[cites]))
            self._joined[several] = found
        return found

    def refuse_with(self, topics: tuple[Topic, ...], says: str) -> NoReturn:
        """Refuse with those of several topics that this book has."""
        self.refuse_paragraphs(self.paragraphs(*topics), says)

    def refuse_paragraphs(self, cites: tuple[str, ...], says: str) -> NoReturn:
        """Refuse with paragraphs that are known already."""
        raise Refusal(Refused(cites, says))

    def dealer_only(self, order: Order[Any], what: str, topic: Topic) -> None:
        """Refuse a player who does what only staff, or the House's software, may do."""
        if order.rank is PLAYER:
            self.only_the_dealer(what, topic)

    def only_the_dealer(self, what: str, topic: Topic) -> NoReturn:
        """Refuse a dealer's act to a player."""
        self.refuse_with((Topic.PIT_EMPLOYEE, topic), f"Only the dealer {what}.")

    def own_seat(self, order: Order[Any], number: int) -> SeatState:
        """The seat for which its own player speaks, or staff for him."""
        seat = self.state.seats.get(number)
        if seat is None:
            raise BadCommand(f"nobody sits at seat {number}")
        if order.rank is PLAYER and order.who != seat.player:
            self.refuse_with(
                (Topic.NO_PROXY_DECISIONS, Topic.SEATED_PLAYERS_ONLY, Topic.BETTING_ROUND),
                f"{order.who} cannot act for {seat.player}.",
            )
        return seat

    def check_in_play(self, *chips: int) -> None:
        """Chips that somebody has seen are of a denomination that the table has."""
        known = self.state.settings.chips
        for chip in chips:
            if chip not in known:
                has = ", ".join(write_money(each) for each in sorted(known))
                raise BadCommand(f"there is no chip of {write_money(chip)} here; there are {has}")

    def current_round(self) -> RoundState:
        """The Round of play that there is, for whoever knows that there is one."""
        round_ = self.state.round
        if round_ is None:
            raise BrokenTable("there is no Round of play")
        return round_

    def open_round(self, topic: Topic) -> RoundState:
        """The Round of play that is under way, or a refusal."""
        round_ = self.state.round
        if round_ is None or not round_.open:
            self.refuse_with((topic, Topic.POT), "No round is under way.")
        return round_

    # -- who is who --------------------------------------------------------------------------

    def player_at(self, seat: int) -> str | None:
        sitter = self.state.seats.get(seat)
        return sitter.player if sitter is not None else None

    def taken_seats(self) -> list[int]:
        return sorted(self.state.seats)

    def status(self) -> str:
        return self.state.phase

    def playing(self) -> bool:
        round_ = self.state.round
        return round_ is not None and round_.open

    def left_of(self, seat: int) -> int:
        """The next Player dealt in, clockwise."""
        round_ = self.current_round()
        order = round_.order
        return order[(order.index(seat) + 1) % len(order)]

    def alone(self, round_: RoundState) -> int | None:
        """The only Active Player left, if there is only one."""
        found = None
        for seat, player in round_.players.items():
            if player.active:
                if found is not None:
                    return None
                found = seat
        return found

    def somebody_can_bet(self, round_: RoundState, *, without: int | None = None) -> bool:
        """Whether two Active Players or more have chips left; `without` a hand that is to go."""
        one = False
        for seat, player in round_.players.items():
            if player.active and not player.all_in and seat != without:
                if one:
                    return True
                one = True
        return False

    def has_a_hand(self, seat: int) -> bool:
        """Whether a Five-card Hand can be made: two cards and a board of five. Where a dealer has
        dealt otherwise and nobody has said so, it must be reported before anybody shows."""
        round_ = self.current_round()
        return (
            self.board_is_whole(round_)
            and len(round_.players[seat].cards) == self.by_book[HOLE_CARDS]
        )

    def board_is_whole(self, round_: RoundState) -> bool:
        """Whether all Community Cards lie face up, neither fewer nor more."""
        laid = len(round_.flop) + len(round_.turn) + len(round_.river)
        return laid - len(round_.down) == self.by_book[COMMUNITY_CARDS]

    def hands_can_be_shown(self) -> bool:
        """Whether the dealer can call for the hands: everybody has one, and the table knows it."""
        round_ = self.current_round()
        if not self.board_is_whole(round_):
            return False
        players, each = round_.players, self.by_book[HOLE_CARDS]
        for seat in round_.to_show:
            cards = players[seat].cards
            if len(cards) != each or UNKNOWN in cards:
                return False
        return True

    # -- cards -------------------------------------------------------------------------------

    def board(self) -> list[Card]:
        """The Community Cards that lie face up, in order."""
        round_ = self.state.round
        if round_ is None:
            return []
        board = round_.flop + round_.turn + round_.river
        for card in round_.down:
            board.remove(card)
        return board

    def next_cards(
        self,
        count: int,
        reported: tuple[Card, ...],
        *,
        after: int = 0,
        unseen: bool = False,
    ) -> tuple[Card, ...]:
        """The next cards of the shoe; of a real one, what is reported of them. Those that lie face
        up are named: nobody could say later which they are."""
        shoe = self.state.shoe
        assert shoe is not None
        upcoming = tuple(shoe.order[after : after + count])
        if len(upcoming) < count:
            self.refuse_with(
                (Topic.NOT_ENOUGH_CARDS, Topic.DECK_SHORT_OR_OVER),
                f"{counted(shoe.left, 'card is', 'cards are')} left in the shoe, "
                f"{counted(count + after, 'is', 'are')} needed.",
            )
        if shoe.real:
            unseen = unseen or self.state.phase == "dealing"
            if unseen and not reported:
                return upcoming
            if len(reported) != count or (UNKNOWN in reported and not unseen):
                card = counted(count, "card as it comes", "cards as they come")
                raise BadCommand(f"report {card} out of the shoe")
            self.check_reported(reported)
            self._check_next(upcoming, reported)
            return reported
        if reported:
            raise BadCommand("the House knows the cards of this shoe; report none")
        return upcoming

    def check_reported(self, cards: tuple[Card, ...]) -> None:
        """Reported cards are different ones that are not out already."""
        shoe = self.state.shoe
        assert shoe is not None
        known = [card for card in cards if card.is_known]
        for card in known:
            if known.count(card) > 1:
                raise BadCommand(f"{card.pretty} is reported twice")
            if card in shoe.drawn or card in shoe.burnt:
                raise BadCommand(f"{card.pretty} is out already")

    def check_unseen(self, cards: tuple[Card, ...]) -> None:
        """Cards of a real shoe that lie on the table unseen and are named now are not out already,
        nor among those that were put back."""
        self.check_reported(cards)
        assert self.state.shoe is not None
        for card in cards:
            if card.is_known and card in self.state.shoe.order:
                raise BadCommand(f"{card.pretty} was put back and lies in the shoe")

    def _check_next(self, upcoming: tuple[Card, ...], reported: tuple[Card, ...]) -> None:
        """Of a real shoe some cards are known all the same: those that were put back."""
        shoe = self.state.shoe
        assert shoe is not None
        for was, card in zip(upcoming, reported, strict=True):
            if not card.is_known or was is card:
                continue
            if was.is_known:
                raise BadCommand(f"{was.pretty} was put back and comes next, not {card.pretty}")
            if card in shoe.order:
                raise BadCommand(f"{card.pretty} was put back and does not come yet")

    def identified(self, cards: tuple[Card, ...], reported: tuple[Card, ...]) -> tuple[Card, ...]:
        """Cards that lay face down, with what is now reported of them."""
        if len(reported) != len(cards):
            lie = counted(len(cards), "card lies", "cards lie")
            raise BadCommand(f"{lie} there, not {len(reported)}")
        for was, card in zip(cards, reported, strict=True):
            if was.is_known and was is not card:
                raise BadCommand(f"the card is {was.pretty}, not {card.pretty}")
            if not card.is_known:
                raise BadCommand("report which cards they are")
        self.check_unseen(tuple(c for c, was in zip(reported, cards, strict=True) if was is not c))
        return reported

    def take(self, cards: tuple[Card, ...]) -> None:
        """Cards leave the shoe; the cover card, if it is still there, goes first (v8 3.11)."""
        shoe = self.state.shoe
        assert shoe is not None
        if shoe.cover:
            shoe.discard_cover()
        shoe.take(cards)

    def burn(self, card: Card) -> None:
        """The next card of the shoe is burnt."""
        assert self.state.shoe is not None
        self.state.shoe.burn(card)

    def burn_for(self, round_: RoundState, street: Street) -> Card | None:
        """A card that a ruling has set aside to be the burn of this street."""
        if street == "flop" and round_.first_burn is not None:
            return round_.first_burn
        return round_.stored_burn

    def identify(self, card: Card) -> None:
        """A card of a real shoe that nobody had seen turns out to be this one."""
        assert self.state.shoe is not None
        self.state.shoe.identify(card, Pile.DRAWN)
        self.cards_moved = True

    def cards_are_out(self) -> bool:
        """Whether the Initial Deal has been made."""
        return self.state.phase not in ("blinds", "dealing", "shuffling", "cutting")

    def collect_cards(self) -> None:
        """All cards come back in front of the shoe, unshuffled."""
        shoe = self.state.shoe
        if shoe is None:
            return
        if shoe.real:
            shoe.collect()
            return
        shoe.put_back(tuple(shoe.burnt), Pile.BURNT)
        shoe.put_back(tuple(shoe.drawn), Pile.DRAWN)
        shoe.was_cut = False

    def gather_unshuffled(self) -> None:
        """The Blinds are called without a shuffle: the cards lie as they were gathered, or as they
        came if the deck is new."""
        state = self.state
        if state.shoe is None:
            real = state.settings.shoe == "reported"
            state.shoe = Shoe.reported() if real else Shoe.virtual(DECK)
        self.collect_cards()

    def deck_deviations(self) -> list[str]:
        """What was left out in making the deck ready."""
        state = self.state
        found = []
        if not state.shuffled:
            found.append("deck not shuffled")
        if self.by_book[DECK_IS_CUT] and (state.shoe is None or not state.shoe.was_cut):
            found.append("deck not cut")
        return found

    def plan(self) -> Plan | Ask | None:
        """The next Round of play as the seats stand now."""
        return plan_round(self.state, self.by_book[SEATS_BY_THE_BOOK])

    def deal_order(self) -> tuple[int, ...]:
        """Who will be dealt in, in order, as the seats stand now."""
        round_ = self.state.round
        if round_ is not None and round_.open:
            return round_.order
        plan = self.plan()
        return plan.players if isinstance(plan, Plan) else ()

    # -- what must hold ----------------------------------------------------------------------

    def check(self) -> None:
        """Every chip is in a stake, in the round or with the House; no stake is negative; while
        a round is open every card of the deck is in exactly one place."""
        state = self.state
        chips = state.house
        for seat in state.seats.values():
            stake = seat.stake
            if stake < 0:
                raise AssertionError(f"{seat.player} has {write_money(stake)}")
            chips += stake
        round_ = state.round
        if round_ is not None and round_.open:
            for player in round_.players.values():
                chips += player.bet
                if player.dead:
                    chips += player.dead
            for pot in round_.pots:
                chips += pot.amount
            chips -= round_.paid
        if chips != state.brought:
            raise AssertionError(
                f"{write_money(chips)} on the table, {write_money(state.brought)} were brought"
            )
        if self.cards_moved:
            self.check_cards()

    def holdings(self) -> dict[str, int]:
        """The stakes, the chips that are in the round, and the Rake."""
        state = self.state
        named = self._chips_of
        if len(named) > 1_000:  # players come and go
            named.clear()
        held = {}
        for seat in state.seats.values():
            player = seat.player
            held[named.get(player) or named.setdefault(player, f"chips/{player}")] = seat.stake
        held["rake"] = state.house
        round_ = state.round
        in_the_round = 0
        if round_ is not None and round_.open:
            for dealt_in in round_.players.values():
                in_the_round += dealt_in.bet + dealt_in.dead
            for pot in round_.pots:
                in_the_round += pot.amount
            in_the_round -= round_.paid
        held["pot"] = in_the_round
        return held

    def buying(self, command: Command) -> tuple[str, int] | None:
        match command:
            case Sit(player=player, stake=stake) | Relocate(player=player, stake=stake):
                return player, stake
            case TopUp(seat=seat, amount=amount) if seat in self.state.seats:
                return self.state.seats[seat].player, amount
            case Decide(decision=number, option="accept"):
                # Somebody who comes back with less is seated by the answer (v8 3.7).
                for need in self.state.waiting:
                    if isinstance(need, DecisionNeeded) and need.decision == number:
                        about = need.about
                        return (about["player"], about["stake"]) if "stake" in about else None
                return None
            case _:
                return None

    def check_cards(self) -> None:
        """No card is in two places, and none is lost."""
        self.cards_moved = False
        state = self.state
        round_, shoe = state.round, state.shoe
        if round_ is None or not round_.open or shoe is None:
            return
        out = [*round_.flop, *round_.turn, *round_.river, *round_.aside, *round_.discards]
        for player in round_.players.values():
            out += player.cards
        for cards in round_.stray.values():
            out += cards
        out += [burnt.card for burnt in round_.burns]
        if round_.stored_burn is not None:
            out.append(round_.stored_burn)
        if round_.first_burn is not None:
            out.append(round_.first_burn)
        assert len(out) == len(shoe.drawn) + len(shoe.burnt), (
            f"{len(out)} cards lie on the table, {len(shoe.drawn) + len(shoe.burnt)} left the shoe"
        )
        if not shoe.real:
            assert set(out) == {*shoe.drawn, *shoe.burnt}, "a card is in two places"
