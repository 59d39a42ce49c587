"""What changed between two books, and how paragraphs are found by words."""

from itertools import permutations

import pytest

from croupier.rulebooks import BOOKS, load
from croupier.rulebooks.compare import compare, match_paragraphs
from croupier.rulebooks.search import search

V8, V5, V6 = load("no-limit-holdem-v8"), load("poker-v5"), load("progressive-texas-holdem-v6")
V2, V3 = load("multi-link-progressive-v2"), load("multi-link-progressive-v3")


def changes(old, new):
    return {
        ((p.old or p.new).id, (p.new or p.old).id): p.change for p in compare(old, new).paragraphs
    }


def test_v2_to_v3_is_exactly_what_the_difference_table_says():
    found = compare(V2, V3)
    assert [(d.name, d.old, d.new) for d in found.procedures] == [
        ("one-exposed-unseen", "general-dealing-error", "affected-player-chooses"),
        ("wrong-count-others", "by-policy", "affected-choose"),
    ]
    assert found.parameters == ()
    (table,) = found.pays
    assert [(line.name, line.old, line.new) for line in table.lines] == [
        ("pay-jackpot-four-of-a-kind", "$2,000", "400 for 1"),
        ("pay-jackpot-full-house", "$200", "80 for 1"),
        ("pay-jackpot-flush", "$100", "40 for 1"),
        ("pay-jackpot-straight", None, "20 for 1"),
    ]
    assert {ids[1]: change for ids, change in changes(V2, V3).items()} == {
        "preamble": "added",
        "3.17": "changed",
        "3.17.straight": "added",
        "4.2": "changed",
        "4.2.minor.four-of-a-kind": "changed",
        "4.2.minor.full-house": "changed",
        "4.2.minor.flush": "changed",
        "4.2.minor.straight": "added",
        "5.12": "changed",
        "5.15": "changed",
    }
    assert found.renumbered == ()


def test_a_paragraph_that_only_got_another_number_is_no_change():
    found = compare(V6, V2)
    assert ("1.22", "1.23") in found.renumbered
    assert ("1.30", "1.31") in found.renumbered
    assert ("1.27", "1.28") not in found.renumbered  # Stand Off: it says something else too
    assert changes(V6, V2)["1.27", "1.28"] == "changed"
    assert changes(V6, V2)["4.5", "4.5.2"] == "changed"
    assert changes(V6, V2)["1.21", "1.21"] == "added"
    assert ("1.21", "1.22") in found.renumbered


def test_paragraphs_of_v5_are_found_in_v8_by_what_they_say():
    pairs = match_paragraphs(V5, V8)
    assert pairs["3.3"] == "1.28"
    assert pairs["3.14.3"] == "3.19.3"
    assert pairs["def.active-player"] == "1.2"
    assert "5.1.5" not in pairs
    assert len(set(pairs.values())) == len(pairs)


def test_what_is_said_in_other_words_to_the_same_effect_is_no_change():
    ids = {new for _, new in changes(V5, V8)}
    assert not ids & set(V5.unchanged.values())
    assert {"3.19.3", "1.28", "3.10", "5.4"} <= ids


@pytest.mark.parametrize(
    ("old", "new"),
    [(a, b) for a, b in permutations(BOOKS, 2) if load(a).family == load(b).family],
)
def test_every_paragraph_is_accounted_for_in_both_directions(old, new):
    before, after = load(old), load(new)
    found = compare(before, after)
    pairs = match_paragraphs(before, after)
    gone = [p for p in found.paragraphs if p.change == "removed"]
    added = [p for p in found.paragraphs if p.change == "added"]
    changed = [p for p in found.paragraphs if p.change == "changed"]
    assert len(pairs) + len(gone) == len(before.paragraphs)
    assert len(pairs) + len(added) == len(after.paragraphs)
    assert found.unchanged + len(changed) == len(pairs)
    back = compare(after, before)
    assert len(back.procedures) == len(found.procedures)
    assert len(back.parameters) == len(found.parameters)


def test_a_book_has_not_changed_from_itself():
    for book in map(load, BOOKS):
        found = compare(book, book)
        assert (found.procedures, found.parameters, found.pays, found.paragraphs) == ((),) * 4
        assert found.unchanged == len(book.paragraphs)


def hits(*words, books=(V8, V5, V6, V2, V3)):
    return [(hit.book, hit.paragraph.id) for hit in search(words, books)]


@pytest.mark.parametrize(
    ("words", "book", "first"),
    [
        ("minimum raise", V8, "1.28"),
        ("burnt card missing", V8, "5.10"),
        ("missed burn", V3, "5.9"),
        ("odd chip", V8, "4.5"),
        ("oversize chip", V8, "3.6"),
        ("walk away decisions", V3, "5.5"),
        ("stand off", V3, "1.28"),
        ("Straddles", V8, "1.47"),
        ("5.13.3", V8, "5.13.3"),
        ("A-27", V8, "5.3.4"),
    ],
)
def test_the_likeliest_paragraph_stands_first(words, book, first):
    assert hits(*words.split(), books=[book])[0] == (book.id, first)


def test_all_words_must_be_there():
    assert hits("straddle", "jackpot") == []
    assert hits() == []
    assert hits("!?") == []


def test_ties_stand_in_the_order_of_the_books():
    found = [book for book, id in hits("walk", "away") if id == "5.5"]
    assert found == [V6.id, V2.id, V3.id]
