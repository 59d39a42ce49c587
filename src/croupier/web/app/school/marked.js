// What came of an answer: right or wrong by the engine's own ruling, with the paragraph, the cards and
// the money, and what one's own answer would have done.

import { h } from "../dom.js";
import { citeButtons } from "../rules.js";
import { lessonName } from "./words.js";

/** @import {AnswerChoice, LessonLine, MarkedPart, Ruling, SchoolMarked} from "../records.js" */

/** @param {LessonLine} line @param {SchoolMarked} found @param {() => void} next */
export function markedPart(line, found, next) {
  const { marked, book } = found;
  const head = marked.right ? "Right" : marked.late ? "Too late" : "Wrong";
  const streak = marked.right && book.streak > 1 ? `${book.streak} in a row.` : "";
  const again = !marked.right && !line.examination ? "It comes again in this lesson." : "";
  const level = found.level_up ? `You have reached level ${book.level}.` : "";
  const says = [streak, again, level].filter(Boolean).join(" ");
  return h(
    "div",
    { class: `marked ${marked.right ? "right" : "wrong-answer"}` },
    h("h2", { text: head, tabindex: "-1" }),
    says ? h("p", { class: "label", text: says }) : null,
    ...marked.parts.map((part) => partWords(book.rulebook, part)),
    marked.cites.length
      ? h("p", { class: "under-which" }, "By ", citeButtons(book.rulebook, [...marked.cites], 4))
      : null,
    h(
      "div",
      { class: "acts" },
      h("button", {
        class: "button main go-on",
        type: "button",
        text: line.over ? `End of the ${lessonName(line).toLowerCase()}` : "Next",
        onclick: next,
      }),
    ),
    marked.ruling ? inFull(book.rulebook, marked.ruling) : null,
    marked.case ? caseLink(book.rulebook, marked.case, found.case_title) : null,
  );
}

/** @param {string} book @param {MarkedPart} part */
function partWords(book, part) {
  const right = part.choices[part.right];
  const mine = part.chosen === null ? null : part.choices[part.chosen];
  return h(
    "section",
    { class: "marked-part" },
    h("h3", { text: part.ask }),
    choiceWords(book, right, mine === right ? "yours, and right" : "right", "is-right"),
    mine && mine !== right ? choiceWords(book, mine, "yours", "is-wrong") : null,
    mine === null ? h("p", { class: "label", text: "You gave no answer." }) : null,
  );
}

/** @param {string} book @param {AnswerChoice} choice @param {string} mark @param {string} classes */
function choiceWords(book, choice, mark, classes) {
  const wrong = classes === "is-wrong";
  return h(
    "div",
    { class: `choice-words ${classes}` },
    h("p", { class: "verdict", text: mark }),
    h("p", { class: "says", text: choice.says }),
    choice.because ? h("p", { text: choice.because }) : null,
    choice.would.length
      ? h(
          "div",
          {},
          h("p", { class: "label", text: wrong ? "It would have done this:" : "So it comes to this:" }),
          h("ul", { class: "would" }, ...choice.would.map((says) => h("li", { text: says }))),
        )
      : null,
    wrong && choice.cites.length ? citeButtons(book, [...choice.cites], 2) : null,
  );
}

/** @param {string} book @param {Ruling} ruling */
function inFull(book, ruling) {
  const list = h("ul", { class: "would" });
  for (const one of ruling.sentences)
    list.append(h("li", {}, `${one.says} `, citeButtons(book, [...one.cites], 2)));
  for (const one of ruling.confirmed) list.append(h("li", { text: `${one.of}: ${one.says}` }));
  for (const one of ruling.next) list.append(h("li", { text: one }));
  if (!list.childElementCount) return null;
  return h("details", { class: "look-up" }, h("summary", { text: "The ruling in full" }), list);
}

/** @param {string} book @param {string} source @param {string} title */
function caseLink(book, source, title) {
  const path = source.split("/").map(encodeURIComponent).join("/");
  return h(
    "p",
    { class: "label" },
    "From the case ",
    h("a", { href: `/round/case/${encodeURIComponent(book)}/${path}`, target: "_blank", rel: "noopener", text: title }),
  );
}
