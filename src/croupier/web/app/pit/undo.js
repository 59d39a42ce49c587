// The way back from the last ruling: the table is held with the first touch, the reason is chosen, and what
// goes back is shown before it is confirmed.

import { h } from "../dom.js";
import { ask } from "../session.js";
import { openDialog } from "../dialogs.js";
import { capital } from "../desk/words.js";
import { Looking } from "./hold.js";
import { newId } from "./words.js";

/** @typedef {import("./main.js").Console} Console */

const REASONS = ["it rested on a wrong fact", "the wrong report was given", "the players agree"];

/** A button that undoes the last ruling of a table. @param {Console} console @param {string} place
 * @param {string} text @param {HTMLElement} wrong @param {Looking | null} [held] where it is held already */
export function undoButton(console, place, text, wrong, held = null) {
  return h("button", { class: "button undo", type: "button", text, onclick: () => begin(console, place, wrong, held) });
}

/** @param {Console} console @param {string} place @param {HTMLElement} wrong @param {Looking | null} held */
async function begin(console, place, wrong, held) {
  const path = encodeURIComponent(place);
  let looking = held;
  try {
    if (!looking || !(await looking.keep()))
      looking = new Looking(console, place, (await ask(`/api/pit/tables/${path}/look`, { id: newId() })).hold);
  } catch (error) {
    wrong.textContent = /** @type {Error} */ (error).message;
    return;
  }
  const mine = looking;
  askReason(
    async (reason) => {
      try {
        await ask(`/api/pit/tables/${path}/hold`, { id: newId(), command: { do: "undo ruling", reason } });
        mine.over = true;
        location.hash = `#ruling/${path}`;
      } catch (error) {
        if (!held) mine.leave();
        wrong.textContent = /** @type {Error} */ (error).message;
        wrong.scrollIntoView({ block: "center" });
      }
      console.read();
    },
    () => {
      if (!held) mine.leave();
      console.read();
    },
  );
}

/** @param {(reason: string) => void} give @param {() => void} not */
function askReason(give, not) {
  const field = /** @type {HTMLInputElement} */ (h("input", { type: "text", maxlength: "300", "aria-label": "Another reason" }));
  let given = false;
  const say = (/** @type {string} */ reason) => {
    if (!reason.trim()) return field.focus();
    given = true;
    close();
    return give(reason.trim());
  };
  const body = h(
    "div",
    { class: "inside" },
    h("p", { text: "The table is held. You see what goes back before you confirm it." }),
    h("div", { class: "choices" }, ...REASONS.map((each) => h("button", { class: "choice", type: "button", text: capital(each), onclick: () => say(each) }))),
    h("label", { class: "field" }, h("span", { text: "Another reason" }), field),
    h("div", { class: "row" }, h("button", { class: "button main", type: "button", text: "Go on", onclick: () => say(field.value) })),
  );
  const close = openDialog("Why is it undone?", body);
  body.closest("dialog")?.addEventListener("close", () => {
    if (!given) not();
  });
}
