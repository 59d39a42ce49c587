"""The five books hold what they must: counts, topics, readings, procedures."""

from collections import Counter

import pytest

from croupier.rulebooks import BOOKS, Topic, load, meaning
from croupier.rulebooks.topics import topics_of_family, vocabulary
from croupier.rulebooks.vocabulary import PARAMETERS, PROCEDURES

# Class by class, from the ledgers: engine, ruling, staff, physical. A paragraph changes class only
# with its reason in docs/.
CLASSES = {
    "no-limit-holdem-v8": (145, 54, 5, 11),
    "poker-v5": (86, 10, 0, 5),
    "progressive-texas-holdem-v6": (108, 29, 21, 12),
    "multi-link-progressive-v2": (113, 30, 20, 12),
    "multi-link-progressive-v3": (116, 30, 20, 12),
}
EXECUTABLE = {
    "no-limit-holdem-v8": 204,
    "poker-v5": 96,
    "progressive-texas-holdem-v6": 158,
    "multi-link-progressive-v2": 163,
    "multi-link-progressive-v3": 166,
}
BANKED = [book for book in BOOKS if book not in ("no-limit-holdem-v8", "poker-v5")]


@pytest.mark.parametrize("book", BOOKS)
def test_the_number_of_executable_paragraphs_is_fixed(book):
    assert len(load(book).executable) == EXECUTABLE[book]
    counts = Counter(p.executable for p in load(book).paragraphs.values())
    assert tuple(counts[c] for c in ("engine", "ruling", "staff", "physical")) == CLASSES[book]


@pytest.mark.parametrize("book", BOOKS)
def test_every_paragraph_even_a_physical_one_is_in_a_topic(book):
    cited = {id for ids in load(book).topics.values() for id in ids}
    assert cited == set(load(book).paragraphs)


def test_every_topic_has_a_meaning_and_every_meaning_a_topic():
    named = [name for group in vocabulary().values() for name in group]
    assert sorted(named) == sorted(topic.value for topic in Topic)
    assert all(meaning(topic).endswith(".") and len(meaning(topic)) > 20 for topic in Topic)
    assert list(vocabulary()) == ["shared", "poker", "banked"]


def test_every_topic_is_used_by_some_book_of_each_family_it_belongs_to():
    for family in ("poker", "banked"):
        books = [load(book) for book in BOOKS if load(book).family == family]
        for topic in topics_of_family(family):
            assert any(book.has(topic) for book in books), topic


def test_the_name_of_a_topic_is_its_value():
    for topic in Topic:
        assert topic.name == topic.value.upper().replace("-", "_")


def readings(book):
    opened = load(book)
    return [p.reading for p in opened.policies.values()] + [n.reading for n in opened.notes]


def numbered(letter, last):
    return [f"{letter}-{number:02d}" for number in range(1, last + 1)]


def test_every_reading_of_v8_and_v5_stands_exactly_once():
    assert sorted(readings("no-limit-holdem-v8")) == numbered("A", 78)
    assert sorted(readings("poker-v5")) == ["A-78", *numbered("P", 30)]


# Readings that are about one version only.
ONLY_V6 = {"B-15", "B-16", "B-17", "B-18", "B-19", "B-20", "B-33"}
NOT_V6 = {"B-07", "B-14", "B-25", "B-27", "B-40"}


@pytest.mark.parametrize("book", BANKED)
def test_every_reading_of_the_banked_games_stands_once_in_the_books_it_concerns(book):
    foreign = NOT_V6 if book == "progressive-texas-holdem-v6" else ONLY_V6
    settled_later = [f"B-{n}" for n in range(63, 71)]
    known = numbered("B", 62) + settled_later
    assert sorted(readings(book)) == [r for r in known if r not in foreign]


