/** The families that the Learn pages are sorted into. */

/** @typedef {{ id: string, name: string, about: string, words: RegExp | null }} Family */

const SEARCH = /** @type {Family} */ ({
  id: "search",
  name: "Search",
  about: "looking ahead, and pruning",
  words: null,
});
const GAMES = /** @type {Family} */ ({ id: "game", name: "Games", about: "the games themselves", words: null });

/** In the order they are shown. */
export const FAMILIES = /** @type {Family[]} */ ([
  { id: "plain", name: "First steps", about: "players without a plan", words: /random|greedy/ },
  SEARCH,
  {
    id: "simulation",
    name: "Simulation",
    about: "evaluation by random games",
    words: /mcts|\buct\b|ucb|flat|rave|playout|monte|fuego|btt|crazystone|engine-go/,
  },
  {
    id: "learning",
    name: "Learning",
    about: "learned weights",
    words:
      /study-(logreg|cnn)|neuro|ls-draughts|visiondraughts|iiga|mp-draughts|anaconda|evolution|genetic|\bsom\b|self-organi|network|\btd\b|texel|climb/,
  },
  {
    id: "knowledge",
    name: "Exact knowledge",
    about: "endgames and small games, solved",
    words: /endgame|retrograde|solver|migos|database|book/,
  },
  GAMES,
]);

/**
 * The family whose words fit; what has none is a search.
 * @param {{ id: string, kind: string }} entry
 * @returns {Family}
 */
export function familyOf(entry) {
  if (entry.kind === "game") return GAMES;
  return FAMILIES.find((family) => family.words?.test(entry.id.toLowerCase())) ?? SEARCH;
}
