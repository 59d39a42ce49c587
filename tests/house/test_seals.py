"""Seals: how they are made, how each follows from the one before, who keeps them, other keys."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import astuple, replace

from croupier.cli.audit import audit
from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.chain import order_digest, refused_digest
from croupier.house.errors import CorruptDatabase, HouseError
from croupier.house.office import commands as orders
from croupier.house.records import Bundle, OrderRecord
from croupier.house.rows import REFUSED
from croupier.house.seals.folder import SealFolder
from croupier.house.seals.kept import keep_mark, marks_of, newest_number, stored_seals
from croupier.house.seals.keys import BadKey, SigningKey, is_signed, make_key, public_key, read_key
from croupier.house.seals.making import newest, seal_now
from croupier.house.seals.records import (
    BadSeal,
    Followed,
    Forked,
    SignedSeal,
    WitnessMark,
    signed,
    signed_back,
)
from croupier.house.seals.sealer import Sealer, Sealing
from croupier.house.seals.taking import CannotSeal
from croupier.house.seals.witness import CannotCollect, FolderSource, Source, Witness
from croupier.house.store import REFUSED_BYTES, Store
from croupier.house.urls import open_database
from croupier.house.vault import NoKey

KEY = SigningKey(bytes(range(32)))
OTHER = SigningKey(bytes(range(1, 33)))
WITNESS = SigningKey(bytes(range(2, 34)))
NOW = datetime(2026, 11, 16, 23, tzinfo=UTC)


@pytest.fixture
def casino(tmp_path):
    """A House with some money in it, and nothing sealed yet."""
    made = Casino.open(f"sqlite:///{tmp_path}/house.db", password="a long password")
    deposit(made, "Ann")
    yield made
    made.close()


def deposit(casino: Casino, player: str, amount: int = 500_00) -> None:
    if player not in casino.office.state.people:
        assert casino.open_account(player).refused is None
    assert casino.cash_in(player, amount).refused is None


def seal(casino: Casino, key: SigningKey = KEY, minutes: int = 0, **how) -> SignedSeal:
    made = seal_now(casino.house.store, key, "order", NOW + timedelta(minutes=minutes), **how)
    assert made is not None
    return made


# -- keys -----------------------------------------------------------------------------------------


def test_a_key_is_its_owners_alone_and_never_overwritten(tmp_path):
    file = tmp_path / "house.seal-key"
    mask = os.umask(0)
    key = make_key(file)
    os.umask(mask)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    public = tmp_path / "house.seal-key.pub"
    assert not public.stat().st_mode & 0o022, "everybody may read it, and nobody else write it"
    assert read_key(file).public == key.public == public_key(str(tmp_path / "house.seal-key.pub"))
    with pytest.raises(BadKey, match="never overwritten"):
        make_key(file)
    file.chmod(0o644)
    with pytest.raises(NoKey, match="can be read by others"):
        read_key(file)


@pytest.mark.parametrize("told", ["", "nowhere.pub", "0" * 63, "g" * 64])
def test_what_is_no_public_key_is_said_to_be_none(told):
    with pytest.raises(BadKey, match="public key"):
        public_key(told)


def test_a_signature_is_of_one_thing_by_one_key():
    signature = KEY.sign(b"what\0", b"text")
    assert is_signed(KEY.public, b"what\0", b"text", signature)
    for public, what, text in (
        (OTHER.public, b"what\0", b"text"),
        (KEY.public, b"else\0", b"text"),
        (KEY.public, b"what\0", b"texts"),
        ("no key", b"what\0", b"text"),
    ):
        assert not is_signed(public, what, text, signature)
    assert not is_signed(KEY.public, b"what\0", b"text", b"short")


# -- one after another ----------------------------------------------------------------------------


def test_each_seal_names_the_one_before_and_what_has_grown_since(casino):
    first = seal(casino)
    deposit(casino, "Ben")
    second = seal(casino, minutes=10)
    one, two = first.read(), second.read()
    assert (one.number, two.number, two.before) == (1, 2, first.digest)
    assert two.events == casino.house.positions["office"] == two.heads["office"][0]
    assert two.entries.count == one.entries.count + 2
    assert two.entries.sum == one.entries.sum + 500_00
    assert two.balances.count == 3
    assert list(stored_seals(casino.house.store)) == [first, second]
    followed = Followed((KEY.public,))
    for each in (first, second):
        followed.take(each)
    assert followed.heads == newest(casino.house.store).heads


def test_where_nothing_has_happened_nothing_is_sealed(casino):
    seal(casino)
    assert seal_now(casino.house.store, KEY, "time", NOW) is None
    assert newest_number(casino.house.store) == 1


def test_every_hundredth_names_all_heads_and_the_rest_what_has_grown(casino, monkeypatch):
    for module in ("making", "records"):
        monkeypatch.setattr(f"croupier.house.seals.{module}.WHOLE_EVERY", 2)
    link = orders.AddLink(
        link="L2",
        rulebook="multi-link-progressive-v2",
        settings={"reset_value": 5_000_000, "contribution": 100, "payment": "at once"},
    )
    assert casino.add_link(link).refused is None
    named = []
    for number in range(1, 5):
        deposit(casino, "Ann")
        named.append(set(seal(casino, minutes=number).read().heads))
    assert named == [{"L2", "office"}, {"office"}, {"L2", "office"}, {"office"}]
    assert newest(casino.house.store).heads.keys() == {"L2", "office"}


def changed(given: SignedSeal, **how) -> SignedSeal:
    return signed(replace(given.read(), **how), KEY)


def test_a_seal_that_does_not_follow_is_not_taken(casino):
    first = seal(casino)
    deposit(casino, "Ben")
    second = seal(casino, minutes=10)
    wrong = {
        "its signature is not": replace(second, signature=first.signature),
        "one is missing": changed(second, number=3),
        "of another House": changed(second, house="1" * 64),
        "was sealed to": changed(second, heads={"office": (1, "1" * 64)}),
        "do not come to as many events": changed(second, events=1),
        "over all heads": changed(second, logs=first.read().logs),
        "was to follow": signed(replace(second.read(), key=OTHER.public), OTHER),
    }
    for says, given in wrong.items():
        followed = Followed()
        followed.take(first)
        with pytest.raises(BadSeal, match=says):
            followed.take(given)
        assert followed.number == 1
    with pytest.raises(BadSeal, match="not known to be the House's"):
        Followed((OTHER.public,)).take(first)
    with pytest.raises(BadSeal, match="not the first"):
        Followed().take(second)
    with pytest.raises(BadSeal, match="no seal of croupier's"):
        SignedSeal(body='{"croupier":"seal"}', signature="0" * 128).read()
    followed = Followed()
    followed.take(first)
    with pytest.raises(Forked, match="FORK"):
        followed.take(changed(second, before="1" * 64))


def test_nothing_is_sealed_over_a_log_that_was_changed(casino):
    seal(casino)
    database = casino.house.store.database
    deposit(casino, "Ben")
    database.execute("UPDATE log SET digest = x'00' WHERE position = 3 AND place = 'office'")
    seal(casino)  # only heads are looked at: a row in the middle is the audit's to find
    last = newest(casino.house.store).heads["office"][0]
    database.execute("UPDATE log SET digest = x'00' WHERE position = ?", (last,))
    deposit(casino, "Ben")
    with pytest.raises(BadSeal, match=f"event {last} of office was sealed"):
        seal(casino)


def test_another_process_may_have_sealed_in_the_same_moment(casino, monkeypatch):
    store = casino.house.store
    real = store.as_it_stands

    def sealed_meanwhile():
        monkeypatch.setattr(store, "as_it_stands", real)
        opened = real()
        seal(casino)
        return opened

    monkeypatch.setattr(store, "as_it_stands", sealed_meanwhile)
    deposit(casino, "Ben")
    seal_now(store, KEY, "time", NOW)
    assert newest_number(store) == 1


# -- the House seals by itself --------------------------------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def sealing(tmp_path):
    file = tmp_path / "house.seal-key"
    make_key(file)
    return Sealing(key_file=file, folder=tmp_path / "seals")


def test_a_house_seals_by_the_clock_at_the_close_of_a_day_and_as_it_stops(tmp_path, sealing):
    clock = Clock()
    url = f"sqlite:///{tmp_path}/house.db"
    casino = Casino.open(url, password="a long password", clock=clock, sealing=sealing)
    sealer = casino.sealer
    assert sealer is not None
    assert sealer.due() is None
    clock.now += timedelta(minutes=10)
    assert sealer.due() == "time"
    sealer.seal("time")
    assert sealer.due() is None
    clock.now = datetime(2026, 11, 17, 5, 59, tzinfo=UTC)
    sealer._tried_at = clock.now
    assert sealer.due() is None
    clock.now += timedelta(minutes=1)
    assert sealer.due() == "day"
    deposit(casino, "Ann")
    casino.stop()
    told = [each.read() for each in SealFolder(tmp_path / "seals").seals()]
    assert [each.why for each in told] == ["time", "stop"]
    store = Store(open_database(url))
    found = verify(store, seals=tmp_path / "seals")
    assert (found.difference, found.sealed.seals) == (None, 2)
    assert found.sealed.events == found.events
    store.close()


def test_a_seal_that_a_crash_kept_from_the_folder_is_written_and_a_rollback_is_said(
    casino, sealing, tmp_path
):
    store, folder = casino.house.store, SealFolder(tmp_path / "seals")
    key = read_key(sealing.key_file)
    seal(casino, key)
    sealer = Sealer(store, sealing, lambda: NOW, thread=False)
    deposit(casino, "Ben")
    sealer.seal()
    assert folder.numbers() == [1, 2]
    store.database.execute("DELETE FROM seals")  # as after a restore from the copy of the log
    assert sealer.seal() is None
    assert newest_number(store) == 2, "they are taken back, for the log holds them"
    last = newest(store).heads["office"][0]
    store.database.execute("DELETE FROM seals WHERE number = 2")
    store.database.execute("UPDATE log SET digest = x'00' WHERE position = ?", (last,))
    with pytest.raises(CannotSeal, match="has seal 2, and the database, which ends at seal 1"):
        sealer.seal()
    sealer.close()
    assert sealer.trouble is not None, "it is told, and the House goes on"
    folder._file(2).unlink()
    folder.keep(1, changed(folder.seal(1), at="2026-11-15T00:00:00Z"))
    with pytest.raises(Forked, match="seal 1"):
        sealer.seal()


def test_a_house_whose_key_is_missing_does_not_open(tmp_path):
    sealing = Sealing(key_file=tmp_path / "nowhere")
    with pytest.raises(NoKey, match="nowhere"):
        Casino.open(f"sqlite:///{tmp_path}/house.db", password="x" * 12, sealing=sealing)


def test_another_key_follows_when_two_people_have_approved_it(tmp_path, sealing):
    url = f"sqlite:///{tmp_path}/house.db"
    casino = Casino.open(url, password="a long password", sealing=sealing)
    assert casino.sealer is not None
    casino.hire("Sam", "shift manager", None, who="administrator", reason="opening")
    casino.sealer.seal()
    old = casino.sealer.key
    wish = orders.ProposeApproval(what="seal key", digest=OTHER.public, reason="once a year")
    assert casino.tell(wish, who="Sam").refused is None
    alone = casino.tell(orders.GiveApproval(proposal=1), who="Sam").refused
    assert alone is not None
    assert alone.cites == ("S-20",)
    made = casino.sealer.seal()
    assert made is not None
    assert made.read().next_key == "", "one person is not enough"
    assert casino.tell(orders.GiveApproval(proposal=1), who="administrator").refused is None
    made = casino.sealer.seal()
    assert made is not None
    assert (made.read().key, made.read().next_key, made.read().why) == (old, OTHER.public, "key")
    deposit(casino, "Ann")
    with pytest.raises(CannotSeal, match=f"the key of this House is {OTHER.public}"):
        casino.sealer.seal()
    sealing.key_file.write_text(bytes(range(1, 33)).hex())
    made = casino.sealer.seal()
    assert made is not None
    assert (made.read().key, made.read().next_key) == (OTHER.public, "")
    casino.stop()
    store = Store(open_database(url))
    assert verify(store, seals=tmp_path / "seals", seal_keys=(old,)).difference is None
    store.close()


# -- witnesses ------------------------------------------------------------------------------------


@pytest.fixture
def houses_folder(casino, tmp_path):
    """Two seals as the House has written them."""
    folder = SealFolder(tmp_path / "seals")
    folder.keep(1, seal(casino))
    deposit(casino, "Ben")
    folder.keep(2, seal(casino, minutes=10))
    return folder


def test_a_witness_keeps_what_follows_and_signs_it_back(casino, houses_folder, tmp_path):
    witness = Witness(tmp_path / "kept", WITNESS, "Ruth", house_keys=(KEY.public,))
    source = FolderSource(houses_folder.folder)
    found = witness.collect(source, NOW)
    assert (found.new, found.number, found.not_handed_back) == (2, 2, "")
    [mark] = houses_folder.marks()
    assert (mark.seal, mark.witness, mark.key, mark.holds()) == (2, "Ruth", WITNESS.public, True)
    assert not replace(mark, witness="Rex").holds()
    assert keep_mark(casino.house.store, mark)
    assert not keep_mark(casino.house.store, mark), "once"
    assert marks_of(casino.house.store) == [mark]
    deposit(casino, "Ben")
    houses_folder.keep(3, seal(casino, minutes=20))
    assert witness.collect(source, NOW).new == 1
    assert witness.collect(source, NOW).new == 0
    found = verify(casino.house.store, seals=tmp_path / "kept", seal_keys=(KEY.public,))
    assert (found.difference, found.sealed.witnessed) == (None, 3)


def test_a_witness_says_loudly_that_the_house_has_told_two_histories(
    casino, houses_folder, tmp_path
):
    witness = Witness(tmp_path / "kept", WITNESS, "Ruth")
    source = FolderSource(houses_folder.folder)
    assert witness.collect(source, NOW).first_key == KEY.public
    theirs = houses_folder.seal(2)
    other = changed(theirs, at="2026-11-16T23:59:00Z")
    houses_folder.keep(2, other)
    with pytest.raises(Forked, match="another seal 2"):
        witness.collect(source, NOW)
    assert witness.folder.seal(2) == theirs
    assert len(list((tmp_path / "kept").glob("fork-00000002-*.json"))) == 1
    houses_folder.keep(2, theirs)
    third = changed(theirs, number=3, before=other.digest)
    houses_folder.keep(3, third)
    with pytest.raises(Forked, match="names another seal 2"):
        witness.collect(source, NOW)
    assert len(list((tmp_path / "kept").glob("fork-00000003-*.json"))) == 1
    houses_folder._file(3).unlink()
    houses_folder._file(2).unlink()
    with pytest.raises(BadSeal, match="has lost seals"):
        witness.collect(source, NOW)


def test_only_what_the_house_has_signed_too_is_a_fork(casino, houses_folder, tmp_path):
    witness = Witness(tmp_path / "kept", WITNESS, "Ruth")
    source = FolderSource(houses_folder.folder)
    witness.collect(source, NOW)
    theirs = houses_folder.seal(2)
    seal = replace(theirs.read(), at="2026-11-16T23:59:00Z")
    changed_on_the_way = SignedSeal(body=signed(seal, KEY).body, signature=theirs.signature)
    by_another = signed(replace(seal, key=OTHER.public), OTHER)
    kept = witness.folder.folder
    database = casino.house.store.database
    sql = "UPDATE seals SET body = ?, signature = ? WHERE number = 2"
    for other in (changed_on_the_way, by_another):
        houses_folder.keep(2, other)
        with pytest.raises(BadSeal, match="somebody has changed it") as raised:
            witness.collect(source, NOW)
        assert type(raised.value) is BadSeal
        assert not list(kept.glob("fork-*.json"))
        database.execute(sql, (other.body.encode(), bytes.fromhex(other.signature)))
        [found] = verify(casino.house.store, seals=kept).differences
        assert "FORK" not in found.says
        assert "it was changed" in found.says
    database.execute(sql, (theirs.body.encode(), bytes(64)))
    [found] = verify(casino.house.store, seals=kept).differences
    assert "it was changed" in found.says, "the text is the same, the signature is not"


class Replayed(Source):
    """Somebody between House and witness, who shows what the House has once told."""

    def __init__(self, *told: SignedSeal) -> None:
        self.told = told

    def seals(self, after: int) -> Iterator[SignedSeal]:
        yield from self.told

    def hand_back(self, mark: WitnessMark) -> None:
        pass


def test_an_older_seal_in_the_place_of_a_newer_one_is_no_fork(casino, houses_folder, tmp_path):
    """Whoever stands between the two can tell it, without any key."""
    witness = Witness(tmp_path / "kept", WITNESS, "Ruth", house_keys=(KEY.public,))
    first, second = houses_folder.seals()
    witness.collect(Replayed(first, second), NOW)
    for told in ((first,), (first, second)):
        with pytest.raises(BadSeal, match="somebody has changed it") as raised:
            witness.collect(Replayed(*told), NOW)
        assert type(raised.value) is BadSeal
    assert not list(witness.folder.folder.glob("fork-*.json"))
    row = (first.body.encode(), bytes.fromhex(first.signature))
    sql = "UPDATE seals SET body = ?, signature = ? WHERE number = 2"
    casino.house.store.database.execute(sql, row)
    [found] = verify(casino.house.store, seals=witness.folder.folder).differences
    assert "FORK" not in found.says


@pytest.mark.parametrize("at", ["x", "", "2026-11-16T23:59:00", "2026-13-16T23:59:00Z", "\x1b[31m"])
def test_a_seal_without_a_time_is_none(casino, houses_folder, tmp_path, at):
    houses_folder.keep(2, changed(houses_folder.seal(2), at=at))
    found = verify(casino.house.store, seals=houses_folder.folder).difference
    assert found is not None
    assert "no seal of croupier's" in found.says
    with pytest.raises(BadSeal, match="no seal of croupier's"):
        Witness(tmp_path / "kept", WITNESS, "Ruth").collect(FolderSource(houses_folder.folder), NOW)


def test_a_key_that_another_has_followed_is_taken_no_more_though_it_is_known(casino):
    """Who is told the House's key once goes on naming it; a thief of the old one gains nothing."""
    first = seal(casino)
    deposit(casino, "Ben")
    second = seal(casino, minutes=10, next_key=OTHER.public)
    followed = Followed((KEY.public,))
    for each in (first, second):
        followed.take(each)
    deposit(casino, "Ben")
    third = seal(casino, OTHER, minutes=20)
    with pytest.raises(BadSeal, match="was to follow"):
        followed.take(changed(third, key=KEY.public))
    followed.take(third)


