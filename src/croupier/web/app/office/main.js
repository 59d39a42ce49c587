// The office: people, duty, cage, tables, links, trays, waiting lists, reports, and the emergency stop.
// Each view is an address; the views are in the files beside this one. The server decides who may what.

import { call, prepare } from "../announce.js";
import { brand } from "../brand.js";
import { capital } from "../desk/words.js";
import { fill, h, setText, show } from "../dom.js";
import { ask, whoAmI } from "../session.js";
import { applySettings } from "../settings.js";
import { cageView } from "./cage.js";
import { dutyView } from "./duty.js";
import { floorView } from "./floor.js";
import { linksView } from "./links.js";
import { peopleView } from "./people.js";
import { reportedView } from "./reported.js";
import { reportsView } from "./reports.js";
import { setupView } from "./setup.js";
import { stopPanel } from "./stop.js";
import { todayView } from "./today.js";
import { traysView } from "./trays.js";
import { waitingView } from "./waiting.js";

/** @import {OfficeGlance} from "../records.js" */

const AGAIN = 4_000;
const LISTS_AGAIN = 15_000;
/** Views that are read once: what they show is asked for, and reads whole logs. */
const ONCE = new Set(["reports"]);

/** @type {[string, string, (office: Office) => Promise<Node[]>][]} */
const VIEWS = [
  ["", "Today", todayView],
  ["people", "People", peopleView],
  ["duty", "Duty", dutyView],
  ["cage", "Cage", cageView],
  ["tables", "Tables", floorView],
  ["links", "Jackpots", linksView],
  ["setup", "Set up", setupView],
  ["trays", "Trays", traysView],
  ["waiting", "Waiting lists", waitingView],
  ["reported", "Reported players", reportedView],
  ["reports", "Reports", reportsView],
];

/** How much waits behind each view. @type {Record<string, (glance: OfficeGlance) => number>} */
const WAITS = {
  cage: ({ waits }) => waits.corrections,
  setup: ({ waits }) => waits.approvals,
  trays: ({ waits }) => waits.slips,
  waiting: ({ waits }) => waits.waiting,
  reported: ({ waits }) => waits.player_reports,
};

export class Office {
  constructor() {
    /** @type {OfficeGlance} */
    this.glance = /** @type {any} */ (null);
    this.turn = 0;
    this.main = h("main", { id: "office", class: "desk office", tabindex: "-1" });
    this.who = h("div", { class: "me" });
    this.stop = h("section", { class: "stop", "aria-label": "Emergency stop" });
    this.nav = h("nav", { class: "views", "aria-label": "The office" });
    this.lost = h("p", { class: "wire", role: "status", hidden: true });
    fill(
      /** @type {Element} */ (document.querySelector("#page")),
      h(
        "header",
        { class: "bar" },
        brand(),
        h("a", { class: "desk-name", href: "#", text: "Office" }),
        h("div", { class: "grow" }),
        this.who,
      ),
      h("div", { class: "top" }, this.nav, this.stop),
      this.main,
      this.lost,
    );
  }

