// What a screen reader is told: a polite region for what happens, an assertive one for one's turn.
// Sentences that come close together are said as one.

import { h } from "./dom.js";

const polite = h("div", {
  class: "vh",
  role: "log",
  "aria-live": "polite",
  "aria-label": "What happens at the table",
});
const urgent = h("div", {
  class: "vh",
  role: "status",
  "aria-live": "assertive",
  "aria-atomic": "true",
});
const KEPT = 30;

/** Put the regions on the page; they must be there before anything is said. */
export function prepare() {
  document.body.append(polite, urgent);
}

/** Tell what happened. @param {string} sentence */
export function tell(sentence) {
  polite.append(h("p", { text: sentence }));
  while (polite.childElementCount > KEPT) polite.firstElementChild?.remove();
}

/** Tell what wants an answer now. @param {string} sentence */
export function call(sentence) {
  urgent.textContent = "";
  requestAnimationFrame(() => {
    urgent.textContent = sentence;
  });
}
