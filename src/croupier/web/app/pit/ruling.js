// The ruling before it is confirmed: the facts on one side, what follows from them on the other. A
// touch on a fact holds the table for the other report, and the ruling follows.

import { h, fill, setText } from "../dom.js";
import { keyed } from "../keys.js";
import { NoAnswer, ask } from "../session.js";
import { cardsPart, headline, moneyPart, nextPart, paragraphsPart, readingsPart, signPart, whyPart } from "../desk/ruling.js";
import { badges } from "../desk/paragraph.js";
import { capital, listed, optionWords } from "../desk/words.js";
import { doneView } from "./done.js";
import { factsPart } from "./facts.js";
import { matterOf, matters } from "./matter.js";
import { playersAt } from "./players.js";
import { REASON, heldFor, hour, newId, placeName, seatWord } from "./words.js";

/** @import {PitHold, PitRuling} from "../records.js" */
/** @typedef {import("./main.js").Console} Console */
/** @typedef {{hold: PitHold, preview: PitRuling}} Held a table that is held for a report */

/** A hold that is looked at is kept as long as somebody touches the page. */
const KEEP_BELOW = 60_000;

/** @param {Console} console @param {string} place @returns {Promise<import("./main.js").View>} */
export async function rulingView(console, place) {
  const path = encodeURIComponent(place);
  const [held, found, names] = await Promise.all([
    ask(`/api/pit/tables/${path}/hold`),
    ask(`/api/pit/tables/${path}/reports`),
    playersAt(place),
  ]);
  const { hold, preview } = held;
  if (!preview) return lookedFor(console, place, hold);
  return new Ruling(console, place, { hold, preview }, matters(found.reports), names);
}

/** Nothing is reported yet: somebody looks for it, or reads out what was ruled.
 * @param {Console} console @param {string} place @param {PitHold} hold @returns {import("./main.js").View} */
function lookedFor(console, place, hold) {
  const path = encodeURIComponent(place);
  const wrong = h("p", { class: "wrong", role: "alert" });
  const take = async () => {
    try {
      if (!hold.mine) await ask(`/api/pit/tables/${path}/hold/take`, { id: newId(), hold: hold.hold });
      location.hash = `#report/${path}`;
    } catch (error) {
      setText(wrong, /** @type {Error} */ (error).message);
    }
  };
  const words = hold.mine ? "Report something" : "Take over";
  const button = keyed(h("button", { class: "button main take", type: "button", text: words, onclick: take }), "t");
  const says = `${hold.mine ? "You hold" : `${hold.by} (${hold.post}) holds`} the table: ${hold.says}.`;
  return console.notice(says, `Held: ${placeName(place)}`, wrong, h("div", { class: "row" }, button));
}

class Ruling {
  /** @param {Console} console @param {string} place @param {Held} held
   * @param {import("./matter.js").Matter[]} all @param {Record<number, string>} names */
  constructor(console, place, held, all, names) {
    this.console = console;
    this.place = place;
    this.path = encodeURIComponent(place);
    this.held = held;
    this.all = all;
    this.names = names;
    this.turn = 0;
    /** @type {string | null} the id of the confirmation: sent twice it has one effect */
    this.confirming = null;
    /** Whether it was sent again because nobody knows what came of it. */
    this.asked = false;
    this.keeping = false;
    this.over = false;
    this.book = console.tile(place)?.rulebook ?? "";
    this.word = seatWord(console.tile(place)?.game ?? "");
    this.title = `Ruling at ${placeName(place)}`;
    this.facts = h("div", { class: "facts-side" });
    this.ruled = h("div", { class: "ruled", "aria-live": "polite" });
    this.bar = h("div", { class: "decide" });
    this.wrong = h("p", { class: "wrong", role: "alert" });
    this.view = h("article", { class: "ruling before" }, this.wrong, h("div", { class: "sides" }, this.facts, this.ruled), this.bar);
    this.touched = () => this.#keep();
    addEventListener("pointerdown", this.touched);
    addEventListener("keydown", this.touched);
    this.draw();
    this.view.dataset.says = held.preview.ruling.headline;
  }

  leave() {
    removeEventListener("pointerdown", this.touched);
    removeEventListener("keydown", this.touched);
  }

