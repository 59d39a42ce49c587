// The dealer's side of a hand-dealt table. The server says what comes next and what can be entered; here it
// is shown, typed, touched, and sent once it is confirmed. What was typed is kept when an answer is lacking.

import { h, fill, setText, show } from "../dom.js";
import { prepare, call, tell } from "../announce.js";
import { brand } from "../brand.js";
import { makeCard, cardSigns } from "../cards.js";
import { NoAnswer, whoAmI } from "../session.js";
import { applySettings } from "../settings.js";
import { TableSocket } from "../socket.js";
import { badges } from "../desk/paragraph.js";
import { useToken } from "../desk/server.js";
import { capital } from "../desk/words.js";
import { money } from "../money.js";
import { openPost } from "../pit/post.js";
import { newId, placeName } from "../pit/words.js";
import { entryForm } from "./form.js";
import { openHelp } from "./help.js";
import { KeyReader, isRank } from "./keys.js";
import { pad } from "./pad.js";
import { seatsPart } from "./seats.js";
import { decide, give, look, readTable, release } from "./server.js";
import { Typed, cardsOf, isPlain, signature } from "./typed.js";

/** @import {DealEntry, DealTable, PitDecision} from "../records.js" */
/** @typedef {import("./form.js").Word} Word */

const HEARTBEAT = 4_000;
const LINES = 12;
/** What comes next: a step of the book, or what was left half done before it. @type {Set<DealEntry["kind"]>} */
const NEXT = new Set(["mend", "step"]);
/** What the book leaves to somebody is ruled at the console, with its reason. */
const RULING = "ruling";

class Dealing {
  /** @param {string} place */
  constructor(place) {
    this.place = place;
    /** @type {DealTable | null} */
    this.table = null;
    /** @type {number | null} the seat that was chosen; else it is who is to act */
    this.seat = null;
    /** @type {Typed | null} */
    this.typed = null;
    /** @type {Word | null} */
    this.word = null;
    this.otherwise = false;
    /** What is drawn of what happened. */
    this.toldDrawn = "";
    /** @type {number | null} the hold that a mistake has brought about, in the demonstration */
    this.looked = null;
    this.says = "";
    /** Whether what is said is about the table as it stood then: it goes when the table goes on. */
    this.passing = false;
    this.bad = false;
    this.again = false;
    /** @type {Promise<void> | null} */
    this.reading = null;
    this.keys = new KeyReader(
      (typed) => this.take(typed),
      (many) => this.say(`${this.says} ${many === 1 ? "The key" : `The ${many} keys`} typed after that did nothing.`, true, this.passing),
    );
    this.main = h("main", { id: "deal", class: "desk deal", tabindex: "-1" });
    this.who = h("div", { class: "me" });
    this.lost = h("p", { class: "wire", role: "status", hidden: true });
    this.stands = h("p", { class: "how" });
    this.seats = h("section", { class: "seats-part", "aria-label": "Players" });
    this.board = h("div", { class: "deal-board" });
    this.next = h("section", { class: "next-part", "aria-label": "What comes next" });
    this.note = h("p", { class: "note", role: "status" });
    this.acts = h("section", { class: "acts-part", "aria-label": "What is seen" });
    this.form = h("section", { class: "form-part" });
    this.told = h("ol", { class: "told" });
  }

  async start() {
    const me = await whoAmI();
    useToken(me.token);
    this.#frame();
    if (!me.post || !me.on_duty) return this.closed("This page is for the dealer of the table; log in, or try a post at the staff door of the lobby.");
    fill(
      this.who,
      h(
        "button",
        { class: "button quiet post", type: "button", "aria-haspopup": "dialog", onclick: () => openPost(me) },
        h("strong", { text: me.name ?? "" }),
        h("span", { class: "rank", text: capital(me.rank) }),
      ),
    );
    try {
      this.table = await readTable(this.place);
    } catch (error) {
      return this.closed(/** @type {Error} */ (error).message);
    }
    const { hold } = this.table.tile;
    if (this.table.play && hold?.mine && !hold.command.do) this.looked = hold.hold;
    this.#lay();
    this.#restore();
    this.draw();
    this.main.focus({ preventScroll: true });
    addEventListener("keydown", (event) => this.#pressed(event));
    this.#listen();
    setInterval(() => document.visibilityState === "visible" && this.read(), HEARTBEAT);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.read());
    return undefined;
  }

