/** The gallery of games: a small board each. */

import { el } from "../lib/dom.js";
import { capital } from "../lib/names.js";
import { sketch } from "../lib/sketches.js";
import "./board.js";

/**
 * @param {Ludus.GameInfo[]} games
 * @param {string} chosen
 * @param {(game: Ludus.GameInfo) => void} choose
 * @returns {HTMLElement}
 */
export function gamePicker(games, chosen, choose) {
  // The server's list goes from the smallest game to the largest; the great ones come first here.
  const cards = [...games].reverse().map((game) => card(game, game.id === chosen, () => choose(game)));
  return el("div", { class: "game-picker", role: "radiogroup", "aria-label": "Game" }, cards);
}

/**
 * @param {Ludus.GameInfo} game
 * @param {boolean} chosen
 * @param {() => void} choose
 */
function card(game, chosen, choose) {
  const board = el("ludus-board", { class: "game-thumbnail", "aria-hidden": "true", ".thumbnail": true });
  sketch(game.id).then((view) => { board.view = view; }, () => board.remove());
  return el("label", { class: "game-card", title: capital(game.about) },
    el("input", { type: "radio", class: "visually-hidden", name: "game", value: game.id, ".checked": chosen, onchange: choose }),
    board,
    el("span", { class: "game-name" }, game.name));
}
