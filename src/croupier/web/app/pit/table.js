// One table: how it stands, what can be reported there now, what was to be read out, and the way back
// from the last ruling.

import { h, fill } from "../dom.js";
import { keyed } from "../keys.js";
import { ask } from "../session.js";
import { openDialog } from "../dialogs.js";
import { badge, badges } from "../desk/paragraph.js";
import { capital } from "../desk/words.js";
import { holdAddress, holdLine, waitsPart } from "./floor.js";
import { Looking } from "./hold.js";
import { undoButton } from "./undo.js";
import { doneView } from "./done.js";
import { factsPart } from "./facts.js";
import { matters } from "./matter.js";
import { playersAt } from "./players.js";
import { hour, newId, placeName, seatWord } from "./words.js";
import { money } from "../money.js";

/** @import {PitAnnouncement, PitReports, PitTile} from "../records.js" */
/** @typedef {import("./main.js").Console} Console */
/** @typedef {import("./matter.js").Matter} Matter */
/** @typedef {import("./matter.js").Said} Said */

/** @param {Console} console @param {string} place @returns {Promise<import("./main.js").View>} */
export async function tableView(console, place) {
  const path = encodeURIComponent(place);
  const [tile, listed] = await Promise.all([ask(`/api/pit/tables/${path}`), ask(`/api/pit/tables/${path}/reports`)]);
  return made(console, tile, listed, null, "");
}

/** The same, held from now on: whoever wants to report something finds it as it stands.
 * @param {Console} console @param {string} place @returns {Promise<import("./main.js").View>} */
export async function reportView(console, place) {
  const path = encodeURIComponent(place);
  try {
    const { hold, reports } = await ask(`/api/pit/tables/${path}/look`, { id: newId() });
    const looking = new Looking(console, place, hold);
    console.read();
    return made(console, await ask(`/api/pit/tables/${path}`), reports, looking, "");
  } catch (error) {
    const [tile, listed] = await Promise.all([ask(`/api/pit/tables/${path}`), ask(`/api/pit/tables/${path}/reports`)]);
    return made(console, tile, listed, null, /** @type {Error} */ (error).message);
  }
}

/** @param {Console} console @param {PitTile} tile @param {PitReports} listed @param {Looking | null} looking
 * @param {string} says what stands against holding it @returns {import("./main.js").View} */
function made(console, tile, listed, looking, says) {
  const { place } = tile;
  const path = encodeURIComponent(place);
  const stands = h("div", { class: "stands" });
  const wrong = h("p", { class: "wrong", role: "alert", text: says });
  const list = h("ul", { class: "reports" });
  const line = h("p", { class: "lead" });
  fill(line, ...leadWords(tile, looking));
  const aside = h("aside", { class: "aside" });
  let position = listed.position;
  /** @param {PitReports} found */
  const offer = (found) => {
    position = found.position;
    fill(list, ...reportButtons(found, (matter) => report(console, tile, matter, wrong)));
  };
  offer(listed);
  fill(aside, ...asideParts(console, tile, listed, wrong));
  let drawn = "";
  const view = h(
    "div",
    { class: "at-table" },
    h("h1", { tabindex: "-1" }, placeName(place), h("small", { text: tile.short })),
    stands,
    wrong,
    h(
      "div",
      { class: "two" },
      h(
        "section",
        {},
        h("h2", { text: "What happened?" }),
        line,
        tile.assigned ? list : null,
      ),
      aside,
    ),
  );
  let reading = false;
  return {
    view,
    title: placeName(place),
    leave: () => looking?.leave(),
    update: async (floor) => {
      const now = floor.tables.find((each) => each.place === place);
      if (looking && !looking.over && now && now.hold?.hold !== looking.hold.hold) {
        looking.over = true;
        fill(line, ...leadWords(now, looking));
      }
      if (!now || drawn === JSON.stringify(now)) return;
      drawn = JSON.stringify(now);
      const focused = stands.contains(document.activeElement);
      fill(stands, ...standing(console, now, wrong));
      if (focused) /** @type {HTMLElement | null} */ (stands.querySelector("button, a"))?.focus();
      if (reading || list.contains(document.activeElement)) return;
      reading = true;
      try {
        const found = await ask(`/api/pit/tables/${path}/reports`);
        if (found.position !== position) {
          offer(found);
          fill(aside, ...asideParts(console, now, found, wrong));
        }
      } finally {
        reading = false;
      }
    },
  };
}

