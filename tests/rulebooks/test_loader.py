"""A book that is wrong in any way does not load, and the error says where and what to do."""

import subprocess
import sys
from importlib.resources import files

import pytest

from croupier.rulebooks import BOOKS, RulebookError, Topic, errors, load, load_file, resolve

TEXTS = {
    book: files("croupier.rulebooks").joinpath(f"{book}.toml").read_text("utf-8") for book in BOOKS
}
V8, V5, V3 = "no-limit-holdem-v8", "poker-v5", "multi-link-progressive-v3"


def broken(book, old, new):
    """The text of a real book with its first `old` made `new`."""
    assert old in TEXTS[book], f"{old!r} is not in {book}"
    return TEXTS[book].replace(old, new, 1)


def test_the_copies_load_when_nothing_is_broken():
    for book, text in TEXTS.items():
        assert load_file(text) == load(book)


@pytest.mark.parametrize(
    ("book", "old", "new", "error", "message"),
    [
        pytest.param(
            V8, "[sections]", "[sections", errors.UnreadableBook, ["not TOML", "line"], id="toml"
        ),
        pytest.param(
            V8,
            "version = 8",
            'version = "8"',
            errors.UnreadableBook,
            [V8, "[rulebook] version", "Expected `int`, got `str`"],
            id="wrong type",
        ),
        pytest.param(
            V8,
            'short = "No Limit Hold\'em v8"',
            "",
            errors.UnreadableBook,
            ["[rulebook]", "missing required field `short`"],
            id="missing field",
        ),
        pytest.param(
            V8,
            "version = 8",
            "version = 8\nedition = 2",
            errors.UnknownKey,
            ["[rulebook] edition", "unknown key", "one of id, title, short"],
            id="unknown key in the head",
        ),
        pytest.param(
            V8,
            "[sections]",
            "[colours]\nred = 1\n[sections]",
            errors.UnknownKey,
            ["colours", "unknown key", "one of rulebook, sections, topics"],
            id="unknown section",
        ),
        pytest.param(
            V8,
            'reading = "A-08"',
            'reading = "A-08"\nwhy = "so"',
            errors.UnknownKey,
            ["[policy] opening-all-in-below-big-blind why", "one of name, reading, paragraphs"],
            id="unknown key in a policy",
        ),
        pytest.param(
            V8,
            'family = "poker"',
            'family = "bridge"',
            errors.FamilyMismatch,
            ["[rulebook] family", "'bridge'", "poker or banked"],
            id="unknown family",
        ),
        pytest.param(
            V8,
            'family = "poker"',
            'family = "banked"',
            errors.DanglingTopic,
            ["[topics] active-player", "family banked"],
            id="the other family",
        ),
        pytest.param(
            V8,
            "[sections]",
            '[vocabulary]\ntopics = { tea = "Tea is served." }\n[sections]',
            errors.FamilyMismatch,
            ["[vocabulary]", "words of its own", '"test"'],
            id="a vocabulary of its own",
        ),
        pytest.param(
            V8,
            "effective = 2024-07-25T08:00:00+08:00",
            "effective = 2024-07-25T08:00:00",
            errors.UnreadableBook,
            ["[rulebook] effective", "no time zone"],
            id="no time zone",
        ),
        pytest.param(
            V5,
            "superseded_at = 2024-07-25T08:00:00+08:00",
            "",
            errors.UnreadableBook,
            ["superseded_by", "both or neither"],
            id="superseded, but when",
        ),
        pytest.param(
            "progressive-texas-holdem-v6",
            "effective_note",
            "operator = 1 #",
            errors.UnreadableBook,
            ["not TOML"],
            id="operator twice",
        ),
        pytest.param(
            V8,
            'id = "1.2"\n',
            'id = "1.1"\n',
            errors.DuplicateParagraph,
            ["[paragraph] 1.1", "it stands twice"],
            id="paragraph twice",
        ),
        pytest.param(
            V8,
            'id = "1.2"\n',
            'id = "9.2"\n',
            errors.BadParagraph,
            ["[paragraph] 9.2", "section '9'", "one of preamble, 1, 2"],
            id="paragraph of no section",
        ),
        pytest.param(
            V8,
            'executable = "engine"',
            'executable = "magic"',
            errors.UnreadableBook,
            ["[paragraph] preamble executable", "'magic'"],
            id="unknown class",
        ),
        pytest.param(
            V8,
            'minimum-raise = ["1.28", "1.37"]',
            'minimum-raise = ["1.28", "1.73"]',
            errors.NoSuchParagraph,
            ["[topics] minimum-raise", "'1.73'"],
            id="topic of no paragraph",
        ),
        pytest.param(
            V8,
            'minimum-raise = ["1.28", "1.37"]',
            "minimum-raise = []",
            errors.NoSuchParagraph,
            ["[topics] minimum-raise", "names no paragraph"],
            id="empty topic",
        ),
        pytest.param(
            V8,
            'minimum-raise = ["1.28", "1.37"]',
            'minimum-raze = ["1.28", "1.37"]',
            errors.DanglingTopic,
            ["[topics] minimum-raze", "not a topic", "topics.py"],
            id="dangling topic",
        ),
        pytest.param(
            V8,
            'minimum-raise = ["1.28", "1.37"]\n',
            "",
            errors.MissingTopic,
            ["[topics] minimum-raise", "neither mapped nor lacking"],
            id="missing topic",
        ),
        pytest.param(
            V8,
            '    "rake-ceiling",',
            '    "rake-ceiling",\n    "minimum-raise",',
            errors.MissingTopic,
            ["[topics] minimum-raise", "both mapped and lacking"],
            id="mapped and lacking",
        ),
        pytest.param(
            V8,
            'out-of-turn-fold = ["5.13.4", "5.13", "1.15"]',
            'out-of-turn-fold = ["5.13", "1.15"]',
            errors.UncitedParagraph,
            ["[topics] 5.13.4", "no topic cites it"],
            id="executable paragraph in no topic",
        ),
        pytest.param(
            V8,
            'minimum-raise = { value = "last-increment"',
            'minimum-raise = { value = "whatever"',
            errors.BadProcedure,
            ["[procedures] minimum-raise", "'whatever'", "one of last-increment, big-blind-then"],
            id="unknown procedure value",
        ),
        pytest.param(
            V8,
            'first-button = { value = "high-card-draw", paragraphs = ["3.8"] }\n',
            "",
            errors.BadProcedure,
            ["[procedures] first-button", "missing", "one of high-card-draw, dealers-left"],
            id="missing procedure",
        ),
        pytest.param(
            V8,
            "[procedures]\n",
            '[procedures]\ntea-break = { value = "long", paragraphs = ["3.8"] }\n',
            errors.BadProcedure,
            ["[procedures] tea-break", "unknown procedure"],
            id="unknown procedure",
        ),
        pytest.param(
            V8,
            "[procedures]\n",
            '[procedures]\njackpot-hand = { value = "by-street", paragraphs = ["3.8"] }\n',
            errors.BadProcedure,
            ["[procedures] jackpot-hand", "unknown procedure"],
            id="procedure of the other family",
        ),
        pytest.param(
            V8,
            "deck-cards = { value = 52",
            'deck-cards = { value = "52"',
            errors.BadParameter,
            ["[parameters] deck-cards", "'52' is not a count", "a whole number"],
            id="parameter of another unit",
        ),
        pytest.param(
            V8,
            'silent-raise-share = { value = "50%"',
            'silent-raise-share = { value = "half"',
            errors.BadParameter,
            ["[parameters] silent-raise-share", "'half'", "'50%'"],
            id="a share that is none",
        ),
        pytest.param(
            V3,
            'value = "100000.00"',
            'value = "100000"',
            errors.BadParameter,
            ["[parameters] bonus-cap", "a sum with cents"],
            id="money without cents",
        ),
        pytest.param(
            V3,
            'ante-pays-from = { value = "straight"',
            'ante-pays-from = { value = "straits"',
            errors.BadParameter,
            ["[parameters] ante-pays-from", "'straits'"],
            id="unknown category",
        ),
        pytest.param(
            V8,
            'deck-cards = { value = 52, paragraphs = ["2.2.1"] }\n',
            "",
            errors.BadParameter,
            ["[parameters] deck-cards", "missing"],
            id="missing parameter",
        ),
        pytest.param(
            V5,
            "[parameters]\n",
            '[parameters]\nstraddle = { value = 2, paragraphs = ["3.1"] }\n',
            errors.BadParameter,
            ["[parameters] straddle", "this book lacks its topic"],
            id="parameter of a lacking topic",
        ),
        pytest.param(
            V8,
            'default = "any-bet"',
            'default = "some-bet"',
            errors.BadPolicy,
            ["[policy] short-all-in-bar", "'some-bet'", "any-bet, answered-last-full-raise"],
            id="default not among the values",
        ),
        pytest.param(
            V8,
            'name = "short-all-in-bar"',
            'name = "short_all_in_bar"',
            errors.BadPolicy,
            ["short_all_in_bar", "not kebab-case"],
            id="policy name",
        ),
        pytest.param(
            V8,
            'name = "opening-all-in-below-big-blind"',
            'name = "short-all-in-bar"',
            errors.BadPolicy,
            ["[policy] short-all-in-bar", "it stands twice"],
            id="policy twice",
        ),
        pytest.param(
            V8,
            ', stays = "The button stays where it is." }',
            " }",
            errors.BadPolicy,
            ["[policy] button-after-void", "no alternative"],
            id="policy without alternative",
        ),
        pytest.param(
            V8,
            'reading = "A-02"',
            'reading = "A-01"',
            errors.BadReading,
            ["A-01", "stands twice"],
            id="note twice",
        ),
        pytest.param(
            V8,
            'reading = "A-01"',
            'reading = "A-06"',
            errors.BadReading,
            ["A-06", "one policy or one note"],
            id="note and policy",
        ),
        pytest.param(
            V8,
            'reading = "A-01"\nparagraphs = ["1.28"]',
            'reading = "A-01"\nparagraphs = []',
            errors.BadReading,
            ["[note] A-01", "bites nowhere"],
            id="reading without paragraph",
        ),
        pytest.param(
            V8,
            'reading = "A-01"',
            'reading = "first"',
            errors.BadReading,
            ["'first'", "such as A-06"],
            id="not a reading id",
        ),
        pytest.param(
            V8,
            'reading = "A-01"\nparagraphs = ["1.28"]',
            'reading = "A-01"\nparagraphs = ["1.82"]',
            errors.NoSuchParagraph,
            ["[note] A-01", "'1.82'"],
            id="reading of no paragraph",
        ),
        pytest.param(
            V3,
            'pays = "400 for 1"',
            'pays = "400:1"',
            errors.BadPayTable,
            ["[pay] progressive 4.2.minor.four-of-a-kind", "'400:1'", "'X to 1'"],
            id="pays does not parse",
        ),
        pytest.param(
            V3,
            '[[pay.line]]\nid = "4.1.turn"',
            '[[pay.line]]\nid = "4.1.trun"',
            errors.BadPayTable,
            ["[pay] main 4.1.trun", "no paragraph of its id"],
            id="pay line without paragraph",
        ),
        pytest.param(
            V3,
            'topic = "pay-turn"',
            'topic = "pay-river"',
            errors.BadPayTable,
            ["[pay] main 4.1.turn", "'pay-river'", "does not have this paragraph first"],
            id="pay line of another topic",
        ),
        pytest.param(
            V3,
            'player = ["AKs"]',
            'player = ["KAs"]',
            errors.BadPayTable,
            ["4.1.bonus.ak-suited", "'KAs'", "higher first"],
            id="no class of hole cards",
        ),
        pytest.param(
            V3,
            'category = "full-house"',
            'category = "full-hose"',
            errors.UnreadableBook,
            ["[pay] progressive", "full-hose"],
            id="condition of no category",
        ),
        pytest.param(
            V3,
            'cards = "hole-and-flop"',
            'cards = "hole-and-turn"',
            errors.UnreadableBook,
            ["[pay] progressive", "hole-and-turn"],
            id="condition on other cards",
        ),
        pytest.param(
            V3,
            'kind = "bet-wins"',
            'kind = "bet-loses"',
            errors.UnreadableBook,
            ["[pay] main", "bet-loses"],
            id="unknown condition",
        ),
        pytest.param(
            V3,
            'id = "bonus"',
            'id = "main"',
            errors.BadPayTable,
            ["[pay] main", "it stands twice"],
            id="pay table twice",
        ),
        pytest.param(
            V3,
            'kind = "bet-wins", bet = "flop"',
            'kind = "bet-wins", bet = "flop", odds = 2',
            errors.UnknownKey,
            ["[pay] main", "odds"],
            id="unknown key in a condition",
        ),
        pytest.param(
            V8,
            'title = "Action means acting in turn"',
            'title = " "',
            errors.BadParagraph,
            ["[paragraph] 1.1", "its title is empty"],
            id="empty title",
        ),
        pytest.param(
            V8,
            'minimum-raise = ["1.28", "1.37"]',
            'minimum-raise = ["1.28", "1.28"]',
            errors.MissingTopic,
            ["[topics] minimum-raise", "a paragraph stands twice"],
            id="paragraph twice in a topic",
        ),
        pytest.param(
            V8,
            '    "rake-ceiling",',
            '    "rake-ceiling",\n    "rake-ceiling",',
            errors.MissingTopic,
            ["[topics] lacks", "a topic stands twice"],
            id="lacking twice",
        ),
        pytest.param(
            V3,
            "[[pay]]",
            '[[pay]]\nid = "tips"\ntitle = "Tips"\nparagraphs = ["4.1"]\nline = []\n\n[[pay]]',
            errors.BadPayTable,
            ["[pay] tips", "it has no line"],
            id="pay table without lines",
        ),
        pytest.param(
            V3,
            "[[pay.line]]",
            '[[pay.line]]\nid = "4.1.flop"\ntopic = "pay-flop"\npays = "2 to 1"\n'
            'when = { kind = "bet-wins", bet = "flop" }\n\n[[pay.line]]',
            errors.BadPayTable,
            ["[pay] main", "a line stands twice"],
            id="pay line twice",
        ),
        pytest.param(
            V5,
            '"def.active-player" = "1.2"',
            '"def.passive-player" = "1.2"',
            errors.NoSuchParagraph,
            ["[unchanged] def.passive-player"],
            id="unchanged, but not there",
        ),
        pytest.param(
            V8,
            "[sections]",
            '[unchanged]\n"1.1" = "1.1"\n[sections]',
            errors.UnreadableBook,
            ["[unchanged]", "no book supersedes"],
            id="unchanged without a later book",
        ),
    ],
)
def test_a_broken_book_says_what_is_wrong_and_where(book, old, new, error, message):
    with pytest.raises(error) as caught:
        load_file(broken(book, old, new))
    assert isinstance(caught.value, RulebookError)
    for part in message:
        assert part in str(caught.value)


