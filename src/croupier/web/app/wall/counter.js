// An amount that moves smoothly to the true one. It climbs and never runs ahead: what is shown is at
// most what the server said last. A fall is shown at once.

import { setText } from "../dom.js";
import { meter } from "../money.js";

/** Milliseconds for a climb: as long as it takes until the server is asked again. */
const CLIMB = 1_000;

export class Counter {
  #from = 0;
  #to = -1;
  #began = 0;
  #shown = -1;
  #frame = 0;

  /** @param {HTMLElement} node @param {boolean} still whether nothing may move */
  constructor(node, still) {
    this.node = node;
    this.still = still;
  }

  /** The server says that it stands at this many cents. @param {number} cents */
  set(cents) {
    if (cents === this.#to) return;
    const jumps = this.#shown < 0 || cents < this.#shown || this.still;
    this.#from = jumps ? cents : this.#shown;
    this.#to = cents;
    this.#began = performance.now();
    if (jumps) this.#write(cents);
    else if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#move());
  }

  /** Nothing is known any more. */
  clear() {
    this.#to = this.#shown = -1;
    setText(this.node, "–");
  }

  #move() {
    this.#frame = 0;
    if (this.#to < 0) return;
    const part = Math.min(1, (performance.now() - this.#began) / CLIMB);
    const now = Math.floor(this.#from + (this.#to - this.#from) * part);
    this.#write(Math.min(now, this.#to));
    if (part < 1) this.#frame = requestAnimationFrame(() => this.#move());
  }

  /** @param {number} cents */
  #write(cents) {
    this.#shown = cents;
    setText(this.node, meter(cents));
    this.node.style.setProperty("--chars", String(meter(this.#to).length));
  }
}
