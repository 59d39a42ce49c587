"""A deck that nobody has seen stands nowhere in the record but hidden by its round's secret."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.cards import DECK, Card
from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.chain import digest
from croupier.house.copy_reading import files
from croupier.house.hidden import NO_SECRET, hide, is_hidden, uncovered
from croupier.house.records import Opening
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.house.vault import KEY, NoKey
from croupier.table import GiveShuffle, Look, ShuffleGiven
from tests.house.casino import TABLES, Guests
from tests.house.evening import furnish, open_casino
from tests.house.test_redecide import chain_again

OTHER = Opening(shuffle="ab" * 16, stream="T", seed=bytes(32))
SECRET = Opening(shuffle="ab" * 16, stream="T", seed=bytes(range(32)))


def known(name: str) -> bytes | None:
    return SECRET.seed if name == SECRET.shuffle else None


# -- the form -------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", [DECK, DECK[::-1], DECK[7:9], DECK[:1]])
def test_what_is_hidden_is_read_again_byte_for_byte(cards: tuple[Card, ...]):
    given = ShuffleGiven(need=3, purpose='a "deck":["Ah"]', cards=cards, cites=("5.1",))
    for record in (given, GiveShuffle(need=3, cards=cards)):
        text = msgspec.json.encode(record)
        hidden = hide(text, SECRET)
        assert json.loads(hidden).keys() - {"hidden"} == json.loads(text).keys() - {"cards"}
        assert hidden == hide(text, SECRET) != hide(text, OTHER)
        assert is_hidden(hidden)
        assert not is_hidden(text)
        assert uncovered(hidden, known) == text
        assert uncovered(text, known) == text
        assert uncovered(hidden, lambda name: None) is None
        assert uncovered(hidden, lambda name: OTHER.seed) is None
        told = json.loads(hidden)["hidden"]
        for digits in (told["nonce"], told["cards"]):
            for at in range(len(digits)):
                other = digits[:at] + ("1" if digits[at] == "0" else "0") + digits[at + 1 :]
                assert uncovered(hidden.replace(digits.encode(), other.encode()), known) is None


def test_decks_of_one_secret_are_never_hidden_by_the_same_bytes():
    """Whoever has two that differ in two cards learns nothing from where they differ."""
    swapped = (DECK[1], DECK[0], *DECK[2:])
    written = [msgspec.json.encode(GiveShuffle(need=1, cards=cards)) for cards in (DECK, swapped)]
    one, other = (bytes.fromhex(json.loads(hide(w, SECRET))["hidden"]["cards"]) for w in written)
    assert sum(a != b for a, b in zip(one, other, strict=True)) > 40


def test_what_has_no_deck_stands_as_it_is():
    for text in (b'{"event":"x","cards":["Ah"]}', msgspec.json.encode(Look(seat=1))):
        assert hide(text, SECRET) is text
        assert not is_hidden(text)
    unknown = msgspec.json.encode(GiveShuffle(need=1, cards=(Card.UNKNOWN,)))
    assert hide(unknown, SECRET) is unknown


# -- in a House -----------------------------------------------------------------------------------


@pytest.fixture
def casino(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A House that stops in the middle of rounds, with a key that the operator has named."""
    monkeypatch.setenv(KEY, "5a" * 32)
    made = open_casino(database_url, tmp_path / "copy")
    furnish(made)
    yield made
    made.close()


def until_dealt(casino: Casino) -> None:
    """Play every table until its next deck was shuffled."""
    for table in TABLES:
        guests = Guests(casino.house, casino.dealer, table, 3)
        while not casino.conversation(table).state.shoe:
            assert guests.step() is not None
    casino.stop()


def decks(store: Store) -> list[str]:
    """Every deck, with the cards as they stand in JSON."""
    given = [row.event for place in TABLES for row in store.rows(place) if row.stored]
    return [text.partition(b'"cards":')[2].decode() for text in given]


def test_no_deck_can_be_read_in_the_database_or_in_its_copy(
    casino: Casino, database_url: str, tmp_path: Path
):
    until_dealt(casino)
    store = Store(open_database(database_url))
    found = decks(store)
    assert len(found) >= len(TABLES)
    everything = [
        bytes(value) if not isinstance(value, str) else value.encode()
        for table in store.database.tables()
        for row in store.database.execute(f"SELECT * FROM {table}")
        for value in row
        if isinstance(value, str | bytes)
    ]
    everything += [file.read_bytes() for file in files(tmp_path / "copy")]
    if database_url.startswith("sqlite"):
        everything += [file.read_bytes() for file in tmp_path.glob("*.db*") if file.is_file()]
    for deck in found:
        cards = deck.strip("[]}").split(",")
        for start in range(0, len(cards) - 6, 6):
            few = ",".join(cards[start : start + 6]).encode()
            assert not any(few in each for each in everything)
    assert verify(store, tmp_path / "copy").differences == []
    store.close()


