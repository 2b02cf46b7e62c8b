/** The diagram of each article. */

import * as knowledge from "./knowledge.js";
import * as learning from "./learning.js";
import * as simulations from "./simulations.js";
import * as trees from "./trees.js";

/** Diagrams by words of an article's id, the more specific ones first. */
const BY_WORD = /** @type {[RegExp, () => SVGElement][]} */ ([
  [/study-.*cnn/, learning.network],
  [/study-logreg/, learning.gradient],
  [/study-minimax/, trees.alphabeta],
  [/mp-draughts|specialist/, learning.specialists],
  [/\bsom\b|self-organi|cluster/, learning.map],
  [/anaconda|spatial/, learning.spatial],
  [/evolution/, learning.evolution],
  [/ls-draughts|genetic/, learning.genetic],
  [/visiondraughts|transposition|\btable\b/, trees.transposition],
  [/iiga|deepening|ordering/, trees.deepening],
  [/neurodraughts|network|\bnet\b|nnue/, learning.network],
  [/\btd\b|temporal/, learning.temporalDifference],
  [/texel|tuning/, learning.gradient],
  [/climb/, learning.climbing],
  [/crazystone|pattern|bradley/, simulations.patterns],
  [/fuego|rave/, simulations.rave],
  [/btt|playout/, simulations.rules],
  [/migos/, simulations.solvedBoard],
  [/growth|engine-go/, simulations.growth],
  [/engine-(chess|draughts)/, trees.deepening],
  [/mcts|uct|monte-carlo-tree/, simulations.uct],
  [/flat|ucb/, simulations.flat],
  [/solver|proof|pns/, trees.proof],
  [/endgame|retrograde|database/, knowledge.endgame],
  [/aspiration/, trees.aspiration],
  [/negascout|pvs|principal|scout/, trees.scout],
  [/mtd/, trees.mtdf],
  [/sss/, trees.sss],
  [/dual/, trees.dual],
  [/alpha-?beta/, trees.alphabeta],
  [/negamax/, trees.negamax],
  [/minimax/, trees.minimax],
  [/greedy/, trees.greedy],
  [/random/, trees.random],
  [/draughts|checkers/, knowledge.draughts],
  [/chess/, knowledge.chess],
  [/connect/, knowledge.connectFour],
  [/reversi|othello/, knowledge.reversi],
  [/tic-?tac|noughts/, knowledge.ticTacToe],
  [/nim/, knowledge.nim],
  [/\bgo\b/, knowledge.go],
  [/engine/, trees.deepening],
  [/level/, knowledge.levels],
]);

/** Fallbacks by kind of article. */
const BY_KIND = { player: trees.greedy, algorithm: trees.minimax, game: knowledge.draughts };

/**
 * The diagram of an article.
 * @param {{ id: string, kind?: "player" | "algorithm" | "game" }} page
 * @returns {SVGElement}
 */
export function diagramFor({ id, kind = "algorithm" }) {
  const plain = id.toLowerCase();
  const found = BY_WORD.find(([words]) => words.test(plain));
  return (found?.[1] ?? BY_KIND[kind])();
}