def test_an_error_carries_its_parts():
    with pytest.raises(errors.DanglingTopic) as caught:
        load_file(broken(V8, "minimum-raise = [", "minimum-raze = ["))
    assert caught.value.book == V8
    assert caught.value.section == "topics"
    assert caught.value.key == "minimum-raze"
    assert caught.value.problem
    assert caught.value.expected


def test_a_book_without_a_time_must_say_so():
    text = broken("progressive-texas-holdem-v6", "effective_note = ", "superseded_by = ")
    with pytest.raises(errors.UnreadableBook, match="effective: missing"):
        load_file(text)


TINY = """
[rulebook]
id = "high-card"
title = "High Card"
short = "High Card"
version = 1
family = "test"
operator = "nobody"
regulator = "nobody"
effective = 2000-01-01T00:00:00+00:00

[sections]
1 = "All of it"

[vocabulary]
topics = { high-card-wins = "The higher card takes the pot.", tie = "Equal cards share." }
procedures = { suits = { equal = "Suits are equal.", ranked = "Spades are highest." } }
parameters = { cards = "count" }

[topics]
high-card-wins = ["1.1"]
lacks = ["tie"]

[procedures]
suits = { value = "equal", paragraphs = ["1.1"] }

[parameters]
cards = { value = 1, paragraphs = ["1.1"] }

[[paragraph]]
id = "1.1"
title = "High card wins"
kind = "showdown"
summary = "The higher card wins."
executable = "engine"
test = "K beats Q"
"""


