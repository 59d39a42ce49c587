// Playing cards: how they are named, and the <playing-card> element that draws them as SVG with a
// large index. Its attribute `card` is the card's text, `As` or `??`; when it turns from `??` to a
// face, the card flips.

import { svg, h } from "./dom.js";

const RANKS = "23456789TJQKA";
const RANK_NAMES = [
  "Two",
  "Three",
  "Four",
  "Five",
  "Six",
  "Seven",
  "Eight",
  "Nine",
  "Ten",
  "Jack",
  "Queen",
  "King",
  "Ace",
];
/** @type {Record<string, string>} */
const SUIT_NAMES = { c: "Clubs", d: "Diamonds", h: "Hearts", s: "Spades" };
/** @type {Record<string, string>} */
const SUIT_PATHS = {
  h: "M16 29C9.6 23.6 3 18 3 11.4 3 7.2 6.2 4.2 10 4.2c2.6 0 4.8 1.4 6 3.7 1.2-2.3 3.4-3.7 6-3.7 3.8 0 7 3 7 7.2C29 18 22.4 23.6 16 29z",
  d: "M16 2.2c2.9 5.2 6.4 9.6 10.8 13.8-4.4 4.2-7.9 8.6-10.8 13.8C13.1 24.6 9.6 20.2 5.2 16 9.6 11.8 13.1 7.4 16 2.2z",
  s: "M16 2.5C19.8 8.6 28.4 13 28.4 19.3c0 3.6-2.7 6-5.9 6-2 0-3.7-.9-4.9-2.5.3 3 1.4 5.1 3.5 6.9H10.9c2.1-1.8 3.2-3.9 3.5-6.9-1.2 1.6-2.9 2.5-4.9 2.5-3.2 0-5.9-2.4-5.9-6C3.6 13 12.2 8.6 16 2.5z",
  c: "M16 2.7a6 6 0 0 1 4.7 9.7 6.1 6.1 0 1 1-3.1 9.6c.3 3.1 1.4 5.6 3.5 7.7H10.9c2.1-2.1 3.2-4.6 3.5-7.7a6.1 6.1 0 1 1-3.1-9.6A6 6 0 0 1 16 2.7z",
};

export const UNKNOWN = "??";

/** The card in words. @param {string} card */
export function cardName(card) {
  card = oneLetter(card);
  if (card === UNKNOWN) return "a face-down card";
  return `${RANK_NAMES[RANKS.indexOf(card[0])]} of ${SUIT_NAMES[card[1]]}`;
}

/** Some cards in words. @param {string[]} cards */
export function cardNames(cards) {
  const names = cards.map(cardName);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** Some cards as in a sentence: K♥ 10♦. @param {string[]} cards */
export function cardSigns(cards) {
  const signs = { h: "♥", d: "♦", s: "♠", c: "♣" };
  return cards
    .map(oneLetter)
    .map((card) => index(card) + (signs[/** @type {keyof signs} */ (card[1])] ?? ""))
    .join(" ");
}

/** The rank as it stands on the card. @param {string} card */
function index(card) {
  return card[0] === "T" ? "10" : card[0];
}

/** The card with its rank as one letter: `10d` is `Td`. @param {string | null | undefined} card */
function oneLetter(card) {
  return card ? card.replace("10", "T") : UNKNOWN;
}

/** A suit alone, for marks and miniatures. @param {string} suit */
export function suitMark(suit) {
  return svg(
    "svg",
    { viewBox: "0 0 32 32", class: `suit suit-${suit}`, "aria-hidden": "true" },
    svg("path", { d: SUIT_PATHS[suit] }),
  );
}

/** @param {string} card */
function face(card) {
  const suit = card[1];
  const rank = svg("text", {
    x: "15.5",
    y: "27",
    "text-anchor": "middle",
    class: index(card) === "10" ? "rank ten" : "rank",
  });
  rank.textContent = index(card);
  return svg(
    "svg",
    { viewBox: "0 0 64 90", class: `face suit-${suit}`, "aria-hidden": "true" },
    svg("rect", { x: "0.5", y: "0.5", width: "63", height: "89", rx: "6", class: "paper" }),
    rank,
    svg("path", { d: SUIT_PATHS[suit], transform: "translate(6.2 31.5) scale(.58)" }),
    svg("path", { d: SUIT_PATHS[suit], transform: "translate(22 45) scale(1.2)" }),
  );
}

class PlayingCard extends HTMLElement {
  static observedAttributes = ["card"];

  /** @type {HTMLElement | null} */
  #inner = null;

  connectedCallback() {
    if (!this.hasAttribute("role")) this.setAttribute("role", "img");
    this.#draw();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#draw();
  }

  get card() {
    return oneLetter(this.getAttribute("card"));
  }

  #draw() {
    const card = this.card;
    if (!this.#inner) {
      this.#inner = h("span", { class: "leaf" }, h("span", { class: "back" }));
      this.append(this.#inner);
    }
    const known = card !== UNKNOWN;
    if (this.getAttribute("role") === "img") this.setAttribute("aria-label", cardName(card));
    const drawn = this.#inner.querySelector(".face");
    if (known && drawn?.getAttribute("data-card") !== card) {
      drawn?.remove();
      const made = face(card);
      made.setAttribute("data-card", card);
      this.#inner.append(made);
    }
    if (!known) drawn?.remove();
    this.classList.toggle("up", known);
  }
}

customElements.define("playing-card", PlayingCard);

/** Lift those of some cards that make a hand, and let the others stand back; none without a hand.
 * @param {Element} within @param {string[]} best */
export function lift(within, best) {
  const five = new Set(best.map(oneLetter));
  for (const node of within.querySelectorAll("playing-card")) {
    const shown = oneLetter(/** @type {HTMLElement} */ (node).dataset.face ?? node.getAttribute("card"));
    const known = five.size > 0 && shown !== UNKNOWN;
    node.classList.toggle("best", known && five.has(shown));
    node.classList.toggle("dim", known && !five.has(shown));
  }
}

/** @param {string} card @param {string} [classes] */
export function makeCard(card, classes = "") {
  return h("playing-card", { card, class: classes });
}
