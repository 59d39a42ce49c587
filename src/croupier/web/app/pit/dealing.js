// At a table that is dealt by hand: the next step of the dealer, and in the demonstration what may go
// wrong with it, so that there is something to report.

import { h, setText } from "../dom.js";
import { keyed } from "../keys.js";
import { ask } from "../session.js";
import { capital } from "../desk/words.js";
import { newId } from "./words.js";

/** @import {PitTile} from "../records.js" */

/** @typedef {{says: string, with: Record<string, unknown>}} Mistake */

/** @type {Record<string, Mistake[]>} */
const MISTAKES = {
  "deal hole cards": [{ says: "Expose the second card", with: { exposed: [2] } }],
  "deal flop": [
    { says: "Deal four cards", with: { count: 4 } },
    { says: "Burn no card", with: { burn: false } },
  ],
  "deal turn": [
    { says: "Deal two cards", with: { count: 2 } },
    { says: "Burn no card", with: { burn: false } },
  ],
  "deal river": [
    { says: "Deal two cards", with: { count: 2 } },
    { says: "Burn no card", with: { burn: false } },
  ],
};

/**
 * @param {PitTile} tile @param {boolean} play whether it is the demonstration
 * @param {HTMLElement} wrong @param {() => void} done
 */
export function dealingPart(tile, play, wrong, done) {
  if (tile.dealt_by !== "hand" || !tile.assigned || !tile.due || tile.hold) return null;
  const give = async (/** @type {Record<string, unknown>} */ more) => {
    setText(wrong, "");
    try {
      const given = /** @type {any} */ ({ id: newId(), command: { do: tile.due, ...more } });
      await ask(`/api/tables/${encodeURIComponent(tile.place)}/commands`, given);
    } catch (error) {
      setText(wrong, /** @type {Error} */ (error).message);
    }
    done();
  };
  const mistakes = play ? (MISTAKES[tile.due] ?? []) : [];
  const step = h("button", { class: "button main deal", type: "button", text: capital(tile.due), onclick: () => give({}) });
  return h(
    "section",
    { class: "dealing", "aria-label": "Dealing" },
    keyed(step, "d"),
    mistakes.length
      ? h(
          "div",
          { class: "mistakes", role: "group", "aria-label": "Make a mistake" },
          h("span", { text: "Make a mistake:" }),
          ...mistakes.map((each) => h("button", { class: "button", type: "button", "data-mistake": JSON.stringify(each.with), text: each.says, onclick: () => give(each.with) })),
        )
      : null,
  );
}
