// The name of the house, which leads to the lobby.

import { h } from "./dom.js";
import { suitMark } from "./cards.js";

export function brand() {
  return h(
    "a",
    { class: "brand", href: "/", "aria-label": "croupier: to the lobby" },
    suitMark("s"),
    h("span", { text: "croupier" }),
  );
}