  async start() {
    const me = await whoAmI();
    if (!me.post) return this.closed();
    if (!(await this.read())) return undefined;
    this.#name(me);
    addEventListener("hashchange", () => this.open());
    setInterval(() => document.visibilityState === "visible" && this.read(), AGAIN);
    setInterval(() => document.visibilityState === "visible" && this.refresh(), LISTS_AGAIN);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.refresh());
    return this.open();
  }

  /** Who is here, and at which post. @param {import("../records.js").Me} me */
  #name(me) {
    fill(
      this.who,
      h("strong", { text: me.name ?? "" }),
      h("span", { class: "rank", text: `${capital(me.post ?? "")}${me.on_duty ? "" : ", off duty"}` }),
      h("a", { class: "button quiet small", href: "/pit", text: "Pit" }),
    );
  }

  /** Whether an order may be given by whoever is here; the server asks again. @param {string} what */
  may(what) {
    return this.glance.may.includes(what);
  }

  /** Read what stands and what waits; whether it could be. */
  async read() {
    try {
      this.glance = await ask("/api/office");
      show(this.lost, false);
      stopPanel(this);
      this.#navigation();
      return true;
    } catch (error) {
      const says = /** @type {Error} */ (error).message;
      if (!this.glance) {
        this.closed(says);
        return false;
      }
      setText(this.lost, `${says} Trying again …`);
      show(this.lost, true);
      return true;
    }
  }

  #navigation() {
    const now = location.hash.slice(1);
    const links = VIEWS.map(([hash, title]) => {
      const waits = WAITS[hash]?.(this.glance) ?? 0;
      return h(
        "a",
        { href: `#${hash}`, "aria-current": hash === now ? "page" : null },
        title,
        waits ? h("span", { class: "count", text: String(waits), "aria-label": `${waits} waiting` }) : null,
      );
    });
    const before = [...this.nav.children].map((each) => each.outerHTML).join();
    if (before !== links.map((each) => each.outerHTML).join()) {
      const held = [...this.nav.children].indexOf(/** @type {Element} */ (document.activeElement));
      fill(this.nav, ...links);
      if (held >= 0) /** @type {HTMLElement} */ (this.nav.children[held]).focus();
      this.nav.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    }
  }

  /** Show what the address names. */
  async open() {
    this.turn += 1;
    const turn = this.turn;
    const [, title, make] = VIEWS.find(([hash]) => hash === location.hash.slice(1)) ?? VIEWS[0];
    this.#navigation();
    let parts;
    try {
      parts = await make(this);
    } catch (error) {
      parts = [h("p", { class: "wrong", role: "alert", text: /** @type {Error} */ (error).message })];
    }
    if (turn !== this.turn) return;
    const heading = h("h1", { text: title, tabindex: "-1" });
    fill(this.main, heading, ...parts);
    document.title = `${title} · Office`;
    scrollTo(0, 0);
    heading.focus({ preventScroll: true });
  }

  /** Read the lists of the view again: others count, sign and call as well. Forms stay as they are. */
  async refresh() {
    const hash = location.hash.slice(1);
    const [, , make] = VIEWS.find(([each]) => each === hash) ?? VIEWS[0];
    if (ONCE.has(hash)) return;
    const turn = this.turn;
    const parts = await make(this).catch(() => []);
    if (turn !== this.turn) return;
    const now = [...this.main.querySelectorAll("[data-list]")];
    for (const made of parts) {
      if (!(made instanceof HTMLElement) || !made.dataset.list) continue;
      const before = now.find((each) => /** @type {HTMLElement} */ (each).dataset.list === made.dataset.list);
      if (before && before.outerHTML !== made.outerHTML && !before.contains(document.activeElement)) before.replaceWith(made);
    }
  }

  /** Give the office an order, show the view again, and say what came of it.
   * @param {Record<string, unknown>} command @param {string} [secret] */
  async order(command, secret) {
    const id = crypto.randomUUID();
    const asked = secret ? { id, command, secret } : { id, command };
    const { told } = await ask("/api/office/commands", asked);
    return this.did(told.join(" "));
  }

  /** Something was done: everything is read again, and it is said. @param {string} says */
  async did(says) {
    await this.read();
    this.#name(await whoAmI()); // one's own duty may have begun or ended with it
    await this.open();
    this.main.querySelector("h1")?.after(h("p", { class: "told note", role: "status", text: says }));
    call(says);
    return says;
  }

  /** What somebody is told who may not. @param {string} what @param {string} roles */
  takes(what, roles) {
    return h("p", { class: "soft takes", text: `To ${what} takes ${roles}.` });
  }

  /** The office does not let one in. @param {string} [says] */
  closed(says) {
    fill(this.stop);
    fill(this.nav);
    fill(
      this.main,
      h(
        "section",
        { class: "calm" },
        h("h1", { text: "For the staff of the House", tabindex: "-1" }),
        h("p", {
          class: "says",
          text: says || "The office is for the staff of the House; log in as one of them, or try a post at the staff door of the lobby.",
        }),
        h("div", { class: "row" }, h("a", { class: "button main", href: "/", text: "To the lobby" })),
      ),
    );
  }
}

applySettings();
prepare();
new Office().start();
