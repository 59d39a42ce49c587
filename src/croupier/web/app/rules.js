// Paragraphs: small buttons that cite them, and the dialog that opens one in our words.

import { h, fill } from "./dom.js";
import { ask } from "./session.js";
import { openDialog } from "./dialogs.js";

/** @import {ParagraphDetails} from "./records.js" */

const NUMBERED = /^\d+(?:\.\d+)*(?:\.(?:[a-z]|[ivx]+))*(?=\.|$)/;
const CARDS = new Set(["aa", "ak", "aq", "aj"]);

/** @param {string} word */
function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** @param {string} part */
function partWords(part) {
  if (part === "tail") return "end";
  const words = part.split("-").map((word) => (CARDS.has(word) ? word.toUpperCase() : word));
  return words.join(" ");
}

/** A paragraph as people call it: `3.12.1`; a line of a table, which has no number of its own, by
 * that of the table and a word: `4.2, minor: full house`; a definition by its word.
 * @param {string} paragraph */
export function paragraphName(paragraph) {
  if (paragraph.startsWith("def.")) {
    const [term, ...parts] = paragraph.slice("def.".length).split(".");
    const words = term.split("-").map(capital);
    return `Definitions: ${words.join(" ")}${parts.map((part) => ` (${partWords(part)})`).join("")}`;
  }
  const number = NUMBERED.exec(paragraph)?.[0];
  if (number === undefined) {
    const [word, ...parts] = paragraph.split(".");
    return [capital(word), ...parts.map((part) => part.toUpperCase())].join(" ");
  }
  const words = paragraph.slice(number.length).split(".").filter(Boolean).map(partWords);
  return words.length ? `${number}, ${words.join(": ")}` : number;
}

/** The page of a paragraph. @param {string} rulebook @param {string} paragraph */
export function paragraphAddress(rulebook, paragraph) {
  return `/rules/${encodeURIComponent(rulebook)}/${encodeURIComponent(paragraph)}`;
}

/** @param {string} rulebook @param {string} paragraph */
function citeButton(rulebook, paragraph) {
  return h("button", {
    class: "cite",
    type: "button",
    text: paragraphName(paragraph),
    "aria-label": `Paragraph ${paragraphName(paragraph)}: read it`,
    onclick: () => openParagraph(rulebook, paragraph),
  });
}

/**
 * The paragraphs that an answer rests on; a citation is a number, or an object of the protocol.
 * @param {string} rulebook @param {(string | {rulebook?: string, paragraph: string})[]} cites
 */
export function citeButtons(rulebook, cites, most = 3) {
  const found = h("span", { class: "cites" });
  for (const cite of cites.slice(0, most)) {
    if (typeof cite === "string") found.append(citeButton(rulebook, cite));
    else found.append(citeButton(cite.rulebook ?? rulebook, cite.paragraph));
  }
  return found;
}

/** @type {Map<string, Promise<ParagraphDetails>>} */
const read = new Map();

/** @param {string} rulebook @param {string} paragraph */
function paragraphOf(rulebook, paragraph) {
  const book = encodeURIComponent(rulebook);
  const path = /** @type {const} */ (
    `/api/rulebooks/${book}/paragraphs/${encodeURIComponent(paragraph)}`
  );
  let found = read.get(path);
  if (!found) {
    found = ask(path);
    found.catch(() => read.delete(path));
    read.set(path, found);
  }
  return found;
}

/** @param {string} rulebook @param {string} paragraph */
export function openParagraph(rulebook, paragraph) {
  const body = h("div", { class: "paragraph" }, h("p", { text: "Reading …" }));
  openDialog(`Paragraph ${paragraphName(paragraph)}`, h("div", { class: "inside" }, body));
  paragraphOf(rulebook, paragraph).then(
    (found) => {
      fill(body, h("p", { class: "words", text: found.says }));
      if (found.notes.length) {
        const notes = h("ul", { class: "notes" });
        for (const { reading, answer } of found.notes) notes.append(noteItem(reading, answer));
        body.append(h("div", {}, h("h3", { text: "How it is read here" }), notes));
      }
      if (found.policies.length) {
        const policies = h("ul", { class: "notes" });
        for (const { reading, question } of found.policies)
          policies.append(noteItem(reading, question));
        body.append(h("div", {}, h("h3", { text: "What the House may choose" }), policies));
      }
      body.append(
        h("a", {
          class: "button quiet small",
          href: paragraphAddress(rulebook, paragraph),
          target: "_blank",
          rel: "noopener",
          text: "In the rulebook, with its cases",
        }),
        h("p", {
          class: "label",
          text: [
            found.title,
            found.section,
            rulebook,
            "in our own words; the approved text governs.",
          ]
            .filter(Boolean)
            .join(" · "),
        }),
      );
    },
    (error) => fill(body, h("p", { text: error.message })),
  );
}

/** @param {string} name @param {string} says */
function noteItem(name, says) {
  return h("li", {}, h("b", { text: `${name}  ` }), says);
}
