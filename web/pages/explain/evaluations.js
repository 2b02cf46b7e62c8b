/** Evaluations on the explain page: their names, and the one minimax needs for a fair comparison. */

import { readSpec, writeSpec } from "../../lib/specs.js";

/** Options that choose an evaluation, with the names of their choices. @type {Record<string, Record<string, string>>} */
const NAMES = {
  eval: { hand: "Handcrafted", none: "Results only", mobility: "Mobility", random: "Random", net: "Network" },
  leaf: { playout: "Playouts", eval: "Handcrafted", mixed: "Mixed" },
};
const DEFAULT_EVALUATION = "hand";
/** Choices that minimax has too; players with other evaluations are compared with its default. */
const COMMON = ["none", "mobility", "random"];

/** @param {string} option */
export function optionWords(option) {
  return option in NAMES ? "Evaluation" : option;
}

/**
 * @param {string} option
 * @param {string} choice
 */
export function choiceWords(option, choice) {
  return NAMES[option]?.[choice] ?? choice;
}

/**
 * The name of an algorithm with its evaluation, unless that is the default: "Alpha-beta (mobility)".
 * @param {string} name
 * @param {string | undefined} evaluation
 */
export function withEvaluation(name, evaluation) {
  return evaluation ? `${name} (${choiceWords("eval", evaluation).toLowerCase()})` : name;
}

/**
 * The evaluation with which minimax gets the values of this player.
 * @param {string} player
 */
export function evaluationOf(player) {
  return COMMON.find((evaluation) => evaluation === readSpec(player).options.eval) ?? DEFAULT_EVALUATION;
}

/**
 * The specification of minimax, which searches the whole tree.
 * @param {string} evaluation
 * @param {number} [depth] up to the leaves of a typed tree by default
 */
export function minimaxBy(evaluation, depth) {
  const special = evaluation === DEFAULT_EVALUATION ? undefined : evaluation;
  const options = { ...(depth === undefined ? {} : { depth }), ...(special ? { eval: special } : {}) };
  return { title: withEvaluation("Minimax", special), player: writeSpec("minimax", options) };
}
