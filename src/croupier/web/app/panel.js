// The panel beside the table: what happened, past rounds (recall), the pay tables, the sign.

import { h, fill, setText, show } from "./dom.js";
import { cardNames, cardSigns, UNKNOWN } from "./cards.js";
import { money, signed } from "./money.js";
import { ask } from "./session.js";
import { citeButtons } from "./rules.js";
import { canCheck, checkShuffle } from "./mixing.js";
import { Log } from "./log.js";
import { isQuiet, sentence } from "./telling.js";
import { toYou } from "./addressed.js";

/** @import {BankedTableInfo, Cited, HelloMessage, OwnPart, PayTableInfo, PokerTableInfo, RoundSummary, ShuffleMessage, TellingEntry} from "./records.js" */
/** @typedef {(name: string, value: string | null) => void} Fact writes a line of the sign */

/** Whether somebody reads here which cards he looked at himself. @param {TellingEntry} told */
function isOwnLook({ event }) {
  return event.event === "looked" && !event.cards.includes(UNKNOWN);
}

/** What a past round was for this player: his cards, and what it brought him. @param {OwnPart} yours */
function ownPart({ cards, net }) {
  /** @type {string[][]} */
  const hands = Object.values(cards);
  const spoken = hands.map((hand) => cardNames(hand)).join("; ");
  const brought = net === null ? "" : net === 0 ? "came out even" : signed(net);
  return h(
    "span",
    { class: "yours" },
    "You",
    hands.length ? " " : "",
    hands.length
      ? h(
          "span",
          {},
          h("b", { "aria-hidden": "true", text: hands.map(cardSigns).join(", ") }),
          h("span", { class: "vh", text: `had ${spoken}` }),
        )
      : "",
    brought ? `${hands.length ? " · " : ": "}${brought}` : "",
  );
}

/** Rounds that the log begins with after a reload: the one in play, and two before it. */
const RECALLED = 3;

export class Panel {
  /** @param {string} place @param {import("./seeds.js").Seeds} seeds */
  constructor(place, seeds) {
    this.place = place;
    this.seeds = seeds;
    /** @type {string | null} */
    this.me = null;
    /** Whether the visitor is of the staff, and may open a dispute. */
    this.staff = false;
    this.bound = h("div", { class: "bound" });
    this.rulebook = "";
    this.log = new Log();
    this.rounds = h("div", { class: "rounds" });
    this.pays = h("div", { class: "pay-tables" });
    this.sign = h("div", { class: "sign" });
    /** @type {Map<string, {tab: HTMLButtonElement, body: HTMLElement}>} */
    this.tabs = new Map();
    this.list = h("div", { class: "tabs", role: "tablist", "aria-label": "About this table" });
    this.node = h(
      "aside",
      { class: "panel", id: "panel", "aria-label": "Log, past rounds and sign" },
      this.list,
      h("button", {
        class: "button quiet small shut",
        type: "button",
        text: "Close",
        onclick: () => this.open(false),
      }),
    );
    this.#tab("log", "Log", this.log.node);
    const rounds = h("div", {}, this.bound, this.rounds);
    this.#tab("rounds", "Rounds", rounds, () => this.#readRounds());
    this.#tab("pays", "Pays", this.pays);
    this.#tab("sign", "Sign", this.sign);
    this.list.addEventListener("keydown", (event) => this.#arrows(event));
    this.choose("log");
    /** Who is at the table. @type {string[]} */
    this.names = [];
    /** Of a private table. @type {import("./chat.js").Chat | null} */
    this.chat = null;
  }

  /** At a private table players may say something. */
  async openChat() {
    const { Chat } = await import("./chat.js");
    if (this.chat) return;
    this.chat = new Chat(this.place);
    this.#tab("chat", "Chat", this.chat.node);
    this.choose("chat");
  }

  /** The button by which somebody of the table is reported to the pit. */
  #report() {
    return h("button", {
      class: "button quiet small report-player",
      type: "button",
      text: "Report a player …",
      onclick: async () => {
        const { reportPlayer } = await import("./report-player.js");
        reportPlayer(this.place, this.names.filter((name) => name !== this.me));
      },
    });
  }

