"""What rules ask of their book: every way is carried out, every figure read, each in one place."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import croupier
from croupier.pit.registry import check_all_is_read
from croupier.rulebooks import (
    BOOKS,
    Cites,
    Topic,
    Ways,
    errors,
    load,
    load_file,
    number_of,
    share_of,
)
from croupier.rulebooks.procedures import by_book, check_carried_out, unread
from croupier.rulebooks.vocabulary import (
    PARAMETERS,
    PROCEDURES,
    ParameterWords,
    ProcedureWords,
    is_information,
)

V8, V5 = load("no-limit-holdem-v8"), load("poker-v5")
SOURCES = Path(croupier.__file__).parent


def test_a_book_gets_its_own_way():
    cut = Ways("deck-preparation", {"shuffle-cut-and-cover": "cut", "not-stated": "only shuffled"})
    assert (cut.of(V8), cut.of(V5)) == ("cut", "only shuffled")


def test_a_way_that_nothing_carries_out_is_an_error():
    with pytest.raises(TypeError, match="nothing carries out deck-preparation as not-stated"):
        Ways("deck-preparation", {"shuffle-cut-and-cover": True})


def test_a_way_that_no_book_knows_is_an_error():
    with pytest.raises(TypeError, match="deck-preparation is in no book by-machine"):
        Ways("deck-preparation", {"shuffle-cut-and-cover": 1, "not-stated": 2, "by-machine": 3})
    with pytest.raises(TypeError, match="deck-polish is no procedure"):
        Ways("deck-polish", {})
    with pytest.raises(TypeError, match="jokers is no parameter"):
        number_of("jokers")


def test_a_way_from_outside_is_a_word_that_a_book_may_choose():
    cut = Ways("deck-preparation", {"shuffle-cut-and-cover": "cut", "not-stated": "only shuffled"})
    by_machine = file_with("by-machine")
    with pytest.raises(errors.BadProcedure, match="unknown value 'by-machine'"):
        load_file(by_machine)
    cut.add("by-machine", "sealed", "A machine shuffles and cuts.")
    try:
        assert PROCEDURES["deck-preparation"].values["by-machine"] == "A machine shuffles and cuts."
        assert cut.of(load_file(by_machine)) == "sealed"
        assert cut.of(V8) == "cut"
        with pytest.raises(errors.NotCarriedOut, match="deck-preparation as 'by-machine'"):
            check_carried_out(load_file(by_machine))  # the table of the game lacks it
        later = {"shuffle-cut-and-cover": 1, "not-stated": 2}
        with pytest.raises(errors.NotCarriedOut):
            Ways("deck-preparation", later).of(load_file(by_machine))
        with pytest.raises(ValueError, match="as by-machine already"):
            cut.add("by-machine", "again", "A machine shuffles and cuts.")
        with pytest.raises(ValueError, match="means something else already"):
            Ways("deck-preparation", later).add("by-machine", 3, "A robot does it.")
    finally:
        cut.forget("by-machine")
    assert "by-machine" not in PROCEDURES["deck-preparation"].values
    with pytest.raises(ValueError, match="was not added from outside"):
        cut.forget("not-stated")


def file_with(preparation: str) -> str:
    text = (SOURCES / "rulebooks" / "poker-v5.toml").read_text(encoding="utf-8")
    return text.replace('value = "not-stated"', f'value = "{preparation}"')


def test_the_shipped_books_are_carried_out():
    for book in BOOKS:
        check_carried_out(load(book))


def test_figures_and_citations_are_those_of_the_book():
    assert number_of("hole-cards").of(V8) == 2
    assert share_of("silent-raise-share").of(V8) * 2 == 1
    assert Cites(Topic.DECK_CUT, Topic.ONE_DECK).of(V8)[0] == V8.cite(Topic.DECK_CUT)[0]
    assert Cites(Topic.DECK_CUT, Topic.ONE_DECK).of(V5) == V5.cite(Topic.ONE_DECK)


def test_an_answer_is_kept_for_all_tables_of_a_book():
    cards = number_of("hole-cards")
    assert by_book(V8) is by_book(V8) is not by_book(V5)
    assert by_book(V8)[cards] == by_book(V5)[cards] == 2
    assert cards in by_book(V8)


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (PROCEDURES, ProcedureWords(group="poker", meaning="M.", values={"a": "A."})),
        (PARAMETERS, ParameterWords(group="shared", unit="count", meaning="M.")),
    ],
)
def test_what_nothing_reads_is_an_error(monkeypatch, words, word):
    check_all_is_read()
    monkeypatch.setitem(words, "unheard-of", word)
    assert unread("shared", "poker", "banked") == ["unheard-of"]
    with pytest.raises(TypeError, match="nothing reads unheard-of"):
        check_all_is_read()


def test_the_tables_read_it_and_not_the_lab():
    """Tests may have loaded the lab, which reads figures of its own: ask where it is not."""
    asks = (
        "import sys; from croupier.pit.registry import check_all_is_read; check_all_is_read(); "
        "sys.exit('croupier.lab' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", asks], check=True)


def test_information_is_said_to_be_so():
    marked = {name for name in (*PROCEDURES, *PARAMETERS) if is_information(name)}
    assert marked == {
        "check-signal",
        "fold-signal",
        "fourth-round-ends",
        "burns-per-round",
        "blinds",
        "cover-cards",
        "ante-pays-from",
    }


def test_each_procedure_is_asked_for_in_one_place_of_a_floor():
    found = Counter[tuple[str, str]]()
    for source in SOURCES.rglob("*.py"):
        text, floor = source.read_text(encoding="utf-8"), source.relative_to(SOURCES).parts[0]
        if floor == "rulebooks":
            continue
        found.update((floor, name) for name in re.findall(r'Ways\(\s*"([a-z-]+)"', text))
        assert not re.search(r'\.(procedure|parameter|number|share|category)\("', text), source
    assert {name for _, name in found} == {name for name in PROCEDURES if not is_information(name)}
    assert not [asked for asked, times in found.items() if times > 1]
