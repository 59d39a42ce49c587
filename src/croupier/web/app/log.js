// The log: a hand in ten lines at most, each street with what was done in it; the small steps of the
// dealer on request. What recurs in every round is said once.

import { h, setAttr } from "./dom.js";
import { citeButtons } from "./rules.js";
import { toYou } from "./addressed.js";
import { isForStaff, isQuiet, sentence } from "./telling.js";

/** @import {Cited, TellingEntry} from "./records.js" */
/** @import {EventName} from "./shown.js" */

/** Lines that are kept. */
const KEPT = 120;
/** With these a new line begins. @type {Set<EventName>} */
const LINES = new Set([
  "blinds called",
  "bets called",
  "hole cards dealt",
  "flop dealt",
  "flop revealed",
  "turn dealt",
  "turn revealed",
  "river dealt",
  "river revealed",
  "showdown begun",
  "dealer revealed",
  "box settled",
  "pot won",
  "round voided",
]);
/** Steps of the dealer and the table that are shown on request. @type {Set<EventName>} */
const STEPS = new Set([
  "announced",
  "straddle declined",
  "betting round closed",
  "bets closed",
  "stakes accepted",
  "lines held",
  "dealer dealt",
  "game started",
  "button card dealt",
  "hole cards dealt",
  "community dealt",
]);
/** Laid face down here, and shown by an event of its own. @type {Set<EventName>} */
const FACE_DOWN = new Set(["flop dealt", "turn dealt", "river dealt"]);
/** With these a round begins. @type {Set<EventName>} */
const BEGINS = new Set(["blinds called", "bets called"]);
/** Under which book it is played: known from the first round on. */
const AGAIN = / under [^.]*(?=\.)| The book is superseded[^.]*\./;
const SUPERSEDED = /The book is superseded[^.]*\./;

export class Log {
  constructor() {
    this.rulebook = "";
    /** What the table says of a book that is superseded. */
    this.marked = "";
    this.lines = h("ol", { class: "log" });
    this.more = h("button", {
      class: "button quiet small",
      type: "button",
      text: "Every step",
      "aria-pressed": "false",
      onclick: () => this.#whole(this.more.getAttribute("aria-pressed") !== "true"),
    });
    this.node = h("div", { class: "log-place" }, this.lines, this.more);
    /** The line that is being written. @type {HTMLElement | null} */
    this.line = null;
    this.told = -1;
    this.under = "";
    /** Where the button came to when the last round ended. */
    this.button = 0;
  }

  /** @param {boolean} whole */
  #whole(whole) {
    setAttr(this.more, "aria-pressed", String(whole));
    this.lines.classList.toggle("whole", whole);
  }

  /** Tell what happened, in order; what was told before is not told again.
   * @param {TellingEntry[]} events @param {string | null} me */
  tell(events, me) {
    for (const told of events) {
      if (told.position <= this.told) continue;
      this.told = told.position;
      if (!isQuiet(told)) this.#add(told, me);
    }
    while (this.lines.childElementCount > KEPT) this.lines.firstElementChild?.remove();
  }

  /** @param {TellingEntry} told @param {string | null} me */
  #add(told, me) {
    const what = /** @type {EventName} */ (told.event.event);
    const faceDown = FACE_DOWN.has(what) && told.told.includes("face down");
    const step = STEPS.has(what) || faceDown || isForStaff(told.event);
    if (!this.line || (LINES.has(what) && !faceDown)) {
      this.line = h("li", { class: BEGINS.has(what) ? "round" : "" });
      this.lines.append(this.line);
    }
    const late = told.timed_out ? "Time is over: " : "";
    const said = late + toYou(this.#passing(told.event, this.#once(sentence(told))), me);
    const node = h("span", { class: step ? "step small-step" : "step" }, `${said} `);
    if (told.cites.length) node.append(citeButtons(this.rulebook, told.cites, 1));
    if (said.startsWith("You ")) node.classList.add("mine");
    this.line.append(node, " ");
    if (!step) this.line.classList.add("said");
  }

  /** With the call of a round the button may go on, past whoever is away. @param {TellingEntry["event"]} event
   * @param {string} said */
  #passing(event, said) {
    if (event.event === "round ended") this.button = event.button;
    if (event.event !== "blinds called") return said;
    const came = this.button;
    this.button = 0;
    if (!came || came === event.button) return said;
    return said.replace("The button is at", `The button passes seat ${came} and is at`);
  }

  /** Under which book it is played is said with the first round only. @param {string} said */
  #once(said) {
    const [found] = /^Round \d+ begins/.test(said) ? (AGAIN.exec(said) ?? [""]) : [""];
    if (!found) return said;
    if (found === this.under) return said.replace(found, "");
    this.under = found;
    return this.marked ? said.replace(SUPERSEDED, this.marked) : said;
  }

  /** @param {string} says @param {(string | Cited)[]} cites */
  refused(says, cites) {
    this.lines.append(
      h("li", { class: "refused said" }, h("span", { class: "step" }, `${says} `, citeButtons(this.rulebook, cites))),
    );
    this.line = null;
  }
}
