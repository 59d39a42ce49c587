// Forms of the office: fields with their labels, and what is wrong with one said beside it. What the
// page cannot know the server says; its sentence stands at the field that it is about.

import { fill, h, setAttr, setText } from "../dom.js";
import { money, readMoney } from "../money.js";

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {"text" | "password" | "money" | "number" | "date" | "moment" | "select" | "chips"} [type]
 * @property {(string | [string, string])[]} [options] of a select, each as it is called and shown
 * @property {string[]} [known] what may be chosen while typing
 * @property {boolean} [optional]
 * @property {string} [value]
 * @property {string} [hint]
 * @property {(values: Record<string, string>) => number[]} [chips] the values of chips, by the other fields
 *
 * @typedef {Record<string, any>} Values
 * @typedef {{text: string, danger?: boolean, quiet?: boolean, does: (values: Values) => Promise<unknown>}} Act
 */

let made = 0;

/** What is wrong with one field. */
class Wrong extends Error {
  /** @param {string} field @param {string} says */
  constructor(field, says) {
    super(says);
    this.field = field;
  }
}

/** A form with one or several buttons; whoever presses one sees what came of it here.
 * @param {{title: string, says?: string, fields: Field[], acts: Act[], level?: string}} about */
export function orderForm({ title, says = "", fields, acts, level = "h2" }) {
  made += 1;
  const id = `form-${made}`;
  const inputs = new Map(fields.map((field) => [field.name, makeField(field, `${id}-${field.name}`)]));
  const wrong = h("p", { class: "wrong", role: "alert" });
  const told = h("p", { class: "told", role: "status" });
  const buttons = acts.map((act, index) => button(act, index));
  const form = /** @type {HTMLFormElement} */ (
    h(
      "form",
      { class: "order", novalidate: true, "aria-labelledby": id },
      h(level, { id, text: title }),
      says ? h("p", { class: "soft", text: says }) : null,
      h("div", { class: "fields" }, ...[...inputs.values()].map((each) => each.node)),
      h("div", { class: "row" }, ...buttons),
      wrong,
      told,
    )
  );
  const raw = () => Object.fromEntries([...inputs].map(([name, each]) => [name, each.text()]));
  for (const each of inputs.values()) each.depends?.(raw());
  form.addEventListener("change", () => {
    for (const each of inputs.values()) each.depends?.(raw());
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const by = /** @type {HTMLButtonElement | null} */ (/** @type {SubmitEvent} */ (event).submitter);
    const act = acts[buttons.indexOf(/** @type {any} */ (by))] ?? acts[0];
    for (const each of inputs.values()) each.wrong("");
    setText(wrong, "");
    setText(told, "");
    for (const each of buttons) /** @type {HTMLButtonElement} */ (each).disabled = true;
    try {
      const values = Object.fromEntries([...inputs].map(([name, each]) => [name, each.read()]));
      setText(told, String((await act.does(values)) ?? "Done."));
      for (const each of inputs.values()) each.clear();
    } catch (error) {
      say(/** @type {Error} */ (error), inputs, wrong);
    } finally {
      for (const each of buttons) /** @type {HTMLButtonElement} */ (each).disabled = false;
    }
  });
  return form;
}

/** @param {Act} act @param {number} index */
function button(act, index) {
  const kind = act.danger ? "danger" : act.quiet || index ? "" : "main";
  return h("button", { class: `button ${kind}`, type: "submit", text: act.text });
}

/** Put a sentence beside the field that it is about: the one that is named, or whose word is in it.
 * @param {Error} error @param {Map<string, ReturnType<typeof makeField>>} inputs @param {Element} wrong */
function say(error, inputs, wrong) {
  const says = sentence(error.message);
  const named = error instanceof Wrong ? error.field : (/\x60\$\.(\w+)/.exec(error.message)?.[1] ?? "");
  const typed = [...inputs].find(([, each]) => each.text().length > 1 && error.message.includes(each.text()));
  const found = inputs.get(named) ?? typed?.[1];
  if (found) {
    found.wrong(says);
    found.focus();
  } else setText(wrong, says);
}

