// The page of one table: the bar, the stage of its game, the actions, the panel. Every message of
// the socket ends in one update of what stands here already.

import { h, fill, setAttr, setText, show, svg } from "./dom.js";
import { JACKPOT, meter } from "./money.js";
import { ask, whoAmI } from "./session.js";
import { TableSocket } from "./socket.js";
import { Panel } from "./panel.js";
import { isForStaff, isQuiet, sentence } from "./telling.js";
import { toYou } from "./addressed.js";
import { Seeds } from "./seeds.js";
import { capital, citeButtons } from "./rules.js";
import { confirmed, settingsButton } from "./dialogs.js";
import { Guide } from "./guide.js";
import { Questions } from "./questions.js";
import { mark, notify } from "./calls.js";
import { applySettings, set, setting } from "./settings.js";
import { brand } from "./brand.js";
import { purseWords } from "./purse.js";
import * as announce from "./announce.js";
import * as keys from "./keys.js";

/** @import {Cited, Clock, ClockMessage, FirstMessages, HelloMessage, JackpotMessage, TellingEntry} from "./records.js" */
/** @import {Asks, BankedShown, Command, EventName, Family, PokerShown, Reply, State} from "./shown.js" */

class TablePage {
  /** @param {string} place @param {import("./records.js").Me} me @param {FirstMessages | null} first */
  constructor(place, me, first) {
    this.place = place;
    this.me = me;
    /** @type {PokerShown | BankedShown | null} */
    this.table = null;
    /** @type {Family | null} */
    this.family = null;
    /** Messages that came before the game was loaded. @type {State[]} */
    this.early = [];
    /** @type {HelloMessage | null} */
    this.hello = null;
    this.callKey = "";
    /** The log, from what went before this page on: each message is told after the last.
     * @type {Promise<void> | null} */
    this.recalled = null;
    this.title = h("div", { class: "title" });
    /** How many look on without a seat. */
    this.watching = h("span", { class: "watching" });
    this.jackpot = h(
      "div",
      { class: "jackpot" },
      h("span", { class: "jackpot-name" }),
      h("strong", { class: "jackpot-meter" }),
    );
    this.who = h("div", { class: "me" });
    this.wire = h("p", { class: "wire", role: "status" });
    this.rulings = h("div", { class: "rulings" });
    this.asked = new Questions((command) => this.give(command));
    this.guide = new Guide(place);
    this.seconds = h("p", { class: "seconds", "aria-hidden": "true" });
    this.sending = h("p", { class: "sending", role: "status", text: "Sending …" });
    show(this.sending, false);
    this.warned = 0;
    /** Why nothing new begins at this table, if so. */
    this.closed = "";
    this.notice = "";
    this.shut = h("p", { class: "shut-table", role: "status" });
    this.stagePlace = h("div", { class: "stage-place" });
    /** What can be pressed; all of it is disabled while there is no connection. */
    this.within = /** @type {HTMLFieldSetElement} */ (
      h("fieldset", { class: "within", role: "none" }, this.asked.node)
    );
    this.actions = h(
      "section",
      { class: "actions", id: "actions", "aria-label": "My actions", tabindex: "-1" },
      this.seconds,
      this.sending,
      this.shut,
      this.rulings,
      this.guide.node,
      this.within,
    );
    this.seeds = new Seeds(place, (seed) => this.socket.seed(seed));
    this.panel = new Panel(place, this.seeds);
    this.sound = h("button", {
      class: "button quiet small sound",
      type: "button",
      onclick: () => set("sounds", !setting("sounds")),
    });
    this.sound.append(
      svg(
        "svg",
        { viewBox: "0 0 24 24", class: "glyph", "aria-hidden": "true" },
        svg("path", { d: "M4 10v4h4l5 4V6l-5 4H4z" }),
        svg("path", { class: "waves", d: "M16 9.5a4 4 0 0 1 0 5M18.5 7a8 8 0 0 1 0 10" }),
        svg("path", { class: "slash", d: "M16 9.5l5 5m0-5l-5 5" }),
      ),
    );
    this.#showSound();
    const more = h("button", {
      class: "button quiet small panel-open",
      type: "button",
      text: "Log",
      "aria-label": "Log, past rounds and sign",
      onclick: () => this.panel.open(true),
    });
    fill(
      /** @type {Element} */ (document.querySelector("#page")),
      h(
        "div",
        { class: "table-page" },
        h(
          "header",
          { class: "bar" },
          brand(),
          this.title,
          h("div", { class: "grow" }),
          this.jackpot,
          this.who,
          this.sound,
          h("button", {
            class: "button quiet small help-open",
            type: "button",
            text: "?",
            "aria-label": "Keys",
            title: "Keys",
            onclick: async () => (await import("./key-help.js")).openKeyHelp(),
          }),
          more,
          settingsButton(),
        ),
        h(
          "main",
          { class: "floor" },
          h("div", { class: "play" }, this.stagePlace, this.actions),
          this.panel.node,
        ),
      ),
      this.wire,
    );
    show(this.wire, false);
    show(this.shut, false);
    show(this.jackpot, false);
    this.#showMe();
    this.socket = new TableSocket(place, {
      hello: (message) => this.#greet(message),
      state: (message) => this.#take(message),
      clock: (message) => this.#tick(message),
      jackpot: (message) => this.#meter(message),
      shuffle: (message) => {
        this.seeds.hear(message);
        this.panel.tellShuffle(message);
      },
      chat: (message) => this.panel.chat?.hear(message),
      wire: (state, says) => {
        setText(this.wire, says);
        show(this.wire, state !== "open");
        this.within.disabled = state !== "open";
      },
    }, WATCHES);
    this.socket.begin(first);
    document.addEventListener("settings", () => {
      this.#showSound();
      this.#show();
      this.#call();
    });
    setInterval(() => this.#count(), 250);
    setTimeout(() => this.#readClosed(), SOON);
    setInterval(() => {
      if (document.visibilityState === "visible") this.#readClosed();
    }, CLOSED_AGAIN);
  }

  /** Ask whether the table is open: that is the office's to say, not the table's. */
  async #readClosed() {
    try {
      const { table } = await ask(`/api/tables/${encodeURIComponent(this.place)}`);
      this.#close(table.closed, table.notice);
      setText(this.watching, table.watching ? `${table.watching} watching` : "");
    } catch {
      // Without a connection the page says so already; it is asked again.
    }
  }

  /** @param {string} why nothing new begins here, or nothing @param {string} notice that the last round comes */
  #close(why, notice) {
    if (why === this.closed && notice === this.notice) return;
    this.closed = why;
    this.notice = notice;
    setText(this.shut, why || notice);
    show(this.shut, Boolean(why || notice));
    this.#show();
  }

