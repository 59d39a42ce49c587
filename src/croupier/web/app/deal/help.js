// The keys of the page, for who asks.

import { h } from "../dom.js";
import { openDialog } from "../dialogs.js";

const KEYS = [
  ["Enter", "do what comes next, or confirm what is typed"],
  ["A to K, then C D H S", "a card: rank, then suit; 10 is T"],
  ["Backspace", "take the last card or figure back"],
  ["Escape", "give up what is typed; then back to whoever is to act"],
  ["1 to 9, 0", "choose seat or box 1 to 10, while no card is to be entered"],
  ["← →", "the seat or box before or after"],
  ["a letter on a button", "what the player there is seen to do"],
  ["G, then a number", "it went otherwise than it should"],
  ["!", "report it"],
];

export function openHelp() {
  openDialog(
    "Keys",
    h(
      "div",
      { class: "inside" },
      h("dl", { class: "key-list" }, ...KEYS.flatMap(([key, says]) => [h("dt", {}, h("kbd", { text: key })), h("dd", { text: says })])),
      h("p", { text: "A card reader that types is understood as it is: it may type at any time." }),
    ),
  );
}
