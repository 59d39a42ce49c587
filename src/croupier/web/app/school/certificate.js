// The certificate of a lesson or an examination, with everything that was asked: to be printed.

import { h } from "../dom.js";
import { ask } from "../session.js";
import { paragraphName } from "../rules.js";
import { counted, day, lessonName, lessonScore } from "./words.js";

/** @import {AskedLine} from "../records.js" */

/** @param {import("./main.js").School} school @param {string} id
 * @returns {Promise<import("./main.js").View>} */
export async function certificateView(school, id) {
  const found = await ask(`/api/school/lessons/${encodeURIComponent(id)}/certificate`);
  const { line } = found;
  const name = lessonName(line);
  const body = h("tbody");
  found.asked.forEach((one, n) => body.append(row(one, n + 1)));
  const node = h(
    "article",
    { class: "certificate" },
    h("p", { class: "house", text: "Dealer school" }),
    h("h2", { text: line.passed ? `${name} passed` : `${name} not passed` }),
    h("p", { class: "who", text: found.trainee }),
    h("p", { class: "what", text: `${line.title}: ${lessonScore(line)}` }),
    h("p", { text: `${day(found.ended)}${line.clock ? ", against the clock" : ""}${line.examination ? ", without the book" : ""}` }),
    h(
      "div",
      { class: "asked-table" },
      h(
        "table",
        {},
        h("caption", { text: "What was asked" }),
        h("thead", {}, h("tr", {}, ...["No.", "Exercise", "Right answer", "Paragraphs", "Result"].map((text) => h("th", { scope: "col", text })))),
        body,
      ),
    ),
    h("p", { class: "signature" }, h("span", { text: "Trainee" }), h("span", { text: "Supervisor" })),
    h("p", { class: "label", text: `Marked by the rulebook as croupier ${found.version} runs it. Lesson ${line.lesson}.` }),
    h(
      "div",
      { class: "acts no-print" },
      h("button", { class: "button main", type: "button", text: "Print", onclick: () => print() }),
      h("a", { class: "button", href: "/school", text: "Back to the school" }),
    ),
  );
  return { title: "Certificate", under: line.title, node };
}

/** @param {AskedLine} one @param {number} number */
function row(one, number) {
  const more = [
    one.answers > 1 ? counted(one.answers, "answer") : "",
    one.looked_up ? "looked up" : "",
    `${Math.round(one.seconds)} s`,
  ];
  return h(
    "tr",
    {},
    h("td", { text: String(number) }),
    h("th", { scope: "row" }, one.title, h("small", { text: one.called })),
    h("td", { text: one.says }),
    h("td", { text: one.cites.map(paragraphName).join(", ") }),
    h("td", {}, h("strong", { text: one.right ? "right" : "wrong" }), h("small", { text: more.filter(Boolean).join(", ") })),
  );
}