  /** @param {import("../records.js").PitFloor} floor */
  update(floor) {
    const hold = floor.tables.find((tile) => tile.place === this.place)?.hold ?? null;
    if (hold && hold.hold === this.held.hold.hold) {
      const changed = hold.by !== this.held.hold.by || hold.until !== this.held.hold.until;
      this.held = { ...this.held, hold };
      if (changed) this.#drawBar();
      return;
    }
    if (this.turn || this.over) return;
    if (this.confirming && !this.asked) {
      this.asked = true; // its answer was lost: sent again it has one effect, and says what came of it
      this.#confirm();
      return;
    }
    this.over = true;
    const says = hold ? `${hold.by} holds the table now: ${heldFor(hold.says)}.` : "The time of this hold is over; nothing was reported.";
    setText(this.wrong, says);
    this.#drawBar();
  }

  draw() {
    const { hold, preview } = this.held;
    const found = matterOf(this.all, hold.command);
    const questions =
      found && hold.mine
        ? factsPart(found.matter, found.said, { word: this.word, names: this.names }, (said) => this.#change(found.matter.command(said)))
        : null;
    const focused = document.activeElement instanceof HTMLElement && this.facts.contains(document.activeElement) ? document.activeElement : null;
    const key = focused?.dataset.value;
    const field = /** @type {HTMLElement | null} */ (focused?.closest("[data-field]") ?? null)?.dataset.field;
    const open = this.facts.querySelector("details")?.open ?? false;
    fill(
      this.facts,
      h("p", { class: "reported" }, h("strong", { text: placeName(this.place) }), h("span", { text: found?.matter.title ?? capital(heldFor(hold.says)) })),
      ...(questions ? [questions] : [h("p", { class: "small-words", text: hold.mine ? "Nothing more needs to be known." : `${hold.by} reports it since ${hour(hold.since)}.` })]),
    );
    const details = this.facts.querySelector("details");
    if (details) details.open = open;
    if (field) {
      const again = this.facts.querySelector(`[data-field="${CSS.escape(field)}"]`);
      const same = key ? again?.querySelector(`[data-value="${CSS.escape(key)}"]`) : again?.querySelector("input, select, button");
      if (same instanceof HTMLElement) same.focus();
    }
    fill(this.ruled, ...rulingParts(this.book, preview, hold.command));
    this.#drawBar();
  }

  #drawBar() {
    const { hold, preview } = this.held;
    if (this.over)
      return fill(this.bar, h("div", { class: "said" }, h("a", { class: "button main", href: `#table/${this.path}`, text: "Report again" })));
    const line = h(
      "p",
      { class: "hold-line" },
      h("strong", { text: hold.mine ? "You hold the table" : `${hold.by} (${hold.post}) holds the table` }),
      h("span", {}, h("span", { "data-until": hold.until }), " left"),
    );
    const said = h("div", { class: "said" });
    if (hold.mine) {
      const words = confirmWords(hold.command, preview);
      said.append(
        keyed(h("button", { class: "button main confirm", type: "button", text: words, onclick: () => this.#confirm() }), "c"),
        h("button", { class: "button", type: "button", text: "Give it up", onclick: () => this.#release() }),
      );
    } else {
      said.append(keyed(h("button", { class: "button main take", type: "button", text: "Take over", onclick: () => this.#take() }), "t"));
    }
    fill(this.bar, line, said);
    this.console.tick();
    return undefined;
  }

  /** Another fact: the table is held for it, and the ruling is made anew. @param {Record<string, unknown>} command */
  async #change(command) {
    this.turn += 1;
    const turn = this.turn;
    this.view.setAttribute("aria-busy", "true");
    try {
      const held = await ask(`/api/pit/tables/${this.path}/hold`, { id: newId(), command });
      if (turn === this.turn && held.preview) this.held = { hold: held.hold, preview: held.preview };
      setText(this.wrong, "");
    } catch (error) {
      setText(this.wrong, /** @type {Error} */ (error).message);
    } finally {
      if (turn === this.turn) {
        this.turn = 0;
        this.view.removeAttribute("aria-busy");
        this.draw();
      }
    }
  }

  /** @param {() => Promise<void>} does */
  async #try(does) {
    for (const button of this.bar.querySelectorAll("button")) button.disabled = true;
    try {
      await does();
    } catch (error) {
      if (this.asked && !(error instanceof NoAnswer)) this.over = true; // the hold was over meanwhile
      setText(this.wrong, /** @type {Error} */ (error).message);
      this.wrong.scrollIntoView({ block: "center" });
      this.#drawBar();
    }
    this.console.read();
  }

  #confirm() {
    this.confirming ??= newId();
    return this.#try(async () => {
      const { hold, preview } = this.held;
      const reason = preview.signs.length ? REASON : "";
      this.turn += 1; // the hold ends with it; that is no surprise
      try {
        const answer = await ask(`/api/pit/tables/${this.path}/confirm`, { id: /** @type {string} */ (this.confirming), hold: hold.hold, reason, pause: true });
        this.console.put(doneView(this.console, this.place, answer));
      } finally {
        this.turn = 0;
      }
    });
  }

  #release() {
    return this.#try(async () => {
      this.over = true;
      await ask(`/api/pit/tables/${this.path}/hold/release`, { id: newId(), hold: this.held.hold.hold });
      location.hash = `#table/${this.path}`;
    });
  }

  #take() {
    return this.#try(async () => {
      const { hold, preview } = await ask(`/api/pit/tables/${this.path}/hold/take`, { id: newId(), hold: this.held.hold.hold });
      if (preview) this.held = { hold, preview };
      setText(this.wrong, "");
      this.draw();
    });
  }

  async #keep() {
    const { hold } = this.held;
    const left = Date.parse(hold.until) - Date.now() - this.console.ahead;
    if (!hold.mine || this.over || this.keeping || left > KEEP_BELOW || left <= 0) return;
    this.keeping = true;
    try {
      const kept = await ask(`/api/pit/tables/${this.path}/hold/keep`, { id: newId(), hold: hold.hold });
      this.held = { ...this.held, hold: kept.hold };
      this.#drawBar();
    } catch {
      // the next look at the floor says that it is over
    } finally {
      this.keeping = false;
    }
  }
}

