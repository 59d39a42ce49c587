// Dialogs: one frame for all of them, and those that ask for an amount or whether one is sure.

import { h, setText, svg } from "./dom.js";
import { readAmount } from "./amount.js";
import { counts, isNew, meansNow } from "./guard.js";
import { money } from "./money.js";

let counter = 0;

/**
 * Open a dialog; it closes with Escape, its cross, or the function that is returned.
 * @param {string} title @param {HTMLElement} body @returns {() => void}
 */
export function openDialog(title, body) {
  counter += 1;
  const heading = h("h2", { text: title, id: `dialog-${counter}` });
  body.prepend(heading);
  const dialog = /** @type {HTMLDialogElement} */ (
    h(
      "dialog",
      { "aria-labelledby": heading.id },
      h("button", {
        class: "close",
        type: "button",
        "aria-label": "Close",
        text: "×",
        onclick: () => dialog.close(),
      }),
      body,
    )
  );
  const before = document.activeElement;
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && event.detail < 2) dialog.close(); // a double click opened it
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  return () => dialog.close();
}

/**
 * Ask for an amount between a least and a most.
 * @param {{title: string, says: string, does: string, least: number, most: number, start: number, step: number,
 *   give: (amount: number) => Promise<string | null>}} asked `give` answers with what is wrong, or null
 */
export function askAmount({ title, says, does, least, most, start, step, give }) {
  const at = Math.max(least, Math.min(most, start));
  const text = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      value: money(at),
      "aria-describedby": "amount-says",
    })
  );
  const slider = /** @type {HTMLInputElement} */ (
    h("input", { type: "range", min: least, max: most, step, value: at, "aria-label": "Amount" })
  );
  const button = /** @type {HTMLButtonElement} */ (
    h("button", { class: "button main", type: "submit" })
  );
  meansNow(button, title);
  const wrong = h("p", { class: "wrong", role: "alert" });
  let amount = at;
  const label = () => setText(button, `${does} ${money(amount)}`);
  label();
  slider.addEventListener("input", () => {
    const raw = Number(slider.value);
    amount = raw >= most - step / 2 ? most : raw;
    text.value = money(amount);
    setText(wrong, "");
    button.disabled = false;
    slider.setAttribute("aria-valuetext", money(amount));
    label();
  });
  const read = () => {
    const typed = readAmount(text.value, { least, most, step });
    setText(wrong, typed.wrong);
    button.disabled = typed.amount === null;
    if (typed.amount === null) return false;
    amount = typed.amount;
    slider.value = String(amount);
    label();
    return true;
  };
  text.addEventListener("input", read);
  const form = h(
    "form",
    { class: "inside", method: "dialog" },
    h("p", { id: "amount-says", text: says }),
    h("label", { class: "field" }, h("span", { text: "Amount" }), text),
    slider,
    h("p", { class: "label", text: `${money(least)} to ${money(most)}` }),
    wrong,
    h("div", { class: "row" }, button),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isNew(button) || !read()) return;
    button.disabled = true;
    const problem = await give(amount);
    button.disabled = false;
    if (problem === null) close();
    else setText(wrong, problem);
  });
  const close = openDialog(title, form);
  text.select();
}

/**
 * Ask whether he really wants to; resolves with true or false.
 * @param {{title: string, says: string, does: string, not: string}} asked
 * @param {AbortSignal} [over] ends the question, as if he did not want to
 * @returns {Promise<boolean>}
 */
export function confirmed({ title, says, does, not }, over) {
  return new Promise((done) => {
    const answer = (/** @type {boolean} */ sure) => () => {
      done(sure);
      close();
    };
    const stays = h("button", { class: "button main", type: "button", text: not });
    stays.addEventListener("click", answer(false));
    const goes = h("button", { class: "button", type: "button", text: does });
    // It may come up under the pointer that asked for it: the second click of two is no answer.
    goes.addEventListener("click", (event) => {
      if (counts(event)) answer(true)();
    });
    meansNow(goes, title);
    const body = h(
      "div",
      { class: "inside" },
      h("p", { text: says }),
      h("div", { class: "row" }, stays, goes),
    );
    const close = openDialog(title, body);
    body.closest("dialog")?.addEventListener("close", () => done(false));
    over?.addEventListener("abort", close);
    stays.focus();
  });
}

/** The button that opens the settings. */
export function settingsButton() {
  const sliders = svg(
    "svg",
    { viewBox: "0 0 24 24", class: "glyph", "aria-hidden": "true" },
    svg("path", { d: "M4 7h9m5 0h2M4 17h2m5 0h9M15.5 4.5v5M8.5 14.5v5" }),
  );
  const button = h("button", {
    class: "button quiet small",
    type: "button",
    "aria-label": "Settings",
    title: "Settings",
    onclick: async () => (await import("./settings-dialog.js")).openSettings(),
  });
  button.append(sliders);
  return button;
}
