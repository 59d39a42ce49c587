"""The page of standards: every one of them, every one that the House cites, and what holds each."""

import ast
import re
from pathlib import Path

import pytest

from croupier.house.office import standards
from croupier.live.recall import KEPT, Recall
from croupier.rulebooks import BOOKS
from tests.house.evening import furnish, open_casino, play
from tests.house.quick import make_quick

CITED = re.compile(r"\bS-(\d+)\b")


def rows(root: Path) -> dict[int, str]:
    """The rows of the page, by number."""
    page = (root / "docs" / "standards.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| S-(\d+) \|(.*)\|$", page, flags=re.MULTILINE)
    assert len({number for number, _ in found}) == len(found), "a number stands twice"
    return {int(number): text for number, text in found}


def test_the_page_has_all_of_them_with_a_home_or_a_reason(root: Path):
    page = rows(root)
    assert sorted(page) == [*range(1, 45)]
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


# -- table and game, records and people: what fails if it is taken away ---------------------------

HELD_BY: dict[int, tuple[str, ...]] = {
    21: (
        "rulebooks/test_model.py::test_a_book_is_in_force_from_its_minute_to_the_next_ones",
        "poker/test_core_table.py::test_a_superseded_book_only_knowingly",
        "house/test_office.py::test_a_banked_table_hangs_on_a_link_of_its_own_book",
        "case multi-link-progressive-v2/1.25-opened-knowingly",
    ),
    22: (
        "house/test_office.py::test_a_correction_takes_two_people",
        "house/test_office_moves.py::test_what_was_kept_safe_is_paid_once_and_by_one_command",
        "house/test_reports.py::test_rulings_voids_and_reports_are_counted_for_whoever_made_them",
    ),
    23: (
        "house/test_reports.py::test_a_round_of_poker_in_the_report",
        "house/test_reports.py::test_a_round_of_a_banked_game_in_the_report",
        "house/test_reports.py::test_relocated_chips_are_no_new_money",
        "house/test_inventory.py::test_the_report_compares_the_count_with_the_book",
        "house/test_inventory.py::test_fills_and_credits_take_two_signatures",
    ),
    24: (
        "poker/test_core_table.py::test_a_table_that_the_book_does_not_allow_does_not_open",
        "live/test_protocol.py::test_a_sign_has_what_a_player_must_read",
    ),
    25: (
        "house/test_office_standards.py::test_the_last_rounds_are_recalled_in_order_after_a_start",
        "web/test_pages.py::test_past_rounds_are_marked_as_recall",
    ),
    26: (
        "house/test_recovery.py::test_a_casino_that_crashed_lets_the_book_decide",
        "house/test_recovery.py::test_v5_waits_for_a_decision_of_the_house",
        "house/test_office_moves_cli.py::test_what_is_unclaimed_is_listed_and_paid",
    ),
    27: (
        "house/test_ledger.py::test_the_store_itself_turns_away_what_would_overdraw",
        "house/test_ledger.py::test_a_round_of_poker_from_buy_in_to_cash_out",
        "house/test_office_cli.py::test_cash_goes_in_and_out_to_the_cent",
    ),
    28: (
        "house/test_office.py::test_bots_are_marked_and_never_play_for_real_money",
        "live/test_security.py::test_a_casino_for_money_has_no_bots",
    ),
    29: (
        "house/test_casino.py::test_a_disabled_table_begins_nothing_and_lets_people_go",
        "house/test_casino.py::test_a_disabled_link_or_everything_stops_new_rounds_at_its_tables",
        "house/test_casino.py::test_a_disabled_player_begins_nothing_and_may_leave",
        "live/test_office_api.py::test_everything_of_the_office_goes_through_the_server",
        "web/test_office.py::"
        "test_one_person_stops_everything_in_two_touches_and_another_opens_again",
    ),
    30: (
        "house/test_audit.py::test_an_export_is_verified_offline",
        "house/test_audit.py::test_an_evening_as_it_was_stored_has_no_difference",
    ),
    31: (
        "house/test_copy.py::"
        "test_the_copy_holds_what_the_writer_stored_and_nothing_that_was_turned_away",
        "house/test_audit.py::test_a_changed_line_of_the_copy_is_named",
    ),
    32: (
        "house/test_office.py::test_whoever_changes_what_is_not_his_own_says_why",
        "house/test_casino.py::test_settings_that_changed_since_the_last_start_are_on_record",
        "house/test_office.py::test_a_start_says_what_was_cut_off_and_which_files_changed",
    ),
    33: (
        "house/test_casino.py::test_a_running_house_checks_its_files_every_day",
        "house/test_office_cli.py::test_files_are_checked_by_digest",
    ),
    34: (
        "house/test_office.py::test_a_name_is_one_persons",
        "house/test_office.py::test_only_an_administrator_takes_people_on",
        "house/test_office_cli.py::test_every_order_is_in_somebodys_name",
        "house/test_office_cli.py::test_what_is_the_houses_is_not_for_a_players_eyes",
        "house/test_table_staff.py::test_a_dealer_is_refused_at_a_table_that_is_not_his",
        "house/test_table_staff.py::test_nobody_is_seated_with_his_money_without_his_word",
        "house/test_table_staff.py::test_who_dealt_which_round_and_what_was_done_for_whom",
    ),
    35: (
        "house/test_reports.py::test_what_somebody_does_counts_where_he_was_on_duty_then",
        "house/test_reports_irregularities.py::"
        "test_every_report_of_the_cases_is_one_and_nothing_else_is",
    ),
    37: (
        "house/test_disputes.py::test_the_inspector_has_the_last_word",
        "house/test_disputes.py::test_the_patron_reads_his_rights_and_no_card_of_anybody_else",
        "house/test_disputes.py::test_a_dispute_is_on_record_with_its_deadline",
    ),
    38: ("live/test_table_info.py::test_the_sign_says_when_winnings_are_recovered",),
    39: (
        "house/test_ledger.py::test_a_round_of_poker_from_buy_in_to_cash_out",
        "house/test_ledger.py::test_the_store_itself_turns_away_what_would_overdraw",
    ),
    40: ("live/test_last_round.py::test_players_are_told_and_one_round_more_is_played",),
    41: (
        "house/test_roster.py::test_where_it_is_for_money_nobody_works_in_the_pit_without_one",
        "house/test_table_staff.py::test_whose_licence_is_over_gives_no_order_any_more",
        "live/test_staff_api.py::test_whose_licence_ends_goes_off_duty_and_is_told_why",
    ),
    42: (
        "house/test_office_link_cli.py::test_two_people_change_parameters_and_meter_and_end_a_link",
    ),
    43: (
        "live/test_own_limits.py::test_a_loss_limit_counts_at_once_and_a_higher_one_after_a_day",
        "live/test_own_limits.py::test_a_break_is_not_shortened_and_money_goes_out",
    ),
    44: ("live/test_accounts.py::test_nobody_is_advised_where_money_is_real",),
}
"""For each *must* of the last parts of the page, what holds it."""


