/** <ludus-score-bar>: the evaluation as a bar beside the board. */

import { el, setAttributes, setText } from "../lib/dom.js";

/** Score in hundredths that is worth about 85 % of the points. */
const SCORE_SCALE = 300;
const MAX_EVALUATION = 20_000;
const WIN_SCORE = 31_000;

/**
 * Expected share of the points for a score, from 0 to 1, by the engine's own curve.
 * @param {number} score in hundredths, for one side
 */
export function expected(score) {
  if (Math.abs(score) > MAX_EVALUATION) return score > 0 ? 1 : 0;
  const lead = score / SCORE_SCALE;
  return 0.5 + 0.5 * (lead / Math.sqrt(1 + lead * lead));
}

/**
 * Distance to the end: moves of the winner in chess, plies in other games.
 * @param {number} plies
 * @param {string} game
 * @returns {[number, string]} number and unit
 */
function distance(plies, game) {
  if (game.split(":")[0] !== "chess") return [plies, plies === 1 ? "ply" : "plies"];
  const moves = Math.ceil(plies / 2);
  return [moves, moves === 1 ? "move" : "moves"];
}

/**
 * @param {number} score in hundredths
 * @param {string} game
 * @returns {string} such as "+0.35" or "win in 5 plies"
 */
export function scoreText(score, game) {
  if (Math.abs(score) > MAX_EVALUATION) {
    const plies = WIN_SCORE - Math.abs(score);
    const result = score > 0 ? "win" : "loss";
    return plies === 0 ? result : `${result} in ${distance(plies, game).join(" ")}`;
  }
  const text = (Math.abs(score) / 100).toFixed(2);
  return score > 0 ? `+${text}` : score < 0 ? `−${text}` : text;
}

/**
 * A score shortened to the width of the bar.
 * @param {number} score
 * @param {string} game
 */
function shortText(score, game) {
  if (Math.abs(score) > MAX_EVALUATION) {
    const plies = WIN_SCORE - Math.abs(score);
    return plies === 0 ? "#" : `${score > 0 ? "" : "−"}#${distance(plies, game)[0]}`;
  }
  const units = Math.abs(score) / 100;
  return units >= 10 ? String(Math.round(units)) : units.toFixed(1);
}

export class ScoreBar extends HTMLElement {
  #fill = el("div", { class: "score-fill" });
  #text = el("span", { class: "score-text number" });

  connectedCallback() {
    if (this.firstChild) return;
    this.append(this.#fill, this.#text);
    setAttributes(this, { role: "meter", "aria-valuemin": 0, "aria-valuemax": 100, "aria-label": "Score" });
    this.show(null, false);
  }

  /**
   * @param {number | null} score in hundredths, for the first side; null if nothing is known
   * @param {boolean} flipped whether the first side sits at the top
   * @param {boolean} [firstIsDark] whether the first side's pieces are the dark ones
   * @param {string} [game]
   */
  show(score, flipped, firstIsDark = false, game = "") {
    const share = score === null ? 0.5 : expected(score);
    this.style.setProperty("--share", `${(100 * share).toFixed(1)}%`);
    this.classList.toggle("flipped", flipped);
    this.classList.toggle("first-is-dark", firstIsDark);
    this.classList.toggle("unknown", score === null);
    const atFirst = share >= 0.5;
    this.classList.toggle("text-low", atFirst !== flipped);
    this.classList.toggle("text-on-first", atFirst);
    setText(this.#text, score === null ? "" : shortText(score, game));
    setAttributes(this, {
      "aria-valuenow": Math.round(100 * share),
      "aria-valuetext": score === null ? "not known" : `${scoreText(score, game)} for the first side`,
    });
  }
}

customElements.define("ludus-score-bar", ScoreBar);
