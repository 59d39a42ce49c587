// Paragraphs: what people call them, and small buttons that cite them.

import { h } from "./dom.js";

const NUMBERED = /^\d+(?:\.\d+)*(?:\.(?:[a-z]|[ivx]+))*(?=\.|$)/;
const CARDS = new Set(["aa", "ak", "aq", "aj"]);

/** @param {string} word */
export function capital(word) {
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
    onclick: async () => (await import("./paragraph.js")).openParagraph(rulebook, paragraph),
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
