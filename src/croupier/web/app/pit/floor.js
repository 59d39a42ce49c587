// The floor at a glance: what needs me first, then every table and every jackpot as a tile.

import { h, fill, patchList, setAttr } from "../dom.js";
import { keyed } from "../keys.js";
import { JACKPOT, meter, money } from "../money.js";
import { capital } from "../desk/words.js";
import { heldFor, placeName, seatWord } from "./words.js";

/** @import {PitFloor, PitLink, PitTile, PitWait} from "../records.js" */
/** @typedef {import("./main.js").Console} Console */

/** @typedef {{place: string, title: string, says: string, since: string, does: string, to: string,
 *   urgent: boolean}} Need */

/** What waits for whoever looks, the oldest first. @param {PitFloor} floor @returns {Need[]} */
function needs(floor) {
  /** @type {Need[]} */
  const found = [];
  for (const table of floor.tables) {
    if (table.hold?.mine)
      found.push({
        place: table.place,
        title: placeName(table.place),
        says: `You hold this table: ${heldFor(table.hold.says)}.`,
        since: table.hold.since,
        does: "Go on",
        to: holdAddress(table),
        urgent: true,
      });
    for (const wait of table.waits) if (wait.mine) found.push(need(table.place, wait, "table"));
  }
  for (const link of floor.links)
    for (const wait of link.waits) if (wait.mine) found.push(need(link.link, wait, "link"));
  return found.sort((a, b) => Number(b.urgent) - Number(a.urgent) || a.since.localeCompare(b.since));
}

/** Where one goes on with a hold: to what is reported, or to the look for it. @param {PitTile} table */
export function holdAddress({ place, hold }) {
  return `#${hold?.mine && !hold.command.do ? "report" : "ruling"}/${encodeURIComponent(place)}`;
}

/** @type {Record<string, string>} */
const DOES = { pick: "Have it picked", witness: "Witness it", approval: "Look at it" };

/** @param {string} place @param {PitWait} wait @param {string} at @returns {Need} */
function need(place, wait, at) {
  const asked = wait.decision !== null;
  return {
    place,
    title: placeName(place),
    says: wait.says,
    since: wait.since,
    does: asked ? "Decide" : (DOES[wait.kind] ?? "Look at the claim"),
    to: asked
      ? `#decision/${encodeURIComponent(place)}/${wait.decision}`
      : wait.award !== null
        ? `#slip/${encodeURIComponent(place)}/${wait.award}`
        : `#${at}/${encodeURIComponent(place)}`,
    urgent: wait.holds,
  };
}

/** In the demonstration: where one may deal, err, and see it ruled. @param {HTMLElement} part @param {PitFloor} floor */
function invite(part, floor) {
  const place = floor.tables.find((tile) => tile.dealt_by === "hand" && tile.acting === "device" && tile.assigned)?.place;
  if (!place) return;
  part.append(
    `New here? ${placeName(place)} is dealt by hand: deal there, make a mistake, and report it. `,
    h("a", { class: "button main", href: `/deal/${encodeURIComponent(place)}`, text: `Deal at ${placeName(place)}` }),
  );
  setAttr(part, "hidden", false);
}

