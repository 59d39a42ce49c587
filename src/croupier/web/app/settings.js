// What a player sets for himself on this device: kept in the browser, never sent.

/** @typedef {"fourColour" | "lookByItself" | "keys" | "calm" | "confirm" | "guide" | "sounds" | "notify"} Setting */

/** How each is until somebody sets it. @type {Record<Setting, boolean>} */
const DEFAULTS = {
  lookByItself: true,
  confirm: true,
  fourColour: false,
  sounds: true,
  notify: false,
  guide: false,
  keys: true,
  calm: false,
};

const KEY = "croupier-settings";
const SIZE = "croupier-text-size";
/** Text in percent of the browser's own size. */
export const SIZES = [100, 115, 130, 150];

/** How large text is, in percent. */
export function textSize() {
  const found = Number(localStorage.getItem(SIZE));
  return SIZES.includes(found) ? found : 100;
}

/** @param {number} percent */
export function setTextSize(percent) {
  localStorage.setItem(SIZE, String(percent));
  applySettings();
}

/** @returns {Record<string, boolean>} */
function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {Setting} name */
export function setting(name) {
  return stored()[name] ?? DEFAULTS[name];
}

/** @param {Setting} name @param {boolean} value */
export function set(name, value) {
  localStorage.setItem(KEY, JSON.stringify({ ...stored(), [name]: value }));
  applySettings();
  document.dispatchEvent(new CustomEvent("settings"));
}

/** Put the settings that are style on the page. */
export function applySettings() {
  const root = document.documentElement;
  root.classList.toggle("four-colour", setting("fourColour"));
  root.classList.toggle("no-keys", !setting("keys"));
  root.style.fontSize = textSize() === 100 ? "" : `${textSize()}%`;
}
