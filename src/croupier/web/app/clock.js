// Time that runs out: a ring around a plate, or a bar, in the time that is left. It is drawn anew a few
// times a second and not with every frame: an outline is painted each time, on a slow machine by half a core.

import { moves } from "./motion.js";

/** @import {RunningClock} from "./shown.js" */

/** Milliseconds from one step to the next, where things move and where they do not. */
const STEP = 250;
const CALM = 1_000;
/** The share of the time from which on it is shown as little. */
const LITTLE = 0.25;

/** What runs out now. @type {Map<HTMLElement, RunningClock>} */
const running = new Map();
let timer = 0;

/**
 * Let a node run out; it is the style that draws it.
 * @param {Element} found @param {RunningClock | null} clock null while nobody is waited for here
 */
export function setClock(found, clock) {
  const node = /** @type {HTMLElement} */ (found);
  node.classList.toggle("runs", clock !== null);
  if (!clock) {
    running.delete(node);
    return;
  }
  running.set(node, clock);
  draw(node, clock);
  timer ||= setTimeout(step, STEP);
}

function step() {
  timer = 0;
  for (const [node, clock] of running) {
    if (node.isConnected) draw(node, clock);
    else running.delete(node);
  }
  if (running.size) timer = setTimeout(step, moves() ? STEP : CALM);
}

/** @param {HTMLElement} node @param {RunningClock} clock */
function draw(node, { ends, of }) {
  const left = Math.max(0, ends - Date.now());
  const share = left / Math.max(of, left, 1);
  node.style.setProperty("--left", share.toFixed(3));
  node.classList.toggle("little", share <= LITTLE);
}
