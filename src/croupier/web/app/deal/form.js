// What takes more than a key: words and chips as they were seen, chips as they lie, somebody who sits down
// or brings more, with the PIN or for cash.

import { h, setText } from "../dom.js";
import { capital } from "../desk/words.js";
import { money, readMoney } from "../money.js";

/** @import {DealEntry, EntryField} from "../records.js" */
/** @typedef {{node: HTMLElement, read: () => unknown}} Asked `read` throws a sentence if it cannot be */
/** @typedef {{player: string, word: "cash" | "pin", pin: string}} Word */

/**
 * @param {DealEntry} entry @param {string} title @param {number[]} chips denominations
 * @param {string} player who sits there @param {(said: Record<string, unknown>, word: Word | null) => void} give
 * @param {() => void} cancel
 */
export function entryForm(entry, title, chips, player, give, cancel) {
  const asked = entry.fields.map((field) => ({ field, ...askField(field, chips) }));
  const word = entry.word ? askWord() : null;
  const wrong = h("p", { class: "wrong", role: "alert" });
  const form = /** @type {HTMLFormElement} */ (
    h(
      "form",
      { class: "entry-form", "aria-label": title, novalidate: true },
      h("h2", { text: title }),
      h("div", { class: "entry-fields" }, ...asked.map(({ node }) => node), ...(word ? [word.node] : [])),
      wrong,
      h(
        "div",
        { class: "row" },
        h("button", { class: "button main", type: "submit", text: "Enter it" }),
        h("button", { class: "button", type: "button", text: "Not now", "aria-keyshortcuts": "Escape", onclick: cancel }),
      ),
    )
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      /** @type {Record<string, unknown>} */
      const said = {};
      for (const { field, read } of asked) {
        const value = read();
        if (value !== undefined) said[field.name] = value;
      }
      give(said, word ? word.read(String(said.player ?? player)) : null);
    } catch (error) {
      setText(wrong, /** @type {Error} */ (error).message);
    }
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    cancel();
  });
  return form;
}

/** @param {EntryField} field @param {number[]} chips @returns {Asked} */
function askField(field, chips) {
  switch (field.kind) {
    case "choice":
      return askChoice(field);
    case "flag":
      return askFlag(field);
    case "money":
      return askMoney(field);
    case "chips":
      return askChips(field, chips);
    default:
      return askText(field);
  }
}

/** @param {string} label @param {HTMLElement} control @param {...(HTMLElement | null)} more */
function labelled(label, control, ...more) {
  return h("label", { class: "field" }, h("span", { text: label }), control, ...more);
}

/** @param {EntryField} field @returns {Asked} */
function askChoice(field) {
  const select = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { name: field.name },
      ...(field.values ?? []).map((value) =>
        h("option", { value, text: value ? capital(value) : "None", selected: value === (field.usual ?? "") }),
      ),
    )
  );
  return { node: labelled(field.ask, select), read: () => select.value };
}

/** @param {EntryField} field @returns {Asked} */
function askFlag(field) {
  const box = /** @type {HTMLInputElement} */ (
    h("input", { type: "checkbox", name: field.name, checked: field.usual === true })
  );
  return { node: h("label", { class: "check" }, box, h("span", { text: field.ask })), read: () => box.checked };
}

/** @param {EntryField} field @param {Record<string, string>} more */
function textInput(field, more) {
  return /** @type {HTMLInputElement} */ (h("input", { type: "text", name: field.name, autocomplete: "off", ...more }));
}

/** @param {EntryField} field @returns {Asked} */
function askMoney(field) {
  const usual = typeof field.usual === "number" ? money(field.usual) : "";
  const input = textInput(field, { inputmode: "decimal", value: usual });
  const read = () => {
    if (!input.value.trim() && !field.needed) return undefined;
    const cents = readMoney(input.value);
    if (cents === null) throw new Error(`${field.ask} Write it as 60 or 2.50.`);
    return cents;
  };
  return { node: labelled(field.ask, input), read };
}

/** @param {EntryField} field @returns {Asked} */
function askText(field) {
  const input = textInput(field, { maxlength: "24" });
  const read = () => {
    if (!input.value.trim()) throw new Error(`${field.ask} A name is needed.`);
    return input.value.trim();
  };
  return { node: labelled(field.ask, input), read };
}

/** Chips one by one: typed, or touched. @param {EntryField} field @param {number[]} chips @returns {Asked} */
function askChips(field, chips) {
  const input = textInput(field, { inputmode: "decimal", placeholder: "25 25 5" });
  const add = (/** @type {number} */ chip) => {
    input.value = [input.value.trim(), money(chip)].filter(Boolean).join(" ");
  };
  const touches = h(
    "span",
    { class: "chip-keys" },
    ...chips.map((chip) =>
      h("button", { class: "choice", type: "button", text: money(chip), "aria-label": `A chip of ${money(chip)}`, onclick: () => add(chip) }),
    ),
  );
  const read = () => {
    const written = input.value.trim();
    if (!written) return [];
    return written.split(/[\s,+]+/).map((each) => {
      const cents = readMoney(each);
      if (cents === null) throw new Error(`${field.ask}: ${each} is no chip. Write each by itself, as 25 25 5.`);
      return cents;
    });
  };
  return { node: h("div", { class: "chips-field" }, labelled(field.ask, input), touches), read };
}

/** On which word of the player it rests. */
function askWord() {
  const word = /** @type {HTMLSelectElement} */ (
    h("select", { name: "word" }, h("option", { value: "cash", text: "Cash, paid here" }), h("option", { value: "pin", text: "The player's PIN" }))
  );
  const pin = /** @type {HTMLInputElement} */ (
    h("input", { type: "password", name: "pin", inputmode: "numeric", autocomplete: "off", maxlength: "12" })
  );
  const pinField = labelled("PIN, typed by the player", pin);
  pinField.hidden = true;
  word.addEventListener("change", () => {
    pinField.hidden = word.value !== "pin";
  });
  const node = h("div", { class: "word-fields" }, labelled("Paid by", word), pinField);
  const read = (/** @type {string} */ player) => {
    if (word.value === "pin" && !pin.value) throw new Error("The player types the PIN.");
    return { player, word: /** @type {"cash" | "pin"} */ (word.value), pin: word.value === "pin" ? pin.value : "" };
  };
  return { node, read };
}