def test_what_cannot_be_read_is_said_with_its_file(tmp_path):
    with pytest.raises(CannotCollect, match="there is no folder"):
        FolderSource(tmp_path / "nowhere")
    folder = SealFolder(tmp_path)
    (tmp_path / "seal-00000001.json").write_bytes(b"{}")
    with pytest.raises(BadSeal, match=r"seal-00000001.json is damaged"):
        list(folder.seals())


def test_a_forged_mark_or_a_forged_seal_is_found(casino, houses_folder, tmp_path):
    store = casino.house.store
    mark = signed_back(houses_folder.seal(2), 2, "Ruth", "2026-11-16T23:30:00Z", WITNESS)
    houses_folder.keep_mark(replace(mark, at="2026-11-16T23:31:00Z"))
    [found] = verify(store, seals=houses_folder.folder).differences
    assert (found.table, "does not hold" in found.says) == ("seal_witnesses", True)
    database = store.database
    database.execute("UPDATE seals SET signature = ? WHERE number = 2", (bytes(64),))
    [first, *_] = verify(store).differences
    assert (first.table, first.where) == ("seals", "seal 2")
    database.execute("UPDATE seals SET body = ? WHERE number = 2", (b"x",))
    assert verify(store).differences[0].table == "seals"
    database.execute("DELETE FROM seals WHERE number = 1")
    assert "missing" in verify(store).differences[0].says


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE seals SET number = NULL WHERE number = 1",
        "UPDATE orders SET digest = '' WHERE number = 2",
        "UPDATE seal_witnesses SET number = 0",
        "UPDATE seal_witnesses SET key = CAST(key AS BLOB)",
        "UPDATE seal_witnesses SET signature = 1.5",
    ],
)
def test_a_value_of_another_kind_is_named_and_stops_nobody(casino, houses_folder, sql):
    store = casino.house.store
    assert keep_mark(store, signed_back(houses_folder.seal(2), 2, "Ruth", "2026-11-16", WITNESS))
    assert verify(store).difference is None
    store.database.execute(sql)
    table = sql.split()[1]
    assert table in {found.table for found in verify(store).differences}


