// What came of an order: what was ruled and by whose authority, what happened, what waits now, and the way
// back while the table has not gone on.

import { h } from "../dom.js";
import { badges } from "../desk/paragraph.js";
import { Looking } from "./hold.js";
import { undoButton } from "./undo.js";
import { placeName } from "./words.js";

/** @import {PitAnswer, PitTold} from "../records.js" */
/** @typedef {import("./main.js").Console} Console */

/** @param {Console} console @param {string} place @param {PitAnswer} answer
 * @returns {import("./main.js").View} */
export function doneView(console, place, answer) {
  const path = encodeURIComponent(place);
  const tile = console.tile(place);
  const book = tile?.rulebook ?? "";
  const waits = answer.waits.filter((wait) => wait.kind !== "turn");
  const list = h("ul", { class: "told" });
  const shown = new Set(answer.ruled.map((each) => each.says));
  const asked = (/** @type {string} */ says) => waits.some((wait) => says.includes(wait.says));
  for (const each of answer.happened)
    if (!asked(each.says) && !shown.has(each.says)) list.append(h("li", {}, `${each.says} `, badges(book, each.cites, 2)));
  const next = waits.find((wait) => wait.mine);
  const to = next?.decision ? `#decision/${path}/${next.decision}` : `#table/${path}`;
  const at = tile ? `#table/${path}` : `#link/${path}`;
  const wrong = h("p", { class: "wrong", role: "alert" });
  const held = answer.hold ? new Looking(console, place, answer.hold) : null;
  const first = answer.ruled[0]?.says ?? answer.told[0] ?? "";
  const mayDeal = tile?.dealt_by === "hand" && tile.assigned;
  const here = mayDeal && !next && tile.dealer === console.name; // who deals here goes on dealing
  const dealOn = mayDeal ? h("a", { class: here ? "button main" : "button", href: `/deal/${path}`, text: "Deal on" }) : null;
  const head = waits.length ? `Still open at ${placeName(place)}` : `Done at ${placeName(place)}`;
  return {
    title: waits.length ? "Still open" : "Done",
    leave: () => held?.leave(),
    view: h(
      "section",
      { class: "calm done", "data-says": `${waits.length ? "Still open." : "Done."} ${first}` },
      h("h1", { text: head, tabindex: "-1" }),
      answer.ruled.length ? h("ul", { class: "ruled-by" }, ...answer.ruled.map((each) => ruledItem(book, each))) : null,
      list,
      ...waits.map((wait) =>
        h("p", { class: wait.mine ? "then mine" : "then", text: `Now waits for ${wait.whom}: ${wait.says}` }),
      ),
      wrong,
      undoPart(console, place, answer, wrong, held),
      h(
        "div",
        { class: "row" },
        next ? h("a", { class: "button main", href: to, text: next.decision ? "Decide" : "Go on" }) : null,
        here ? dealOn : null,
        h("a", { class: next || here ? "button" : "button main", href: "#", text: "To the floor" }),
        h("a", { class: "button", href: at, text: `Back to ${placeName(place)}` }),
        here ? null : dealOn,
      ),
    ),
  };
}

/** @param {string} book @param {PitTold} ruled */
function ruledItem(book, ruled) {
  return h("li", {}, `${ruled.says} `, book ? badges(book, ruled.cites, 2) : null);
}

/** @param {Console} console @param {string} place @param {PitAnswer} answer @param {HTMLElement} wrong
 * @param {Looking | null} held */
function undoPart(console, place, answer, wrong, held) {
  const { undo } = answer;
  if (!undo.may) return undo.says ? h("p", { class: "small-words", text: undo.says }) : null;
  return h(
    "div",
    { class: "row undo-row" },
    undoButton(console, place, "Undo this ruling", wrong, held),
    held
      ? h("span", { class: "small-words" }, "The table goes on in ", h("span", { "data-until": held.hold.until }), ", or as soon as you leave this page.")
      : h("span", { class: "small-words", text: "It can be undone while nothing else happens at the table." }),
  );
}