POLICIES = {
    "no-limit-holdem-v8": {
        "short-all-in-bar": ("A-06", "any-bet"),
        "opening-all-in-below-big-blind": ("A-08", "big-blind"),
        "declared-oversize-chip": ("A-16", "added"),
        "interrupted-run-out": ("A-23", "conclude"),
        "button-after-void": ("A-24", "moves"),
        "wrong-count-after-action": ("A-27", "dead-hand"),
        "out-of-turn-check-bar": ("A-34", "that-turn"),
        "impossible-early-check": ("A-73", "forfeits"),
        "uncallable-raise": ("A-78", "allowed"),
        "rake-base-of-a-walk": ("A-43", "matched"),
    },
    "poker-v5": {
        "min-bet": ("P-01", "smallest-chip"),
        "uncallable-raise": ("A-78", "allowed"),
        "rake-uncalled-raise": ("P-15", "charged"),
    },
    "progressive-texas-holdem-v6": {
        "partial-award": ("B-02", "deduct"),
        "top-up-to-reset": ("B-03", "no"),
        "void-contribution": ("B-12", "reverse"),
        "v6-lines": ("B-15", "best-single"),
        "wrong-count-unseen": ("B-50", "invalidate-hand"),
    },
    "multi-link-progressive-v2": {
        "partial-award": ("B-02", "deduct"),
        "top-up-to-reset": ("B-03", "no"),
        "void-contribution": ("B-12", "reverse"),
        "refusal-bonus": ("B-29", "if-tabled"),
        "wrong-count-unseen": ("B-50", "invalidate-hand"),
    },
}
POLICIES["multi-link-progressive-v3"] = dict(POLICIES["multi-link-progressive-v2"])
for silent in ("multi-link-progressive-v2", "progressive-texas-holdem-v6"):
    POLICIES[silent]["others-after-wrong-count"] = ("B-67", "asked")


@pytest.mark.parametrize("book", BOOKS)
def test_every_reading_that_names_an_alternative_is_a_policy_with_the_reading_as_default(book):
    found = {name: (p.reading, p.default) for name, p in load(book).policies.items()}
    assert found == POLICIES[book]


@pytest.mark.parametrize(
    ("book", "names", "value"),
    [
        ("no-limit-holdem-v8", "minimum-raise", "last-increment"),
        ("poker-v5", "minimum-raise", "big-blind-then-last-raise"),
        ("no-limit-holdem-v8", "first-button", "high-card-draw"),
        ("poker-v5", "first-button", "dealers-left"),
        ("no-limit-holdem-v8", "all-in-is-raise-from", "full-minimum"),
        ("poker-v5", "all-in-is-raise-from", "half-minimum"),
        ("no-limit-holdem-v8", "two-exposed-in-deal", "misdeal"),
        ("poker-v5", "two-exposed-in-deal", "void"),
        ("progressive-texas-holdem-v6", "jackpot-hand", "by-street"),
        ("multi-link-progressive-v2", "jackpot-hand", "hole-and-flop"),
        ("multi-link-progressive-v2", "one-exposed-unseen", "general-dealing-error"),
        ("multi-link-progressive-v3", "one-exposed-unseen", "affected-player-chooses"),
    ],
)
def test_each_book_chooses_its_own_way(book, names, value):
    assert load(book).procedure(names) == value


def test_every_value_of_every_procedure_is_the_way_of_some_book():
    chosen = {
        (name, procedure.value)
        for book in BOOKS
        for name, procedure in load(book).procedures.items()
    }
    offered = {(name, value) for name, words in PROCEDURES.items() for value in words.values}
    assert chosen == offered


def test_every_procedure_tells_two_versions_apart():
    """But for what the shipped books do alike and a later version may not."""
    for name in PROCEDURES.keys() - {"odd-chips", "straddle-seat"}:
        values = {load(b).procedure(name) for b in BOOKS if name in load(b).procedures}
        assert len(values) == 2, name


def test_every_parameter_is_fixed_by_some_book():
    assert {name for book in BOOKS for name in load(book).parameters} == set(PARAMETERS)


def test_a_superseded_book_ends_when_the_later_one_begins():
    ended = {book: load(book).superseded_by for book in BOOKS if load(book).superseded_by}
    assert ended == {
        "poker-v5": "no-limit-holdem-v8",
        "multi-link-progressive-v2": "multi-link-progressive-v3",
    }
    for book, later in ended.items():
        assert load(book).superseded_at == load(later).effective


def test_what_v5_calls_unchanged_stands_in_v8_once():
    later = load("no-limit-holdem-v8")
    unchanged = load("poker-v5").unchanged
    assert set(unchanged.values()) <= set(later.paragraphs)
    assert len(set(unchanged.values())) == len(unchanged)


def test_only_v6_leaves_its_beginning_to_the_operator():
    silent = [book for book in BOOKS if load(book).effective is None]
    assert silent == ["progressive-texas-holdem-v6"]
    assert "operator" in load(silent[0]).effective_note


@pytest.mark.parametrize("book", BOOKS)
def test_summaries_and_readings_are_sentences(book):
    opened = load(book)
    texts = [p.summary for p in opened.paragraphs.values()]
    texts += [r.answer for r in (*opened.notes, *opened.policies.values())]
    texts += [s for p in opened.policies.values() for s in p.values.values()]
    for text in texts:
        assert text[-1] in ".:)", text
    assert all(r.question.endswith("?") for r in (*opened.notes, *opened.policies.values()))