def test_an_empty_folder_and_one_that_is_gone_are_differences(casino, tmp_path):
    seal(casino)
    for name in ("nowhere", "."):
        found = verify(casino.house.store, seals=tmp_path / name)
        assert found.difference is not None
        assert "no seals in this folder" in found.difference.says


# -- what was refused, and what came to nothing ---------------------------------------------------


def test_what_was_refused_is_sealed_too(casino):
    refused = casino.tell(orders.CashOut(player="Ann", amount=900_00_00), who="Ann").refused
    assert refused is not None
    casino.house.writer.refused.write()
    assert seal(casino).read().refused.count == 1
    store = casino.house.store
    assert verify(store).difference is None
    store.database.execute("DELETE FROM refused")
    found = verify(store).difference
    assert found is not None
    assert "what was refused is gone" in found.says


def test_an_order_that_came_to_nothing_is_sealed_with_the_next_event(casino):
    store = casino.house.store
    order = OrderRecord(
        command_id="nothing-1",
        place="office",
        who="Ann",
        rank="player",
        at="2026-11-16T22:00:00Z",
        command=b"{}",
    )
    assert store.append([Bundle(command_id="nothing-1", expected={}, rows=[], order=order)]) == [
        None
    ]
    assert seal(casino).read().orders.count == 0
    deposit(casino, "Ben")
    assert seal(casino).read().orders.count == 1
    assert verify(store, apply_only=True).difference is None
    again = order_digest(replace(order, who="Eve"))
    sql = "UPDATE orders SET who = 'Eve', digest = ? WHERE command_id = 'nothing-1'"
    store.database.execute(sql, (again,))
    found = verify(store, apply_only=True).difference
    assert found is not None
    assert (found.table, found.column) == ("seals", "orders")
    assert found.where.startswith("seal 2 of")


