// The dealer school. The server makes the exercises and marks the answers; the page shows them. What is
// right is not in the page before it was answered.

import { h, fill, setText, show } from "../dom.js";
import { brand } from "../brand.js";
import { whoAmI } from "../session.js";
import { applySettings } from "../settings.js";
import * as announce from "../announce.js";
import { homeView } from "./home.js";
import { lessonView } from "./lesson.js";
import { certificateView } from "./certificate.js";
import { traineesView } from "./trainees.js";

/** @import {Me} from "../records.js" */

/**
 * @typedef {object} View what stands in the middle of the page
 * @property {string} title
 * @property {string} [under]
 * @property {HTMLElement} node
 * @property {() => void} [leave]
 */

export class School {
  constructor() {
    /** @type {Me | null} */
    this.me = null;
    /** @type {View | null} */
    this.view = null;
    this.title = h("h1", { text: "Dealer school", tabindex: "-1" });
    this.under = h("p", { class: "label under" });
    this.name = h("span", { class: "label" });
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.main = h("main", { id: "school", tabindex: "-1" });
    fill(
      /** @type {Element} */ (document.querySelector("#page")),
      h(
        "header",
        { class: "bar" },
        brand(),
        h("div", { class: "title" }, this.title, this.under),
        h("span", { class: "grow" }),
        this.name,
        h("a", { class: "button quiet small", href: "/rules", text: "Rulebooks" }),
      ),
      this.problem,
      this.main,
    );
    document.addEventListener("click", (event) => this.#follow(event));
    addEventListener("popstate", () => void this.open());
  }

  /** Show what the address names. */
  async open() {
    this.view?.leave?.();
    this.view = null;
    show(this.problem, false);
    try {
      this.me = await whoAmI();
      setText(this.name, this.me.name ?? "");
      this.draw(await this.#made(location.pathname));
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {string} path @returns {Promise<View>} */
  #made(path) {
    const [, , what = "", id = ""] = path.split("/").map(decodeURIComponent);
    if (what === "lesson") return lessonView(this, id);
    if (what === "certificate") return certificateView(this, id);
    if (what === "trainees") return traineesView(this);
    return homeView(this);
  }

  /** @param {View} view */
  draw(view) {
    this.view = view;
    setText(this.title, view.title);
    setText(this.under, view.under ?? "");
    document.title = `${view.title} · croupier`;
    fill(this.main, view.node);
  }

  /** Go to an address of the school. @param {string} path */
  async go(path) {
    history.pushState(null, "", path);
    await this.open();
    scrollTo(0, 0);
  }

  /** @param {unknown} error */
  fail(error) {
    const says = error instanceof Error ? error.message : String(error);
    setText(this.problem, says);
    show(this.problem, true);
    announce.tell(says);
    if (!this.main.childElementCount)
      fill(this.main, h("p", { class: "front" }, h("a", { href: "/school", text: "Back to the school" })));
  }

  /** Links within the school need no new page. @param {MouseEvent} event */
  #follow(event) {
    const link = /** @type {Element} */ (event.target).closest("a");
    const plain = !(event.ctrlKey || event.metaKey || event.shiftKey) && event.button === 0;
    if (!link || !plain || link.target || link.origin !== location.origin) return;
    if (!/^\/school(\/|$)/.test(link.pathname)) return;
    event.preventDefault();
    void this.go(link.pathname);
  }
}

applySettings();
void new School().open();
