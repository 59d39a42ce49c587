// The emergency stop: one person, two touches, everything. What is stopped, and how it opens again.

import { fill, h } from "../dom.js";
import { orderForm } from "./form.js";

/** @import {Office} from "./main.js" */

const WHY = "Emergency stop";
/** Whether the first touch was given. */
let asked = false;
let shown = "";

/** @param {Office} office */
export function stopPanel(office) {
  const { disabled } = office.glance;
  const now = [disabled, asked, office.may("disable"), office.may("enable")].join("|");
  if (now === shown) return;
  shown = now;
  if (disabled) {
    asked = false;
    fill(office.stop, stopped(office, disabled));
  } else if (!office.may("disable")) fill(office.stop);
  else fill(office.stop, asked ? second(office) : first(office));
}

/** @param {Office} office @param {boolean} to */
function turn(office, to) {
  asked = to;
  stopPanel(office);
  office.stop.querySelector("button")?.focus();
}

/** @param {Office} office */
function first(office) {
  return h("button", {
    class: "button danger",
    type: "button",
    text: "Emergency stop",
    onclick: () => turn(office, true),
  });
}

/** @param {Office} office */
function second(office) {
  const wrong = h("p", { class: "wrong", role: "alert" });
  const stop = async () => {
    try {
      await office.order({ do: "disable", reason: WHY });
    } catch (error) {
      wrong.textContent = /** @type {Error} */ (error).message;
    }
  };
  return h(
    "div",
    { class: "sure", role: "group", "aria-label": "Stop everything?" },
    h("p", { text: "Nothing new begins anywhere; rounds under way are finished by their books, and whoever wants to leave may leave." }),
    h("button", { class: "button danger", type: "button", text: "Stop everything now", onclick: stop }),
    h("button", { class: "button quiet", type: "button", text: "No", onclick: () => turn(office, false) }),
    wrong,
  );
}

/** @param {Office} office @param {string} why */
function stopped(office, why) {
  return h(
    "div",
    { class: "is-stopped", role: "alert" },
    h("strong", { text: "Everything is stopped" }),
    h("span", { text: `${why}.` }),
    office.may("enable")
      ? orderForm({
          title: "Open again",
          fields: [{ name: "reason", label: "Why it may go on", value: "" }],
          acts: [{ text: "Open everything again", does: ({ reason }) => office.order({ do: "enable", reason }) }],
        })
      : h("span", { text: "A shift manager or administrator opens again." }),
  );
}
