// Charts of what was won and lost: a line over all rounds, and bars for sessions or games.

import { h, svg } from "../dom.js";
import { money, signed } from "../money.js";

/** @import {MyRound, MySums} from "../records.js" */

const WIDE = 1000;
const HIGH = 260;
/** Points that a line is drawn through at most. */
const POINTS = 500;

/** What all rounds together have come to, after each. @param {MyRound[]} rounds the newest first
 * @param {number} before what older ones came to */
export function line(rounds, before) {
  let sum = before;
  const sums = [sum];
  for (const { net } of [...rounds].reverse()) {
    sum += net;
    sums.push(sum);
  }
  const top = Math.max(0, ...sums);
  const low = Math.min(0, ...sums);
  const y = (/** @type {number} */ value) => HIGH - ((value - low) / (top - low || 1)) * HIGH;
  const every = Math.max(1, Math.ceil(sums.length / POINTS));
  const points = sums
    .map((value, at) => ({ value, at }))
    .filter(({ at }) => at % every === 0 || at === sums.length - 1)
    .map(({ value, at }) => `${((at / Math.max(1, sums.length - 1)) * WIDE).toFixed(1)},${y(value).toFixed(1)}`)
    .join(" ");
  const says = `After ${rounds.length} ${rounds.length === 1 ? "round" : "rounds"} ${signed(sum)}; at most ${money(top)}, at least ${money(low)}`;
  const drawing = svg(
    "svg",
    { class: "line", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": says },
    svg("line", { class: "axis", x1: 0, x2: WIDE, y1: y(0), y2: y(0) }),
    svg("polyline", { points, "vector-effect": "non-scaling-stroke" }),
  );
  return h(
    "figure",
    { class: "over-time" },
    h("span", { class: "top", text: money(top) }),
    /** @type {any} */ (drawing),
    h("span", { class: "low", text: money(low) }),
    h("figcaption", { text: says }),
  );
}

/** One bar for each, to the left what was lost and to the right what was won.
 * @param {string} title @param {MySums[]} sums @param {(one: MySums) => string} words */
export function bars(title, sums, words) {
  const most = Math.max(1, ...sums.map(({ net }) => Math.abs(net)));
  const list = h("ul", { class: "sums" });
  for (const one of sums) {
    const share = (Math.abs(one.net) / most) * 50;
    const bar = svg("svg", { class: "strip", width: "100%", height: 10, "aria-hidden": "true" });
    bar.append(
      svg("rect", {
        class: one.net < 0 ? "lost" : "won",
        x: `${one.net < 0 ? 50 - share : 50}%`,
        width: `${share}%`,
        height: 10,
        rx: 2,
      }),
      svg("line", { class: "axis", x1: "50%", x2: "50%", y1: 0, y2: 10 }),
    );
    list.append(
      h(
        "li",
        {},
        h("span", { class: "of", text: words(one) }),
        h("span", { class: "rounds", text: `${one.rounds} ${one.rounds === 1 ? "round" : "rounds"}` }),
        h("span", { class: "both", text: `won ${money(one.won)}, lost ${money(one.lost)}` }),
        h("b", { class: one.net < 0 ? "lost" : "won", text: signed(one.net) }),
        /** @type {any} */ (bar),
      ),
    );
  }
  return h("section", {}, h("h2", { text: title }), list);
}
