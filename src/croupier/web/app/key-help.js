// The keys of the page, on `?`: those that stand on its buttons now, and those that always do something.

import { h } from "./dom.js";
import { openDialog } from "./dialogs.js";

const ALWAYS = [
  ["?", "This list"],
  ["Tab", "To the next thing; the first stop of a table is your actions"],
  ["Esc", "Close what is open"],
];

/** @param {Element} button */
function does(button) {
  const what = button.querySelector(".what, .spot-name")?.textContent;
  const said = button.getAttribute("aria-label") ?? what ?? "";
  const text = said || [...button.childNodes].filter((node) => node.nodeName !== "KBD").map((node) => node.textContent).join("");
  return text.split(":")[0].trim();
}

/** Show which keys there are now. */
export function openKeyHelp() {
  const list = h("dl", { class: "key-help" });
  /** @type {Set<string>} */
  const seen = new Set();
  for (const node of document.querySelectorAll("[data-shortcut]")) {
    const button = /** @type {HTMLElement} */ (node);
    const key = (button.dataset.shortcut ?? "").toUpperCase();
    const word = does(button);
    if (!word || seen.has(key) || button.offsetParent === null) continue;
    seen.add(key);
    list.append(h("dt", {}, h("kbd", { text: key })), h("dd", { text: word }));
  }
  for (const [key, word] of ALWAYS)
    list.append(h("dt", {}, h("kbd", { text: key })), h("dd", { text: word }));
  openDialog("Keys", h("div", { class: "inside" }, h("p", { text: "What each key does now:" }), list));
}

/** Open it on `?`. */
export function listenForHelp() {
  document.addEventListener("keydown", (event) => {
    const typing = document.activeElement instanceof HTMLInputElement;
    if (event.key === "?" && !typing && !document.querySelector("dialog[open]")) openKeyHelp();
  });
}
