// The lobby: name yourself, choose one of the tables. It asks for the tables again now and then.

import { h, fill, patchList, setText, show } from "./dom.js";
import { JACKPOT, money, meter } from "./money.js";
import { privateTableButton } from "./private-table.js";
import { ask, exit, refill, whoAmI } from "./session.js";
import { applySettings } from "./settings.js";
import { settingsButton } from "./dialogs.js";
import { brand } from "./brand.js";
import { codeButton, haveCodeButton } from "./guest-code.js";
import { makeLoginForm } from "./login.js";
import { isPlayMoney, purseWords } from "./purse.js";
import { limitsButton } from "./own-limits.js";
import { miniature } from "./miniature.js";
import { staffDoor } from "./staff-door.js";

/** @import {TableSummary} from "./records.js" */

const AGAIN = 4_000;

class Lobby {
  /** @param {import("./records.js").Me} me */
  constructor(me) {
    this.me = me;
    this.list = h("ul", { class: "cards", id: "tables", "aria-label": "Tables", tabindex: "-1" });
    this.who = h("div", { class: "me" });
    this.login = h("div", { class: "login" });
    this.wrong = h("p", { class: "wrong", role: "alert" });
    /** Where one waits for a seat. */
    this.waits = h("p", { class: "own-place", role: "status" });
    this.door = isPlayMoney(me) ? staffDoor() : null;
    /** Whether what is wrong is that the tables could not be read. */
    this.unread = false;
    fill(
      /** @type {Element} */ (document.querySelector("#page")),
      h(
        "header",
        { class: "bar" },
        brand(),
        h("div", { class: "grow" }),
        this.who,
        settingsButton(),
      ),
      h(
        "main",
        { class: "lobby" },
        h(
          "div",
          { class: "welcome" },
          h("h1", { text: "Hold’em, by the book" }),
          h("p", {
            text: "Five games, each played exactly as its approved rulebook says. Every refusal and every payment names its paragraph.",
          }),
          this.login,
          this.wrong,
          this.waits,
        ),
        h(
          "nav",
          { class: "doors", "aria-label": "What else there is" },
          pitLink(me),
          officeLink(me),
          isPlayMoney(me) && !me.post ? doorLink() : null,
          deskLink(me),
          rulesLink(),
          wallLink(),
          schoolLink(),
          disputesLink(me),
        ),
        this.list,
        this.door,
        h("p", { class: "foot", text: foot(me) }),
      ),
    );
    this.#showMe();
    this.#read();
    setInterval(() => {
      if (document.visibilityState === "visible") this.#read();
    }, AGAIN);
  }

  async #read() {
    try {
      const { tables, waiting } = await ask("/api/lobby");
      setText(this.waits, waiting.map(waitingWords).join(" "));
      patchList(
        this.list,
        tables,
        (table) => table.place,
        (table) => makeCard(table),
        updateCard,
      );
      if (this.unread) setText(this.wrong, "");
      this.unread = false;
    } catch (error) {
      this.unread = true;
      setText(this.wrong, /** @type {Error} */ (error).message);
    }
  }

  #showMe() {
    const { me } = this;
    fill(this.who);
    if (this.door) show(this.door, !me.post);
    this.list.classList.toggle("for-staff", Boolean(me.post)); // staff do not play
    if (me.name) {
      this.who.append(
        h("strong", { text: me.name }),
        h("span", { class: "purse", text: purseWords(me) }),
      );
      if (!isPlayMoney(me) || me.post)
        this.who.append(
          h("button", {
            class: "button quiet small",
            type: "button",
            text: isPlayMoney(me) ? "Leave post" : "Log out",
            onclick: () => (me.post ? exit().then(() => location.reload()) : this.#change(exit())),
          }),
        );
      fill(this.login);
      const seat = me.seats?.[0];
      if (seat)
        this.login.append(
          h("a", {
            class: "button main",
            href: `/table/${encodeURIComponent(seat.place)}`,
            text: `Back to ${seat.place.replaceAll("-", " ")}`,
          }),
        );
      if (isPlayMoney(me) && (me.play_money ?? 0) < 100_000 && !seat) {
        this.login.append(
          h("button", {
            class: "button",
            type: "button",
            text: "Refill my play money",
            onclick: () => this.#change(refill()),
          }),
        );
      }
      if (!me.post) this.login.append(isPlayMoney(me) ? codeButton() : limitsButton());
      if (!me.post && isPlayMoney(me)) this.login.append(privateTableButton());
      if (!me.post) this.login.append(handsLink());
      return;
    }
    /** @param {import("./records.js").Me} entered */
    const entered = (entered) => {
      this.me = entered;
      this.#showMe();
    };
    fill(this.login, makeLoginForm(me, entered));
    if (isPlayMoney(me)) this.login.append(haveCodeButton(entered));
  }

  /** @param {Promise<import("./records.js").Me>} change */
  async #change(change) {
    try {
      this.me = await change;
      setText(this.wrong, "");
      this.#showMe();
    } catch (error) {
      setText(this.wrong, /** @type {Error} */ (error).message);
    }
  }
}

