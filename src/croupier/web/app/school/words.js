// Small words of the school: scores, times, levels.

import { h } from "../dom.js";

/** @import {LessonLine, SchoolBookLine} from "../records.js" */

/** @param {number} count @param {string} one @param {string} [more] */
export function counted(count, one, more = `${one}s`) {
  return `${count} ${count === 1 ? one : more}`;
}

/** A day as one writes it. @param {string} at */
export function day(at) {
  return new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}

/** What a lesson is called. @param {LessonLine} line */
export function lessonName(line) {
  return line.examination ? "Examination" : "Lesson";
}

/** How a lesson went. @param {LessonLine} line */
export function lessonScore(line) {
  const at = line.examination ? "" : " at the first answer";
  return `${line.score} of ${line.asked} right${at}`;
}

/** The level as stars, and in words. @param {Pick<SchoolBookLine, "level" | "levels">} book */
export function levelMark({ level, levels }) {
  return h(
    "span",
    { class: "level", role: "img", "aria-label": `Level ${level} of ${levels}` },
    ...Array.from({ length: levels }, (_, n) => h("i", { class: n < level ? "on" : "" })),
  );
}

/** A share as a bar. @param {number} part @param {number} whole @param {string} label */
export function share(part, whole, label) {
  return h("meter", { min: "0", max: String(Math.max(1, whole)), value: String(part), "aria-label": label });
}
