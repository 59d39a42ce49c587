// Movement: cards that come from the shoe, chips that go from hand to pot. Nothing moves for who does
// not want it, and nothing waits for a movement to end: the page is right before it starts.

import { setting } from "./settings.js";
import { UNKNOWN } from "./cards.js";

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether things move. */
export function moves() {
  return !reduced.matches && !setting("calm") && document.visibilityState === "visible";
}

const EASE = "cubic-bezier(0.22, 0.8, 0.3, 1)";

/**
 * Let a node that has just been placed come from somewhere else.
 * @param {HTMLElement} node @param {DOMRect} from @param {{delay?: number, turn?: number, time?: number}} [how]
 * @returns {Promise<void>}
 */
export function comeFrom(node, from, { delay = 0, turn = 0, time = 360 } = {}) {
  if (!moves()) return Promise.resolve();
  const to = node.getBoundingClientRect();
  if (!to.width || !from.width) return Promise.resolve();
  const dx = from.left + from.width / 2 - (to.left + to.width / 2);
  const dy = from.top + from.height / 2 - (to.top + to.height / 2);
  const flight = node.animate(
    [
      {
        transform: `translate(${dx}px, ${dy}px) rotate(${turn}deg) scale(0.7)`,
        opacity: 0.2,
        offset: 0,
      },
      { opacity: 1, offset: 0.25 },
      { transform: "none", opacity: 1, offset: 1 },
    ],
    { duration: time, delay, easing: EASE, fill: "backwards" },
  );
  return flight.finished.then(
    () => undefined,
    () => undefined,
  );
}

/**
 * Deal a card: it comes from the shoe face down and, if it is to lie face up, turns over there.
 * @param {HTMLElement} card @param {DOMRect} shoe @param {number} delay
 */
export function deal(card, shoe, delay) {
  if (!moves()) return;
  const face = card.getAttribute("card") ?? UNKNOWN;
  card.setAttribute("card", UNKNOWN);
  comeFrom(card, shoe, { delay, turn: -40 }).then(() => {
    if (card.dataset.face) card.setAttribute("card", card.dataset.face);
    delete card.dataset.face;
  });
  card.dataset.face = face;
}

/** Set what card a node shows; one that is still on its way turns over when it arrives.
 * @param {HTMLElement} node @param {string} card */
export function setCard(node, card) {
  if (node.dataset.face !== undefined) node.dataset.face = card;
  else if (node.getAttribute("card") !== card) node.setAttribute("card", card);
}

/**
 * Let a copy of a node fly from one place to another, and vanish there.
 * @param {HTMLElement} node @param {DOMRect} from @param {DOMRect} to @param {{delay?: number, time?: number}} [how]
 */
export function flyCopy(node, from, to, { delay = 0, time = 520 } = {}) {
  if (!moves() || !from.width || !to.width) return;
  const copy = /** @type {HTMLElement} */ (node.cloneNode(true));
  copy.classList.add("flying");
  copy.setAttribute("aria-hidden", "true");
  copy.removeAttribute("id");
  document.body.append(copy);
  const half = copy.getBoundingClientRect();
  /** @param {DOMRect} place @param {number} size */
  const at = (place, size) =>
    `translate(${place.left + place.width / 2 - half.width / 2}px, ${place.top + place.height / 2 - half.height / 2}px) scale(${size})`;
  const flight = copy.animate(
    [
      { transform: at(from, 1), opacity: 1 },
      { transform: at(to, 0.9), opacity: 1, offset: 0.85 },
      { transform: at(to, 0.8), opacity: 0 },
    ],
    { duration: time, delay, easing: EASE, fill: "both" },
  );
  flight.finished.finally(() => copy.remove());
}
