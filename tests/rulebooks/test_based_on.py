"""A version told as an earlier book with changes: renumbered, withdrawn, laid over."""

from pathlib import Path

import pytest

from croupier.rulebooks import BOOKS, RulebookError, Topic, errors, load, load_file
from croupier.rulebooks.compare import compare

V8 = load("no-limit-holdem-v8")


def later(more: str = "", *, base: str = V8.id, based: str = "") -> str:
    return f"""
[based_on]
rulebook = "{base}"
{based}
[rulebook]
id = "holdem-next"
short = "Next"
version = 9
effective = 2030-01-01T00:00:00+08:00
{more}"""


@pytest.mark.parametrize("base", BOOKS)
def test_without_a_change_it_is_the_same_book(base):
    old, new = load(base), load_file(later(base=base))
    for field in ("sections", "paragraphs", "topics", "lacks", "procedures", "parameters"):
        assert getattr(new, field) == getattr(old, field)
    for field in ("policies", "notes", "pays", "title", "family", "operator", "regulator"):
        assert getattr(new, field) == getattr(old, field)
    assert list(new.paragraphs) == list(old.paragraphs)
    assert (new.based_on, new.own, new.superseded_by) == (base, frozenset(), None)
    assert not new.unchanged
    assert set(old.own) == set(old.paragraphs)
    assert old.based_on is None


SWAPPED = 'renumbered = { "5.13" = "5.14", "5.14" = "5.13" }'


def test_a_number_takes_along_everything_below_it_wherever_it_is_named():
    new = load_file(later(based=SWAPPED))
    assert new.carried["5.13.1"] == "5.14.1"
    assert new.cite(Topic.OUT_OF_TURN)[0] == "5.14"
    assert new.cite(Topic.SKIPPED_PLAYER_NEXT_ROUND) == ("5.13.1", "5.13", "1.15")
    assert new.paragraphs["5.14.4"].title == V8.paragraphs["5.13.4"].title
    assert "under 5.14.1 to 5.14.4" in new.paragraphs["5.14"].summary
    ids = list(new.paragraphs)
    assert ids.index("5.13.1") < ids.index("5.14") < ids.index("5.14.4") < ids.index("5.15")
    assert [n.paragraphs for n in new.notes if n.reading == "A-32"] == [("5.4", "5.13", "5.13.1")]


def test_what_only_got_another_number_is_no_change():
    new = load_file(later(based=SWAPPED))
    for found in (compare(V8, new), compare(new, V8)):
        assert not found.paragraphs
        assert not found.procedures
        assert ("5.13", "5.14") in found.renumbered
        assert ("5.14.1", "5.13.1") in found.renumbered or ("5.13.1", "5.14.1") in found.renumbered


def test_an_entry_is_laid_over_key_by_key():
    new = load_file(
        later("""
[parameters]
straddle = { value = 3 }
[procedures]
minimum-bet = { value = "by-policy" }
[[paragraph]]
id = "1.47"
summary = "Three times."
[[note]]
reading = "A-41"
answer = "Otherwise."
[topics]
odd-chip = ["4.5", "1.17"]
""")
    )
    assert new.number("straddle") == 3
    assert new.parameters["straddle"].paragraphs == ("1.47",)
    assert new.procedure("minimum-bet") == "by-policy"
    assert new.paragraphs["1.47"].summary == "Three times."
    assert new.paragraphs["1.47"].title == V8.paragraphs["1.47"].title
    assert new.own == {"1.47"}
    assert [n.answer for n in new.notes if n.reading == "A-41"] == ["Otherwise."]
    assert new.cite(Topic.ODD_CHIP) == ("4.5", "1.17")
    [changed] = compare(V8, new).paragraphs
    assert (changed.change, changed.old.id, changed.new.id) == ("changed", "1.47", "1.47")


def test_a_new_paragraph_stands_by_its_number_and_a_withdrawn_one_nowhere():
    new = load_file(
        later(
            """
[topics]
skipped-player-next-round = ["5.14"]
odd-chip = ["4.5.1", "4.5"]
[[note]]
reading = "A-32"
paragraphs = ["5.4", "5.14"]
[[paragraph]]
id = "4.5.1"
title = "Odd chip"
kind = "settlement"
summary = "To the left."
executable = "engine"
test = "one"
""",
            based='withdrawn = ["5.14.1", "A-41", "A-68"]',
        )
    )
    ids = list(new.paragraphs)
    assert ids[ids.index("4.5") + 1] == "4.5.1"
    assert "5.14.1" not in new.paragraphs
    assert "5.14.1" not in new.carried
    assert "A-41" not in [note.reading for note in new.notes]
    found = {p.change: (p.old or p.new).id for p in compare(V8, new).paragraphs}
    assert found == {"added": "4.5.1", "removed": "5.14.1"}


def test_a_topic_may_fall_away_and_one_may_come():
    gone = load_file(
        later('[topics]\nlacks = ["discretion-interpretation"]', based='withdrawn = ["5.16.b"]')
    )
    assert not gone.has(Topic.DISCRETION_INTERPRETATION)
    assert not gone.has(Topic.GAME_MARKER)
    come = load_file(
        later(
            '[topics]\nrake-ceiling = ["4.1.1"]\n'
            '[parameters]\nrake-ceiling = { value = "5%", paragraphs = ["4.1.1"] }'
        )
    )
    assert come.cite(Topic.RAKE_CEILING) == ("4.1.1",)


@pytest.mark.parametrize(
    ("error", "says", "text"),
    [
        (errors.UnknownRulebook, "holdem-v7", later(base="holdem-v7")),
        (errors.NoSuchParagraph, "renumbered 9.9", later(based='renumbered = { "9.9" = "9.8" }')),
        (errors.NoSuchParagraph, "withdrawn A-99", later(based='withdrawn = ["A-99"]')),
        (
            errors.DuplicateParagraph,
            "5.13 and 5.14 both become 5.14",
            later(based='renumbered = { "5.13" = "5.14" }'),
        ),
        (errors.NoSuchParagraph, "skipped-player-next", later(based='withdrawn = ["5.14.1"]')),
        (errors.UnreadableBook, "unknown field", later(based="because = 1")),
        (errors.UnreadableBook, "an entry without its id", later('[[paragraph]]\ntitle = "x"')),
        (errors.UnreadableBook, "not a table", "topics = 1\n" + later()),
        (errors.BadProcedure, "unknown value", later('[procedures]\nodd-chips = { value = "x" }')),
        (errors.UnknownKey, "carried", later("[carried]")),
        (errors.UnknownKey, "colour", later("[colour]")),
        (errors.UnreadableBook, "version", later().replace("version = 9", "")),
    ],
)
def test_what_is_wrong_is_told(error, says, text):
    with pytest.raises(error, match=says) as caught:
        load_file(text)
    assert isinstance(caught.value, RulebookError)


def test_a_book_may_be_based_on_one_that_lies_beside_it(tmp_path: Path):
    (tmp_path / "holdem-next.toml").write_text(later(based=SWAPPED))
    text = later(base="holdem-next").replace('id = "holdem-next"', 'id = "after-next"')
    (tmp_path / "after-next.toml").write_text(text)
    book = load_file(tmp_path / "after-next.toml")
    assert book.based_on == "holdem-next"
    assert book.cite(Topic.OUT_OF_TURN)[0] == "5.14"
    (tmp_path / "holdem-next.toml").write_text(later("[colour]"))
    with pytest.raises(errors.UnknownKey, match="holdem-next"):
        load_file(tmp_path / "after-next.toml")
