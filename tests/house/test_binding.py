"""The House is bound before the first bet; seeds are part of the deck; attacks on both."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from croupier.banked import commands as banked
from croupier.cards import DECK
from croupier.house import binding, mixing, shuffle_book
from croupier.house.audit import alone, replay
from croupier.house.audit.export import export
from croupier.house.audit.verify import verify
from croupier.house.binding import SecretGone
from croupier.house.dealer import Dealer
from croupier.house.errors import Conflict, DiskFull, HouseError, LostConnection
from croupier.house.house import House
from croupier.house.openings import Openings
from croupier.house.seeds import Participation, SeedRefused, Seeds
from croupier.house.shuffle_book import (
    NO_GAME,
    SILENCE,
    Bound,
    DrawMixed,
    MixShuffle,
    SecretCommitted,
    SecretSpent,
    ShuffleBook,
    ShuffleMixed,
    book_of,
)
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.poker import commands as poker
from croupier.poker.irregularities import commands as reports
from croupier.table import (
    PUBLIC,
    ActorRank,
    BadCommand,
    DrawGiven,
    GiveShuffle,
    ShuffleGiven,
    ShuffleNeeded,
    player,
)
from tests.house.casino import (
    CAGE,
    STAKE,
    TABLES,
    BringCash,
    Cage,
    Guests,
    add_places,
    call_or_check,
    deal_by_hand,
    four_flop_cards,
    is_poker,
    must,
    open_places,
    sitting,
)
from tests.house.seeded import Seeded

BETS = frozenset(
    "ante placed|bonus placed|progressive placed|blind posted|blinds called|straddled".split("|")
)


@pytest.fixture(autouse=True)
def cage_is_known(monkeypatch):
    """The audit knows the House's own places; the cage of these tests is another one."""
    known = replay.conversation_of
    monkeypatch.setattr(
        replay, "conversation_of", lambda p, e: Cage(NO_GAME) if p == CAGE else known(p, e)
    )


def dealt(guests: Guests) -> None:
    """All that is due, durable."""
    for given in guests.dealer.deal(guests.place):
        given.result()


@pytest.fixture
def house(tmp_path):
    made = opened(tmp_path)
    yield made
    made.close()


def opened(folder) -> House:
    path = folder / "house.db"
    return House(Store(SqliteDatabase(path)), reader=Store(SqliteDatabase(path)))


def playing(house: House, place: str, **settings: Any) -> Guests:
    add_places(house, (place,))
    open_places(house, (place,), **settings)
    return Guests(house, Dealer(house, Seeded(1)), place, seed=4)


def written(house: House, place: str) -> list[Any]:
    return [(row, house.pit.at(place).read_event(row.event)) for row in house.reader.rows(place)]


def booked(house: House, place: str) -> list[Any]:
    rows = house.reader.rows(book_of(place))
    return [ShuffleBook.read_event(row.event) for row in rows]


def bound(guests: Guests) -> Bound | None:
    return guests.dealer.binding.book(guests.place).state.bound


def seed_of(who: str, number: int) -> bytes:
    return mixing.digest_of(f"{who} {number}".encode())


class WithSeeds(Guests):
    """Guests whose pages send hashes and open seeds, as far as they are told to."""

    silent: frozenset[str] = frozenset()

    def step(self):
        dealer, place = self.dealer, self.place
        book = dealer.binding.book(place).state
        for who in ("Ann", "Ben", "Cho"):
            number = book.number + 1
            hashed = mixing.seed_hash(place, number, who, seed_of(who, number)).hex()
            dealer.offer_seed(place, who, number, hashed)
        if any(isinstance(need, ShuffleNeeded) for need in self.table.state.waiting):
            for who in dealer.awaited_seeds(place):
                if who not in self.silent:
                    seed = seed_of(who, book.number).hex()
                    dealer.open_seed(place, who, book.number, seed)
        return super().step()


def with_seeds(house: House, place: str, **settings: Any) -> WithSeeds:
    guests = playing(house, place, **settings)
    return WithSeeds(house, guests.dealer, place, seed=4)


