"""`croupier ask` and `croupier desk`: rulings in a terminal, and errors that say what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from croupier.cli import ask as module
from croupier.cli.ask_show import plainly
from croupier.cli.choosing import Choice, Unclear, pick
from croupier.cli.main import croupier
from croupier.pit import GAMES, read_case, run_case

EXPOSED = ("v8", "exposed-in-the-deal")
RULED = (*EXPOSED, "exposed=two", "acted=none")
CASE = "no-limit-holdem-v8/5.14-a-skipped-player-speaks-up"


def called(*words: str, **more: Any) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(croupier, ["ask", *words], **more)


def test_a_ruling_with_its_paragraphs():
    result = called(*RULED)
    assert result.exit_code == 0, result.output
    assert "Misdeal: 2 cards were exposed in the deal." in result.stdout
    assert "To be confirmed by Pit Supervisor" in result.stdout
    assert "5.3.3  Two exposed in Initial Deal." in result.stdout


def test_what_is_open_stands_beside_what_is_ruled_either_way():
    result = called(*EXPOSED)
    assert result.exit_code == 1, result.output
    assert "What must be known" in result.stdout
    assert "acted=none" in result.stdout
    assert "5.3.3" in result.stdout


def test_as_json():
    answer = json.loads(called(*RULED, "--json").stdout)
    assert answer["ruling"]["paragraphs"][0]["id"] == "5.3.3"


def test_saved_as_a_case_and_asked_again(tmp_path: Path):
    file = tmp_path / "ours.toml"
    result = called(*RULED, "--save", str(file))
    assert result.exit_code == 0, result.output
    assert "croupier case run" in result.stderr
    assert run_case(read_case(file.read_text("utf-8"), "ours.toml", GAMES), GAMES).passed
    again = called("--case", str(file))
    assert again.exit_code == 0, again.output
    assert "Misdeal: 2 cards were exposed in the deal." in again.stdout
    twice = called(*RULED, "--save", str(file))
    assert twice.exit_code == 2
    assert "is there already" in twice.stderr


def test_a_shipped_case():
    result = called("--case", CASE)
    assert result.exit_code == 0, result.output
    assert "Seat 2 was passed over and has the turn now." in result.stdout


def test_where_it_was_found_is_not_told():
    assert plainly("now.acted[2]: seat 2 has folded") == "Seat 2 has folded"
    assert plainly("It cannot be: seat 2 has folded") == "It cannot be: seat 2 has folded"


def test_an_answer_that_was_given_is_nobody_elses():
    told = " ".join(
        called("v8", "wrong-seats", "looked=nobody", "acted=none", "order=no").stdout.split()
    )
    assert "Answer given: no." in told
    assert "Whose word it is: reading A-63." in told
    assert "Here taken as confirmed." in told


def test_the_incidents_of_a_book():
    result = called("--list", "v8")
    assert result.exit_code == 0
    page = json.loads(called("--list", "v8", "--json").stdout)
    assert page["book"]["short"] == "No Limit Hold'em v8"
    for incident in page["incidents"]:
        assert f"  {incident['name']}  {incident['title']}" in result.stdout


def test_what_was_decided_and_the_policies_go_with_it(tmp_path: Path):
    asked = ("no-limit-holdem-v8", "not-in-the-list", "what=uncovered", "--json")
    result = called(*asked, "--answer", "ruling=void")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["ruling"]["decisions"] == []
    case = "no-limit-holdem-v8/5.16-an-action-taken-back"  # which has its decision already
    result = called("--case", case, "--json", "--answer", "ruling=void")
    assert result.exit_code == 1
    assert "nobody asks 'ruling' here" in result.output
    result = called(*RULED, "--policy", "wrong-count-after-action=misdeal")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("v99", "x"), "There is no rulebook 'v99'"),
        (("v8", "x"), "incident: No Limit Hold'em v8 knows no incident 'x'"),
        ((*EXPOSED, "exposed=many"), "facts.exposed: 'many' is none of one, two"),
        ((*EXPOSED, "exposed"), "'exposed' is not of the form FACT=VALUE"),
        ((*EXPOSED, "exposed=one", "exposed=two"), "exposed is said twice: one and two"),
        ((*EXPOSED, "--policy", "x=y"), "policies: no-limit-holdem-v8 has no policy 'x'"),
        ((*EXPOSED, "--save", "x.toml"), "still open"),
        (("--case", "nowhere.toml"), "there is no shipped case 'nowhere.toml'"),
        (("--list", "v8", "--case", "x"), "nothing stands beside them"),
        ((), "croupier ask --list BOOK shows the incidents"),
        (("v8",), "there is no terminal to ask you"),
    ],
)
def test_errors_say_what_to_do(words: tuple[str, ...], says: str):
    result = called(*words)
    assert result.exit_code == 2, result.output
    assert says in " ".join(result.stderr.split())


# -- a conversation -------------------------------------------------------------------------------


def talked(monkeypatch: pytest.MonkeyPatch, *words: str, typed: tuple[str, ...]) -> Result:
    monkeypatch.setattr(module, "_with_a_terminal", lambda: None)
    return called(*words, input="".join(f"{line}\n" for line in typed))


def test_it_asks_only_what_matters(monkeypatch: pytest.MonkeyPatch):
    result = talked(monkeypatch, typed=("1", "zzzz", "card was flashed", "1", "1", "2"))
    assert result.exit_code == 0, result.output
    assert "Nothing here is called so" in result.stdout
    assert "Misdeal: 2 cards were exposed in the deal." in result.stdout
    assert "5.3.3" in result.stdout


def test_the_commonest_stand_first_and_none_of_them_may_be_meant(monkeypatch: pytest.MonkeyPatch):
    common = [i for i in module.Desk(module.DeskLog()).book("v8").incidents if i.common]
    assert common
    typed = ("", str(len(common) + 1), "dealer flashed a hole card in the deal", "1", "1", "1")
    result = talked(monkeypatch, "v8", typed=typed)
    assert result.exit_code == 0, result.output
    assert "none of these" in result.stdout


def test_it_goes_on_with_what_is_decided(monkeypatch: pytest.MonkeyPatch):
    desk = module.Desk(module.DeskLog())
    question = module.shipped_question(
        "multi-link-progressive-v3/5.16-a-dead-lamp-voids-the-whole-table"
    ).question
    answer = desk.answer(question)
    assert answer.ruling is not None
    assert answer.ruling.decisions
    plain = [d for d in answer.ruling.decisions if not any(o.asks for o in d.options)]
    if plain:
        monkeypatch.setattr("click.prompt", lambda *args, **kwargs: 1)
        console = module.Console(quiet=True)
        went_on, _ = module._talk(desk, question, answer, console)
        assert went_on.answers[0].question == plain[0].question


BOOKS = [
    Choice(says="No Limit Hold'em v8", names=("no-limit-holdem-v8",)),
    Choice(says="Poker v5", names=("poker-v5",)),
    Choice(says="Multi-Link v2", names=("multi-link-progressive-v2",)),
    Choice(says="Multi-Link v3", names=("multi-link-progressive-v3",)),
]
SEATS = [Choice(says=str(n), names=(str(n),), number=n) for n in (4, 6, 2)]


@pytest.mark.parametrize(
    ("typed", "choices", "place"),
    [
        ("1", BOOKS, 0),
        (" 4 ", BOOKS, 3),
        ("poker-v5", BOOKS, 1),
        ("POKER", BOOKS, 1),
        ("no", BOOKS, 0),
        ("v8", BOOKS, 0),
        ("multi-link v3", BOOKS, 3),
        ("6", SEATS, 1),
        ("2", SEATS, 2),
    ],
)
def test_a_number_a_name_or_a_beginning_is_enough(typed: str, choices: list[Choice], place: int):
    assert pick(typed, choices) == place


@pytest.mark.parametrize(
    ("typed", "choices", "says"),
    [
        ("", BOOKS, "Type the number before it"),
        ("5", BOOKS, "'5' is none of these: type a number (1 to 4)"),
        ("0", BOOKS, "none of these"),
        ("multi", BOOKS, "'multi' may be 3 Multi-Link v2, 4 Multi-Link v3: type more of it"),
        ("blackjack", BOOKS, "or the beginning of a name"),
        ("1", SEATS, "none of these"),
    ],
)
def test_what_is_not_clear_says_what_to_type(typed: str, choices: list[Choice], says: str):
    with pytest.raises(Unclear) as error:
        pick(typed, choices)
    assert says in str(error.value)


def test_everything_may_be_typed_in_words(monkeypatch: pytest.MonkeyPatch):
    typed = ("multi", "v8", "card was flashed in the deal", "exposed-in-the-deal", "nob", "two")
    result = talked(monkeypatch, typed=typed)
    assert result.exit_code == 0, result.output
    assert "type more of it, or the number" in result.stdout
    assert "Misdeal: 2 cards were exposed in the deal." in result.stdout


def test_an_incident_is_named_by_its_beginning():
    result = called("v8", "exposed-in-the-d", "exposed=two", "acted=none")
    assert result.exit_code == 0, result.output
    several = called("v8", "ex")
    assert several.exit_code == 2
    assert "may be" in several.stderr
    unknown = called("v8", "exposd-in-the-deal")
    assert "Did you mean exposed-in-the-deal" in unknown.stderr
    assert "croupier ask --list no-limit-holdem-v8" in " ".join(unknown.stderr.split())


def test_the_help_has_an_example():
    result = called("--help")
    assert "croupier ask v8 exposed-in-the-deal exposed=two" in result.stdout


# -- croupier desk --------------------------------------------------------------------------------


def test_a_desk_for_others_wants_a_pin(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    from croupier.cli.main import main

    log = tmp_path / "desk.sqlite3"
    with pytest.raises(SystemExit) as stopped:
        main(["desk", "--host", "192.168.1.20", "--log", str(log), "--no-browser"])
    assert stopped.value.code == 2
    assert "give it a PIN with --pin" in capsys.readouterr().err
    assert not log.exists()


def test_a_desk_says_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from croupier.live import desk_server

    served: list[Any] = []

    def serve_desk(desk: Any, address: Any, *, announce: Any, browser: bool) -> None:
        served.append((desk, address, browser))
        announce(["http://192.168.1.20:8018/ask"])

    monkeypatch.setattr(desk_server, "serve_desk", serve_desk)
    (tmp_path / "poker-v5.txt").write_text("5.1 As approved.", encoding="utf-8")
    words = ["desk", "--host", "192.168.1.20", "--log", str(tmp_path / "desk.sqlite3")]
    words += ["--approved", str(tmp_path), "--house", "Casino X / Pit 3", "--no-browser"]
    result = CliRunner(env={"CROUPIER_DESK_PIN": "907315"}).invoke(croupier, words)
    assert result.exit_code == 0, result.output
    [(desk, address, browser)] = served
    assert (desk.house, desk.area, address.pin, browser) == ("Casino X", "Pit 3", "907315", False)
    assert desk.approved.text("poker-v5", "5.1") == "As approved."
    assert "http://192.168.1.20:8018/ask" in result.stdout
    assert "907315" not in result.output
    assert "Poker v5: the approved wording of 1 of" in result.stderr
