/** The gallery of games: a small board each, drawn as soon as the page itself is there. */

import { announce, el, painted } from "../lib/dom.js";
import { capital } from "../lib/names.js";

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
  const place = el("span", { class: "game-thumbnail", "aria-hidden": "true" });
  void announce(draw(place, game.id));
  return el("label", { class: "game-card", title: capital(game.about) },
    el("input", { type: "radio", class: "visually-hidden", name: "game", value: game.id, ".checked": chosen, onchange: choose }),
    place,
    el("span", { class: "game-name" }, game.name));
}

/**
 * Boards take longer to load and to draw than all else here: nobody has to wait for them.
 * @param {HTMLElement} place
 * @param {string} game
 */
async function draw(place, game) {
  await painted();
  const { gameSketch } = await import("./game-sketch.js");
  place.replaceWith(await gameSketch(game));
}