# -- before the first bet ---------------------------------------------


@pytest.mark.parametrize("place", TABLES)
def test_the_house_is_bound_before_a_bet_of_the_round_can_be_placed(house, place):
    guests = playing(house, place)
    guests.play(rounds=6)
    commits: dict[str, SecretCommitted] = {}
    for row in house.reader.rows(book_of(place)):
        event = ShuffleBook.read_event(row.event)
        if isinstance(event, SecretCommitted):
            commits[row.command_id] = event
    bound_for = 0
    rounds = 0
    for row, event in written(house, place):
        if row.command_id in commits:
            bound_for = commits[row.command_id].round
        tag = event.__struct_config__.tag
        rounds += tag in ("bets called", "blinds called")
        if tag in BETS:
            assert bound_for == rounds, f"{tag} of round {rounds} comes before the commitment"
    assert rounds >= 6
    assert [each.number for each in commits.values()] == list(range(1, len(commits) + 1))


@pytest.mark.parametrize("place", ["P8", "M3"])
def test_a_person_who_deals_binds_the_house_too(house, place):
    """Whoever gives the command that begins a round: the commitment is in its transaction."""
    guests = playing(house, place, dealing="by-hand")
    if place == "P8":
        deal_by_hand(house, guests.dealer)
    else:
        must(house, place, banked.CallForBets(), ActorRank.DEALER)
    assert bound(guests) is not None
    assert bound(guests).round == 1


@pytest.mark.parametrize("place", ["P8", "M3"])
def test_of_a_real_shoe_nothing_is_promised(house, place):
    guests = playing(house, place, dealing="by-hand", shoe="reported")
    begins = [poker.StartGame()] if is_poker(place) else [banked.CallForBets()]
    for command in begins:
        must(house, place, command, ActorRank.DEALER)
    assert bound(guests) is None
    assert booked(house, place) == []


def test_what_was_committed_to_and_not_used_is_declared_spent(house):
    guests = playing(house, "M3")
    for _ in range(2):
        guests.dealer.call("M3").result()  # bets are called for
        guests.dealer.call("M3").result()  # and closed: nobody has bet, nothing is shuffled
        dealt(guests)
    guests.dealer.call("M3").result()
    told = [type(event) for event in booked(house, "M3")]
    assert told == [SecretCommitted, SecretSpent, SecretCommitted, SecretSpent, SecretCommitted]
    secrets = [each.secret for each in booked(house, "M3") if isinstance(each, SecretCommitted)]
    assert len({house.reader.opening(secret).seed for secret in secrets}) == 3
    assert verify(house.store).difference is None


# -- the deck follows from both ---------------------------------------------


@pytest.mark.parametrize("place", TABLES)
@pytest.mark.parametrize("seeds", [True, False])
def test_every_deck_follows_from_secret_and_seeds(house, place, seeds):
    guests = with_seeds(house, place) if seeds else playing(house, place)
    guests.play(rounds=4)
    assert verify(house.store).difference is None
    mixed = [event for event in booked(house, place) if isinstance(event, ShuffleMixed)]
    assert mixed
    assert all(bool(event.seeds) == seeds for event in mixed)
    openings = Openings(house)
    for number in range(1, 5):
        for told in openings.verify_round(place, number):
            assert told.mixed.counter == 0
            assert told.mixed.root == told.committed.root, "it was told before the first bet"
            mine = openings.openings_for(place, number, player("Ann"))
            assert all(told.opens(each) for each in mine if each.shuffle == told.shuffle)


def test_another_seed_is_another_deck(tmp_path):
    """Two Houses with the same bytes of chance: what one player's seed changes is everything."""
    decks = []
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        house = opened(folder)
        guests = playing(house, "M3")
        seed = mixing.digest_of(name.encode())
        guests.dealer.offer_seed("M3", "Ann", 1, mixing.seed_hash("M3", 1, "Ann", seed).hex())
        to_the_shuffle(guests)
        guests.dealer.open_seed("M3", "Ann", 1, seed.hex())
        dealt(guests)
        [deck] = [e.cards for _, e in written(house, "M3") if isinstance(e, ShuffleGiven)]
        decks.append(deck)
        roots = [event.root for event in booked(house, "M3")]
        house.close()
    assert decks[0] != decks[1]
    assert len(set(roots)) == 1


