// What a player sets for himself on this device: kept in the browser, never sent.

/** @typedef {"fourColour" | "lookByItself" | "keys" | "calm" | "confirm" | "guide" | "sounds" | "notify"} Setting */

/** @type {Record<Setting, {says: string, more: string, default: boolean}>} */
export const SETTINGS = {
  lookByItself: {
    says: "Look at my cards as soon as they are dealt",
    more: "Looking is an act at the table. Turn this off to play a hand without looking.",
    default: true,
  },
  confirm: {
    says: "Ask once more before All-in, and before a fold where checking is free",
    more: "So that no slip of the hand costs a stack.",
    default: true,
  },
  fourColour: {
    says: "Four-colour deck",
    more: "Diamonds blue and clubs green, so that no two suits look alike.",
    default: false,
  },
  sounds: {
    says: "Sounds",
    more: "Cards, chips, your turn, a win. Made by this page; nothing is loaded.",
    default: true,
  },
  notify: {
    says: "Tell me in other tabs that it is my turn",
    more: "By a notification, if your browser allows it.",
    default: false,
  },
  guide: {
    says: "Guide",
    more: "What the hand is worth, what the book allows, and what the better choice is. With play money alone.",
    default: false,
  },
  keys: {
    says: "Keyboard shortcuts",
    more: "The letters that stand on the buttons.",
    default: true,
  },
  calm: { says: "No movement", more: "Cards and chips change places at once.", default: false },
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
  return stored()[name] ?? SETTINGS[name].default;
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