/** The way to the ruling desk: open to all in the demonstration, else to staff.
 * @param {import("./records.js").Me} me */
function deskLink(me) {
  if (!isPlayMoney(me) && !me.post) return null;
  return h(
    "a",
    { class: "to-desk", href: "/ask" },
    h("strong", { text: "Ruling desk" }),
    h("span", { text: "Something went wrong at a table? Ask the book what is ruled." }),
  );
}

/** The way to all rounds that somebody has played. */
function handsLink() {
  return h("a", { class: "button quiet small", href: "/hands", text: "My hands" });
}

/** The way to the jackpot display, which is for everybody. */
function wallLink() {
  return h(
    "a",
    { class: "to-desk", href: "/wall" },
    h("strong", { text: "Progressive Jackpot display" }),
    h("span", { text: "Every meter on a big screen." }),
  );
}

/** The way to the rulebooks, which everybody may read. */
function rulesLink() {
  return h(
    "a",
    { class: "to-desk", href: "/rules" },
    h("strong", { text: "Rulebooks" }),
    h("span", { text: "Every paragraph in plain words, with cases to play." }),
  );
}

/** The way to the dealer school, which is open to everybody. */
function schoolLink() {
  return h(
    "a",
    { class: "to-desk", href: "/school" },
    h("strong", { text: "Dealer school" }),
    h("span", { text: "A table errs on purpose: rule on it, and learn the book." }),
  );
}

/** The way to the staff door, further down. */
function doorLink() {
  return h(
    "a",
    { class: "to-desk", href: "#staff-door" },
    h("strong", { text: "Staff door" }),
    h("span", { text: "Run the floor: report a mistake at a table and see it ruled." }),
  );
}

/** The way to the console, for staff. @param {import("./records.js").Me} me */
function pitLink(me) {
  if (!me.post) return null;
  return h(
    "a",
    { class: "to-desk", href: "/pit" },
    h("strong", { text: "The pit" }),
    h("span", { text: "The floor at a glance: what waits for you, reports, rulings, claims." }),
  );
}

/** The way to the office, for staff. @param {import("./records.js").Me} me */
function officeLink(me) {
  if (!me.post) return null;
  return h(
    "a",
    { class: "to-desk", href: "/office" },
    h("strong", { text: "The office" }),
    h("span", { text: "People, duty, cage, tables, trays, waiting lists, reports." }),
  );
}

/** Where somebody waits for a seat, in a sentence. @param {import("./records.js").OwnPlace} place */
function waitingWords(place) {
  return place.called_to
    ? `A seat is free for you: go to ${place.called_to}.`
    : `You are number ${place.number} on the list of ${place.list_of}.`;
}

/** The way to the disputes, for staff. @param {import("./records.js").Me} me */
function disputesLink(me) {
  if (!me.post) return null;
  return h(
    "a",
    { class: "to-desk", href: "/disputes" },
    h("strong", { text: "Disputes" }),
    h("span", { text: "A patron does not accept a ruling? Open a dispute, and settle it." }),
  );
}

/** What it is played for. @param {import("./records.js").Me} me */
function foot(me) {
  return isPlayMoney(me)
    ? "Play money only. Bots are marked as bots."
    : "Played for money, from your account. No bots.";
}

