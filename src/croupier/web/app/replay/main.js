// The replayer: any round that is over, step by step. The server has sent what its viewer may see;
// the page only shows it.

import { h, fill, setText, show } from "../dom.js";
import { brand } from "../brand.js";
import { meter } from "../money.js";
import { whoAmI } from "../session.js";
import { applySettings } from "../settings.js";
import * as announce from "../announce.js";
import { Controls } from "./controls.js";
import { Words, cite } from "./words.js";
import { jackpotsOf, stopsOf, viewsOf } from "./record.js";
import { checkAll } from "./shuffle.js";
import { ofCase, ofFile, ofPage, ofRound } from "./source.js";
import { showTable, stageOf } from "./stage.js";

/** @import {Replay} from "../records.js" */
/** @import {Found, Source} from "./source.js" */
/** @import {View} from "./record.js" */

const EVERYTHING = "*";
const READS = ".phh,.phhs,.ohh,.txt";

/** @param {string} name */
function asWords(name) {
  if (name === EVERYTHING) return "everything";
  return name === "" ? "everybody (face up only)" : name;
}

class ReplayPage {
  constructor() {
    /** @type {Source | null} */
    this.source = null;
    /** @type {Replay | null} */
    this.replay = null;
    /** @type {View[]} */
    this.views = [];
    /** @type {number[]} */
    this.stops = [];
    this.stop = -1;
    /** @type {any} */
    this.stage = null;
    /** @type {string | null} */
    this.me = null;
    this.title = h("h1", { text: "Replayer" });
    this.under = h("p", { class: "label under" });
    this.about = h("p", { class: "about", hidden: true });
    this.shows = h("p", { class: "shows", hidden: true });
    this.stagePlace = h("div", { class: "stage-place" });
    this.jackpot = h("p", { class: "jackpot-line", hidden: true });
    this.now = h("p", { class: "now" });
    this.equityList = h("ul", { class: "equities", "aria-label": "Share of the pot" });
    this.shuffle = h("div", { class: "shuffle" });
    this.more = h("div", { class: "more" });
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.words = new Words((stop) => this.go(stop, false));
    this.controls = new Controls({
      at: () => this.stop,
      last: () => this.stops.length - 1,
      go: (stop, moving) => this.go(stop, moving),
    });
    this.equities = false;
    this.front = this.#front();
    this.theatre = h(
      "div",
      { class: "theatre", hidden: true },
      h(
        "div",
        { class: "play" },
        this.stagePlace,
        this.jackpot,
        this.now,
        this.controls.node,
        this.equityList,
        this.more,
        this.shuffle,
      ),
      h("div", { class: "side" }, this.shows, this.about, this.words.node),
    );
    const offline = location.protocol === "file:";
    /** Where one rules oneself; not every server has it. */
    this.school = h("a", { class: "button quiet small", href: "/school", text: "Dealer school", hidden: true });
    fill(
      /** @type {Element} */ (document.querySelector("#page")),
      h(
        "header",
        { class: "bar" },
        offline ? h("span", { class: "brand", text: "croupier" }) : brand(),
        h("div", { class: "title" }, this.title, this.under),
        offline ? null : h("a", { class: "button quiet small", href: "/rules", text: "Rulebooks" }),
        this.school,
      ),
      h("main", {}, this.problem, this.front, this.theatre),
    );
    this.#drops();
  }

  // -- what is shown ------------------------------------------------------------------------------

  /** @param {Source} source @param {Promise<Found>} [first] */
  async open(source, first) {
    try {
      const found = await (first ?? source.load());
      this.source = source;
      this.#fill(found);
      show(this.problem, false);
    } catch (error) {
      setText(this.problem, /** @type {Error} */ (error).message);
      show(this.problem, true);
      if (!this.replay) show(this.front, true);
    }
  }

