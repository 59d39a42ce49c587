"""Every report that a console may offer has words, and so has each of its fields."""

import pytest

from croupier.banked import BankedTable
from croupier.pit import report_words
from croupier.poker import PokerTable
from croupier.table import Command

REPORTS = sorted(
    {*PokerTable.whole.reports, *BankedTable.whole.reports},
    key=lambda kind: (kind.__module__, kind.__name__),
)


@pytest.mark.parametrize("kind", REPORTS, ids=lambda kind: kind.__name__)
def test_a_report_and_its_fields_have_words(kind: type[Command]):
    do = str(kind.__struct_config__.tag)
    assert report_words.title(do, ())
    assert all(report_words.ask(do, field).endswith("?") for field in kind.__struct_fields__)


def test_another_matter_has_another_title():
    assert report_words.title("report deck", ("count",)) == "Deck short or over"
    assert report_words.title("report deck", ("twice",)) == "The same card twice"


def test_what_a_report_says_names_no_paragraph():
    assert report_words.plain("Of the set (v8 5.2.1, v5 5.1.1).") == "Of the set."
