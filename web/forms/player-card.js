/** Players as cards, in the gallery and beside the board. */

import { el } from "../lib/dom.js";
import { emblem, humanEmblem } from "../lib/icons.js";
import { playerName, playerSettings } from "../lib/names.js";
import { readSpec } from "../lib/specs.js";

/**
 * The card of a player in the gallery.
 * @param {Ludus.PlayerCard} player
 * @param {boolean} chosen
 * @param {() => void} choose
 * @returns {HTMLElement}
 */
export function playerCard(player, chosen, choose) {
  const facts = [
    player.year === null ? null : el("span", { class: "number" }, player.year),
    player.rating === null
      ? null
      : el(
          "span",
          { class: "number", title: `measured in ${player.rating.games} games of ${player.rating.spec}` },
          `${Math.round(player.rating.elo)} ± ${Math.round(player.rating.error)}`,
        ),
  ].filter((fact) => fact !== null);
  return el(
    "label",
    { class: "player-card" },
    el("input", {
      type: "radio",
      class: "visually-hidden",
      name: "opponent",
      value: player.id,
      ".checked": chosen,
      onchange: choose,
    }),
    emblem(player.id, 44),
    el(
      "span",
      { class: "player-text" },
      el(
        "span",
        { class: "player-line" },
        el("span", { class: "player-name" }, playerName(player.id)),
        el("span", { class: "player-facts" }, facts),
      ),
      el("span", { class: "player-idea" }, player.idea || player.about),
    ),
  );
}

/**
 * The card of a human opponent at the same board.
 * @param {boolean} chosen
 * @param {() => void} choose
 * @returns {HTMLElement}
 */
export function friendCard(chosen, choose) {
  return el(
    "label",
    { class: "player-card" },
    el("input", {
      type: "radio",
      class: "visually-hidden",
      name: "opponent",
      value: "",
      ".checked": chosen,
      onchange: choose,
    }),
    humanEmblem(44),
    el(
      "span",
      { class: "player-text" },
      el("span", { class: "player-line" }, el("span", { class: "player-name" }, "A friend")),
      el("span", { class: "player-idea" }, "Two people take turns at this board."),
    ),
  );
}

/**
 * The player of one side of a game: emblem, name, options.
 * @param {Ludus.SideView} seat
 * @param {number} people number of human players
 * @returns {HTMLElement}
 */
export function seatCard(seat, people) {
  const { name, player } = seat;
  const settings = player === null ? "" : playerSettings(player);
  const title = player === null ? (people === 1 ? "You" : name) : playerName(player);
  const below = [title === name ? "" : name, settings].filter(Boolean).join(" · ");
  return el(
    "div",
    { class: "seat-card" },
    player === null ? humanEmblem(40) : emblem(readSpec(player).id, 40),
    el(
      "div",
      { class: "seat-text" },
      el("span", { class: "seat-name" }, title),
      below ? el("span", { class: "seat-side" }, below) : null,
    ),
  );
}
