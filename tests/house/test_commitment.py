"""The House is bound to every card before the deal, and opens to each what he was let see."""

import hashlib
import hmac
from datetime import UTC, datetime

import pytest
from msgspec import structs

from croupier.banked import commands as banked
from croupier.cards import DECK, Card
from croupier.house.commitment import (
    CardOpening,
    commit,
    leaf_of,
    open_card,
    salt_of,
    verify_opening,
    verify_seed,
)
from croupier.house.dealer import Dealer
from croupier.house.errors import DiskFull, HouseError, UnknownPlace
from croupier.house.house import House
from croupier.house.openings import (
    BrokenCommitment,
    NotOver,
    Openings,
    UnknownRound,
    cards_in,
    check_openings,
    is_open,
)
from croupier.house.records import Snapshot
from croupier.house.shuffle_book import (
    SHUFFLES,
    Commit,
    Committed,
    SecretCommitted,
    ShuffleBook,
    ShuffleMixed,
    book_of,
    is_shuffle_book,
)
from croupier.house.shuffling import shuffle
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.poker import commands as poker
from croupier.poker.irregularities import commands as reports
from croupier.table import AUDITOR, PUBLIC, ActorRank, BadCommand, Look, Order, player
from tests.house.casino import (
    TABLES,
    Guests,
    add_places,
    call_or_check,
    deal_by_hand,
    must,
    open_places,
)
from tests.house.seeded import Seeded

SEED = bytes(range(32))
CARDS = shuffle(DECK, Seeded(1))
BOUND = commit(CARDS, SEED)
BOOK = book_of("M3")


@pytest.fixture
def house(tmp_path):
    path = tmp_path / "house.db"
    made = House(Store(SqliteDatabase(path)), reader=Store(SqliteDatabase(path)))
    yield made
    made.close()


def playing(house: House, place: str, **settings) -> Guests:
    add_places(house, (place,))
    open_places(house, (place,), **settings)
    return Guests(house, Dealer(house, Seeded(1)), place, seed=4)


def events(house: House, place: str):
    return [house.pit.at(place).read_event(row.event) for row in house.reader.rows(place)]


# -- the commitment itself ----------------------------------------------------------------------


def test_a_commitment_is_made_as_the_page_says():
    leaves = b""
    for place, card in enumerate(CARDS):
        number = place.to_bytes(4, "big")
        salt = hmac.new(SEED, number, "sha256").digest()
        leaves += hashlib.sha256(salt + number + str(card).encode("ascii")).digest()
    assert BOUND.leaves == leaves
    assert BOUND.root == hashlib.sha256(leaves).digest()
    assert BOUND.count == 52


def test_every_card_opens_alone():
    for index, card in enumerate(CARDS):
        opening = open_card("s", CARDS, SEED, index)
        assert opening.card is card
        assert verify_opening(BOUND, opening)


def test_nothing_else_opens():
    true = open_card("s", CARDS, SEED, 7)
    for false in (
        structs.replace(true, card=CARDS[8]),
        structs.replace(true, index=8),
        structs.replace(true, index=52),
        structs.replace(true, index=-45),
        structs.replace(true, salt=salt_of(SEED, 8)),
        structs.replace(true, salt=b""),
    ):
        assert not verify_opening(BOUND, false)


def test_a_commitment_whose_root_is_not_its_own_opens_nothing():
    opening = open_card("s", CARDS, SEED, 0)
    other = structs.replace(BOUND, root=bytes(32))
    assert not verify_opening(other, opening)
    # A leaf that was changed to fit another card does not fit the root any more.
    lie = structs.replace(opening, card=CARDS[1])
    forged = leaf_of(lie.salt, 0, lie.card) + BOUND.leaves[32:]
    assert not verify_opening(structs.replace(BOUND, leaves=forged), lie)


def test_a_seed_opens_all_or_nothing():
    assert verify_seed(BOUND, SEED, CARDS)
    assert not verify_seed(BOUND, bytes(32), CARDS)
    assert not verify_seed(BOUND, SEED, DECK)
    assert not verify_seed(BOUND, SEED[:31], CARDS)
    with pytest.raises(ValueError, match="32 bytes, not 31"):
        commit(CARDS, SEED[:31])