def to_the_shuffle(guests: Guests, *players: str) -> None:
    """Bets are called for, placed and closed: the table waits for the shuffle."""
    house, place = guests.house, guests.place
    guests.dealer.call(place).result()
    for box, who in zip((1, 3, 5), players or ("Ann",), strict=False):
        bet = banked.PlaceAnte(box=box, amount=2500, player=who)
        must(house, place, bet, ActorRank.PLAYER, who)
    guests.dealer.call(place).result()


def sent(guests: Guests, who: str, number: int) -> None:
    hashed = mixing.seed_hash(guests.place, number, who, seed_of(who, number))
    guests.dealer.offer_seed(guests.place, who, number, hashed.hex())


def open_seed(guests: Guests, who: str, number: int, seed: bytes | None = None) -> None:
    opens = seed if seed is not None else seed_of(who, number)
    guests.dealer.open_seed(guests.place, who, number, opens.hex())


def test_what_is_shuffled_again_within_a_round_is_of_the_same_secret(house):
    guests = playing(house, "P8", dealing="by-hand")
    deal_by_hand(house, guests.dealer)
    must(house, "P8", poker.DealFlop(), ActorRank.DEALER)
    must(house, "P8", reports.ReportEarlyCards(), ActorRank.DEALER)
    while guests.table.playing():
        dealt(guests)
        if guests.table.status() == "betting":
            call_or_check(house)
        else:
            must(house, "P8", guests.table.due(), ActorRank.DEALER)
    *_, first, again = [e for e in booked(house, "P8") if isinstance(e, ShuffleMixed)]
    assert (again.number, again.committed) == (first.number, first.committed)
    assert (first.counter, again.counter) == (0, 1)
    assert again.cards < 52
    assert again.root != first.root
    assert verify(house.store).difference is None


def test_a_pick_is_of_the_same_secret(house):
    guests = playing(house, "P8", dealing="by-hand")
    deal_by_hand(house, guests.dealer)
    four_flop_cards(house)
    guests.dealer.pick("P8", who="Sam", rank=ActorRank.PIT_MANAGER).result()
    drawn = [e for e in booked(house, "P8") if isinstance(e, DrawMixed)]
    [given] = [e for _, e in written(house, "P8") if isinstance(e, DrawGiven)]
    assert [(e.counter, e.among) for e in drawn] == [(1, 4)]
    secret = house.reader.opening(bound(guests).secret).seed
    key = mixing.mix_key(bytes.fromhex(bound(guests).digest), bytes.fromhex(bound(guests).root), [])
    assert mixing.draw_of(secret, key, 1, 3, 4) == given.picks
    assert verify(house.store).difference is None


def test_the_cut_comes_from_the_mix_and_is_not_always_the_same(house):
    guests = with_seeds(house, "P8")
    guests.play(rounds=8)
    cuts = [e.cards for _, e in written(house, "P8") if e.__struct_config__.tag == "deck cut"]
    assert len(set(cuts)) > 4
    assert verify(house.store).difference is None


def test_a_cut_that_somebody_chose_is_found(house, monkeypatch):
    guests = playing(house, "P8")
    monkeypatch.setattr(guests.dealer.binding, "cut", lambda place: 26)
    guests.play(rounds=2)
    assert "was not cut where the mix cuts it" in str(verify(house.store).difference)


def test_a_table_that_nothing_was_committed_to_gets_both_at_once(house):
    """As in a log of an older release, whose table waits for a shuffle."""
    guests = playing(house, "M3")
    house.companions.clear()
    to_the_shuffle(guests)
    assert bound(guests) is None
    dealt(guests)
    told = [type(event) for event in booked(house, "M3")]
    assert told == [SecretCommitted, ShuffleMixed]
    assert verify(house.store).difference is None