/** @param {Console} console */
export function floorView(console) {
  const mine = h("ul", { class: "needs" });
  const calm = h("p", { class: "all-calm", text: "Nothing waits for you." });
  const areas = h("div", { class: "areas", role: "group", "aria-label": "Area" });
  const tables = h("ul", { class: "tiles" });
  const links = h("ul", { class: "tiles links" });
  const tryIt = h("p", { class: "then try-it", hidden: true });
  const linksPart = h("section", {}, h("h2", { text: JACKPOT }), links);
  const view = h(
    "div",
    { class: "floor" },
    h("h1", { class: "vh", text: "The floor", tabindex: "-1" }),
    h("section", { class: "needs-me", "aria-labelledby": "needs-me" }, h("h2", { id: "needs-me", text: "Needs you" }), calm, mine),
    tryIt,
    h("section", {}, h("div", { class: "row-head" }, h("h2", { text: "Tables" }), areas), tables),
    linksPart,
  );
  const update = (/** @type {PitFloor} */ floor) => {
    const found = needs(floor);
    setAttr(calm, "hidden", found.length > 0);
    if (console.play && !tryIt.hasChildNodes()) invite(tryIt, floor);
    patchList(mine, found, (each) => `${each.to}|${each.says}`, needItem);
    mine.querySelectorAll("a.button").forEach((button, k) => number(/** @type {HTMLElement} */ (button), k));
    setAttr(areas, "hidden", floor.areas.length < 2);
    if (areas.dataset.of !== floor.areas.join("|")) areaButtons(console, areas, floor.areas, () => update(/** @type {PitFloor} */ (console.floor)));
    const shown = floor.tables.filter((tile) => !console.area || tile.area === console.area);
    patchList(tables, shown, (tile) => tile.place, () => h("li", {}), (node, tile) => redraw(node, tile, () => tileOf(tile)));
    setAttr(linksPart, "hidden", !floor.links.length);
    patchList(links, floor.links, (link) => link.link, () => h("li", {}), (node, link) => redraw(node, link, () => linkTile(link)));
  };
  return { view, update, title: "The floor" };
}

/** @param {HTMLElement} button @param {number} k */
function number(button, k) {
  if (button.dataset.shortcut === String(k + 1)) return;
  button.querySelector("kbd")?.remove();
  if (k < 9) keyed(button, String(k + 1));
}

/** @param {Need} found */
function needItem(found) {
  return h(
    "li",
    { class: found.urgent ? "need stands" : "need" },
    h("strong", { class: "where", text: found.title }),
    h("span", { class: "what", text: found.says }),
    h("span", { class: "since", "data-since": found.since }),
    h("a", { class: "button main", href: found.to, text: found.does }),
  );
}

/** Draw a tile anew if it changed; who was on one of its buttons stays there.
 * @param {HTMLElement} node @param {object} data @param {() => HTMLElement} draw */
function redraw(node, data, draw) {
  const drawn = JSON.stringify(data);
  if (node.dataset.drawn === drawn) return;
  node.dataset.drawn = drawn;
  const href = node.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
  fill(node, draw());
  if (href) /** @type {HTMLElement | null} */ (node.querySelector(`[href="${CSS.escape(href)}"]`))?.focus();
}

/** @param {Console} console @param {HTMLElement} areas @param {string[]} names @param {() => void} again */
function areaButtons(console, areas, names, again) {
  areas.dataset.of = names.join("|");
  const buttons = ["", ...names].map((area) =>
    h("button", {
      class: "choice",
      type: "button",
      text: area ? capital(area) : "All",
      "aria-pressed": String(console.area === area),
      onclick: () => {
        console.area = area;
        areas.dataset.of = "";
        again();
        /** @type {HTMLElement | null} */ (areas.querySelector('[aria-pressed="true"]'))?.focus();
      },
    }),
  );
  fill(areas, ...buttons);
}

/** @param {PitTile} tile */
function stageWords(tile) {
  return capital(tile.stage) + (tile.round ? ` · round ${tile.round}` : "");
}