/** What is said above the reports. @param {PitTile} tile @param {Looking | null} looking
 * @returns {Node[]} */
function leadWords(tile, looking) {
  const words = (/** @type {string} */ text) => h("span", { text });
  if (!tile.assigned) return [words("You are not assigned to this table: somebody else reports here.")];
  if (!looking) return [words("Only what can be true now. The table is held until you confirm the ruling.")];
  if (looking.over) return [words("You do not hold the table any more. What you touch is looked at anew.")];
  const release = h("a", { href: `#table/${encodeURIComponent(tile.place)}`, text: "Let it go on" });
  return [words("Only what can be true now. You hold the table as it stands. "), release];
}

/** @param {Console} console @param {PitTile} tile @param {HTMLElement} wrong */
function standing(console, tile, wrong) {
  const { hold } = tile;
  const path = encodeURIComponent(tile.place);
  const picks = tile.waits.some((wait) => wait.kind === "pick" && wait.mine);
  const asked = tile.waits.find((wait) => wait.decision !== null);
  return [
    h(
      "p",
      { class: "stage" },
      h("strong", { text: capital(tile.stage) + (tile.round ? `, round ${tile.round}` : "") }),
      h("span", { class: "since", "data-since": tile.since }),
      h("span", { text: `${money(tile.money)} on the table` }),
      h("span", { text: `${tile.seated} of ${tile.seats}` }),
    ),
    ...[holdLine(tile)].filter((each) => each !== null),
    ...tile.faults.map((fault) => h("p", { class: "fault", text: fault })),
    waitsPart(tile),
    h(
      "div",
      { class: "row" },
      hold && (hold.command.do || !hold.mine)
        ? h("a", { class: "button main", href: holdAddress(tile), text: hold.mine ? "Go on with your ruling" : `See what ${hold.by} rules` })
        : null,
      asked ? h("a", { class: asked.mine ? "button main" : "button", href: `#decision/${path}/${asked.decision}`, text: asked.mine ? "Decide" : "See the question" }) : null,
      picks
        ? h("button", { class: "button main", type: "button", text: "Have the cards picked", onclick: () => pick(console, tile.place, wrong) })
        : null,
      tile.dealt_by === "hand" && tile.assigned ? h("a", { class: "button deal", href: `/deal/${path}`, text: "Deal at this table" }) : null,
      h("a", { class: "button", href: `/table/${path}`, text: "Watch the table" }),
    ),
  ];
}

/** @param {Console} console @param {string} place @param {HTMLElement} wrong */
async function pick(console, place, wrong) {
  try {
    const answer = await ask(`/api/pit/tables/${encodeURIComponent(place)}/pick`, { id: newId() });
    console.put(doneView(console, place, answer));
    console.read();
  } catch (error) {
    wrong.textContent = /** @type {Error} */ (error).message;
  }
}

/** Report it with what is usual, unless something has to be named first.
 * @param {Console} console @param {PitTile} tile @param {Matter} matter @param {HTMLElement} wrong */
async function report(console, tile, matter, wrong) {
  const give = (/** @type {Said} */ said) => hold(console, tile.place, matter.command(said), wrong);
  if (!matter.mustBeNamed()) return give(matter.usual());
  const body = h("div", { class: "inside" });
  let said = named(matter.usual());
  const names = await playersAt(tile.place);
  const draw = () => {
    const facts = factsPart(matter, said, { word: seatWord(tile.game), names }, (next) => {
      said = named(next);
      draw();
    });
    const nothing = !/"[2-9TJQKA][cdhs]"/.test(JSON.stringify(said));
    fill(
      body,
      h("h2", { text: matter.title }),
      h("p", { text: "Whoever saw the card names it: the table tells nobody what lies face down. Choose it, and the ruling is shown." }),
      ...(facts ? [facts] : []),
      h(
        "div",
        { class: "row" },
        h("button", { class: "button main", type: "button", text: "Show the ruling", disabled: nothing, onclick: () => (close(), give(said)) }),
      ),
    );
  };
  const close = openDialog(matter.title, body);
  draw();
  return undefined;
}