/** @param {TableSummary} table */
function makeCard(table) {
  const name = table.place.replaceAll("-", " ");
  return h(
    "li",
    { class: `table-card ${table.game}` },
    h(
      "a",
      { href: `/table/${encodeURIComponent(table.place)}` },
      h("span", { class: "play", "aria-hidden": "true", text: "Play" }),
      h("span", { class: "picture", "aria-hidden": "true" }),
      h(
        "span",
        { class: "heading" },
        h("span", { class: "place", text: name }),
        h("span", { class: "tag old" }),
        h("span", { class: "tag private", hidden: !table.private, text: "private" }),
        h("span", { class: "tag by-hand", hidden: !table.by_hand, text: "dealt by hand" }),
        h("span", { class: "tag shut" }),
        h("span", { class: "tag waits" }),
      ),
      h("span", { class: "book" }),
      h("span", { class: "limits" }),
      h("span", { class: "marked" }),
      h("span", { class: "awaited" }),
      h(
        "span",
        { class: "foot" },
        h("span", { class: "people" }),
        h("span", { class: "meter" }, h("small", { text: JACKPOT }), h("span")),
      ),
    ),
    h("a", {
      class: "watch",
      href: `/watch/${encodeURIComponent(table.place)}`,
      text: "Watch",
      "aria-label": `Watch ${name}`,
    }),
  );
}

/** @param {HTMLElement} node @param {TableSummary} table */
function updateCard(node, table) {
  const find = (/** @type {string} */ what) =>
    /** @type {HTMLElement} */ (node.querySelector(what));
  const taken = table.players.map((each) => each.seat).join();
  const picture = find(".picture");
  if (picture.dataset.taken !== taken) {
    picture.dataset.taken = taken;
    fill(picture, miniature(table));
  }
  setText(find(".book"), `${table.title}, version ${table.version}`);
  const old = find(".tag.old");
  show(old, Boolean(table.marked));
  setText(old, "superseded");
  show(find(".marked"), Boolean(table.marked));
  setText(find(".marked"), table.marked ?? "");
  show(find(".tag.shut"), Boolean(table.closed));
  show(find(".play"), !table.closed);
  setText(find(".tag.shut"), "not open");
  find(".tag.shut").title = table.closed ?? "";
  setText(find(".limits"), table.closed || table.notice || limits(table));
  show(find(".tag.waits"), Boolean(table.waits));
  setText(find(".tag.waits"), "waits for staff");
  show(find(".awaited"), Boolean(table.waits));
  setText(find(".awaited"), table.waits ? `Stands still until ${table.waits.whom} acts` : "");
  find(".awaited").title = table.waits?.says ?? "";
  const watching = table.watching ? ` · ${table.watching} watching` : "";
  setText(find(".people"), people(table.players) + watching);
  const meterPlace = find(".meter");
  show(meterPlace, table.meter !== null && table.meter !== undefined);
  if (table.meter)
    setText(/** @type {Element} */ (meterPlace.lastElementChild), meter(table.meter));
}

/** Who sits there, each once, and which of them are bots. @param {{player: string, bot: boolean}[]} players */
function people(players) {
  /** @param {boolean} bot */
  const names = (bot) => [
    ...new Set(players.filter((each) => each.bot === bot).map((each) => each.player)),
  ];
  const bots = names(true);
  const told = [
    names(false).join(", "),
    bots.length ? `${bots.length > 1 ? "bots" : "bot"} ${bots.join(", ")}` : "",
  ];
  return told.filter(Boolean).join(" · ") || "Nobody sits here yet";
}

/** @param {TableSummary} table */
function limits(table) {
  const { limits: said } = table;
  if (table.game === "poker") {
    const stake = said.maximum_stake
      ? `${money(said.minimum_stake)} to ${money(said.maximum_stake)}`
      : `from ${money(said.minimum_stake)}`;
    return `Blinds ${money(said.small_blind)} and ${money(said.big_blind)} · stake ${stake}`;
  }
  const jackpot = `${JACKPOT} ${money(said.progressive)}`.replaceAll(" ", "\u00a0");
  return `Ante ${money(said.ante_minimum)} to ${money(said.ante_maximum)} · ${jackpot}`;
}

applySettings();
whoAmI().then(
  (me) => new Lobby(me),
  (error) =>
    fill(
      /** @type {Element} */ (document.querySelector("#page")),
      h("main", { class: "lobby" }, h("h1", { text: "Closed" }), h("p", { text: error.message })),
    ),
);
