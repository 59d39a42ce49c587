#!/usr/bin/env python3
"""Verifies an audit export of croupier's alone: one file, no dependencies, nothing of croupier's.

    python3 alone.py night.jsonl.gz [--key PUBLIC-KEY] [--seals FOLDER]

It checks the digest of the file, the orders and the chain of every log, what was refused, the money
(every command sums to nothing, no account is overdrawn at any moment, the balances), every shuffle
and pick by the secrets and seeds that were committed to, and the seals: those in the file, and
those that a witness has kept in a folder. `docs/audit.md` has the algorithms. It cannot play: that
the events are what the rulebooks give is what `croupier audit verify` adds.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import hmac
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ZERO = bytes(32)
DECK = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
decode = json.JSONDecoder().raw_decode


class Wrong(Exception):
    """What does not hold."""


def check(holds: object, says: str) -> None:
    if not holds:
        raise Wrong(says)


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def lines_of(*parts: object) -> bytes:
    return "".join(f"{part}\n" for part in parts).encode()


# -- Ed25519 (RFC 8032), in extended coordinates --------------------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Point = tuple[int, int, int, int]


def add(a: Point, b: Point) -> Point:
    (x, y, z, t), (u, v, w, s) = a, b
    e, f = (y - x) * (v - u) % P, (y + x) * (v + u) % P
    g, h = 2 * t * s * D % P, 2 * z * w % P
    e, f, g, h = f - e, h - g, h + g, f + e
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(n: int, a: Point) -> Point:
    made: Point = (0, 1, 1, 0)
    while n:
        made, a, n = add(made, a) if n & 1 else made, add(a, a), n >> 1
    return made


def point(text: bytes) -> Point | None:
    y = int.from_bytes(text, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (not x and sign):
        return None
    x = x if x & 1 == sign else P - x
    return x, y, 1, x * y % P


def written(a: Point) -> bytes:
    x, y, z, _ = a
    z = pow(z, P - 2, P)
    return (y * z % P | (x * z % P & 1) << 255).to_bytes(32, "little")


BASE = point(bytes.fromhex("58" + "66" * 31))


def is_signed(key: bytes, text: bytes, signature: bytes) -> bool:
    """Whether a text was signed with the secret key that belongs to this public key."""
    a = point(key) if len(key) == 32 and len(signature) == 64 else None
    s = int.from_bytes(signature[32:], "little")
    if a is None or BASE is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % L
    minus = (P - a[0], a[1], 1, P - a[3])
    return written(add(times(s, BASE), times(k, minus))) == signature[:32]


# -- reading --------------------------------------------------------------------------------------


def fields(text: str, at: int) -> dict[str, tuple[Any, str]]:
    """The fields of the object that begins here: each as it reads, and as it is written."""
    found = {}
    while text[at] != "}":
        name, at = decode(text, at + 1)
        value, end = decode(text, at + 1)
        found[name] = (value, text[at + 1 : end])
        at = end
    return found


class Night:
    """What stands in the file, checked as it is read."""

    def __init__(self) -> None:
        self.digests: dict[str, list[bytes]] = {}
        self.rows: list[tuple[str, int, str]] = []
        self.order: dict[str, tuple[Any, str]] = {}
        self.due, self.ordered_from, self.orders = 0, -1, 0
        self.unbound: list[tuple[int, str, str]] = []
        self.bound = b""
        self.entries: dict[tuple[str, int], dict[str, int]] = {}
        self.balances: dict[str, int] = {}
        self.openings: dict[str, bytes] = {}
        self.refused: dict[int, bytes] = {}
        self.last_refused = ZERO
        self.seals: list[dict[str, str]] = []
        self.marks: list[dict[str, Any]] = []
        self.committed: dict[tuple[str, int], dict[str, Any]] = {}
        self.made: dict[str, dict[str, Any]] = {}
        self.old: dict[str, dict[str, Any]] = {}
        self.given: list[tuple[str, str, dict[str, Any], str]] = []

    def take(self, text: str) -> None:
        kind, at = decode(text, 1)
        found = fields(text, at + 1)
        told = {name: value for name, (value, _) in found.items()}
        if kind == "order":
            self.take_order(found)
        elif kind == "row":
            self.take_row(found, told)
        elif kind == "entry":
            key = told["place"], told["position"]
            accounts = self.entries.setdefault(key, {})
            check(told["account"] not in accounts, f"an entry of {key} stands there twice")
            accounts[told["account"]] = told["amount"]
        elif kind == "balance":
            self.balances[told["account"]] = told["balance"]
        elif kind == "opening":
            self.openings[told["shuffle"]] = bytes.fromhex(told["seed"])
        elif kind == "refused":
            self.take_refused(found, told)
        elif kind == "seal":
            self.seals.append(told)
        elif kind == "witness":
            self.marks.append(told)
        else:
            check(kind == "end", f"a line of kind {kind!r} is not known")

    def take_order(self, found: dict[str, tuple[Any, str]]) -> None:
        self.end_order()
        number, name = found["number"][0], found["command_id"][0]
        if self.ordered_from < 0:
            self.ordered_from = len(self.rows)
        check(number == len(self.rows), f"order {name} has number {number}: one is missing")
        parts = [found[key][0] for key in ("number", "command_id", "place", "who", "rank", "at")]
        raw = {
            key: found[key][1] if key in found else "" for key in ("authority", "also", "command")
        }
        parts += [raw["authority"], found.get("software", ("",))[0], raw["also"]]
        self.bound = sha(lines_of(*parts), raw["command"].encode())
        self.order, self.due = found, found.get("events", (0,))[0]
        self.orders += 1
        if not self.due or "digest" in found:
            beside = found.get("digest", ("",))[0]
            check(beside == self.bound.hex(), f"order {name} is not the one with its digest")
            self.unbound.append((number, name, beside))

    def end_order(self) -> None:
        check(not self.due, f"{self.due} events of {self.order.get('command_id', '?')} are missing")

    def take_row(self, found: dict[str, tuple[Any, str]], row: dict[str, Any]) -> None:
        place, position, event = row["place"], row["position"], found["event"][1]
        where, chain = f"{place} at {position}", self.digests.setdefault(place, [])
        check(position == len(chain) + 1, f"{where}: there is a gap before it")
        order = bytes.fromhex(row.get("order", ""))
        if self.orders:
            self.due -= 1
            check(self.due >= 0, f"{where}: it belongs to no order")
            for key in ("command_id", "who", "rank", "at"):
                check(row[key] == self.order[key][0], f"{where}: its {key} is not its order's")
            first = place == self.order["place"][0] and self.bound != b""
            withheld = first and "command" not in self.order and event == "null"
            expected = order if withheld else self.bound if first else b""
            check(order == expected, f"{where}: its order is not the one that it was stored with")
            self.bound = b"" if first else self.bound
        head = lines_of(
            *(row[key] for key in ("place", "position", "command_id", "who", "rank", "at"))
        )
        made = sha(chain[-1] if chain else ZERO, head, order.hex().encode(), b"\n", event.encode())
        check(event == "null" or made.hex() == row["digest"], f"{where}: it was changed")
        chain.append(bytes.fromhex(row["digest"]))
        self.rows.append((place, position, row["command_id"]))
        self.take_event(place, position, row)

    def take_event(self, place: str, position: int, row: dict[str, Any]) -> None:
        event, name = row["event"] or {"event": "withheld"}, row["command_id"]
        kind = event["event"]
        if kind == "secret committed":
            self.committed[place, position] = event
        elif kind in ("shuffle mixed", "draw mixed"):
            self.made[event.get("shuffle") or event["draw"]] = {**event, "book": place}
        elif kind == "committed" and "leaves" in event:
            self.old[event["shuffle"]] = event
        elif kind in ("shuffle given", "draw given"):
            self.given.append((place, name, event, row["rank"]))

    def take_refused(self, found: dict[str, tuple[Any, str]], told: dict[str, Any]) -> None:
        number, follows = told["number"], bytes.fromhex(told["follows"])
        check(not self.refused or follows == self.last_refused, f"refused {number}: one is missing")
        keys = "number command_id place who rank at authority software written cites says".split()
        parts = lines_of(*(told[key] for key in keys))
        self.last_refused = sha(follows, parts, found["command"][1].encode())
        check(self.last_refused.hex() == told["digest"], f"refused {number}: it was changed")
        self.refused[number] = self.last_refused


# -- money ----------------------------------------------------------------------------------------


def may_owe(account: str) -> bool:
    parts = account.split("/")
    ends = (parts[0], parts[-1]) in (("table", "bank"), ("link", "doubtful")) and len(parts) == 3
    return ends or account in ("cash", "house/bank", "awards") or account.startswith("outside/")


def check_money(night: Night) -> None:
    held: dict[str, int] = {}
    sums: dict[str, int] = {}
    left = dict(night.entries)
    for number, (place, position, command) in enumerate(night.rows):
        moved = left.pop((place, position), {})
        sums[command] = sums.get(command, 0) + sum(moved.values())
        for account, amount in moved.items():
            held[account] = held.get(account, 0) + amount
        over = number + 1 == len(night.rows) or night.rows[number + 1][2] != command
        if over and number >= night.ordered_from >= 0 and moved:
            check(
                not sums[command], f"command {command} ({place} {position}) does not sum to nothing"
            )
            for account in moved:
                check(
                    held[account] >= 0 or may_owe(account), f"{account} owes at {place} {position}"
                )
    check(not left, f"an entry is of no event: {next(iter(left), '')}")
    check(not any(sums.values()), "a command does not sum to nothing: money came from nowhere")
    check(held == night.balances, "a balance is not the sum of its entries")


# -- shuffles -------------------------------------------------------------------------------------


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def text(value: str) -> bytes:
    return number(len(value.encode())) + value.encode()


def stream(key: bytes, words: bytes, counter: int) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(key, words + b"\0" + number(counter) + number(block), "sha256")
        block += 1


def below(n: int, source: Iterator[int]) -> int:
    while n > 1:
        byte = next(source)
        if byte < 256 - 256 % n:
            return byte % n
    return 0


def shuffled(cards: list[Any], source: Iterator[int]) -> list[Any]:
    made = list(cards)
    for n in range(len(made), 1, -1):
        b = below(n, source)
        made[n - 1], made[b] = made[b], made[n - 1]
    return made


def root_of(secret: bytes, counter: int, order: list[str]) -> str:
    salts = (b"croupier 1 salt\0" + number(counter) + number(p) for p in range(len(order)))
    row = [
        sha(b"\0", hmac.digest(secret, salt, "sha256"), number(p), card.encode())
        for p, (salt, card) in enumerate(zip(salts, order, strict=True))
    ]
    while len(row) > 1:
        above = [sha(b"\1", *pair) for pair in zip(row[::2], row[1::2], strict=False)]
        row = above + row[len(above) * 2 :]
    return row[0].hex()


def check_shuffles(night: Night) -> int:
    newest = {place: position for place, position in night.committed}
    for (book, position), told in night.committed.items():
        secret, where = night.openings.get(told["secret"]), f"commitment {told['number']} of {book}"
        check(secret or newest[book] == position, f"{where}: its secret is missing")
        if secret is not None:
            check(
                sha(b"croupier 1 secret\0", secret).hex() == told["digest"],
                f"{where}: another secret",
            )
            order = shuffled(DECK, stream(secret, b"croupier 1 order", 0))
            check(root_of(secret, 0, order) == told["root"], f"{where}: another root")
    proved = 0
    for place, name, event, rank in night.given:
        where = f"shuffle or draw {name} at {place}"
        if name in night.made:
            proved += check_mix(night, night.made.pop(name), event, where)
        elif name in night.old:
            proved += check_old(night.old[name], night.openings.get(name, b""), event, where)
        else:
            check(rank != "house" or event["event"] == "draw given", f"{where}: no commitment")
    return proved


def check_mix(night: Night, mixed: dict[str, Any], event: dict[str, Any], where: str) -> int:
    told = night.committed.get((mixed["book"], mixed["committed"]))
    check(told, f"{where}: it was not committed to")
    assert told is not None
    listed = {each["player"]: each["hash"] for each in told["seeds"]}
    seeds = [(each["player"], bytes.fromhex(each["seed"])) for each in mixed["seeds"]]
    names = [player for player, _ in seeds] + mixed["unopened"] + mixed["absent"]
    check(sorted(names) == sorted(listed), f"{where}: seeds are not those that were listed")
    for player, seed in seeds:
        about = text(told["table"]) + number(told["number"]) + text(player)
        made = sha(b"croupier 1 seed\0", about, seed).hex()
        check(made == listed[player], f"{where}: another seed of {player}")
    secret, counter = night.openings.get(told["secret"]), mixed["counter"]
    if secret is None:
        return 0
    both = b"".join(text(player) + seed for player, seed in seeds)
    parts = bytes.fromhex(told["digest"]), bytes.fromhex(told["root"]), number(len(seeds)), both
    key = sha(b"croupier 1 mix\0", *parts)
    if event["event"] == "draw given":
        source = stream(hmac.digest(secret, key, "sha256"), b"croupier 1 draw", counter)
        left = list(range(mixed["among"]))
        picks = [left.pop(below(len(left), source)) for _ in event["picks"]]
        check(picks == event["picks"], f"{where}: secret and seeds make other picks")
        return 1
    asked = sorted(event["cards"], key=DECK.index)
    order = shuffled(asked, stream(secret, b"croupier 1 order", counter))
    expected = root_of(secret, counter, order) if counter else told["root"]
    check(mixed["root"] == expected, f"{where}: another root")
    places = shuffled(list(range(len(order))), stream(key, b"croupier 1 places", counter))
    check(
        [order[p] for p in places] == event["cards"], f"{where}: secret and seeds make other cards"
    )
    return 1


def check_old(told: dict[str, Any], seed: bytes, event: dict[str, Any], where: str) -> int:
    """A shuffle of 0.9: a leaf for every card."""
    salts = (hmac.digest(seed, number(p), "sha256") for p in range(len(event["cards"])))
    pairs = enumerate(zip(salts, event["cards"], strict=True))
    leaves = b"".join(sha(salt, number(p), card.encode()) for p, (salt, card) in pairs)
    holds = leaves == base64.b64decode(told["leaves"]) and sha(leaves).hex() == told["root"]
    check(holds, f"{where}: the seed does not open the cards")
    return 1


# -- seals ----------------------------------------------------------------------------------------


def check_seals(night: Night, seals: list[dict[str, str]], key: str) -> str:
    """Hold everything to each seal in turn; the key that signed the last."""
    heads: dict[str, list[Any]] = {}
    sums: dict[str, int] = {}
    before, events, count, moved, orders = ZERO.hex(), 0, 0, 0, ZERO
    entries = ZERO
    for n, given in enumerate(seals, start=1):
        body = given["body"].encode()
        seal, where = json.loads(body), f"seal {n}"
        check(
            (seal["number"], seal["before"]) == (n, before),
            f"{where} does not follow: a FORK, or one is missing",
        )
        check(not key or seal["key"] == key, f"{where} is signed with key {seal['key']}, not {key}")
        signature = bytes.fromhex(given["signature"])
        signed = is_signed(bytes.fromhex(seal["key"]), b"croupier 1 seal\0" + body, signature)
        check(signed, f"{where}: its signature does not hold")
        check(night.digests["office"][0].hex() == seal["house"], f"{where} is of another House")
        was = {place: position for place, (position, _) in heads.items()}
        for place, (position, digest) in sorted(seal["heads"].items()):
            found = night.digests.get(place, [])[position - 1 : position]
            check(
                found and found[0].hex() == digest, f"{where}: {place} at {position} does not hold"
            )
        heads |= seal["heads"]
        every = b"".join(lines_of(p, *heads[p]) for p in sorted(heads))
        check(sha(every).hex() == seal["logs"]["digest"], f"{where}: the heads do not hold")
        text_of: list[bytes] = []
        for place in sorted(seal["heads"]):
            for position in range(was.get(place, 0) + 1, heads[place][0] + 1):
                for account, amount in sorted(night.entries.get((place, position), {}).items()):
                    text_of.append(lines_of(place, position, account, amount))
                    sums[account] = sums.get(account, 0) + amount
                    count, moved = count + 1, moved + max(amount, 0)
        entries = sha(entries, *text_of)
        ledger = {"count": count, "sum": moved, "digest": entries.hex()}
        check(ledger == seal["entries"], f"{where}: an entry does not hold")
        held = sha(*(lines_of(account, sums[account]) for account in sorted(sums)))
        check(held.hex() == seal["balances"]["digest"], f"{where}: a balance does not hold")
        loose = [o for o in sorted(night.unbound) if events <= o[0] < seal["events"]]
        orders = sha(orders, *(lines_of(*each) for each in loose))
        check(orders.hex() == seal["orders"]["digest"], f"{where}: an order does not hold")
        refused = night.refused.get(seal["refused"]["count"])
        check(
            not refused or refused.hex() == seal["refused"]["digest"],
            f"{where}: a refusal does not hold",
        )
        before, events, key = sha(body).hex(), seal["events"], seal.get("next_key") or seal["key"]
    return key


def check_marks(marks: list[dict[str, Any]], seals: list[dict[str, str]]) -> None:
    for mark in marks:
        where = f"seal {mark['seal']}, signed back by {mark['witness']}"
        digest = (
            sha(seals[mark["seal"] - 1]["body"].encode()) if mark["seal"] <= len(seals) else b""
        )
        check(digest.hex() == mark["digest"], f"{where}: he has signed another seal: FORK")
        signed = b"croupier 1 witness\0" + digest + f"{mark['witness']}\n{mark['at']}".encode()
        holds = is_signed(bytes.fromhex(mark["key"]), signed, bytes.fromhex(mark["signature"]))
        check(holds, f"{where}: his signature does not hold")


def seals_in(folder: Path, night: Night) -> list[dict[str, str]]:
    """The seals that a witness has kept, gone on with by those of the file."""
    files = sorted(folder.glob("seal-*.json"))
    check(files, f"there are no seals in {folder}")
    kept: list[dict[str, str]] = [json.loads(file.read_text("utf-8")) for file in files]
    for n, (one, other) in enumerate(zip(kept, night.seals, strict=False), start=1):
        check(one["body"] == other["body"], f"FORK: seal {n} of {folder} is not that of the file")
    night.marks += [json.loads(f.read_text("utf-8")) for f in sorted(folder.glob("seal-*.witness"))]
    return kept + night.seals[len(kept) :]


def read(file: Path) -> Night:
    opened = gzip.open if file.suffix == ".gz" else open
    night, total, end, count = Night(), hashlib.sha256(), None, 0
    with opened(file, "rb") as lines:
        for count, line in enumerate(lines):
            check(end is None, "there is more after the end")
            if line.startswith(b'{"end":'):
                end = json.loads(line)["end"]
                check(end == {"lines": count, "sha256": total.hexdigest()}, "the file was changed")
            elif count:
                night.take(line.decode())
            else:
                check(line.startswith(b'{"croupier":"audit export"'), "this is no audit export")
            total.update(line)
    check(end, f"the file was cut off after line {count + 1}")
    night.end_order()
    return night


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Verify an audit export of croupier's alone.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--key", default="", help="the House's public key, 64 hexadecimal digits")
    parser.add_argument("--seals", type=Path, help="a folder with seals that a witness has kept")
    told = parser.parse_args(words)
    try:
        night = read(told.file)
        check_money(night)
        proved = check_shuffles(night)
        seals = seals_in(told.seals, night) if told.seals else night.seals
        check_seals(night, seals, told.key)
        check_marks(night.marks, seals)
    except (Wrong, ValueError, KeyError, IndexError, TypeError, OSError, EOFError) as error:
        says = str(error) if isinstance(error, Wrong) else f"it cannot be read: {error!r}"
        sys.stderr.write(f"{told.file}: {says}\n")
        return 1
    sys.stdout.write(
        f"{len(night.rows):,} events, {night.orders:,} orders, {len(night.balances):,} accounts, "
        f"{proved:,} shuffles and picks, {len(seals):,} seals: all is well\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
