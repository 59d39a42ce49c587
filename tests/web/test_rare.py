"""What is rare at a table, put into real messages on their way: nothing left, a call for all, a
shuffle, a server that stops."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import PHONE, Visitor
from tests.web.test_banked import bet

Message = dict[str, Any]


class Wire:
    """Stands between a page and the casino: changes what comes, notes what goes."""

    def __init__(self, visitor: Visitor, change: Callable[[Message], None]) -> None:
        self.change = change
        self.sent: list[Message] = []
        self.refuse: list[Message] = []
        """Refusals for the next commands; the casino does not hear of those."""
        self.down = False
        self.socket: Any = None
        visitor.page.route_web_socket("**/ws?*", self._between)

    def _between(self, socket: Any) -> None:
        if self.down:
            socket.close(code=1001, reason="stopped")
            return
        self.socket = socket
        server = socket.connect_to_server()

        def back(text: str) -> None:
            message = json.loads(text)
            self.change(message)
            socket.send(json.dumps(message))

        def forward(text: str) -> None:
            message = json.loads(text)
            if "command" in message:
                self.sent.append(message["command"])
                if self.refuse:
                    socket.send(json.dumps({"id": message["id"], **self.refuse.pop(0)}))
                    return
            server.send(text)

        server.on_message(back)
        socket.on_message(forward)


def mine(message: Message) -> Message | None:
    """The seat of the page's own player, if he has one."""
    view = message.get("view") or {"yours": []}
    return view["seats"][str(view["yours"][0])] if view["yours"] else None


@pytest.mark.slow
def test_who_has_no_chips_left_buys_in_again(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    def lost(message: Message) -> None:
        if (seat := mine(message)) is not None:
            seat.update(stake=0, active=False)

    ann = visitor("Ann")
    Wire(ann, lost)
    ann.sit(like("Raffles"))
    ann.page.get_by_text("You have no chips left.").wait_for()
    ann.button("Buy in again").click()
    dialog = ann.page.get_by_role("dialog", name="Buy in again")
    assert "200 to 1,000" in dialog.inner_text(), "from nothing it is the minimum stake at least"
    dialog.get_by_role("button", name="Buy in with 500").click()
    dialog.wait_for(state="detached")
    ann.page.locator("#body-log li", has_text="500 to the stake").wait_for(state="attached")


@pytest.mark.slow
def test_whether_he_shows_is_asked_where_the_choice_is_his(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    offered = ["show hand"]

    def showdown(message: Message) -> None:
        if mine(message) is not None:
            seat = str(message["view"]["yours"][0])
            offers = [{"do": do, "least": None, "most": None} for do in offered]
            message["view"]["offers"] = {seat: offers}

    ann = visitor("Ann")
    Wire(ann, showdown)
    table = like("Raffles")
    ann.sit(table)
    ann.page.wait_for_timeout(500)
    assert ann.button("Show hand").count() == 0, "what the House does by itself is no choice"
    ann.button("Show hand").wait_for(timeout=6_000)  # unless nobody does it
    offered.append("muck")
    ann.go(table)
    ann.page.get_by_text("Do you show your hand?").wait_for()
    ann.button("Show hand").wait_for()
    ann.button("Do not show").wait_for()


@pytest.mark.slow
def test_a_call_for_the_whole_stack_is_one_button(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    def short(message: Message) -> None:
        if (seat := mine(message)) is not None:
            all_of_it = seat["bet"] + seat["stake"]
            amount = {"word": "to", "least": all_of_it, "most": all_of_it, "step": 1}
            offers = [{"do": "call", **amount}, {"do": "all in", **amount}, {"do": "fold"}]
            message["view"]["offers"] = {str(message["view"]["yours"][0]): offers}

    ann = visitor("Ann")
    Wire(ann, short)
    ann.sit(like("Raffles"))
    ann.button("Fold").wait_for()
    words = ann.page.locator(".big .button:visible .what").all_inner_texts()
    assert words == ["Fold", "Call 500, all-in"]


@pytest.mark.slow
def test_who_sits_down_during_the_shuffle_need_not_ask_twice(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    def shuffling(message: Message) -> None:
        if wire.refuse and "view" in message:
            message["view"]["waiting"] = "52 cards are being shuffled."

    refusal = {"is": "refused", "says": "The table waits for the shuffle.", "cites": []}
    ann = visitor("Ann")
    wire = Wire(ann, shuffling)
    wire.refuse = [refusal, refusal]
    ann.sit(like("Marina-1"))
    assert [command["do"] for command in wire.sent[:3]] == ["sit"] * 3
    assert ann.page.get_by_role("alert").count() == 0


@pytest.mark.slow
def test_a_refusal_that_no_shuffle_explains_is_shown_at_once(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann")
    wire = Wire(ann, lambda message: None)
    wire.refuse = [{"is": "refused", "says": "This box is reserved.", "cites": []}]
    ann.go(like("Marina-1"))
    ann.page.locator(".invite .button").click()
    ann.page.get_by_role("button", name="Sit down with").click()
    ann.page.locator(".ruling", has_text="This box is reserved.").wait_for()
    assert len(wire.sent) == 1


def test_nothing_can_be_pressed_while_the_server_is_stopped(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann")
    wire = Wire(ann, lambda message: None)
    ann.sit(like("Marina-1"))
    bet(ann, "ante")
    deal = ann.page.get_by_role("button", name="Deal")
    ann.page.locator("button:enabled", has_text="Deal").wait_for()

    wire.socket.send(json.dumps({"is": "bye", "code": "stopping", "says": "The casino stops."}))
    ann.page.get_by_role("status").filter(has_text="The casino stops.").wait_for()
    assert deal.is_disabled(), "as soon as it is said"
    wire.down = True
    wire.socket.close(code=1001, reason="stopped")
    ann.page.wait_for_timeout(500)
    before = len(wire.sent)
    ann.page.keyboard.press("x")  # nor by a key
    assert ann.page.locator(".actions .button:visible:enabled").count() == 0
    assert len(wire.sent) == before

    wire.down = False
    ann.button("Deal").wait_for()
    assert ann.page.locator(".wire").is_hidden()


@pytest.mark.slow
def test_who_leaves_after_a_round_is_gone_from_the_page_and_the_lobby(
    visitor: Callable[..., Visitor], like: Callable[[str], str]
):
    ann = visitor("Ann", viewport=PHONE, has_touch=True, is_mobile=True)
    ann.sit(like("Sentosa-1"))
    page = ann.page
    mark = page.locator(".bar .tag.old").bounding_box()
    assert mark["x"] + mark["width"] <= PHONE["width"]
    title = page.locator(".bar .title").bounding_box()
    assert mark["x"] + mark["width"] <= title["x"] + title["width"] + 1, "nothing lies over it"
    assert page.locator("kbd:visible").count() == 0, "there are no keys to hint at"
    bet(ann, "ante")
    ann.button("Deal").click()
    ann.button("Flop bet").click()
    ann.button("Check").wait_for()
    assert "In for the finish" not in page.locator(".my-words").inner_text()
    ann.button("Check").click()
    ann.button("Check").click()
    page.locator(".settled-bets li.all").wait_for()
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("button", name="Take a box").wait_for()
    page.locator(".box.mine").first.wait_for(state="detached")
    page.goto(f"{ann.address}/")
    page.locator(".table-card").first.wait_for()
    page.locator(".login a", has_text="My hands").wait_for()
    assert page.locator(".login a", has_text="Back to").count() == 0
    assert ann.name not in page.locator("#tables").inner_text()
