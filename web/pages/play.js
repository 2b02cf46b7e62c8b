/** Play: `#/play` sets up a game, `#/play/ID` is one. */

import { showSetup } from "./play-setup.js";
import { showTable } from "./play-table.js";

/**
 * @param {HTMLElement} main
 * @param {Ludus.Route} route
 * @returns {Promise<() => void>}
 */
export async function show(main, route) {
  const [table] = route.path;
  return table ? showTable(main, table) : showSetup(main, route.query);
}
