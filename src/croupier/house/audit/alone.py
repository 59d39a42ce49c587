"""Verifies an audit export of croupier's alone: one file, no dependencies, nothing of croupier's.

    python3 alone.py night.jsonl.gz [--key PUBLIC-KEY] [--seals FOLDER]

Checks orders, chains, refusals, money over time, shuffles, seals; `audit verify` also plays.
"""

import gzip
import hmac
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any

ZERO, DECK = bytes(32), [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
HEAD = "place position command_id who rank at".split()
REFUSED = "number command_id place who rank at authority software written cites says".split()
OWES = re.compile("cash|house/bank|awards|outside/.*|table/[^/]*/bank|link/[^/]*/doubtful")
Group, decode = defaultdict[Any, Any], json.JSONDecoder().raw_decode
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # Ed25519, RFC 8032
D = -121665 * pow(121666, -1, P) % P
X, Y = 0x216936D3CD6E53FEC0A4E231FDD6DC5C692CC7609525A7B2C9562D608F25D51A, 4 * pow(5, -1, P) % P


def check(holds: object, says: str) -> None:
    if not holds:
        raise ValueError(says)


def sha(*parts: bytes) -> bytes:
    return sha256(b"".join(parts)).digest()


def lines(*parts: object) -> bytes:
    return "".join(f"{part}\n" for part in parts).encode()


def add(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:  # two points of the curve
    x, y, d = a[0] * b[1] + b[0] * a[1], a[1] * b[1] + a[0] * b[0], D * a[0] * a[1] * b[0] * b[1]
    return x * pow(1 + d, -1, P) % P, y * pow(1 - d, -1, P) % P


def is_signed(key: str, text: bytes, signature: str) -> bool:  # with what belongs to this key
    public, signed = bytes.fromhex(key), bytes.fromhex(signature)
    number, s = int.from_bytes(public, "little"), int.from_bytes(signed[32:], "little")
    sign, y = number >> 255, number & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * pow(2, (P - 1) // 4, P) % P
    if len(public) != 32 or y >= P or (x * x - square) % P or (sign and not x) or s >= L:
        return False
    x = P - x if x & 1 == sign else x  # the negative of the key's point
    k = int.from_bytes(sha512(signed[:32] + public + text).digest(), "little") % L
    r = (0, 1)
    for bit in reversed(range(256)):  # s times the base point, less k times the key's
        for point in (r, *[(X, Y)] * (s >> bit & 1), *[(x, y)] * (k >> bit & 1)):
            r = add(r, point)
    return (r[1] | (r[0] & 1) << 255).to_bytes(32, "little") == signed[:32]


def written(v: int | str) -> bytes:
    return v.to_bytes(4, "big") if isinstance(v, int) else written(len(v.encode())) + v.encode()


def stream(key: bytes, words: bytes, counter: int) -> Iterator[int]:
    for block in range(2**32):
        yield from hmac.digest(key, words + written(counter) + written(block), "sha256")


def below(n: int, source: Iterator[int]) -> int:
    return next(byte % n for byte in source if byte < 256 - 256 % n) if n > 1 else 0


def shuffled(cards: Any, source: Iterator[int]) -> list[Any]:
    made = list(cards)
    for n in range(len(made), 1, -1):
        b = below(n, source)
        made[n - 1], made[b] = made[b], made[n - 1]
    return made


def root_of(secret: bytes, counter: int, order: list[str]) -> str:
    words, places = b"croupier 1 salt\0" + written(counter), map(written, range(len(order)))
    salted = [(hmac.digest(secret, words + p, "sha256"), p) for p in places]
    row = [sha(b"\0", *both, card.encode()) for both, card in zip(salted, order, strict=True)]
    while len(row) > 1:
        above = [sha(b"\1", *pair) for pair in zip(row[::2], row[1::2], strict=False)]
        row = above + row[len(above) * 2 :]
    return row[0].hex()


class Night:  # what stands in the file; orders, chains, refusals are checked as they are read
    def __init__(self, file: Path) -> None:
        self.digests, self.kept, self.chance = Group(list), Group(list), Group(list)
        self.entries, self.order, self.refused = Group(dict), dict[str, Any](), dict[int, str]()
        self.rows, self.unbound, self.bound, self.due = list[Any](), list[Any](), "", 0
        self.first_order, self.last_refused, total, end, count = -1, "", sha256(), 0, 0
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as opened:
            for count, line in enumerate(opened):
                if line.startswith(b'{"end":'):
                    said = {"lines": count, "sha256": total.hexdigest()}
                    end = count if json.loads(line)["end"] == said else 0
                elif count:
                    self.take(line.decode())
                total.update(line)
        check(end == count > 0 == self.due, "the file was cut off or changed, or is no export")

    def take(self, text: str) -> None:  # each field of a line, and how it is written
        kind, at = decode(text, 1)
        told, raw, at = dict[str, Any](), dict[str, str](), at + 1
        while text[at] != "}":
            name, at = decode(text, at + 1)
            told[name], end = decode(text, at + 1)
            raw[name], at = text[at + 1 : end], end
        fields = ",".join(f'"{name}":{value}' for name, value in raw.items())  # each said once
        check(text.strip() == f'{{"{kind}":{{{fields}}}}}', f"a line says more than its {kind}")
        if kind == "order":
            self.take_order(told, raw)
        elif kind == "row":
            self.take_row(told, raw["event"])
        elif kind == "entry":
            moved, cents = self.entries[told["place"], told["position"]], int(raw["amount"])
            check(moved.setdefault(told["account"], cents) == cents, "one entry is two")
        elif kind == "refused":
            follows = bytes.fromhex(self.last_refused or told["follows"])
            parts = lines(*(told[key] for key in REFUSED)) + raw["command"].encode()
            made = self.last_refused = self.refused[told["number"]] = sha(follows, parts).hex()
            check(made == told["digest"], f"refused order {told['number']}: it was changed")
        else:
            self.kept[kind].append(told)

    def take_order(self, order: dict[str, Any], raw: dict[str, str]) -> None:
        here = f"order {order['command_id']}"
        check(order["number"] == len(self.rows) and not self.due, f"{here}: one is missing before")
        parts = [raw.get("authority", ""), order.get("software", ""), raw.get("also", "")]
        text = lines(*(order[key] for key in REFUSED[:6]), *parts) + raw.get("command", "").encode()
        self.order, self.bound, self.due = order, sha(text).hex(), order.get("events", 0)
        self.first_order = len(self.rows) if self.first_order < 0 else self.first_order
        if "digest" in order or not self.due:
            check(order.get("digest") == self.bound, f"{here}: it was changed")
            self.unbound.append((order["number"], order["command_id"], self.bound))

    def take_row(self, row: dict[str, Any], event: str) -> None:
        chain, here = self.digests[row["place"]], f"{row['place']} at {row['position']}"
        check(row["position"] == len(chain) + 1, f"{here}: one is missing before it")
        if self.first_order >= 0:
            same = all(row[key] == self.order[key] for key in HEAD[2:])
            check(same and self.due, f"{here}: it is not of the order before it")
            first = row["place"] == self.order["place"] and self.bound
            withheld = first and event == "null" and "command" not in self.order
            holds = row.get("order", "") == (self.bound if first else "") or withheld
            check(holds, f"{here}: it was stored with another order")
            self.bound, self.due = "" if first else self.bound, self.due - 1
        head = lines(*(row[key] for key in HEAD), row.get("order", ""))
        made = sha(bytes.fromhex(chain[-1]) if chain else ZERO, head, event.encode()).hex()
        check(made == row["digest"] or event == "null", f"{here}: it was changed")
        chain.append(row["digest"])
        number = self.order.get("number", row["command_id"])  # of the order, where there are any
        self.rows.append((row["place"], row["position"], number))
        kind = (row["event"] or {"event": ""})["event"]
        if kind.endswith((" committed"[self.first_order < 0 :], "mixed", "given")) or not kind:
            self.chance[kind].append(row)

    def check_money(self) -> None:  # entries sum to nothing, and no account is ever overdrawn
        held, sums, touched, left = Group(int), Group(int), Group(set), {**self.entries}
        for n, (place, position, name) in enumerate(self.rows):
            moved = left.pop((place, position), {})
            sums[name] += sum(moved.values())
            for account, amount in moved.items():
                held[account] += amount
            touched[name] |= moved.keys()
            ends = n >= self.first_order >= 0 and [r[2] for r in self.rows[n + 1 : n + 2]] != [name]
            for account in touched[name] if ends else ():
                owes = held[account] < 0 and not OWES.fullmatch(account)
                check(not owes, f"{account} is overdrawn at {place} {position}")
        wrong = [name for name, total in sums.items() if total] + list(left)
        check(not wrong, f"money came from nowhere: {wrong[:3]}")
        check({(*b.values(),) for b in self.kept["balance"]} == {*held.items()}, "another balance")

    def check_shuffles(self) -> int:  # secrets are those committed to, decks are made of them
        self.secrets = {o["shuffle"]: bytes.fromhex(o["seed"]) for o in self.kept["opening"]}
        told = {(r["place"], r["position"]): r["event"] for r in self.chance["secret committed"]}
        mixes = self.chance["shuffle mixed"] + self.chance["draw mixed"] + self.chance["committed"]
        made, last, proved = {r["command_id"]: r for r in mixes}, dict(told.keys()), 0
        old = {row["command_id"] for row in self.chance["committed"]}  # before there were orders
        check({row["command_id"] for row in self.chance[""]} <= old, "an event was left out")
        for (place, position), event in told.items():
            here, secret = f"{place} at {position}", self.secrets.get(event["secret"])
            check(secret or last[place] == position, f"{here}: its secret is missing")
            if secret:
                digest = sha(b"croupier 1 secret\0", secret).hex()
                root = root_of(secret, 0, shuffled(DECK, stream(secret, b"croupier 1 order\0", 0)))
                check((digest, root) == (event["digest"], event["root"]), f"{here}: another secret")
        known = {event["secret"] for event in told.values()} | made.keys()
        check(self.secrets.keys() <= known, "an opening is of no commitment")
        for row in self.chance["shuffle given"] + self.chance["draw given"]:
            here, mix = f"{row['place']} at {row['position']}", made.get(row["command_id"])
            by_hand = "picks" in row["event"] and row["rank"] != "house"  # a shuffle is never so
            check(mix or by_hand, f"{here}: it was not committed to")
            if mix and mix["event"]["event"] != "committed":  # 0.9's `croupier audit verify` opens
                bound = told[mix["place"], mix["event"]["committed"]]
                proved += self.check_mix(bound, mix["event"], row["event"], here)
        return proved

    def check_mix(self, bound: Any, mixed: Any, event: dict[str, Any], here: str) -> bool:
        listed = {each["player"]: each["hash"] for each in bound["seeds"]}
        counter, mix, turn = mixed["counter"], b"", iter(listed)  # in their order alone: one deck
        names = [each["player"] for each in mixed["seeds"]] + mixed["unopened"] + mixed["absent"]
        check(sorted(names) == sorted(listed), f"{here}: seeds are not those that were listed")
        for each in mixed["seeds"]:
            player, seed = each["player"], bytes.fromhex(each["seed"])
            about = written(bound["table"]) + written(bound["number"]) + written(player)
            hashed = sha(b"croupier 1 seed\0", about, seed).hex()
            check(player in turn and hashed == listed[player], f"{here}: another seed of {player}")
            mix += written(player) + seed
        mix = bytes.fromhex(bound["digest"] + bound["root"]) + written(len(mixed["seeds"])) + mix
        key, secret = sha(b"croupier 1 mix\0", mix), self.secrets.get(bound["secret"])
        if secret is None:
            return False  # of a round that is still to be played
        if event["event"] == "draw given":
            left = list(range(mixed["among"]))
            source = stream(hmac.digest(secret, key, "sha256"), b"croupier 1 draw\0", counter)
            picks = [left.pop(below(len(left), source)) for _ in event["picks"]]
            check(picks == event["picks"], f"{here}: secret and seeds make other picks")
            return True
        hidden = event.get("hidden", {"nonce": "", "cards": ""})
        source = stream(secret, b"croupier 1 hidden\0" + bytes.fromhex(hidden["nonce"]), 0)
        opened = [DECK[(byte ^ next(source)) % 52] for byte in bytes.fromhex(hidden["cards"])]
        cards = event.get("cards", opened)
        source = stream(secret, b"croupier 1 order\0", counter)
        order = shuffled(sorted(cards, key=DECK.index), source)
        root = root_of(secret, counter, order) if counter else bound["root"]
        places = shuffled(range(len(order)), stream(key, b"croupier 1 places\0", counter))
        check(root == mixed["root"] and [order[p] for p in places] == cards, f"{here}: other cards")
        return True

    def check_seals(self, seals: list[Any], key: str) -> None:
        heads, sums, before = dict[str, Any](), defaultdict[str, int](int), ZERO.hex()
        count, moved, entries, orders, events = 0, 0, ZERO, ZERO, 0
        for n, given in enumerate(seals, start=1):
            body, seal, made = given["body"].encode(), json.loads(given["body"]), list[bytes]()
            here = f"seal {n} of {seal['at']}"
            signed = is_signed(seal["key"], b"croupier 1 seal\0" + body, given["signature"])
            check(signed and key in ("", seal["key"]), f"{here} is signed with another key")
            check((seal["number"], seal["before"]) == (n, before), f"{here} does not follow: FORK?")
            for place, (position, digest) in sorted(seal["heads"].items()):
                holds = self.digests[place][position - 1 : position] == [digest]
                check(holds, f"{here}: {place} at {position} does not hold")
                for at in range(heads.get(place, [0])[0] + 1, position + 1):
                    for account, amount in sorted(self.entries.get((place, at), {}).items()):
                        made.append(lines(place, at, account, amount))
                        sums[account] += amount
                        count, moved = count + 1, moved + max(amount, 0)
                heads[place] = position, digest
            loose = [each for each in sorted(self.unbound) if events <= each[0] < seal["events"]]
            orders, entries = sha(orders, *(lines(*each) for each in loose)), sha(entries, *made)
            balances = sha(*(lines(each, sums[each]) for each in sorted(sums))).hex()
            logs = sha(*(lines(each, *heads[each]) for each in sorted(heads))).hex()
            found = {"orders": orders.hex(), "balances": balances, "logs": logs}
            number = seal["refused"]["count"]  # of what was refused the oldest are dropped first
            spare = seal["refused"]["digest"] if number < min(self.refused, default=1) else ""
            found["refused"] = self.refused.get(number, spare)
            for part, digest in found.items():
                check(seal[part]["digest"] == digest, f"{here}: {part} do not hold")
            ledger = {"count": count, "sum": moved, "digest": entries.hex()}
            check(seal["entries"] == ledger, f"{here}: entries do not hold")
            before, events, key = sha(body).hex(), seal["events"], seal.get("next_key", seal["key"])
        for mark in self.kept["witness"]:
            here = f"seal {mark['seal']}, signed back by {mark['witness']}"
            text = bytes.fromhex(mark["digest"]) + f"{mark['witness']}\n{mark['at']}".encode()
            told = is_signed(mark["key"], b"croupier 1 witness\0" + text, mark["signature"])
            check(told, f"{here}: it is not signed")
            digest = sha(seals[mark["seal"] - 1]["body"].encode()).hex()
            check(digest == mark["digest"], f"{here}: the witness has signed another: FORK")


if __name__ == "__main__":
    options = dict(zip(sys.argv[2::2], sys.argv[3::2], strict=False))
    if len(sys.argv) != 2 + 2 * len(options) or not options.keys() <= {"--key", "--seals"}:
        sys.exit("python3 alone.py night.jsonl.gz [--key PUBLIC-KEY] [--seals FOLDER]")
    try:
        night = Night(Path(sys.argv[1]))
        night.check_money()
        proved, seals = night.check_shuffles(), night.kept["seal"]
        files = sorted(Path(options.get("--seals", sys.argv[1])).glob("seal-*.json"))
        check(files or "--seals" not in options, "there are no seals in that folder")
        kept = [json.loads(file.read_bytes()) for file in files]
        forked = kept[: len(seals)] != seals[: len(kept)]
        seals = kept if forked else kept + seals[len(kept) :]
        night.check_seals(seals, options.get("--key", ""))
        check(not forked, "FORK: the seals in that folder are not those in the file")
    except Exception as wrong:  # whatever a file makes it stumble over
        sys.exit(f"{sys.argv[1]}: {wrong if type(wrong) is ValueError else repr(wrong)}")
    told = f"{len(night.rows):,} events, {proved:,} shuffles, {len(seals):,} seals: all is well\n"
    sys.stdout.write(told)
