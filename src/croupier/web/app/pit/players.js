// Who sits where at a table, so that a seat can be called by its player.

import { ask } from "../session.js";

/** @param {string} place @returns {Promise<Record<number, string>>} */
export async function playersAt(place) {
  const { tables } = await ask("/api/lobby");
  const players = tables.find((table) => table.place === place)?.players ?? [];
  return Object.fromEntries(players.map((each) => [each.seat, each.player]));
}
