// Nobody loses chips to a button that has just come: one that appears, or that means something else
// than a moment ago, takes no press for a while, and a double click acts once. Whether a hand was on its way to
// the button that stood there before, only the time can tell.

import { setAttr } from "./dom.js";

/** Milliseconds for which a button that is new takes no press, from when it can be seen. */
const NEW = 300;

/** What each button means now. @type {WeakMap<Element, {meaning: string}>} */
const meant = new WeakMap();

/** Note what a button means now; nothing while it is not offered.
 * @param {Element} button @param {string} meaning */
export function meansNow(button, meaning) {
  if (meant.get(button)?.meaning === meaning) return;
  const now = { meaning };
  meant.set(button, now);
  if (!meaning) return;
  setAttr(button, "aria-disabled", "true");
  const taken = () => {
    if (meant.get(button) === now) setAttr(button, "aria-disabled", null);
  };
  // This script may still have much to do before anything is drawn, above all on a slow machine and
  // at a table that has just been opened. In the second frame from here the button has been drawn.
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(taken, NEW)));
}

/** Whether a button means what it does only since a moment ago. @param {Element} button */
export function isNew(button) {
  return button.getAttribute("aria-disabled") === "true";
}

/** Whether a press counts. @param {Event} event */
export function counts(event) {
  const second = event instanceof MouseEvent && event.detail > 1;
  return !second && !isNew(/** @type {Element} */ (event.currentTarget));
}
