// People: staff and players, their accounts, passwords and PINs.

import { fill, h } from "../dom.js";
import { capital } from "../desk/words.js";
import { ask } from "../session.js";
import { listTable, orderForm } from "./form.js";

/** @import {Office} from "./main.js" */
/** @import {PlayerLine} from "../records.js" */

const AT_ONCE = 100;

/** @param {Office} office */
export async function peopleView(office) {
  const [staff, players] = await Promise.all([
    ask("/api/office/lists/staff"),
    ask("/api/office/lists/players"),
  ]);
  const names = staff.map((line) => line.name);
  const rows = staff.map((line) => [
    line.name,
    capital(line.role ?? ""),
    line.duty ? `${line.duty.acting ? "acting " : ""}${line.duty.post}` : "off duty",
    line.disabled,
  ]);
  const reason = { name: "reason", label: "Why" };
  return [
    listTable("Staff", ["Name", "Role", "Duty", "Disabled"], rows),
    playerList(players),
    h(
      "div",
      { class: "forms" },
      ...(office.may("open account")
        ? [
            orderForm({
              title: "Open a player's account",
              fields: [
                { name: "player", label: "Name" },
                { name: "secret", label: "Password", type: "password", optional: true, hint: "Without one the player plays at hand-dealt tables only." },
              ],
              acts: [{ text: "Open the account", does: ({ player, secret }) => office.order({ do: "open account", player }, secret) }],
            }),
            orderForm({
              title: "A player's PIN",
              says: "By which a player gives the word at a hand-dealt table.",
              fields: [{ name: "player", label: "Player", known: players.map((p) => p.name) }, { name: "secret", label: "PIN", type: "password", hint: "4 to 12 digits" }, reason],
              acts: [{ text: "Set the PIN", does: ({ player, secret, reason: why }) => office.order({ do: "set pin", player, reason: why }, secret) }],
            }),
          ]
        : [office.takes("open an account", "a cashier, shift manager or administrator")]),
      office.may("disable player")
        ? orderForm({
            title: "Disable or enable somebody",
            says: "A player finishes the round and may leave; staff are logged out.",
            fields: [{ name: "name", label: "Name", known: [...names, ...players.map((p) => p.name)] }, reason],
            acts: [
              { text: "Disable", danger: true, does: ({ name, reason: why }) => office.order({ do: "disable person", name, reason: why }) },
              { text: "Enable", does: ({ name, reason: why }) => office.order({ do: "enable person", name, reason: why }) },
            ],
          })
        : office.takes("disable somebody", "a pit supervisor or above"),
      ...(office.may("hire")
        ? [
            orderForm({
              title: "Take somebody on",
              fields: [
                { name: "name", label: "Name" },
                { name: "role", label: "Role", type: "select", options: office.glance.roles },
                { name: "secret", label: "First password", type: "password", hint: "8 to 200 characters" },
                reason,
              ],
              acts: [{ text: "Take on", does: ({ name, role, secret, reason: why }) => office.order({ do: "hire staff", name, role, reason: why }, secret) }],
            }),
            orderForm({
              title: "Another role",
              fields: [
                { name: "name", label: "Name", type: "select", options: names },
                { name: "role", label: "Role", type: "select", options: office.glance.roles },
                reason,
              ],
              acts: [{ text: "Change the role", does: ({ name, role, reason: why }) => office.order({ do: "change role", name, role, reason: why }) }],
            }),
          ]
        : [office.takes("take staff on", "an administrator")]),
      orderForm({
        title: office.may("hire") ? "Somebody's password" : "Your password",
        fields: [
          { name: "name", label: "Name", value: office.glance.you, known: office.may("hire") ? names : [] },
          { name: "secret", label: "New password", type: "password", hint: "8 to 200 characters; every session of that name ends" },
          { ...reason, optional: true, hint: "where it is somebody else's" },
        ],
        acts: [{ text: "Set the password", does: ({ name, secret, reason: why }) => office.order({ do: "set password", name, reason: why }, secret) }],
      }),
    ),
  ];
}

/** Players by what is typed; of many the first are shown, and how many there are is said.
 * @param {PlayerLine[]} players */
function playerList(players) {
  const found = h("input", { type: "text", id: "find-player", autocomplete: "off" });
  const list = h("div");
  const draw = () => {
    const typed = /** @type {HTMLInputElement} */ (found).value.trim().toLowerCase();
    const like = players.filter((player) => player.name.toLowerCase().includes(typed));
    const rows = like.slice(0, AT_ONCE).map((player) => [
      player.name,
      player.account,
      player.bot ? "bot" : player.cash ? "cash player" : "",
      player.disabled,
    ]);
    const more = like.length > AT_ONCE ? h("p", { class: "soft", text: `The first ${AT_ONCE} of ${like.length}; type a name to find others.` }) : null;
    fill(list, listTable("Players", ["Name", "Account", "Kind", "Disabled"], rows, "Nobody is called so."), ...(more ? [more] : []));
  };
  found.addEventListener("input", draw);
  draw();
  return h("section", {}, h("div", { class: "field find" }, h("label", { for: "find-player", text: "Find a player" }), found), list);
}
