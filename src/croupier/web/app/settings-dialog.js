// The dialog of the settings: each with a sentence on what it does.

import { askToNotify } from "./calls.js";
import { openDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { SIZES, set, setTextSize, setting, textSize } from "./settings.js";

/** @import {Setting} from "./settings.js" */

/** @type {Record<Setting, {says: string, more: string}>} */
const SETTINGS = {
  lookByItself: {
    says: "Look at my cards as soon as they are dealt",
    more: "Looking is an act at the table. Turn this off to play a hand without looking.",
  },
  confirm: {
    says: "Ask once more before All-in, and before a fold where checking is free",
    more: "So that no slip of the hand costs a stack.",
  },
  fourColour: {
    says: "Four-colour deck",
    more: "Diamonds blue and clubs green, so that no two suits look alike.",
  },
  sounds: {
    says: "Sounds",
    more: "Cards, chips, your turn, a win. Made by this page; nothing is loaded.",
  },
  notify: {
    says: "Tell me in other tabs that it is my turn",
    more: "By a notification, if your browser allows it.",
  },
  guide: {
    says: "Guide",
    more: "What the hand is worth, what the book allows, and what the better choice is. With play money alone.",
  },
  keys: {
    says: "Keyboard shortcuts",
    more: "The letters that stand on the buttons.",
  },
  calm: { says: "No movement", more: "Cards and chips change places at once." },
};

/** The player's own settings. */
export function openSettings() {
  const body = h("div", { class: "inside" });
  for (const [name, about] of Object.entries(SETTINGS)) {
    const key = /** @type {Setting} */ (name);
    const box = /** @type {HTMLInputElement} */ (
      h("input", { type: "checkbox", checked: setting(key) })
    );
    box.addEventListener("change", () => {
      set(key, box.checked);
      if (key === "notify" && box.checked) askToNotify();
    });
    body.append(
      h(
        "label",
        { class: "check" },
        box,
        h("span", {}, about.says, h("small", { text: about.more })),
      ),
    );
  }
  const size = /** @type {HTMLSelectElement} */ (
    h("select", {}, ...SIZES.map((n) => h("option", { value: n, text: `${n} %`, selected: n === textSize() })))
  );
  size.addEventListener("change", () => setTextSize(Number(size.value)));
  body.append(h("label", { class: "field" }, h("span", { text: "Text size" }), size));
  openDialog("Settings", body);
}