def test_without_the_key_nothing_is_decided_again(
    casino: Casino, database_url: str, monkeypatch: pytest.MonkeyPatch
):
    until_dealt(casino)
    monkeypatch.delenv(KEY)
    store = Store(open_database(database_url))
    with pytest.raises(NoKey, match="CROUPIER_SECRETS_KEY_FILE"):
        verify(store)
    with pytest.raises(NoKey):
        list(store.rows("P8"))
    store.close()


def one_deck(store: Store) -> Any:
    """The last decision that gave a deck at a table of poker."""
    return [d for d in store.decisions(["P8"]) if d.order.stored][-1]


def test_a_card_that_is_changed_where_it_is_hidden_is_named(casino: Casino, database_url: str):
    until_dealt(casino)
    store = Store(open_database(database_url))
    given = one_deck(store)
    row = next(row for row in given.rows if row.stored)
    for table, column, stored in (
        ("log", "event", row.stored),
        ("orders", "command", given.order.stored),
    ):
        where = f"WHERE command_id = '{row.command_id}'"
        if table == "log":
            where += f" AND place = 'P8' AND position = {row.position}"
        at = stored.index(b'"cards":"') + 9
        swapped = stored[:at] + stored[at + 2 : at + 4] + stored[at : at + 2] + stored[at + 4 :]
        store.database.execute(f"UPDATE {table} SET {column} = ? {where}", (swapped,))
        again = Store(open_database(database_url))
        assert verify(again).differences
        chain_again(again)
        assert verify(again).differences, "the chain was made again, and the deck is another one"
        store.database.execute(f"UPDATE {table} SET {column} = ? {where}", (stored,))
        chain_again(again)
        assert verify(again).differences == []
        again.close()
    store.close()


def test_two_undealt_cards_swapped_by_somebody_who_has_the_key_are_named(
    casino: Casino, database_url: str
):
    """He hides the other deck as the House would, in the order and in its event, and makes the
    whole chain again: secret and seeds do not make that deck."""
    until_dealt(casino)
    store = Store(open_database(database_url))
    given = one_deck(store)
    row = next(row for row in given.rows if row.stored)
    secret = json.loads(row.stored)["hidden"]["secret"]
    opening = store.opening(secret)
    assert opening is not None

    def swapped(text: bytes) -> bytes:
        at = text.index(b'"cards":[') + 9 + 5 * 40
        other = text[:at] + text[at + 5 : at + 9] + text[at + 4 : at + 5] + text[at : at + 4]
        return hide(other + text[at + 9 :], opening)

    execute = store.database.execute
    where = "WHERE place = ? AND position = ?"
    execute(f"UPDATE log SET event = ? {where}", (swapped(row.event), "P8", row.position))
    sql = "UPDATE orders SET command = ? WHERE command_id = ?"
    execute(sql, (swapped(given.order.command), row.command_id))
    execute("DELETE FROM snapshots WHERE place = 'P8'")
    chain_again(store)
    found = verify(store).differences
    assert [each.table for each in found] == ["openings"]
    assert "not those that secret and seeds make" in found[0].says
    assert row.command_id in found[0].where
    store.close()


def test_a_secret_that_is_gone_is_named_with_the_decks_that_it_hides(
    casino: Casino, database_url: str
):
    until_dealt(casino)
    store = Store(open_database(database_url))
    given = one_deck(store)
    secret = json.loads(given.order.stored)["hidden"]["secret"]
    store.database.execute("DELETE FROM openings WHERE shuffle = ?", (secret,))
    again = Store(open_database(database_url))
    found = verify(again).differences
    assert any(each.table == "openings" and "secret is missing" in each.says for each in found)
    assert any(NO_SECRET in each.says for each in found)
    again.close()
    store.close()


def test_the_chain_is_over_what_is_hidden(casino: Casino, database_url: str):
    until_dealt(casino)
    store = Store(open_database(database_url))
    rows = list(store.rows("P8"))
    for before, row in itertools.pairwise(rows):
        assert digest(before.digest, row) == row.digest
        if row.stored:
            plain = msgspec.structs.replace(row, stored=b"")
            assert digest(before.digest, plain) != row.digest
    assert any(row.stored for row in rows)
    store.close()


def test_kept_states_are_encrypted(casino: Casino, database_url: str):
    until_dealt(casino)
    store = Store(open_database(database_url))
    kept = store.database.execute("SELECT place, state FROM snapshots")
    assert {place for place, _ in kept} >= set(TABLES)
    for place, state in kept:
        assert bytes(state).startswith(b"sealed1\0")
        assert store.snapshot(place).state.startswith(b"{")
    store.close()
