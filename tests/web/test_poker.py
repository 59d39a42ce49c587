"""A person plays a whole round of each poker game in a browser, against another person."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import PHONE, Visitor, first_of

TABLES = {"no-limit-holdem-v8": "Raffles", "poker-v5": "Clarke"}


def cards_of(player: Visitor) -> list[str]:
    """The cards that a player sees at his own seat."""
    cards = player.page.locator(".seat.mine playing-card").all()
    return [card.get_attribute("card") or "" for card in cards]


@pytest.fixture
def pair(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
) -> Callable[..., list[Visitor]]:
    """Seats Ann and Ben at a table."""

    def make(table: str, **options: Any) -> list[Visitor]:
        table = like(table)
        players = [visitor("Ann", **options), visitor("Ben", **options)]
        for player in players:
            player.sit(table)
        return players

    return make


@pytest.mark.parametrize("book", first_of(TABLES))
def test_a_whole_round_of_each_poker_game(pair: Callable[[str], list[Visitor]], book: str):
    ann, ben = players = pair(TABLES[book])
    ann.page.locator(".seat.mine playing-card.up").nth(1).wait_for(state="attached")
    assert "??" not in cards_of(ann), "the page looks by itself"
    on_his_page = ben.page.locator(".seat:not(.mine) .hole playing-card").first
    assert on_his_page.get_attribute("card") == "??", "nobody sees another's cards"

    for player in players:
        player.plays("c")
    found = ann.paid()
    ann.page.locator("#body-log li", has_text="Round 1 is over").wait_for(state="attached")

    assert found["board"] == 5
    assert re.search(r"(You|Ben \d+|and you).* the pot of 20", found["pots"][0])
    log = " ".join(ann.log())
    for said in ("The flop is dealt", "The river is dealt", "Showdown", "Round 1 is over"):
        assert said in log
    assert ann.page.locator("#body-log .cite").count() > 5, "what happened names its paragraphs"


@pytest.mark.parametrize("table", first_of(["Raffles", "Marina-1"]))
def test_whoever_wants_any_seat_takes_another_where_somebody_was_faster(
    visitor: Callable[..., Visitor], like: Callable[[str], str], table: str
):
    table = like(table)
    ann, ben = visitor("Ann"), visitor("Ben")
    ann.go(table)
    ann.page.locator(".invite .button").click()
    sits = ann.page.get_by_role("button", name="Sit down with")
    sits.wait_for()
    ben.sit(table)
    ann.page.locator(".plate .name", has_text=ben.name).wait_for()
    sits.click()
    ann.page.get_by_role("button", name="Leave").wait_for()


@pytest.mark.slow
def test_presets_set_the_amount_and_do_not_submit_it(pair: Callable[[str], list[Visitor]]):
    players = pair("Raffles")
    first = next_to_act(players)
    page = first.page
    before = first.log()
    least = page.locator(".amount-text").input_value()
    page.get_by_role("group", name="Set the amount").get_by_role(
        "button", name="Pot", exact=True
    ).click()
    amount = page.locator(".amount-text").input_value()
    assert float(amount) > float(least)
    assert first.log() == before, "a preset submits nothing"
    first.button("Raise to").click()
    page.locator("#body-log li", has_text=f"You raise to {amount}.").wait_for()


def test_a_refusal_names_its_paragraph_and_opens_it(pair: Callable[[str], list[Visitor]]):
    from tests.web.test_rare import Wire

    players = pair("Raffles")
    wires = {player: Wire(player, lambda message: None) for player in players}
    for player in players:
        player.page.reload()
    first = next_to_act(players)
    cited = {"rulebook": "no-limit-holdem-v8", "paragraph": "3.12.1", "title": "", "says": ""}
    wires[first].refuse = [{"is": "refused", "says": "It is not your turn.", "cites": [cited]}]
    first.button("Call").click()
    ruling = first.page.locator(".ruling[role=alert]")
    ruling.locator(".cite").first.wait_for()
    number = ruling.locator(".cite").first.inner_text()
    ruling.locator(".cite").first.click()
    dialog = first.page.get_by_role("dialog", name=f"Paragraph {number}")
    assert len(dialog.locator(".words").inner_text()) > 20
    first.page.keyboard.press("Escape")
    assert dialog.count() == 0


@pytest.mark.slow
def test_all_in_shows_its_marker_and_the_pot_is_paid(pair: Callable[[str], list[Visitor]]):
    ann, ben = players = pair("Clarke")
    first = next_to_act(players)
    other = ben if first is ann else ann
    first.button("All-in").click()
    first.page.get_by_role("dialog", name="All-in?").get_by_role("button", name="All-in").click()
    other.page.locator(".mark.all-in").wait_for()
    other.button("Call").click()
    other.page.get_by_role("dialog", name="All-in?").get_by_role("button", name="Call").click()
    assert other.paid()["board"] == 5


@pytest.mark.parametrize(
    ("choice", "then"),
    [
        ("Call any", "You call to"),
        pytest.param("Check or fold", "You fold.", marks=pytest.mark.slow),
    ],
)
def test_what_is_chosen_ahead_is_sent_when_the_turn_comes(
    pair: Callable[[str], list[Visitor]], choice: str, then: str
):
    players = pair("Raffles")
    first = next_to_act(players)
    [other] = [player for player in players if player is not first]
    group = other.page.get_by_role("group", name="When it is your turn")
    group.get_by_role("button", name=choice).wait_for()
    chosen = other.page.locator(".pre-action button", has_text=choice)  # also once it is hidden
    chosen.click()
    assert chosen.get_attribute("aria-pressed") == "true"
    other.page.wait_for_timeout(300)
    assert not [line for line in other.log() if then in line]
    first.button("Raise to").click()
    other.page.locator("#body-log li", has_text=then).wait_for()
    assert chosen.get_attribute("aria-pressed") == "false", "it held for one turn"


@pytest.mark.slow
def test_what_is_chosen_ahead_can_be_taken_back(pair: Callable[[str], list[Visitor]]):
    players = pair("Raffles")
    first = next_to_act(players)
    [other] = [player for player in players if player is not first]
    chosen = other.page.locator(".pre-action button", has_text="Call any")
    chosen.wait_for()
    other.page.wait_for_timeout(400)  # what has just come takes no press for 300 ms
    other.page.keyboard.press("y")
    assert chosen.get_attribute("aria-pressed") == "true"
    other.page.keyboard.press("y")
    assert chosen.get_attribute("aria-pressed") == "false"
    first.button("Raise to").click()
    other.button("Call").wait_for()
    other.page.wait_for_timeout(300)
    assert other.button("Call").is_visible(), "nothing was sent"


@pytest.mark.slow
def test_a_check_that_is_bet_against_is_chosen_no_more(pair: Callable[[str], list[Visitor]]):
    players = pair("Raffles")
    first = next_to_act(players)
    [other] = [player for player in players if player is not first]
    other.page.locator(".pre-action button", has_text=re.compile("^Check$|^CheckK$")).click()
    first.button("Raise to").click()
    other.button("Call").wait_for()
    other.page.wait_for_timeout(300)
    assert other.button("Call").is_visible(), "the other one has raised: he decides himself"


@pytest.mark.slow
def test_past_rounds_are_told_with_their_paragraphs(pair: Callable[[str], list[Visitor]]):
    players = pair("Raffles")
    for player in players:
        player.plays("c")
    ann = players[0]
    ann.paid()
    page = ann.page
    page.locator("#body-log li", has_text="Round 1 is over").wait_for(state="attached")
    page.get_by_role("tab", name="Rounds").click()
    past = page.locator("#body-rounds details", has_text="Round 1").first
    assert re.search(r"Main Pot: .*\d+ to (you|Ben)", past.locator(".outcome").inner_text())
    card = r"(?:[2-9JQKA]|10)[♣♦♥♠]"
    result = "(?:[+\N{MINUS SIGN}][0-9.,]+|came out even)"
    told = " ".join(past.locator(".yours").inner_text().split())
    yours = re.fullmatch(rf"You ({card}) ({card}) .* · {result}", told)
    assert yours is not None, told
    past.locator("summary").click()
    past.locator("li", has_text="The river is dealt").wait_for()
    looked = past.locator("li", has_text="You look at your cards: ")
    assert " ".join(yours.groups()) in looked.inner_text()
    assert past.locator("li .cite").count() > 20
    assert past.locator("p .cite").first.is_visible()


@pytest.mark.slow
def test_looking_by_hand(visitor: Callable[..., Visitor], like: Callable[[str], str]):
    table = like("Raffles")
    ann, ben = visitor(), visitor("Ben")
    ann.enter("Ann")
    ann.page.evaluate("""localStorage.setItem("croupier-settings", '{"lookByItself": false}')""")
    ann.sit(table)
    ben.sit(table)
    ann.page.get_by_role("button", name="Look at my cards").wait_for()
    assert cards_of(ann) == ["??", "??"]
    ann.page.keyboard.press("l")
    ann.page.locator(".seat.mine playing-card.up").nth(1).wait_for(state="attached")
    assert ann.page.locator(".hand").inner_text() != ""


@pytest.mark.slow
def test_a_round_on_a_phone(pair: Callable[..., list[Visitor]]):
    ann, _ = players = pair("Raffles", viewport=PHONE, has_touch=True, is_mobile=True)
    first = next_to_act(players)
    page = first.page
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    boxes = page.evaluate(  # all at one moment: buttons come and go
        """[...document.querySelectorAll(".actions .button")].filter((b) => b.checkVisibility())
        .map((b) => b.getBoundingClientRect()).map((r) => [r.left, r.right, r.bottom])"""
    )
    assert boxes
    for left, right, bottom in boxes:
        assert left >= 0
        assert right <= PHONE["width"]
        assert bottom <= PHONE["height"]
    for player in players:
        player.plays("c")
    assert ann.paid()["board"] == 5


@pytest.mark.slow
def test_a_round_by_keyboard_alone(visitor: Callable[..., Visitor], like: Callable[[str], str]):
    table = like("Raffles")
    ann, ben = visitor("Ann"), visitor("Ben")
    for player in (ann, ben):
        player.go(table)
        keys = player.page.keyboard
        keys.press("Tab")
        keys.press("Enter")  # the first stop leads to one's actions
        keys.press("Tab")
        keys.press("Enter")  # take a seat
        sits = player.page.get_by_role("button", name="Sit down with", disabled=False)
        sits.wait_for()  # a button that has just come takes no press
        keys.press("Enter")  # with the stake that is proposed
        player.page.get_by_role("button", name="Leave").wait_for()
    for _ in range(400):
        if ann.page.evaluate("window.paidRounds.length"):
            break
        for player in (ann, ben):
            if player.page.locator(".big .button:visible:enabled[data-shortcut='c']").count():
                player.page.keyboard.press("c")
        ann.page.wait_for_timeout(50)
    told = ann.page.get_by_role("log", name="What happens at the table").inner_text()
    assert "The flop is dealt" in told, "a screen reader is told what happens"
    assert "Round 1 is over" in told


@pytest.mark.slow
def test_chips_wished_for_during_a_round_are_added_when_it_is_over(
    pair: Callable[[str], list[Visitor]],
):
    players = pair("Raffles")
    ann = players[0]
    next_to_act(players)
    page = ann.page
    wish = page.get_by_role("button", name="+100 · take back")

    def wishes() -> None:
        page.get_by_role("button", name="Add chips").click()
        dialog = page.get_by_role("dialog", name="Add chips")
        dialog.get_by_label("Amount").first.fill("100")
        dialog.get_by_role("button", name="Add 100").click()
        wish.wait_for()

    wishes()
    page.wait_for_timeout(400)  # a button that means something new takes no press at once
    wish.click()
    wish.wait_for(state="hidden")
    page.get_by_text("No chips will be added.").wait_for()
    wishes()
    for player in players:
        player.plays("c")
    added = page.locator("#body-log li", has_text="You add 100 to the stake")
    added.wait_for(state="attached")
    wish.wait_for(state="hidden")
    lines = ann.log()
    [line] = [line for line in lines if "You add 100 to the stake" in line]
    assert line.index("Round 1 is over") < line.index("You add 100 to the stake")


@pytest.mark.slow
def test_a_definition_is_cited_by_its_word(pair: Callable[[str], list[Visitor]]):
    players = pair("Clarke")
    next_to_act(players)
    page = players[0].page
    page.locator("#body-log .cite", has_text="Definitions: ").first.wait_for(state="attached")
    cites = page.locator("#body-log .cite").all_text_contents()
    assert any(cite.startswith("Definitions: ") for cite in cites)
    assert not any(cite.startswith("def.") for cite in cites)


def next_to_act(players: list[Visitor]) -> Visitor:
    """Wait until somebody is to act before the flop, and say who."""
    for _ in range(300):
        for player in players:
            if player.button("Raise to").count():
                return player
        players[0].page.wait_for_timeout(50)
    raise AssertionError(f"nobody is to act; the log: {players[0].log()[-8:]}")
