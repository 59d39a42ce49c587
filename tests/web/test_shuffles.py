"""The page takes part in the shuffle, and checks it by itself; the test vectors hold there too."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.web.conftest import Visitor
from tests.web.test_banked import bet

VECTORS = json.loads((Path(__file__).parents[1] / "shuffle-vectors.json").read_text("utf-8"))

RECKONED = """async (vector) => {
  const m = {
    ...await import("/static/app/commitments.js"), ...await import("/static/app/mixing.js"),
  };
  const of = {
    digest: vector.digest, committed_root: vector.committed_root, seeds: vector.seeds,
  };
  const key = await m.mixKey(of);
  const count = vector.named.length;
  return {
    can: m.canCheck,
    hashes: await Promise.all(vector.seeds.map(
      ({ player, seed }) => m.seedHash(vector.table, vector.number, player, seed))),
    key: m.toHex(key),
    places: await m.placesOf(key, vector.counter, count),
    cut: await m.cutOf(key, vector.counter, count),
    roots: await Promise.all(vector.openings.map((opened) => m.rootBy(opened, count))),
  };
}"""

CHECKED = """async ([proof, told, mine, me, round]) => {
  const m = {
    ...await import("/static/app/commitments.js"), ...await import("/static/app/mixing.js"),
  };
  return await m.checkShuffle(proof, told ?? undefined, mine, me, round ?? undefined);
}"""


def test_the_page_reckons_as_the_vectors_say(browser: Any, casino: str):
    page = browser.new_page()
    page.goto(casino)
    for vector in VECTORS:
        made = page.evaluate(RECKONED, vector)
        assert made["can"]
        assert made["hashes"] == [each["hash"] for each in vector["seeds"]]
        assert made["key"] == vector["key"]
        assert made["places"] == vector["places"]
        assert made["cut"] == vector["cut"]
        assert made["roots"] == [vector["root"]] * len(vector["openings"])
    page.close()


def proof_of(vector: dict[str, Any]) -> dict[str, Any]:
    return {
        "made": "mixed",
        "purpose": "for the round",
        "table": vector["table"],
        "number": vector["number"],
        "digest": vector["digest"],
        "committed_root": vector["committed_root"],
        "hashes": [{"player": s["player"], "hash": s["hash"]} for s in vector["seeds"]],
        "seeds": [{"player": s["player"], "seed": s["seed"]} for s in vector["seeds"]],
        "unopened": [],
        "absent": [],
        "counter": vector["counter"],
        "root": vector["root"],
        "cards": len(vector["named"]),
        "openings": vector["openings"],
        "leaves": "",
    }


def test_the_page_finds_what_does_not_hold(browser: Any, casino: str):
    page = browser.new_page()
    page.goto(casino)
    vector = VECTORS[2]
    ann = vector["seeds"][0]
    true = proof_of(vector)
    told = {
        "digest": true["digest"],
        "root": true["committed_root"],
        "seeds": "\n".join(f"{s['player']} {s['hash']}" for s in true["hashes"]),
    }

    def wrong(
        mine: str | None = None, before: Any = told, of: int | None = None, **changed: Any
    ) -> list[str]:
        found = page.evaluate(CHECKED, [true | changed, before, mine, "Ann", of])
        return [each["says"] for each in found if not each["holds"]]

    assert wrong() == []
    assert wrong(mine=ann["seed"]) == []
    assert wrong(before=told | {"root": "00" * 32})
    assert wrong(before=told | {"seeds": ""})
    assert wrong(before=told | {"round": 7}, of=7) == []
    [other] = wrong(before=told | {"round": 6}, of=7)
    assert other.endswith("was told to you for round 6, and not for this one.")
    [older] = wrong(before=told | {"round": 7}, of=7, made="leaves")
    assert "this shuffle is not made of it" in older
    assert wrong(before=None, of=7, made="leaves") == [], "of a time before there was a promise"
    assert wrong(mine="00" * 32) == ["The seed under your name is not yours."]
    forged = [ann | {"seed": "00" * 32}, *true["seeds"][1:]]
    assert any("seed of Ann is not the one" in says for says in wrong(seeds=forged))
    without = wrong(mine=ann["seed"], seeds=true["seeds"][1:], unopened=["Ann"])
    assert "Your seed was left out although this page had opened it." in without
    assert any("cards that you saw did not lie" in says for says in without)
    assert wrong(seeds=true["seeds"][1:]) != []
    assert any("stand in the order" in says for says in wrong(seeds=true["seeds"][::-1]))
    twice = [true["seeds"][0]] * len(true["seeds"])
    assert any("not those whose hashes" in says for says in wrong(seeds=twice))
    assert wrong(root="00" * 32) != []
    for field, value in (("card", "2c"), ("salt", "00" * 32), ("place", 51), ("path", [])):
        opened = [true["openings"][0] | {field: value}, *true["openings"][1:]]
        if opened[0] != true["openings"][0]:
            assert any("1 of 4 cards" in says for says in wrong(openings=opened)), field
    page.close()


def test_a_page_takes_part_and_checks_its_own_round(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann")
    ann.sit(like("Orchard"))
    page = ann.page
    bet(ann, "ante")
    ann.button("Deal").click()
    ann.button("Fold").click()  # by the next round the House has the hash of his seed
    ann.button("Repeat last bet").click()
    page.locator(".spot.ante.lies").wait_for()
    ann.button("Deal").click()
    ann.button("Flop bet").click()
    for _ in range(2):
        ann.button("Check").click()
        page.wait_for_timeout(100)
    page.locator(".settled-bets li.all").wait_for()
    page.get_by_role("tab", name="Rounds").click()
    page.locator(".bound .root").wait_for()
    past = page.locator("#body-rounds details", has_text="Round 2").first
    past.locator("summary").click()
    past.get_by_role("button", name="Check the shuffle").click()
    past.locator(".found li.holds").nth(2).wait_for()
    found = past.locator(".found li").all_text_contents()
    assert past.locator(".found li.wrong").count() == 0, found
    assert "Seeds of you are part of it." in found
    assert any("is the one that you were told before the first bet" in line for line in found)
    assert any(line.startswith("All 9 cards") for line in found), found