def test_a_misdeal_is_shuffled_again_with_the_same_secret(house):
    """v8 5.3.6: a whole new shuffle, and a cut of its own."""
    guests = with_seeds(house, "P8", dealing="by-hand")
    deal_by_hand(house, guests.dealer)
    must(house, "P8", reports.ReportExposedInCut(cards=(DECK[0],)), ActorRank.DEALER)
    while (asked := guests.decide()) is not None:
        must(house, "P8", asked[0], ActorRank.SHIFT_MANAGER, asked[1])
        dealt(guests)
    *_, first, again = [e for e in booked(house, "P8") if isinstance(e, ShuffleMixed)]
    assert (again.number, again.counter, again.cards) == (first.number, 1, 52)
    assert again.root != first.root
    assert verify(house.store).difference is None


# -- attacks by players ---------------------------------------------


def test_who_copies_the_hash_of_another_cannot_open_it(house):
    guests = playing(house, "M3")
    sent(guests, "Ann", 1)
    stolen = mixing.seed_hash("M3", 1, "Ann", seed_of("Ann", 1)).hex()
    guests.dealer.offer_seed("M3", "Ben", 1, stolen)
    to_the_shuffle(guests, "Ann", "Ben")
    open_seed(guests, "Ann", 1)
    with pytest.raises(SeedRefused, match="not the seed whose hash you sent"):
        open_seed(guests, "Ben", 1, seed_of("Ann", 1))
    dealt(guests)
    [mixed] = [e for e in booked(house, "M3") if isinstance(e, ShuffleMixed)]
    assert [each.player for each in mixed.seeds] == ["Ann"]
    assert mixed.unopened == ("Ben",)
    assert verify(house.store).difference is None


def test_two_may_have_the_same_seed_and_neither_undoes_the_other(house):
    guests = playing(house, "M3")
    for who in ("Ann", "Ben"):
        hashed = mixing.seed_hash("M3", 1, who, bytes(32)).hex()
        guests.dealer.offer_seed("M3", who, 1, hashed)
    to_the_shuffle(guests, "Ann", "Ben")
    for who in ("Ann", "Ben"):
        open_seed(guests, who, 1, bytes(32))
    dealt(guests)
    [mixed] = [e for e in booked(house, "M3") if isinstance(e, ShuffleMixed)]
    digest, root = bytes.fromhex(bound(guests).digest), bytes.fromhex(bound(guests).root)
    both = [(each.player, bytes.fromhex(each.seed)) for each in mixed.seeds]
    assert len(both) == 2
    assert mixing.mix_key(digest, root, both) != mixing.mix_key(digest, root, [])


def test_a_hash_may_be_sent_anew_until_the_house_commits_and_not_after(house):
    guests = playing(house, "M3")
    guests.dealer.offer_seed("M3", "Ann", 1, "00" * 32)
    sent(guests, "Ann", 1)
    to_the_shuffle(guests)
    with pytest.raises(SeedRefused, match="The next commitment is number 2, not 1"):
        guests.dealer.offer_seed("M3", "Ann", 1, "00" * 32)
    open_seed(guests, "Ann", 1)
    open_seed(guests, "Ann", 1)  # twice is as good as once
    assert guests.dealer.awaited_seeds("M3") == ()


def test_another_seed_than_the_one_sent_is_refused(house):
    guests = playing(house, "M3")
    sent(guests, "Ann", 1)
    to_the_shuffle(guests)
    with pytest.raises(SeedRefused, match="not the seed whose hash you sent"):
        open_seed(guests, "Ann", 1, bytes(32))
    assert guests.dealer.awaited_seeds("M3") == ("Ann",)


