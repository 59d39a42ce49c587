"""Approved wording is matched by number and order; what does not fit is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.desk.approved import load_approved, split
from croupier.desk.errors import BadApproved
from croupier.rulebooks import load

V8, V5 = load("no-limit-holdem-v8"), load("poker-v5")


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
