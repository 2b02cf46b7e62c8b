/** Names that people read, from the identifiers that programs read. */

import { readSpec } from "./api.js";

/** Names that capital letters alone do not make. @type {Record<string, string>} */
const PROPER = {
  alphabeta: "Alpha-beta", negascout: "NegaScout", pvs: "PVS", mtdf: "MTD(f)", sss: "SSS*", dual: "DUAL*", mcts: "MCTS",
  iiga: "IIGA", "ls-draughts": "LS-Draughts", "mp-draughts": "MP-Draughts", neurodraughts: "NeuroDraughts",
  visiondraughts: "VisionDraughts", "btt-go": "BTT-Go", migos: "MIGOS", "crazystone-like": "Crazy Stone’s way",
  "fuego-like": "Fuego’s way", engine: "Ludus Engine", flat: "Flat Monte Carlo",
};

/** Rules whose names are more than a capital letter. @type {Record<string, string>} */
const RULES = { aga: "AGA", "new-zealand": "New Zealand", "tromp-taylor": "Tromp-Taylor" };

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The name of a choice among the options of a game: "New Zealand" for "new-zealand".
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
 * What a player was told: "level 3" for "engine:level=3".
 * @param {string} spec
 */
export function playerSettings(spec) {
  return Object.entries(readSpec(spec).options).map(([key, value]) => `${key} ${value}`).join(", ");
}

/**
 * The options of a game in words: "English" for "draughts:rules=english".
 * @param {string} game
 */
export function gameSettings(game) {
  const { options } = readSpec(game);
  return Object.entries(options).map(([key, value]) => {
    if (key === "size") return `${value} × ${value}`;
    if (key === "rules") return choiceName(value);
    return `${key} ${value}`;
  }).join(", ");
}

/**
 * A move as people at the board write it. Game records of Go (SGF) name points by two letters that nobody says.
 * @param {{move: string, label: string}} move
 * @param {Ludus.RecordFormat} format
 */
export function moveWords(move, format) {
  return format === "sgf" ? move.move : move.label || move.move;
}

/**
 * The line an analysis expects, in the same words.
 * @param {Ludus.Analysis} analysis
 * @param {Ludus.RecordFormat} format
 */
export function lineWords(analysis, format) {
  return format === "sgf" || analysis.pv_labels.length === 0 ? analysis.pv : analysis.pv_labels;
}
