// For whoever supervises: who knows what.

import { h } from "../dom.js";
import { ask } from "../session.js";
import { counted, day, lessonScore, levelMark } from "./words.js";

/** @import {SchoolBookLine, TraineeLine} from "../records.js" */

/** @param {import("./main.js").School} school @returns {Promise<import("./main.js").View>} */
export async function traineesView(school) {
  const { trainees } = await ask("/api/school/trainees");
  const node = h("div", { class: "school-home trainees" });
  if (!trainees.length) node.append(h("p", { text: "Nobody has begun a lesson yet." }));
  for (const one of trainees) node.append(traineePart(one));
  node.append(h("p", { class: "no-print" }, h("a", { class: "button", href: "/school", text: "Back to the school" })));
  const under = `${counted(trainees.length, "trainee")}, by what they were asked`;
  return { title: "Who knows what", under, node };
}

/** @param {TraineeLine} one */
function traineePart(one) {
  const body = h("tbody");
  for (const book of one.books) for (const row of rows(book)) body.append(row);
  const exams = h("ul", { class: "lessons" });
  for (const line of one.examinations)
    exams.append(
      h(
        "li",
        {},
        h("a", { href: `/school/certificate/${line.lesson}`, text: `Examination, ${line.title}` }),
        h("span", { text: lessonScore(line) }),
        h("span", { class: `tag ${line.passed ? "good" : ""}`, text: line.passed ? "passed" : "not passed" }),
        h("span", { class: "label", text: day(line.at) }),
      ),
    );
  return h(
    "section",
    {},
    h("h2", { text: one.trainee }),
    one.books.length
      ? h(
          "div",
          { class: "asked-table" },
          h(
            "table",
            {},
            h("thead", {}, h("tr", {}, ...["Rulebook", "Level", "Exercise", "Right", "Known", "Again", "Last"].map((text) => h("th", { scope: "col", text })))),
            body,
          ),
        )
      : h("p", { class: "label", text: "Has begun, and answered nothing yet." }),
    exams,
  );
}

/** @param {SchoolBookLine} book */
function rows(book) {
  const asked = book.kinds.filter((line) => line.asked);
  return asked.map((line, n) =>
    h(
      "tr",
      { class: n === 0 ? "first" : "" },
      n === 0 ? h("th", { scope: "rowgroup", rowspan: String(asked.length), text: book.title }) : null,
      n === 0 ? h("td", { rowspan: String(asked.length) }, levelMark(book)) : null,
      h("td", { text: line.called }),
      h("td", { text: `${line.right} of ${line.asked}` }),
      n === 0 ? h("td", { rowspan: String(asked.length), text: `${book.known} of ${book.items}` }) : null,
      n === 0 ? h("td", { rowspan: String(asked.length), text: String(book.due) }) : null,
      n === 0 ? h("td", { rowspan: String(asked.length), text: book.last ? day(book.last) : "" }) : null,
    ),
  );
}
