// The controls of the replayer: steps, speed, by mouse, keys and touch.

import { h, setAttr, setText, svg } from "../dom.js";

const SPEEDS = [0.5, 1, 2, 4, 8];
/** How long a step stays at speed 1, in milliseconds. */
const PAUSE = 1_600;
const SWIPE = 40;

/** The signs on the buttons, as outlines of 24 by 24. */
const SIGNS = {
  first: "M5 5h3v14H5zM20 5v14L9 12z",
  back: "M17 5v14L6 12z",
  play: "M7 4v16l13-8z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  next: "M7 5v14l11-7z",
  end: "M16 5h3v14h-3zM4 5v14l11-7z",
};

/** @param {keyof typeof SIGNS} name */
function sign(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: "sign-glyph", "aria-hidden": "true" }, svg("path", { d: SIGNS[name] }));
}

/**
 * @typedef {object} Moves
 * @property {() => number} at where the reader is: -1 before the first stop
 * @property {() => number} last the last stop
 * @property {(stop: number, moving: boolean) => void} go
 */

export class Controls {
  /** @param {Moves} moves */
  constructor(moves) {
    this.moves = moves;
    this.speed = 1;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.play = this.#button("play", "Play", "Space", () => this.toggle());
    this.play.classList.add("main");
    this.first = this.#button("first", "To the beginning", "Home", () => this.#go(-1));
    this.back = this.#button("back", "Step back", "ArrowLeft", () => this.#go(moves.at() - 1));
    this.next = this.#button("next", "Step forward", "ArrowRight", () => this.#go(moves.at() + 1));
    this.end = this.#button("end", "To the end", "End", () => this.#go(moves.last()));
    this.place = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "range",
        min: "-1",
        value: "-1",
        class: "place",
        "aria-label": "Step",
        oninput: () => this.#go(Number(this.place.value)),
      })
    );
    this.count = h("output", { class: "count" });
    this.fast = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        {
          "aria-label": "Speed",
          onchange: () => {
            this.speed = Number(this.fast.value);
          },
        },
        ...SPEEDS.map((speed) =>
          h("option", { value: String(speed), text: `${speed}×`, selected: speed === 1 }),
        ),
      )
    );
    this.node = h(
      "div",
      { class: "controls", id: "controls", role: "toolbar", "aria-label": "Replay", tabindex: "-1" },
      h("div", { class: "row" }, this.first, this.back, this.play, this.next, this.end),
      this.place,
      h("div", { class: "row" }, this.count, this.fast),
    );
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {keyof typeof SIGNS} name @param {string} says @param {string} key @param {() => void} does */
  #button(name, says, key, does) {
    return /** @type {HTMLButtonElement} */ (
      h(
        "button",
        {
          class: "button",
          type: "button",
          title: says,
          "aria-label": says,
          "aria-keyshortcuts": key,
          onclick: does,
        },
        sign(name),
      )
    );
  }

  get playing() {
    return this.timer !== undefined;
  }

  /** Play from here, from the beginning if this is the end; or stop. */
  toggle() {
    if (this.playing) this.stop();
    else {
      if (this.moves.at() >= this.moves.last()) this.moves.go(-1, false);
      this.timer = setTimeout(() => this.#tick(), 250);
      this.show();
    }
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.show();
  }

  #tick() {
    this.moves.go(this.moves.at() + 1, true);
    if (this.moves.at() >= this.moves.last()) this.stop();
    else this.timer = setTimeout(() => this.#tick(), PAUSE / this.speed);
  }

  /** @param {number} stop */
  #go(stop) {
    if (this.playing) this.stop();
    const to = Math.max(-1, Math.min(stop, this.moves.last()));
    this.moves.go(to, to === this.moves.at() + 1);
  }

  /** Show where the reader is. */
  show() {
    const at = this.moves.at();
    const last = this.moves.last();
    this.first.disabled = this.back.disabled = at < 0;
    this.next.disabled = this.end.disabled = at >= last;
    this.place.max = String(last);
    this.place.value = String(at);
    setAttr(this.place, "aria-valuetext", at < 0 ? "before the first step" : `step ${at + 1}`);
    setText(this.count, `${at + 1} / ${last + 1}`);
    this.play.replaceChildren(sign(this.playing ? "pause" : "play"));
    const says = this.playing ? "Pause" : "Play";
    setAttr(this.play, "aria-label", says);
    setAttr(this.play, "title", says);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const within = /** @type {Element | null} */ (event.target);
    if (within?.closest("select, input:not([type=range]), textarea, dialog")) return;
    const ranging = within === this.place;
    const does = {
      ArrowLeft: () => this.#go(this.moves.at() - 1),
      ArrowRight: () => this.#go(this.moves.at() + 1),
      Home: () => this.#go(-1),
      End: () => this.#go(this.moves.last()),
      "+": () => this.#faster(1),
      "-": () => this.#faster(-1),
    }[event.key];
    if (does && !ranging) {
      event.preventDefault();
      does();
    } else if (event.key === " " && !within?.closest("button, a, summary")) {
      event.preventDefault();
      this.toggle();
    }
  }

  /** @param {number} by */
  #faster(by) {
    const at = Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(this.speed) + by));
    this.speed = SPEEDS[at];
    this.fast.value = String(this.speed);
  }

  /** A swipe over a node is a step. @param {HTMLElement} node */
  swipes(node) {
    /** @type {{x: number, y: number} | null} */
    let from = null;
    node.addEventListener("pointerdown", (event) => {
      from = event.pointerType === "mouse" ? null : { x: event.clientX, y: event.clientY };
    });
    node.addEventListener("pointerup", (event) => {
      if (!from) return;
      const dx = event.clientX - from.x;
      const dy = event.clientY - from.y;
      from = null;
      if (Math.abs(dx) < SWIPE || Math.abs(dx) < 2 * Math.abs(dy)) return;
      this.#go(this.moves.at() + (dx < 0 ? 1 : -1));
    });
    node.addEventListener("pointercancel", () => {
      from = null;
    });
  }
}