/** What is said, without the cards that nobody has named yet. @param {Said} said @returns {Said} */
function named(said) {
  const known = (/** @type {any} */ value) =>
    Array.isArray(value) ? value.filter((each) => each !== "??") : value === "??" ? "" : value;
  return Object.fromEntries(
    Object.entries(said).map(([name, value]) => {
      if (value === null || Array.isArray(value) || typeof value !== "object") return [name, known(value)];
      const places = Object.entries(value).map(([place, cards]) => [place, known(cards)]);
      return [name, Object.fromEntries(places.filter(([, cards]) => !Array.isArray(cards) || cards.length))];
    }),
  );
}

/** @param {PitReports} found @param {(matter: Matter) => void} give */
function reportButtons(found, give) {
  return matters(found.reports).map((matter, k) => {
    const button = h(
      "button",
      { class: "pick report", type: "button", "data-report": matter.do, onclick: () => give(matter) },
      h("span", { class: "words" }, h("span", { text: matter.title }), h("small", { text: matter.says })),
    );
    return h("li", {}, k < 9 ? keyed(button, String(k + 1)) : button);
  });
}

/** Hold the table with what is usual; the facts are asked beside the ruling.
 * @param {Console} console @param {string} place @param {Record<string, unknown>} command @param {HTMLElement} wrong */
async function hold(console, place, command, wrong) {
  const path = encodeURIComponent(place);
  try {
    await ask(`/api/pit/tables/${path}/hold`, { id: newId(), command });
    location.hash = `#ruling/${path}`;
    console.read();
  } catch (error) {
    wrong.textContent = /** @type {Error} */ (error).message;
    wrong.scrollIntoView({ block: "center" });
  }
}

/** @param {Console} console @param {PitTile} tile @param {PitReports} found @param {HTMLElement} wrong */
function asideParts(console, tile, found, wrong) {
  const undo =
    found.undo || found.undo_says
      ? h(
          "section",
          { class: "part" },
          h("h2", { text: "The last ruling" }),
          h("p", { text: found.undo ? "It can be undone: cards and chips go back to where they were." : found.undo_says }),
          found.undo ? undoButton(console, tile.place, "Undo the last ruling", wrong) : null,
        )
      : null;
  return [...(undo ? [undo] : []), toReadOut(found.calls), announcements(tile.rulebook, tile.announced)];
}

/** What is read out at such a table, what is due first. @param {PitReports["calls"]} calls */
function toReadOut(calls) {
  const item = (/** @type {PitReports["calls"][number]} */ one) =>
    h(
      "li",
      { class: one.due ? "due" : "" },
      h("small", { text: one.due ? `now: ${one.call}` : one.call }),
      h("p", {}, `“${one.says}” `, ...one.cites.slice(0, 1).map((each) => (each.rulebook === "standards" ? h("span", { class: "standard", text: each.paragraph }) : badge(each.rulebook, each.paragraph)))),
    );
  if (!calls.length) return h("section", { class: "part", hidden: true });
  const now = calls.filter((one) => one.due);
  const others = calls.filter((one) => !one.due);
  return h(
    "section",
    { class: "part calls" },
    h("h2", { text: "To read out" }),
    now.length ? h("ul", { class: "announced" }, ...now.map(item)) : h("p", { class: "none", text: "Nothing now." }),
    others.length ? h("details", {}, h("summary", { text: "All calls, warnings and notices" }), h("ul", { class: "announced" }, ...others.map(item))) : null,
  );
}

/** What was to be read out, the newest first. @param {string} book @param {PitAnnouncement[]} announced */
function announcements(book, announced) {
  const list = h("ul", { class: "announced" });
  for (const one of announced)
    list.append(
      h(
        "li",
        {},
        h("small", { text: `${hour(one.at)} · ${one.call}${one.seat ? ` to ${one.seat}` : ""}` }),
        h("p", {}, `“${one.says}” `, badges(book, one.cites, 1)),
      ),
    );
  return h(
    "section",
    { class: "part" },
    h("h2", { text: "Announced" }),
    announced.length ? list : h("p", { class: "none", text: "Nothing yet." }),
  );
}
