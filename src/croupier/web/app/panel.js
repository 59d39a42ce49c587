// The panel beside the table: what happened, past rounds (recall), the pay tables, the sign. What stands in it
// but for the log comes when the table is there.

import { h, fill, show } from "./dom.js";
import { ask } from "./session.js";
import { Log } from "./log.js";

/** @import {Cited, HelloMessage, ShuffleMessage, TellingEntry} from "./records.js" */

/** Rounds that the log begins with after a reload: the one in play, and two before it. */
const RECALLED = 3;
/** What is told of a round before these: that it was void, and which one. */
const OF_VOID = new Set(["blinds called", "bets called", "round voided"]);

export class Panel {
  /** @param {string} place @param {import("./seeds.js").Seeds} seeds */
  constructor(place, seeds) {
    this.place = place;
    this.seeds = seeds;
    /** @type {string | null} */
    this.me = null;
    /** Whether the visitor is of the staff, and may open a dispute. */
    this.staff = false;
    this.bound = h("div", { class: "bound" });
    this.rulebook = "";
    this.log = new Log();
    this.rounds = h("div", { class: "rounds" });
    this.pays = h("div", { class: "pay-tables" });
    this.sign = h("div", { class: "sign" });
    /** @type {Map<string, {tab: HTMLButtonElement, body: HTMLElement}>} */
    this.tabs = new Map();
    this.list = h("div", { class: "tabs", role: "tablist", "aria-label": "About this table" });
    this.node = h(
      "aside",
      { class: "panel", id: "panel", "aria-label": "Log, past rounds and sign" },
      this.list,
      h("button", {
        class: "button quiet small shut",
        type: "button",
        text: "Close",
        onclick: () => this.open(false),
      }),
    );
    this.#tab("log", "Log", this.log.node);
    const rounds = h("div", {}, this.bound, this.rounds);
    this.#tab("rounds", "Rounds", rounds, () => this.#readRounds());
    this.#tab("pays", "Pays", this.pays);
    this.#tab("sign", "Sign", this.sign);
    this.list.addEventListener("keydown", (event) => this.#arrows(event));
    this.choose("log");
    /** Who is at the table. @type {string[]} */
    this.names = [];
    /** Lines of the pay tables that his box has hit. @type {Set<string>} */
    this.hit = new Set();
    /** Of a private table. @type {import("./chat.js").Chat | null} */
    this.chat = null;
  }

  /** At a private table players may say something. */
  async openChat() {
    const { Chat } = await import("./chat.js");
    if (this.chat) return;
    this.chat = new Chat(this.place);
    this.#tab("chat", "Chat", this.chat.node);
    this.choose("chat");
  }

  /** The button by which somebody of the table is reported to the pit. */
  #report() {
    return h("button", {
      class: "button quiet small report-player",
      type: "button",
      text: "Report a player …",
      onclick: async () => {
        const { reportPlayer } = await import("./report-player.js");
        reportPlayer(this.place, this.names.filter((name) => name !== this.me));
      },
    });
  }

