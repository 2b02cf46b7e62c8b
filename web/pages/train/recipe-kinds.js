/** Descriptions of the kinds of training runs. */

const KINDS = /** @type {Record<string, { words: string, picture: string }>} */ ({
  texel: { words: "all weights by gradient descent", picture: "texel" },
  climb: { words: "mutate, play, keep improvements", picture: "climb" },
  net: { words: "a network that corrects the handcrafted evaluation", picture: "network" },
  td: { words: "a network learns by self-play", picture: "td" },
  mp: { words: "25 endgame specialists", picture: "mp-draughts" },
  genetic: { words: "features evolved by crossover and mutation", picture: "genetic" },
  evolution: { words: "networks play each other, the better half reproduces", picture: "evolution" },
  moves: { words: "move strengths from self-play", picture: "pattern" },
  habits: { words: "playout weights from results", picture: "playout" },
  "go-net": { words: "a policy network", picture: "anaconda" },
  "chess-cnn": { words: "a convolutional network from an engine's scores", picture: "network" },
  logreg: { words: "a logistic regression of moves", picture: "texel" },
});

/** @param {string} kind */
export function kindWords(kind) {
  return KINDS[kind]?.words ?? kind;
}

/**
 * The id of the diagram of this kind of training.
 * @param {string} kind
 */
export function kindPicture(kind) {
  return KINDS[kind]?.picture ?? "network";
}