  /** @param {HelloMessage} hello */
  #greet(hello) {
    this.hello = hello;
    this.#close(hello.closed, hello.notice);
    document.title = `${hello.place} · ${hello.sign.short ?? hello.sign.title} · croupier`;
    this.panel.setSign(hello);
    this.panel.me = hello.you;
    this.panel.staff = Boolean(this.me.post);
    if (hello.private) this.panel.openChat();
    if (hello.delay && !this.table) {
      setText(this.wire, `This table is watched ${hello.delay} s later; then it appears here.`);
      show(this.wire, true);
    }
    this.seeds.greet(hello.you, hello.shuffle);
    if (hello.shuffle) this.panel.tellShuffle(hello.shuffle);
    fill(
      this.title,
      h("h1", { text: hello.place.replaceAll("-", " ") }),
      h(
        "p",
        {},
        h("span", { class: "game", text: hello.sign.short ?? hello.sign.title }),
        hello.sign.marked
          ? h("button", {
              class: "tag old",
              type: "button",
              text: "superseded",
              title: hello.sign.marked,
              onclick: () => this.rule(hello.sign.marked, [], false),
            })
          : null,
        behind(hello.delay),
        this.watching,
      ),
    );
    if (!this.family) this.#load(hello.game);
  }

  /** Load what this family of games needs, then show what has come meanwhile. @param {string} game */
  async #load(game) {
    /** @type {Asks} */
    const asks = {
      give: (command) => this.give(command),
      ready: () => this.socket.ready(),
      me: () => this.me,
      enter: () => this.#enter(),
      say: (said) => this.rule(said, [], false),
    };
    await loadStyle(game);
    /** @type {Family} */
    const made =
      game === "poker"
        ? new (await import("./poker.js")).PokerFamily(asks, this.place)
        : new (await import("./banked.js")).BankedFamily(asks, this.place, this.panel);
    if (this.family) return;
    this.family = made;
    this.stagePlace.replaceWith(made.stage.node);
    this.within.append(made.node);
    for (const message of this.early.splice(0)) this.#take(message);
  }

  /** A view, or events with the view after them. @param {State} message */
  #take(message) {
    const { family, hello } = this;
    if (!family || !hello) {
      this.early.push(message);
      return;
    }
    if (!this.table) show(this.wire, false);
    const clock = withEnd(message.clock);
    this.table = /** @type {PokerShown | BankedShown} */ ({
      ...message,
      clock,
      sign: hello.sign,
      me: hello.you,
      place: this.place,
      jackpot: message.jackpot ?? this.table?.jackpot ?? null,
      bots: message.bots ?? [],
      away: message.away ?? [],
      ready: message.ready ?? [],
      maySit: this.table?.maySit ?? false,
    });
    family.stage.before();
    family.hear(message.events, message.is === "view" && message.missed > 0);
    this.#tell(message, hello.you);
    for (const told of message.events) {
      if (isQuiet(told)) continue;
      const said = (told.timed_out ? "Time is over: " : "") + toYou(sentence(told), hello.you);
      announce.tell(said);
      if (RULINGS.has(told.event.event) && !isForStaff(told.event)) this.rule(said, told.cites, false);
      if (told.timed_out && told.event.event === "went absent" && said.includes("You "))
        this.rule("You did not act for two rounds and sit out. Press I am back to go on.", [], false);
    }
    if (message.is === "view" && message.missed) this.#catchUp(message, hello.you);
    this.panel.names = names(message.view);
    if (message.jackpot) this.#meter(message.jackpot);
    this.seeds.sits(message.view.yours.length > 0);
    this.#show();
    family.stage.after(message.events);
    const won = message.events.length > 0 && family.hasWon();
    sounds.then(({ hear, play }) => {
      hear(message.events);
      if (won) play("win");
    }, silent);
    family.react();
    this.#call();
    if (message.events.some((told) => MONEY.has(told.event.event)))
      this.#refreshMe();
  }

  /** Tell the panel; before the first message, what went before it. @param {State} message
   * @param {string | null} me */
  #tell(message, me) {
    if (this.recalled) {
      this.recalled = this.recalled.then(() => this.panel.tell(message.events, me));
      return;
    }
    const until = message.events[0]?.position ? message.events[0].position - 1 : message.position;
    this.recalled = this.panel
      .recall(until, me)
      .then((events) => this.family?.recall(events))
      .catch(() => undefined) // without it the log begins here
      .then(() => this.panel.tell(message.events, me));
  }

  /** More has passed than the server still knew to tell, as after a crash: read it from the rounds, and say
   * what was ruled. @param {State & {is: "view"}} message @param {string | null} me */
  #catchUp({ position, missed }, me) {
    const unknown = `${missed} events have passed meanwhile; they are under Rounds.`;
    this.recalled = (this.recalled ?? Promise.resolve())
      .then(() => this.panel.recall(position, me))
      .then((events) => {
        const passed = events.filter((told) => told.position > position - missed);
        const ruled = passed.findLast((told) => RULINGS.has(told.event.event));
        if (ruled) this.rule(cause(ruled, passed) + toYou(sentence(ruled), me), ruled.cites, false);
        else if (!passed.length) this.rule(unknown, [], false);
      })
      .catch(() => this.rule(unknown, [], false));
  }

  #show() {
    if (!this.table || !this.family) return;
    const within = this.actions.contains(document.activeElement);
    // Staff do not play, and nobody sits down at a table that is not open.
    this.table.maySit = !this.closed && !this.me.post && !WATCHES;
    this.family.update(this.table);
    const { family } = this;
    const asked = (this.table.view.decisions ?? []).filter((each) => !family.answersAhead(each));
    this.asked.update(asked, this.hello?.rulebook ?? "");
    this.#count();
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    const lost = focused === document.body || focused?.offsetParent === null;
    if (within && lost) this.actions.focus({ preventScroll: true });
  }

  /** Show the seconds that this player has, and say when few are left. */
  #count() {
    if (!this.table) return;
    const { clock, view } = this.table;
    const mine =
      clock !== null &&
      clock.why !== "next round" &&
      clock.for.some((place) => view.yours.includes(place));
    const left = mine ? Math.max(0, Math.ceil((clock.ends - Date.now()) / 1000)) : 0;
    setText(this.seconds, mine ? `${left} s${clock.on_bank ? " of your time bank" : ""}` : "");
    this.seconds.classList.toggle("few", mine && left <= 5);
    if (mine && left <= 5 && this.warned !== clock.ends && clock.of > 6000)
      announce.call(`${left} seconds left.`);
    if (mine && left <= 5) this.warned = clock.ends;
  }

  /** @param {ClockMessage} message */
  #tick(message) {
    if (!this.table) return;
    if (message.notice !== this.notice) this.#close(this.closed, message.notice);
    this.table = {
      ...this.table,
      clock: withEnd(message.clock),
      away: message.away ?? this.table.away,
      ready: message.ready ?? this.table.ready,
    };
    this.#show();
  }

  /** @param {JackpotMessage} found */
  #meter(found) {
    if (this.table) this.table.jackpot = found;
    show(this.jackpot, true);
    const [name, amount] = this.jackpot.children;
    setText(
      name,
      found.status && found.status !== "open" ? `${JACKPOT} (${found.status})` : JACKPOT,
    );
    setText(amount, meter(found.display ?? found.meter));
    this.jackpot.setAttribute("aria-label", `${JACKPOT} ${meter(found.display ?? found.meter)}`);
    this.jackpot.setAttribute("role", "img");
  }

  /** Tell a player, once, that he is waited for. */
  #call() {
    const spoken = this.family?.spoken() ?? "";
    const view = this.table?.view;
    const price = view && "price" in view ? view.price : "";
    const key = spoken && view ? `${view.round}|${view.status}|${price}|${spoken}` : "";
    if (spoken && key !== this.callKey) {
      announce.call(spoken);
      sounds.then(({ play }) => play("turn"), silent);
      notify(this.place, spoken);
    }
    this.callKey = key;
    this.guide.look(key, this.hello?.mode === "demonstration");
    mark(Boolean(spoken));
  }

  #showSound() {
    const on = setting("sounds");
    this.sound.classList.toggle("off", !on);
    setAttr(this.sound, "aria-label", on ? "Turn sounds off" : "Turn sounds on");
    setAttr(this.sound, "aria-pressed", String(on));
  }

  // -- giving commands ---------------------------------------------------------------------------

  /** Give a command; a refusal or an error is shown, with its paragraph. @param {Command} command @returns {Promise<Reply>} */
  async give(command) {
    const slow = setTimeout(() => show(this.sending, true), SENDING);
    try {
      return await this.#give(command);
    } finally {
      clearTimeout(slow);
      show(this.sending, false);
    }
  }

  /** @param {Command} command @returns {Promise<Reply>} */
  async #give(command) {
    let reply = await this.#patiently(command);
    if (reply.is !== "answer") {
      const says = capital(toYou(reply.says, this.hello?.you ?? null));
      reply = { ...reply, says: says.replace(/\w$/, "$&.") }; // an error is a sentence as well
    }
    if (reply.is === "error" && reply.code === "waits for staff") {
      const sits = await confirmed({
        title: "This table stands still",
        says: `${reply.says} Nothing is dealt here before that.`,
        does: "Sit down nonetheless",
        not: "Rather not",
      });
      if (!sits) return { ...reply, says: "You did not sit down." };
      reply = await this.#patiently(command, true);
    }
    if (reply.is === "refused" && COMING.has(command.do) && this.#held())
      reply = { ...reply, says: `${reply.says} Try again in a moment.` };
    if (reply.is === "answer") this.rulings.querySelector(".ruling:not(.told)")?.remove();
    else if (reply.is === "refused" && this.#tooLate(command)) this.#sayLate(command);
    else this.rule(reply.says, reply.is === "refused" ? reply.cites : [], true);
    return reply;
  }

  /** Whether the moment for a command had passed when it came. @param {Command} command */
  #tooLate(command) {
    const view = this.table?.view;
    if (!view || !("boxes" in view)) return false;
    if (OPENING.has(command.do)) return view.status !== "bets open";
    return command.do === "table cards" && !view.boxes[command.box]?.may.some((offer) => offer.do === command.do);
  }

  /** What the table waits for now is no answer to that: his bet came after the close. Cards that
   * the House has laid open meanwhile need no word. @param {Command} command */
  #sayLate(command) {
    const sign = this.table?.sign;
    if (!OPENING.has(command.do) || !sign || !("bets_closed" in sign)) return;
    const then = command.do === "withdraw bet" ? "your bets stay" : "nothing of this bet was placed";
    this.rule(`Bets were closed before that came: ${then}.`, sign.bets_closed.cites, true);
  }

  /**
   * Give a command; who comes or goes while the cards are shuffled is not turned away, he waits.
   * @param {Command} command @param {boolean} [warned] that the table waits for staff @returns {Promise<Reply>}
   */
  async #patiently(command, warned) {
    const until = Date.now() + PATIENCE;
    for (;;) {
      const before = this.#held();
      const reply = await this.socket.give(command, warned);
      const waits = reply.is === "refused" && COMING.has(command.do) && (before || this.#held());
      if (!waits || Date.now() > until) return reply;
      await new Promise((done) => setTimeout(done, TRY_AGAIN));
    }
  }

  /** Whether the table waits for something that is nobody's decision. */
  #held() {
    const { waiting, decisions } = this.table?.view ?? {};
    return Boolean(waiting) && !decisions?.some((asked) => asked.holds);
  }

  /** Show a refusal or a ruling. @param {string} says @param {(string | Cited)[]} cites @param {boolean} refused */
  rule(says, cites, refused) {
    const node = h(
      "div",
      { class: refused ? "ruling" : "ruling told", role: refused ? "alert" : "status" },
      h("p", {}, `${says} `, citeButtons(this.hello?.rulebook ?? "", cites)),
      h("button", {
        class: "shut",
        type: "button",
        "aria-label": "Dismiss",
        text: "×",
        onclick: () => node.remove(),
      }),
    );
    fill(this.rulings, node);
    if (refused) this.panel.tellRefusal(says, cites);
    setTimeout(() => node.remove(), SAID_FOR); // a refusal stands in the log
  }

  // -- who plays -----------------------------------------------------------------------------------

  #showMe() {
    fill(
      this.who,
      ...(this.me.name
        ? [
            h("strong", { text: this.me.name }),
            h("span", {
              class: "purse",
              text: purseWords(this.me),
              title: "Without what lies on tables",
            }),
          ]
        : []),
    );
  }

  async #refreshMe() {
    this.me = await whoAmI();
    this.#showMe();
    if (this.table) this.#show();
  }

  /** A visitor names himself at the table; then he is somebody else to the socket. */
  async #enter() {
    if (this.me.name) return true;
    const { askWho } = await import("./login.js");
    const me = await askWho(this.me);
    if (!me) return false;
    this.me = me;
    this.#showMe();
    this.socket.restart();
    return true;
  }
}