@pytest.mark.parametrize("number", HELD_BY)
def test_what_holds_a_standard_is_there(root: Path, number: int):
    for held_by in HELD_BY[number]:
        if held_by.startswith("case "):
            assert (root / "src/croupier/cases" / f"{held_by[5:]}.toml").exists(), held_by
            continue
        file, _, name = held_by.partition("::")
        tree = ast.parse((root / "tests" / file).read_text(encoding="utf-8"))
        found = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name]
        assert len(found) == 1, held_by


def test_every_must_of_the_last_two_parts_is_held(root: Path):
    page = rows(root)
    asked = {n for n, text in page.items() if n >= 21 and text.strip().startswith("*must*")}
    assert asked == HELD_BY.keys()


def test_the_last_rounds_are_recalled_in_order_after_a_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """S-25: the last one and nine before it, at a table of each game."""
    make_quick(monkeypatch)
    url = f"sqlite:///{tmp_path}/house.db"
    casino = open_casino(url)
    furnish(casino)
    play(casino, 11)
    casino.stop()
    again = open_casino(url, seed=2)
    for place in again.house.pit.tables:
        recalled = [kept.round for kept in Recall(again.house, place).rounds()]
        assert recalled[:10] == list(range(recalled[0], recalled[0] - 10, -1)), place
    assert len(again.house.pit.tables) == len(BOOKS)
    assert KEPT >= 10
    again.stop()