  /** @param {Found} found */
  #fill(found) {
    const { replay } = found;
    const kept = this.replay ? (this.stops[this.stop] ?? -1) : undefined;
    const asked = this.replay ? undefined : this.#asked();
    this.replay = replay;
    this.views = viewsOf(replay);
    this.jackpots = jackpotsOf(replay);
    this.stops = stopsOf(replay);
    this.controls.stop();
    const stage = stageOf(replay);
    (this.stage?.node ?? this.stagePlace).replaceWith(stage.node);
    this.stage = stage;
    this.controls.swipes(stage.node);
    setText(this.title, replay.title);
    setText(this.under, replay.book);
    setText(this.about, replay.about);
    show(this.about, Boolean(replay.about));
    this.#fillShows(replay);
    document.title = `${replay.title} · croupier`;
    this.words.fill(replay, this.stops);
    this.#fillMore(found);
    show(this.front, false);
    show(this.theatre, true);
    this.stop = -2;
    this.go(asked ?? (kept === undefined ? -1 : this.#stopAt(kept)), false);
    void this.#check();
  }

  /** What a case is about, with the way back to its paragraphs. @param {Replay} replay */
  #fillShows(replay) {
    const [first, ...others] = Object.keys(replay.paragraphs);
    show(this.shows, first !== undefined);
    if (first === undefined) return;
    fill(
      this.shows,
      h("span", { text: "A case of " }),
      cite(replay, first),
      h("span", { text: ` ${replay.paragraphs[first]}` }),
      h("span", { class: "cites" }, others.length ? ", with " : "", ...others.map((id) => cite(replay, id))),
    );
  }

