// The record of a replay: the table after each step, and where the reader stops.

import { UNKNOWN } from "../cards.js";
import { isQuiet } from "../telling.js";

/** @import {Replay, ReplayEvent, ReplayJackpot, ReplayStep} from "../records.js" */
/** @typedef {Record<string, any>} View a table as its viewer saw it */

/** Under this key of a change stand the keys that are there no more. */
const GONE = "-";

/** @param {unknown} value @returns {value is View} */
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A view with what changed. @param {View} before @param {View} changes @returns {View} */
function withChanges(before, changes) {
  const found = { ...before };
  for (const key of changes[GONE] ?? []) delete found[key];
  for (const [key, value] of Object.entries(changes)) {
    if (key === GONE) continue;
    const old = found[key];
    found[key] = isRecord(old) && isRecord(value) ? withChanges(old, value) : value;
  }
  return found;
}

/** The table after each step; before the first it is `replay.start`. @param {Replay} replay */
export function viewsOf(replay) {
  /** @type {View[]} */
  const views = [];
  let view = /** @type {View} */ (replay.start);
  for (const step of replay.steps) {
    view = withChanges(view, step.changes);
    views.push(view);
  }
  return views;
}

/** The jackpot after each step. @param {Replay} replay @returns {(ReplayJackpot | null)[]} */
export function jackpotsOf(replay) {
  let last = replay.jackpot;
  return replay.steps.map((step) => (last = step.jackpot ?? last));
}

/** Whether an event says something that a reader wants to know: also which cards somebody looked
 * at, if they are for this reader. @param {ReplayEvent} told */
export function isTold(told) {
  const event = /** @type {View} */ (told.event);
  if (event.event === "looked") return !event.cards.includes(UNKNOWN);
  return !("event" in event) || !isQuiet(/** @type {any} */ (told));
}

/** The steps at which a reader stops: where something is told. @param {Replay} replay */
export function stopsOf(replay) {
  const stops = replay.steps.map((_, i) => i).filter((i) => replay.steps[i].events.some(isTold));
  const last = replay.steps.length - 1;
  if (last >= 0 && stops.at(-1) !== last) stops[Math.max(0, stops.length - 1)] = last;
  return stops;
}