def test_a_book_of_the_family_test_declares_its_own_words():
    book = load_file(TINY)
    assert book.cite("high-card-wins") == ("1.1",)
    assert not book.has("tie")
    assert book.procedure("suits") == "equal"
    assert book.number("cards") == 1


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('lacks = ["tie"]', "lacks = []", errors.MissingTopic),
        ('high-card-wins = ["1.1"]', 'low-card-wins = ["1.1"]', errors.DanglingTopic),
        ('value = "equal"', 'value = "odd"', errors.BadProcedure),
        ("value = 1,", 'value = "1",', errors.BadParameter),
        ('cards = "count"', 'cards = "furlongs"', errors.UnreadableBook),
    ],
)
def test_it_is_checked_as_strictly(old, new, error):
    assert old in TINY
    with pytest.raises(error):
        load_file(TINY.replace(old, new, 1))


def test_a_book_may_be_a_file(tmp_path):
    path = tmp_path / "high-card.toml"
    path.write_text(TINY, encoding="utf-8")
    assert load_file(path) == load_file(str(path)) == load_file(TINY)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(errors.UnreadableBook, match=r"nothing\.toml.*cannot be read"):
        load_file(tmp_path / "nothing.toml")


def test_a_book_is_read_once():
    assert load(V8) is load(V8)


