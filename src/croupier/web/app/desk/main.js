// The ruling desk: a book, what happened, the few facts that matter, the ruling. One view after the
// other, each of them an address; the views are in the files beside this one.

import { h, fill, setText, show } from "../dom.js";
import { prepare, call } from "../announce.js";
import { brand } from "../brand.js";
import { listen } from "../keys.js";
import { applySettings } from "../settings.js";
import { booksView, happenedView } from "./choose.js";
import { device, remember } from "./device.js";
import { hello } from "./hello.js";
import { factView, impossibleView } from "./facts.js";
import { aboutDevice, aboutWords } from "./about.js";
import { asks, entryIn, place, readHash, writeHash } from "./place.js";
import { rulingView } from "./ruling.js";
import { NotDone, ask, remembered, tellOnLeaving } from "./server.js";
import { slipView } from "./slip.js";
import { keysOfTheDesk } from "./keyboard.js";

/** @typedef {import("./place.js").Place} Place */
/** @typedef {{id: string, status: string, answer: any, before: any[], decided?: string,
 *   why?: string, when?: string, notes?: any[], barred?: string}} Reply */

const BUSY_AFTER = 350;

export class Desk {
  constructor() {
    /** @type {any[]} */
    this.books = [];
    /** @type {import("./hello.js").Hello | null} */
    this.known = null;
    this.here = place();
    /** @type {Reply | null} what was answered last, to what stands here */
    this.reply = null;
    /** @type {Record<string, string>} what the options that were chosen are called */
    this.chosen = {};
    /** @type {Map<string, any>} whole questions that are no incident, by entry */
    this.whole = new Map();
    this.turn = 0;
    this.view = h("main", { id: "desk", class: "desk", tabindex: "-1" });
    this.about = h("button", {
      class: "button quiet small about",
      type: "button",
      onclick: () => aboutDevice(this),
    });
    this.back = h("button", {
      class: "button quiet small back",
      type: "button",
      text: "‹ Back",
      "aria-keyshortcuts": "Escape",
      onclick: () => this.goBack(),
    });
    this.busy = h("p", { class: "busy", text: "Asking the book …", hidden: true });
    this.bar = h(
      "header",
      { class: "bar" },
      brand(),
      h("a", { class: "desk-name", href: "/ask", text: "Ruling desk", onclick: this.#home }),
      h("div", { class: "grow" }),
      this.back,
      this.about,
    );
    fill(/** @type {Element} */ (document.querySelector("#page")), this.bar, this.view, this.busy);
  }

  /** @param {Event} event */
  #home = (event) => {
    event.preventDefault();
    this.go(place({ book: this.here.book }));
  };

  async start() {
    addEventListener("popstate", () => this.open(readHash(location.hash)));
    addEventListener("pagehide", () => this.#leave());
    addEventListener("pageshow", (event) => event.persisted && this.open(this.here));
    keysOfTheDesk(this);
    this.known = await hello();
    if (!this.known) return undefined;
    this.showAbout();
    this.books = await remembered("/api/ask/books");
    const entry = entryIn(location.pathname);
    if (entry?.slip) return slipView(this, entry.id);
    if (entry) return this.#openEntry(entry.id);
    const here = readHash(location.hash);
    if (!here.book && !asks(here)) {
      here.book = this.hasBook(device().book ?? "");
      history.replaceState({ depth: 0 }, "", `/ask${writeHash(here)}`);
    }
    return this.open(here, true);
  }

  /** The book's name, if there is such a book. @param {string} name */
  hasBook(name) {
    return this.books.some((book) => book.id === name) ? name : "";
  }

  /** @param {string} [name] */
  book(name = this.here.book) {
    return this.books.find((book) => book.id === name);
  }

  showAbout() {
    setText(this.about, aboutWords(this));
  }

  /** Go to another place; what was left can be gone back to. @param {Place} next */
  go(next) {
    const depth = (history.state?.depth ?? 0) + 1;
    history.pushState({ depth }, "", `/ask${writeHash(next)}`);
    return this.open(next);
  }

  goBack() {
    if (history.state?.depth) history.back();
    else if (asks(this.here)) this.go(place({ book: this.here.book }));
    else if (this.here.book) this.go(place());
  }

  /** @param {Place} next @param {boolean} [first] whether the page has just been loaded */
  async open(next, first = false) {
    if (this.here.id && this.here.id !== next.id) this.#leave();
    this.here = next;
    this.turn += 1;
    const turn = this.turn;
    show(this.back, asks(next));
    try {
      if (!asks(next)) {
        this.reply = null;
        return await this.#choose(turn);
      }
      const reply = await this.#busy(this.#ask(next, first));
      if (turn !== this.turn) return undefined;
      this.reply = reply;
      this.#keepId(reply.id);
      return this.#show(reply);
    } catch (error) {
      if (turn === this.turn) this.#say(/** @type {Error} */ (error));
      return undefined;
    }
  }

  /** @param {number} turn */
  async #choose(turn) {
    const { book } = this.here;
    if (!this.book(book)) return this.put(booksView(this), "Which game?");
    remember({ book });
    const found = await remembered(`/api/ask/books/${encodeURIComponent(book)}`);
    if (turn === this.turn) this.put(happenedView(this, found), "What happened?");
    return undefined;
  }

  /** @param {Place} here @param {boolean} first @returns {Promise<Reply>} */
  async #ask(here, first) {
    if (first && here.id) {
      const entry = await this.#entry(here.id);
      if (!entry) return this.#put({ ...here, id: "" });
      if (!here.incident && !here.source) return this.#fromEntry(entry);
      if (entry.status === "decided") return { before: [], ...entry };
    }
    return this.#put(here);
  }

