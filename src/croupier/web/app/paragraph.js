// The dialog that opens a paragraph, in our words.

import { h, fill } from "./dom.js";
import { ask } from "./session.js";
import { openDialog } from "./dialogs.js";
import { paragraphAddress, paragraphName } from "./rules.js";

/** @import {ParagraphDetails} from "./records.js" */

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