def test_an_unknown_book_names_the_nearest_and_all():
    with pytest.raises(errors.UnknownRulebook) as caught:
        load("no-limit-holdem-v9")
    assert "Did you mean 'no-limit-holdem-v8'?" in str(caught.value)
    assert all(book in str(caught.value) for book in BOOKS)


@pytest.mark.parametrize(
    ("word", "book"),
    [
        ("v8", V8),
        ("V8", V8),
        ("no-limit", V8),
        ("v5", V5),
        ("poker", V5),
        ("progressive-texas", "progressive-texas-holdem-v6"),
        ("v2", "multi-link-progressive-v2"),
        (V3, V3),
    ],
)
def test_a_book_may_be_abbreviated(word, book):
    assert resolve(word) == book


def test_an_abbreviation_of_two_books_is_refused():
    with pytest.raises(errors.AmbiguousRulebook, match="v2 or multi-link-progressive-v3"):
        resolve("multi-link")
    with pytest.raises(errors.UnknownRulebook):
        resolve("")


def test_importing_reads_no_book():
    code = (
        "import sys, croupier.rulebooks as r; "
        "assert 'tomllib' not in sys.modules; "
        "assert 'croupier.rulebooks.checks' not in sys.modules; "
        "assert r.load.cache_info().currsize == 0"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_topics_of_a_real_book_are_found_by_enum_and_by_name():
    book = load(V8)
    assert book.cite(Topic.MINIMUM_RAISE) == book.cite("minimum-raise") == ("1.28", "1.37")