  /** @param {string} name @param {string} label @param {HTMLElement} inside @param {() => void} [opened] */
  #tab(name, label, inside, opened) {
    const tab = /** @type {HTMLButtonElement} */ (
      h("button", {
        type: "button",
        role: "tab",
        id: `tab-${name}`,
        "aria-controls": `body-${name}`,
        text: label,
        onclick: () => {
          this.choose(name);
          opened?.();
        },
      })
    );
    const body = h(
      "div",
      {
        class: "tab-body",
        role: "tabpanel",
        id: `body-${name}`,
        "aria-labelledby": `tab-${name}`,
        tabindex: "0",
      },
      inside,
    );
    this.tabs.set(name, { tab, body });
    this.list.append(tab);
    this.node.append(body);
  }

  /** @param {string} name */
  choose(name) {
    for (const [each, { tab, body }] of this.tabs) {
      tab.setAttribute("aria-selected", String(each === name));
      tab.tabIndex = each === name ? 0 : -1;
      show(body, each === name);
    }
    if (name === "log") this.#toEnd();
  }

  /** @param {KeyboardEvent} event */
  #arrows(event) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const shown = [...this.tabs.values()].map(({ tab }) => tab).filter((tab) => !tab.hidden);
    const at = shown.findIndex((tab) => tab === document.activeElement);
    const next = shown[(at + step + shown.length) % shown.length];
    next.focus();
    next.click();
    event.preventDefault();
  }

  /** On a small screen the panel is a sheet that opens. @param {boolean} open */
  open(open) {
    this.node.classList.toggle("open", open);
    if (open) [...this.tabs.values()].find(({ tab }) => tab.ariaSelected === "true")?.tab.focus();
  }

  #toEnd() {
    const body = this.tabs.get("log")?.body;
    if (body) body.scrollTop = body.scrollHeight;
  }

  /** @param {TellingEntry[]} events @param {string | null} me */
  tell(events, me) {
    const body = /** @type {HTMLElement} */ (this.tabs.get("log")?.body);
    const atEnd = body.scrollHeight - body.scrollTop - body.clientHeight < 60;
    this.log.tell(events, me);
    if (atEnd) this.#toEnd();
  }

  /** The last rounds, as he saw them: the log of a page that was loaded anew.
   * @param {number} until the position that the page begins with @param {string | null} me */
  async recall(until, me) {
    const path = /** @type {const} */ (`/api/tables/${encodeURIComponent(this.place)}/rounds`);
    const { rounds } = await ask(path);
    /** @type {TellingEntry[]} */
    const found = [];
    const wanted = rounds.filter(({ voided }, at) => at < RECALLED || voided);
    for (const each of wanted.reverse()) {
      const { events } = await ask(`${path}/${each.round}`);
      const whole = rounds.indexOf(each) < RECALLED;
      found.push(...events.filter(({ event }) => whole || OF_VOID.has(event.event)));
    }
    const before = found.filter((told) => told.position <= until);
    this.tell(before, me);
    return before;
  }

  /** @param {string} sentence @param {(string | Cited)[]} cites */
  tellRefusal(sentence, cites) {
    this.log.refused(sentence, cites);
    this.#toEnd();
  }

  /** What the House has bound itself to for the coming deal. @param {ShuffleMessage} message */
  tellShuffle(message) {
    const { stage, number, root, seeds, mixed } = message;
    if (stage === "nothing") {
      fill(this.bound);
      return;
    }
    const names = (mixed ? mixed.seeds : seeds).map(({ player }) =>
      player === this.me ? "you" : player,
    );
    const of = names.length ? ` Seeds of ${names.join(", ")} are part of it.` : "";
    const late = mixed?.unopened.length ? ` Not opened in time: ${mixed.unopened.join(", ")}.` : "";
    fill(
      this.bound,
      h("p", { class: "label", text: `The House has committed to shuffle ${number}.${of}${late}` }),
      h("code", { class: "root", text: root }),
    );
  }

  /** The rounds that are over, with what each can be asked about them. */
  async #readRounds() {
    const { readRounds } = await import("./past-rounds.js");
    const { place, rulebook, me, staff, seeds } = this;
    await readRounds(this.rounds, { place, rulebook, me, staff, seeds });
  }

  /** @param {HelloMessage} hello */
  async setSign(hello) {
    const { sign } = hello;
    this.rulebook = hello.rulebook;
    this.log.rulebook = hello.rulebook;
    this.log.marked = sign.marked;
    const pays = "pays" in sign ? sign.pays : [];
    const payTab = /** @type {{tab: HTMLButtonElement}} */ (this.tabs.get("pays")).tab;
    show(payTab, pays.length > 0);
    if (pays.length && !this.chosen) this.choose("pays");
    this.chosen = true;
    const { payTable, signParts } = await import("./table-info.js");
    fill(this.sign, ...signParts(hello));
    if (hello.you && !this.staff) this.sign.append(this.#report());
    fill(this.pays, ...pays.map(payTable));
    this.markLines(this.hit);
  }

  /** Mark the lines that the player's box has hit. @param {Set<string>} lines */
  markLines(lines) {
    this.hit = lines;
    for (const row of this.pays.querySelectorAll("tr[data-line]")) {
      row.classList.toggle("hit", lines.has(/** @type {HTMLElement} */ (row).dataset.line ?? ""));
    }
  }
}
