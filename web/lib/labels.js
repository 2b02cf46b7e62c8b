/** Labels of players, games, contests and features in lists. */

import { capital, gameSettings, playerName, playerSettings } from "./names.js";
import { readSpec } from "./specs.js";

/**
 * A player with the options that distinguish it.
 * @param {string} spec
 */
export function playerLabel(spec) {
  const settings = playerSettings(spec);
  return settings ? `${playerName(spec)}\u00a0· ${settings}` : playerName(spec);
}

/**
 * A game with its options: "Go, 9 × 9" for "go:size=9".
 * @param {Ludus.GameCard[]} gallery
 * @param {string} spec
 */
export function gameLabel(gallery, spec) {
  const { id } = readSpec(spec);
  const name = gallery.find((game) => game.id === id)?.name ?? capital(id);
  const settings = gameSettings(spec);
  return settings ? `${name}, ${settings}` : name;
}

/**
 * The name of a contest; an unnamed match is named after its players.
 * @param {{ name: string, players: string[] }} contest
 */
export function contestLabel({ name, players }) {
  return players.length === 2 && name === players.join(" v ") ? players.map(playerLabel).join(" v ") : name;
}

/**
 * A feature in words: "Piece advantage" for "PieceAdvantage".
 * @param {string} name
 */
export function featureLabel(name) {
  return capital(name.replace(/([a-z\d])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`));
}
