"""Approved wording is matched by number and order; what does not fit is left out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from croupier.desk.approved import load_approved, split
from croupier.desk.errors import BadApproved
from croupier.rulebooks import BOOKS, load

V8, V5, V6 = load("no-limit-holdem-v8"), load("poker-v5"), load("progressive-texas-holdem-v6")
ORIGINALS = os.environ.get("CROUPIER_ORIGINALS", "")


def test_a_text_is_split_by_number():
    text = """
5. Irregularities
5.3 There is something :
5.3.1 if one; or
- 5.3.2 if **two**, as paragraph
5.14 says; or
5.3.3 if three.

It goes on here.
- 5.14 Players must speak.
"""
    found = split(text, V8)
    assert found == {
        "5.3": "There is something :",
        "5.3.1": "if one; or",
        "5.3.2": "if two, as paragraph\n5.14 says; or",  # a reference begins no paragraph
        "5.3.3": "if three.\nIt goes on here.",
        "5.14": "Players must speak.",
    }


def test_letters_stand_below_their_number():
    found = split("- 1.6 **Betting Round** is:\n - a. the first;\n(b) the second;\n1.7 Next", V8)
    assert found == {
        "1.6": "Betting Round is:",
        "1.6.a": "the first;",
        "1.6.b": "the second;",
        "1.7": "Next",
    }


def test_definitions_without_numbers_are_found_by_their_term():
    found = split("In these rules:\n**All-in** refers to it.\nTo **bet** means so.\n", V5)
    assert found == {"def.all-in": "All-in refers to it.", "def.bet": "To bet means so."}


def test_headings_and_numbers_of_no_paragraph_belong_to_none():
    found = split("5.14 One.\n## Settlement\nlost\n5.99 Not ours.\n99.1 Nor this.\n", V8)
    assert found == {"5.14": "One."}
    assert split("5.14\n5.15\nWhose is this?\n", V8) == {}


def test_a_folder_of_texts(tmp_path: Path):
    (tmp_path / "no-limit-holdem-v8.txt").write_text("5.14 Approved words.", encoding="utf-8")
    (tmp_path / "notes.pdf").write_bytes(b"%PDF")
    found = load_approved(tmp_path)
    assert found.books == ("no-limit-holdem-v8",)
    assert found.text("no-limit-holdem-v8", "5.14") == "Approved words."
    assert found.text("no-limit-holdem-v8", "5.3") is None
    assert found.text("poker-v5", "5.14") is None
    assert "1 of" in found.notes[0]


def test_numbers_in_a_column_of_their_own_tell_nothing(tmp_path: Path):
    numbers = "\n".join(p for p in V8.paragraphs if p.replace(".", "").isdigit())
    text = f"{numbers}\n5.14 One that stands at its number.\n"
    (tmp_path / "no-limit-holdem-v8.txt").write_text(text, encoding="utf-8")
    found = load_approved(tmp_path)
    assert found.books == ()
    assert "left out" in found.notes[0]


# -- numbers in columns, as a machine reads them from a page ---------------------------------------


def ours(id: str) -> str:
    """Made-up wording for a paragraph: our own summary, broken into lines as a page has it."""
    words = V6.paragraphs[id].summary.split()
    return "\n".join(" ".join(words[n : n + 9]) for n in range(0, len(words), 9))


def flat(text: str | None) -> str:
    return " ".join((text or "").split())


def test_as_many_paragraphs_as_numbers_belong_to_them_in_order():
    text = "5.18\n\n5.19\n\n5.20\n\nOne thing.\n\nAnother, over\ntwo lines.\n\nThe last.\n\n17\n"
    assert split(text, V6) == {
        "5.18": "One thing.",
        "5.19": "Another, over\ntwo lines.",
        "5.20": "The last.",
    }


def test_numbers_beside_their_text_stand_between_those_of_a_column():
    text = (
        "5.1\n\n5.2\n\n5.3\n\nToo much.\n\n5.1.1 But if so.\n\nToo little.\n\n"
        "5.2.1 But if not.\n\nAt the settlement:\n\n5.3.1 this; or\n\n5.3.2  that.\n"
    )
    assert split(text, V6) == {
        "5.1": "Too much.",
        "5.1.1": "But if so.",
        "5.2": "Too little.",
        "5.2.1": "But if not.",
        "5.3": "At the settlement:",
        "5.3.1": "this; or",
        "5.3.2": "that.",
    }


def test_what_goes_on_from_the_page_before_is_told_by_its_words():
    """More sentences begin than there are numbers, and one paragraph is broken by a blank line."""
    begins, goes_on = V6.paragraphs["5.18"].summary.split(". ", 1)
    first, second = ours("5.19").split("\n", 1)
    page = (
        f"5.18 {begins}.\n<|end of page|>5.19\n\n5.20\n\n5.21\n\n{goes_on}\n\n"
        f"{first}\n\n{second}\n\n{ours('5.20')}\n{ours('5.21')}\n\n\n14\n"
    )
    found = split(page, V6)
    for id in ("5.18", "5.19", "5.20", "5.21"):
        assert flat(found[id]) == V6.paragraphs[id].summary, id


def test_points_that_the_machine_has_lost():
    text = "5.7\n\n5.8\n\nIf so:\n\n57.1\n\n5.7.2\n\nit goes on; or\n\nit is void.\n\nIn such:\n"
    assert split(text, V6) == {
        "5.7": "If so:",
        "5.7.1": "it goes on; or",
        "5.7.2": "it is void.",
        "5.8": "In such:",
    }
    found = split("Definitions\n\n11\n\n1.2\n\nAnte is so.\n\nBet is so.\n", V6)
    assert found == {"1.1": "Ante is so.", "1.2": "Bet is so."}


def test_letters_stand_below_a_number_of_a_column():
    text = (
        "3.11.1\n\n3.11.2\n\n3.11.3\n\nHe deals.\n\nHe may:\n\na. fold; or\n\n"
        "B. see the next.\n\nThen he deals again.\n"
    )
    found = split(f"3.11 With a shoe:\n\n{text}", V6)
    assert found["3.11.2.a"] == "fold; or"
    assert found["3.11.2.b"] == "see the next."


def test_a_paragraph_that_may_be_another_is_left_out():
    """Nothing in the text is like our summaries, and there are more sentences than numbers."""
    text = "5.18\n\n5.19\n\nLorem ipsum.\n\nDolor sit.\n\nAmet elit.\n\nSed do.\n"
    assert split(f"5.17 Known.\n\n{text}", V6) == {"5.17": "Known."}
    assert split("5.18\n\n5.19\n\nOnly one.\n", V6) == {}


@pytest.mark.skipif(not ORIGINALS, reason="CROUPIER_ORIGINALS names no folder of approved texts")
def test_the_approved_texts_of_all_five_books_are_read():
    found = load_approved(Path(ORIGINALS))
    assert set(found.books) == set(BOOKS)
    for book in map(load, BOOKS):
        numbered = [id for id in book.paragraphs if id.replace(".", "").isdigit()]
        lost = [id for id in numbered if not found.text(book.id, id)]
        assert len(lost) <= 0.05 * len(numbered), f"{book.id}: {lost}"
    # To which other paragraphs some of them refer is known; so it shows that none is another's.
    for id, refers_to in {
        "3.9": "4.1", "3.13": "3.1.2", "5.9": "5.10", "5.10": "5.8", "5.14.1": "5.10",
        "5.17.1": "4.2", "5.18": "3.7",
    }.items():  # fmt: skip
        assert f"paragraph {refers_to}" in flat(found.text(V6.id, id)), id


# -- what cannot be loaded ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("poker-v9.txt", b"5.1 x", "named after no book"),
        ("poker-v5.txt", b"nothing here", "no line begins with the number"),
        ("poker-v5.txt", b"5.1 \xff\xfe", "not UTF-8"),
        ("poker-v5.pdf", b"", "holds no approved text"),
    ],
)
def test_what_cannot_be_loaded_is_told(tmp_path: Path, name: str, text: bytes, says: str):
    (tmp_path / name).write_bytes(text)
    with pytest.raises(BadApproved, match=says):
        load_approved(tmp_path)
    with pytest.raises(BadApproved, match="there is no folder"):
        load_approved(tmp_path / "nowhere")
