// What is being entered: an act of the table with the cards or the amount typed so far. Nothing of it is
// sent before it is confirmed, and the last of it can be taken back.

import { cardName, cardSigns } from "../cards.js";
import { money, readMoney } from "../money.js";
import { newId } from "../pit/words.js";
import { cardOf, isRank, isSuit } from "./keys.js";

/** @import {DealEntry, EntryField} from "../records.js" */

/** Whether it is entered by a few keys, and needs no form. @param {DealEntry} entry */
export function isPlain(entry) {
  if (entry.word || entry.fields.length > 1) return false;
  return entry.fields.every((field) => field.kind === "cards" || field.kind === "money");
}

/** The cards that must be said with it, if so. @param {DealEntry | null | undefined} entry */
export function cardsOf(entry) {
  return entry && isPlain(entry) ? entry.fields.find((field) => field.kind === "cards") : undefined;
}

/** @param {DealEntry} entry */
export function signature(entry) {
  return JSON.stringify([entry.kind, entry.command]);
}

export class Typed {
  /** @type {string[]} */
  cards = [];
  rank = "";
  amount = "";
  /** What the fields of a form say. @type {Record<string, unknown> | null} */
  said = null;
  /** Whether it is under way, and after that whether no answer came. */
  sending = false;
  unanswered = false;

  /** @param {DealEntry} entry */
  constructor(entry) {
    this.entry = entry;
    this.id = newId();
  }

  /** @returns {EntryField | undefined} */
  get field() {
    return isPlain(this.entry) ? this.entry.fields[0] : undefined;
  }

  get touched() {
    return this.cards.length > 0 || this.rank !== "" || this.amount !== "" || this.sending || this.unanswered;
  }

  /** Take a key; what is to be said about it, null if it is none of this. @param {string} key
   * @param {Set<string>} out cards that are out @returns {string | null} */
  key(key, out) {
    if (this.field?.kind === "cards") return this.#cardKey(key, out);
    if (this.field?.kind === "money") return this.#moneyKey(key);
    return null;
  }

  /** @param {string} key @param {Set<string>} out */
  #cardKey(key, out) {
    if (this.rank === "T" && key === "0") return "";
    if (this.rank) {
      if (!isSuit(key)) return "After the rank comes its suit: C, D, H or S.";
      const card = cardOf(this.rank, key);
      this.rank = "";
      return this.card(card, out);
    }
    if (!isRank(key) && key !== "1") return null;
    if (this.#isFull()) return `${this.#many()}: Enter confirms, Backspace takes the last one back.`;
    this.rank = key === "1" ? "T" : key.toUpperCase();
    return "";
  }

  /** A whole card, read or touched. @param {string} card @param {Set<string>} out @returns {string} */
  card(card, out) {
    if (this.#isFull()) return `${this.#many()}: Enter confirms, Backspace takes the last one back.`;
    if (this.cards.includes(card)) return `${cardSigns([card])} is entered already.`;
    if (out.has(card)) return `${cardSigns([card])} is out already.`;
    this.cards = [...this.cards, card];
    return "";
  }

  /** @param {string} key */
  #moneyKey(key) {
    if (!/^[\d.]$/.test(key)) return null;
    this.amount += key;
    return "";
  }

  /** Take the last of it back; whether there was any. */
  back() {
    if (this.rank) this.rank = "";
    else if (this.amount) this.amount = this.amount.slice(0, -1);
    else if (this.cards.length) this.cards = this.cards.slice(0, -1);
    else return false;
    return true;
  }

  /** What is lacking before it can be sent; nothing if it is whole. */
  lacks() {
    const { field } = this;
    if (field?.kind === "cards") {
      const more = (field.count ?? 0) - this.cards.length;
      if (this.rank) return "The suit of the last card is lacking: C, D, H or S.";
      if (more > 0) return more === 1 ? "One more card." : `${more} more cards.`;
    }
    if (field?.kind === "money" && this.amount && readMoney(this.amount) === null)
      return "Write the amount as 60 or 2.50.";
    if (field?.kind === "money" && !this.amount && field.usual === undefined) return "How much?";
    return "";
  }

  /** The command with everything that was said. @returns {Record<string, any>} */
  command() {
    const { field, entry } = this;
    if (this.said) return { ...entry.command, ...this.said };
    if (field?.kind === "cards") return { ...entry.command, [field.name]: this.cards };
    if (field?.kind === "money")
      return { ...entry.command, [field.name]: this.amount ? readMoney(this.amount) : field.usual };
    return entry.command;
  }

  /** What was typed, in words. */
  says() {
    if (this.cards.length || this.rank) return [cardSigns(this.cards), this.rank].filter(Boolean).join(" ");
    return this.amount;
  }

  /** What Enter would say where nothing is typed. */
  usual() {
    const { field } = this;
    return field?.kind === "money" && typeof field.usual === "number" ? money(field.usual) : "";
  }

  /** For a screen reader. */
  spoken() {
    return this.cards.length ? this.cards.map(cardName).join(", ") : this.amount;
  }

  #isFull() {
    return this.cards.length >= (this.field?.count ?? 0);
  }

  #many() {
    return this.cards.length === 1 ? "The card is there" : `All ${this.cards.length} cards are there`;
  }
}
