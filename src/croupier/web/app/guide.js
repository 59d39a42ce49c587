// The guide, for whoever is learning: what the server says of the hand and of what may be done. Never
// where money is real.

import { h, patchList, setText, show } from "./dom.js";
import { ask } from "./session.js";
import { setting } from "./settings.js";

export class Guide {
  /** @param {string} place */
  constructor(place) {
    this.path = /** @type {const} */ (`/api/tables/${encodeURIComponent(place)}/guide`);
    this.key = "";
    this.node = h("ul", { class: "guide", "aria-label": "Guide" });
    show(this.node, false);
  }

  /** @param {string} key changes with what is decided; empty while nothing is @param {boolean} play whether for play money */
  async look(key, play) {
    const wanted = play && setting("guide") ? key : "";
    if (wanted === this.key) return;
    this.key = wanted;
    /** @type {string[]} */
    const says = wanted ? await ask(this.path).then((found) => found.says, () => []) : [];
    if (this.key !== wanted) return;
    patchList(
      this.node,
      says,
      (_, i) => i,
      () => h("li"),
      (node, said) => setText(node, said),
    );
    show(this.node, says.length > 0);
  }
}
