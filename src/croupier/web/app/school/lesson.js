// A lesson: the table on one side, the question on the other; then what was right, and why.

import { h, fill } from "../dom.js";
import { ask } from "../session.js";
import * as announce from "../announce.js";
import { SchoolTable } from "./table.js";
import { askedPart } from "./asked.js";
import { markedPart } from "./marked.js";
import { lessonName, lessonScore } from "./words.js";

/** @import {LessonLine, LessonNow, SchoolMarked} from "../records.js" */
/** @typedef {import("./main.js").School} School */
/** @typedef {import("./main.js").View} View */

/** @param {School} school @param {string} id @returns {Promise<View>} */
export async function lessonView(school, id) {
  const path = /** @type {const} */ (`/api/school/lessons/${encodeURIComponent(id)}`);
  let now = await ask(path);
  if (!now.exercise && !now.line.over) now = await ask(`${path}/next`, {});
  return new Lesson(school, path, now);
}

class Lesson {
  /** @param {School} school @param {`/api/school/lessons/${string}`} path @param {LessonNow} now */
  constructor(school, path, now) {
    this.school = school;
    this.path = path;
    this.line = now.line;
    this.title = `${lessonName(now.line)}`;
    this.under = now.line.title;
    this.table = new SchoolTable();
    this.progress = h("ol", { class: "progress", "aria-label": "Exercises of this lesson" });
    this.side = h("div", { class: "side question-side" });
    this.node = h("div", { class: "lesson" }, this.progress, h("div", { class: "theatre" }, this.table.node, this.side));
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.ticking = undefined;
    this.keys = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    document.addEventListener("keydown", this.keys);
    this.show(now);
  }

  leave() {
    clearInterval(this.ticking);
    document.removeEventListener("keydown", this.keys);
  }

  /** @param {LessonNow} now */
  show(now) {
    clearInterval(this.ticking);
    this.line = now.line;
    this.#progress(now.line, now.again);
    if (!now.exercise) {
      this.#over();
      return;
    }
    this.table.fill(now.table, now.exercise.cards);
    const part = askedPart(now, (chosen, lookedUp) => this.#answer(now.number, chosen, lookedUp));
    fill(this.side, part.node);
    part.focus();
    if (now.seconds_left !== null) this.#count(now.seconds_left, now.exercise.seconds, part);
  }

  /** @param {number} left @param {number} whole @param {import("./asked.js").AskedPart} part */
  #count(left, whole, part) {
    const ends = performance.now() + left * 1000;
    const tick = () => {
      const seconds = Math.max(0, (ends - performance.now()) / 1000);
      part.clock(seconds, whole);
      if (seconds > 0) return;
      clearInterval(this.ticking);
      part.send();
    };
    this.ticking = setInterval(tick, 250);
    tick();
  }

  /** @param {number} number @param {(number | null)[]} chosen @param {boolean} lookedUp */
  async #answer(number, chosen, lookedUp) {
    clearInterval(this.ticking);
    try {
      const body = { number, chosen, looked_up: lookedUp };
      this.#marked(await ask(`${this.path}/answer`, body));
    } catch (error) {
      this.school.fail(error);
    }
  }

  /** @param {SchoolMarked} marked */
  #marked(marked) {
    this.line = marked.line;
    this.#progress(marked.line, false);
    const node = markedPart(this.line, marked, () => this.#next());
    fill(this.side, node);
    announce.tell(marked.marked.right ? "Right." : "Wrong.");
    /** @type {HTMLElement | null} */ (node.querySelector("h2"))?.focus();
    this.side.scrollTop = 0;
  }

  async #next() {
    const button = this.side.querySelector("button.go-on");
    if (button instanceof HTMLButtonElement) button.disabled = true;
    if (this.line.over) {
      this.#over();
      return;
    }
    try {
      this.show(await ask(`${this.path}/next`, {}));
      if (matchMedia("(max-width: 900px)").matches) scrollTo(0, 0);
    } catch (error) {
      if (button instanceof HTMLButtonElement) button.disabled = false;
      this.school.fail(error);
    }
  }

  /** @param {LessonLine} line @param {boolean} again */
  #progress(line, again) {
    const dots = Array.from({ length: line.length }, (_, n) => {
      const state = n < line.asked ? "done" : n === line.asked && !line.over ? "current" : "";
      return h("li", { class: state, "aria-current": state === "current" ? "step" : null }, h("span", { class: "vh", text: `Exercise ${n + 1}${state === "done" ? ", answered" : ""}` }));
    });
    fill(this.progress, ...dots);
    const says = line.over ? "over" : again ? "this was wrong before" : `${line.score} right so far`;
    this.progress.append(h("li", { class: "so-far", text: says }));
  }

  /** The end of a lesson. */
  #over() {
    const { line } = this;
    const done = line.passed ? `${lessonName(line)} passed` : `${lessonName(line)} not passed`;
    const head = h("h2", { text: done, tabindex: "-1" });
    const needed = line.examination ? "Four fifths must be right." : "After so many answers something was still wrong.";
    const says = line.passed
      ? "Well done. What was asked comes again when it is due."
      : `${needed} What was wrong comes again in your next lessons.`;
    fill(
      this.node,
      this.progress,
      h(
        "section",
        { class: `welcome over ${line.passed ? "passed" : ""}` },
        head,
        h("p", { class: "score", text: lessonScore(line) }),
        h("p", { text: says }),
        h(
          "div",
          { class: "acts" },
          h("a", { class: "button main", href: "/school", text: "Back to the school" }),
          h("a", { class: "button", href: `/school/certificate/${line.lesson}`, text: "Certificate" }),
        ),
      ),
    );
    head.focus();
    announce.tell(`${done}: ${lessonScore(line)}.`);
  }

  /** A number chooses an answer, Enter answers or goes on. @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (document.querySelector("dialog[open]")) return;
    const within = /** @type {Element | null} */ (event.target);
    if (event.key === "Enter" && !within?.closest("button, a, summary, select")) {
      const button = this.side.querySelector("button.send, button.go-on");
      if (button instanceof HTMLButtonElement && !button.disabled) {
        event.preventDefault();
        button.click();
      }
    } else if (/^[1-9]$/.test(event.key)) {
      const open = [...this.side.querySelectorAll("fieldset.ask")];
      const part = open.find((each) => !each.querySelector("input:checked")) ?? open.at(-1);
      const input = part?.querySelectorAll("input")[Number(event.key) - 1];
      if (input) {
        event.preventDefault();
        input.click();
        input.focus();
      }
    }
  }
}

