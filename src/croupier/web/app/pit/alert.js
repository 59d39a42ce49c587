// A sound and a badge for whoever wants them, when something new waits for him. The sound is made here,
// of two short tones; nothing is loaded for it.

import { h } from "../dom.js";

const KEY = "croupier-pit";
const TONES = [659, 880];

/** @typedef {{sound: boolean, badge: boolean}} Wants */

/** @returns {Wants} both are off until somebody wants them */
function wants() {
  try {
    return { sound: false, badge: false, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { sound: false, badge: false };
  }
}

/** @type {AudioContext | null} */
let audio = null;

/** Two tones, a fifth of a second each. */
function ring() {
  audio ??= new AudioContext();
  const begins = audio.currentTime + 0.02;
  TONES.forEach((tone, k) => {
    const made = /** @type {AudioContext} */ (audio);
    const at = begins + k * 0.2;
    const volume = made.createGain();
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.25, at + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.2);
    volume.connect(made.destination);
    const voice = made.createOscillator();
    voice.type = "triangle";
    voice.frequency.value = tone;
    voice.connect(volume);
    voice.start(at);
    voice.stop(at + 0.22);
  });
}

let before = 0;

/** So many places wait for whoever looks. @param {number} mine */
export function noteWaiting(mine) {
  const { sound, badge } = wants();
  if (sound && mine > before) ring();
  before = mine;
  const holder = /** @type {any} */ (navigator);
  if (badge && mine) holder.setAppBadge?.(mine)?.catch?.(() => {});
  else holder.clearAppBadge?.()?.catch?.(() => {});
}

/** What stands before the title of the page. @param {number} mine */
export function badgeWords(mine) {
  return wants().badge && mine ? `(${mine}) ` : "";
}

/** What he may want, to be ticked. @returns {HTMLElement[]} */
export function alertBoxes() {
  const box = (/** @type {keyof Wants} */ name, /** @type {string} */ says, /** @type {string} */ more) => {
    const field = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", checked: wants()[name] }));
    field.addEventListener("change", () => {
      localStorage.setItem(KEY, JSON.stringify({ ...wants(), [name]: field.checked }));
      if (name === "sound" && field.checked) ring();
    });
    return h("label", { class: "check" }, field, h("span", {}, says, h("small", { text: more })));
  };
  return [
    box("sound", "Sound", "Two short tones as soon as something new waits for you."),
    box("badge", "Badge", "How many tables wait for you, on the tab and on the icon of the page."),
  ];
}
