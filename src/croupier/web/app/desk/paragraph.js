// A paragraph: in our words and, where the House has loaded it, the approved wording beside them.

import { h, fill } from "../dom.js";
import { openDialog } from "../dialogs.js";
import { paragraphAddress, paragraphName } from "../rules.js";
import { paragraph } from "./server.js";

/** @param {string} book @param {string} id */
export function badge(book, id) {
  return h("button", {
    class: "cite",
    type: "button",
    text: paragraphName(id),
    "aria-label": `Paragraph ${paragraphName(id)}: read it`,
    onclick: () => openParagraph(book, id),
  });
}

/** @param {string} book @param {readonly string[]} ids */
export function badges(book, ids, most = 3) {
  const found = h("span", { class: "cites" });
  for (const id of ids.slice(0, most)) found.append(badge(book, id));
  return found;
}

/** @param {any} found @returns {HTMLElement[]} */
function wording(found) {
  const ours = h(
    "div",
    { class: "ours" },
    found.approved ? h("h3", { text: "In our words" }) : null,
    h("p", { class: "words", text: found.says }),
  );
  if (!found.approved) return [ours];
  const approved = h(
    "div",
    { class: "approved" },
    h("h3", { text: "As approved" }),
    h("p", { class: "words", text: found.approved }),
  );
  return [h("div", { class: "side-by-side" }, ours, approved)];
}

/** @param {any} note */
function noteWords(note) {
  return typeof note === "string" ? note : (note.says ?? note.text ?? note.answer ?? "");
}

/** Fill a place with a paragraph. @param {Element} where @param {string} book @param {string} id */
export async function fillParagraph(where, book, id) {
  try {
    const found = await paragraph(book, id);
    const notes = (found.notes ?? []).map((/** @type {any} */ note) =>
      h("li", { text: noteWords(note) }),
    );
    fill(
      where,
      ...wording(found),
      ...(notes.length
        ? [h("h3", { text: "How it is read here" }), h("ul", { class: "notes" }, ...notes)]
        : []),
      h("a", {
        class: "button quiet small",
        href: paragraphAddress(book, id),
        target: "_blank",
        rel: "noopener",
        text: "In the rulebook, with its cases",
      }),
      h("p", {
        class: "label",
        text:
          found.title +
          (found.approved
            ? " · the approved wording governs."
            : " · in our own words; the approved text governs."),
      }),
    );
  } catch (error) {
    fill(where, h("p", { text: /** @type {Error} */ (error).message }));
  }
}

/** @param {string} book @param {string} id */
export function openParagraph(book, id) {
  const body = h("div", { class: "paragraph" }, h("p", { text: "Reading …" }));
  openDialog(`Paragraph ${paragraphName(id)}`, h("div", { class: "inside" }, body));
  fillParagraph(body, book, id);
}