def test_the_oldest_refusals_are_dropped_for_want_of_room_and_for_nothing_else(casino, monkeypatch):
    store = casino.house.store
    for number in range(1, 4):
        assert casino.tell(orders.CashOut(player="Ann", amount=900_00_00), who="Ann").refused
        casino.house.writer.refused.write()
        if number == 1:
            assert seal(casino).read().refused.count == 1
    store.database.execute("DELETE FROM refused WHERE number = 1")
    [gone, sealed] = map(str, verify(store).differences)
    assert "what was refused before it is gone, and there was room for it" in gone
    assert "refused order 1, column refused: what was refused is gone" in sealed
    monkeypatch.setattr("croupier.house.audit.sealed.AT_MOST", 2)
    assert verify(store).difference is None, "there was room for two"


@pytest.mark.parametrize("far", ["number", "written"])
def test_whoever_deletes_what_was_refused_makes_no_room_by_two_small_ones(casino, far):
    """Two of his own, chained rightly, that say how many or how much was between them."""
    store = casino.house.store
    assert casino.tell(orders.CashOut(player="Ann", amount=900_00_00), who="Ann").refused
    casino.house.writer.refused.write()
    assert seal(casino).read().refused.count == 1
    [sealed] = store.refused()
    made = []
    for n in (2, 3):
        follows = made[-1].digest if made else sealed.digest
        each = replace(sealed, number=n, command_id=f"r{n}", written=n * 600, follows=follows)
        size = len(each.command) + len(each.says) + REFUSED_BYTES
        each.written = made[-1].written + size if made else 600 + size
        if n == 3:
            setattr(each, far, getattr(each, far) + 10**8)
        each.digest = refused_digest(each)
        made.append(each)
    store.database.execute("DELETE FROM refused")
    store.database.insert("refused", REFUSED, [astuple(each) for each in made])
    found = [str(each) for each in verify(store, apply_only=True).differences]
    says = "what was refused is gone" if far == "number" else "column written"
    assert any(says in each for each in found), found


