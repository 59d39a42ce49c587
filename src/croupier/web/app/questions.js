// What the table asks of this player: each decision with its options as buttons, and its paragraph.

import { h, patchList } from "./dom.js";
import { counts, meansNow } from "./guard.js";
import { readMoney } from "./money.js";
import { citeButtons } from "./rules.js";
import { openDialog } from "./dialogs.js";
import * as announce from "./announce.js";

/** @import {Choice, QuestionView} from "./records.js" */
/** @import {Command, Reply} from "./shown.js" */

export class Questions {
  /** @param {(command: Command) => Promise<Reply>} give */
  constructor(give) {
    this.give = give;
    this.node = h("div", { class: "questions" });
  }

  /** @param {QuestionView[]} decisions @param {string} rulebook */
  update(decisions, rulebook) {
    const mine = decisions.filter((asked) => asked.yours);
    patchList(
      this.node,
      mine,
      (asked) => asked.decision,
      (asked) => this.#question(asked, rulebook),
    );
  }

  /** @param {QuestionView} asked @param {string} rulebook */
  #question(asked, rulebook) {
    const row = h("div", { class: "row" });
    const cites = citeButtons(rulebook, asked.cites ?? []);
    const node = h(
      "div",
      { class: "asked", role: "group", "aria-label": asked.says },
      h("p", {}, `${asked.says} `, cites),
      row,
    );
    for (const option of asked.options) {
      const word = option.name.charAt(0).toUpperCase() + option.name.slice(1);
      const button = h("button", { class: "button", type: "button" }, word);
      button.addEventListener("click", (event) => {
        if (counts(event)) this.#decide(asked, option);
      });
      meansNow(button, option.name);
      if (!option.says) {
        row.append(button);
        continue;
      }
      button.setAttribute("aria-label", `${option.name}: ${option.says}`);
      row.append(h("div", { class: "option" }, button, h("small", { text: option.says })));
    }
    announce.call(`You are asked: ${asked.says}`);
    return node;
  }

  /** @param {QuestionView} asked @param {Choice} option */
  #decide(asked, option) {
    /** @type {Command & {do: "decide"}} */
    const command = { do: "decide", decision: asked.decision, option: option.name };
    const details = Object.entries(option.asks ?? {});
    if (details.length) this.#askDetails(asked, option, details, command);
    else this.give(command);
  }

  /** @param {QuestionView} asked @param {Choice} option @param {[string, string][]} details
   * @param {Command & {do: "decide"}} command */
  #askDetails(asked, option, details, command) {
    const inputs = details.map(([name, kind]) => {
      const input = /** @type {HTMLInputElement} */ (h("input", { type: "text", required: true }));
      return { name, kind, input };
    });
    const fields = inputs.map(({ name, kind, input }) =>
      h("label", { class: "field" }, h("span", { text: `${name} (${kind})` }), input),
    );
    const submit = h("button", { class: "button main", type: "submit", text: option.name });
    const row = h("div", { class: "row" }, submit);
    const form = h("form", { class: "inside" }, h("p", { text: asked.says }), ...fields, row);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const given = inputs.map(({ name, kind, input }) => [name, read(kind, input.value.trim())]);
      close();
      this.give({ ...command, details: Object.fromEntries(given) });
    });
    const close = openDialog(option.name, form);
  }
}

/** A detail as its kind is written in a command. @param {string} kind @param {string} text */
function read(kind, text) {
  switch (kind) {
    case "money":
      return readMoney(text) ?? text;
    case "seats":
      return text.split(/[ ,]+/).map(Number);
    case "cards":
      return text.split(/[ ,]+/);
    case "seat":
    case "box":
    case "number":
      return Number(text);
    default:
      return text;
  }
}
