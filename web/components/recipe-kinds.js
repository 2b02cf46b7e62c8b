/** What the kinds of training runs do, in a few words. */

const KINDS = /** @type {Record<string, { words: string, picture: string }>} */ ({
  texel: { words: "all weights by gradient", picture: "texel" },
  climb: { words: "mutate, play, keep what wins", picture: "climb" },
  net: { words: "a network that corrects the hand evaluation", picture: "network" },
  td: { words: "a network learns against its copy", picture: "td" },
  mp: { words: "25 specialists for endings", picture: "mp-draughts" },
  genetic: { words: "features that are crossed and mutated", picture: "genetic" },
  evolution: { words: "networks that play each other, the better half has children", picture: "evolution" },
  moves: { words: "strengths of moves from self-play", picture: "pattern" },
  habits: { words: "how playouts go, from results", picture: "playout" },
  "go-net": { words: "a network that looks at positions", picture: "anaconda" },
});

/** @param {string} kind */
export function kindWords(kind) {
  return KINDS[kind]?.words ?? kind;
}

/**
 * The id of the diagram that shows how runs of this kind learn.
 * @param {string} kind
 */
export function kindPicture(kind) {
  return KINDS[kind]?.picture ?? "network";
}
