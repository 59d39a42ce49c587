"""What the pages say of the straddle and of the jackpot is so, and is said."""

from pathlib import Path

from croupier.pit import GAMES, read_case, run_case, shipped_cases, tell_case

DOCS = Path(__file__).parents[2] / "docs"
STRADDLE = """title = "A straddle where the table allows it"
rulebook = "no-limit-holdem-v8"
paragraphs = ["1.48"]
[table]
button = 1
straddle = true
[seats]
1 = { player = "Ann", stake = 500 }
2 = { player = "Ben", stake = 500 }
3 = { player = "Cho", stake = 500 }
4 = { player = "Dev", stake = 500 }
[[step]]
do = "straddle"
seat = 4
expect.straddle = 4
"""


def page(name: str) -> str:
    return " ".join((DOCS / f"{name}.md").read_text(encoding="utf-8").split())


def played(text: str):
    return run_case(read_case(text, "a.toml", GAMES), GAMES)


def told(name: str) -> str:
    [text] = [text for source, text in shipped_cases() if source == name]
    story = tell_case(played(text))
    return " ".join(line.text for chapter in story.chapters for line in chapter.lines)


def test_a_straddle_is_open_only_where_the_setting_says_so_and_the_page_names_it():
    assert "`straddle = true`" in page("poker-vocabulary")
    assert played(STRADDLE).passed
    assert not played(STRADDLE.replace("straddle = true\n", "")).passed


def test_an_award_on_the_registered_value_is_completed_and_the_meter_is_not_lifted():
    assert "the House completes that award, up to it and no further" in page("jackpot")
    name = "5.17.1-others-add-and-win-after-a-device-fault.toml"
    story = told(f"multi-link-progressive-v3/{name}")
    assert "The House completes it with 8,000." in story
    assert "The House lifts the meter by " not in story


def test_an_award_that_is_taken_back_is_told_on_both_sides():
    assert "Awards that come back" in page("jackpot")
    story = told("multi-link-progressive-v3/5.15-the-whole-jackpot-taken-back.toml")
    assert "Back to the Progressive Jackpot: 80,000 of Ann (box 1)." in story
    assert "50,000 that the House had put in goes back to it." in story


def test_a_table_that_is_removed_hears_that_its_link_is_closed():
    assert "the table hears that its link is closed" in page("jackpot")
    assert "no longer hangs on the jackpot" in told(
        "multi-link-progressive-v3/1.20-table-taken-off-the-link.toml"
    )