/** @param {string} text */
export function sentence(text) {
  const plain = text.replace(/^unreadable command: /, "").replace(/ - at `\$\.?\w*.*`/, "");
  return plain.charAt(0).toUpperCase() + plain.slice(1).replace(/\.?$/, ".");
}

/** @param {Field} field @param {string} id */
function makeField(field, id) {
  if (field.type === "chips") return makeChips(field, id);
  const wrong = h("p", { class: "wrong", id: `${id}-wrong`, role: "alert" });
  const listed = field.known?.length ? h("datalist", { id: `${id}-list` }, ...field.known.map((value) => h("option", { value }))) : null;
  const kinds = { date: "date", moment: "datetime-local", password: "password", number: "number" };
  const input = /** @type {HTMLInputElement} */ (
    field.type === "select"
      ? h("select", { id, name: field.name }, ...(field.options ?? []).map((each) => option(each, field.value)))
      : h("input", {
          id,
          name: field.name,
          type: /** @type {Record<string, string>} */ (kinds)[field.type ?? "text"] ?? "text",
          inputmode: field.type === "money" ? "decimal" : null,
          autocomplete: field.type === "password" ? "new-password" : "off",
          value: field.value ?? null,
          list: listed ? `${id}-list` : null,
        })
  );
  setAttr(input, "aria-describedby", `${id}-wrong`);
  const label = h("label", { for: id, text: field.optional ? `${field.label} (optional)` : field.label });
  const hint = field.hint ? h("small", { class: "soft", text: field.hint }) : null;
  return {
    node: h("div", { class: "field" }, label, input, listed, hint, wrong),
    text: () => input.value.trim(),
    read: () => read(field, field.type === "password" ? input.value : input.value.trim()),
    clear: () => {
      if (field.type === "password") input.value = "";
    },
    focus: () => input.focus(),
    depends: /** @type {((values: Record<string, string>) => void) | undefined} */ (undefined),
    wrong: (/** @type {string} */ says) => {
      setText(wrong, says);
      setAttr(input, "aria-invalid", says ? "true" : null);
    },
  };
}

/** @param {string | [string, string]} each @param {string | undefined} chosen */
function option(each, chosen) {
  const [value, text] = typeof each === "string" ? [each, each] : each;
  return h("option", { value, text, selected: value === chosen });
}

/** What was typed, as the order has it. @param {Field} field @param {string} text @returns {any} */
function read(field, text) {
  if (!text) {
    if (field.optional) return field.type === "date" || field.type === "moment" ? null : "";
    throw new Wrong(field.name, field.label.startsWith("Why") ? `Say w${field.label.slice(1)}.` : `Fill in “${field.label}”.`);
  }
  if (field.type === "money") {
    const cents = readMoney(text);
    if (cents === null) throw new Wrong(field.name, "Write an amount, such as 500 or 2.50.");
    return cents;
  }
  if (field.type === "number") {
    if (!/^\d{1,6}$/.test(text)) throw new Wrong(field.name, "Write a whole number.");
    return Number(text);
  }
  if (field.type === "moment") return new Date(text).toISOString();
  return text;
}

