// The cage: money in and out, transfers, the bank; corrections by two people; unclaimed awards.

import { h } from "../dom.js";
import { money } from "../money.js";
import { ask } from "../session.js";
import { listTable, orderForm } from "./form.js";

/** @import {Office} from "./main.js" */
/** @import {Proposal, Unclaimed} from "../records.js" */

/** @param {Office} office */
export async function cageView(office) {
  const [players, corrections, unclaimed] = await Promise.all([
    ask("/api/office/lists/players"),
    ask("/api/office/lists/corrections"),
    ask("/api/office/reports/unclaimed"),
  ]);
  const known = players.map((player) => player.name);
  const player = { name: "player", label: "Player", known };
  const amount = /** @type {const} */ ({ name: "amount", label: "Amount", type: "money" });
  const reason = { name: "reason", label: "Why" };
  const note = { name: "note", label: "Note", optional: true };
  const cash = office.may("cash");
  return [
    h(
      "div",
      { class: "forms" },
      ...(cash
        ? [
            orderForm({
              title: "Cash in and out",
              fields: [player, amount, note],
              acts: [
                { text: "Take in", does: (values) => office.order({ do: "cash in", ...values }) },
                { text: "Pay out", does: (values) => office.order({ do: "cash out", ...values }) },
              ],
            }),
            orderForm({
              title: "From player to player",
              fields: [{ name: "payer", label: "From", known }, { name: "payee", label: "To", known }, amount, reason],
              acts: [{ text: "Transfer", does: (values) => office.order({ do: "transfer", ...values }) }],
            }),
            orderForm({
              title: "The House's bank",
              fields: [amount, reason],
              acts: [
                { text: "Put in", does: (values) => office.order({ do: "fund bank", ...values }) },
                { text: "Take out", does: ({ amount: cents, reason: why }) => office.order({ do: "fund bank", amount: -cents, reason: why }) },
              ],
            }),
          ]
        : [office.takes("move money at the cage", "a cashier or shift manager")]),
    ),
    correctionList(office, corrections),
    office.may("propose correction")
      ? h(
          "div",
          { class: "forms" },
          orderForm({
            title: "Propose a correction",
            says: "New entries; a pit manager or shift manager who did not propose it approves.",
            fields: [
              { name: "from", label: "From account", known: accounts(known), hint: "player/Ann, house/bank or cash" },
              { name: "to", label: "To account", known: accounts(known) },
              amount,
              reason,
            ],
            acts: [
              {
                text: "Propose",
                does: ({ from, to, amount: cents, reason: why }) =>
                  office.order({ do: "propose correction", moves: { [from]: -cents, [to]: cents }, reason: why }),
              },
            ],
          }),
        )
      : office.takes("propose a correction", "a cashier, pit manager or shift manager"),
    unclaimedList(office, unclaimed),
  ];
}

/** @param {string[]} players */
function accounts(players) {
  return ["house/bank", "cash", ...players.map((name) => `player/${name}`)];
}

/** @param {Office} office @param {Record<number, Proposal>} corrections */
function correctionList(office, corrections) {
  const rows = Object.entries(corrections).map(([number, one]) => [
    `No. ${number}`,
    one.who,
    Object.entries(one.moves)
      .map(([account, cents]) => `${account} ${money(cents)}`)
      .join(", "),
    one.reason,
    approve(office, Number(number), one),
  ]);
  return listTable("Corrections that wait for a second person", ["Number", "Proposed by", "Moves", "Why", ""], rows, "No correction waits.");
}

/** @param {Office} office @param {number} proposal @param {Proposal} one */
function approve(office, proposal, one) {
  if (one.who === office.glance.you) return h("span", { class: "soft", text: "a second person approves" });
  if (!office.may("approve correction")) return h("span", { class: "soft", text: "takes a pit manager or shift manager" });
  return act("Approve", `Approve correction ${proposal}`, () => office.order({ do: "approve correction", proposal }));
}

/** @param {Office} office @param {Unclaimed[]} unclaimed */
function unclaimedList(office, unclaimed) {
  const rows = unclaimed.map((one) => [one.table, one.player, one.amount, new Date(one.since).toLocaleString(), pay(office, one)]);
  return listTable("Awards that nobody took", ["Table", "Player", "Amount", "Since", ""], rows, "Nothing is kept safe for anybody.");
}

/** @param {Office} office @param {Unclaimed} one */
function pay(office, one) {
  if (!office.may("pay unclaimed")) return h("span", { class: "soft", text: "takes a cashier, pit manager or shift manager" });
  const does = () =>
    office.order({ do: "pay unclaimed", table: one.table, player: one.player, amount: one.amount, reason: "claimed at the cage" });
  return act("Pay", `Pay ${one.player} ${money(one.amount)}`, does);
}

/** A button in a row; what is refused stands beside it.
 * @param {string} text @param {string} label @param {() => Promise<unknown>} does */
export function act(text, label, does) {
  const wrong = h("span", { class: "wrong", role: "alert" });
  const press = async () => {
    wrong.textContent = "";
    try {
      await does();
    } catch (error) {
      wrong.textContent = /** @type {Error} */ (error).message;
    }
  };
  return h("span", { class: "act" }, h("button", { class: "button small", type: "button", text, "aria-label": label, onclick: press }), wrong);
}
