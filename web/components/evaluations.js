// What searches on the explain page judge by: in words, and what minimax is to judge by to be compared with them.

import { readSpec, writeSpec } from "../lib/api.js";

/** Options that choose an evaluation, with the names of their choices. @type {Record<string, Record<string, string>>} */
const NAMES = {
  eval: { hand: "Hand-made", none: "Only ends", mobility: "Mobility", random: "Random", net: "Network" },
  leaf: { playout: "Random games", eval: "Hand-made", mixed: "Mixed" },
};
const USUAL = "hand";
/** Those minimax has too. Whoever judges by something else is compared with its usual one. */
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
 * The name of an algorithm and what it judges by, unless that is as usual: "Alpha-beta (mobility)".
 * @param {string} name
 * @param {string | undefined} evaluation
 */
export function judgedBy(name, evaluation) {
  return evaluation ? `${name} (${choiceWords("eval", evaluation).toLowerCase()})` : name;
}

/**
 * What minimax has to judge by for its values to be those of this player.
 * @param {string} player
 */
export function evaluationOf(player) {
  return COMMON.find((evaluation) => evaluation === readSpec(player).options.eval) ?? USUAL;
}

/**
 * Minimax, which leaves out nothing.
 * @param {string} evaluation
 * @param {number} [depth] to the leaves of a typed tree if there is none
 */
export function minimaxBy(evaluation, depth) {
  const special = evaluation === USUAL ? undefined : evaluation;
  const options = { ...(depth === undefined ? {} : { depth }), ...(special ? { eval: special } : {}) };
  return { title: judgedBy("Minimax", special), player: writeSpec("minimax", options) };
}