/** Whether this page is for watching alone: `/watch/…`. */
const WATCHES = location.pathname.startsWith("/watch/");
/** Nobody waits for them: a table without sounds can be played too. */
const sounds = import("./sounds.js");
const silent = () => undefined;
/** Milliseconds after which a command that is not answered is said to be on its way. */
const SENDING = 150;
/** Milliseconds for which what is said lies over the table. */
const SAID_FOR = 15_000;
/** What is done while bets are open. @type {Set<Command["do"]>} */
const OPENING = new Set(["place ante", "place bonus", "place progressive", "withdraw bet"]);
/** Milliseconds after which it is first asked how many watch: the table itself comes first. */
const SOON = 2_000;
/** Milliseconds after which it is asked again whether the table is open. */
const CLOSED_AGAIN = 8_000;
/** Commands with which somebody comes, goes or brings chips. @type {Set<Command["do"]>} */
const COMING = new Set(["sit", "leave", "add chips", "top up"]);
/** How long such a command is tried again while the table is held, and how often. */
const PATIENCE = 4_000;
const TRY_AGAIN = 250;

/** Events that are rulings, shown to everybody as they fall. @type {Set<EventName>} */
const RULINGS = new Set([
  "decision taken",
  "hand declared dead",
  "round voided",
  "round goes on",
  "misdeal declared",
  "chips returned",
  "policy changed",
  "surplus refused",
  "bet returned",
  "hand cancelled",
  "jackpot failed",
]);
/** Why a round has to be said to go on: what was reported of it, in its own sentence.
 * @param {TellingEntry} ruled @param {TellingEntry[]} passed */
