// The question of an exercise: what happened, what is asked, what may be answered, and the paragraphs to
// look it up in.

import { h, setAttr, setText } from "../dom.js";
import { paragraphAddress, paragraphName } from "../rules.js";

/** @import {LessonNow, Passage} from "../records.js" */

/**
 * @typedef {object} AskedPart
 * @property {HTMLElement} node
 * @property {() => void} focus
 * @property {() => void} send
 * @property {(left: number, whole: number) => void} clock
 */

/** @param {LessonNow} now @param {(chosen: (number | null)[], lookedUp: boolean) => void} answer
 * @returns {AskedPart} */
export function askedPart(now, answer) {
  const exercise = /** @type {NonNullable<LessonNow["exercise"]>} */ (now.exercise);
  /** @type {(number | null)[]} */
  const chosen = exercise.parts.map(() => null);
  let lookedUp = false;
  let sent = false;
  const button = /** @type {HTMLButtonElement} */ (
    h("button", { class: "button main send", type: "submit", text: "Answer", disabled: true })
  );
  const send = () => {
    if (sent) return;
    sent = true;
    button.disabled = true;
    answer(chosen, lookedUp);
  };
  const parts = exercise.parts.map((part, n) =>
    h(
      "fieldset",
      { class: "ask" },
      h("legend", { text: part.ask }),
      ...part.choices.map((says, number) =>
        h(
          "label",
          { class: "answer" },
          h("input", {
            type: "radio",
            name: `part-${n}`,
            value: String(number),
            onchange: () => {
              chosen[n] = number;
              button.disabled = chosen.includes(null);
            },
          }),
          h("span", { text: says }),
          h("kbd", { text: String(number + 1), "aria-hidden": "true" }),
        ),
      ),
    ),
  );
  const head = h("h2", { text: exercise.title, tabindex: "-1" });
  const bar = h("div", { class: "clock", role: "timer", hidden: now.seconds_left === null }, h("i"), h("span"));
  const form = h(
    "form",
    { class: "exercise" },
    h("p", { class: "label", text: now.again ? `${exercise.called} · once more` : exercise.called }),
    head,
    bar,
    h("div", { class: "told" }, ...exercise.told.map(toldWords)),
    ...parts,
    h("div", { class: "acts" }, button),
    lookUp(exercise.rulebook, exercise.look_up, () => {
      lookedUp = true;
    }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  return { node: form, focus: () => head.focus({ preventScroll: true }), send, clock: (left, whole) => showClock(bar, left, whole) };
}

/** A sentence of what happened; where it answers a question, the answer stands out. @param {string} says */
function toldWords(says) {
  const found = /^([^?]+\?) (.+)$/.exec(says);
  if (!found) return h("p", { text: says });
  return h("p", {}, h("span", { class: "label", text: `${found[1]} ` }), h("strong", { text: found[2] }));
}

/** @param {HTMLElement} bar @param {number} left @param {number} whole */
function showClock(bar, left, whole) {
  const mark = /** @type {HTMLElement} */ (bar.querySelector("i"));
  mark.style.setProperty("--left", String(left / whole));
  setAttr(bar, "data-short", left < 5);
  setText(/** @type {Element} */ (bar.querySelector("span")), `${Math.ceil(left)} s`);
}

/** @param {string} rulebook @param {readonly Passage[]} passages @param {() => void} opened */
function lookUp(rulebook, passages, opened) {
  if (!passages.length) return h("span", { hidden: true });
  const details = h(
    "details",
    { class: "look-up" },
    h("summary", { text: "Look it up" }),
    h("p", { class: "label", text: "One or more of these paragraphs decide it." }),
    ...passages.map((one) =>
      h(
        "div",
        { class: "passage" },
        h("h3", {}, h("a", { class: "cite", href: paragraphAddress(rulebook, one.id), target: "_blank", rel: "noopener", text: paragraphName(one.id) }), ` ${one.title}`),
        h("p", { text: one.says }),
      ),
    ),
  );
  details.addEventListener("toggle", opened, { once: true });
  return details;
}
