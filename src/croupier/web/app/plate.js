// The plate of a seat or box with its cards and marks: what both families of games share.

import { h, patchList, setText, svg } from "./dom.js";
import { makeCard } from "./cards.js";
import { setCard } from "./motion.js";

/** @typedef {{kind: string, text: string}} Mark */

/** @param {...HTMLElement} below what lies under the plate */
export function makeTaken(...below) {
  const around = { x: "1.5", y: "1.5", rx: "13", pathLength: "100" };
  const size = { width: "calc(100% - 3px)", height: "calc(100% - 3px)" };
  const ring = svg(
    "svg",
    { class: "ring", "aria-hidden": "true" },
    svg("rect", { ...around, ...size }),
  );
  const name = h("div", { class: "name" }, h("span"), h("span", { class: "tag bot", text: "bot" }));
  const plate = h("div", { class: "plate", "aria-hidden": "true" });
  plate.append(ring, name, h("div", { class: "worth" }));
  return h(
    "div",
    { class: "taken" },
    h("p", { class: "vh about" }),
    h("div", { class: "hole", "aria-hidden": "true" }),
    plate,
    ...below,
    h("div", { class: "marks", "aria-hidden": "true" }),
  );
}

/** An inner part of a node. @param {Element} node @param {string} what @returns {HTMLElement} */
export function part(node, what) {
  return /** @type {HTMLElement} */ (node.querySelector(what));
}

/** @param {Element} node @param {string[]} cards */
export function setHole(node, cards) {
  patchList(
    part(node, ".hole"),
    cards,
    (_, i) => i,
    (card) => makeCard(card, "fresh"),
    (found, card) => setCard(found, card),
  );
}

/** @param {Element} node @param {Mark[]} marks */
export function setMarks(node, marks) {
  patchList(
    part(node, ".marks"),
    marks,
    (mark) => mark.kind,
    (mark) => h("span", { class: `mark ${mark.kind}` }),
    (found, mark) => setText(found, mark.text),
  );
}

/** Put a node at a place of the stage, in percent. @param {HTMLElement} node @param {number} x @param {number} y */
export function put(node, x, y) {
  node.style.setProperty("--x", `${x}%`);
  node.style.setProperty("--y", `${y}%`);
}
