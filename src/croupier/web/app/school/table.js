// The table of an exercise: the same parts as at a live table and in the replayer, with its steps until
// the question is put. It opens at the end: what a dealer has before them.

import { h, fill, setText, show } from "../dom.js";
import { makeCard } from "../cards.js";
import { Controls } from "../replay/controls.js";
import { stopsOf, viewsOf } from "../replay/record.js";
import { showTable, stageOf } from "../replay/stage.js";

/** @import {CardsShown, Replay} from "../records.js" */
/** @import {View} from "../replay/record.js" */

export class SchoolTable {
  constructor() {
    /** @type {Replay | null} */
    this.replay = null;
    /** @type {View[]} */
    this.views = [];
    /** @type {number[]} */
    this.stops = [];
    this.stop = -1;
    /** @type {any} */
    this.stage = null;
    this.place = h("div", { class: "stage-place" });
    this.now = h("p", { class: "now", "aria-live": "polite" });
    this.controls = new Controls({
      at: () => this.stop,
      last: () => this.stops.length - 1,
      go: (stop, moving) => this.#go(stop, moving),
    });
    this.node = h("div", { class: "play" }, this.place, this.now, this.controls.node);
  }

  /** @param {Replay | null} replay @param {readonly CardsShown[]} cards */
  fill(replay, cards) {
    this.controls.stop();
    this.replay = replay;
    this.views = replay ? viewsOf(replay) : [];
    this.stops = replay ? stopsOf(replay) : [];
    this.stop = -2;
    show(this.controls.node, this.stops.length > 0);
    show(this.now, this.stops.length > 0);
    if (!replay) {
      this.stage = null;
      fill(this.place, cardsShown(cards));
      return;
    }
    this.stage = stageOf(replay);
    fill(this.place, this.stage.node);
    this.#go(this.stops.length - 1, false);
  }

  /** @param {number} stop @param {boolean} moving */
  #go(stop, moving) {
    const { replay, stage } = this;
    if (!replay || !stage || stop === this.stop) return;
    const before = this.stop;
    this.stop = Math.max(-1, Math.min(stop, this.stops.length - 1));
    const step = this.stop < 0 ? -1 : this.stops[this.stop];
    const since = before < 0 ? -1 : this.stops[before];
    showTable(stage, replay, this.views, step, moving ? since : null);
    const told = step < 0 ? [] : replay.steps[step].events.filter(({ told }) => told);
    setText(this.now, told.map((one) => one.told).join(" "));
    this.controls.show();
  }
}

/** @param {readonly CardsShown[]} cards */
function cardsShown(cards) {
  const rows = cards.map(({ label, cards: shown }) =>
    h(
      "figure",
      { class: "shown-cards" },
      h("figcaption", { text: label }),
      h("div", { class: "row" }, ...shown.map((card) => makeCard(card))),
    ),
  );
  return h("div", { class: "cards-only" }, ...rows);
}
