// What happened, step by step, in words, with the paragraphs; the step that is shown is marked.

import { h, fill } from "../dom.js";
import { sentence } from "../telling.js";
import { paragraphName } from "../rules.js";
import { isTold } from "./record.js";

/** @import {Replay, ReplayEvent} from "../records.js" */

/** A citation that leads to its paragraph, where there are pages of the rulebooks.
 * @param {Replay} replay @param {string} id */
export function cite(replay, id) {
  const to = document.body.dataset.rules;
  const title = replay.titles[id] ?? replay.paragraphs[id];
  const name = paragraphName(id);
  if (!to || title === undefined) return h("span", { class: "cite", text: name, title });
  const address = to
    .replace("BOOK", encodeURIComponent(replay.rulebook))
    .replace("PARAGRAPH", encodeURIComponent(id));
  return h("a", { class: "cite", href: address, text: name, title });
}

/** @param {Replay} replay @param {ReplayEvent} told */
function line(replay, told) {
  const said = sentence(/** @type {any} */ (told));
  return h(
    "p",
    {},
    told.place ? h("b", { class: "elsewhere", text: `${told.place}: ` }) : null,
    `${said} `,
    h("span", { class: "cites" }, ...told.cites.slice(0, 4).map((id) => cite(replay, id))),
  );
}

export class Words {
  /** @param {(stop: number) => void} go */
  constructor(go) {
    this.go = go;
    this.list = h("ol", { class: "told" });
    this.node = h(
      "section",
      { class: "words", "aria-label": "What happened", tabindex: "0" },
      this.list,
    );
  }

  /** @param {Replay} replay @param {number[]} stops */
  fill(replay, stops) {
    let from = 0;
    const items = stops.map((step, stop) => {
      const steps = replay.steps.slice(from, step + 1);
      from = step + 1;
      const notes = steps.map(({ note }) => note).filter(Boolean);
      const who = replay.kind === "round" ? steps.at(-1)?.who : "";
      const refused = steps.some((one) => one.refused);
      return h(
        "li",
        { class: refused ? "refused" : "" },
        h("button", {
          class: "number",
          type: "button",
          text: String(stop + 1),
          "aria-label": `To step ${stop + 1}`,
          onclick: () => this.go(stop),
        }),
        h(
          "div",
          {},
          ...notes.map((note) => h("p", { class: "note", text: note })),
          ...steps.flatMap((one) => one.events.filter(isTold).map((told) => line(replay, told))),
          who ? h("p", { class: "label", text: who }) : null,
        ),
      );
    });
    fill(this.list, ...items);
  }

  /** @param {number} stop */
  mark(stop) {
    [...this.list.children].forEach((item, i) => {
      item.toggleAttribute("aria-current", false);
      if (i === stop) item.setAttribute("aria-current", "step");
      item.classList.toggle("to-come", i > stop);
    });
    const now = /** @type {HTMLElement | undefined} */ (this.list.children[Math.max(stop, 0)]);
    if (!now) return;
    const top = now.offsetTop - this.list.offsetTop;
    this.node.scrollTop = top - this.node.clientHeight / 3;
  }
}
