// A guest on two devices: a code that is shown on one and typed on the other.

import { h, setText } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { ask, useCode } from "./session.js";

/** @typedef {import("./records.js").Me} Me */

/** The button of a guest who wants to play on another device. */
export function codeButton() {
  return h("button", {
    class: "button quiet small",
    type: "button",
    text: "Play on another device",
    onclick: async () => {
      const body = h("div", { class: "inside" }, h("p", { role: "status", text: "Asking for a code …" }));
      openDialog("Your code", body);
      try {
        const { code, minutes } = await ask("/api/guest-code", {});
        body.append(
          h("p", { class: "guest-code", text: code }),
          h("p", {
            text: `Open this casino on the other device, choose “I have a code”, and type it there within ${minutes} minutes. It is good once.`,
          }),
        );
        body.querySelector("[role=status]")?.remove();
      } catch (error) {
        body.append(h("p", { class: "wrong", text: /** @type {Error} */ (error).message }));
      }
    },
  });
}

/** The button of somebody who comes with a code. @param {(me: Me) => void} entered */
export function haveCodeButton(entered) {
  return h("button", {
    class: "button quiet small",
    type: "button",
    text: "I have a code",
    onclick: () => {
      const text = /** @type {HTMLInputElement} */ (
        h("input", { type: "text", autocomplete: "one-time-code", required: true, maxlength: "12" })
      );
      const wrong = h("p", { class: "wrong", role: "alert" });
      const form = h(
        "form",
        { class: "inside" },
        h("label", { class: "field" }, h("span", { text: "Code" }), text),
        wrong,
        h("button", { class: "button main", type: "submit", text: "Come back" }),
      );
      form.addEventListener("submit", async (event) => {
        event.preventDefault();
        try {
          entered(await useCode(text.value));
          close();
        } catch (error) {
          setText(wrong, /** @type {Error} */ (error).message);
        }
      });
      const close = openDialog("Come back as a guest", form);
      text.focus();
    },
  });
}
