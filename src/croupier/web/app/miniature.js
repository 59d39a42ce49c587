// A table in miniature, for its card in the lobby: the felt, and a dot for each seat, filled if taken.

import { svg } from "./dom.js";

/** @import {TableSummary} from "./records.js" */

/** @param {TableSummary} table */
export function miniature(table) {
  const taken = new Set(table.players.map((each) => each.seat));
  const poker = table.game === "poker";
  const drawing = svg("svg", { viewBox: "0 0 160 84", class: "mini" });
  if (poker) {
    drawing.append(
      svg("ellipse", { class: "mini-rim", cx: "80", cy: "42", rx: "70", ry: "34" }),
      svg("ellipse", { class: "mini-felt", cx: "80", cy: "42", rx: "64", ry: "29" }),
      svg("ellipse", { class: "mini-line", cx: "80", cy: "42", rx: "56", ry: "23" }),
    );
  } else {
    const shape = (/** @type {number} */ d) =>
      `M${10 + d} ${14 + d}Q80 ${6 + d} ${150 - d} ${14 + d}C${152 - d} ${58 - d} ${118 - d / 2} ${78 - d} 80 ${78 - d}S${8 + d} ${58 - d} ${10 + d} ${14 + d}z`;
    drawing.append(
      svg("path", { class: "mini-rim", d: shape(0) }),
      svg("path", { class: "mini-felt", d: shape(5) }),
    );
  }
  const cards = poker ? 5 : 5;
  for (let i = 0; i < cards; i += 1) {
    drawing.append(
      svg("rect", {
        class: "mini-card",
        x: 57.5 + i * 9.2,
        y: poker ? 36 : 30,
        width: "7.6",
        height: "10.6",
        rx: "1.2",
      }),
    );
  }
  if (!poker)
    for (let i = 0; i < 2; i += 1)
      drawing.append(
        svg("rect", {
          class: "mini-card",
          x: 72 + i * 8.6,
          y: 15,
          width: "6.4",
          height: "9",
          rx: "1",
        }),
      );
  const n = table.seats;
  for (let i = 0; i < n; i += 1) {
    const angle = poker
      ? -Math.PI / 2 + ((i + 0.5) * 2 * Math.PI) / n
      : 0.32 + (i * (Math.PI - 0.64)) / Math.max(1, n - 1);
    const x = poker ? 80 + 67 * Math.cos(angle) : 80 + 64 * Math.cos(angle);
    const y = poker ? 42 + 31.5 * Math.sin(angle) : 26 + 43 * Math.sin(angle);
    drawing.append(
      svg("circle", {
        class: taken.has(i + 1) ? "mini-seat taken" : "mini-seat",
        cx: x.toFixed(1),
        cy: y.toFixed(1),
        r: "5",
      }),
    );
  }
  return drawing;
}