  /** @param {string} name @param {string} label @param {HTMLElement} inside @param {() => void} [opened] */
  #tab(name, label, inside, opened) {
    const tab = /** @type {HTMLButtonElement} */ (
      h("button", {
        type: "button",
        role: "tab",
        id: `tab-${name}`,
        "aria-controls": `body-${name}`,
        text: label,
        onclick: () => {
          this.choose(name);
          opened?.();
        },
      })
    );
    const body = h(
      "div",
      {
        class: "tab-body",
        role: "tabpanel",
        id: `body-${name}`,
        "aria-labelledby": `tab-${name}`,
        tabindex: "0",
      },
      inside,
    );
    this.tabs.set(name, { tab, body });
    this.list.append(tab);
    this.node.append(body);
  }

  /** @param {string} name */
  choose(name) {
    for (const [each, { tab, body }] of this.tabs) {
      tab.setAttribute("aria-selected", String(each === name));
      tab.tabIndex = each === name ? 0 : -1;
      show(body, each === name);
    }
    if (name === "log") this.#toEnd();
  }

  /** @param {KeyboardEvent} event */
  #arrows(event) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const shown = [...this.tabs.values()].map(({ tab }) => tab).filter((tab) => !tab.hidden);
    const at = shown.findIndex((tab) => tab === document.activeElement);
    const next = shown[(at + step + shown.length) % shown.length];
    next.focus();
    next.click();
    event.preventDefault();
  }

  /** On a small screen the panel is a sheet that opens. @param {boolean} open */
  open(open) {
    this.node.classList.toggle("open", open);
    if (open) [...this.tabs.values()].find(({ tab }) => tab.ariaSelected === "true")?.tab.focus();
  }

  #toEnd() {
    const body = this.tabs.get("log")?.body;
    if (body) body.scrollTop = body.scrollHeight;
  }

  /** @param {TellingEntry[]} events @param {string | null} me */
  tell(events, me) {
    const body = /** @type {HTMLElement} */ (this.tabs.get("log")?.body);
    const atEnd = body.scrollHeight - body.scrollTop - body.clientHeight < 60;
    this.log.tell(events, me);
    if (atEnd) this.#toEnd();
  }

  /** The last rounds, as he saw them: the log of a page that was loaded anew.
   * @param {number} until the position that the page begins with @param {string | null} me */
  async recall(until, me) {
    const path = /** @type {const} */ (`/api/tables/${encodeURIComponent(this.place)}/rounds`);
    const { rounds } = await ask(path);
    /** @type {TellingEntry[]} */
    const found = [];
    for (const { round } of rounds.slice(0, RECALLED).reverse())
      found.push(...(await ask(`${path}/${round}`)).events);
    const before = found.filter((told) => told.position <= until);
    this.tell(before, me);
    return before;
  }

  /** @param {string} sentence @param {(string | Cited)[]} cites */
  tellRefusal(sentence, cites) {
    this.log.refused(sentence, cites);
    this.#toEnd();
  }

  /** What the House has bound itself to for the coming deal. @param {ShuffleMessage} message */
  tellShuffle(message) {
    const { stage, number, root, seeds, mixed } = message;
    if (stage === "nothing") {
      fill(this.bound);
      return;
    }
    const names = (mixed ? mixed.seeds : seeds).map(({ player }) =>
      player === this.me ? "you" : player,
    );
    const of = names.length ? ` Seeds of ${names.join(", ")} are part of it.` : "";
    const late = mixed?.unopened.length ? ` Not opened in time: ${mixed.unopened.join(", ")}.` : "";
    fill(
      this.bound,
      h("p", { class: "label", text: `The House has committed to shuffle ${number}.${of}${late}` }),
      h("code", { class: "root", text: root }),
    );
  }

  /** Whether a past round was shuffled as everybody had bound himself. @param {number} round */
  #check(round) {
    const found = h("ul", { class: "found", "aria-live": "polite" });
    const button = h("button", {
      class: "button quiet small",
      type: "button",
      text: "Check the shuffle",
      onclick: async () => {
        fill(found, h("li", { text: "Reckoning …" }));
        try {
          fill(found, ...(await this.#checked(round)));
        } catch (error) {
          fill(found, h("li", { text: /** @type {Error} */ (error).message }));
        }
      },
    });
    return h("div", { class: "check" }, button, found);
  }

  /** @param {number} round */
  async #checked(round) {
    if (!canCheck)
      return [h("li", { text: "The browser can reckon with hashes on a secure connection only." })];
    const { shuffles } = await ask(
      `/api/tables/${encodeURIComponent(this.place)}/rounds/${round}/shuffles`,
    );
    const found = [];
    for (const proof of shuffles) {
      const told = this.seeds.toldOf(proof.number);
      const mine = this.seeds.openedFor(proof.number);
      found.push(...(await checkShuffle(proof, told, mine, this.me)));
    }
    if (!found.length) found.push({ holds: true, says: "Nothing was shuffled in this round." });
    return found.map(({ holds, says }) =>
      h("li", { class: holds ? "holds" : "wrong", text: says }),
    );
  }

  async #readRounds() {
    fill(this.rounds, h("p", { class: "label", text: "Reading …" }));
    try {
      const found = await ask(`/api/tables/${encodeURIComponent(this.place)}/rounds`);
      const rounds = found.rounds.filter((each) => each.ended !== null);
      fill(
        this.rounds,
        h("p", { class: "recall", text: "Recall: rounds that are over. Nothing here is in play." }),
      );
      if (!rounds.length)
        this.rounds.append(h("p", { class: "label", text: "No round has been played here yet." }));
      for (const each of rounds) this.rounds.append(this.#round(each));
    } catch (error) {
      fill(this.rounds, h("p", { class: "label", text: /** @type {Error} */ (error).message }));
    }
  }

  /** @param {RoundSummary} found */
  #round(found) {
    const inside = h("ol", { class: "log" });
    const when = found.began
      ? new Date(found.began).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
      : "";
    const details = h(
      "details",
      { class: "past" },
      h(
        "summary",
        {},
        h("span", { class: "tag", text: "Recall" }),
        ` Round ${found.round} `,
        h("time", { class: "label", text: when }),
        found.told ? h("span", { class: "outcome", text: toYou(found.told, this.me) }) : null,
        found.yours ? ownPart(found.yours) : null,
      ),
      found.cites?.length
        ? h("p", { class: "label" }, "Paid under ", citeButtons(this.rulebook, found.cites, 6))
        : null,
      this.#check(found.round),
      h("a", {
        class: "button quiet small",
        href: `/round/${encodeURIComponent(this.place)}/${found.round}`,
        text: "Play it again",
      }),
      this.staff
        ? h("a", {
            class: "button quiet small",
            href: `/disputes?about=${encodeURIComponent(`${this.place}#${found.round}`)}`,
            text: "Open a dispute",
          })
        : null,
      inside,
    );
    details.addEventListener("toggle", async () => {
      if (inside.childElementCount) return;
      try {
        const { events } = await ask(
          `/api/tables/${encodeURIComponent(this.place)}/rounds/${found.round}`,
        );
        for (const told of events)
          if (!isQuiet(told) || isOwnLook(told)) inside.append(eventItem(this.rulebook, told, this.me, 4));
      } catch (error) {
        inside.append(h("li", { text: /** @type {Error} */ (error).message }));
      }
    });
    return details;
  }

  /** @param {HelloMessage} hello */
  setSign(hello) {
    const { sign } = hello;
    this.rulebook = hello.rulebook;
    this.log.rulebook = hello.rulebook;
    this.log.marked = sign.marked;
    const facts = h("dl", { class: "facts" });
    /** @type {Fact} */
    const fact = (name, value) => {
      if (value) facts.append(h("dt", { text: name }), h("dd", { text: value }));
    };
    fact("Rulebook", `Version ${sign.version}`);
    if ("blinds" in sign) pokerFacts(sign, fact);
    else bankedFacts(sign, fact);
    fill(this.sign, h("h2", { text: sign.title }));
    if (sign.marked) this.sign.append(h("p", { class: "marked", text: sign.marked }));
    this.sign.append(
      facts,
      h("h2", { text: "A void round" }),
      h("p", { class: "label" }, `${sign.void.says} `, citeButtons(hello.rulebook, sign.void.cites, 2)),
    );
    const rules = "jackpot_rules" in sign ? sign.jackpot_rules : [];
    if (rules.length) {
      const list = h("ul", { class: "sentences" });
      for (const sentence of rules) list.append(h("li", { text: sentence }));
      this.sign.append(h("h2", { text: "Progressive Jackpot" }), list);
    }
    const policies = Object.entries(sign.policies ?? {});
    if (policies.length) {
      const list = h("dl", { class: "facts" });
      for (const [name, value] of policies) {
        list.append(
          h("dt", { text: name.replaceAll("-", " ") }),
          h("dd", { text: String(value).replaceAll("-", " ") }),
        );
      }
      this.sign.append(
        h(
          "details",
          { class: "past" },
          h("summary", { text: "How this House reads open questions" }),
          list,
        ),
      );
    }
    if (hello.you && !this.staff) this.sign.append(this.#report());
    const pays = "pays" in sign ? sign.pays : [];
    fill(this.pays);
    for (const table of pays) this.pays.append(payTable(table));
    const payTab = /** @type {{tab: HTMLButtonElement}} */ (this.tabs.get("pays")).tab;
    show(payTab, pays.length > 0);
    if (pays.length && !this.chosen) this.choose("pays");
    this.chosen = true;
  }

  /** Mark the lines that the player's box has hit. @param {Set<string>} lines */
  markLines(lines) {
    for (const row of this.pays.querySelectorAll("tr[data-line]")) {
      row.classList.toggle("hit", lines.has(/** @type {HTMLElement} */ (row).dataset.line ?? ""));
    }
  }
}

