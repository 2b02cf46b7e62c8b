/** Diagrams of the kinds of training runs. */

const PICTURES = /** @type {Record<string, string>} */ ({
  texel: "texel",
  climb: "climb",
  net: "network",
  td: "td",
  mp: "mp-draughts",
  genetic: "genetic",
  evolution: "evolution",
  moves: "pattern",
  habits: "playout",
  "go-net": "anaconda",
  "chess-cnn": "network",
  logreg: "texel",
});

/**
 * The id of the diagram of this kind of training; a kind without one of its own has a network.
 * @param {string} kind
 */
export function kindPicture(kind) {
  return PICTURES[kind] ?? "network";
}
