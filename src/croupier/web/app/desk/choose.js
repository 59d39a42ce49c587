// The opening: which game, then what happened, by touch or by a few words.

import { h, fill, show } from "../dom.js";
import { keyed } from "../keys.js";
import { pencil } from "./facts.js";
import { paragraphName } from "../rules.js";
import { badge, openParagraph } from "./paragraph.js";
import { place } from "./place.js";
import { ask } from "./server.js";

const SOON = 120;

/** @param {import("./main.js").Desk} desk */
export function booksView(desk) {
  const list = h("ul", { class: "books" });
  desk.books.forEach((book, k) => {
    const button = h(
      "button",
      {
        class: `pick book ${book.family}`,
        type: "button",
        "data-book": book.id,
        onclick: () => desk.go(place({ book: book.id })),
      },
      h(
        "span",
        { class: "words" },
        h("strong", { text: book.short }),
        h("small", {
          text: book.word === "box" ? "against the house, in boxes" : "between players, in seats",
        }),
      ),
    );
    list.append(h("li", {}, keyed(button, String(k + 1))));
  });
  return h(
    "section",
    { class: "choose", "data-says": "Which game?" },
    h("h1", { text: "Which game?", tabindex: "-1" }),
    h("p", {
      class: "lead",
      text: "The rulebook of the table you stand at. This device keeps it.",
    }),
    list,
  );
}

/** @param {import("./main.js").Desk} desk @param {any} found the book's incidents */
export function happenedView(desk, found) {
  const book = desk.book();
  const results = h("div", { class: "results", "aria-live": "polite", hidden: true });
  const usual = h("div", { class: "usual" });
  const common = found.incidents.filter((/** @type {any} */ each) => each.common);
  if (common.length) usual.append(commonList(desk, common));
  usual.append(groups(desk, found, !common.length));
  return h(
    "section",
    { class: "choose" },
    h(
      "div",
      { class: "chips" },
      h(
        "button",
        { class: "chip book", type: "button", onclick: () => desk.go(place()) },
        h("span", { class: "vh", text: "Game: " }),
        h("strong", { text: book.short }),
        /** @type {any} */ (pencil()),
      ),
    ),
    h("h1", { text: "What happened?", tabindex: "-1" }),
    searchField(desk, results, usual),
    results,
    usual,
  );
}

/** @param {import("./main.js").Desk} desk @param {any[]} common */
function commonList(desk, common) {
  const list = h("ul", { class: "common" });
  common.forEach((incident, k) => {
    const button = incidentButton(desk, incident);
    if (k < 9) keyed(button, String(k + 1));
    list.append(h("li", {}, button));
  });
  return h("section", {}, h("h2", { class: "vh", text: "The common ones" }), list);
}

/** @param {import("./main.js").Desk} desk @param {any} incident */
function incidentButton(desk, incident) {
  return h(
    "button",
    {
      class: "pick incident",
      type: "button",
      "data-incident": incident.name,
      onclick: () => desk.go(place({ book: desk.here.book, incident: incident.name })),
    },
    h(
      "span",
      { class: "words" },
      h("span", { text: incident.title }),
      incident.cites?.length ? h("small", { class: "para", text: `§ ${paragraphName(incident.cites[0])}` }) : null,
    ),
  );
}

/** @param {import("./main.js").Desk} desk @param {any} found @param {boolean} open */
function groups(desk, found, open) {
  const part = h("div", { class: "groups" });
  for (const group of found.groups) {
    const here = found.incidents.filter((/** @type {any} */ each) => each.group === group.name);
    if (!here.length) continue;
    const list = h("ul", {});
    for (const incident of here) list.append(h("li", {}, incidentButton(desk, incident)));
    part.append(
      h(
        "details",
        { class: "group", open },
        h(
          "summary",
          {},
          h("h2", { text: group.title }),
          h("span", { class: "count", text: String(here.length) }),
        ),
        list,
      ),
    );
  }
  return part;
}

// -- by a few words -------------------------------------------------------------------------------

/** @param {import("./main.js").Desk} desk @param {HTMLElement} results @param {HTMLElement} usual */
function searchField(desk, results, usual) {
  const input = /** @type {HTMLInputElement} */ (
    h("input", {
      id: "words",
      type: "text",
      enterkeyhint: "search",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      placeholder: "or a few words: raise out of turn",
      "aria-label": "What happened, in a few words",
      "aria-keyshortcuts": "/",
    })
  );
  let stop = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon;
  const look = async () => {
    stop.abort();
    stop = new AbortController();
    const words = input.value.trim();
    show(results, Boolean(words));
    show(usual, !words);
    if (!words) return;
    const query = new URLSearchParams({ book: desk.here.book, words });
    try {
      const { hits } = await ask(`/api/ask/search?${query}`, undefined, stop.signal);
      fill(results, hitList(desk, hits, words));
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error);
      if (name !== "AbortError") fill(results, h("p", { class: "nothing", text: message }));
    }
  };
  input.addEventListener("input", () => {
    clearTimeout(soon);
    soon = setTimeout(look, SOON);
  });
  const form = h("form", { class: "search", role: "search" }, input, h("kbd", { text: "/" }));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clearTimeout(soon);
    await look();
    const first = results.querySelector("button");
    if (first instanceof HTMLElement) first.click();
  });
  return form;
}

/** @type {Record<string, string>} */
const KINDS = { incident: "What happened", paragraph: "Paragraphs", case: "Worked examples" };

/** @param {import("./main.js").Desk} desk @param {any[]} hits @param {string} words */
function hitList(desk, hits, words) {
  if (!hits.length) return nothingFound(desk, words);
  const part = h("div", {});
  for (const [kind, title] of Object.entries(KINDS)) {
    const here = hits.filter((hit) => hit.kind === kind);
    if (!here.length) continue;
    const list = h("ul", { class: `hits ${kind}` });
    for (const hit of here) list.append(h("li", {}, hitButton(desk, hit)));
    part.append(h("section", {}, h("h2", { text: title }), list));
  }
  return part;
}

/** What to do where the desk knows of nothing: call somebody, and by which paragraph he decides.
 * @param {import("./main.js").Desk} desk @param {string} words */
function nothingFound(desk, words) {
  const { book } = desk.here;
  const discretion = desk.book(book)?.discretion;
  return h(
    "p",
    { class: "nothing" },
    `Nothing is found for “${words}”. Try fewer or other words, such as the card, the bet or who did it. `,
    "If it is not here, call a Pit Manager. ",
    discretion ? "Who decides what the book does not say: " : null,
    discretion ? badge(book, discretion) : null,
  );
}

/** @param {import("./main.js").Desk} desk @param {any} hit */
function hitButton(desk, hit) {
  const { book } = desk.here;
  const goes = {
    incident: () => desk.go(place({ book, incident: hit.name })),
    paragraph: () => openParagraph(hit.book || book, hit.name),
    case: () => desk.go(place({ book: hit.book || book, source: hit.name })),
  };
  return h(
    "button",
    {
      class: `pick ${hit.kind}`,
      type: "button",
      "data-incident": hit.kind === "incident" ? hit.name : null,
      onclick: goes[/** @type {keyof goes} */ (hit.kind)],
    },
    h(
      "span",
      { class: "words" },
      h("span", { text: hit.kind === "paragraph" ? `§ ${paragraphName(hit.name)}  ${hit.title}` : hit.title }),
      hit.kind !== "incident" && hit.says ? h("small", { text: hit.says }) : null,
    ),
  );
}
