// What a player wants to do with his seat as soon as the table lets him: leave, sit out, add chips. The
// server keeps it and does it when the time has come; here it is shown as waiting, and can be taken back.

import { h, patchList, setText, show } from "./dom.js";
import { money } from "./money.js";
import { ask, NotDone } from "./session.js";

/** @import {WishBody, WishesNow} from "./records.js" */

const NOTHING = { leave: false, sit_out: false, add: 0, says: "" };

export class Wishes {
  /** @param {string} place @param {() => void} changed @param {(sentence: string) => void} say */
  constructor(place, changed, say) {
    this.path = /** @type {const} */ (`/api/tables/${encodeURIComponent(place)}/wishes`);
    this.changed = changed;
    this.say = say;
    /** @type {WishesNow} */
    this.now = NOTHING;
    this.seated = false;
    this.node = h("ul", { class: "wishes", "aria-label": "What waits for its moment" });
    show(this.node, false);
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
    /** @type {{key: string, says: string, back: WishBody}[]} */
    const rows = [];
    if (now.leave)
      rows.push({ key: "leave", says: "You leave after this round. You may go now: your chips follow.", back: { leave: false } });
    if (now.sit_out)
      rows.push({ key: "out", says: "You sit out after this hand.", back: { sit_out: false } });
    if (now.add)
      rows.push({ key: "add", says: `${money(now.add)} will be added after this round.`, back: { add: 0 } });
    patchList(
      this.node,
      rows,
      (row) => row.key,
      (row) => this.#row(row),
      (node, row) => setText(node.firstElementChild, row.says),
    );
    show(this.node, rows.length > 0);
    if (now.says && now.says !== before.says) this.say(now.says);
    if (JSON.stringify(before) !== JSON.stringify(now)) this.changed();
  }

  /** @param {{says: string, back: WishBody, key: string}} row */
  #row({ says, back, key }) {
    return h(
      "li",
      { class: "line" },
      h("span", { class: "says", role: "status", text: says }),
      h("button", {
        class: "button quiet small",
        type: "button",
        text: "Take back",
        onclick: () => this.wish(back),
      }),
      key === "leave" ? h("a", { class: "button quiet small", href: "/", text: "To the lobby" }) : null,
    );
  }
}
