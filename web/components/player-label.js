/** Players as lists of a contest name them: short, but told apart by their options. */

import { playerName, playerSettings } from "../lib/names.js";

/** @param {string} spec */
export function playerLabel(spec) {
  const settings = playerSettings(spec);
  return settings ? `${playerName(spec)} · ${settings}` : playerName(spec);
}
