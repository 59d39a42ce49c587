// The pit console: the floor, a table and what can be reported there, the ruling before it is confirmed,
// decisions that wait, jackpots. Each view is an address; the views are in the files beside this one.

import { h, fill, setText, show } from "../dom.js";
import { prepare, call } from "../announce.js";
import { brand } from "../brand.js";
import { listen } from "../keys.js";
import { ask, exit, whoAmI } from "../session.js";
import { applySettings } from "../settings.js";
import { useToken } from "../desk/server.js";
import { capital } from "../desk/words.js";
import { badgeWords, noteWaiting } from "./alert.js";
import { decisionView } from "./decision.js";
import { floorView } from "./floor.js";
import { linkView } from "./link.js";
import { slipView } from "./slip.js";
import { openPost } from "./post.js";
import { reportedLink } from "./reported.js";
import { rulingView } from "./ruling.js";
import { reportView, tableView } from "./table.js";
import { span } from "./words.js";

/** @import {PitFloor} from "../records.js" */
/** @typedef {{view: HTMLElement, title: string, update?: (floor: PitFloor) => void, leave?: () => void}} View */

const AGAIN = 2_000;
const SELDOM = 8_000;

export class Console {
  constructor() {
    /** @type {PitFloor | null} */
    this.floor = null;
    this.area = "";
    /** Whether it is the demonstration. */
    this.play = false;
    /** Who looks at it. */
    this.name = "";
    /** How far the server's clock is ahead of this one. */
    this.ahead = 0;
    /** @type {View | null} */
    this.shown = null;
    this.turn = 0;
    this.main = h("main", { id: "pit", class: "desk pit", tabindex: "-1" });
    this.who = h("div", { class: "me" });
    this.lost = h("p", { class: "wire", role: "status", hidden: true });
    this.back = h("a", { class: "button quiet back", href: "#", text: "‹ Floor", "aria-keyshortcuts": "Escape", hidden: true });
    fill(
      /** @type {Element} */ (document.querySelector("#page")),
      h(
        "header",
        { class: "bar" },
        brand(),
        h("a", { class: "desk-name", href: "/pit", text: "Pit" }),
        this.back,
        h("div", { class: "grow" }),
        this.who,
      ),
      this.main,
      this.lost,
    );
  }

  async start() {
    const me = await whoAmI();
    useToken(me.token);
    this.play = me.mode === "demonstration";
    this.name = me.name ?? "";
    if (me.post && !me.on_duty && this.play) return this.closed("Nothing was heard of you for a while, so your post was given up. Take one again at the staff door.", true);
    if (!me.post || !me.on_duty) return this.closed(me.post ? "You are not on duty; go on duty first." : "");
    fill(
      this.who,
      reportedLink(),
      h(
        "button",
        { class: "button quiet post", type: "button", "aria-haspopup": "dialog", onclick: () => openPost(me) },
        h("strong", { text: me.name ?? "" }),
        h("span", { class: "rank", text: capital(me.rank) }),
      ),
    );
    addEventListener("hashchange", () => this.open());
    addEventListener("keydown", (event) => this.#escape(event));
    if (!(await this.read())) return undefined;
    await this.open();
    this.#again();
    setInterval(() => this.tick(), 1_000);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.read());
    return undefined;
  }

  #again() {
    setTimeout(async () => {
      await this.read();
      this.#again();
    }, document.visibilityState === "visible" ? AGAIN : SELDOM);
  }

  /** @param {KeyboardEvent} event */
  #escape(event) {
    if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    if (location.hash) location.hash = "";
  }

  /** Read the floor; whether it could be. */
  async read() {
    try {
      const floor = await ask("/api/pit");
      this.ahead = Date.parse(floor.now) - Date.now();
      this.floor = floor;
      show(this.lost, false);
      noteWaiting(floor.mine);
      this.#title();
      this.shown?.update?.(floor);
      this.tick();
      return true;
    } catch (error) {
      if (!this.floor) {
        this.closed(/** @type {Error} */ (error).message);
        return false;
      }
      setText(this.lost, `${/** @type {Error} */ (error).message} Trying again …`);
      show(this.lost, true);
      return true;
    }
  }

  /** Clocks go on between two looks at the floor. */
  tick() {
    const now = Date.now() + this.ahead;
    for (const node of this.main.querySelectorAll("[data-since]"))
      setText(node, span(now - Date.parse(/** @type {HTMLElement} */ (node).dataset.since ?? "")));
    for (const node of this.main.querySelectorAll("[data-until]"))
      setText(node, span(Date.parse(/** @type {HTMLElement} */ (node).dataset.until ?? "") - now));
  }

  /** @param {string} place */
  tile(place) {
    return this.floor?.tables.find((tile) => tile.place === place);
  }

  /** Show what the address names. */
  async open() {
    this.turn += 1;
    const turn = this.turn;
    const [kind, place = "", number = ""] = location.hash.slice(1).split("/").map(decodeURIComponent);
    try {
      /** @type {View} */
      const made =
        kind === "table"
          ? await tableView(this, place)
          : kind === "report"
            ? await reportView(this, place)
            : kind === "ruling"
              ? await rulingView(this, place)
              : kind === "decision"
                ? await decisionView(this, place, Number(number))
                : kind === "link"
                  ? await linkView(this, place)
                  : kind === "slip"
                    ? await slipView(this, place, Number(number))
                    : floorView(this);
      if (turn === this.turn) this.put(made);
      else made.leave?.();
    } catch (error) {
      if (turn === this.turn) this.put(this.notice(capital(/** @type {Error} */ (error).message)));
    }
  }

  /** @param {View} made */
  put(made) {
    this.shown?.leave?.();
    this.shown = made;
    fill(this.main, made.view);
    show(this.back, location.hash.length > 1);
    if (this.floor) made.update?.(this.floor);
    this.#title();
    this.tick();
    scrollTo(0, 0);
    const heading = made.view.querySelector("h1");
    if (heading instanceof HTMLElement) heading.focus({ preventScroll: true });
    call(made.view.dataset.says ?? "");
  }

  #title() {
    document.title = `${badgeWords(this.floor?.mine ?? 0)}${this.shown?.title ?? "Pit"} · Pit`;
  }

  /** Something to be read, and the way on. @param {string} says @param {string} [title] @param {Node[]} more
   * @returns {View} */
  notice(says, title = "Not now", ...more) {
    return {
      title,
      view: h(
        "section",
        { class: "calm", "data-says": says },
        h("h1", { text: title, tabindex: "-1" }),
        h("p", { class: "says", text: says }),
        ...more,
        h("div", { class: "row" }, h("a", { class: "button main", href: "#", text: "To the floor" })),
      ),
    };
  }

  /** The console does not let one in. @param {string} says @param {boolean} [leaves] whether the name is given up, too */
  closed(says, leaves = false) {
    const out = async () => {
      await exit();
      location.assign("/");
    };
    fill(
      this.main,
      h(
        "section",
        { class: "calm" },
        h("h1", { text: "For staff on duty", tabindex: "-1" }),
        h("p", { class: "says", text: says || "The console is for the staff of the House; log in as one of them, or try a post at the staff door of the lobby." }),
        h(
          "div",
          { class: "row" },
          leaves
            ? h("button", { class: "button main", type: "button", text: "To the staff door", onclick: out })
            : h("a", { class: "button main", href: "/", text: "To the lobby" }),
        ),
      ),
    );
  }
}

applySettings();
prepare();
listen();
const pit = new Console();
pit.start().catch((error) => pit.closed(error.message));