  /** Put the question. @param {Place} here @returns {Promise<Reply>} */
  async #put(here) {
    const { who = "", area = "" } = device();
    const question = await this.#question(here);
    return ask("/api/ask", { ...(here.id ? { id: here.id } : {}), who, area, question });
  }

  /** @param {Place} here */
  async #question(here) {
    const { answers, facts } = here;
    const policies = device().policies?.[here.book] ?? {};
    if (here.incident)
      return { rulebook: here.book, incident: here.incident, facts, answers, policies };
    const whole = here.source
      ? (await remembered(casePath(here))).question
      : this.whole.get(here.id);
    return { ...whole, answers };
  }

  /** @param {string} id */
  async #entry(id) {
    try {
      return await ask(`/api/ask/${encodeURIComponent(id)}`);
    } catch (error) {
      if (error instanceof NotDone && error.status === 404) return null;
      throw error;
    }
  }

  /** A link to an entry: go on from there. @param {string} id */
  async #openEntry(id) {
    history.replaceState({ depth: 0 }, "", `/ask${writeHash(place({ id }))}`);
    return this.open(place({ id }), true);
  }

  /** @param {any} entry @returns {Promise<Reply>} */
  async #fromEntry(entry) {
    const { question } = entry;
    this.here = place({
      book: question.rulebook,
      incident: question.incident ?? "",
      facts: question.facts ?? {},
      answers: question.answers ?? [],
      id: entry.id,
    });
    if (!question.incident) this.whole.set(entry.id, question);
    if (entry.status === "decided") return { before: [], ...entry };
    return this.#put(this.here);
  }

  /** The entry is part of the address, so that loading again goes on with it. @param {string} id */
  #keepId(id) {
    this.here = { ...this.here, id };
    history.replaceState(history.state ?? { depth: 0 }, "", `/ask${writeHash(this.here)}`);
  }

  /** Say that it takes a moment, if it does. @template T @param {Promise<T>} work */
  async #busy(work) {
    const says = setTimeout(() => show(this.busy, true), BUSY_AFTER);
    this.view.setAttribute("aria-busy", "true");
    try {
      return await work;
    } finally {
      clearTimeout(says);
      show(this.busy, false);
      this.view.removeAttribute("aria-busy");
    }
  }

  /** @param {Reply} reply */
  #show(reply) {
    const { answer } = reply;
    if (answer.impossible) this.put(impossibleView(this, answer), "That cannot be.");
    else if (answer.ruling) this.put(rulingView(this, reply), answer.title);
    else this.put(factView(this, answer), answer.open[0].ask);
  }

  /** The desk does not let one in. @param {Error} error */
  closed(error) {
    this.put(
      h(
        "section",
        { class: "calm" },
        h("h1", { text: "The desk is closed to you", tabindex: "-1" }),
        h("p", { class: "says", text: error.message }),
        h(
          "div",
          { class: "row" },
          h("a", { class: "button main", href: "/", text: "To the lobby" }),
        ),
      ),
      "Closed",
    );
  }

  /** What could not be asked, and the way back. @param {Error} error */
  #say(error) {
    if (error.name === "AbortError") return;
    const again = h("button", {
      class: "button main",
      type: "button",
      text: "Ask something else",
      onclick: () => this.go(place({ book: this.hasBook(this.here.book) })),
    });
    const path = error instanceof NotDone && error.path ? `At fault: ${error.path}` : "";
    const log = error instanceof NotDone && ["log", "damaged"].includes(error.error);
    const retry = h("button", {
      class: "button main",
      type: "button",
      text: "Try again",
      onclick: () => this.open(this.here),
    });
    if (log) again.classList.remove("main");
    this.put(
      h(
        "section",
        { class: "calm" },
        h("h1", { text: log ? "The log is in trouble" : "This could not be asked", tabindex: "-1" }),
        h("p", { class: "says", text: error.message }),
        log ? h("p", { class: "small-words", text: "Tell whoever runs the desk. What you have said is kept here." }) : null,
        path ? h("p", { class: "small-words", text: path }) : null,
        h("div", { class: "row" }, log ? retry : null, again),
      ),
      "This could not be asked",
    );
  }

  /** Show a view and read it from its beginning. @param {HTMLElement} node @param {string} title */
  put(node, title) {
    fill(this.view, node);
    this.view.dataset.turn = String(this.turn);
    document.title = `${title} · Ruling desk`;
    scrollTo(0, 0);
    const heading = node.querySelector("h1");
    if (heading instanceof HTMLElement) heading.focus({ preventScroll: true });
    call(node.dataset.says ?? "");
  }

  /** A question that is left before it is answered is told to the server. */
  #leave() {
    if (this.reply?.status === "open" && this.reply.id === this.here.id)
      tellOnLeaving(`/api/ask/${encodeURIComponent(this.reply.id)}/abandoned`);
  }
}

/** @param {Place} here */
function casePath({ source, book }) {
  const words = source.split("/").map(encodeURIComponent).join("/");
  return `/api/ask/case/${words}?book=${encodeURIComponent(book)}`;
}

applySettings();
prepare();
listen();
const desk = new Desk();
desk.start().catch((error) => desk.closed(error));