/** @param {string} rulebook @param {TellingEntry} told @param {string | null} me @param {number} [most] paragraphs */
function eventItem(rulebook, told, me, most = 1) {
  const said = toYou(sentence(told), me);
  const item = h("li", { class: said.startsWith("You ") ? "mine" : "" }, `${said} `);
  if (told.cites?.length) item.append(citeButtons(rulebook, told.cites, most));
  return item;
}

/** @param {PokerTableInfo} sign @param {Fact} fact */
function pokerFacts(sign, fact) {
  fact("Betting", sign.betting);
  fact("Blinds", `${money(sign.blinds[0])} and ${money(sign.blinds[1])}`);
  fact(
    "Table stake",
    sign.maximum_stake
      ? `${money(sign.minimum_stake)} to ${money(sign.maximum_stake)}`
      : `from ${money(sign.minimum_stake)}`,
  );
  fact("Seats", String(sign.seats));
  fact("Straddle", sign.straddle ? "taken" : "not taken");
  fact("Smallest chip", sign.chips?.length ? money(Math.min(...sign.chips)) : null);
  const rake = sign.rake;
  if (rake?.percent) {
    fact("Rake", `${rake.percent}% of each pot${rake.cap ? `, at most ${money(rake.cap)}` : ""}`);
  } else if (rake?.timed) fact("Rake", `${money(rake.timed)} each ${rake.minutes} minutes`);
}