function cause(ruled, passed) {
  if (ruled.event.event !== "round goes on") return "";
  const [reported] = passed.flatMap(({ event }) => (event.event === "irregularity reported" ? [event] : []));
  return reported?.says ? `${reported.says} ` : "";
}
/** Events after which a player's own money may have changed. @type {Set<EventName>} */
const MONEY = new Set([
  "sat down",
  "left table",
  "left",
  "stake added",
  "stake reduced",
  "chips added",
  "handed over",
]);

/** Load the style of a family of games. @param {string} game @returns {Promise<void>} */
function loadStyle(game) {
  if (document.querySelector(`link[rel="stylesheet"][data-game="${game}"]`)) return Promise.resolve();
  const href = `/static/style/${game}.css`;
  return new Promise((done) => {
    const link = /** @type {HTMLLinkElement} */ (h("link", { rel: "stylesheet" }));
    link.addEventListener("load", () => done());
    link.addEventListener("error", () => done()); // an unstyled table can be played too
    link.href = href;
    document.head.append(link);
  });
}

/** What is said to who watches: that the House tells it later. @param {number} delay in seconds */
function behind(delay) {
  if (!delay && !WATCHES) return null;
  const says = delay ? `${delay} s behind` : "watching";
  const why = delay ? `Who watches is told ${delay} seconds later than players.` : "You watch this table.";
  return h("span", { class: "tag behind", text: says, title: why });
}

