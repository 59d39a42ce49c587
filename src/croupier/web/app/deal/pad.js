// All 52 cards to be touched; those that are out, or entered already, cannot be.

import { h } from "../dom.js";
import { cardName, cardSigns } from "../cards.js";

const RANKS = [..."AKQJT98765432"];
const SUITS = [..."shdc"];

/** @param {Set<string>} out @param {string[]} entered @param {boolean} full @param {(card: string) => void} touch */
export function pad(out, entered, full, touch) {
  const part = h("div", { class: "pad", role: "group", "aria-label": "Cards" });
  for (const suit of SUITS)
    for (const rank of RANKS) {
      const card = rank + suit;
      const gone = out.has(card);
      part.append(
        h("button", {
          type: "button",
          class: `pad-card suit-${suit}${entered.includes(card) ? " entered" : ""}`,
          "data-card": card,
          "aria-label": cardName(card),
          disabled: gone || full || entered.includes(card),
          text: cardSigns([card]),
          onclick: () => touch(card),
        }),
      );
    }
  return part;
}