/** @param {BankedTableInfo} sign @param {Fact} fact */
function bankedFacts(sign, fact) {
  const { limits, multiples } = sign;
  fact("Ante", `${money(limits.ante_minimum)} to ${money(limits.ante_maximum)}`);
  fact("Bonus", `${money(limits.bonus_minimum)} to ${money(limits.bonus_maximum)}`);
  fact("Progressive Jackpot bet", money(limits.progressive));
  fact("Flop bet", times(multiples?.flop));
  fact("Turn and River bets", times(multiples?.turn));
  fact("Boxes", String(sign.boxes));
  fact("Cards from", sign.device === "shoe" ? "a Card Shoe" : "an Electronic Card Shuffler");
}

/** @param {number | undefined} antes */
function times(antes) {
  if (!antes) return null;
  return antes === 1 ? "as much as the Ante" : antes === 2 ? "twice the Ante" : `${antes} Antes`;
}

/** @param {PayTableInfo} table */
function payTable(table) {
  const body = h("tbody");
  for (const line of table.lines) {
    body.append(
      h(
        "tr",
        { "data-line": line.line },
        h("th", { scope: "row", text: line.title }),
        h("td", { text: line.pays }),
      ),
    );
  }
  const about = h("small", { class: "about-cards", text: table.about });
  return h("table", { class: "pays" }, h("caption", {}, table.title, about), body);
}
