"""Every exercise has an answer that the engine accepts, and at least one that is wrong; nothing
that is shown before the answer tells which is which."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from croupier.cards import rank_hand, read_cards
from croupier.rulebooks import BOOKS, load
from croupier.school import (
    KINDS,
    CannotMark,
    Exercise,
    NoSuchItem,
    NotMade,
    ask_of,
    items_of,
    kind_named,
    kinds_of,
    make_exercise,
    mark,
    replay_of,
)
from croupier.school.scene import Heard

POKER, BANKED = "no-limit-holdem-v8", "multi-link-progressive-v3"


def check(exercise: Exercise) -> None:
    """What must hold of every exercise."""
    assert exercise.parts, exercise.item
    assert exercise.told, exercise.item
    for part in exercise.parts:
        says = [one.says.strip().lower() for one in part.choices]
        assert len(set(says)) == len(says) >= 2, (exercise.item, says)
        assert 0 <= part.right < len(says)
        right = part.choices[part.right]
        assert right.because == "", "the right answer needs no excuse"
        for one in part.choices:
            assert one.says
            assert not one.says.endswith(("..", "?.")), one.says
    book = load(exercise.rulebook)
    assert all(id in book.paragraphs for id in exercise.cites), exercise.cites
    for part in exercise.parts:
        for one in part.choices:
            assert all(id in book.paragraphs for id in one.cites), (exercise.item, one)
    rights = [part.right for part in exercise.parts]
    assert mark(exercise, rights).right
    wrong = [(part.right + 1) % len(part.choices) for part in exercise.parts]
    assert not mark(exercise, wrong).right
    accepted(exercise)


def accepted(exercise: Exercise) -> None:
    """The engine says so itself: the right answer is what it rules, or what it has reckoned."""
    first = exercise.parts[0]
    says = first.choices[first.right].says
    match exercise.kind:
        case "ruling":
            assert exercise.ruling is not None
            assert exercise.ruling.kind != "refused"
            assert says == exercise.ruling.headline
        case "hand":
            seven = read_cards(" ".join(" ".join(shown.cards) for shown in exercise.cards))
            assert rank_hand(seven).sentence.startswith(says)
        case "wager":
            assert exercise.ruling is not None
            assert says.lower() in exercise.ruling.headline.lower()
        case "side pots" | "odd chip" | "payout":
            assert exercise.ruling is not None
            assert exercise.ruling.money, "something was paid or put together"


def some(count: int, seed: str, *, kinds: tuple[str, ...] = (), books: Any = BOOKS) -> None:
    """So many exercises, drawn over all books, items and levels."""
    rng = Random(seed)
    for number in range(count):
        book = rng.choice(list(books))
        known = [item for item in items_of(book) if not kinds or item.kind in kinds]
        item = rng.choice(known)
        level = rng.randint(item.level, 3)
        check(make_exercise(book, item.name, level, f"{seed}/{number}"))


def test_some_exercises_of_every_kind():
    some(2, "rulings", kinds=("ruling",), books=(POKER,))
    some(25, "hands", kinds=("hand",))
    some(12, "pots and payouts", kinds=("side pots", "odd chip", "payout"))
    some(4, "wagers", kinds=("wager",), books=("no-limit-holdem-v8", "poker-v5"))


@pytest.mark.slow
def test_some_hundred_exercises():
    some(10, "rulings", kinds=("ruling",), books=(POKER,))
    some(200, "hands", kinds=("hand",))
    some(60, "pots and payouts", kinds=("side pots", "odd chip", "payout"))
    some(25, "wagers", kinds=("wager",), books=("no-limit-holdem-v8", "poker-v5"))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_exercises(part: int):
    some(1_000, f"part {part}")


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_every_item_of_a_book_makes_an_exercise_at_each_of_its_levels(book: str):
    for item in items_of(book):
        for level in range(item.level, 4):
            exercise = make_exercise(book, item.name, level, "each")
            check(exercise)
            assert exercise.item == item.name
            assert exercise.kind == item.kind


def test_the_same_seed_makes_the_same_exercise_and_another_another():
    first = make_exercise(POKER, "side pots/2", 2, "seed")
    assert make_exercise(POKER, "side pots/2", 2, "seed") == first
    others = [make_exercise(POKER, "side pots/2", 2, f"seed {n}") for n in range(4)]
    assert len({one.told for one in others}) > 1


def test_a_book_has_the_kinds_of_its_game():
    assert kinds_of(POKER) == ("ruling", "wager", "hand", "side pots", "odd chip")
    assert kinds_of(BANKED) == ("ruling", "hand", "payout")
    assert {kind for book in BOOKS for kind in kinds_of(book)} == set(KINDS)
    with pytest.raises(NoSuchItem, match="has no exercise 'payout'; there is ruling, wager"):
        kind_named(POKER, "payout")


def test_what_is_not_there_is_named():
    with pytest.raises(NoSuchItem, match="no item 'ruling/nothing'"):
        make_exercise(POKER, "ruling/nothing", 1, "s")
    with pytest.raises(NoSuchItem, match="levels 1 to 3, not 4"):
        make_exercise(POKER, "hand/flush", 4, "s")


# -- what is shown before --------------------------------------------------------------------------

SHOWN = (
    (POKER, "ruling/exposed-in-the-deal", 3),
    (POKER, "case/report wrong count", 2),
    (POKER, "report/report foreign card", 3),
    (POKER, "wager/one chip", 2),
    (POKER, "hand/full-house", 2),
    (POKER, "side pots/2", 2),
    (POKER, "odd chip/3", 2),
    (BANKED, "payout/bonus", 2),
    (BANKED, "ruling/wrong-count", 3),
)


@pytest.mark.parametrize(("book", "item", "level"), SHOWN)
def test_nothing_that_is_shown_tells_the_right_answer_from_the_others(book, item, level):
    exercise = make_exercise(book, item, level, "shown")
    shown = msgspec.json.encode(ask_of(exercise))
    # Were another choice the right one, the very same bytes would be shown.
    for number in range(len(exercise.parts[0].choices)):
        others = tuple(
            structs.replace(part, right=number % len(part.choices)) for part in exercise.parts
        )
        assert msgspec.json.encode(ask_of(structs.replace(exercise, parts=others))) == shown
    text = shown.decode()
    for part in exercise.parts:
        for one in part.choices:
            if one.because:
                assert one.because not in text
    assert '"right"' not in text
    assert exercise.case == "" or exercise.case not in text


@pytest.mark.parametrize(("book", "item", "level"), SHOWN)
def test_the_table_stands_as_before_the_question(book, item, level):
    exercise = make_exercise(book, item, level, "shown")
    replay = replay_of(exercise)
    if exercise.kind == "hand":
        assert replay is None
        return
    assert replay is not None
    text = msgspec.json.encode(replay).decode()
    right = exercise.parts[0].choices[exercise.parts[0].right].says
    assert right not in text
    assert exercise.ruling is not None
    assert exercise.ruling.headline not in text
    assert replay.title == exercise.title
    assert replay.about == ""


def test_the_right_choice_stands_anywhere():
    places = {make_exercise(POKER, "hand/flush", 2, f"place {n}").parts[0].right for n in range(40)}
    assert places == {0, 1, 2, 3}


def test_a_case_that_states_its_rule_in_its_title_is_not_named():
    exercise = make_exercise(POKER, "case/report exposed", 2, "a case")
    assert exercise.case.endswith(".toml")
    assert exercise.scene is not None
    shown = msgspec.json.encode((ask_of(exercise), replay_of(exercise))).decode()
    assert exercise.scene.title not in shown


# -- marking --------------------------------------------------------------------------------------


def test_every_part_must_be_right_and_in_time():
    exercise = make_exercise(POKER, "ruling/exposed-in-the-deal", 3, "marked")
    rights = [part.right for part in exercise.parts]
    assert len(rights) >= 2
    assert mark(exercise, rights).right
    assert not mark(exercise, rights, late=True).right
    one_wrong = [rights[0], (rights[1] + 1) % len(exercise.parts[1].choices), *rights[2:]]
    assert not mark(exercise, one_wrong).right
    assert not mark(exercise, [None] * len(rights)).right


@pytest.mark.parametrize("chosen", [[], [0, 0, 0, 0, 0, 0], [99], [-1]])
def test_an_answer_to_another_exercise_is_refused(chosen):
    exercise = make_exercise(POKER, "hand/flush", 1, "refused")
    with pytest.raises(CannotMark):
        mark(exercise, chosen)


def test_a_wrong_answer_says_where_it_would_be_right():
    exercise = make_exercise(POKER, "ruling/exposed-in-the-deal", 2, "why")
    part = exercise.parts[0]
    wrong = [one for number, one in enumerate(part.choices) if number != part.right]
    assert all(one.because for one in wrong)


# -- figures by hand -------------------------------------------------------------------------------


def test_the_side_pots_are_those_of_the_table_and_the_wrong_ones_are_real_mistakes():
    exercise = make_exercise(POKER, "side pots/1", 1, "by hand")
    assert exercise.scene is not None
    raw = exercise.scene.raw
    [pot] = [int(told.split()[0]) for told in exercise.told if "lie in the Pot" in told]
    bet = next(step["to"] for step in raw["step"] if step["do"] == "bet")
    short = raw["seats"]["3"]["stake"]
    part = exercise.parts[0]
    main, side = pot + 3 * short, 2 * (bet - short)
    assert part.choices[part.right].says == (
        f"Main Pot {main:,} for seats 1, 2, 3; Side Pot 1 {side:,} for seats 1, 2"
    )
    assert f"Main Pot {main + side:,} for seats 1, 2, 3" in {one.says for one in part.choices}


def test_the_odd_chip_goes_to_the_first_winner_left_of_the_button():
    for number in range(12):
        exercise = make_exercise(POKER, "odd chip/2", 1, f"odd {number}")
        assert exercise.scene is not None
        button = exercise.scene.raw["table"]["button"]
        assert f"the button is at seat {button}," in exercise.told[0]
        part = exercise.parts[0]
        shares = {
            int(one.split(": ")[0].split()[1]): int(one.split(": ")[1])
            for one in part.choices[part.right].says.split(", ")
        }
        first = min(shares, key=lambda seat: (seat <= button, seat))
        assert shares[first] == max(shares.values())


def test_a_stage_that_comes_to_nothing_is_drawn_again_and_never_shown(monkeypatch):
    def nothing(*args: Any, **named: Any) -> Any:
        raise NotMade("nothing")

    monkeypatch.setattr("croupier.school.course._MAKES", {"hand": nothing})
    with pytest.raises(NotMade, match="hand/flush makes no exercise"):
        make_exercise(POKER, "hand/flush", 1, "s")


def test_the_rehearsal_hears_what_was_asked():
    exercise = make_exercise(POKER, "wager/one chip", 1, "heard")
    assert exercise.scene is not None
    wager = {"do": "report wager", "seat": 3, "chips": [500]}
    heard = Heard({**exercise.scene.raw, "step": [wager]}, 1, title=exercise.scene.title)
    assert [command.__struct_config__.tag for command in heard.asked][:1] == ["report wager"]


def test_who_has_bet_has_that_much_less():
    for seed in "abc":
        exercise = make_exercise("no-limit-holdem-v8", "wager/one chip", 2, seed=seed)
        replay = replay_of(exercise)
        assert replay is not None
        seats = replay.start["seats"].values()
        assert {seat["stake"] + seat["bet"] for seat in seats} == {150_000}
        assert any(seat["bet"] for seat in seats)