# -- the command line -----------------------------------------------------------------------------


def run(*words: str, **environment: str):
    return CliRunner().invoke(audit, list(words), env=environment)


def test_the_commands_seal_list_collect_and_verify(tmp_path):
    url = f"sqlite:///{tmp_path}/house.db"
    Casino.open(url, password="a long password").stop()
    lacking = run("seal", url)
    assert (lacking.exit_code, "croupier audit key make" in lacking.output) == (2, True)
    made = run("key", "make", str(tmp_path / "house.db.seal-key"))
    public = made.output.split()[-1]
    assert run("key", "show", str(tmp_path / "house.db.seal-key")).output.strip() == public
    assert "Seal 1 over" in run("seal", url).output
    assert "Nothing has happened" in run("seal", url).output
    run("key", "make", str(tmp_path / "w.key"))
    words = (str(tmp_path / "house.db.seals"), str(tmp_path / "kept"), "--name", "Ruth")
    words = ("witness", *words, "--key-file", str(tmp_path / "w.key"))
    collected = run(*words)
    assert collected.exit_code == 0, collected.output
    assert f"They are signed with key {public}" in collected.output
    listed = run("seals", str(tmp_path / "house.db.seals"))
    assert "Ruth" in listed.output
    listed = msgspec.json.decode(run("seals", url, "--json").output)
    assert [each["number"] for each in listed["seals"]] == [1]
    verified = ("verify", url, "--seals", str(tmp_path / "kept"), "--house-key", public)
    told = run(*verified)
    assert told.exit_code == 0, told.output
    assert "signed back up to 1" in told.output
    (tmp_path / "kept" / "seal-00000001.json").write_text(
        (tmp_path / "kept" / "seal-00000001.json").read_text().replace("order", "time")
    )
    told = run(*verified)
    assert (told.exit_code, "First difference: seals, seal 1" in told.output) == (1, True)
    assert run(*words).exit_code == 1
    wrong = run(*words[:3], "--name", "../x", *words[5:])
    assert (wrong.exit_code, "--name" in wrong.output) == (2, True)


def test_a_house_that_runs_seals_itself_and_the_command_says_so(tmp_path):
    url = f"sqlite:///{tmp_path}/house.db"
    make_key(tmp_path / "house.db.seal-key")
    casino = Casino.open(url, password="a long password")
    result = run("seal", url)
    casino.close()
    assert isinstance(result.exception, HouseError)
    assert not isinstance(result.exception, CorruptDatabase)


def test_a_seal_that_fails_makes_the_record_no_younger(casino, sealing, monkeypatch):
    now = [NOW]
    sealer = Sealer(casino.house.store, sealing, lambda: now[0], thread=False)
    deposit(casino, "Ben")
    sealer.seal()

    def broken(*_: object, **__: object) -> None:
        raise CannotSeal("the key is gone")

    monkeypatch.setattr("croupier.house.seals.sealer.seal_now", broken)
    now[0] += 2 * sealing.every
    assert sealer.due() is not None
    sealer._try("time")
    assert sealer.trouble is not None
    assert sealer.age() == (2 * sealing.every).total_seconds()
    assert sealer.due() is None, "it is tried again after a while, not at once"