def test_after_the_deal_it_is_too_late(house):
    guests = playing(house, "M3")
    sent(guests, "Ann", 1)
    to_the_shuffle(guests)
    dealt(guests)
    with pytest.raises(SeedRefused, match="No seed of commitment 1 can be opened now"):
        open_seed(guests, "Ann", 1)
    [mixed] = [e for e in booked(house, "M3") if isinstance(e, ShuffleMixed)]
    assert (mixed.seeds, mixed.unopened) == ((), ("Ann",))


def test_who_sent_no_hash_opens_nothing_and_before_the_call_nothing_is_opened(house):
    guests = playing(house, "M3")
    with pytest.raises(SeedRefused, match="No seed of commitment 1"):
        open_seed(guests, "Ann", 1)
    to_the_shuffle(guests)
    with pytest.raises(SeedRefused, match="No hash of yours"):
        open_seed(guests, "Ann", 1)


def test_seeds_are_told_only_once_bets_are_closed(house):
    """Until then nobody, the House included, can know a card: one honest player is enough."""
    guests = playing(house, "M3")
    sent(guests, "Ann", 1)
    guests.dealer.call("M3").result()
    with pytest.raises(SeedRefused, match="not yet"):
        open_seed(guests, "Ann", 1)


def test_who_is_not_dealt_in_has_no_say(house):
    """A seed without a bet would be a choice between two decks that costs nothing."""
    guests = playing(house, "M3")
    sent(guests, "Ann", 1)
    sent(guests, "Ben", 1)
    to_the_shuffle(guests, "Ann")
    assert guests.dealer.awaited_seeds("M3") == ("Ann",)
    open_seed(guests, "Ben", 1)
    open_seed(guests, "Ann", 1)
    dealt(guests)
    [mixed] = [e for e in booked(house, "M3") if isinstance(e, ShuffleMixed)]
    assert [each.player for each in mixed.seeds] == ["Ann"]
    assert mixed.absent == ("Ben",)


def test_a_stranger_is_not_listed(house):
    guests = playing(house, "M3")
    sent(guests, "Zed", 1)
    guests.dealer.call("M3").result()
    assert bound(guests).seeds == ()


def test_who_left_a_seed_unopened_takes_no_part_for_a_while(house):
    guests = with_seeds(house, "P8")
    guests.silent = frozenset({"Ben"})
    guests.play(rounds=SILENCE + 2)
    listed = [
        {each.player for each in event.seeds}
        for event in booked(house, "P8")
        if isinstance(event, SecretCommitted)
    ]
    with_ben = [n for n, names in enumerate(listed, start=1) if "Ben" in names]
    assert with_ben[:2] == [with_ben[0], with_ben[0] + SILENCE + 1]
    assert sum("Ann" in names for names in listed) > SILENCE // 2
    assert verify(house.store).difference is None


# -- crashes ---------------------------------------------


def test_after_a_crash_between_commitment_and_deal_the_same_secret_is_used(tmp_path):
    house = opened(tmp_path)
    guests = playing(house, "M3")
    sent(guests, "Ann", 1)
    to_the_shuffle(guests)
    before = bound(guests)
    open_seed(guests, "Ann", 1)
    expected = guests.dealer.next_act("M3")
    house.close()
    again = opened(tmp_path)
    add_places(again, ("M3",))
    dealer = Dealer(again, Seeded(99))
    assert dealer.binding.book("M3").state.bound == before
    assert dealer.awaited_seeds("M3") == ("Ann",), "his page opens it again"
    dealer.open_seed("M3", "Ann", 1, seed_of("Ann", 1).hex())
    assert dealer.next_act("M3") == expected
    for given in dealer.deal("M3"):
        given.result()
    assert verify(again.store).difference is None
    again.close()


def test_a_commitment_that_was_not_stored_was_never_made(house, monkeypatch):
    guests = playing(house, "M3")

    def full(bundles):
        raise DiskFull("there is no room left to write")

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "append", full)
        with pytest.raises(DiskFull):
            guests.dealer.call("M3").result()
    assert bound(guests) is None
    assert house.reader.openings() == []
    guests.play(rounds=2)
    assert verify(house.store).difference is None