/** What the one button says that carries it out. @param {any} command @param {PitRuling} preview */
function confirmWords(command, preview) {
  if (command?.do === "undo ruling") return "Undo the ruling";
  return rules(preview) ? "Confirm the ruling" : "Report it";
}

/** Whether it is ruled once he confirms it, and nobody else has a word in it. @param {PitRuling} preview */
function rules({ ruling, yours }) {
  return yours && !ruling.decisions.some((each) => each.by === "staff");
}

/** @param {string} book @param {PitRuling} preview @param {Record<string, any>} command @returns {Node[]} */
function rulingParts(book, preview, command) {
  const { ruling } = preview;
  const nobody = command.do === "undo ruling" ? null : nobodyElse(book, ruling);
  return [
    h("div", { class: `of-${ruling.kind}` }, headline(book, ruling)),
    ...(preview.yours || !preview.signs.length
      ? []
      : [h("p", { class: "then", text: `You report it; then it needs the word of a ${listed(preview.signs)} or above.` })]),
    h("div", { class: "parts" }, ...[cardsPart(ruling), moneyPart(ruling), signPart(book, ruling) ?? nobody].filter((each) => each !== null)),
    ...ruling.decisions.map((each) => thenDecides(book, each)),
    h("div", { class: "parts" }, ...[nextPart(ruling), whyPart(book, ruling)].filter((each) => each !== null)),
    paragraphsPart(book, ruling),
    readingsPart(book, ruling, true),
  ].filter((each) => each !== null);
}

/** Why whoever stands there may confirm it. @param {string} book @param {PitRuling["ruling"]} ruling */
function nobodyElse(book, ruling) {
  if (ruling.decisions.length) return null;
  const first = ruling.paragraphs[0];
  const says = "The book states what is done and asks for nobody's word: whoever reports it confirms it. ";
  return h(
    "section",
    { class: "part signs" },
    h("h2", { text: "Needs nobody else's word" }),
    h("p", {}, says, first ? badges(book, [first.id], 1) : null),
  );
}

/** What somebody is asked once it is confirmed. @param {string} book
 * @param {import("../records.js").Decision} asked */
function thenDecides(book, asked) {
  const list = h("ul", { class: "then-options" });
  for (const option of asked.options)
    list.append(
      h(
        "li",
        {},
        h("strong", { text: optionWords(option) }),
        option.says ? h("span", { text: ` ${option.says}` }) : null,
        option.then.length ? h("small", { text: option.then.map((each) => each.says).join(" ") }) : null,
      ),
    );
  return h(
    "section",
    { class: "part decision" },
    h("h2", { text: asked.by === "player" ? `Then ${asked.of} chooses` : `Then the ${asked.of} or above decides` }),
    h("p", { class: "asks" }, `${asked.says} `, badges(book, asked.cites, 2)),
    list,
  );
}