  /** The stop that shows a step; the last one, if it is behind all. @param {number} step */
  #stopAt(step) {
    const at = this.stops.findIndex((each) => each >= step);
    return step < 0 ? -1 : at < 0 ? this.stops.length - 1 : at;
  }

  /** The stop that the address names. */
  #asked() {
    const step = /^#(\d+)$/.exec(location.hash)?.[1];
    return step === undefined ? undefined : Number(step) - 1;
  }

  /** Show the table as it stood at a stop. @param {number} stop @param {boolean} moving one step on */
  go(stop, moving) {
    const { replay, stage } = this;
    if (!replay || stop === this.stop) return;
    const before = this.stop;
    this.stop = Math.max(-1, Math.min(stop, this.stops.length - 1));
    const step = this.stop < 0 ? -1 : this.stops[this.stop];
    const since = before < 0 ? -1 : this.stops[before];
    showTable(stage, replay, this.views, step, moving ? since : null);
    this.#showJackpot(step);
    this.words.mark(this.stop);
    this.controls.show();
    const told = this.words.list.children[this.stop]?.querySelector("div");
    const says = [...(told?.querySelectorAll("p:not(.label, .note)") ?? [])].map((p) =>
      (p.firstChild?.textContent ?? "").trim(),
    );
    setText(this.now, this.stop < 0 ? "Before the first step." : says.join(" "));
    if (this.stop >= 0) announce.tell(says.join(" "));
    if (this.equities) void this.#showEquities();
    history.replaceState(null, "", `#${this.stop + 1}`);
  }

  /** @param {number} step */
  #showJackpot(step) {
    const found = step < 0 ? this.replay?.jackpot : this.jackpots?.[step];
    show(this.jackpot, Boolean(found));
    if (found)
      fill(
        this.jackpot,
        h("span", { text: `Progressive Jackpot ${found.link}` }),
        h("strong", { text: meter(found.meter) }),
        h("span", { text: found.status === "open" ? "" : found.status }),
      );
  }

  // -- what may be asked ----------------------------------------------------------------------------

  /** @param {Found} found */
  #fillMore({ replay, seenAs, formats, hands }) {
    const source = /** @type {Source} */ (this.source);
    fill(this.more);
    if (seenAs.length > 1)
      this.more.append(
        this.#choice("Seen by", seenAs, replay.seen_as, asWords, (name) =>
          this.open(source, source.load(name)),
        ),
      );
    if (hands && hands.length > 1 && source.hand) {
      const { hand } = source;
      this.more.append(
        this.#choice(
          "Hand",
          hands.map((_, i) => String(i)),
          String(this.hand ?? 0),
          (/** @type {string} */ i) => hands[Number(i)],
          (/** @type {string} */ i) => {
            this.hand = Number(i);
            this.replay = null;
            return this.open(source, hand(Number(i)));
          },
        ),
      );
    }
    if (replay.game === "poker" && source.equities)
      this.more.append(
        this.#pressed("Equities", this.equities, (on) => {
          this.equities = on;
          if (on) void this.#showEquities();
          else fill(this.equityList);
        }),
      );
    if (location.protocol !== "file:" && replay.kind !== "hand")
      this.more.append(this.#button("Copy link", (button) => this.#share(button)));
    if (formats.length && source.write)
      this.more.append(
        this.#folded("Export", ...formats.map((form) => this.#button(form, () => this.#write(form)))),
      );
    if (location.protocol !== "file:") this.more.append(this.#chooser("Open a hand history"));
  }

  /** @param {string} label @param {string[]} values @param {string} now
   * @param {(value: string) => string} words @param {(value: string) => unknown} chosen */
  #choice(label, values, now, words, chosen) {
    const select = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        { onchange: () => chosen(select.value) },
        ...values.map((value) =>
          h("option", { value, text: words(value), selected: value === now }),
        ),
      )
    );
    return h("label", { class: "choice" }, h("span", { text: label }), select);
  }

  /** @param {string} says @param {(button: HTMLElement) => unknown} does */
  #button(says, does) {
    const button = h("button", {
      class: "button quiet small",
      type: "button",
      text: says,
      onclick: () => does(button),
    });
    return button;
  }

  /** @param {string} says @param {boolean} on @param {(on: boolean) => void} does */
  #pressed(says, on, does) {
    const button = this.#button(says, () => {
      const now = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(now));
      does(now);
    });
    button.setAttribute("aria-pressed", String(on));
    return button;
  }

  /** @param {string} says @param {...HTMLElement} inside */
  #folded(says, ...inside) {
    return h(
      "details",
      { class: "folded" },
      h("summary", { class: "button quiet small", text: says }),
      h("div", {}, ...inside),
    );
  }

  async #showEquities() {
    const { source, replay } = this;
    const step = this.stop < 0 ? -1 : this.stops[this.stop];
    if (!source?.equities || !replay || step < 0) {
      fill(this.equityList);
      return;
    }
    const asked = this.stop;
    /** @type {HTMLElement[]} */
    let items;
    try {
      const found = await source.equities(step, replay.seen_as);
      const seats = /** @type {View} */ (this.views[step]).seats ?? {};
      items = found.hands.map(({ seat, equity }) =>
        h(
          "li",
          {},
          h("span", { text: seats[seat]?.player ?? `Seat ${seat}` }),
          h("meter", { min: "0", max: "1", value: String(equity), "aria-hidden": "true" }),
          h("strong", { text: `${(100 * equity).toFixed(1)}%` }),
        ),
      );
      if (found.says) items.push(h("li", { class: "label", text: found.says }));
      else
        items.push(
          h("li", {
            class: "label",
            text: found.exact ? "Every board was counted." : "Boards were drawn: about so.",
          }),
        );
    } catch (error) {
      items = [h("li", { class: "label", text: /** @type {Error} */ (error).message })];
    }
    if (asked === this.stop && this.equities) fill(this.equityList, ...items);
  }

  /** @param {HTMLElement} button */
  async #share(button) {
    try {
      await navigator.clipboard.writeText(location.href);
      setText(button, "Copied");
    } catch {
      setText(button, "The address above is the link");
    }
    setTimeout(() => setText(button, "Copy link"), 2_500);
  }

  /** @param {string} form */
  async #write(form) {
    const { source, replay } = this;
    if (!source?.write || !replay) return;
    try {
      const made = await source.write(form, replay.seen_as);
      const link = /** @type {HTMLAnchorElement} */ (h("a", { download: fileName(replay, form) }));
      link.href = URL.createObjectURL(made);
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch (error) {
      setText(this.problem, /** @type {Error} */ (error).message);
      show(this.problem, true);
    }
  }

  /** Check the shuffle in the page, and say so. */
  async #check() {
    const { source, replay } = this;
    fill(this.shuffle);
    if (!source?.proofs || !replay) return;
    try {
      const proofs = await source.proofs(replay.seen_as);
      const found = await checkAll(proofs, replay.place, replay.round, replay.seen_as, this.me);
      if (replay !== this.replay) return;
      const kind = found.holds === null ? "" : found.holds ? "holds" : "wrong";
      fill(this.shuffle, h("p", { class: kind, text: found.says }));
      if (found.found.length)
        this.shuffle.append(
          h(
            "details",
            {},
            h("summary", { text: "What was checked" }),
            h(
              "ul",
              {},
              ...found.found.map(({ holds, says }) =>
                h("li", { class: holds ? "holds" : "wrong", text: says }),
              ),
            ),
          ),
        );
    } catch (error) {
      fill(this.shuffle, h("p", { class: "label", text: /** @type {Error} */ (error).message }));
    }
  }

  // -- files ----------------------------------------------------------------------------------------

  #front() {
    return h(
      "section",
      { class: "front", hidden: true },
      h("h2", { text: "Play a round again" }),
      h("p", {
        text: "Drop a hand history here: PHH (.phh, .phhs), Open Hand History (.ohh) or PokerStars text (.txt). It is played by the book, and nothing of it is kept.",
      }),
      this.#chooser("Choose a file"),
      h(
        "p",
        { class: "label" },
        "Rounds of this House are under ",
        h("b", { text: "Rounds" }),
        " at every table; worked cases are in the ",
        h("a", { href: "/rules", text: "rulebooks" }),
        ".",
      ),
    );
  }

  /** @param {string} says */
  #chooser(says) {
    const field = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "file",
        accept: READS,
        class: "vh",
        onchange: () => field.files?.[0] && this.take(field.files[0]),
      })
    );
    return h("label", { class: "button quiet small file" }, says, field);
  }

  /** A file that was dropped or chosen. @param {File} file */
  async take(file) {
    this.replay = null;
    this.hand = 0;
    history.pushState(null, "", "/round");
    await this.open(ofFile(file.name, await file.text()));
  }

  #drops() {
    if (location.protocol === "file:") return;
    document.addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      const file = event.dataTransfer?.files[0];
      if (file) void this.take(file);
    });
  }
}

