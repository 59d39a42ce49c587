// The log for managers: what was asked and decided, and in small pictures what goes wrong most.

import { h, fill, setText } from "../dom.js";
import { brand } from "../brand.js";
import { paragraphName } from "../rules.js";
import { bars, hours } from "./bars.js";
import { hello } from "./hello.js";
import { ask } from "./server.js";
import { capital, clock, plainly } from "./words.js";

const STATUS = {
  "": "All",
  open: "Open",
  ruled: "Ruled",
  decided: "Decided",
  abandoned: "Left",
};
const NAMES = ["from", "to", "book", "area", "status"];

class Log {
  /** @param {any[]} books */
  constructor(books) {
    this.books = books;
    this.known = new URLSearchParams(location.search);
    this.csv = h("a", { class: "button", text: "As CSV", download: "" });
    this.count = h("p", { class: "count", role: "status" });
    this.figures = h("div", { class: "figures" });
    this.rows = h("tbody", {});
    this.wrong = h("p", { class: "wrong", role: "alert" });
    this.turn = 0;
    fill(
      /** @type {Element} */ (document.querySelector("#page")),
      h(
        "header",
        { class: "bar" },
        brand(),
        h("a", { class: "desk-name", href: "/ask", text: "Ruling desk" }),
        h("div", { class: "grow" }),
      ),
      h(
        "main",
        { class: "desk log" },
        h("div", { class: "log-head" }, h("h1", { text: "What was asked" }), this.csv),
        this.#filters(),
        this.wrong,
        this.figures,
        this.count,
        h(
          "div",
          { class: "scroll" },
          h(
            "table",
            { class: "entries", id: "entries", tabindex: "-1" },
            h("caption", { class: "vh", text: "Questions, the newest first" }),
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                ...["When", "Where", "What happened", "Ruling", "Decided"].map((text) =>
                  h("th", { scope: "col", text }),
                ),
              ),
            ),
            this.rows,
          ),
        ),
      ),
    );
    this.read();
  }

  #filters() {
    const field = (
      /** @type {string} */ name,
      /** @type {string} */ says,
      /** @type {HTMLElement} */ input,
    ) => {
      input.setAttribute("name", name);
      return h("label", { class: "field" }, h("span", { text: says }), input);
    };
    const given = (/** @type {string} */ name) => this.known.get(name) ?? "";
    const choice = (/** @type {string} */ name, /** @type {[string, string][]} */ options) =>
      h(
        "select",
        {},
        ...options.map(([value, text]) =>
          h("option", { value, text, selected: value === given(name) }),
        ),
      );
    /** @type {[string, string][]} */
    const books = [
      ["", "All"],
      ...this.books.map((book) => /** @type {[string, string]} */ ([book.id, book.short])),
    ];
    const form = /** @type {HTMLFormElement} */ (
      h(
        "form",
        { class: "filters", "aria-label": "Which questions" },
        field("from", "From", h("input", { type: "date", value: given("from") })),
        field("to", "To", h("input", { type: "date", value: given("to") })),
        field("book", "Game", choice("book", books)),
        field("status", "State", choice("status", Object.entries(STATUS))),
        field(
          "area",
          "Area",
          h("input", { type: "text", value: given("area"), autocomplete: "off" }),
        ),
      )
    );
    form.addEventListener("change", () => this.#choose(form));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#choose(form);
    });
    return form;
  }

  /** @param {HTMLFormElement} form */
  #choose(form) {
    const chosen = new FormData(form);
    this.known = new URLSearchParams();
    for (const name of NAMES) {
      const value = String(chosen.get(name) ?? "").trim();
      if (value) this.known.set(name, value);
    }
    history.replaceState(null, "", `/ask/log${this.known.size ? `?${this.known}` : ""}`);
    this.read();
  }

  async read() {
    this.turn += 1;
    const turn = this.turn;
    this.csv.setAttribute("href", `/api/ask/log.csv?${this.known}`);
    try {
      const [{ entries, more }, figures] = await Promise.all([
        ask(`/api/ask/log?${this.known}`),
        ask(`/api/ask/figures?${this.known}`),
      ]);
      if (turn !== this.turn) return;
      setText(this.wrong, "");
      this.#show(entries, Boolean(more), figures);
    } catch (error) {
      if (turn === this.turn) setText(this.wrong, /** @type {Error} */ (error).message);
    }
  }

  /** @param {any[]} entries @param {boolean} more @param {any} figures */
  #show(entries, more, figures) {
    fill(this.rows, ...entries.map((entry) => this.#row(entry)));
    const all = figures.entries ?? entries.length;
    const told = entries.length === 1 ? "One question" : `${entries.length} questions`;
    setText(
      this.count,
      !entries.length
        ? "Nothing was asked in this time."
        : more
          ? `The newest ${entries.length} of ${all} questions. The CSV has them all.`
          : told,
    );
    fill(
      this.figures,
      ...[
        bars("What goes wrong most", figures.by_incident, (each) => this.#incident(each, figures)),
        hours("By the hour", figures.by_hour),
        bars("By game", figures.by_book, (each) => each.title),
        bars("By area", figures.by_area, (each) => each.title || "not said"),
        bars("Left to discretion", figures.discretion, (each) => `§ ${each.name} ${each.title}`),
        bars("Decided otherwise", figures.otherwise, (each) => each.title),
      ],
    );
  }

  /**
   * What happened, with the game where two games call it the same.
   * @param {any} count
   * @param {any} figures
   */
  #incident(count, figures) {
    const same = figures.by_incident.filter((/** @type {any} */ one) => one.title === count.title);
    const book = this.books.find((each) => each.id === count.book);
    return same.length > 1 && book ? `${count.title} · ${book.short}` : count.title;
  }

  /** @param {any} entry */
  #row(entry) {
    if (entry.unreadable) return damaged(entry);
    const book = this.books.find((each) => each.id === entry.book);
    const told = Object.entries(entry.told ?? {}).map(
      ([asked, said]) => `${asked} ${capital(String(said))}.`,
    );
    return h(
      "tr",
      {},
      h(
        "td",
        { "data-label": "When" },
        h("time", { datetime: entry.when, text: clock(entry.when) }),
      ),
      h(
        "td",
        { "data-label": "Where" },
        [entry.area, entry.who].filter(Boolean).join(" · ") || "not said",
      ),
      h(
        "th",
        { scope: "row" },
        h("a", { href: `/ask/${encodeURIComponent(entry.id)}`, text: entry.title || "A question" }),
        h("small", { text: [book?.short ?? entry.book, ...told].join(" · ") }),
        ...(entry.notes ?? []).map((/** @type {any} */ note) =>
          h("small", { class: "note", text: `Note${note.who ? ` by ${note.who}` : ""}: ${note.says}` }),
        ),
      ),
      h(
        "td",
        { "data-label": "Ruling" },
        entry.headline ? plainly(entry.headline) : "not ruled",
        entry.cites?.length ? h("small", { text: `§ ${paragraphName(entry.cites[0])}` }) : null,
      ),
      decided(entry),
    );
  }
}

