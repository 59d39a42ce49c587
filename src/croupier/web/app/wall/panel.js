// One jackpot on the wall: its name, the amount, and what is to be said about it.

import { h, setAttr, setText, show } from "../dom.js";
import { JACKPOT, meter } from "../money.js";
import { Counter } from "./counter.js";

/** @import {WallAward, WallLink} from "../records.js" */

/** @type {Record<WallLink["status"], string>} */
const WORDS = {
  open: "",
  "claim pending": "Claim pending",
  "out of service": "Out of service",
  closed: "Closed",
  ended: "Ended",
};

export class Panel {
  /** @param {boolean} still whether nothing may move */
  constructor(still) {
    this.name = h("h2", { class: "name" });
    this.word = h("p", { class: "word" });
    this.amount = h("p", { class: "amount" });
    this.counter = new Counter(this.amount, still);
    this.says = h("p", { class: "says" });
    this.more = h("p", { class: "more" });
    this.node = h(
      "section",
      { class: "jackpot" },
      this.name,
      h("div", { class: "middle" }, this.word, this.amount),
      h("div", { class: "below", role: "status" }, this.says, this.more),
    );
  }

  /** @param {WallLink} link */
  update(link) {
    const won = link.won[0];
    const state = won && link.amount !== null ? "won" : link.status;
    setAttr(this.node, "data-state", state);
    setText(this.name, title(link.link));
    if (state === "won" && won) this.#won(won, link);
    else this.#stands(link);
  }

  /** @param {WallLink} link */
  #stands(link) {
    const word = WORDS[link.status];
    const big = link.amount === null;
    setText(this.word, word);
    show(this.word, word !== "");
    setAttr(this.word, "class", big ? "word big" : "word");
    show(this.amount, !big);
    if (link.amount === null) this.counter.clear();
    else this.counter.set(link.amount);
    setText(this.says, link.status === "claim pending" ? claims(link.claims) : link.says);
    setText(this.more, link.cites.length ? `Rulebook ${link.cites[0]}` : "");
  }

  /** @param {WallAward} won @param {WallLink} link */
  #won(won, link) {
    setText(this.word, "Jackpot won");
    setAttr(this.word, "class", "word");
    show(this.word, true);
    show(this.amount, true);
    this.counter.clear();
    setText(this.amount, meter(won.amount));
    this.amount.style.setProperty("--chars", String(meter(won.amount).length));
    const whom = won.player === null ? "" : `${won.player} · `;
    setText(this.says, `${whom}Table ${place(won.table)} · ${won.line}`);
    const also = link.won.slice(1).map((each) => `${meter(each.amount)} at ${place(each.table)}`);
    const now = link.status === "claim pending" ? claims(link.claims) : "";
    const goesOn = `The jackpot stands at ${meter(link.amount ?? 0)}.`;
    setText(this.more, [also.length ? `Also ${also.join(" and ")}.` : "", now, goesOn].filter(Boolean).join(" "));
  }

  /** No answer since a moment: nobody knows what it stands at now.
   * @param {string} since @param {number | null} last what it stood at then */
  lost(since, last) {
    setAttr(this.node, "data-state", "lost");
    setText(this.word, "No connection");
    setAttr(this.word, "class", "word big");
    show(this.word, true);
    show(this.amount, false);
    this.counter.clear();
    setText(this.says, `Since ${since}. The jackpot goes on at the tables.`);
    setText(this.more, last === null ? "" : `At ${since} it stood at ${meter(last)}.`);
  }
}

/** @param {string} name */
function title(name) {
  return /jackpot/i.test(name) ? name : `${name} · ${JACKPOT}`;
}

/** Tables are called with spaces on every page. @param {string} name */
function place(name) {
  return name.replace(/-/g, " ");
}

/** @param {string[]} tables */
function claims(tables) {
  const where = tables.map(place).join(" and ");
  return `Table ${where}: the claim is being verified.`;
}
