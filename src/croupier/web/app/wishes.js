// What a player wants to do with his seat as soon as the table lets him: leave, sit out, add chips. The
// server keeps it and does it when the time has come. Until then the button that asked for it says that it
// waits, and takes it back: nothing comes or goes beside the buttons that cost money, and none of them moves.

import { h, setAttr, setText } from "./dom.js";
import { counts, meansNow } from "./guard.js";
import { money } from "./money.js";
import { ask, NotDone } from "./session.js";

/** @import {WishBody, WishesNow} from "./records.js" */

/** @typedef {{kind: "leave" | "sit_out" | "add", text: string, node: HTMLElement}} SeatButton */

const NOTHING = { leave: false, sit_out: false, add: 0, says: "" };
/** What a button says while its wish waits. @type {Record<SeatButton["kind"], (now: WishesNow) => string>} */
const WAITS = {
  leave: () => "Leaving",
  sit_out: () => "Sitting out",
  add: (now) => `+${money(now.add)}`,
};
/** The same as a sentence, told once. @type {Record<SeatButton["kind"], (now: WishesNow) => string>} */
const SAYS = {
  leave: () => "You leave after this round. If you go now, a hand in play is checked or folded; your chips follow.",
  sit_out: () => "You sit out after this hand.",
  add: (now) => `${money(now.add)} will be added after this round.`,
};
/** What is said when it was taken back. @type {Record<SeatButton["kind"], string>} */
const BACK = { leave: "You stay.", sit_out: "You play on.", add: "No chips will be added." };

export class Wishes {
  /** @param {string} place @param {() => void} changed @param {(sentence: string) => void} say */
  constructor(place, changed, say) {
    this.path = /** @type {const} */ (`/api/tables/${encodeURIComponent(place)}/wishes`);
    this.changed = changed;
    this.say = say;
    /** @type {WishesNow} */
    this.now = NOTHING;
    this.seated = false;
    /** The buttons of his seat, each with what it wishes for. @type {SeatButton[]} */
    this.buttons = [];
  }

  /** A button of his seat. @param {SeatButton["kind"]} kind @param {string} text @param {() => void} press */
  button(kind, text, press) {
    const node = h("button", { class: "button quiet small", type: "button", text });
    node.addEventListener("click", (event) => {
      if (!counts(event)) return;
      if (this.now[kind]) this.#takeBack(kind);
      else press();
    });
    this.buttons.push({ kind, text, node });
    this.#show(this.buttons[this.buttons.length - 1]);
    return node;
  }

  /** @param {SeatButton["kind"]} kind */
  async #takeBack(kind) {
    const problem = await this.wish({ [kind]: kind === "add" ? 0 : false });
    this.say(problem ?? BACK[kind]);
  }

  /** Wish for something; it is done at once if it may be. @param {WishBody} body
   * @returns {Promise<string | null>} what is wrong, or null */
  async wish(body) {
    try {
      this.#take(await ask(this.path, body));
      return null;
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      return error.message;
    }
  }

  /** The table has changed. @param {boolean} seated whether he sits there
   * @param {boolean} between whether no round is under way */
  async look(seated, between) {
    const came = seated && !this.seated;
    this.seated = seated;
    if (!seated) this.#take(NOTHING);
    else if (came || (between && this.waits)) {
      try {
        this.#take(await ask(this.path));
      } catch {
        // It is asked again with the next change.
      }
    }
  }

  get waits() {
    return this.now.leave || this.now.sit_out || this.now.add > 0;
  }

  /** @param {WishesNow} now */
  #take(now) {
    const before = this.now;
    this.now = now;
    this.buttons.forEach((each) => this.#show(each));
    if (now.says && now.says !== before.says) this.say(now.says);
    for (const { kind } of this.buttons) {
      if (now[kind] && now[kind] !== before[kind]) this.say(SAYS[kind](now));
    }
    if (JSON.stringify(before) !== JSON.stringify(now)) this.changed();
  }

  /** @param {SeatButton} button */
  #show({ kind, text, node }) {
    const waits = Boolean(this.now[kind]);
    setText(node, waits ? `${WAITS[kind](this.now)} · take back` : text);
    setAttr(node, "title", waits ? SAYS[kind](this.now) : null);
    node.classList.toggle("waiting", waits);
    meansNow(node, waits ? "take back" : kind);
  }
}
