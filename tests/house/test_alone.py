"""The verifier of one file: what ours finds in an export it finds too, without anything of ours."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.house.audit import alone, verify
from croupier.house.audit.export import export, read_into
from croupier.house.errors import HouseError
from croupier.house.seals.folder import SealFolder
from croupier.house.seals.kept import keep_mark
from croupier.house.seals.keys import SigningKey
from croupier.house.seals.records import signed_back
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from tests.house.forging import FORGERIES, Deeds, a_deposit, forge, read_deeds
from tests.house.test_sealed_forgeries import KEY, Night, copied, sealed_night

FILE = Path(alone.__file__)
RELEASED = Path(__file__).parents[1] / "releases" / "0.9.0"


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Night:
    folder = tmp_path_factory.mktemp("alone")
    made = sealed_night(f"sqlite:///{folder}/house.db", folder)
    store = made.store()
    export(store, folder / "night.jsonl")
    export(store, folder / "night.jsonl.gz")
    store.close()
    return made


def run(file: Path, *words: str) -> subprocess.CompletedProcess[str]:
    # Isolated: no croupier is to be found from there.
    call = [sys.executable, "-I", "-S", str(FILE), str(file), *words]
    return subprocess.run(call, capture_output=True, text=True, check=False)


def found(file: Path, key: str = "", seals: list | None = None) -> str:
    """What it says, in this process."""
    try:
        read = alone.Night(file)
        read.check_money()
        read.check_shuffles()
        read.check_seals(seals if seals is not None else read.kept["seal"], key)
    except (ValueError, LookupError) as error:
        return str(error) or repr(error)
    return ""


def test_it_is_short_and_needs_nothing():
    text = FILE.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 300
    imported = {
        line.split()[1] for line in text.splitlines() if line.startswith(("import", "from"))
    }
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names


@pytest.mark.parametrize(
    "name", ["night.jsonl", pytest.param("night.jsonl.gz", marks=pytest.mark.slow)]
)
def test_it_verifies_an_export_alone(night: Night, name: str):
    file = night.seals.parent / name
    done = run(file, "--key", KEY.public, "--seals", str(night.seals))
    assert (done.returncode, done.stderr) == (0, "")
    assert "4 seals: all is well" in done.stdout
    assert "signed with another key" in found(file, key="0" * 64)


def test_wrong_words_and_files_get_a_sentence(night: Night, tmp_path: Path):
    for words in ((), ("--key",), ("--word", "x")):
        done = run(tmp_path / "nothing", *words)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
    (tmp_path / "text.jsonl").write_text("something else\n")
    assert "no export" in run(tmp_path / "text.jsonl").stderr
    nothing = run(night.seals.parent / "night.jsonl", "--seals", str(tmp_path))
    assert (nothing.returncode, "no seals in that folder" in nothing.stderr) == (1, True)


@pytest.mark.parametrize("forgery", FORGERIES[1::2], ids=lambda each: each.__name__)
def test_it_finds_what_somebody_has_rewritten_by_the_seals_of_a_witness(night, tmp_path, forgery):
    mine = copied(night, tmp_path)
    store = mine.store()
    forge(store, mine.copy, read_deeds(store), forgery)
    export(store, tmp_path / "night.jsonl", with_open_rounds=True)
    store.close()
    kept = [{"body": s.body, "signature": s.signature} for s in SealFolder(night.seals).seals()]
    assert found(tmp_path / "night.jsonl", seals=kept)


def test_a_deposit_made_anew_and_sealed_with_the_houses_key_is_a_fork(night, tmp_path):
    mine = copied(night, tmp_path)
    store = mine.store()
    forge(store, mine.copy, read_deeds(store), a_deposit, KEY)
    export(store, tmp_path / "night.jsonl", with_open_rounds=True)
    store.close()
    assert run(tmp_path / "night.jsonl").returncode == 0, "the House's own seals hold"
    done = run(tmp_path / "night.jsonl", "--seals", str(night.seals))
    assert done.returncode == 1
    assert "seal 1 of 2026-11-16T20:10:00Z: office at" in done.stderr


CHANGES = (
    (b'"who":"house"', b'"who":"mouse"'),
    (b'"rank":"player"', b'"rank":"dealer"'),
    (b'"command":{"do":"sit"', b'"command":{"do":"lie"'),
    (b'{"entry":{"place":"office"', b'{"entry":{"place":"P8"'),
    (b'"amount":-', b'"amount":'),
    (b'"balance":', b'"balance":1'),
    (b'{"opening":{"shuffle":"', b'{"opening":{"shuffle":"x'),
    (b'"seed":"', b'"seed":"00'),
    (b'"says":"', b'"says":"x'),
    (b'"software":"', b'"software":"x'),
)


@pytest.mark.parametrize(
    "changes",
    [CHANGES[:2], pytest.param(CHANGES[2:], marks=pytest.mark.slow)],
    ids=["two", "the others"],
)
def test_it_finds_a_changed_line_though_the_file_holds_together(
    night: Night, tmp_path: Path, changes
):
    """Each change also with the last line made again; ours says so too."""
    lines = (night.seals.parent / "night.jsonl").read_bytes().splitlines(keepends=True)
    for before, after in changes:
        at = next(n for n, line in enumerate(lines) if n and before in line)
        body = [*lines[:at], lines[at].replace(before, after, 1), *lines[at + 1 : -1]]
        file = tmp_path / "spoiled.jsonl"
        file.write_bytes(b"".join([*body, lines[-1]]))
        assert found(file), before
        end = b'{"end":{"lines":%d,"sha256":"%s"}}\n'
        digest = hashlib.sha256(b"".join(body)).hexdigest().encode()
        file.write_bytes(b"".join([*body, end % (len(body), digest)]))
        assert found(file), before
        (tmp_path / "read.db").unlink(missing_ok=True)
        try:
            store = read_into(file, SqliteDatabase(tmp_path / "read.db"))
        except HouseError:
            continue  # ours cannot even read it
        assert verify(store, exported=True).difference is not None, before
        store.close()


def written_anew(lines: list[bytes], file: Path) -> Path:
    """A file that holds together, whatever its lines say."""
    body = b"".join(lines)
    end = b'{"end":{"lines":%d,"sha256":"%s"}}\n'
    file.write_bytes(body + end % (len(lines), hashlib.sha256(body).hexdigest().encode()))
    return file


def ours(file: Path, folder: Path) -> str:
    (folder / "read.db").unlink(missing_ok=True)
    try:
        store = read_into(file, SqliteDatabase(folder / "read.db"))
    except HouseError as error:
        return str(error)
    says = str(verify(store, exported=True).difference or "")
    store.close()
    return says


def test_refusals_that_were_sealed_and_are_gone_are_missed(night: Night, tmp_path: Path):
    lines = (night.seals.parent / "night.jsonl").read_bytes().splitlines(keepends=True)[:-1]
    refused = [n for n, line in enumerate(lines) if line.startswith(b'{"refused":')]
    assert len(refused) > 1
    for left in (0, len(refused) - 1):
        gone = set(refused[left:])
        file = written_anew([line for n, line in enumerate(lines) if n not in gone], tmp_path / "f")
        assert "refused" in found(file)
        assert "refused" in ours(file, tmp_path)


@pytest.mark.parametrize(
    ("kind", "before", "after", "says"),
    [
        (b"seal", b'"body":"', b'"body":null,"x":"', "Expected `str`"),
        (b"refused", b'"number":', b'"number":99999999999999999999', "number"),
        (b"witness", b',"at":', b',"digest":"' + b"0" * 64 + b'","at":', "not signed this"),
        (b"balance", b"", b"", "says something twice"),
    ],
)
def test_lines_that_are_none_get_a_sentence_from_both(
    night: Night, tmp_path: Path, kind: bytes, before: bytes, after: bytes, says: str
):
    mine = copied(night, tmp_path)
    store = mine.store()
    seal = SealFolder(night.seals).seal(3)
    mark = signed_back(seal, 3, "Ruth", "2026-11-16T21:00:00Z", SigningKey(bytes(range(32))))
    assert keep_mark(store, mark)
    export(store, tmp_path / "night.jsonl")
    store.close()
    lines = (tmp_path / "night.jsonl").read_bytes().splitlines(keepends=True)[:-1]
    at = next(n for n, line in enumerate(lines) if line.startswith(b'{"%s":' % kind))
    if before:
        lines[at] = lines[at].replace(before, after, 1)
        done = run(written_anew(lines, tmp_path / "f"))
        assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    else:
        lines.insert(at, lines[at])
    assert says in ours(written_anew(lines, tmp_path / "f"), tmp_path)


def test_a_line_says_one_thing_once(night: Night, tmp_path: Path):
    """Whoever reads it with another program reads the same: nothing stands behind, beside or twice
    in a line; and no line is without its digest."""
    lines = (night.seals.parent / "night.jsonl").read_bytes().splitlines(keepends=True)[:-1]
    at = next(n for n, line in enumerate(lines) if line.startswith(b'{"entry":'))
    entry = lines[at].rstrip()[1:-1]
    other = entry.replace(b'"amount":-', b'"amount":-1')
    changed = (
        b"{%s,%s}\n" % (entry, other),
        b"{%s}{%s}\n" % (entry, other),
        b"{%s,%s}\n" % (entry, lines[1].rstrip()[1:-1]),
        b'{%s,"end":{"lines":1,"sha256":""}}\n' % entry,
        lines[at].replace(b'"amount":', b'"amount":7,"amount":'),
        lines[at].replace(b"}}", b".0}}"),
        lines[at] + b"{%s}\n" % other,
        lines[at] + b"{%s,%s}\n" % (lines[1].rstrip()[1:-1], other),
    )
    for n, line in enumerate(changed):
        file = written_anew([*lines[:at], line, *lines[at + 1 :]], tmp_path / "f")
        assert found(file), line
        if n not in (0, 4):  # what stands there twice ours reads as every program does: the last
            assert ours(file, tmp_path), line
    row = next(n for n, line in enumerate(lines) if line.startswith(b'{"row":'))
    beside = [*lines[:row], b"{%s,%s}\n" % (lines[row].rstrip()[1:-1], other), *lines[row + 1 :]]
    assert "more than its row" in found(written_anew(beside, tmp_path / "f"))
    assert "two things" in ours(tmp_path / "f", tmp_path)


def test_no_line_is_without_its_digest(night: Night, tmp_path: Path):
    """What begins like the end counts for nothing there, and would be read all the same."""
    lines = (night.seals.parent / "night.jsonl").read_bytes().splitlines(keepends=True)[:-1]
    at = next(n for n, line in enumerate(lines) if line.startswith(b'{"opening":'))
    hidden = lines[at].replace(b'{"opening":', b'{"end":null,"opening":')
    digest = hashlib.sha256(b"".join([*lines[:at], *lines[at + 1 :]])).hexdigest()
    end = b'{"end":{"lines":%d,"sha256":"%s"}}\n' % (len(lines), digest.encode())
    (tmp_path / "f").write_bytes(b"".join([*lines[:at], hidden, *lines[at + 1 :], end]))
    assert found(tmp_path / "f")
    assert "is no end" in ours(tmp_path / "f", tmp_path)


def test_nobody_is_overdrawn_after_a_command_that_several_places_heard(
    night: Night, tmp_path: Path
):
    """Taken out by what the first place has of it, and brought back by a later command."""
    lines = (night.seals.parent / "night.jsonl").read_bytes().splitlines(keepends=True)[:-1]
    rows = [json.loads(line)["row"] for line in lines if line.startswith(b'{"row":')]
    pairs = pairwise(rows)
    first = next(a for a, b in pairs if a["command_id"] == b["command_id"] and "/" in b["place"])
    later = next(row for row in reversed(rows) if row["command_id"] != first["command_id"])
    end = next(n for n, line in enumerate(lines) if line.startswith(b'{"balance":'))
    told = '{"entry":{"place":"%s","position":%d,"account":"%s","amount":%d}}\n'
    much = 10**12
    more = [
        (told % (row["place"], row["position"], account, amount)).encode()
        for row, sign in ((first, 1), (later, -1))
        for account, amount in (("player/Zoe", -much * sign), ("cash", much * sign))
    ]
    more.append(b'{"balance":{"account":"player/Zoe","balance":0}}\n')
    taken = {(first["place"], first["position"]), (later["place"], later["position"])}
    entries = [json.loads(line)["entry"] for line in lines if line.startswith(b'{"entry":')]
    assert not taken & {(each["place"], each["position"]) for each in entries}
    file = written_anew([*lines[:end], *more, *lines[end:]], tmp_path / "f")
    assert "player/Zoe is overdrawn" in found(file)
    assert ours(file, tmp_path)


def test_a_cut_file_and_one_with_more_are_found(night: Night, tmp_path: Path):
    whole = (night.seals.parent / "night.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    for bad in (whole[:-30], b"".join(lines[:-1]), whole + lines[5], b"".join(lines[:-2])):
        (tmp_path / "cut.jsonl").write_bytes(bad)
        assert found(tmp_path / "cut.jsonl")
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(whole)[:-100])
    assert run(tmp_path / "cut.jsonl.gz").returncode == 1


def test_it_checks_what_witnesses_have_signed(night: Night, tmp_path: Path):
    witness = SigningKey(bytes(range(32)))
    mine = copied(night, tmp_path)
    seal = SealFolder(night.seals).seal(3)
    mark = signed_back(seal, 3, "Ruth", "2026-11-16T21:00:00Z", witness)
    for signature, says in ((mark.signature, ""), ("00" * 64, "not signed")):
        store = mine.store()
        store.database.execute("DELETE FROM seal_witnesses")
        row = (3, mark.key, mark.witness, mark.at, bytes.fromhex(signature))
        columns = ("number", "key", "witness", "at", "signature")
        store.database.insert("seal_witnesses", columns, [row])
        export(store, tmp_path / "night.jsonl")
        store.close()
        assert says in found(tmp_path / "night.jsonl")
        assert bool(says) == bool(found(tmp_path / "night.jsonl"))


def test_nobody_shuffles_but_the_house(night: Night, tmp_path: Path):
    """A chosen deck in the name of a dealer, with no word in the shuffle book."""
    mine = copied(night, tmp_path)
    store = mine.store()

    def by_a_dealer(deeds: Deeds) -> None:
        deed = next(d for d in deeds if d.decks and d.order.place == "P8")
        deed.order = replace(deed.order, who="Dan", rank="dealer")
        rows = [row for row in deed.rows if row.stream == "P8"]
        deed.rows = [replace(row, who="Dan", rank="dealer") for row in rows]

    forge(store, mine.copy, read_deeds(store), by_a_dealer)
    export(store, tmp_path / "night.jsonl", with_open_rounds=True)
    store.close()
    assert "it was not committed to" in found(tmp_path / "night.jsonl")
    assert ours(tmp_path / "night.jsonl", tmp_path)


def test_what_a_witness_has_not_signed_is_no_fork(night: Night, tmp_path: Path):
    """Whoever changes which seal was signed back makes nobody tell two histories."""
    mine = copied(night, tmp_path)
    seals, witness = SealFolder(night.seals), SigningKey(bytes(range(32)))
    store = mine.store()
    assert keep_mark(store, signed_back(seals.seal(3), 3, "Ruth", "2026-11-16T21:00:00Z", witness))
    export(store, tmp_path / "night.jsonl")
    store.close()
    *lines, last, _ = (tmp_path / "night.jsonl").read_bytes().splitlines(keepends=True)
    of_another = last.replace(seals.seal(3).digest.encode(), seals.seal(2).digest.encode())
    assert last != of_another
    file = written_anew([*lines, of_another], tmp_path / "f")
    for says in (found(file), ours(file, tmp_path)):
        assert "signed" in says
        assert "FORK" not in says


# -- Ed25519 --------------------------------------------------------------------------------------

VECTORS = (
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b4"
        "6bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d"
        "8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6"
        "594a7c15e9716ed28dc027beceea1ec40a",
    ),
)
"""RFC 8032, 7.1: tests 1 to 3."""


@pytest.mark.parametrize(("key", "text", "signature"), VECTORS)
def test_signatures_are_those_of_the_rfc(key: str, text: str, signature: str):
    message = bytes.fromhex(text)
    assert alone.is_signed(key, message, signature)
    assert not alone.is_signed(key, message + b"x", signature)
    for at in (0, 31, 32, 63):
        changed = bytearray.fromhex(signature)
        changed[at] ^= 1
        assert not alone.is_signed(key, message, changed.hex())
    beyond = int.from_bytes(bytes.fromhex(signature[64:]), "little") + alone.L
    forged = signature[:64] + beyond.to_bytes(32, "little").hex()
    assert not alone.is_signed(key, message, forged), "every signature has one form"


@pytest.mark.parametrize(
    "key", ["", "00", "ff" * 32, "02" + "00" * 31, "01" + "00" * 30 + "80", "ed" + "ff" * 30 + "7f"]
)
def test_what_is_no_key_signs_nothing(key: str):
    assert not alone.is_signed(key, b"", VECTORS[0][2])


def test_it_agrees_with_the_library_on_keys_of_chance():
    for n in range(10):
        key = SigningKey(hashlib.sha256(b"%d" % n).digest())
        text = b"x" * n * 7
        assert alone.is_signed(key.public, b"what\0" + text, key.sign(b"what\0", text).hex())


def test_it_reads_what_an_older_release_has_stored(tmp_path: Path):
    """No orders, and shuffles with a leaf for every card, which it leaves to ours."""
    (tmp_path / "house.db").write_bytes(lzma.decompress((RELEASED / "house.db.xz").read_bytes()))
    store = Store(SqliteDatabase(tmp_path / "house.db"))
    export(store, tmp_path / "night.jsonl", with_open_rounds=True)
    store.close()
    assert found(tmp_path / "night.jsonl") == ""


def test_a_store_and_its_export_say_the_same(night: Night, tmp_path: Path):
    store: Store = read_into(
        night.seals.parent / "night.jsonl.gz", SqliteDatabase(tmp_path / "read.db")
    )
    done = verify(store, exported=True, seals=night.seals, seal_keys=(KEY.public,))
    assert (done.difference, done.sealed.seals) == (None, 4)
    store.close()
