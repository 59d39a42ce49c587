// Time that runs out: a ring around a plate, or a bar, in the time that is left.

/** @import {RunningClock} from "./shown.js" */

/**
 * Let a node run out; it is the style that draws it.
 * @param {Element} found @param {RunningClock | null} clock null while nobody is waited for here
 */
export function setClock(found, clock) {
  const node = /** @type {HTMLElement} */ (found);
  if (!clock) {
    node.classList.remove("runs");
    delete node.dataset.clock;
    return;
  }
  const key = `${clock.ends}|${clock.of}`;
  if (node.dataset.clock === key) return;
  node.dataset.clock = key;
  const left = Math.max(0, clock.ends - Date.now());
  const all = Math.max(clock.of, left);
  node.style.setProperty("--all", `${all}ms`);
  node.style.setProperty("--gone", `${left - all}ms`);
  node.classList.remove("runs");
  void node.getBoundingClientRect(); // begin anew
  node.classList.add("runs");
}