/** @type {Record<string, string>} */
const SUFFIXES = { pokerstars: "txt", "banked-json": "jsonl" };

/** @param {Replay} replay @param {string} form */
function fileName(replay, form) {
  const name = [replay.place || "hand", replay.round || ""].filter(Boolean).join("-");
  return `${name.replace(/[^\w-]+/g, "-")}.${SUFFIXES[form] ?? form}`;
}

/** Where the address leads. @returns {Source | null} */
function addressed() {
  const inside = document.querySelector("#record");
  if (inside) return ofPage(JSON.parse(inside.textContent ?? ""));
  const [, , first, second, ...rest] = location.pathname.split("/").map(decodeURIComponent);
  if (first === "case" && second && rest.length) return ofCase(second, rest.join("/"));
  if (first && /^\d+$/.test(second ?? "")) return ofRound(first, second);
  return null;
}

async function begin() {
  applySettings();
  announce.prepare();
  const page = new ReplayPage();
  const source = addressed();
  if (location.protocol !== "file:") {
    try {
      page.me = (await whoAmI()).name;
      page.school.hidden = false;
    } catch {
      page.me = null; // a desk that stands alone knows nobody
    }
  }
  if (source) await page.open(source);
  else show(page.front, true);
  window.addEventListener("hashchange", () => {
    const step = Number(location.hash.slice(1));
    if (Number.isInteger(step)) page.go(step - 1, false);
  });
}

void begin();
