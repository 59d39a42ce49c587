// A table that is held while somebody looks for what to report, or reads out a ruling: kept while the page
// is used, and given back as soon as it is left.

import { ask, askLeaving } from "../session.js";
import { newId } from "./words.js";

/** @import {PitHold} from "../records.js" */
/** @typedef {import("./main.js").Console} Console */

/** Below so many milliseconds a hold is renewed by a touch. */
const KEEP_BELOW = 60_000;

export class Looking {
  /** @param {Console} console @param {string} place @param {PitHold} hold */
  constructor(console, place, hold) {
    this.console = console;
    this.path = encodeURIComponent(place);
    this.hold = hold;
    this.over = false;
    this.touched = () => this.#keepIfShort();
    this.gone = () => this.leave();
    addEventListener("pointerdown", this.touched);
    addEventListener("keydown", this.touched);
    addEventListener("pagehide", this.gone);
  }

  /** Hold it for as long again from now on; whether that could be done. */
  async keep() {
    const before = this.hold.until;
    try {
      this.hold = (await ask(`/api/pit/tables/${this.path}/hold/keep`, { id: newId(), hold: this.hold.hold })).hold;
      for (const node of document.querySelectorAll(`[data-until="${before}"]`)) node.setAttribute("data-until", this.hold.until);
      return true;
    } catch {
      this.over = true;
      return false;
    }
  }

  #keepIfShort() {
    const left = Date.parse(this.hold.until) - Date.now() - this.console.ahead;
    if (!this.over && left > 0 && left < KEEP_BELOW) this.keep();
  }

  /** Another hold is in its place, or it is given up. */
  leave() {
    removeEventListener("pointerdown", this.touched);
    removeEventListener("keydown", this.touched);
    removeEventListener("pagehide", this.gone);
    if (!this.over) askLeaving(`/api/pit/tables/${this.path}/hold/release`, { id: newId(), hold: this.hold.hold });
    this.over = true;
  }
}
