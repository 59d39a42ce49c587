"""`croupier lab` as it is called: tables, JSON, what-if side by side, errors."""

import json
import subprocess
import sys
from fractions import Fraction
from math import isclose

import pytest
from click.testing import CliRunner

from croupier.cli.lab import lab


def call(*words):
    return CliRunner().invoke(lab, words, prog_name="croupier lab")


def as_json(*words):
    result = call(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_edge_prints_what_it_promises():
    answer = as_json("edge", "multi-link-progressive-v3")
    base, bonus, progressive = answer["base"], answer["bonus"], answer["progressive"]
    assert Fraction(base["ev"]) == Fraction(-578107733, 28381438800)
    assert base["house_edge"] == float(-Fraction(base["ev"]))
    assert isclose(base["element_of_risk"], 0.005334905219748878, rel_tol=1e-12)
    assert isclose(base["average_bet"], 3.8181031954516667, rel_tol=1e-12)
    assert isclose(base["standard_deviation"], 3.5072710714855177, rel_tol=1e-12)
    assert base["fold_hands"] == ["32o", "42o", "52o", "62o", "72o"]
    assert isclose(base["turn_bet_frequency"], 0.44591067196109213, rel_tol=1e-12)
    assert isclose(base["river_bet_frequency"], 0.46269026104713573, rel_tol=1e-12)
    assert Fraction(bonus["ev"]) == Fraction(-13873, 162435)
    assert bonus["universe"] == 1_624_350
    assert bonus["lines"][0] | {"probability": 0} == {
        "id": "4.1.bonus.aa-both",
        "pays": "1000 to 1",
        "count": 6,
        "probability": 0,
        "winnings": 1000.0,
        "capped": False,
    }
    assert progressive["universe"] == 2_598_960
    counts = {line["id"]: line["count"] for line in progressive["lines"]}
    assert counts == {
        "4.2.major.royal-flush": 4,
        "4.2.major.straight-flush": 36,
        "4.2.minor.four-of-a-kind": 624,
        "4.2.minor.full-house": 3744,
        "4.2.minor.flush": 5108,
        "4.2.minor.straight": 10200,
    }
    assert isclose(progressive["break_even_meter"], 20519000 / 19, rel_tol=1e-12)
    assert "ev" not in progressive


def test_edge_with_meter_stakes_and_cap():
    answer = as_json("edge", "v3", "--meter", "1,079,947.37", "--stake", "5", "--bonus", "150")
    assert 0 < Fraction(answer["progressive"]["ev"]) < Fraction(1, 10**6)
    free = as_json("edge", "v3")
    assert Fraction(answer["bonus"]["ev"]) < Fraction(free["bonus"]["ev"])
    assert answer["bonus"]["stake"] == 150
    assert [line["capped"] for line in answer["bonus"]["lines"]] == [True] + 7 * [False]
    text = " ".join(call("edge", "v3", "--bonus", "150").output.split())
    assert "At a stake of 150.00: the winnings of a box are capped at 100,000.00 (4.1.1)" in text
    assert "which cuts 4.1.bonus.aa-both to 666.67 to 1." in text
    ten = as_json("edge", "v2", "--stake", "2.50")["progressive"]
    assert ten["stake"] == 2.5
    assert ten["break_even_meter"] < as_json("edge", "v2")["progressive"]["break_even_meter"]


def test_what_if_shows_old_and_new():
    answer = as_json(
        "edge", "v3", "--set", "ante-pays-from=flush", "--set", "4.2.minor.flush=50 for 1"
    )
    assert [change["part"] for change in answer["changes"]] == ["ante-pays-from", "4.2.minor.flush"]
    assert round(answer["base"]["house_edge"], 6) == 0.055935
    assert round(answer["before"]["base"]["house_edge"], 6) == 0.020369
    now, before = answer["progressive"], answer["before"]["progressive"]
    assert now["break_even_meter"] < before["break_even_meter"]
    text = call("edge", "v3", "--set", "ante-pays-from=flush").output
    assert "What if ante-pays-from were flush, not straight" in text
    assert "5.593505%" in text
    assert "2.036922%" in text


def test_hand_says_what_to_do_and_what_mistakes_cost():
    answer = as_json("hand", "v3", "Ah", "Kd", "2c", "7s", "9h", "9c")
    assert [d["window"] for d in answer["decisions"]] == ["flop", "turn", "river"]
    first, turn, river = answer["decisions"]
    assert first["best"] == turn["best"] == river["best"] == "bet"
    assert Fraction(first["exact"]["fold"]) == -1
    cost = Fraction(river["exact"]["bet"]) - Fraction(river["exact"]["check"])
    assert river["mistake_costs"] == float(cost)
    assert "0.137813" in call("hand", "v3", "AhKd2c7s9h9c").output
    # The Turn bet that was advised is in the values of the River, and they say so.
    assert river["after"] == "turn bet"
    told = " ".join(call("hand", "v3", "AhKd2c7s9h9c").output.split())
    assert "The River values count the bet on the Turn that was best; after a check: check" in told
    unit, lost = river["wins"] - river["loses"], river["loses"]
    assert isclose(river["values"]["check"], 3 * unit - lost, rel_tol=1e-9), "Ante, Flop, Turn"
    assert isclose(river["values"]["bet"], 4 * unit - lost, rel_tol=1e-9)
    assert isclose(river["otherwise"]["check"], 2 * unit - lost, rel_tol=1e-9)
    assert isclose(river["otherwise"]["bet"], 3 * unit - lost, rel_tol=1e-9)
    assert as_json("hand", "v3", "Ah Kd 2c 7s 9h")["decisions"][1].get("after") is None
    assert len(as_json("hand", "v3", "A♥ K♦")["decisions"]) == 1


def test_strategy_lists_all_hands():
    answer = as_json("strategy", "v6")
    assert len(answer["hands"]) == 169
    assert {one["hand"] for one in answer["hands"] if one["decision"] == "fold"} == set(
        answer["fold_hands"]
    )
    assert len(answer["ante_pays_from"]) == 9
    assert answer["indifferent"] == {"turn": 0, "river": 41520}
    text = call("strategy", "v6").output
    assert "Fold 32o 42o 52o 62o 72o" in text


def test_progressive_at_a_meter():
    answer = as_json("progressive", "v6", "--meter", "180000")
    assert Fraction(answer["progressive"]["ev"]) < 0
    with_folds = Fraction(answer["progressive"]["ev_with_base_folds"])
    assert with_folds < Fraction(answer["progressive"]["ev"])
    assert [one["hand"] for one in answer["fold_from"]] == ["32o", "42o", "52o", "62o", "72o"]
    evens = {one["folds"]: one for one in answer["progressive"]["break_even"]}
    assert list(evens) == ["none", "base", "best"]
    assert round(evens["none"]["meter"], 2) == 894801.30
    assert round(evens["base"]["meter"], 2) == 899881.34
    assert evens["none"]["meter"] < evens["best"]["meter"] < evens["base"]["meter"]
    assert evens["best"]["ante"] == 10
    text = " ".join(call("edge", "v6").output.split())
    assert "894,801.30 if every hand is played" in text
    assert "899,881.34 if hands are folded as in the base game (32o 42o 52o 62o 72o)" in text
    assert "folded best for an Ante of 10" in text
    crowd = as_json(
        "progressive", "v3", "--meter", "180000", "--players", "7", "--reset", "50000",
        "--contribution", "1",
    )  # fmt: skip
    assert crowd["players"]["last_box_loses"] > 0
    assert isclose(crowd["players"]["paid_from_meter"], 1 + 50000 / 649740, rel_tol=1e-12)
    assert "7 jackpot stakes" in call(
        "progressive", "v3", "--meter", "180000", "--players", "7", "--reset", "50000"
    ).output  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        ["edge", "v3", "--meter", "100000", "--set", "ante-pays-from=flush"],
        ["hand", "v3", "Ah", "Kd", "2c", "7s", "9h"],
        ["strategy", "v6"],
        ["progressive", "v6", "--meter", "180000"],
    ],
)
def test_every_answer_is_a_report_too(words, tmp_path):
    pytest.importorskip("matplotlib")
    file = tmp_path / "report.html"
    result = call(*words, "--html", str(file))
    assert result.exit_code == 0, result.output
    page = file.read_text(encoding="utf-8")
    assert page.startswith("<!")
    assert 'src="http' not in page


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["edge", "v9"], "There is no rulebook 'v9'"),
        (["edge", "multi-link"], "could be"),
        (["edge", "v8"], "a poker game"),
        (["edge", "v3", "--meter", "-5"], "meter: -5.00 is less than nothing"),
        (["edge", "v3", "--stake", "0"], "jackpot stake: 0.00 is no stake"),
        (["edge", "v3", "--stake", "five"], "'five' is no amount"),
        (["edge", "v3", "--stake", "1.234"], "'1.234' is no amount"),
        (["edge", "v3", "--bonus", "-1"], "Bonus stake: -1.00 is no stake"),
        (["edge", "v3", "--set", "4.2.minor.flsh=1 to 1"], "Did you mean '4.2.minor.flush'"),
        (["edge", "v3", "--set", "4.2.minor.flush=much"], "'much' is not a payment"),
        (["edge", "v3", "--set", "4.1.turn=5%"], "4.1.turn: main bets are solved at odds"),
        (["hand", "v3", "As", "As"], "As twice, as cards 1 and 2"),
        (["hand", "v3", "As", "Ax"], "is no card"),
        (["hand", "v3", "As", "Ks", "Qs"], "3 cards"),
        (["progressive", "v3", "--meter", "-1"], "meter"),
        (["progressive", "v3", "--meter", "1", "--players", "2"], "reset value"),
        (["progressive", "v3", "--meter", "1", "--reset", "2"], "players"),
        (["progressive", "v3", "--meter", "1", "--players", "0", "--reset", "1"], "0 players"),
    ],
)
def test_bad_questions_are_named_errors(words, problem):
    result = call(*words)
    assert result.exit_code == 2
    assert problem in result.stderr
    assert "Traceback" not in result.stderr


def test_help_imports_neither_numpy_nor_numba():
    code = (
        "import sys\n"
        "from click.testing import CliRunner\n"
        "from croupier.cli.lab import lab\n"
        "import croupier.lab\n"
        "assert CliRunner().invoke(lab, ['edge', '--help']).exit_code == 0\n"
        "print([name for name in ('numpy', 'numba') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_whoever_lacks_the_extra_is_told_what_to_install():
    code = (
        "import sys\n"
        "sys.modules['numba'] = None\n"
        "from croupier.cli.lab import lab\n"
        "lab.main(['edge', 'v3'], prog_name='croupier lab')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "the lab needs numba" in done.stderr
    assert "pip install 'croupier[lab]'" in done.stderr
    import croupier.lab

    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = croupier.lab.nonsense


def test_every_public_name_is_there():
    import croupier.lab

    for name in croupier.lab.__all__:
        assert getattr(croupier.lab, name) is not None
    assert set(croupier.lab.__all__) <= set(dir(croupier.lab))