/** A row that can no longer be read: that it is there, and which. @param {any} entry */
function damaged(entry) {
  return h(
    "tr",
    { class: "damaged" },
    h("td", { colspan: "5" }, h("span", { class: "tag otherwise", text: "Unreadable" }), ` ${capital(entry.unreadable)}.`),
  );
}

/** @param {any} entry */
function decided(entry) {
  const cell = h("td", { "data-label": "Decided" });
  if (entry.status !== "decided") {
    const name = STATUS[/** @type {keyof typeof STATUS} */ (entry.status)] ?? entry.status;
    cell.append(h("span", { class: `tag ${entry.status}`, text: name }));
  } else if (entry.as_ruled) cell.append(h("span", { class: "tag as", text: "As ruled" }));
  else
    cell.append(
      h("span", { class: "tag otherwise", text: "Otherwise" }),
      ` ${entry.decided}`,
      entry.why ? h("small", { text: `because ${entry.why}` }) : "",
    );
  return cell;
}

hello().then(
  async (here) => here && new Log(await ask("/api/ask/books")),
  (error) =>
    fill(
      /** @type {Element} */ (document.querySelector("#page")),
      h(
        "main",
        { class: "desk" },
        h("h1", { text: "The desk is closed to you" }),
        h("p", { text: error.message }),
        h("p", {}, h("a", { href: "/", text: "To the lobby" })),
      ),
    ),
);
