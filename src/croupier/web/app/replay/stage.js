// The table of a replay: the same stage as at a live table, filled from a record instead of a socket.
// The replayer and the dealer school show it.

import { PokerStage } from "../poker-stage.js";
import { BankedStage } from "../banked-stage.js";

/** @import {Replay} from "../records.js" */
/** @import {View} from "./record.js" */

/** The stage on which a replay is shown. @param {Replay} replay @returns {any} */
export function stageOf(replay) {
  return replay.game === "poker"
    ? new PokerStage({ sit: () => undefined })
    : new BankedStage({ take: () => undefined });
}

/**
 * Show the table as it stood after a step; what happened after `since` moves, if that is named.
 * @param {any} stage @param {Replay} replay @param {View[]} views @param {number} step -1 before the first
 * @param {number | null} [since] the step that was shown before, if this is one step on
 */
export function showTable(stage, replay, views, step, since = null) {
  const view = step < 0 ? /** @type {View} */ (replay.start) : views[step];
  if (!("seats" in view || "boxes" in view)) return;
  const seen = replay.steps
    .slice(since === null ? 0 : since + 1, step + 1)
    .flatMap((one) => one.events)
    .filter(({ event, place }) => "event" in event && !place);
  if (since === null) stage.said?.clear();
  else stage.before?.();
  stage.hear?.(seen);
  stage.update({
    view: { yours: [], decisions: [], ...view },
    sign: replay.sign,
    clock: null,
    jackpot: null,
    bots: [],
    away: [],
    ready: [],
    me: replay.seen_as || null,
    place: replay.place,
    maySit: false,
  });
  if (since !== null) stage.after?.(seen);
  else for (const node of stage.node.querySelectorAll(".fresh")) node.classList.remove("fresh");
}
