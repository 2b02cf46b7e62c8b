/** Display names of identifiers. */

import { readSpec } from "./specs.js";

/** Names that are not just the capitalised identifier. @type {Record<string, string>} */
const PROPER = {
  alphabeta: "Alpha-beta",
  negascout: "NegaScout",
  pvs: "PVS",
  mtdf: "MTD(f)",
  sss: "SSS*",
  dual: "DUAL*",
  mcts: "MCTS",
  iiga: "IIGA",
  "ls-draughts": "LS-Draughts",
  "mp-draughts": "MP-Draughts",
  neurodraughts: "NeuroDraughts",
  visiondraughts: "VisionDraughts",
  "btt-go": "BTT-Go",
  migos: "MIGOS",
  "crazystone-like": "Crazy Stone style",
  "fuego-like": "Fuego style",
  engine: "Ludus Engine",
  flat: "Flat Monte Carlo",
  "study-minimax": "Minimax (study)",
  "study-minimax-cnn": "Minimax + CNN (study)",
  "study-mcts": "MCTS (study)",
  "study-logreg": "Logistic regression (study)",
  "study-cnn": "CNN (study)",
};

/** Names of rules that are not just the capitalised identifier. @type {Record<string, string>} */
const RULES = { aga: "AGA", "new-zealand": "New Zealand", "tromp-taylor": "Tromp-Taylor" };

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The name of an option's value: "New Zealand" for "new-zealand".
 * @param {string} choice
 */
export function choiceName(choice) {
  return RULES[choice] ?? capital(choice);
}

/**
 * The name of a player: "Ludus Engine" for "engine:level=3".
 * @param {string} spec
 */
export function playerName(spec) {
  const { id } = readSpec(spec);
  return PROPER[id] ?? id.split("-").map(capital).join(" ");
}

/**
 * The options of a player: "level 3" for "engine:level=3".
 * @param {string} spec
 */
export function playerSettings(spec) {
  return Object.entries(readSpec(spec).options)
    .map(([key, value]) => `${key} ${value}`)
    .join(", ");
}

/**
 * The options of a game in words: "English" for "draughts:rules=english".
 * @param {string} game
 */
export function gameSettings(game) {
  const { options } = readSpec(game);
  return Object.entries(options)
    .map(([key, value]) => {
      if (key === "size") return `${value} × ${value}`;
      if (key === "rules") return choiceName(value);
      return `${key} ${value}`;
    })
    .join(", ");
}

/**
 * A move in the usual notation. SGF records of Go use letter pairs, so there the move is shown by its coordinates.
 * @param {{move: string, label: string}} move
 * @param {Ludus.RecordFormat} format
 */
export function moveWords(move, format) {
  return format === "sgf" ? move.move : move.label || move.move;
}

/**
 * The principal variation of an analysis, in the same notation.
 * @param {Ludus.Analysis} analysis
 * @param {Ludus.RecordFormat} format
 */
export function lineWords(analysis, format) {
  return format === "sgf" || analysis.pv_labels.length === 0 ? analysis.pv : analysis.pv_labels;
}

/**
 * The names of the first and the second side of a game.
 * @param {Ludus.PositionView} answer
 * @returns {[string, string]}
 */
export function sideNames(answer) {
  return [answer.sides.first, answer.sides.second];
}