def test_two_commitments_to_the_same_cards_have_nothing_in_common():
    other = commit(CARDS, bytes(32))
    ours = {BOUND.leaf(i) for i in range(52)}
    assert not ours & {other.leaf(i) for i in range(52)}


# -- the book -----------------------------------------------------------------------------------


@pytest.mark.parametrize("place", TABLES)
def test_every_shuffle_is_committed_to_in_its_own_transaction(house, place):
    guests = playing(house, place)
    guests.play(rounds=3)
    given = [row for row in house.reader.rows(place) if b'"event":"shuffle given"' in row.event]
    booked = list(house.reader.rows(book_of(place)))
    read = [(row, ShuffleBook.read_event(row.event)) for row in booked]
    mixed = [row for row, event in read if isinstance(event, ShuffleMixed)]
    assert [row.command_id for row in given] == [row.command_id for row in mixed]
    assert len(given) >= 3 if place in ("P8", "P5") else given
    secrets = [event for _, event in read if isinstance(event, SecretCommitted)]
    kept = {house.reader.opening(event.secret).seed for event in secrets}
    assert len(kept) == len(secrets) >= len(given)
    for row, event in read:
        assert event.table == place
        if isinstance(event, ShuffleMixed):
            assert event.shuffle == row.command_id
            at = house.reader.row(row.stream, event.committed)
            assert ShuffleBook.read_event(at.event).number == event.number
    assert house.pit.links[book_of(place)].state.shuffles == len(given)


def test_what_is_told_before_the_deal_tells_no_card(house):
    guests = playing(house, "M3")
    guests.play(rounds=3)
    for event in events(house, BOOK):
        assert list(cards_in(event)) == []
        assert event.public() == event
        assert event.tell(str)


def test_a_shuffle_that_could_not_be_stored_was_not_committed_to(house, monkeypatch):
    guests = playing(house, "M3")
    guests.dealer.call("M3").result()
    bet = banked.PlaceAnte(box=1, amount=2500, player="Ann")
    must(house, "M3", bet, ActorRank.PLAYER, "Ann")
    guests.dealer.call("M3").result()

    def full(bundles):
        raise DiskFull("there is no room left to write")

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "append", full)
        with pytest.raises(DiskFull):
            guests.dealer.act("M3").result()
    assert house.pit.links[BOOK].state.shuffles == 0
    assert house.pit.links[BOOK].state.bound.uses == 0
    guests.dealer.act("M3").result()
    assert house.pit.links[BOOK].state.shuffles == 1


def test_a_book_that_rejects_a_commitment_leaves_the_table_as_it_was(house, monkeypatch):
    guests = playing(house, "M3")
    guests.dealer.call("M3").result()
    bet = banked.PlaceAnte(box=1, amount=2500, player="Ann")
    must(house, "M3", bet, ActorRank.PLAYER, "Ann")
    guests.dealer.call("M3").result()
    before = guests.table.snapshot()

    def rejects(order):
        raise BadCommand("the book is full")

    with monkeypatch.context() as patch:
        patch.setattr("croupier.house.shuffle_book._only_the_house", rejects)
        with pytest.raises(HouseError, match="'shuffles/M3' rejects what it must hear"):
            guests.dealer.act("M3")
    assert guests.table.snapshot() == before
    guests.play(rounds=1)


def test_every_table_has_a_book_of_its_own():
    assert book_of("M3") == "shuffles/M3"
    assert is_shuffle_book("shuffles/M3")
    assert not is_shuffle_book("M3")
    assert not is_shuffle_book(SHUFFLES)


def test_nobody_but_the_house_commits():
    book = ShuffleBook()
    command = Commit(
        shuffle="s", table="M3", need=1, purpose="x", root=BOUND.root.hex(), leaves=BOUND.leaves
    )
    when = datetime.now(UTC)
    by_a_dealer = Order(command=command, who="Dee", rank=ActorRank.DEALER, when=when)
    with pytest.raises(BadCommand, match="only the House"):
        book.handle(by_a_dealer)
    wrong = structs.replace(command, root=bytes(32).hex())
    with pytest.raises(BadCommand, match="root of shuffle s"):
        book.handle(Order(command=wrong, who="house", rank=ActorRank.HOUSE, when=when))
    [made] = book.handle(Order(command=command, who="house", rank=ActorRank.HOUSE, when=when))
    assert isinstance(made, Committed)
    assert made.commitment == BOUND