/** @param {PitTile} tile */
function tileOf(tile) {
  const path = `#table/${encodeURIComponent(tile.place)}`;
  const state = tile.hold ? "held" : tile.mine ? "mine" : tile.faults.length ? "faulty" : "";
  return h(
    "article",
    { class: `tile ${tile.game} ${state}`, "data-place": tile.place },
    h(
      "header",
      {},
      h("h3", {}, h("a", { href: path, text: placeName(tile.place) })),
      h("span", { class: "money", title: "Players' money on the table" }, money(tile.money), h("small", { text: "on the table" })),
    ),
    h(
      "p",
      { class: "game" },
      tile.short,
      tile.dealt_by === "hand" ? h("span", { class: "tag", text: tile.dealer ? `dealt by ${tile.dealer}` : "dealt by hand" }) : null,
    ),
    h(
      "p",
      { class: "stage" },
      h("span", { text: stageWords(tile) }),
      h("span", { class: "since", title: "Since the last thing happened", "data-since": tile.since }),
    ),
    tile.hold ? holdLine(tile) : null,
    ...tile.faults.map((fault) => h("p", { class: "fault", text: fault })),
    waitsPart(tile),
    h(
      "footer",
      {},
      h("span", { class: "seated", text: `${tile.seated} of ${tile.seats} ${tile.game === "banked" ? "boxes" : "seats"}` }),
      tile.assigned && tile.dealt_by === "hand"
        ? h("a", { class: "button deal", href: `/deal/${encodeURIComponent(tile.place)}`, text: "Deal", "aria-label": `Deal at ${placeName(tile.place)}` })
        : null,
      tile.assigned
        ? h("a", { class: "button", href: `#report/${encodeURIComponent(tile.place)}`, text: "Report", "aria-label": `Report at ${placeName(tile.place)}` })
        : h("span", { class: "not-mine", text: "not yours" }),
    ),
  );
}

/** @param {PitTile} tile */
export function holdLine(tile) {
  const { hold } = tile;
  if (!hold) return null;
  return h(
    "p",
    { class: "hold" },
    h("strong", { text: hold.mine ? "Held by you" : `Held by ${hold.by}` }),
    h("span", { text: ` ${heldFor(hold.says)}, ` }),
    h("span", { "data-until": hold.until }),
    " left",
  );
}

/** What goes on where nothing waits. @param {PitTile} tile */
function calmWords(tile) {
  if (tile.due) return `Waits for ${tile.dealer || "its dealer"}: ${tile.due}`;
  if (!tile.seated) return "Nobody sits here";
  if (tile.seated === 1 && tile.game === "poker" && ["open", "between rounds", "ready"].includes(tile.stage)) return "Waits for a second player";
  if (tile.stage === "jackpot") return "Waits for its jackpot to be paid";
  if (tile.stage === "bets open") return "The players bet";
  return tile.stage.endsWith("decision") ? "The players decide" : "Nobody is waited for";
}

/** @param {PitTile} tile */
export function waitsPart(tile) {
  if (!tile.waits.length) return h("p", { class: "waits none", text: calmWords(tile) });
  const list = h("ul", { class: "waits" });
  for (const wait of tile.waits) {
    const turn = wait.kind === "turn";
    const says = turn
      ? `${capital(seatWord(tile.game))} ${tile.turn} · ${tile.player}`
      : `Waits for ${wait.whom}`;
    list.append(
      h(
        "li",
        { class: turn ? "turn" : wait.mine ? "for-me" : "" },
        h("strong", { text: says }),
        turn ? h("span", { text: "to act" }) : h("span", { text: wait.says }),
      ),
    );
  }
  return list;
}

/** @param {PitLink} link */
function linkTile(link) {
  const path = `#link/${encodeURIComponent(link.link)}`;
  return h(
    "article",
    { class: `tile link ${link.mine ? "mine" : link.faults.length ? "faulty" : ""}` },
    h("header", {}, h("h3", {}, h("a", { href: path, text: link.link })), h("span", { class: "money", text: meter(link.meter) })),
    h("p", { class: "game", text: link.tables.map(placeName).join(", ") || "no table" }),
    ...link.faults.map((fault) => h("p", { class: "fault", text: fault })),
    ...link.waits.map((wait) =>
      h("ul", { class: "waits" }, h("li", { class: wait.mine ? "for-me" : "" }, h("strong", { text: `Waits for ${wait.whom}` }), h("span", { text: wait.says }))),
    ),
    h(
      "footer",
      {},
      h("span", { class: "seated", text: link.claims ? `${link.claims} ${link.claims > 1 ? "claims" : "claim"}` : capital(link.status) }),
      h("a", { class: "button", href: path, text: link.claims ? "Claims" : "Details", "aria-label": `${link.claims ? "Claims" : "Details"}: ${link.link}` }),
    ),
  );
}
