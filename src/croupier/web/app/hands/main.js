// My hands: all rounds that one has played, won and lost by game and session, and as files.

import { brand } from "../brand.js";
import { settingsButton } from "../dialogs.js";
import { fill, h } from "../dom.js";
import { signed } from "../money.js";
import { ask, whoAmI } from "../session.js";
import { applySettings } from "../settings.js";
import { bars, line } from "./chart.js";

/** @import {MyHands, MyRound, MySums} from "../records.js" */

const SHOWN = 50;
const SESSIONS = 12;
/** @type {Record<string, string>} */
const FORMATS = {
  phh: "PHH, one file for each",
  phhs: "PHH collection",
  ohh: "Open Hand History",
  pokerstars: "PokerStars-style text",
  "banked-json": "Banked rounds, JSON",
};

const main = h("main", { class: "hands", id: "hands", tabindex: "-1" });

/** @param {string} text */
const when = (text) => new Date(text).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** @param {MyHands} found */
function show(found) {
  const { rounds, total, games, sessions, formats, unlisted } = found;
  if (!rounds.length)
    return fill(main, h("h1", { text: "My hands" }), h("p", { text: "You have not played a round yet." }), h("p", {}, h("a", { href: "/", text: "To the tables" })));
  const listed = rounds.reduce((sum, each) => sum + each.net, 0);
  return fill(
    main,
    h("h1", { text: "My hands" }),
    h(
      "p",
      { class: "total" },
      `${total.rounds} ${total.rounds === 1 ? "round" : "rounds"}, `,
      h("b", { class: total.net < 0 ? "lost" : "won", text: signed(total.net) }),
    ),
    line(rounds, total.net - listed),
    files(formats),
    bars("By game", games, (one) => one.of),
    bars("By session", sessions.slice(0, SESSIONS), session),
    ...soft(sessions.length - SESSIONS, "earlier sessions"),
    h("h2", { text: "Rounds" }),
    list(rounds),
    ...soft(unlisted, "older rounds, which are in the sums and in the files"),
  );
}

/** What is not listed, if anything. @param {number} count @param {string} what */
function soft(count, what) {
  return count > 0 ? [h("p", { class: "soft", text: `and ${count} ${what}` })] : [];
}

/** @param {MySums} one */
function session(one) {
  const minutes = Math.max(1, Math.round((Date.parse(one.until) - Date.parse(one.of)) / 60_000));
  return `${when(one.of)}, ${minutes} min`;
}

/** @param {string[]} formats */
function files(formats) {
  const node = h("p", { class: "files" }, h("span", { text: "All of them as files:" }));
  for (const name of formats)
    node.append(
      h("a", { class: "button small", href: `/api/my-hands/export/${name}`, download: "", text: FORMATS[name] ?? name }),
    );
  return node;
}

/** @param {MyRound[]} rounds */
function list(rounds) {
  const node = h("ul", { class: "rounds" });
  const more = h("button", { class: "button", type: "button" });
  let shown = 0;
  const add = () => {
    for (const each of rounds.slice(shown, shown + SHOWN))
      node.append(
        h(
          "li",
          {},
          h(
            "a",
            { href: `/round/${encodeURIComponent(each.table)}/${each.round}` },
            h("span", { class: "of", text: `${each.table.replaceAll("-", " ")}, round ${each.round}` }),
            h("span", { class: "soft", text: `${each.game} · ${when(each.at)}` }),
            h("b", { class: each.net < 0 ? "lost" : "won", text: signed(each.net) }),
          ),
        ),
      );
    shown = Math.min(rounds.length, shown + SHOWN);
    more.textContent = `Show more (${rounds.length - shown})`;
    more.hidden = shown >= rounds.length;
  };
  more.addEventListener("click", add);
  add();
  return h("div", {}, node, more);
}

async function start() {
  const me = await whoAmI();
  fill(
    /** @type {Element} */ (document.querySelector("#page")),
    h("header", { class: "bar" }, brand(), h("div", { class: "grow" }), h("div", { class: "me" }, h("strong", { text: me.name ?? "" })), settingsButton()),
    main,
  );
  if (!me.name)
    return fill(main, h("h1", { text: "My hands" }), h("p", { text: "Enter under a name first; then there are rounds of yours." }), h("p", {}, h("a", { href: "/", text: "To the lobby" })));
  fill(main, h("h1", { text: "My hands" }), h("p", { role: "status", text: "Reading the log …" }));
  return show(await ask("/api/my-hands"));
}

applySettings();
start().catch((error) => fill(main, h("h1", { text: "My hands" }), h("p", { class: "wrong", role: "alert", text: error.message })));
