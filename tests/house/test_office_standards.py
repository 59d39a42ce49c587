"""The page of standards: every one of them, and every one that the House cites."""

import re
from pathlib import Path

from croupier.house.office import standards

CITED = re.compile(r"\bS-(\d+)\b")


def rows(root: Path) -> dict[int, str]:
    """The rows of the page, by number."""
    page = (root / "docs" / "standards.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| S-(\d+) \|(.*)\|$", page, flags=re.MULTILINE)
    assert len({number for number, _ in found}) == len(found), "a number stands twice"
    return {int(number): text for number, text in found}


def test_the_page_has_all_thirty_six_with_a_home_or_a_reason(root: Path):
    page = rows(root)
    assert sorted(page) == list(range(1, 37))
    for number, text in page.items():
        asked, lives = text.split("|")[:2]
        assert asked.strip().startswith(("*must*: ", "*nice*: ")), number
        assert len(lives.strip()) > 20, f"S-{number} has neither a home nor a reason"


def test_whatever_the_house_cites_is_on_the_page(root: Path):
    page = rows(root)
    cited = {
        int(number)
        for file in (root / "src" / "croupier").rglob("*.py")
        for number in CITED.findall(file.read_text(encoding="utf-8"))
    }
    assert cited
    assert cited <= set(page)


def test_every_standard_that_the_house_cites_is_a_number_with_its_words(root: Path):
    named = {
        value
        for name, value in vars(standards).items()
        if name.isupper() and isinstance(value, str)
    }
    assert named
    assert all(CITED.fullmatch(value) for value in named)
    assert named == standards.IN_WORDS.keys()
    for title, says in standards.IN_WORDS.values():
        assert title
        assert says.endswith(".")
