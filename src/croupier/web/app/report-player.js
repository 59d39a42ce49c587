// Report a player to the pit: whom, and what happened.

import { h, setText, fill } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { ask } from "./session.js";

/** @param {string} place @param {string[]} names who is at the table */
export function reportPlayer(place, names) {
  const whom = /** @type {HTMLSelectElement} */ (
    h("select", { required: true }, ...names.map((name) => h("option", { value: name, text: name })))
  );
  const says = /** @type {HTMLTextAreaElement} */ (
    h("textarea", { rows: 4, maxlength: 500, required: true })
  );
  const wrong = h("p", { class: "wrong", role: "alert" });
  const form = h(
    "form",
    { class: "inside" },
    h("p", { text: "Somebody of the pit looks at it, with the record of the table. The player is not told who reported it." }),
    h("label", { class: "field" }, h("span", { text: "Player" }), whom),
    h("label", { class: "field" }, h("span", { text: "What happened" }), says),
    wrong,
    h("div", { class: "row" }, h("button", { class: "button main", type: "submit", text: "Report to the pit" })),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const done = await ask(`/api/tables/${encodeURIComponent(place)}/player-reports`, {
        player: whom.value,
        says: says.value,
      });
      fill(form, h("h2", { text: "Reported" }), h("p", { role: "status", text: done.says }));
    } catch (error) {
      setText(wrong, /** @type {Error} */ (error).message);
    }
  });
  openDialog("Report a player", form);
}
