// Calling a player who looks at something else: by the title and icon of the tab, and by a notification where he
// allows one.

import { setAttr } from "./dom.js";
import { setting } from "./settings.js";

const SIGN = "● ";
/** @type {Notification | null} */
let shown = null;

/** Mark the tab while this player is waited for. @param {boolean} waits */
export function mark(waits) {
  const bare = document.title.startsWith(SIGN) ? document.title.slice(SIGN.length) : document.title;
  document.title = waits ? SIGN + bare : bare;
  const badge = /** @type {{setAppBadge?: (n?: number) => Promise<void>, clearAppBadge?: () => Promise<void>}} */ (
    navigator
  );
  (waits ? badge.setAppBadge?.(1) : badge.clearAppBadge?.())?.catch(() => undefined);
  const icon = document.querySelector("link[rel=icon]");
  if (icon) setAttr(icon, "href", waits ? "/static/icon-turn.svg" : "/static/icon.svg");
  if (!waits) {
    shown?.close();
    shown = null;
  }
}

/** Tell him in another tab that he is waited for. @param {string} place @param {string} says */
export function notify(place, says) {
  if (document.visibilityState === "visible" || !setting("notify")) return;
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  shown?.close();
  try {
    shown = new Notification(place, { body: says, tag: `croupier ${place}` });
  } catch {
    return; // a phone's browser says that it may, and then cannot: title and sound have to do
  }
  shown.addEventListener("click", () => {
    window.focus();
    shown?.close();
  });
}

/** He wants to be told: the browser asks him whether it may. */
export async function askToNotify() {
  if ("Notification" in window && Notification.permission === "default")
    await Notification.requestPermission();
}
