/** The gallery of games, with thumbnail boards drawn after the page. */

import { announce, el, painted } from "../lib/dom.js";
import { capital } from "../lib/names.js";

/**
 * @param {Ludus.GameCard[]} games
 * @param {string} chosen
 * @param {(game: Ludus.GameCard) => void} choose
 * @returns {HTMLElement}
 */
export function gamePicker(games, chosen, choose) {
  // The server lists the smallest games first; here the largest come first.
  const cards = [...games].reverse().map((game) => card(game, game.id === chosen, () => choose(game)));
  return el("div", { class: "game-picker", role: "radiogroup", "aria-label": "Game" }, cards);
}

/**
 * @param {Ludus.GameCard} game
 * @param {boolean} chosen
 * @param {() => void} choose
 */
function card(game, chosen, choose) {
  const place = el("span", { class: "game-thumbnail", "aria-hidden": "true" });
  void announce(draw(place, game.id));
  return el(
    "label",
    { class: "game-card", title: capital(game.about) },
    el("input", {
      type: "radio",
      class: "visually-hidden",
      name: "game",
      value: game.id,
      ".checked": chosen,
      onchange: choose,
    }),
    place,
    el("span", { class: "game-name" }, game.name),
  );
}

/**
 * Thumbnails load after everything else: they take longest.
 * @param {HTMLElement} place
 * @param {string} game
 */
async function draw(place, game) {
  await painted();
  const { gameThumbnail } = await import("../board/game-thumbnail.js");
  place.replaceWith(await gameThumbnail(game));
}
