// Keyboard shortcuts. A button that has one carries it as data-shortcut and shows it; pressing the key
// presses the button, unless somebody is typing or a dialog is open.

import { h, setAttr } from "./dom.js";
import { setting } from "./settings.js";

/** @param {Element | null} node */
function typing(node) {
  if (!(node instanceof HTMLElement)) return false;
  if (
    node.isContentEditable ||
    node instanceof HTMLTextAreaElement ||
    node instanceof HTMLSelectElement
  )
    return true;
  return node instanceof HTMLInputElement && (node.type === "text" || node.type === "number");
}

/** Listen for shortcuts on the whole page. */
export function listen() {
  document.addEventListener("keydown", (event) => {
    // A browser presses a button again and again while Enter is held down on it: here it is pressed once.
    if (event.repeat && event.key === "Enter" && document.activeElement instanceof HTMLButtonElement) {
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !setting("keys")) return;
    if (typing(document.activeElement) || document.querySelector("dialog[open]")) return;
    if (event.key.length !== 1) return;
    const key = event.key.toLowerCase();
    for (const node of document.querySelectorAll(`[data-shortcut="${CSS.escape(key)}"]`)) {
      const button = /** @type {HTMLButtonElement} */ (node);
      if (button.disabled || button.offsetParent === null) continue;
      event.preventDefault();
      button.click();
      return;
    }
  });
}

/** Give a button its key, and show it. @param {HTMLElement} button @param {string} key */
export function keyed(button, key) {
  button.dataset.shortcut = key;
  setAttr(button, "aria-keyshortcuts", key);
  button.append(h("kbd", { text: key.toUpperCase(), "aria-hidden": "true" }));
  return button;
}
