// What came of an order, and what waits now.

import { h } from "../dom.js";
import { placeName } from "./words.js";

/** @import {PitAnswer} from "../records.js" */
/** @typedef {import("./main.js").Console} Console */

/** @param {Console} console @param {string} place @param {PitAnswer} answer
 * @returns {import("./main.js").View} */
export function doneView(console, place, answer) {
  const path = encodeURIComponent(place);
  const waits = answer.waits.filter((wait) => wait.kind !== "turn");
  const list = h("ul", { class: "told" });
  const asked = (/** @type {string} */ says) => waits.some((wait) => says.includes(wait.says));
  for (const says of answer.told) if (!asked(says)) list.append(h("li", { text: says }));
  const next = waits.find((wait) => wait.mine);
  const to = next?.decision ? `#decision/${path}/${next.decision}` : `#table/${path}`;
  const at = console.tile(place) ? `#table/${path}` : `#link/${path}`;
  return {
    title: "Done",
    view: h(
      "section",
      { class: "calm done", "data-says": `Done. ${answer.told[0] ?? ""}` },
      h("h1", { text: `Done at ${placeName(place)}`, tabindex: "-1" }),
      list,
      ...waits.map((wait) =>
        h("p", { class: wait.mine ? "then mine" : "then", text: `Now waits for ${wait.whom}: ${wait.says}` }),
      ),
      h(
        "div",
        { class: "row" },
        next ? h("a", { class: "button main", href: to, text: next.decision ? "Decide" : "Go on" }) : null,
        h("a", { class: next ? "button" : "button main", href: "#", text: "To the floor" }),
        h("a", { class: "button", href: at, text: `Back to ${placeName(place)}` }),
      ),
    ),
  };
}
