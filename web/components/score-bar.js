/** <ludus-score-bar>: who stands better, as a bar beside the board. */

import { el, setAttributes, setText } from "../lib/dom.js";

/** So many hundredths are worth about 85 % of the points. */
const SCALE = 300;
const LARGEST_EVALUATION = 20_000;
const WIN = 31_000;

/**
 * The share of the points a score promises, from 0 to 1. The curve is the one of the engine's simulations.
 * @param {number} score in hundredths, for one side
 */
export function expected(score) {
  if (Math.abs(score) > LARGEST_EVALUATION) return score > 0 ? 1 : 0;
  const lead = score / SCALE;
  return 0.5 + 0.5 * (lead / Math.sqrt(1 + lead * lead));
}

/**
 * How far the end is: chess players count moves of the winner, all others plies.
 * @param {number} plies
 * @param {string} game
 * @returns {[number, string]} how many, and of what
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
  if (Math.abs(score) > LARGEST_EVALUATION) {
    const plies = WIN - Math.abs(score);
    const result = score > 0 ? "win" : "loss";
    return plies === 0 ? result : `${result} in ${distance(plies, game).join(" ")}`;
  }
  const text = (Math.abs(score) / 100).toFixed(2);
  return score > 0 ? `+${text}` : score < 0 ? `−${text}` : text;
}

/**
 * As much of a score as there is room for.
 * @param {number} score
 * @param {string} game
 */
function shortText(score, game) {
  if (Math.abs(score) > LARGEST_EVALUATION) {
    const plies = WIN - Math.abs(score);
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
    setAttributes(this, { "aria-valuenow": Math.round(100 * share), "aria-valuetext": score === null ? "not known" : `${scoreText(score, game)} for the first side` });
  }
}

customElements.define("ludus-score-bar", ScoreBar);
