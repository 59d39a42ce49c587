// The way from a table to its page for watching, which has no seats to take and nothing to press.

import { h } from "./dom.js";

/** @param {string} place */
export function watchLink(place) {
  return h("a", {
    class: "to-watch",
    href: `/watch/${encodeURIComponent(place)}`,
    text: "Page for watching",
  });
}