/** Who is at the table. @param {State["view"]} view @returns {string[]} */
function names(view) {
  const places = Object.values("seats" in view ? view.seats : view.boxes);
  return [...new Set(places.map(({ player }) => player).filter((name) => name !== null))];
}

/** When the time is over by this page's own clock. @param {Clock | null} clock */
function withEnd(clock) {
  return clock ? { ...clock, ends: Date.now() + clock.left } : null;
}

document.body.classList.toggle("watches", WATCHES);
applySettings();
announce.prepare();
keys.listen();
import("./key-help.js").then(({ listenForHelp }) => listenForHelp(), silent);
sounds.then(({ prepareSounds }) => prepareSounds(), silent);
const place = decodeURIComponent(location.pathname.split("/").filter(Boolean)[1] ?? "");
const page = /** @type {Element} */ (document.querySelector("#page"));
/** How the table stands, asked beside the script; without it the socket says so. @returns {Promise<FirstMessages | null>} */
async function firstSeen() {
  return WATCHES ? null : ask(`/api/tables/${encodeURIComponent(place)}/first`).catch(() => null);
}

Promise.all([whoAmI(), firstSeen()]).then(
  ([me, first]) => new TablePage(place, me, first),
  (error) =>
    fill(
      page,
      h(
        "main",
        { class: "lost" },
        h("h1", { text: "No table" }),
        h("p", { text: error.message }),
        h("a", { href: "/", text: "To the lobby" }),
      ),
    ),
);
