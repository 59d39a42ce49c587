"""Names that hide nothing: no character that nobody can see, no look-alike of a name taken."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from croupier.house.names import TakenNames, blurred, skeletons, visible, wrong_with_name
from croupier.house.office import Office
from croupier.house.office import commands as orders
from croupier.house.office.events import AccountOpened, HouseFounded
from croupier.table import ActorRank, Command, Order, Refused

NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)
BIDI = "Ann\u202ebob"


def looks_like(one: str, other: str) -> bool:
    return TakenNames().like(one, {other: None}) is not None


@pytest.mark.parametrize(
    "name",
    [
        "Ann\x1b[31m",
        "Ann\n",
        "An\u0000n",
        BIDI,
        "An\u200bn",
        "An\u200dn",
        "\ufeffAnn",
        "An\u00adn",
        "Ann\u2066",
        "An\u3164n",
        "Ann\u2028",
        "A\u00a0nn",
        "An\U000e0041n",
        "Ann\ufe0f",
        "An\ue000n",
        "A\u0300\u0301\u0302\u0303nn",
        "\u0301Ann",
    ],
)
def test_a_name_that_hides_something_is_refused(name: str):
    assert wrong_with_name(name)
    assert "\x1b" not in wrong_with_name(name)
    assert "\u202e" not in wrong_with_name(name)


@pytest.mark.parametrize(
    "name",
    ["Ann", "José", "Zoë O\u2019Hara-Smith", "Ольга", "陈小明", "สมชาย", "Nguyễn Văn A", "M 1"],
)
def test_an_honest_name_of_any_script_is_taken(name: str):
    assert wrong_with_name(name) == ""


@pytest.mark.parametrize(
    ("new", "taken"),
    [
        ("ann", "Ann"),  # case
        ("Аnn", "Ann"),  # Cyrillic A  # noqa: RUF001
        ("ΑΝΝ", "Ann"),  # all Greek capitals  # noqa: RUF001
        ("Ａnn", "Ann"),  # full width  # noqa: RUF001
        ("𝐀nn", "Ann"),  # mathematical bold  # noqa: RUF001
        ("An\u200bn", "Ann"),  # an old name with a zero-width space, and the plain one
        ("Ann  Lee", "Ann Lee"),
        ("lan", "Ian"),
        ("1an", "Ian"),
        ("B0b", "Bob"),
        ("Bemie", "Bernie"),
        ("Adrninistrator", "administrator"),  # two letters for one, and another case elsewhere
        ("rnarko", "MARKO"),
        ("rnark", "Mark"),
        ("anneIiese", "Anneliese"),
        ("VVendy", "Wendy"),
        ("vvendy", "Wendy"),
        ("clave", "dave"),
        ("Macleleine", "Madeleine"),
        ("Edcly", "eddy"),
        ("cIave", "dave"),  # a capital I for the l of two letters for one
        ("O'Hara", "O\u2019Hara"),
        ("hоuse", "house"),  # Cyrillic o  # noqa: RUF001
        ("Jose\u0301", "José"),
    ],
)
def test_a_look_alike_is_found(new: str, taken: str):
    assert looks_like(new, taken)
    assert looks_like(taken, new)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "Anne"),
        ("Jose", "José"),
        ("Ian", "Lan"),
        ("M1", "M2"),
        ("Bob", "Rob"),
        ("A1", "A2"),
        ("clean", "Dean"),  # a capital D is not drawn like c and l
        ("Clara", "Dara"),
        ("CLARA", "DARA"),
        ("ARNO", "Amo"),  # nor are R and N like an m
        ("Arno", "Arnold"),
        ("Arn", "Amr"),
        ("Administrator 2", "Administrator"),
        ("Eve", "Ewe"),
    ],
)
def test_names_that_are_two_names_stay_two(one: str, other: str):
    assert not looks_like(one, other)
    assert not looks_like(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rnartin", "Martin"),
        ("Martln", "Martin"),
        ("MART1N", "martin"),
        ("Ian", "Lan"),
        ("Eila", "Ella"),
        ("VVendy", "wendy"),
        ("B0b", "BOB"),
    ],
)
def test_at_a_glance_more_names_look_alike(one: str, other: str):
    assert blurred(one) == blurred(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Marlin", "Martin"), ("Clara", "Dara"), ("Jose", "José"), ("A1", "A2"), ("Ann", "Anne")],
)
def test_at_a_glance_other_letters_are_other_names(one: str, other: str):
    assert blurred(one) != blurred(other)


def test_what_is_stored_already_is_shown_with_all_that_is_in_it():
    assert visible(BIDI) == "Ann<U+202E>bob"
    assert visible("Ann\x1b[2J\r\n") == "Ann<U+001B>[2J<U+000D><U+000A>"
    assert visible("Zoë A♠") == "Zoë A♠"


def test_every_letter_of_the_table_is_one_that_can_be_a_name():
    from croupier.house.names import _LETTERS

    assert len(_LETTERS) > 150
    for point, like in _LETTERS.items():
        assert skeletons(chr(point))[1] == skeletons(like)[1], hex(point)


def test_names_are_read_once_however_many_there_are():
    people = {f"guest {n}": None for n in range(20_000)}
    taken = TakenNames()
    taken.like("Ann", people)
    before = time.process_time()
    for n in range(50):
        people[f"other {n}"] = None
        assert taken.like(f"OTHER {n}", people) == f"other {n}"
    assert time.process_time() - before < 0.5


# -- in the office --------------------------------------------------------------------------------


@pytest.fixture
def office() -> Office:
    made = Office()
    made.apply(HouseFounded(administrator="Ada", digest="", real_money=False, at=NOON))
    return made


def give(office: Office, command: Command, who: str = "Ada") -> str:
    """What the office says against it; nothing if it is done."""
    rank = ActorRank.HOUSE if who == "house" else ActorRank.PLAYER
    answer = office.handle(Order(command=command, who=who, rank=rank, when=NOON))
    return answer.says if isinstance(answer, Refused) else ""


def test_the_office_lets_nobody_in_who_could_be_mistaken(office: Office):
    assert give(office, orders.OpenAccount(player="Ann"), "house") == ""
    assert "mistaken for Ann" in give(office, orders.OpenAccount(player="Аnn"), "house")  # noqa: RUF001
    hire = orders.HireStaff(name="Аda", role="dealer", reason="x")  # noqa: RUF001
    assert "mistaken for Ada" in give(office, hire)
    assert "U+202E" in give(office, orders.OpenAccount(player=BIDI), "house")
    assert "clock" in give(office, orders.OpenAccount(player="cl0ck"), "house")
    assert give(office, orders.OpenAccount(player="ann"), "house") == "The name ann is taken."


def test_tables_and_links_have_names_that_hide_nothing(office: Office):
    terms = {"reset_value": 100_000, "contribution": 100}
    link = orders.AddLink(
        link="Marina", rulebook="multi-link-progressive-v3", settings=terms, reason="opening"
    )
    assert give(office, link) == ""
    from msgspec.structs import replace

    assert "mistaken for Marina" in give(office, replace(link, link="Marinа"))  # noqa: RUF001
    assert "U+200B" in give(office, replace(link, link="Mar\u200bina"))
    assert "office" in give(office, replace(link, link="Оffice"))  # noqa: RUF001


def test_an_old_name_that_hides_something_goes_on_working(office: Office):
    office.apply(AccountOpened(player=BIDI, digest="", bot=False, at=NOON))
    assert give(office, orders.CashIn(player=BIDI, amount=100), "house") == ""
    assert give(office, orders.DisablePerson(name=BIDI, reason="x")) == ""
    assert "Ann<U+202E>bob" in give(office, orders.OpenAccount(player="Annbob"), "house")
