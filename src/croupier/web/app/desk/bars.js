// Small pictures of counts: bars with their words and numbers, so that nothing is told by length alone.

import { h, svg } from "../dom.js";

const MOST = 6;

/** @param {string} title @param {any[]} counts @param {(each: any) => string} words */
export function bars(title, counts, words) {
  const shown = (counts ?? []).slice(0, MOST);
  const top = Math.max(1, ...shown.map((each) => each.count));
  const list = h("ul", { class: "bars" });
  for (const each of shown) {
    const bar = h("span", { class: "bar-of", "aria-hidden": "true" });
    bar.style.width = `${((100 * each.count) / top).toFixed(1)}%`;
    list.append(
      h(
        "li",
        {},
        h("span", { class: "of", text: words(each) }),
        h("b", { text: String(each.count) }),
        h("span", { class: "track" }, bar),
      ),
    );
  }
  const rest = (counts ?? []).length - shown.length;
  return h(
    "section",
    { class: "figure" },
    h("h2", { text: title }),
    shown.length ? list : h("p", { class: "none", text: "None" }),
    rest > 0 ? h("p", { class: "none", text: `and ${rest} more` }) : null,
  );
}

/** @param {string} title @param {number[]} counts for each hour of the day */
export function hours(title, counts) {
  const found = counts ?? [];
  const top = Math.max(1, ...found);
  const busiest = found.indexOf(Math.max(0, ...found));
  const all = found.reduce((sum, n) => sum + n, 0);
  const says = all
    ? `Most between ${busiest} and ${(busiest + 1) % 24} o’clock: ${found[busiest]} of ${all}`
    : "None";
  const drawing = svg("svg", {
    viewBox: "0 0 240 84",
    class: "hours",
    role: "img",
    "aria-label": says,
  });
  found.forEach((count, hour) => {
    const high = (62 * count) / top;
    drawing.append(
      svg("rect", {
        class: count && hour === busiest ? "hour top" : "hour",
        x: hour * 10 + 1,
        y: 66 - Math.max(high, 1),
        width: 8,
        height: Math.max(high, 1),
        rx: 1.5,
      }),
    );
  });
  for (const hour of [0, 6, 12, 18]) {
    const label = svg("text", { x: hour * 10 + 1, y: 80 });
    label.textContent = `${hour}:00`;
    drawing.append(label);
  }
  return h(
    "section",
    { class: "figure" },
    h("h2", { text: title }),
    /** @type {any} */ (drawing),
    h("p", { class: "none", text: says }),
  );
}
