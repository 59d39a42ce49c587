// A small table as one sees it from above: the dealer at the top, places clockwise from his left. The
// places are buttons where one of them is asked for.

import { h, svg } from "../dom.js";
import { capital } from "./words.js";

const WIDE = 320;
const HIGH = 200;

/** @typedef {{number: number, marks: string[], cards: number, money: Record<string, string>}} Seat
 *  @typedef {{word: string, places: Seat[], board: number, turn: number | null, pot: string}} Picture
 *  @typedef {{pick: (value: string) => void,
 *    values: {is: string, says: string, impossible: string}[]}} Asked */

/** Where a place is, in the drawing. @param {number} index @param {number} count
 * @param {boolean} banked @param {number} out how far out, 1 is the rim
 * @returns {[number, number]} */
function at(index, count, banked, out) {
  const span = banked ? Math.PI * 0.86 : Math.PI * 1.64;
  const first = banked ? Math.PI * 0.07 : -Math.PI / 2 + (2 * Math.PI - span) / 2;
  const angle = first + (count > 1 ? (index * span) / (count - 1) : span / 2);
  const [cy, ry] = banked ? [34, 138] : [103, 72];
  return [160 + 130 * out * Math.cos(angle), cy + ry * out * Math.sin(angle)];
}

/** @type {Record<string, string>} */
const SHORT = {
  Button: "D",
  "Small Blind": "SB",
  "Big Blind": "BB",
  straddle: "ST",
  "All-in": "All-in",
};
const OUT = ["folded", "cancelled", "away"];

/** A place in words, for who cannot see the drawing. @param {Seat} seat @param {string} word */
function seatWords(seat, word) {
  const money = Object.entries(seat.money).map(([where, sum]) => `${sum} ${where}`);
  return [`${capital(word)} ${seat.number}`, ...seat.marks, ...money].join(", ");
}

/** @param {Picture} picture @param {Asked} [asked] */
export function felt(picture, asked) {
  const banked = picture.word === "box";
  const seats = picture.places;
  const drawing = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" });
  drawing.append(...ground(banked), ...middle(picture, banked));
  const found = h("div", {
    class: `small-felt ${banked ? "banked" : "poker"}`,
    role: "group",
    "aria-label": asked ? `The table: touch a ${picture.word}` : "The table",
  });
  found.append(/** @type {any} */ (drawing));
  seats.forEach((seat, index) => {
    drawing.append(...before(seat, index, seats.length, banked));
    const [x, y] = at(index, seats.length, banked, 1);
    const node = seatNode(seat, picture, asked);
    node.style.left = `${((100 * x) / WIDE).toFixed(2)}%`;
    node.style.top = `${((100 * y) / HIGH).toFixed(2)}%`;
    found.append(node);
  });
  return found;
}

/** @param {Seat} seat @param {Picture} picture @param {Asked} [asked] */
function seatNode(seat, picture, asked) {
  const gone = seat.marks.some((mark) => OUT.includes(mark));
  const value = asked?.values.find((each) => each.is === String(seat.number));
  const number = h("span", { class: "number", text: String(seat.number) });
  const marks = h("span", { class: "marks", "aria-hidden": "true" });
  for (const mark of seat.marks)
    if (SHORT[mark]) marks.append(h("span", { class: `mark m-${SHORT[mark]}`, text: SHORT[mark] }));
  const turn = picture.turn === seat.number ? " turn" : "";
  const classes = `seat${gone ? " gone" : ""}${turn}`;
  if (!value)
    return h(
      "span",
      { class: `${classes} still`, role: "img", "aria-label": seatWords(seat, picture.word) },
      number,
      marks,
    );
  const button = h(
    "button",
    {
      class: classes,
      type: "button",
      "aria-label": seatWords(seat, picture.word),
      "aria-disabled": value.impossible ? "true" : null,
      title: value.impossible || null,
      "data-value": value.is,
      "data-shortcut": seat.number < 10 ? seat.number : null,
      onclick: () => value.impossible || asked?.pick(value.is),
    },
    number,
    marks,
  );
  return button;
}

/** @param {boolean} banked */
function ground(banked) {
  if (!banked)
    return [
      svg("ellipse", { class: "rim", cx: 160, cy: 103, rx: 138, ry: 80 }),
      svg("ellipse", { class: "cloth", cx: 160, cy: 103, rx: 128, ry: 71 }),
      svg("rect", { class: "dealer", x: 138, y: 20, width: 44, height: 15, rx: 5 }),
      text(160, 30.8, "dealer", "dealer-word"),
    ];
  return [
    svg("path", { class: "rim", d: "M14 22Q160 8 306 22C312 120 236 184 160 184S8 120 14 22z" }),
    svg("path", {
      class: "cloth",
      d: "M24 31Q160 18 296 31C300 114 230 174 160 174S20 114 24 31z",
    }),
    svg("rect", { class: "dealer", x: 138, y: 12, width: 44, height: 15, rx: 5 }),
    text(160, 22.8, "dealer", "dealer-word"),
  ];
}

/** The board and the Pot. @param {Picture} picture @param {boolean} banked */
function middle(picture, banked) {
  const y = banked ? 54 : 84;
  const cards = Array.from({ length: picture.board }, (_, k) =>
    card(160 - picture.board * 8 + k * 16 + 1, y, 14, 20, "up"),
  );
  if (picture.pot) cards.push(text(160, banked ? 92 : 122, `Pot ${picture.pot}`, "pot"));
  return cards;
}

/** What lies before a place: cards and the bets, away from where the place itself is drawn.
 * @param {Seat} seat @param {number} index @param {number} count @param {boolean} banked */
function before(seat, index, count, banked) {
  const [x, y] = at(index, count, banked, banked ? 0.6 : 0.68);
  const parts = [];
  for (let k = 0; k < Math.min(seat.cards, 4); k += 1)
    parts.push(card(x - seat.cards * 4.5 + k * 9, y - 10, 8, 11.5, "down"));
  const sums = banked
    ? Object.entries(seat.money).map(([name, sum]) => `${name} ${sum}`)
    : [seat.money["in front"]].filter(Boolean);
  const [first, step] = !banked && y > 120 ? [-14, -8] : [9, 8];
  sums.slice(0, 3).forEach((sum, k) => parts.push(text(x, y + first + k * step, sum, "bet")));
  return parts;
}

/** @param {number} x @param {number} y @param {number} w @param {number} high @param {string} side */
function card(x, y, w, high, side) {
  return svg("rect", { class: `leaf ${side}`, x, y, width: w, height: high, rx: 1.6 });
}

/** @param {number} x @param {number} y @param {string} words @param {string} kind */
function text(x, y, words, kind) {
  const node = svg("text", { x, y, class: kind, "text-anchor": "middle" });
  node.textContent = words;
  return node;
}
