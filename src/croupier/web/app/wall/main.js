// The jackpot display: asks once a second and shows what is true. After some seconds without an
// answer it says so and shows no amount: the jackpot may have been won meanwhile.

import { h, patchList } from "../dom.js";
import { Panel } from "./panel.js";

/** @import {WallAnswer, WallLink} from "../records.js" */

const EVERY = 1_000;
const GIVES_UP = 3_000;
/** Milliseconds without an answer after which the page says that the connection is lost. */
const LOST = 5_000;

const link = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const path = link ? `/api/wall/${encodeURIComponent(link)}` : "/api/wall";
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @type {Map<string, Panel>} */
const panels = new Map();
/** @type {WallLink[]} */
let last = [];
let heard = performance.now();
let heardAt = "";
let fault = "";

const links = h("div", { class: "links" });
const notice = h("p", { class: "notice", role: "alert" });
const full = h("button", { class: "button full", text: "Full screen (F)", onclick: fullScreen });
const page = h("main", { class: "wall", "aria-label": "Jackpots" }, h("h1", { class: "vh", text: "Jackpots" }), links, notice, full);
document.getElementById("page")?.append(page);

async function look() {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), GIVES_UP);
  try {
    const response = await fetch(path, { signal: stop.signal, credentials: "omit" });
    if (response.status === 404) fault = "There is no such jackpot any more.";
    if (!response.ok) throw new Error(String(response.status));
    const answer = /** @type {WallAnswer} */ (await response.json());
    heard = performance.now();
    heardAt = new Date().toLocaleTimeString("en-GB");
    fault = "";
    draw(answer.links);
  } catch {
    if (performance.now() - heard > LOST) lose();
  } finally {
    clearTimeout(timer);
    setTimeout(look, EVERY);
  }
}

/** @param {WallLink[]} found */
function draw(found) {
  last = found;
  notice.textContent = found.length ? "" : "There is no jackpot here.";
  page.style.setProperty("--links", String(Math.max(1, found.length)));
  patchList(
    links,
    found,
    (each) => each.link,
    (each) => {
      const panel = new Panel(still);
      panels.set(each.link, panel);
      return panel.node;
    },
    (_, each) => panels.get(each.link)?.update(each),
  );
}

function lose() {
  for (const each of last) panels.get(each.link)?.lost(heardAt, each.amount);
  if (!last.length) notice.textContent = fault || "The casino does not answer. Trying again …";
}

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
}

/** A screen on the wall is not to fall asleep. */
function stayAwake() {
  if (document.visibilityState === "visible")
    /** @type {any} */ (navigator).wakeLock?.request("screen").catch(() => {});
}

addEventListener("keydown", (event) => {
  if (event.key === "f" && !event.ctrlKey && !event.metaKey) fullScreen();
});
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
look();