def test_what_was_made_of_a_commitment_that_was_lost_is_not_given_for_its_successor(
    house, monkeypatch
):
    """Whoever paces the table has asked already what comes next, as the server does."""
    guests = playing(house, "P8")

    def lost(bundles):
        raise LostConnection("the server went away")

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "append", lost)
        with house.lock:
            started = guests.dealer.call("P8")
            assert isinstance(guests.dealer.next_act("P8"), GiveShuffle)
        with pytest.raises(LostConnection):
            started.result()
    guests.play(rounds=1)
    assert verify(house.store).difference is None


def given_too_late(guests: Guests, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection ends as the shuffle is stored. The table is read again, as if nothing had been
    stored; and then the database carries the commit out."""
    store, late = guests.house.store, []

    def lost(bundles):
        late.append(bundles)
        raise LostConnection("the server went away")

    with monkeypatch.context() as patch:
        patch.setattr(store, "append", lost)
        assert isinstance(guests.dealer.next_act(guests.place), GiveShuffle)
        with pytest.raises(LostConnection):
            guests.dealer.act(guests.place).result()
    [bundles] = late
    assert store.append(bundles) == [None]


def somebody_comes_first(guests: Guests) -> None:
    """The next command is about the table alone, and is turned away: only so is it noticed."""
    must(guests.house, CAGE, BringCash(player="Eve", amount=STAKE), ActorRank.DEALER)
    with pytest.raises(Conflict):
        must(guests.house, "P8", sitting("P8", 7, "Eve"), ActorRank.PLAYER, "Eve")


@pytest.mark.parametrize("shuffles", [1, 2])
def test_a_shuffle_that_was_stored_too_late_is_in_the_book_as_it_is_at_the_table(
    house, monkeypatch, shuffles
):
    """The draw for the button, after which another commitment is due, and the deck of a round,
    which is cut by the mix."""
    guests = playing(house, "P8")
    for number in range(1, shuffles + 1):
        while not isinstance(guests.dealer.next_act("P8"), GiveShuffle):
            guests.step()
        if number < shuffles:
            guests.step()
    given_too_late(guests, monkeypatch)
    somebody_comes_first(guests)
    assert bound(guests).uses == 1
    guests.play(rounds=2)
    mixed = [event for event in booked(house, "P8") if isinstance(event, ShuffleMixed)]
    assert [(e.number, e.counter) for e in mixed] == [(1, 0), (2, 0), (3, 0)]
    assert verify(house.store).difference is None


def test_a_book_that_cannot_be_read_with_its_table_is_read_before_it_is_used(house, monkeypatch):
    guests = playing(house, "P8")
    while not isinstance(guests.dealer.next_act("P8"), GiveShuffle):
        guests.step()
    given_too_late(guests, monkeypatch)
    rows = house.reader.rows

    def no_book(stream, *args, **how):
        if stream == book_of("P8"):
            raise LostConnection("the server went away")
        return rows(stream, *args, **how)

    with monkeypatch.context() as patch:
        patch.setattr(house.reader, "rows", no_book)
        somebody_comes_first(guests)
        with pytest.raises(LostConnection):
            guests.dealer.next_act("P8")
    guests.play(rounds=1)
    assert verify(house.store).difference is None


def test_what_was_made_of_a_commitment_is_made_anew_once_it_was_used(house):
    """Each use has an order of its own: the same deck never comes twice."""
    guests = playing(house, "M3")
    to_the_shuffle(guests)
    first = guests.dealer.next_act("M3")
    assert guests.dealer.next_act("M3") is first
    bound(guests).uses = 1
    assert guests.dealer.next_act("M3") != first
    bound(guests).uses = 0
    assert guests.dealer.next_act("M3") == first


def test_the_order_that_was_told_before_the_bets_is_for_the_first_shuffle_only(house):
    guests = playing(house, "M3")
    to_the_shuffle(guests)
    dealt(guests)
    mix = next(e for e in booked(house, "M3") if isinstance(e, ShuffleMixed))
    again = MixShuffle(
        shuffle="again",
        table="M3",
        need=mix.need,
        purpose=mix.purpose,
        root=mix.root,
        cards=mix.cards,
        seeds=mix.seeds,
        unopened=mix.unopened,
        absent=mix.absent,
    )
    with pytest.raises(BadCommand, match="the first order of commitment 1"):
        house.give(book_of("M3"), again, who="house", rank=ActorRank.HOUSE)


def test_a_seed_that_was_opened_for_a_commitment_that_was_lost_is_not_taken_for_its_successor(
    house, monkeypatch
):
    """Whoever opens his seed before he was told of the commitment, and sends another hash for the
    next one of the same number, must not stop the table."""
    guests = playing(house, "P8")
    sent(guests, "Ann", 1)

    def lost(bundles):
        raise LostConnection("the server went away")

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "append", lost)
        with house.lock:
            started = guests.dealer.call("P8")
            open_seed(guests, "Ann", 1)
        with pytest.raises(LostConnection):
            started.result()
    other = mixing.digest_of(b"another seed")
    hashed = mixing.seed_hash("P8", 1, "Ann", other).hex()
    guests.dealer.offer_seed("P8", "Ann", 1, hashed)
    guests.dealer.call("P8").result()
    assert guests.dealer.awaited_seeds("P8") == ("Ann",)
    guests.play(rounds=1)
    assert verify(house.store).difference is None


def test_a_secret_that_is_gone_is_named_and_no_other_one_is_taken(house):
    guests = playing(house, "M3")
    to_the_shuffle(guests)
    house.writer.flush()
    house.store.database.execute("DELETE FROM openings")
    other = Dealer(house, Seeded(5))
    with pytest.raises(SecretGone, match="the secret of commitment 1 of M3 is gone"):
        other.next_act("M3")


# -- attacks by whoever can write the database ---------------------------------------------


def test_a_secret_or_seed_that_was_changed_is_found(house):
    guests = with_seeds(house, "M3")
    guests.play(rounds=3)
    secret = next(e.secret for e in booked(house, "M3") if isinstance(e, SecretCommitted))
    kept = house.reader.opening(secret).seed
    database = house.store.database
    database.execute(
        "UPDATE openings SET seed = ? WHERE shuffle = ?", (bytes([kept[0] ^ 1]) + kept[1:], secret)
    )
    assert verify(house.store).difference is not None
    database.execute("UPDATE openings SET seed = ? WHERE shuffle = ?", (kept, secret))
    assert verify(house.store).difference is None
    database.execute("DELETE FROM openings WHERE shuffle = ?", (secret,))
    assert "the secret is missing" in str(verify(house.store).difference)


def test_a_house_that_puts_the_seeds_in_another_order_is_found_out(house, monkeypatch):
    """With every seed opened there is one deck: in each other order they would make another."""
    guests = with_seeds(house, "M3")
    guests.play(rounds=1)
    told = Seeds.participation

    def turned(*words: Any) -> Participation:
        found = told(*words)
        return replace(found, opened=found.opened[::-1])

    with monkeypatch.context() as cheating:
        cheating.setattr(Seeds, "participation", turned)
        with pytest.raises(HouseError, match="in the order of the list"):
            guests.play(rounds=9)
        cheating.setattr(shuffle_book, "in_their_order", lambda opened, listed: True)
        guests.play(rounds=3)
    mixed = [each for each in booked(house, "M3") if isinstance(each, ShuffleMixed)]
    assert any(len(each.seeds) > 1 for each in mixed)
    says = "the seeds do not stand in the order in which their hashes were listed"
    assert any(says in each.says for each in verify(house.store, apply_only=True).differences)
    assert verify(house.store).difference is not None
    export(house.store, house.store.database.path.with_name("e.jsonl"), with_open_rounds=True)
    with pytest.raises(ValueError, match="another seed of"):
        alone.Night(house.store.database.path.with_name("e.jsonl")).check_shuffles()


def test_a_house_that_calls_somebody_absent_who_is_dealt_in_is_found_out(house, monkeypatch):
    """It would leave out his seed, and he would be listed again at once, for every round."""
    guests = with_seeds(house, "M3")
    guests.play(rounds=2)
    told = Seeds.participation

    def without_one(*words: Any) -> Participation:
        found = told(*words)
        names = (*(each.player for each in found.opened[:1]), *found.absent)
        return replace(found, opened=found.opened[1:], absent=names)

    with monkeypatch.context() as cheating:
        cheating.setattr(Seeds, "participation", without_one)
        guests.play(rounds=5)
    for how in (False, True):
        found = verify(house.store, apply_only=how).differences
        assert any("called absent: that seed was left out" in each.says for each in found)


@pytest.mark.parametrize("place", ["M3", "P8"])
@pytest.mark.parametrize(
    ("later", "says"), [(0, "could choose between two"), (1, "made of what was for round")]
)
def test_a_house_that_commits_anew_once_it_has_seen_the_seeds_is_found_out(
    house, monkeypatch, place, later, says
):
    """It would know the deck, declare its secret spent, and take another one with no seeds in it:
    for the same round, or for the next by its name."""
    guests = with_seeds(house, place)
    guests.play(rounds=2)
    kept, committed = binding._is_for, binding.Binding._commit

    def elsewhere(self: Any, place: str, table: Any, number: int) -> Any:
        made = committed(self, place, table, number)
        bound = self.book(place).state.bound
        if bound is None or bound.round != number:
            return made
        return replace(made, command=replace(made.command, round=number + later))

    def spent(bound: Bound, table: Any) -> bool:
        return kept(bound, table) and bound.uses > 0

    with monkeypatch.context() as cheating:
        cheating.setattr(binding, "_is_for", spent)
        cheating.setattr(binding.Binding, "_commit", elsewhere)
        while not says_of(booked(house, place)):
            guests.play(rounds=1)
    for how in (False, True):
        found = verify(house.store, apply_only=how).differences
        assert any(says in each.says for each in found), found


def says_of(events: list[Any]) -> bool:
    """Whether something was spent and something else made in its place at once."""
    kinds = [type(each) for each in events]
    cheated = [SecretSpent, SecretCommitted, ShuffleMixed]
    return any(
        kinds[n : n + 3] == cheated and events[n + 1].round - events[n - 1].round <= 1
        for n in range(1, len(kinds) - 2)
    )


def test_a_house_that_commits_after_the_bets_is_found_out(house):
    guests = playing(house, "M3")
    guests.play(rounds=2)
    kept = house.companions.copy()
    house.companions.clear()
    guests.play(rounds=1)
    house.companions += kept
    guests.play(rounds=1)
    assert "before the House had committed" in str(verify(house.store).difference)


def test_a_secret_that_comes_twice_is_found_out(house, monkeypatch):
    guests = playing(house, "M3")
    monkeypatch.setattr(guests.dealer.shuffler.source, "take", bytes)
    guests.play(rounds=2)
    assert "its secret was committed to before" in str(verify(house.store).difference)


def test_nothing_that_is_told_before_the_end_of_a_round_tells_a_card_of_it(house):
    guests = with_seeds(house, "P8")
    guests.play(rounds=2)
    for event in booked(house, "P8"):
        for card in DECK:
            assert f'"{card}"' not in repr(event)
    secrets = {opening.seed.hex() for opening in house.reader.openings()}
    assert secrets
    for row in [*house.reader.rows(book_of("P8")), *house.reader.rows("P8")]:
        assert not any(secret in row.event.decode() for secret in secrets)


def test_openings_tell_no_secret(house):
    guests = with_seeds(house, "P8")
    guests.play(rounds=3)
    secrets = {opening.seed for opening in house.reader.openings()}
    openings = Openings(house)
    for viewer in (PUBLIC, player("Ann")):
        for number in (1, 2, 3):
            for each in openings.openings_for("P8", number, viewer):
                assert each.salt not in secrets
                assert not secrets & set(each.path)
