// The socket of one table: commands in, views and events out. After a lost connection it comes back
// by itself from the last position it saw, and sends again, under the same id, what was not answered.
// The server sends what has changed of the view; the socket keeps the view and tells it whole.

import { patched } from "./patches.js";

/** @import {BankedView, ChatMessage, ClockMessage, EventsMessage, FirstMessages, HelloMessage, JackpotMessage, Message, PatchedMessage, PokerView, ShuffleMessage} from "./records.js" */
/** @import {Command, Reply, State} from "./shown.js" */

const PING_EVERY = 20_000;
const SILENCE = 45_000;
const WAITS = [300, 800, 2_000, 4_000, 8_000];

/**
 * @typedef {object} Hears
 * @property {(message: HelloMessage) => void} hello
 * @property {(message: State) => void} state a `view` or `events` message
 * @property {(message: ClockMessage) => void} clock
 * @property {(message: JackpotMessage) => void} jackpot
 * @property {(message: ShuffleMessage) => void} shuffle
 * @property {(message: ChatMessage) => void} [chat]
 * @property {(state: "open" | "lost" | "gone", says: string) => void} wire
 */

/** Closed for a reason that trying again does not mend. */
const FINAL = new Set([4400, 4404]);

export class TableSocket {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<string, {text: string, done: (reply: Reply) => void}>} */
  #unanswered = new Map();
  #position = -1;
  /** @type {PokerView | BankedView | null} what was sent last, with its position */
  #view = null;
  #tries = 0;
  #heard = 0;
  #closed = false;
  #ready = false;
  #bye = "";

  /** @param {string} place @param {Hears} hears @param {boolean} [watches] as nobody in particular */
  constructor(place, hears, watches = false) {
    this.place = place;
    this.watches = watches;
    this.hears = hears;
    setInterval(() => this.#ping(), PING_EVERY);
    addEventListener("online", () => this.#again(0));
    addEventListener("pagehide", () => this.close());
  }

  /** Begin: with what the page has asked for beside its script, if it has, and then from there on.
   * @param {FirstMessages | null} [first] */
  begin(first = null) {
    if (first) {
      this.#hear(first.hello);
      this.#hear(first.view);
    }
    this.#connect();
  }

  /** The last position that was seen. */
  get position() {
    return this.#position;
  }

  /** Connect anew, as somebody else: after the visitor has named himself. */
  restart() {
    this.#position = -1;
    this.#view = null;
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    this.#connect();
  }

  close() {
    this.#closed = true;
    this.#socket?.close();
  }

  /** Give a command; resolves with the `answer`, `refused` or `error` message.
   * @param {Command} command
   * @param {boolean} [warned] he knows that the table waits for staff, and sits down nonetheless
   * @returns {Promise<Reply>} */
  give(command, warned) {
    const id = newId();
    const text = JSON.stringify({ id, place: this.place, command, ...(warned && { warned }) });
    return new Promise((done) => {
      this.#unanswered.set(id, { text, done });
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
    });
  }

  /** Say that this player has bet and need not be waited for; without a connection, once there is one. */
  ready() {
    this.#ready = this.#socket?.readyState !== WebSocket.OPEN;
    if (!this.#ready) this.#socket?.send(JSON.stringify({ ready: true }));
  }

  /** Send this player's part of a shuffle. @param {{number: number, hash?: string, open?: string}} seed */
  seed(seed) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ seed }));
  }

  #connect() {
    if (this.#closed) return;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const after = this.#position >= 0 ? `&after=${this.#position}` : "";
    const watch = this.watches ? "&watch=1" : "";
    const socket = new WebSocket(
      `${scheme}//${location.host}/ws?place=${encodeURIComponent(this.place)}&patches=1${after}${watch}`,
    );
    this.#socket = socket;
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#hear(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (socket !== this.#socket || this.#closed) return;
      this.#socket = null;
      if (FINAL.has(event.code)) {
        this.hears.wire(
          "gone",
          event.code === 4404 ? "There is no such table." : "The connection was closed.",
        );
        return;
      }
      this.hears.wire("lost", this.#bye || "Connection lost. Coming back …");
      this.#again(WAITS[Math.min(this.#tries, WAITS.length - 1)]);
      this.#tries += 1;
    });
  }

  /** @param {number} wait */
  #again(wait) {
    setTimeout(() => {
      if (!this.#socket) this.#connect();
    }, wait);
  }

  /** @param {Message} message */
  #hear(message) {
    this.#heard = Date.now();
    switch (message.is) {
      case "hello":
        this.#tries = 0;
        this.#bye = "";
        this.hears.wire("open", "");
        this.hears.hello(message);
        for (const { text } of this.#unanswered.values()) this.#socket?.send(text);
        if (this.#ready && this.#socket) this.ready();
        break;
      case "view":
        this.#position = message.position;
        this.#view = message.view;
        this.hears.state({ ...message, events: [] });
        break;
      case "events": {
        const view = this.#viewAfter(message);
        if (view === null) {
          this.#socket?.send(JSON.stringify({ view: true }));
          break;
        }
        const fresh = message.events.filter((told) => told.position > this.#position);
        this.#position = Math.max(this.#position, message.position);
        this.#view = view;
        this.hears.state({ ...message, view, events: fresh });
        break;
      }
      case "clock":
        this.hears.clock(message);
        break;
      case "jackpot":
        this.hears.jackpot(message);
        break;
      case "shuffle":
        this.hears.shuffle(message);
        break;
      case "chat":
        this.hears.chat?.(message);
        break;
      case "answer":
      case "refused":
      case "error": {
        const id = message.id ?? ""; // an error of no command is nobody's answer
        const waiting = this.#unanswered.get(id);
        if (message.is === "error" && message.code === "too fast" && waiting) {
          setTimeout(() => this.#socket?.send(waiting.text), message.wait ?? 1000);
          break;
        }
        this.#unanswered.delete(id);
        waiting?.done(message);
        break;
      }
      case "bye": // from here on it takes no command
        this.#bye = message.says;
        this.hears.wire("lost", message.says);
        break;
      default: // a later server may say more
    }
  }

  /** The view after some events; null where the one is not here that a patch is for.
   * @param {EventsMessage | PatchedMessage} message */
  #viewAfter(message) {
    if ("view" in message) return message.view;
    if (this.#view === null || message.from !== this.#position) return null;
    return patched(this.#view, message.patch);
  }

  #ping() {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.#heard > SILENCE) socket.close();
    else socket.send(JSON.stringify({ ping: Date.now() % 1_000_000 }));
  }
}

/** A new id for a command; randomUUID is there only on secure origins. */
function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
