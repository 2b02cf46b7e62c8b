/** Play: `#/play` sets up a game, `#/play/ID` is one. */

import { showSetup } from "./play-setup.js";

/**
 * @param {HTMLElement} main
 * @param {Ludus.Route} route
 * @returns {Promise<() => void>}
 */
export async function show(main, route) {
  const [table] = route.path;
  if (table) return (await import("./play-table.js")).showTable(main, table);
  return showSetup(main, route.query);
}
