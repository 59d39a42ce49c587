// The sounds of the table, made here and now: no file is loaded, and nothing waits for one. They begin with
// the first touch of the page, as browsers want it, and one touch turns them off.

import { setting } from "./settings.js";

/** @import {EventName} from "./shown.js" */
/** @typedef {"card" | "chips" | "turn" | "win" | "jackpot"} Sound */

/** @type {AudioContext | null} */
let audio = null;

/** Sounds are allowed once somebody has touched the page. */
export function prepareSounds() {
  const begin = () => {
    audio ??= "AudioContext" in window ? new AudioContext() : null;
    audio?.resume().catch(() => undefined);
  };
  addEventListener("pointerdown", begin, { once: true });
  addEventListener("keydown", begin, { once: true });
}

/** A tone that fades. @param {AudioContext} on @param {number} pitch @param {number} at seconds from now
 * @param {number} long @param {number} loud @param {OscillatorType} [kind] */
function tone(on, pitch, at, long, loud, kind = "sine") {
  const from = on.currentTime + at;
  const source = new OscillatorNode(on, { frequency: pitch, type: kind });
  const fades = new GainNode(on, { gain: 0 });
  fades.gain.setValueAtTime(0, from);
  fades.gain.linearRampToValueAtTime(loud, from + 0.01);
  fades.gain.exponentialRampToValueAtTime(0.0001, from + long);
  source.connect(fades).connect(on.destination);
  source.start(from);
  source.stop(from + long);
}

/** A short rustle: noise through a filter. @param {AudioContext} on @param {number} pitch @param {number} at
 * @param {number} long @param {number} loud */
function rustle(on, pitch, at, long, loud) {
  const from = on.currentTime + at;
  const noise = on.createBuffer(1, Math.ceil(on.sampleRate * long), on.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1)
    samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 2;
  const source = new AudioBufferSourceNode(on, { buffer: noise });
  const band = new BiquadFilterNode(on, { type: "bandpass", frequency: pitch, Q: 0.9 });
  source.connect(band).connect(new GainNode(on, { gain: loud })).connect(on.destination);
  source.start(from);
}

/** @type {Record<Sound, (on: AudioContext) => void>} */
const MADE = {
  card: (on) => rustle(on, 2600, 0, 0.09, 0.35),
  chips: (on) => {
    for (const [i, pitch] of [3900, 4400, 4100].entries()) {
      tone(on, pitch, i * 0.045, 0.06, 0.05, "triangle");
      rustle(on, 5200, i * 0.045, 0.03, 0.12);
    }
  },
  turn: (on) => {
    tone(on, 660, 0, 0.18, 0.1);
    tone(on, 880, 0.12, 0.24, 0.1);
  },
  win: (on) => {
    for (const [i, pitch] of [523, 659, 784].entries()) tone(on, pitch, i * 0.1, 0.35, 0.09);
  },
  jackpot: (on) => {
    for (const [i, pitch] of [523, 659, 784, 1047, 784, 1047, 1319].entries())
      tone(on, pitch, i * 0.13, 0.5, 0.11);
  },
};

/** Let a sound be heard, if he wants sounds. @param {Sound} sound */
export function play(sound) {
  document.dispatchEvent(new CustomEvent("sound", { detail: sound }));
  if (!audio || audio.state !== "running" || !setting("sounds")) return;
  MADE[sound](audio);
}

/** @type {[Sound, RegExp][]} */
const HEARD = [
  ["jackpot", /^(jackpot paid|award received)$/],
  ["card", /dealt$|revealed$/],
  ["chips", /placed$|^(called|raised|went all in|blind posted|pot won|box settled)$/],
];

/** What is heard of some events: each sound once. @param {{event: {event: string}}[]} events */
export function hear(events) {
  for (const [sound, pattern] of HEARD)
    if (events.some(({ event }) => pattern.test(event.event))) play(sound);
}
