// How the bets of the player's boxes were settled, spelled out; it stays until he bets again.

import { h, patchList, setText, show } from "./dom.js";
import { money, signed } from "./money.js";
import { netOf } from "./banked-stage.js";
import { spotName } from "./spots.js";

/** @import {BankedTableInfo, BankedView, BoxView, Payout} from "./records.js" */

export class Settled {
  constructor() {
    this.node = h("ul", { class: "settled-bets", "aria-label": "How your bets were settled" });
    /** @type {Map<number, ReturnType<typeof rowsOf>>} */
    this.last = new Map();
  }

  /** Show how a box was settled; all his boxes are remembered. @param {number} number @param {BankedView} view @param {BankedTableInfo} sign */
  update(number, view, sign) {
    const open = view.status === "bets open";
    for (const [each, box] of Object.entries(view.boxes)) {
      if (!view.yours.includes(Number(each))) continue;
      if (box.result) this.last.set(Number(each), rowsOf(box, sign));
      else if (!open || box.stakes.ante) this.last.delete(Number(each));
    }
    const rows = this.last.get(number) ?? [];
    this.node.classList.toggle("past", !view.boxes[number]?.result);
    show(this.node, rows.length > 0);
    patchList(
      this.node,
      rows,
      (row) => row.name,
      () => h("li", {}, h("span"), h("span")),
      (node, row) => {
        setText(node.children[0], row.name);
        setText(node.children[1], row.words);
        node.classList.toggle("won", row.net > 0);
        node.classList.toggle("all", row.all);
      },
    );
  }
}

/** A settled box, bet by bet, then in all. @param {BoxView} box @param {BankedTableInfo} sign */
function rowsOf(box, sign) {
  const rows = Object.entries(box.payouts).map(([bet, payout]) => {
    const net = payout.won - payout.lost;
    return { name: spotName(bet), words: inWords(payout), net, all: false };
  });
  for (const [line, paid] of Object.entries(box.lines_paid)) {
    rows.push({ name: lineTitle(line, sign), words: `pays ${money(paid)}`, net: paid, all: false });
  }
  const net = netOf(box);
  rows.push({ name: "In all", words: signed(net), net, all: true });
  return rows;
}

/** What a line of a pay table is called. @param {string} line @param {BankedTableInfo} sign */
function lineTitle(line, sign) {
  for (const table of sign.pays) {
    for (const each of table.lines) if (each.line === line) return each.title;
  }
  return line;
}

/** @param {Payout} payout */
function inWords(payout) {
  const parts = [];
  if (payout.won) parts.push(`wins ${money(payout.won)}`);
  if (payout.returned) parts.push(`${money(payout.returned)} back`);
  if (payout.lost) parts.push(`loses ${money(payout.lost)}`);
  return parts.join(", ") || `${money(payout.staked)} lies there still`;
}