# -- who may open what --------------------------------------------------------------------------


def opened(openings: list[CardOpening]) -> set[Card]:
    return {opening.card for opening in openings}


@pytest.mark.parametrize("place", TABLES)
def test_everybody_opens_what_he_was_let_see_and_the_auditor_all(house, place):
    guests = playing(house, place)
    guests.play(rounds=15)
    openings = Openings(house)
    looked = 0
    for number in range(1, 16):
        bound = {made.shuffle: made for made in openings.commitments_of(place, number)}
        everybody = openings.openings_for(place, number, PUBLIC)
        for viewer in (PUBLIC, AUDITOR, *map(player, ("Ann", "Ben", "Cho"))):
            mine = openings.openings_for(place, number, viewer)
            assert all(is_open(bound[each.shuffle], each) for each in mine)
            assert {each.index for each in everybody} <= {each.index for each in mine}
            looked += len(mine) > len(everybody) and not viewer.auditor
        whole = openings.openings_for(place, number, AUDITOR)
        assert len(whole) == 52 * len(bound)
        assert openings.verify_round(place, number) == openings.commitments_of(place, number)
        assert openings.openings_for(place, number, player("nobody")) == everybody
    assert looked, "nobody had a card of his own to open: this shows nothing"


def deal(guests: Guests) -> None:
    """All that is due, and wait until it is durable."""
    for given in guests.dealer.deal("P8"):
        given.result()


def to_the_cards(house: House) -> Guests:
    guests = playing(house, "P8")
    for _ in range(2):
        guests.dealer.call("P8").result()
        deal(guests)
    return guests


def fold_all_but_one(house: House, guests: Guests) -> None:
    while (seat := guests.table.turn()) is not None:
        fold = poker.Fold(seat=seat)
        must(house, "P8", fold, ActorRank.PLAYER, guests.table.player_at(seat))
    deal(guests)


def test_only_who_has_looked_may_open_his_cards(house):
    guests = to_the_cards(house)
    hands = {who: set() for who in ("Ann", "Ben", "Cho")}
    for number, hand in guests.table.state.round.players.items():
        hands[guests.table.player_at(number)] = set(hand.cards)
    must(house, "P8", Look(seat=1), ActorRank.PLAYER, "Ann")
    with pytest.raises(NotOver, match="round 1 of P8 is not over"):
        Openings(house).openings_for("P8", 1, AUDITOR)
    fold_all_but_one(house, guests)
    openings = Openings(house)
    public = openings.openings_for("P8", 1, PUBLIC)
    anns = openings.openings_for("P8", 1, player("Ann"))
    assert opened(anns) - opened(public) == hands["Ann"]
    assert openings.openings_for("P8", 1, player("Ben")) == public
    # The draw for the button lay face up; it was another shuffle.
    first, second = openings.commitments_of("P8", 1)
    assert {each.shuffle for each in public} == {first.shuffle}
    assert {each.shuffle for each in anns} == {first.shuffle, second.shuffle}


def test_where_a_card_went_that_was_shuffled_in_again_stays_closed(house):
    """A flop is dealt too early, seen by all, and shuffled in again: a shuffle of the stub."""
    guests = playing(house, "P8", dealing="by-hand")
    deal_by_hand(house, guests.dealer)
    must(house, "P8", poker.DealFlop(), ActorRank.DEALER)
    early = set(guests.table.state.round.flop)
    must(house, "P8", reports.ReportEarlyCards(), ActorRank.DEALER)
    while guests.table.playing():
        deal(guests)
        if guests.table.status() == "betting":
            call_or_check(house)
        else:
            must(house, "P8", guests.table.due(), ActorRank.DEALER)
    openings = Openings(house)
    made = openings.commitments_of("P8", 1)
    stub = made[-1]
    assert stub.count < 52, "there was no shuffle of the stub"
    board = set(guests.table.board())
    public = openings.openings_for("P8", 1, PUBLIC)
    of_stub = opened([each for each in public if each.shuffle == stub.shuffle])
    of_round = opened([each for each in public if each.shuffle == made[-2].shuffle])
    assert early <= of_round, "everybody saw the flop that came too early"
    assert of_stub == board, "of the stub, what came out of it and nothing more"