  #frame() {
    document.title = `${placeName(this.place)} · Deal`;
    fill(
      /** @type {Element} */ (document.querySelector("#page")),
      h(
        "header",
        { class: "bar" },
        brand(),
        h("a", { class: "desk-name", href: "/pit", text: "Pit" }),
        h("div", { class: "grow" }),
        h("button", { class: "button quiet", type: "button", text: "Keys", "aria-haspopup": "dialog", onclick: () => openHelp() }),
        this.who,
      ),
      this.main,
      this.lost,
    );
  }

  #lay() {
    const { tile } = /** @type {DealTable} */ (this.table);
    const path = encodeURIComponent(this.place);
    fill(
      this.main,
      h(
        "div",
        { class: "deal-head" },
        h("h1", { tabindex: "-1" }, placeName(this.place), h("small", { text: tile.short })),
        this.stands,
        h("a", { class: "button report", href: `/pit#report/${path}`, "aria-keyshortcuts": "!" }, "Report", h("kbd", { text: "!", "aria-hidden": "true" })),
      ),
      h(
        "div",
        { class: "deal-columns" },
        this.seats,
        h("div", { class: "deal-middle" }, this.board, this.note, this.next, this.form, this.acts),
        h("aside", { class: "deal-aside" }, h("h2", { text: "What happened" }), this.told),
      ),
    );
  }

  /** @param {string} says */
  closed(says) {
    fill(
      this.main,
      h(
        "section",
        { class: "calm" },
        h("h1", { text: "For the dealer of this table", tabindex: "-1" }),
        h("p", { class: "says", text: says }),
        h("div", { class: "row" }, h("a", { class: "button main", href: "/pit", text: "To the pit" }), h("a", { class: "button", href: "/", text: "To the lobby" })),
      ),
    );
  }

  // -- reading ---------------------------------------------------------------------------------------

  #listen() {
    new TableSocket(this.place, {
      hello: () => this.read(),
      state: ({ events }) => {
        for (const event of events) if (event.told) tell(event.told);
        this.read();
      },
      clock: () => {},
      jackpot: () => {},
      shuffle: () => {},
      wire: (state, says) => {
        setText(this.lost, says);
        show(this.lost, state !== "open");
      },
    }).begin();
  }

  /** What happened last, from the record; what was ruled stands out, with its paragraph. @param {DealTable} table */
  #drawTold({ told, tile }) {
    const drawn = JSON.stringify(told);
    if (this.toldDrawn === drawn) return;
    this.toldDrawn = drawn;
    fill(
      this.told,
      ...told.slice(0, LINES).map((line) =>
        h("li", { class: line.ruling ? "ruled" : "" }, `${line.says} `, line.ruling ? badges(tile.rulebook, line.cites, 1) : null),
      ),
    );
  }

  /** Ask the server how the table stands, one question at a time; done when the newest is known. */
  read() {
    this.again = true;
    this.reading ??= this.#readOn().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  async #readOn() {
    try {
      while (this.again) {
        this.again = false;
        this.#hear(await readTable(this.place));
      }
      show(this.lost, false);
    } catch (error) {
      setText(this.lost, `${/** @type {Error} */ (error).message} Trying again …${this.typed?.touched ? " What you typed is kept." : ""}`);
      show(this.lost, true);
    }
  }

  /** @param {DealTable} table */
  #hear(table) {
    if (this.table && table.position < this.table.position) return; // an older answer, overtaken
    const same = this.table && JSON.stringify(table) === JSON.stringify(this.table);
    const wrongs = this.wrongs.map(signature).join();
    this.table = table;
    if (same) return;
    if (this.passing) this.say("");
    if (this.otherwise && this.wrongs.map(signature).join() !== wrongs) {
      this.otherwise = false; // a key or a finger on its way would do something else than was read
      this.say("The table has gone on meanwhile: look again what went otherwise.", true);
    }
    this.#keepTyped();
    this.draw();
  }

  /** What is being entered goes on if the table still takes it; else it is said what became of it. */
  #keepTyped() {
    const { typed, table } = this;
    if (!typed || !table || typed.unanswered || typed.sending) return;
    const now = table.entries.find((entry) => signature(entry) === signature(typed.entry));
    if (now) {
      typed.entry = now;
      return;
    }
    const lost = typed.says();
    this.#clear();
    if (lost) this.say(`The table has gone on meanwhile; ${lost} was not entered.`, true);
  }

  // -- what can be entered ------------------------------------------------------------------------------

  get step() {
    return this.table?.entries.find(({ kind }) => NEXT.has(kind));
  }

  get wrongs() {
    return this.table?.entries.filter((entry) => entry.kind === "otherwise") ?? [];
  }

  get current() {
    return this.seat ?? this.table?.view.awaited[0] ?? null;
  }

  /** @param {number | null} seat */
  at(seat) {
    return this.table?.entries.filter((entry) => entry.seat === seat && (entry.kind === "act" || entry.kind === "people")) ?? [];
  }

  get out() {
    const { view } = /** @type {DealTable} */ (this.table);
    return new Set([...view.board, ...view.dealer, ...view.seats.flatMap((seat) => seat.cards)].filter((card) => card !== "??"));
  }

  get asked() {
    const plain = (/** @type {PitDecision} */ each) => each.options.every((option) => !Object.keys(option.asks).length);
    return this.table?.decisions.find((each) => each.question !== RULING && plain(each));
  }

  // -- typing -------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (document.querySelector("dialog[open]")) return;
    const at = document.activeElement;
    if (at instanceof HTMLInputElement || at instanceof HTMLSelectElement || at instanceof HTMLTextAreaElement) return;
    const control = at instanceof HTMLButtonElement || at instanceof HTMLAnchorElement;
    if (control && (event.key === "Enter" || event.key === " ")) return;
    if (event.key.length > 1 && !["Enter", "Escape", "Backspace", "ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    this.keys.put(event.key === " " ? "Enter" : event.key, event.timeStamp);
  }

  /** One key, or a card of a reader; false if what follows must not count. @param {import("./keys.js").Typed} typed */
  async take(typed) {
    if ("card" in typed) {
      const taken = this.takeCard(typed.card);
      return taken && typed.ended && !this.typed?.lacks() ? this.enter() : true;
    }
    const { key } = typed;
    switch (key) {
      case "Enter":
        return this.enter();
      case "Escape":
        this.escape();
        return true;
      case "Backspace":
        if (!this.typed?.back()) this.escape();
        else this.#changed("");
        return true;
      case "ArrowLeft":
        return this.#move(-1);
      case "ArrowRight":
        return this.#move(1);
      default:
        return this.#letter(key);
    }
  }

  /** A whole card; whether it was taken. @param {string} card */
  takeCard(card) {
    if (!this.typed && cardsOf(this.step)) this.#begin(/** @type {DealEntry} */ (this.step));
    if (this.typed?.field?.kind !== "cards") {
      this.say(`${cardSigns([card])} was read, but no card is to be entered now.`, true);
      return false;
    }
    this.typed.rank = "";
    const wrong = this.typed.card(card, this.out);
    this.#changed(wrong);
    return !wrong;
  }

  /** @param {string} key @returns {Promise<boolean>} */
  async #letter(key) {
    if (this.typed) {
      if (this.typed.unanswered) return this.#nothing(key, "Enter sends it again, Escape forgets it.");
      const says = this.typed.key(key, this.out);
      if (says !== null) {
        this.#changed(says);
        return true;
      }
      if (this.typed.touched || !NEXT.has(this.typed.entry.kind)) return this.#nothing(key, "Enter confirms, Escape gives it up.");
      this.#clear();
    }
    if (key === "!") location.assign(`/pit#report/${encodeURIComponent(this.place)}`);
    if (key === "?") openHelp();
    if (key === "!" || key === "?") return true;
    if (this.otherwise && /^[1-9]$/.test(key)) {
      const wrong = this.wrongs[Number(key) - 1];
      return wrong ? this.choose(wrong) : this.#nothing(key, "");
    }
    const option = this.asked?.options[Number(key) - 1];
    if (this.asked && option && /^[1-9]$/.test(key)) return this.answer(this.asked, option.name);
    const { step } = this;
    if (step && cardsOf(step) && (isRank(key) || key === "1")) {
      this.#begin(step);
      return this.#letter(key);
    }
    if (key.toLowerCase() === "g" && this.wrongs.length) {
      this.otherwise = !this.otherwise;
      this.draw();
      return true;
    }
    if (/^\d$/.test(key)) return this.pick(key === "0" ? 10 : Number(key));
    const act = this.at(this.current).find((entry) => entry.key === key.toLowerCase());
    if (act) return this.choose(act);
    return this.#nothing(key, "");
  }

  /** @param {string} key @param {string} more */
  #nothing(key, more) {
    const where = this.current !== null && !this.typed ? ` at ${this.table?.seat_word} ${this.current}` : "";
    this.say(`${key.toUpperCase()} does nothing${where} now. ${more}`.trim(), true, true);
    return false;
  }

  /** @param {number} by */
  #move(by) {
    const seats = this.table?.view.seats ?? [];
    if (!seats.length) return true;
    const at = seats.findIndex((each) => each.seat === this.current);
    const from = at < 0 ? (by > 0 ? -1 : 0) : at;
    this.#clear();
    return this.pick(seats[(from + by + seats.length) % seats.length].seat);
  }

  /** Choose a seat or box. @param {number} seat */
  pick(seat) {
    if (!this.table?.view.seats.some((each) => each.seat === seat)) {
      this.say(`There is no ${this.table?.seat_word} ${seat} here.`, true);
      return false;
    }
    this.#clear();
    this.seat = seat;
    const { player } = /** @type {import("../records.js").DealerSeat} */ (this.table.view.seats.find((each) => each.seat === seat));
    this.say(`${capital(this.table.seat_word)} ${seat}${player ? `, ${player}` : ", free"}.`);
    this.draw();
    return true;
  }

  escape() {
    const gave = this.typed?.unanswered ? "It is forgotten; look whether it was done." : "";
    if (!this.typed && !this.otherwise) this.seat = null;
    this.#clear();
    this.otherwise = false;
    this.say(gave);
    this.draw();
    this.main.focus({ preventScroll: true });
  }

  // -- entering -----------------------------------------------------------------------------------------

  /** @param {DealEntry} entry */
  #begin(entry) {
    this.typed = new Typed(entry);
    this.word = null;
    fill(this.form);
  }

  #clear() {
    this.typed = null;
    this.word = null;
    fill(this.form);
    this.#keep();
  }

  /** @param {string} says */
  #changed(says) {
    this.say(says || this.typed?.lacks() || (this.typed?.field ? "Enter confirms." : ""), says !== "");
    if (this.typed?.touched) call(this.typed.spoken());
    this.#keep();
    this.draw();
  }

  /** Enter something: at once, or after what must be said with it. @param {DealEntry} entry */
  async choose(entry) {
    this.#begin(entry);
    if (entry.kind === "otherwise" && entry.fields.length) this.otherwise = false; // figures are cards now
    const typed = /** @type {Typed} */ (this.typed);
    if (!entry.fields.length && !entry.word) return this.#send();
    if (!isPlain(entry)) {
      this.#openForm(typed);
      return true;
    }
    this.#changed("");
    return true;
  }

  /** @param {Typed} typed */
  #openForm(typed) {
    const { entry } = typed;
    const table = /** @type {DealTable} */ (this.table);
    const player = table.view.seats.find((each) => each.seat === entry.seat)?.player ?? "";
    const where = entry.seat === null ? "" : `${capital(table.seat_word)} ${entry.seat}${player ? `, ${player}` : ""}: `;
    const form = entryForm(
      entry,
      `${where}${entry.says}`,
      table.view.chips,
      player,
      (said, word) => {
        typed.said = said;
        this.word = word;
        this.#send();
      },
      () => this.escape(),
    );
    fill(this.form, form);
    this.draw();
    /** @type {HTMLElement | null} */ (form.querySelector("input, select"))?.focus();
  }

  /** Confirm what was typed, or do what comes next. */
  async enter() {
    if (this.typed) {
      const lacks = this.typed.lacks();
      if (!lacks) return this.#send();
      this.say(lacks, true);
      return true;
    }
    if (this.step) return this.choose(this.step);
    const seat = this.table?.view.awaited[0];
    this.say(seat === undefined ? "Nothing is to be done by the dealer now." : `${capital(this.table?.seat_word ?? "")} ${seat} is to act.`, true, true);
    return false;
  }

  /** Send it; whether it was done. */
  async #send() {
    const typed = /** @type {Typed} */ (this.typed);
    const again = typed.unanswered;
    typed.sending = true;
    this.#keep();
    const held = await this.#holdBefore(typed.entry);
    try {
      await give(this.place, typed.id, typed.command(), this.word, again);
    } catch (error) {
      if (held !== null) await this.#letGo(held);
      return this.#notSent(typed, /** @type {Error} */ (error));
    }
    this.otherwise = false;
    this.say(`Entered: ${typed.entry.says}${typed.says() ? `: ${typed.says()}` : ""}.`); // else it reads as what comes next
    await this.#holdAfter(typed.entry);
    this.#clear();
    this.seat = null;
    await this.read();
    this.draw();
    if (this.form.contains(document.activeElement) || document.activeElement === document.body) this.main.focus({ preventScroll: true });
    return true;
  }

  /** In the demonstration the players wait from a mistake on, so that it can be reported before they act; with
   * the next step by the book they play on. @param {DealEntry} entry */
  async #holdBefore({ kind }) {
    if (kind !== "otherwise" || !this.table?.play || this.looked !== null) return null;
    this.looked = await look(this.place);
    return this.looked;
  }

  /** @param {number} hold */
  async #letGo(hold) {
    this.looked = null;
    await release(this.place, hold);
  }

  /** @param {DealEntry} entry */
  async #holdAfter({ kind, says }) {
    const { looked } = this;
    if (kind === "otherwise" && this.table?.play) {
      await this.read();
      const mend = this.step?.kind === "mend" ? this.step.says : "";
      const what = mend ? `The players wait: ${mend} (Enter), or deal on.` : "A mistake: the players wait until you report it (!) or deal on.";
      if (this.looked !== null) this.say(`${says}. ${what}`);
    } else if (NEXT.has(kind) && looked !== null) await this.#letGo(looked);
  }

  /** @param {Typed} typed @param {Error} error */
  #notSent(typed, error) {
    typed.sending = false;
    typed.unanswered = error instanceof NoAnswer;
    if (typed.unanswered) this.say(`${error.message} What you entered is kept: Enter sends it again, Escape forgets it.`, true);
    else {
      typed.id = newId();
      this.say(capital(error.message), true);
      if (!typed.entry.fields.length) this.#clear();
      this.read();
    }
    this.#keep();
    this.draw();
    return false;
  }

  /** Answer what the table asks. @param {PitDecision} asked @param {string} option */
  async answer(asked, option) {
    try {
      await decide(this.place, asked.decision, newId(), option, "");
      this.say("");
    } catch (error) {
      this.say(capital(/** @type {Error} */ (error).message), true);
      return false;
    }
    await this.read();
    return true;
  }

  // -- what is kept over a reload -------------------------------------------------------------------------

  get #name() {
    return `croupier-deal:${this.place}`;
  }

  #keep() {
    const { typed } = this;
    if (!typed?.touched) return sessionStorage.removeItem(this.#name);
    const { entry, cards, rank, amount, id, said } = typed;
    const unanswered = typed.unanswered || typed.sending;
    return sessionStorage.setItem(this.#name, JSON.stringify({ entry, cards, rank, amount, id, unanswered, said, word: this.word && { ...this.word, pin: "" } }));
  }

  #restore() {
    let kept;
    try {
      kept = JSON.parse(sessionStorage.getItem(this.#name) ?? "null");
    } catch {
      kept = null;
    }
    if (!kept) return;
    const { entry, word, ...rest } = kept;
    this.typed = Object.assign(new Typed(entry), rest);
    this.word = word ?? null;
    const says = this.typed?.says() ?? "";
    this.#keepTyped();
    if (this.typed)
      this.say(this.typed.unanswered ? `${entry.says} was sent and not answered: Enter sends it again, Escape forgets it.` : `${says} is kept as you typed it. ${this.typed.lacks() || "Enter confirms."}`, true);
    this.#keep();
  }

  // -- showing --------------------------------------------------------------------------------------------

  /** @param {string} says @param {boolean} [bad] @param {boolean} [passing] whether it is about the table as it stands */
  say(says, bad = false, passing = false) {
    this.says = says;
    this.passing = passing;
    this.bad = bad;
    setText(this.note, says);
    this.note.classList.toggle("bad", bad);
  }

  draw() {
    const { table } = this;
    if (!table) return;
    const { tile } = table;
    const focused = document.activeElement;
    const seat = focused instanceof HTMLElement ? focused.dataset.seat : undefined;
    const parts = [h("strong", { text: capital(tile.stage) + (tile.round ? `, round ${tile.round}` : "") })];
    if (table.view.pot) parts.push(h("span", { text: `Pot ${money(table.view.pot)}` }));
    if (tile.dealer && tile.dealer !== table.you) parts.push(h("span", { text: `${tile.dealer} deals here` }));
    fill(this.stands, ...parts);
    fill(this.seats, seatsPart(table, this.current, (chosen) => this.pick(chosen)));
    if (seat) /** @type {HTMLElement | null} */ (this.seats.querySelector(`[data-seat="${seat}"]`))?.focus();
    this.#drawBoard(table);
    this.#drawNext(table);
    this.#drawActs(table);
    this.#drawTold(table);
  }

  /** @param {DealTable} table */
  #drawBoard({ view }) {
    const laid = h("div", { class: "laid", role: "group", "aria-label": "Community Cards" }, ...view.board.map((card) => makeCard(card)));
    const own = view.dealer.length
      ? [h("div", { class: "laid own", role: "group", "aria-label": "The dealer's cards" }, h("span", { class: "label", text: "Dealer" }), ...view.dealer.map((card) => makeCard(card)))]
      : [];
    fill(this.board, laid, ...own);
    show(this.board, view.board.length + view.dealer.length > 0);
  }

  /** @param {DealTable} table */
  #drawNext(table) {
    const { tile } = table;
    const mends = this.step?.kind === "mend";
    /** @type {HTMLElement[]} */
    const parts = tile.faults.map((fault) => h("p", { class: "fault", text: fault }));
    if (tile.hold) {
      const says = `${tile.hold.by} (${tile.hold.post}) holds the table for a ruling.`;
      parts.push(h("p", { class: "fault", text: tile.hold.mine ? `You hold the table: nobody acts before you ${mends ? "put it right" : "report it"} or deal on.` : says }));
      if (tile.hold.mine) parts.push(this.#dealOn(tile.hold.hold, mends));
    }
    const mine = this.asked;
    if (mine) parts.push(this.#question(mine));
    for (const wait of tile.waits)
      if (wait.kind !== "turn" && !(mine && wait.decision === mine.decision)) parts.push(this.#waits(wait));
    const entry = this.typed && isPlain(this.typed.entry) ? this.typed.entry : (this.step ?? null);
    if (entry && !(this.typed && !isPlain(this.typed.entry))) parts.push(this.#entering(entry));
    else if (!entry && !mine && tile.acting === "device") parts.push(h("p", { class: "none", text: this.#awaitedWords(table) }));
    if (!parts.length && !table.view.awaited.length && !this.typed) parts.push(h("p", { class: "none", text: nobodyToDeal(table) }));
    fill(this.next, ...parts);
  }

  /** After a mistake that nobody reports: the players act on. What the dealer alone puts right is no report.
   * @param {number} hold @param {boolean} mends */
  #dealOn(hold, mends) {
    const goOn = async () => {
      this.looked = null;
      await release(this.place, hold);
      this.say(`The table goes on as it lies; the mistake can still be ${mends ? "put right" : "reported"}.`);
      await this.read();
    };
    const path = encodeURIComponent(this.place);
    return h(
      "p",
      { class: "row after-mistake" },
      mends ? null : h("a", { class: "button main", href: `/pit#report/${path}`, text: "Report it" }),
      h("button", { class: "button deal-on", type: "button", text: "Deal on", onclick: goOn }),
    );
  }

  /** Where players act by their own devices, whom the dealer waits for. @param {DealTable} table */
  #awaitedWords(table) {
    const { view, seat_word: word } = table;
    const waited = view.seats.filter((seat) => view.awaited.includes(seat.seat));
    const names = waited.map((seat) => `${word} ${seat.seat}, ${seat.player}`);
    return names.length ? `Players act on their own devices. To act: ${names.join("; ")}.` : nobodyToDeal(table);
  }

  /** @param {DealEntry} entry */
  #entering(entry) {
    const typed = this.typed;
    const field = isPlain(entry) ? entry.fields[0] : undefined;
    const cards = typed?.cards ?? [];
    const full = field?.kind === "cards" && cards.length >= (field.count ?? 0);
    const where = entry.seat !== null && entry.kind !== "step" ? `${capital(this.table?.seat_word ?? "")} ${entry.seat}: ` : "";
    const button = h(
      "button",
      {
        class: "button main next-step",
        type: "button",
        "data-do": entry.command.do,
        onclick: () => this.enter(),
      },
      typed?.unanswered ? `Send again: ${entry.says}` : `${where}${entry.says}`,
      h("kbd", { text: "Enter", "aria-hidden": "true" }),
    );
    const parts = [button];
    if (field?.kind === "cards") {
      const slots = Array.from({ length: field.count ?? 0 }, (_, k) =>
        cards[k] ? makeCard(cards[k]) : h("span", { class: "slot", text: k === cards.length ? (typed?.rank ?? "") : "" }),
      );
      parts.push(
        h("div", { class: "line" }, h("span", { class: "ask", text: field.ask }), h("span", { class: "slots" }, ...slots), this.#back()),
        pad(this.out, cards, full, (card) => this.takeCard(card)),
      );
    } else if (field?.kind === "money" && typed) {
      parts.push(
        h(
          "div",
          { class: "line" },
          h("span", { class: "ask", text: field.ask }),
          h("output", { class: `typed-amount${typed.amount ? "" : " usual"}`, text: typed.amount || typed.usual() }),
          field.least !== undefined && field.least !== null ? h("small", { text: `${money(field.least)}${field.most ? ` to ${money(field.most)}` : " or more"}` }) : null,
          this.#back(),
        ),
        this.#figures(),
      );
    }
    if (typed) parts.push(h("button", { class: "button quiet", type: "button", text: "Give it up", "aria-keyshortcuts": "Escape", onclick: () => this.escape() }));
    return h("div", { class: "entering" }, ...parts);
  }

  #back() {
    return h("button", { class: "choice back-key", type: "button", text: "⌫", "aria-label": "Take the last one back", disabled: !this.typed?.touched, onclick: () => this.take({ key: "Backspace" }) });
  }

  /** For who touches. */
  #figures() {
    return h("div", { class: "figures", role: "group", "aria-label": "Figures" }, ...[..."1234567890."].map((key) => h("button", { class: "choice", type: "button", text: key, onclick: () => this.take({ key }) })));
  }

  /** @param {PitDecision} asked */
  #question(asked) {
    return h(
      "div",
      { class: "question" },
      h("p", {}, `${asked.says} `, badges(/** @type {DealTable} */ (this.table).tile.rulebook, asked.cites.map((cite) => cite.paragraph), 1)),
      h(
        "div",
        { class: "choices" },
        ...asked.options.map((option, k) =>
          h("button", { class: "choice", type: "button", "data-option": option.name, onclick: () => this.answer(asked, option.name) }, capital(option.says || option.name), h("kbd", { text: String(k + 1), "aria-hidden": "true" })),
        ),
      ),
    );
  }

  /** @param {import("../records.js").PitWait} wait */
  #waits(wait) {
    const path = encodeURIComponent(this.place);
    const { link } = /** @type {DealTable} */ (this.table).tile;
    const at = wait.kind === "payment" && link ? `link/${encodeURIComponent(link)}` : `table/${path}`;
    const href = wait.decision === null ? `/pit#${at}` : `/pit#decision/${path}/${wait.decision}`;
    return h("p", { class: "waits" }, h("span", { text: `Waits for ${wait.whom}: ${wait.says}` }), h("a", { class: "button", href, text: wait.mine ? "Decide" : "See it" }));
  }

  /** @param {DealTable} table */
  #drawActs(table) {
    const seat = this.current;
    const player = table.view.seats.find((each) => each.seat === seat)?.player;
    const entries = this.at(seat);
    /** @type {HTMLElement[]} */
    const parts = [];
    if (seat !== null && entries.length) {
      parts.push(
        h("h2", { text: `${capital(table.seat_word)} ${seat}${player ? `, ${player}` : ""}` }),
        h("div", { class: "acts" }, ...entries.map((entry) => this.#act(entry))),
      );
    }
    if (this.wrongs.length) {
      const title = table.play ? "Make a mistake" : "It went otherwise";
      const head = h("button", { class: "button wrongs-head", type: "button", "aria-expanded": String(this.otherwise), onclick: () => this.#toggle() }, title, h("kbd", { text: "G", "aria-hidden": "true" }));
      parts.push(h("div", { class: "wrongs" }, head, this.otherwise ? h("div", { class: "acts" }, ...this.wrongs.map((entry, k) => this.#act(entry, k < 9 ? String(k + 1) : ""))) : null));
    }
    fill(this.acts, ...parts);
  }

  #toggle() {
    this.otherwise = !this.otherwise;
    this.draw();
    /** @type {HTMLElement | null} */ (this.acts.querySelector(".wrongs-head"))?.focus();
  }

  /** @param {DealEntry} entry @param {string} [key] */
  #act(entry, key = entry.key) {
    return h(
      "button",
      { class: `button act ${entry.kind}`, type: "button", "data-key": key, "data-do": entry.command.do, "aria-keyshortcuts": key || null, onclick: () => this.#touched(entry) },
      entry.says,
      key ? h("kbd", { text: key.toUpperCase(), "aria-hidden": "true" }) : null,
    );
  }

  /** @param {DealEntry} entry */
  async #touched(entry) {
    await this.choose(entry);
    if (!this.form.childElementCount) this.main.focus({ preventScroll: true });
  }
}

/** How a table stands that has no round. */
const NO_ROUND = new Set(["open", "between rounds", "ready"]);

/** Why there is nothing to deal, and what the dealer does about it. @param {DealTable} table */
function nobodyToDeal({ view, seat_word: word, tile }) {
  const free = view.seats.some((seat) => !seat.player);
  if (!NO_ROUND.has(tile.stage) || !free) return "Nothing is to be dealt now.";
  if (!tile.seated) return `Nobody sits here yet. Choose a ${word}, and enter who sits down.`;
  return `Too few are here to begin. Choose a free ${word} when somebody sits down.`;
}

applySettings();
prepare();
const dealing = new Dealing(decodeURIComponent(location.pathname.split("/").pop() ?? ""));
dealing.start().catch((error) => dealing.closed(error.message));
