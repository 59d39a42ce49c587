// A few words at a private table. Words are text, whatever is in them. Whom one does not want to read
// is muted, in this browser alone.

import { h, fill, setText, show } from "./dom.js";
import { ask } from "./session.js";
import { copyLink } from "./private-table.js";

/** @import {ChatMessage} from "./records.js" */

const KEY = "croupier-muted";
const MOST = 140;
const EVERYBODY = "*";

export class Chat {
  /** @param {string} place */
  constructor(place) {
    this.path = /** @type {const} */ (`/api/tables/${encodeURIComponent(place)}/chat`);
    /** @type {ChatMessage[]} */
    this.lines = [];
    this.list = h("ol", { class: "chat-lines", "aria-live": "polite" });
    this.all = h("button", { class: "button quiet small", type: "button", onclick: () => this.#mute(EVERYBODY) });
    this.words = /** @type {HTMLInputElement} */ (
      h("input", { type: "text", maxlength: MOST, autocomplete: "off", "aria-label": "Say something" })
    );
    this.wrong = h("p", { class: "wrong", role: "alert" });
    const form = h(
      "form",
      { class: "chat-say" },
      this.words,
      h("button", { class: "button", type: "submit", text: "Say" }),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#say();
    });
    this.node = h(
      "div",
      { class: "chat" },
      h("p", { class: "label", text: "A private table. Send its link to whom you want to play with:" }),
      copyLink(location.href.split("#")[0]),
      this.list,
      form,
      this.wrong,
      h("p", { class: "label", text: "What is said is on record." }),
      this.all,
    );
    this.#draw();
    ask(this.path).then(
      ({ lines }) => {
        this.lines = [...lines, ...this.lines];
        this.#draw();
      },
      () => undefined, // without them it begins here
    );
  }

  /** @param {ChatMessage} line */
  hear(line) {
    this.lines.push(line);
    this.#draw();
  }

  async #say() {
    const words = this.words.value.trim();
    if (!words) return;
    try {
      await ask(this.path, { words });
      this.words.value = "";
      setText(this.wrong, "");
    } catch (error) {
      setText(this.wrong, /** @type {Error} */ (error).message);
    }
  }

  /** @param {string} whom */
  #mute(whom) {
    const now = muted();
    if (!now.delete(whom)) now.add(whom);
    localStorage.setItem(KEY, JSON.stringify([...now]));
    this.#draw();
  }

  #draw() {
    const quiet = muted();
    const none = quiet.has(EVERYBODY);
    setText(this.all, none ? "Read everybody again" : "Mute everybody");
    show(this.list, !none);
    fill(
      this.list,
      ...this.lines.map(({ player, words }) =>
        h(
          "li",
          { class: quiet.has(player) ? "muted" : "" },
          h("b", { text: player }),
          h("span", { text: quiet.has(player) ? "muted" : words }),
          h("button", {
            class: "button quiet small",
            type: "button",
            text: quiet.has(player) ? "Unmute" : "Mute",
            "aria-label": `${quiet.has(player) ? "Unmute" : "Mute"} ${player}`,
            onclick: () => this.#mute(player),
          }),
        ),
      ),
    );
    this.list.scrollTop = this.list.scrollHeight;
  }
}

/** @returns {Set<string>} */
function muted() {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEY) ?? "[]"));
  } catch {
    return new Set();
  }
}