def test_a_round_that_is_not_there_is_named(house):
    guests = playing(house, "M3")
    guests.play(rounds=2)
    openings = Openings(house)
    with pytest.raises(NotOver):
        openings.openings_for("M3", 3, AUDITOR)
    with pytest.raises(UnknownRound, match="M3 has no round 9; its last one is 2"):
        openings.openings_for("M3", 9, AUDITOR)
    with pytest.raises(UnknownRound):
        openings.openings_for("M3", 0, AUDITOR)
    with pytest.raises(UnknownPlace, match="'Z'"):
        openings.openings_for("Z", 1, AUDITOR)


def test_rounds_are_opened_in_any_order_and_from_a_kept_state(house):
    guests = playing(house, "P8")
    openings = Openings(house)
    first = {}
    for number in range(1, 9):
        if number == 4:
            # In the middle of a round, as the House keeps states.
            while not guests.table.playing():
                guests.step()
            state, position = guests.table.snapshot(), house.positions["P8"]
            house.store.save_snapshot(Snapshot(stream="P8", position=position, state=state))
        guests.play(rounds=1)
        first[number] = openings.openings_for("P8", number, player("Ann"))
    for number in (8, 3, 4, 5, 1, 8):
        assert openings.openings_for("P8", number, player("Ann")) == first[number]
        assert Openings(house).openings_for("P8", number, player("Ann")) == first[number]


def changed(house: House, table: str, column: str, value: bytes, where: str) -> None:
    with house.store.database.transaction():
        house.store.database.execute(
            f"UPDATE {table} SET {column} = ? WHERE {where}",
            (value,),
        )


def test_a_changed_seed_shuffle_or_commitment_is_found(house):
    guests = playing(house, "M3")
    guests.play(rounds=3)
    openings = Openings(house)
    number = next(n for n in (1, 2, 3) if openings.commitments_of("M3", n))
    [made] = openings.commitments_of("M3", number)
    secret = made.committed.secret
    seed = house.reader.opening(secret).seed
    its = f"shuffle = '{secret}'"
    changed(house, "openings", "seed", bytes([seed[0] ^ 1]) + seed[1:], its)
    with pytest.raises(BrokenCommitment, match="does not open"):
        openings.verify_round("M3", number)
    changed(house, "openings", "seed", seed, its)
    openings.verify_round("M3", number)
    row = next(row for row in house.reader.rows(BOOK) if row.command_id == made.shuffle)
    other = structs.replace(made.mixed, table="M2")
    where = f"place = '{BOOK}' AND position = {row.position}"
    encoded = row.event.replace(b'"table":"M3"', b'"table":"M2"')
    assert ShuffleBook.read_event(encoded) == other
    changed(house, "log", "event", encoded, where)
    with pytest.raises(BrokenCommitment, match="but the book has it for M2"):
        openings.verify_round("M3", number)
    house.store.database.execute("DELETE FROM openings")
    changed(house, "log", "event", row.event, where)
    with pytest.raises(BrokenCommitment, match=r"the secret of shuffle .* is gone"):
        openings.verify_round("M3", number)
    house.store.database.execute(f"DELETE FROM log WHERE place = '{BOOK}'")
    with pytest.raises(BrokenCommitment, match="has no commitment"):
        openings.verify_round("M3", number)


def test_openings_that_are_not_true_are_listed():
    true = open_card("s", CARDS, SEED, 0)
    false = structs.replace(true, card=CARDS[1])
    told = Committed(
        shuffle="s", table="M3", need=1, purpose="x", root=BOUND.root.hex(), leaves=BOUND.leaves
    )
    assert check_openings(told, [true, false]) == [false]
