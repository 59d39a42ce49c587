// Why the bets of the player's boxes won or lost: each outcome once, with the bets that it is about and its
// paragraph, then in all. It stays until he bets again. The sentences are the server's.

import { fill, h, patchList, setText, show } from "./dom.js";
import { signed } from "./money.js";
import { netOf } from "./banked-stage.js";
import { citeButtons } from "./rules.js";
import { spotName } from "./spots.js";

/** @import {BankedView, BoxView} from "./records.js" */
/** @typedef {{key: string, name: string, net: number, says: string, cites: string[], all: boolean}} Row */

export class Settled {
  constructor() {
    this.node = h("ul", { class: "settled-bets", "aria-label": "How your bets were settled" });
    /** @type {Map<number, Row[]>} */
    this.last = new Map();
  }

  /** Show how a box was settled; all his boxes are remembered. @param {number} number @param {BankedView} view
   * @param {string} rulebook */
  update(number, view, rulebook) {
    const open = view.status === "bets open";
    for (const [each, box] of Object.entries(view.boxes)) {
      if (!view.yours.includes(Number(each))) continue;
      if (box.result) this.last.set(Number(each), rowsOf(box));
      else if (!open || box.stakes.ante) this.last.delete(Number(each));
    }
    const rows = this.last.get(number) ?? [];
    this.node.classList.toggle("past", !view.boxes[number]?.result);
    show(this.node, rows.length > 0);
    patchList(
      this.node,
      rows,
      (row) => row.key,
      () => h("li", {}, h("span", { class: "which" }), h("strong"), h("span", { class: "why" })),
      (node, row) => {
        setText(node.children[0], row.name);
        setText(node.children[1], row.all && !row.net ? "even" : signed(row.net));
        node.classList.toggle("won", row.net > 0);
        node.classList.toggle("lost", row.net < 0);
        node.classList.toggle("all", row.all);
        if (node.dataset.says === row.says) return;
        node.dataset.says = row.says;
        fill(node.children[2], document.createTextNode(`${row.says} `), citeButtons(rulebook, row.cites, 1));
      },
    );
  }
}

/** A settled box: the bets that have one reason together, then in all. @param {BoxView} box @returns {Row[]} */
function rowsOf(box) {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  for (const [bet, payout] of Object.entries(box.payouts)) {
    const { says, cites } = box.why[bet] ?? { says: "", cites: [] };
    const net = payout.won - payout.lost;
    const row = rows.get(says);
    if (row && says) {
      row.name += `, ${spotName(bet)}`;
      row.net += net;
    } else rows.set(says || bet, { key: bet, name: spotName(bet), net, says, cites, all: false });
  }
  const found = [...rows.values()];
  found.push({ key: "all", name: "In all", net: netOf(box), says: "", cites: [], all: true });
  return found;
}