/** How many chips of each value that a table has. @param {Field} field @param {string} id */
function makeChips(field, id) {
  const wrong = h("p", { class: "wrong", role: "alert" });
  const sum = h("output", { class: "sum", text: "0" });
  const row = h("div", { class: "chip-row" });
  /** @type {{value: number, input: HTMLInputElement}[]} */
  let counts = [];
  let of = "";
  const total = () =>
    counts.reduce((all, { value, input }) => all + value * (Number.parseInt(input.value, 10) || 0), 0);
  const depends = (/** @type {Record<string, string>} */ values) => {
    const chips = field.chips?.(values) ?? [];
    if (chips.join() === of) return;
    of = chips.join();
    counts = chips.map((value) => ({
      value,
      input: /** @type {HTMLInputElement} */ (
        h("input", { id: `${id}-${value}`, type: "text", inputmode: "numeric", autocomplete: "off", placeholder: "0" })
      ),
    }));
    fill(
      row,
      ...counts.map(({ value, input }) =>
        h("span", { class: "chip-count" }, h("label", { for: input.id, text: `of ${money(value)}` }), input),
      ),
    );
    setText(sum, money(total()));
  };
  row.addEventListener("input", () => setText(sum, money(total())));
  row.addEventListener("focusin", (event) => /** @type {HTMLInputElement} */ (event.target).select?.());
  return {
    node: h(
      "fieldset",
      { class: "field chips" },
      h("legend", { text: field.label }),
      row,
      h("p", { class: "soft" }, "Together ", sum),
      wrong,
    ),
    text: () => "",
    read: () => {
      /** @type {Record<string, number>} */
      const chips = {};
      if (!counts.some(({ input }) => input.value.trim())) {
        counts[0]?.input.focus(); // a count that was not made is not one of nothing
        throw new Wrong(field.name, "Write how many chips there are of each value; 0 where there is none.");
      }
      for (const { value, input } of counts) {
        const text = input.value.trim() || "0";
        if (!/^\d{1,6}$/.test(text)) {
          input.focus();
          throw new Wrong(field.name, `Write how many chips of ${money(value)} there are, in figures.`);
        }
        if (Number(text)) chips[value] = Number(text);
      }
      return chips;
    },
    clear: () => {
      for (const { input } of counts) input.value = "";
      setText(sum, money(0));
    },
    focus: () => counts[0]?.input.focus(),
    depends,
    wrong: (/** @type {string} */ says) => setText(wrong, says),
  };
}

/** A table of rows; on a narrow screen each row is a card. Numbers stand to the right, and a column
 * with nothing in it is left out.
 * @param {string} title @param {string[]} heads @param {(string | number | Node | null)[][]} rows
 * @param {string} [none] what is said where there is no row */
export function listTable(title, heads, rows, none = "None.") {
  const used = heads.map((_, i) => rows.some((row) => row[i] !== "" && row[i] !== null));
  heads = heads.filter((_, i) => used[i]);
  rows = rows.map((row) => row.filter((_, i) => used[i]));
  const numbers = heads.map((_, i) => rows.some((row) => isFigure(row[i])) || (i > 0 && rows.every((row) => isCount(row[i]))));
  const caption = h("caption", { text: title });
  if (!rows.length) return h("section", { class: "list", "data-list": title }, h("h2", { text: title }), h("p", { class: "soft", text: none }));
  return h(
    "table",
    { class: "list", "data-list": title },
    caption,
    h("thead", {}, h("tr", {}, ...heads.map((text, i) => head(text, numbers[i])))),
    h(
      "tbody",
      {},
      ...rows.map((row) =>
        h(
          "tr",
          {},
          ...row.map((cell, i) => {
            const shown = cell instanceof Node ? cell : typeof cell === "number" ? money(cell) : (cell ?? "");
            return h(i ? "td" : "th", { "data-head": heads[i], scope: i ? null : "row", class: numbers[i] ? "number" : "" }, shown);
          }),
        ),
      ),
    ),
  );
}

/** @param {string} text @param {boolean} number */
function head(text, number) {
  const name = text ? text : h("span", { class: "vh", text: "What can be done" });
  return h("th", { scope: "col", class: number ? "number" : "" }, name);
}

/** How many of something. @param {unknown} cell */
function isCount(cell) {
  return typeof cell === "string" && /^\d+$/.test(cell);
}

/** @param {unknown} cell */
function isFigure(cell) {
  return typeof cell === "number" || (cell instanceof Element && cell.classList.contains("figure"));
}
